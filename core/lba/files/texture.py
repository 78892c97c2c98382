"""The texture page of LBA2, entry 6 of its RESS.HQR: 256 x 256 indices into the palette, of which bodies show regions that repeat."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes
from ...reporting.errors import FormatError
from .palette import Palette

SIDE = 256
SIZE = SIDE * SIDE
_CHECK, _BRIGHT, _DARK = 8, 13, 9
"""Texels of a square of the plain page, and its two greys of ramp 0."""


@dataclass(frozen=True, eq=False)
class TexturePage:
    """texels: (256, 256) u8, row by row from the top."""

    texels: NDArray[np.uint8]

    @classmethod
    def parse(cls, data: Bytes) -> TexturePage:
        if len(data) != SIZE:
            raise FormatError(f"{len(data)} bytes instead of a texture page's {SIZE}", 0)
        return cls(np.frombuffer(data, "u1").reshape(SIDE, SIDE))

    def pack(self) -> bytes:
        return self.texels.tobytes()

    @classmethod
    def plain(cls) -> TexturePage:
        """Light and dark squares, for when the game's own page is not at hand."""
        square = np.arange(SIDE) // _CHECK
        return cls(np.where((square[:, None] + square) % 2, _BRIGHT, _DARK).astype(np.uint8))

    def region(self, corner: int, mask_u: int, mask_v: int) -> NDArray[np.uint8]:
        """(H, W) what repeats from `corner` (y * 256 + x) on, as the engine looks texels up: corner + (v & mask) * 256 + (u & mask)."""
        u = np.arange(1 << mask_u.bit_length()) & mask_u
        v = np.arange(1 << mask_v.bit_length()) & mask_v
        return self.texels.ravel()[(corner + v[:, None] * SIDE + u) % SIZE]

    def pixels(self, palette: Palette, corner: int, mask_u: int, mask_v: int, holes: bool) -> NDArray[np.uint8]:
        """(H, W, 4) a region in colours. holes: texel 0 is transparent."""
        texels = self.region(corner, mask_u, mask_v)
        colours = np.concatenate([palette.colours, np.full((256, 1), 255, np.uint8)], axis=1)
        if holes:
            colours[0, 3] = 0
        return colours[texels]
