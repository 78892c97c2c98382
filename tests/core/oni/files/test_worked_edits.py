"""What of a file stays where a record in it is edited: laid out anew where it is one record alone, else as it was but for what changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from retro_anim.core.files.document import same
from retro_anim.core.oni.files.instances import PLACEHOLDER, SHARED, UNNAMED
from retro_anim.core.oni.files.onifile import OniFile, Part, named_only
from retro_anim.core.oni.records.record import Record
from retro_anim.core.oni.records.tram import Tram

HEIGHTS = 4
"""Where a TRAM has the pointer to its heights, counted from behind its prefix."""


def tram(name: str, *heights: float, **fields: Any) -> Tram:
    return replace(Tram.new(name, len(heights), 1), heights=np.array(heights, "<f4"), **fields)


def part_of(record: Record, links: dict[int, int] | None = None, flags: int = 0) -> Part:
    return Part(record.tag, record.name, 0, record.body, record.blocks, links, flags)


def with_data(file: OniFile, at: int, value: int) -> OniFile:
    """With another byte in the data table."""
    data = bytearray(file.data)
    data[at] = value
    return replace(file, data=bytes(data))


def test_a_record_alone_is_laid_out_anew() -> None:
    """It grows from 2 frames to 9, and from no name to one; nothing is left of what it was."""
    old, new = tram("TRAMone", 1, 2), tram("TRAMone", *range(9), frame_count=9)
    file = OniFile.parse(OniFile.of(old.record()).pack())
    assert file.with_record(0, new.record()).pack() == OniFile.of(new.record()).pack()
    assert len(file.with_record(0, new.record()).raw) == 32 + 9 * 4
    unnamed = OniFile.of(replace(old, name="").record())
    assert (unnamed.tables.descriptors["flags"].tolist(), unnamed.tables.names) == ([UNNAMED], b"")
    assert unnamed.with_record(0, new.record()).pack() == OniFile.of(new.record()).pack()
    assert file.with_record(0, old.record()) is file


def test_a_record_alone_that_is_laid_out_otherwise_stays_so() -> None:
    """With another number before it, a byte of its own in the raw data, or bytes between its tables: what is last grows there."""
    old, new = tram("TRAMone", 1, 2), tram("TRAMone", *range(9), frame_count=9)
    plain = OniFile.parse(OniFile.of(old.record()).pack())
    assert [len(gap) for gap in plain.gaps] == [12, 24, 0, 0], "head to 84, names at 96 to 104, data at 128"
    numbered = with_data(plain, 0, 5).with_record(0, new.record())
    assert numbered.bytes_of(0)[:4] == b"\5\0\0\0" and numbered.raw == bytes(32) + new.record().blocks[HEIGHTS]
    raw = bytearray(plain.raw)
    raw[3] = 7
    marked = replace(plain, raw=bytes(raw)).with_record(0, new.record())
    assert marked.raw == bytes(raw[:32]) + new.record().blocks[HEIGHTS]
    between = replace(plain, gaps=(b"between them", *plain.gaps[1:]))
    lower = tram("TRAMone", 3, 4)
    assert OniFile.parse(between.with_record(0, lower.record()).pack()).gaps[0] == b"between them"
    for file in (numbered, marked):
        assert same(Tram.of(OniFile.parse(file.pack()).record(0)), new)


def test_of_several_records_one_is_edited_in_its_place() -> None:
    """As long as it fits all else stays, also what is between the tables; where it does not, the raw data grows."""
    file = OniFile.build([part_of(tram(name, 1, 2).record()) for name in ("TRAMone", "TRAMtwo")])
    file = replace(file, gaps=(*(b"#" * len(gap) for gap in file.gaps[:-1]), b"tail"))
    same_size = file.with_record(1, tram("TRAMtwo", 8, 9).record())
    before, after = file.pack(), same_size.pack()
    assert len(before) == len(after) and after.endswith(b"tail")
    differs = [at for at, (one, two) in enumerate(zip(before, after, strict=True)) if one != two]
    start = int(file.tables.header["raw_offset"]) + 64
    assert set(differs) <= set(range(start, start + 8)) and after[start : start + 8] == np.array([8, 9], "<f4").tobytes()
    grown = file.with_record(0, tram("TRAMone", *range(9), frame_count=9).record())
    assert grown.raw == bytes(64) + np.array([1, 2], "<f4").tobytes() + bytes(24) + np.arange(9, dtype="<f4").tobytes()
    assert grown.pack().endswith(b"tail")


def test_a_file_without_raw_data_has_none_where_a_record_grows() -> None:
    first, second = (Tram.new(name, 2, 1).record() for name in ("TRAMone", "TRAMtwo"))
    file = OniFile.build([part_of(first), part_of(second)])
    longer = file.with_record(1, replace(Tram.of(second), tail=b"!" * 31).record())
    assert (longer.raw, int(longer.tables.header["raw_offset"]), int(longer.tables.header["raw_size"])) == (b"", 0, 0)
    assert Tram.of(OniFile.parse(longer.pack()).record(1)).tail == b"!" * 31


def test_a_record_gets_another_name() -> None:
    """In the room of the old one, or behind all names; what else its flags say stays, but that it has none."""
    parts = [
        part_of(Tram.new("TRAMone", 2, 1).record()),
        part_of(Tram.new("TRAMtwo", 2, 1).record(), flags=SHARED),
        part_of(Tram.new("", 2, 1).record(), flags=UNNAMED | SHARED),
    ]
    file = OniFile.build(parts)
    assert file.tables.names == b"TRAMone\0TRAMtwo\0"
    shorter = file.with_record(0, replace(Tram.of(file.record(0)), name="TRAMx").record())
    longer = file.with_record(1, replace(Tram.of(file.record(1)), name="TRAMlonger").record())
    named = file.with_record(2, replace(Tram.of(file.record(2)), name="TRAMnew").record())
    assert [[each.name(index) for index in range(3)] for each in (shorter, longer, named)] == [
        ["TRAMx", "TRAMtwo", ""], ["TRAMone", "TRAMlonger", ""], ["TRAMone", "TRAMtwo", "TRAMnew"],
    ]  # fmt: skip
    assert shorter.tables.names == b"TRAMx\0\0\0TRAMtwo\0" and named.tables.names == b"TRAMone\0TRAMtwo\0TRAMnew\0"
    assert [each.tables.descriptors["flags"].tolist() for each in (file, longer, named)] == [
        [0, SHARED, UNNAMED | SHARED], [0, SHARED, UNNAMED | SHARED], [0, SHARED, SHARED],
    ]  # fmt: skip


def test_a_record_without_a_name_has_none_where_something_else_is_edited() -> None:
    """And one of two that share the bytes of their name keeps them."""
    file = OniFile.build([part_of(Tram.new(name, 2, 1).record(), flags=0 if name else UNNAMED) for name in ("TRAMone", "", "TRAMone")])
    descriptors = file.tables.descriptors.copy()
    descriptors["name"][2] = 0
    file = replace(file, tables=replace(file.tables, descriptors=descriptors, names=b"TRAMone\0"))
    for index in (1, 2):
        paused = file.with_record(index, replace(Tram.of(file.record(index)), hard_pause=7).record())
        assert (paused.tables.names, paused.tables.descriptors["flags"].tolist()) == (b"TRAMone\0", [0, UNNAMED, 0])
        assert paused.tables.descriptors["name"].tolist() == descriptors["name"].tolist()


def test_a_link_that_is_not_edited_leads_where_it_led() -> None:
    """To the second of two that are called alike; a new one to the first."""
    names = [Part("TRAM", "TRAMelse", flags=PLACEHOLDER)] * 2
    one = Tram.new("TRAMone", 2, 1).record()
    file = OniFile.build([part_of(one, {0x38: 2}), *names])
    old = Tram.of(file.record(0))
    assert old.direct == ("TRAMelse", "")
    paused = file.with_record(0, replace(old, hard_pause=7).record())
    assert paused.bytes_of(0)[0x40:0x48] == (0x201).to_bytes(4, "little") + bytes(4)
    both = file.with_record(0, replace(old, direct=("TRAMelse", "TRAMelse")).record())
    assert both.bytes_of(0)[0x40:0x48] == (0x201).to_bytes(4, "little") + (0x101).to_bytes(4, "little")


def test_what_is_only_named() -> None:
    """A kind and a name, or a kind alone."""
    for name, flags in (("TXMPone", PLACEHOLDER), ("", PLACEHOLDER | UNNAMED)):
        file = OniFile.parse(named_only("TXMP", name))
        assert (len(file), file.tag(0), file.name(0), file.tables.descriptors["flags"].tolist()) == (1, "TXMP", name, [flags])
