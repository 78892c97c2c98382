"""The side panel of retargeting, and its lists; what is drawn in it, and loaded with its first drawing, is in panels/."""

from __future__ import annotations

from typing import Any

import bpy

from ..shared.layout import SidePanel, split_layout
from . import icon_of, in_two_lines


class RETRO_ANIM_UL_pairs(bpy.types.UIList):
    """Target bones and what they follow; doubtful ones are marked."""

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        from .panels.rows import shown as columns

        row = layout.row(align=True)
        icon_of_line = icon_of(item, columns[0].twice)
        row.label(text="", icon="LINKED" if item.is_chain and icon_of_line == "CHECKMARK" else icon_of_line)
        share = columns[0].share
        split = row.split(factor=share, align=True) if share else row  # text alone: fields have no room in a panel of usual width
        for side in ("source", "target") if share else ("target",):
            split.label(text=columns[0].text(item, side) or "none", translate=False)

    def filter_items(self, context: Any, data: Any, name: str) -> Any:
        lines = getattr(data, name)
        shown = (
            bpy.types.UI_UL_list.filter_items_by_name(self.filter_name, self.bitflag_filter_item, lines, "name") if self.filter_name else []
        )
        shown = shown or [self.bitflag_filter_item] * len(lines)
        if data.only_doubtful:
            twice = in_two_lines(lines)
            shown = [flag if icon_of(line, twice) != "CHECKMARK" else 0 for flag, line in zip(shown, lines, strict=True)]
        return shown, []


class RETRO_ANIM_UL_choices(bpy.types.UIList):
    """Actions to tick."""

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        layout.use_property_split = False  # a list has what its panel has
        layout.prop(item, "chosen", text=item.title or item.name, translate=False)


class RETRO_ANIM_UL_reports(bpy.types.UIList):
    """The new actions."""

    def draw_item(
        self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any, index: int = 0
    ) -> None:
        row = layout.row(align=True)
        row.label(text=item.title or item.name, icon="CHECKMARK" if item.is_good else "ERROR", translate=False)
        row.operator("retro_anim.retarget_show", text="", icon="RESTRICT_SELECT_OFF", emboss=False).index = index


class VIEW3D_PT_retro_anim_retarget(SidePanel, bpy.types.Panel):
    """Above all others: what a run changes in those, messages and fields of another clip, moves no button away from below the mouse."""

    bl_label = "Retarget"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 0

    def draw_header(self: Any, context: bpy.types.Context) -> None:
        """Drawn before the panel, and also where that is folded in: what only the open panel shows begins with nothing."""
        from .mapping import highlight

        highlight.hide(context)

    def draw(self: Any, context: bpy.types.Context) -> None:
        from . import panels

        panels.draw(split_layout(self), context)


CLASSES = (RETRO_ANIM_UL_choices, RETRO_ANIM_UL_pairs, RETRO_ANIM_UL_reports, VIEW3D_PT_retro_anim_retarget)
