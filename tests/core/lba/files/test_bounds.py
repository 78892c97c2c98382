"""The bounds of what a file is recognised by, and of what its parts may refer to: just inside, and just beyond."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from retro_anim.core.lba.files import actions, anm, entity_table, lm1
from retro_anim.core.lba.files.archive import hqr_table
from retro_anim.core.lba.files.entity_table import EntityTable
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.lm2 import Lm2
from retro_anim.core.reporting.errors import ExportError, FormatError
from support.lba import lba1_chain as chain
from support.lba import lba2_chain


@pytest.mark.parametrize(("counts", "size", "known"), [((1, 1), 24, True), ((0, 1), 8, False), ((1, 0), 16, False), ((1, 1), 23, False)])
def test_an_animation_has_keyframes_bones_and_its_size(counts: tuple[int, int], size: int, known: bool) -> None:
    """8 bytes of header, and for each keyframe 8 and 8 for each bone."""
    head = struct.pack("<4H", *counts, 0, 0)
    assert anm.recognise(head, size) is known
    assert anm.recognise(head[:7], size) is False


@pytest.mark.parametrize(
    ("values", "size", "known"),
    [
        ((8, 8), 8, True),
        ((8, 9), 8, False),
        ((8, 4), 8, False),
        ((8, 0), 8, True),
        ((3, 0), 99, False),
        ((6, 0), 99, False),
        ((12, 12), 11, False),
    ],
)
def test_an_archive_s_entries_begin_between_its_table_and_its_end(values: tuple[int, int], size: int, known: bool) -> None:
    head = struct.pack("<2I", *values)
    assert hqr_table.recognise(head, size) is known
    assert hqr_table.recognise(head[:7], size) is False and hqr_table.recognise(head, 7) is False


def lm2(sections: list[tuple[int, int]], header_size: int) -> bytes:
    return struct.pack("<i2h", 0, header_size, 0).ljust(32, b"\0") + b"".join(struct.pack("<2I", *each) for each in sections)


@pytest.mark.parametrize(
    ("polygons", "lines", "known"), [(104, 104, True), (104, 120, True), (103, 104, False), (105, 120, False), (104, 103, False)]
)
def test_sections_of_a_body_that_people_made_follow_each_other(polygons: int, lines: int, known: bool) -> None:
    """A group of 8 bytes from 96 on, and behind it polygons that say themselves how long they are."""
    sections = [(1, 96), (0, 104), (0, 104), (0, 104), (1, polygons), (1, lines), (0, 0), (0, 0)]
    assert lm1.is_lm2(lm2(sections, 0)) is known
    assert lm1.is_lm2(lm2(sections, 96)) is True, "its header says how long it is"
    assert lm1.is_lm2(lm2(sections, 96)[:95]) is False


def test_a_body_of_no_kind_at_all_is_named_as_such() -> None:
    with pytest.raises(FormatError, match="no header of 96 bytes"):
        Lm2.parse(bytes([255]) * 200)


@pytest.mark.parametrize("beyond", [False, True])
def test_a_pivot_is_a_point_of_the_parent(beyond: bool) -> None:
    """The second group hangs on the first: the first point behind those of that one is none of its."""
    groups = Lm1.parse(chain.LM1).groups
    assert groups is not None
    at = chain.LM1.index(groups.tobytes()) + 38 + 4
    pivot = 6 * (int(groups["point_count"][0]) - (not beyond))
    data = chain.LM1[:at] + struct.pack("<h", pivot) + chain.LM1[at + 2 :]
    if not beyond:
        assert Lm1.parse(data).pack() == data
        return
    with pytest.raises(FormatError, match="no point of its parent"):
        Lm1.parse(data)


def test_of_a_list_of_actions_what_is_none_is_left_out() -> None:
    known = actions.action_of("sound 42", 3, False)
    assert known is not None
    text = actions.listed([known], 9)
    assert actions.of_list(f"what; 3 dances; {text}; 4", False) == [(known, False)]
    assert actions.of_list(actions.listed([known], 3), False) == [(known, True)]
    assert actions.of_list(actions.listed([known], 4), False) == [(known, False)]


@pytest.mark.parametrize(("size", "known"), [(28, True), (27, False)])
def test_a_body_without_groups_ends_behind_its_normals(size: int, known: bool) -> None:
    """Flags, a box and its info take 16 bytes; then no point, and one normal of 8 bytes."""
    head = bytes(16) + struct.pack("<2H", 0, 1) + b"\xff" * 8
    assert lm1.recognise(head, size) is known


@pytest.mark.parametrize("follow", [9, 10])
def test_what_is_shorter_than_a_header_is_no_further_entry(follow: int) -> None:
    """One entry of a byte; what follows it reads as the 10 bytes of a header with as many bytes packed as unpacked, if they are there."""
    data = struct.pack("<2I", 8, 19) + struct.pack("<2IH", 1, 1, 0) + b"!" + struct.pack("<2IH", 5, 5, 0)[:follow]
    assert hqr_table.end_of_entries(np.array([8, 19]), data) == (19 if follow == 9 else None)


def test_a_record_counts_its_actions_in_a_byte() -> None:
    step = actions.action_of("left step", 3, False)
    assert step is not None
    assert actions.bytes_of([step] * 255, False, 3) == b"\xff" + bytes((15, 3)) * 255
    with pytest.raises(ExportError, match="256 actions, a record has room for 255"):
        actions.bytes_of([step] * 256, False, 3)


def test_a_record_that_ends_behind_its_entry_has_no_actions() -> None:
    assert actions.actions_of(b"", False, 3) == ([], 0)


@pytest.mark.parametrize("cut", [0, 1, 2])
def test_actions_up_to_where_a_record_ends(cut: int) -> None:
    """Two steps, types 15 and 16, of two bytes each; one that is cut off anywhere is left out, and still counted."""
    data = bytes((2, 15, 3, 16, 7))
    read, claimed = actions.actions_of(data[: len(data) - cut], False, 3)
    assert [(action.frame, action.title) for action in read] == [(3, "left step"), (7, "right step")][: 2 - (cut > 0)]
    assert claimed == 2


def test_what_the_other_game_alone_does_is_refused() -> None:
    """A shield, type 28, with its first and last keyframe."""
    shield = actions.action_of("shield, last keyframe 7", 3, True)
    assert shield is not None and actions.bytes_of([shield], True, 3) == bytes((1, 28, 3, 7))
    with pytest.raises(ExportError, match="the other game has this, and this one not"):
        actions.bytes_of([shield], False, 3)


@pytest.mark.parametrize("op", [1, 3])
def test_a_box_of_the_second_game_has_a_keyframe_in_an_animation_alone(op: int) -> None:
    """Type 14: six numbers of 16 bits, in an animation behind its keyframe."""
    data = bytes((1, 14)) + bytes((5,)) * (op == 3) + struct.pack("<6h", -1, -2, -3, 1, 2, 3)
    read, claimed = actions.actions_of(data, True, op)
    assert (claimed, [value for _, value in read[0].numbers]) == (1, [-1, -2, -3, 1, 2, 3])
    assert actions.bytes_of(read, True, op) == data


def test_a_number_that_no_text_has_is_none() -> None:
    hit = actions.action_of("hit", 3, False)
    assert hit is not None and hit.numbers == (("strength", 0),)


def test_the_count_of_a_body_s_points_may_be_the_last_that_is_known() -> None:
    """At 26, behind 10 bytes of info: 1000 points of 6 bytes are far beyond a file of 100, and just within one of 6028."""
    head = bytes(14) + struct.pack("<H10sH", 10, b"\xff" * 10, 1000)
    assert (lm1.recognise(head, 100), lm1.recognise(head, 6027), lm1.recognise(head, 6028)) == (False, False, True)


@pytest.mark.parametrize(("flags", "info", "known"), [(7, 64, True), (8, 64, False), (0xFFFF, 0, False), (7, 65, False), (0, 0, True)])
def test_a_body_of_the_first_game_has_three_flags_and_little_room_for_what_the_engine_puts_there(
    flags: int, info: int, known: bool
) -> None:
    """Three bits, and 10 bytes in the games' files; counts of nothing behind it."""
    data = struct.pack("<H12xH", flags, info) + bytes(info + 30)
    assert lm1.recognise(data, len(data)) is known


def test_what_is_too_short_for_a_body_or_of_the_other_game_is_none_of_the_first() -> None:
    """28 bytes with a box and counts, all 0, are the least that is known; a body of LBA2 that people made begins with as many zeros."""
    assert [lm1.recognise(bytes(known), size) for known, size in ((28, 28), (27, 28), (28, 27), (20, 20))] == [True, False, False, False]
    by_people = bytes(32) + lba2_chain.LM2[32:]
    assert lm1.is_lm2(by_people) and not lm1.recognise(by_people, len(by_people))


@pytest.mark.parametrize("known", [20, 22, 25])
def test_a_table_ends_at_its_least_offset_in_whatever_slot_that_is(known: int) -> None:
    """20 values of four bytes, of which the last but one leads right behind them and the first ones to the entry after that; however much
    of what follows is known."""
    data = struct.pack("<20I", *[91] * 18, 80, 102) + 2 * (struct.pack("<2IH", 1, 1, 0) + b"!")
    values = np.frombuffer(data[: 4 * known], "<u4").astype(np.int64)
    assert hqr_table.first_offset(values, len(data)) == 80


@pytest.mark.parametrize("values", [[80, *[96] * 20], [82, *[96] * 17, 0, 0, 0]])
def test_an_offset_to_where_no_entry_can_start_does_not_end_a_table(values: list[int]) -> None:
    """24 values, of which one leads to a further one: 96 bytes, of method 96; or into one, though it is 0 as an empty entry's header is."""
    data = struct.pack("<24I", 96, 96, *values, 107) + struct.pack("<2IH", 1, 1, 0) + b"!"
    assert hqr_table.first_offset(np.frombuffer(data[:104], "<u4").astype(np.int64), len(data)) == 96


@pytest.mark.parametrize(
    ("table", "head", "end"),
    [
        ([8, 100], (0, 0, 0), 100),  # cut off
        ([8, 100, 100], (0, 0, 0), None),  # as another one, which lies outside as well
        ([8, 101, 100], (0, 0, 0), None),
        ([8, 20], (1, 1, 0), None),  # the header of one byte
        ([8, 20], (0, 0, 0), 20),  # no entry is of none
        ([8, 20], (1, 1, 3), 20),
        ([8, 20], (1, 2, 0), 20),  # plain data is as long as unpacked
        ([8, 20], (1, 2, 2), None),
        ([8, 50], (0, 0, 0), 50),
    ],
)
def test_where_the_entries_of_an_archive_of_50_bytes_end(table: list[int], head: tuple[int, int, int], end: int | None) -> None:
    """head: what is at 20."""
    data = bytes(20) + struct.pack("<2IH", *head) + bytes(20)
    assert hqr_table.end_of_entries(np.array(table), data) == end


def test_a_table_of_one_entity_of_nothing_takes_nine_bytes() -> None:
    table = struct.pack("<2I", 8, 9) + b"\xff"
    assert entity_table.recognise(table, 9) and len(EntityTable.parse(table)) == 1
    assert not entity_table.recognise(table[:8], 8)
