"""CharacterInfo.txt, the client's list of characters: which skeleton file, which mesh parts and which actions each one has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from ....reporting.errors import ExportError
from .. import names
from .text_table import TextTable

PLAYER, SHIP, MONSTER = 1, 2, 4
"""Model types. Ships use the same framework numbers for other models."""
PART_COUNT = 8
NAME_ROOM = 32
"""Bytes for a name in the game, its end included."""

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
class CharacterInfo(TextTable):
    """A line for each character, in columns that TABs separate."""

    what = "list of characters"

    @cached_property
    def rows(self) -> tuple[CharacterRow, ...]:
        """All lines that have the needed numbers; comments, and those of `odd_lines`, are left out."""
        columns = self._columns
        rows: list[CharacterRow] = []
        titles: list[bytes] = []
        for raw in self.lines:
            fields = self._fields(raw)
            numbers = self._numbers(fields)
            if fields is None or numbers is None:
                continue
            number, model_type, framework, suit, action_type = (value or 0 for value in numbers)
            first = columns["part 00"]
            parts = tuple(_number(field) or 0 for field in fields[first : first + PART_COUNT])
            titles.append(fields[columns["name"]])
            rows.append(CharacterRow(number, "", model_type, framework, suit, parts, action_type))
        return tuple(replace(row, name=name) for row, name in zip(rows, names.texts(titles), strict=True))

    @property
    def odd_lines(self) -> tuple[int, ...]:
        """Counted from 1: lines that are neither a comment, nor a header or empty, and have too few columns or not the needed numbers."""
        texts = (raw.removeprefix(names.BOM).strip() for raw in self.lines)
        rows = [
            number for number, text in enumerate(texts, 1) if text and not text.startswith(b"//") and not (number == 1 and self._headed)
        ]
        return tuple(number for number in rows if self._numbers(self._fields(self.lines[number - 1])) is None)

    def _numbers(self, fields: list[bytes] | None) -> list[int | None] | None:
        """Id, model type and framework number of a line, and where it has them suit and type of actions; None for one that is no row."""
        if fields is None:
            return None
        columns = ("id", "model type", "framework number", "suite serial", "action id")
        numbers = [_number(fields[self._columns[name]]) for name in columns]
        return None if None in numbers[:3] else numbers

    def with_character(self, row: CharacterRow, like: int) -> CharacterInfo:
        """With another line, in everything else as that of the character with the number `like`: before the first with a larger number.
        Raises ExportError for a name with characters that the list cannot hold, where there is no such line, or the number is taken."""
        columns, numbers = self._columns, [(self._number_of(raw), line) for line, raw in enumerate(self.lines)]
        before = next((line for number, line in numbers if number == like), None)
        if before is None or any(number == row.id for number, _ in numbers):
            raise ExportError(f"number {row.id} is taken" if before is not None else f"there is no character {like}")
        raw = self.lines[before]
        text = raw.rstrip(b"\r\n")
        fields = text.split(b"\t")
        name = names.encode(row.name, NAME_ROOM, encoding=self._encoding).rstrip(b"\0")
        values = {"id": row.id, "model type": row.model_type, "framework number": row.framework, "suite serial": row.suit}
        for column, value in (values | {"action id": row.action_type}).items():
            fields[columns[column]] = str(value).encode()
        fields[columns["name"]] = name
        first = columns["part 00"]
        fields[first : first + PART_COUNT] = [str(part).encode() for part in row.parts]
        if first > columns["suite serial"] + 1:
            fields[columns["suite serial"] + 1] = b"1"
        lines = list(self.lines)
        end = raw[len(text) :] or next((known[len(known.rstrip(b"\r\n")) :] for known in lines), b"\r\n")
        index = next((line for number, line in numbers if number is not None and number > row.id), None)
        if index is None:
            index = 1 + max(line for number, line in numbers if number is not None)
            lines[index - 1] = lines[index - 1].rstrip(b"\r\n") + end
        lines.insert(index, b"\t".join(fields) + end)
        return CharacterInfo(tuple(lines))

    def _number_of(self, raw: bytes) -> int | None:
        """The character's number in a line, None in one that is none."""
        fields = self._fields(raw)
        return None if fields is None else _number(fields[self._columns["id"]])

    def _fields(self, raw: bytes) -> list[bytes] | None:
        """The columns of a line, None of a comment, or where there are too few."""
        text = raw.removeprefix(names.BOM).rstrip(b"\r\n")
        fields = text.split(b"\t")
        return None if text.startswith(b"//") or len(fields) <= max(self._columns.values()) else fields

    @property
    def _encoding(self) -> str:
        """That of the names; where these are ASCII, that of everything else."""
        titles = [fields[self._columns["name"]] for raw in self.lines if (fields := self._fields(raw)) is not None]
        return names.encoding_of(self.lines if all(map(bytes.isascii, titles)) else titles)

    @cached_property
    def characters(self) -> tuple[CharacterRow, ...]:
        """The rows with a skeleton file: all but ships."""
        return tuple(row for row in self.rows if row.model_type != SHIP)

    @cached_property
    def _titles(self) -> list[str]:
        """The first line as a header."""
        first = self.lines[0].removeprefix(names.BOM).rstrip(b"\r\n") if self.lines else b""
        return [title.lower() for title in names.texts(first.removeprefix(b"//").split(b"\t"))]

    @property
    def _headed(self) -> bool:
        return all(name in self._titles for name in COLUMNS)

    @cached_property
    def _columns(self) -> dict[str, int]:
        """By the first line where that is a header."""
        return {name: self._titles.index(name) for name in COLUMNS} if self._headed else COLUMNS


def _number(field: bytes) -> int | None:
    text = field.strip().strip(b'"')
    return int(text) if text.isdigit() and len(text) < 10 else None


def recognise(head: bytes, _size: int) -> bool:
    """Whether a file that starts with `head` has the list's header line."""
    if head.startswith(names.UTF_16):
        head = head.decode("utf-16", "ignore").encode(names.ENCODING, "ignore")
    lines = head.removeprefix(names.BOM).splitlines()
    titles = [title.strip().lower() for title in lines[0].removeprefix(b"//").split(b"\t")] if lines else []
    return all(title.encode() in titles for title in COLUMNS)
