"""What of a surface Blender can hold. Its C code trusts whoever builds a mesh: a face that names a vertex twice can end the process.

What is left out or mended here stays in the file that is kept; an export that finds nothing edited writes that file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..reporting import log
from ..reporting.labels import counted
from .mesh import Line, Mesh, Sphere

LARGEST = 1e15
"""Of a number given to Blender, whose areas and lengths would no longer be finite beyond it."""

MOST_MATERIALS = 4096
"""Of a mesh: far more than any game's has. Each takes Blender milliseconds, and from 32,768 on it ends the process."""

_ROUNDED = 1e-5
"""How far beyond 0 and 1 a weight may be that is only rounded."""

_MIX = np.uint64(0x9E3779B97F4A7C15)

Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Faces:
    """The faces that can be held. faces: (F,) which of the given ones. loops: (C,) which of the given corners. corners: (C,) the vertex
    of each. starts, counts: (F,) each face's run of corners, one after another without gaps."""

    faces: Indices
    loops: Indices
    corners: Indices
    starts: Indices
    counts: Indices


def holdable(mesh: Mesh) -> Mesh:
    """The surface as Blender can hold it, with all its points in their order.

    Faces with less than three corners, with a vertex twice, with vertices that are not there, and mere repetitions are left out. Numbers
    that are none, or beyond `LARGEST`, become 0, weights lie between 0 and 1; of materials there are `MOST_MATERIALS` at most. What that
    changes is reported in the log. Faces on the same vertices that face the opposite direction or are of another kind stay, unless the
    mesh is `single`, as does the order of the points: Blender holds them, and bodies need them for their two sides, though
    `Mesh.validate` would keep only one.
    """
    size = len(mesh.points)
    kinds = None if mesh.single else np.stack([mesh.material_of, *mesh.attributes.values()], axis=1, dtype=np.int64)
    held = faces_of(size, mesh.starts, mesh.counts, mesh.corners, kinds)
    materials = mesh.materials[:MOST_MATERIALS]
    last = max(len(materials) - 1, 0)
    if len(materials) < len(mesh.materials):
        log.warning(f"{len(mesh.materials)} materials, of which Blender gets the first {len(materials)}: faces of the others show the last")
    lines = [_line(line, last) for line in mesh.lines if _there(line.points, size)]
    spheres = [_sphere(sphere, last) for sphere in mesh.spheres if _there((sphere.point,), size)]
    if (lost := len(mesh.lines) + len(mesh.spheres) - len(lines) - len(spheres)) > 0:
        log.warning(f"{lost} lines and spheres on points that are not there: left out")
    return replace(
        mesh,
        points=_finite(mesh.points, "positions"),
        weights=_weights(mesh.weights),
        starts=held.starts,
        counts=held.counts,
        corners=held.corners,
        normals=_finite(mesh.normals, "normals")[held.loops],
        material_of=np.clip(mesh.material_of, 0, last)[held.faces],
        materials=materials,
        attributes={name: values[held.faces] for name, values in mesh.attributes.items()},
        uvs={name: _finite(values, "texture coordinates")[held.loops] for name, values in mesh.uvs.items()},
        numbers=None if mesh.numbers is None else mesh.numbers[held.faces],
        colours=None if mesh.colours is None else mesh.colours[held.loops],
        light=None if mesh.light is None else _finite(mesh.light, "lights")[held.loops],
        lines=lines,
        spheres=spheres,
    )


def faces_of(points: int, starts: Indices, counts: Indices, corners: Indices, kinds: NDArray[np.integer] | None) -> Faces:
    """Which faces can be held by a mesh of so many points; the log says why others cannot. starts, counts: (F,); corners: (C,); these may
    hold anything. kinds: (F, K) in what else faces differ; None where there may be but one on the same vertices."""
    starts, counts, corners = (np.asarray(values, np.int64) for values in (starts, counts, corners))
    if _sound(points, starts, counts, corners):
        held = Faces(np.arange(len(starts)), np.arange(len(corners)), corners, starts, counts)
        short = lost = doubled = 0
    else:
        there = (counts >= 3) & (starts >= 0) & (starts <= len(corners) - counts)
        sound = np.zeros(len(starts), np.bool_)
        short, lost = int((~there).sum()), 0
        for count in np.unique(counts[there]).tolist():
            faces = np.flatnonzero(there & (counts == count))
            rows = corners[starts[faces][:, None] + np.arange(count)]
            inside = ((rows >= 0) & (rows < points)).all(axis=1)
            lost += int((~inside).sum())
            faces, ordered = faces[inside], np.sort(rows[inside], axis=1)
            sound[faces[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)]] = True
        doubled = int((there & ~sound).sum()) - lost
        held = _gathered(starts, counts, corners, np.flatnonzero(sound))
    repeated = _repeated(held, kinds)
    _report(short, lost, doubled, len(repeated))
    return held if not len(repeated) else _gathered(starts, counts, corners, np.delete(held.faces, repeated))


def rows_of(table: NDArray[Any], rows: NDArray[np.integer]) -> NDArray[Any]:
    """(..., *) the rows of a table (N, *) by their numbers (...), which may be any; zeros for rows that are not there."""
    there = (rows >= 0) & (rows < len(table))
    if there.all():
        return table[rows]
    padded = np.concatenate([table, np.zeros((1, *table.shape[1:]), table.dtype)])
    return padded[np.where(there, rows, len(table))]


def _sound(points: int, starts: Indices, counts: Indices, corners: Indices) -> bool:
    """Whether each face can be held by itself as it is, one after another without gaps, as it nearly always is."""
    ends = np.cumsum(counts)
    if not len(starts) or counts.min() < 3 or counts.max() > len(corners) or ends[-1] != len(corners) or (ends - counts != starts).any():
        return False
    if corners.min() < 0 or corners.max() >= points or len(starts) * points >= 1 << 62:
        return False
    within = np.sort(np.repeat(np.arange(len(starts)) * points, counts) + corners)
    return not bool((within[1:] == within[:-1]).any())


def _repeated(held: Faces, kinds: NDArray[np.integer] | None) -> Indices:
    """Which faces, by their number among those that are held, have the vertices of an earlier one, in the same sense and of the same
    kinds where there are kinds."""
    starts, corners = held.starts, held.corners
    if not len(starts):
        return starts
    with np.errstate(over="ignore"):  # a hash that asks for no order finds the few that must be compared
        mixed = (corners.astype(np.uint64) + np.uint64(1)) * _MIX
        mixed ^= mixed >> np.uint64(29)
        sums = np.add.reduceat(mixed * _MIX, starts)
    order = np.argsort(sums, kind="stable")
    same = sums[order[1:]] == sums[order[:-1]]
    likely = np.sort(order[np.append(same, False) | np.insert(same, 0, False)])
    known, repeated = set[tuple[int, ...]](), list[int]()
    own = [()] * len(likely) if kinds is None else kinds[held.faces[likely]].tolist()
    for face, start, count, kind in zip(likely.tolist(), starts[likely].tolist(), held.counts[likely].tolist(), own, strict=True):
        row = corners[start : start + count].tolist()
        first = row.index(min(row))
        key = tuple(sorted(row)) if kinds is None else (*row[first:], *row[:first], -1, *kind)
        if key in known:
            repeated.append(face)
        known.add(key)
    return np.array(repeated, np.int64)


def _report(short: int, lost: int, doubled: int, repeated: int) -> None:
    if short:
        log.warning(f"{counted(short, 'face')} without three corners: left out")
    if lost:
        log.warning(f"{counted(lost, 'face')} on vertices that are not there: left out")
    if doubled:
        log.info(f"{counted(doubled, 'face')} with a vertex named twice: left out, Blender cannot hold them")
    if repeated:
        log.info(f"{counted(repeated, 'face')} on the vertices of another one: left out, Blender cannot hold them")


def _gathered(starts: Indices, counts: Indices, corners: Indices, faces: Indices) -> Faces:
    counts = counts[faces]
    begin = np.cumsum(counts) - counts
    loops = np.repeat(starts[faces] - begin, counts) + np.arange(int(counts.sum()))
    return Faces(faces, loops, corners[loops], begin, counts)


def _finite(values: NDArray[Any], name: str) -> NDArray[np.float64]:
    values = np.asarray(values, np.float64)
    with np.errstate(invalid="ignore"):
        fine = np.abs(values) <= LARGEST
    if fine.all():
        return values
    log.warning(f"{int((~fine).any(axis=-1).sum())} {name} that are no usable numbers: taken as 0")
    return np.where(fine, values, 0.0)


def _weights(given: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    if given is None:
        return None
    weights = _finite(given, "weights")
    outside = np.abs(weights - 0.5) > 0.5 + _ROUNDED
    if outside.any():
        log.warning(f"{int(outside.any(axis=1).sum())} vertices with weights that are not between 0 and 1: cut to that")
    return np.clip(weights, 0.0, 1.0)


def _there(points: tuple[int, ...], count: int) -> bool:
    return all(0 <= point < count for point in points)


def _within(index: int, last: int) -> int:
    return min(max(index, 0), last)


def _line(line: Line, last: int) -> Line:
    return line if 0 <= line.material <= last else replace(line, material=_within(line.material, last))


def _sphere(sphere: Sphere, last: int) -> Sphere:
    if 0 <= sphere.material <= last and abs(sphere.radius) <= LARGEST:
        return sphere
    radius = sphere.radius if abs(sphere.radius) <= LARGEST else 0.0
    return replace(sphere, material=_within(sphere.material, last), radius=radius)
