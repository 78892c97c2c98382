"""All clips of several characters in one go, each to the file or entry that it belongs to."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from support.lba import lba1_chain
from support.one_edit import edit

Part = Callable[[str], Any]
OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parents[4] / "samples"


@pytest.fixture
def game(part: Part, game_file: Callable[[str], Path], tmp_path: Path) -> Path:
    """The hero in his four behaviours, which share entries, and three more characters."""
    folder = tmp_path / "lba1"
    shutil.copytree(game_file("lba1"), folder, copy_function=shutil.copyfile)
    options = {"entries": "0-6", "fps_mode": "SET"}
    part("io.pipeline.games").import_(bpy.context, part("core.games").GAMES["lba"], [str(folder / "FILE3D.HQR")], options)
    return folder / "ANIM.HQR"


def test_unedited_nothing_is_written(part: Part, game: Path) -> None:
    before = game.stat()
    exported = part("io.pipeline.out_of_blender.everything").export_everything(bpy.context)
    assert len(exported.changes) > 40
    assert {change.state for change in exported.changes} == {"unchanged"} and not exported.written and not exported.warnings
    assert game.stat().st_mtime_ns == before.st_mtime_ns and exported.summary == f"0 of {len(exported.changes)} changed"


def test_one_edit_changes_one_entry(part: Part, game: Path) -> None:
    hqr = part("core.lba.files.archive.hqr").Hqr
    before = hqr.parse(game.read_bytes())
    planned = part("io.pipeline.out_of_blender.everything").export_everything(bpy.context, dry_run=True).changes
    chosen = planned[1]
    edit(part, bpy.data.actions[chosen.action], key=1)
    assert OPS.retro_anim.export_everything() == {"FINISHED"}
    after = hqr.parse(game.read_bytes())
    number = int(chosen.target.rpartition("#")[2])
    assert [index for index in range(len(before)) if not before.blank(index) and before.read(index) != after.read(index)] == [number]


def test_clips_go_with_the_armature_that_they_came_in_with(part: Part, tmp_path: Path) -> None:
    """Two skeletons that nobody knows, from files of one name: the longer one's bones are no part of the shorter one's clip."""
    anm, chain = part("core.lba.files.anm"), part("core.lba.files.anm").Anm.parse(lba1_chain.ANM)
    short: Any = np.zeros(len(chain.frames), anm.frame_dtype(3))
    short["duration"], short["bones"] = chain.frames["duration"], chain.frames["bones"][:, :3]
    for name, data in (("long", chain.pack()), ("short", anm.Anm(1, 1, short).pack())):
        (tmp_path / name).mkdir()
        (tmp_path / name / "clip.anm").write_bytes(data)
        part("io.pipeline.games").import_(bpy.context, part("core.games").GAMES["lba"], [str(tmp_path / name / "clip.anm")], {})
        bpy.context.view_layer.objects.active = None
    exported = part("io.pipeline.out_of_blender.everything").export_everything(bpy.context, sampling="VISUAL")
    assert [change.state for change in exported.changes] == ["unchanged"] * 2 and not exported.warnings
    assert len({change.armature for change in exported.changes}) == 2


def test_the_armature_that_shows_a_clip_is_looked_at(part: Part, tmp_path: Path) -> None:
    """Of two that share their bones, the one with the constraint plays it."""
    shutil.copytree(SAMPLES / "lba1", tmp_path / "lba1", copy_function=shutil.copyfile)
    imported = part("io.pipeline.games").import_(bpy.context, part("core.games").GAMES["lba"], [str(tmp_path / "lba1" / "walk.anm")], {})
    first, walk = imported.armatures[0], imported.actions[0]
    twin = first.copy()
    first.users_collection[0].objects.link(twin)
    first.animation_data.action = None
    twin.animation_data.action = walk
    constraint = twin.pose.bones["group 03"].constraints.new("LIMIT_ROTATION")
    constraint.use_limit_x, constraint.min_x, constraint.max_x = True, 1.0, 1.0
    (change,) = part("io.pipeline.out_of_blender.everything").export_everything(bpy.context, dry_run=True).changes
    assert change.armature == twin.name and change.worst is not None and "constraint" in change.messages[0]


def test_several_games_and_files(part: Part, tmp_path: Path) -> None:
    games, rows = part("io.pipeline.games"), part("core.games").GAMES
    for name in ("lba1", "oni"):
        shutil.copytree(SAMPLES / name, tmp_path / name, copy_function=shutil.copyfile)
    (walk,) = games.import_(bpy.context, rows["lba"], [str(tmp_path / "lba1" / "walk.anm")], {}).actions
    (tram,) = games.import_(bpy.context, rows["oni"], [str(tmp_path / "oni" / "TRAMmannequin_walk.oni")], {}).actions
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for action in (walk, tram):
        edit(part, action, key=1)
    bpy.context.scene.render.fps = bpy.context.scene.render.fps
    exported = part("io.pipeline.out_of_blender.everything").export_everything(bpy.context, fps_from="IMPORT")
    assert {change.state for change in exported.changes} == {"changed"} and len(exported.written) == 2
    changed = {path.name for path, data in before.items() if path.read_bytes() != data}
    assert changed == {"walk.anm", "TRAMmannequin_walk.oni"}


def test_all_or_nothing(part: Part, tmp_path: Path) -> None:
    games, rows = part("io.pipeline.games"), part("core.games").GAMES
    for name in ("lba1", "oni"):
        shutil.copytree(SAMPLES / name, tmp_path / name, copy_function=shutil.copyfile)
    paths = tmp_path / "lba1" / "walk.anm", tmp_path / "oni" / "TRAMmannequin_walk.oni"
    for game, path in zip(("lba", "oni"), paths, strict=True):
        edit(part, games.import_(bpy.context, rows[game], [str(path)], {}).actions[0], key=1)
    before = paths[0].read_bytes()
    paths[1].chmod(0o444)
    with pytest.raises(part("core.reporting.errors").ExportError, match="read-only"):
        part("io.pipeline.out_of_blender.everything").export_everything(bpy.context, fps_from="IMPORT")
    assert paths[0].read_bytes() == before


def test_nothing_there(part: Part, addon: Any) -> None:
    with pytest.raises(RuntimeError, match="no clip that belongs to a file"):
        OPS.retro_anim.export_everything()


@pytest.mark.parametrize("saved", ["everything", "ticked"])
def test_clips_of_one_archive_by_two_paths(part: Part, tmp_path: Path, saved: str) -> None:
    """One goes there by a link: both are put into the archive as it is, none into what it was before the other."""
    hqr, path, link = part("core.lba.files.archive.hqr").Hqr, tmp_path / "chain.hqr", tmp_path / "link.hqr"
    (tmp_path / "chain.lm1").write_bytes(lba1_chain.LM1)
    before = hqr.empty().with_entry(0, lba1_chain.ANM).with_entry(1, lba1_chain.ANM)
    path.write_bytes(before.pack())
    link.symlink_to(path.name)
    options = {"entries": "0,1", "skeleton": str(tmp_path / "chain.lm1")}
    first, second = part("io.pipeline.games").import_(bpy.context, part("core.games").GAMES["lba"], [str(path)], options).actions
    second["retro_anim_to_file"], second["retro_anim_to_entry"] = str(link), "1"
    for action in (first, second):
        edit(part, action, key=1)
    export = part("io.pipeline.out_of_blender.everything").export_everything
    save = part("io.pipeline.out_of_blender.saving").save
    exported = export(bpy.context) if saved == "everything" else save(bpy.context, [first.name, second.name])
    after = hqr.parse(path.read_bytes())
    assert len(exported.written) == 2 and all(before.read(index) != after.read(index) for index in (0, 1))


def test_clips_whose_character_is_gone_are_named(part: Part, tmp_path: Path) -> None:
    """Actions outlive their armature, with what somebody did to them."""
    shutil.copytree(SAMPLES / "oni", tmp_path / "oni", copy_function=shutil.copyfile)
    shutil.copytree(SAMPLES / "lba1", tmp_path / "lba1", copy_function=shutil.copyfile)
    games, rows, log = part("io.pipeline.games"), part("core.games").GAMES, part("core.reporting.log")
    everything = part("io.pipeline.out_of_blender.everything").export_everything
    games.import_(bpy.context, rows["oni"], [str(tmp_path / "oni" / "TRAMmannequin_walk.oni")], {})
    walk = games.import_(bpy.context, rows["lba"], [str(tmp_path / "lba1" / "walk.anm")], {})
    lines: list[list[str]] = []
    for _ in range(2):
        with log.collect() as said:
            everything(bpy.context, fps_from="IMPORT")
        lines.append([str(message) for message in said.messages if "left out" in str(message)])
        for obj in (obj for obj in list(bpy.data.objects) if obj == walk.armatures[0]):
            bpy.data.objects.remove(obj)
    assert lines[0] == []
    assert lines[1] == [
        "walk: left out, since no armature of the scene plays that: its character is in another scene, or gone: export it there, or import "
        "the character again"
    ]


def test_a_folder_that_is_not_there_is_named(part: Part, tmp_path: Path) -> None:
    """As where a .blend comes from another computer."""
    shutil.copytree(SAMPLES / "lba1", tmp_path / "lba1", copy_function=shutil.copyfile)
    part("io.pipeline.games").import_(bpy.context, part("core.games").GAMES["lba"], [str(tmp_path / "lba1" / "walk.anm")], {})
    (tmp_path / "lba1").rename(tmp_path / "elsewhere")
    with part("core.reporting.log").collect() as said, pytest.raises(part("core.reporting.errors").ExportError):
        part("io.pipeline.out_of_blender.everything").export_everything(bpy.context)
    assert [str(message) for message in said.of("WARNING")] == [
        f"walk: the folder of {tmp_path / 'lba1' / 'walk.anm'} is not there: name a file in Goes To, or export it by itself"
    ]


def test_what_came_from_an_archive_that_is_only_read_is_named_once(part: Part, tmp_path: Path) -> None:
    """Goes To shows the archive: to say that the clips belong to no file would contradict it."""
    shutil.copytree(SAMPLES / "oni2", tmp_path / "oni2")
    assert OPS.import_anim.oni2(filepath=str(tmp_path / "oni2" / "RB.DAT")) == {"FINISHED"}
    shutil.copytree(SAMPLES / "lba1", tmp_path / "lba1")
    assert OPS.import_anim.lba(filepath=str(tmp_path / "lba1" / "walk.anm")) == {"FINISHED"}
    with part("core.reporting.log").heard() as said:
        part("io.pipeline.out_of_blender.everything").export_everything(bpy.context)
    warnings = said.of("WARNING")
    assert len(warnings) == 3 and {message.text for message in warnings} == {
        "came from RB.DAT, which is not written: name a file in Goes To, or export it by itself"
    }
    assert sorted(message.where for message in warnings) == ["mannequin_idle", "mannequin_walk", "mannequin_wave"]


@pytest.mark.skipif(os.name == "nt", reason="there a drive is a folder")
@pytest.mark.parametrize("folder", ["C:\\Games\\", "\\\\server\\games\\"])
def test_a_path_of_windows_is_no_name_of_a_file(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    """Where a .blend was made there, nothing is written into the folder that Blender was started in."""
    shutil.copytree(SAMPLES / "lba1", tmp_path / "lba1", copy_function=shutil.copyfile)
    (tmp_path / "started").mkdir()
    monkeypatch.chdir(tmp_path / "started")
    games, errors = part("io.pipeline.games"), part("core.reporting.errors")
    row = part("core.games").GAMES["lba"]
    (walk,) = games.import_(bpy.context, row, [str(tmp_path / "lba1" / "walk.anm")], {}).actions
    part("io.blender.compat").assign(bpy.context.view_layer.objects.active, walk)
    walk["retro_anim_source"]["path"] = f"{folder}walk.anm"
    edit(part, walk, key=1)
    with part("core.reporting.log").collect() as said, pytest.raises(errors.ExportError, match="no clip that belongs to a file"):
        part("io.pipeline.out_of_blender.everything").export_everything(bpy.context)
    assert any(f"the folder of {folder}walk.anm is not there" in str(message) for message in said.of("WARNING"))
    with pytest.raises(errors.ExportError, match="its folder is not there: choose the file where it is now under Goes To"):
        part("io.pipeline.out_of_blender.saving").save(bpy.context, [walk.name])
    with pytest.raises(errors.RetroAnimError, match="is a path of Windows"):
        games.export(bpy.context, row, f"{folder}walk.anm", {})
    assert not list((tmp_path / "started").iterdir())


def test_beside_a_blend_that_is_not_saved_is_nowhere(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blender takes it for the folder that it was started in."""
    shutil.copytree(SAMPLES / "lba1", tmp_path / "lba1", copy_function=shutil.copyfile)
    (tmp_path / "started").mkdir()
    monkeypatch.chdir(tmp_path / "started")
    games, export = part("io.pipeline.games"), part("io.pipeline.out_of_blender.everything").export_everything
    (walk,) = games.import_(bpy.context, part("core.games").GAMES["lba"], [str(tmp_path / "lba1" / "walk.anm")], {}).actions
    refused = {"//mine.anm": r"//mine\.anm: beside the \.blend, which is not saved yet", "mine.anm": r"mine\.anm: names no folder"}
    for wanted, problem in refused.items():
        walk["retro_anim_to_file"] = wanted
        with pytest.raises(part("core.reporting.errors").ExportError, match=problem):
            export(bpy.context)
    assert not list((tmp_path / "started").iterdir())
    OPS.wm.save_as_mainfile(filepath=str(tmp_path / "started" / "scene.blend"))
    walk["retro_anim_to_file"] = "//..\\mine.anm"  # as Blender has it on Windows
    (written,) = export(bpy.context).written
    assert Path(written).resolve() == tmp_path / "mine.anm" and Path(written).is_file()
