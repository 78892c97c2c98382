"""BMP pictures as arrays: every depth, run lengths and colour masks."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..files.binary import Bytes, Reader
from ..reporting.errors import FormatError
from .pixels import Pixels, check_size, spread

MARK = b"BM"
FILE_HEADER = 14
RGB, RLE8, RLE4, BIT_FIELDS, ALPHA_BIT_FIELDS = 0, 1, 2, 3, 6


def decode(data: Bytes) -> Pixels:
    """(H, W, 4) red, green, blue, alpha, top row first. Raises FormatError."""
    reader = Reader(data, 10)
    pixels_at = reader.u32("start of the pixels")
    header = reader.u32("header size")
    if header == 12:
        width, height, _, depth = (reader.u16(what) for what in ("width", "height", "planes", "depth"))
        method, colour_count = RGB, 0
    elif header >= 40:
        width, height = np.frombuffer(reader.raw(8, "size"), "<i4").tolist()
        _, depth = reader.u16("planes"), reader.u16("depth")
        method = reader.u32("compression")
        reader.raw(12, "header")
        colour_count = reader.u32("colour count")
        reader.raw(4, "header")
    else:
        raise FormatError(f"a BMP header of {header} bytes", 14)
    rows = abs(height)
    check_size(width, rows)
    if depth <= 8:
        values = _indices(reader, pixels_at, width, rows, depth, method)
        palette = _palette(data, header, method, colour_count or 1 << depth, pixels_at)
        if values.size and int(values.max()) >= len(palette):
            palette = np.concatenate([palette, np.tile(np.array([[0, 0, 0, 255]], "u1"), (int(values.max()) + 1 - len(palette), 1))])
        pixels = palette[values]
    else:
        pixels = _true_colours(data, header, pixels_at, width, rows, depth, method)
    return pixels[::-1] if height > 0 else pixels


def encode(pixels: Pixels) -> bytes:
    """A BMP of 24 bits a pixel. pixels: (H, W, 4), top row first; alpha is left out."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, (3 * width + 3) // 4 * 4), np.uint8)
    rows[:, : 3 * width] = pixels[::-1, :, 2::-1].reshape(height, -1)
    head = struct.pack("<2sIIIIiiHHIIiiII", MARK, 54 + rows.size, 0, 54, 40, width, height, 1, 24, 0, rows.size, 2835, 2835, 0, 0)
    return head + rows.tobytes()


def _palette(data: Bytes, header: int, method: int, count: int, pixels_at: int) -> NDArray[np.uint8]:
    """(n, 4) the colours between the header and the pixels, opaque."""
    start = FILE_HEADER + header + (12 if method == BIT_FIELDS and header == 40 else 0)
    size = 3 if header == 12 else 4
    count = min(count, max((min(pixels_at, len(data)) - start) // size, 0), 256)
    colours = np.frombuffer(memoryview(data)[start : start + size * count], "u1").reshape(-1, size)
    return np.concatenate([colours[:, 2::-1], np.full((len(colours), 1), 255, "u1")], axis=1)


def _rows(data: Bytes, start: int, width: int, height: int, depth: int) -> NDArray[np.uint8]:
    """(height, bytes of a row, which is filled up to a multiple of 4)"""
    stride = (width * depth + 31) // 32 * 4
    reader = Reader(data, min(start, len(data)))
    # Some writers leave out what fills up the last row.
    needed = stride * (height - 1) + (width * depth + 7) // 8 if height else 0
    rows = bytes(reader.raw(needed, "pixels")).ljust(stride * height, b"\0")
    return np.frombuffer(rows, "u1").reshape(height, stride)


def _indices(reader: Reader, start: int, width: int, height: int, depth: int, method: int) -> NDArray[np.uint8]:
    """(height, width) indices into the palette."""
    if (method, depth) in ((RLE8, 8), (RLE4, 4)):
        return _runs(bytes(reader.data[start:]), width, height, depth)
    if method != RGB or depth not in (1, 2, 4, 8):
        raise FormatError(f"a BMP of {depth} bits with compression {method}", 28)
    rows = _rows(reader.data, start, width, height, depth)
    if depth == 8:
        return rows[:, :width]
    shifts = np.arange(8 - depth, -1, -depth, dtype="u1")
    return ((rows[:, :, None] >> shifts) & np.uint8((1 << depth) - 1)).reshape(height, -1)[:, :width]


def _runs(data: bytes, width: int, height: int, depth: int) -> NDArray[np.uint8]:
    """Run lengths, as in RLE8 and RLE4 files; pixels that are skipped have colour 0."""
    out = np.zeros((height, width), "u1")
    x = y = position = 0
    while position + 1 < len(data) and y < height:
        count, value = data[position], data[position + 1]
        position += 2
        if count:
            pair = (value, value) if depth == 8 else (value >> 4, value & 15)
            end = min(x + count, width)
            out[y, x:end:2], out[y, x + 1 : end : 2] = pair
            x = end
        elif value == 0:
            x, y = 0, y + 1
        elif value == 1:
            break
        elif value == 2:
            x, y = (
                min(x + (data[position] if position < len(data) else 0), width),
                y + (data[position + 1] if position + 1 < len(data) else 0),
            )
            position += 2
        else:
            size = value if depth == 8 else (value + 1) // 2
            raw = np.frombuffer(data[position : position + size], "u1")
            plain = raw if depth == 8 else np.stack([raw >> 4, raw & 15], axis=1).reshape(-1)
            end = min(x + min(value, len(plain)), width)
            out[y, x:end] = plain[: end - x]
            x = end
            position += (size + 1) // 2 * 2
    return out


def _true_colours(data: Bytes, header: int, start: int, width: int, height: int, depth: int, method: int) -> Pixels:
    if depth not in (16, 24, 32) or method not in (RGB, BIT_FIELDS, ALPHA_BIT_FIELDS) or (depth == 24 and method != RGB):
        raise FormatError(f"a BMP of {depth} bits with compression {method}", 28)
    rows = _rows(data, start, width, height, depth)[:, : width * depth // 8]
    if depth == 24:
        colours = rows.reshape(height, width, 3)[:, :, ::-1]
        return np.concatenate([colours, np.full((height, width, 1), 255, "u1")], axis=2)
    masks: list[int] = [0x7C00, 0x3E0, 0x1F, 0] if depth == 16 else [0xFF0000, 0xFF00, 0xFF, 0xFF000000]
    if method != RGB:
        has_alpha = header >= 56 or method == ALPHA_BIT_FIELDS
        masks = Reader(data, FILE_HEADER + 40).array("<u4", 4 if has_alpha else 3, "colour masks").tolist()
        masks += [] if has_alpha else [0]
    values: NDArray[Any] = np.ascontiguousarray(rows).view("<u2" if depth == 16 else "<u4")
    pixels = spread(values, masks)
    if not pixels[..., 3].any():
        pixels[..., 3] = 255  # nobody filled in the fourth byte
    return pixels
