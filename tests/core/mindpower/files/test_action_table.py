"""The table of actions: read as the game reads it, and edited without touching what people wrote around the numbers."""

from __future__ import annotations

import string
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retro_anim.core.mindpower.files.ranges import Range, Row, ranges_of
from retro_anim.core.mindpower.files.tables.action_table import ActionRow, ActionTable, recognise
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from support.mindpower import mindpower_files

TABLE = mindpower_files.ACTIONS


@pytest.fixture
def table() -> ActionTable:
    return ActionTable.parse(TABLE)


def plain(table: ActionTable, number: int) -> list[tuple[int, int, int, tuple[int, ...]]]:
    return [(row.number, row.start, row.end, row.keys) for row in table.types.get(number, ())]


def action(table: ActionTable, kind: int, number: int) -> ActionRow | None:
    """The last of its number, which is the one that the game has."""
    return next((row for row in reversed(table.types.get(kind, ())) if row.number == number), None)


def test_rows_and_types(table: ActionTable) -> None:
    assert plain(table, 1) == [(1, 2, 9, (5,)), (2, 0, 0, ()), (5, 10, 19, (12, 15)), (55, 2, 9, ())]
    assert plain(table, 7) == [(1, 0, 4, ()), (7, 3, 30, (8,)), (8, 6, 5, ()), (9, 40, 50, ())]
    assert list(table.types) == [1, 7]
    assert [row.unused for row in table.types[1]] == [False, True, False, False]
    assert table.text(0) == "// 角色动作"
    assert table.pack() == TABLE
    assert plain(table, 3) == []


def test_the_last_of_a_kind_wins_as_in_the_game() -> None:
    table = ActionTable.parse(b"1\n\t1\t2\t3\n\t1\t4\t5\n2\n\t1\t8\t9\n1\n\t2\t6\t7\n")
    assert plain(table, 1) == [(2, 6, 7, ())]
    assert action(table, 1, 1) is None
    table = ActionTable.parse(b"1\n\t1\t2\t3\n\t1\t4\t5\n")
    row = action(table, 1, 1)
    assert row is not None
    assert (row.start, row.end, row.line) == (4, 5, 2)
    assert table.problems(1) == ["action 1 of type 1 stands there 2 times"]


def test_blanks_comments_and_lines_without_meaning() -> None:
    table = ActionTable.parse(b"\t1 2 3\n  7 eight\n  \t ,1 ,, 2\t\t3 ,4 word 5\n\n   // no\n\t2 3\nwhat\n\t3 4 5\n")
    assert plain(table, 7) == [(1, 2, 3, (4,))]
    assert [table.text(line) for line in table.odd_lines] == ["\t1 2 3", "\t2 3", "what", "\t3 4 5"]


def test_what_is_a_type_and_what_an_action() -> None:
    """Numbers from 1 on, of nine digits at most; a mark before a text in UTF-8 is none of it, wherever else it is it says nothing."""
    table = ActionTable.parse(b"\xef\xbb\xbf1\n\t1 2 999999999\n\t0 2 3\n\t2 3 1234567890\n\t3 4 5 1234567890\n-1\n\t4 5 6\n")
    assert (list(table.types), plain(table, 1)) == ([1], [(1, 2, 999999999, ()), (3, 4, 5, ())])
    assert table.odd_lines == (2, 3, 5, 6)
    assert ActionTable.parse(b"1\n\t1 2 3\n\xef\xbb\xbf2\n\t2 3 4\n").odd_lines == (2, 3)
    assert table.of_type(7) == table.of_type(0) == ()


@pytest.mark.parametrize("data", [TABLE, b"1\n\t1 2 3\nx\n\t4 5 6\n2\n 1\n\t2 6 7\n", b"\t1 2 3\n", b""])
def test_one_type_is_read_as_all_are(data: bytes) -> None:
    table = ActionTable.parse(data)
    assert set(table.type_numbers) == set(table.types)
    assert {number: table.of_type(number) for number in (*table.types, 999)} == {**table.types, 999: ()}


def test_problems_are_told_and_not_fatal(table: ActionTable) -> None:
    assert table.problems(1) == []
    (backwards,) = table.problems(7)
    assert backwards == "action 8 of type 7, frames 6 to 5: ends before it starts"
    outside = ActionTable.parse(b"1\n\t1 5 9 4 6\n\t2 5 9 5 5 5 5 5 5 5 5 5\n\t3 5 9 5 5 5 5 5 5 5 5\n")
    assert [problem.split(": ")[1] for problem in outside.problems(1)] == [
        "key frames 4 6 lie outside",
        "9 key frames, the game has room for 8",
    ]
    assert [(one.number, other.number) for one, other in table.overlapping(7)] == [(1, 7)]
    assert table.overlapping(1) == []
    touching = ActionTable.parse(b"1\n\t1 0 4\n\t2 4 9\n\t3 10 12\n").overlapping(1)
    assert [(one.number, other.number) for one, other in touching] == [(1, 2)]


def test_ranges_of_what_is_odd(table: ActionTable) -> None:
    """Overlapping ones stay, what goes beyond the last frame is cut, what is backwards or wholly beyond is left out; all is reported."""
    with log.collect() as said:
        ranges = ranges_of(table.types[7], 20)
    assert [(item.start, item.end, item.numbers) for item in ranges] == [(0, 4, (1,)), (3, 19, (7,))]
    cut, beyond, backwards = said.digest("WARNING")
    assert "beyond the last frame, 19" in cut
    assert cut.endswith("cut off there: 7")
    assert beyond.endswith("not shown: 9")
    assert backwards.endswith("not shown: 8")
    assert [(item.start, item.end, item.numbers) for item in ranges_of(table.types[1], 20)] == [(2, 9, (1, 55)), (10, 19, (5,))]


def test_an_edit_changes_numbers_and_nothing_else(table: ActionTable) -> None:
    after = table.with_rows(1, [Row(5, 11, 24, (12, 17))])
    changed = [(one, other) for one, other in zip(table.lines, after.lines, strict=True) if one != other]
    assert changed == [(b"\t5,\t10 , 19\t\t12\t 15\t// run\r\n", b"\t5,\t11 , 24\t\t12\t 17\t// run\r\n")]
    assert plain(ActionTable.parse(after.pack()), 1)[2] == (5, 11, 24, (12, 17))


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ((), b"\t5,\t10 , 20\t// run\r\n"),
        ((12,), b"\t5,\t10 , 20\t\t12\t// run\r\n"),
        ((12, 15, 18), b"\t5,\t10 , 20\t\t12\t 15\t\t18\t// run\r\n"),
    ],
)
def test_more_or_fewer_key_frames(table: ActionTable, keys: tuple[int, ...], line: bytes) -> None:
    after = table.with_rows(1, [Row(5, 10, 20, keys)])
    assert after.lines[table.types[1][2].line] == line


def test_what_is_as_it_was_stays_to_the_byte() -> None:
    data = b"1\n\t01\t002\t3\n\t2,007 8\t9x\n"
    table = ActionTable.parse(data)
    assert table.with_rows(1, table.rows).pack() == data
    assert table.with_rows(1, [replace(table.rows[1], end=9)]).pack() == b"1\n\t01\t002\t3\n\t2,007 9\t9x\n"


def test_too_many_key_frames_of_an_action_that_nobody_changed_stay() -> None:
    data = b"1\n\t1\t2\t9\t2\t3\t4\t5\t6\t7\t8\t9\t2\n\t2\t0\t5\n"
    crowded, other = ActionTable.parse(data).rows
    assert ActionTable.parse(data).with_rows(1, [crowded, other]).pack() == data
    assert ActionTable.parse(data).with_rows(1, [crowded, replace(other, end=6)]).pack() == data.replace(b"5\n", b"6\n")
    with pytest.raises(ValueError, match="action 1: 9 key frames"):
        ActionTable.parse(data).with_rows(1, [replace(crowded, end=8)])


def test_lines_of_a_type_that_are_no_actions_are_named() -> None:
    table = ActionTable.parse(b"1\n\t1\t0\t3.5\n\t2\t0\t5\n\tthree\t0\t5\n2\n\t4\t0\n\t5\t0\t5\n")
    assert table.odd_lines_of(1) == (1, 3)
    assert table.nonsense(table.odd_lines_of(1)) == [
        "line 2 says nothing to the game: 1\t0\t3.5",
        "line 4 says nothing to the game: three\t0\t5",
    ]


def test_ranges_before_the_first_frame_are_not_shown() -> None:
    rows = ActionTable.parse(b"1\n\t1\t-3\t3\n\t2\t0\t5\n\t3\t-9\t-2\n").rows
    with log.collect() as said:
        ranges = ranges_of(rows, 20)
    assert [(item.start, item.end) for item in ranges] == [(0, 5)]
    assert said.digest("WARNING") == ["actions that start before frame 0, which are not shown: 1, 3"]


def test_the_same_number_twice_has_a_line_each() -> None:
    table = ActionTable.parse(b"1\n\t1\t2\t3\n\t1\t4\t5\n")
    first, second = table.rows
    assert table.with_rows(1, [replace(first, start=1)]).pack() == b"1\n\t1\t1\t3\n\t1\t4\t5\n"
    assert table.with_rows(1, [replace(second, start=1)]).pack() == b"1\n\t1\t2\t3\n\t1\t1\t5\n"
    assert table.with_rows(1, [Row(1, 8, 9)]).pack() == b"1\n\t1\t2\t3\n\t1\t8\t9\n"


def test_new_rows_and_types(table: ActionTable) -> None:
    after = table.with_rows(1, [Row(60, 5, 8, (6,)), Row(5, 10, 19, (12, 15))])
    assert len(after.lines) == len(table.lines) + 1
    assert after.lines[7] == b"\t\t60\t\t5\t\t8\t\t6\r\n"
    assert after.lines[:7] + after.lines[8:] == table.lines
    after = table.with_rows(30, [Row(1, 0, 9)])
    assert after.pack() == TABLE + b"30\r\n\t\t1\t\t0\t\t9\r\n"
    assert ActionTable.parse(b"").with_rows(2, [Row(1, 0, 9)]).types[2][0].end == 9
    assert ActionTable.parse(b"1\n\t1 2 3").with_rows(1, [Row(2, 4, 5)]).pack() == b"1\n\t1 2 3\n\t\t2\t\t4\t\t5\n"
    assert ActionTable.parse(b"1").with_rows(1, [Row(2, 4, 5)]).pack() == b"1\n\t\t2\t\t4\t\t5\n"


def test_too_many_key_frames_are_refused(table: ActionTable) -> None:
    with pytest.raises(ValueError, match="action 1: 9 key frames"):
        table.with_rows(1, [Row(1, 0, 99, tuple(range(9)))])


def test_what_is_no_table() -> None:
    with pytest.raises(FormatError, match="not a text"):
        ActionTable.parse(b"1\n\0")
    assert recognise(TABLE, len(TABLE))
    assert recognise(TABLE[:120], len(TABLE))
    for other in (b"", b"1 2 3", b"\t1 2 3\n", b"words\n\t1 2 3\n", b"1\n\t1 2\n", b"1\n\twords\n"):
        assert not recognise(other, len(other))


def test_a_table_is_recognised_wherever_what_is_looked_at_ends() -> None:
    """Its last line may be cut there; in a whole file it counts."""
    head = b"1\n\t1 2 3\n\t4"
    assert recognise(head, 99) and not recognise(head, len(head))
    assert not recognise(b"1\n\t1 2 3", 99)


def test_a_type_may_have_a_word_behind_its_number() -> None:
    for head in (b"1 lance\n\t1 2 3\n", b"// lance\n12\tlance\n\t1 2 3\n"):
        assert recognise(head, len(head))


rows = st.builds(
    Row, st.integers(1, 400), st.integers(0, 5000), st.integers(0, 5000), st.lists(st.integers(0, 5000), max_size=8).map(tuple)
)
tokens = st.one_of(st.integers(-3, 9000).map(str), st.sampled_from(["//", "运行", "x", "1.5", ""]))
blanks = st.text("\t ,", min_size=1, max_size=3)


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    """Lines of numbers, words and blanks in any order, with any line end."""
    text = "".join(
        draw(st.sampled_from(["", "\t", " \t", " ", "//", "1 ", "7\t"]))
        + "".join(draw(tokens) + draw(blanks) for _ in range(draw(st.integers(0, 5))))
        + draw(st.sampled_from(["\n", "\r\n", "\r"]))
        for _ in range(draw(st.integers(0, 12)))
    )
    return text.encode("gb18030")


@given(data=tables())
def test_bytes_come_back(data: bytes) -> None:
    table = ActionTable.parse(data)
    assert table.pack() == data
    covered = {row.line for row in table.rows} | set(table.odd_lines)
    assert len(covered) == len(table.rows) + len(table.odd_lines)
    for number in table.types:
        table.problems(number)
        table.overlapping(number)
        assert table.with_rows(number, table.types[number]).pack() == data


@settings(max_examples=30)
@given(data=tables(), number=st.integers(1, 9), new=st.lists(rows, max_size=5, unique_by=lambda row: row.number))
def test_rows_that_are_put_in_are_read_again(data: bytes, number: int, new: list[Row]) -> None:
    table = ActionTable.parse(data)
    after = ActionTable.parse(table.with_rows(number, new).pack())
    for row in new:
        result = action(after, number, row.number)
        assert result is not None
        assert (result.start, result.end, result.keys) == (row.start, row.end, row.keys)
    wanted = {row.number for row in new}
    for kind, before in table.types.items():
        kept = [(row.number, row.start, row.end, row.keys) for row in before if kind != number or row.number not in wanted]
        there = {(row.number, row.start, row.end, row.keys) for row in after.types[kind]}
        assert there.issuperset(kept)
    assert after.with_rows(number, new).pack() == after.pack()


@given(data=st.binary(max_size=200) | st.text(string.printable, max_size=200).map(str.encode))
def test_any_bytes(data: bytes) -> None:
    with suppress(FormatError):
        table = ActionTable.parse(data)
        assert table.pack() == data
        ranges_of(table.rows, 100)
    recognise(data, len(data))


def test_a_large_table_is_quick() -> None:
    data = b"1\n" + b"".join(b"\t%d\t0\t9\n" % number for number in range(1, 10000))
    table = ActionTable.parse(data)
    assert len(table.with_rows(1, [replace(row, end=8) for row in table.rows]).rows) == 9999
    assert len(ranges_of(table.rows, 5)) == 1


def test_the_games_own_table(game_file: Callable[[str], Path]) -> None:
    """Numbers of the specification."""
    data = game_file("mindpower/scripts/txt/CharacterAction.tx").read_bytes()
    table = ActionTable.parse(data)
    assert table.pack() == data
    assert (len(table.types), max(table.types), table.odd_lines) == (289, 500, ())
    assert len(table.types[1]) == 378
    assert plain(table, 1)[:2] == [(1, 2, 59, ()), (2, 855, 917, ())]
    assert plain(table, 1)[4] == (5, 1921, 1937, (1921, 1929))
    edited = table.with_rows(1, [Row(5, 1921, 1940, (1921, 1930))])
    changed = [index for index, pair in enumerate(zip(table.lines, edited.lines, strict=True)) if pair[0] != pair[1]]
    assert [table.text(index) for index in changed] == ["\t\t5\t\t1921\t\t1937\t\t1921\t\t1929"]
    assert edited.text(changed[0]) == "\t\t5\t\t1921\t\t1940\t\t1921\t\t1930"


def test_all_names_of_a_range_stay_with_it(game_file: Callable[[str], Path]) -> None:
    table = ActionTable.parse(game_file("mindpower/scripts/txt/CharacterAction.tx").read_bytes())
    with log.collect() as said:
        ranges = ranges_of(table.types[2], 3452)
    used = [row for row in table.types[2] if not row.unused]
    assert (len(used), len({(row.start, row.end) for row in used})) == (138, 57)
    assert len(ranges) == 56
    (beyond,) = said.digest("WARNING")
    assert beyond.startswith("actions beyond the last frame, 3451")
    assert ranges[0] == Range(0, 48, tuple(row for row in used if (row.start, row.end) == (0, 48)))


def test_a_nul_makes_it_no_text_wherever_it_stands() -> None:
    for offset in (0, 1, len(TABLE) - 1):
        with pytest.raises(FormatError) as raised:
            ActionTable.parse(TABLE[:offset] + b"\0" + TABLE[offset:])
        assert raised.value.offset == offset
