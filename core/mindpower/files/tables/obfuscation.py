"""Tables of the client (.bin): a record size, then records; in newer clients a key is added to their bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ....files.binary import Bytes, Reader
from ....reporting import log
from ....reporting.errors import ExportError, FormatError
from ....reporting.labels import counted

Obfuscation = Literal["none", "record", "file"]
"""Where the key starts again: nowhere, for it is not used; at each record; only at the first one. Files of both kinds are about."""

KEY = np.array([152, 157, 159, 104, 224, 102, 171, 112, 233, 209, 224, 224, 203, 221, 209, 203, 213, 207], "u1")
"""Added to the bytes, modulo 256 (known by pko-tools)."""

HEAD = np.dtype([("exists", "<u4"), ("id", "<u4"), ("name", "u1", 72)])
"""How the records of all tables start: the engine's head of table rows. Names have garbage behind their NUL."""

INDEX = np.dtype(
    [("last_use", "<u4"), ("enabled", "<u4"), ("loaded", "<u4"), ("packed", "<u4", 2), ("number", "<u4"), ("load_count", "<u4")]
)
"""The rest of it, before what is the table's own (the engine's CRawDataInfo): the game looks a row up by `number`, the `id` again."""

MOST_ROWS = 1 << 16
"""Numbers of rows are below it."""

_LARGEST = 1 << 16
"""Bytes of a record are fewer."""


def parsed(data: Bytes, least: int, record_dtype: Callable[[int], np.dtype[Any]]) -> tuple[NDArray[Any], Obfuscation, bytes]:
    """The records of a whole file, how the key was used, and the bytes after the last whole record.

    least: bytes of a record that are known. record_dtype: that of a record of so many bytes.
    Raises FormatError for records that are too small."""
    reader = Reader(data)
    size = reader.u32("record size")
    if not least <= size < _LARGEST:
        raise FormatError(f"records of {size} bytes, at least {least} are needed", 0)
    plain, mode = revealed(reader.raw(reader.left // size * size, "records"), size)
    rest = reader.rest()
    if rest:
        log.warning(f"{counted(len(rest), 'byte')} after the last record; kept")
    return np.frombuffer(plain, record_dtype(size)), mode, rest


@dataclass(frozen=True, eq=False)
class Table:
    """What all tables have. records: array of the table's own records. obfuscation: how the file hides them. rest: bytes after the last
    whole record, as they are."""

    records: NDArray[Any]
    obfuscation: Obfuscation = "none"
    rest: bytes = b""

    def pack(self) -> bytes:
        """The inverse of `parsed`."""
        size = self.records.dtype.itemsize
        return np.array([size], "<u4").tobytes() + hidden(self.records.tobytes(), size, self.obfuscation) + self.rest


def revealed(raw: Bytes, size: int) -> tuple[bytes, Obfuscation]:
    """Whole records of `size` bytes without the key, and how it was used: so that the most names are text."""
    values = np.frombuffer(raw, "u1")
    variants = {mode: (values - _key(len(values), size, mode)).tobytes() for mode in get_args(Obfuscation)}
    mode = max(variants, key=lambda mode: _named(variants[mode], size))
    return variants[mode], mode


def hidden(plain: Bytes, size: int, mode: Obfuscation) -> bytes:
    """The inverse of `revealed`."""
    values = np.frombuffer(plain, "u1")
    return (values + _key(len(values), size, mode)).tobytes()


def inserted(records: NDArray[Any], like: int, number: int, name: NDArray[np.uint8]) -> tuple[NDArray[Any], int]:
    """The records of a table and a copy of the record at index `like` among them, with another number and name, and its index: before the
    first with a larger number, as the game's own writer puts them. name: (72,). Raises ExportError where the number is taken."""
    used = records["exists"] == 1
    if number in records["id"][used]:
        raise ExportError(f"number {number} is taken")
    larger = np.flatnonzero(used & (records["id"] > number))
    index = int(larger[0]) if len(larger) else len(records)
    record = records[like : like + 1].copy()
    record["exists"], record["id"], record["number"], record["name"] = 1, number, number, name
    record["last_use"], record["load_count"] = 0, 0
    return np.concatenate([records[:index], record, records[index:]]), index


def looks_like_rows(head: bytes, least: int) -> bool:
    """Whether a file starts with a table: a size of at least `least` bytes, then records, the first of which has a number and a name."""
    size = int.from_bytes(head[:4], "little")
    first = head[4 : 4 + HEAD.itemsize]
    return least <= size < _LARGEST and len(first) == HEAD.itemsize and _named(revealed(first, HEAD.itemsize)[0], HEAD.itemsize) > 0


def _key(count: int, size: int, mode: Obfuscation) -> NDArray[np.uint8]:
    """(count,) what is added to each byte of records of `size` bytes."""
    if mode == "none":
        return np.zeros(count, "u1")
    index = np.arange(count)
    return KEY[(index % size if mode == "record" else index) % len(KEY)]


def _named(plain: bytes, size: int) -> int:
    """How many records have a number, and a name of printable bytes."""
    rows = np.frombuffer(plain, "u1").reshape(-1, size)[:, : HEAD.itemsize].copy().view(HEAD)[:, 0]
    name: NDArray[np.uint8] = rows["name"]
    inside = np.logical_and.accumulate(name != 0, axis=1)
    strange = inside & ((name < 0x20) | (name == 0x7F))
    return int(((rows["exists"] == 1) & (rows["id"] < MOST_ROWS) & inside[:, 0] & ~strange.any(axis=1)).sum())
