"""CharacterInfo.txt, the client's list of characters: which skeleton file, which mesh parts and which actions each one has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from ...files.binary import Bytes
from ...reporting.errors import FormatError
from . import names

PLAYER, SHIP, MONSTER = 1, 2, 4
"""Model types. Ships use the same framework numbers for other models."""
PART_COUNT = 8

COLUMNS = {"id": 0, "name": 1, "model type": 3, "framework number": 5, "suite serial": 6, "part 00": 8, "action id": 20}
"""Where the columns that matter are in all known clients; a header line may say otherwise."""


@dataclass(frozen=True)
class CharacterRow:
    """One character. framework: the number of its skeleton file and meshes. suit: of its meshes. action_type: in the table of actions.

    parts: of a monster, not 0 for the parts that it has; of a player, items.
    """

    id: int
    name: str
    model_type: int
    framework: int
    suit: int
    parts: tuple[int, ...]
    action_type: int

    @property
    def is_player(self) -> bool:
        return self.model_type == PLAYER


@dataclass(frozen=True, eq=False)
class CharacterInfo:
    """lines: the whole text, each with its line end: columns that TABs separate."""

    lines: tuple[bytes, ...]

    @classmethod
    def parse(cls, data: Bytes) -> CharacterInfo:
        """Raises FormatError for what is no text."""
        text = bytes(data)
        if (nul := text.find(b"\0")) >= 0:
            raise FormatError("not a text, so no list of characters", nul)
        return cls(tuple(text.splitlines(keepends=True)))

    def pack(self) -> bytes:
        return b"".join(self.lines)

    @cached_property
    def rows(self) -> tuple[CharacterRow, ...]:
        """All lines that have the needed numbers; comments, and what has not, are left out."""
        columns = self._columns
        rows: list[CharacterRow] = []
        titles: list[bytes] = []
        for raw in self.lines:
            fields = raw.rstrip(b"\r\n").split(b"\t")
            if raw.startswith(b"//") or len(fields) <= max(columns.values()):
                continue
            numbers = [_number(fields[columns[name]]) for name in ("id", "model type", "framework number", "suite serial", "action id")]
            if any(number is None for number in numbers[:3]):
                continue
            number, model_type, framework, suit, action_type = (value or 0 for value in numbers)
            first = columns["part 00"]
            parts = tuple(_number(field) or 0 for field in fields[first : first + PART_COUNT])
            titles.append(fields[columns["name"]])
            rows.append(CharacterRow(number, "", model_type, framework, suit, parts, action_type))
        return tuple(replace(row, name=name) for row, name in zip(rows, names.texts(titles), strict=True))

    @cached_property
    def characters(self) -> tuple[CharacterRow, ...]:
        """The rows with a skeleton file: all but ships."""
        return tuple(row for row in self.rows if row.model_type != SHIP)

    @cached_property
    def _columns(self) -> dict[str, int]:
        """By the first line where that is a header."""
        first = self.lines[0].rstrip(b"\r\n") if self.lines else b""
        titles = [title.lower() for title in names.texts(first.removeprefix(b"//").split(b"\t"))]
        return {name: titles.index(name) for name in COLUMNS} if all(name in titles for name in COLUMNS) else COLUMNS


def _number(field: bytes) -> int | None:
    text = field.strip().strip(b'"')
    return int(text) if text.isdigit() and len(text) < 10 else None


def recognise(head: bytes, _size: int) -> bool:
    """Whether a file that starts with `head` has the list's header line."""
    lines = head.splitlines()
    titles = [title.strip().lower() for title in lines[0].removeprefix(b"//").split(b"\t")] if lines else []
    return all(title.encode() in titles for title in COLUMNS)
