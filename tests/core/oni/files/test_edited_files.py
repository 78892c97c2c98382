"""Files in which one record becomes another: what takes whose room, and which files are looked into."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.files.document import same
from retro_anim.core.oni.files.allocation import Room
from retro_anim.core.oni.files.library import Library
from retro_anim.core.oni.files.onifile import OniFile, Part
from retro_anim.core.oni.records import tram_layout
from retro_anim.core.oni.records.tram import Tram

from .test_levels import level_of

TWO = [Part("TRAM", name, 0, Tram.new(name, 2, 1).record().body) for name in ("TRAMone", "TRAMtwo")]


def test_what_is_dropped_leaves_zeros_also_right_behind_another() -> None:
    room = Room(b"abcdef", {1: (0, 2), 2: (2, 4)}, align=1)
    assert (room.drop(2), bytes(room.data), room.drop(2)) == (2, b"ab\0\0ef", None)
    assert (room.drop(1), bytes(room.data)) == (0, b"\0\0\0\0ef")


def test_what_two_use_is_not_dropped_with_one_of_them() -> None:
    room = Room(b"abcdef", {1: (0, 4), 2: (3, 6)}, align=1)
    assert (room.drop(1), bytes(room.data)) == (None, b"abcdef")
    assert (Room(b"abcdef", {1: (0, 4)}, [(1, 2)], align=1).drop(1), Room(b"ab", {1: (0, 0)}, align=1).drop(1)) == (None, None)


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


def test_whether_any_file_around_has_a_record_of_a_kind(tmp_path: Path) -> None:
    """By the name of a .oni, or in a level."""
    folder = tmp_path / "some"
    folder.mkdir()
    assert Library().has_any("TRAM", str(folder / "a.oni")) is False
    (folder / "tramAny.oni").write_bytes(b"")
    assert Library().has_any("TRAM", str(folder / "a.oni")) is True
    (folder / "level0_Final.dat").write_bytes(level_of({"ONCCone": bytes(8)}))
    assert [Library().has_any(tag, str(folder / "a.oni")) for tag in ("ONCC", "TRBS")] == [True, False]
