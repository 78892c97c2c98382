"""What all commands share of their arguments: numbers of processes, the version, and what is not for the file at hand."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from support.mindpower import mindpower_files

from .conftest import Ran

Run = Callable[..., Ran]
MANIFEST = Path(__file__).resolve().parents[2] / "blender_manifest.toml"


@pytest.mark.parametrize("command", [("verify",), ("convert", "-o", "out/"), ("library", "-o", "out.blend")])
@pytest.mark.parametrize("number", ["-3", "0", "2.5", "many", "1" * 30])
def test_processes_that_are_no_number_of_them(run: Run, chain: Path, command: tuple[str, ...], number: str) -> None:
    ran = run(command[0], chain, *command[1:], f"--jobs={number}")
    assert (ran.code, ran.out) == (2, "")
    assert ran.errors[-1].endswith(f"{number} is no number of processes: give 1 or more")


@pytest.mark.parametrize(
    "command",
    [
        ("archive", "list", ""),
        ("archive", "replace", "a.hqr", "0", ""),
        ("changes", ""),
        ("character", "copy", "", "--number", "900"),
        ("info", ""),
        ("library", "", "-o", "out.blend"),
        ("pictures", "", "-o", "out/"),
        ("pose", "", "--frame", "0"),
        ("verify", "a.anm", ""),
    ],
)
def test_a_name_that_is_empty_is_wrong_usage(run: Run, command: tuple[str, ...]) -> None:
    """As of a variable in a script that is not set."""
    ran = run(*command)
    assert (ran.code, ran.out) == (2, "")
    assert ran.errors[-1].endswith(": the name of a file is empty")


@pytest.mark.parametrize("command", ["library", "pictures"])
def test_games_may_be_named_with_wildcards(command: str, tmp_path: Path) -> None:
    from retro_anim.cli.main import parser  # as `run` does

    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    arguments = parser([command]).parse_args([command, f"{tmp_path}/*", "-o", "out.blend"])
    assert arguments.files == [str(tmp_path / "one"), str(tmp_path / "two")]


def test_the_version(run: Run) -> None:
    ran = run("--version")
    version = tomllib.loads(MANIFEST.read_text(encoding="utf-8"))["version"]
    assert (ran.code, ran.out, ran.err) == (0, f"retro-anim {version}\n", "")


def test_a_game_of_files_that_are_of_one_alone(run: Run, chain: Path, tmp_path: Path) -> None:
    lab = tmp_path / "x.lab"
    lab.write_bytes(mindpower_files.arm(2))
    plain, given = run("pose", lab, "--frame", 0), run("pose", lab, "--frame", 0, "--game", "lba1")
    assert (given.code, given.out) == (0, plain.out)
    assert "Tales of Pirates: its files are of no other game" in given.err and given.err != plain.err
    assert "of no other game" not in run("pose", chain / "chain.anm", "--frame", 0, "--game", "lba1").err


def test_a_range_that_goes_beyond_the_last_entry(run: Run, chain: Path, tmp_path: Path) -> None:
    """What is there of it is meant, which is said, so that a slip of the finger is seen."""
    beyond = run("archive", "extract", chain / "chain.hqr", "3-99999999999", "-o", tmp_path / "beyond")
    assert (beyond.code, [path.name for path in (tmp_path / "beyond").iterdir()]) == (0, ["chain_3.lm1"])
    assert "entries 3-99999999999: the archive has 4, counted from 0, and those from 3 to 3 are meant" in beyond.err
    assert run("archive", "extract", chain / "chain.hqr", "3", "-o", tmp_path / "exact").err == ""
