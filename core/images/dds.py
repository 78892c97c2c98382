"""DDS pictures as arrays: the largest level of DXT1 to DXT5 and of plain pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..files.binary import Bytes, Reader
from ..reporting.errors import FormatError
from .pixels import Pixels, check_size, spread

HEADER = 128
ALPHA, FOUR_CC, PALETTE, RGB, LUMINANCE, ONLY_ALPHA = 0x1, 0x4, 0x20, 0x40, 0x20000, 0x2
BLOCK_SIZES = {b"DXT1": 8, b"DXT2": 16, b"DXT3": 16, b"DXT4": 16, b"DXT5": 16}


def decode(data: Bytes) -> Pixels:
    """(H, W, 4) red, green, blue, alpha, top row first. Raises FormatError."""
    reader = Reader(data)
    words: list[int] = reader.array("<u4", HEADER // 4, "header").tolist()
    height, width = words[3], words[4]
    flags, depth, masks = words[20], words[22], words[23:27]
    four_cc = np.array(words[21], "<u4").tobytes()
    check_size(width, height)
    if flags & FOUR_CC:
        if four_cc not in BLOCK_SIZES:
            raise FormatError(f"a DDS of kind {four_cc!r}", 84)
        return _blocks(reader, width, height, four_cc)
    if flags & PALETTE and depth == 8:
        colours = reader.array("u1", 1024, "palette").reshape(-1, 4)
        return colours[reader.array("u1", width * height, "pixels").reshape(height, width)]
    if depth not in (8, 16, 24, 32) or not flags & (RGB | LUMINANCE | ONLY_ALPHA):
        raise FormatError(f"a DDS of {depth} bits with flags 0x{flags:X}", 80)
    size = depth // 8
    raw = np.zeros((width * height, 4), "u1")
    raw[:, :size] = reader.array("u1", size * width * height, "pixels").reshape(-1, size)
    if not flags & (ALPHA | ONLY_ALPHA):
        masks[3] = 0
    pixels = spread(raw.view("<u4").reshape(height, width), masks)
    if flags & LUMINANCE:
        pixels[..., 1] = pixels[..., 2] = pixels[..., 0]
    return pixels


def _blocks(reader: Reader, width: int, height: int, four_cc: bytes) -> Pixels:
    """Blocks of 4 x 4 pixels, row by row."""
    across, down = (width + 3) // 4, (height + 3) // 4
    size = BLOCK_SIZES[four_cc]
    raw = reader.array("u1", size * across * down, "blocks").reshape(-1, size)
    pixels = _colour_blocks(np.ascontiguousarray(raw[:, -8:]), four_cc == b"DXT1")
    if four_cc in (b"DXT2", b"DXT3"):
        halves = np.stack([raw[:, :8] & 15, raw[:, :8] >> 4], axis=2).reshape(-1, 16)
        pixels[..., 3] = halves * 17
    elif four_cc in (b"DXT4", b"DXT5"):
        pixels[..., 3] = _alpha_blocks(np.ascontiguousarray(raw[:, :8]))
    picture = pixels.reshape(down, across, 4, 4, 4).transpose(0, 2, 1, 3, 4).reshape(4 * down, 4 * across, 4)
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
