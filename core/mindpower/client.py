"""A client's folder: which characters there are, and for each one its skeleton, meshes, action table and names of actions.

Pointed at by its root or by any file inside. A skeleton or a mesh that is not in a client's layout finds what lies beside it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

from .. import log
from ..errors import FormatError, RetroAnimError, reading
from ..files import read_file
from .action_table import ActionTable
from .character_info import CharacterInfo, CharacterRow
from .meshes import PLAYER_PARTS, MeshFile, best_suit, chosen, mesh_file
from .places import Places

ANIMATION, MESHES, TEXTURES = ("animation",), ("model", "character"), ("texture", "character")
ACTIONS = ("scripts", "txt", "CharacterAction.tx")
CHARACTERS = ("scripts", "table", "CharacterInfo.txt")
POSES = ("scripts", "table", "characterposeinfo.bin")
"""Where a client keeps things, from its root."""

LEVELS = 6
"""How far above a file its client's root can be."""
PLAYER_MODELS = 4
"""The first models are the players' in all known clients; their types of actions are 1 to 4."""


@dataclass(frozen=True)
class Found:
    """What belongs to a skeleton. meshes: paths. table: of the actions, "" for none. action_type: the character's in it, 0 when it is not
    known. poses: the names of poses, "" for none."""

    meshes: tuple[str, ...] = ()
    table: str = ""
    action_type: int = 0
    poses: str = ""


@dataclass(frozen=True)
class Choice:
    """A character that can be picked. lab: its skeleton. number: of the skeleton. id: in the list of characters, 0 for one that is not.

    parts: its meshes, in the words of `companions`; "" for a suit that is picked from those there are.
    """

    lab: str
    name: str
    number: int
    id: int = 0
    action_type: int = 0
    parts: str = ""


class Client:
    """The files in a client's folder, or where there is none those beside a file."""

    def __init__(self, root: Path, beside: Path | None = None) -> None:
        """beside: a folder that is looked at instead of the layout below `root`."""
        self.root = root
        self._places = Places()
        self._beside = beside

    @classmethod
    def of(cls, path: str | Path, anywhere: bool = False) -> Client | None:
        """The client that `path` is the root of or is inside of, None where it is neither.

        anywhere: inside of any folder of it, not of those alone where a client keeps what belongs to characters.
        """
        place = Path(os.path.abspath(path))
        places = Places()
        for level, folder in enumerate((place, *place.parents[:LEVELS])):
            below = place.parts[-level].lower() if level else ""
            inside = not below or anywhere or below in {layout[0] for layout in (ANIMATION, MESHES, TEXTURES, ACTIONS)}
            if inside and any(places.inside(folder, *layout) for layout in (ANIMATION, MESHES, ACTIONS)):
                return cls(folder)
        return None

    @classmethod
    def around(cls, path: str | Path) -> Client:
        """The client that a file is part of, else the folder that it is in."""
        place = Path(os.path.abspath(path)).parent
        return cls.of(path) or cls(place, place)

    @cached_property
    def skeletons(self) -> dict[int, Path]:
        """By the number that is their name."""
        found: dict[int, Path] = {}
        for path in self._files(ANIMATION, ".lab"):
            if path.stem.isdecimal() and len(path.stem) < 10:
                found.setdefault(int(path.stem), path)
        return dict(sorted(found.items()))

    @cached_property
    def meshes(self) -> dict[int, list[MeshFile]]:
        """By model number, in the order of suit and part."""
        found: dict[int, list[MeshFile]] = {}
        for path in self._files(MESHES, ".lgo"):
            mesh = mesh_file(path)
            if mesh is not None:
                found.setdefault(mesh.model, []).append(mesh)
        return {model: sorted(files) for model, files in found.items()}

    @property
    def table(self) -> Path | None:
        return self._table(ACTIONS)

    @property
    def poses(self) -> Path | None:
        return self._table(POSES)

    @cached_property
    def rows(self) -> tuple[CharacterRow, ...]:
        """Of the list of characters; none where there is no list, or one that cannot be read, which is warned of."""
        path = self._table(CHARACTERS)
        if path is None:
            return ()
        try:
            with reading(str(path)):
                return CharacterInfo.parse(read_file(path)).characters
        except FormatError as error:
            log.warning(f"the list of characters is not used: {error}")
            return ()

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """Every character whose skeleton there is, by number; those of the list that look and move the same once."""
        found: dict[tuple[int, int, str], Choice] = {}
        for row in self.rows:
            lab = self.skeletons.get(row.framework)
            if lab is not None:
                parts = self.parts_of(row)
                choice = Choice(str(lab), row.name, row.framework, row.id, row.action_type, parts)
                found.setdefault((row.framework, row.action_type, parts), choice)
        listed = {row.framework for row in self.rows}
        plain = [Choice(str(lab), lab.stem, number) for number, lab in self.skeletons.items() if number not in listed]
        return tuple(sorted((*found.values(), *plain), key=lambda choice: (choice.number, choice.id)))

    def row_of(self, number: int) -> CharacterRow | None:
        """The first character of the list that uses a skeleton."""
        return next((row for row in self.rows if row.framework == number), None)

    def is_player(self, number: int) -> bool:
        row = self.row_of(number)
        return number < PLAYER_MODELS if row is None else row.is_player

    def action_type(self, number: int) -> int:
        """The type of actions of the character that uses a skeleton, 0 when it is not known."""
        row = self.row_of(number)
        if row is not None:
            return row.action_type
        if number < PLAYER_MODELS and self._has_type(number + 1):
            log.info(f"no list of characters: model {number} is taken for a player with actions of type {number + 1}")
            return number + 1
        return 0

    def named_like(self, lab: Path) -> tuple[str, ...]:
        """Meshes in the skeleton's own folder that are called as it is, with or without something behind a mark."""
        pattern = re.compile(re.escape(lab.stem.lower()) + r"([ ._-].*)?\.lgo")
        there = self._places.listed(lab.parent)
        return tuple(str(path) for name, path in sorted(there.items()) if pattern.fullmatch(name) and path.is_file())

    def parts_of(self, row: CharacterRow) -> str:
        """The meshes of a character that the list names one by one; "" for a player, whose list names items."""
        if row.is_player:
            return ""
        wanted = {(row.suit, part) for part, there in enumerate(row.parts) if there}
        return " ".join(str(mesh) for mesh in self.meshes.get(row.framework, []) if (mesh.suit, mesh.part) in wanted)

    def _has_type(self, number: int) -> bool:
        if self.table is None:
            return False
        try:
            return number in ActionTable.parse(read_file(self.table)).types
        except FormatError:
            return False

    def _files(self, layout: Sequence[str], extension: str) -> Iterator[Path]:
        folder = self._beside or self._places.folder(self.root, *layout)
        there = self._places.listed(folder) if folder is not None else {}
        return (path for name, path in sorted(there.items()) if name.endswith(extension) and path.is_file())

    def _table(self, layout: Sequence[str]) -> Path | None:
        return self._places.file(self._beside, layout[-1]) if self._beside else self._places.file(self.root, *layout)


def characters(path: str | Path, entries: str = "") -> tuple[Choice, ...]:
    """The characters of the client that `path` is in, or those of them that `entries` means: numbers of skeletons, names with or without
    wildcards, or id=NUMBER for the number in the list of characters; separated by commas. A number alone means one character.

    Raises FormatError when it is no client, RetroAnimError for words that mean none.
    """
    client = Client.of(path, anywhere=True)
    if client is None or not client.choices:
        raise FormatError("no client's folder with skeletons: there is no animation/*.lab in it or above it", path=str(path))
    found: dict[Choice, None] = {}
    words = [word.strip() for word in entries.split(",") if word.strip()]
    for word in words:
        meant = _meant(client, word)
        if not meant:
            raise RetroAnimError(f"no character is called {word}")
        found.update(dict.fromkeys(meant))
    return tuple(found) if words else client.choices


def _meant(client: Client, word: str) -> list[Choice]:
    if match := re.fullmatch(r"id=(\d+)", word):
        row = next((row for row in client.rows if row.id == int(match[1])), None)
        parts = client.parts_of(row) if row is not None else ""
        lab = client.skeletons.get(row.framework) if row is not None else None
        return [] if row is None or lab is None else [Choice(str(lab), row.name, row.framework, row.id, row.action_type, parts)]
    if match := re.fullmatch(r"(\d+)(?:\.lab)?", word.lower()):
        return [choice for choice in client.choices if choice.number == int(match[1])][:1]
    named = [choice for choice in client.choices if choice.name.lower() == word.lower()]
    return named or [choice for choice in client.choices if fnmatchcase(choice.name.lower(), word.lower())]


def companions(path: str | Path, parts: str = "") -> Found:
    """What belongs to the skeleton at `path`.

    parts: which meshes: suits ("3"), parts of a suit ("3/2"), meshes by their number ("0001030002"), or "all"; of several for the same
    part the last. "" takes those that the list of characters gives, else one suit: of a player its parts 0 to 4.
    Raises RetroAnimError for parts that are not there.
    """
    lab = Path(os.path.abspath(path))
    client = Client.around(lab)
    number = int(lab.stem) if lab.stem.isdecimal() and len(lab.stem) < 10 else -1
    there = client.meshes.get(number, []) if number >= 0 else []
    if parts or there:
        row = client.row_of(number)
        words = parts or (client.parts_of(row) if row is not None else "") or best_suit(there, client.is_player(number))
        meshes = tuple(str(mesh.path) for mesh in chosen(there, words))
        _tell(there, meshes, client.is_player(number))
    else:
        meshes = client.named_like(lab)
    action_type = client.action_type(number) if number >= 0 else 0
    return Found(meshes, str(client.table or ""), action_type, str(client.poses or ""))


def _tell(there: Sequence[MeshFile], taken: Sequence[str], player: bool) -> None:
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
    place = Path(os.path.abspath(path))
    client = Client.around(place)
    mesh = mesh_file(place)
    if mesh is not None and (found := client.skeletons.get(mesh.model)) is not None:
        return str(found)
    stem = re.split(r"[ ._-]", place.stem)[0]
    beside = Places()
    found = beside.file(place.parent, f"{place.stem}.lab") or beside.file(place.parent, f"{stem}.lab")
    return str(found or "")


def around(path: str | Path) -> dict[str, Any]:
    """What `info` tells about the place of a skeleton: who it is, and its meshes by suit."""
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
    """What `info` tells about the place of a list of characters: those whose skeleton there is, and how each is addressed."""
    client = Client.of(path, anywhere=True)
    choices = client.choices if client is not None else ()
    return {"contents": [_facts(path, choice) for choice in choices]} if choices else {}


def _facts(path: str | Path, choice: Choice) -> dict[str, Any]:
    entry = f"id={choice.id}" if choice.id else f"{choice.number:04}"
    return {
        "path": f"{path}#{entry}",
        "character": choice.name,
        "skeleton": choice.number,
        "action_type": choice.action_type,
        **({"parts": choice.parts} if choice.parts else {}),
    }
