"""`info`: the facts about a file and about an archive's entries."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.lba import lba1_chain, lba2_chain

from .conftest import Ran, archive

SAMPLES = Path(__file__).resolve().parent.parent.parent / "samples"
Run = Callable[..., Ran]


def test_an_animation(run: Run, chain: Path) -> None:
    facts = run("info", chain / "chain.anm", "--json").json["files"][0]
    assert (facts["format"], facts["game"], facts["size"]) == ("ANM", "lba1", 200)
    assert (facts["bones"], facts["frames"], facts["keys"], facts["loop"], facts["duration"]) == (5, 4, 20, 1, 0.6)


def test_the_game_can_be_said(run: Run, chain: Path) -> None:
    facts = run("info", chain / "chain.anm", "--game", "lba2", "--json").json["files"][0]
    assert (facts["game"], facts["duration"]) == ("lba2", 0.03)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("*.lm1", ["chain.lm1", "other.lm1"]),
        ("ch*.[hl]*", ["chain.hqr", "chain.lm1"]),
        ("*.hqr#1", ["chain.hqr#1"]),
        ("[1].anm", ["[1].anm"]),
    ],
)
def test_names_with_wildcards(run: Run, chain: Path, name: str, wanted: list[str]) -> None:
    """As a shell that looks none up gives them; a file that is called just so is meant itself."""
    shutil.copy(chain / "chain.lm1", chain / "other.lm1")
    shutil.copy(chain / "chain.anm", chain / "[1].anm")
    shutil.copy(chain / "chain.anm", chain / "1.anm")
    files = run("info", chain / name, "--json").json["files"]
    assert [Path(facts["path"]).name for facts in files] == wanted
    assert run("verify", chain / name).out.startswith(f"{len(wanted)} file")


def test_names_that_mean_nothing(run: Run, chain: Path) -> None:
    ran = run("info", chain / "*.lab")
    assert (ran.code, ran.errors) == (1, [f"{chain / '*.lab'}: No such file or directory"])
    ran = run("info", "")
    assert (ran.code, ran.errors[-1]) == (2, "retro-anim info: error: argument FILE: the name of a file is empty")


def test_a_body(run: Run, chain: Path) -> None:
    facts = run("info", chain / "chain.lm1", "--json").json["files"][0]
    counts = [facts[name] for name in ("bones", "points", "normals", "polygons", "lines", "spheres")]
    assert (facts["format"], counts) == ("LM1", [5, 11, 1, 3, 1, 1])


def test_an_archive_lists_its_entries(run: Run, chain: Path) -> None:
    facts = run("info", chain / "chain.hqr", "--json").json["files"][0]
    assert (facts["format"], facts["entries"], facts["blank"]) == ("HQR", 4, 1)
    entries = [(entry["index"], entry["format"], entry["method"], entry["size"], entry["packed_size"]) for entry in facts["contents"]]
    assert entries == [(0, "LM1", "plain", 362, 362), (1, "ANM", "LZSS", 200, 99), (3, "LM1", "LZMIT", 362, 168)]


def test_a_damaged_entry_does_not_hide_the_others(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "some.hqr"
    path.write_bytes(bytes.fromhex("08000000 13000000 01000000 01000000 0300 00"))
    ran = run("info", path, "--json")
    assert (ran.code, len(ran.json["files"][0]["contents"])) == (1, 1)
    assert ran.errors == [f"{path}#0: entry 0 has unknown compression method 3 (offset 0x10)"]


def test_a_body_of_lba2(run: Run, tmp_path: Path) -> None:
    for name in ("body.lm2", "body.bin", "body.lm1"):
        (tmp_path / name).write_bytes(lba2_chain.LM2)
        ran = run("info", tmp_path / name, "--json")
        if name == "body.lm1":
            assert (ran.code, "LBA2 body (LM2)" in ran.errors[0]) == (1, True)
            continue
        facts = ran.json["files"][0]
        counts = [facts[name] for name in ("bones", "points", "normals", "polygons", "lines", "spheres", "textures")]
        assert (facts["format"], facts["game"], counts) == ("LM2", "lba2", [5, 11, 13, 10, 1, 2, 3])
    (tmp_path / "BODY.HQR").write_bytes(archive(lba2_chain.LM2))
    assert run("info", tmp_path / "BODY.HQR", "--json").json["files"][0]["contents"][0]["format"] == "LM2"
    assert run("verify", tmp_path / "BODY.HQR", "--json").json["identical"] == 1


@pytest.mark.parametrize(
    ("beside", "anm", "game"),
    [
        ({}, lba1_chain.ANM, "lba1"),
        ({}, lba1_chain.ANM[:6] + b"\0\0" + lba1_chain.ANM[8:], "lba2"),
        ({"FILE3D.HQR": archive(b"\xff")}, lba1_chain.ANM[:6] + b"\0\0" + lba1_chain.ANM[8:], "lba1"),
        ({"some.lm1": lba1_chain.LM1}, lba1_chain.ANM[:6] + b"\0\0" + lba1_chain.ANM[8:], "lba1"),
        ({"walk.lm2": b"", "FILE3D.HQR": archive(b"\xff")}, lba1_chain.ANM, "lba2"),
    ],
)
def test_the_game_is_found_out(run: Run, tmp_path: Path, beside: dict[str, bytes], anm: bytes, game: str) -> None:
    for name, data in {"walk.anm": anm, **beside}.items():
        (tmp_path / name).write_bytes(data)
    facts = run("info", tmp_path / "walk.anm", "--json").json["files"][0]
    assert facts["game"] == game, facts["game_because"]


def test_a_method_2_entry_means_lba2(run: Run, tmp_path: Path) -> None:
    literals = b"".join(b"\xff" + lba1_chain.ANM[start : start + 8] for start in range(0, len(lba1_chain.ANM), 8))
    (tmp_path / "some.hqr").write_bytes(archive(literals, method=2, claim=len(lba1_chain.ANM)))
    assert run("info", tmp_path / "some.hqr", "--json").json["files"][0]["contents"][0]["game"] == "lba2"


def test_the_games_own_files(run: Run, game_data: Path) -> None:
    files = run("info", game_data / "lba1", "--json").json["files"]
    assert [Path(file["path"]).name for file in files] == ["ANIM.HQR", "BODY.HQR", "FILE3D.HQR", "RESS.HQR"]
    walk = next(entry for entry in files[0]["contents"] if entry["index"] == 1)
    assert (walk["bones"], walk["frames"], walk["duration"], walk["loop"]) == (21, 5, 0.72, 1)
    once = next(entry for entry in files[0]["contents"] if entry["index"] == 178)
    assert once["loop"] is None
    assert "played once" in once["warnings"][0]


def test_text_is_a_line_for_each_file_and_entry(run: Run, chain: Path) -> None:
    lines = run("info", chain).out.splitlines()
    assert len(lines) == 6
    assert lines[0].startswith(f"{chain / 'chain.anm'}: format ANM")


@pytest.mark.parametrize("command", ["info", "verify"])
@pytest.mark.parametrize("gone", ["chain", "chain/sub"])
def test_a_folder_that_vanishes_while_it_is_read(run: Run, chain: Path, command: str, gone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line for it, and what else was asked for is shown."""
    (chain / "sub").mkdir()
    (chain.parent / "other.anm").write_bytes(lba1_chain.ANM)
    lost, scandir = chain.parent / gone, os.scandir

    def scan(path: Any) -> Any:
        if str(path) == str(lost) and lost.exists():
            shutil.rmtree(lost)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", scan)
    ran = run(command, chain, chain.parent / "other.anm", "--json")
    assert (ran.code, ran.err) == (1, f"{lost}: No such file or directory\n")
    files = 1 if gone == "chain" else 4
    assert ran.json["files"] == files + 1 if command == "verify" else len(ran.json["files"]) == files
    assert [failed["path"] for failed in ran.json["failed"]] == [str(lost)]


def test_a_folder_that_nobody_may_look_into(run: Run, chain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (chain / "sub").mkdir()
    scandir, access = os.scandir, os.access

    def scan(path: Any) -> Any:
        if str(path) == str(chain / "sub"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", scan)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != chain / "sub" and access(path, mode))
    ran = run("verify", chain)
    assert (ran.code, ran.err) == (1, f"{chain / 'sub'}: is a folder that you have no right to read\n")


@pytest.mark.parametrize("command", ["info", "verify"])
def test_a_folder_without_files_is_told(run: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    ran = run(command, tmp_path)
    assert ran.code == 0
    assert ran.err == f"{tmp_path}: no file of a known format below this folder\n"


LOOKED_AT = ("lba1/walk.anm", "oni/TRAMmannequin_walk.oni", "mindpower/animation/0001.lab")


def _loaded_by(file: str) -> set[str]:
    """The modules that `info` of a sample loads, but for those that numpy does."""
    code = (
        "import sys, numpy; numpys = set(sys.modules); from retro_anim.cli.main import main; code = main(sys.argv[1:]); "
        "print('LOADED', *set(sys.modules) - numpys); sys.exit(code)"
    )
    command = [sys.executable, "-P", "-c", code, "info", str(SAMPLES / file)]
    out = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout
    return set(out.partition("LOADED")[2].split())


@pytest.mark.parametrize("file", LOOKED_AT)
def test_a_file_loads_what_opens_it_alone(file: str) -> None:
    """No other game, no other command, no Blender."""
    game = {"lba1": "lba"}.get(file.partition("/")[0], file.partition("/")[0])
    loaded = {name.removeprefix("retro_anim.") for name in _loaded_by(file) if name.startswith("retro_anim.")}
    assert f"core.{game}.formats" in loaded
    assert not [name for name in loaded if name.endswith(".formats") and name not in ("core.formats", f"core.{game}.formats")]
    assert {name for name in loaded if name.startswith("cli.")} == {
        f"cli.{name}" for name in ("commands", "commands.info", "declared", "inputs", "interpretations", "main", "report")
    }


@pytest.mark.parametrize("file", [*LOOKED_AT, "oni2/Entity/mannequin/mannequin_walk.anim"])
def test_a_file_loads_no_library_that_looking_needs_not(file: str) -> None:
    """Each takes as long as several of our own modules: OpenSSL, numpy's masked arrays, text in JSON."""
    assert not _loaded_by(file) & {"hashlib", "_hashlib", "numpy.ma", "json"}
