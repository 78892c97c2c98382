"""DDS pictures as arrays: the largest level of DXT1 to DXT5 and of plain pixels."""

from __future__ import annotations

import numpy as np

from ..files.binary import Bytes, Reader
from ..reporting.errors import FormatError
from .blocks import KINDS, decode_blocks
from .pixels import Pixels, check_size, spread

MARK = b"DDS "
HEADER = 128
ALPHA, FOUR_CC, PALETTE, RGB, LUMINANCE, ONLY_ALPHA = 0x1, 0x4, 0x20, 0x40, 0x20000, 0x2


def decode(data: Bytes) -> Pixels:
    """(H, W, 4) red, green, blue, alpha, top row first. Raises FormatError."""
    reader = Reader(data)
    fields: list[int] = reader.array("<u4", HEADER // 4, "header").tolist()
    height, width = fields[3], fields[4]
    flags, depth, masks = fields[20], fields[22], fields[23:27]
    four_cc = np.array(fields[21], "<u4").tobytes()
    check_size(width, height)
    if flags & FOUR_CC:
        if four_cc not in KINDS:
            raise FormatError(f"a DDS of kind {four_cc.decode('latin-1')}", 84)
        return decode_blocks(reader, width, height, KINDS[four_cc])
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
