"""A character's surface as all formats share it, in the game's own axes and units."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Shading = Literal["UNLIT", "FLAT", "SMOOTH"]

Colour = tuple[float, float, float]
"""Red, green, blue, 0 to 1, as displayed (sRGB)."""


@dataclass(frozen=True)
class Material:
    """ramp: the shades that the game's light walks through, dark to bright; one for an unlit material."""

    name: str
    shading: Shading
    ramp: tuple[Colour, ...]
    alpha: float = 1.0

    @property
    def colour(self) -> Colour:
        """The shade that stands for the material where only one can be shown."""
        return self.ramp[len(self.ramp) * 2 // 3]


@dataclass(frozen=True, eq=False)
class Line:
    """A line between two points, drawn in a plain colour."""

    points: tuple[int, int]
    material: int


@dataclass(frozen=True, eq=False)
class Sphere:
    """A ball around a point."""

    point: int
    radius: float
    material: int


@dataclass(frozen=True, eq=False)
class Mesh:
    """points: (P, 3) at rest, in character space. bones: (P,) the one bone that carries each point. starts, counts: (F,) each face's run
    of corners. corners: (C,) point of each corner. normals: (C, 3) of each corner at rest, zero where the file has none. materials of
    faces: (F,) index in `materials`. attributes: further whole numbers of the file, one a face."""

    points: NDArray[np.float64]
    bones: NDArray[np.int64]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    corners: NDArray[np.int64]
    normals: NDArray[np.float64]
    material_of: NDArray[np.int64]
    materials: list[Material]
    lines: list[Line]
    spheres: list[Sphere]
    attributes: dict[str, NDArray[np.int32]] = field(default_factory=dict[str, NDArray[np.int32]])
