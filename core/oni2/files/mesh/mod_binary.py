"""The binary form of a mesh file, version 2.10, as far as it is known: what does not fit this is refused.

Source: Oni2Rebuilt model.rs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....files.binary import Bytes, Reader
from ....reporting.errors import FormatError
from .model import Model, Packet, Surface, triangles_of

MAGIC = b"version: 2.10\0"
TRAILER = b"mtxv"
COUNTS = ("vertices", "normals", "colours", "tex1", "tex2", "tangents", "materials", "adjuncts", "primitives", "matrices", "reskins")
_WIDTHS = (3, 3, 4, 2, 2, 3)
_ADJUNCT = 6
_RESKIN = 24
_FLOATS = 9
"""Of a material: ambient, diffuse and specular colour."""


@dataclass(frozen=True)
class Position:
    """Where a material stands: its name, first and last byte, its diffuse colour, and the name of its texture; None without one."""

    name: tuple[int, int]
    diffuse: int
    texture: tuple[int, int] | None


def read(data: Bytes) -> Model:
    """Raises FormatError for a part that is not as expected, or when an index points nowhere."""
    return read_with_positions(data)[0]


def read_with_positions(data: Bytes) -> tuple[Model, list[Position]]:
    """As `read`, and where each material stands."""
    reader = Reader(data)
    if bytes(reader.raw(len(MAGIC), "the version")) != MAGIC:
        raise FormatError("not a mesh of version 2.10", 0)
    counts = dict(zip(COUNTS, reader.array("<u4", len(COUNTS), "the counts").tolist(), strict=True))
    tables = [_floats(reader, counts[name], width, name) for name, width in zip(COUNTS, _WIDTHS, strict=False)]
    placed = [_surface(reader, number) for number in _bounded(counts["materials"], reader, "materials")]
    surfaces = [surface for surface, _ in placed]
    packets: list[Packet] = []
    for surface in surfaces:
        packets += [_packet(reader, len(packets) + index) for index in _bounded(surface.packets, reader, "packets")]
    if reader.left and bytes(reader.data[reader.offset : reader.offset + 4]) != TRAILER:
        raise FormatError(f"something other than the end follows after {len(packets)} packets: not as this version is known", reader.offset)
    adjuncts = sum(len(packet.adjuncts) for packet in packets)
    if adjuncts != counts["adjuncts"]:
        raise FormatError(f"{adjuncts} adjuncts in the packets instead of {counts['adjuncts']}", 14 + 4 * 7)
    model = Model(tables[0], tables[1], tables[2], tables[3], tuple(surfaces), tuple(packets))
    model.check()
    return model, [position for _, position in placed]


def offsets_of(data: Bytes) -> list[int]:
    """Where the tables of vertices, normals, colours and texture coordinates start, and the last of them ends."""
    counts = np.frombuffer(data, "<u4", len(COUNTS), len(MAGIC)).tolist()
    sizes = [4 * width * count for width, count in zip(_WIDTHS, counts, strict=False)][:4]
    return np.cumsum([len(MAGIC) + 4 * len(COUNTS), *sizes]).tolist()


def _bounded(count: int, reader: Reader, what: str) -> range:
    """The numbers of `count` records of 16 bytes or more; no more than can be there."""
    if count > reader.left // 16:
        raise FormatError(f"{count} {what} in {reader.left} bytes", reader.offset)
    return range(count)


def _floats(reader: Reader, count: int, width: int, name: str) -> NDArray[np.float32]:
    start = reader.offset
    table = reader.array("<f4", count * width, name).reshape(count, width)
    if not np.isfinite(table).all():
        raise FormatError(f"{name}: a number is not finite", start)
    return table


def _surface(reader: Reader, number: int) -> tuple[Surface, Position]:
    """A name up to a space, counts, colours, then numbers of unknown meaning up to the name of the texture and the zeros behind it."""
    what, start, at = f"material {number}", reader.offset, None
    name = _until(reader, b" ", what)
    end = reader.offset - 1
    packets, _, textures, _ = reader.array("<u4", 4, what).tolist()
    colours = reader.array("<f4", _FLOATS, what)
    if not np.isfinite(colours).all():
        raise FormatError(f"{what}: a colour is not finite", reader.offset - 4 * _FLOATS)
    diffuse = reader.offset - 4 * _FLOATS + 12
    texture = ""
    while textures and not texture:
        if re.match(rb"[A-Za-z]", bytes(reader.data[reader.offset : reader.offset + 1])):
            first = reader.offset
            texture = _until(reader, b"\0", what).strip()
            at = first, reader.offset - 1
            while reader.left and reader.data[reader.offset] == 0:
                reader.offset += 1
        else:
            reader.raw(4, f"{what}, its texture")
    red, green, blue = colours[3:6].tolist()
    return Surface(name, packets, (red, green, blue), texture), Position((start, end), diffuse, at)


def _until(reader: Reader, mark: bytes, what: str) -> str:
    """The text before `mark`, 256 bytes at the most; the mark is used up."""
    piece = bytes(reader.data[reader.offset : reader.offset + 256])
    length = piece.find(mark)
    if length < 0:
        raise FormatError(f"{what}: its name does not end", reader.offset)
    reader.raw(length + 1, what)
    return piece[:length].decode("latin-1")


def _packet(reader: Reader, number: int) -> Packet:
    what = f"packet {number}"
    adjuncts, strips, matrices, reskins = reader.array("<u4", 4, what).tolist()
    table = reader.array("<i4", adjuncts * _ADJUNCT, what).reshape(-1, _ADJUNCT).astype(np.int64)
    reader.raw(reskins * _RESKIN, what)
    indices: list[NDArray[np.uint32]] = []
    swapped: list[bool] = []
    for _ in range(strips):
        kind, count = reader.u32(what), reader.u32(what)
        if kind not in (1, 2):
            raise FormatError(f"{what}: a strip of kind {kind}", reader.offset - 8)
        indices.append(reader.array("<u4", count, what))
        swapped.append(kind == 2)
    joined = np.concatenate([*indices, np.zeros(0, np.uint32)]).astype(np.int64)
    bones = reader.array("<u4", matrices, what).astype(np.int64)
    return Packet(table, triangles_of(joined, list(map(len, indices)), swapped), bones)
