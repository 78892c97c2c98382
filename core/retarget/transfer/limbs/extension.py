"""A limb whose middle joint would leap open or shut, as where its goal flies out of reach, is stretched or folded before and after: its
end stays on the line to its goal, and the straighter the limb the less that takes it off.

Of bones a and b that are bent by an angle, 0 where the limb is straight, the end is at d = sqrt(a^2 + b^2 + 2 a b cos(angle)) from the
joint in which the limb begins. Into full stretch d hardly grows any more while the angle still goes a long way: d' = -a b sin(angle) / d.
So angles are what is smoothed, and distances are what that costs.

Angles are about axes, as the first bone sees them. Where these go round within a few frames, as of a nearly straight limb that soon bends
to another side, the limb goes round more slowly, or over by being straight for a moment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....motion.rotations.directions import lengths
from ....motion.rotations.rotation_matrix import Floats
from .fast_steps import Frames, Near
from .yielding import LEAP, REACH, ROUNDS, SPEED

_HARD = 100.0
"""How much the square counts of what is further: as good as a limit, so that no more is missed than that takes."""

_STAYS = 1e9
"""How much a change counts of what stays."""

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


def least(limb: Limb, bends: Floats, without: Floats, lasting: Floats, frames: Frames) -> Floats:
    """(F, 3) radians about axes by which a limb is bent for those (F, 3) that it should be, as its first bone sees them.

    They give the least sum of how far it bends into each frame beside its plain motion, by `without` (F, 3), of which only what is too far
    counts, and of the squares of what its end leaves its goal by. lasting: (F - 1,) as `Frames.lasting` gives it."""
    if frames.still.all():
        return bends
    leaps = lengths(np.diff(bends - without, axis=0))
    fast = np.flatnonzero(np.isfinite(lasting) & ((leaps > LEAP) | (leaps > SPEED * lasting)))
    if not len(fast):
        return bends
    near = frames.near(fast, lasting)
    rows, result = near.rows, bends.copy()
    result[rows] = _least(limb.at(rows), bends[rows], without[rows], near)
    result[frames.joints[:, 1]] = result[frames.joints[:, 0]]  # but for rounding they are
    return result


def _least(limb: Limb, bends: Floats, without: Floats, near: Near) -> Floats:
    """(R, 3) how it is bent at some rows."""
    result, goal = bends.copy(), limb.distances(lengths(bends))
    furthest, rest = np.minimum(SPEED * near.steps, LEAP), np.where(near.stay, _STAYS, near.rest)
    for _ in range(ROUNDS):
        size = lengths(result)
        distances = limb.distances(size)
        slope = -limb.first * limb.second * np.sin(size) / np.maximum(distances, _SHORT)
        pull = REACH * slope * (goal - distances) / np.maximum(size, _SHORT)
        middle, right = rest * (1 + REACH * slope**2), rest[:, None] * (bends - result + pull[:, None] * result)
        each = np.diff(result - without, axis=0)
        beyond = each * np.clip(1 - furthest / np.maximum(lengths(each), _SHORT), 0, None)[:, None]
        weight = _HARD * beyond.any(axis=1) / near.steps
        middle[:-1] += weight
        middle[1:] += weight
        right[:-1] += weight[:, None] * beyond
        right[1:] -= weight[:, None] * beyond
        result = result + near.least(middle, -weight, right.T).T
        result *= np.minimum(np.pi / np.maximum(lengths(result), _SHORT), 1.0)[:, None]
    return result
