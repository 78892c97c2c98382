"""The .oni files of one instance that is read: the file, with the instance as a document of its own inside."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...files.binary import Bytes
from ...record import numerous
from ...reporting.errors import FormatError
from ..records.body_records import SHAPES, BodyRecord
from ..records.oban import TAG, Oban
from ..records.record import PREFIX, Record
from ..records.trac import Collection
from ..records.tram import Tram
from .onifile import OniFile


@numerous
class TramFile:
    """A .oni whose first instance is a TRAM. file: everything; the record in it is that of `tram` as it was read."""

    file: OniFile
    tram: Tram

    @classmethod
    def parse(cls, data: Bytes) -> TramFile:
        """Raises FormatError as `OniFile.parse` and `Tram.of`."""
        file = OniFile.parse(data)
        return cls(file, Tram.of(_first(file, "TRAM")))

    @classmethod
    def new(cls, tram: Tram) -> TramFile:
        """A file of its own. Raises ExportError for what the format cannot hold."""
        own = replace(tram, level_id=0)
        return cls(OniFile.of(own.record()), own)

    def pack(self) -> bytes:
        """Raises ExportError for what the format cannot hold."""
        return self.file.with_record(0, self.tram.record()).pack()


@dataclass(frozen=True, eq=False)
class ObanFile:
    """A .oni whose first instance is an OBAN. file: everything; the record in it is that of `oban` as it was read."""

    file: OniFile
    oban: Oban

    @classmethod
    def parse(cls, data: Bytes) -> ObanFile:
        """Raises FormatError as `OniFile.parse` and `Oban.of`."""
        file = OniFile.parse(data)
        _check_first(file, TAG)
        part = file.part(0)
        try:
            return cls(file, Oban.parse(file.name(0), int.from_bytes(part[4:PREFIX], "little"), part[PREFIX:]))
        except FormatError as error:
            error.offset = None if error.offset is None else error.offset + file.tables.span(0)[0]
            raise

    @classmethod
    def new(cls, oban: Oban) -> ObanFile:
        """A file of its own. Raises ExportError for what the format cannot hold."""
        own = replace(oban, level_id=0)
        return cls(OniFile.of(own.record()), own)

    def pack(self) -> bytes:
        """Raises ExportError for what the format cannot hold."""
        own = self.oban
        packed = self.file.packed_with(own.level_id, own.parts()) if self.file.name(0) == own.name else None
        return self.file.with_record(0, own.record()).pack() if packed is None else packed


@dataclass(frozen=True, eq=False)
class CollectionFile:
    """A .oni whose first instance is a TRAC."""

    file: OniFile
    collection: Collection

    @classmethod
    def parse(cls, data: Bytes) -> CollectionFile:
        """Raises FormatError as `OniFile.parse` and `Collection.of`."""
        file = OniFile.parse(data)
        return cls(file, Collection.of(_first(file, "TRAC")))

    def pack(self) -> bytes:
        """Raises ExportError for what the format cannot hold."""
        return self.file.with_record(0, self.collection.record).pack()


@dataclass(frozen=True, eq=False)
class BodyFile:
    """A .oni whose first instance is a piece of a body. records: that piece, and all others in the file, by their number."""

    file: OniFile
    records: dict[int, BodyRecord]

    @classmethod
    def parse(cls, data: Bytes) -> BodyFile:
        """Raises FormatError as `OniFile.parse` and `BodyRecord.parse`, and for a file without instances."""
        file = OniFile.parse(data)
        if not len(file):
            raise FormatError("the file has no instance of its own", 0x40)
        known = [index for index in range(len(file)) if not file.blank(index) and file.tag(index) in SHAPES]
        return cls(file, {index: BodyRecord.parse(file.tag(index), file.bytes_of(index)[PREFIX:]) for index in known})

    def pack(self) -> bytes:
        data = bytearray(self.file.data)
        for index, record in self.records.items():
            position, size = self.file.tables.span(index)
            start = position - int(self.file.tables.header["data_offset"])
            data[start + PREFIX : start + size] = record.pack()
        return replace(self.file, data=bytes(data)).pack()


def _first(file: OniFile, tag: str) -> Record:
    _check_first(file, tag)
    return file.record(0)


def _check_first(file: OniFile, tag: str) -> None:
    """Raises FormatError unless the first instance is one of this kind, and in the file."""
    if not len(file) or file.blank(0):
        raise FormatError("the file has no instance of its own", 0x40)
    if file.tag(0) != tag:
        raise FormatError(f"a {file.tag(0)} and not a {tag}", 0x40)
