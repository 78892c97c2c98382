"""Oni 2 out of Blender: which actions or armatures are exported, and to which files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import bpy

from ...core.oni2 import formats
from ...core.oni2.files.skeleton.skel import Skel
from ...core.oni2.game import ExportOptions
from ...core.reporting.errors import ExportError, FormatError
from ..blender.source_data import Block
from ..pipeline.changes import Exported, Replayed, Subject
from ..pipeline.destination import writing
from ..pipeline.destination.writing import Output
from ..pipeline.fidelity import object_size
from ..pipeline.fidelity.unedited import Came
from ..pipeline.out_of_blender import exporting, writer
from ..pipeline.out_of_blender.selection import selection
from . import character, figure, meshes, replay
from .build import FORMAT
from .character import File
from .pack import pack_action


def export_oni2(context: bpy.types.Context, options: ExportOptions) -> Exported:
    """Write the chosen actions, or with the extension .skel the armatures; returns what became of them. Raises RetroAnimError, with nothing
    written, when one of them holds what the game cannot, or two of them go to the same file."""
    return exporting.export(Writer, context, options)


@dataclass(frozen=True, eq=False)
class Packed:
    """An action, an armature's data or a mesh, as the bytes of its file; of a whole character the files."""

    name: str
    block: Block
    data: bytes
    files: tuple[File, ...] = ()


class Writer(writer.Writer[ExportOptions, Packed]):
    """figures: the armatures that came from a skeleton, each read once."""

    kinds = (FORMAT,)
    figures: dict[bpy.types.Object, figure.Figure]

    def select(self) -> Sequence[Subject]:
        self.figures = {}
        self.extension = Path(self.options.path).suffix.lower()
        if self.extension == ".dat":
            raise ExportError(f"{self.options.path}: {self.game.refused['.dat']}")
        if self.extension not in _OF_ARMATURES:
            return super().select()
        self.needs = writer.Needs("armature", "one")
        return [(obj, None) for obj in self.objects or selection.armatures(self.context, self.options.source, self.game)]

    def pack(self, obj: bpy.types.Object, action: bpy.types.Action | None) -> Packed:
        if action is None:
            return self._armature(obj)
        return Packed(action.name, action, pack_action(self.context, obj, action, self.options, self._figure(obj)))

    def came(self, obj: bpy.types.Object, action: bpy.types.Action) -> Came | None:
        known = self._figure(obj)
        known_clip = replay.came(self.context, known, action, self.options) if known is not None else None
        if known is None or known_clip is None:
            return None
        data, conversion, clip = known_clip
        packed = Packed(action.name, action, data)
        return Came(packed, clip, conversion.timing, known.rig, known.scale, conversion.root_motion, conversion.placement, replay.STEPS)

    def _figure(self, obj: bpy.types.Object) -> figure.Figure | None:
        """None of an armature that did not come from a skeleton."""
        if figure.is_figure(obj) and obj not in self.figures:
            self.figures[obj] = figure.read(obj)
        return self.figures.get(obj)

    def _armature(self, obj: bpy.types.Object) -> Packed:
        facing = self.options.facing
        if self.extension == ".type":
            if figure.is_figure(obj):
                self.figures[obj] = figure.read(obj)
            return Packed(obj.name, obj.data, b"", tuple(character.files_of(self.context, obj, self.options)))
        object_size.report_of_body(obj)
        if self.extension == ".mod":
            stand = figure.standing(obj, facing)
            mesh = meshes.mesh_of(self.context, stand)
            if mesh is None:
                raise ExportError(f"{obj.name} moves no mesh")
            return Packed(mesh.name, mesh.data, meshes.pack(mesh, stand, self.options.normals, alone=True))
        if (known := self._figure(obj)) is not None:
            meshes.report_left(self.context, known)
        return Packed(obj.name, obj.data, figure.skel_of(obj, facing).pack())

    def replayed(self, obj: bpy.types.Object, packed: Packed) -> list[Replayed]:
        clips = [(file.block, file.data) for file in packed.files] or [(packed.block, packed.data)]
        return [self._replayed(obj, block, data) for block, data in clips if isinstance(block, bpy.types.Action)]

    def _replayed(self, obj: bpy.types.Object, action: bpy.types.Action, data: bytes) -> Replayed:
        known = self.figures.get(obj)
        if known is None:
            return replay.of_other(self.context, obj, action, data, self.options)
        return replay.replayed(self.context, known, action, data, self.options)

    def outputs(self, packed: Sequence[Packed]) -> list[Output]:
        if self.extension == ".type":
            if len(packed) > 1:
                raise ExportError(f"{self.options.path} is one character; {len(packed)} armatures are selected: export one after the other")
            return [self._file(file) for item in packed for file in item.files]
        kind = _OF_ARMATURES.get(self.extension, formats.ANIM)
        extension = self.extension if self.extension in _OF_ARMATURES else ".anim"
        outputs = [self.file(item.name, self.target(item.name, extension, item.block), item.data, item.block, kind) for item in packed]
        if kind is formats.MOD:
            return [replace(output, kept_normals=self.options.normals == "KEEP") for output in outputs]
        return [replace(output, other=_other(output)) for output in outputs] if kind is formats.SKEL else outputs

    def _file(self, file: File) -> Output:
        """One of a character's; a .bak of what is there is kept. Raises ExportError where something else than its kind is there."""
        present = writing.present(file.path)
        if file.kind not in (formats.TYPE, formats.ANIMS):  # nothing but their names distinguishes these texts
            writing.refuse_other(file.path, present, file.kind)
        return Output(
            file.title,
            str(file.path),
            file.data,
            file.block,
            present=present,
            derived=file.block is not None,
            backup=True,
            folder=True,
            kept_normals=self.options.normals == "KEEP",
        )


_OF_ARMATURES = {".skel": formats.SKEL, ".mod": formats.MOD, ".type": formats.TYPE}
"""What stands for an armature and not for an action, by extension."""


def _other(output: Output) -> str:
    """What is there instead, where that is the skeleton of another figure."""
    if not output.present:
        return ""
    try:
        before, after = ([bone.name for bone in Skel.parse(each).bones] for each in (output.present, output.data))
    except FormatError:
        return "a damaged skeleton"
    return "" if before == after else f"another skeleton, of {len(before)} bones"
