"""The side panel: what the active action is to its game, the words that no curve shows, and the way in and out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy

from ..core.lba.game import GAMES
from ..io import holder

_WORDS = (
    ("lba_loop_frame", "Loop from"),
    ("lba_first_duration", "Lead-in"),
    ("lba_first_step", "First Step"),
    ("lba_first_turn", "First Turn"),
)


def _action(context: bpy.types.Context) -> bpy.types.Action | None:
    thing = context.object
    armature = thing if thing is None or thing.type == "ARMATURE" else thing.find_armature()
    data = armature.animation_data if armature else None
    return data.action if data else None


class RETRO_ANIM_OT_preview_loop(bpy.types.Operator):
    """Set the preview range to the action's loop, so that playback repeats it as the game does"""

    bl_idname = "retro_anim.preview_loop"
    bl_label = "Preview Loop"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return _action(context) is not None

    def execute(self, context: bpy.types.Context) -> Any:
        action = _action(context)
        assert action is not None
        start, end = action.frame_range
        scene = context.scene
        scene.use_preview_range = True
        scene.frame_preview_start = round(start)
        # The closing key shows the first pose again: the last frame before it ends the range.
        scene.frame_preview_end = max(round(start), round(end) - (1 if action.use_cyclic else 0))
        scene.frame_set(round(start))
        return {"FINISHED"}


class VIEW3D_PT_retro_anim(bpy.types.Panel):
    bl_label = "Retro Game Animation"
    bl_idname = "VIEW3D_PT_retro_anim"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Retro Anim"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        row = layout.row(align=True)
        row.operator("import_anim.lba", text="Import LBA", icon="IMPORT")
        row.operator("export_anim.lba", text="Export LBA", icon="EXPORT")
        thing = context.object
        armature = thing if thing is None or thing.type == "ARMATURE" else thing.find_armature()
        if armature is None:
            layout.label(text="Select an imported character")
            return
        if armature.animation_data:
            layout.template_ID(armature.animation_data, "action")
        layout.operator("retro_anim.preview_loop", icon="FILE_REFRESH")


class VIEW3D_PT_retro_anim_lba(bpy.types.Panel):
    bl_label = "Little Big Adventure"
    bl_parent_id = "VIEW3D_PT_retro_anim"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Retro Anim"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        action = _action(context)
        return action is not None and "lba_game" in action

    def draw(self, context: bpy.types.Context) -> None:
        layout, action = self.layout, _action(context)
        assert action is not None
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column(align=True)
        game = GAMES.get(str(action["lba_game"]))
        column.label(text=game.label if game else str(action["lba_game"]))
        origin = holder.origin(action)
        if origin:
            entry = f", entry {origin[1]}" if origin[1] != holder.LOOSE else ""
            column.label(text=f"{Path(origin[0]).name}{entry}")
        else:
            column.label(text="The source file is not kept", icon="INFO")
        if "lba_roles" in action:
            column.label(text=f"Used for: {action['lba_roles']}")
        column = layout.column()
        for name, label in _WORDS:
            if name in action:
                column.prop(action, f'["{name}"]', text=label)


CLASSES = (RETRO_ANIM_OT_preview_loop, VIEW3D_PT_retro_anim, VIEW3D_PT_retro_anim_lba)
