"""Channels over time whose quaternions do not jump."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion
from ...motion.rotations.rotation_matrix import Floats

Channels = NDArray[np.float32]
"""(F, bones, C) the components of the bones at all frames. In memory the frames of a component lie together, as its curve wants them."""


def continuous(rotations: Channels) -> None:
    """Signs of (F, bones, 4) such that no frame is on the other side of the one before; in place."""
    dots = np.einsum("fbi,fbi->fb", rotations[1:], rotations[:-1])
    over = dots < 0
    if over.any():
        flipped: NDArray[np.bool_] = np.logical_xor.accumulate(over, axis=0)
        rotations[1:] *= np.where(flipped, np.float32(-1), np.float32(1))[..., None]


def rotations_of(matrices: Floats) -> Channels:
    """(F, 4) of rotations (F, 3, 3)."""
    rotations = quaternion.of_matrix(matrices).astype(np.float32)
    continuous(rotations[:, None])
    return rotations
