"""The panel that all others of retargeting stand in: who follows whom, which actions, and the buttons."""

from __future__ import annotations

from typing import Any

import bpy

from ....core.reporting.errors import RetroAnimError
from ...shared.layout import SidePanel, draw_whole, split_layout, with_placeholder
from .. import bone_map, preview
from ..operators import pass_on
from ..settings import settings_of

NAME = "VIEW3D_PT_retro_anim_retarget"
"""Of the panel, for those inside it."""


class RETRO_ANIM_UL_choices(bpy.types.UIList):
    """Actions to tick."""

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        layout.use_property_split = False  # a list has what its panel has
        layout.prop(item, "chosen", text=item.name)


def meant(context: bpy.types.Context, settings: Any) -> tuple[str, str]:
    """The names of source and target that the selection gives where the fields are empty; what they are for where it does not say."""
    if settings.source is not None and settings.target is not None:
        return "", ""
    try:
        source, target = bone_map.pick(context)
    except RetroAnimError:
        return "who moves", "who follows"
    return source.name, target.name


class VIEW3D_PT_retro_anim_retarget(SidePanel, bpy.types.Panel):
    """Above all others: what a run changes in those, messages and fields of another clip, moves no button away from below the mouse."""

    bl_label = "Retarget"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 0

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = split_layout(self), settings_of(context)
        row = layout.row(align=True)
        column = row.column(align=True)
        for side, name in zip(("source", "target"), meant(context, settings), strict=True):
            with_placeholder(column, settings, side, name, labelled=True)
        row.operator("retro_anim.retarget_swap", text="", icon="UV_SYNC_SELECT")
        which = layout.column()
        which.active = not settings.nla
        which.prop(settings, "actions_from")
        if settings.actions_from == "CHOSEN":
            row = which.row()
            row.template_list("RETRO_ANIM_UL_choices", "", settings, "choices", settings, "choice", rows=4)
            row.operator("retro_anim.retarget_list", text="", icon="FILE_REFRESH")
        row = layout.row()
        row.scale_y = 1.4
        pass_on(row.operator("retro_anim.retarget", icon="ARMATURE_DATA"), settings)
        shown = preview.running()
        row.operator("retro_anim.retarget_preview", icon="HIDE_OFF", depress=shown is not None)
        if shown is not None:
            frames = "" if shown.span is None else ", in its frames {:g} to {:g}".format(*shown.span)
            draw_whole(layout, f"Shows {shown.action}, the source's active action{frames}", context.region, icon="ACTION")
            if shown.message:
                draw_whole(layout, shown.message, context.region, icon="INFO")


CLASSES = (RETRO_ANIM_UL_choices, VIEW3D_PT_retro_anim_retarget)
