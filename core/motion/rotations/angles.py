"""Angles in radians, as what is left of them on a circle."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from .rotation_matrix import Floats

_Angles = TypeVar("_Angles", float, Floats)


def wrapped(angles: _Angles) -> _Angles:
    """From above -180 to 180 degrees."""
    return -((-angles + np.pi) % (2 * np.pi) - np.pi)


def quarter(angle: float) -> float:
    """The nearest quarter of a circle: -90, 0, 90 or 180 degrees."""
    return wrapped(round(angle / (np.pi / 2)) % 4 * (np.pi / 2))
