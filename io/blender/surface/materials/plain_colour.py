"""The plain colour of a material: what it shows where no picture gives its colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from .....core.surface.mesh import Colour
from .....core.surface.srgb import displayed
from .images import image_of
from .shown_nodes import PRINCIPLED, colour_input, node_behind, principled, surface

DEFAULT: Colour = (0.8, 0.8, 0.8)
"""Of what has no material."""


def is_unlit(material: bpy.types.Material) -> bool:
    """Whether it shines by itself."""
    shader = principled(material)
    return shader is not None and shader.inputs["Emission Strength"].default_value > 0 and max(_base(shader)) < 1e-3


def _base(shader: Any) -> Colour:
    red, green, blue = shader.inputs["Base Color"].default_value[:3]
    return red, green, blue


def alpha_of(material: bpy.types.Material) -> float:
    """How opaque it is as a whole."""
    shader, viewport = principled(material), _viewport(material)
    return float(shader.inputs["Alpha"].default_value) if shader is not None else viewport[3]


def _viewport(material: Any) -> list[float]:
    return list(material.diffuse_color)


def shown(material: bpy.types.Material | None) -> Colour:
    """Its plain colour, 0 to 1 as displayed."""
    if material is None:
        return DEFAULT
    shader = principled(material)
    linear = _viewport(material)[:3]
    if shader is not None:
        linear = list[float](shader.inputs["Emission Color" if is_unlit(material) else "Base Color"].default_value)[:3]
    return displayed(linear)


def source_of(material: bpy.types.Material | None) -> str:
    """The kind of the node that gives its colour, "" where that is plain."""
    shader = surface(material) if material is not None else None
    if material is None or shader is None:
        return ""
    if shader.bl_idname == PRINCIPLED:
        source = node_behind(shader.inputs["Emission Color" if is_unlit(material) else "Base Color"])
        return str(source.type) if source is not None else ""
    colour = colour_input(shader)
    source = node_behind(colour) if colour is not None else None
    return str((source or shader).type)


def is_plain(material: bpy.types.Material | None) -> bool:
    """Whether nothing but its plain colour is shown."""
    return material is None or (image_of(material) is None and not source_of(material))


def is_coloured(material: bpy.types.Material | None) -> bool:
    """Whether its plain colour is a clear one."""
    return is_clear(shown(material))


def is_clear(colour: Sequence[float]) -> bool:
    """Whether a colour is none between white and a light grey, as new materials have."""
    return max(colour) - min(colour) > 0.05 or max(colour) < 0.7


def as_bytes(colour: Colour) -> NDArray[np.uint8]:
    """(3,) as pictures have it."""
    return np.rint(np.clip(colour, 0, 1) * 255).astype(np.uint8)
