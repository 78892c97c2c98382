"""The surface of an LM1: faces with the palette's colours, lines and spheres."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from ...surface.holdable import rows_of
from ...surface.mesh import Line, Material, Mesh, Shading, Sphere
from ..fields import COLOUR, REACH, TYPE
from ..files.lm1 import FLAT_LIT, GOURAUD, Lm1
from .light import Colours, reach_of, shades_of_lm1
from .material_list import MaterialList

TRANSPARENT, SCREEN_DOOR, DITHER = 5, 6, 10


def mesh_of(lm1: Lm1, points: NDArray[np.float64], bones: NDArray[np.int64], colours: Colours) -> Mesh:
    """points: (P, 3) at rest, in character space. bones: (P,) the group of each."""
    polygon, corners, normals = lit_corners(lm1)
    _, _, normal_at = lm1.corner_references()
    lit, shades = normal_at >= 0, np.zeros(len(corners))
    shades[lit] = rows_of(shades_of_lm1(lm1.normals), lm1.stream.astype(np.int64)[normal_at[lit]])
    if not colours.game:  # a renderer knows by itself where flat faces look
        normals[lm1.polygons["material"][polygon] < GOURAUD] = 0
    counts = lm1.polygons["count"].astype(np.int64)
    starts = np.cumsum(counts) - counts
    table = MaterialList()

    @cache
    def material(kind: int, colour: int, reach: int = 0) -> int:
        return table.index(plain_material(colours, kind, colour, reach))

    faces = zip(*(lm1.polygons[name].tolist() for name in ("material", "colour")), reach_of(shades, starts).tolist(), strict=True)
    material_of = np.array([material(*face) for face in faces], np.int64)
    lines, spheres = _outlines(lm1, material)
    attributes = {f"lba_{name}": lm1.polygons[name].astype(np.int32) for name in ("material", "colour", "colour2")}
    return Mesh(
        points=points,
        bones=bones,
        starts=starts,
        counts=counts,
        corners=corners,
        normals=normals,
        material_of=material_of,
        materials=table.materials,
        lines=lines,
        spheres=spheres,
        attributes=attributes,
        numbers=np.arange(len(counts)),
        light=shades if colours.game else None,
    )


def lit_corners(lm1: Lm1) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """(C,) polygon and point of every corner that is drawn, and (C, 3) the normal that lights it, zero for none."""
    polygon, point_at, normal_at = lm1.corner_references()
    stream, lit = lm1.stream.astype(np.int64), normal_at >= 0
    normals = np.zeros((len(polygon), 3))
    normals[lit] = rows_of(lm1.normals["direction"], stream[normal_at[lit]])
    return polygon, lm1.points_of(stream[point_at]), normals


def _outlines(lm1: Lm1, material: Callable[[int, int], int]) -> tuple[list[Line], list[Sphere]]:
    """material: of a polygon type and a colour."""
    lines = zip(lm1.lines["colour"].tolist(), lm1.points_of(lm1.lines["points"]).tolist(), strict=True)
    spheres = zip(lm1.spheres[["colour", "radius"]].tolist(), lm1.points_of(lm1.spheres["point"]).tolist(), strict=True)
    return (
        [Line((first, second), material(0, colour), number) for number, (colour, (first, second)) in enumerate(lines)],
        [Sphere(point, float(radius), material(0, colour), number) for number, ((colour, radius), point) in enumerate(spheres)],
    )


def is_clear(kind: int) -> bool:
    """Whether polygons of a type are shown half transparent."""
    return kind == TRANSPARENT


@lru_cache(maxsize=4096)
def plain_material(colours: Colours, kind: int, colour: int, reach: int) -> Material:
    """Of a polygon type and a colour of the palette. reach: whole shades that light adds at most."""
    shading: Shading = "UNLIT" if kind < FLAT_LIT else "FLAT" if kind < GOURAUD else "SMOOTH"
    alpha = 0.5 if is_clear(kind) else 1.0
    look = colours.drawn(colour, shading, kind == DITHER, kind == SCREEN_DOOR, alpha)
    name, ramp = colours.name(f"LBA {kind}:{colour}", colour, shading, reach), colours.ramp(colour, shading, reach)
    properties = {TYPE: kind, COLOUR: colour, REACH: reach}
    return Material(name, shading, ramp, alpha, two_sided=look is None, look=look, properties=properties)
