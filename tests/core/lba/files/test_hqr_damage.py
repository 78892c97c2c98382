"""Archives that are cut off, or lie."""

from __future__ import annotations

import struct
import tracemalloc

import pytest
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.reporting.errors import FormatError
from support.lba import lba1_chain as chain

from ..strategies import hqr_bytes, record


@pytest.mark.parametrize(
    "data",
    [
        b"",
        bytes(7),
        bytes(8),
        bytes(4000),  # no offset at all
        struct.pack("<3I", 10, 12, 12),  # the table would end in the middle of a value
        struct.pack("<3I", 400, 12, 12),  # and beyond the file
        struct.pack("<3I", 0, 13, 0),
        struct.pack("<3I", 0xFFFFFFFC, 0, 0),
    ],
)
def test_not_an_archive(data: bytes) -> None:
    with pytest.raises(FormatError, match="not an HQR archive") as caught:
        Hqr.parse(data)
    assert caught.value.offset == 0


def test_an_unknown_method() -> None:
    archive = Hqr.parse(chain.BAD_METHOD)
    assert len(archive) == 1
    with pytest.raises(FormatError, match="unknown compression method 3") as caught:
        archive.read(0)
    assert caught.value.offset == 16


def test_cut_off_anywhere() -> None:
    """Entries that are still whole can be read; the others, or the archive, are refused."""
    ends = {0: 0x188, 1: 0x1F5, 3: 0x2A7}
    for size in range(len(chain.HQR)):
        try:
            archive = Hqr.parse(chain.HQR[:size])
        except FormatError:
            assert size < 0x14
            continue
        for index, end in ends.items():
            if size >= end:
                assert archive.read(index) == (chain.ANM if index == 1 else chain.LM1)
            else:
                with pytest.raises(FormatError):
                    archive.read(index)


def test_an_offset_outside_spoils_its_own_entry_only() -> None:
    data = bytearray(hqr_bytes([record(b"one"), record(b"two"), record(b"three")], [0, 1, 2]))
    data[4:8] = struct.pack("<I", len(data) + 1)
    archive = Hqr.parse(data)
    assert (archive.read(0), archive.read(2)) == (b"one", b"three")
    assert not archive.blank(1) and archive.offset(1) == len(data) + 1
    with pytest.raises(FormatError, match="entry 1 lies outside the file") as caught:
        archive.read(1)
    assert caught.value.offset == 4
    assert archive.pack() == data


def test_an_offset_inside_the_table_is_outside_too() -> None:
    data = bytearray(hqr_bytes([record(b"one"), record(b"two")], [0, 1]))
    data[4:8] = struct.pack("<I", 4)
    with pytest.raises(FormatError, match="entry 1 lies outside"):
        Hqr.parse(data).read(1)


def test_a_cut_header() -> None:
    data = struct.pack("<2I", 8, 17) + bytes(9)
    with pytest.raises(FormatError, match="cut off in its header") as caught:
        Hqr.parse(data).read(0)
    assert caught.value.offset == 8


@pytest.mark.parametrize("method", [0, 1, 2])
@pytest.mark.parametrize(
    ("real", "packed"),
    [(0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 40), (40, 0xFFFFFFFF), (0x7FFFFFFF, 0x7FFFFFFF), (40, 41), (70_000, 40)],
)
def test_sizes_that_are_not_there(real: int, packed: int, method: int) -> None:
    data = hqr_bytes([record(b"two"), record(b"\xff" + bytes(39), real, method, packed)], [0, 1])
    tracemalloc.start()
    try:
        archive = Hqr.parse(data)
        with pytest.raises(FormatError):
            archive.read(1)
        assert tracemalloc.get_traced_memory()[1] < 200_000
    finally:
        tracemalloc.stop()
    assert archive.read(0) == b"two"


def test_a_damaged_stream_names_the_place_in_the_file() -> None:
    data = hqr_bytes([record(b"one"), record(b"\x01a\x10\x00" + bytes(20), 30, 1)], [0, 1])
    with pytest.raises(FormatError, match="entry 1: damaged compressed data") as caught:
        Hqr.parse(data).read(1)
    assert caught.value.offset == 12 + 13 + 10 + 2


@pytest.mark.parametrize("tail", [b"!", b"garbage!!", bytes(2048), b"made by a tool of somebody's, 1998", b"\xff" * 12])
def test_bytes_behind_the_end(tail: bytes) -> None:
    """The game reads slot by slot and never sees them. They are kept, and the last value of the table says where the entries end."""
    whole = Hqr.parse(chain.HQR)
    archive = Hqr.parse(chain.HQR + tail)
    assert len(archive) == len(whole) and archive.pack() == chain.HQR + tail
    assert [archive.blank(index) or archive.read(index) for index in range(len(whole))] == [
        whole.blank(index) or whole.read(index) for index in range(len(whole))
    ]
    longer = archive.with_entry(len(archive), chain.ANM, method=0)
    assert longer.pack() == whole.with_entry(len(whole), chain.ANM, method=0).pack() + tail
    assert Hqr.parse(longer.pack()).read(len(whole)) == chain.ANM


def test_a_last_slot_that_is_an_entry() -> None:
    """Of an archive that does not say where it ends, also where that entry is cut off."""
    entry = record(chain.ANM)
    data = struct.pack("<2I", 8, 8 + len(entry)) + entry + entry
    assert len(Hqr.parse(data)) == 2 and Hqr.parse(data).read(1) == chain.ANM
    with pytest.raises(FormatError, match="claims"):
        Hqr.parse(data[:-1]).read(1)
