"""Files in which one record becomes another, and what takes whose room."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.files.document import same
from retro_anim.core.oni.files.allocation import Room
from retro_anim.core.oni.files.instances import UNNAMED
from retro_anim.core.oni.files.onifile import OniFile, Part
from retro_anim.core.oni.records import tram_layout
from retro_anim.core.oni.records.record import Record
from retro_anim.core.oni.records.trac import Collection
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.reporting.errors import ExportError, FormatError

TWO = [Part("TRAM", name, 0, Tram.new(name, 2, 1).record().body) for name in ("TRAMone", "TRAMtwo")]


def test_what_is_dropped_leaves_zeros_also_right_behind_another() -> None:
    room = Room(b"abcdef", {1: (0, 2), 2: (2, 4)}, align=1)
    assert (room.drop(2), bytes(room.data), room.drop(2)) == (2, b"ab\0\0ef", None)
    assert (room.drop(1), bytes(room.data)) == (0, b"\0\0\0\0ef")


def test_what_two_use_is_not_dropped_with_one_of_them() -> None:
    room = Room(b"abcdef", {1: (0, 4), 2: (3, 6)}, align=1)
    assert (room.drop(1), bytes(room.data)) == (None, b"abcdef")
    assert (Room(b"abcdef", {1: (0, 4)}, [(1, 2)], align=1).drop(1), Room(b"ab", {1: (0, 0)}, align=1).drop(1)) == (None, None)


def test_a_part_that_grows_goes_to_zeros_before_it_rather_than_to_the_end() -> None:
    room = Room(b"\0\0\0\0abcd", {1: (4, 6), 2: (6, 8)}, align=1)
    assert (room.put(1, b"xyz"), bytes(room.data)) == (0, b"xyz\0\0\0cd")


def test_what_has_no_key_is_not_dropped() -> None:
    room = Room(b"abc", {1: (1, 2)}, align=1)
    assert (room.drop(2), bytes(room.data)) == (None, b"abc")


@pytest.mark.parametrize(
    ("size", "align", "start", "data"),
    [
        (2, 1, 2, b"ab!!ef"),
        (3, 1, 6, b"ab\0\0ef!!!"),
        (2, 4, 8, b"ab\0\0ef\0\0!!"),
        (0, 1, 2, b"ab\0\0ef"),
    ],
)
def test_a_new_part_goes_to_zeros_that_are_long_enough_else_to_the_end(size: int, align: int, start: int, data: bytes) -> None:
    """At a multiple of the alignment."""
    room = Room(b"ab\0\0ef", {1: (0, 2), 2: (4, 6)}, align=align)
    assert (room.put(3, b"!" * size), bytes(room.data)) == (start, data)


def test_a_part_that_grows_into_zeros_stays_where_it_is() -> None:
    room = Room(b"ab\0\0ef", {1: (0, 2), 2: (4, 6)}, align=1)
    assert (room.put(1, b"wxyz"), bytes(room.data)) == (0, b"wxyzef")
    assert (room.put(1, b"12345"), bytes(room.data)) == (6, b"\0\0\0\0ef12345")


@pytest.mark.parametrize("change", [{"heights": np.array([8, 9], "<f4")}, {"direct": ("TRAMtwo", "")}])
def test_a_record_that_gets_its_first_block_or_link_is_another_one(change: dict[str, object]) -> None:
    """Its own bytes are the same: pointers and links stand outside of them."""
    file = OniFile.build(TWO)
    new = replace(Tram.of(file.record(0)), **change)
    assert same(Tram.of(file.with_record(0, new.record()).record(0)), new)
    assert file.with_record(0, Tram.of(file.record(0)).record()) is file


def test_a_link_to_another_record_of_the_file_is_its_number() -> None:
    """(1 << 8) | 1 where the first direct animation stands, 0x40 bytes from the prefix on; names that are not there yet follow."""
    file = OniFile.build(TWO)
    record = replace(Tram.of(file.record(0)), direct=("TRAMtwo", "TRAMnew")).record()
    edited = file.with_record(0, record)
    assert edited.bytes_of(0)[0x40:0x48] == (1 << 8 | 1).to_bytes(4, "little") + (2 << 8 | 1).to_bytes(4, "little")
    assert [edited.name(index) for index in range(len(edited))] == ["TRAMone", "TRAMtwo", "TRAMnew"]
    assert (edited.blank(1), edited.blank(2), edited.tag(2)) == (False, True, "TRAM")


def test_an_edited_record_goes_back_into_its_own_file() -> None:
    """Blocks that stay keep their pointers, also where another one goes."""
    own = replace(Tram.new("TRAMone", 2, 1), heights=np.array([1, 2], "<f4"), velocities=np.ones(2, tram_layout.VELOCITY))
    file = OniFile.build([Part("TRAM", "TRAMone", 0, own.record().body, own.record().blocks), TWO[1]])
    without = replace(own, heights=None)
    edited = OniFile.parse(file.with_record(0, without.record()).pack())
    assert same(Tram.of(edited.record(0)), without)
    assert edited.bytes_of(0)[0x10:0x14] == file.bytes_of(0)[0x10:0x14] and bytes(edited.raw)[32:40] == bytes(8)
    assert same(Tram.of(OniFile.parse(edited.with_record(0, own.record()).pack()).record(0)), own)


def test_what_is_behind_the_last_record_is_counted_but_written_only_before_raw_data() -> None:
    """Tables begin at multiples of 32: here the names at 96, the data at 128, the raw data at 160."""
    plain = OniFile.build([Part("ABCD", "ABCDx", 0, b"123")]).pack()
    assert (len(plain), int.from_bytes(plain[0x24:0x28], "little")) == (128 + 8 + 3, 32)
    with_raw = OniFile.build([Part("ABCD", "ABCDx", 0, bytes(4), {0: b"12345"})]).pack()
    assert len(with_raw) == 160 + 32 + 5 and with_raw[-5:] == b"12345"
    assert [int.from_bytes(with_raw[at : at + 4], "little") for at in range(0x20, 0x38, 4)] == [128, 32, 96, 6, 160, 37]
    for data in (plain, with_raw):
        assert OniFile.parse(data).pack() == data


def test_a_record_that_is_in_another_file_is_called_by_its_name() -> None:
    """Its descriptor is the second one, 64 + 20 bytes from the start. One outside of the data table is named by where it is."""
    record = replace(Tram.of(OniFile.build(TWO).record(0)), direct=("TRAMelse", "")).record()
    file = OniFile.of(record)
    with pytest.raises(FormatError, match="TRAMelse is in another file; here is only its name") as raised:
        file.bytes_of(1)
    assert raised.value.offset == 84
    for data, size in ((8, 7), (7, 392), (9, int(file.tables.header["data_size"])), (8, 0)):
        descriptors = file.tables.descriptors.copy()
        descriptors["data"][0], descriptors["size"][0] = data, size
        with pytest.raises(
            FormatError, match=f"instance 0: {size} bytes at 0x{max(data - 8, 0):X} are not inside the data table"
        ) as raised:
            replace(file.tables, descriptors=descriptors).span(0)
        assert raised.value.offset == 68


def test_where_the_name_of_an_unnamed_record_would_be_is_not_looked_at() -> None:
    file = OniFile.build([TWO[0], Part("ABCD", flags=UNNAMED)])
    descriptors = file.tables.descriptors.copy()
    descriptors["name"][1] = 0xFFFF
    data = replace(file, tables=replace(file.tables, descriptors=descriptors)).pack()
    assert [OniFile.parse(data).name(index) for index in range(2)] == ["TRAMone", ""]
    descriptors["flags"][1] = 0
    with pytest.raises(FormatError, match="the name of instance 1 is outside the name table") as raised:
        OniFile.parse(replace(file, tables=replace(file.tables, descriptors=descriptors)).pack())
    assert raised.value.offset == 64 + 20 + 8


def test_bytes_behind_a_collection_stay_as_long_as_it_has_as_many_animations() -> None:
    """Of 100 and 200, one of which is chosen more often then, or a third one comes."""
    body = bytes(22) + struct.pack("<H", 2) + struct.pack("<H6xI", 100, 0) + struct.pack("<H6xI", 200, 0)
    collection = Collection.of(Record("TRAC", "TRACone", 0, body + b"tail", {}, {24 + 8: "TRAMone", 36 + 8: "TRAMtwo"}))
    assert (collection.names, collection.weights, collection.parent) == (("TRAMone", "TRAMtwo"), (100, 200), "")
    assert collection.with_animation("TRAMtwo", 7).record.body == (body + b"tail").replace(struct.pack("<H", 200), struct.pack("<H", 7))
    more = collection.with_animation("TRAMnew", 0x7FFF)
    assert more.record.body == bytes(22) + struct.pack("<H", 3) + body[24:] + struct.pack("<H6xI", 0x7FFF, 0)
    assert more.record.links == {32: "TRAMone", 44: "TRAMtwo", 56: "TRAMnew"} and more.weights == (100, 200, 0x7FFF)
    assert collection.without("TRAMone").record.links == {32: "TRAMtwo"}
    for weight in (0, 0x8000):
        with pytest.raises(ExportError, match=f"a weight of {weight}; 1 to 32767 are possible"):
            collection.with_animation("TRAMtwo", weight)
