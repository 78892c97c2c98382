"""The panel Clips: the list to choose from, and the buttons below it."""

from pathlib import Path
from typing import Any

import bpy
from bpy.props import IntProperty

from ...core.reporting.errors import RetroAnimError
from ...io.blender import identity
from ..shared.layout import SidePanel
from ..shared.panel import active_action, active_armature, animated
from . import belongs, character, counted, game_view, states
from .operators import choose
from .preview_range import FOLLOWS


class RETRO_ANIM_UL_clips(bpy.types.UIList):
    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        from . import names  # which Blender's start does not need

        name, rest = layout.row(align=True), layout.row(align=True)
        name.prop(item, identity.TICKED, text="")
        name.label(text=names.short_name(item, animated(context)), translate=False)
        rest.alignment = "RIGHT"
        rest.label(text=str(names.frames(item)))
        rest.label(text=names.goes_to(item), translate=False)
        rest.label(text="", icon=states.ICONS.get(states.state(item), "BLANK1"))

    def filter_items(self, context: Any, data: Any, property: str) -> tuple[list[int], list[int]]:  # noqa: A002 - Blender's own name
        obj, text = animated(context), self.filter_name.lower()
        visible: int = self.bitflag_filter_item
        clips = list(bpy.data.actions)
        here = [obj is not None and belongs(action, obj) and text in action.name.lower() for action in clips]
        flags = [visible if there != (bool(text) and self.use_filter_invert) else 0 for there in here]
        positions = [0] * len(clips)
        listed = sorted((index for index, flag in enumerate(flags) if flag), key=lambda index: counted(clips[index]))
        for position, index in enumerate([*listed, *(index for index, flag in enumerate(flags) if not flag)]):
            positions[index] = position
        return flags, positions


class VIEW3D_PT_retro_anim_clips(SidePanel, bpy.types.Panel):
    bl_label = "Clips"
    bl_idname = "VIEW3D_PT_retro_anim_clips"
    bl_parent_id = "VIEW3D_PT_retro_anim"
    bl_order = 0

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = animated(context)
        return obj is not None and (identity.game_of(obj) is not None or active_action(context) is not None)

    def draw(self: Any, context: bpy.types.Context) -> None:
        layout, action = self.layout, active_action(context)
        row = layout.row()
        row.template_list("RETRO_ANIM_UL_clips", "", bpy.data, "actions", context.window_manager, "retro_anim_clip", rows=7)
        column = row.column(align=True)
        column.operator("retro_anim.clip_new", text="", icon="ADD")
        column.operator("retro_anim.clip_duplicate", text="", icon="DUPLICATE")
        column.operator("retro_anim.clip_delete", text="", icon="REMOVE")
        column.separator()
        column.operator("retro_anim.clips_tick", text="", icon="CHECKBOX_HLT").all_clips = True
        column.operator("retro_anim.clips_tick", text="", icon="CHECKBOX_DEHLT").all_clips = False
        column.separator()
        column.operator("retro_anim.mark_assets", text="", icon="ASSET_MANAGER")
        if action is not None:
            layout.prop(action, "name", text="", icon="ACTION")
        row = layout.row(align=True)
        row.operator("retro_anim.clip_step", text="", icon="TRIA_UP").step = -1
        playing = context.screen is not None and context.screen.is_animation_playing
        row.operator("screen.animation_play", text="Pause" if playing else "Play", icon="PAUSE" if playing else "PLAY")
        row.operator("retro_anim.clip_step", text="", icon="TRIA_DOWN").step = 1
        row.prop(context.scene, FOLLOWS, text="", icon="PREVIEW_RANGE", toggle=True)
        row.operator("retro_anim.game_view", text="", icon="OUTLINER_OB_CAMERA", depress=game_view.shown() is not None)
        if action is not None:
            _draw_use(layout, action)
        row = layout.row(align=True)
        row.operator("retro_anim.save_clips", text="Save", icon="FILE_TICK").ticked = False
        row.operator("retro_anim.save_clips", text="Save Ticked", icon="CHECKMARK").ticked = True
        obj = active_armature(context)
        game = identity.game_of(obj) if obj is not None else None
        if game is not None and game.id in character.OPERATORS:
            layout.operator(character.OPERATORS[game.id], icon="COMMUNITY")
        layout.operator("retro_anim.what_would_change", icon="VIEWZOOM")
        row = layout.row(align=True)
        row.operator("retro_anim.refit_loop", icon="LOOP_BACK")
        row.operator("retro_anim.make_linear", icon="IPO_LINEAR")


def _draw_use(layout: Any, action: bpy.types.Action) -> None:
    """What the game uses the clip for, and where it came from."""
    from ...io.pipeline.destination import targets

    path = targets.home(action)
    parts = [
        identity.use_of(action),
        "loops" if action.use_cyclic else "plays once",
        Path(path).name if path else "no file yet",
    ]
    layout.label(text=", ".join(part for part in parts if part), translate=False)


def _index(_manager: Any) -> int:
    action = active_action(bpy.context)
    return bpy.data.actions.find(action.name) if action is not None else -1


def _set_index(_manager: Any, index: int) -> None:
    if not 0 <= index < len(bpy.data.actions):
        return
    try:
        choose(bpy.context, bpy.data.actions[index])
    except RetroAnimError as error:
        text = str(error)
        bpy.context.window_manager.popup_menu(lambda menu, _context: menu.layout.label(text=text), title="Clip", icon="ERROR")


def register() -> None:
    manager: Any = bpy.types.WindowManager
    manager.retro_anim_clip = IntProperty(name="Clip", get=_index, set=_set_index)


def unregister() -> None:
    manager: Any = bpy.types.WindowManager
    del manager.retro_anim_clip


CLASSES = (RETRO_ANIM_UL_clips, VIEW3D_PT_retro_anim_clips)
