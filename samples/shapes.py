"""Solids for low-polygon figures: rings of points, joined and closed. Y up, front +Z, left +X, faces counter-clockwise from outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Paint:
    """How a face is drawn: material 0 unlit, 7 one light a face, 9 one a corner; colour: index into the palette.

    range: the bigger, the darker under the same light; 256 just walks through a whole ramp.
    """

    material: int
    colour: int
    range: int = 256

    @property
    def flat(self) -> Paint:
        return replace(self, material=7)


@dataclass(frozen=True, eq=False)
class Shape:
    """points: (n, 3) whole units. faces: the corners of each, and its paint."""

    points: Floats
    faces: tuple[tuple[tuple[int, ...], Paint], ...]

    @property
    def mirrored(self) -> Shape:
        """The other side's, left for right."""
        return Shape(self.points * (-1, 1, 1), tuple((corners[::-1], paint) for corners, paint in self.faces))


def whole(values: Floats) -> Floats:
    """Rounded, halves away from zero; what the last bit of a sine decides elsewhere is the same here on every machine."""
    return np.sign(values) * np.floor(np.round(np.abs(values), 6) + 0.5)


def loft(rings: Sequence[Floats], bands: Sequence[Paint], start: Paint | None, end: Paint | None) -> Shape:
    """Rings of points joined by one band of faces between neighbours, and closed by `start` and `end` where given.

    A ring runs counter-clockwise seen from the first ring's side. Rings have the same number of points, or one: a pole.
    """
    faces: list[tuple[tuple[int, ...], Paint]] = []
    firsts = np.cumsum([0, *map(len, rings)]).tolist()
    numbers = [tuple(range(first, first + len(ring))) for first, ring in zip(firsts, rings, strict=False)]
    for (upper, lower), paint in zip(pairwise(numbers), bands, strict=True):
        sides = max(len(upper), len(lower))
        for this in range(sides):
            following = (this + 1) % sides
            quad = upper[this % len(upper)], lower[this % len(lower)], lower[following % len(lower)], upper[following % len(upper)]
            faces.append((tuple(dict.fromkeys(quad)), paint))
    if start:
        faces.append((numbers[0], start))
    if end:
        faces.append((numbers[-1][::-1], end))
    return Shape(whole(np.concatenate(rings)), tuple(faces))


def ring(sides: int, height: float, across: float, deep: float, forward: float = 0.0) -> Floats:
    """(sides, 3) an ellipse round the Y axis with a side, not a corner, to the front; one point where it has no size."""
    if across == 0:
        return np.array([[0.0, height, forward]])
    angle = (np.arange(sides) + 0.5) * 2 * np.pi / sides
    return np.stack([across * np.sin(angle), np.full(sides, height), deep * np.cos(angle) + forward], axis=1)


def lathe(
    sides: int, profile: Sequence[Sequence[float]], bands: Sequence[Paint], start: Paint | None = None, end: Paint | None = None
) -> Shape:
    """Rings from top to bottom; a row of `profile` is height, half width, half depth and, where it differs from 0, how far forward."""
    return loft([ring(sides, *row) for row in profile], bands, start, end)
