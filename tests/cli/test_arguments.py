"""What all commands share of their arguments: numbers of processes, the version, and what is not for the file at hand."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from support.mindpower import mindpower_files

from .conftest import Ran

Run = Callable[..., Ran]
GAME_IS_UNUSED = "--game is not used: it is for files of Little Big Adventure 1 and 2 that are opened"
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
    assert given.errors == [*plain.errors, GAME_IS_UNUSED]
    assert run("info", lab, "--game", "lba1").errors == [GAME_IS_UNUSED]
    assert run("info", lab, chain, "--game", "lba1").errors == []
    assert GAME_IS_UNUSED not in run("pose", chain / "chain.anm", "--frame", 0, "--game", "lba1").err


@pytest.mark.parametrize(
    ("options", "opened", "out", "said"),
    [
        (["--keys", "quat"], ["x.lab"], "a.anm", ["--keys is not used: it is for files of Tales of Pirates that are written"]),
        (["--keys", "quat", "--overwrite"], ["chain/chain.anm"], "a.lab", []),
        (["--game", "lba1", "--look", "game"], ["x.lab", "chain/chain.hqr#0"], "a.glb", []),
        (["--game", "lba1"], ["gone.anm"], "a.glb", []),
        (["--skeleton", "a"], ["a.bvh"], "a.anm", ["--skeleton is not used: it is for files of a game that are opened"]),
        (["--fps-from", "import"], ["a.blend"], "a.bvh", ["--fps-from is not used: it is for files of a game that are written"]),
        (["--parts", "3", "--assets"], ["x.lab"], "a.glb", ["--assets is not used: it is for .blend as output"]),
        (["--assets"], ["a.bvh"], "a.blend", ["--assets is not used: it is for files of a game that are opened"]),
        (["--oni2", "beta"], ["x.lab"], "a.anm", ["--oni2 is not used: it is for files of Oni 2"]),
        (["--oni2", "beta"], ["x.lab"], "a.anim", []),
        (["--godot"], ["x.lab"], "a.blend", ["--godot is not used: it is for .glb, .gltf, .fbx as output"]),
        (
            ["--jobs", "2", "--to", "glb"],
            ["x.lab"],
            "a.glb",
            ["--to is not used: it is for a folder as output", "--jobs is not used: it is for a folder as output"],
        ),
    ],
)
def test_options_that_nothing_takes_are_named(
    chain: Path, capsys: pytest.CaptureFixture[str], options: list[str], opened: list[str], out: str, said: list[str]
) -> None:
    from retro_anim.cli import unused
    from retro_anim.cli.main import parser

    (chain.parent / "x.lab").write_bytes(mindpower_files.arm(2))
    paths = [str(chain.parent / path) for path in opened]
    unused.report(parser(["convert"]).parse_args(["convert", *paths, "-o", out, *options]), paths, Path(out).suffix)
    assert capsys.readouterr().err.splitlines() == said


@pytest.mark.parametrize(
    ("options", "out", "said"),
    [
        (["--align", "rest", "--pose-frame", "3"], "a.glb", {"pose_frame"}),
        (["--pose-frame", "3"], "a.glb", set()),
        (["--source-pose", "a", "--pose-frame", "3"], "a.glb", {"pose_frame"}),
        (["--align", "frame", "--source-pose", "a", "--reference", "b"], "a.glb", {"source_pose", "reference"}),
        (["--reference", "b", "--target-pose", "a"], "a.glb", {"target_pose"}),
        (["--nla", "--actions", "walk*", "--keep-actions"], "a.anm", {"actions", "keep_actions"}),
        (["--keep-actions"], "a.blend", set()),
    ],
)
def test_options_of_retargeting_that_others_leave_without_effect(options: list[str], out: str, said: set[str]) -> None:
    from retro_anim.cli.commands import retarget
    from retro_anim.cli.main import parser

    arguments = parser(["retarget"]).parse_args(["retarget", "a.bvh", "--onto", "b.bvh", "-o", out, *options])
    assert {name for name, _ in retarget.unused_of(arguments, retarget.options_of(arguments).core.align)} == said


def test_a_range_that_goes_beyond_the_last_entry(run: Run, chain: Path, tmp_path: Path) -> None:
    """What is there of it is meant, which is said, so that a slip of the finger is seen."""
    beyond = run("archive", "extract", chain / "chain.hqr", "3-99999999999", "-o", tmp_path / "beyond")
    assert (beyond.code, [path.name for path in (tmp_path / "beyond").iterdir()]) == (0, ["chain_3.lm1"])
    assert "entries 3-99999999999: the archive has 4, counted from 0, and those from 3 to 3 are meant" in beyond.err
    assert run("archive", "extract", chain / "chain.hqr", "3", "-o", tmp_path / "exact").err == ""
