"""Steps whose last bits do not depend on where arrays lie in memory.

Where a result begins within what would be the next row of a view, numpy 1 takes both for the same memory and computes products of complex
numbers, arc tangents and powers in another way, whose last bits differ. Which arrays are neighbours in memory is chance. So results begin
further behind whatever there is, or operands are dense: they end where their last number does."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Complex = NDArray[np.complex128]


def product(one: Complex, other: Complex) -> Complex:
    """Of complex numbers; shapes are broadcast. Its axes are in memory as those of the operand with its shape. Products of other parts of
    the same arrays may be put into it later."""
    shape = one.shape if one.shape == other.shape else np.broadcast(one, other).shape
    gap = 1 + max(map(abs, (0, *one.strides, *other.strides))) // one.itemsize
    room = np.empty(gap + math.prod(shape), np.complex128)[gap:]
    strides = one.strides if one.shape == shape else other.strides
    if len(strides) == 2 and strides[0] < strides[1]:
        return np.multiply(one, other, out=room.reshape(shape[::-1]).T)
    return np.multiply(one, other, out=room.reshape(shape))


def arctan2(y: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    """np.arctan2 of dense operands."""
    return np.arctan2(_dense(y), _dense(x))


def _dense(array: NDArray[np.float64]) -> NDArray[np.float64]:
    return array if array.flags.forc else array.copy(order="K")
