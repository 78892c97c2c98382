"""Lists of whole numbers as custom properties of data-blocks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def numbers(values: Iterable[Any]) -> list[float]:
    """Whole numbers as a property holds them: as floats, since Blender's FBX exporter takes any three numbers for a vector of floats and
    fails on others. `whole` reads them."""
    return [float(value) for value in values]


def whole(values: Any) -> list[int] | None:
    """The whole numbers of a property, which older .blend files hold as such; None for anything else."""
    if not hasattr(values, "__len__") or isinstance(values, str | bytes):
        return None
    found = list(values)
    if not all(isinstance(value, int | float) and value == value // 1 for value in found):
        return None
    return [int(value) for value in found]
