"""Small pictures of every kind that can be read, to start from: what they pack is stored plain, so that changed bytes reach the pixels."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np

from ..core.images import bmp, dds, png, tga
from ..core.mindpower.client import textures

PIXELS = np.arange(6 * 5 * 4, dtype=np.uint8).reshape(6, 5, 4)


def pictures() -> Iterator[bytes]:
    yield from (bmp.encode(PIXELS), tga.encode(PIXELS))
    yield struct.pack("<BBBHHBHHHHBB", 0, 0, tga.TRUE | tga.RUNS, 0, 0, 0, 0, 0, 4, 3, 24, 32) + b"\x85abc\x05" + bytes(range(18))
    yield struct.pack("<BBBHHBHHHHBB", 0, 1, tga.MAPPED, 0, 4, 24, 0, 0, 4, 3, 8, 0) + bytes(range(12)) + bytes([0, 1, 2, 3] * 3)
    for colour, depths in png.DEPTHS.items():
        for interlaced, depth in enumerate(depths[-2:]):
            yield _png(colour, depth, interlaced)
    for code, size in ((b"DXT1", 32), (b"DXT3", 64), (b"DXT5", 64)):
        yield _dds(dds.FOUR_CC, code, 0, (0, 0, 0, 0)) + bytes(range(size))
    yield _dds(dds.RGB | dds.ALPHA, bytes(4), 32, (0xFF0000, 0xFF00, 0xFF, 0xFF000000)) + bytes(range(256))
    whole = bmp.encode(PIXELS)
    own, other = textures.SWAPPED, textures.OTHER_SWAPPED
    yield whole[-own:] + whole[own:-own] + whole[:own] + textures.MARK
    swapped = whole[-other:] + whole[other:-other] + whole[:other]
    yield bytes(byte + textures.OTHER_SHIFT & 255 for byte in swapped) + b"abcde"


def _png(colour: int, depth: int, interlaced: int) -> bytes:
    """Numbers below five alone, for any of them may be a row's filter."""
    rows = bytes(number * number % 5 for number in range(1200))
    parts = [(b"IHDR", struct.pack(">IIBBBBB", 5, 6, depth, colour, 0, 0, interlaced)), (b"tRNS", bytes(6))]
    if colour == png.MAPPED:
        parts.append((b"PLTE", bytes(range(48))))
    parts += [(b"IDAT", zlib.compress(rows, 0)), (b"IEND", b"")]
    return png.MARK + b"".join(struct.pack(">I", len(data)) + name + data + bytes(4) for name, data in parts)


def _dds(kind: int, code: bytes, bits: int, masks: tuple[int, int, int, int]) -> bytes:
    head = struct.pack("<7I44x", 124, 0x1007, 8, 8, 0, 0, 0)
    return dds.MARK + head + struct.pack("<2I4s5I20x", 32, kind, code, bits, *masks)
