"""What is asked of hands, feet and hips."""

from __future__ import annotations

import bpy

from ...shared.layout import SidePanel, split_layout
from ..limbs import LIMBS, draw_limb
from ..settings import settings_of
from . import main


class VIEW3D_PT_retro_anim_retarget_limbs(SidePanel, bpy.types.Panel):
    bl_label = "Hands and Feet"
    bl_parent_id = main.NAME
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = split_layout(self), settings_of(context)
        for name in LIMBS:
            draw_limb(layout.column(align=True), settings, name)


CLASSES = (VIEW3D_PT_retro_anim_retarget_limbs,)
