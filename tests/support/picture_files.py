"""Pictures written by hand in every format, for comparison with the pixels they stand for."""

from __future__ import annotations

import struct

import numpy as np

COLOURS = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255], [16, 32, 64, 255], [0, 0, 0, 255]]
PIXELS = np.array(COLOURS, "u1").reshape(2, 3, 4)
"""Red, green, blue above white, a dark blue and black."""


def bmp(
    depth: int, rows: bytes, palette: bytes = b"", width: int = 3, height: int = 2, method: int = 0, masks: bytes = b"", used: int = 0
) -> bytes:
    start = 54 + len(masks) + len(palette)
    head = struct.pack("<2sI4xI", b"BM", start + len(rows), start)
    return head + struct.pack("<IiiHHI12xII", 40, width, height, 1, depth, method, used, 0) + masks + palette + rows


def bgr(pixels: np.ndarray) -> bytes:
    return np.ascontiguousarray(pixels[..., 2::-1]).tobytes()


PALETTE = b"".join(bytes([blue, green, red, 0]) for red, green, blue, _ in COLOURS)


def bmp_24() -> bytes:
    return bmp(24, b"".join(bgr(row).ljust(12, b"\0") for row in PIXELS[::-1]))


def bmp_8(height: int = 2) -> bytes:
    rows = [b"\3\4\5\0", b"\0\1\2\0"]
    return bmp(8, b"".join(rows if height > 0 else rows[::-1]), PALETTE, height=height, used=6)


def tga(
    kind: int,
    depth: int,
    data: bytes,
    descriptor: int = 0x20,
    colour_map: bytes = b"",
    first: int = 0,
    map_depth: int = 24,
    size: tuple[int, int] = (3, 2),
) -> bytes:
    count = len(colour_map) // ((map_depth + 7) // 8)
    head = struct.pack("<3B2HB4H2B", 2, kind & 7 == 1, kind, first, count, map_depth if colour_map else 0, 0, 0, *size, depth, descriptor)
    return head + b"hi" + colour_map + data


def dds(flags: int, four_cc: bytes, depth: int, masks: tuple[int, int, int, int], data: bytes, size: tuple[int, int] = (3, 2)) -> bytes:
    words = [
        0x20534444,
        124,
        0x1007,
        size[1],
        size[0],
        0,
        0,
        1,
        *[0] * 11,
        32,
        flags,
        int.from_bytes(four_cc.ljust(4, b"\0"), "little"),
        depth,
        *masks,
        0x1000,
        0,
        0,
        0,
        0,
    ]
    return struct.pack("<32I", *words) + data


def scrambled(plain: bytes) -> bytes:
    """As the game's files are: the first and last 44 bytes change places, and a mark follows."""
    return plain[-44:] + plain[44:-44] + plain[:44] + b"mp.x"
