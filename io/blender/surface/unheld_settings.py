"""Settings of materials that Blender shows, and no file of its game holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import bpy
import numpy as np

from ....core.reporting import log
from ....core.reporting.labels import first_few
from ....core.surface.srgb import displayed
from .. import identity
from ..arrays import of_property
from .materials.materials import RAMP, VIEWPORT
from .materials.plain_colour import is_plain, is_unlit, shown
from .materials.shown_nodes import principled
from .materials.shown_picture import OPAQUE, is_altered, shown_alpha
from .skinned import drawn_uvs, materials_of, mesh_of, used_slots


def report(obj: bpy.types.Object, meshes: Sequence[bpy.types.Object]) -> None:
    """Say it of the materials of the meshes of an armature, `obj`."""
    game = identity.game_of(obj)
    for mesh in meshes:
        used = _used(mesh)
        with log.about(mesh.name):
            report_altered(mesh)
            _say(used, _is_tinted, "its edited Viewport Display colour in Solid view", "what is under Surface alone: edit that")
            _say(used, _shines, "Emission", "their colours and pictures alone: set its Strength to 0")
            if game is not None and not game.opacity:
                _say(used, _is_clear, "an Alpha below 1", "opaque materials alone: set it to 1")
                _say(used, _is_culled, "Backface Culling", "nothing of it: switch it off")


def _used(mesh: bpy.types.Object) -> list[bpy.types.Material]:
    """The materials that faces have, each once."""
    used = used_slots(mesh_of(mesh))
    shown = (material for slot, material in enumerate(materials_of(mesh)) if slot in used and material is not None)
    return list(dict.fromkeys(shown))


def _say(materials: Sequence[bpy.types.Material], shows: Callable[[bpy.types.Material], bool], what: str, held: str) -> None:
    if names := [material.name for material in materials if shows(material)]:
        log.warning(f"{first_few(names, 3)}: Blender shows {what}, and the file has {held}")


def report_altered(mesh: bpy.types.Object) -> None:
    """Say which materials of a mesh show something else than their pictures."""
    drawn = next((layer.name for layer in drawn_uvs(mesh_of(mesh))), "")
    if names := [material.name for material in _used(mesh) if is_altered(material, drawn)]:
        whose = "its picture, or where that lies" if len(names) == 1 else "their pictures, or where these lie"
        log.warning(f"{first_few(names, 3)}: nodes change {whose}, of which the file has nothing: bake what they make into a picture")


_NEW = 0.8
"""The red, the green and the blue of a new material, in the solid viewport and in its shader."""

_STEP = 0.5 / 255


def _is_tinted(material: Any) -> bool:
    """Whether somebody has given it a colour that nothing but the solid viewport shows: another one than it came in with, or one beside the
    untouched surface of a new material."""
    colour, surface = material.diffuse_color[:3], shown(material)
    if np.allclose(displayed(colour), surface, atol=_STEP):
        return False
    if VIEWPORT in material:
        came = of_property(material[VIEWPORT])
        return came.shape == (3,) and not np.allclose(colour, came, atol=1e-6)
    untouched = RAMP not in material and is_plain(material) and np.allclose(surface, displayed([_NEW] * 3), atol=_STEP)
    return bool(untouched and not np.allclose(colour, _NEW, atol=1e-6))


def _shines(material: bpy.types.Material) -> bool:
    """Whether it gives off light beside its colour; one without another colour has that of its light."""
    shader = principled(material)
    if shader is None or is_unlit(material):
        return False
    strength, colour = shader.inputs["Emission Strength"], shader.inputs["Emission Color"]
    return bool((strength.is_linked or strength.default_value > 0) and (colour.is_linked or max(colour.default_value[:3]) > 0))


def _is_clear(material: bpy.types.Material) -> bool:
    alpha = shown_alpha(material)
    return alpha is not None and alpha < OPAQUE


def _is_culled(material: bpy.types.Material) -> bool:
    """Of one that came in, with both sides."""
    return RAMP in material and material.use_backface_culling
