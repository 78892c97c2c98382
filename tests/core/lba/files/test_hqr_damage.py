"""Archives that are cut off, or lie."""

from __future__ import annotations

import struct
import tracemalloc

import pytest
from retro_anim.core.files.address import select
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.reporting import log
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


def three(cut: int) -> bytes:
    """A table (0x10, 0x4C, 0x92, and 0xE2, where the entries end), entries of 50, 60 and 70 bytes; without the last `cut` bytes."""
    data = hqr_bytes([record(b"a" * 50), record(b"b" * 60), record(b"c" * 70)], [0, 1, 2])
    return data[: len(data) - cut]


@pytest.mark.parametrize("cut", [1, 30, 79, 100, 148])
def test_the_end_of_an_archive_that_is_cut_off_is_no_entry(cut: int) -> None:
    with log.collect() as said:
        archive = Hqr.parse(three(cut))
    assert said.digest("WARNING") == [
        f"it is cut off: its entries end at 0xE2, or its last one starts there, and {0xE2 - cut} bytes are there"
    ]
    assert (len(archive), archive.closed, archive.pack()) == (3, True, three(cut))


def test_behind_a_cut_off_entry_a_new_one_is_whole() -> None:
    """The one before stays cut off, which is said; the table ends where the file does, and what is put in its place makes all whole."""
    with log.collect() as said:
        longer = Hqr.parse(three(30)).replaced(3, b"new", 0)
    assert said.digest("WARNING")[-1] == "entry 2 claims 70 bytes, 40 are there: it was cut off before, and stays so"
    data = longer.pack()
    assert struct.unpack_from("<5I", data) == (0x14, 0x50, 0x96, 0xC8, len(data))
    with log.collect() as said:
        again = Hqr.parse(data)
        assert [again.read(index) for index in (0, 1, 3)] == [b"a" * 50, b"b" * 60, b"new"]
        whole = Hqr.parse(three(30)).replaced(2, b"c" * 70, 0).pack()
    assert whole == three(0)
    with pytest.raises(FormatError, match="entry 2 claims 70 bytes, 40 are there"):
        again.read(2)


def test_what_is_written_never_shows_in_an_entry_that_was_outside() -> None:
    """Of the last entry nothing is there. A short one more ends before where that was, a longer one would be a part of it."""
    archive = Hqr.parse(three(0x66))  # 0x7C bytes
    short = Hqr.parse(archive.replaced(3, b"new", 0).pack())
    assert (short.read(3), short.odd) == (b"new", {2: 0x92})
    problem = (
        r"^entry 2 lies outside the file, and would show what is written: make it blank first \(archive blank FILE 2\), or take a whole"
    )
    for index, data in ((3, b"a new one"), (0, b"a" * 80)):
        with pytest.raises(FormatError, match=problem):
            archive.replaced(index, data, 0)
    assert archive.blanked(2).replaced(3, b"a new one", 0).read(3) == b"a new one"


def test_all_entries_outside_are_named_at_once_as_they_are_made_blank() -> None:
    """Forty entries of 20 bytes; the file ends in the second, so that 2 to 39 lie outside; one of them, 5, is blank."""
    slots = [slot if slot != 5 else None for slot in range(40)]
    data = hqr_bytes([record(bytes([65 + slot]) * 20) for slot in range(40)], slots)[: 4 * 41 + 30 + 25]
    problem = (
        r"^entries 2-4,6-39 lie outside the file, and would show what is written: make them blank first \(archive blank FILE 2-4,6-39\)"
    )
    with pytest.raises(FormatError, match=problem):
        Hqr.parse(data).replaced(0, b"z" * 40, 0)
    archive = Hqr.parse(data)
    for slot in select("2-4,6-39", len(archive)):
        archive = archive.blanked(slot)
    assert Hqr.parse(archive.replaced(0, b"z" * 40, 0).pack()).read(0) == b"z" * 40


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


@pytest.mark.parametrize("last", [8 + 10 + 200, 0xFFFFFFFF])
def test_a_last_entry_that_is_cut_off_as_a_whole_is_taken_for_the_end(last: int) -> None:
    """Nothing in the file tells the two apart; the warning says both, and the value is kept."""
    data = struct.pack("<2I", 8, last) + record(chain.ANM)[:100]
    with log.collect() as said:
        archive = Hqr.parse(data)
    assert said.digest("WARNING") == [
        f"it is cut off: its entries end at 0x{last:X}, or its last one starts there, and 108 bytes are there"
    ]
    assert (len(archive), archive.closed, archive.pack()) == (1, True, data)
