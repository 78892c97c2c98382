"""The files in a client's folder by what they are: skeletons and meshes by number, and the tables."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ...files import once
from ...files.disk.disk import read_file
from ...files.letter_case import Folders, is_file
from ...reporting import log
from ...reporting.errors import FormatError, reading
from ..files.tables.action_table import ActionTable
from ..files.tables.character_info import SHIP, CharacterInfo, CharacterRow
from ..files.tables.character_table import CharacterTable
from .meshes import MeshFile, mesh_file

ANIMATION, MESHES, TEXTURES = ("animation",), ("model", "character"), ("texture", "character")
ACTIONS = ("scripts", "txt", "CharacterAction.tx")
CHARACTERS = ("scripts", "table", "Characterinfo.bin")
CHARACTERS_TEXT = ("scripts", "table", "CharacterInfo.txt")
POSES = ("scripts", "table", "characterposeinfo.bin")
"""Where a client keeps its files, from its root."""

LEVELS = 6
"""How far above a file its client's root can be."""
PLAYER_MODELS = 4
"""The first models are the players' in all known clients; their types of actions are 1 to 4."""


@dataclass(frozen=True)
class Choice:
    """A character that can be picked. lab: its skeleton. number: of the skeleton. id: in the list of characters, 0 for one that is not.

    parts: its meshes, as `companions` takes them; "" for a suit that is picked from those there are.
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
        self._names = Folders()
        self._beside = beside

    @classmethod
    def of(cls, path: str | Path, anywhere: bool = False) -> Client | None:
        """The client that `path` is the root of or is inside of, None where it is neither.

        anywhere: inside of any folder of it, not of those alone where a client keeps what belongs to characters.
        """
        source = Path(os.path.abspath(path))
        nearby = Folders()
        for level, folder in enumerate((source, *source.parents[:LEVELS])):
            below = source.parts[-level].lower() if level else ""
            inside = not below or anywhere or below in {layout[0] for layout in (ANIMATION, MESHES, TEXTURES, ACTIONS)}
            if inside and cls.is_at(folder, nearby):
                return cls(folder)
        return None

    @staticmethod
    def is_at(folder: Path, nearby: Folders) -> bool:
        """Whether a folder is a client's root."""
        return any(nearby.inside(folder, *layout) for layout in (ANIMATION, MESHES, ACTIONS))

    @classmethod
    def around(cls, path: str | Path) -> Client:
        """The client that a file is part of, else the folder that it is in. Many files ask of one: inside of `looking_once` it is read
        once."""
        source = Path(os.path.abspath(path)).parent
        return once.kept("client", (str(source),), lambda: cls.of(path) or cls(source, source))

    @cached_property
    def skeletons(self) -> dict[int, Path]:
        """By the number that is their name."""
        entries: dict[int, Path] = {}
        for path in self._files(ANIMATION, ".lab"):
            if path.stem.isdecimal() and len(path.stem) < 10:
                entries.setdefault(int(path.stem), path)
        return dict(sorted(entries.items()))

    @cached_property
    def meshes(self) -> dict[int, list[MeshFile]]:
        """By model number, in the order of suit and part."""
        entries: dict[int, list[MeshFile]] = {}
        for path in self._files(MESHES, ".lgo"):
            mesh = mesh_file(path)
            if mesh is not None:
                entries.setdefault(mesh.model, []).append(mesh)
        return {model: sorted(files) for model, files in entries.items()}

    def folder(self, layout: Sequence[str]) -> Path | None:
        """One of the client's folders, None where there is none."""
        return self._beside or self._names.folder(self.root, *layout)

    def target(self, *names: str) -> Path:
        """Where a file of the client goes, in the letter case of the folders and the file that are there."""
        target = self.root
        for name in names:
            target = self._names.inside(target, name) or target / name
        return target

    def listed(self, layout: Sequence[str]) -> Path | None:
        """One of the client's tables, None where it has none."""
        return self._names.file(self._beside, layout[-1]) if self._beside else self._names.file(self.root, *layout)

    @property
    def table(self) -> Path | None:
        return self.listed(ACTIONS)

    @property
    def poses(self) -> Path | None:
        return self.listed(POSES)

    @cached_property
    def rows(self) -> tuple[CharacterRow, ...]:
        """Of the list of characters those with a skeleton file: all but ships."""
        return tuple(row for row in self.every_row if row.model_type != SHIP)

    @cached_property
    def every_row(self) -> tuple[CharacterRow, ...]:
        """Of the list of characters, as the game reads it, and behind them those that only the text has which it is made from.

        None where there is no list, or one that cannot be read, which is warned of.
        """
        listed = self._characters(CHARACTERS, CharacterTable)
        known = {row.id for row in listed}
        return (*listed, *(row for row in self._characters(CHARACTERS_TEXT, CharacterInfo) if row.id not in known))

    def _characters(self, layout: Sequence[str], kind: type[CharacterInfo] | type[CharacterTable]) -> tuple[CharacterRow, ...]:
        path = self.listed(layout)
        if path is None:
            return ()
        try:
            with reading(str(path)):
                table = kind.parse(read_file(path))
        except FormatError as error:
            log.warning(f"the list of characters is not used: {error}")
            return ()
        if isinstance(table, CharacterInfo) and (odd := table.odd_lines):
            lines = f"line {odd[0]} has" if len(odd) == 1 else f"{len(odd)} lines, the first of them line {odd[0]}, have"
            log.warning(f"{path}: {lines} too few columns or no numbers where they belong, and no character was read of that")
        return table.rows

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """Every character whose skeleton there is, by number; those of the list that look and move the same once."""
        entries: dict[tuple[int, int, str], Choice] = {}
        for row in self.rows:
            lab = self.skeletons.get(row.framework)
            if lab is not None:
                parts = self.parts_of(row)
                choice = Choice(str(lab), row.name, row.framework, row.id, row.action_type, parts)
                entries.setdefault((row.framework, row.action_type, parts), choice)
        listed = {row.framework for row in self.rows}
        plain = [Choice(str(lab), lab.stem, number) for number, lab in self.skeletons.items() if number not in listed]
        return tuple(sorted((*entries.values(), *plain), key=lambda choice: (choice.number, choice.id)))

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
        there = self._names.listed(lab.parent)
        return tuple(str(path) for name, path in sorted(there.items()) if pattern.fullmatch(name) and is_file(path))

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
            return number in ActionTable.parse(read_file(self.table)).type_numbers
        except FormatError:
            return False

    def _files(self, layout: Sequence[str], extension: str) -> Iterator[Path]:
        folder = self.folder(layout)
        there = self._names.listed(folder, expected=True) if folder is not None else {}
        return (path for name, path in sorted(there.items()) if name.endswith(extension) and is_file(path))
