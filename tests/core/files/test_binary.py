"""Bytes compared, whatever holds them, and read."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from retro_anim.core.files.binary import Reader, joined, same_bytes
from retro_anim.core.reporting.errors import FormatError


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 64, 1003])
def test_bytes_are_the_same_whatever_holds_them(size: int) -> None:
    data = np.random.default_rng(size).integers(0, 256, size, np.uint8)
    kinds = (data, data.tobytes(), bytearray(data), memoryview(b"x" + data.tobytes())[1:])
    assert all(same_bytes(one, other) for one in kinds for other in kinds[1:])
    assert not same_bytes(data, data.tobytes() + b"\0")
    for at in range(size):
        other = data.copy()
        other[at] ^= 0x80
        assert not same_bytes(other, data.tobytes())


def test_a_view_is_the_same_as_itself_alone() -> None:
    data = bytes(range(64))
    view = memoryview(data)
    assert same_bytes(view, view)
    assert same_bytes(np.frombuffer(data, "<f4"), data)
    assert not same_bytes(view[:32], view)
    assert not same_bytes(view[:32], view[32:])


def test_values_are_read_one_after_the_other_the_lowest_byte_first() -> None:
    reader = Reader(bytes([9, 0xFE, 0x34, 0x12, 0xFE, 0xFF, 0x78, 0x56, 0x34, 0x92, 1, 0, 2, 0x80, 5, 6]), 1)
    assert (reader.u8(""), reader.u16(""), reader.s16(""), reader.u32("")) == (0xFE, 0x1234, -2, 0x92345678)
    assert reader.left == 6 and reader.array("<i2", 2, "").tolist() == [1, -32766]
    assert (reader.offset, reader.raw(0, "").tobytes(), reader.rest(), reader.left) == (14, b"", b"\5\6", 0)
    assert reader.rest() == b"" and reader.array("<i2", 0, "").tolist() == []
    assert Reader(b"\1\2").rest() == b"\1\2", "from the first byte on"


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (lambda reader: reader.raw(4, "a box"), "a box: 4 bytes expected, 3 left"),
        (lambda reader: reader.raw(-1, "a box"), "a box: -1 bytes expected, 3 left"),
        (lambda reader: reader.u32("a box"), "a box: 4 bytes expected, 3 left"),
        (lambda reader: reader.array("<i2", 2, "bones"), "bones: 2 items of 2 bytes expected, 3 bytes left"),
        (lambda reader: reader.array("<i2", -1, "bones"), "bones: -2 bytes expected, 3 left"),
        (lambda reader: reader.array("V1000", 1 << 60, "bones"), "bones: .* expected, 3 bytes left"),
    ],
)
def test_what_is_not_there_is_said_and_where(read: Callable[[Reader], object], said: str) -> None:
    reader = Reader(bytes(8), 5)
    with pytest.raises(FormatError, match=said) as caught:
        read(reader)
    assert (caught.value.offset, reader.offset) == (5, 5)
    assert reader.rest() == bytes(3)


def test_a_start_behind_the_end_leaves_nothing() -> None:
    with pytest.raises(FormatError, match="a box: 1 bytes expected, 0 left"):
        Reader(bytes(4), 7).u8("a box")


def test_parts_are_joined_whatever_they_are() -> None:
    rows = np.arange(6, dtype="<i2").reshape(2, 3)
    assert joined([b"a", rows[:, ::2], bytearray(b"b"), rows[:0]]) == b"a" + bytes([0, 0, 2, 0, 3, 0, 5, 0]) + b"b"
