"""The parts of Tales of Pirates in the side panel: what an action is to the game."""

from __future__ import annotations

import bpy

from ...core.mindpower.fields import ACTION_FIELDS, ARMATURE_FIELDS
from ...core.mindpower.game import GAME
from ..shared import fields
from ..shared.layout import split_layout
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
        row = layout.row(align=True)
        row.operator("retro_anim.mindpower_new_action", icon="ADD")
        row.operator("retro_anim.mindpower_dummy", icon="EMPTY_ARROWS")
        layout.operator("retro_anim.mindpower_character", icon="COMMUNITY")
        if action is not None:
            _draw_action(layout, action)
        fields.draw(layout, obj.data, ARMATURE_FIELDS)


def _draw_action(layout: bpy.types.UILayout, action: bpy.types.Action) -> None:
    """The numbers of an action of the file are the action table's, those of a new one can be edited."""
    from ...core.mindpower.files.action_names import action_name
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


class MindpowerMake(MakePart):
    title = f"Use in {GAME.label}"
    game = GAME

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.operator("retro_anim.mindpower_character", icon="COMMUNITY")


PARTS = (Mindpower, MindpowerMake)
