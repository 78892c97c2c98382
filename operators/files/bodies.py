"""The exporter of a game's bodies: the active armature and the meshes that it moves."""

from __future__ import annotations

from typing import Any

import bpy

from ..shared import job
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
