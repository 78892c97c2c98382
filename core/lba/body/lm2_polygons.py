"""Polygons of a shape as the records of an LM2: one that was not edited keeps its words, its texture region and its normal."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.directions import angle_between
from ...reporting.errors import ExportError
from ...surface import kept_light
from ..files.lm2 import ENVIRONMENT, FLAT, NORMAL, QUAD, RUN, TEXTURED, Faces, Lm2, lengths_of
from .light import LENGTH_OF_SHADE
from .lm2_mesh import drawn_corners, shading_of
from .normal_table import NormalTable, owners
from .shape import NOWHERE, Ints, Points, Shape, cycle, unit
from .visible_faces import shown_faces

LIGHT = 5
"""Word of a record that says which normal lights it."""

_FIRST_UV = 6
"""Word of a textured record at which the coordinates begin."""

LOST = 1 << 16
"""Added to the number of a normal that is not there."""


class Encoder:
    """Polygons as records. References to face normals are negative yet: -1 for number 0 of `normals`, and so on."""

    def __init__(self, shape: Shape, points: Points, original: Lm2 | None, fresh: bool) -> None:
        self.shape, self.points, self.original, self.fresh = shape, points, original, fresh
        self.old = None if original is None else _Old.of(original)
        known = np.zeros(0, NORMAL) if original is None else original.face_normals
        groups = original.groups["face_normal_count"] if original is not None and len(original.groups) else None
        self.normals = NormalTable(known["direction"], known["group"], owners(groups, len(known)))
        self.lights_before = 0 if original is None else len(original.normals)
        self.at = points.by_number
        self.flat = shape.flat_normals()
        self.textures: list[tuple[int, int, int]] = []
        if original is not None:
            corners, masks = original.textures["corner"].tolist(), original.textures["mask"].tolist()
            self.textures = [(corner, mask[0], mask[1]) for corner, mask in zip(corners, masks, strict=True)]

    def runs(self) -> tuple[NDArray[Any], Ints]:
        heads: list[tuple[int, int]] = []
        members: list[list[list[int]]] = []
        current = {number: face for face, number in enumerate(self.shape.face_numbers.tolist()) if number >= 0}
        late: list[tuple[int, list[int]]] = []
        number = 0
        for kind, count, size in self.original.runs.tolist() if self.original is not None else ():
            records: list[list[int]] = []
            for face_number in range(number, number + count):
                encoded = self._of_file(face_number, current.get(face_number, -1))
                if encoded is not None and encoded[0] == kind:
                    records.append(encoded[1])
                elif encoded is not None:
                    late.append(encoded)
            number += count
            heads.append((kind, size if len(records) == count else -1))
            members.append(records)
        late += [self._encoded(face, -1) for face in np.flatnonzero(self.shape.face_numbers < 0).tolist()]
        for kind, record in late:
            at = next((index for index, (known, _) in enumerate(heads) if known == kind), -1)
            if at < 0:
                at = next((index for index, (known, _) in enumerate(heads) if _rank(known) > _rank(kind)), len(heads))
                heads.insert(at, (kind, -1))
                members.insert(at, [])
            members[at].append(record)
            heads[at] = (kind, -1)
        table = np.zeros(len(heads), RUN)
        for index, ((kind, size), records) in enumerate(zip(heads, members, strict=True)):
            table[index] = (kind, len(records), size if size >= 0 else RUN.itemsize + 2 * sum(map(len, records)))
        empty = (table["count"] == 0) & np.array([size < 0 for _, size in heads], bool)
        return table[~empty], np.array([value for records in members for record in records for value in record], np.int64)

    def _of_file(self, number: int, face: int) -> tuple[int, list[int]] | None:
        """The record of one of the file's faces and its type; None where it is gone."""
        assert self.old is not None
        if face >= 0:
            return self._encoded(face, number)
        record = self._kept(number) if number in self.old.hidden else None
        if record is None:
            self._drop(number)
        return None if record is None else (int(self.old.faces.type[number]), record)

    def _drop(self, number: int) -> None:
        assert self.old is not None
        light = int(self.old.faces.normal[number]) - self.lights_before
        if 0 <= light < self._face_normals:
            self.normals.drop(light)

    @property
    def _face_normals(self) -> int:
        return 0 if self.original is None else len(self.original.face_normals)

    def _kept(self, number: int) -> list[int] | None:
        """A record with its points and its normal as they are numbered now; None where a point is gone."""
        assert self.old is not None
        record = list(self.old.records[number])
        corners = 4 if self.old.faces.quad[number] else 3
        for slot in range(corners):
            record[slot] = self._now(record[slot])
        if min(record[:corners]) < 0:
            return None
        light = record[LIGHT]
        if light < self.lights_before:
            record[LIGHT] = self.at.get(light, 0) if light < self.old.points else light
        elif light - self.lights_before < self._face_normals:
            record[LIGHT] = -1 - self.normals.keep(light - self.lights_before)
        else:
            record[LIGHT] = LOST + light
        return record

    def _now(self, point: int) -> int:
        """A point as these are numbered now, -1 for one that is gone; one that is not there still is not."""
        assert self.old is not None
        if point < self.old.points:
            return self.at.get(point, -1)
        return point if point >= len(self.points.world) else NOWHERE

    def _encoded(self, face: int, number: int) -> tuple[int, list[int]]:
        """number: of the file's faces, -1 for a new one."""
        shape, old = self.shape, self.old
        here = self.points.index[shape.corners[shape.face(face)]].tolist()
        kind = int(shape.types[face])
        region: tuple[int, ...] = tuple(shape.regions[face].tolist())
        if number >= 0 and old is not None:
            record = self._kept(number)
            drawn = [] if record is None else [record[slot] for slot in old.drawn[number]]
            handle = int(old.faces.handle[number])
            textured = handle >= 0
            same_region = self._region(handle if textured else -1) == region
            lit = self.fresh and shading_of(old.faces.kind[number : number + 1])[0] == FLAT
            if record is not None and cycle(drawn) == cycle(here) and kind == old.faces.kind[number] and same_region and not lit:
                record[4] = record[4] & ~0xFF | int(shape.colours[face])
                if textured and not old.faces.type[number] & ENVIRONMENT:
                    first = drawn.index(here[0])
                    slots = old.drawn[number][first:] + old.drawn[number][:first]
                    self._put_uvs(record, face, slots)
                return int(old.faces.type[number]), record
            self._drop(number)
        return self._new(face, number, here, kind, region)

    def _put_uvs(self, record: list[int], face: int, slots: list[int]) -> None:
        for slot, (u, v) in zip(slots, self._texels(face), strict=True):
            record[_FIRST_UV + 2 * slot], record[_FIRST_UV + 2 * slot + 1] = u, v

    def _texels(self, face: int) -> list[tuple[int, int]]:
        """The coordinates of a face's corners in 1/256 texel."""
        _, mask_u, mask_v = self.shape.regions[face].tolist()
        uv = self.shape.uvs[self.shape.face(face)]
        size = np.array([1 << mask_u.bit_length(), 1 << mask_v.bit_length()])
        fixed = np.floor(np.column_stack([uv[:, 0], 1 - uv[:, 1]]) * size * 256).astype(np.int64) & 0xFFFF
        return [(u, v) for u, v in fixed.tolist()]

    def _region(self, handle: int) -> tuple[int, ...]:
        return self.textures[handle] if handle >= 0 else (-1, -1, -1)

    def _texture(self, region: tuple[int, ...]) -> int:
        """The handle of a region, a new one where there is none. Raises ExportError for a face that has none."""
        corner, mask_u, mask_v = region
        if corner < 0:
            raise ExportError("a face is drawn with the texture page, and its material does not say with which region of it (lba_region)")
        if (corner, mask_u, mask_v) not in self.textures:
            self.textures.append((corner, mask_u, mask_v))
        return self.textures.index((corner, mask_u, mask_v))

    def _new(self, face: int, number: int, here: list[int], kind: int, region: tuple[int, ...]) -> tuple[int, list[int]]:
        shape, quad = self.shape, len(here) == 4
        shading = int(shading_of(np.array([kind], np.int32))[0])
        reach = int(shape.reach[face])
        known = self.old is not None and number >= 0 and self.old.faces.kind[number] == kind
        environment = known and self.old is not None and bool(self.old.faces.type[number] & ENVIRONMENT)
        high = int(self.old.faces.colour[number]) & ~0xFF if known and self.old is not None else (reach + 1 << 8 if shading else 0)
        light = here[0]
        if shading == FLAT:
            direction = np.trunc(unit(self.flat[face]) * length_of(reach)).astype(int).tolist()
            group = int(self.points.group_of[here[0]])
            light = -1 - self.normals.get(group, tuple(direction), group)
        record = [*here, *([0] if not quad else []), high | int(shape.colours[face]), light]
        if kind >= TEXTURED:
            handle = self._texture(region)
            if environment and self.old is not None:
                scale = int(self.old.faces.scale[number])
                record = [*record, scale, handle if quad else 0]
            else:
                record += [value for pair in self._texels(face) for value in pair] + ([handle, 0] if quad else [])
            if not quad:
                record[3] = handle
        return kind | QUAD * quad | ENVIRONMENT * environment, record

    def point_normals(self) -> NDArray[Any]:
        """One for each point; the file's own for its own points."""
        points, original = self.points, self.original
        count = len(points.world)
        if original is not None and len(original.normals) != len(original.points) and (points.numbers == np.arange(count)).all():
            return original.normals
        table = np.zeros(count, NORMAL)
        own = points.numbers >= 0
        if original is not None:
            known = own & (points.numbers < len(original.normals))
            table[known] = original.normals[points.numbers[known]]
        lit = np.repeat(shading_of(self.shape.types.astype(np.int32)) > FLAT, self.shape.counts)
        corners = self.points.index[self.shape.corners[lit]]
        sums, reach = np.zeros((count, 3)), np.zeros(count, np.int64)
        faces = np.repeat(np.arange(len(self.shape.starts)), self.shape.counts)[lit]
        given = self.shape.normals[lit]
        given = np.where(np.any(given, axis=1, keepdims=True), given, self.flat[faces])
        np.add.at(sums, corners, unit(given))
        np.maximum.at(reach, corners, self.shape.reach[faces])
        anew: NDArray[np.bool_] = np.any(sums, axis=1) & (np.ones(count, bool) if self.fresh else ~own)
        directions = np.trunc(unit(sums) * length_of(reach[:, None])).astype(np.int64)
        table["direction"][anew] = directions[anew]
        apart = np.zeros(len(self.shape.starts))
        np.maximum.at(apart, faces, np.where(anew[corners], angle_between(given, sums[corners]), 0))
        kept_light.report_shared(apart)
        return table


@dataclass(frozen=True, eq=False)
class _Old:
    """The polygons of the file, and the records of each. points: how many the file has. drawn: for each face the slots of the corners
    that are drawn, in order."""

    faces: Faces
    points: int
    records: list[list[int]]
    drawn: list[list[int]]
    hidden: frozenset[int]

    @classmethod
    def of(cls, original: Lm2) -> _Old:
        faces = original.faces
        starts, sizes = starts_of(original.runs).tolist(), lengths_of(faces.type).tolist()
        stream = original.stream.tolist()
        face_of, slot = drawn_corners(faces)
        bounds = np.searchsorted(face_of, np.arange(len(faces.type) + 1)).tolist()
        slots = slot.tolist()
        drawn = [slots[first:last] for first, last in pairwise(bounds)]
        hidden = frozenset(range(len(faces.type))) - set(shown_faces(original).tolist())
        records = [stream[start : start + size] for start, size in zip(starts, sizes, strict=True)]
        return cls(faces, len(original.points), records, drawn, hidden)


def starts_of(runs: NDArray[Any]) -> Ints:
    """(F,) the word of the stream at which the record of each polygon begins."""
    sizes = lengths_of(np.repeat(runs["type"], runs["count"])).astype(np.int64)
    return np.cumsum(sizes) - sizes


def _rank(kind: int) -> tuple[int, bool, bool]:
    """In which order runs stand: by type, triangles before quads."""
    return kind & 0xFF, bool(kind & ENVIRONMENT), bool(kind & QUAD)


def length_of(reach: Any) -> Any:
    """Of a normal that light adds so many whole shades to at most, a little shorter than the one that adds one more."""
    return LENGTH_OF_SHADE * (reach + 1) - 1
