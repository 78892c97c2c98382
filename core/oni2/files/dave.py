"""DAVE, the game's archive (RB.DAT): all its folders and files in one, plain or deflated.

Source: Oni2Rebuilt dave_vfs.rs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files import unpacking
from ...files.binary import Bytes, Reader
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

_PIECE = 1 << 18
"""Bytes in which names are looked for at a time."""

ENTRY = np.dtype([("name", "<u4"), ("offset", "<u4"), ("size", "<u4"), ("packed", "<u4")])
"""name: from the start of the names. offset: from the start of the file. size: unpacked. packed: in the file, with the mark in front."""


@dataclass(frozen=True, eq=False)
class Dave:
    """names, data: offsets of the header; of the names, from 0x800, and of the data. lead: bytes between the header and 0x800.
    entries: structured array of ENTRY. rest: everything behind the entries."""

    names: int
    data: int
    lead: bytes
    entries: NDArray[Any]
    rest: memoryview

    @classmethod
    def parse(cls, data: Bytes) -> Dave:
        """Raises FormatError when this is no DAVE archive. Damaged entries do not harm the others: see `read`."""
        reader = Reader(data)
        if bytes(reader.data[:4]) != MAGIC:
            raise FormatError("not a DAVE archive", 0)
        reader.raw(4, "the magic")
        count, names, start = (reader.u32(what) for what in ("entry count", "offset of the names", "offset of the data"))
        lead = bytes(reader.raw(TABLE - reader.offset, "the header"))
        entries = reader.array(ENTRY, count, "the entries")
        archive = cls(names, start, lead, entries, reader.data[reader.offset :])
        if archive._size_of_names() > len(reader.data):
            raise FormatError("the entries' names are longer than the file", TABLE + names)
        return archive

    def pack(self) -> bytes:
        header = MAGIC + np.array([len(self.entries), self.names, self.data], "<u4").tobytes()
        return b"".join((header, self.lead, self.entries.tobytes(), self.rest))

    def __len__(self) -> int:
        return len(self.entries)

    def blank(self, index: int) -> bool:
        """Folders are entries too."""
        return self.name(index).endswith("/")

    def name(self, index: int) -> str:
        """The entry's path, with slashes between folders."""
        start = int(self.entries["name"][index]) + self._names_start
        if start < 0 or start >= len(self.rest):
            return ""
        piece = bytes(self.rest[start : start + LONGEST])
        return piece.split(b"\0")[0].decode("latin-1").replace("\\", "/").lstrip("/")

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
        start = offset - self._rest_start
        where = TABLE + ENTRY.itemsize * index
        if start < 0 or start + stored > len(self.rest):
            raise FormatError(f"entry {index} lies outside the file: {stored} bytes at 0x{offset:X}", where)
        data = self.rest[start : start + stored]
        return bytes(data) if stored == size else _inflate(data, size, index, offset)

    @property
    def _rest_start(self) -> int:
        return TABLE + ENTRY.itemsize * len(self.entries)

    @property
    def _names_start(self) -> int:
        """In `rest`; negative where the names would lie among the entries."""
        return self.names - ENTRY.itemsize * len(self.entries)

    def _size_of_names(self) -> int:
        """How many bytes the entries' names take, 1024 each at the most. Piece by piece, since the names may lie anywhere in what are
        mostly the files' bytes."""
        data = np.frombuffer(self.rest, "u1")
        starts: NDArray[np.int64] = self.entries["name"].astype(np.int64) + self._names_start
        starts = np.sort(starts[(starts >= 0) & (starts < len(data))])
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


def recognise(head: bytes, _size: int) -> bool:
    return head[:4] == MAGIC
