"""An armature and its meshes as the shape of a body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.lba.body import lm1_write, lm2_write
from ...core.lba.body.body import Body, stamp_of
from ...core.lba.body.limits import MOST_CORNERS
from ...core.lba.body.nearest import lit_as, nearest
from ...core.lba.body.shape import Outlines, Shape
from ...core.lba.body.shown import FaceColumns, columns_of, shown_faces
from ...core.lba.files import lm1, lm2
from ...core.lba.files.lm1 import Lm1
from ...core.lba.files.lm2 import Lm2
from ...core.lba.files.palette import Palette
from ...core.reporting import log
from ...core.reporting.errors import ExportError
from ...core.reporting.labels import counted
from ..blender.arrays import values_of
from ..blender.skinned import report_unwrapped
from . import paint, resources
from .paint import Paint
from .surface import Figure, Part, Role, components, part_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_SAME = 0.02
"""Game units within which a vertex is where it was."""

_LM1_KINDS = {"unlit": 0, "transparent": 5, "flat": 7, "smooth": 9}
_LM2_KINDS = {"unlit": 0, "transparent": 2, "flat": 1, "smooth": 4}
"""Polygon types of faces whose material does not say one."""

_UNEVEN = 0.05
"""Of its radius, within which a sphere's vertices are on it."""

_TEXTURED, _HOLES = 8, 12
"""The first of LBA2's textured types, and of those whose texel 0 is a hole: solid, flat, Gouraud."""

_EDGE = 2.0**-16
"""Within which texture coordinates stay from the page's edges, since those wrap."""


@dataclass(eq=False)
class _Reading:
    """The parts of a shape as they come together."""

    figure: Figure
    wide: bool
    palette: Palette
    original: Lm1 | Lm2 | None
    rest: Floats
    """(P, 3) where the file's points are."""
    positions: list[Floats] = field(default_factory=list[Floats])
    groups: list[Ints] = field(default_factory=list[Ints])
    numbers: list[Ints] = field(default_factory=list[Ints])
    paints: dict[Any, Paint] = field(default_factory=dict[Any, Paint])

    @cached_property
    def before(self) -> FaceColumns:
        """Of the file's faces."""
        assert self.original is not None
        return columns_of(self.original)

    def references(self, role: Role) -> Ints:
        """(N, ends) the points of the file's lines or spheres."""
        if isinstance(self.original, Lm2):
            return lm2_write.references_of(self.original, lm2.LINE if role == "LINES" else lm2.SPHERE)
        return lm1_write.references_of(self.original, lm1.LINE if role == "LINES" else lm1.SPHERE)

    @property
    def count(self) -> int:
        return sum(map(len, self.positions))

    def paint(self, material: bpy.types.Material | None) -> Paint:
        if material not in self.paints:
            self.paints[material] = paint.paint_of(material, self.palette)
        return self.paints[material]

    @property
    def points(self) -> tuple[Floats, Ints, Ints]:
        """Positions (P, 3), groups and numbers of all points so far; a body may have lines and spheres alone."""
        if not self.positions:
            return np.zeros((0, 3)), np.zeros(0, np.int64), np.zeros(0, np.int64)
        return np.concatenate(self.positions), np.concatenate(self.groups), np.concatenate(self.numbers)

    def add(self, positions: Floats, groups: Ints, numbers: Ints) -> None:
        self.positions.append(positions)
        self.groups.append(groups)
        self.numbers.append(numbers)


def shape_of(
    figure: Figure, meshes: Sequence[bpy.types.Object], original: Lm1 | Lm2 | None, wide: bool, palette: Palette, box: Ints | None = None
) -> Shape:
    """The shape of a body. original: the file that it came from. wide: for LBA2. Raises ExportError for vertices that no bone moves."""
    parts = [part_of(mesh, figure) for mesh in meshes]
    rest = Body.of(original).rest_points if original is not None else np.zeros((0, 3))
    reading = _Reading(figure, wide, palette, original, rest)
    taken = _Taken(original)
    faces = _Faces()
    lines: list[_Outline] = []
    spheres: list[_Outline] = []
    for part in (each for each in parts if each.role == "SURFACE"):
        first = reading.count
        _check_weights(part)
        reading.add(part.positions, part.groups, taken.points(part))
        _read_faces(reading, part, first, taken.faces(part), faces)
        lines += _loose_edges(reading, part, first)
    for part in (each for each in parts if each.role != "SURFACE"):
        _check_weights(part)
        numbers = taken.outlines(part)
        (lines if part.role == "LINES" else spheres).extend(_outlines(reading, part, numbers))
    if any(chosen.matched for chosen in reading.paints.values()):
        resources.report_plain(palette)
    positions, group_of, point_numbers = reading.points
    return Shape(
        names=figure.names,
        parents=figure.parents,
        heads=figure.heads,
        positions=positions,
        group_of=group_of,
        numbers=point_numbers,
        lines=_outlines_of(lines, 2),
        spheres=_outlines_of(spheres, 1),
        box=box,
        **faces.columns(),
    )


@dataclass(frozen=True)
class _Outline:
    """number: in the file, -1 for a new one. points: of the shape."""

    number: int
    points: tuple[int, ...]
    colour: int
    radius: float = 0.0


def _outlines_of(items: Sequence[_Outline], ends: int) -> Outlines:
    return Outlines(
        np.array([item.number for item in items], np.int64),
        np.array([item.points for item in items], np.int64).reshape(-1, ends),
        np.array([item.colour for item in items], np.int64),
        np.array([item.radius for item in items], np.float64),
    )


class _Taken:
    """Which numbers of the file are given away: of copies the first one is what the file has."""

    def __init__(self, original: Lm1 | Lm2 | None) -> None:
        self.original = original
        self.stamp = stamp_of(original.pack()) if original is not None else -1
        self.known: dict[str, set[int]] = {}

    def points(self, part: Part) -> Ints:
        count = len(self.original.points) if self.original is not None else 0
        given = part.numbers
        if given is None and len(part.positions) == count:  # it came in before numbers were kept
            return np.arange(count)
        return self._first("points", given, len(part.positions), count)

    def faces(self, part: Part) -> Ints:
        if self.original is None:
            return np.full(len(part.data.polygons), -1, np.int64)
        shown = shown_faces(self.original)
        if part.face_numbers is None and len(part.data.polygons) == len(shown):
            return shown
        return self._first("faces", part.face_numbers, len(part.data.polygons), int(shown.max(initial=-1)) + 1)

    def outlines(self, part: Part) -> Ints:
        """(V,) the line or sphere that each vertex is of."""
        if part.numbers is None or self.original is None:
            return np.full(len(part.positions), -1, np.int64)
        return self._numbers(part.numbers, len(self.original.lines if part.role == "LINES" else self.original.spheres))

    def _numbers(self, given: Ints, count: int) -> Ints:
        number = (given & 0xFFFF) - 1
        return np.where((given >> 16 == self.stamp) & (number < count), number, -1)

    def _first(self, kind: str, given: Ints | None, size: int, count: int) -> Ints:
        if given is None:
            return np.full(size, -1, np.int64)
        numbers = self._numbers(given, count)
        known = self.known.setdefault(kind, set())
        first = np.zeros(size, bool)
        first[np.unique(numbers, return_index=True)[1]] = True
        first &= ~np.isin(numbers, list(known)) & (numbers >= 0)
        known.update(numbers[first].tolist())
        return np.where(first, numbers, -1)


def _check_weights(part: Part) -> None:
    bare = np.flatnonzero(part.groups < 0)
    if len(bare):
        raise ExportError(f"{part.obj.name}: {len(bare)} vertices have no bone (the first is vertex {bare[0]}): give them a weight")


@dataclass(eq=False)
class _Faces:
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


def _read_faces(reading: _Reading, part: Part, first: int, numbers: Ints, faces: _Faces) -> None:
    data = part.data
    vertices = values_of(data.loops, "vertex_index", np.int32).astype(np.int64)
    layer: Any = data.uv_layers.active
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
        kind, colour, reach, region = _decided(reading, chosen, int(numbers[face]), columns, face, bool(smooth[face]), uvs[loops])
        for piece in _pieces(reading, part, loops, int(numbers[face]), triangles.get(face, [])):
            faces.counts.append(len(piece))
            faces.corners += (first + vertices[piece]).tolist()
            faces.numbers.append(int(numbers[face]))
            faces.types.append(kind)
            faces.colours.append(colour)
            faces.reach.append(reach)
            faces.regions.append(region)
            faces.normals.append(normals[piece])
            faces.uvs.append(
                np.clip(uvs[piece], (0, _EDGE), (1 - _EDGE, 1)) if region == paint.WHOLE_PAGE and numbers[face] < 0 else uvs[piece]
            )


def _kept_columns(reading: _Reading, data: bpy.types.Mesh) -> tuple[Ints, Ints] | None:
    """Types and colours that the faces' attributes have, None where there are none."""
    names = ("lba_type", "lba_colour") if reading.wide else ("lba_material", "lba_colour")
    attributes: list[Any] = [data.attributes.get(name) for name in names]
    if None in attributes:
        return None
    kinds, colours = (values_of(each.data, "value", np.int32).astype(np.int64) & 0xFF for each in attributes)
    return kinds, colours


def _decided(
    reading: _Reading, chosen: Paint, number: int, columns: tuple[Ints, Ints] | None, face: int, smooth: bool, uvs: Floats
) -> tuple[int, int, int, tuple[int, int, int]]:
    """Type, colour, reach and region of a face: of the file, or of its material or its attributes where somebody changed those."""
    none = (-1, -1, -1)
    if number >= 0 and reading.original is not None:
        before = reading.before
        kind, colour = int(before.types[number]), int(before.colours[number])
        region: tuple[int, int, int] = tuple(before.regions[number].tolist())
        if columns is not None and (columns[0][face], columns[1][face]) != (kind, colour):
            return int(columns[0][face]), int(columns[1][face]), chosen.reach, region
        same = chosen.kind == kind and (chosen.colour in (colour, -1)) and (chosen.region or none) in (region, none)
        if same:
            return kind, colour, chosen.reach, region
    if chosen.kind >= 0:
        return chosen.kind, max(chosen.colour, 0), chosen.reach, chosen.region or none
    if reading.wide and chosen.image is not None and paint.PAGE in chosen.image:
        shading = 0 if chosen.unlit else 2 if smooth else 1
        return (_HOLES if chosen.holes else _TEXTURED) + shading, 0, chosen.reach if shading else 0, paint.WHOLE_PAGE
    kinds = _LM2_KINDS if reading.wide else _LM1_KINDS
    kind = kinds["unlit" if chosen.unlit else "transparent" if chosen.transparent else "smooth" if smooth else "flat"]
    plain = chosen.plain
    if chosen.image is not None:
        plain = int(nearest(reading.palette, paint.sampled(chosen.image, uvs.mean(axis=0, keepdims=True)))[0][0])
    colour, reach = lit_as(plain) if kind in (kinds["flat"], kinds["smooth"]) else (plain, 0)
    return kind, colour, reach, none


def _triangles(part: Part) -> dict[int, list[list[int]]]:
    data = part.data
    data.calc_loop_triangles()
    result: dict[int, list[list[int]]] = {}
    for triangle in data.loop_triangles:
        loops: Any = triangle.loops
        result.setdefault(triangle.polygon_index, []).append(list(loops)[:: -1 if part.mirrored else 1])
    return result


def _pieces(reading: _Reading, part: Part, loops: list[int], number: int, triangles: list[list[int]]) -> list[list[int]]:
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


def _loose_edges(reading: _Reading, part: Part, first: int) -> list[_Outline]:
    """Edges of no face are lines, in the colour of the mesh's first material."""
    loose = values_of(part.data.edges, "is_loose", np.bool_)
    ends = values_of(part.data.edges, "vertices", np.int32, 2).astype(np.int64)[loose]
    if not len(ends):
        return []
    colour = _plain_colour(reading, part.materials[0])
    return [_Outline(-1, (first + start, first + end), colour) for start, end in ends.tolist()]


def _plain_colour(reading: _Reading, material: bpy.types.Material | None) -> int:
    chosen = reading.paint(material)
    return chosen.colour if chosen.colour >= 0 else max(chosen.plain, 0)


def _outlines(reading: _Reading, part: Part, numbers: Ints) -> list[_Outline]:
    """The lines or the spheres of a mesh of their own: each connected part is one."""
    corners = values_of(part.data.loops, "vertex_index", np.int32)
    sizes = values_of(part.data.polygons, "loop_total", np.int32)
    index = values_of(part.data.polygons, "material_index", np.int32)
    slots: dict[int, int] = dict(zip(corners.tolist(), np.repeat(index, sizes).tolist(), strict=True))
    materials, known = part.materials, set[int]()
    result: list[_Outline] = []
    edges = values_of(part.data.edges, "vertices", np.int32, 2).astype(np.int64)
    before = reading.references(part.role)
    uneven = 0
    for vertices in components(part, numbers):
        material = materials[min(slots.get(int(vertices[0]), 0), len(materials) - 1)]
        colour, number = _plain_colour(reading, material), int(numbers[vertices[0]])
        number = -1 if number in known else number
        known.add(number)
        old: list[int] = before[number].tolist() if number >= 0 else [-1, -1]
        points = part.positions[vertices]
        if part.role == "SPHERES":
            middle = (points.min(axis=0) + points.max(axis=0)) / 2
            away = np.linalg.norm(points - middle, axis=1)
            radius = float(np.median(away))
            uneven += bool(np.abs(away - radius).max() > max(1, _UNEVEN * radius))
            on = _point(reading, middle, int(part.groups[vertices[0]]), old[0])
            result.append(_Outline(number, (on,), colour, radius))
        elif int(vertices[0]) in slots and len(vertices) == 8:
            halves = (vertices[:4], vertices[4:])
            ends = [
                _point(reading, part.positions[half].mean(axis=0), int(part.groups[half[0]]), point)
                for point, half in zip(old, halves, strict=True)
            ]
            result.append(_Outline(number, (ends[0], ends[1]), colour))
        else:
            for start, end in edges[np.isin(edges[:, 0], vertices)].tolist():
                both = [_point(reading, part.positions[vertex], int(part.groups[vertex])) for vertex in (start, end)]
                result.append(_Outline(-1, (both[0], both[1]), colour))
    if uneven:
        those = counted(uneven, "sphere is no ball", "spheres are no balls")
        log.warning(f"{part.obj.name}: {those}: the game has a middle and a radius alone; scale them evenly instead")
    return result


def _point(reading: _Reading, position: Floats, group: int, old: int = -1) -> int:
    """The point of a shape that a line or a sphere is at: the file's own where it was not moved, else one that is there, else a new one."""
    positions, groups, numbers = reading.points
    if old >= 0 and np.abs(reading.rest[old] - position).max() < _SAME and (numbers == old).any():
        return int(np.argmax(numbers == old))
    there = (np.rint(positions) == np.rint(position)).all(axis=1) & (groups == group)
    if there.any():
        return int(np.argmax(there))
    reading.add(position[None], np.array([group], np.int64), np.array([-1], np.int64))
    return len(positions)
