"""CharacterAction.tx, the table of actions: for every type of character, frame ranges on the long time line of its skeleton file.

A text that people write: comments, blanks, order and encoding stay as they are; an edit replaces numbers in place. Read as the engine's
CGameCharacterAction::Init does: a line that starts with a TAB is an action of the type above it, other lines start a type.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from .. import names
from ..ranges import Row
from .text_table import TextTable

MOST_KEYS = 8
"""Key frames that the game has room for in one action; it does not notice more of them."""

_NUMBER = re.compile(rb"[^ ,\t\r\n]+")
_BLANKS = bytes.maketrans(b",\t\r\n", b"    ")
_COMMENT = b"//"
_INSIDE = (b"\t", _COMMENT)


@dataclass(frozen=True)
class ActionRow(Row):
    """A row, the type that it belongs to, and the line that it stands in, counted from 0."""

    type: int = 0
    line: int = -1


@dataclass(frozen=True, eq=False)
class ActionTable(TextTable):
    """The actions of each type."""

    what = "action table"

    @cached_property
    def rows(self) -> tuple[ActionRow, ...]:
        """All actions of all types, in the file's order; several may have the same number, then the game takes the last."""
        return self._read[0]

    @cached_property
    def odd_lines(self) -> tuple[int, ...]:
        """Lines that are none of comment, type, or action of a type with three numbers; the game cannot make sense of them either."""
        return self._read[1]

    @cached_property
    def types(self) -> dict[int, tuple[ActionRow, ...]]:
        """Type number -> its actions, in the file's order. A type that comes twice has the actions of its last row, as in the game."""
        return {number: tuple(self.rows[first:last]) for number, first, last in self._read[2]}

    @property
    def type_numbers(self) -> tuple[int, ...]:
        return tuple(self._blocks)

    def of_type(self, type_number: int) -> tuple[ActionRow, ...]:
        """The actions of one type, as `types` has them, without reading those of the others; none where there is no such type."""
        return tuple(self._actions(type_number, *self._blocks.get(type_number, (0, 0)))[0])

    def text(self, line: int) -> str:
        """A line without its end, for messages."""
        return self.lines[line].decode(names.ENCODING, "replace").rstrip("\r\n")

    def with_rows(self, type_number: int, rows: Iterable[Row]) -> ActionTable:
        """With other frames for actions of a type: in the row's own line, else in that of the same number, else in a new line at the
        end of the type, else in a new type at the end. Everything else stays.

        Raises ValueError for more key frames than the game has room for, unless the table has them already.
        """
        lines = list(self.lines)
        lines_of = self._lines_of(type_number)
        new: list[bytes] = []
        for row in rows:
            numbers = (row.number, row.start, row.end, *row.keys)
            own = self._by_line.get(row.line) if isinstance(row, ActionRow) else None
            there = own is not None and (own.type, own.number) == (type_number, row.number)
            line = own.line if own is not None and there else lines_of.get(row.number)
            if line is not None and self._by_line[line] == replace(self._by_line[line], start=row.start, end=row.end, keys=row.keys):
                continue
            if len(row.keys) > MOST_KEYS:
                raise ValueError(f"action {row.number}: {len(row.keys)} key frames, the game has room for {MOST_KEYS}")
            if line is None:
                new.append(b"\t\t".join([b"", *(str(number).encode() for number in numbers)]))
            else:
                lines[line] = _renumbered(lines[line], numbers)
        if new:
            known = type_number in self._ends
            index = self._ends[type_number] if known else len(lines)
            if index and not lines[index - 1].endswith((b"\n", b"\r")):
                lines[index - 1] += self._line_end
            heading = [] if known else [str(type_number).encode()]
            lines[index:index] = [line + self._line_end for line in (*heading, *new)]
        return ActionTable(tuple(lines))

    def problems(self, type_number: int) -> list[str]:
        """What is wrong with the actions of a type by themselves, one line each; nothing of it is fatal."""
        problems: list[str] = []
        rows = self.of_type(type_number)
        for row in rows:
            where = f"action {row.number} of type {row.type}, frames {row.start} to {row.end}"
            if row.end < row.start:
                problems.append(f"{where}: ends before it starts")
            elif not row.unused and any(not row.start <= key <= row.end for key in row.keys):
                problems.append(f"{where}: key frames {' '.join(map(str, row.keys))} lie outside")
            if len(row.keys) > MOST_KEYS:
                problems.append(f"{where}: {len(row.keys)} key frames, the game has room for {MOST_KEYS}")
        times = Counter(row.number for row in rows)
        return problems + [
            f"action {number} of type {type_number} stands there {count} times" for number, count in times.items() if count > 1
        ]

    def nonsense(self, lines: Iterable[int]) -> list[str]:
        """What is to be said of odd lines, one line each."""
        return [f"line {line + 1} says nothing to the game: {self.text(line).strip()[:60]}" for line in lines]

    def odd_lines_of(self, type_number: int) -> tuple[int, ...]:
        """The odd lines among the actions of one type."""
        return tuple(self._actions(type_number, *self._blocks.get(type_number, (0, 0)))[1])

    def overlapping(self, type_number: int) -> list[tuple[ActionRow, ActionRow]]:
        """Neighbouring pairs of different ranges of a type that share frames, which is common: an action may be a part of another."""
        ranges = {(row.start, row.end): row for row in self.of_type(type_number) if not row.unused and row.start <= row.end}
        ordered = [ranges[key] for key in sorted(ranges)]
        return [(one, other) for one, other in pairwise(ordered) if other.start <= one.end]

    def _lines_of(self, type_number: int) -> dict[int, int]:
        """Action number -> its last line."""
        return {row.number: row.line for row in self.of_type(type_number)}

    @cached_property
    def _by_line(self) -> dict[int, ActionRow]:
        return {row.line: row for row in self.rows}

    @cached_property
    def _line_end(self) -> bytes:
        first = self.lines[0] if self.lines else b""
        return b"\r\n" if first.endswith(b"\r\n") else b"\r" if first.endswith(b"\r") else b"\n"

    @cached_property
    def _ends(self) -> dict[int, int]:
        """Type number -> the line behind its last action, or behind its own line."""
        return self._read[3]

    @cached_property
    def _read(self) -> tuple[tuple[ActionRow, ...], tuple[int, ...], list[tuple[int, int, int]], dict[int, int]]:
        """Rows, odd lines, the run of rows of each type, and the line at which each type ends."""
        rows: list[ActionRow] = []
        runs: list[tuple[int, int, int]] = []
        ends: dict[int, int] = {}
        odd = self._actions(0, 0, self._sections[0][1] if self._sections else len(self.lines))[1]
        for number, line, stop in self._sections:
            own, strange = self._actions(number, line + 1, stop)
            if number:
                runs.append((number, len(rows), len(rows) + len(own)))
                ends[number] = own[-1].line + 1 if own else line + 1
            else:
                odd.append(line)
            rows += own
            odd += strange
        return tuple(rows), tuple(odd), runs, ends

    @cached_property
    def _sections(self) -> list[tuple[int, int, int]]:
        """Number of each type, 0 for a line that is neither type nor action, its line, and the line of the next one."""
        heads: list[tuple[int, int]] = []
        for line, raw in enumerate(self.lines):
            if raw.startswith(_INSIDE):  # nearly every line: nothing else is to be asked of it
                continue
            text = (raw if line else raw.removeprefix(names.BOM)).lstrip(b" ")
            if not text.startswith(_INSIDE) and text.strip():
                numbers = _numbers(text)
                heads.append((max(numbers[0], 0) if numbers else 0, line))
        stops = [*(line for _, line in heads), len(self.lines)][1:]
        return [(number, line, stop) for (number, line), stop in zip(heads, stops, strict=True)]

    @cached_property
    def _blocks(self) -> dict[int, tuple[int, int]]:
        """Type number -> its lines; of a type that comes twice the last ones."""
        return {number: (line + 1, stop) for number, line, stop in self._sections if number}

    def _actions(self, type_number: int, first: int, stop: int) -> tuple[list[ActionRow], list[int]]:
        """The actions of a type in these lines, which start no other, and the lines that are odd."""
        rows: list[ActionRow] = []
        odd: list[int] = []
        for line in range(first, stop):
            text = self.lines[line].lstrip(b" ")
            if not text.strip() or text.startswith(_COMMENT):
                continue
            numbers = _numbers(text)
            if type_number and len(numbers) >= 3 and numbers[0] > 0:
                rows.append(ActionRow(numbers[0], numbers[1], numbers[2], tuple(numbers[3:]), type_number, line))
            else:
                odd.append(line)
        return rows, odd


def _numbers(text: bytes) -> list[int]:
    """The whole numbers of a line up to the first word that is none, or that starts a comment."""
    numbers: list[int] = []
    for match in text.translate(_BLANKS).split(b" "):
        if not match:
            continue
        if not (match.isdigit() and len(match) < 10) and not re.fullmatch(rb"-?[0-9]{1,9}", match):
            break
        numbers.append(int(match))
    return numbers


def _renumbered(line: bytes, numbers: Sequence[int]) -> bytes:
    """The line with other numbers: the blanks between them, and what follows them, stay."""
    matches = list(_NUMBER.finditer(line))
    count = next((index for index, match in enumerate(matches) if not re.fullmatch(rb"-?[0-9]{1,9}", match[0])), len(matches))
    kept = min(count, len(numbers))
    parts = [line[: matches[0].start()]]
    for index in range(kept):
        match, until = matches[index], matches[index + 1].start() if index + 1 < kept else matches[index].end()
        parts += [match[0] if int(match[0]) == numbers[index] else str(numbers[index]).encode(), line[match.end() : until]]
    parts += [b"\t\t" + str(number).encode() for number in numbers[kept:]]
    return b"".join(parts) + line[matches[count - 1].end() :]


def recognise(head: bytes, size: int) -> bool:
    """Whether a file that starts with `head` looks like the table: comments, types, and actions of at least three numbers behind a TAB."""
    lines = head.removeprefix(names.BOM).splitlines()
    lines = lines if size <= len(head) else lines[:-1]
    texts = [line for line in lines if line.strip() and not line.startswith(_COMMENT)]
    rows = [line for line in texts if line.startswith(b"\t")]
    return bool(rows) and texts[0][:1].isdigit() and all(len(_numbers(row)) >= 3 for row in rows) and all(_numbers(text) for text in texts)
