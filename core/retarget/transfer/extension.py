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
from .yielding import LEAP, REACH, ROUNDS, SPEED

_HARD = 100.0
"""How much the square counts of what is further: as good as a limit, so that no more is missed than that takes."""

_ROUND = -0.5
"""The cosine between axes of a bend, of which one is the other one turned round."""

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


def signs(normals: Floats, inside: NDArray[np.bool_], joints: NDArray[np.int64]) -> Floats:
    """(F,) 1 and -1, of a limb that bends about normals (F, 3) as its first bone sees them: where they turn round it bends to the other
    side about the same one. inside: (F - 1,) whether a frame and the next are of one clip. joints: (J, 2) rows at which loops are joined,
    which are on the same side."""
    opposite = (np.einsum("fi,fi->f", normals[1:], normals[:-1]) < _ROUND) & inside
    odd = np.append(0, np.cumsum(opposite)) % 2
    apart = np.flatnonzero(odd[joints[:, 0]] != odd[joints[:, 1]])
    for first, last in joints[apart].tolist():
        odd[first : last + 1] = 0
    return np.asarray(1.0 - 2.0 * odd, np.float64)


def least(limb: Limb, angles: Floats, without: Floats, lasting: Floats, frames: Frames) -> Floats:
    """(F,) radians by which a limb is bent for the angles (F,) that it should be; less than none is to the other side.

    They give the least sum of how far it bends into each frame beside its plain motion, by the angles `without` (F,), of which only what
    is too far counts, and of the squares of what its end leaves its goal by. lasting: (F - 1,) as `Frames.lasting` gives it."""
    if frames.still.all():
        return angles
    leaps = np.abs(np.diff(angles - without))
    fast = np.flatnonzero(np.isfinite(lasting) & ((leaps > LEAP) | (leaps > SPEED * lasting)))
    if not len(fast):
        return angles
    near = frames.near(fast, lasting)
    rows, result = near.rows, angles.copy()
    result[rows] = _least(limb.at(rows), angles[rows], without[rows], near)
    result[frames.joints[:, 1]] = result[frames.joints[:, 0]]  # but for rounding they are
    return result


def _least(limb: Limb, angles: Floats, without: Floats, near: Near) -> Floats:
    """(R,) radians by which it is bent at some rows."""
    result, goal = angles.copy(), limb.distances(angles)
    furthest = np.minimum(SPEED * near.steps, LEAP)
    for _ in range(ROUNDS):
        distances = limb.distances(result)
        slope = -limb.first * limb.second * np.sin(result) / np.maximum(distances, _SHORT)
        middle = np.where(near.stay, 1e9, near.rest * (1 + REACH * slope**2))
        right = np.where(near.stay, 1e9 * (angles - result), near.rest * (angles - result + REACH * slope * (goal - distances)))
        each = np.diff(result - without)
        beyond = each - each.clip(-furthest, furthest)
        weight = np.where(beyond != 0, _HARD, 0.0) / near.steps
        middle[:-1] += weight
        middle[1:] += weight
        right[:-1] += weight * beyond
        right[1:] -= weight * beyond
        result = (result + near.least(middle, -weight, right)).clip(-np.pi, np.pi)
    return result
