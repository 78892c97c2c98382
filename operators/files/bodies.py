"""A game's bodies: the exporter of the active armature and the meshes that it moves, and what builds a body of them beside them; and *Save
Character*, one button for every game, which writes body, clips and lists back to where they came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import bpy

from ...core.declare.game import Game
from ..shared import decide, declared, job
from ..shared.layout import ask, split_layout
from ..shared.panel import OfArmature, OfCharacter, active_armature
from .exporter import Exporter


class BodyExporter(OfArmature, Exporter):
    """takes: the options class, which io/<game>/bodies.py takes in `export_body`."""

    category = "export_mesh"

    def __init_subclass__(cls, **details: Any) -> None:
        if "bl_label" not in vars(cls):
            cls.bl_label = f"Export {cls.row.label} Body"
        cls.menu_label = f"{cls.row.label} Body ({', '.join(cls.written)})"
        super().__init_subclass__(**details)

    def suggestion(self, context: bpy.types.Context) -> tuple[Any, tuple[str, ...]]:
        obj = active_armature(context)
        assert obj is not None
        return obj.data, self.written

    def export(self: Any, context: bpy.types.Context, path: str) -> Any:
        from ...io.pipeline import modules
        from ..clips import game_view

        game_view.end()  # which has meshes of its own on the armature, and hides the character's
        obj = active_armature(context)
        assert obj is not None
        bodies, options = modules.module(self.row, "bodies"), self.takes(path, **self.asked(context, path))
        written = job.run(self, context, lambda: bodies.export_body(context, obj, options))
        if written is None:
            return {"CANCELLED"}
        declared.forget(self.dialog())
        self.report({"INFO"}, written.summary)
        return {"FINISHED"}


class MakeBody(OfArmature):
    """row: the game's. takes: the options class, which `make_body` of io/<game>/make.py takes."""

    if TYPE_CHECKING:
        row: ClassVar[Game]
        takes: ClassVar[Any]
        bl_idname: ClassVar[str]
        bl_options: ClassVar[set[str]]
    in_window = False
    """Whether somebody waits for it in the window. No property: neither a script nor a redo sets it."""

    def __init_subclass__(cls, **details: Any) -> None:
        cls.bl_idname = _operator(cls.row)
        cls.bl_options = {"UNDO"}
        cls.__annotations__ = {**declared.properties(cls.takes)}
        super().__init_subclass__(**details)

    def invoke(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        self.in_window = True
        declared.restore(self, _operator(self.row), active_armature(context))
        return ask(self, context, width=420)

    def draw(self: Any, context: bpy.types.Context) -> None:
        layout = split_layout(self)
        for name in declared.properties(self.takes):
            self.draw_option(layout, name)

    def draw_option(self: Any, layout: Any, name: str) -> None:
        """One of `takes`; a height of 0 would look as if nothing was left of the body."""
        declared.draw(layout, self, self.takes, name)
        if name == "height" and not self.height:
            layout.label(text="0: it stays as high as it is", icon="INFO")

    def execute(self: Any, context: bpy.types.Context) -> Any:
        from ...io.pipeline import modules
        from ..clips import game_view

        game_view.end()  # as for an export
        obj = active_armature(context)
        assert obj is not None
        if self.in_window:
            declared.keep(self, _operator(self.row), obj, declared.properties(self.takes))
        make, options = modules.module(self.row, "make"), self.takes(**declared.values(self.takes, self))
        built = job.run(self, context, lambda: make.make_body(context, obj, options))
        if built is None:
            return {"CANCELLED"}
        declared.forget(_operator(self.row))
        if self.in_window:  # it stands beside what it was made of, and may be out of sight
            from ..shared import framing

            framing.frame(context, [obj, built.armature])
        self.report({"INFO"}, f"{built.armature.name}: {self.summary(built.armature)}")
        return {"FINISHED"}

    def summary(self, obj: bpy.types.Object) -> str:
        """What is said of the armature that was built."""
        raise NotImplementedError


def _operator(game: Game) -> str:
    """The operator that makes bodies of a game."""
    return f"retro_anim.{game.id}_make"


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
        decide.SAVE_OPERATORS[cls.game.id] = f"retro_anim.{cls.game.id}_save"
        cls.bl_idname = decide.SAVE_OPERATORS[cls.game.id]
        cls.bl_options = {"UNDO"}
        cls.__annotations__ = {**declared.properties(cls.takes), **declared.ticks(cls.takes)}
        super().__init_subclass__(**details)

    def invoke(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        self.in_window = True
        declared.restore(self, decide.SAVE, active_armature(context))
        return ask(self, context, width=420)

    def draw(self: Any, context: bpy.types.Context) -> None:
        layout = split_layout(self)
        for name in declared.properties(self.takes):
            declared.draw(layout, self, self.takes, name)

    def execute(self: Any, context: bpy.types.Context) -> Any:
        from ..clips import game_view

        game_view.end()  # as for a body alone
        obj = active_armature(context)
        assert obj is not None  # by `poll`
        if self.in_window:
            declared.keep(self, decide.SAVE, obj, declared.properties(self.takes))
        return decide.save(self, context, obj.name, declared.values(self.takes, self), [] if self.in_window else None)
