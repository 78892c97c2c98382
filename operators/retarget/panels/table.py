"""The bone map as a table, and its chosen line with all that can be set in it."""

from __future__ import annotations

from typing import Any, cast

import bpy

from ...shared.layout import SidePanel, draw_whole
from ..limbs import draw_limb, limb_of
from ..lines import bones_of, columns, wants_look
from ..settings import armatures_of, settings_of
from . import main

_LONG = 14
"""Letters of a bone's name that have room in a panel of usual width beside a label and two buttons."""


class RETRO_ANIM_UL_pairs(bpy.types.UIList):
    """Target bones and what they follow; doubtful ones are marked. columns: of the table that is drawn, for all of its rows."""

    columns = cast("tuple[str, str, float]", ("", "", 0.5))

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        row = layout.row(align=True)
        icon_of_line = _icon(item)
        row.label(text="", icon="LINKED" if item.is_chain and icon_of_line == "CHECKMARK" else icon_of_line)
        source, target, factor = RETRO_ANIM_UL_pairs.columns
        split = row.split(factor=factor, align=True)  # text alone: fields have no room for them in a panel of usual width
        split.label(text=item.shown("source", source) or "none", translate=False)
        split.label(text=item.shown("target", target) or "none", translate=False)

    def filter_items(self, context: Any, data: Any, name: str) -> Any:
        lines = getattr(data, name)
        shown = (
            bpy.types.UI_UL_list.filter_items_by_name(self.filter_name, self.bitflag_filter_item, lines, "name") if self.filter_name else []
        )
        shown = shown or [self.bitflag_filter_item] * len(lines)
        if data.only_doubtful:
            shown = [flag if _icon(line) != "CHECKMARK" else 0 for flag, line in zip(shown, lines, strict=True)]
        return shown, []


def _icon(line: Any) -> str:
    if not line.source or not line.target:
        return "QUESTION"
    return "ERROR" if wants_look(line) else "CHECKMARK"


def _bone(layout: Any, line: Any, side: str, obj: Any) -> None:
    """A field to choose a bone in."""
    if obj is not None:
        layout.prop_search(line, side, obj.data, "bones", text="")
    else:
        layout.prop(line, side, text="")


class VIEW3D_PT_retro_anim_retarget_map(SidePanel, bpy.types.Panel):
    bl_label = "Bone Map"
    bl_parent_id = main.NAME

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = self.layout, settings_of(context)
        row = layout.row(align=True)
        row.operator("retro_anim.retarget_map", icon="BONE_DATA")
        row.operator("retro_anim.retarget_map", text="", icon="FILE_REFRESH").anew = True
        row.operator("retro_anim.retarget_map_load", text="", icon="FILE_FOLDER")
        row.operator("retro_anim.retarget_map_save", text="", icon="FILE_TICK")
        row = layout.row()
        RETRO_ANIM_UL_pairs.columns = columns(settings.pairs)
        row.template_list("RETRO_ANIM_UL_pairs", "", settings, "pairs", settings, "index", rows=6)
        column = row.column(align=True)
        column.operator("retro_anim.retarget_map_add", text="", icon="ADD")
        column.operator("retro_anim.retarget_map_remove", text="", icon="REMOVE")
        column.separator()
        column.operator("retro_anim.retarget_chain", text="", icon="LINKED")
        column.operator("retro_anim.retarget_chain_join", text="", icon="AUTOMERGE_ON")
        column.operator("retro_anim.retarget_chain_split", text="", icon="UNLINKED")
        row = layout.row()
        row.prop(settings, "only_doubtful")
        row.prop(settings, "highlight")
        if 0 <= settings.index < len(settings.pairs):
            _draw_line(layout, settings, settings.pairs[settings.index], context.region)


def _draw_line(layout: Any, settings: Any, line: Any, region: Any) -> None:
    """The options of one line, and why it is doubtful."""
    column = layout.column(align=True)
    column.use_property_split = True
    column.use_property_decorate = False
    sides = zip(("source", "target"), armatures_of(settings), strict=True)
    ends = [(obj, f"{side}{end}") for side, obj in sides for end in (("_start", "_end") if line.is_chain else ("",))]
    long = max((len(bone) for pair in settings.pairs for side in ("source", "target") for bone in bones_of(pair, side)), default=0) > _LONG
    for obj, name in ends:
        split = column.split(factor=0.8 if long else 0.22, align=True)
        split.label(text=line.bl_rna.properties[name].name)
        row = split.row(align=True)
        if long:  # the whole width for the name, which a prefix makes long
            row.alignment = "RIGHT"
            _bone(column, line, name, obj)
        else:
            _bone(row, line, name, obj)
        for operator, icon in (("pick", "EYEDROPPER"), ("take", "RESTRICT_SELECT_OFF")):
            button = row.operator(f"retro_anim.retarget_bone_{operator}", text="", icon=icon)
            button.line, button.field = settings.index, name
    certain = "Wants a look" if line.note else "Set by hand" if line.by_hand else "Sure"
    column.label(text=f"{line.confidence:.0%} sure" if line.confidence < 1 else certain, icon=_icon(line))
    if line.note:
        for part in line.note.split("; "):
            draw_whole(layout, part, region, icon="INFO")
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    if limb := limb_of(line.role):
        draw_limb(column, settings, limb)
    if line.is_chain:
        column.prop(line, "mode")
        column.prop(line, "weight")
        return
    for name in ("space", "turn", "weight", "offset"):
        column.prop(line, name)
    for first, second in (("location", "scale"), ("distribute", "tail")):
        row = column.row()
        row.use_property_split = False
        row.prop(line, first)
        row.prop(line, second)


CLASSES = (RETRO_ANIM_UL_pairs, VIEW3D_PT_retro_anim_retarget_map)
