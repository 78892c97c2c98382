"""Stick out of Blender: one file per action."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ...core.stick import formats
from ...core.stick.options import ExportOptions
from ..pipeline import exporting
from ..pipeline.writing import Output
from .build import FORMAT
from .pack import Packed, pack_action


def export_stick(context: bpy.types.Context, options: ExportOptions) -> list[str]:
    """Write the chosen actions; returns the paths. Raises RetroAnimError, with nothing written."""
    return exporting.run(Writer(context, options))


class Writer(exporting.Writer[ExportOptions, Packed]):
    kinds = (FORMAT,)

    def pack(self, obj: bpy.types.Object, action: bpy.types.Action | None) -> Packed:
        assert action is not None
        return pack_action(self.context, obj, action, self.options)

    def outputs(self, packed: Sequence[Packed]) -> list[Output]:
        return [
            self.file(item.action.name, self.target(item.action.name, ".stick"), item.document.pack(), item.action, formats.STICK)
            for item in packed
        ]
