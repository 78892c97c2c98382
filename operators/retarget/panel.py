"""The side panel of retargeting, its lists, and presets of its options, kept and chosen as those of Blender's own operators; what is drawn
in it, and loaded with its first drawing, is in panels/."""

from typing import Any

import bpy
from bl_operators.presets import AddPresetBase
from bpy.types import Context, Menu, Operator, Panel, UIList

from ..shared.layout import SidePanel, split_layout
from . import ELSEWHERE, NAMES, icon_of, in_two_lines

_PRESETS = "retro_anim/retarget"
"""Their folder."""


class RETRO_ANIM_UL_pairs(UIList):
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


class RETRO_ANIM_UL_choices(UIList):
    """Actions to tick."""

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        layout.use_property_split = False  # a list has what its panel has
        layout.prop(item, "chosen", text=item.title or item.name, translate=False)


class RETRO_ANIM_UL_reports(UIList):
    """The new actions."""

    def draw_item(
        self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any, index: int = 0
    ) -> None:
        row = layout.row(align=True)
        row.label(text=item.title or item.name, icon="CHECKMARK" if item.is_good else "ERROR", translate=False)
        row.operator("retro_anim.retarget_show", text="", icon="RESTRICT_SELECT_OFF", emboss=False).index = index


class VIEW3D_PT_retro_anim_retarget(SidePanel, Panel):
    """Above all others: what a run changes in those, messages and fields of another clip, moves no button away from below the mouse."""

    bl_label = "Retarget"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 0

    def draw_header(self: Any, context: Context) -> None:
        """Drawn before the panel, and also where that is folded in: what only the open panel shows begins with nothing."""
        from .mapping import highlight

        highlight.hide(context)

    def draw(self: Any, context: Context) -> None:
        from . import panels

        panels.draw(split_layout(self), context)


class RETRO_ANIM_MT_retarget_presets(Menu):
    bl_label = "Option Presets"
    preset_subdir = _PRESETS
    preset_operator = "script.execute_preset"
    draw: Any = Menu.draw_preset


class RETRO_ANIM_OT_retarget_preset(AddPresetBase, Operator):
    """Keep the options of retargeting under a name, for any scene, or remove those that were chosen last"""

    bl_idname = "retro_anim.retarget_preset"
    bl_label = "Add Preset of Options"
    bl_options = {"REGISTER", "INTERNAL"}

    preset_menu = "RETRO_ANIM_MT_retarget_presets"
    preset_subdir = _PRESETS
    preset_defines = ["settings = bpy.context.scene.retro_anim_retarget"]
    preset_values = [f"settings.{name}" for name in NAMES if name not in ELSEWHERE]

    @classmethod
    def description(cls, _context: Any, properties: Any) -> str:
        return "Remove the preset that was chosen last" if properties.remove_active else "Keep the options under a name, for any scene"


CLASSES = (
    RETRO_ANIM_MT_retarget_presets,
    RETRO_ANIM_OT_retarget_preset,
    RETRO_ANIM_UL_choices,
    RETRO_ANIM_UL_pairs,
    RETRO_ANIM_UL_reports,
    VIEW3D_PT_retro_anim_retarget,
)
