"""The parts of Tales of Pirates in the side panel: what an action is to the game."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.mindpower.fields import ACTION_FIELDS, ARMATURE_FIELDS
from ...core.mindpower.game import GAME
from ..clips import clips_of
from ..shared import fields
from ..shared.layout import beside, draw_whole, split_layout
from ..shared.panel import active_action, active_armature
from ..shared.parts import GamePart, MakePart, draw_origin


class Mindpower(GamePart):
    title = GAME.label
    game = GAME

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        from ...io.mindpower import marks

        return marks.is_figure(active_armature(context))

    def draw(self, context: bpy.types.Context) -> None:
        """The buttons first: they stay where they are whichever clip is shown."""
        layout, obj, action = split_layout(self), active_armature(context), active_action(context)
        assert obj is not None
        row = beside(layout, context.region)
        row.operator("retro_anim.mindpower_new_action", icon="ADD")
        row.operator("retro_anim.mindpower_dummy", icon="EMPTY_ARROWS")
        layout.operator("retro_anim.mindpower_character", icon="COMMUNITY")
        if action is not None:
            _draw_action(layout, action)
            _draw_copy(layout, obj, action, context.region)
        fields.draw(layout, obj.data, ARMATURE_FIELDS)


def _draw_action(layout: bpy.types.UILayout, action: bpy.types.Action) -> None:
    """The numbers of an action of the file are the action table's, those of a new one can be edited."""
    from ...core.mindpower.files.tables.action_names import action_name
    from ...io.mindpower import marks

    if marks.RANGE in action:
        draw_origin(layout, action)
        fields.draw(layout, action, [item.locked() for item in ACTION_FIELDS])
    elif action.get(marks.NUMBERS):
        numbers = marks.numbers_of(action)
        layout.label(text="; ".join(f"New: {number} {action_name(number)}" for number in numbers))
        fields.draw(layout, action, ACTION_FIELDS)
    else:
        layout.label(text="Not an action of the game yet")


def _draw_copy(layout: bpy.types.UILayout, obj: bpy.types.Object, action: bpy.types.Action, region: bpy.types.Region | None) -> None:
    """Which other clip goes to the same frames of the file: an export has room for one of them."""
    from ...io.mindpower import marks

    def frames(clip: Any) -> list[int] | None:
        own = clip.get(marks.RANGE)
        return own.to_list() if hasattr(own, "to_list") and len(own) == 2 else None  # whatever a .blend holds there

    own = frames(action)
    others = (each for each in clips_of(obj) if each != action and frames(each) == own) if own else ()
    other = next(iter(others), None)
    if other is not None:
        says = f"{other.name} goes to the same frames, and one of them is written: As a New Action keeps both"
        draw_whole(layout, says, region, icon="INFO")


class MindpowerMake(MakePart):
    title = f"Use in {GAME.label}"
    game = GAME

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.operator("retro_anim.mindpower_character", icon="COMMUNITY")


PARTS = (Mindpower, MindpowerMake)
