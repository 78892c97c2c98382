"""Triples of Ry * Rz * Rx that follow each other without jumps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import euler

Floats = NDArray[np.float64]


def continuous(angles: Floats, near: Floats) -> Floats:
    """(K, B, 3) game triples, radians -> of all triples of the same rotations those nearest to the frame before; the first ones nearest
    to `near` (B, 3)."""
    return euler.continuous(angles, near, "XZY")
