"""PNG pictures, as we write them: 8 bits red, green, blue and alpha, rows without a filter."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from ..files.binary import Bytes
from ..reporting.errors import FormatError
from .pixels import Pixels, check_size

MARK = b"\x89PNG\r\n\x1a\n"
_KIND = bytes((8, 6, 0, 0, 0))
"""Bits, colour type, compression, filter method, no interlacing."""


def encode(pixels: Pixels) -> bytes:
    """pixels: (H, W, 4), top row first."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, 1 + 4 * width), np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    parts = ((b"IHDR", struct.pack(">II", width, height) + _KIND), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    return MARK + b"".join(_part(name, data) for name, data in parts)


def decode(data: Bytes) -> Pixels:
    """(H, W, 4) of a picture that `encode` wrote. Raises FormatError for any other."""
    data = bytes(data)
    if not data.startswith(MARK) or data[12:16] != b"IHDR" or data[24:29] != _KIND or data[37:41] != b"IDAT":
        raise FormatError("no PNG picture of ours", 0)
    width, height = struct.unpack_from(">II", data, 16)
    check_size(width, height)
    (size,) = struct.unpack_from(">I", data, 33)
    try:
        raw = zlib.decompress(data[41 : 41 + size])
    except zlib.error as error:
        raise FormatError(f"a damaged PNG picture: {error}", 41) from error
    if len(raw) != height * (1 + 4 * width):
        raise FormatError(f"a PNG picture of {len(raw)} bytes where {height * (1 + 4 * width)} were expected", 41)
    rows = np.frombuffer(raw, np.uint8).reshape(height, 1 + 4 * width)
    if rows[:, 0].any():
        raise FormatError("a PNG picture with filters", 41)
    return rows[:, 1:].reshape(height, width, 4).copy()


def _part(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
