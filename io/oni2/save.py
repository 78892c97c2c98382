"""A whole character of Oni 2 in one go: skeleton, mesh, animations, and the texts that name them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import bpy

from ...core.files import address
from ...core.files.file_names import file_name
from ...core.oni2.characters import game_files
from ...core.oni2.characters.companions import TYPE
from ...core.oni2.game import ExportOptions, SaveOptions
from ...core.reporting import progress
from ...core.reporting.errors import ExportError, FormatError
from ..blender import armature, identity, source_data
from ..blender.surface.skinned import meshes_of
from ..pipeline.changes import Item
from ..pipeline.destination import targets
from ..pipeline.destination.writing import Output
from ..pipeline.out_of_blender import character, packing
from ..pipeline.out_of_blender.character import Saved
from .meshes import FORMAT as MESH
from .write import Writer


def save_character(context: bpy.types.Context, obj: bpy.types.Object, options: SaveOptions | None = None) -> Saved:
    """Write an armature, its mesh and its clips to where they came from: with the texts of the entity, where they are one's, else each to
    its own file. Of what came from RB.DAT that which was edited goes beside it. Raises RetroAnimError, with no file changed."""
    options = options or SaveOptions()
    with character.saving(context):
        # what is not written needs no folders
        own = ExportOptions(source="ALL", sampling=options.sampling, normals=options.normals, overwrite=options.overwrite, dry_run=True)
        entity = _entity(obj, options.folder)
        outputs, items = _of_entity(context, obj, replace(own, path=entity)) if entity else _loose(context, obj, own, options.folder)
        outputs = [replace(output, folder=True) for output in outputs]
        return character.written(obj.name, outputs, options.overwrite, items=items)


def _entity(obj: bpy.types.Object, folder: str) -> str:
    """The Entity.type on the disk that an armature is of, or that it is to have there where it came from RB.DAT; "" for none."""
    data = armature.data_of(obj)
    beside = Path(targets.home(data) or ".").parent / TYPE
    if beside.is_file() and not folder:
        return str(beside)
    try:
        files, path = game_files.located(str(data.get(identity.RIG, "")))
        kind = files.find(f"{path.rpartition('/')[0]}/{TYPE}".lstrip("/"))
    except FormatError:
        return ""
    archive, entry = address.split(files.address(kind))
    if not kind or not (entry or folder):
        return files.address(kind) if kind else ""
    return str(Path(folder or Path(archive).parent, *Path(kind).parts))


def _of_entity(context: bpy.types.Context, obj: bpy.types.Object, options: ExportOptions) -> tuple[list[Output], list[Item]]:
    writer = Writer(context, options, [obj])
    items = progress.finish(packing.packed(writer))[0]
    outputs = writer.outputs([item.packed for item in items])
    if Path(options.path).is_file():
        return outputs, items
    return character.what_is_new(outputs, [file.came for item in items for file in item.packed.files]), items


def _loose(context: bpy.types.Context, obj: bpy.types.Object, options: ExportOptions, folder: str) -> tuple[list[Output], list[Item]]:
    """What is no entity's: each to its own file, new clips beside the skeleton, or into a folder."""
    data = armature.data_of(obj)
    home = targets.home(data)
    if not (home or folder):
        raise ExportError(f"{obj.name} has no file yet, and no folder: choose a Folder, or export it")
    meshes = [each.data for each in meshes_of(context, obj) if each.data is not None and each.data.get(source_data.FORMAT) == MESH]
    wholes = [targets.home(block) for block in (data, *meshes)]
    items: list[Item] = []
    outputs: list[Output] = []
    for path in wholes:
        if Path(path).suffix.lower() in (".skel", ".mod") and Path(path).is_file():
            part = Writer(context, replace(options, path=path), [obj])
            outputs += part.outputs([item.packed for item in progress.finish(packing.packed(part))[0]])
    writer = Writer(context, replace(options, path=str(Path(folder or Path(home).parent, "clip.anim"))), [obj])
    for item in progress.finish(packing.packed(writer))[0]:
        assert item.action is not None
        own = targets.home(item.action)
        new = Path(own).suffix.lower() != ".anim"
        path = str(Path(writer.options.path).with_name(f"{file_name(item.action.name)}.anim")) if new else own
        written = writer.for_file(path, [(obj, item.action)]).outputs([item.packed])
        outputs += character.what_is_new(written, [None])
        items.append(item)
    return outputs, items
