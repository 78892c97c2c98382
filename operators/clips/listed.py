"""The list of clips to choose from, and which of it is chosen."""

from typing import Any

import bpy
from bpy.props import IntProperty

from ...core.reporting.errors import RetroAnimError
from ...io.blender import identity
from ..shared.panel import active_action, animated
from . import belongs, counted, states
from .operators import choose


class RETRO_ANIM_UL_clips(bpy.types.UIList):
    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        from . import names  # which Blender's start does not need

        name, rest = layout.row(align=True), layout.row(align=True)
        name.prop(item, identity.TICKED, text="")
        short, frames = names.short_name(item, animated(context)), str(names.frames(item))
        name.label(text=short, translate=False)
        rest.alignment = "RIGHT"
        if not names.is_narrow(context.region):  # else Blender would cut the name off before these
            rest.label(text=frames)
            rest.label(text=names.goes_to(item, names.room(context.region, short, frames)), translate=False)
        rest.label(text="", icon=states.ICONS.get(states.state(item), "BLANK1"))

    def filter_items(self, context: Any, data: Any, property: str) -> tuple[list[int], list[int]]:  # noqa: A002 - Blender's own name
        obj, text = animated(context), self.filter_name.lower()
        visible: int = self.bitflag_filter_item
        clips = list(bpy.data.actions)
        here = [obj is not None and belongs(action, obj) and text in action.name.lower() for action in clips]
        flags = [visible if there != (bool(text) and self.use_filter_invert) else 0 for there in here]
        positions = [0] * len(clips)
        listed = sorted((index for index, flag in enumerate(flags) if flag), key=lambda index: counted(clips[index], obj))
        for position, index in enumerate([*listed, *(index for index, flag in enumerate(flags) if not flag)]):
            positions[index] = position
        return flags, positions


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
    manager.retro_anim_clip = IntProperty(
        name="Clip", description="It is shown, and the buttons below are about it", get=_index, set=_set_index
    )


def unregister() -> None:
    manager: Any = bpy.types.WindowManager
    del manager.retro_anim_clip


CLASSES = (RETRO_ANIM_UL_clips,)
