"""Pixels as all picture formats share them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..files import unpacking
from ..reporting.errors import FormatError

Pixels = NDArray[np.uint8]
"""(H, W, 4) red, green, blue, alpha, as displayed, top row first."""

LARGEST = 1 << 15
"""Pixels of a side."""


def check_size(width: int, height: int) -> None:
    """Raises FormatError for a picture without pixels, or larger than any game has."""
    if not (0 < width <= LARGEST and 0 < height <= LARGEST):
        raise FormatError(f"a picture of {width} x {height} pixels")
    unpacking.check_size(4 * width * height, f"a picture of {width} x {height} pixels")
    unpacking.spend(4 * width * height, f"a picture of {width} x {height} pixels")


def digest(pixels: Pixels) -> str:
    """Size and checksum, by which pictures (H, W, 4) are distinguished."""
    return f"{pixels.shape[1]}x{pixels.shape[0]} {zlib.crc32(pixels.tobytes()):08x}"


def spread(values: NDArray[Any], masks: Sequence[int]) -> Pixels:
    """(..., 4) the bits of each mask as 0 to 255. masks: red, green, blue, alpha; an alpha mask of 0 means opaque."""
    out = np.zeros((*values.shape, 4), "u1")
    out[..., 3] = 255
    for channel, mask in enumerate(masks):
        if not mask:
            continue
        shift = (mask & -mask).bit_length() - 1
        top = mask >> shift
        bits = (values & np.asarray(mask, values.dtype)) >> np.asarray(shift, values.dtype)
        if top == 255:
            out[..., channel] = bits
        elif top < 1 << 16:
            out[..., channel] = np.floor(np.arange(top + 1) * (255 / top) + 0.5).astype("u1")[bits]
        else:
            out[..., channel] = np.floor(bits * (255 / top) + 0.5)
    return out
