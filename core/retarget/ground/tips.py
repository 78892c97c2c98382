"""Feet with soles that reach further than the source's, as boots have them, tip by less where these would be in the ground, be it with
their tips or their heels, so that neither the body has to rise nor a knee to bend for them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion as quat
from ...motion.rotations.directions import UP
from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from .soles import Soles

_STEEP = 0.5
"""The sine of the angle from straight below the ankle at which a tip is still lifted in full; the nearer, the less: below its ankle it
would first come deeper."""


@dataclass(frozen=True, eq=False)
class Lifted:
    """rotations: (F, 4) in the world by target bone. added: (N,) radians by which a foot rotates at most in each clip."""

    added: Floats
    rotations: dict[int, Floats] = field(default_factory=dict[int, Floats])


def lifted(below: Soles, target: Motion, visible: float, lies: Floats | float, *, heels: bool = False) -> Lifted:
    """The feet whose meshes are in the ground, in clips in which feet are held and that is more than `visible` metres. lies: (F,) from 0 to
    1, whether the body bears on anything but a foot. heels: those that are tipped onto them, instead of onto their tips."""
    spans, figure = target.spans, below.target
    result, share = Lifted(np.zeros(len(spans))), np.broadcast_to(1.0 - lies, len(target.frames))
    for name, deep in below.held(target).items():
        sole, own = below.by_leg[name], deep.clip(0) * share
        rows = np.flatnonzero((own > 0) & (spans.spread(spans.largest(own)) > visible))
        if sole.tread is None or not len(rows):
            continue
        change = quat.multiply(target.rotations[:, sole.bone][rows], quat.conjugate(figure.quaternions[sole.bone]))
        ahead, ankle = sole.tread.ahead(figure), target.positions[:, sole.bone][rows]
        ahead = -ahead if heels else ahead
        axis = quat.rotate(change, np.cross(ahead, UP))
        tipped = np.arcsin(-quat.rotate(change, ahead)[:, 2].clip(-1, 0))  # never further back than that: whose side is deep is not helped
        is_tip = (sole.tread.points - figure.heads[sole.tread.bones[0]]) @ ahead > 0
        arms = sole.tread.positions(figure, target, rows) - ankle[:, None]
        needed = _needed(is_tip, arms, axis, sole.ground + sole.least[rows] - ankle[:, 2])
        angles = np.zeros(len(target.frames))
        angles[rows] = np.minimum(needed, tipped) * share[rows]
        if not angles.any():
            continue
        np.maximum(result.added, spans.largest(angles), out=result.added)
        rotations = quat.about(axis, angles[rows])
        for bone in {*sole.tread.bones}:
            result.rotations[bone] = target.rotations[:, bone].copy()
            result.rotations[bone][rows] = quat.multiply(rotations, result.rotations[bone][rows])
    return result


def _needed(is_tip: NDArray[np.bool_], arms: Floats, axis: Floats, level: Floats) -> Floats:
    """(F,) radians by which a foot tips back about its ankle: until its sole is above a level, or where its other end would come below that
    before, half way between. is_tip: (K,) which points of the sole are on the side that is tipped down. arms: (F, K, 3) from the
    ankle to the sole. axis: (F, 3) of unit length, about which it tips back. level: (F,) metres above the ankle."""
    along = (arms * axis[:, None]).sum(axis=2) * axis[:, 2:]
    least, height = level[:, None] - along, arms[..., 2] - along
    lever = axis[:, :1] * arms[..., 1] - axis[:, 1:2] * arms[..., 0]
    reach = np.maximum(np.hypot(height, lever), 1e-9)
    highest, half = np.arctan2(lever, height), np.arccos((least / reach).clip(-1, 1))
    highest -= 2 * np.pi * (~is_tip & (highest > np.pi / 2))  # of an end that is on that side of the ankle, too
    comes_near = least > -reach
    tip = np.where(comes_near & is_tip, (highest - half) * (lever / (_STEEP * reach)).clip(0, 1), -np.pi).max(axis=1)
    other = np.where(comes_near & ~is_tip, highest + half, np.pi).min(axis=1)
    return np.minimum(tip, (tip + other) / 2).clip(0)
