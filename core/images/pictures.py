"""Picture files as the game reads them, from pixels."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from .pixels import Pixels


def digest(pixels: Pixels) -> str:
    """Tells pictures (H, W, 4) apart."""
    return f"{pixels.shape[1]}x{pixels.shape[0]} {zlib.crc32(pixels.tobytes()):08x}"


def bmp(pixels: Pixels) -> bytes:
    """A BMP of 24 bits a pixel. pixels: (H, W, 4), top row first; alpha is left out."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, (3 * width + 3) // 4 * 4), np.uint8)
    rows[:, : 3 * width] = pixels[::-1, :, 2::-1].reshape(height, -1)
    head = struct.pack("<2sIIIIiiHHIIiiII", b"BM", 54 + rows.size, 0, 54, 40, width, height, 1, 24, 0, rows.size, 2835, 2835, 0, 0)
    return head + rows.tobytes()


def tga(pixels: Pixels) -> bytes:
    """An uncompressed TGA of 32 bits a pixel. pixels: (H, W, 4), top row first."""
    height, width = pixels.shape[:2]
    head = struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, width, height, 32, 8)
    return head + pixels[::-1][..., [2, 1, 0, 3]].tobytes()
