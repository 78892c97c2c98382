"""Bones that the motion shows to be rotated at rest as no body's are, although their joints are where they belong: games and captures give
bones axes without regard to what hangs on them, and only what a skin shows of it was looked at."""

from __future__ import annotations

import numpy as np

from ....motion.rotations import quaternion as quat
from ....motion.rotations import rotation_matrix
from ....motion.rotations.directions import unit
from ....motion.rotations.rotation_matrix import Floats
from ...figures.motion import Motion
from ..binding import Binding

MANY = 3
"""Of so many bones it is the rest pose that is none."""

_TRUNK, _LEG = ("chest", "upperChest", "neck", "head", "Shoulder"), ("LowerLeg", "Foot", "Toes")
"""Roles, without their side, that hardly twist against the hips, and against what they hang on."""

_TWISTED, _AWAY = np.radians(60), np.radians(75)
"""In the mean of all frames: about the bone itself, and of a last bone, of which nothing shows where it points, about any axis."""

_STEADY = 0.8
"""How far the frames agree, from 0 to 1."""


def unfit(binding: Binding, motion: Motion, reference: Floats) -> dict[int, Floats]:
    """By row (4,) how far from the reference pose a bone is in the mean of a motion, in the source's world, of those that are further away
    than a body's can be. reference: (S, 4)."""
    hips, result = binding.roles.get("hips"), dict[int, Floats]()
    for row, follower in enumerate(binding.followers):
        above = hips if follower.role.endswith(_TRUNK) else int(binding.above[row])
        if hips is None or above is None or above < 0 or not follower.role.endswith((*_TRUNK, *_LEG)) or follower.chain is not None:
            continue
        bones = [binding.followers[each].source for each in (above, row)]
        first, second = (quat.multiply(motion.rotations[:, bone], quat.conjugate(reference[bone])) for bone in bones)
        against = quat.multiply(quat.conjugate(first), second)
        mean = np.where(against @ against[:1].T < 0, -against, against).mean(axis=0)
        if np.linalg.norm(mean) < _STEADY:
            continue
        mean /= np.linalg.norm(mean)
        below = binding.steering[row]
        if len(below) == 1:
            along = unit(binding.offsets("source", row, below)[0])
            mean = quat.about(along, quat.twist_angle(mean, along))
        if quat.angle(mean) > (_TWISTED if len(below) == 1 else _AWAY):
            result[row] = mean
    return result


def untwisted(binding: Binding, off: dict[int, Floats], corrections: Floats, frame: Floats) -> Floats:
    """(target bones, 3, 3) corrections with which bones of the trunk that are twisted at rest are not so on the target, and nothing else
    changes. off: as `unfit` gives it. frame: (3, 3) from the source's world to the target's."""
    result = np.array(corrections)
    for row, mean in off.items():
        follower = binding.followers[row]
        if follower.role.endswith(_TRUNK) and len(binding.steering[row]) == 1:
            back = rotation_matrix.from_quaternion(quat.conjugate(mean))
            result[follower.target] = frame @ back @ frame.T @ result[follower.target]
    return result
