"""Above all parts: who follows whom, which actions, and the buttons."""

from __future__ import annotations

import math
from typing import Any

import bpy

from ...shared.layout import beside, draw_whole, is_narrow, with_placeholder
from .. import preview
from ..mapping import bone_map
from ..operators import pass_on
from ..settings import armatures_of, settings_of


def _beside(layout: Any, label: str, narrow: bool = False) -> Any:
    """Where what the label names is drawn: with more room than Blender's own columns leave for a long name. narrow: below it."""
    if narrow:
        layout.label(text=label, translate=False)
        return layout
    split = layout.split(factor=0.22, align=True)
    named = split.row()
    named.alignment = "RIGHT"
    named.label(text=label, translate=False)
    return split


def _has_strips(source: Any) -> bool:
    """Whether its NLA shows anything."""
    return source is not None and source.animation_data is not None and any(track.strips for track in source.animation_data.nla_tracks)


def _played(scene: bpy.types.Scene, first: float, last: float) -> str:
    """Which of these frames the time line plays, where that is not all of them."""
    preview_range = scene.frame_preview_start, scene.frame_preview_end
    start, end = preview_range if scene.use_preview_range else (scene.frame_start, scene.frame_end)
    is_cut = start > first + 1 or end < math.floor(last) - 1  # a loop's closing pose is none that is played
    return f"; the time line plays {start} to {end}" if is_cut else ""


def draw(layout: Any, context: bpy.types.Context) -> None:
    settings = settings_of(context)
    layout.use_property_split = False
    narrow = is_narrow(context.region)
    row = beside(layout, context.region)
    column = row.column(align=True)
    both = bone_map.both_of(context)
    for side, obj, does in zip(("source", "target"), both, ("who moves", "who follows"), strict=True):
        with_placeholder(_beside(column, side.title(), narrow), settings, side, does if obj is None else obj.name)
    row.operator("retro_anim.retarget_swap", text="Swap" if narrow else "", translate=False, icon="UV_SYNC_SELECT")
    for side, there in zip((settings.source, settings.target), armatures_of(settings), strict=True):
        if side is not None and there is None:
            draw_whole(layout, f"{side.name} was deleted: the selection counts instead", context.region, icon="ERROR")
    which = layout.column()
    which.active = not settings.nla
    beside_label = _beside(which, "Actions", narrow)
    which_of = beside_label.column(align=True) if narrow else beside_label.row(align=True)
    which_of.prop(settings, "actions_from", expand=True)
    if settings.nla or _has_strips(both[0]):
        layout.prop(settings, "nla")
    if settings.actions_from == "CHOSEN" and not settings.nla:
        row = which.row()
        row.template_list("RETRO_ANIM_UL_choices", "", settings, "choices", settings, "choice", rows=4)
        row.operator("retro_anim.retarget_list", text="", icon="FILE_REFRESH")
    row = layout.column(align=True) if narrow else layout.row()
    row.scale_y = 1.4
    pass_on(row.operator("retro_anim.retarget", icon="ARMATURE_DATA"), settings)
    shown = preview.shown_in(context.scene)
    row.operator("retro_anim.retarget_preview", icon="HIDE_OFF", depress=shown is not None)
    if shown is not None:
        frames = "" if shown.span is None else ", in its frames {:.4g} to {:.4g}{}".format(*shown.span, _played(context.scene, *shown.span))
        strips = "; what the strips show together only Retarget does" if settings.nla else ""
        draw_whole(layout, f"Shows {shown.action[0]}, the source's active action{frames}{strips}", context.region, icon="ACTION")
        if shown.message:
            draw_whole(layout, shown.message, context.region, icon="INFO")
