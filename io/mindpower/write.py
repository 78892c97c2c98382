"""Tales of Pirates out of Blender: which files a character's skeleton, action table, meshes and pictures go to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import bpy

from ...core.declare.shared import Normals
from ...core.mindpower import formats
from ...core.mindpower.client.client_files import MESHES, TEXTURES, Client
from ...core.mindpower.files.skeleton.lab import Lab
from ...core.mindpower.game import ExportOptions
from ...core.reporting import log, progress
from ...core.reporting.errors import ExportError, FormatError
from ..blender import source_data
from ..blender.surface import losses
from ..blender.surface.skinned import inverse_of, report_unmoved
from ..pipeline.changes import Exported, Replayed, Subject
from ..pipeline.destination import writing
from ..pipeline.destination.writing import Output
from ..pipeline.out_of_blender import exporting, writer
from ..pipeline.out_of_blender.selection import selection
from . import marks, new_skeleton, replay
from .clips import table as mindpower_table
from .clips.saved import Saved
from .figure import dummies, figure_read, mesh_files
from .figure import meshes as mindpower_meshes
from .figure.meshes import PackedMesh
from .pack import Packed, steps

__all__ = ["ExportOptions", "export_mindpower"]


@dataclass(frozen=True, eq=False)
class Character:
    """What an armature stands for. skeleton: None where meshes are written alone. meshes: the objects with their files."""

    obj: bpy.types.Object
    skeleton: Packed | None
    meshes: list[tuple[bpy.types.Object, PackedMesh]] = field(default_factory=list[tuple[bpy.types.Object, PackedMesh]])


def export_mindpower(context: bpy.types.Context, options: ExportOptions) -> Exported:
    """Write the skeleton file of the active armature with its action table, those of several beside one another, or meshes alone; returns
    what became of them. Raises RetroAnimError, with nothing written, when one of them holds what the game cannot."""
    return exporting.export(Writer, context, options)


class Writer(writer.Writer[ExportOptions, Character]):
    """tables: the action tables as they are to be, with the rows of all characters that are written in one go."""

    needs = writer.Needs("armature", "one, or a mesh on it")

    @property
    def alone(self) -> bool:
        """Whether meshes are written alone."""
        return Path(self.options.path).suffix.lower() == ".lgo"

    @property
    def has_meshes(self) -> bool:
        return self.alone or self.options.with_meshes

    def select(self) -> Sequence[Subject]:
        self.tables: dict[Path, Output] = {}
        objects = self.objects or selection.armatures(self.context, self.options.source, self.game)
        return [(obj, None) for obj in objects]

    def pack(self, obj: bpy.types.Object, action: bpy.types.Action | None) -> Character:
        return progress.finish(self.packing(obj, action))

    def packing(self, obj: bpy.types.Object, action: bpy.types.Action | None) -> progress.Steps[Character]:
        assert action is None  # an armature with all its actions
        skeleton = None if self.alone else (yield from steps(self.context, obj, self.options, self._saved(obj)))
        if self.has_meshes:
            return Character(obj, skeleton, self._meshes(obj))
        return Character(obj, skeleton)

    def _saved(self, obj: bpy.types.Object) -> Saved | None:
        """The skeleton file that is to be replaced, where an export of the armature has written it, with its rows of the action table."""
        target = Path(self.target(obj.name))
        present = writing.present(target)
        output = Output(obj.name, str(target), b"", obj.data, present=present)
        if not present or writing.digest(present) not in writing.written_from_here(output):
            return None
        table = writing.present(mindpower_table.target_of(target, self.options.table))
        with log.collect():
            return Saved(Lab.parse(present), mindpower_table.saved_rows(obj, table, target))

    def replayed(self, obj: bpy.types.Object, packed: Character) -> Iterable[Replayed]:
        return replay.replayed(self.context, obj, packed.skeleton, self.options.sampling) if packed.skeleton is not None else ()

    def outputs(self, packed: Sequence[Character]) -> list[Output]:
        outputs: list[Output] = []
        tables: list[Path] = []
        for character in packed:
            target = Path(self.target(character.obj.name))
            if character.skeleton is not None:
                outputs.append(self._skeleton(character.obj, target, character.skeleton))
                tables += self._add_table(character.skeleton, target)
            outputs += self._mesh_outputs(character, target)
        return [*outputs, *(self.tables[table] for table in dict.fromkeys(tables))]

    def _skeleton(self, obj: bpy.types.Object, target: Path, packed: Packed) -> Output:
        """Raises ExportError where the file is anything else than a skeleton."""
        present = writing.present(target)
        writing.refuse_other(target, present, formats.LAB)
        other = _other(present, packed.lab)
        whole = self.options.with_meshes
        return Output(
            obj.name, str(target), packed.data, obj.data, present=present, derived=self.several, other=other, backup=True, whole=whole
        )

    def _add_table(self, packed: Packed, lab: Path) -> list[Path]:
        """The action table that the rows go to, if there are any; one that is there keeps the types of other characters."""
        if not packed.actions.rows:
            return []
        target = mindpower_table.target_of(lab, self.options.table)
        present = writing.present(target)
        known = self.tables[target].data if target in self.tables else present
        data = mindpower_table.packed(packed.actions, target, known, lab)
        self.tables[target] = Output("the action table", str(target), data, present=present, backup=True)
        return [target]

    def _meshes(self, obj: bpy.types.Object) -> list[tuple[bpy.types.Object, PackedMesh]]:
        """The meshes of an armature; where they are written alone those that are selected, or all."""
        meshes = mindpower_meshes.meshes_of(obj, self.context)
        report_unmoved(self.context, obj)
        active = self.context.view_layer.objects.active
        if self.alone and active in meshes:
            meshes = [mesh for mesh in meshes if mesh == active or mesh.select_get()]
        if self.alone and not meshes:
            raise ExportError(f"no mesh is moved by {obj.name}")
        return packed_meshes(obj, meshes, self.options.normals)

    @source_data.unpacked_once()
    def _mesh_outputs(self, character: Character, target: Path) -> list[Output]:
        """The mesh files and pictures of an armature: in the folders of the client around it, else beside it."""
        outputs: list[Output] = []
        client = Client.of(target)
        models, textures = ((client and client.folder(layout)) or target.parent for layout in (MESHES, TEXTURES))
        folder = target.parent if self.alone else models
        chosen = self.alone and len(character.meshes) == 1
        blocks = mesh_files.blocks(character.obj, [mesh for mesh, _ in character.meshes])
        names = [target.stem] if chosen else mesh_files.names(target, folder, character.obj, character.meshes, blocks)
        for (mesh, item), name, block in zip(character.meshes, names, blocks, strict=True):
            path = target if chosen else folder / f"{name}.lgo"
            present = writing.present(path)
            writing.refuse_other(path, present, formats.LGO)
            derived = self.several or not chosen
            kept = self.options.normals == "KEEP"
            outputs.append(Output(mesh.name, str(path), item.data, block, present=present, derived=derived, backup=True, kept_normals=kept))
            for picture, data in item.pictures.items():
                path = textures / picture
                there = writing.present(path)
                outputs.append(Output(picture, str(path), data, present=there, derived=True, other=_OTHER_PICTURE, backup=True))
        if not self.alone and self.options.with_meshes:
            _report_gone(character, models, names)
            new = {
                name: mesh.name for (mesh, _), name in zip(character.meshes, names, strict=True) if name != mindpower_meshes.came_from(mesh)
            }
            mesh_files.report_unlisted(client, new)
        return outputs


_OTHER_PICTURE = "a picture that other characters may have, too"
"""What a picture that was painted on is about to replace, be it its own file or another one."""


@source_data.unpacked_once()
def packed_meshes(
    obj: bpy.types.Object, meshes: Sequence[bpy.types.Object], normals: Normals = "KEEP"
) -> list[tuple[bpy.types.Object, PackedMesh]]:
    """The files of meshes on an armature. Raises ExportError."""
    packed: list[tuple[bpy.types.Object, PackedMesh]] = []
    dummies.report_edited(obj, meshes)
    losses.report(obj, meshes)
    skeleton = skeleton_of(obj) if meshes else None
    for mesh in meshes:
        assert skeleton is not None
        packed += [(mesh, item) for item in mindpower_meshes.pack(mesh, skeleton, len(packed), normals)]
    return packed


def _report_gone(character: Character, models: Path, written: Sequence[str]) -> None:
    """Say which mesh files the game goes on showing, although nothing of them is on the armature any more. written: those that are."""
    gone = [name for name in marks.meshes(character.obj) if name not in written and (models / f"{name}.lgo").is_file()]
    if gone:
        one = len(gone) == 1
        files = ", ".join(f"{name}.lgo" for name in gone)
        log.warning(
            f"{files}: no mesh on {character.obj.name} in this view layer is from {'it' if one else 'them'} any more, and the client keeps "
            f"{'it as it is, and shows it' if one else 'them as they are, and shows them'}: bring the mesh back, or take "
            f"{'the file' if one else 'the files'} off the client's own lists"
        )


def _other(present: bytes | None, lab: Lab) -> str:
    """What is there instead, where that is the skeleton of another character."""
    if not present:
        return ""
    try:
        with log.collect():
            names = Lab.parse(present).names
    except FormatError:
        return "a damaged skeleton"
    return "" if sorted(names) == sorted(lab.names) else f"another skeleton, of {len(names)} bones"


def skeleton_of(obj: bpy.types.Object) -> mindpower_meshes.Skeleton:
    """What the meshes on an armature are skinned to."""
    inverse = inverse_of(obj)
    if marks.is_figure(obj):
        figure = figure_read.read(obj)
        figure_read.check_object(figure)
        bones = {name: bone for bone, name in enumerate(figure.names.bones)}
        bones |= {name: bone for bone, pair in figure.names.helpers.items() for name in pair}
        to_model = inverse.copy()
        to_model[:3] /= figure.rig.scale
        return mindpower_meshes.Skeleton(obj, bones, to_model, figure.template.bone_count)
    rig = new_skeleton.rig_of(obj)
    bones = {name: bone for bone, name in enumerate(rig.names)}
    return mindpower_meshes.Skeleton(obj, bones, rig.to_model @ inverse, len(bones))
