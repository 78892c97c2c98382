"""The mannequin's paint as a picture: a cell for every colour, lighter towards the top, the wood with its grain."""

from __future__ import annotations

import struct

import numpy as np

from .mannequin import RAMPS, palette
from .shapes import Floats

CELLS = ("wood", "walnut", "blue", "red", "yellow", "night")
COLUMNS, ROWS = 4, 2
WIDTH, HEIGHT = 16, 32
"""Of a cell, in pixels."""


def picture() -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    """(H, W, 3) red, green, blue, top row first."""
    colours = palette().colours
    out = np.zeros((ROWS * HEIGHT, COLUMNS * WIDTH, 3), np.uint8)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    for cell, ramp in enumerate(CELLS):
        row, column = divmod(cell, COLUMNS)
        shade = 11 - y * 4 // HEIGHT
        if ramp == "wood":
            ring = (x * x // 6 + y // 3 + x * y // 24) % 7
            shade = shade - (ring == 0) * 2 - (ring == 3)
        else:
            shade = shade + ((x + 2 * y) % 4 == 0)
        first = 16 * list(RAMPS).index(ramp)
        out[row * HEIGHT : (row + 1) * HEIGHT, column * WIDTH : (column + 1) * WIDTH] = colours[first + shade]
    return out


def bmp() -> bytes:
    """24 bits a pixel, bottom row first."""
    pixels = picture()
    height, width, _ = pixels.shape
    rows = np.ascontiguousarray(pixels[::-1, :, ::-1]).tobytes()
    head = struct.pack("<2sI4xI", b"BM", 54 + len(rows), 54)
    return head + struct.pack("<IiiHHI12x2I", 40, width, height, 1, 24, 0, 0, 0) + rows


def uv_of(points: Floats, corner: int, paint: int) -> Floats:
    """(2,) where a point of a shape is in the picture, v downwards: round the shape from the front to the back on both sides alike, and
    from its top to its bottom. paint: an index into the palette."""
    row, column = divmod(CELLS.index(list(RAMPS)[paint // 16]), COLUMNS)
    low, high = points.min(axis=0), points.max(axis=0)
    x, y, z = (points[corner] - (low + high) / 2).tolist()
    around = abs(float(np.arctan2(x, z))) / np.pi
    down = 0.5 - y / (high[1] - low[1]) if high[1] > low[1] else 0.5
    u, v = column * WIDTH + 0.5 + around * (WIDTH - 1), row * HEIGHT + 0.5 + down * (HEIGHT - 1)
    return np.array([u / (COLUMNS * WIDTH), v / (ROWS * HEIGHT)])
