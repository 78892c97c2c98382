"""A shape as an LM1: what was not edited keeps its bytes, everything else is encoded anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..files.lm1 import (
    ANIMATED,
    FLAT_LIT,
    GOURAUD,
    GROUP,
    GROUP_SIZE,
    LINE,
    NORMAL,
    NORMAL_SIZE,
    POINT_SIZE,
    POLYGON,
    SPHERE,
    Lm1,
    lengths_of,
)
from . import limits
from .body import Body
from .light import LIGHT_LENGTH
from .normal_table import NormalTable, owners
from .outlines import mended
from .shape import NOWHERE, Floats, Ints, Points, Shape, arranged, cycle, extent, unit
from .visible_faces import shown_faces

NORMAL_LENGTH = 64
"""Of a normal, in the game's own bodies."""

_FLAGS, _INFO_SIZE = 3, 10
_BRIGHTER = 0.75
"""Shades that a normal is lit by beyond whole ones, as those of the game's commonest range."""


def lm1_of(shape: Shape, original: Lm1 | None = None, fresh_normals: bool = False) -> Lm1:
    """original: the file that the shape came from. fresh_normals: of the shape, for all lit faces, instead of the file's own where corners
    are where they were. Raises ExportError where the game has no room."""
    body = Body.from_lm1(original) if original is not None else None
    points = arranged(shape, body)
    known = np.zeros(0, NORMAL) if original is None else original.normals
    groups = None if original is None else original.groups
    normals = NormalTable(known["direction"], known["range"], owners(None if groups is None else groups["normal_count"], len(known)))
    polygons, stream = _Encoder(shape, points, original, normals, fresh_normals).polygons()
    lights = normals.table(len(shape.names))
    _renumber(polygons, stream, lights.index, len(lights.fourths))
    table = np.zeros(len(lights.fourths), NORMAL)
    table["direction"], table["range"] = lights.directions, lights.fourths
    lines, spheres = (
        mended(kind, outlines, points, POINT_SIZE, before, references_of(original, kind))
        for kind, outlines, before in (
            (LINE, shape.lines, None if original is None else original.lines),
            (SPHERE, shape.spheres, None if original is None else original.spheres),
        )
    )
    counts = _counts(len(points.world), len(table), len(polygons) + len(lines) + len(spheres))
    before = None
    if original is not None:
        drawn = len(original.polygons) + len(original.lines) + len(original.spheres)
        before = _counts(len(original.points), len(original.normals), drawn) | {limits.GROUPS: body.group_count if body else 0}
    limits.check(limits.Size(counts, shape.names, points.local, points.group_of), before)
    groups = _groups(shape, points, lights.counts, original)
    sections: dict[str, Any] = {
        "points": points.local.astype("<i2"),
        "groups": groups,
        "normals": table,
        "polygons": polygons,
        "stream": stream.astype("<u2"),
    }
    sections |= {"lines": lines, "spheres": spheres}
    if original is not None:
        box = original.box if shape.box is None else shape.box.astype("<i2")
        return replace(original, **sections, box=box, flags=original.flags | ANIMATED * (groups is not None))
    box = (extent(points.world) if shape.box is None else shape.box).astype("<i2")
    return Lm1(_FLAGS, box, _INFO_SIZE, bytes(_INFO_SIZE), **sections, tail=0)


def _counts(points: int, normals: int, drawn: int) -> dict[str, int]:
    """By the names of the limits."""
    return {"points": points, "normals": normals, "polygons, lines and spheres": drawn}


def references_of(original: Lm1 | None, kind: np.dtype[Any]) -> Ints:
    """(N, ends) the points of a file's lines or spheres, whose records are of `kind`; -1 for those that are not there."""
    if original is None:
        return np.zeros((0, 1), np.int64)
    return original.points_of(original.lines["points"] if kind == LINE else original.spheres["point"][:, None])


def range_of(reach: int) -> int:
    """The range of a normal that light adds so many whole shades to at most."""
    return round(NORMAL_LENGTH * LIGHT_LENGTH / (reach + _BRIGHTER))


def _groups(shape: Shape, points: Points, normal_counts: Ints, original: Lm1 | None) -> NDArray[Any] | None:
    if original is not None and original.groups is None and len(shape.names) == 1:
        return None
    groups = np.zeros(len(shape.names), GROUP)
    known = original.groups if original is not None else None
    if known is not None:
        groups[: len(known)] = known[: len(groups)]
    groups["point_count"] = points.counts
    groups["first_point"] = (np.cumsum(points.counts) - points.counts) * POINT_SIZE
    groups["pivot"] = np.where(shape.parents >= 0, points.pivots * POINT_SIZE, groups["pivot"])
    groups["parent"] = np.where(shape.parents < 0, -1, shape.parents * GROUP_SIZE)
    if known is None or original is None or (_normals_of(original, len(groups)) != normal_counts).any() or len(known) != len(groups):
        groups["first_normal"] = (np.cumsum(normal_counts) - normal_counts) * NORMAL_SIZE
        groups["normal_count"] = normal_counts
    return groups


def _normals_of(original: Lm1, groups: int) -> Ints:
    """(groups,) how many normals each group really has, which is not what a careless file says."""
    assert original.groups is not None
    return np.bincount(owners(original.groups["normal_count"], len(original.normals)), minlength=groups)[:groups]


class _Encoder:
    """Polygons as heads and streams, the file's own first; normals are numbers of `normals` yet."""

    def __init__(self, shape: Shape, points: Points, original: Lm1 | None, normals: NormalTable, fresh: bool) -> None:
        self.shape, self.points, self.normals, self.fresh = shape, points, normals, fresh
        self.before = _Before(original, len(points.world))
        self.flat = shape.flat_normals()
        self.at = points.by_number
        self.heads: list[tuple[int, ...]] = []
        self.stream: list[int] = []

    def polygons(self) -> tuple[NDArray[Any], Ints]:
        """Heads and streams, in which normals that are not there are negative: -1 for 0, and so on."""
        current = {number: face for face, number in enumerate(self.shape.face_numbers.tolist()) if number >= 0}
        hidden = self.before.hidden()
        for number in range(self.before.count):
            face = current.get(number, -1)
            kept = self.before.renumbered(number, self.at)
            if face >= 0 and kept is not None and self._stays(face, number, kept):
                self._keep(number, kept, int(self.shape.colours[face]))
            elif face < 0 and kept is not None and number in hidden:
                self._keep(number, kept, self.before.heads[number][2])
            else:
                for each in self.before.normals_of(number):
                    self.normals.drop(each)
                if face >= 0:
                    self._encode(face, number)
        for face in np.flatnonzero(self.shape.face_numbers < 0).tolist():
            self._encode(face, -1)
        table = np.array(self.heads, "u1").reshape(-1, 4)
        polygons = np.zeros(len(table), POLYGON)
        for column, name in enumerate(("material", "count", "colour", "colour2")):
            polygons[name] = table[:, column]
        return polygons, np.array(self.stream, np.int64)

    def _here(self, face: int) -> list[int]:
        return self.points.index[self.shape.corners[self.shape.face(face)]].tolist()

    def _stays(self, face: int, number: int, kept: list[tuple[int, bool]]) -> bool:
        """Whether a face has the type and the corners that the file gives it."""
        kind = int(self.shape.types[face])
        corners = (value // POINT_SIZE for value, is_normal in kept if not is_normal)
        lit_anew = self.fresh and kind >= FLAT_LIT
        return kind == self.before.heads[number][0] and not lit_anew and cycle(corners) == cycle(self._here(face))

    def _keep(self, number: int, kept: list[tuple[int, bool]], colour: int) -> None:
        kind, count, _, colour2 = self.before.heads[number]
        self.heads.append((kind, count, colour, colour2))
        for (value, is_normal), owner in zip(kept, self.before.owners(number, self.at), strict=True):
            if not is_normal:
                self.stream.append(value)
            elif value >= self.before.normals:
                self.stream.append(-1 - value)
            else:
                self.stream.append(self._of_point(value, owner) if kind >= GOURAUD else self.normals.keep(value))

    def _encode(self, face: int, number: int) -> None:
        """number: of the file's face that it was, whose corners keep their normals; -1 for a new one."""
        kind, reach, here = int(self.shape.types[face]), int(self.shape.reach[face]), self._here(face)
        colour2, old = 0, dict[int, int]()
        if number >= 0:
            colour2 = self.before.heads[number][3]
            old = self.before.corners(number) if self.before.heads[number][0] >= GOURAUD and not self.fresh else old
        self.heads.append((kind, len(here), int(self.shape.colours[face]), colour2))
        if FLAT_LIT <= kind < GOURAUD:
            self.stream.append(self._new(here[0], self.flat[face], reach))
        for corner, point in zip(self.shape.face(face).tolist(), here, strict=True):
            if kind >= GOURAUD:
                known = old.get(int(self.points.numbers[point]), -1)
                given = self.shape.normals[corner]
                direction = given if given.any() else self.flat[face]
                self.stream.append(self._of_point(known, point) if known >= 0 else self._new(point, direction, reach))
            self.stream.append(point * POINT_SIZE)

    def _of_point(self, number: int, point: int) -> int:
        """A point's normal, in the group that the point is in now; -1 for no point."""
        if point < 0:
            return self.normals.keep(number)
        group = int(self.points.group_of[point])
        same = self.before.group_of[self.points.numbers[point]] == group
        return self.normals.keep(number) if same else self.normals.moved(number, group)

    def _new(self, point: int, direction: Floats, reach: int) -> int:
        rounded = np.rint(unit(direction) * NORMAL_LENGTH).astype(int).tolist()
        return self.normals.get(int(self.points.group_of[point]), tuple(rounded), range_of(reach))


def _renumber(polygons: NDArray[Any], stream: Ints, index: Ints, count: int) -> None:
    """Put where each normal is now for its number, in place. count: of the normals that there are now."""
    starts = (np.cumsum(lengths_of(polygons)) - lengths_of(polygons)).tolist()
    for start, kind, corners in zip(starts, polygons["material"].tolist(), polygons["count"].tolist(), strict=True):
        normals = range(0, 2 * corners, 2) if kind >= GOURAUD else range(kind >= FLAT_LIT)
        for each in normals:
            number = int(stream[start + each])
            stream[start + each] = index[number] if number >= 0 else -1 - number if -1 - number >= count else NOWHERE


class _Before:
    """The polygons of the file that a shape came from, none for a new one. heads: material, count, colour and second colour of each.
    normals: how many the file has. now: how many points there are now."""

    def __init__(self, original: Lm1 | None, now: int) -> None:
        self.original, self.now = original, now
        self.normals = 0 if original is None else len(original.normals)
        self.points = 0 if original is None else len(original.points)
        self.group_of = np.zeros(0, np.int64) if original is None else Body.from_lm1(original).group_of
        self.count = 0 if original is None else len(original.polygons)
        self.heads: list[tuple[int, ...]] = [] if original is None else [tuple(row) for row in original.polygons.tolist()]
        self.stream: list[int] = [] if original is None else original.stream.tolist()
        sizes = lengths_of(original.polygons) if original is not None else np.zeros(0, np.int64)
        self.starts = (np.cumsum(sizes) - sizes).tolist()
        self.sizes = sizes.tolist()

    def hidden(self) -> set[int]:
        """The faces that Blender was not shown."""
        return set() if self.original is None else set(range(self.count)) - set(shown_faces(self.original).tolist())

    def _values(self, number: int) -> list[tuple[int, bool]]:
        """The numbers behind a head, each with whether it is a normal."""
        values = self.stream[self.starts[number] : self.starts[number] + self.sizes[number]]
        material = self.heads[number][0]
        return [
            (value, (material >= GOURAUD and index % 2 == 0) or (FLAT_LIT <= material < GOURAUD and index == 0))
            for index, value in enumerate(values)
        ]

    def normals_of(self, number: int) -> list[int]:
        return [value for value, is_normal in self._values(number) if is_normal and value < self.normals]

    def renumbered(self, number: int, at: dict[int, int]) -> list[tuple[int, bool]] | None:
        """With the points as they are numbered now; None where one of them is gone."""
        values = [(value if is_normal else self._now(value, at), is_normal) for value, is_normal in self._values(number)]
        return None if any(value < 0 for value, _ in values) else values

    def _there(self, value: int) -> bool:
        return value % POINT_SIZE == 0 and value < POINT_SIZE * self.points

    def _now(self, value: int, at: dict[int, int]) -> int:
        """A reference to a point as these are numbered now, negative for one that is gone; one that leads nowhere still does."""
        if self._there(value):
            return at.get(value // POINT_SIZE, -1) * POINT_SIZE
        return value if value % POINT_SIZE or value >= POINT_SIZE * self.now else NOWHERE

    def owners(self, number: int, at: dict[int, int]) -> list[int]:
        """For each of the numbers the point that it is about, as they are numbered now, -1 for one that is not there."""
        values = self._values(number)
        points = [at.get(value // POINT_SIZE, 0) if self._there(value) else -1 for value, is_normal in values if not is_normal]
        if self.heads[number][0] >= GOURAUD:
            return [point for point in points for _ in range(2)]
        return [points[0]] * (len(values) - len(points)) + points

    def corners(self, number: int) -> dict[int, int]:
        """The normal of each of the file's points in a face that has one at every corner."""
        values = [value for value, _ in self._values(number)]
        pairs = zip(values[1::2], values[::2], strict=True)
        return {point // POINT_SIZE: normal for point, normal in pairs if normal < self.normals}
