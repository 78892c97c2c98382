"""Reference poses of a bone map as motions of one frame, and back."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ....motion.rotations import quaternion as quat
from ....motion.rotations.rotation_matrix import Floats
from ....reporting.errors import RetroAnimError
from ..figure import Figure
from ..motion import Local, Motion
from ..walk import forward
from .bone_map import BoneMap, Quaternion, ReferencePose

_STILL = 1e-6
"""Radians: what is rotated by less is at rest."""


def named(bone_map: BoneMap, name: str) -> ReferencePose:
    """The map's pose of that name. Raises RetroAnimError where there is none."""
    for pose in bone_map.poses:
        if pose.name == name:
            return pose
    raise RetroAnimError(f"the bone map has no reference pose {name}")


def motion_of(figure: Figure, rotations: Mapping[str, Quaternion]) -> Motion:
    """The figure in a pose, with its roots where they are at rest. What the figure does not have is left out."""
    own = np.tile(quat.IDENTITY, (1, len(figure), 1))
    for name, rotation in rotations.items():
        if name in figure.index:
            own[0, figure.index[name]] = rotation
    return forward(figure, np.zeros(1), Local(np.zeros((1, len(figure), 3)), own))


def rotations_of(names: tuple[str, ...], own: Floats) -> dict[str, Quaternion]:
    """By bone what is not at rest. own: (B, 4) rotations of the bones away from their rest, in their own axes."""
    away = quat.angle(own) > _STILL
    return {name: _quaternion(own[bone]) for bone, name in enumerate(names) if away[bone]}


def _quaternion(values: Floats) -> Quaternion:
    w, x, y, z = (float(value) for value in values)
    return w, x, y, z
