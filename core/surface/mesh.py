"""A character's surface as all formats share it, in the game's own axes and units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Shading = Literal["UNLIT", "FLAT", "SMOOTH"]

Blend = Literal["OPAQUE", "CLIP", "BLEND", "ADD"]
"""How a material covers what is behind it: wholly; where its texture's alpha is at least one half; by its alpha; by adding to it."""

Colour = tuple[float, float, float]
"""Red, green, blue, 0 to 1, as displayed (sRGB)."""


SHADES = 16
"""Of a ramp, at most, in a palette whose colours are ordered by brightness."""

LIGHT = "game_light"
"""Name of the attribute of a mesh with the direction of each corner's normal, as long as it is lit at most, in shades."""

POINT_NUMBER, FACE_NUMBER, OUTLINE_NUMBER = "game_point", "game_face", "game_outline"
"""Names of the attributes of a mesh with which point of the file a vertex is, which polygon a face is, and of which line or sphere a
vertex is: counted from 1, so that 0 is what is new, and with the file's stamp in the upper 15 bits."""

RADIUS = "radius"
"""Name of the attribute with the radius that each sphere has in the file."""

TWIN = "game_twin"
"""Name of the attribute that is 1 for a face with another one at its back, else 0."""


@dataclass(frozen=True, eq=False)
class Image:
    """A texture. pixels: (H, W, 4) uint8 red, green, blue, alpha, as displayed, top row first. smooth: interpolated between texels."""

    name: str
    pixels: NDArray[np.uint8]
    smooth: bool = True


@dataclass(frozen=True, eq=False)
class GameLook:
    """How a game with a palette draws a material. palette: its colours in one row. colour: index of the one without light, or of all
    where it is not `lit`: light adds whole shades to it. dithered: what is between two shades by a pattern of pixels. screen_door: every
    other pixel alone. alpha: how much of what is behind is covered."""

    palette: Image
    colour: int
    lit: bool = False
    dithered: bool = False
    screen_door: bool = False
    alpha: float = 1.0


@dataclass(frozen=True)
class Material:
    """ramp: the shades that the game's light walks through, dark to bright; one for an unlit material. image: multiplied with the
    colour. coloured: the mesh's corner colours are multiplied in, too. properties: numbers and texts of the file that nothing shows.
    look: to be drawn as the game does, and not in the renderer's light."""

    name: str
    shading: Shading
    ramp: tuple[Colour, ...]
    alpha: float = 1.0
    image: Image | None = None
    blend: Blend = "OPAQUE"
    coloured: bool = False
    two_sided: bool = True
    properties: dict[str, Any] = field(default_factory=dict[str, Any])
    look: GameLook | None = None

    @property
    def colour(self) -> Colour:
        """The shade that stands for the material where only one can be shown."""
        return self.ramp[len(self.ramp) * 2 // 3]


@dataclass(frozen=True, eq=False)
class Line:
    """A line between two points, drawn in a plain colour. number: of the file's lines."""

    points: tuple[int, int]
    material: int
    number: int = 0


@dataclass(frozen=True, eq=False)
class Sphere:
    """A ball around a point. number: of the file's spheres."""

    point: int
    radius: float
    material: int
    number: int = 0


@dataclass(frozen=True, eq=False)
class Mesh:
    """A surface of polygons; lines and spheres are for bodies with one bone a point.

    points: (P, 3) at rest, in character space. bones: (P,) the one bone that carries each point, or (P, N) with `weights` (P, N). starts,
    counts: (F,) each face's run of corners. corners: (C,) point of each corner. normals: (C, 3) of each corner at rest, zero where the file
    has none. material_of: (F,) index in `materials`. attributes: further whole numbers or truth values of the file, one a face. uvs: sets
    of texture coordinates by name, (C, 2) each, v upwards, the first one shown. colours: (C, 4) uint8 of each corner, as displayed.
    light: (C,) shades that a light from the direction of the corner's normal adds, for materials with a game's look.
    numbers: (F,) which polygon of the file each face is; Blender keeps them, and which point each vertex is, as attributes. stamp: 15 bits
    that tell these numbers from those of another file. point_numbers: (P,) of a part of a body, None where all points are here.
    single: Blender gets but the first of several faces on the same vertices, whatever their side and material, as `Mesh.validate` keeps it.
    """

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
    attributes: Mapping[str, NDArray[np.int32] | NDArray[np.bool_]] = field(default_factory=dict[str, NDArray[np.int32]])
    weights: NDArray[np.float64] | None = None
    uvs: dict[str, NDArray[np.float64]] = field(default_factory=dict[str, NDArray[np.float64]])
    colours: NDArray[np.uint8] | None = None
    light: NDArray[np.float64] | None = None
    numbers: NDArray[np.int64] | None = None
    point_numbers: NDArray[np.int64] | None = None
    stamp: int = 0
    single: bool = False

    def twins(self) -> NDArray[np.bool_]:
        """(F,) the faces that have another one on the same points."""
        paired = np.zeros(len(self.starts), np.bool_)
        for count in np.unique(self.counts).tolist():
            faces = np.flatnonzero(self.counts == count)
            rows = np.sort(self.corners[self.starts[faces][:, None] + np.arange(count)], axis=1)
            _, group, size = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
            paired[faces] = size[group.ravel()] > 1
        return paired
