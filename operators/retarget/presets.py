"""Presets of the options of retargeting, kept and chosen as those of Blender's own operators. The bone map, and how both figures stand
alike, are of two skeletons and no part of them."""

from typing import Any

from bl_operators.presets import AddPresetBase
from bpy.types import Menu, Operator

from . import ALIGNMENT, NAMES

ELSEWHERE = ("nla", *ALIGNMENT)
"""Options that other parts of the panel show than Options: which clips, and how both figures stand alike."""

_SUBDIR = "retro_anim/retarget"


class RETRO_ANIM_MT_retarget_presets(Menu):
    bl_label = "Option Presets"
    preset_subdir = _SUBDIR
    preset_operator = "script.execute_preset"
    draw: Any = Menu.draw_preset


class RETRO_ANIM_OT_retarget_preset(AddPresetBase, Operator):
    """Keep the options of retargeting under a name, for any scene, or remove those that were chosen last"""

    bl_idname = "retro_anim.retarget_preset"
    bl_label = "Add Preset of Options"
    bl_options = {"REGISTER", "INTERNAL"}

    preset_menu = "RETRO_ANIM_MT_retarget_presets"
    preset_subdir = _SUBDIR
    preset_defines = ["settings = bpy.context.scene.retro_anim_retarget"]
    preset_values = [f"settings.{name}" for name in NAMES if name not in ELSEWHERE]

    @classmethod
    def description(cls, _context: Any, properties: Any) -> str:
        return "Remove the preset that was chosen last" if properties.remove_active else "Keep the options under a name, for any scene"


def draw(layout: Any) -> None:
    """The presets above the options."""
    row = layout.row(align=True)
    row.menu(RETRO_ANIM_MT_retarget_presets.__name__, text=RETRO_ANIM_MT_retarget_presets.bl_label)
    row.operator(RETRO_ANIM_OT_retarget_preset.bl_idname, text="", icon="ADD")
    row.operator(RETRO_ANIM_OT_retarget_preset.bl_idname, text="", icon="REMOVE").remove_active = True


CLASSES = (RETRO_ANIM_MT_retarget_presets, RETRO_ANIM_OT_retarget_preset)
