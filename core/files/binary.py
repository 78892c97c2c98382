"""A bounds-checked reader over a block of bytes.

Every read says what it wanted when the bytes are not there, so that a format's parser states its layout and nothing else.
Counts are checked against what is left before anything is allocated.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ..reporting.errors import FormatError

Bytes = bytes | bytearray | memoryview


def joined(parts: Iterable[Bytes | NDArray[Any]]) -> bytes:
    """Bytes and arrays one after the other, each copied once."""
    return b"".join(map(_flat, parts))


def same_bytes(one: Bytes | NDArray[Any], other: Bytes) -> bool:
    """Whether both are the same bytes. Of what is a view on the very same memory none are read."""
    first, second = (np.frombuffer(_flat(each), "u1") for each in (one, other))
    if len(first) != len(second):
        return False
    if first.__array_interface__["data"] == second.__array_interface__["data"]:
        return True
    whole = len(first) // 8 * 8
    same = first[:whole].view("<u8") == second[:whole].view("<u8")  # == of views in Python takes one byte after the other
    return bool(same.all()) and bytes(first[whole:]) == bytes(second[whole:])


def _flat(part: Bytes | NDArray[Any]) -> Bytes:
    return np.ascontiguousarray(part).reshape(-1).view("u1").data if isinstance(part, np.ndarray) else part


class Reader:
    """Reads little-endian values from `data`, from `start` on; offsets in errors count from the block's first byte."""

    def __init__(self, data: Bytes, start: int = 0) -> None:
        self.data = memoryview(data).cast("B")
        self.offset = start

    @property
    def left(self) -> int:
        return len(self.data) - self.offset

    def raw(self, size: int, what: str) -> memoryview:
        """The next `size` bytes, as a view."""
        if size < 0 or size > self.left:
            raise FormatError(f"{what}: {size} bytes expected, {max(self.left, 0)} left", self.offset)
        start = self.offset
        self.offset += size
        return self.data[start : self.offset]

    def u8(self, what: str) -> int:
        return self.raw(1, what)[0]

    def u16(self, what: str) -> int:
        return int.from_bytes(self.raw(2, what), "little")

    def s16(self, what: str) -> int:
        return int.from_bytes(self.raw(2, what), "little", signed=True)

    def u32(self, what: str) -> int:
        return int.from_bytes(self.raw(4, what), "little")

    def array(self, dtype: DTypeLike, count: int, what: str) -> NDArray[Any]:
        """`count` items as a read-only array that is a view on the bytes."""
        kind = np.dtype(dtype)
        size = kind.itemsize * count
        if size > self.left:
            raise FormatError(f"{what}: {count} items of {kind.itemsize} bytes expected, {self.left} bytes left", self.offset)
        return np.frombuffer(self.raw(size, what), kind)

    def rest(self) -> bytes:
        """Everything that is left."""
        return bytes(self.raw(self.left, "the rest"))
