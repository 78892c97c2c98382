"""A limb that leaps however it swivels, as where its goal flies through the joint in which it begins, gives up reach: it rotates as a
whole about that joint, before and after, and the nearer its end is to the joint the less that takes the end off its goal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....motion.rotations import quaternion as quat
from ....motion.rotations.directions import lengths, unit
from ....motion.rotations.rotation_matrix import Floats
from .fast_steps import Bone, Frames, Near, vectors

LEAP, SPEED = np.radians(40), np.radians(1200)
"""From a frame to the next, and a second. A limb keeps its reach unless a bone of it leaps so far, or is so fast."""

_FAST = np.radians(800)
"""Radians a second: 27 degrees a frame at 30 frames a second."""

_POWER = 6
"""Of a speed in `_FAST`, to which it counts: next to nothing what is slower, more than anything else what is much faster."""

REACH = 200.0
"""How much a rotation counts for each square of a leg length of the end from the joint, where one of the joint itself counts 1."""

ROUNDS = 24
"""By then it has settled within a degree or two."""

_OPPOSITE = np.radians(160)
"""A leap so far has two ways round: bones of one limb take the same."""


def least(bones: Sequence[Bone], offsets: Floats, frames: Frames) -> Floats:
    """(F, 4) rotations in the world, to be put before those of all bones of a limb. offsets: (F, 3) from the joint in which it begins to
    its end, in leg lengths.

    They give the least sum of how fast the bones rotate beside their plain rotations, of which only what is too fast counts, and of the
    squares of what the end leaves its goal by. All is computed as the first bone's plain rotation sees it."""
    result = np.tile(quat.IDENTITY, (len(offsets), 1))
    if frames.still.all():
        return result
    steps = frames.lasting(bones)
    beside = [quat.multiply(quat.conjugate(bone.plain), bone.bent) for bone in bones]
    leaps = np.maximum.reduce([quat.apart(own[1:], own[:-1]) for own in beside])
    fast = np.flatnonzero(np.isfinite(steps) & ((leaps > LEAP) | (leaps > SPEED * steps)))
    if not len(fast):
        return result
    near, plain = frames.near(fast, steps), bones[0].plain
    rows, first = near.rows, plain[near.rows]
    rest = np.where(near.stay, 1e9, near.rest * (1 + REACH * np.einsum("ri,ri->r", offsets[rows], offsets[rows])))
    joints = [quat.multiply(quat.conjugate(first), bone.plain[rows]) for bone in bones]
    yielded = np.tile(quat.IDENTITY, (len(plain), 1))
    yielded[rows] = _least(joints, [own[rows] for own in beside], near, rest)
    ends = frames.joints
    yielded[ends[:, 1]] = yielded[ends[:, 0]]  # but for rounding they are
    moved = lengths(vectors(yielded)) > 0
    result[moved] = quat.multiply(quat.multiply(plain[moved], yielded[moved]), quat.conjugate(plain[moved]))
    return result


def _least(joints: Sequence[Floats], beside: Sequence[Floats], near: Near, rest: Floats) -> Floats:
    """(R, 4) the same of some rows, as the first bone sees it. joints: (R, 4) from it to each bone, of the plain ones. beside: (R, 4) what
    each rotates beside its plain rotation. rest: (R,) how much a rotation counts."""
    result = np.tile(quat.IDENTITY, (len(rest), 1))
    for _ in range(ROUNDS):
        middle, sides, right = rest.copy(), np.zeros(len(near.steps)), -rest * vectors(result).T
        taken = np.zeros((len(near.steps), 3))
        for joint, own in zip(joints, beside, strict=True):
            rotated = quat.multiply(quat.multiply(quat.multiply(quat.conjugate(joint), result), joint), own)
            each = quat.rotate(joint[1:], vectors(quat.multiply(rotated[1:], quat.conjugate(rotated[:-1]))))
            each = _towards(each, taken)
            taken += each
            weight = (lengths(each) / near.steps / _FAST) ** _POWER / near.steps
            middle[:-1] += (_POWER + 1) * weight
            middle[1:] += (_POWER + 1) * weight
            sides -= (_POWER + 1) * weight
            right[:, :-1] += weight * each.T
            right[:, 1:] -= weight * each.T
        change = near.least(middle, sides, right).T
        result = quat.multiply(quat.about(unit(change), lengths(change)), result)
    return result


def _towards(leaps: Floats, taken: Floats) -> Floats:
    """(R, 3) rotation vectors, the longer way round where the shorter is hardly shorter and against what others take."""
    size = lengths(leaps)
    against = (size > _OPPOSITE) & (np.einsum("fi,fi->f", leaps, taken) < 0)
    return leaps * np.where(against, 1 - 2 * np.pi / np.maximum(size, 1e-30), 1.0)[:, None]
