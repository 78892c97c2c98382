"""TGA pictures as arrays: colour-mapped, true colour and grey, plain or in run lengths."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from ..files.binary import Bytes, Reader
from ..reporting.errors import FormatError
from .pixels import Pixels, check_size, spread

MAPPED, TRUE, GREY = 1, 2, 3
RUNS = 8
"""Added to the type of a picture in run lengths."""
DEPTHS = {MAPPED: (8, 16), TRUE: (15, 16, 24, 32), GREY: (8, 16)}


def recognise(data: Bytes) -> bool:
    """A TGA has no mark at its start, so its header's numbers must be possible ones."""
    head = bytes(memoryview(data)[:18])
    kind = head[2] & ~RUNS if len(head) == 18 else 0
    return kind in DEPTHS and head[1] == (kind == MAPPED) and head[16] in DEPTHS[kind] and any(head[12:14]) and any(head[14:16])


def decode(data: Bytes) -> Pixels:
    """(H, W, 4) red, green, blue, alpha, top row first. Raises FormatError."""
    reader = Reader(data)
    head = bytes(reader.raw(18, "header"))
    kind, depth, descriptor = head[2], head[16], head[17]
    first, colour_count = int.from_bytes(head[3:5], "little"), int.from_bytes(head[5:7], "little")
    width, height = int.from_bytes(head[12:14], "little"), int.from_bytes(head[14:16], "little")
    plain = kind & ~RUNS
    if depth not in DEPTHS.get(plain, ()) or (plain == MAPPED and head[7] not in (15, 16, 24, 32)):
        raise FormatError(f"a TGA of type {kind} with {depth} bits", 2)
    check_size(width, height)
    reader.raw(head[0], "comment")
    map_size = (head[7] + 7) // 8
    colour_map = reader.array("u1", map_size * colour_count if head[1] else 0, "colour map")
    size = (depth + 7) // 8
    count = width * height
    raw = _runs(reader, count, size) if kind & RUNS else reader.array("u1", count * size, "pixels").reshape(-1, size)
    if plain == MAPPED:
        indices = (raw[:, 0] if size == 1 else np.ascontiguousarray(raw).view("<u2")[:, 0]).astype(np.int64) - first
        colours = _colours(colour_map.reshape(-1, map_size), head[7])
        if indices.min() < 0 or indices.max() >= len(colours):
            raise FormatError(f"a pixel outside the {len(colours)} colours")
        pixels = colours[indices]
    elif plain == GREY:
        pixels = np.stack([raw[:, 0]] * 3 + [raw[:, 1] if size == 2 else np.full(count, 255, "u1")], axis=1)
    else:
        pixels = _colours(raw, depth)
    if plain == TRUE and depth in (16, 32) and not descriptor & 15 and not pixels[:, 3].any():
        pixels[:, 3] = 255  # it says that it has no alpha, and nobody filled it in
    picture = pixels.reshape(height, width, 4)
    picture = picture[:, ::-1] if descriptor & 0x10 else picture
    return picture if descriptor & 0x20 else picture[::-1]


def encode(pixels: Pixels) -> bytes:
    """An uncompressed TGA of 32 bits a pixel. pixels: (H, W, 4), top row first."""
    height, width = pixels.shape[:2]
    head = struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, width, height, 32, 8)
    return head + pixels[::-1][..., [2, 1, 0, 3]].tobytes()


def _colours(raw: NDArray[np.uint8], depth: int) -> NDArray[np.uint8]:
    """(n, 4) of pixels of `depth` bits, blue first."""
    if depth in (15, 16):
        return spread(np.ascontiguousarray(raw).view("<u2")[:, 0], [0x7C00, 0x3E0, 0x1F, 0x8000 if depth == 16 else 0])
    alpha = raw[:, 3:4] if depth == 32 else np.full((len(raw), 1), 255, "u1")
    return np.concatenate([raw[:, 2::-1], alpha], axis=1)


def _runs(reader: Reader, count: int, size: int) -> NDArray[np.uint8]:
    """(count, size) pixels of run lengths: a head, then one pixel to repeat or as many as it says."""
    if count > 128 * reader.left:
        raise FormatError(f"{count} pixels in {reader.left} bytes", reader.offset)
    out = np.empty((count, size), "u1")
    start = 0
    while start < count:
        head = reader.u8("run")
        end = min(start + (head & 127) + 1, count)
        repeated = head & 128
        out[start:end] = np.frombuffer(reader.raw(size if repeated else size * (end - start), "run"), "u1").reshape(-1, size)
        start = end
    return out
