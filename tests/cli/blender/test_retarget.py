"""The command `retarget`: from any file onto any rig, into any file, with its report."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs
from support.sample_files import EDITIONS, SAMPLES

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]
Ran = tuple[int, str, list[str]]


@pytest.fixture
def retarget(part: Part, capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs the command; gives the exit code, its output and the lines of its errors."""

    def run(*arguments: object) -> Ran:
        capfd.readouterr()
        code = part("cli.main").main(["retarget", *map(str, arguments)])
        said = capfd.readouterr()
        return code, said.out, said.err.splitlines()

    return run


@pytest.fixture
def files(part: Part, tmp_path: Path) -> Path:
    """rig.blend, an Unreal rig that has an action of its own; clip.blend, a Mixamo rig with two; clip.bvh, one of them."""
    target = rigs.build("mannequin", names=rigs.UNREAL, pose=rigs.a_pose())
    rigs.dance(part, target, "own")
    bpy.data.actions["own"].use_fake_user = True
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rig.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    source = rigs.build("hero", names=rigs.MIXAMO, rotation=rigs.rolled(1))
    for name in ("jump", "run"):
        rigs.dance(part, source, name).use_fake_user = True
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "clip.blend"))
    bpy.context.view_layer.objects.active = source
    OPS.export_anim.bvh(filepath=str(tmp_path / "clip.bvh"), frame_start=1, frame_end=30)
    return tmp_path


def test_a_prop_that_is_active_beside_a_figure_is_no_rig(retarget: Any, files: Path) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(files / "rig.blend"))
    prop = rigs.build("cart", {"hips": "cart"})
    bpy.context.view_layer.objects.active = prop
    bpy.ops.wm.save_as_mainfile(filepath=str(files / "beside.blend"))
    code, out, errors = retarget(files / "clip.blend", "--onto", files / "beside.blend", "-o", files / "out.blend", "--json")
    assert code == 0
    assert any("mannequin was taken" in line for line in errors)
    assert all(report["limb_max"] < 1e-3 and report["bones"] > 10 for report in json.loads(out)["reports"])


def test_a_library_onto_a_rig(retarget: Any, files: Path) -> None:
    before = {path: path.read_bytes() for path in files.iterdir()}
    code, out, errors = retarget(files / "clip.blend", "--onto", files / "rig.blend", "-o", files / "out.blend", "--json")
    assert (code, errors) == (0, [])
    document = json.loads(out)
    assert document["written"] == [str(files / "out.blend")]
    assert sorted(report["name"] for report in document["reports"]) == ["jump", "run"]
    assert all(report["limb_max"] < 1e-3 and report["frames"] == 30 for report in document["reports"])
    assert all(path.read_bytes() == data for path, data in before.items())
    bpy.ops.wm.open_mainfile(filepath=str(files / "out.blend"))
    assert sorted(bpy.data.actions.keys()) == ["jump on mannequin", "run on mannequin"]  # not what the rig's file has itself
    assert list(bpy.data.objects.keys()) == ["mannequin"]
    assert bpy.data.objects["mannequin"].animation_data.action.name == "run on mannequin"


def test_motion_capture_and_words_for_people(retarget: Any, files: Path) -> None:
    code, out, errors = retarget(files / "clip.bvh", "--onto", files / "rig.blend", "-o", files / "out.glb", "--feet")
    assert (code, errors) == (0, [])
    lines = out.splitlines()
    assert lines[0] == "clip"
    assert lines[1].startswith("  30 frames, 22 bones")
    assert lines[-1] == str(files / "out.glb")
    OPS.import_scene.gltf(filepath=str(files / "out.glb"))


def test_onto_a_game_and_back(retarget: Any, files: Path, anims: Path, part: Part) -> None:
    body = f"{anims.with_name('BODY.HQR')}#0"
    code, out, errors = retarget(files / "clip.bvh", "--onto", body, "-o", files / "clip.anm", "--json")
    assert code == 0
    (report,) = json.loads(out)["reports"]
    assert 0 < report["quantisation"] < 0.5  # half a step of 1024 about each of three axes
    anm = part("core.lba.files.anm").Anm.parse((files / "clip.anm").read_bytes())
    (less,) = errors  # as the keys of captures become fewer without being asked
    assert f"keyframes became {len(anm.durations)}; nothing is farther off than" in less
    assert anm.durations[1:].sum() == 61  # of 1/50 s: 29 frames take 60.4 ticks, and the last pose is on the one behind
    code, out, errors = retarget(files / "clip.anm", "--skeleton", body, "--onto", files / "rig.blend", "-o", files / "out.blend", "--json")
    assert (code, errors) == (0, [])
    assert json.loads(out)["reports"][0]["limb_max"] < 1e-3


def test_a_game_s_clip_in_several_files(retarget: Any, files: Path, anims: Path) -> None:
    code, out, errors = retarget(f"{anims}#1", f"{anims}#3", "--onto", files / "rig.blend", "-o", files / "out.bvh")
    assert code == 0
    assert [line.split(": ")[1] for line in errors if "is the loop alone" in line] == ["a .blend has both"] * 2
    written = [line for line in out.splitlines() if line.endswith(".bvh")]
    assert len(written) == 2
    assert all(Path(path).stat().st_size > 1000 for path in written)


def test_clips_into_one_archive_are_one_change_of_it(retarget: Any, files: Path, anims: Path) -> None:
    """A new one has no first state; that of one which is there is kept before any of them is in it."""
    body, kept = f"{anims.with_name('BODY.HQR')}#0", anims.read_bytes()
    code, out, _ = retarget(files / "clip.blend", "--onto", body, "-o", files / "new.hqr")
    assert code == 0 and out.splitlines()[-2:] == [f"{files / 'new.hqr'}#0", f"{files / 'new.hqr'}#1"]
    assert not (files / "new.hqr.bak").exists()
    code, out, _ = retarget(files / "clip.blend", "--onto", body, "-o", anims)
    assert code == 0 and all(line.startswith(f"{anims}#") for line in out.splitlines()[-2:])
    assert anims.with_name("ANIM.HQR.bak").read_bytes() == kept != anims.read_bytes()


def test_again_into_the_archive_that_the_rig_s_action_went_to(retarget: Any, files: Path, anims: Path, part: Part) -> None:
    """The action knows its entry, which the new one takes; nothing has changed, so there is no .bak."""
    source, rig, out = f"{anims}#0", files / "own.blend", files / "out.hqr"
    assert retarget(source, "--onto", f"{anims.with_name('BODY.HQR')}#0", "-o", rig)[0] == 0
    bpy.ops.wm.open_mainfile(filepath=str(rig))
    (bpy.context.view_layer.objects.active,) = (obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    lba = part("io.lba")
    assert lba.export_lba(bpy.context, lba.ExportOptions(str(out), source="ACTIVE", entry="new")).paths == [f"{out}#0"]
    bpy.ops.wm.save_mainfile()
    before = out.read_bytes()
    code, said, errors = retarget(source, "--onto", rig, "-o", out)
    assert (code, said.splitlines()[-1]) == (0, f"{out}#0")
    assert len(errors) == 1 and "121 keyframes became" in errors[0]
    assert out.read_bytes() == before and not out.with_name("out.hqr.bak").exists()


def test_an_archive_that_is_none_is_named_as_it_was_given(retarget: Any, files: Path, anims: Path) -> None:
    bad = files / "bad.hqr"
    bad.write_bytes(b"this is not an archive at all")
    code, _, errors = retarget(files / "clip.bvh", "--onto", f"{anims.with_name('BODY.HQR')}#0", "-o", bad)
    assert code == 1 and errors[-1].startswith(f"{bad}: not an HQR archive")
    assert bad.read_bytes() == b"this is not an archive at all" and not bad.with_name("bad.hqr.bak").exists()


def test_the_rig_s_own_file_as_a_source_is_a_line(retarget: Any, files: Path) -> None:
    """Blender appends nothing from the file that it has open; a copy is another file."""
    own, copy = files / "clip.blend", files / "copy.blend"
    copy.write_bytes(own.read_bytes())
    code, out, errors = retarget(own, "--onto", own, "-o", files / "out.blend")
    assert (code, out, errors) == (1, "", [f"{own}: is the rig's own file: give a copy of it under another name"])
    code, out, errors = retarget(copy, "--onto", own, "--actions", "run*", "-o", files / "out.blend", "--json")
    assert (code, errors) == (0, [])
    assert json.loads(out)["reports"][0]["limb_max"] < 1e-3


def test_of_several_clips_those_that_are_written_are_named(retarget: Any, files: Path, part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a disk with room for the second alone."""
    disk = part("core.files.disk.disk")
    replace = disk.os.replace

    def full(source: str, target: str) -> None:
        if Path(target).name.startswith("jump"):
            raise OSError(28, "No space left on device")
        replace(source, target)

    (files / "out").mkdir()
    monkeypatch.setattr(disk.os, "replace", full)
    code, out, errors = retarget(files / "clip.blend", "--onto", files / "rig.blend", "-o", files / "out" / "all.bvh")
    assert code == 1
    (written,) = (files / "out").iterdir()
    assert written.name.startswith("run") and out.splitlines()[-1] == str(written)
    assert "jump" in errors[-1] and "No space left on device" in errors[-1]


@pytest.mark.parametrize("name", ["all.blend", "all.bvh", "all.glb"])
def test_a_folder_that_goes_meanwhile_is_made_again(
    retarget: Any, files: Path, part: Part, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    retargeting, out = part("cli.retarget.run").Run, files / "out"
    honest = retargeting.retarget

    def retarget_and_lose(run: Any) -> None:
        honest(run)
        out.rmdir()

    out.mkdir()
    monkeypatch.setattr(retargeting, "retarget", retarget_and_lose)
    code, said, errors = retarget(files / "clip.bvh", "--onto", files / "rig.blend", "-o", out / name)
    assert (code, errors, said.splitlines()[-1]) == (0, [], str(out / name))
    assert (out / name).stat().st_size > 1000


def test_maps(retarget: Any, files: Path) -> None:
    path = files / "map.json"
    arguments = (files / "clip.bvh", "--onto", files / "rig.blend", "-o", files / "out.blend")
    assert retarget(*arguments, "--save-map", path)[0] == 0
    document = json.loads(path.read_text(encoding="utf-8"))
    pairs = [pair for pair in document["pairs"] if pair["target"] in ("pelvis", "thigh_l", "calf_l")]
    path.write_text(json.dumps(document | {"pairs": pairs, "chains": []}), encoding="utf-8")
    code, out, _ = retarget(*arguments, "--map", path, "--json")
    assert code == 0
    assert json.loads(out)["reports"][0]["bones"] == 3
    path.write_text("[]", encoding="utf-8")
    code, _, errors = retarget(*arguments, "--map", path)
    assert code == 1
    assert errors == [f"{path}: the file is no JSON object"]


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (("clip.bvh", "--onto", "rig.blend", "-o", "out.txt"), 2, "does not end in one of"),
        (("clip.bvh", "--onto", "rig.blend", "-o", "nowhere/out.blend"), 1, "there is no such folder"),
        (("clip.bvh", "--onto", "nothing.blend", "-o", "out.blend"), 1, "nothing.blend"),
        (("nothing.bvh", "--onto", "rig.blend", "-o", "out.blend"), 1, "nothing.bvh"),
        (("empty.blend", "--onto", "rig.blend", "-o", "out.blend"), 1, "there is no animation in it"),
        (("clip.bvh", "--onto", "empty.blend", "-o", "out.blend"), 1, "there is no armature in it"),
        (("broken.blend", "--onto", "rig.blend", "-o", "out.blend"), 1, "broken.blend"),
        (("clip.bvh", "--onto", "rig.blend", "-o", "out.blend", "--step", "0"), 1, "must be at least 0.01"),
    ],
)
def test_wrong_usage(retarget: Any, files: Path, arguments: tuple[str, ...], code: int, problem: str) -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(files / "empty.blend"))
    (files / "broken.blend").write_bytes(b"no blend")
    argv = [str(files / argument) if "." in argument and not argument.startswith("-") else argument for argument in arguments]
    ran = retarget(*argv)
    assert ran[0] == code
    assert problem in ran[2][-1]
    assert "Traceback" not in "".join(ran[2])
    assert not (files / "out.blend").exists()


def test_a_folder_of_clips_in_one_run(retarget: Any, files: Path, part: Part) -> None:
    """One of them is broken, one has another frame rate."""
    folder = files / "clips"
    folder.mkdir()
    text = (files / "clip.bvh").read_text(encoding="utf-8")
    (folder / "a.bvh").write_text(text, encoding="utf-8")
    (folder / "b.bvh").write_text(re.sub(r"Frame Time: \S+", "Frame Time: 0.0166667", text), encoding="utf-8")
    (folder / "c.bvh").write_text("nothing", encoding="utf-8")
    (folder / "read me.txt").write_text("no clip", encoding="utf-8")
    code, out, errors = retarget(folder, "--onto", files / "rig.blend", "-o", files / "out.blend")
    assert not any("no file of a known format" in line for line in errors), "there are files of others"
    assert code == 1
    assert [line for line in errors if line.startswith("[")] == ["[1/3] a.bvh: 1 clip", "[2/3] b.bvh: 1 clip", "[3/3] c.bvh: 0 clips"]
    assert "c.bvh" in errors[-1]
    lines = out.splitlines()
    assert lines[0].split()[:2] == ["clip", "frames"]
    assert [line.split()[:2] for line in lines[1:3]] == [["a", "30"], ["b", "30"]]
    bpy.ops.wm.open_mainfile(filepath=str(files / "out.blend"))
    assert bpy.context.scene.render.fps == 24
    lengths = {action.name[0]: action.curve_frame_range[1] - action.curve_frame_range[0] for action in bpy.data.actions}
    assert lengths == {"a": pytest.approx(29, abs=0.1), "b": pytest.approx(29 * 24 / 60, abs=0.1)}


def test_where_actions_of_the_rig_stay_its_rate_does(retarget: Any, files: Path) -> None:
    """They would play faster otherwise."""
    text = (files / "clip.bvh").read_text(encoding="utf-8")
    (files / "b.bvh").write_text(re.sub(r"Frame Time: \S+", "Frame Time: 0.0166667", text), encoding="utf-8")
    for arguments, fps in (((), 60), (("--keep-actions",), 24)):
        assert retarget(files / "b.bvh", "--onto", files / "rig.blend", *arguments, "-o", files / "out.blend")[0] == 0
        bpy.ops.wm.open_mainfile(filepath=str(files / "out.blend"))
        render = bpy.context.scene.render
        assert render.fps / render.fps_base == pytest.approx(fps, rel=1e-4)
        lengths = {action.name: action.curve_frame_range[1] - action.curve_frame_range[0] for action in bpy.data.actions}
        assert lengths.pop("b on mannequin") == pytest.approx(29 * fps / 60, abs=0.1)
        assert lengths == ({"own": 29} if arguments else {})


def test_actions_of_the_rig_that_stay_need_not_be_shown(retarget: Any, files: Path) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(files / "rig.blend"))
    bpy.data.objects["mannequin"].animation_data.action = None
    bpy.ops.wm.save_mainfile()
    text = (files / "clip.bvh").read_text(encoding="utf-8")
    (files / "b.bvh").write_text(re.sub(r"Frame Time: \S+", "Frame Time: 0.0166667", text), encoding="utf-8")
    assert retarget(files / "b.bvh", "--onto", files / "rig.blend", "--keep-actions", "-o", files / "out.blend")[0] == 0
    bpy.ops.wm.open_mainfile(filepath=str(files / "out.blend"))
    assert bpy.data.actions["own"].curve_frame_range[:] == (1, 30)
    assert bpy.context.scene.render.fps == 24


def test_an_earlier_result_that_stays_is_as_long_as_it_was(retarget: Any, files: Path) -> None:
    text = (files / "clip.bvh").read_text(encoding="utf-8")
    (files / "b.bvh").write_text(re.sub(r"Frame Time: \S+", "Frame Time: 0.0166667", text), encoding="utf-8")
    both = (files / "clip.bvh", files / "b.bvh")
    assert retarget(*both, "--onto", files / "rig.blend", "-o", files / "first.blend")[0] == 0
    assert retarget(both[1], "--onto", files / "first.blend", "--earlier", "keep", "-o", files / "out.blend")[0] == 0
    bpy.ops.wm.open_mainfile(filepath=str(files / "out.blend"))
    lengths = {action.name: action.curve_frame_range[1] - action.curve_frame_range[0] for action in bpy.data.actions}
    seconds = [length / bpy.context.scene.render.fps for length in lengths.values()]
    assert len(lengths) == 2 and seconds == pytest.approx([29 / 60] * 2, abs=0.01)


@pytest.mark.parametrize("first", [0, 1])
def test_clips_of_several_games_keep_their_seconds_at_the_rate_of_the_first(retarget: Any, files: Path, first: int) -> None:
    """Eight keyframes of five units of 20 ms, the last one the way back, and 48 frames at 60 a second."""
    clips = [SAMPLES / "lba1/walk.anm", SAMPLES / "oni/TRAMmannequin_walk.oni"]
    retarget(*(clips if first == 0 else clips[::-1]), "--onto", files / "rig.blend", "-o", files / "out.blend")
    bpy.ops.wm.open_mainfile(filepath=str(files / "out.blend"))
    assert bpy.context.scene.render.fps == (50, 60)[first]
    ends = {action.name.split(" on ")[0]: action.frame_range for action in bpy.data.actions}
    seconds = {name: (end - start) / (50, 60)[first] for name, (start, end) in ends.items()}
    assert seconds == pytest.approx({"walk": 8 * 5 * 0.02, "TRAMmannequin_walk": 47 / 60}, abs=2e-3)


@pytest.mark.parametrize("kind", [".glb", ".fbx"])
def test_what_a_loop_begins_with_is_a_clip_of_its_own_for_engines(retarget: Any, files: Path, anims: Path, kind: str) -> None:
    """As `convert` writes it. Of five keyframes the game repeats those from 1 on: four times nine units of 20 ms, after the first nine."""
    code, _, errors = retarget(f"{anims}#1", "--onto", files / "rig.blend", "-o", files / f"out{kind}")
    assert code == 0 and not errors
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    (OPS.import_scene.gltf if kind == ".glb" else OPS.import_scene.fbx)(filepath=str(files / f"out{kind}"))
    fps = bpy.context.scene.render.fps
    ranges = {"_intro" in action.name: action.frame_range for action in bpy.data.actions}  # 4.2 puts the object behind the name
    assert {is_intro: (end - start) / fps for is_intro, (start, end) in ranges.items()} == pytest.approx(
        {False: 0.72, True: 0.18}, abs=1e-3
    )


@pytest.mark.parametrize("kind", [".glb", ".fbx"])
@pytest.mark.parametrize("kept", [0, 1])
def test_all_clips_are_written_beside_another_armature(retarget: Any, files: Path, kind: str, kept: int) -> None:
    """Where there is more than one, exporters do not take all clips for one's own."""
    bpy.ops.wm.open_mainfile(filepath=str(files / "rig.blend"))
    prop = bpy.data.objects.new("prop", bpy.data.armatures.new("prop"))
    bpy.context.scene.collection.objects.link(prop)
    bpy.ops.wm.save_mainfile()
    keeping = ("--keep-actions",) * kept
    code, out, _ = retarget(files / "clip.blend", "--onto", files / "rig.blend", "-o", files / f"out{kind}", "--json", *keeping)
    assert code == 0
    reports = json.loads(out)["reports"]
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    (OPS.import_scene.gltf if kind == ".glb" else OPS.import_scene.fbx)(filepath=str(files / f"out{kind}"))
    assert len(reports) == 2 and len(bpy.data.actions) == 2 + kept


def test_a_clip_of_one_game_onto_a_character_of_another_is_at_that_one_s_rate(retarget: Any, files: Path, anims: Path, part: Part) -> None:
    """So that a frame is one of its time units, 60 a second in Oni, and nothing asks for another scene."""
    code, out, _ = retarget(f"{anims}#1", "--onto", SAMPLES / EDITIONS["oni"], "-o", files / "out.blend")
    assert code == 0 and "between the source's frames" not in out
    bpy.ops.wm.open_mainfile(filepath=str(files / "out.blend"))
    assert bpy.context.scene.render.fps == 60
    (action,) = bpy.data.actions
    frames = np.concatenate([keys[:, 0] for keys in keys_of(part, action).values()])
    behind = frames - frames.min()
    assert len(frames) > 60 and np.abs(behind - behind.round()).max() < 1e-3


def test_actions_by_name(retarget: Any, files: Path) -> None:
    arguments = (files / "clip.blend", "--onto", files / "rig.blend", "-o", files / "out.blend")
    code, _, errors = retarget(*arguments, "--actions", "ru*", "--keep-actions")
    assert (code, errors) == (0, [])
    bpy.ops.wm.open_mainfile(filepath=str(files / "out.blend"))
    assert sorted(bpy.data.actions.keys()) == ["own", "run on mannequin"]
    code, _, errors = retarget(*arguments, "--actions", "walk")
    assert (code, errors) == (1, ["no action is called walk; there are: jump, run"])


@pytest.mark.parametrize(
    ("edited", "earlier", "there"),
    [
        (False, "replace", ["run on mannequin"]),
        (False, "keep", ["run on mannequin", "run on mannequin.001"]),
        (True, "replace", ["run on mannequin", "run on mannequin.001"]),
        (True, "replace-all", ["run on mannequin"]),
    ],
)
def test_what_stays_of_the_last_run_is_in_the_result(
    retarget: Any, files: Path, part: Part, edited: bool, earlier: str, there: list[str]
) -> None:
    chosen = (files / "clip.blend", "--actions", "run")
    assert retarget(*chosen, "--onto", files / "rig.blend", "-o", files / "first.blend")[0] == 0
    if edited:
        bpy.ops.wm.open_mainfile(filepath=str(files / "first.blend"))
        part("io.blender.compat").curves(bpy.data.actions["run on mannequin"])[0].keyframe_points[3].co[1] += 0.2
        bpy.ops.wm.save_mainfile()
    assert retarget(*chosen, "--onto", files / "first.blend", "-o", files / "out.blend", "--earlier", earlier)[0] == 0
    bpy.ops.wm.open_mainfile(filepath=str(files / "out.blend"))
    assert sorted(bpy.data.actions.keys()) == there


def test_what_belongs_to_a_clip_comes_along(retarget: Any, files: Path) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(files / "clip.blend"))
    source = bpy.data.objects["hero"]
    sword = bpy.data.objects.new("sword", bpy.data.meshes.new("sword"))
    bpy.context.collection.objects.link(sword)
    sword.parent, sword.parent_type, sword.parent_bone = source, "BONE", rigs.MIXAMO["rightHand"]
    for frame, angle in ((1, 0.0), (20, 1.0)):
        sword.rotation_euler.x = angle
        sword.keyframe_insert("rotation_euler", frame=frame)
    bpy.ops.wm.save_as_mainfile(filepath=str(files / "clip.blend"))
    code, _, errors = retarget(
        files / "clip.blend", "--onto", files / "rig.blend", "--actions", "jump", "--props", "-o", files / "out.blend"
    )
    assert (code, errors) == (0, [])
    bpy.ops.wm.open_mainfile(filepath=str(files / "out.blend"))
    (copy,) = (obj for obj in bpy.data.objects if obj.type == "MESH")
    assert (copy.parent.name, copy.parent_bone) == ("mannequin", rigs.UNREAL["rightHand"])
    bpy.context.scene.frame_set(20)
    assert copy.rotation_euler.x == pytest.approx(1.0)
    assert sorted(action.name for action in bpy.data.actions) == ["jump on mannequin", "sword on mannequin"]


@pytest.mark.parametrize("together", [False, True], ids=["two files", "one file"])
def test_clips_look_the_same_in_any_order(retarget: Any, part: Part, tmp_path: Path, together: bool) -> None:
    """One source has a root that moves, another has none, so that its clip has nothing for the rig's."""
    rigs.build("rig", names=rigs.UNREAL, root="root")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rig.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    files = []
    for name, root, names in (("fixed", "", rigs.MIXAMO), ("moving", "root", rigs.PLAIN)):
        source = rigs.build(name, names=names, root=root)
        action = rigs.dance(part, source, name)
        action.use_fake_user = True
        for frame, along in ((1, 0.0), (30, 5.0)) if root else ():
            source.pose.bones[root].location = (along, 0.0, 0.0)
            source.pose.bones[root].keyframe_insert("location", frame=frame)
        if name == "moving" or not together:
            files.append(tmp_path / f"{name}.blend")
            bpy.ops.wm.save_as_mainfile(filepath=str(files[-1]))
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    code, _, _ = retarget(*files, "--onto", tmp_path / "rig.blend", "-o", tmp_path / "out.blend")
    assert code == 0
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"))
    rig, compat = bpy.data.objects["rig"], part("io.blender.compat")
    shown = []
    for name in ("fixed", "moving", "fixed"):
        compat.assign(rig, bpy.data.actions[f"{name} on rig"])
        bpy.context.scene.frame_set(30)
        shown.append(rig.pose.bones["pelvis"].head.copy())
    assert (shown[1] - shown[0]).length > 1
    assert (shown[2] - shown[0]).length < 1e-5


def test_of_two_armatures_with_the_same_bones_each_has_the_clips_it_plays(retarget: Any, files: Path, part: Part, tmp_path: Path) -> None:
    """An action fits both; it is the one's that plays it, by itself or as a strip. What neither plays may be of either."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    for name in ("first", "second"):
        source = rigs.build(name, names=rigs.MIXAMO)
        action = rigs.dance(part, source, name)
        action.use_fake_user = True
    strip = source.animation_data.nla_tracks.new().strips.new("second", 1, source.animation_data.action)
    source.animation_data.action = None
    assert strip.action.name == "second"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "two.blend"))
    code, _, errors = retarget(tmp_path / "two.blend", "--onto", files / "rig.blend", "-o", tmp_path / "out.blend")
    assert (code, [line for line in errors if "clip" not in line]) == (0, [])
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"))
    assert sorted(action.name for action in bpy.data.actions if " on " in action.name) == ["first on mannequin", "second on mannequin"]


def test_of_clips_of_one_name_the_file_is_named(retarget: Any, files: Path) -> None:
    for folder in ("a", "b"):
        (files / "all" / folder).mkdir(parents=True)
        (files / "all" / folder / "clip.bvh").write_bytes((files / "clip.bvh").read_bytes())
    code, out, _ = retarget(files / "all", files / "clip.blend", "--onto", files / "rig.blend", "-o", files / "out.blend")
    firsts = [line.split("  ")[0] for line in out.splitlines()]
    assert code == 0
    assert [name.replace(str(files), "") for name in firsts[1:3]] == ["clip (/all/a/clip.bvh)", "clip (/all/b/clip.bvh)"]
    assert sorted(firsts[3:5]) == ["jump", "run"]
    code, out, _ = retarget(files / "all", "--onto", files / "rig.blend", "-o", files / "out.blend", "--json")
    assert [report["file"] for report in json.loads(out)["reports"]] == [str(files / "all" / folder / "clip.bvh") for folder in ("a", "b")]


def test_the_report_names_arguments(retarget: Any, files: Path) -> None:
    code, out, _ = retarget(files / "clip.bvh", "--onto", files / "rig.blend", "-o", files / "out.blend", "--align", "rest", "--no-feet")
    assert code == 0
    (line,) = [line for line in out.splitlines() if "limb direction" in line]
    assert "and at --align" in line and "--map" in line


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [".bvh", ".fbx", ".glb"])
def test_the_rig_s_file_has_axes_of_its_own(retarget: Any, files: Path, kind: str) -> None:
    """`--up` is the sources', `--onto-up` the rig's. A rig that was said to have X up lies on its side; its source stands upright."""
    rig = files / f"rig{kind}"
    assert retarget(files / "clip.bvh", "--onto", files / "rig.blend", "-o", rig)[0] == 0
    heights: dict[tuple[str, ...], float] = {}
    for arguments in ((), ("--up", "Y", "--forward", "Z"), ("--onto-up", "X"), ("--onto-up", "X", "--onto-forward", "-Y")):
        code, _, errors = retarget(files / "clip.bvh", "--onto", rig, *arguments, "-o", files / "out.blend")
        assert code == 0, errors
        bpy.ops.wm.open_mainfile(filepath=str(files / "out.blend"))
        obj: Any
        (obj,) = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
        obj.data.pose_position = "REST"
        bpy.context.view_layer.update()
        heads = np.array([obj.matrix_world @ obj.data.bones[name].head_local for name in ("head", "pelvis")])
        heights[arguments] = float((heads[0] - heads[1])[2])
    upright, again, *lying = heights.values()
    assert upright == pytest.approx(again) and upright > 0.4
    assert max(map(abs, lying)) < 0.2


@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        ("rig.blend", ("--onto-up", "Z"), "rig.blend: --onto-up and --onto-forward are for .glb, .gltf, .fbx, .bvh"),
        ("clip.blend", ("--forward", "-Y"), "clip.blend: --up and --forward are for .glb, .gltf, .fbx, .bvh"),
    ],
)
def test_axes_of_files_that_say_themselves_are_refused(
    retarget: Any, files: Path, name: str, arguments: tuple[str, ...], problem: str
) -> None:
    code, _, (error,) = retarget(files / "clip.blend", "--onto", files / "rig.blend", *arguments, "-o", files / "out.blend")
    assert code == 1 and error.startswith(f"{files}/{problem}")
    assert not (files / "out.blend").exists()


@pytest.mark.thorough
@pytest.mark.parametrize(("out", "written"), [("out.blend", ["out.blend"]), ("o.bvh", ["jump on mannequin.bvh", "run on mannequin.bvh"])])
@pytest.mark.parametrize("inside", ["", "results"])
def test_what_an_earlier_run_wrote_into_the_folder_is_no_source(
    retarget: Any, files: Path, out: str, written: list[str], inside: str
) -> None:
    folder = files / "clips"
    (folder / inside).mkdir(parents=True)
    (folder / "clip.blend").write_bytes((files / "clip.blend").read_bytes())
    path, reports = folder / inside / out, []
    for _ in range(3):
        code, said, errors = retarget(folder, "--onto", files / "rig.blend", "-o", path, "--json", "--overwrite")
        assert code == 0
        reports.append([(report["name"], report["frames"]) for report in json.loads(said)["reports"]])
        assert sorted(file.name for file in path.parent.iterdir() if file.name != "clip.blend") == written
    assert reports[0] == reports[1] == reports[2] and len(reports[0]) == 2
    assert errors[0].startswith(f"{path.parent / written[0]}") and "name a file itself" in errors[0]
    code, said, _ = retarget(path.parent / written[0], "--onto", files / "rig.blend", "-o", path, "--json", "--overwrite")
    assert code == 0 and json.loads(said)["reports"], "a file that is named is a source"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((), {}),
        (("--no-feet", "--root-motion", "object", "--mirror"), {"feet": False, "root_motion": "OBJECT", "mirror": True}),
        (
            ("--no-lower-hips", "--hands", "--step", "0.5", "--floor", "rest"),
            {"hips_down": False, "hands": True, "step": 0.5, "floor": "REST"},
        ),
        (("--loop", "yes", "--facing", "world", "--align", "t-pose"), {"loop": "YES", "facing": "WORLD", "align": "TPOSE"}),
    ],
)
@pytest.mark.parametrize("onto", ["rig.blend", "oni"])
def test_the_panel_s_operator_gives_the_same_curves(
    retarget: Any, files: Path, part: Part, onto: str, arguments: tuple[str, ...], options: dict[str, Any]
) -> None:
    """With the same options, of the same files: every key's frame and value."""
    rig = files / onto if onto == "rig.blend" else SAMPLES / EDITIONS[onto]
    assert retarget(files / "clip.blend", "--onto", rig, *arguments, "-o", files / "out.blend", "--actions", "jump")[0] == 0
    bpy.ops.wm.open_mainfile(filepath=str(files / "out.blend"))
    (written,) = [action for action in bpy.data.actions if action.name.startswith("jump on ")]
    name, commanded = written.name, keys_of(part, written)

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    if onto == "rig.blend":
        bpy.ops.wm.open_mainfile(filepath=str(rig))
    else:
        OPS.import_anim.oni(filepath=str(rig))
    (target,) = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    stretched = bpy.context.scene.render.fps / 24  # the command's result is at the rate of the game
    libraries: Any = bpy.data.libraries
    with libraries.load(str(files / "clip.blend")) as (there, wanted):
        wanted.objects, wanted.actions = there.objects, there.actions
    for obj in wanted.objects:
        bpy.context.scene.collection.objects.link(obj)
    bpy.context.scene.render.fps = 24
    (source,) = [obj for obj in wanted.objects if obj.type == "ARMATURE"]
    OPS.retro_anim.retarget(source=source.name, target=target.name, actions="jump", **options)
    shown = {curve: [1, 0] + (keys - [1, 0]) * [stretched, 1] for curve, keys in keys_of(part, bpy.data.actions[name]).items()}
    assert stretched == (60 / 24 if onto == "oni" else 1)
    assert commanded.keys() == shown.keys() and len(shown) > 60
    assert [
        name for name, keys in shown.items() if keys.shape != commanded[name].shape or np.abs(keys - commanded[name]).max() > 1e-5
    ] == []


def keys_of(part: Part, action: Any) -> dict[tuple[str, int], Any]:
    """(K, 2) frames and values of each curve."""
    return {
        (curve.data_path, curve.array_index): np.array([point.co for point in curve.keyframe_points])
        for curve in part("io.blender.compat").curves(action)
    }


@pytest.mark.thorough
@pytest.mark.parametrize("letters", [58, 235])
def test_results_of_clips_with_long_names_are_known_by_the_rig(retarget: Any, files: Path, letters: int) -> None:
    """Names of actions have 63 bytes in Blender 4, those of files 255; the clip's is cut, not the rig's."""
    folder = files / "clips"
    folder.mkdir()
    for last in "ab":
        (folder / f"{'w' * letters}{last}.bvh").write_bytes((files / "clip.bvh").read_bytes())
    results: list[list[str]] = []
    for _ in range(3):
        code, said, errors = retarget(folder, "--onto", files / "rig.blend", "-o", folder / "o.bvh", "--json", "--overwrite")
        assert code == 0, errors
        assert len(json.loads(said)["reports"]) == 2
        results.append(sorted(file.name for file in folder.iterdir()))
    assert results[0] == results[1] == results[2] and len(results[0]) == 4
    assert sum(" on mannequin" in name for name in results[0]) == 2
