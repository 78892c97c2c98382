"""Floats as .NET writes and reads them, which is how they stand in OniSplit's XML."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

_FLOAT = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_SPECIAL = {"INF": np.inf, "-INF": -np.inf, "NaN": np.nan, "Infinity": np.inf, "-Infinity": -np.inf}

_BESIDE = 3
"""How many numbers on either side of a guess are tried."""


def single(value: float | np.float32) -> str:
    """A float32 by .NET's "R": 7 digits where they are enough to read it back, else 9."""
    number = np.float32(value)
    if not np.isfinite(number):
        return "NaN" if np.isnan(number) else "INF" if number > 0 else "-INF"
    short = f"{float(number):.7G}"
    return short if np.float32(float(short)) == number else f"{float(number):.9G}"


def singles(*values: float | np.float32) -> str:
    return " ".join(map(single, values))


def to_float(part: str) -> float:
    """Raises ValueError for what is no number."""
    if part in _SPECIAL:
        return float(_SPECIAL[part])
    if not _FLOAT.fullmatch(part):
        raise ValueError(part)
    return float(part)


def exact(value: np.float32, guess: np.float32, back: Callable[[float], np.float32], inverse: float) -> str:
    """The shortest text from which back() gives `value`, of those for `guess` and the numbers beside it; else the `inverse` in full."""
    if not np.isfinite(value):
        return single(value)
    near = [guess]
    for path in (np.float32(np.inf), np.float32(-np.inf)):
        number = guess
        for _ in range(_BESIDE):
            number = np.nextafter(number, path)
            near.append(number)
    with np.errstate(over="ignore", invalid="ignore"):
        texts = [text for text in map(single, near) if back(float(text)) == value]
    return min(texts, key=len) if texts else repr(inverse)
