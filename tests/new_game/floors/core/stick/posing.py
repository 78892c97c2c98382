"""The pose of a .stick at one time."""

from __future__ import annotations

import numpy as np

from ..files.registry import Opened
from ..motion.pose import Pose, Wanted
from ..motion.rotations import quaternion, rotation_matrix
from ..reporting.errors import FormatError
from .document import Stick
from .motion import RATE, skeleton_of


def pose_of(opened: Opened, wanted: Wanted) -> Pose:
    """Between frames the quaternions go the shorter way round (slerp). Raises FormatError for a frame that is not there."""
    document: Stick = opened.document
    last = len(document.locations) - 1
    if wanted.frame is not None and wanted.frame > last:
        raise FormatError(f"there is no frame {wanted.frame}: the last is {last}")
    at = min(float(wanted.frame if wanted.frame is not None else wanted.time * RATE), float(last))
    before, part = int(at), at - int(at)
    after = min(before + 1, last)
    location = (1 - part) * document.locations[before] + part * document.locations[after]
    rotations = quaternion.slerp(document.rotations[before], document.rotations[after], part)
    skeleton = skeleton_of(document)
    local = np.zeros((len(skeleton), 4, 4))
    local[:, :3, :3], local[:, :3, 3], local[:, 3, 3] = rotation_matrix.from_quaternion(rotations), document.offsets, 1
    local[0, :3, 3] += location
    world = local.copy()
    for bone, parent in enumerate(document.parents):
        if parent >= 0:
            world[bone] = world[parent] @ local[bone]
    time = at / RATE
    return Pose("stick", time, skeleton.names, skeleton.parents, world, np.zeros(3), 0.0, {})
