"""*Save Character*: one button for every game, which writes a character's body, clips and lists back to where they came from."""

from typing import TYPE_CHECKING, Any, ClassVar

import bpy

from ..shared import declared, job
from ..shared.layout import ask, split_layout
from ..shared.panel import OfCharacter, active_armature
from . import states

OPERATORS: dict[str, str] = {}
"""By the id of a game its operator."""


class SaveCharacter(OfCharacter):
    """takes: the options class, which `save_character` of io/<game>/save.py takes."""

    bl_label = "Save Character"
    if TYPE_CHECKING:
        takes: ClassVar[Any]
        bl_idname: ClassVar[str]
        bl_options: ClassVar[set[str]]

    def __init_subclass__(cls, **details: Any) -> None:
        OPERATORS[cls.game.id] = f"retro_anim.{cls.game.id}_save"
        cls.bl_idname = OPERATORS[cls.game.id]
        cls.bl_options = {"UNDO"}
        cls.__annotations__ = declared.properties(cls.takes)
        super().__init_subclass__(**details)

    def invoke(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        return ask(self, context, width=420)

    def draw(self: Any, context: bpy.types.Context) -> None:
        layout = split_layout(self)
        for name in declared.properties(self.takes):
            declared.draw(layout, self, self.takes, name)

    def execute(self: Any, context: bpy.types.Context) -> Any:
        from ...io.pipeline import games

        obj, options = active_armature(context), self.takes(**declared.values(self.takes, self))
        save = games.module(self.game, "save")
        saved = job.run(self, context, lambda: save.save_character(context, obj, options), summary=lambda saved: saved.summary)
        if saved is None:
            return {"CANCELLED"}
        states.know(dict.fromkeys(saved.clips, "unchanged"))
        return {"FINISHED"}
