"""`verify`: what is counted, what is listed, and the exit code."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from retro_anim.core.lba.files.anm import Anm
from support.lba import lba1_chain

from .conftest import Ran, archive

Run = Callable[..., Ran]
NOTHING = {"files": 0, "entries": 0, "identical": 0, "skipped": 0, "different": [], "failed": []}


def test_a_folder(run: Run, chain: Path) -> None:
    (chain / "deeper").mkdir()
    (chain / "deeper" / "again.ANM").write_bytes(lba1_chain.ANM)
    (chain / "deeper" / "notes.txt").write_text("no game file\n" * 20)
    ran = run("verify", chain, "--json")
    assert ran.json == {**NOTHING, "files": 4, "entries": 6, "identical": 6, "skipped": 1}
    assert (ran.code, ran.err) == (0, "")


def test_a_file_by_several_names_is_counted_once(run: Run, chain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below a folder, by its name and by another one; two entries of it are two."""
    monkeypatch.chdir(chain)
    ran = run("verify", ".", "./chain.anm", chain / "chain.anm", "chain.anm", "--json")
    assert ran.json == run("verify", ".", "--json").json
    assert run("verify", "chain.hqr#0", "./chain.hqr#1", "chain.hqr#1", "--json").json == {
        **NOTHING,
        "files": 2,
        "entries": 2,
        "identical": 2,
    }


def test_one_entry(run: Run, chain: Path) -> None:
    assert run("verify", f"{chain / 'chain.hqr'}#1", "--json").json == {**NOTHING, "files": 1, "entries": 1, "identical": 1}


def test_a_path_as_it_stands_wins(run: Run, chain: Path) -> None:
    (chain / "chain.hqr#1").write_bytes(lba1_chain.LM1)
    assert run("info", chain / "chain.hqr#1", "--json").json["files"][0]["format"] == "LM1"


def test_other_kinds_are_skipped(run: Run, tmp_path: Path) -> None:
    (tmp_path / "RESS.HQR").write_bytes(archive(b"a sound", lba1_chain.ANM, bytes(307200)))
    assert run("verify", tmp_path, "--json").json == {**NOTHING, "files": 1, "entries": 1, "identical": 1, "skipped": 2}


def test_a_damaged_animation_in_anim_hqr_is_not_taken_for_another_kind(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "ANIM.HQR"
    path.write_bytes(archive(lba1_chain.ANM, lba1_chain.ANM[:-1]))
    ran = run("verify", path, "--json")
    assert (ran.code, ran.json["entries"], [failed["path"] for failed in ran.json["failed"]]) == (1, 1, [f"{path}#1"])


def test_a_difference_is_listed_with_its_offset(run: Run, chain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Anm, "pack", lambda self: lba1_chain.ANM[:12] + b"!" + lba1_chain.ANM[13:])
    ran = run("verify", chain / "chain.anm", chain / "chain.hqr", "--json")
    assert ran.json["different"] == [{"path": str(chain / "chain.anm"), "offset": 12}, {"path": f"{chain / 'chain.hqr'}#1", "offset": 12}]
    assert (ran.code, ran.json["identical"], len(ran.errors)) == (1, 2, 2)
    assert ran.errors[0] == f"{chain / 'chain.anm'}: packing it gives other bytes (offset 0xC)"


def test_an_archive_that_packs_differently_is_listed(run: Run, chain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from retro_anim.core.lba.files.archive.hqr import Hqr

    monkeypatch.setattr(Hqr, "pack", lambda self: lba1_chain.HQR + b"more")
    assert run("verify", chain / "chain.hqr", "--json").json["different"] == [
        {"path": str(chain / "chain.hqr"), "offset": len(lba1_chain.HQR)}
    ]


def test_the_games_own_files(run: Run, game_data: Path) -> None:
    ran = run("verify", game_data / "lba1", "--json")
    assert ran.json == {**NOTHING, "files": 4, "entries": 90, "identical": 90, "skipped": 694}
    assert ran.code == 0


def test_text_says_how_many(run: Run, chain: Path) -> None:
    assert run("verify", chain).out.startswith("3 files, 5 entries: 5 byte-identical, 0 different, 0 failed, 1 skipped")


def test_wrong_usage(run: Run) -> None:
    for arguments in ((), ("verify",), ("no such command",), ("verify", "--no-such-option", "x")):
        ran = run(*arguments)
        assert (ran.code, ran.out) == (2, "")


def test_much_data_is_shared_among_processes(run: Run, chain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same answers in the same order, and how far it is."""
    (chain / "cut.anm").write_bytes(lba1_chain.ANM[:50])
    (chain / "ANIM.HQR").write_bytes(archive(*[lba1_chain.ANM] * 700, lba1_chain.ANM[:-1]))
    alone = run("verify", chain, "--jobs", "1", "--json")
    from retro_anim.cli.commands import verify

    monkeypatch.setattr(verify, "LARGE", 1 << 10)
    monkeypatch.setattr(verify, "_PAUSE", 0.0)
    shared = run("verify", chain, "--jobs", "2", "--json")
    assert shared.json == alone.json and shared.code == alone.code == 1
    assert (alone.json["files"], alone.json["entries"], len(alone.json["failed"])) == (5, 705, 2)
    assert [line for line in shared.errors if not line.startswith("[")] == alone.errors
    progress = [line for line in shared.errors if line.startswith("[")]
    assert re.fullmatch(r"\[(\d+)/\1\] .*; 0:00 left", progress[-1])
