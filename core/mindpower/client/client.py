"""A client's folder: which characters there are, and for each one its skeleton, meshes, action table and names of actions.

Pointed at by its root or by any file inside. A skeleton or a mesh that is not in a client's layout finds what lies beside it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ...files.disk.disk import read_file
from ...files.file_names import same_file
from ...files.letter_case import Folders
from ...reporting import log
from ...reporting.errors import FormatError
from ...reporting.labels import rather
from ..files.tables.action_table import ActionTable
from .client_files import CHARACTERS, CHARACTERS_TEXT, Choice, Client
from .meshes import PLAYER_PARTS, MeshFile, best_suit, chosen, mesh_file


@dataclass(frozen=True)
class Companions:
    """What belongs to a skeleton. meshes: paths. table: of the actions, "" for none. action_type: the character's in it, 0 when it is not
    known. poses: the names of poses, "" for none."""

    meshes: tuple[str, ...] = ()
    table: str = ""
    action_type: int = 0
    poses: str = ""


def characters(path: str | Path, entries: str = "") -> tuple[Choice, ...]:
    """The characters of the client that `path` is in, or those of them that `entries` means: numbers of skeletons, names with or without
    wildcards, or id=NUMBER for the number in the list of characters; separated by commas, or by semicolons where a name has commas. A
    number alone means one character.

    Raises FormatError when it is no client, or an entry names none.
    """
    return _characters(path, entries)[1]


def _characters(path: str | Path, entries: str) -> tuple[Client, tuple[Choice, ...]]:
    """The client that `path` is in, and those of its characters that `entries` means. Raises FormatError."""
    client = Client.of(path, anywhere=True)
    if client is None or not client.choices:
        raise FormatError("no client's folder with skeletons: there is no animation/*.lab in it or above it", path=str(path))
    choices: dict[Choice, None] = {}
    parts = [entries] if _meant(client, entries.strip()) else entries.split(";")
    items = (item for part in parts for item in ([part] if _meant(client, part.strip()) else part.split(",")))
    wanted = [item.strip() for item in items if item.strip()]
    for entry in wanted:
        meant = _meant(client, entry)
        if not meant:
            names = [choice.name for choice in client.choices]
            raise FormatError(f"no character is called {entry}: {rather(entry, names)}", path=str(path))
        choices.update(dict.fromkeys(meant))
    return client, tuple(choices) if wanted else client.choices


def lengths(path: str | Path) -> dict[int, tuple[int, int]]:
    """By the type of its actions how many ranges of frames a character of the client that `path` is in has, and their frames; nothing
    without an action table that can be read."""
    client = Client.of(path, anywhere=True)
    try:
        types = ActionTable.parse(read_file(client.table)).types if client is not None and client.table is not None else {}
    except FormatError:
        return {}
    ranges = {number: {(row.start, row.end) for row in rows if not row.unused} for number, rows in types.items()}
    return {number: (len(known), sum(max(end - start + 1, 0) for start, end in known)) for number, known in ranges.items()}


def _meant(client: Client, entry: str) -> list[Choice]:
    if match := re.fullmatch(r"id=(\d+)", entry):
        row = next((row for row in client.rows if row.id == int(match[1])), None)
        parts = client.parts_of(row) if row is not None else ""
        lab = client.skeletons.get(row.framework) if row is not None else None
        return [] if row is None or lab is None else [Choice(str(lab), row.name, row.framework, row.id, row.action_type, parts)]
    if match := re.fullmatch(r"(\d+)(?:\.lab)?", entry.lower()):
        return [choice for choice in client.choices if choice.number == int(match[1])][:1]
    named = [choice for choice in client.choices if choice.name.lower() == entry.lower()]
    return named or [choice for choice in client.choices if fnmatchcase(choice.name.lower(), entry.lower())]


def companions(path: str | Path, parts: str = "") -> Companions:
    """What belongs to the skeleton at `path`.

    parts: which meshes: suits ("3"), parts of a suit ("3/2"), meshes by their number ("0001030002"), or "all"; of several for the same
    part the last. "" takes those that the list of characters gives, else one suit: of a player its parts 0 to 4.
    Raises RetroAnimError for parts that are not there.
    """
    return _companions(Client.around(path), Path(os.path.abspath(path)), parts)


def _companions(client: Client, lab: Path, parts: str) -> Companions:
    number = int(lab.stem) if lab.stem.isdecimal() and len(lab.stem) < 10 else -1
    there = client.meshes.get(number, []) if number >= 0 else []
    if parts or there:
        row = client.row_of(number)
        wanted = parts or (client.parts_of(row) if row is not None else "") or best_suit(there, client.is_player(number))
        meshes = tuple(str(mesh.path) for mesh in chosen(there, wanted))
        _report(there, meshes, client.is_player(number))
    else:
        meshes = client.named_like(lab)
    action_type = client.action_type(number) if number >= 0 else 0
    return Companions(meshes, str(client.table or ""), action_type, str(client.poses or ""))


def _report(there: Sequence[MeshFile], taken: Sequence[str], player: bool) -> None:
    """Which suits there are, where there is a choice, and what a player lacks."""
    suits = sorted({mesh.suit for mesh in there})
    used = [mesh for mesh in there if str(mesh.path) in taken]
    if len(suits) > 1:
        log.info(f"suits {', '.join(map(str, suits))}; shown: {', '.join(f'{mesh.suit}/{mesh.part}' for mesh in used)}")
    lost = sorted(set(PLAYER_PARTS) - {mesh.part for mesh in used})
    if player and lost:
        log.info(f"a player without part {', '.join(map(str, lost))}: its suit has none")


def skeleton_for(path: str | Path) -> str:
    """The skeleton of the mesh at `path`: by its model's number, else of its own name beside it; "" for none."""
    source = Path(os.path.abspath(path))
    client = Client.around(source)
    mesh = mesh_file(source)
    if mesh is not None and (own := client.skeletons.get(mesh.model)) is not None:
        return str(own)
    stem = re.split(r"[ ._-]", source.stem)[0]
    beside = Folders()
    lab = beside.file(source.parent, f"{source.stem}.lab") or beside.file(source.parent, f"{stem}.lab")
    return str(lab or "")


def around(path: str | Path) -> dict[str, Any]:
    """What `info` reports of the client around a skeleton: who it is, and its meshes by suit."""
    lab = Path(os.path.abspath(path))
    number = int(lab.stem) if lab.stem.isdecimal() and len(lab.stem) < 10 else -1
    client = Client.around(lab)
    row = client.row_of(number)
    suits: dict[int, list[str]] = {}
    for mesh in client.meshes.get(number, []):
        suits.setdefault(mesh.suit, []).append(str(mesh.part))
    facts: dict[str, Any] = {} if row is None else {"character": row.name, "action_type": row.action_type}
    return facts | ({"suits": [f"{suit}/{','.join(parts)}" for suit, parts in suits.items()]} if suits else {})


def listed(path: str | Path) -> dict[str, Any]:
    """What `info` reports of the client around its list of characters: those whose skeleton there is, and how each is addressed; nothing
    of a copy or a backup that lies there, too."""
    client = Client.of(path, anywhere=True)
    choices = client.choices if client is not None and _is_list(client, path) else ()
    return {"contents": [_facts(path, choice) for choice in choices]} if choices else {}


def takes(path: str | Path) -> bool:
    """Whether there is a client at a path, or its own list of characters, which have its characters as entries: no copy or backup of the
    list, and none of its other files."""
    if Path(path).is_dir():
        return Client.is_at(Path(path), Folders())
    client = Client.of(path, anywhere=True)
    return client is not None and _is_list(client, path)


def _is_list(client: Client, path: str | Path) -> bool:
    lists = (client.listed(layout) for layout in (CHARACTERS, CHARACTERS_TEXT))
    return same_file(path) in {same_file(each) for each in lists if each is not None}


def described(path: str | Path, entries: str) -> Iterator[dict[str, Any]]:
    """What `info` reports of the characters that `characters` finds, one by one. files: of each its skeleton and the meshes that the game
    shows. Raises FormatError as that does."""
    client, there = _characters(path, entries)
    for each in there:
        yield {**_facts(path, each), "files": [each.lab, *_companions(client, Path(each.lab), each.parts).meshes]}


def _facts(path: str | Path, choice: Choice) -> dict[str, Any]:
    entry = f"id={choice.id}" if choice.id else f"{choice.number:04}"
    return {
        "path": f"{path}#{entry}",
        "character": choice.name,
        "skeleton": choice.number,
        "action_type": choice.action_type,
        **({"parts": choice.parts} if choice.parts else {}),
    }
