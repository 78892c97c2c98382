"""Colours as displayed, in sRGB, and the linear values that light is calculated with, parts from 0 to 1 (IEC 61966-2-1)."""

from __future__ import annotations

from collections.abc import Iterable

from .mesh import Colour


def displayed(light: Iterable[float]) -> Colour:
    """Of the first three parts."""
    red, green, blue, *_ = (12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in light)
    return red, green, blue


def linear(colour: Iterable[float]) -> tuple[float, float, float]:
    """Of the first three parts."""
    red, green, blue, *_ = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return red, green, blue
