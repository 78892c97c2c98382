"""The nearest of the game's colours to any colour, and how a face is lit so that it looks like that."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..files.palette import SHADES, Palette

_EYE = np.sqrt([0.299, 0.587, 0.114])
"""How much a difference of red, green and blue is seen."""


def nearest(palette: Palette, colours: NDArray[np.floating]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For colours (N, 3), 0 to 1 as displayed, the indices (N,) in the palette, and how far each is, 0 to 1."""
    away = np.linalg.norm((colours[:, None] - palette.colours[None] / 255) * _EYE, axis=2)
    index = np.argmin(away, axis=1)
    return index.astype(np.int64), away[np.arange(len(index)), index]


@cache
def lit_as(index: int) -> tuple[int, int]:
    """The colour of a lit face, and how many shades the light adds at most, so that it looks on the whole like the palette's `index`, as a
    material shows it: two thirds up its shades."""
    ramp, shade = index // SHADES * SHADES, index % SHADES
    choices = [(start, reach) for start in range(SHADES) for reach in range(1, SHADES - start) if start + (reach + 1) * 2 // 3 == shade]
    start, reach = choices[0] if choices else (shade, 0)
    return ramp + start, reach
