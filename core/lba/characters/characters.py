"""All characters of a game's folder: the entries of FILE3D.HQR in LBA1, the entity table in RESS.HQR in LBA2."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from ...files import address
from ...files.disk.disk import read_file
from ...files.letter_case import find_beside
from ...reporting.errors import FormatError, reading
from ..files import entity_table, file3d
from ..files.archive.hqd import EntryNames, names_for
from ..files.archive.hqr import Hqr
from ..files.entity_table import EntityTable
from ..files.file3d import Entity
from . import people
from .opened import changed_at

TABLE_ENTRY = 44
"""Of the entity table in LBA2's RESS.HQR."""


@dataclass(frozen=True, eq=False)
class Characters:
    """source: the file, or the archive's entry, that holds them. table: an archive of entities, or the table of LBA2. listed: a list of
    the names of an archive's entities; "" for one beside it."""

    source: str
    table: Hqr | EntityTable
    listed: str = ""

    def __len__(self) -> int:
        return len(self.table)

    def blank(self, index: int) -> bool:
        return self.table.blank(index)

    def entity(self, index: int) -> Entity:
        """Raises FormatError when there is none, or it is damaged."""
        if isinstance(self.table, EntityTable):
            return self.table.entity(index)
        return Entity.parse(self.table.read(index))

    def name(self, index: int) -> str:
        """Who an entity is by a list of names, or else in a whole game, "" where that is not known."""
        return self._names[index] or people.name_of("lba2" if isinstance(self.table, EntityTable) else "lba1", "entities", index, len(self))

    @cached_property
    def _names(self) -> EntryNames:
        return names_for(self.source, given=self.listed) if isinstance(self.table, Hqr) else EntryNames.none()

    def where(self, index: int) -> str:
        """How an entity is called in messages."""
        if isinstance(self.table, EntityTable):
            return f"{self.source}, entity {index}"
        return f"{self.source}#{index}"

    @property
    def folder(self) -> Path:
        return Path(address.split(self.source)[0]).parent


def beside(path: str | Path) -> Characters | None:
    """Of the FILE3D.HQR in the folder of `path`, else of the RESS.HQR if it has an entity table. Raises FormatError when FILE3D.HQR
    cannot be read."""
    table = find_beside(path, "FILE3D.HQR")
    if table is not None:
        return of_file(str(table))
    resources = find_beside(path, "RESS.HQR")
    if resources is None:
        return None
    try:
        return of_file(str(resources))
    except FormatError:
        return None


def of_file(source: str) -> Characters:
    """Of FILE3D.HQR, RESS.HQR, an entry of it, or a loose entity table. Raises FormatError when it holds no entities."""
    path = address.split(source)[0]
    with reading(path):
        changed = changed_at(Path(path)), changed_at(Path(path).parent)  # a list of names may have come beside it
    return _of_file(source, changed)


@lru_cache(maxsize=4)
def _of_file(source: str, changed: tuple[int, int]) -> Characters:  # noqa: ARG001 - a part of the cache's key
    path, entry = address.split(source)
    data = read_file(path)
    with reading(path):
        if entity_table.recognise(data, len(data)) and not entry:
            return Characters(path, EntityTable.parse(data))
        archive = Hqr.parse(data)
    if not entry:
        known = of_archive(path, archive)
        if known is None:
            raise FormatError(f"holds no entities{_spoiled(path, archive)}", path=path)
        return known
    with reading(source):
        if not entry.isdigit():
            raise FormatError("no entity table has such a name")
        return Characters(source, EntityTable.parse(archive.read(int(entry))))


def _spoiled(path: str, archive: Hqr) -> str:
    """What is wrong with the entity table of a RESS.HQR, where there is something in its entry."""
    if Path(path).name.lower() != "ress.hqr" or len(archive) <= TABLE_ENTRY or archive.blank(TABLE_ENTRY):
        return ""
    try:
        EntityTable.parse(archive.read(TABLE_ENTRY))
    except FormatError as error:
        return f": entry {TABLE_ENTRY} is no list of characters: {error}"
    return ""


def of_archive(path: str, archive: Hqr) -> Characters | None:
    """Of an archive that was opened already; None when it holds no entities."""
    if holds_entities(archive):
        return Characters(path, archive)
    if len(archive) <= TABLE_ENTRY or archive.blank(TABLE_ENTRY):
        return None
    try:
        data = archive.read(TABLE_ENTRY)
        is_table = entity_table.recognise(data, len(data))
        return Characters(f"{path}#{TABLE_ENTRY}", EntityTable.parse(data)) if is_table else None
    except FormatError:
        return None


def holds_entities(archive: Hqr) -> bool:
    """Whether the first entry with something in it is an entity."""
    for index in range(len(archive)):
        if archive.blank(index):
            continue
        try:
            data = archive.read(index)
        except FormatError:
            return False
        if data != file3d.EMPTY:
            return file3d.recognise(data, len(data))
    return False
