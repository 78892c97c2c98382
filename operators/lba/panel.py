"""The side panel of Little Big Adventure."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.lba.fields import COLOUR, REACH, REGION, TYPE
from ...core.lba.game import GAME
from ..shared.layout import split_layout
from ..shared.panel import GamePanel

_MATERIAL = ((TYPE, "Polygon Type"), (COLOUR, "Colour in Palette"), (REACH, "Shades of Light"), (REGION, "Texture Region"))


class VIEW3D_PT_retro_anim_lba(GamePanel, bpy.types.Panel):
    bl_label = "Little Big Adventure"
    bl_idname = "VIEW3D_PT_retro_anim_lba"
    game = GAME


class VIEW3D_PT_retro_anim_lba_body(GamePanel, bpy.types.Panel):
    bl_label = "Body"
    bl_parent_id = "VIEW3D_PT_retro_anim_lba"
    game = GAME

    def draw(self: Any, context: bpy.types.Context) -> None:
        layout, obj = split_layout(self), context.object
        material = obj.active_material if obj is not None and obj.type == "MESH" else None
        column = layout.column(align=True)
        for name, label in _MATERIAL:
            if material is not None and name in material:
                column.prop(material, f'["{name}"]', text=label)
        layout.operator("export_mesh.lba", icon="EXPORT")


CLASSES = (VIEW3D_PT_retro_anim_lba, VIEW3D_PT_retro_anim_lba_body)
