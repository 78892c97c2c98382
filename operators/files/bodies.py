"""A game's bodies: the exporter of the active armature and the meshes that it moves, and what builds a body of them beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import bpy

from ...core.declare.game import Game
from ..shared import declared, job
from ..shared.layout import ask
from ..shared.panel import OfArmature, active_armature
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

        obj = active_armature(context)
        assert obj is not None
        bodies, options = modules.module(self.row, "bodies"), self.takes(path, **self.values())
        written = job.run(self, context, lambda: bodies.export_body(context, obj, options))
        if written is None:
            return {"CANCELLED"}
        self.report({"INFO"}, written.summary)
        return {"FINISHED"}


class MakeBody(OfArmature):
    """row: the game's. takes: the options class, which `make_body` of io/<game>/make.py takes."""

    if TYPE_CHECKING:
        row: ClassVar[Game]
        takes: ClassVar[Any]
        bl_idname: ClassVar[str]
        bl_options: ClassVar[set[str]]

    def __init_subclass__(cls, **details: Any) -> None:
        cls.bl_idname = f"retro_anim.{cls.row.id}_make"
        cls.bl_options = {"UNDO"}
        cls.__annotations__ = {**declared.properties(cls.takes)}
        super().__init_subclass__(**details)

    def invoke(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        return ask(self, context, width=420)

    def execute(self: Any, context: bpy.types.Context) -> Any:
        from ...io.pipeline import modules

        obj = active_armature(context)
        assert obj is not None
        make, options = modules.module(self.row, "make"), self.takes(**declared.values(self.takes, self))
        built = job.run(self, context, lambda: make.make_body(context, obj, options))
        if built is None:
            return {"CANCELLED"}
        self.report({"INFO"}, f"{built.armature.name}: {self.summary(built.armature)}")
        return {"FINISHED"}

    def summary(self, obj: bpy.types.Object) -> str:
        """What is said of the armature that was built."""
        raise NotImplementedError
