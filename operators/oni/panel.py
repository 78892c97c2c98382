"""The fields of an Oni animation, to read and to edit: the active action's properties, in the side panel."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import bpy

from ...core.oni.fields import OBAN_FIELDS, TRAM_FIELDS, TRAM_LISTS
from ...core.oni.game import GAME
from ...core.reporting.errors import RetroAnimError
from ...io.blender import identity
from ...io.oni.fields import properties
from ..shared import fields
from ..shared.layout import is_tab_open, split_layout
from ..shared.modal import redraw
from ..shared.panel import OfCharacter, active_action, animated
from ..shared.parts import GamePart, MakePart, Part, draw_origin
from .actions import TITLES, shown


class Oni(GamePart):
    title = "Oni"
    game = GAME

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """For what is of the game, or could become so: its characters' actions, and those of any other object."""
        action, obj = active_action(context), animated(context)
        if action is None or obj is None:
            return False
        return shown(action) is not None or not isinstance(obj.data, bpy.types.Armature) or properties.BODY in obj.data

    def draw(self, context: bpy.types.Context) -> None:
        action = active_action(context)
        assert action is not None
        group = shown(action)
        _follow_markers(action)
        if group is None:
            self.layout.operator("retro_anim.oni_new")
            return
        layout = split_layout(self)
        draw_origin(layout, action)
        layout.operator("retro_anim.oni_like", icon="COPYDOWN")
        is_tram = hasattr(group, "attacks")
        if is_tram:
            layout.operator("retro_anim.oni_collect", icon="COLLECTION_NEW")
        fields.draw(layout, group, TRAM_FIELDS if is_tram else OBAN_FIELDS)
        if is_tram:
            for name, title in TITLES.items():
                _draw_list(layout, group, name, title)


class OniBody(OfCharacter, Part):
    """Of a character, with or without an action."""

    title = "Oni Body"
    closed = True
    game = GAME

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.operator("export_mesh.oni", icon="EXPORT")
        self.layout.operator("retro_anim.oni_together", icon="LINKED")


class OniMake(MakePart):
    title = "Use in Oni"
    game = GAME

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.operator("retro_anim.oni_make", icon="OUTLINER_OB_ARMATURE")


def _draw_list(layout: Any, group: Any, name: str, title: str) -> None:
    lines = getattr(group, name)
    header, body = layout.panel(f"retro_anim_oni_{name}", default_closed=not len(lines))
    header.label(text=f"{title} ({len(lines)})")
    if not body:
        return
    for index, line in enumerate(lines):
        box = body.box()
        row = box.row()
        row.label(text=f"{title.removesuffix('s')} {index + 1}")
        remove = row.operator("retro_anim.oni_line", text="", icon="X", emboss=False)
        remove.what, remove.how, remove.line = name, "REMOVE", index
        fields.draw_line(box, line, TRAM_LISTS[name])
    if name != "throw" or not len(lines):
        add = body.operator("retro_anim.oni_line", text="Add", translate=False, icon="ADD")
        add.what, add.how = name, "ADD"


_EVERY = 0.5
"""Seconds from one look at the markers to the next."""

_drawn: list[identity.Key] = []
"""The action of this file whose fields were drawn last."""


def _follow_markers(action: bpy.types.Action) -> None:
    """Blender tells nobody that a marker was moved, and while the fields are drawn nothing may be written: as long as they may be seen
    somebody looks now and then."""
    if action.library is not None:
        return
    _drawn[:] = [identity.key_of(action)]
    if not bpy.app.timers.is_registered(_look):
        bpy.app.timers.register(_look)


def _look() -> float | None:
    from ...io.oni.fields import markers

    action = identity.action_of(_drawn[0])
    if action is None:
        return None
    windows = [*bpy.context.window_manager.windows]
    # Until somebody lets go of a marker it may still go back, to a frame that is none of the game's at another rate.
    is_held = any(each.bl_idname.startswith("MARKER_OT_") for window in windows for each in window.modal_operators)
    with suppress(RetroAnimError):  # what is wrong with the action's custom properties is said by the export
        if not is_held and markers.moved(action):
            markers.take_over(action)
            redraw(bpy.context)
    areas = (area for window in windows for area in window.screen.areas)
    return _EVERY if any(area.type == "VIEW_3D" and is_tab_open(area) for area in areas) else None


def unregister() -> None:
    if bpy.app.timers.is_registered(_look):
        bpy.app.timers.unregister(_look)


PARTS = (Oni, OniBody, OniMake)
