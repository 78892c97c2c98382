"""*Save Character*: one button for every game, which writes a character's body, clips and lists back to where they came from."""

from typing import TYPE_CHECKING, Any, ClassVar

import bpy

from ..shared import chosen, decide, declared
from ..shared.layout import ask, split_layout
from ..shared.panel import OfCharacter, active_armature

OPERATORS: dict[str, str] = {}
"""By the id of a game its operator."""


class SaveCharacter(OfCharacter):
    """takes: the options class, which `save_character` of io/<game>/save.py takes."""

    bl_label = "Save Character"
    in_window = False
    """Whether somebody pressed it in the window, and can be asked. No property: neither a script nor a redo sets it."""

    if TYPE_CHECKING:
        takes: ClassVar[Any]
        bl_idname: ClassVar[str]
        bl_options: ClassVar[set[str]]

    def __init_subclass__(cls, **details: Any) -> None:
        OPERATORS[cls.game.id] = f"retro_anim.{cls.game.id}_save"
        cls.bl_idname = OPERATORS[cls.game.id]
        cls.bl_options = {"UNDO"}
        cls.__annotations__ = {**declared.properties(cls.takes), **declared.ticks(cls.takes)}
        super().__init_subclass__(**details)

    def invoke(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        self.in_window = True
        chosen.restore(self, decide.SAVE, active_armature(context))
        return ask(self, context, width=420)

    def draw(self: Any, context: bpy.types.Context) -> None:
        layout = split_layout(self)
        for name in declared.properties(self.takes):
            declared.draw(layout, self, self.takes, name)

    def execute(self: Any, context: bpy.types.Context) -> Any:
        obj = active_armature(context)
        assert obj is not None  # by `poll`
        if self.in_window:
            chosen.keep(self, decide.SAVE, obj, declared.properties(self.takes))
        return decide.save(self, context, obj.name, declared.values(self.takes, self), [] if self.in_window else None)
