"""Writing an entry into an archive: everything else stays as it is."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.archive.hqr_table import recognise
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import BlankError, FormatError
from support.lba import lba1_chain as chain

from ..strategies import hqr_bytes, record


def again(archive: Hqr) -> Hqr:
    """Through the bytes, so that the table counts."""
    return Hqr.parse(archive.pack())


def contents(archive: Hqr) -> list[bytes | None]:
    """Of every entry, None of a blank one."""
    return [None if archive.blank(index) else archive.read(index) for index in range(len(archive))]


@pytest.mark.parametrize("method", [0, 1, 2])
def test_a_replaced_entry_and_untouched_neighbours(method: int) -> None:
    data = b"new " * 30
    changed = again(Hqr.parse(chain.HQR).with_entry(1, data, method))
    for index, (start, end) in {0: (0x14, 0x188), 3: (0x1F5, 0x2A7)}.items():
        at = changed.offset(index)
        assert changed.pack()[at : at + end - start] == chain.HQR[start:end]
    assert changed.read(1) == data
    assert changed.entry(1).method == method
    assert changed.blank(2)
    assert len(changed) == 4


def test_the_old_archive_is_not_changed() -> None:
    archive = Hqr.parse(chain.HQR)
    archive.with_entry(0, b"x").with_entry(4, b"y").with_entry(2, b"z")
    assert archive.pack() == chain.HQR


def test_a_blank_entry_is_filled() -> None:
    changed = again(Hqr.parse(chain.HQR).with_entry(2, b"filled"))
    assert [changed.read(index) for index in range(4)] == [chain.LM1, chain.ANM, b"filled", chain.LM1]
    assert changed.offset(1) < changed.offset(2) < changed.offset(3)


def test_a_new_entry_at_the_end() -> None:
    changed = again(Hqr.parse(chain.HQR).with_entry(4, chain.ANM))
    assert len(changed) == 5
    assert [changed.read(index) for index in (0, 1, 3, 4)] == [chain.LM1, chain.ANM, chain.LM1, chain.ANM]
    assert changed.closed


@pytest.mark.parametrize("index", [-1, 5])
def test_no_holes(index: int) -> None:
    with pytest.raises(FormatError, match=f"entry {index} cannot be written"):
        Hqr.parse(chain.HQR).with_entry(index, b"")


def test_an_archive_from_nothing() -> None:
    archive = Hqr.empty().with_entry(0, b"first").with_entry(1, b"second")
    assert archive.pack() == hqr_bytes([record(b"first"), record(b"second")], [0, 1])


@pytest.mark.parametrize("index", [0, 1, 3])
def test_a_shared_slot_gets_a_blob_of_its_own(index: int) -> None:
    blobs = [record(b"one"), record(b"two") + b"hidden", record(b"three")]
    slots = [0, 1, 0, 1, 2]
    changed = again(Hqr.parse(hqr_bytes(blobs, slots)).with_entry(index, b"mine"))
    expected = [b"one", b"two", b"one", b"two", b"three"]
    expected[index] = b"mine"
    assert [changed.read(slot) for slot in range(5)] == expected
    assert changed.shared(index) == []
    assert len(changed.pack()) == len(hqr_bytes(blobs, slots)) + len(record(b"mine"))


def test_hidden_records_stay_with_a_replaced_entry() -> None:
    changed = again(Hqr.parse(hqr_bytes([record(b"one") + b"hidden records", record(b"two")], [0, 1])).with_entry(0, b"longer"))
    assert changed.read(0) == b"longer"
    assert changed.hidden(0) == b"hidden records"
    assert changed.read(1) == b"two"


def test_an_entry_is_stored_plain_where_packing_does_not_help() -> None:
    entry = Hqr.empty().with_entry(0, bytes(range(200)), 1).entry(0)
    assert (entry.real_size, entry.packed_size, entry.method) == (200, 200, 0)


@given(data=st.data())
def test_any_sequence_of_edits(data: st.DataObject) -> None:
    contents = data.draw(st.lists(st.none() | st.binary(min_size=1, max_size=30), min_size=1, max_size=5).filter(any))
    kept = [content for content in contents if content is not None]
    numbers = iter(range(len(kept)))
    slots = [None if content is None else next(numbers) for content in contents]
    archive = Hqr.parse(hqr_bytes([record(content) for content in kept], slots))
    for _ in range(data.draw(st.integers(1, 5))):
        index = data.draw(st.integers(0, len(contents)))
        content = data.draw(st.binary(max_size=60))
        archive = again(archive.with_entry(index, content, data.draw(st.sampled_from([0, 1, 2]))))
        contents[index : index + 1] = [content]
        assert [None if archive.blank(slot) else archive.read(slot) for slot in range(len(archive))] == contents


ABC = [record(b"first"), record(b"second"), record(b"third")]


def test_a_blanked_entry_is_gone_and_no_other() -> None:
    archive = Hqr.parse(hqr_bytes(ABC, [0, 1, None, 1, 2]))
    assert archive.blanked(0).pack() == hqr_bytes(ABC[1:], [None, 0, None, 0, 1])
    assert archive.blanked(1).pack() == hqr_bytes(ABC, [0, None, None, 1, 2])  # the other slot still shows it
    assert archive.blanked(1).blanked(3).pack() == hqr_bytes([ABC[0], ABC[2]], [0, None, None, None, 1])
    assert archive.blanked(4).pack() == hqr_bytes(ABC[:2], [0, 1, None, 1, None])
    with pytest.raises(BlankError):
        archive.blanked(0).read(0)
    for index in (-1, 5):
        with pytest.raises(FormatError, match=f"no entry {index}; the archive has 5"):
            archive.blanked(index)


@pytest.mark.parametrize("index", range(5))
def test_a_restored_entry_is_as_before(index: int) -> None:
    """Replaced or blanked and restored, the archive has the bytes that it had; what was changed beside it stays changed."""
    data = hqr_bytes(ABC, [0, 1, None, 1, 2])
    archive = Hqr.parse(data)
    for changed in (archive.with_entry(index, b"something else"), archive.blanked(index)):
        assert changed.restored(index, archive).pack() == data
    other = (index + 1) % 5
    both = archive.with_entry(index, b"one").with_entry(other, b"other").restored(index, archive)
    assert both.read(other) == b"other"
    assert contents(both) == contents(archive.with_entry(other, b"other"))


def test_what_is_restored_shares_again_what_is_unchanged_alone() -> None:
    archive = Hqr.parse(hqr_bytes(ABC, [0, 1, None, 1, 2]))
    changed = archive.with_entry(1, b"one").with_entry(3, b"three")
    back = changed.restored(1, archive)
    assert (back.read(1), back.read(3)) == (b"second", b"three") and back.shared(1) == []
    assert back.restored(3, archive).pack() == archive.pack()


def test_what_is_restored_shares_nothing_with_slots_that_are_blank_or_gone() -> None:
    """Slots 0, 2 and 4 showed one blob, and 3 an equal one of its own, which is the last; 4 is gone."""
    before = Hqr.parse(hqr_bytes([ABC[0], ABC[1], ABC[0]], [0, 1, 0, 2, 0]))
    changed = Hqr.parse(hqr_bytes([ABC[1], ABC[0]], [None, 0, None, 1]))
    back = changed.restored(0, before)
    assert contents(again(back)) == [b"first", b"second", None, b"first"]
    assert (back.shared(0), back.shared(3)) == ([], [])


@pytest.mark.parametrize("index", [0, 1, 2])
def test_a_value_that_leads_nowhere_is_restored_as_any_other(index: int) -> None:
    """Slot 1 leads behind the end of the file; it stays, too, where another one is restored."""
    data = bytearray(hqr_bytes([ABC[0], ABC[1]], [0, None, 1]))
    data[4:8] = struct.pack("<I", 5000)
    archive = Hqr.parse(bytes(data))
    assert archive.with_entry(index, b"other").restored(index, archive).pack() == data


def test_an_entry_that_the_backup_does_not_have_is_not_restored() -> None:
    """What was added is nowhere else, and stays; what was blank is so again."""
    archive = Hqr.parse(hqr_bytes(ABC, [0, 1, 2, None]))
    longer = archive.with_entry(3, b"filled").with_entry(4, b"new")
    assert longer.restored(3, archive).pack() == archive.with_entry(4, b"new").pack()
    with pytest.raises(FormatError, match="the backup has no entry 4, which was added since"):
        longer.restored(4, archive)
    with pytest.raises(FormatError, match="no entry 5 to restore; the archive has 5"):
        longer.restored(5, archive)


def test_a_replaced_entry_keeps_its_compression() -> None:
    """One without any has what most of the others have; one that the first game cannot read is reported where no other is so."""
    data = b"again and again " * 9
    archive = Hqr.empty().with_entry(0, data, 1).with_entry(1, data, 1).with_entry(2, data, 0).with_entry(3, data, 1).blanked(3)
    methods = [archive.replaced(index, data + b"!").entry(index).method for index in range(5 - 1)]
    assert methods == [1, 1, 0, 1] and archive.replaced(4, data).entry(4).method == 1
    assert archive.replaced(0, data, 0).entry(0).method == 0
    with log.collect() as said:
        assert archive.replaced(0, data, 2).entry(0).method == 2
    assert "LZMIT" in said.messages[0].text
    with log.collect() as said:
        archive.with_entry(1, data, 2).replaced(0, data, 2)
        archive.replaced(0, data, 1)
    assert said.messages == []


def test_the_first_blob_is_shared_again_too() -> None:
    archive = Hqr.parse(hqr_bytes(ABC, [0, 0, 1, 2]))
    back = archive.with_entry(1, b"one").restored(1, archive)
    assert back.shared(1) == [0] and back.pack() == archive.pack()


@given(st.permutations(range(4)), st.booleans(), st.binary(max_size=7), st.integers(0, 4))
def test_entries_in_another_order_than_the_slots(order: list[int], closed: bool, padding: bytes, index: int) -> None:
    """As tools leave them that put what they have changed behind the others: the table ends at the smallest offset, not at the first."""
    held = [bytes([40 + number]) * (9 + number) for number in range(4)]
    count = 4 + closed
    data, offsets = bytearray(4 * count), [0] * 4
    for number in order:
        offsets[number] = len(data)
        data += struct.pack("<IIH", len(held[number]), len(held[number]), 0) + held[number] + padding
    struct.pack_into(f"<{count}I", data, 0, *offsets, *([len(data)] if closed else []))
    archive = Hqr.parse(bytes(data))
    assert recognise(bytes(data), len(data))
    assert [archive.read(number) for number in range(len(archive))] == held and archive.pack() == data
    changed = again(archive.with_entry(index, b"new"))
    assert [changed.read(number) for number in range(len(changed))] == [*held[:index], b"new", *held[index + 1 :]]
