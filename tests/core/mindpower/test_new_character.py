"""A character of a client under a new number: its files and its rows in all tables, read here byte by byte, and all of it or nothing."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest
from retro_anim.core.files.disk.first_state import backup_of
from retro_anim.core.mindpower.client.client import characters, listed
from retro_anim.core.mindpower.files.tables import character_info
from retro_anim.core.mindpower.game import CharacterOptions
from retro_anim.core.mindpower.new_character import copy_character
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import RetroAnimError
from support.mindpower import mindpower_files
from support.mindpower.mindpower_files import obfuscated

RECORD = 940


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """With both lists of characters, and a pose table that knows actions 1 and 7."""
    root = mindpower_files.client(tmp_path / "client")
    (root / "Scripts/table/CharacterInfo.BIN").write_bytes(mindpower_files.PUBLIC)
    pose = struct.pack("<2I72s", 1, 1, b"wait") + struct.pack("<7I7h2x", 0, 1, 0, 0, 0, 1, 0, 1, *[7] * 6)
    (root / "Scripts/table/characterposeinfo.bin").write_bytes(struct.pack("<I", 124) + pose)
    return root


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_copy_has_everything_of_its_own(client: Path) -> None:
    before = contents(client)
    with log.collect() as said:
        result = copy_character(client, "Big Crab", CharacterOptions(number=41, name="Guard", id=12, action_type=30))
    assert (result.number, result.id, result.action_type, result.name) == (41, 12, 30, "Guard")
    after = contents(client)
    new = {name: after[name] for name in after.keys() - before.keys()}
    tables = {name: after[name] for name in before if after[name] != before[name]}
    assert set(new) == {
        "Animation/0041.lab", "model/Character/0041000000.lgo", "model/Character/0041000002.lgo", "Texture/CHARACTER/0041000000.bmp",
        *(f"{name}.bak" for name in tables),
    }  # fmt: skip
    assert all(new[f"{name}.bak"] == before[name] for name in tables)
    assert new["Animation/0041.lab"] == before["Animation/0007.lab"]
    assert new["Texture/CHARACTER/0041000000.bmp"] == before["Texture/CHARACTER/Body.Bmp"], "scrambled as it was"
    for part in "02":  # the meshes differ from theirs in the name of the texture alone
        mesh, old = new[f"model/Character/004100000{part}.lgo"], before[f"model/Character/000700000{part}.lgo"]
        assert mesh == old.replace(b"body.bmp".ljust(64, b"\0"), b"0041000000.bmp".ljust(64, b"\0")) != old
    assert not said.of("WARNING")


def test_its_rows_stand_in_both_lists(client: Path) -> None:
    before = contents(client)
    copy_character(client, "Big Crab", CharacterOptions(number=41, name="Guard", id=12, action_type=30))
    after = contents(client)
    binary, old = (state["Scripts/table/CharacterInfo.BIN"] for state in (after, before))
    records = [binary[4 + RECORD * index :][:RECORD] for index in range((len(binary) - 4) // RECORD)]
    assert b"".join([binary[:4], *records[:4], *records[5:]]) == old, "before the first with a larger number, and no other changed"
    record, crab = records[4], records[2]
    assert struct.unpack_from("<2I", record) == (1, 12) and struct.unpack_from("<I", record, 100) == struct.unpack_from(
        "<I", record, 108
    ) == (12,)
    assert record[8:80] == b"Guard".ljust(72, b"\0") and record[112:144] == b"Guard".ljust(32, b"\0")
    assert record[161] == 4 and struct.unpack_from("<11H", record, 164) == (41, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0)
    assert struct.unpack_from("<H", record, 204) == (30,)
    assert record[206:] == crab[206:] and record[186:204] == crab[186:204] and record[144:161] == crab[144:161]
    lines = after["Scripts/table/characterinfo.txt"].splitlines(keepends=True)
    assert (
        lines.pop(4)
        == mindpower_files.character(12, "Guard", 4, 41, 0, [1, 0, 1], 30).replace("Guard\tGuard", "Guard\tBig Crab").encode() + b"\r\n"
    )
    assert b"".join(lines) == before["Scripts/table/characterinfo.txt"]


def test_its_actions_and_those_that_the_game_has_no_name_for(client: Path) -> None:
    before = contents(client)
    copy_character(client, "id=10", CharacterOptions(action_type=30))
    after = contents(client)
    rows = b"30\r\n\t\t1\t\t0\t\t4\r\n\t\t7\t\t3\t\t30\t\t8\r\n\t\t8\t\t6\t\t5\r\n\t\t9\t\t40\t\t50\r\n"
    assert after["Scripts/TXT/characteraction.TX"] == before["Scripts/TXT/characteraction.TX"] + rows
    poses, old = (state["Scripts/table/characterposeinfo.bin"] for state in (after, before))
    assert poses.startswith(old) and len(poses) == len(old) + 2 * 124, "actions 8 and 9"
    for index, action, name in ((1, 8, b"attack 2"), (2, 9, b"attack 3")):
        record = poses[4 + 124 * index :][:124]
        assert struct.unpack_from("<2I", record) == (1, index + 1) and struct.unpack_from("<I", record, 100) == (index + 1,)
        assert record[8:80] == name.ljust(72, b"\0") and struct.unpack_from("<7h", record, 108) == (action,) * 7


def test_numbers_are_the_first_free_ones_behind_the_last(client: Path) -> None:
    result = copy_character(client, "水手", CharacterOptions())
    assert (result.number, result.id, result.action_type, result.name) == (8, 201, 8, "水手")


@pytest.mark.parametrize("name", ["", "big crab", "Guard"])
def test_a_second_one_of_the_same_name_is_named(client: Path, name: str) -> None:
    """By its name alone no command finds it any more."""
    with log.collect() as said:
        result = copy_character(client, "Big Crab", CharacterOptions(name=name))
    warned = any(f"another character {result.name}" in text for text in map(str, said.of("WARNING")))
    same = [choice for choice in characters(client) if choice.name.lower() == result.name.lower()]
    assert warned == (len(same) > 1) == (name != "Guard")


def test_an_obfuscated_list_stays_so(client: Path) -> None:
    path = client / "Scripts/table/CharacterInfo.BIN"
    copy_character(client, "id=9", CharacterOptions(number=41, id=12))
    plain = path.read_bytes()
    path.write_bytes(obfuscated(mindpower_files.PUBLIC))
    for path_of_copy in client.rglob("0041*"):
        path_of_copy.unlink()
    for table in (path.with_name("characterinfo.txt"), client / "Scripts/TXT/characteraction.TX"):
        backup_of(table).replace(table)
    copy_character(client, "id=9", CharacterOptions(number=41, id=12))
    assert path.read_bytes() == obfuscated(plain)


def test_a_failure_in_any_file_leaves_all_as_they_were(client: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, honest, failed = contents(client), os.replace, list[str]()

    def full(source: str, target: str) -> None:
        calls.append(Path(target).name)
        if len(calls) == len(failed) + 1:
            raise OSError(28, "No space left on device")
        honest(source, target)

    monkeypatch.setattr(os, "replace", full)
    while True:
        calls: list[str] = []
        try:
            copy_character(client, "Big Crab", CharacterOptions(number=41))
        except RetroAnimError as error:
            failed.append(calls[len(failed)])
            assert "cannot be written: No space left" in str(error)
            assert contents(client) == before
        else:
            break
    assert {
        "0041.lab", "0041000000.lgo", "0041000002.lgo", "0041000000.bmp", "CharacterInfo.BIN", "characterinfo.txt", "characteraction.TX",
    } <= set(failed)  # fmt: skip


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(("encoding", "mark"), [("gb18030", b""), ("utf-8", b""), ("utf-8", b"\xef\xbb\xbf")])
def test_a_name_is_written_in_the_encoding_of_its_list(client: Path, encoding: str, mark: bytes, end: str) -> None:
    path = client / "Scripts/table/characterinfo.txt"
    text = path.read_bytes().decode().replace("Small Crab", "小螃蟹").replace("\r\n", end)
    path.write_bytes(mark + text.encode(encoding))
    actions = client / "Scripts/TXT/characteraction.TX"
    actions.write_bytes(mark + actions.read_bytes())
    (client / "Scripts/table/CharacterInfo.BIN").unlink()
    before = path.read_bytes()
    assert character_info.recognise(before, len(before))
    assert copy_character(client, "小螃蟹", CharacterOptions(number=41, id=12, name="卫士 é")).action_type == 8
    after = path.read_bytes()
    line = next(line for line in after.splitlines(keepends=True) if line.startswith(b"12\t"))
    assert after.replace(line, b"") == before
    assert line.split(b"\t")[1] == "卫士 é".encode(encoding)
    assert line.endswith(b"\r\n") == (end == "\r\n")
    assert [choice.name for choice in characters(client, "41")] == ["卫士 é"]


@pytest.mark.parametrize(
    ("entry", "options", "problem"),
    [
        ("Big Crab", {"number": 1}, "number 1 of a skeleton is taken: 2 is free"),
        ("Big Crab", {"id": 200}, "number 200 of a character is taken: 201 is free"),
        ("Big Crab", {"action_type": 7}, "number 7 of a type of actions is taken: 8 is free"),
        ("Big Crab", {"name": "x" * 32}, "takes 32 bytes; the file has room for 31: shorten it"),
        ("*", {}, r"\* means 3 characters"),
        ("", {}, "no character is named"),
        ("nobody", {}, "no character is called nobody"),
        ("Big Crab", {"like": "nobody"}, "no character is called nobody"),
    ],
)
def test_what_is_refused_changes_nothing(client: Path, entry: str, options: dict, problem: str) -> None:
    before = contents(client)
    with pytest.raises(RetroAnimError, match=problem):
        copy_character(client, entry, CharacterOptions(**options))
    assert contents(client) == before


def test_no_client(tmp_path: Path) -> None:
    with pytest.raises(RetroAnimError, match="no client's folder"):
        copy_character(tmp_path, "88", CharacterOptions())


def test_a_player_becomes_a_character_of_its_own(client: Path) -> None:
    with log.collect() as said:
        result = copy_character(client, "Strong Guy", CharacterOptions(number=41))
    record = (client / "Scripts/table/CharacterInfo.BIN").read_bytes()[-RECORD:]
    assert record[161] == 4 and struct.unpack_from("<11H", record, 164) == (41, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0)
    assert result.name == "Strong Guy" and any("is a player" in line for line in said.digest("INFO"))
    assert sorted(path.name for path in client.rglob("0041*")) == [
        "0041.lab", "0041000000.BMP", "0041000000.lgo", "0041000001.bmp", "0041000001.lgo", "0041000004.lgo",
    ]  # fmt: skip


def test_a_list_that_ends_too_early_is_named(client: Path) -> None:
    table = client / "Scripts/table/CharacterInfo.BIN"
    cut = table.read_bytes()[:100]
    table.write_bytes(cut)
    with log.collect() as said:
        copy_character(client, "7", CharacterOptions(number=41))
    assert any("CharacterInfo.BIN has no row" in message.text for message in said.of("WARNING"))
    assert table.read_bytes() == cut


def test_info_lists_the_characters_of_the_list_and_not_of_its_backup(client: Path) -> None:
    copy_character(client, "Big Crab", CharacterOptions(number=41, name="Guard"))
    table = client / "Scripts/table/CharacterInfo.BIN"
    assert "Guard" in [each["character"] for each in listed(table)["contents"]]
    assert listed(backup_of(table)) == {}
