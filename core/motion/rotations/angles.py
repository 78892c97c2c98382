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


def continued(angles: Floats) -> Floats:
    """(F,) angles that go on from one to the next over half a turn, without jumps. They count from the first that is less than a quarter of
    a turn to one side, or else from that which is the least: so a clip that is cut where it is beyond half a turn goes as the whole one,
    if it comes back."""
    steady = np.unwrap(angles)
    short = np.abs(wrapped(steady))
    start = (short < max(np.pi / 2, short.min(initial=np.pi) + 1e-3)).argmax()
    return np.asarray(steady - 2 * np.pi * np.round(steady[start] / (2 * np.pi)), np.float64)
