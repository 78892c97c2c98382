"""An armature with its meshes and actions as a new character of a client of Tales of Pirates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import bpy

from ...core.files.file_names import same_file
from ...core.mindpower import new_character
from ...core.mindpower.client.client_files import Client
from ...core.mindpower.client.meshes import mesh_file
from ...core.mindpower.files.mesh.lgo import Lgo
from ...core.mindpower.files.tables.character_info import PART_COUNT, CharacterRow
from ...core.mindpower.game import CharacterOptions, ExportOptions
from ...core.mindpower.new_character import Belongings, Lookup, NewCharacter
from ...core.reporting import log
from ...core.reporting.errors import RetroAnimError
from ..blender import scene, source_data
from ..blender.motion import actions
from ..pipeline.out_of_blender.selection import clips
from .figure import meshes as mindpower_meshes
from .figure.meshes import PackedMesh
from .pack import Packed, pack_lab
from .write import packed_meshes, skeleton_of

__all__ = ["CharacterOptions", "make_character"]


@dataclass(frozen=True, eq=False)
class _Mesh:
    """A packed mesh, and the file that it came from, "" for a new one."""

    packed: PackedMesh
    path: str


def make_character(
    context: bpy.types.Context, obj: bpy.types.Object, path: str | Path, options: CharacterOptions | None = None
) -> NewCharacter:
    """Write an armature with all its actions, meshes and textures into the client at `path`, under a new number: the files of the
    character itself, and its rows in the list of characters, the action table and, for actions that the game does not know, the pose
    table; all of them or none, and of each table a .bak. The files that the armature came from stay as they are.

    Raises RetroAnimError, with no file changed, for what the game cannot hold, and for numbers that are taken.
    """
    with clips.for_export(context), actions.played_at(scene.fps(context.scene)):
        return _make(context, obj, path, options or CharacterOptions())


def _make(context: bpy.types.Context, obj: bpy.types.Object, path: str | Path, options: CharacterOptions) -> NewCharacter:
    client = new_character.client_at(path)
    options = replace(options, name=options.name.strip() or obj.name)
    like = new_character.row_like(client, options.like) or _was(client, obj)
    packed = pack_lab(context, obj, ExportOptions(str(path), source="ALL"))
    objects = mindpower_meshes.meshes_of(obj, context)
    meshes = [_Mesh(item, source_data.path_of(mesh.data) if item.name else "") for mesh, item in packed_meshes(obj, objects)]
    if len(meshes) > PART_COUNT:
        together = mindpower_meshes.pack_together(objects, skeleton_of(obj))
        log.info(f"{len(meshes)} meshes; the list of characters has room for {PART_COUNT}, so they are written as {len(together)}")
        meshes = [_Mesh(item, "") for item in together]
    if not meshes:
        log.warning(f"{obj.name} moves no mesh: the game does not show the new character")
    parts = Belongings(packed.data, _by_part(meshes), _textures(meshes), packed.actions.rows, _titles(packed))
    return new_character.make(client, parts, options, like)


def _was(client: Client, obj: bpy.types.Object) -> CharacterRow | None:
    """How the character that an armature came from stands in the client's list."""
    origin = Path(source_data.path_of(obj.data))
    if not origin.stem.isdecimal():
        return None
    there = client.skeletons.get(int(origin.stem))
    return client.row_of(int(origin.stem)) if there is not None and same_file(there) == same_file(origin) else None


def _by_part(meshes: list[_Mesh]) -> dict[int, Lgo]:
    """By the part of the body: that of the file it came from, of new ones and where two have the same the first that is free."""
    parts: dict[int, Lgo] = {}
    waiting: list[Lgo] = []
    for mesh in meshes:
        with log.collect():
            lgo = Lgo.parse(mesh.packed.data)
        known = mesh_file(Path(mesh.packed.name)) if mesh.packed.name else None
        if known is not None and known.part not in parts and known.part < 8:
            parts[known.part] = lgo
        else:
            waiting.append(lgo)
    for lgo in waiting:
        parts[next(part for part in range(len(parts) + 1) if part not in parts)] = lgo
    return parts


def _textures(meshes: list[_Mesh]) -> Lookup:
    """Of pictures that were edited or made in Blender what they are now, of the others the files."""
    drawn = {name.lower(): data for mesh in meshes for name, data in mesh.packed.pictures.items()}
    lookups = [new_character.textures_at(path) for path in dict.fromkeys(mesh.path for mesh in meshes if mesh.path)]

    def texture(name: str) -> bytes | None:
        files = (lookup(name) for lookup in lookups)
        return drawn.get(name.lower()) or next((data for data in files if data is not None), None)

    return texture


def _titles(packed: Packed) -> dict[int, str]:
    """What actions that were made in Blender are called, by their numbers."""
    return {row.number: clip.action.name for clip in packed.clips if clip.part.range is None for row in clip.part.rows}


def copy_or_make(context: bpy.types.Context, path: str | Path, entry: str, options: CharacterOptions) -> NewCharacter:
    """A copy of the client's character that `entry` means; with "" the active armature. Raises RetroAnimError."""
    if entry.strip():
        return new_character.copy_character(path, entry, options)
    obj = context.view_layer.objects.active
    armature = obj if obj is None or obj.type == "ARMATURE" else obj.find_armature()
    if armature is None:
        raise RetroAnimError("select an armature, or name a character of the client")
    return make_character(context, armature, path, options)
