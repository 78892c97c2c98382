"""Above all parts: who follows whom, which actions, and the buttons."""

from __future__ import annotations

from typing import Any

import bpy

from ....core.reporting.errors import RetroAnimError
from ...shared.layout import draw_whole, with_placeholder
from .. import bone_map, preview
from ..operators import pass_on
from ..settings import armatures_of, settings_of


def meant(context: bpy.types.Context, settings: Any) -> tuple[str, str]:
    """The names of source and target that the selection gives where the fields are empty; "" where it does not say."""
    if None not in armatures_of(settings):
        return "", ""
    try:
        source, target = bone_map.pick(context)
    except RetroAnimError:
        return "", ""
    return source.name, target.name


def draw(layout: Any, context: bpy.types.Context) -> None:
    settings = settings_of(context)
    row = layout.row(align=True)
    column = row.column(align=True)
    for side, name, does in zip(("source", "target"), meant(context, settings), ("who moves", "who follows"), strict=True):
        with_placeholder(column, settings, side, name or does, labelled=True)
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
