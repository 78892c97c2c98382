"""A character under a new number: all that belongs to it, in a client's own folders, written together or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..files.disk import disk
from ..reporting import log
from ..reporting.errors import RetroAnimError, reading
from .client.client import characters
from .client.client_files import ACTIONS, ANIMATION, CHARACTERS, CHARACTERS_TEXT, MESHES, TEXTURES, Choice, Client
from .client.meshes import MODEL, best_suit, chosen
from .client.textures import TextureFinder
from .files import names
from .files.mesh.lgo import Lgo
from .files.ranges import Row
from .files.tables.action_names import action_name
from .files.tables.action_table import ActionTable
from .files.tables.character_info import MONSTER, PART_COUNT, CharacterInfo, CharacterRow
from .files.tables.character_table import CharacterTable
from .files.tables.pose_info import PoseInfo
from .game import CharacterOptions

MOST_MODELS, MOST_CHARACTERS, MOST_TYPES = 4293, 2499, 32767
"""The largest number of a skeleton, whose meshes' numbers are 32 bits; of a character, in the original programs (defMAX_CHARINFO_NO);
and of a type of actions, which is a 16-bit number."""

Lookup = Callable[[str], bytes | None]
"""The bytes of a texture by its name, None where there is none."""


@dataclass(frozen=True, eq=False)
class Belongings:
    """What a character consists of. skeleton: the file. meshes: by the part of the body. texture: of those that the meshes name.
    rows: of the action table. titles: what actions are called that the game has no name for."""

    skeleton: bytes
    meshes: Mapping[int, Lgo]
    texture: Lookup
    rows: Sequence[Row]
    titles: Mapping[int, str] = field(default_factory=dict[int, str])


@dataclass(frozen=True)
class NewCharacter:
    """The new character: the number of its skeleton, its own in the list of characters, 0 for none, its type of actions, its name, and
    the files that were written."""

    number: int
    id: int
    action_type: int
    name: str
    paths: tuple[str, ...]

    @property
    def facts(self) -> dict[str, Any]:
        return {"skeleton": self.number, "id": self.id, "action_type": self.action_type, "name": self.name, "paths": list(self.paths)}

    @property
    def summary(self) -> str:
        listed = f", character {self.id}" if self.id else ""
        return f"{self.name}: skeleton {self.number:04}{listed}, type {self.action_type} of actions; {len(self.paths)} files written"


def copy_character(path: str | Path, entry: str, options: CharacterOptions) -> NewCharacter:
    """Copy a character of the client that `path` is in under a new number, with everything that belongs to it.

    entry: as `client.characters` takes it. Raises RetroAnimError, with no file changed, where it is no single character, a number is taken,
    or a file cannot be read or written.
    """
    client = client_at(path)
    source, row = _one(client, entry)
    return make(client, belongings_of(client, source, row), options, row_like(client, options.like) or row)


def row_like(client: Client, entry: str) -> CharacterRow | None:
    """The row of the list that an entry means, None for "". Raises RetroAnimError where it is no single character of the list."""
    if not entry.strip():
        return None
    row = _one(client, entry)[1]
    if row is None:
        raise RetroAnimError(f"{entry} is not in the list of characters, so that nothing can be like it")
    return row


def _one(client: Client, entry: str) -> tuple[Choice, CharacterRow | None]:
    choices = characters(client.root, entry) if entry.strip() else ()
    if len(choices) != 1:
        meant = f"{entry} means {len(choices)} characters" if choices else "no character is named"
        raise RetroAnimError(f"{client.root}: {meant}: name one, such as 88, Attendant or id=15")
    return choices[0], next((row for row in client.rows if row.id == choices[0].id), None)


def takes(path: str | Path) -> bool:
    """Whether there is a client at a path."""
    return Client.of(path, anywhere=True) is not None


def client_at(path: str | Path) -> Client:
    """The client that `path` is the root of or inside of. Raises RetroAnimError where there is none."""
    client = Client.of(path, anywhere=True)
    if client is None:
        raise RetroAnimError(f"{path}: no client's folder: there is no animation/, model/character/ or scripts/txt/ in it")
    return client


def belongings_of(client: Client, source: Choice, row: CharacterRow | None) -> Belongings:
    """What a character of a client consists of. row: of the list of characters. Raises RetroAnimError."""
    skeleton = disk.read_file(source.lab)
    there = client.meshes.get(source.number, [])
    wanted = source.parts or best_suit(there, client.is_player(source.number))
    files = chosen(there, wanted) if there else []
    meshes: dict[int, Lgo] = {}
    for mesh in files:
        with reading(str(mesh.path)):
            meshes[mesh.part] = Lgo.parse(disk.read_file(mesh.path))
    kind = source.action_type or client.action_type(source.number)
    rows = _table(client).of_type(kind) if kind else ()
    if row is not None and row.is_player:
        log.info(f"{row.name} is a player, whose parts are items: the new one is a character of its own with these parts")
    return Belongings(skeleton, meshes, textures_at(files[0].path if files else source.lab), rows)


def textures_at(path: str | Path) -> Lookup:
    """The textures that a model's file finds."""
    finder = TextureFinder(path)

    def texture(name: str) -> bytes | None:
        there = finder.find(name)
        return disk.read_file(there) if there is not None else None

    return texture


def make(client: Client, parts: Belongings, options: CharacterOptions, like: CharacterRow | None = None) -> NewCharacter:
    """Write a character under a new number into a client. like: the one that it is as in all that is not named, such as its sounds, size
    and strength; None for the first monster. Raises RetroAnimError, with no file changed."""
    row = _new_row(client, parts, options, like)
    files = _files(client, parts, row, like or first(client.rows))
    disk.write_files({target: (data, True) for target, data in files.items()}, folders=True)
    return NewCharacter(row.framework, row.id, row.action_type, row.name, tuple(map(str, files)))


def first(rows: Sequence[CharacterRow]) -> CharacterRow | None:
    """The first monster of a list, without one the first of all."""
    return next((row for row in rows if row.model_type == MONSTER), next(iter(rows), None))


def _new_row(client: Client, parts: Belongings, options: CharacterOptions, like: CharacterRow | None) -> CharacterRow:
    """How the new character stands in the list. Raises RetroAnimError for a number that is taken or too large, or too many parts."""
    skeletons = {*client.skeletons, *client.meshes, *(row.framework for row in client.rows)}
    types = {*_table(client).type_numbers, *(row.action_type for row in client.rows)}
    number = _number("skeleton", options.number, skeletons, MOST_MODELS)
    listed = {row.id for row in client.every_row}
    own = _number("character", options.id, listed, MOST_CHARACTERS) if listed else 0
    kind = _number("type of actions", options.action_type, types, MOST_TYPES)
    if parts.meshes and max(parts.meshes) >= PART_COUNT:
        raise RetroAnimError(f"{max(parts.meshes) + 1} meshes; the list of characters has room for {PART_COUNT}: join some of them")
    if not parts.rows:
        log.warning("there are no actions for it in the action table: the game does not move it")
    name = options.name.strip() or (like.name if like is not None else f"{number:04}")
    if any(each.name.lower() == name.lower() for each in client.rows):
        log.warning(f"there is another character {name} in the list: give one of them another name, or ask for the new one by its number")
    flags = tuple(int(part in parts.meshes) for part in range(PART_COUNT))
    return CharacterRow(own, name, MONSTER, number, 0, flags, kind)


def _number(what: str, wanted: int, taken: Iterable[int], most: int) -> int:
    """What is asked for, else the first free number behind the last. Raises RetroAnimError where it is taken or there is none."""
    known = {number for number in taken if 0 < number <= most}
    if not wanted:
        free = max(known, default=0) + 1
        wanted = free if free <= most else next((number for number in range(1, most + 1) if number not in known), 0)
        if not wanted:
            raise RetroAnimError(f"all {most} numbers of a {what} are taken")
    if wanted in known:
        free = next((number for number in range(wanted, most + 1) if number not in known), 0)
        raise RetroAnimError(f"number {wanted} of a {what} is taken" + (f": {free} is free" if free else ""))
    if wanted > most:
        raise RetroAnimError(f"number {wanted} of a {what} is too large: {most} is the largest")
    return wanted


def _files(client: Client, parts: Belongings, row: CharacterRow, like: CharacterRow | None) -> dict[Path, bytes]:
    """All files by path, as they shall be. Raises RetroAnimError."""
    files = {client.target(*ANIMATION, f"{row.framework:04}.lab"): parts.skeleton}
    renamed: dict[str, str] = {}
    for part, mesh in sorted(parts.meshes.items()):
        number = f"{row.framework * MODEL + part:010}"
        files[client.target(*MESHES, f"{number}.lgo")] = _own_textures(mesh, number, parts.texture, renamed).pack()
    for before, name in renamed.items():
        data = parts.texture(before)
        if data is not None:
            files[client.target(*TEXTURES, name)] = data
    for target in files:
        if target.exists():
            raise RetroAnimError(f"{target}: is there already: choose another number")
    return files | _tables(client, parts, row, like)


def _own_textures(mesh: Lgo, number: str, texture: Lookup, renamed: dict[str, str]) -> Lgo:
    """A mesh whose textures are its own, by its number. renamed: by the name that a mesh has for a texture the new one; it grows."""
    if mesh.materials is None:
        return mesh
    records = mesh.materials.records.copy()
    for material in range(len(records)):
        slots = records["textures"][material]
        for position, before in enumerate(mesh.materials.textures(material)):
            if not before or texture(before) is None:
                if before:
                    log.warning(f"texture {before} is not found: the new character names it, too")
                continue
            if before not in renamed:
                count = sum(name.startswith(number) for name in renamed.values())
                renamed[before] = f"{number}{f'_{count}' if count else ''}{Path(before).suffix or '.bmp'}"
            slots["file"][position] = np.frombuffer(names.encode(renamed[before], slots["file"].shape[1]), "u1")
    return replace(mesh, materials=replace(mesh.materials, records=records))


def _tables(client: Client, parts: Belongings, row: CharacterRow, like: CharacterRow | None) -> dict[Path, bytes]:
    """The client's tables with the new character. Raises RetroAnimError."""
    files: dict[Path, bytes] = {}
    if parts.rows:
        path = client.table or client.target(*ACTIONS)
        rows = [Row(item.number, item.start, item.end, item.keys) for item in parts.rows]
        try:
            files[path] = _table(client).with_rows(row.action_type, rows).pack()
        except ValueError as error:
            raise RetroAnimError(f"{path}: {error}") from error
    if row.id:
        for layout, kind in ((CHARACTERS, CharacterTable), (CHARACTERS_TEXT, CharacterInfo)):
            path = client.listed(layout)
            if path is None:
                continue
            with reading(str(path)):
                table = kind.parse(disk.read_file(path))
                model = next((known for known in table.rows if like is not None and known.id == like.id), None) or first(table.rows)
                if model is None:
                    log.warning(f"{path.name} has no row that one for {row.name} could be like: it is not put into that list")
                else:
                    files[path] = table.with_character(row, model.id).pack()
    if not row.id:
        log.warning("the client has no list of characters, so that the game does not know the new one")
    return files | _pose_table(client, parts)


def _pose_table(client: Client, parts: Belongings) -> dict[Path, bytes]:
    """The pose table with a row for each action that it has none for; nothing where it has all."""
    path = client.poses
    if path is None:
        return {}
    with reading(str(path)):
        poses = before = PoseInfo.parse(disk.read_file(path))
        for number in sorted({row.number for row in parts.rows if not row.unused} - set(poses.poses)):
            title = parts.titles.get(number, "") or str(action_name(number, poses))
            poses = poses.with_pose(number, title)
            log.info(f"action {number}: the pose table gets a row for it, {title}")
    return {path: poses.pack()} if poses is not before else {}


def _table(client: Client) -> ActionTable:
    """The client's action table, an empty one where there is none. Raises FormatError."""
    if client.table is None:
        return ActionTable(())
    with reading(str(client.table)):
        return ActionTable.parse(disk.read_file(client.table))
