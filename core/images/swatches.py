"""A small picture of plain colours, for games that show no colour but that of a picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .pixels import Pixels

BLOCK = 8
"""Pixels of a side of each colour, so that neither filtering nor the next smaller pictures mix it with another."""


def swatches(colours: NDArray[np.uint8]) -> tuple[Pixels, NDArray[np.float64]]:
    """For colours (N, 3), at least one, a picture with a block of each that is different, in the order of their values, whose sides are
    powers of two; and (N, 2) where the middle of each one's block is, as shares of the sides, v downwards."""
    kinds, index = np.unique(colours, axis=0, return_inverse=True)
    columns = 1 << int(np.ceil(np.log2(len(kinds)) / 2))
    rows = 1 << int(np.ceil(np.log2(len(kinds) / columns)))
    filled = kinds[np.minimum(np.arange(rows * columns), len(kinds) - 1)].reshape(rows, columns, 3)
    opaque = np.concatenate([filled, np.full((rows, columns, 1), 255, np.uint8)], axis=2)
    row, column = np.divmod(index.ravel(), columns)
    return opaque.repeat(BLOCK, axis=0).repeat(BLOCK, axis=1), np.column_stack([(column + 0.5) / columns, (row + 0.5) / rows])
