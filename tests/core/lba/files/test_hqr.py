"""HQR archives: what is in them, and what changes when an entry is replaced."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.archive.hqr_table import recognise
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from support.lba import lba1_chain as chain

from ..strategies import hqr_bytes, record

GAME_ARCHIVES = pytest.mark.parametrize("name", ["ANIM.HQR", "BODY.HQR", "FILE3D.HQR", "RESS.HQR"])


def test_the_entries_of_an_archive_written_by_hand() -> None:
    archive = Hqr.parse(chain.HQR)
    assert len(archive) == 4
    assert [archive.blank(index) for index in range(4)] == [False, False, True, False]
    assert [archive.offset(index) for index in (0, 1, 3)] == [0x14, 0x188, 0x1F5]
    headers = [(entry.real_size, entry.packed_size, entry.method) for entry in map(archive.entry, (0, 1, 3))]
    assert headers == [(362, 362, 0), (200, 99, 1), (362, 168, 2)]
    assert archive.read(0) == archive.read(3) == chain.LM1
    assert archive.read(1) == chain.ANM
    assert archive.pack() == chain.HQR


def test_a_blank_entry_says_so() -> None:
    with pytest.raises(FormatError, match="entry 2 is blank"):
        Hqr.parse(chain.HQR).read(2)
    assert Hqr.parse(chain.HQR).offset(2) == 0


@pytest.mark.parametrize("index", [-1, 4, 1000])
def test_no_entry_beyond_the_last(index: int) -> None:
    with pytest.raises(FormatError, match=f"no entry {index}"):
        Hqr.parse(chain.HQR).read(index)


def test_a_blank_first_slot() -> None:
    data = hqr_bytes([record(b"two"), record(b"four")], [None, 0, None, 1, None])
    archive = Hqr.parse(data)
    assert len(archive) == 5
    assert (archive.read(1), archive.read(3)) == (b"two", b"four")
    assert archive.pack() == data


def test_the_smallest_archive_is_one_blank_entry() -> None:
    """Its table alone: no offset, and its own 8 bytes."""
    archive = Hqr.parse(struct.pack("<2I", 0, 8))
    assert len(archive) == 1 and archive.blank(0) and archive.closed
    assert archive.pack() == struct.pack("<2I", 0, 8)


def test_a_last_slot_that_is_not_the_size_is_an_entry() -> None:
    data = b"\x08\0\0\0\x15\0\0\0" + record(b"one") + record(b"two!")
    archive = Hqr.parse(data)
    assert (len(archive), archive.closed) == (2, False)
    assert (archive.read(0), archive.read(1)) == (b"one", b"two!")
    assert archive.pack() == data


@pytest.mark.parametrize("order", [(0, 2, 1), (2, 0, 1)])
def test_a_damaged_entry_of_the_last_slot_is_not_the_end_of_those_behind_it(order: tuple[int, ...]) -> None:
    """Its method is unknown, so no entry can start there; but other entries lie behind it in the file."""
    held = [record(b"one"), record(b"two", method=3), record(b"three")]
    starts = [12 + sum(map(len, held[:index])) for index in range(3)]
    archive = Hqr.parse(struct.pack("<3I", *(starts[index] for index in order)) + b"".join(held))
    assert (len(archive), archive.closed, archive.tail) == (3, False, b"")
    assert [archive.read(order.index(index)) for index in (0, 2)] == [b"one", b"three"]
    with pytest.raises(FormatError, match="entry 2 has unknown compression method 3"):
        archive.read(2)


@pytest.mark.parametrize(("method", "entries"), [(0, 1), (1, 2), (2, 2), (3, 1)])
def test_what_no_entry_can_start_with_is_behind_the_end(method: int, entries: int) -> None:
    """A size in the file that is none of plain data, or a method that there is not, is padding behind the only entry; else a second one."""
    first, second = record(b"one"), record(b"four", method=method, packed=3)
    data = struct.pack("<2I", 8, 8 + len(first)) + first + second
    archive = Hqr.parse(data)
    assert (len(archive), archive.closed, archive.tail) == (entries, entries == 1, second if entries == 1 else b"")
    assert archive.read(0) == b"one" and archive.pack() == data


def test_shared_slots_stay_shared() -> None:
    data = hqr_bytes([record(b"one"), record(b"two")], [0, 1, None, 1, 0])
    archive = Hqr.parse(data)
    assert [archive.shared(index) for index in range(5)] == [[4], [3], [], [1], [0]]
    assert [archive.read(index) for index in (0, 1, 3, 4)] == [b"one", b"two", b"two", b"one"]
    assert archive.pack() == data


def test_slots_without_an_entry_show_none_and_share_nothing() -> None:
    """Two blank ones, and one with a value that points behind the end of the file."""
    data = bytearray(hqr_bytes([record(b"one"), record(b"two")], [0, None, 1, None, 0]))
    data[8:12] = struct.pack("<I", 5000)
    archive = Hqr.parse(bytes(data))
    assert [archive.stored(index) for index in range(5)] == [0, -1, -1, -1, 0]
    assert [list(archive.showing(index)) for index in range(5)] == [[0, 4], [], [], [], [0, 4]]
    assert [archive.shared(index) for index in range(5)] == [[4], [], [], [], [0]]
    assert [archive.blank(index) for index in range(5)] == [False, True, False, True, False]
    assert [archive.offset(index) for index in range(5)] == [24, 0, 5000, 0, 24]
    assert archive.odd == {2: 5000} and archive.pack() == data


def test_a_table_of_one_value_has_one_entry() -> None:
    """It cannot say where that ends, too."""
    data = struct.pack("<I", 4) + record(b"one")
    archive = Hqr.parse(data)
    assert (len(archive), archive.closed, archive.read(0), archive.pack()) == (1, False, b"one", data)


def test_entries_do_not_end_within_the_table() -> None:
    data = struct.pack("<2I", 8, 2)
    archive = Hqr.parse(data)
    assert (len(archive), archive.closed, archive.pack()) == (2, False, data)


def test_what_lies_behind_blank_slots_alone_stays() -> None:
    """No slot says where it is of."""
    data = struct.pack("<5I", 0, 0, 8, 0xFF000014, 0xFFFFFF) + b"more"
    archive = Hqr.parse(data)
    assert (len(archive), archive.blank(0), archive.blank(1), archive.pack()) == (2, True, True, data)
    again = Hqr.parse(archive.with_entry(1, b"one", 0).pack())
    assert (len(again), again.blank(0), again.read(1)) == (2, True, b"one")


def test_hidden_records_belong_to_the_entry_before_them() -> None:
    data = hqr_bytes([record(b"one") + record(b"more"), record(b"two")], [0, 1])
    archive = Hqr.parse(data)
    assert archive.read(0) == b"one"
    assert archive.hidden(0) == record(b"more")
    assert archive.hidden(1) == b""
    assert archive.pack() == data


def test_the_method_decides_even_where_both_sizes_are_equal() -> None:
    archive = Hqr.parse(hqr_bytes([record(b"\x03ab\x12\x00", 5, method=1)], [0]))
    assert archive.read(0) == b"ababa"


def test_packed_bytes_that_nobody_needs_are_accepted_with_a_warning() -> None:
    archive = Hqr.parse(hqr_bytes([record(b"\x03ab\x12\x00---", 6, method=1)], [0]))
    with log.collect() as messages:
        assert archive.read(0) == b"ababab"
    assert [message.level for message in messages.messages] == ["WARNING"]
    assert "3 packed bytes" in messages.messages[0].text
    with log.collect() as messages:
        assert Hqr.parse(chain.HQR).read(1) == chain.ANM
    assert not messages.messages, "it needs all of its bytes"


@given(
    blobs=st.lists(st.binary(min_size=1, max_size=40), min_size=1, max_size=6),
    picks=st.lists(st.none() | st.integers(0, 5), min_size=1, max_size=9),
    first_blank=st.booleans(),
)
def test_what_is_read_is_written_as_it_was(blobs: list[bytes], picks: list[int | None], first_blank: bool) -> None:
    slots = [None if pick is None else pick % len(blobs) for pick in picks]
    data = hqr_bytes(blobs, [None, 0, *slots] if first_blank else [0, *slots])
    assert Hqr.parse(data).pack() == data


@given(data=st.binary(max_size=120))
def test_random_bytes_are_refused_or_kept(data: bytes) -> None:
    try:
        archive = Hqr.parse(data)
    except FormatError:
        return
    assert archive.pack() == data
    for index in range(len(archive)):
        try:
            archive.read(index)
        except FormatError:
            continue


@GAME_ARCHIVES
def test_the_games_archives_unpack_to_their_sizes_and_pack_identical(game_data: Path, name: str) -> None:
    data = (game_data / "lba1" / name).read_bytes()
    archive, count = Hqr.parse(data), 0
    with log.collect() as messages:
        for index in range(len(archive)):
            if not archive.blank(index):
                at = int.from_bytes(data[4 * index : 4 * index + 4], "little")
                assert archive.offset(index) == at
                assert len(archive.read(index)) == int.from_bytes(data[at : at + 4], "little")
                count += 1
    assert count > 0
    assert not messages.messages
    assert archive.pack() == data
    assert recognise(data[:4096], len(data))


def test_an_archive_is_recognised_by_its_table() -> None:
    assert recognise(chain.HQR, len(chain.HQR))
    assert recognise(chain.HQR[:16], len(chain.HQR))
    assert not recognise(chain.ANM, len(chain.ANM))
    assert not recognise(chain.LM1, len(chain.LM1))


def test_a_blank_first_slot_before_entries_in_any_order() -> None:
    """The table ends where the smallest offset is reached; what follows it, here a size of 12, is none."""
    blobs = record(b"twelve bytes"), record(b"second")
    first = 16 + len(blobs[0])
    archive = Hqr.parse(struct.pack("<4I", 0, first, 16, first + len(blobs[1])) + b"".join(blobs))
    assert len(archive) == 3 and archive.blank(0)
    assert (archive.read(1), archive.read(2)) == (b"second", b"twelve bytes")
