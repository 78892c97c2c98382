"""A body of Little Big Adventure as the game draws it: what an export would write, in the shades of the palette."""

from __future__ import annotations

from dataclasses import replace

import bpy

from ...core.lba.body.body import Body
from ...core.lba.game import BodyOptions
from ...core.lba.motion.motion import CONVENTION
from ...core.reporting import log
from ...core.reporting.errors import RetroAnimError
from ..blender import armature
from ..blender.surface import mesh
from ..blender.surface.skinned import meshes_of
from .bodies import pack_body
from .body import resources


def dressed(context: bpy.types.Context, obj: bpy.types.Object) -> list[bpy.types.Object]:
    """Build the character's meshes once more with the game's look; returns those that they stand for. Raises RetroAnimError."""
    hidden = meshes_of(context, obj)
    data = armature.data_of(obj)
    palette = resources.palette_of(data)
    if resources.path_for(data):
        resources.report_plain(palette)
    else:
        log.warning(f"no RESS.HQR with the game's palette is known of {obj.name}: plain colours")
    surface = Body.of(pack_body(context, obj, BodyOptions())).mesh(palette, resources.page_of(data), "GAME")
    if surface is None:
        raise RetroAnimError(f"{obj.name} has no body")
    with armature.readable(obj):
        rig, scale = armature.read_rig(obj, CONVENTION)
    named = replace(surface, materials=tuple(replace(material, name=f"Game View {material.name}") for material in surface.materials))
    mesh.build(context, f"Game View {obj.name} mesh", named, rig, obj, scale, shown_only=True)
    return hidden
