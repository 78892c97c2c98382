"""Where a clip of a game begins: in games a clip counts from where the character stands and looks as it starts, so the object stands and
looks that way, wherever in the world and in which direction the source sets out."""

from __future__ import annotations

import numpy as np

from ...motion.rotations import quaternion as quat
from ...motion.rotations import rotation_matrix
from ...motion.rotations.angles import quarter, wrapped
from ...motion.rotations.directions import UP, unit
from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Standing
from ..transfer.alignment import stance
from ..transfer.alignment.facing import Facing
from ..transfer.binding import Binding
from ..transfer.mirror import reflect_vectors
from .course import BEGINNING, Start
from .root import heading

_STRAIGHT = 0.8
"""Of the way that is walked its beeline, at least."""

_STEADY, _ASKEW, _LEAST = np.radians([30, 30, 5])
"""How far the heading may sway about its mean in a clip that goes straight on; how far hips may stand aslant, in a fighting stance, and
still look ahead; and from where on a turn is one."""

_AWAY = 1e-4
"""In leg lengths: nearer to where the object stands a clip begins there."""


def hips_heading(binding: Binding, hips: Floats, faced: Facing, is_mirrored: bool) -> Floats:
    """(F,) the angle about Z, without jumps, from where the reference pose looks to where the hips do, by their rotations away from it,
    (F, 4). What looks ahead in a reference pose that stands, aslant at most, goes along with them; else they look where one would who
    stands up from there by the least rotation, which is known in any pose but upside down."""
    away = _away(binding, faced, is_mirrored)
    return heading(hips) if away is None else np.unwrap(quat.twist_angle(quat.multiply(hips, away), UP))


def _away(binding: Binding, faced: Facing, is_mirrored: bool) -> Floats | None:
    """(4,) the rotation of the hips in the reference pose away from one who stands and looks ahead, as thighs and trunk show it; None where
    they do not, or that pose stands so, aslant at most."""
    joints = stance.heads(binding, "source")
    across, trunk = stance.across(binding, "source", joints, "UpperLeg"), stance.trunk(binding, "source", joints)
    if across is None:
        return None
    left, up = faced.frame @ across, UP if trunk is None else faced.frame @ trunk
    if is_mirrored:
        left, up = -reflect_vectors(left, faced.lateral), reflect_vectors(up, faced.lateral)
    front = unit(np.cross(left, up))
    if not front.any():
        return None
    left = unit(left)
    axes = np.stack([left, -front, np.cross(left, -front)], axis=1)
    away = quat.of_matrix(axes @ rotation_matrix.about(2, np.array(faced.aligned)).T)
    is_ahead = abs(float(quat.twist_angle(away, UP))) < _ASKEW
    return None if is_ahead and stance.stands(binding, "source", joints) else away


def start_heading(binding: Binding, positions: dict[int, Floats], hips: Floats, faced: Facing, leg: float, fps: float) -> Start:
    """Where the target looks as the clip starts. A clip that goes straight on looks along its way, or a quarter turn beside it where it
    goes sideways or backwards; any other one as its hips look in the beginning. hips: (F,) their heading. leg: the target's, in metres."""
    row = binding.hips
    headings = hips + faced.away
    mean = float(np.angle(np.exp(1j * headings).mean()))
    path = positions[binding.followers[row].target][:, :2]
    beeline, walked = path[-1] - path[0], float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    length = float(np.linalg.norm(beeline))
    if length > leg and length > _STRAIGHT * walked and float(np.abs(wrapped(headings - mean)).max()) < 2 * _STEADY:
        along = float(np.arctan2(beeline[0], -beeline[1])) - faced.target
        beside = wrapped(along - mean)
        if abs(wrapped(beside - quarter(beside))) < _STEADY:
            return Start(_significant(along - quarter(beside)), True)
    begins = headings[: max(1, round(BEGINNING * fps))]
    start = float(np.angle(np.exp(1j * begins).mean()))
    away = wrapped(start - quarter(start))
    return Start(_significant(quarter(start) if abs(away) < _ASKEW else start), False)


def standing_at_start(binding: Binding, positions: dict[int, Floats], rotated: float, leg: float) -> Standing | None:
    """Where the object stands all the time so that the clip begins at its origin and looks ahead; None where it does so anyway."""
    target = binding.target
    bone = binding.followers[binding.hips].target
    around = quat.about(UP, np.array(rotated))
    origin = target.world[:3, 3]
    arm = quat.rotate(around, target.joint(bone, "hips") - origin)
    away = (positions[bone][0] - origin - arm) * np.array([1.0, 1.0, 0.0]) if bone in positions else np.zeros(3)
    if not rotated and np.linalg.norm(away) < _AWAY * leg:
        return None
    rotation = quat.multiply(around, quat.of_matrix(target.rotation))
    return Standing(rotation[None], (origin + away)[None], target.scale)


def _significant(angle: float) -> float:
    apart = wrapped(angle)
    return 0.0 if abs(apart) < _LEAST else apart
