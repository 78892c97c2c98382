"""DAVE, the game's archive (RB.DAT): all its folders and files in one, plain or deflated.

Source: Oni2Rebuilt dave_vfs.rs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files import unpacking
from ...files.binary import Bytes, Reader
from ...files.disk.opening import check_size
from ...files.source import Memory, OnDisk, Source
from ...reporting.errors import FormatError

MAGIC = b"DAVE"
TABLE = 0x800
"""Where the entries are, and where the offset of the names counts from."""

PACKED = b"\x1a\xfa\x25\xdd"
"""In front of deflated data."""

LONGEST = 1024
"""Bytes of a name that are looked at."""

LARGEST = (1 << 32) + unpacking.LARGEST
"""Bytes of an archive: all of the game is in one, and an entry begins below 4 GB."""

_MOST = 1 << 22
"""Entries of an archive: far more than there are files on the game's disc."""

_PIECE = 1 << 18
"""Bytes in which names are looked for at a time."""

ENTRY = np.dtype([("name", "<u4"), ("offset", "<u4"), ("size", "<u4"), ("packed", "<u4")])
"""name: from the start of the names. offset: from the start of the file. size: unpacked. packed: in the file, with the mark in front."""


@dataclass(frozen=True, eq=False)
class Dave:
    """names, data: offsets of the header; of the names, from 0x800, and of the data. lead: bytes between the header and 0x800.
    entries: structured array of ENTRY. source: the whole file. rest: everything behind the entries; nothing of a file on disk, of which
    only what is asked for is read."""

    names: int
    data: int
    lead: bytes
    entries: NDArray[Any]
    source: Source
    rest: Bytes = b""

    @classmethod
    def parse(cls, data: Bytes) -> Dave:
        """Raises FormatError when this is no DAVE archive. Damaged entries do not harm the others: see `read`."""
        archive = cls._of(Memory(data))
        return replace(archive, rest=memoryview(data).cast("B")[archive._rest_start :])

    @classmethod
    def open(cls, path: str) -> Dave:
        """The archive at `path`. Raises FormatError as `parse`."""
        source = OnDisk.of(path)
        check_size(source.size, LARGEST, path)
        unpacking.earn(source.size)
        return cls._of(source)

    @classmethod
    def _of(cls, source: Source) -> Dave:
        reader = Reader(source.read(0, min(source.size, TABLE), "the header"))
        if bytes(reader.data[:4]) != MAGIC:
            raise FormatError("not a DAVE archive", 0)
        reader.raw(4, "the magic")
        count, names, start = (reader.u32(what) for what in ("entry count", "offset of the names", "offset of the data"))
        lead = bytes(reader.raw(TABLE - reader.offset, "the header"))
        if count > _MOST:
            raise FormatError(f"{count} entries, at most {_MOST} are read", len(MAGIC))
        entries = np.frombuffer(source.read(TABLE, count * ENTRY.itemsize, "the entries"), ENTRY)
        archive = cls(names, start, lead, entries, source)
        if archive._size_of_names() > source.size:
            raise FormatError("the entries' names are longer than the file", TABLE + names)
        return archive

    def pack(self) -> bytes:
        """The file; of one on disk as far as its entries, as `front`."""
        header = MAGIC + np.array([len(self.entries), self.names, self.data], "<u4").tobytes()
        return b"".join((header, self.lead, self.entries.tobytes(), self.rest))

    @property
    def front(self) -> bytes:
        """The header and the entries out of the file."""
        return bytes(self.source.read(0, self._rest_start, "the entries"))

    def __len__(self) -> int:
        return len(self.entries)

    def blank(self, index: int) -> bool:
        """Folders are entries too."""
        return self.name(index).endswith("/")

    def name(self, index: int) -> str:
        """The entry's path, with slashes between folders."""
        first, table = self._names
        start = int(self.entries["name"][index]) + TABLE + self.names
        if start < self._rest_start:
            return ""
        piece = bytes(table[start - first : start - first + LONGEST])  # of a start behind the end nothing
        return piece.partition(b"\0")[0].decode("latin-1").replace("\\", "/").lstrip("/")

    @cached_property
    def _paths(self) -> dict[str, int]:
        """Path in small letters -> entry, the first of its name."""
        return {self.name(index).lower(): index for index in reversed(range(len(self)))}

    def find(self, path: str) -> int | None:
        """The entry of a path, whatever its letter case; None when there is none."""
        return self._paths.get(path.replace("\\", "/").lower())

    def read(self, index: int) -> bytes:
        """The unpacked bytes. Raises FormatError when the entry lies outside the file, or its data is damaged."""
        if not 0 <= index < len(self):
            raise FormatError(f"there is no entry {index}; the archive has {len(self)}")
        entry = self.entries[index]
        offset, size, packed = int(entry["offset"]), int(entry["size"]), int(entry["packed"])
        stored = packed or size
        if not stored:
            return b""
        where = TABLE + ENTRY.itemsize * index
        if offset < self._rest_start or offset + stored > self.source.size:
            raise FormatError(f"entry {index} lies outside the file: {stored} bytes at 0x{offset:X}", where)
        data = memoryview(self.source.read(offset, stored, f"entry {index}"))
        return bytes(data) if stored == size else _inflate(data, size, index, offset)

    @property
    def _rest_start(self) -> int:
        return TABLE + ENTRY.itemsize * len(self.entries)

    @cached_property
    def _name_starts(self) -> NDArray[np.int64]:
        """(names,) where the entries' names begin in the file, sorted, as far as they are behind the entries."""
        starts: NDArray[np.int64] = self.entries["name"].astype(np.int64) + TABLE + self.names
        return np.sort(starts[(starts >= self._rest_start) & (starts < self.source.size)])

    @cached_property
    def _names(self) -> tuple[int, Bytes]:
        """Where the first name begins in the file, and what stands from there to the end of the last one. Raises FormatError."""
        if not len(self._name_starts):
            return 0, b""
        first, last = int(self._name_starts[0]), int(self._name_starts[-1])
        size = min(last + LONGEST, self.source.size) - first
        if isinstance(self.source, OnDisk) and size > unpacking.LARGEST:
            raise FormatError(f"the entries' names are {size} bytes apart, at most {unpacking.LARGEST} are read", TABLE + self.names)
        return first, self.source.read(first, size, "the names")

    def _size_of_names(self) -> int:
        """How many bytes the entries' names take, 1024 each at the most. Piece by piece, since the names may lie anywhere in what are
        mostly the files' bytes."""
        first, table = self._names
        data, starts = np.frombuffer(table, "u1"), self._name_starts - first
        total = 0
        while len(starts):
            piece = data[starts[0] : starts[0] + _PIECE + LONGEST]
            ends = np.append(np.flatnonzero(piece == 0), len(piece))
            count = int(starts.searchsorted(int(starts[0]) + _PIECE))
            here, starts = starts[:count] - starts[0], starts[count:]
            total += int(np.minimum(ends[np.searchsorted(ends, here)] - here, LONGEST).sum())
        return total


def _inflate(data: memoryview, size: int, index: int, offset: int) -> bytes:
    if bytes(data[:4]) != PACKED:
        raise FormatError(f"entry {index} is packed, but without the mark of packed data", offset)
    unpacking.check_size(size, f"entry {index}", offset)
    try:
        return unpacking.inflate(data[4:], size, raw=True)
    except FormatError as error:
        raise FormatError(f"entry {index}: {error.problem}", offset) from None


def opened(path: str) -> tuple[Dave, bytes]:
    """The archive at `path`, and what it packs to. Raises FormatError."""
    archive = Dave.open(path)
    return archive, archive.front


def recognise(head: bytes, _size: int) -> bool:
    return head[:4] == MAGIC
