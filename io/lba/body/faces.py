"""Faces of meshes as a body's: what the file had where nobody changed it, else what their materials say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.lba.body.limits import MOST_CORNERS
from ....core.lba.body.nearest_colour import lit_as, nearest
from ...blender.arrays import values_of
from ...blender.surface.skinned import attribute, drawn_uvs, report_unwrapped
from . import paint
from .paint import Paint
from .reading import Reading
from .surface import Part

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_LM1_KINDS = {"unlit": 0, "transparent": 5, "flat": 7, "smooth": 9}
_LM2_KINDS = {"unlit": 0, "transparent": 2, "flat": 1, "smooth": 4}
"""Polygon types of faces whose material does not say one."""

_TEXTURED, _HOLES = 8, 12
"""The first of LBA2's textured types, and of those whose texel 0 is a hole: solid, flat, Gouraud."""

_EDGE = 2.0**-16
"""Within which texture coordinates stay from the page's edges, since those wrap."""


@dataclass(eq=False)
class Faces:
    """Faces as columns, mesh by mesh."""

    counts: list[int] = field(default_factory=list[int])
    corners: list[int] = field(default_factory=list[int])
    numbers: list[int] = field(default_factory=list[int])
    types: list[int] = field(default_factory=list[int])
    colours: list[int] = field(default_factory=list[int])
    reach: list[int] = field(default_factory=list[int])
    regions: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    normals: list[Floats] = field(default_factory=list[Floats])
    uvs: list[Floats] = field(default_factory=list[Floats])

    def columns(self) -> dict[str, Any]:
        counts = np.array(self.counts, np.int64)
        return {
            "starts": np.cumsum(counts) - counts,
            "counts": counts,
            "corners": np.array(self.corners, np.int64),
            "face_numbers": np.array(self.numbers, np.int64),
            "types": np.array(self.types, np.int64),
            "colours": np.array(self.colours, np.int64),
            "reach": np.array(self.reach, np.int64),
            "regions": np.array(self.regions, np.int64).reshape(-1, 3),
            "normals": np.concatenate(self.normals) if self.normals else np.zeros((0, 3)),
            "uvs": np.concatenate(self.uvs) if self.uvs else np.zeros((0, 2)),
        }


def read_faces(reading: Reading, part: Part, first: int, numbers: Ints, faces: Faces) -> None:
    """Adds the faces of a mesh. first: the point of its first vertex. numbers: (F,) of the file's faces, -1 for new ones."""
    data = part.data
    vertices = values_of(data.loops, "vertex_index", np.int32).astype(np.int64)
    layer: Any = next(iter(drawn_uvs(data)), None)
    report_unwrapped(part.obj)
    uvs = values_of(layer.uv, "vector", np.float32, 2).astype(np.float64) if layer is not None else np.zeros((len(vertices), 2))
    smooth = values_of(data.polygons, "use_smooth", np.bool_)
    materials = part.materials
    slots = np.clip(values_of(data.polygons, "material_index", np.int32), 0, len(materials) - 1)
    columns = _kept_columns(reading, data)
    triangles = _triangles(part)
    normals = part.normals
    first_loops, sizes = (values_of(data.polygons, name, np.int32).tolist() for name in ("loop_start", "loop_total"))
    for face, (start, size) in enumerate(zip(first_loops, sizes, strict=True)):
        loops = list(range(start, start + size))[:: -1 if part.mirrored else 1]
        chosen = reading.paint(materials[int(slots[face])])
        kept = None if columns is None else (int(columns[0][face]), int(columns[1][face]))
        drawn = _decided(reading, chosen, _Face(int(numbers[face]), kept, bool(smooth[face]), uvs[loops]))
        for count, piece in enumerate(_pieces(reading, part, loops, int(numbers[face]), triangles.get(face, []))):
            faces.counts.append(len(piece))
            faces.corners += (first + vertices[piece]).tolist()
            faces.numbers.append(int(numbers[face]) if count == 0 else -1)  # one piece alone is that of the file
            faces.types.append(drawn.kind)
            faces.colours.append(drawn.colour)
            faces.reach.append(drawn.reach)
            faces.regions.append(drawn.region)
            faces.normals.append(normals[piece])
            faces.uvs.append(
                np.clip(uvs[piece], (0, _EDGE), (1 - _EDGE, 1)) if drawn.region == paint.WHOLE_PAGE and numbers[face] < 0 else uvs[piece]
            )


def _kept_columns(reading: Reading, data: bpy.types.Mesh) -> tuple[Ints, Ints] | None:
    """Types and colours that the faces' attributes have, None where there are none."""
    names = ("lba_type", "lba_colour") if reading.wide else ("lba_material", "lba_colour")
    kinds, colours = (attribute(data, name, "FACE") for name in names)
    return None if kinds is None or colours is None else (kinds & 0xFF, colours & 0xFF)


class _Drawn(NamedTuple):
    """kind: the type of the face in the file. colour: of the palette. reach: by how many shades light changes it. region: of the texture
    page, -1 for none."""

    kind: int
    colour: int
    reach: int
    region: tuple[int, int, int] = (-1, -1, -1)


class _Face(NamedTuple):
    """number: of the file's face, -1 for a new one. kept: type and colour by its attributes, None without. uvs: (C, 2) of its corners."""

    number: int
    kept: tuple[int, int] | None
    smooth: bool
    uvs: Floats


def _decided(reading: Reading, chosen: Paint, face: _Face) -> _Drawn:
    """How the game draws a face: of the file, or of its material or its attributes where somebody changed those."""
    none, number, smooth = (-1, -1, -1), face.number, face.smooth
    if number >= 0 and reading.original is not None:
        before = reading.before
        kind, colour = int(before.types[number]), int(before.colours[number])
        region: tuple[int, int, int] = tuple(before.regions[number].tolist())
        if face.kept is not None and face.kept != (kind, colour):
            return _Drawn(*face.kept, chosen.reach, region)
        same = chosen.kind == kind and (chosen.colour in (colour, -1)) and (chosen.region or none) in (region, none)
        if same:
            return _Drawn(kind, colour, chosen.reach, region)
    if chosen.kind >= 0:
        return _Drawn(chosen.kind, max(chosen.colour, 0), chosen.reach, chosen.region or none)
    if reading.wide and chosen.image is not None and paint.PAGE in chosen.image:
        shading = 0 if chosen.unlit else 2 if smooth else 1
        return _Drawn((_HOLES if chosen.holes else _TEXTURED) + shading, 0, chosen.reach if shading else 0, paint.WHOLE_PAGE)
    kinds = _LM2_KINDS if reading.wide else _LM1_KINDS
    kind = kinds["unlit" if chosen.unlit else "transparent" if chosen.transparent else "smooth" if smooth else "flat"]
    plain = chosen.plain
    if chosen.image is not None:
        plain = int(nearest(reading.palette, paint.mean_of(reading.pixels(chosen.image), face.uvs)[None])[0][0])
    colour, reach = lit_as(plain) if kind in (kinds["flat"], kinds["smooth"]) else (plain, 0)
    return _Drawn(kind, colour, reach)


def _triangles(part: Part) -> dict[int, list[list[int]]]:
    data = part.data
    data.calc_loop_triangles()
    result: dict[int, list[list[int]]] = {}
    for triangle in data.loop_triangles:
        loops: Any = triangle.loops
        result.setdefault(triangle.polygon_index, []).append(list(loops)[:: -1 if part.mirrored else 1])
    return result


def _pieces(reading: Reading, part: Part, loops: list[int], number: int, triangles: list[list[int]]) -> list[list[int]]:
    """A face as the game can draw it: in triangles where it has too many corners, or is new and has a corner that points inwards."""
    most = 4 if reading.wide else MOST_CORNERS
    if len(loops) <= most and (number >= 0 or len(loops) == 3 or _convex(part, loops)):
        return [loops]
    return triangles


def _convex(part: Part, loops: list[int]) -> bool:
    points = part.positions[[part.data.loops[loop].vertex_index for loop in loops]]
    edges = np.roll(points, -1, axis=0) - points
    crossed = np.cross(np.roll(edges, 1, axis=0), edges)
    return bool((crossed @ crossed.sum(axis=0) >= 0).all())
