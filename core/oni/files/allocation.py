"""Room in a table of a file for what was edited: where it was before, else in zeros that nothing uses, else at the table's end."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable
from contextlib import suppress
from typing import Any

import numpy as np

from ...files.binary import Bytes
from ...reporting.errors import FormatError
from ..records.record import PREFIX
from .instance_file import InstanceFile

Span = tuple[int, int]
"""Start and end."""

ALIGN = 32


class Room:
    """data: the table. used: where its parts are, by a key of each. kept: what is used besides."""

    def __init__(self, data: Bytes, used: dict[Any, Span], kept: Iterable[Span] = (), align: int = ALIGN) -> None:
        self.data = bytearray(data)
        self._used, self._kept, self._align = used, list(kept), align

    def put(self, key: Hashable, part: bytes) -> int:
        """Where a part is now, instead of the one of that key, if there was one."""
        old, size = self.drop(key), max(len(part), 1)
        gaps = [(-(-start // self._align) * self._align, end) for start, end in self._gaps()]
        if old is not None:
            gaps[:0] = [(old, end) for start, end in self._gaps() if start <= old < end]
        start = next(start for start, end in gaps if start + size <= end and not any(self.data[start : start + size]))
        self.data += bytes(max(start + len(part) - len(self.data), 0))
        self.data[start : start + len(part)] = part
        self._used[key] = start, start + size
        return start

    def drop(self, key: Hashable) -> int | None:
        """Zeros instead of the part of a key; where they begin, None where others use it, too."""
        start, end = self._used.pop(key, (0, 0))
        if not any(first <= start and end <= last for first, last in self._gaps()) or end == start:
            return None
        self.data[start:end] = bytes(min(end, len(self.data)) - start)
        return start

    def _gaps(self) -> Iterable[Span]:
        """What is not used, if anything between two parts, the last gap without an end, and behind it what is behind the table."""
        last = 0
        for start, end in sorted([*self._used.values(), *self._kept]):
            yield last, start
            last = max(last, end)
        yield last, sys.maxsize
        yield max(last, len(self.data)), sys.maxsize


def of_data(file: InstanceFile, data: Bytes) -> Room:
    """The data table of a file: its records, by their numbers."""
    return Room(data, {index: (start, start + len(file.part(index))) for index, start in _starts(file)})


def of_names(file: InstanceFile) -> Room:
    """The name table of a file, by the numbers of the records; one that is called nothing, not unnamed, uses its zero."""
    starts = {index: int(file.tables.descriptors["name"][index]) for index in np.flatnonzero(~file.tables.unnamed).tolist()}
    used = {index: (start, start + len(file.name(index).encode("latin-1")) + 1) for index, start in starts.items()}
    return Room(file.tables.names, used, align=1)


def of_raw(file: InstanceFile, raw: Bytes) -> Room:
    """The raw table of a file, by the numbers of the records and the offsets of their pointers.

    Whatever may be a pointer in a record of an unknown kind leads to something that ends nobody knows where: at the next block, at most.
    """
    used: dict[Any, Span] = {}
    unknown: set[int] = set()
    for index, _ in _starts(file):
        part = file.part(index)
        try:
            blocks = file.record(index).blocks
        except FormatError:
            numbers = np.frombuffer(part, "<u4", len(part) // 4)
            unknown.update(int(number) for number in numbers[(numbers >= ALIGN) & (numbers < len(raw))])
            continue
        for at, block in blocks.items():
            start = int.from_bytes(part[PREFIX + at : PREFIX + at + 4], "little")
            used[index, at] = start, start + len(block)
    starts = np.unique([*(start for start, _ in used.values()), len(raw)])
    ends = (int(starts[np.searchsorted(starts, number, "right")]) for number in sorted(unknown))
    return Room(raw or bytes(ALIGN), used, [(0, ALIGN), *zip(sorted(unknown), ends, strict=True)])


def _starts(file: InstanceFile) -> Iterable[Span]:
    """Of each record that is in the file, its number and where it is in the data table."""
    for index in range(len(file)):
        if not file.blank(index):
            with suppress(FormatError):
                file.part(index)
                yield index, file.tables.span(index)[0] - int(file.tables.header["data_offset"])
