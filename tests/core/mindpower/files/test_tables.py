"""The client's tables beside the actions: what poses are called, and who the characters are."""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.files.document import same
from retro_anim.core.mindpower.files.tables import character_info, pose_info
from retro_anim.core.mindpower.files.tables.action_names import action_name
from retro_anim.core.mindpower.files.tables.character_info import CharacterInfo
from retro_anim.core.mindpower.files.tables.pose_info import PoseInfo, record_dtype
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError, FormatError
from support.mindpower import mindpower_files

PLAYER, MONSTER = 1, 4
"""The model's type in the table, as the game numbers them."""


def record(pose: int, name: bytes, *actions: int, more: bytes = b"") -> bytes:
    """Written as the format's description has it: the name at +8, the actions at +108."""
    return struct.pack("<2I100s7h2x", 1, pose, name + b"\0\xcd\xcd", *actions) + more


WAIT = record(1, "普通".encode("gb18030"), 1, 55, 109, 163, 217, 271, 325)
RUN = record(5, b"Run ", 5, 0, 0, 400, 0, 0, -1)
POSES = struct.pack("<I", 124) + WAIT + RUN


def test_poses_and_their_names() -> None:
    info = PoseInfo.parse(POSES)
    assert info.pack() == POSES
    assert info.names == {1: "普通", 5: "Run"}
    assert info.poses == {1: (1, 0), 55: (1, 1), 109: (1, 2), 163: (1, 3), 217: (1, 4), 271: (1, 5), 325: (1, 6), 5: (5, 0), 400: (5, 3)}


def test_names_of_actions() -> None:
    info = PoseInfo.parse(POSES)
    named = {number: str(action_name(number, info)) for number in (1, 55, 5, 400, 7, 61, 379, 500)}
    assert named == {
        1: "wait",
        55: "wait, sword",
        5: "run",
        400: "run, dual",
        7: "attack 1",
        61: "attack 1, sword",
        379: "action 379",
        500: "action 500",
    }
    assert action_name(1, info).client_name == "普通"
    assert [str(action_name(number)) for number in (1, 54, 109, 378)] == ["wait", "skill 20", "wait, two-hand", "skill 20, dagger"]


def test_a_pose_that_only_the_client_knows() -> None:
    info = PoseInfo.parse(struct.pack("<I", 124) + record(60, b"Dance", 999, 0, 0, 0, 0, 0, 0))
    assert str(action_name(999, info)) == "Dance"


def test_longer_records_and_leftovers_are_kept() -> None:
    data = struct.pack("<I", 128) + record(1, b"a", *range(1, 8), more=b"more") + b"rest"
    with log.collect() as said:
        info = PoseInfo.parse(data)
    assert info.pack() == data
    assert bytes(info.records["more"][0]) == b"more"
    assert said.digest("WARNING") == ["4 bytes after the last record; kept"]


def test_a_new_pose_is_behind_all_others() -> None:
    added = PoseInfo.parse(POSES).with_pose(900, "\u8df3")
    assert added.pack() == POSES + struct.pack("<2I72s7I7h2x", 1, 6, "\u8df3".encode("gb18030"), 0, 0, 0, 0, 0, 6, 0, *[900] * 7)
    assert (added.names[6], added.poses[900]) == ("\u8df3", (6, 0))
    with pytest.raises(ExportError, match="there is no pose to go by"):
        replace(added, records=added.records[:0]).with_pose(900, "x")


@pytest.mark.parametrize("data", [b"", b"\x7c\0\0", struct.pack("<I", 123) + bytes(123), struct.pack("<I", 0), b"\xff" * 300])
def test_what_is_no_pose_table(data: bytes) -> None:
    with pytest.raises(FormatError):
        PoseInfo.parse(data)
    assert not pose_info.recognise(data, len(data))


@given(data=st.binary(max_size=300), size=st.integers(120, 130))
def test_any_pose_table(data: bytes, size: int) -> None:
    whole = struct.pack("<I", size) + data
    pose_info.recognise(whole, len(whole))
    with suppress(FormatError):
        info = PoseInfo.parse(whole)
        assert info.pack() == whole
        _ = info.names, info.poses


@given(data=st.data(), size=st.integers(124, 140), count=st.integers(0, 4))
def test_records_are_read_again(data: st.DataObject, size: int, count: int) -> None:
    raw = data.draw(st.binary(min_size=size * count, max_size=size * count))
    info = PoseInfo(np.frombuffer(raw, record_dtype(size), count))
    assert same(PoseInfo.parse(info.pack()), info)


def characters(*lines: str, header: str = mindpower_files.HEADER) -> CharacterInfo:
    return CharacterInfo.parse("\r\n".join([header, *lines, "// the end"]).encode())


def test_characters() -> None:
    info = characters(
        mindpower_files.character(4, "Lady", 1, 3, 2, [2246, 255], 4),
        mindpower_files.character(9, "Crab", 4, 16, 0, [1, 0, 1], 34),
        mindpower_files.character(301, "Ship", 2, 3, 0, [907], 401),
        "not\ta\trow",
        "",
    )
    assert info.pack().endswith(b"// the end")
    lady, crab = info.characters
    assert (lady.id, lady.name, lady.model_type, lady.framework, lady.suit, lady.parts, lady.action_type) == (
        4, "Lady", PLAYER, 3, 2, (2246, 255, 0, 0, 0, 0, 0, 0), 4,
    )  # fmt: skip
    assert (crab.model_type, crab.parts[:3], crab.is_player, lady.is_player) == (MONSTER, (1, 0, 1), False, True)
    assert [row.name for row in info.rows] == ["Lady", "Crab", "Ship"]


@pytest.mark.parametrize(("number", "like", "problem"), [(10, 8, "there is no character 8"), (4, 9, "number 4 is taken")])
def test_a_new_line_that_cannot_be(number: int, like: int, problem: str) -> None:
    info = characters(
        mindpower_files.character(4, "Lady", 1, 3, 2, [2246, 255], 4), mindpower_files.character(9, "Crab", 4, 16, 0, [1, 0, 1], 34)
    )
    with pytest.raises(ExportError, match=problem):
        info.with_character(replace(info.rows[1], id=number), like)


def test_a_line_has_as_many_columns_as_are_needed() -> None:
    """The last that matters is that of the actions; what lacks it is no character, and named."""
    whole = mindpower_files.character(9, "Crab", 4, 16, 0, [1], 34).rsplit("\t", 1)[0]
    info = characters(whole, whole.rsplit("\t", 1)[0])
    assert [(row.id, row.action_type) for row in info.rows] == [(9, 34)]
    assert info.odd_lines == (3,)


def test_a_line_without_a_suit_or_actions_has_the_first() -> None:
    fields = mindpower_files.character(9, "Crab", 4, 16, 2, [1], 34).split("\t")
    titles = mindpower_files.HEADER.split("\t")
    fields[titles.index("Suite Serial")] = fields[titles.index("Action ID")] = ""
    (crab,) = characters("\t".join(fields)).rows
    assert (crab.framework, crab.suit, crab.action_type) == (16, 0, 0)
    fields[titles.index("Framework Number")] = ""
    assert characters("\t".join(fields)).rows == ()


def test_columns_by_their_titles() -> None:
    header = mindpower_files.HEADER.replace("//ID\tName", "// Name\tID")
    line = "Crab\t9\t" + mindpower_files.character(9, "Crab", 4, 16, 0, [1], 34).split("\t", 2)[2]
    (crab,) = characters(line, header=header).rows
    assert (crab.id, crab.name, crab.framework) == (9, "Crab", 16)
    assert characters(mindpower_files.character(9, "Crab", 4, 16, 0, [1], 34), header="// no titles").rows[0].action_type == 34


def test_names_in_either_encoding() -> None:
    line = mindpower_files.character(1, "水手", 1, 0, 0, [1], 1)
    for encoding in ("utf-8", "gb18030"):
        (row,) = CharacterInfo.parse(line.encode(encoding)).rows
        assert row.name == "水手"


@given(data=st.binary(max_size=300) | st.text("\t\r\n0123456789/a", max_size=300).map(str.encode))
def test_any_list_of_characters(data: bytes) -> None:
    character_info.recognise(data, len(data))
    with suppress(FormatError):
        info = CharacterInfo.parse(data)
        assert info.pack() == data
        _ = info.rows, info.characters


def test_the_games_own_tables(game_file: Callable[[str], Path]) -> None:
    data = game_file("mindpower/scripts/table/characterposeinfo.bin").read_bytes()
    info = PoseInfo.parse(data)
    assert (info.pack() == data, len(data), len(info.records), list(info.names)) == (True, 6700, 54, list(range(1, 55)))
    # The order that is taken where there is no table is that of the table.
    for number, weapon_pose in info.poses.items():
        plain = action_name(number)
        assert (plain.pose, plain.weapon) == weapon_pose
    data = game_file("mindpower/scripts/table/CharacterInfo.txt").read_bytes()
    people = CharacterInfo.parse(data)
    assert people.pack() == data
    (penguin,) = [row for row in people.characters if row.framework == 16]
    assert (penguin.name, penguin.model_type, penguin.action_type) == ("Horned Penguin", MONSTER, 34)
    assert all(row.model_type in (PLAYER, MONSTER) for row in people.characters)


def test_a_new_line_ends_as_the_one_that_it_is_like() -> None:
    """Behind a last one without an end, as the first line does."""
    lady, crab = mindpower_files.character(4, "Lady", 1, 3, 2, [2246], 4), mindpower_files.character(9, "Crab", 4, 16, 0, [1], 34)
    known = CharacterInfo.parse(f"{mindpower_files.HEADER}\r\n{lady}\n{crab}".encode())
    person = known.rows[0]
    between, behind = (known.with_character(replace(person, id=number), like) for number, like in ((5, 4), (10, 9)))
    assert [line.removeprefix(line.rstrip(b"\r\n")) for line in between.lines] == [b"\r\n", b"\n", b"\n", b""]
    assert [line.removeprefix(line.rstrip(b"\r\n")) for line in behind.lines] == [b"\r\n", b"\n", b"\r\n", b"\r\n"]


def test_a_new_line_has_one_suit() -> None:
    """However many the character has that it is like: its parts are those of one."""
    line = mindpower_files.character(9, "Crab", 4, 16, 2, [71, 72], 34).split("\t")
    line[mindpower_files.HEADER.split("\t").index("Suite Quantity")] = "3"
    known = characters("\t".join(line))
    (crab,) = known.rows
    added = known.with_character(replace(crab, id=10, suit=4, parts=(5, 6, 7, 8, 9, 10, 11, 12)), 9)
    assert added.rows[1] == replace(crab, id=10, suit=4, parts=(5, 6, 7, 8, 9, 10, 11, 12))
    titles = [title.lower() for title in mindpower_files.HEADER.split("\t")]
    new = dict(zip(titles, added.lines[2].decode().split("\t"), strict=False))
    assert (new["suite serial"], new["suite quantity"]) == ("4", "1")


def test_a_new_line_without_a_column_for_the_number_of_suits() -> None:
    """In some lists the parts follow the suit at once."""
    columns = mindpower_files.HEADER.split("\t")
    at = columns.index("Suite Quantity")
    line = mindpower_files.character(9, "Crab", 4, 16, 0, [71, 72], 34).split("\t")
    shorter = characters("\t".join([*line[:at], *line[at + 1 :]]), header="\t".join([*columns[:at], *columns[at + 1 :]]))
    (crab,) = shorter.rows
    added = shorter.with_character(replace(crab, id=10, parts=(5, 6, 0, 0, 0, 0, 0, 0)), 9)
    assert [row.parts[:3] for row in added.rows] == [(71, 72, 0), (5, 6, 0)]
