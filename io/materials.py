"""A game's materials as Blender's: plain colours that look right in the solid viewport and in renders."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ..core.mesh import Colour, Material
from . import compat

RAMP = "retro_anim_ramp"
"""Custom property of a material: the game's shades, dark to bright, red, green, blue after one another."""


def build(material: Material) -> bpy.types.Material:
    """The material, or one of the same name and colours that is there already.

    Unlit ones shine by themselves, so that they have the game's very colour under any light; lit ones are matt.
    """
    ramp = [component for shade in material.ramp for component in shade]
    known = bpy.data.materials.get(material.name)
    if known is not None and known.library is None and RAMP in known and np.allclose(known[RAMP], ramp):
        return known
    made: Any = bpy.data.materials.new(material.name)
    made[RAMP] = ramp
    colour = (*_linear(material.colour), material.alpha)
    made.diffuse_color = colour  # the solid viewport shows this one
    made.roughness = 1.0
    shader = next(node for node in compat.shader_tree(made).nodes if node.type == "BSDF_PRINCIPLED")
    inputs: Any = shader.inputs
    inputs["Roughness"].default_value = 1.0
    inputs["Specular IOR Level"].default_value = 0.0
    inputs["Alpha"].default_value = material.alpha
    if material.shading == "UNLIT":
        inputs["Base Color"].default_value = (0.0, 0.0, 0.0, 1.0)
        inputs["Emission Color"].default_value = colour
        inputs["Emission Strength"].default_value = 1.0
    else:
        inputs["Base Color"].default_value = colour
    return made


def _linear(colour: Colour) -> tuple[float, float, float]:
    """sRGB as displayed -> the linear values that Blender calculates with."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return red, green, blue
