"""What an action is to Tales of Pirates, new actions for its action table, and dummies for its slots."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty

from ...core.mindpower.client.slots import SLOTS, slot_name
from ...core.mindpower.files.pose_info import action_name
from ...io.blender import armature
from ...io.mindpower import actions, build, dummies, figure
from ..shared.panel import GamePanel, active_action, active_armature, draw_origin

_SHOWN = 6
_SLOTS = tuple((str(number), slot_name(number), "") for number in range(len(SLOTS)))


class RETRO_ANIM_OT_mindpower_new_action(bpy.types.Operator):
    """Make the action a new one of the character: the export puts it behind the others, under this number of the action table"""

    bl_idname = "retro_anim.mindpower_new_action"
    bl_label = "As a New Action"
    bl_options = {"UNDO"}

    number: IntProperty(name="Number", description="In the action table", default=1, min=1)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_action(context) is not None and figure.is_figure(active_armature(context))

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context: bpy.types.Context) -> Any:
        action = active_action(context)
        assert action is not None
        actions.make_new(action, self.number)
        return {"FINISHED"}


class RETRO_ANIM_OT_mindpower_dummy(bpy.types.Operator):
    """Put a dummy on the active bone: an empty where weapons and effects of the game are attached"""

    bl_idname = "retro_anim.mindpower_dummy"
    bl_label = "Add Dummy"
    bl_options = {"UNDO"}

    slot: EnumProperty(name="Slot", items=_SLOTS)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = active_armature(context)
        return obj is not None and armature.bones_of(obj).active is not None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context: bpy.types.Context) -> Any:
        obj = active_armature(context)
        assert obj is not None
        dummies.add(context, obj, armature.bones_of(obj).active.name, int(self.slot))
        return {"FINISHED"}


class VIEW3D_PT_retro_anim_mindpower(GamePanel, bpy.types.Panel):
    bl_label = "Tales of Pirates"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return figure.is_figure(active_armature(context))

    def draw(self, context: bpy.types.Context) -> None:
        layout, obj, action = self.layout, active_armature(context), active_action(context)
        assert obj is not None
        data = figure.data_of(obj)
        column = layout.column(align=True)
        column.label(text=f"{data.get(figure.FRAMES, 0)} frames, action type {data.get(build.TYPE, 'unknown')}")
        if build.ERROR in data:
            column.label(text=f"Sheared: vertices up to {data[build.ERROR]:.2g} m off", icon="INFO")
        if action is not None:
            self._draw_action(action)
        row = layout.row(align=True)
        row.operator("retro_anim.mindpower_new_action", icon="ADD")
        row.operator("retro_anim.mindpower_dummy", icon="EMPTY_ARROWS")

    def _draw_action(self, action: bpy.types.Action) -> None:
        column = self.layout.column(align=True)
        if actions.RANGE in action:
            draw_origin(column, action)
            start, end = action[actions.RANGE]
            column.label(text=f"Frames {start} to {end}")
            names = [name for name in str(action.get(actions.NAMES, "")).split("; ") if name]
            for name in names[:_SHOWN]:
                column.label(text=name, icon="DOT")
            if len(names) > _SHOWN:
                column.label(text=f"and {len(names) - _SHOWN} more")
        elif action.get(actions.NUMBERS):
            numbers = actions.numbers_of(action)
            column.label(text="; ".join(f"New: {number} {action_name(number)}" for number in numbers))
            column.prop(action, f'["{actions.NUMBERS}"]', text="Numbers")
        else:
            column.label(text="Not an action of the game yet")


CLASSES = (RETRO_ANIM_OT_mindpower_new_action, RETRO_ANIM_OT_mindpower_dummy, VIEW3D_PT_retro_anim_mindpower)
