"""Stick out of Blender: one file per action."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ...core.stick import formats
from ...core.stick.game import ExportOptions
from ..pipeline.changes import Exported, Replayed
from ..pipeline.destination.writing import Output
from ..pipeline.out_of_blender import exporting, writer
from . import replay
from .build import FORMAT
from .pack import Packed, pack_action


def export_stick(context: bpy.types.Context, options: ExportOptions) -> Exported:
    """Write the chosen actions; returns what became of each. Raises RetroAnimError, with nothing written."""
    return exporting.run(Writer(context, options))


class Writer(writer.Writer[ExportOptions, Packed]):
    kinds = (FORMAT,)

    def pack(self, obj: bpy.types.Object, action: bpy.types.Action | None) -> Packed:
        assert action is not None
        return pack_action(self.context, obj, action, self.options)

    def replayed(self, obj: bpy.types.Object, packed: Packed) -> list[Replayed]:
        return [replay.replayed(self.context, obj, packed)]

    def outputs(self, packed: Sequence[Packed]) -> list[Output]:
        return [
            self.file(item.action.name, self.target(item.action.name, ".stick"), item.document.pack(), item.action, formats.STICK)
            for item in packed
        ]
