"""LM1, the body file of LBA1: points and normals by group, polygons, lines and spheres."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, LiteralString

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes, Reader
from ...reporting import log
from ...reporting.errors import FormatError
from ...reporting.labels import counted

POINT_SIZE, GROUP_SIZE, NORMAL_SIZE = 6, 38, 8
ANIMATED = 2
INFO_AT = 0x10

POINT = np.dtype("<i2")
GROUP = np.dtype(
    [
        ("first_point", "<u2"),  # times 6
        ("point_count", "<u2"),
        ("pivot", "<u2"),  # times 6
        ("parent", "<i2"),  # times 38, -1 for the root
        ("type", "<u2"),
        ("angles", "<i2", 3),
        ("first_normal", "<u2"),  # times 8
        ("normal_count", "<u2"),
        ("old_matrix", "<i2", (3, 3)),
    ]
)
NORMAL = np.dtype([("direction", "<i2", 3), ("range", "<u2")])
POLYGON = np.dtype([("material", "u1"), ("count", "u1"), ("colour", "u1"), ("colour2", "u1")])
LINE = np.dtype([("material", "u1"), ("colour", "u1"), ("colour2", "u1"), ("pad", "u1"), ("points", "<u2", 2)])
SPHERE = np.dtype([("material", "u1"), ("colour", "u1"), ("colour2", "u1"), ("pad", "u1"), ("radius", "<u2"), ("point", "<u2")])

FLAT_LIT, GOURAUD = 7, 9
"""The first materials with one normal a face, and with one a corner."""


def lengths_of(polygons: NDArray[Any]) -> NDArray[np.int64]:
    """(polygons,) how many u16 follow each polygon's head."""
    count = polygons["count"].astype(np.int64)
    material = polygons["material"]
    return np.where(material >= GOURAUD, 2 * count, count + (material >= FLAT_LIT))


@dataclass(frozen=True, eq=False)
class Lm1:
    """Every field of the file. Point references stay multiplied by 6 and parents by 38, as the file has them.

    flags: bit 1 says that there are groups. box: (6,) Xmin, Xmax, Ymin, Ymax, Zmin, Zmax. info: run-time scratch.
    points: (n, 3). stream: what follows the heads of all polygons, end to end: for materials 7 and 8 a normal and then
    the points, from 9 on a normal and a point for each corner, else the points. tail: a last u16, 0 in the games; None
    of a file that ends before it.
    rest: bytes after it.
    """

    flags: int
    box: NDArray[np.int16]
    info_size: int
    info: bytes
    points: NDArray[np.int16]
    groups: NDArray[Any] | None
    normals: NDArray[Any]
    polygons: NDArray[Any]
    stream: NDArray[np.uint16]
    lines: NDArray[Any]
    spheres: NDArray[Any]
    tail: int | None
    rest: bytes = b""

    @classmethod
    def parse(cls, data: Bytes) -> Lm1:
        """Raises FormatError when the sections do not fit, or the groups break what the engine relies on. References may lead nowhere."""
        if is_lm2(bytes(memoryview(data)[:96])):
            raise FormatError("this is an LBA2 body (LM2), not an LM1", 0)
        claimed = INFO_AT + Reader(data, 0x0E).u16("info size")
        try:
            body, problem = cls._parse(data, claimed), None
        except FormatError as error:
            body, problem = None, error
        if claimed != 0x1A and (body is None or not body.sound):
            try:
                other = cls._parse(data, 0x1A)
            except FormatError:
                other = None
            if other is not None and (other.sound or body is None):
                return other
        if body is None:
            assert problem is not None
            raise problem
        return body

    @classmethod
    def _parse(cls, data: Bytes, start: int) -> Lm1:
        reader = Reader(data)
        flags = reader.u16("flags")
        box = reader.array("<i2", 6, "box")
        info_size = reader.u16("info size")
        info = bytes(reader.raw(start - INFO_AT, "run-time info"))
        points = reader.array(POINT, 3 * reader.u16("point count"), "points").reshape(-1, 3)
        groups_at = reader.offset + 2
        groups = reader.array(GROUP, reader.u16("group count"), "groups") if flags & ANIMATED else None
        normals = reader.array(NORMAL, reader.u16("normal count"), "normals")
        polygons, stream = _read_polygons(reader)
        lines = reader.array(LINE, reader.u16("line count"), "lines")
        spheres = reader.array(SPHERE, reader.u16("sphere count"), "spheres")
        tail = reader.u16("tail") if len(reader.data) - reader.offset > 1 else None
        body = cls(flags, box, info_size, info, points, groups, normals, polygons, stream, lines, spheres, tail, reader.rest())
        body._check_groups(groups_at)
        if tail is None:
            log.warning("the body ends before its last word, which the games have as 0: kept so")
        if body.rest:
            log.warning(f"{counted(len(body.rest), 'byte')} after the body; kept")
        return body

    def pack(self) -> bytes:
        parts = [np.uint16(self.flags).tobytes(), self.box.tobytes(), np.uint16(self.info_size).tobytes(), self.info]
        parts += [_counted(self.points)]
        if self.groups is not None:
            parts += [_counted(self.groups)]
        parts += [_counted(self.normals), np.uint16(len(self.polygons)).tobytes(), _polygon_bytes(self.polygons, self.stream)]
        parts += [_counted(self.lines), _counted(self.spheres), b"" if self.tail is None else np.uint16(self.tail).tobytes(), self.rest]
        return b"".join(parts)

    def corner_references(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """For every corner of every polygon: its polygon, its point's index in `stream`, and its normal's (-1 for none)."""
        return self._corner_references

    @cached_property
    def _corner_references(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        count = self.polygons["count"].astype(np.int64)
        material = self.polygons["material"]
        lengths = lengths_of(self.polygons)
        starts = np.cumsum(lengths) - lengths
        polygon = np.repeat(np.arange(len(count)), count)
        corner = np.arange(len(polygon)) - np.repeat(np.cumsum(count) - count, count)
        first, kind = starts[polygon], material[polygon]
        point = np.where(kind >= GOURAUD, first + 2 * corner + 1, first + corner + (kind >= FLAT_LIT))
        normal = np.where(kind >= GOURAUD, first + 2 * corner, np.where(kind >= FLAT_LIT, first, -1))
        return polygon, point, normal

    def _check_groups(self, at: int) -> None:
        """What the engine relies on: parents before children, one root, pivots in the parent, contiguous points."""
        if self.groups is None:
            return
        groups, count = self.groups, len(self.points)
        if not len(groups):
            raise FormatError("an animated body without groups", at)
        first, points, parent, pivot = (groups[name].astype(np.int64) for name in ("first_point", "point_count", "parent", "pivot"))

        def reject(bad: NDArray[np.bool_], field: LiteralString, problem: str) -> None:
            if bad.any():
                group = int(np.argmax(bad))
                assert GROUP.fields is not None
                offset = at + group * GROUP_SIZE + GROUP.fields[field][1]
                raise FormatError(f"group {group}: {problem} ({int(groups[field][group])})", offset)

        index = np.arange(len(groups))
        reject(first % POINT_SIZE != 0, "first_point", "first point is not a multiple of 6")
        reject(pivot % POINT_SIZE != 0, "pivot", "pivot is not a multiple of 6")
        reject((parent != -1) & ((parent < 0) | (parent % GROUP_SIZE != 0)), "parent", "parent is not a multiple of 38")
        reject((parent == -1) != (index == 0), "parent", "the first group, and no other, must be the root")
        parents = np.maximum(parent, 0) // GROUP_SIZE
        reject((parents >= index) & (index > 0), "parent", "its parent does not come before it")
        ends = np.cumsum(points)
        reject(first // POINT_SIZE != ends - points, "first_point", "its points do not follow those of the group before")
        if ends[-1] != count:
            raise FormatError(f"the groups have {int(ends[-1])} points, the body {count}", at)
        inside = (pivot // POINT_SIZE >= (ends - points)[parents]) & (pivot // POINT_SIZE < ends[parents])
        reject(~inside & (index > 0), "pivot", "its pivot is no point of its parent")

    @cached_property
    def sound(self) -> bool:
        """Whether all references lead to points and normals of the body."""
        _, point, normal = self.corner_references()
        references = np.concatenate([self.stream[point], self.lines["points"].ravel(), self.spheres["point"]])
        return bool(self.points_there(references).all() and (self.stream[normal[normal >= 0]] < len(self.normals)).all())

    def points_there(self, references: NDArray[Any]) -> NDArray[np.bool_]:
        """Which references lead to a point of the body."""
        return (references % POINT_SIZE == 0) & (references < POINT_SIZE * len(self.points))

    def points_of(self, references: NDArray[Any]) -> NDArray[np.int64]:
        """The points that references lead to; -1 for those that lead nowhere."""
        return np.where(self.points_there(references), references.astype(np.int64) // POINT_SIZE, -1)


def _counted(table: NDArray[Any]) -> bytes:
    return np.uint16(len(table)).tobytes() + table.tobytes()


def _read_polygons(reader: Reader) -> tuple[NDArray[Any], NDArray[np.uint16]]:
    """The heads and the streams behind them. Only the walk from one head to the next is a loop."""
    count = reader.u16("polygon count")
    data, start, offset, end = reader.data, reader.offset, reader.offset, len(reader.data)
    heads: list[int] = []
    for index in range(count):
        if offset + POLYGON.itemsize > end:
            raise FormatError(f"polygon {index} of {count} is cut off", offset)
        material, corners = data[offset], data[offset + 1]
        if not 3 <= corners <= 16:
            raise FormatError(f"polygon {index} has {corners} points, not 3 to 16", offset + 1)
        heads.append(offset)
        stream = 2 * corners if material >= GOURAUD else corners + (material >= FLAT_LIT)
        offset += POLYGON.itemsize + 2 * stream
    raw = np.frombuffer(reader.raw(offset - start, f"polygon {count - 1}"), "u1")
    is_head = np.zeros(len(raw), bool)
    head_bytes = np.array(heads, np.int64)[:, None] - start + np.arange(POLYGON.itemsize)
    is_head[head_bytes] = True
    return raw[is_head].view(POLYGON), raw[~is_head].view("<u2")


def _polygon_bytes(polygons: NDArray[Any], stream: NDArray[np.uint16]) -> bytes:
    sizes = POLYGON.itemsize + 2 * lengths_of(polygons)
    heads = (np.cumsum(sizes) - sizes)[:, None] + np.arange(POLYGON.itemsize)
    out = np.zeros(int(sizes.sum()), "u1")
    is_head = np.zeros(len(out), bool)
    is_head[heads] = True
    out[is_head] = np.frombuffer(polygons.tobytes(), "u1")
    out[~is_head] = np.frombuffer(stream.tobytes(), "u1")
    return out.tobytes()


def is_lm2(head: bytes) -> bool:
    """Whether a body is LBA2's: its groups are right behind a header of 96 bytes, as its table of sections has it, and the header gives
    its own size. In bodies that people made it does not; then the sections follow each other without a gap."""
    if len(head) < 96:
        return False
    table = np.frombuffer(head, "<u4", 16, 32).astype(np.int64).reshape(8, 2).tolist()
    if table[0][1] != 96:
        return False
    if head[4:8] == b"\x60\0\0\0":
        return True
    end = 96
    for section, (count, offset) in enumerate(table):
        polygons_end = section == 5 and offset > end  # how long the polygons are they say themselves
        if count and offset != end and not polygons_end:
            return False
        end = (offset if polygons_end else end) + (0 if section == 4 else 8 * count)
    return any(count for count, _ in table[:2])


def recognise(head: bytes, size: int) -> bool:
    """Whether a file that starts with `head` can be an LM1: its counts end inside the file."""
    if len(head) < 0x1C or is_lm2(head) or size < 0x1C:
        return False
    flags, info = int.from_bytes(head[:2], "little"), int.from_bytes(head[14:16], "little")
    if flags > 7 or info > 64:
        return False
    offset = INFO_AT + info
    for item in (POINT_SIZE, GROUP_SIZE if flags & ANIMATED else 0, NORMAL_SIZE):
        if item and offset + 2 <= len(head):
            offset += 2 + item * int.from_bytes(head[offset : offset + 2], "little")
    return offset <= size
