"""Several pictures in one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .pixels import Pixels

LARGEST = 1024
"""Pixels of a side that games of the time can draw."""

_EDGE = 2
"""Pixels around each picture that go on as its edge does, so that filtering does not mix it with its neighbours."""

Pair = tuple[int, int]


def joined(pictures: Sequence[Pixels]) -> tuple[Pixels, NDArray[np.float64]]:
    """A picture with all of these, whose sides are powers of two; and (N, 4) for each of them where its upper left corner is, and its width
    and height, as shares of the sides. All are halved until they have room."""
    parts = list(pictures)
    while (fitting := _smallest([(part.shape[1] + 2 * _EDGE, part.shape[0] + 2 * _EDGE) for part in parts])) is None:
        parts = [_halved(part) for part in parts]
    (width, height), corners = fitting
    whole = np.zeros((height, width, 4), np.uint8)
    areas = np.empty((len(parts), 4))
    for index, (part, (x, y)) in enumerate(zip(parts, corners, strict=True)):
        edged = _cut(part, -_EDGE, part.shape[0] + _EDGE, part.shape[1] + _EDGE)
        whole[y : y + edged.shape[0], x : x + edged.shape[1]] = edged
        areas[index] = (x + _EDGE) / width, (y + _EDGE) / height, part.shape[1] / width, part.shape[0] / height
    whole[..., 3] = np.where(whole.any(axis=2), whole[..., 3], 255)
    return whole, areas


def _smallest(sizes: Sequence[Pair]) -> tuple[Pair, list[Pair]] | None:
    """The smallest sides with room for rectangles, and where each of them goes; None where the largest have none."""
    sides = [1 << power for power in range(3, LARGEST.bit_length())]
    choices = sorted(((width, height) for width in sides for height in (width, width // 2)), key=lambda size: (size[0] * size[1], size))
    for width, height in choices:
        if (corners := _shelves(sizes, width, height)) is not None:
            return (width, height), corners
    return None


def _shelves(sizes: Sequence[Pair], width: int, height: int) -> list[Pair] | None:
    """Rectangles in rows, the highest first; None where they have no room."""
    corners: list[Pair] = [(0, 0)] * len(sizes)
    x, y, row = 0, 0, 0
    for index in sorted(range(len(sizes)), key=lambda index: (-sizes[index][1], -sizes[index][0], index)):
        wide, high = sizes[index]
        if x + wide > width:
            x, y, row = 0, y + row, 0
        if x + wide > width or y + high > height:
            return None
        corners[index] = (x, y)
        x, row = x + wide, max(row, high)
    return corners


def _halved(part: Pixels) -> Pixels:
    high, wide = (max(side // 2, 1) for side in part.shape[:2])
    pairs = _cut(part, 0, 2 * high, 2 * wide).reshape(high, 2, wide, 2, 4)
    return np.rint(pairs.mean(axis=(1, 3))).astype(np.uint8)


def _cut(part: Pixels, start: int, bottom: int, right: int) -> Pixels:
    """Pixels from `start` on in both directions; beyond an edge they are those at it."""
    high, wide = part.shape[:2]
    return part[np.arange(start, bottom).clip(0, high - 1)][:, np.arange(start, right).clip(0, wide - 1)]
