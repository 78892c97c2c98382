"""Values that are no numbers, as broken files and curves have them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray


def are(values: NDArray[Any]) -> bool:
    """Whether all values are numbers."""
    return each([values])[0]


def each(arrays: Iterable[NDArray[Any]]) -> list[bool]:
    """Of each array whether all its values are numbers. Where their sum is one, all are, and a sum takes less time, as does that of small
    arrays together, and switching numpy's warnings off once for all arrays instead of for each of a few numbers."""
    every = list(arrays)
    with np.errstate(invalid="ignore", over="ignore"):
        few = len(every) > 1 and sum(values.size for values in every) <= _FEW
        if few and math.isfinite(np.add.reduce(np.concatenate([values.reshape(-1) for values in every]))):
            return [True] * len(every)
        return [math.isfinite(np.add.reduce(values, axis=None)) or bool(np.isfinite(values).all()) for values in every]


_FEW = 1 << 13
"""Values that are copied in less time than a step of numpy takes for each array."""


_EXACT = 2.0**53
"""Beyond it not every whole number is one of 64 bits; a curve may go much further."""


def whole(values: NDArray[Any]) -> NDArray[np.int64]:
    """The nearest whole numbers, of those that are too large for it the largest: whoever has less room still sees that they are beyond."""
    return np.rint(np.nan_to_num(values).clip(-_EXACT, _EXACT)).astype(np.int64)


def single(values: NDArray[Any]) -> NDArray[np.float32]:
    """In 32 bits, those that are too large for it as the largest."""
    limits = np.finfo(np.float32)
    return values.clip(limits.min, limits.max).astype(np.float32)


def kept(values: NDArray[Any]) -> NDArray[Any]:
    """(F, C) where a value is no number that of the nearest frame before, else of the next one that has any, else 0."""
    bad, frames = ~np.isfinite(values), np.arange(len(values))[:, None]
    before = np.maximum.accumulate(np.where(bad, -1, frames), axis=0)
    first = np.argmin(bad, axis=0)[None]
    result = np.take_along_axis(values, np.where(before < 0, first, before), axis=0)
    return np.where(np.isfinite(result), result, 0.0)
