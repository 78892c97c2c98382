"""LM2, the body file of LBA2: groups, points with a normal each, polygons in runs of one type, lines, spheres and texture regions.

Source: AFF_OBJ.H T_BODY_HEADER, AFF_OBJ.CPP STRUC_POLY3_LIGHT and the records beside it.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any, LiteralString

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes, Reader
from ...reporting import log
from ...reporting.errors import FormatError
from ...reporting.labels import counted
from .lm1 import is_lm2
from .lm1 import recognise as is_lm1

HEADER_SIZE = 96
ANIMATED = 1 << 8
ROOT = 0xFFFF

GROUP = np.dtype([("parent", "<u2"), ("pivot", "<u2"), ("point_count", "<u2"), ("face_normal_count", "<u2")])
POINT = np.dtype([("position", "<i2", 3), ("group", "<u2")])
NORMAL = np.dtype([("direction", "<i2", 3), ("group", "<u2")])
RUN = np.dtype([("type", "<u2"), ("count", "<u2"), ("size", "<u4")])
LINE = np.dtype([("type", "<u2"), ("colour", "<u2"), ("points", "<u2", 2)])
SPHERE = np.dtype([("type", "<u2"), ("colour", "<u2"), ("point", "<u2"), ("radius", "<u2")])
TEXTURE = np.dtype([("corner", "<u2"), ("mask", "u1", 2)])
SECTION = np.dtype([("count", "<u4"), ("offset", "<u4")])

SECTIONS = ("groups", "points", "normals", "face normals", "polygons", "lines", "spheres", "textures")
SECTIONS_AT = 0x20
GROUPS_AT = 0x24
"""Where the table of sections is in the header, and in it the offset of the first."""
POLYGONS, LINES = 4, 5

QUAD, ENVIRONMENT = 1 << 15, 1 << 14
SOLID, FLAT, TRANSPARENT, SCREEN_DOOR, GOURAUD, DITHER, GOURAUD_TABLE, DITHER_TABLE = range(8)
TEXTURED = 8
"""The first type with a texture. From here on groups of four: solid, flat, Gouraud, dithered; the second and the fourth group have a
transparent texel 0, the third and the fourth are drawn in perspective."""

MOST_RUNS = 0xFFFF
"""Of polygons: far more than the engine has polygons for."""

TYPES = 24
RECORD = 16
"""Words of the longest record."""


def lengths_of(types: NDArray[Any]) -> NDArray[np.int32]:
    """(...) how many u16 a polygon of each type (...) takes."""
    kind = types.astype(np.int32)
    textured = np.where(kind & QUAD, 16, 12)
    return np.where(kind & ENVIRONMENT, 8, np.where(kind & 0xFF < TEXTURED, 6, textured)).astype(np.int32)


@cache
def _length(kind: int) -> int:
    return int(lengths_of(np.array(kind)))


@dataclass(frozen=True, eq=False)
class Faces:
    """The polygons F as columns. type: with its flags. corners: (F, 4) points, the fourth of a triangle is the first again. colour,
    normal: as in the file. handle: texture region, -1 without. scale: of an environment map. uv: (F, 4, 2) 8.8 fixed point."""

    type: NDArray[np.int32]
    quad: NDArray[np.bool_]
    corners: NDArray[np.int32]
    colour: NDArray[np.int32]
    normal: NDArray[np.int32]
    handle: NDArray[np.int32]
    scale: NDArray[np.int32]
    uv: NDArray[np.int32]

    @property
    def kind(self) -> NDArray[np.int32]:
        """(F,) SOLID and the others, without the flags."""
        return self.type & 0xFF


@dataclass(frozen=True, eq=False)
class Lm2:
    """Every field of the file; offsets follow from the sizes, since the sections stand behind one another.

    header_size, reserved: as in the file, 96 and 0 but in bodies that people made. unused: offsets of sections without a record, where
    they are not where the section before ends, by section.
    info: version in the low byte, bit 8 animated, 9 not sorted, 10 transparent. box: (6,) Xmin, Xmax, Ymin, Ymax, Zmin, Zmax.
    points: relative to their group's pivot. normals: one a point. runs: heads of polygons of one type; size is that of the run in bytes,
    head included, which the engine does not read. stream: the records of all runs, end to end. polygon_count: the header's.
    textures: corner in the texture page (y * 256 + x) and repeat masks of u and v. rest: bytes after the last section. gaps: bytes before
    sections, by section.
    """

    info: int
    box: NDArray[np.int32]
    groups: NDArray[Any]
    points: NDArray[Any]
    normals: NDArray[Any]
    face_normals: NDArray[Any]
    polygon_count: int
    runs: NDArray[Any]
    stream: NDArray[np.uint16]
    lines: NDArray[Any]
    spheres: NDArray[Any]
    textures: NDArray[Any]
    rest: bytes = b""
    header_size: int = HEADER_SIZE
    reserved: int = 0
    unused: tuple[tuple[int, int], ...] = ()
    gaps: tuple[tuple[int, bytes], ...] = ()

    @classmethod
    def parse(cls, data: Bytes) -> Lm2:
        """Raises FormatError when sections overlap or end behind the file, or break what the engine relies on."""
        head = bytes(memoryview(data)[:4096])
        if not is_lm2(head) and head[GROUPS_AT : GROUPS_AT + 4] != b"\x60\0\0\0":
            if is_lm1(head, len(data)):
                raise FormatError("this is an LBA1 body (LM1), not an LM2", 0)
            raise FormatError("not an LBA2 body (LM2): no header of 96 bytes with the groups behind it", 0)
        reader = Reader(data)
        info = int(reader.array("<i4", 1, "info")[0])
        header_size, reserved = reader.array("<i2", 2, "header size").tolist()
        box = reader.array("<i4", 6, "box")
        sections = reader.array(SECTION, len(SECTIONS), "section table")
        unused: list[tuple[int, int]] = []
        gaps: list[tuple[int, bytes]] = []

        def enter(section: int) -> int:
            claimed = int(sections["offset"][section])
            if claimed != reader.offset and section not in (POLYGONS, LINES) and not sections["count"][section]:
                unused.append((section, claimed))
            elif claimed > reader.offset and section != LINES:  # up to the lines the engine takes all for polygons
                gaps.append((section, bytes(reader.raw(claimed - reader.offset, f"bytes before the {SECTIONS[section]}"))))
            elif claimed != reader.offset:
                at = SECTIONS_AT + SECTION.itemsize * section + 4
                raise FormatError(f"the {SECTIONS[section]} are at {claimed} instead of {reader.offset}, where the section before ends", at)
            return int(sections["count"][section])

        def table(section: int, dtype: np.dtype[Any]) -> NDArray[Any]:
            return reader.array(dtype, enter(section), SECTIONS[section])

        groups, points, normals, face_normals = (table(index, kind) for index, kind in enumerate((GROUP, POINT, NORMAL, NORMAL)))
        polygon_count = enter(POLYGONS)
        runs, stream = _read_polygons(reader, int(sections["offset"][LINES]))
        lines, spheres, textures = (table(index, kind) for index, kind in enumerate((LINE, SPHERE, TEXTURE), LINES))
        rest = reader.rest()
        tables = (groups, points, normals, face_normals, polygon_count, runs, stream, lines, spheres, textures)
        body = cls(info, box, *tables, rest, header_size, reserved, tuple(unused), tuple(gaps))
        body._check_groups()
        if rest:
            log.warning(f"{counted(len(rest), 'byte')} after the body; kept")
        if gaps:
            log.warning(f"{counted(sum(len(gap) for _, gap in gaps), 'byte')} between the sections; kept")
        return body

    def pack(self) -> bytes:
        parts = (self.groups, self.points, self.normals, self.face_normals, None, self.lines, self.spheres, self.textures)
        blocks = [_polygon_bytes(self.runs, self.stream) if part is None else part.tobytes() for part in parts]
        sections = np.zeros(len(SECTIONS), SECTION)
        sections["count"] = [self.polygon_count if part is None else len(part) for part in parts]
        gaps = [dict(self.gaps).get(section, b"") for section in range(len(SECTIONS))]
        ends = np.cumsum([len(gap) + len(block) for gap, block in zip(gaps, blocks, strict=True)])
        sections["offset"] = HEADER_SIZE + ends - [len(block) for block in blocks]
        for section, offset in self.unused:
            if not sections["count"][section]:
                sections["offset"][section] = offset
        sizes = np.array([self.header_size, self.reserved], "<i2").tobytes()
        head = np.int32(self.info).astype("<i4").tobytes() + sizes + self.box.tobytes()
        return b"".join((head, sections.tobytes(), *chain.from_iterable(zip(gaps, blocks, strict=True)), self.rest))

    @cached_property
    def animated(self) -> bool:
        """Whether the groups move: a body with several is animated whatever its header says, unless they make no sense."""
        return (bool(self.info & ANIMATED) or len(self.groups) > 1) and self._group_problem is None

    @cached_property
    def faces(self) -> Faces:
        """The polygons, whatever their kind, as columns."""
        types = np.repeat(self.runs["type"].astype(np.int32), self.runs["count"])
        sizes = lengths_of(types)
        starts = (np.cumsum(sizes) - sizes).astype(np.int32)
        offset = starts[:, None] + np.minimum(np.arange(RECORD, dtype=np.int32), sizes[:, None] - 1)
        record = self.stream[offset].astype(np.int32) if len(types) else np.zeros((0, RECORD), np.int32)
        quad, environment, textured = types & QUAD != 0, types & ENVIRONMENT != 0, types & 0xFF >= TEXTURED
        corners = np.where((np.arange(4) == 3) & ~quad[:, None], record[:, :1], record[:, :4])
        handle_at = np.where(quad, np.where(environment, 7, 14), 3)
        handle = np.where(textured, np.take_along_axis(record, handle_at[:, None], axis=1)[:, 0], -1)
        handle[handle >= len(self.textures)] = -1  # then it has the colour alone
        scale = np.where(environment, record[:, 6], 0)
        mapped = (textured & ~environment)[:, None, None]
        uv = np.where(mapped, record[:, 6:14].reshape(-1, 4, 2), 0)
        uv[~quad, 3] = uv[~quad, 0]
        return Faces(types, quad, corners, record[:, 4], record[:, 5], handle, scale, uv)

    @cached_property
    def _group_problem(self) -> FormatError | None:
        """What keeps the groups from being posed: parents and pivots must be placed before what hangs on them. A group without a parent
        is a root; the first always is."""
        groups, count = self.groups, len(self.points)
        if not len(groups):
            return FormatError("an animated body without groups", SECTIONS_AT)
        parent, pivot, points = (groups[name].astype(np.int64) for name in ("parent", "pivot", "point_count"))
        index, ends = np.arange(len(groups)), np.cumsum(points)
        child = (index > 0) & (parent != ROOT)
        if (late := child & (parent >= index)).any():
            return self._about_group(late, "parent", "its parent does not come before it")
        if ends[-1] != count:
            return FormatError(f"the groups have {int(ends[-1])} points, the body {count}", HEADER_SIZE)
        if (late := child & (pivot >= ends - points)).any():
            return self._about_group(late, "pivot", "its pivot is no point of the groups before it")
        return None

    def _about_group(self, wrong: NDArray[np.bool_], field: LiteralString, problem: str) -> FormatError:
        group = int(np.argmax(wrong))
        assert GROUP.fields is not None
        offset = HEADER_SIZE + group * GROUP.itemsize + GROUP.fields[field][1]
        return FormatError(f"group {group}: {problem} ({int(self.groups[field][group])})", offset)

    def _check_groups(self) -> None:
        """Warns of groups that are not what the engine relies on."""
        claimed = self.info & ANIMATED or (not self.info and len(self.groups) > 1)  # 0 in what people made
        if claimed and self._group_problem is not None:
            log.warning(f"{self._group_problem}: its groups do not move")
        if not self.animated:
            return
        parent, pivot, points = (self.groups[name].astype(np.int64) for name in ("parent", "pivot", "point_count"))
        ends = np.cumsum(points)
        child = (np.arange(len(parent)) > 0) & (parent != ROOT)
        above = np.where(child, parent, 0)
        strange = child & ((pivot < (ends - points)[above]) | (pivot >= ends[above]))
        for group in np.flatnonzero(strange).tolist():
            log.warning(f"group {group} hangs on point {int(pivot[group])}, which is not its parent's")


def _read_polygons(reader: Reader, end: int) -> tuple[NDArray[Any], NDArray[np.uint16]]:
    """The runs' heads and the streams of their records, up to the lines, which end the loop in the engine too."""
    start, data = reader.offset, reader.data
    if not start <= end <= len(data):
        at = SECTIONS_AT + SECTION.itemsize * LINES + 4
        raise FormatError(f"the lines are at {end}, the polygons before them at {start} of {len(data)} bytes", at)
    heads: list[int] = []
    strange = 0
    offset = start
    while offset < end:
        if len(heads) == MOST_RUNS:
            raise FormatError(f"more than {MOST_RUNS} runs of polygons", offset)
        if offset + RUN.itemsize > end:
            raise FormatError(f"{end - offset} bytes between the last polygon and the lines", offset)
        kind, count, size = struct.unpack_from("<HHI", data, offset)
        if kind & 0xFF >= TYPES:
            raise FormatError(f"unknown polygon type {kind & 0xFF}", offset)
        length = RUN.itemsize + 2 * count * _length(kind)
        if offset + length > end:
            raise FormatError(f"{count} polygons of type {kind & 0xFF} take {length} bytes, {end - offset} are left", offset)
        strange += size != length
        heads.append(offset - start)
        offset += length
    if strange:
        log.warning(f"{strange} runs of polygons store another size than they have; kept")
    raw = np.frombuffer(reader.raw(end - start, "polygons"), "u1")
    is_head = np.zeros(len(raw), bool)
    is_head[np.array(heads, np.int64)[:, None] + np.arange(RUN.itemsize)] = True
    return raw[is_head].view(RUN), raw[~is_head].view("<u2")


def _polygon_bytes(runs: NDArray[Any], stream: NDArray[np.uint16]) -> bytes:
    ends = np.cumsum(runs["count"].astype(np.int64) * lengths_of(runs["type"])).tolist()
    starts = [0, *ends][: len(ends)]
    return b"".join(
        part for head, start, stop in zip(runs, starts, ends, strict=True) for part in (head.tobytes(), stream[start:stop].tobytes())
    )


def recognise(head: bytes, size: int) -> bool:
    """Whether a file of `size` bytes that starts with `head` is an LM2."""
    return size >= HEADER_SIZE and is_lm2(head)
