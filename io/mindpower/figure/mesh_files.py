"""Which files the meshes on an armature of Tales of Pirates go to: a copy of one goes to a file of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy

from ....core.files.file_names import same_file
from ....core.mindpower.client.client_files import Client
from ....core.mindpower.client.meshes import MODEL, SUIT, mesh_file
from ....core.reporting import log
from ....core.reporting.errors import ExportError
from ....core.reporting.labels import first_few
from ...blender import source_data
from ...blender.surface import as_objects
from ...pipeline.destination import writing
from ...pipeline.destination.targets import WRITTEN, Written, written
from .meshes import PackedMesh, came_from


def names(
    target: Path,
    folder: Path,
    armature: bpy.types.Object,
    meshes: Sequence[tuple[bpy.types.Object, PackedMesh]],
    remembering: Sequence[Any],
) -> list[str]:
    """Those of the files of meshes, without extension.

    A mesh belongs to the file of the character that it was written as last, else to the one it came from. Where several do, it goes to the
    one that is called as it was in there; else to the one that was not written elsewhere, nor edited since. The others, and new ones, go to
    the next free numbers after the skeleton; beside meshes with files of their own none is free that somebody else has written.

    remembering: what `blocks` gives for them. Raises ExportError where nothing says to which of several a file belongs."""
    objects = [mesh for mesh, _ in meshes]
    everyone = list(dict.fromkeys([*_meshes_on(armature), *objects]))
    split = {mesh for mesh in objects if objects.count(mesh) > 1}
    belonging: dict[str, list[bpy.types.Object]] = defaultdict(list)
    for mesh in everyone:
        if mesh not in split and (name := _home(target, mesh)):
            belonging[name].append(mesh)
    data = {mesh: item.data for mesh, item in meshes}
    own = {_owner(armature, name, several, data): name for name, several in belonging.items() if not data.keys().isdisjoint(several)}
    beside = any(map(came_from, everyone))
    taken, result = set(belonging), list[str]()
    for mesh, block in zip(objects, remembering, strict=True):
        checked = beside and mesh not in split
        name = own.get(mesh, "")
        if not name or (name != came_from(mesh) and checked and not _is_free(folder, name, block)):
            name = next(each for each in _series(target) if each not in taken and not (checked and not _is_free(folder, each, block)))
        taken.add(name)
        result.append(name)
    return result


def _home(target: Path, mesh: bpy.types.Object) -> str:
    """The file of the character that a mesh was written as last, else the one it came from; "" for neither."""
    last = _written(mesh)
    stem = Path(last.path).stem if last is not None else ""
    return stem if stem and stem in _series(target) else came_from(mesh)


def _owner(
    armature: bpy.types.Object, name: str, meshes: Sequence[bpy.types.Object], data: Mapping[bpy.types.Object, bytes]
) -> bpy.types.Object:
    """To which of the meshes a file goes. data: the bytes of those that are written. Raises ExportError where nothing says it."""
    called = {_called(mesh) or name for mesh in meshes}
    original = name if name in called else min(called)
    named = [mesh for mesh in meshes if mesh.name == original] or meshes
    if len(named) == 1:
        return named[0]
    doubts = {mesh: _doubts(armature, name, mesh) for mesh in named}
    sure = [mesh for mesh in named if all(doubts[mesh] < doubts[each] for each in named if each != mesh)]
    if not sure and len({data.get(mesh) for mesh in named}) > 1:
        raise ExportError(
            f"{first_few([mesh.name for mesh in named], 3)} are copies of one mesh, and nothing says which of them is the one of "
            f"{name}.lgo: call that one {original}, and the others get files of their own"
        )
    return (sure or named)[0]


def _doubts(armature: bpy.types.Object, name: str, mesh: bpy.types.Object) -> set[str]:
    """Why a mesh is perhaps a copy of the one that a file belongs to."""
    last = _written(mesh)
    reasons = {"elsewhere": last is not None and Path(last.path).stem != name, "edited": as_objects.is_edited(armature, mesh)}
    return {reason for reason, holds in reasons.items() if holds}


def _written(mesh: bpy.types.Object) -> Written | None:
    return written(mesh) or written(mesh.data)


def _called(mesh: bpy.types.Object) -> str:
    """What a mesh was called in its file, "" if that is not known."""
    data: Any = mesh.data
    return str(mesh.get(source_data.NAME) or data.get(as_objects.NAME) or "")


def _meshes_on(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Also those that no view layer shows."""
    meshes = [each for each in bpy.data.objects if each.type == "MESH" and each.users_scene and each.find_armature() == armature]
    return sorted(meshes, key=lambda mesh: mesh.name)


def blocks(armature: bpy.types.Object, meshes: Sequence[bpy.types.Object]) -> list[Any]:
    """What remembers where each mesh was written: its data; of further objects of the same data these themselves, from then on."""
    first: dict[Any, bpy.types.Object] = {}
    for mesh in sorted({*_meshes_on(armature), *meshes}, key=lambda mesh: as_objects.copy_order(armature, mesh)):
        if WRITTEN not in mesh:
            first.setdefault(mesh.data, mesh)
    return [mesh.data if first.get(mesh.data) == mesh else mesh for mesh in meshes]


def _is_free(folder: Path, name: str, block: Any) -> bool:
    """Whether there is no file of this name, or one that the block has written."""
    path, last = folder / f"{name}.lgo", written(block)
    if writing.present(path) is None or (last is not None and same_file(last.path) == same_file(path)):
        return True
    return bool(writing.written_here(writing.Output(name, str(path), b"", block)))


def _series(target: Path) -> Iterator[str]:
    """By the number of the skeleton, as the game looks for it, or onwards from that of a mesh; else after the target's name."""
    stem, mesh = target.stem, mesh_file(target)
    if target.suffix.lower() == ".lab" and stem.isdecimal() and len(stem) < 5:
        return (f"{MODEL * int(stem) + part:010}" for part in range(SUIT))
    if target.suffix.lower() == ".lgo" and mesh is not None:
        return (f"{int(stem) + part:0{len(stem)}}" for part in range(SUIT - mesh.part))
    return (f"{stem}_{part}" if part else stem for part in range(SUIT))


def report_unlisted(client: Client | None, names: Mapping[str, str]) -> None:
    """Say which new files the client's list of characters does not have, so that the game does not show them. names: of the meshes, by
    those of their files."""
    unlisted: list[str] = []
    for name in names:
        file = mesh_file(Path(f"{name}.lgo"))
        row = client.row_of(file.model) if client is not None and file is not None else None
        if file is not None and row is not None and not (row.suit == file.suit and not row.is_player and any(row.parts[file.part :][:1])):
            unlisted.append(name)
    if unlisted:
        one = len(unlisted) == 1
        log.warning(
            f"{first_few([names[name] for name in unlisted], 3)}: the client's list of characters has no part for "
            f"{first_few([f'{name}.lgo' for name in unlisted], 3)}, and the game does not show {'it' if one else 'them'}: join "
            f"{'the mesh' if one else 'the meshes'} with another one of the character (Ctrl J), or choose New Character, which lists all"
        )
