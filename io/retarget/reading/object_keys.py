"""Where the armature object stands, as keys of its own location and rotation."""

from __future__ import annotations

import bpy
import numpy as np

from ....core.motion.curves import Block, rotation_property
from ....core.motion.rotations import quaternion as quat
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.retarget.figures.motion import Standing
from ....core.retarget.transfer import output
from ...blender import parenting
from . import read


def object_blocks(obj: bpy.types.Object, frames: Floats, standing: Standing) -> list[Block]:
    """Keys of the object's own location and rotation, in its rotation mode."""
    before: Floats = np.linalg.inv(parenting.above(obj)).astype(np.float64)
    rotations = quat.multiply(quat.of_matrix(read.orthonormal(before[None, :3, :3]))[0], standing.rotations)
    positions = standing.positions @ before[:3, :3].T + before[:3, 3] - np.array(obj.delta_location)
    delta = obj.delta_rotation_quaternion if obj.rotation_mode == "QUATERNION" else obj.delta_rotation_euler.to_quaternion()
    rotations = quat.multiply(quat.conjugate(np.array(delta, np.float64)), rotations)
    name, count = rotation_property(obj.rotation_mode)
    rotated = output.rotation_values(quat.continuous(rotations, positive=True), obj.rotation_mode)
    return [
        output.block("", name, count, frames[: len(rotated)], rotated),
        output.block("", "location", 3, frames[: len(positions)], positions),
    ]
