"""Characterinfo.bin, the list of characters of public clients: plain, and with the key that newer clients add."""

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
from retro_anim.core import formats
from retro_anim.core.files.document import same
from retro_anim.core.mindpower.client.client import characters, companions
from retro_anim.core.mindpower.files.tables import character_table, pose_info
from retro_anim.core.mindpower.files.tables.character_info import CharacterInfo
from retro_anim.core.mindpower.files.tables.character_table import CharacterTable, record_dtype
from retro_anim.core.mindpower.files.tables.pose_info import PoseInfo
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError, FormatError
from support.mindpower import mindpower_files
from support.mindpower.mindpower_files import PUBLIC, obfuscated

PLAYER, MONSTER = 1, 4
"""The model's type in the table, as the game numbers them."""

VARIANTS = {"none": PUBLIC, "record": obfuscated(PUBLIC), "file": obfuscated(PUBLIC, once=True)}


@pytest.mark.parametrize("mode", list(VARIANTS))
def test_characters(mode: str) -> None:
    data = VARIANTS[mode]
    table = CharacterTable.parse(data)
    assert (table.obfuscation, table.pack() == data, len(table.records)) == (mode, True, 5)
    guy, crab, small = table.characters
    assert (guy.id, guy.name, guy.model_type, guy.framework, guy.suit, guy.parts, guy.action_type) == (
        1, "Strong Guy", PLAYER, 1, 0, (2000, 255, 0, 0, 0, 0, 0, 0), 1,
    )  # fmt: skip
    assert (crab.model_type, crab.parts[:3], crab.action_type) == (MONSTER, (1, 0, 1), 7)
    assert [row.name for row in table.rows] == ["Strong Guy", "Big Crab", small.name, "Sloop"] and small.name == "水手"


def test_names_in_utf8() -> None:
    record = mindpower_files.table_character(1, "x", 4, 1, 0, [1], 1)
    name = "水手".encode() + b"\0"
    (row,) = CharacterTable.parse(mindpower_files.character_table(record[:8] + name + record[8 + len(name) :])).rows
    assert row.name == "水手"


def named(names: list[bytes]) -> bytes:
    records = [mindpower_files.table_character(number, "x", 4, 1, 0, [1], 1) for number in range(1, len(names) + 1)]
    fields = [record[:8] + name + b"\0" + record[9 + len(name) :] for record, name in zip(records, names, strict=True)]
    return mindpower_files.character_table(*fields)


def test_most_names_say_which_encoding_it_is() -> None:
    # The two Chinese letters of "small crab" are valid UTF-8 for two others.
    chinese = ["小蟹", "水手", "小蟹王", "Crab"]
    assert "小蟹".encode("gb18030").decode() != "小蟹"
    assert [row.name for row in CharacterTable.parse(named([name.encode("gb18030") for name in chinese])).rows] == chinese
    cut = "水".encode()[:2]
    rows = CharacterTable.parse(named(["水手".encode(), "小蟹".encode(), cut])).rows
    assert [row.name for row in rows[:2]] == ["水手", "小蟹"]


@pytest.mark.parametrize("mode", list(VARIANTS))
def test_known_by_content(mode: str) -> None:
    data = VARIANTS[mode]
    known = formats.recognise(data[: formats.HEAD], len(data), "Characterinfo.bin")
    assert known is not None and known.name == "CHARACTER_TABLE"
    assert not character_table.recognise(data[: formats.HEAD], len(data) + 1)
    assert not pose_info.recognise(data[: formats.HEAD], len(data))


@pytest.mark.parametrize("mode", list(VARIANTS))
def test_a_changed_field_changes_its_own_bytes(mode: str) -> None:
    table = CharacterTable.parse(VARIANTS[mode])
    for field, at in (("id", 4), ("name", 8), ("model_type", 161), ("framework", 164), ("parts", 170), ("action_type", 204), ("more", 939)):
        records = table.records.copy()
        part = records[field][2:3]
        part[...] = part ^ 1
        changed = replace(table, records=records).pack()
        different = [index for index, (one, other) in enumerate(zip(changed, VARIANTS[mode], strict=True)) if one != other]
        assert different
        width = records.dtype[field].itemsize
        start = 4 + 2 * 940 + (at if field != "more" else 940 - width)
        assert set(different) <= set(range(start, start + width))


@pytest.mark.parametrize("mode", list(VARIANTS))
def test_a_new_record_has_one_suit(mode: str) -> None:
    """However many the character has that it is like, and however often the game has loaded that."""
    table = CharacterTable.parse(VARIANTS[mode])
    records = table.records.copy()
    records["suits"], records["last_use"], records["load_count"] = 3, 5, 7
    crab = table.characters[1]
    added = replace(table, records=records).with_character(replace(crab, id=77, name="New Crab", suit=4), crab.id)
    again = CharacterTable.parse(added.pack())
    assert [row for row in again.rows if row.id == 77] == [replace(crab, id=77, name="New Crab", suit=4)]
    (new,) = again.records[again.records["id"] == 77]
    assert (new["suits"], new["last_use"], new["load_count"]) == (1, 0, 0)


def test_a_name_is_written_as_those_of_the_records_in_use() -> None:
    """What stands in a record that is not in use says nothing of the encoding."""
    table = CharacterTable.parse(PUBLIC)
    records, crab = table.records.copy(), table.characters[1]
    (unused,) = np.flatnonzero(records["exists"] != 1)[:1]
    for index, text in ((unused, "\u4e2d\u6587".encode()), (np.flatnonzero(records["id"] == crab.id)[0], "\u4e2d\u6587".encode("gbk"))):
        records["name"][index] = np.frombuffer(text.ljust(records["name"].shape[1], b"\0"), "u1")
    added = replace(table, records=records).with_character(replace(crab, id=77, name="\u65b0"), crab.id)
    (new,) = added.records[added.records["id"] == 77]
    assert bytes(new["name"]).rstrip(b"\0") == "\u65b0".encode("gbk")


@pytest.mark.parametrize(
    ("number", "name", "like", "problem"),
    [
        (77, "New Crab", 8, "there is no character 8"),
        (77, "New Crab", 0, "there is no character 0"),
        (10, "New Crab", 9, "number 10 is taken"),
        (77, "x" * 32, 9, "takes 32 bytes; the file has room for 31"),
    ],
)
def test_a_new_record_that_cannot_be(number: int, name: str, like: int, problem: str) -> None:
    """The second record is not in use: it is nobody's example, and its number, 0, is free."""
    table = CharacterTable.parse(PUBLIC)
    crab = table.characters[1]
    with pytest.raises(ExportError, match=problem):
        table.with_character(replace(crab, id=number, name=name), like)
    assert table.with_character(replace(crab, id=0), 9).records["id"].tolist() == [0, 1, 0, 9, 10, 200]


@pytest.mark.parametrize(
    ("exists", "number", "name", "known"),
    [
        (1, 1, b"A b~\0", True),
        (1, 65535, b"x\0\1\2\3", True),
        (1, 1, "\u6c34".encode("gb18030") + b"\0", True),
        (1, 65536, b"x\0", False),
        (0, 1, b"x\0", False),
        (2, 1, b"x\0", False),
        (1, 1, b"\0x", False),
        (1, 1, b"x\x1f\0", False),
        (1, 1, b"x\x7f\0", False),
    ],
)
def test_what_counts_as_a_named_record(exists: int, number: int, name: bytes, known: bool) -> None:
    """By its first record a file is known, and whether a key was added to it: in use, a number below 65536, and a name that can be printed
    up to its end."""
    data = struct.pack("<3I", 940, exists, number) + name.ljust(940 - 8, b"\xcd")
    assert character_table.recognise(data, len(data)) == known
    with log.collect() as said:
        assert CharacterTable.parse(data).pack() == data
    assert (said.digest("WARNING") == []) == (exists == 1 and number < 65536)


@pytest.mark.parametrize("data", [b"", b"\xac\3\0", struct.pack("<I", 205) + bytes(205), struct.pack("<I", 0), b"\xff" * 2000])
def test_what_is_no_table(data: bytes) -> None:
    with pytest.raises(FormatError):
        CharacterTable.parse(data)
    assert not character_table.recognise(data, len(data))


def test_another_key_is_told() -> None:
    strange = PUBLIC[:4] + bytes((255 - byte) % 256 for byte in PUBLIC[4:])
    with log.collect() as said:
        table = CharacterTable.parse(strange)
    assert (table.rows, table.pack() == strange) == ((), True)
    assert said.digest("WARNING") == ["no record has a number and a name that is text; kept"]


@given(data=st.binary(max_size=1000), size=st.integers(200, 300))
def test_any_table(data: bytes, size: int) -> None:
    for whole in (struct.pack("<I", size) + data, data):
        character_table.recognise(whole, len(whole))
        with suppress(FormatError):
            table = CharacterTable.parse(whole)
            assert table.pack() == whole
            _ = table.rows, table.characters


@given(data=st.data(), size=st.integers(206, 260), count=st.integers(1, 4), mode=st.sampled_from(["none", "record", "file"]))
def test_records_are_read_again(data: st.DataObject, size: int, count: int, mode: str) -> None:
    raw = data.draw(st.binary(min_size=size * count, max_size=size * count))
    records = np.frombuffer(raw, record_dtype(size), count).copy()
    records["exists"], records["id"] = 1, np.arange(count)
    records["name"][:, :2] = (65, 0)
    if mode == "file" and (count == 1 or size % 18 == 0):
        mode = "record"  # which is the same
    table = CharacterTable(records, mode, b"rest")  # pyright: ignore
    assert same(CharacterTable.parse(table.pack()), table)


@pytest.mark.parametrize("once", [False, True])
def test_the_names_of_poses_with_the_same_key(once: bool) -> None:
    plain = struct.pack("<I", 124) + b"".join(
        struct.pack("<2I100s7h2x", 1, pose, name + b"\0\xcd\xcd", *range(pose, pose + 7)) for pose, name in ((1, b"wait"), (9, b"run"))
    )
    data = obfuscated(plain, once)
    info = PoseInfo.parse(data)
    assert (info.pack() == data, info.names, info.poses[11]) == (True, {1: "wait", 9: "run"}, (9, 2))
    assert pose_info.recognise(data, len(data))


@pytest.mark.parametrize("mode", list(VARIANTS))
def test_a_public_client(tmp_path: Path, mode: str) -> None:
    root = mindpower_files.public_client(tmp_path / "client", VARIANTS[mode])
    assert [(one.name, one.number, one.id, one.action_type, one.parts) for one in characters(root)] == [
        ("Strong Guy", 1, 1, 1, ""),
        ("Big Crab", 7, 9, 7, "0007000000 0007000002"),
        ("水手", 7, 10, 7, "0007000000"),
    ]
    assert [one.id for one in characters(root, "水手, 7, id=1")] == [10, 9, 1]
    assert companions(root / "Animation" / "0007.lab").action_type == 7


def test_the_text_adds_what_the_table_lacks(tmp_path: Path) -> None:
    root = mindpower_files.client(tmp_path / "client")
    table = mindpower_files.character_table(mindpower_files.table_character(9, "Great Crab", 4, 7, 0, [1], 7))
    (root / "Scripts" / "table" / "Characterinfo.bin").write_bytes(table)
    assert [(one.name, one.id) for one in characters(root)] == [("Strong Guy", 1), ("Great Crab", 9)]
    assert [one.name for one in characters(root, "id=10")] == ["Small Crab"]


def test_a_table_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    root = mindpower_files.public_client(tmp_path / "client", b"\x01\0\0\0")
    with log.collect() as said:
        assert [one.name for one in characters(root)] == ["0001", "0007"]
    assert ["list of characters is not used" in text for text in said.digest("WARNING")] == [True]


def test_the_games_own_list(game_file: Callable[[str], Path]) -> None:
    """Equal to the text where both have a character, but for two whose names or looks differ between the clients."""
    data = game_file("mindpower/scripts/table/Characterinfo.bin").read_bytes()
    table = CharacterTable.parse(data)
    assert (table.pack() == data, len(table.rows), table.obfuscation) == (True, 23, "none")
    text = {row.id: row for row in CharacterInfo.parse(game_file("mindpower/scripts/table/CharacterInfo.txt").read_bytes()).rows}
    both = [row for row in table.rows if row.id in text]
    different = {row.id for row in both if row != text[row.id]}
    assert len(both) > 10
    assert different <= {802, 872, 873, 874, 884, 981, 982}, [(row, text[row.id]) for row in both if row.id in different]
    for once in (False, True):
        hidden = CharacterTable.parse(obfuscated(data, once))
        assert (hidden.rows == table.rows, hidden.pack() == obfuscated(data, once)) == (True, True)
