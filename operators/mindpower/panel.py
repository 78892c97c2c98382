"""What an action is to Tales of Pirates, new actions for its action table, and dummies for its slots."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty

from ...core.mindpower.client.slots import SLOTS, slot_name
from ...core.mindpower.fields import ACTION_FIELDS, ARMATURE_FIELDS
from ...core.mindpower.files.action_names import action_name
from ...core.mindpower.game import GAME
from ...io.mindpower import marks
from ..shared import fields
from ..shared.layout import ask, split_layout
from ..shared.panel import GamePanel, active_action, active_armature, draw_origin

_SLOTS = tuple((str(number), slot_name(number), "") for number in range(len(SLOTS)))


def _bones(obj: Any) -> Any:
    """Of an armature object."""
    return obj.data.bones


class RETRO_ANIM_OT_mindpower_new_action(bpy.types.Operator):
    """Make the action a new one of the character: the export puts it behind the others, under this number of the action table"""

    bl_idname = "retro_anim.mindpower_new_action"
    bl_label = "As a New Action"
    bl_options = {"UNDO"}

    number: IntProperty(name="Number", description="In the action table", default=1, min=1)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_action(context) is not None and marks.is_figure(active_armature(context))

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        return ask(self, context)

    def execute(self, context: bpy.types.Context) -> Any:
        action = active_action(context)
        assert action is not None
        marks.make_new(action, self.number)
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
        return obj is not None and _bones(obj).active is not None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        return ask(self, context)

    def execute(self, context: bpy.types.Context) -> Any:
        from ...io.mindpower import dummies

        obj = active_armature(context)
        assert obj is not None
        dummies.add(context, obj, _bones(obj).active.name, int(self.slot))
        return {"FINISHED"}


class VIEW3D_PT_retro_anim_mindpower(GamePanel, bpy.types.Panel):
    bl_label = GAME.label
    game = GAME

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return marks.is_figure(active_armature(context))

    def draw(self, context: bpy.types.Context) -> None:
        layout, obj, action = split_layout(self), active_armature(context), active_action(context)
        assert obj is not None
        if action is not None:
            _draw_action(layout, action)
        fields.draw(layout, obj.data, ARMATURE_FIELDS)
        row = layout.row(align=True)
        row.operator("retro_anim.mindpower_new_action", icon="ADD")
        row.operator("retro_anim.mindpower_dummy", icon="EMPTY_ARROWS")


def _draw_action(layout: bpy.types.UILayout, action: bpy.types.Action) -> None:
    """The numbers of an action of the file are the action table's, those of a new one can be edited."""
    if marks.RANGE in action:
        draw_origin(layout, action)
        fields.draw(layout, action, [replace(item, editable=False) for item in ACTION_FIELDS])
    elif action.get(marks.NUMBERS):
        numbers = marks.numbers_of(action)
        layout.label(text="; ".join(f"New: {number} {action_name(number)}" for number in numbers))
        fields.draw(layout, action, ACTION_FIELDS)
    else:
        layout.label(text="Not an action of the game yet")


CLASSES = (RETRO_ANIM_OT_mindpower_new_action, RETRO_ANIM_OT_mindpower_dummy, VIEW3D_PT_retro_anim_mindpower)
