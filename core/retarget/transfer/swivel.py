"""A limb whose ends are given may still swivel about the line between them. Where it would snap, as where its end passes by the joint in
which it begins, it swivels before and after, so that its bones rotate as little as they can in any frame; elsewhere it stays as it is.
Where a loop ends it goes on where the loop begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion as quat
from ...motion.rotations.directions import lengths
from ...motion.rotations.reproducible import arctan2
from ...motion.rotations.rotation_matrix import Floats
from ..figures.spans import Spans

_FAST = np.radians(600)
"""Radians a second: 20 degrees a frame at 30 frames a second. What is faster counts more and more."""

_EVEN = 0.3
"""How much what is slower counts against that: enough that a leap is shared by all frames nearby."""

_AHEAD, _FAR = 0.2, 0.4 + 1e-6
"""Seconds over which a swivel spreads, and behind which next to nothing is left of it."""

_ROUNDS = 6
"""By then it has settled within a degree or two."""

_CUT, _BESIDE = np.radians(60), 4
"""In a frame: a motion that leaps so far by itself goes on from anywhere, if it leaps so many times as far as before and behind: else it is
a fast one."""

_SLOW = 0.25
"""Of `_FAST`: a limb without a bone that is faster stays as it is."""

_OPEN = np.zeros((0, 2), np.int64)


@dataclass(frozen=True, eq=False)
class Bone:
    """bent, plain: (F, 4) its rotations in the world, with what the limb does and without."""

    bent: Floats
    plain: Floats


def least(
    bones: Sequence[Bone], axes: Floats, seconds: Floats, still: NDArray[np.bool_], spans: Spans, joints: NDArray[np.int64] = _OPEN
) -> Floats:
    """(F,) radians by which a limb of these bones swivels about axes (F, 3), unit vectors in the world. still: (F,) where it does not.
    joints: (J, 2) where loops begin and end, by clips; both rows are one, and swivel alike.

    They give the least sum of how fast the bones rotate beside their plain rotations, of which the fastest count most, and of the squares
    of the swivel itself: equations of each frame with the next, solved anew as the rotations change."""
    swivel = np.zeros(len(axes))
    if still.all():
        return swivel
    lasting = np.where(spans.inside, np.diff(seconds), 0.0)
    steps = np.where(spans.inside & ~_cuts(bones, spans, joints), lasting, np.inf)  # from clip to clip nothing is too fast
    tracks = [_Track(quat.multiply(quat.conjugate(bone.plain), bone.bent), quat.rotate(quat.conjugate(bone.plain), axes)) for bone in bones]
    fast = np.flatnonzero(np.logical_or.reduce([track.speeds(steps) > _SLOW for track in tracks]))
    if not len(fast):
        return swivel
    rows = _near(fast, seconds, spans, joints)
    rest = (np.append(lasting, 0.0) + np.append(0.0, lasting))[rows] / 2 / _AHEAD**2
    far = np.ones(len(axes), bool)
    far[rows] = False
    edge = (np.append(far[1:] & spans.inside, False) | np.append(False, far[:-1] & spans.inside))[rows]
    rest[still[rows] | edge] = 1e9
    between = np.where(np.diff(rows) > 1, np.inf, steps[rows[:-1]])
    ties = np.searchsorted(rows, joints[~far[joints[:, 0]]])
    swivel[rows] = _least([_Track(track.rotations[rows], track.axes[rows]) for track in tracks], between, rest, ties)
    swivel[joints[:, 1]] = swivel[joints[:, 0]]  # but for rounding they are
    return swivel


def _cuts(bones: Sequence[Bone], spans: Spans, joints: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(F - 1,) whether the motion begins anew between a frame and the next."""
    steps = np.maximum.reduce([quat.apart(bone.plain[1:], bone.plain[:-1]) for bone in bones]) * spans.inside
    before, behind = np.append(0.0, steps[:-1]), np.append(steps[1:], 0.0)
    first, last = joints[:, 0], joints[:, 1] - 1
    before[first] = np.maximum(before[first], steps[last])
    behind[last] = steps[first]
    return (steps > _CUT) & (steps > _BESIDE * np.maximum(before, behind))


def _near(fast: NDArray[np.int64], seconds: Floats, spans: Spans, joints: NDArray[np.int64]) -> NDArray[np.int64]:
    """(R,) the rows that are not much longer before or behind fast steps of their clip than a swivel spreads, and those beside them; of a
    loop, also over its joint. fast: the row before each of these steps."""
    size = len(seconds) + 1
    begins, ends = np.zeros(size, np.int64), np.zeros(size, np.int64)
    loops = dict(zip(spans.clips(joints[:, 0]).tolist(), joints, strict=True))
    for clip, rows in enumerate(spans.rows):
        own, at = fast[(fast >= rows.start) & (fast < rows.stop)] - rows.start, seconds[rows]
        first = np.minimum(np.searchsorted(at, at[own] - _FAR), own - 1)
        last = np.maximum(np.searchsorted(at, at[own + 1] + _FAR, "right"), own + 3)
        if len(own) and clip in loops:
            # What comes so far as one side of the joint goes on from both, by as many seconds and rows as are left.
            joint = loops[clip] - rows.start
            each = joint[:, None]
            left = _FAR - np.maximum(at[each] - at[own + 1], at[own] - at[each]).min()
            beside = 1 - np.maximum(each - own - 1, own - each).min()
            if left >= 0 or beside >= 0:
                first = np.append(first, np.minimum(np.searchsorted(at, at[joint] - left), joint - beside))
                last = np.append(last, np.maximum(np.searchsorted(at, at[joint] + left, "right"), joint + beside + 1))
        begins += np.bincount(rows.start + first.clip(0), minlength=size)
        ends += np.bincount(rows.start + last.clip(None, len(at)), minlength=size)
    return np.flatnonzero(np.cumsum(begins - ends))


def _least(tracks: Sequence[_Track], steps: Floats, rest: Floats, ties: NDArray[np.int64]) -> Floats:
    """(R,) the same of some rows. steps: (R - 1,) seconds from each to the next. rest: (R,) how much a swivel counts. ties: (J, 2) pairs
    of them that swivel alike."""
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
        swivel = swivel + (_tied(middle, beside, right, ties) if len(ties) else _solved(middle, beside, right))
    return swivel


def _tied(middle: Floats, beside: Floats, right: Floats, ties: NDArray[np.int64]) -> Floats:
    """(R,) the solution of `_solved` that has the same in both rows of each tie: pulled together as hard as each pair needs."""
    first, last = ties[:, 0], ties[:, 1]
    pull = np.zeros(len(right))
    pull[first], pull[last] = 1.0, -1.0
    free, pulled = _solved(middle, beside, np.stack([right, pull]))
    force = (free[last] - free[first]) / (pulled[first] - pulled[last])
    clip = np.searchsorted(last, np.arange(len(right))).clip(None, len(last) - 1)  # where a clip has no tie, nothing is pulled
    return free + pulled * force[clip]


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
        step = quat.multiply(swung[1:], quat.conjugate(swung[:-1]))
        vector = step[:, 1:] * np.where(step[:, :1] < 0, -1.0, 1.0)
        size = lengths(vector)
        return vector * (2 * arctan2(size, np.abs(step[:, 0])) / np.maximum(size, 1e-30))[:, None]


def _solved(middle: Floats, beside: Floats, right: Floats) -> Floats:
    """(..., F) the solutions of a symmetric system with three diagonals: (F,) in the middle, (F - 1,) beside it, right (..., F). Each
    round makes two systems of one, of every second equation, until each has a single one."""
    above, below, step = np.append(0.0, beside), np.append(beside, 0.0), 1
    while step < len(middle):
        up, down = np.zeros_like(middle), np.zeros_like(middle)
        up[step:], down[:-step] = above[step:] / middle[:-step], below[:-step] / middle[step:]
        new, values = middle.copy(), right.copy()
        new[step:] -= up[step:] * below[:-step]
        new[:-step] -= down[:-step] * above[step:]
        values[..., step:] -= up[step:] * right[..., :-step]
        values[..., :-step] -= down[:-step] * right[..., step:]
        further, beyond = np.zeros_like(middle), np.zeros_like(middle)
        further[step:], beyond[:-step] = -up[step:] * above[:-step], -down[:-step] * below[step:]
        middle, right, above, below, step = new, values, further, beyond, 2 * step
    return right / middle
