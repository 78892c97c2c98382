"""Changing who uses what: an entity of FILE3D.HQR (LBA1), or of the entity table in RESS.HQR (LBA2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ...files import address
from ...files.disk import disk
from ...reporting.errors import ExportError, reading
from ..files.actions import Action
from ..files.archive.hqr import Hqr
from ..files.entity_table import EntityTable
from ..files.file3d import ANIMATION, BODY, Entity
from . import characters
from .characters import Characters

Change = Callable[[Entity], Entity]


def use(role: int, animation: int, actions: Sequence[Action] | None = None) -> Change:
    """The character uses an animation for a role."""
    return lambda entity: entity.with_record(ANIMATION, role, animation, actions)


def stop_using(role: int) -> Change:
    return lambda entity: entity.without(ANIMATION, role)


def wear(role: int, body: int) -> Change:
    """The character has a body."""
    return lambda entity: entity.with_record(BODY, role, body)


def take_off(role: int) -> Change:
    return lambda entity: entity.without(BODY, role)


def with_actions(animation: int, actions: Sequence[Action]) -> Change:
    return lambda entity: entity.with_actions(animation, actions)


def change(source: str, index: int, *steps: Change) -> str:
    """Change one entity in its file, of which a .bak is kept; returns how it is called. Raises RetroAnimError, with nothing written."""
    table = characters.of_file(source)
    entity = table.entity(index)
    return _write(table, index, _changed(entity, steps))


def add(source: str, *steps: Change, like: int | None = None) -> int:
    """A new entity behind the last; returns its number. like: the one that it is a copy of at first, else it is empty."""
    table = characters.of_file(source)
    wide = isinstance(table.table, EntityTable)
    entity = table.entity(like) if like is not None else Entity((), wide=wide)
    index = len(table)
    _write(table, index, _changed(entity, steps))
    return index


class Wanted(NamedTuple):
    """What becomes of one character. number: None for a new one behind the last, which is a copy of `like` at first, else empty."""

    number: int | None
    steps: Sequence[Change]
    like: int | None = None


def with_changes(source: str, wanted: Sequence[Wanted]) -> tuple[Path, bytes, list[int]]:
    """The file of the entities with some changed, and their numbers; nothing is written. Raises RetroAnimError."""
    table = characters.of_file(source)
    path, entry = address.split(table.source)
    changed: dict[int, Entity] = {}
    numbers: list[int] = []
    for asked, steps, like in wanted:
        number = asked if asked is not None else max([len(table), *(each + 1 for each in changed)])
        first = asked if asked is not None else like
        if first in changed:
            entity = changed[first]
        else:
            entity = table.entity(first) if first is not None else Entity((), wide=isinstance(table.table, EntityTable))
        numbers.append(number)
        if asked is None or steps:
            changed[number] = _changed(entity, steps)
    return Path(path), _bytes(table, path, entry, changed) if changed else disk.read_file(path), numbers


def _changed(entity: Entity, steps: Sequence[Change]) -> Entity:
    for step in steps:
        entity = step(entity)
    return entity


def _write(table: Characters, index: int, entity: Entity) -> str:
    path, entry = address.split(table.source)
    data = _bytes(table, path, entry, {index: entity})
    if not Path(path).is_file():
        raise ExportError(f"{path}: is gone")
    if disk.read_file(path) != data:
        disk.write_file(path, data, backup=True)
    return table.where(index)


def _bytes(table: Characters, path: str, entry: str, changed: Mapping[int, Entity]) -> bytes:
    """The whole file with these entities in it, by their numbers."""
    if isinstance(table.table, Hqr):
        archive = table.table
        for index, entity in changed.items():
            archive = archive.replaced(index, entity.pack())
        return archive.pack()
    entities = table.table
    for index, entity in changed.items():
        entities = entities.with_entity(index, entity)
    packed = entities.pack()
    if not entry:
        return packed
    with reading(path):
        return Hqr.parse(disk.read_file(path)).replaced(int(entry), packed).pack()
