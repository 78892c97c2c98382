"""Pixels in compressed blocks of 4 x 4, as DDS files and Oni's textures have them: DXT1, DXT3 and DXT5."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..files.binary import Reader
from .pixels import Pixels, spread

Kind = Literal["DXT1", "DXT3", "DXT5"]

KINDS: dict[bytes, Kind] = {b"DXT1": "DXT1", b"DXT2": "DXT3", b"DXT3": "DXT3", b"DXT4": "DXT5", b"DXT5": "DXT5"}
"""By the mark in a file. DXT2 and DXT4 are laid out as DXT3 and DXT5; their colours are multiplied by alpha already."""

SIDE = 4
"""Pixels along the side of a block."""


def size_of(width: int, height: int, kind: Kind) -> int:
    """Bytes of a picture; blocks at its edges are whole."""
    return -(-width // SIDE) * -(-height // SIDE) * (8 if kind == "DXT1" else 16)


def decode_blocks(reader: Reader, width: int, height: int, kind: Kind) -> Pixels:
    """(H, W, 4) of the blocks that follow, row by row. Raises FormatError where there are too few."""
    across, down = -(-width // SIDE), -(-height // SIDE)
    raw = reader.array("u1", size_of(width, height, kind), "blocks").reshape(across * down, -1)
    pixels = _colour_blocks(np.ascontiguousarray(raw[:, -8:]), kind == "DXT1")
    if kind == "DXT3":
        halves = np.stack([raw[:, :8] & 15, raw[:, :8] >> 4], axis=2).reshape(-1, 16)
        pixels[..., 3] = halves * 17
    elif kind == "DXT5":
        pixels[..., 3] = _alpha_blocks(np.ascontiguousarray(raw[:, :8]))
    picture = pixels.reshape(down, across, SIDE, SIDE, 4).transpose(0, 2, 1, 3, 4).reshape(SIDE * down, SIDE * across, 4)
    return picture[:height, :width]


def _colour_blocks(raw: NDArray[np.uint8], punch_through: bool) -> NDArray[np.uint8]:
    """(blocks, 16, 4) of eight bytes each: two colours of 5, 6 and 5 bits, and two bits a pixel that choose or mix them.

    punch_through: DXT1's rule, that colours in ascending order leave one of the four for transparent black.
    """
    ends = raw[:, :4].view("<u2")
    colours = spread(ends, [0xF800, 0x7E0, 0x1F, 0]).astype(np.uint16)
    first, second = colours[:, 0], colours[:, 1]
    table = np.stack([first, second, (2 * first + second + 1) // 3, (first + 2 * second + 1) // 3], axis=1)
    if punch_through:
        three = ends[:, 0] <= ends[:, 1]
        table[three, 2] = (first[three] + second[three]) // 2
        table[three, 3] = 0
    choice = (raw[:, 4:, None] >> np.array([0, 2, 4, 6], "u1") & 3).reshape(-1, 16)
    return np.take_along_axis(table.astype("u1"), choice[:, :, None].astype(np.int64), axis=1)


def _alpha_blocks(raw: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(blocks, 16) of eight bytes each: two values, and three bits a pixel that choose or mix them."""
    first, second = raw[:, 0].astype(np.uint16), raw[:, 1].astype(np.uint16)
    table = np.zeros((len(raw), 8), np.uint16)
    table[:, 0], table[:, 1] = first, second
    eight = first > second
    for step in range(1, 7):
        table[:, step + 1] = ((7 - step) * first + step * second + 3) // 7
    for step in range(1, 5):
        table[~eight, step + 1] = (((5 - step) * first + step * second + 2) // 5)[~eight]
    table[~eight, 6], table[~eight, 7] = 0, 255
    bits = np.zeros((len(raw), 8), "u1")
    bits[:, :6] = raw[:, 2:]
    choice = bits.view("<u8") >> np.arange(0, 48, 3, dtype=np.uint64) & np.uint64(7)
    return np.take_along_axis(table, choice.astype(np.int64), axis=1).astype("u1")
