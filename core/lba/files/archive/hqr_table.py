"""Where the table of an HQR archive ends, whose length is not stored, and whether a file can be such an archive at all."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....files.binary import Bytes

HEADER = struct.Struct("<IIH")
"""Of an entry: sizes unpacked and in the file, and the method."""

METHODS = ("plain", "LZSS", "LZMIT")

_MOST_LOOKED_AT = 1000
"""Offsets that are looked at for where the table ends."""


def first_offset(values: NDArray[Any], size: int) -> int:
    """Where the first entry in the file starts, 0 if nowhere. values: the file's as far as they are known, the table's and what follows, at
    least one. size: of the file.

    The table, whose length is not stored, ends there: at its first offset, or where tools have left the entries in another order than the
    slots at a smaller one with an entry's header.
    """
    first = int(values[np.argmax(values != 0)])
    table = values[: first // 4]
    smaller = np.flatnonzero((table < first) & (table % 4 == 0) & (table >= 4 * np.arange(1, len(table) + 1)))
    for index in smaller[:_MOST_LOOKED_AT].tolist():
        offset = int(table[index])
        if offset < first and offset + HEADER.size <= size and _can_be_header(values[offset // 4 : offset // 4 + 3]):
            first = offset
    return first


def end_of_entries(table: NDArray[Any], data: Bytes) -> int | None:
    """Where the entries of a file end, which the last value of its table says: at the end of the file, where bytes follow that no entry
    can start with, or, of one that is cut off, behind all that is there and all other offsets. None where it is one more entry's offset.

    The file cannot tell its end from the offset of a last entry that is cut off as a whole, in an archive that does not say where it ends:
    that is taken for the end."""
    end, others = int(table[-1]), table[:-1]
    if len(table) < 2 or end == len(data):
        return end if len(table) > 1 else None
    if end > max(len(data), int(others.max(initial=0))):
        return end
    if not max(int(others[others < len(data)].max(initial=0)), 4 * len(table) - 1) < end < len(data):
        return None
    values = np.frombuffer(bytes(data[end : end + HEADER.size]).ljust(12, b"\0"), "<u4")
    can_be_entry = end + HEADER.size <= len(data) and values[0] > 0 and _can_be_header(values)
    return None if can_be_entry else end


def _can_be_header(values: NDArray[Any]) -> bool:
    """Whether an entry can start with these, as far as they are known: plain data is as long in the file as unpacked."""
    if len(values) < 3:
        return True
    real, packed, method = int(values[0]), int(values[1]), int(values[2]) & 0xFFFF
    return method < len(METHODS) and (method > 0 or real == packed)


def recognise(head: bytes, size: int) -> bool:
    """Whether a file of `size` bytes that starts with `head` can be an HQR archive: its table ends where its first entry starts."""
    if size < 8 or len(head) < 8:
        return False
    values = np.frombuffer(head[: len(head) // 4 * 4], "<u4").astype(np.int64)
    first = first_offset(values, size)
    if first < 4 or first % 4 or first > size:
        return False
    table = values[: first // 4]
    return bool(((table == 0) | ((table >= first) & (table <= size))).all())
