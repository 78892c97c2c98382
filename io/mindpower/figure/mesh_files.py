"""Which files the meshes on an armature of Tales of Pirates go to: a copy of one goes to a file of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy

from ....core.files.file_names import same_file
from ....core.mindpower.client.client_files import Client
from ....core.mindpower.client.meshes import MODEL, SUIT, mesh_file
from ....core.reporting import log
from ....core.reporting.labels import first_few
from ...blender import source_data
from ...pipeline.destination.targets import WRITTEN, written
from .mesh_materials import FORMAT
from .meshes import PackedMesh


def copies(meshes: Iterable[bpy.types.Object]) -> set[bpy.types.Object]:
    """Those that came from a file to which another one of the meshes goes."""
    first: dict[str, bpy.types.Object] = {}
    came = {mesh: stem for mesh in sorted(meshes, key=_after) if (stem := _came_from(mesh))}
    for mesh, stem in came.items():
        first.setdefault(stem, mesh)
    return {mesh for mesh, stem in came.items() if first[stem] != mesh}


def _after(mesh: bpy.types.Object) -> tuple[bool, bool, bool, str]:
    """Ascending by how likely it is a copy: of the same data, of data under another name than it came in, or written as another file."""
    data: Any = mesh.data
    last = written(data)
    elsewhere = last is not None and Path(last.path).stem != _came_from(mesh)
    return WRITTEN in mesh, data.get(source_data.NAME) != data.name, elsewhere, mesh.name


def _came_from(mesh: bpy.types.Object) -> str:
    """The name of the file that a mesh came from, "" for none."""
    data: Any = mesh.data
    return Path(source_data.path_of(data)).stem if data.get(source_data.FORMAT) == FORMAT else ""


def blocks(meshes: Sequence[bpy.types.Object]) -> list[Any]:
    """What remembers where each mesh was written: its data; of further objects of the same data these themselves."""
    alone = {mesh.data: mesh for mesh in sorted(meshes, key=_after, reverse=True)}
    return [mesh.data if alone[mesh.data] == mesh else mesh for mesh in meshes]


def names(target: Path, folder: Path, meshes: Sequence[tuple[bpy.types.Object, PackedMesh]]) -> list[str]:
    """Those of the files of meshes, without extension: what a file came in as, else the next free one after the skeleton, which is the one
    it was written as last wherever that is free."""
    objects = [mesh for mesh, _ in meshes]
    result = [item.name for _, item in meshes]
    for index, block in enumerate(blocks(objects)):
        last = written(block)
        if result[index] or last is None or objects.count(objects[index]) > 1:
            continue
        stem = Path(last.path).stem
        if stem not in result and stem in _series(target) and same_file(last.path) == same_file(folder / f"{stem}.lgo"):
            result[index] = stem
    for index, name in enumerate(result):
        result[index] = name or next(free for free in _series(target) if free not in result)
    return result


def _series(target: Path) -> Iterator[str]:
    return (_name(target, part) for part in range(SUIT))


def _name(target: Path, part: int) -> str:
    """By the number of the skeleton, as the game looks for it; else after it."""
    number = int(target.stem) if target.suffix.lower() == ".lab" and target.stem.isdecimal() and len(target.stem) < 5 else -1
    if number >= 0:
        return f"{MODEL * number + part:010}"
    return f"{target.stem}_{part}" if part else target.stem


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
