"""What of a figure's mesh is on the ground where its feet stand: the lowest of boots, which reach further than the joints of the feet, and
lower where the foot points otherwise than at rest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion as quat
from ...motion.rotations.directions import UP, unit
from ...motion.rotations.rotation_matrix import Floats
from ..figures.figure import Figure
from ..figures.motion import Motion

_SOLE = 0.5
"""Of a foot's length what is on the ground at least where it stands on its sole."""


@dataclass(frozen=True, eq=False)
class Tread:
    """Points of the mesh that a foot carries, at rest, in the world: points (K, 3). bones: the foot, and its toes, or the foot again.
    toes: (K,) how much each moves with the toes, from 0 to 1."""

    points: Floats
    bones: tuple[int, int]
    toes: Floats

    def lowest(self, figure: Figure, motion: Motion) -> Floats:
        """(F,) the height of the lowest of them in the world."""
        shares = (1 - self.toes, self.toes) if self.toes.any() else (1 - self.toes,)
        every = zip(self.bones, shares, strict=False)
        return np.sum([share * self._heights(figure, motion, bone) for bone, share in every], axis=0).min(axis=1)

    def _heights(self, figure: Figure, motion: Motion, bone: int) -> Floats:
        """(F, K) where one bone has them."""
        change = quat.multiply(motion.rotations[:, bone], quat.conjugate(figure.quaternions[bone]))
        up = quat.rotate(quat.conjugate(change), UP)  # as the bone at rest sees it
        return motion.positions[:, bone, 2:] + up @ (self.points - figure.heads[bone]).T

    def positions(self, figure: Figure, motion: Motion, rows: NDArray[np.int64]) -> Floats:
        """(R, K, 3) where they are in the world at some rows."""
        result = np.zeros((len(rows), *self.points.shape))
        for share, bone in zip((1 - self.toes, self.toes), self.bones, strict=True):
            change = quat.multiply(motion.rotations[:, bone][rows], quat.conjugate(figure.quaternions[bone]))
            arms = quat.rotate(change[:, None], self.points - figure.heads[bone])
            result += share[:, None] * (motion.positions[:, bone][rows][:, None] + arms)
        return result

    def ahead(self, figure: Figure) -> Floats:
        """(3,) level, from the ankle to where the foot reaches furthest at rest."""
        arms = (self.points - figure.heads[self.bones[0]]) * (1, 1, 0)
        return unit(arms[np.linalg.norm(arms, axis=1).argmax()])

    def is_level(self, near: float) -> bool:
        """Whether the foot stands on its sole at rest, not on its heel or its toes. near: metres by which a sole is uneven."""
        flat, heights = self.points[:, :2] - self.points[:, :2].mean(axis=0), self.points[:, 2]
        along = flat @ np.linalg.svd(flat, full_matrices=False)[2][0]
        return bool(np.ptp(along[heights < heights.min() + near]) > _SOLE * np.ptp(along))


def lowest_at_rest(treads: Iterable[Tread | None]) -> float:
    """The height of the lowest point of those that are known; 0 where none is."""
    return min((float(each.points[:, 2].min()) for each in treads if each is not None), default=0.0)


def tread(figure: Figure, foot: int, toes: int) -> Tread | None:
    """What a foot and all that hangs on it carry; None of a figure whose mesh is not known. toes: the foot again where none follow."""
    if not len(figure.sole_points):
        return None
    below = [[figure.is_below(each, bone) for each in range(len(figure))] for bone in (foot, toes)]
    own, ahead = (figure.sole_weights[:, each].sum(axis=1) for each in below)
    rows = own > 0.5
    share = ahead[rows] / own[rows] if toes != foot else np.zeros(rows.sum())
    return Tread(figure.soles[rows], (foot, toes), share) if rows.any() else None
