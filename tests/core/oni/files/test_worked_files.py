"""Instance files by hand: how far tables may reach, what lies over what, names and links at their bounds, blocks that two records share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.oni.files.instances import HEADER, PLACEHOLDER, UNNAMED, VR31, VR32, VR33, tag_text, version_of
from retro_anim.core.oni.files.level import Level
from retro_anim.core.oni.files.onifile import OniFile, Part
from retro_anim.core.oni.records.record import Record
from retro_anim.core.oni.records.rotations import Rotations
from retro_anim.core.oni.records.trac import Collection
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.reporting.errors import ExportError, FormatError

from .test_levels import level_of


def with_header(file: OniFile, **numbers: int) -> bytes:
    """The file's bytes with other numbers in its header."""
    data = bytearray(file.pack())
    header = np.frombuffer(data, HEADER, 1)
    for name, number in numbers.items():
        header[name] = number
    return bytes(data)


def with_descriptors(file: OniFile, **rows: list[int]) -> OniFile:
    """The same file with other numbers of its instances."""
    descriptors = file.tables.descriptors.copy()
    for name, numbers in rows.items():
        descriptors[name] = numbers
    return replace(file, tables=replace(file.tables, descriptors=descriptors))


ONE = OniFile.build([Part("ABCD", "ABCDx", body=b"123")])
"""Head and descriptor in 84 bytes, 6 of names at 96, 11 of data at 128; of the data 32 are counted: 139 bytes."""


def test_a_file_is_read_as_the_version_that_it_is() -> None:
    with pytest.raises(FormatError, match="version VR32 instead of VR31") as raised:
        Level.parse(ONE.pack())
    assert raised.value.offset == 8
    with pytest.raises(FormatError, match="version VR31 instead of VR32"):
        OniFile.parse(level_of({"ABCDx": b"123"}))
    heads = [bytes(8) + version.to_bytes(4, "little") + b"@" for version in (VR31, VR32, VR33, VR33 + 1)]
    assert [version_of(head) for head in heads] == [VR31, VR32, VR33, 0] and version_of(b"") == 0


def test_only_the_data_may_end_behind_the_file_and_by_31_bytes_at_most() -> None:
    """The file has 139 bytes: the data at 128 may claim 42, the names at 96 only 43, which would lie over the data."""
    assert OniFile.parse(with_header(ONE, data_size=11 + 31)).bytes_of(0) == ONE.bytes_of(0)
    with pytest.raises(FormatError, match="the data table ends at 0xAB, behind the file") as raised:
        OniFile.parse(with_header(ONE, data_size=11 + 32))
    assert raised.value.offset == 128
    with pytest.raises(FormatError, match="the data table starts inside another one"):
        OniFile.parse(with_header(ONE, name_size=139 - 96))
    for table in ("name", "raw"):
        with pytest.raises(FormatError, match=f"the {table} table ends at 0x8C, behind the file"):
            OniFile.parse(with_header(ONE, **{f"{table}_offset": 139, f"{table}_size": 1}))


def test_what_is_counted_but_not_written_is_nobody_s() -> None:
    """The instance claims 12 bytes of the 32 that are counted, of which the file has 11."""
    longer = OniFile.parse(with_descriptors(ONE, size=[12]).pack())
    with pytest.raises(FormatError, match="instance 0: 12 bytes expected, 11 left") as raised:
        longer.bytes_of(0)
    assert raised.value.offset == 128


def test_each_byte_of_the_data_belongs_to_at_most_16_instances_on_average() -> None:
    """Of 32 bytes, 16 times 32 are as many, 16 times 32 and another 8 too many."""
    parts = [Part("ABCD", f"ABCD{number}", flags=PLACEHOLDER) for number in range(16)]
    file = OniFile.build([Part("ABCD", "ABCDx", body=bytes(24)), *parts])
    just = with_descriptors(file, data=[8] * 17, size=[32] * 16 + [0], flags=[0] * 17)
    assert OniFile.parse(just.pack()).bytes_of(15) == bytes([1] + [0] * 31)
    with pytest.raises(FormatError, match="the instances lie over one another") as raised:
        OniFile.parse(with_descriptors(just, size=[32] * 16 + [8]).pack())
    assert raised.value.offset == 64


def test_an_instance_may_be_nothing_but_its_prefix() -> None:
    empty = OniFile.parse(OniFile.build([Part("ABCD", "ABCDx"), Part("ABCD", "ABCDy", 5)]).pack())
    assert [empty.bytes_of(index) for index in range(2)] == [bytes([1, 0, 0, 0, 0, 0, 0, 0]), bytes([1, 1, 0, 0, 5, 0, 0, 0])]
    assert len(OniFile.parse(OniFile.build([]).pack())) == 0


@pytest.mark.parametrize(
    ("names", "start", "name"), [(b"", 0, ""), (b"\0", 0, ""), (b"a\0", 1, ""), (b"a", 0, "a"), (b"", 1, None), (b"\0", 1, None)]
)
def test_where_a_name_may_begin(names: bytes, start: int, name: str | None) -> None:
    """Inside the table, and at 0 also where there is none; it ends at a zero or with the table."""
    file = OniFile.build([Part("ABCD", flags=UNNAMED)])
    file = with_descriptors(replace(file, tables=replace(file.tables, names=names)), name=[start], flags=[0])
    header = file.tables.header.copy()
    header["name_offset"], header["name_size"] = (96, len(names)) if names else (0, 0)
    header["data_offset"], header["data_size"] = 128, 32
    data = b"".join((header.tobytes(), file.tables.descriptors.tobytes(), bytes(12), names)).ljust(128, b"\0") + bytes(32)
    if name is None:
        with pytest.raises(FormatError, match="the name of instance 0 is outside the name table"):
            OniFile.parse(data)
    else:
        assert OniFile.parse(data).name(0) == name


def test_a_name_has_at_most_63_letters() -> None:
    file = OniFile.build([Part("ABCD", "A" * 63), Part("ABCD", "B" * 63)])
    assert [file.name(index) for index in range(2)] == ["A" * 63, "B" * 63]


def test_a_name_without_an_end_is_not_cut_where_it_is_written() -> None:
    """As in a name table that was spoiled: what is read is no name that a file may have."""
    old = Tram.new("TRAM" + "A" * 59, 2, 1).record()
    file = OniFile.build([Part("TRAM", old.name, body=old.body, blocks=old.blocks)] * 2)
    spoiled = OniFile.parse(replace(file, tables=replace(file.tables, names=file.tables.names.replace(b"\0", b"!"))).pack())
    record = spoiled.record(0)
    with pytest.raises(ExportError, match="A!: 64 characters; at most 63 are possible"):
        OniFile.of(record)
    with pytest.raises(ExportError, match="A!: 64 characters; at most 63 are possible"):
        spoiled.with_record(0, replace(Tram.of(record), hard_pause=7).record())
    assert OniFile.parse(spoiled.pack()).pack() == spoiled.pack()


def test_kinds_are_stored_backwards_without_the_zeros_behind() -> None:
    assert [tag_text(stored) for stored in (b"MART", b"BA", b"")] == ["TRAM", "\0\0AB", "\0\0\0\0"]


@pytest.mark.parametrize(
    ("link", "index"), [(0, None), (0x101, 1), (0x1, 0), (0x201, "a link to instance 2"), (0x102, "a link to instance 1")]
)
def test_a_link_is_the_number_of_an_instance_and_a_mark(link: int, index: int | str | None) -> None:
    tables = OniFile.build([Part("ABCD", "ABCDx"), Part("ABCD", "ABCDy")]).tables
    if isinstance(index, str):
        with pytest.raises(FormatError, match=rf"{index} \(0x{link:08X}\); there are 2") as raised:
            tables.linked(link, 77)
        assert raised.value.offset == 77
    else:
        assert tables.linked(link, 77) == index


def test_where_the_second_instance_is_wrong_its_own_descriptor_is_named() -> None:
    """It stands at 64 + 20; where its data is, 4 bytes further."""
    two = with_descriptors(OniFile.build([Part("ABCD", "ABCDx"), Part("ABCD", "ABCDy")]), size=[8, 99])
    with pytest.raises(FormatError, match="instance 1: 99 bytes at 0x20 are not inside the data table") as raised:
        two.bytes_of(1)
    assert raised.value.offset == 64 + 20 + 4


def test_a_block_that_two_records_share_stays_theirs() -> None:
    """Where another field of one is edited; where the block itself is, the other one keeps what it had."""
    trams = [replace(Tram.new(name, 2, 1), heights=np.array([1, 2], "<f4")) for name in ("TRAMone", "TRAMtwo")]
    file = OniFile.build([Part("TRAM", tram.name, 0, tram.record().body, tram.record().blocks) for tram in trams])
    data = bytearray(file.data)
    starts = [file.tables.span(index)[0] - int(file.tables.header["data_offset"]) for index in range(2)]
    assert data[starts[0] + 12 : starts[0] + 16] == (32).to_bytes(4, "little") and data[starts[1] + 12 : starts[1] + 16] == (64).to_bytes(
        4, "little"
    )
    data[starts[1] + 12 : starts[1] + 16] = (32).to_bytes(4, "little")
    shared = replace(file, data=bytes(data))
    paused = shared.with_record(1, replace(Tram.of(shared.record(1)), hard_pause=7).record())
    assert paused.raw == shared.raw and paused.bytes_of(1)[12:16] == (32).to_bytes(4, "little")
    higher = shared.with_record(1, replace(Tram.of(shared.record(1)), heights=np.array([5, 6], "<f4")).record())
    heights = [Tram.of(higher.record(index)).heights for index in range(2)]
    assert [None if each is None else each.tolist() for each in heights] == [[1, 2], [5, 6]]


def test_tracks_may_share_their_last_and_first_byte() -> None:
    """Two bones of one key of 6 bytes: the second begins with the byte that ends the first."""
    block = bytes([4, 0, 9, 0]) + bytes(range(11))
    rotations = Rotations.parse(block, 2, 1, 6)
    assert rotations.keys.tolist() == [[0x100, 0x302, 0x504], [0x605, 0x807, 0xA09]]
    assert rotations.pack() == block


def test_an_animation_may_be_chosen_as_seldom_as_once() -> None:
    empty = Collection.of(Record("TRAC", "TRACone", 0, bytes(24), {}, {}))
    assert empty.with_animation("TRAMone", 1).weights == (1,)
