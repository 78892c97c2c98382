"""Lines and spheres of a body: from loose edges, and from meshes of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.lba.body.shape import Outlines
from ....core.reporting import log
from ....core.reporting.labels import counted
from ....core.surface.mesh import RADIUS
from ...blender.arrays import values_of
from ...blender.surface.skinned import float_attribute
from .reading import Reading
from .roles import BAR
from .surface import Part, components

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_SAME = 0.02
"""Game units within which a vertex is where it was."""

_OWN = 0.5
"""Game units by which a radius that is noted is another one: files have whole ones."""

_UNEVEN = 0.05
"""Of its radius, within which a sphere's vertices are on it."""


@dataclass(frozen=True)
class Outline:
    """number: in the file, -1 for a new one. points: of the shape."""

    number: int
    points: tuple[int, ...]
    colour: int
    radius: float = 0.0


def outlines_of(items: Sequence[Outline], ends: int) -> Outlines:
    """As arrays. ends: points of each."""
    return Outlines(
        np.array([item.number for item in items], np.int64),
        np.array([item.points for item in items], np.int64).reshape(-1, ends),
        np.array([item.colour for item in items], np.int64),
        np.array([item.radius for item in items], np.float64),
    )


def loose_edges(reading: Reading, part: Part, first: int) -> list[Outline]:
    """Edges of no face are lines, in the colour of the mesh's first material."""
    loose = values_of(part.data.edges, "is_loose", np.bool_)
    ends = values_of(part.data.edges, "vertices", np.int32, 2).astype(np.int64)[loose]
    if not len(ends):
        return []
    colour = _plain_colour(reading, part.materials[0])
    return [Outline(-1, (first + start, first + end), colour) for start, end in ends.tolist()]


def _plain_colour(reading: Reading, material: bpy.types.Material | None) -> int:
    chosen = reading.paint(material)
    return chosen.colour if chosen.colour >= 0 else max(chosen.plain, 0)


def outlines_from(reading: Reading, part: Part, numbers: Ints) -> list[Outline]:
    """The lines or the spheres of a mesh of their own: each connected part is one."""
    corners = values_of(part.data.loops, "vertex_index", np.int32)
    sizes = values_of(part.data.polygons, "loop_total", np.int32)
    index = values_of(part.data.polygons, "material_index", np.int32)
    slots: dict[int, int] = dict(zip(corners.tolist(), np.repeat(index, sizes).tolist(), strict=True))
    quads = corners[np.repeat(sizes == 4, sizes)].astype(np.int64).reshape(-1, 4)
    edges = values_of(part.data.edges, "vertices", np.int32, 2).astype(np.int64)
    materials, before, known = part.materials, reading.references(part.role), set[int]()
    result: list[Outline] = []
    balls: list[tuple[Ints, Outline]] = []
    for vertices in components(part, numbers):
        first = int(vertices[0])
        colour, number = _plain_colour(reading, materials[min(slots.get(first, 0), len(materials) - 1)]), int(numbers[first])
        number = -1 if number in known else number
        known.add(number)
        old: list[int] = before[number].tolist() if number >= 0 else [-1, -1]
        if part.role == "SPHERES":
            middle, away = _ball(part, vertices)
            on = _point(reading, middle, int(part.groups[first]), old[0])
            result.append(Outline(number, (on,), colour, float(np.median(away))))
            balls.append((vertices, result[-1]))
        elif first in slots and len(vertices) == BAR:
            halves = _halves(part.positions, vertices, quads)
            ends = [
                _point(reading, part.positions[half].mean(axis=0), int(part.groups[half[0]]), point)
                for point, half in zip(old, halves, strict=True)
            ]
            result.append(Outline(number, (ends[0], ends[1]), colour))
        else:
            for start, end in edges[np.isin(edges[:, 0], vertices)].tolist():
                both = [_point(reading, part.positions[vertex], int(part.groups[vertex])) for vertex in (start, end)]
                result.append(Outline(-1, (both[0], both[1]), colour))
    _report_uneven(part, balls)
    _report_unheeded(reading, part, balls)
    return result


def _halves(positions: Floats, vertices: Ints, quads: Ints) -> tuple[Ints, Ints]:
    """The vertices around either end of a bar of eight, wherever it is: two faces opposite each other, the least that there are, that of
    the first vertex first. Those that are in order count for half, as they are of a bar that is wider than it is long; another order has
    one that was separated. positions: (V, 3) of the mesh. quads: (Q, 4) its faces."""
    in_order = vertices[:4], vertices[4:]
    own = np.sort(quads[np.isin(quads, vertices).all(axis=1)], axis=1)
    sizes: list[tuple[float, tuple[Ints, Ints]]] = []
    for one, other in combinations(own[np.lexsort(own.T[::-1])], 2):
        if not np.isin(one, other).any():
            across = positions[np.stack([one, other])]
            size = float(np.linalg.norm(across - across.mean(axis=1, keepdims=True), axis=2).sum())
            sizes.append((size / 2 if np.array_equal(one, in_order[0]) else size, (one, other)))
    return min(sizes, key=lambda each: each[0])[1] if sizes else in_order


def _ball(part: Part, vertices: Ints) -> tuple[Floats, Floats]:
    """The middle of a sphere, and how far each of its vertices is from there."""
    points = part.positions[vertices]
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    return middle, np.linalg.norm(points - middle, axis=1)


def _report_uneven(part: Part, balls: Sequence[tuple[Ints, Outline]]) -> None:
    away = ((_ball(part, vertices)[1], ball.radius) for vertices, ball in balls)
    uneven = sum(bool(np.abs(distances - radius).max() > max(1, _UNEVEN * radius)) for distances, radius in away)
    if uneven:
        those = counted(uneven, "sphere is no ball", "spheres are no balls")
        log.warning(f"{part.obj.name}: {those}: the game has a middle and a radius alone; scale them evenly instead")


def _report_unheeded(reading: Reading, part: Part, balls: Sequence[tuple[Ints, Outline]]) -> None:
    """Spheres whose radius as an attribute is neither the file's nor the one that is shown."""
    radii = float_attribute(part.data, RADIUS, "POINT")
    if radii is None or reading.original is None:
        return
    own = reading.original.spheres["radius"]
    edited = ((float(radii[vertices[0]]), ball) for vertices, ball in balls if ball.number >= 0)
    unheeded = sum(abs(radius - float(own[ball.number])) > _OWN and abs(radius - ball.radius) > _OWN for radius, ball in edited)
    if unheeded:
        log.warning(
            f"{part.obj.name}: the attribute {RADIUS} of {counted(unheeded, 'sphere')} was edited, and does nothing: the game gets the "
            "size that is shown, so scale the ball instead"
        )


def _point(reading: Reading, position: Floats, group: int, old: int = -1) -> int:
    """The point of a shape that a line or a sphere is at: the file's own where neither was moved, else one there, else a new one."""
    positions, groups, numbers = reading.points
    own = np.flatnonzero((old >= 0) & (numbers == old) & (np.abs(positions - position).max(axis=1) < _SAME))
    if len(own) and np.abs(reading.rest[old] - position).max() < _SAME:
        return int(own[0])
    there = (np.rint(positions) == np.rint(position)).all(axis=1) & (groups == group)
    if there.any():
        return int(np.argmax(there))
    reading.add(position[None], np.array([group], np.int64), np.array([-1], np.int64))
    return len(positions)
