"""Where limbs rotate fast, and equations over the frames nearby, each of which hangs together with the next; where a loop ends it goes on
where the loop begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ....motion.rotations import quaternion as quat
from ....motion.rotations.directions import lengths
from ....motion.rotations.reproducible import arctan2
from ....motion.rotations.rotation_matrix import Floats
from ...figures.spans import Spans

AHEAD = 0.2
"""Seconds over which a change spreads."""

_FAR = 0.4 + 1e-6
"""Seconds behind which next to nothing is left of it."""

_CUT, _BESIDE = np.radians(60), 4
"""In a frame: a motion that leaps so far by itself goes on from anywhere, if it leaps so many times as far as before and behind: else it is
a fast one."""

OPEN = np.zeros((0, 2), np.int64)
"""No loop."""


@dataclass(frozen=True, eq=False)
class Bone:
    """bent, plain: (F, 4) its rotations in the world, with what the limb does and without."""

    bent: Floats
    plain: Floats


@dataclass(frozen=True, eq=False)
class Frames:
    """When the frames of a limb are. seconds: (F,). still: (F,) where it stays. spans: the clips. joints: (J, 2) where loops begin and end,
    by clips; both rows are one, and change alike."""

    seconds: Floats
    still: NDArray[np.bool_]
    spans: Spans
    joints: NDArray[np.int64] = field(default_factory=lambda: OPEN)

    def lasting(self, bones: Sequence[Bone]) -> Floats:
        """(F - 1,) seconds from each frame to the next, without end where nothing is too fast: between clips, and where the motion begins
        anew."""
        inside = self.spans.inside
        return np.where(inside & ~_cuts(bones, self.spans, self.joints), np.diff(self.seconds), np.inf)

    def near(self, fast: NDArray[np.int64], lasting: Floats) -> Near:
        """The frames near fast steps. fast: the row before each. lasting: as above."""
        rows, inside = _near(fast, self.seconds, self.spans, self.joints), self.spans.inside
        own = np.where(inside, np.diff(self.seconds), 0.0)
        rest = (np.append(own, 0.0) + np.append(0.0, own))[rows] / 2 / AHEAD**2
        far = np.ones(len(self.seconds), bool)
        far[rows] = False
        edge = (np.append(far[1:] & inside, False) | np.append(False, far[:-1] & inside))[rows]
        between = np.where(np.diff(rows) > 1, np.inf, lasting[rows[:-1]])
        ties = np.searchsorted(rows, self.joints[~far[self.joints[:, 0]]])
        return Near(rows, between, rest, self.still[rows] | edge, ties)


@dataclass(frozen=True, eq=False)
class Near:
    """R frames near fast steps. rows: (R,) which they are. steps: (R - 1,) seconds from each to the next. rest: (R,) how much a change
    counts, for how long they last. stay: (R,) whether they stay. ties: (J, 2) pairs of them that change alike."""

    rows: NDArray[np.int64]
    steps: Floats
    rest: Floats
    stay: NDArray[np.bool_]
    ties: NDArray[np.int64]

    def least(self, middle: Floats, beside: Floats, right: Floats) -> Floats:
        """(..., R) the solutions of a symmetric system with three diagonals: (R,) in the middle, (R - 1,) beside it, right (..., R). Pairs
        that are tied have the same: they are pulled together as hard as each needs."""
        if not len(self.ties):
            return _solved(middle, beside, right)
        first, last = self.ties[:, 0], self.ties[:, 1]
        pull = np.zeros(len(middle))
        pull[first], pull[last] = 1.0, -1.0
        *every, pulled = _solved(middle, beside, np.concatenate([np.atleast_2d(right), pull[None]]))
        free = np.reshape(every, right.shape)
        force = (free[..., last] - free[..., first]) / (pulled[first] - pulled[last])
        clip = np.searchsorted(last, np.arange(len(middle))).clip(None, len(last) - 1)  # where a clip has no tie, nothing is pulled
        return np.asarray(free + pulled * force[..., clip], np.float64)


def vectors(rotations: Floats) -> Floats:
    """(R, 3) rotation vectors of quaternions (R, 4), the shorter of both ways."""
    vector = rotations[:, 1:] * np.where(rotations[:, :1] < 0, -1.0, 1.0)
    size = lengths(vector)
    return np.asarray(vector * (2 * arctan2(size, np.abs(rotations[:, 0])) / np.maximum(size, 1e-30))[:, None], np.float64)


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
