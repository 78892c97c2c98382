"""The fields of an Oni animation, to read and to edit: the active action's properties, in the side panel."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty

from ...core.oni.fields import OBAN_FIELDS, TRAM_FIELDS, TRAM_LISTS
from ...io.oni import properties
from ..shared import fields, job
from ..shared.layout import split_layout
from ..shared.panel import GamePanel, active_action, active_armature, animated, draw_origin

_TITLES = {name: name.replace("_", " ").title() for name in TRAM_LISTS}
_LISTS = tuple((name, title, "") for name, title in _TITLES.items())


def shown(action: bpy.types.Action | None) -> Any:
    """The properties of a TRAM or an OBAN, None for other actions."""
    for kind in (properties.TRAM, properties.OBAN):
        group = getattr(action, kind, None)
        if group is not None and group.present:
            return group
    return None


class RETRO_ANIM_OT_oni_line(bpy.types.Operator):
    """Add a line to a list of the active action's details, or remove the last one"""

    bl_idname = "retro_anim.oni_line"
    bl_label = "Add or Remove a Line"
    bl_options = {"UNDO", "INTERNAL"}

    what: EnumProperty(name="List", items=_LISTS)
    how: EnumProperty(name="Action", items=(("ADD", "Add", ""), ("REMOVE", "Remove", "")))
    line: IntProperty(name="Line", default=-1)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        group = shown(active_action(context))
        return group is not None and hasattr(group, "attacks")

    def execute(self, context: bpy.types.Context) -> Any:
        from ...io.oni import markers

        action = active_action(context)
        assert action is not None
        lines = getattr(shown(action), self.what)

        def change() -> bool:
            markers.take_over(action)
            if self.how == "ADD":
                lines.add()
            elif len(lines):
                lines.remove(self.line if 0 <= self.line < len(lines) else len(lines) - 1)
            markers.update(action)
            return True

        return {"FINISHED"} if job.run(self, context, change) else {"CANCELLED"}


class RETRO_ANIM_OT_oni_new(bpy.types.Operator):
    """Give the active action the properties of an Oni animation, so that they can be set before it is exported"""

    bl_idname = "retro_anim.oni_new"
    bl_label = "Make It an Oni Animation"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        action = active_action(context)
        return action is not None and shown(action) is None

    def execute(self, context: bpy.types.Context) -> Any:
        from ...core.oni.records.oban import Oban
        from ...core.oni.records.tram import Tram
        from ...io.oni import markers

        action = active_action(context)
        assert action is not None
        character = active_armature(context)

        def fill() -> bool:
            if character is not None and character.type == "ARMATURE":
                properties.fill(action, Tram.new(properties.instance_name(action.name, "TRAM"), 1))
            else:
                properties.fill(action, Oban.new(properties.instance_name(action.name, "OBAN")))
            markers.update(action)
            return True

        return {"FINISHED"} if job.run(self, context, fill) else {"CANCELLED"}


class VIEW3D_PT_retro_anim_oni(GamePanel, bpy.types.Panel):
    bl_label = "Oni"
    bl_idname = "VIEW3D_PT_retro_anim_oni"

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
        if group is None:
            self.layout.operator("retro_anim.oni_new")
            return
        layout = split_layout(self)
        draw_origin(layout, action)
        is_tram = hasattr(group, "attacks")
        fields.draw(layout, group, TRAM_FIELDS if is_tram else OBAN_FIELDS)
        if is_tram:
            for name, title in _TITLES.items():
                _draw_list(layout, group, name, title)


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
        add = body.operator("retro_anim.oni_line", text="Add", icon="ADD")
        add.what, add.how = name, "ADD"


def register() -> None:
    properties.register()


def unregister() -> None:
    properties.unregister()


CLASSES = (RETRO_ANIM_OT_oni_line, RETRO_ANIM_OT_oni_new, VIEW3D_PT_retro_anim_oni)
