"""PNG pictures as arrays: every colour type and depth, plain or interlaced. Written with 8 bits red, green, blue and alpha."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from ..files.binary import Bytes, Reader
from ..reporting.errors import FormatError
from .pixels import Pixels, check_size

MARK = b"\x89PNG\r\n\x1a\n"
_KIND = bytes((8, 6, 0, 0, 0))
"""Bits, colour type, compression, filter method, no interlacing."""

GREY, COLOURS, MAPPED, GREY_ALPHA, COLOURS_ALPHA = 0, 2, 3, 4, 6
CHANNELS = {GREY: 1, COLOURS: 3, MAPPED: 1, GREY_ALPHA: 2, COLOURS_ALPHA: 4}
DEPTHS = {GREY: (1, 2, 4, 8, 16), COLOURS: (8, 16), MAPPED: (1, 2, 4, 8), GREY_ALPHA: (8, 16), COLOURS_ALPHA: (8, 16)}

SUB, UP, AVERAGE, PAETH = 1, 2, 3, 4
"""What a row's bytes are stored as differences to: the pixel before, the one above, both, or the one of three that fits."""

MOST_SLOW = 1 << 24
"""Bytes of rows stored as AVERAGE or PAETH, which are computed one by one: those of 2048 x 2048 pixels, some seconds."""

PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""Of an interlaced picture: first column and row, and the steps to the next ones."""


def encode(pixels: Pixels) -> bytes:
    """pixels: (H, W, 4), top row first."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, 1 + 4 * width), np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    parts = ((b"IHDR", struct.pack(">II", width, height) + _KIND), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    return MARK + b"".join(_part(name, data) for name, data in parts)


def decode(data: Bytes) -> Pixels:
    """(H, W, 4) red, green, blue, alpha, top row first. Raises FormatError."""
    parts = _parts(data)
    head = parts.get(b"IHDR", b"")
    if len(head) < 13:
        raise FormatError("a PNG picture without a header", len(MARK))
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", head[:13])
    if depth not in DEPTHS.get(colour, ()) or interlaced > 1:
        raise FormatError(f"a PNG picture of kind {colour} with {depth} bits", len(MARK))
    check_size(width, height)
    channels = CHANNELS[colour]
    passes = PASSES if interlaced else ((0, 0, 1, 1),)
    sizes = [(-(-(width - x) // across), -(-(height - y) // down)) for x, y, across, down in passes]
    wanted = sum(rows * (1 + _row_size(columns, channels * depth)) for columns, rows in sizes if columns > 0)
    raw = _unpacked(parts.get(b"IDAT", b""), wanted)
    values = np.zeros((height, width, channels), np.uint16)
    start = 0
    for (x, y, across, down), (columns, rows) in zip(passes, sizes, strict=True):
        if columns > 0 and rows > 0:
            size = _row_size(columns, channels * depth)
            plain = _unfiltered(raw[start : start + rows * (1 + size)].reshape(rows, 1 + size), max(channels * depth // 8, 1))
            values[y::down, x::across] = _samples(plain, depth, columns * channels).reshape(rows, columns, channels)
            start += rows * (1 + size)
    return _coloured(values, colour, depth, parts)


def _parts(data: Bytes) -> dict[bytes, bytes]:
    """The parts by name; of several of a name all, one behind the other. What follows a part that is cut off is left out."""
    reader = Reader(data, len(MARK))
    parts: dict[bytes, list[Bytes]] = {}
    while reader.left >= 8:
        size, name = struct.unpack(">I4s", reader.raw(8, "part"))
        parts.setdefault(name, []).append(reader.raw(min(size, reader.left), "part"))
        if name == b"IEND" or reader.left < 4:
            break
        reader.raw(4, "checksum")
    return {name: b"".join(pieces) for name, pieces in parts.items()}


def _row_size(columns: int, bits: int) -> int:
    """Bytes of a row, without the one that names its filter."""
    return (columns * bits + 7) // 8


def _unpacked(packed: bytes, size: int) -> NDArray[np.uint8]:
    """(size,) Raises FormatError where there are fewer; more than that are not unpacked."""
    try:
        raw = zlib.decompressobj().decompress(packed, size)
    except zlib.error as error:
        raise FormatError(f"a damaged PNG picture: {error}") from error
    if len(raw) != size:
        raise FormatError(f"a PNG picture of {len(raw)} bytes where {size} were expected")
    return np.frombuffer(raw, np.uint8)


def _unfiltered(rows: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    """(rows, bytes) of rows behind the byte that names their filter. step: bytes from a pixel to the next."""
    size = rows.shape[1] - 1
    if (slow := int((rows[:, 0] >= AVERAGE).sum()) * size) > MOST_SLOW:
        raise FormatError(f"a PNG picture with {slow} bytes in filtered rows, at most {MOST_SLOW} are read: save it as BMP, TGA or DDS")
    out = np.zeros((len(rows) + 1, size + step), np.uint8)  # with a pixel of zeros before each row, and a row of them above
    for index, row in enumerate(rows):
        kind, above, line = int(row[0]), out[index], out[index + 1]
        if kind == UP:
            line[step:] = row[1:] + above[step:]
        elif kind == SUB:
            line[step:] = _summed(row[1:], step)
        elif kind in (AVERAGE, PAETH):
            line[step:] = np.frombuffer(_predicted(row[1:].tobytes(), above.tobytes(), step, kind), np.uint8)
        elif kind == 0:
            line[step:] = row[1:]
        else:
            raise FormatError(f"a PNG picture with filter {kind}")
    return out[1:, step:]


def _summed(row: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    """Each byte with all those of its channel before it, modulo 256."""
    padded = np.zeros(-(-len(row) // step) * step, np.uint8)
    padded[: len(row)] = row
    return np.add.accumulate(padded.reshape(-1, step), axis=0, dtype=np.uint8).reshape(-1)[: len(row)]


def _predicted(row: bytes, above: bytes, step: int, kind: int) -> bytes:
    """A row of filter AVERAGE or PAETH: each byte needs the one before it. above: with a pixel of zeros before it."""
    out = bytearray(step) + row
    for at in range(step, len(out)):
        left, up = out[at - step], above[at]
        if kind == AVERAGE:
            guess = left + up >> 1
        else:
            corner = above[at - step]
            by_left, by_up, by_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            guess = left if by_left <= by_up and by_left <= by_corner else up if by_up <= by_corner else corner
        out[at] = out[at] + guess & 255
    return bytes(out[step:])


def _samples(rows: NDArray[np.uint8], depth: int, count: int) -> NDArray[np.uint16]:
    """(rows, count) numbers of `depth` bits."""
    if depth >= 8:
        return np.ascontiguousarray(rows).view(">u2" if depth == 16 else "u1").astype(np.uint16)
    shifts = np.arange(8 - depth, -1, -depth, dtype=np.uint8)
    spread = rows[:, :, None] >> shifts & np.uint8((1 << depth) - 1)
    return spread.reshape(len(rows), -1)[:, :count].astype(np.uint16)


def _coloured(values: NDArray[np.uint16], colour: int, depth: int, parts: dict[bytes, bytes]) -> Pixels:
    """(H, W, 4) of the file's numbers (H, W, channels), with its colour map and what it calls transparent."""
    clear = parts.get(b"tRNS", b"")
    out = np.full((*values.shape[:2], 4), 255, np.uint8)
    if colour == MAPPED:
        colours = np.zeros((256, 4), np.uint8)
        colours[:, 3] = 255
        known = np.frombuffer(parts.get(b"PLTE", b"")[: 3 * 256], np.uint8)
        colours[: len(known) // 3, :3] = known[: len(known) // 3 * 3].reshape(-1, 3)
        colours[: min(len(clear), 256), 3] = np.frombuffer(clear[:256], np.uint8)
        return colours[values[..., 0]]
    most = (1 << depth) - 1
    scaled = ((values.astype(np.uint32) * 255 + most // 2) // most).astype(np.uint8)
    shades = 1 if colour in (GREY, GREY_ALPHA) else 3
    out[..., :3] = scaled[..., :shades]
    if colour in (GREY_ALPHA, COLOURS_ALPHA):
        out[..., 3] = scaled[..., -1]
    elif len(clear) >= 2 * shades:
        out[(values == np.frombuffer(clear, ">u2", shades)).all(axis=-1), 3] = 0
    return out


def _part(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
