"""A limb whose ends are given may still swivel about the line between them. Where it would snap, as where its end passes by the joint in
which it begins, it swivels before and after, so that its bones rotate as little as they can in any frame; elsewhere it stays as it is.
Where a loop ends it goes on where the loop begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....motion.rotations import quaternion as quat
from ....motion.rotations.directions import lengths
from ....motion.rotations.rotation_matrix import Floats
from .fast_steps import Bone, Frames, Near, vectors

_FAST = np.radians(600)
"""Radians a second: 20 degrees a frame at 30 frames a second. What is faster counts more and more."""

_EVEN = 0.3
"""How much what is slower counts against that: enough that a leap is shared by all frames nearby."""

_ROUNDS = 6
"""By then it has settled within a degree or two."""

_SLOW = 0.25
"""Of `_FAST`: a limb without a bone that is faster stays as it is."""


def least(bones: Sequence[Bone], axes: Floats, frames: Frames) -> Floats:
    """(F,) radians by which a limb of these bones swivels about axes (F, 3), unit vectors in the world.

    They give the least sum of how fast the bones rotate beside their plain rotations, of which the fastest count most, and of the squares
    of the swivel itself: equations of each frame with the next, solved anew as the rotations change."""
    swivel = np.zeros(len(axes))
    if frames.still.all():
        return swivel
    steps = frames.lasting(bones)
    tracks = [_Track(quat.multiply(quat.conjugate(bone.plain), bone.bent), quat.rotate(quat.conjugate(bone.plain), axes)) for bone in bones]
    fast = np.flatnonzero(np.logical_or.reduce([track.speeds(steps) > _SLOW for track in tracks]))
    if not len(fast):
        return swivel
    near = frames.near(fast, steps)
    rows, rest = near.rows, np.where(near.stay, 1e9, near.rest)
    swivel[rows] = _least([_Track(track.rotations[rows], track.axes[rows]) for track in tracks], near, rest)
    swivel[frames.joints[:, 1]] = swivel[frames.joints[:, 0]]  # but for rounding they are
    return swivel


def _least(tracks: Sequence[_Track], near: Near, rest: Floats) -> Floats:
    """(R,) the same of some rows. rest: (R,) how much a swivel counts."""
    steps = near.steps
    swivel = np.zeros(len(rest))
    for _ in range(_ROUNDS):
        middle, beside, right = rest.copy(), np.zeros(len(steps)), -rest * swivel
        for track in tracks:
            each = track.steps(swivel)
            before, after = track.axes[:-1], track.axes[1:]
            weight = (_EVEN + (lengths(each) / steps / _FAST) ** 2) / steps
            middle[:-1] += weight
            middle[1:] += weight
            beside -= weight * np.einsum("fi,fi->f", before, after)
            right[:-1] += weight * np.einsum("fi,fi->f", before, each)
            right[1:] -= weight * np.einsum("fi,fi->f", after, each)
        swivel = swivel + near.least(middle, beside, right)
    return swivel


@dataclass(frozen=True, eq=False)
class _Track:
    """A bone's rotations (F, 4) beside its plain ones, and the limb's axes (F, 3), both as the plain bone sees them."""

    rotations: Floats
    axes: Floats

    def speeds(self, steps: Floats) -> Floats:
        """(F - 1,) how fast it is from each frame to the next, of what is fast. steps: (F - 1,) seconds."""
        return quat.apart(self.rotations[1:], self.rotations[:-1]) / steps / _FAST

    def steps(self, swivel: Floats) -> Floats:
        """(F - 1, 3) rotation vectors from each frame to the next, after a swivel (F,)."""
        swung = quat.multiply(quat.about(self.axes, swivel), self.rotations)
        return vectors(quat.multiply(swung[1:], quat.conjugate(swung[:-1])))
