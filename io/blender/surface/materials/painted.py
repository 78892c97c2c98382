"""The colours of a mesh's corners or vertices that somebody sees or painted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np

from ...arrays import values_of
from .materials import COLOURS


def painted(data: bpy.types.Mesh) -> Iterator[Any]:
    """The colour attributes, but those that are white all over and no import's: as soon as somebody enters Vertex Paint there is one."""
    attributes: Any = data.color_attributes
    return (each for each in attributes if each.name == COLOURS or (values_of(each.data, "color_srgb", np.float32, 4) < 1).any())
