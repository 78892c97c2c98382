"""`library`: a whole game as one .blend of assets, made in parts that another run need not make again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy as blender
import pytest

bpy: Any = blender
SAMPLES = Path(__file__).parents[3] / "samples"
Part = Callable[[str], ModuleType]


def test_a_whole_game(part: Part, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "lba.blend"
    assert (
        part("cli.main").main(["library", str(SAMPLES / "lba1" / "FILE3D.HQR"), "-o", str(out), "--jobs", "1", "--bone-names", "known"])
        == 0
    )
    captured = capsys.readouterr()
    assert captured.out.splitlines()[-1] == str(out)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(out), assets_only=True) as (there, wanted):
        wanted.actions = there.actions
    known = dict(line.split(":")[:2] for line in (tmp_path / "blender_assets.cats.txt").read_text().splitlines() if line.count(":") == 2)
    assert len(wanted.actions) >= 3
    for action in wanted.actions:
        game, _, kind = known[action.asset_data.catalog_id].split("/")
        assert game == "Little Big Adventure 1 and 2" and kind == ("Loops" if action.use_cyclic else "Played Once")
        assert action.preview.image_size[0] == 128
    assert (
        part("cli.main").main(["library", str(SAMPLES / "lba1" / "FILE3D.HQR"), "-o", str(out), "--jobs", "1", "--bone-names", "known"])
        == 0
    )
    assert "1 of 1 are up to date" in capsys.readouterr().err


def test_convert_into_a_blend_of_assets(part: Part, tmp_path: Path) -> None:
    assert part("cli.main").main(["convert", str(SAMPLES / "lba1" / "walk.anm"), "-o", str(tmp_path / "walk.blend"), "--assets"]) == 0
    listed = (tmp_path / "blender_assets.cats.txt").read_text()
    with bpy.data.libraries.load(str(tmp_path / "walk.blend"), assets_only=True) as (there, wanted):
        wanted.actions = there.actions
    (action,) = wanted.actions
    assert f"{action.asset_data.catalog_id}:Little Big Adventure 1 and 2/mannequin/Loops:" in listed


def test_convert_into_a_folder_of_assets(part: Part, tmp_path: Path) -> None:
    """One list for all .blend in it."""
    out, command = tmp_path / "out", ["convert", str(SAMPLES / "lba1" / "FILE3D.HQR"), "--assets", "--to", "blend", "--jobs", "1"]
    assert part("cli.main").main([*command, "-o", f"{out}/"]) == 0
    listed = (out / "blender_assets.cats.txt").read_text()
    (blend,) = out.glob("*.blend")
    with bpy.data.libraries.load(str(blend), assets_only=True) as (there, wanted):
        wanted.actions = there.actions
    assert wanted.actions and all(f"{action.asset_data.catalog_id}:" in listed for action in wanted.actions)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "blender_assets.cats.txt").write_text("a list of cats")
    assert part("cli.main").main([*command, "-o", str(tmp_path / "other")]) == 1


@pytest.mark.parametrize("loose", [False, True])
def test_clips_of_no_character_in_parts(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loose: bool) -> None:
    """Of an archive or loose files: all clips once, under one name."""
    game, out = tmp_path / "game", tmp_path / "lba.blend"
    game.mkdir()
    names = ("idle.anm", "turn.anm", "walk.anm") if loose else ("ANIM.HQR",)
    for name in names:
        (game / name).write_bytes((SAMPLES / "lba1" / name).read_bytes())
    whole = part("cli.batch.tasks").tasks_of([str(game)])
    monkeypatch.setattr(part("cli.batch.tasks"), "PART", 1)
    parts = list(part("cli.batch.tasks").in_parts(whole))
    assert len(whole) == 1 and len(parts) >= 3 and len({task.folder for task in parts}) == len(parts)
    assert part("cli.main").main(["library", str(game), "-o", str(out), "--jobs", "1"]) == 0
    assert len(list((tmp_path / "lba_parts").rglob("*.blend"))) == len(parts)
    with bpy.data.libraries.load(str(out), assets_only=True) as (there, _):
        assert len(there.actions) == len(parts)
    figures = {line.split(":")[1].split("/")[1] for line in (tmp_path / "blender_assets.cats.txt").read_text().splitlines() if "/" in line}
    assert figures == {"Clips of No Character"}


def test_parts_of_two_games_in_one_folder(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many of one as of the other: each part has a folder of its own."""
    for name in ("lba1/idle.anm", "lba1/walk.anm", "oni/TRAMmannequin_idle.oni", "oni/TRAMmannequin_walk.oni"):
        (tmp_path / Path(name).name).write_bytes((SAMPLES / name).read_bytes())
    monkeypatch.setattr(part("cli.batch.tasks"), "PART", 1)
    parts = list(part("cli.batch.tasks").in_parts(part("cli.batch.tasks").tasks_of([str(tmp_path)])))
    assert len({task.folder for task in parts}) == len(parts) == 4


def test_a_game_that_has_changed_since(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other parts take the place of those that there were: every clip is there once."""
    game, out = tmp_path / "game", tmp_path / "lba.blend"
    game.mkdir()
    monkeypatch.setattr(part("cli.batch.tasks"), "PART", 1)
    for count, name in enumerate(("idle.anm", "turn.anm", "walk.anm"), 1):
        (game / name).write_bytes((SAMPLES / "lba1" / name).read_bytes())
        if count > 1:
            assert part("cli.main").main(["library", str(game), "-o", str(out), "--jobs", "1"]) == 0
    with bpy.data.libraries.load(str(out), assets_only=True) as (there, _):
        assert sorted(there.actions) == ["idle", "turn", "walk"]


def test_another_file_is_not_replaced(part: Part, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither somebody's own .blend, nor what is called as Blender's list of catalogues; nothing is converted first."""
    out, listed = tmp_path / "lba.blend", tmp_path / "blender_assets.cats.txt"
    bpy.ops.wm.save_as_mainfile(filepath=str(out), copy=True)
    command = ["library", str(SAMPLES / "lba1" / "FILE3D.HQR"), "-o", str(out), "--jobs", "1"]
    for data in (out.read_bytes(), b"notes"):
        out.write_bytes(data)
        assert part("cli.main").main(command) == 1
        assert "lba.blend: is there already, and is not a library" in capsys.readouterr().err
        assert out.read_bytes() == data
    out.unlink()
    listed.write_bytes(b"a list of cats")
    assert part("cli.main").main(command) == 1
    assert "move it away" in capsys.readouterr().err and listed.read_bytes() == b"a list of cats"
    assert {path.name for path in tmp_path.iterdir()} == {listed.name}


def test_catalogues_of_others_stay_as_they_are(part: Part, tmp_path: Path) -> None:
    listed = tmp_path / "blender_assets.cats.txt"
    before = b"# \xe9\r\nVERSION 1\r\n\r\n00000000-0000-0000-0000-000000000001:Mine:Mine"
    listed.write_bytes(before)
    part("io.pipeline.library").write_catalogues(tmp_path, ["Game/Hero"])
    after = listed.read_bytes()
    assert after.startswith(before + b"\n") and after.count(b":Game/Hero:") == 1


def test_what_is_no_library(part: Part, tmp_path: Path) -> None:
    for arguments in (["x.glb"], [str(tmp_path / "nowhere" / "x.blend")]):
        assert part("cli.main").main(["library", str(SAMPLES / "lba1"), "-o", *arguments]) in (1, 2)


def test_pictures_of_a_game(part: Part, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert part("cli.main").main(["pictures", str(SAMPLES / "oni2"), "-o", str(tmp_path / "out")]) == 0
    written = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert written and {path.parent for path in written} == {tmp_path / "out"}
    for path in written:
        assert (part("core.images.png").decode(path.read_bytes())[..., 3] > 0).any()
    assert part("cli.main").main(["pictures", str(SAMPLES / "oni2"), "-o", str(tmp_path / "out")]) == 0  # its own pictures are drawn again
    written[0].write_bytes(b"a picture of somebody")
    assert part("cli.main").main(["pictures", str(SAMPLES / "oni2"), "-o", str(tmp_path / "out")]) == 1
    assert "is not a picture of a character" in capsys.readouterr().err and written[0].read_bytes() == b"a picture of somebody"
    assert part("cli.main").main(["pictures", str(tmp_path), "-o", str(tmp_path / "out")]) == 1
