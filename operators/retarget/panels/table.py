"""The bone map as a table, and its chosen line with all that can be set in it."""

from __future__ import annotations

from typing import Any

import bpy

from ...shared.layout import beside, buttons_of_list, draw_field, draw_whole, is_narrow, letters_in
from ...shared.parts import Part
from .. import bones_of, icon_of
from ..mapping import bone_map, highlight
from ..settings import doubtful_in, settings_of
from . import rows
from .changes import draw_changed
from .limbs import draw_limb, limb_of
from .rows import columns

_CHECKS = (("location", "scale"), ("distribute", "tail"))
"""Beside each other."""

_OF_PAIR = ("space", "turn", "weight", "offset", *(name for names in _CHECKS for name in names))
_OF_CHAIN = ("mode", "weight")

_BESIDE = 165
"""Pixels of the panel's width that no name in the table has: margins, icon, buttons and scroll bar, and what names have around them."""

_BUTTONS = 26
"""The part of these that the buttons have: in a narrow panel they are below."""

_LONG = 14
"""Letters of a bone's name that have room in a panel of usual width beside a label and two buttons."""


def _bone(layout: Any, line: Any, side: str, obj: Any) -> None:
    """A field to choose a bone in."""
    if obj is not None:
        layout.prop_search(line, side, obj.data, "bones", text="")
    else:
        layout.prop(line, side, text="")


class BoneMap(Part):
    title = "Bone Map"

    def draw_folded(self, context: bpy.types.Context) -> None:
        highlight.hide(context)

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = self.layout, settings_of(context)
        highlight.show(context)
        narrow = is_narrow(context.region)
        row = beside(layout, context.region)
        row.operator("retro_anim.retarget_map", icon="BONE_DATA")
        row = row.row(align=True)
        row.operator("retro_anim.retarget_map", text="", icon="FILE_REFRESH").anew = True
        row.operator("retro_anim.retarget_map_load", text="", icon="FILE_FOLDER")
        row.operator("retro_anim.retarget_map_save", text="", icon="FILE_TICK")
        if not settings.pairs:
            _draw_empty(layout, context.region)
            return
        row = beside(layout, context.region, align=False)
        rows.shown[:] = [columns(settings.pairs, letters_in(context.region, _BESIDE - _BUTTONS if narrow else _BESIDE))]
        row.template_list("RETRO_ANIM_UL_pairs", "", settings, "pairs", settings, "index", rows=6)
        buttons = buttons_of_list(row, context.region)
        buttons.operator("retro_anim.retarget_map_add", text="", icon="ADD")
        buttons.operator("retro_anim.retarget_map_remove", text="", icon="REMOVE")
        buttons.separator()
        buttons.operator("retro_anim.retarget_chain", text="", icon="LINKED")
        buttons.operator("retro_anim.retarget_chain_join", text="", icon="AUTOMERGE_ON")
        buttons.operator("retro_anim.retarget_chain_split", text="", icon="UNLINKED")
        row = layout.column(align=True) if narrow else layout.row()
        row.prop(settings, "only_doubtful")
        row.prop(settings, "highlight")
        if settings.only_doubtful and not doubtful_in(settings):
            layout.label(text="No line is doubtful", icon="CHECKMARK", translate=False)
            return
        for bone in sorted(rows.shown[0].twice):
            followed = [line.shown("source") for line in settings.pairs if bone in bones_of(line, "target") and line.source]
            draw_whole(layout, f"{bone} follows {' and '.join(followed)}: remove one of the lines", context.region, icon="ERROR")
        if 0 <= settings.index < len(settings.pairs):
            _draw_line(layout, settings, settings.pairs[settings.index], context.region, bone_map.both_of(context))


def _draw_empty(layout: Any, region: Any) -> None:
    """What to do instead of rows without anything in them, and the buttons that make a line by hand."""
    row = beside(layout, region, align=False)
    draw_whole(row, "Retarget maps by itself; Map Bones shows beforehand what follows what", region)
    column = buttons_of_list(row, region)
    column.operator("retro_anim.retarget_map_add", text="", icon="ADD")
    column.operator("retro_anim.retarget_chain", text="", icon="LINKED")


def _draw_line(layout: Any, settings: Any, line: Any, region: Any, both: tuple[Any, Any]) -> None:
    """The bones of one line, why it is doubtful, and folded in how the one follows the other. both: source and target of a run."""
    column = layout.column(align=True)
    column.use_property_split = True
    column.use_property_decorate = False
    sides = zip(("source", "target"), both, strict=True)
    ends = [(obj, f"{side}{end}") for side, obj in sides for end in (("_start", "_end") if line.is_chain else ("",))]
    long = is_narrow(region) or rows.shown[0].longest > _LONG
    for obj, name in ends:
        row = column.row(align=True) if long else column.split(factor=0.22, align=True)
        row.label(text=line.bl_rna.properties[name].name, translate=False)
        if long:  # the whole width for the name, which a prefix makes long
            _bone(column, line, name, obj)
        else:
            row = row.row(align=True)
            _bone(row, line, name, obj)
        for operator, icon in (("pick", "EYEDROPPER"), ("take", "RESTRICT_SELECT_OFF")):
            button = row.operator(f"retro_anim.retarget_bone_{operator}", text="", icon=icon)
            button.line, button.field = settings.index, name
    certain = "Wants a look" if line.note else "Set by hand" if line.by_hand else "Sure"
    column.label(text=f"{line.confidence:.0%} sure" if line.confidence < 1 else certain, icon=icon_of(line, rows.shown[0].twice))
    if line.note:
        for part in line.note.split("; "):
            draw_whole(layout, part, region, icon="INFO")
    _draw_how(layout, settings, line, region, both[1])


def _draw_how(layout: Any, settings: Any, line: Any, region: Any, target: Any) -> None:
    header, body = layout.panel("retro_anim_retarget_line", default_closed=True)
    leader, follower = (rows.shown[0].title(line, side) for side in ("source", "target"))
    says = f"How {follower} Follows {leader}" if leader and follower and not is_narrow(region) else "How It Follows"
    header.label(
        text="How the Chain Follows" if line.is_chain else says, translate=False
    )  # which has four names, more than there is room for
    draw_changed(header, line, _OF_CHAIN if line.is_chain else _OF_PAIR)
    if body is None:
        return
    column = body.column()
    column.use_property_split = True
    column.use_property_decorate = False
    if limb := limb_of(line.role):
        draw_limb(column, settings, limb, region, target)
    if line.is_chain:
        for name in _OF_CHAIN:
            draw_field(column, line, name, region)
        return
    for name in ("space", "turn", "weight", "offset"):
        draw_field(column, line, name, region)
    for names in _CHECKS:
        row = column.row()
        row.use_property_split = False
        for name in names:
            row.prop(line, name)
