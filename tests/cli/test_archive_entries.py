"""`archive list`, `extract`, `replace`, `add` and `blank`: entries of any kind, by bytes that were taken apart here by hand."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.lba import lba1_chain
from support.oni2.oni2_files import dave

Run = Callable[..., Any]


def stored(path: Path) -> list[tuple[int, bytes] | None]:
    """Method and packed bytes of each slot, None for a blank one: read without the package."""
    data = path.read_bytes()
    table = [value for (value,) in struct.iter_unpack("<I", data[: 4 * slots_in(data)])]
    entries: list[tuple[int, bytes] | None] = []
    for offset in table[:-1]:
        _, size, method = struct.unpack_from("<IIH", data, offset)
        entries.append((method, data[offset + 10 : offset + 10 + size]) if offset else None)
    assert table[-1] == len(data)
    return entries


def slots_in(data: bytes) -> int:
    return min(value for value in struct.unpack_from("<8I", data) if value) // 4


@pytest.fixture
def path(chain: Path) -> Path:
    return chain / "chain.hqr"


def test_list_says_kind_size_and_compression(run: Run, path: Path) -> None:
    ran = run("archive", "list", path)
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "0: LBA1 body, 362 bytes, plain 362",
        "1: LBA animation, 200 bytes, LZSS 99",
        "2: blank",
        "3: LBA1 body, 362 bytes, LZMIT 168",
    ]
    entries = run("archive", "list", path, "--json").json["entries"]
    assert [entry.get("blank", False) for entry in entries] == [False, False, True, False]
    assert entries[1]["size"] == 200


def test_extract_one_or_all(run: Run, path: Path, tmp_path: Path) -> None:
    assert run("archive", "extract", path, "3", "-o", tmp_path / "one.lm1").code == 0
    assert (tmp_path / "one.lm1").read_bytes() == lba1_chain.LM1
    assert run("archive", "extract", path, "-o", tmp_path / "all").code == 0
    names = {file.name: file.read_bytes() for file in (tmp_path / "all").iterdir()}
    assert names == {"chain_0.lm1": lba1_chain.LM1, "chain_1.anm": lba1_chain.ANM, "chain_3.lm1": lba1_chain.LM1}
    again = run("archive", "extract", path, "-o", tmp_path / "all")
    assert again.code == 1 and "is there already" in again.err
    assert run("archive", "extract", path, "-o", tmp_path / "all", "--overwrite").code == 0


def test_an_entry_is_not_extracted_over_another_file(run: Run, path: Path, tmp_path: Path) -> None:
    other = tmp_path / "OTHER.HQR"
    other.write_bytes(path.read_bytes())
    refused = run("archive", "extract", path, "3", "-o", other)
    assert refused.code == 1 and len(refused.err.splitlines()) == 1 and "OTHER.HQR: is there already" in refused.err
    assert other.read_bytes() == path.read_bytes()
    assert run("archive", "extract", path, "3", "-o", other, "--overwrite").code == 0
    assert run("archive", "extract", path, "3", "-o", other).code == 0  # the same bytes are there already
    assert other.read_bytes() == lba1_chain.LM1


def test_replace_changes_one_entry_and_keeps_its_compression(run: Run, path: Path, tmp_path: Path) -> None:
    before = stored(path)
    sound = tmp_path / "sound.voc"
    sound.write_bytes(b"no kind that is read " * 40)
    ran = run("archive", "replace", path, "3", sound)
    assert ran.code == 0 and ran.out == f"replaced: {path}#3\n"
    assert "was an LBA1 body, and holds data of an unknown kind" in ran.err
    after = stored(path)
    assert after[:3] == before[:3] and after[3] is not None and after[3][0] == 2 and len(after[3][1]) < 200
    assert run("archive", "extract", path, "3", "-o", tmp_path / "back.voc").code == 0
    assert (tmp_path / "back.voc").read_bytes() == sound.read_bytes()
    assert path.with_name("chain.hqr.bak").read_bytes() == lba1_chain.HQR
    assert run("archive", "replace", path, "3", sound, "--method", "plain").code == 0
    assert stored(path)[3] == (0, sound.read_bytes())


def test_an_entry_of_another_archive_is_a_source(run: Run, path: Path) -> None:
    other = path.with_name("other.hqr")
    other.write_bytes(lba1_chain.HQR)
    assert run("archive", "replace", path, "2", f"{other}#1", "--method", "lzss").code == 0
    entry = stored(path)[2]
    assert entry is not None and entry[0] == 1
    assert other.read_bytes() == lba1_chain.HQR


def test_add_puts_entries_behind_the_last_in_one_step(run: Run, path: Path, chain: Path) -> None:
    before = stored(path)
    ran = run("archive", "add", path, chain / "chain.anm", chain / "chain.lm1", "--method", "lzmit")
    assert ran.out.splitlines() == [f"added: {path}#4", f"added: {path}#5"]
    after = stored(path)
    assert after[:4] == before and [entry[0] for entry in after[4:] if entry] == [2, 2]
    failed = run("archive", "add", path, chain / "chain.anm", chain / "none.lm1")
    assert failed.code == 1 and stored(path) == after, "all or nothing"


def test_blank_moves_nothing(run: Run, path: Path) -> None:
    before = stored(path)
    assert run("archive", "blank", path, "0,3").code == 0
    assert stored(path) == [None, before[1], None, None]
    assert run("archive", "list", path).out.splitlines()[0] == "0: blank"


def test_a_copy_keeps_what_it_shared(run: Run, path: Path, chain: Path) -> None:
    """Slots 0 and 3 show one entry: replacing one leaves the other as it is, blanking too."""
    table = struct.unpack_from("<5I", lba1_chain.HQR)
    end = table[3]
    data = struct.pack("<5I", table[0], table[1], 0, table[0], end) + lba1_chain.HQR[20:end]
    path.write_bytes(data)
    ran = run("archive", "replace", path, "3", chain / "chain.anm")
    assert ran.code == 0 and "was the same as 0" in ran.err
    first = stored(path)[0]
    assert first == (0, lba1_chain.LM1)
    path.write_bytes(data)
    assert run("archive", "blank", path, "0").code == 0
    assert stored(path)[3] == (0, lba1_chain.LM1)


def test_of_several_entries_the_blank_ones_are_left_out(run: Run, path: Path, tmp_path: Path) -> None:
    """Most ranges of a game's archive have some; named alone, one is refused."""
    ran = run("archive", "extract", path, "1-3", "-o", tmp_path / "some")
    assert ran.code == 0 and ran.errors == [f"{path}: blank, and left out: 2"]
    assert sorted(file.name for file in (tmp_path / "some").iterdir()) == ["chain_1.anm", "chain_3.lm1"]


def test_what_cannot_be_is_one_line_and_nothing_changes(run: Run, path: Path, chain: Path) -> None:
    for arguments, problem in (
        (("replace", path, "9", chain / "chain.anm"), "there is no entry 9"),
        (("replace", path, "1", chain / "chain.anm", "--method", "zip"), "no compression is called zip"),
        (("extract", path, "2"), "entry 2 is blank"),
        (("blank", path, "7"), f"{path}: there is no entry 7"),
        (("extract", path, "walk"), f"{path}: no entry is called walk"),
        (("list", chain / "chain.anm"), "is no archive"),
    ):
        ran = run("archive", *arguments)
        assert ran.code == 1 and problem in ran.err and len(ran.errors) == 1, ran.err
    assert path.read_bytes() == lba1_chain.HQR


def test_a_damaged_entry_harms_no_other(run: Run, path: Path, chain: Path) -> None:
    path.write_bytes(lba1_chain.BAD_METHOD)
    ran = run("archive", "list", path)
    assert ran.code == 1 and "unknown compression method 3" in ran.err
    assert run("archive", "add", path, chain / "chain.anm").code == 0
    assert path.read_bytes().startswith(struct.pack("<II", 12, 12 + 11))


def test_lzmit_where_only_lzss_was_is_told(run: Run, chain: Path) -> None:
    from retro_anim.core.lba.files.archive.hqr import Hqr

    path = chain / "anim.hqr"
    path.write_bytes(Hqr.empty().with_entry(0, lba1_chain.ANM, 1).pack())
    ran = run("archive", "add", path, chain / "chain.anm", "--method", "lzmit")
    assert ran.code == 0 and "Little Big Adventure 1 cannot read that" in ran.err


def test_names_that_are_one_file_elsewhere(run: Run, tmp_path: Path) -> None:
    """Letter case, devices and what no system takes: every entry has a file of its own."""
    path, out = tmp_path / "RB.DAT", tmp_path / "out"
    path.write_bytes(dave({"Walk.x": b"1", "walk.x": b"2", "con.x": b"3", "a:b\x1b.x": b"4", "y" * 300 + ".x": b"5"}))
    assert run("archive", "extract", path, "-o", out).code == 0
    files = {file.name: file.read_bytes() for file in out.iterdir()}
    assert files == {"Walk.x": b"1", "walk.001.x": b"2", "_con.x": b"3", "a_b_.x": b"4", "y" * 240 + ".x": b"5"}


def test_what_is_no_animation_is_none_in_the_game_s_own_archive_too(run: Run, path: Path, tmp_path: Path) -> None:
    own, odd = tmp_path / "ANIM.HQR", tmp_path / "odd"
    own.write_bytes(path.read_bytes())
    odd.write_bytes(b"abc")
    assert run("archive", "add", own, odd).code == 0
    assert run("archive", "list", own).out.splitlines()[-1] == "4: unknown, 3 bytes, plain 3"
    assert run("archive", "extract", own, "4", "-o", tmp_path / "all").code == 0
    assert [file.name for file in (tmp_path / "all").iterdir()] == ["ANIM_4.bin"]
    assert "ANIM.HQR#1 was an LBA animation, and holds data of an unknown kind now" in run("archive", "replace", own, "1", odd).err


def test_entries_are_named_behind_a_number_sign_too(run: Run, path: Path, tmp_path: Path) -> None:
    """As everywhere else on the command line."""
    before = stored(path)
    assert run("archive", "extract", f"{path}#3", "-o", tmp_path / "one.lm1").code == 0
    assert (tmp_path / "one.lm1").read_bytes() == lba1_chain.LM1
    assert run("archive", "replace", f"{path}#0", f"{path}#3", "--method", "plain").out.splitlines() == [f"replaced: {path}#0"]
    assert run("archive", "blank", f"{path}#3").code == 0
    assert stored(path) == [(0, lba1_chain.LM1), *before[1:3], None]
    for command, reason in (
        (("replace", path, tmp_path / "one.lm1"), f"{path}: name the entry that it replaces, as {path}#0"),
        (("blank", path), f"{path}: name the entries that become blank, as {path}#0"),
        (("blank", f"{path}#0", "1"), f"{path}#0 names an entry already, so 1 is one too many"),
    ):
        ran = run("archive", *command)
        assert ran.code == 1 and reason in ran.err


def test_what_the_game_would_take_for_something_else_is_said(run: Run, path: Path, tmp_path: Path) -> None:
    """A new entry, or a blank one that is filled, in an archive whose entries are all of one kind by its name; an archive of any other name
    may hold anything."""
    own, body, anm = tmp_path / "ANIM.HQR", tmp_path / "hero.lm1", tmp_path / "walk.anm"
    own.write_bytes(path.read_bytes())
    body.write_bytes(lba1_chain.LM1)
    anm.write_bytes(lba1_chain.ANM)
    wrong = "holds an LBA1 body; the game takes every entry of ANIM.HQR for an animation"
    assert f"ANIM.HQR#4 {wrong}" in run("archive", "add", own, body).err
    assert f"ANIM.HQR#2 {wrong}" in run("archive", "replace", own, "2", body).err
    assert run("archive", "add", own, anm).err == "" == run("archive", "add", path, body, anm).err


def test_list_says_what_people_call_the_entries(run: Run, path: Path) -> None:
    """Of whatever kind they are, blank ones too; by the list that lies beside."""
    names = ["a body", "", "nobody", "another", "behind the last"]
    path.with_name("chain.hqr.json").write_text(json.dumps({"entries": [{"description": name} for name in names]}), encoding="utf-8")
    assert run("archive", "list", path).out.splitlines() == [
        "0: a body: LBA1 body, 362 bytes, plain 362",
        "1: LBA animation, 200 bytes, LZSS 99",
        "2: nobody: blank",
        "3: another: LBA1 body, 362 bytes, LZMIT 168",
    ]
    assert [entry.get("called") for entry in run("archive", "list", path, "--json").json["entries"]] == [
        "a body",
        None,
        "nobody",
        "another",
    ]


def test_what_people_call_an_entry_is_its_name_everywhere(run: Run, path: Path, tmp_path: Path) -> None:
    path.with_name("chain.hqr.json").write_text(
        json.dumps({"entries": [{"description": name} for name in ("a body", "walk, slow", "", "a body")]}), encoding="utf-8"
    )
    before = stored(path)
    for arguments, code in (
        (("info", f"{path}#walk, slow"), 0),
        (("archive", "extract", f"{path}#Walk, slow", "-o", tmp_path / "walk.anm"), 0),
        (("archive", "blank", path, "walk, slow"), 0),
        (("archive", "restore", path, "walk*"), 0),
        (("archive", "replace", f"{path}#a body", tmp_path / "walk.anm"), 1),
        (("info", f"{path}#walk, fast"), 1),
    ):
        ran = run(*arguments)
        assert ran.code == code, ran.err
    assert ran.errors == [f"{path}: no entry is called walk, fast: did you mean walk, slow?"]
    assert run("archive", "extract", path, "a body", "-o", tmp_path / "two").code == 0
    assert sorted(file.name for file in (tmp_path / "two").iterdir()) == ["chain_0.lm1", "chain_3.lm1"]
    assert (tmp_path / "walk.anm").read_bytes() == lba1_chain.ANM and stored(path) == before


def resources(path: Path) -> Path:
    """A RESS.HQR of the second game whose entry 44, the only one, lists 345 characters: number 15 has the body 26 and the animation 207,
    all others 7 and 12."""

    def entity(body: int, animation: int) -> bytes:
        return struct.pack("<BBBhB", 1, 0, 4, body, 0) + struct.pack("<BHBhB", 3, 0, 4, animation, 0) + b"\xff"

    first = 4 * 346
    starts = [first if number < 15 else first + 14 if number == 15 else first + 28 for number in range(345)]
    listed = struct.pack("<346I", *starts, first + 42) + entity(7, 12) + entity(26, 207) + entity(7, 12)
    path.write_bytes(struct.pack("<46I", *[0] * 44, 184, 194 + len(listed)) + struct.pack("<IIH", len(listed), len(listed), 0) + listed)
    return path


def test_characters_of_the_second_game_by_name(run: Run, tmp_path: Path) -> None:
    """The list of them is an entry, and they are none of the archive's own."""
    path = resources(tmp_path / "RESS.HQR")
    (facts,) = run("info", f"{path}#zo\xe9", "--json").json["files"]
    assert (facts["format"], facts["game"], facts["bodies"], facts["animations"]) == ("ENTITY", "lba2", [26], [207])
    assert run("verify", f"{path}#Twinsen, normal", "--json").json["identical"] == 1
    assert run("info", f"{path}#44").out.startswith(f"{path}#44: format ENTITIES")
    ran = run("info", f"{path}#Twinson, normal", f"{path}#Zo*", f"{path}#345")
    assert ran.errors == [
        f"{path}: no entry is called Twinson, normal: did you mean Twinsen, normal; Twinsen, car; Twinsen, X-rayed?",
        f"{path}: Zo* means 2 characters, not one",
        f"{path}: there is no entry 345; the archive has 45, counted from 0",
    ]


def cut_off(path: Path) -> bytes:
    """Three entries of 20 bytes, of which only the first begins in the file: after a table of 16 bytes 15 of it are there."""
    starts = [16, 46, 76]
    data = struct.pack("<4I", *starts, 106) + b"".join(struct.pack("<IIH", 20, 20, 0) + letter * 20 for letter in (b"a", b"b", b"c"))
    path.write_bytes(data[:31])
    return data[:31]


def test_an_archive_is_read_once_before_it_is_written(run: Run, tmp_path: Path) -> None:
    """Without its first entry nothing says where the table of one ends that is cut off; with the others blank, too, it is whole."""
    path = tmp_path / "cut.HQR"
    before = cut_off(path)
    ran = run("archive", "blank", path, "0")
    assert ran.code == 1 and ran.out == "" and len(ran.errors) == 1
    assert ran.err.startswith(f"{path}: it could not be read any more with that (not an HQR archive: ")
    assert ran.err.rstrip().endswith("make entries that lie outside of the file blank first")
    assert path.read_bytes() == before and not path.with_name("cut.HQR.bak").exists()
    assert run("archive", "blank", path, "0-2").code == 0
    assert path.read_bytes() == struct.pack("<4I", 0, 0, 0, 16)
    assert run("archive", "list", path).out.splitlines() == ["0: blank", "1: blank", "2: blank"]
