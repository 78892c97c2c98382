"""A limb whose middle joint would leap open or shut, as where its goal flies out of reach, is stretched or folded before and after: its
end stays on the line to its goal, and the straighter the limb the less that takes it off.

Of bones a and b that are bent by an angle, 0 where the limb is straight, the end is at d = sqrt(a^2 + b^2 + 2 a b cos(angle)) from the
joint in which the limb begins. Into full stretch d hardly grows any more while the angle still goes a long way: d' = -a b sin(angle) / d.
So angles are what is smoothed, and distances are what that costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from .fast_steps import Frames, Near
from .yielding import REACH, ROUNDS

_LEAP, _SPEED = np.radians(43), np.radians(1290)
"""From a frame to the next, and a second: as far at 30 frames a second. Further its middle joint does not bend."""

_POWER = 16
"""Of how far it bends, in the furthest, to which that counts: as good as a limit, so that no more is missed than that takes."""

_SHORT = 1e-9
"""In leg lengths: a limb whose end is so near to where it begins has no distance to give up."""


@dataclass(frozen=True, eq=False)
class Limb:
    """first, second: (F,) how long its bones are, in leg lengths."""

    first: Floats
    second: Floats

    def distances(self, angles: Floats) -> Floats:
        """(F,) leg lengths from where it begins to its end."""
        square = self.first**2 + self.second**2 + 2 * self.first * self.second * np.cos(angles)
        return np.asarray(np.sqrt(np.maximum(square, 0.0)), np.float64)

    def angles(self, distances: Floats) -> Floats:
        """(F,) radians by which it is bent, of distances (F,) that it reaches."""
        cosine = (distances**2 - self.first**2 - self.second**2) / np.maximum(2 * self.first * self.second, 1e-30)
        return np.asarray(np.arccos(cosine.clip(-1, 1)), np.float64)

    def at(self, rows: NDArray[np.int64]) -> Limb:
        """At some of the frames."""
        return Limb(self.first[rows], self.second[rows])


def least(limb: Limb, wanted: Floats, plain: Floats, lasting: Floats, frames: Frames) -> Floats:
    """(F,) leg lengths to which a limb is stretched for the wanted ones (F,).

    They give the least sum of how far it bends into each frame beside its plain motion, in which it is stretched to `plain` (F,), of which
    only what is too far counts, and of the squares of what its end leaves its goal by. lasting: (F - 1,) as `Frames.lasting` gives it."""
    if frames.still.all():
        return wanted
    angles, without = limb.angles(wanted), limb.angles(plain)
    leaps = np.abs(np.diff(angles - without))
    fast = np.flatnonzero(np.isfinite(lasting) & ((leaps > _LEAP) | (leaps > _SPEED * lasting)))
    if not len(fast):
        return wanted
    near = frames.near(fast, lasting)
    rows, result = near.rows, wanted.copy()
    bent = _least(limb.at(rows), angles[rows], without[rows], near)
    moved = bent != angles[rows]
    result[rows[moved]] = limb.at(rows[moved]).distances(bent[moved])
    result[frames.joints[:, 1]] = result[frames.joints[:, 0]]  # but for rounding they are
    return result


def _least(limb: Limb, angles: Floats, without: Floats, near: Near) -> Floats:
    """(R,) radians by which it is bent at some rows."""
    result, goal = angles.copy(), limb.distances(angles)
    furthest = np.minimum(_SPEED * near.steps, _LEAP)
    for _ in range(ROUNDS):
        distances = limb.distances(result)
        slope = -limb.first * limb.second * np.sin(result) / np.maximum(distances, _SHORT)
        middle = np.where(near.stay, 1e9, near.rest * (1 + REACH * slope**2))
        right = np.where(near.stay, 1e9 * (angles - result), near.rest * (angles - result + REACH * slope * (goal - distances)))
        each = np.diff(result - without)
        weight = (np.abs(each) / furthest) ** _POWER / near.steps
        middle[:-1] += (_POWER + 1) * weight
        middle[1:] += (_POWER + 1) * weight
        right[:-1] += weight * each
        right[1:] -= weight * each
        result = (result + near.least(middle, -(_POWER + 1) * weight, right)).clip(0, np.pi)
    return result
