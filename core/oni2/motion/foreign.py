"""Poses of armatures that came from elsewhere: bones whose rest orientations mean nothing to the game."""

from __future__ import annotations

import numpy as np

from ...motion.rotations import rotation_matrix
from ...motion.rotations.rotation_matrix import Floats
from ...motion.sampling import BoneSamples
from .euler import continuous
from .evaluate import MODE
from .motion import Conversion


def samples_of(pose: Floats, rest: Floats, conversion: Conversion) -> BoneSamples:
    """What the game's own bones, all with the game's axes at rest, do where others go from `rest` (B, 4, 4) to `pose` (K, B, 4, 4), both
    in Blender's axes and units. The triples follow each other without jumps."""
    axes, parents = conversion.rig.axes, conversion.rig.skeleton.parents
    world = axes.T @ (pose[..., :3, :3] @ np.linalg.inv(rest[:, :3, :3])) @ axes
    positions = pose[..., :3, 3] @ axes / conversion.scale
    local, moved = world.copy(), positions.copy()
    for bone, parent in enumerate(parents.tolist()):
        if parent >= 0:
            back = np.linalg.inv(world[:, parent])
            local[:, bone] = back @ world[:, bone]
            moved[:, bone] = np.einsum("kij,kj->ki", back, positions[:, bone] - positions[:, parent])
    sizes = np.linalg.norm(local, axis=-2)
    angles = rotation_matrix.to_euler(rotation_matrix.nearest(local), MODE)
    return BoneSamples(continuous(angles, np.zeros(angles.shape[1:])), moved - conversion.skel.offsets, sizes)
