"""Oni 2 by its operators and on the command line: menus, dropped files, archives, characters, and failures that leave no trace."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.oni2.oni2_blender import NEXT, null_of, two_bones
from support.oni2.oni2_files import CHANNELS_SKEL, FRAME, ROOT, TWO_BONES, dave

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]

MOD = """version: 1.10
v 0 0 0
v 1 0 0
v 0 1 0
packet 3 1 2 {
 adj 0 0 0 0 0 0
 adj 1 0 0 0 0 0
 adj 2 0 0 0 0 1
 str 3 0 1 2
 mtx 0 1
}
"""
LIST = b"package animpkg.nav.two\nAnims {\n two_idle IDLE\n two_idle STAND\n other_wave WAVE\n lost_one LOST\n}\n"


@pytest.fixture
def two(tmp_path: Path) -> Path:
    return two_bones(tmp_path)


def game(more: dict[str, bytes] | None = None) -> dict[str, bytes]:
    """A small game: an entity with skeleton, mesh and three clips, one of them with two uses, and one that lies with another entity."""
    one, three = null_of([FRAME, NEXT], -0.2), null_of([FRAME, NEXT, FRAME], 0, 1)
    return {
        "Entity/": b"",
        "Entity/two/": b"",
        "Entity/two/Entity.type": b"SKEL two\nLodGroup { high two.mod 20 }\n",
        "Entity/two/two.skel": TWO_BONES.encode(),
        "Entity/two/two.mod": MOD.encode(),
        "Entity/two/two_step.anim": one,
        "Entity/two/two_idle.anim": three,
        "Entity/other/other_wave.anim": one,
        "entity.tune/two/two.anims": LIST,
        "entity.tune/animpkg/nav/two.apkg": b"Anims {\n two_step WALK\n}\n",
        **(more or {}),
    }


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "RB.DAT"
    path.write_bytes(dave(game(), ["Entity/two/two.skel", "Entity/two/two_idle.anim"]))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, data in game().items():
        if data:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(data)
    return tmp_path


def test_in_and_out_by_the_operators(two: Path, tmp_path: Path) -> None:
    assert OPS.import_anim.oni2(filepath=str(two / "two_step.anim"), fps_mode="SET") == {"FINISHED"}
    assert bpy.context.object.animation_data.action.name == "two_step"
    for name in ("two_step.anim", "two.skel"):
        assert OPS.export_anim.oni2(filepath=str(tmp_path / name)) == {"FINISHED"}
        assert (tmp_path / name).read_bytes() == (two / name).read_bytes()


def test_several_files_at_once(two: Path) -> None:
    (two / "two_back.anim").write_bytes(null_of([NEXT, FRAME]))
    (two / "broken.anim").write_bytes(b"cmp\0" + bytes(40))
    names = [{"name": name} for name in ("two_step.anim", "broken.anim", "two_back.anim")]
    assert OPS.import_anim.oni2(directory=str(two), files=names) == {"FINISHED"}
    assert [action.name for action in bpy.data.actions] == ["two_back", "two_step"]
    assert len(bpy.data.armatures) == 1


@pytest.mark.parametrize("where", ["RB.DAT", "folder"])
def test_a_whole_character(archive: Path, folder: Path, tmp_path: Path, where: str) -> None:
    if where == "RB.DAT":
        OPS.import_anim.oni2(filepath=str(archive), entries="Entity/two/Entity.type")
    else:
        OPS.import_anim.oni2(filepath=str(folder / "Entity" / "two" / "Entity.type"))
    assert {action.name: action.get("oni2_aliases", "") for action in bpy.data.actions} == {
        "two_idle": "IDLE, STAND", "two_step": "WALK", "other_wave": "WAVE"}  # fmt: skip
    (obj,) = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    mesh: Any = next(obj for obj in bpy.data.objects if obj.type == "MESH")
    assert mesh.parent == obj
    positions = sorted(tuple(round(value, 5) for value in vertex.co) for vertex in mesh.data.vertices)
    assert positions == [(0, 0, 1), (0, 0, 2.2), (1, 0, 1)]
    OPS.export_anim.oni2(filepath=str(tmp_path / "out.anim"), source="ALL")
    for name in ("two_idle", "two_step"):
        assert (tmp_path / f"{name}.anim").read_bytes() == game()[f"Entity/two/{name}.anim"]


def test_everything_and_single_entries(archive: Path) -> None:
    assert OPS.import_anim.oni2(filepath=str(archive), entries="*idle.anim,Entity/other/*") == {"FINISHED"}
    assert sorted(action.name for action in bpy.data.actions) == ["other_wave", "two_idle"]
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert OPS.import_anim.oni2(filepath=str(archive)) == {"FINISHED"}
    assert len(bpy.data.actions) == 3
    assert len(bpy.data.armatures) == 1


def test_the_list_of_an_archive(archive: Path, part: Part) -> None:
    result = part("core.oni2.characters.companions").contents(str(archive))
    assert [label for _, label in result["characters"]] == ["two"]
    assert [label for _, label in result["files"]] == [
        "Entity/other/other_wave.anim", "Entity/two/two.mod", "Entity/two/two.skel", "Entity/two/two_idle.anim",
        "Entity/two/two_step.anim"]  # fmt: skip


def test_the_active_armature_takes_clips_that_fit(two: Path, tmp_path: Path) -> None:
    OPS.import_anim.oni2(filepath=str(two / "two.skel"))
    (obj,) = bpy.data.objects
    OPS.import_anim.oni2(filepath=str(two / "two_step.anim"))
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "step.anim").write_bytes((two / "two_step.anim").read_bytes())
    OPS.import_anim.oni2(filepath=str(alone / "step.anim"))
    assert list(bpy.data.objects) == [obj]
    assert len(bpy.data.actions) == 2
    (alone / "many.anim").write_bytes(null_of(np.zeros((2, 120))))
    OPS.import_anim.oni2(filepath=str(alone / "many.anim"))
    assert len(bpy.data.armatures) == 2
    assert len(bpy.context.object.pose.bones) == 39


def test_one_channel_turns_the_root(two: Path, tmp_path: Path) -> None:
    (two / "two_door.anim").write_bytes(null_of([[0.0], [1.5]]))
    OPS.import_anim.oni2(filepath=str(two / "two_door.anim"), fps_mode="SET")
    bpy.context.scene.frame_set(2)
    assert bpy.context.object.pose.bones["root"].rotation_euler[:] == (0, 1.5, 0)
    OPS.export_anim.oni2(filepath=str(tmp_path / "door.anim"))
    assert (tmp_path / "door.anim").read_bytes() == (two / "two_door.anim").read_bytes()


def blocks() -> dict[str, int]:
    kinds = ("objects", "armatures", "meshes", "materials", "actions", "texts", "collections")
    return {kind: len(getattr(bpy.data, kind)) for kind in kinds}


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("bad.anim", b"cmp\0" + bytes(40), "compressed Smuggler's Run 2 animation is not supported"),
        ("bad.anim", b"ANI1" + bytes(10), "left"),
        ("bad.anim", null_of([[float("nan")] * 9]), "frame 0, channel 0: not a finite number"),
        ("bad.anim", null_of(np.zeros((1, 7))), "give its .skel"),
        ("bad.skel", b"bone a {", "line 1: a brace is never closed"),
        ("bad.skel", b"bone a {" * 20_000, "more than 10000 bones"),
        ("bad.mod", b"version: 2.09\0" + bytes(90), "only 2.10 is known"),
        ("RB.DAT", b"DAVE" + bytes(100), "header"),
        ("Entity.type", b"SKEL nobody\n", "without skeleton, mesh and animations"),
    ],
)
def test_a_failed_import_leaves_the_scene_as_it_was(tmp_path: Path, name: str, data: bytes, problem: str) -> None:
    bpy.context.scene.render.fps = 25
    before = blocks()
    (tmp_path / name).write_bytes(data)
    with pytest.raises(RuntimeError, match=problem):
        OPS.import_anim.oni2(filepath=str(tmp_path / name), fps_mode="SET")
    assert blocks() == before
    assert bpy.context.scene.render.fps == 25


def test_an_animation_away_from_its_skeleton_says_how_it_comes_in_on_a_character_of_the_scene(tmp_path: Path) -> None:
    samples = Path(__file__).resolve().parents[2] / "samples" / "oni2" / "Entity" / "mannequin"
    assert OPS.import_anim.oni2(filepath=str(samples / "mannequin.skel")) == {"FINISHED"}
    own = bpy.context.object
    alone = tmp_path / "alone.anim"
    alone.write_bytes((samples / "mannequin_walk.anim").read_bytes())
    bpy.context.view_layer.objects.active = None
    with pytest.raises(RuntimeError, match=r"give its \.skel, or make an armature that came from it the active one"):
        OPS.import_anim.oni2(filepath=str(alone))
    bpy.context.view_layer.objects.active = own
    assert OPS.import_anim.oni2(filepath=str(alone)) == {"FINISHED"} and own.animation_data.action.name == "alone"


def test_a_failure_in_the_middle_leaves_the_scene_as_it_was(two: Path, part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    oni2, errors = part("io.oni2.build"), part("core.reporting.errors")

    def fail(*_: Any) -> None:
        raise errors.FormatError("broken in the middle")

    monkeypatch.setattr(oni2, "blocks_of_all", fail)
    before = blocks()
    with pytest.raises(RuntimeError, match="broken in the middle"):
        OPS.import_anim.oni2(filepath=str(two / "two_step.anim"))
    assert blocks() == before


def test_a_mesh_that_needs_more_bones_is_refused_beside_the_rest(folder: Path) -> None:
    (folder / "Entity" / "two" / "two.mod").write_text(MOD.replace("mtx 0 1", "mtx 0 7"))
    OPS.import_anim.oni2(filepath=str(folder / "Entity" / "two" / "Entity.type"))
    assert len(bpy.data.actions) == 3
    assert not bpy.data.meshes


def test_files_are_dropped_on_the_window() -> None:
    handler = bpy.types.FileHandler.bl_rna_get_subclass_py("IO_FH_oni2")
    assert set(handler.bl_file_extensions.split(";")) >= {".anim", ".skel", ".mod", ".type"}
    assert handler.bl_import_operator == "import_anim.oni2"


def test_convert(part: Part, two: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main = part("cli.main").main
    out = tmp_path / "again.anim"
    assert main(["convert", str(two / "two_step.anim"), "-o", str(out)]) == 0
    assert out.read_bytes() == (two / "two_step.anim").read_bytes()
    assert main(["convert", str(two / "two_step.anim"), "-o", str(tmp_path / "again.skel")]) == 0
    assert (tmp_path / "again.skel").read_text() == TWO_BONES
    assert main(["convert", str(two / "two.skel"), "-o", str(tmp_path / "alone.skel")]) == 0
    assert (tmp_path / "alone.skel").read_text() == TWO_BONES
    assert main(["convert", str(two / "two_step.anim"), "-o", str(tmp_path / "step.blend"), "--oni2", "offset=add"]) == 0
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "step.blend"))
    bpy.context.scene.frame_set(1)
    (obj,) = bpy.data.objects
    assert obj.pose.bones["root"].matrix.translation[:] == pytest.approx((0.1, 0.3, 2.05), abs=1e-6)
    assert np.array(obj.pose.bones["root"].matrix)[0, 0] == pytest.approx(ROOT[0, 0], abs=1e-6)
    assert main(["convert", str(tmp_path / "step.blend"), "-o", str(tmp_path / "back.anim")]) == 0
    assert (tmp_path / "back.anim").read_bytes() == (two / "two_step.anim").read_bytes()
    capsys.readouterr()


def test_the_beta_dialect_on_demand(tmp_path: Path) -> None:
    data = struct.pack("<2IfB", 2, 2, -0.2, 0) + np.array([FRAME, NEXT], "<f4").tobytes()
    (tmp_path / "walk.anim").write_bytes(data)
    with pytest.raises(RuntimeError, match="opens only on demand"):
        OPS.import_anim.oni2(filepath=str(tmp_path / "walk.anim"))
    OPS.import_anim.oni2(filepath=str(tmp_path / "walk.anim"), beta=True)
    assert len(bpy.context.object.pose.bones) == 2
    OPS.export_anim.oni2(filepath=str(tmp_path / "again.anim"))
    assert (tmp_path / "again.anim").read_bytes() == data


def test_what_was_made_up_is_said(tmp_path: Path, part: Part) -> None:
    (tmp_path / "kno.anim").write_bytes(null_of(np.zeros((2, 120))))
    oni2, log = part("io.oni2.build"), part("core.reporting.log")
    with log.collect() as said:
        oni2.import_oni2(bpy.context, oni2.ImportOptions((str(tmp_path / "kno.anim"),)))
    assert "120 channels, taken as a chain of 39 bones, as many as Konoko's (kno)" in said.digest("WARNING")[0]


def test_a_skeleton_that_is_given(tmp_path: Path) -> None:
    (tmp_path / "five.skel").write_text(CHANNELS_SKEL)
    (tmp_path / "clip.anim").write_bytes(null_of(np.zeros((3, 19))))
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "clip.anim").write_bytes(null_of(np.zeros((3, 19))))
    OPS.import_anim.oni2(filepath=str(other / "clip.anim"), skeleton=str(tmp_path / "five.skel"))
    assert [bone.name for bone in bpy.context.object.pose.bones] == ["root", "spine_01", "arm_l", "piston", "pelvis"]


@pytest.mark.parametrize("given", ["opened", "option"])
def test_a_clip_that_fits_no_skeleton_is_an_error(two: Path, given: str) -> None:
    """Also when its skeleton was opened with it, which alone was not what was asked for."""
    (two / "two_many.anim").write_bytes(null_of(np.zeros((2, 7))))
    before = blocks()
    with pytest.raises(RuntimeError, match=r"two_many\.anim: .*7 channels") as caught:
        if given == "opened":
            OPS.import_anim.oni2(directory=str(two), files=[{"name": "two.skel"}, {"name": "two_many.anim"}])
        else:
            OPS.import_anim.oni2(filepath=str(two / "two_many.anim"), skeleton=str(two / "two.skel"))
    assert blocks() == before
    if given == "opened":
        assert "nothing was imported: open two alone" in str(caught.value)


def test_a_chosen_entry_that_fits_no_skeleton_is_an_error(tmp_path: Path) -> None:
    folder = "Entity/two/"
    files = {folder: b"", f"{folder}two.skel": TWO_BONES.encode(), f"{folder}two_many.anim": null_of(np.zeros((2, 7)))}
    (tmp_path / "RB.DAT").write_bytes(dave(files))
    before = blocks()
    with pytest.raises(RuntimeError, match=r"two_many\.anim: .*7 channels"):
        OPS.import_anim.oni2(filepath=str(tmp_path / "RB.DAT"), entries=f"{folder}two.skel,{folder}two_many.anim")
    assert blocks() == before


def test_a_clip_that_fits_nothing_beside_others_is_reported(two: Path, part: Part) -> None:
    """What came in stays, and what did not is named."""
    (two / "two_many.anim").write_bytes(null_of(np.zeros((2, 7))))
    oni2, log = part("io.oni2"), part("core.reporting.log")
    paths = tuple(str(two / name) for name in ("two.skel", "two_many.anim", "two_step.anim"))
    with log.collect() as said:
        result = oni2.import_oni2(bpy.context, oni2.ImportOptions(paths))
    assert [action.name for action in result.actions] == ["two_step"]
    assert len(result.armatures) == 1
    (line,) = said.digest("ERROR")
    assert "two_many.anim" in line
    assert "7 channels" in line
