"""What the buttons of the side panel do, in Object > Animation and Pose > Animation: Blender's search (F3) finds what is in menus alone."""

from __future__ import annotations

from typing import Any

import bpy


class VIEW3D_MT_retro_anim(bpy.types.Menu):
    bl_label = "Retro Game Animation"

    def draw(self: Any, context: bpy.types.Context | None) -> None:
        from .retarget.operators import pass_on
        from .retarget.settings import settings_of

        layout = self.layout
        pass_on(layout.operator("retro_anim.retarget", icon="ARMATURE_DATA"), settings_of(context or bpy.context))
        layout.operator("retro_anim.retarget_preview", text="Preview Retargeting", icon="HIDE_OFF")
        layout.operator("retro_anim.retarget_map", icon="BONE_DATA")
        layout.separator()
        layout.operator("retro_anim.clip_new", icon="ADD")
        layout.operator("retro_anim.save_clips", text="Save Clip", icon="FILE_TICK").ticked = False
        layout.operator("retro_anim.save_clips", text="Save Ticked Clips", icon="CHECKMARK").ticked = True
        layout.operator("retro_anim.what_would_change", icon="VIEWZOOM")
        layout.operator("retro_anim.refit_loop", icon="LOOP_BACK")
        layout.operator("retro_anim.make_linear", icon="IPO_LINEAR")
        layout.operator("retro_anim.rename_curves", icon="SORTALPHA")
        layout.operator("retro_anim.mark_assets", icon="ASSET_MANAGER")
        layout.separator()
        layout.operator("retro_anim.game_view", icon="OUTLINER_OB_CAMERA")
        layout.operator("retro_anim.archive", icon="PACKAGE")
        layout.operator("retro_anim.export_everything", icon="EXPORT")
        layout.operator("retro_anim.documentation", icon="HELP")


def draw(menu: Any, _context: bpy.types.Context | None) -> None:
    menu.layout.separator()
    menu.layout.menu(VIEW3D_MT_retro_anim.__name__)


CLASSES = (VIEW3D_MT_retro_anim,)
