"""Oni 2 out of Blender: which actions or armatures are exported, and to which files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import bpy

from ...core.oni2 import formats
from ...core.oni2.files.skel import Skel
from ...core.oni2.options import ExportOptions
from ...core.reporting.errors import FormatError
from ..blender.source_data import Block
from ..pipeline import exporting, selection
from ..pipeline.changes import Exported, Replayed, Subject
from ..pipeline.writing import Output
from . import figure, replay
from .build import FORMAT
from .pack import pack_action


def export_oni2(context: bpy.types.Context, options: ExportOptions) -> Exported:
    """Write the chosen actions, or with the extension .skel the armatures; returns what became of them. Raises RetroAnimError, with nothing
    written, when one of them holds what the game cannot, or two of them go to the same file."""
    return exporting.export(Writer, context, options)


@dataclass(frozen=True, eq=False)
class Packed:
    """An action, or an armature's data, as the bytes of its file."""

    name: str
    block: Block
    data: bytes


class Writer(exporting.Writer[ExportOptions, Packed]):
    """figures: the armatures that came from a skeleton, each read once."""

    kinds = (FORMAT,)
    figures: dict[bpy.types.Object, figure.Figure]

    def select(self) -> Sequence[Subject]:
        self.figures = {}
        self.of_armatures = Path(self.options.path).suffix.lower() == ".skel"
        if not self.of_armatures:
            return super().select()
        self.nothing = "there is no armature to export"
        return [(obj, None) for obj in selection.armatures(self.context, self.options.source, self.game)]

    def pack(self, obj: bpy.types.Object, action: bpy.types.Action | None) -> Packed:
        if action is None:
            return Packed(obj.name, obj.data, figure.skel_of(obj, self.options.facing).pack())
        if figure.is_figure(obj) and obj not in self.figures:
            self.figures[obj] = figure.read(obj)
        return Packed(action.name, action, pack_action(self.context, obj, action, self.options, self.figures.get(obj)))

    def replayed(self, obj: bpy.types.Object, packed: Packed) -> list[Replayed]:
        known = self.figures.get(obj)
        if not isinstance(packed.block, bpy.types.Action):
            return []
        if known is None:
            return [replay.of_other(self.context, obj, packed.block, packed.data, self.options)]
        return [replay.replayed(self.context, known, packed.block, packed.data, self.options)]

    def outputs(self, packed: Sequence[Packed]) -> list[Output]:
        extension, kind = (".skel", formats.SKEL) if self.of_armatures else (".anim", formats.ANIM)
        outputs = [self.file(item.name, self.target(item.name, extension, item.block), item.data, item.block, kind) for item in packed]
        return [replace(output, other=_other(output)) for output in outputs] if self.of_armatures else outputs


def _other(output: Output) -> str:
    """What is there instead, where that is the skeleton of another figure."""
    if not output.present:
        return ""
    try:
        before, after = ([bone.name for bone in Skel.parse(each).bones] for each in (output.present, output.data))
    except FormatError:
        return "a damaged skeleton"
    return "" if before == after else f"another skeleton, of {len(before)} bones"
