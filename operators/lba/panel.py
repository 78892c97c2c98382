"""The side panel of Little Big Adventure."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.lba.fields import COLOUR, REACH, REGION, TYPE
from ...core.lba.game import GAME
from ...core.lba.options import MakeOptions
from ...io.blender import armature, identity
from ...io.lba import make
from ..shared import declared, job
from ..shared.layout import split_layout
from ..shared.panel import GamePanel, SidePanel, active_armature

_MATERIAL = ((TYPE, "Polygon Type"), (COLOUR, "Colour in Palette"), (REACH, "Shades of Light"), (REGION, "Texture Region"))


class RETRO_ANIM_OT_lba_make(bpy.types.Operator):
    """Build the character that the active armature and its meshes are in Little Big Adventure, beside them: at most 30 groups, each vertex
    on the bone of its largest weight, the nearest colours of the palette"""

    bl_idname = "retro_anim.lba_make"
    bl_label = "Make It an LBA Body"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = active_armature(context)
        return obj is not None and obj.type == "ARMATURE"

    def invoke(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        return context.window_manager.invoke_props_dialog(self, width=420)

    def draw(self: Any, context: bpy.types.Context) -> None:
        layout, obj = split_layout(self), active_armature(context)
        for name in ("game", "height"):
            layout.prop(self, name)
        layout.prop_search(self, "like", context.scene, "objects")
        for name in ("merge", "palette"):
            layout.prop(self, name)
        if obj is not None:
            box = layout.box().column(align=True)
            for line in make.colours_of(context, obj, self.palette):
                box.label(text=line)

    def execute(self: Any, context: bpy.types.Context) -> Any:
        obj = active_armature(context)
        assert obj is not None
        options = MakeOptions(**declared.values(MakeOptions, self))
        built = job.run(self, context, lambda: make.make_body(context, obj, options))
        if built is None:
            return {"CANCELLED"}
        self.report({"INFO"}, f"{built.armature.name}: {len(armature.bones_of(built.armature))} groups; Export LBA Body writes it")
        return {"FINISHED"}


RETRO_ANIM_OT_lba_make.__annotations__ = declared.properties(MakeOptions)


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


class VIEW3D_PT_retro_anim_lba_make(SidePanel, bpy.types.Panel):
    """For armatures that are of no game yet."""

    bl_label = "Little Big Adventure"
    bl_idname = "VIEW3D_PT_retro_anim_lba_make"
    bl_parent_id = "VIEW3D_PT_retro_anim"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = active_armature(context)
        return obj is not None and obj.type == "ARMATURE" and identity.game_of(obj) is not GAME

    def draw(self: Any, context: bpy.types.Context) -> None:
        self.layout.operator("retro_anim.lba_make", icon="OUTLINER_OB_ARMATURE")


CLASSES = (RETRO_ANIM_OT_lba_make, VIEW3D_PT_retro_anim_lba, VIEW3D_PT_retro_anim_lba_body, VIEW3D_PT_retro_anim_lba_make)
