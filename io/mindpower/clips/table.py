"""The action table of a character of Tales of Pirates out of Blender: ranges on the new time line, everything else as it was."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

import bpy

from ....core.files import unpacking
from ....core.mindpower.client.client_files import Client
from ....core.mindpower.files.ranges import Row
from ....core.mindpower.files.tables.action_table import MOST_KEYS, ActionRow, ActionTable
from ....core.mindpower.motion import timeline
from ....core.mindpower.motion.timeline import Part, TimeLine
from ....core.reporting import log
from ....core.reporting.errors import ExportError, FormatError
from ...blender import armature
from .. import marks
from ..figure.figure import Figure
from . import actions

TABLE, TYPE, _PATH = (f"mindpower_{name}" for name in ("table", "type", "table_path"))
"""Custom properties of the armature: the action table, compressed, the character's type in it, and the path it came from."""


@dataclass(frozen=True, eq=False)
class Rows:
    """table: as it came in, None without one. type: the character's in it, 0 when it is not known. rows: on the new time line. own: the
    numbers of the actions that are exported."""

    table: ActionTable | None
    type: int
    rows: list[Row]
    own: frozenset[int] = frozenset()


def remember(obj: bpy.types.Object, table: ActionTable, path: str, number: int) -> None:
    """Keep the action table with the armature. number: the character's type in it."""
    data = armature.data_of(obj)
    data[TABLE], data[_PATH], data[TYPE] = zlib.compress(table.pack(), 1), path, number


def rows_of(figure: Figure, parts: list[Part], meant: list[bpy.types.Action], line: TimeLine) -> Rows:
    """The rows of the action table on the new time line."""
    table, number = table_of(figure.obj)
    before = table.types.get(number, ()) if table is not None else _known(parts, meant)
    claimed = {row.number for part in parts if part.range is None for row in part.rows}
    ranges = {
        (part.range.start, part.range.end): (action, span[0] - part.start)
        for action, part, span in zip(meant, parts, line.spans, strict=False)
        if part.range is not None
    }
    rows: list[Row] = []
    numbers = set(claimed)
    for index, row in enumerate(timeline.new_rows(before, line, parts)):
        if index >= len(before):
            rows.append(row)
            continue
        own = before[index]
        if own.number in claimed:
            continue
        change = ranges.get((own.start, min(own.end, figure.frame_count - 1)))
        if change is not None:
            numbers.add(own.number)
        keys = row.keys if change is None else _marked(own, row, *change)
        rows.append(ActionRow(row.number, row.start, row.end, keys, own.type, own.line))
    return Rows(table, number, rows, frozenset(numbers))


def table_of(obj: bpy.types.Object) -> tuple[ActionTable | None, int]:
    """The action table that a character came in with, None without one or where it is spoiled, and its type in it, 0 when unknown."""
    data = armature.data_of(obj)
    number = data.get(TYPE, 0)
    number = number if isinstance(number, int) and number > 0 else 0
    stored = data.get(TABLE)
    if not isinstance(stored, bytes):
        return None, number
    try:
        return ActionTable.parse(unpacking.inflate(stored)), number
    except FormatError:
        log.warning(f"the action table that {obj.name} keeps is spoiled: the rows of its actions are written alone")
        return None, number


def _known(parts: list[Part], meant: list[bpy.types.Action]) -> tuple[ActionRow, ...]:
    """Without a table, the rows that the actions remember."""
    rows: list[ActionRow] = []
    for action, part in zip(meant, parts, strict=False):
        origin = actions.origin(action)
        if part.range is not None and origin is not None:
            keys = tuple(part.range.start + key for key in origin.keys)
            rows += [ActionRow(number, part.range.start, part.range.end, keys[:MOST_KEYS]) for number in marks.numbers_of(action)]
    return tuple(sorted(rows, key=lambda row: row.number))


def target_of(lab: Path, wanted: str) -> Path:
    """Where the action table of a skeleton file goes: where it is asked for, else to the client's own, else beside the file."""
    if wanted:
        return Path(wanted)
    client = Client.of(lab)
    return (client.table if client is not None else None) or lab.with_name("CharacterAction.tx")


def _marked(own: ActionRow, row: Row, action: bpy.types.Action, start: int) -> tuple[int, ...]:
    """The key frames of a row after the markers of its action. row: as it is on the new time line. start: there, of the first frame that
    the action had at import."""
    origin = actions.origin(action)
    assert origin is not None
    gone, added = actions.key_changes(action, origin.timing, origin.keys)
    kept = [now for was, now in zip(own.keys, row.keys, strict=True) if was - own.start not in gone]
    return tuple(sorted([*kept, *(start + key for key in added)])) if gone or added else row.keys


def saved_rows(obj: bpy.types.Object, data: bytes | None, lab: Path) -> tuple[ActionRow, ...]:
    """What an action table has of a character by now; nothing where it is not there, or none. data: the table. lab: the skeleton file."""
    try:
        return ActionTable.parse(data).of_type(_type(table_of(obj)[1], lab)) if data else ()
    except FormatError:
        return ()


def _type(known: int, lab: Path) -> int:
    """A character's type in the action table: the one that is known, not 0, else after the skeleton file."""
    return known or (int(lab.stem) if lab.stem.isdecimal() and len(lab.stem) < 5 else 0) or 1


def packed(rows: Rows, target: Path, known: bytes | None, lab: Path) -> bytes:
    """The table's bytes. known: what will be there otherwise, None for nothing: of it all other types stay. Raises ExportError."""
    base = rows.table or ActionTable(())
    if known is not None:
        try:
            base = ActionTable.parse(known)
        except FormatError as error:
            raise ExportError(f"{target}: {error}") from error
    try:
        return base.with_rows(_type(rows.type, lab), rows.rows).pack()
    except ValueError as error:
        raise ExportError(str(error)) from error
