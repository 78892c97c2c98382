"""Oni into Blender and out again: the same bytes unedited, joints where the game has them, and only what was edited changes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.oni.oni_shown import Stage, Tram

OPS: Any = bpy.ops

Part = Callable[[str], ModuleType]
TRAMS = ("TRAMSHINZOMidle1_wiki", "TRAMTESTlong", "TRAMTESTrandom", "TRAMTESToverlay")
SETTINGS = [
    {},
    {"keys": "EVERY"},
    {"root_motion": "OBJECT", "fps_mode": "KEEP", "frame_start": -4.5},
    {"root_motion": "NONE", "bone_direction": "CHILD", "scale": 1.0, "pieces": "SEPARATE"},
]


def armature_joints(obj: Any, frames: int, start: float, scale: float) -> np.ndarray:
    """(frames, bones, 3) heads of the evaluated pose in the world, in the game's axes and units."""
    out = []
    names = [bone.name for bone in sorted(obj.data.bones, key=lambda bone: bone["retro_anim_bone"])]
    for frame in range(frames):
        at = start + frame
        bpy.context.scene.frame_set(int(np.floor(at)), subframe=at % 1)
        posed = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        out.append([posed.matrix_world @ posed.pose.bones[name].head for name in names])
    heads = np.array(out) / scale
    return np.stack([heads[..., 0], heads[..., 2], -heads[..., 1]], axis=-1)


def reopened(folder: Path) -> list[Any]:
    """The actions of the .blend, saved and opened again."""
    saved = str(folder / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=saved)
    bpy.ops.wm.open_mainfile(filepath=saved)
    return list(bpy.data.actions)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_unedited_files_through_a_saved_blend(
    fetch: Any, write: Any, part: Part, files: Path, tmp_path: Path, settings: dict[str, Any]
) -> None:
    names = [f"{name}.oni" for name in (*TRAMS, "OBANBlackvan_FB_wiki")]
    fetch(*(files / name for name in names), **settings)
    built = reopened(tmp_path)
    assert len(built) == len(names)
    for action in built:
        out = tmp_path / f"{action.name}.oni"
        with part("core.reporting.log").collect() as said:
            assert write(out, action) == [str(out)]
        assert said.digest("WARNING") == []
        assert out.read_bytes() == (files / out.name).read_bytes(), action.name


@pytest.mark.parametrize("name", [*TRAMS, "OBANBlackvan_FB_wiki"])
def test_xml_and_oni_into_one_another(fetch: Any, write: Any, part: Part, game_file: Any, files: Path, tmp_path: Path, name: str) -> None:
    xml = shutil.copyfile(game_file(f"oni/xml/{name}.xml"), files / f"{name}.xml")
    fetch(xml)
    (action,) = reopened(tmp_path)
    write(tmp_path / f"{name}.xml", action)
    assert (tmp_path / f"{name}.xml").read_bytes() == xml.read_bytes()
    write(tmp_path / f"{name}.oni", action)
    assert (tmp_path / f"{name}.oni").read_bytes() == (files / f"{name}.oni").read_bytes()
    (action,) = fetch(files / f"{name}.oni").actions
    write(tmp_path / "new.xml", action)
    assert (tmp_path / "new.xml").read_bytes() == xml.read_bytes()


@pytest.mark.parametrize("extension", [".oni", ".xml"])
def test_an_animation_that_the_file_gives_no_name(fetch: Any, write: Any, files: Path, tmp_path: Path, extension: str) -> None:
    """It is called what the file is, as the game calls it; unedited its own file stays."""
    name = TRAMS[0]
    path, data = files / f"{name}.oni", (files / f"{name}.oni").read_bytes()
    spoiled = data.replace(name.encode(), bytes(len(name)))
    assert spoiled != data
    path.write_bytes(spoiled)
    (action,) = fetch(path).actions
    assert action.name == name
    out = tmp_path / f"again{extension}"
    write(out, action)
    assert out.read_bytes() == spoiled if extension == ".oni" else name not in out.read_text("utf-8-sig")
    action.name = "TRAMmine"
    write(tmp_path / "new.oni", action)
    assert b"TRAMmine" in (tmp_path / "new.oni").read_bytes()


def test_an_edited_xml_changes_where_it_was_edited(fetch: Any, write: Any, game_file: Any, files: Path) -> None:
    xml = shutil.copyfile(game_file("oni/xml/TRAMTESTrandom.xml"), files / "TRAMTESTrandom.xml")
    before = xml.read_text("utf-8-sig").replace("<Type>Walk</Type>", "<Type>Walk</Type><!-- ours -->")
    xml.write_text(before, "utf-8-sig")
    (action,) = fetch(xml).actions
    action.oni_tram.type = "Run"
    write(xml, action)
    after = xml.read_text("utf-8-sig").splitlines()
    changed = [line for old, line in zip(before.splitlines(), after, strict=True) if old != line]
    assert [line.strip() for line in changed] == ["<Type>Run</Type><!-- ours -->"]


def test_a_level_gives_what_its_entries_are(fetch: Any, write: Any, part: Part, game_file: Any, tmp_path: Path) -> None:
    level = game_file("oni/level/level1_Final.dat")
    archive = part("core.formats").open_file(level).document
    built = fetch(level)
    assert (len(built.armatures), len(built.objects), len(built.actions)) == (1, 1, 7)
    for action in reopened(tmp_path):
        out = tmp_path / f"{action.name}.oni"
        write(out, action)
        assert out.read_bytes() == archive.read(action["retro_anim_entry"]), action.name
    assert len(fetch(level, entries="TRAMTEST*").actions) == 5
    assert [action.name for action in fetch(f"{level}#TRAMTESTone").actions] == ["TRAMTESTone.002"]
    assert len(fetch(f"{level}#TRAMSHINZO*").actions) == 1
    assert len(fetch(f"{level}#TRBSTESTbody").armatures) == 1
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="level files are not written"):
        write(tmp_path / "level1_Final.dat", action)


def test_a_level_that_begins_with_a_body(fetch: Any, game_file: Any, tmp_path: Path) -> None:
    """It is a level all the same, not the file of that body."""
    level = Path(game_file("oni/level/level1_Final.dat"))
    data = bytearray(level.read_bytes())
    data[0x40:0x44] = b"SBRT"
    (tmp_path / level.name).write_bytes(data)
    shutil.copyfile(level.with_suffix(".raw"), tmp_path / f"{level.stem}.raw")
    assert len(fetch(tmp_path / level.name, entries="TRAMTEST*").actions) == 5


@pytest.mark.parametrize(("keys", "interpolation"), [("GAME", "nlerp"), ("EVERY", "slerp")])
@pytest.mark.parametrize("root_motion", ["BONE", "OBJECT"])
def test_joints_are_where_the_game_has_them(fetch: Any, part: Part, files: Path, keys: str, interpolation: str, root_motion: str) -> None:
    for name in TRAMS:
        built = fetch(files / f"{name}.oni", keys=keys, root_motion=root_motion)
        obj = built.armatures[0]
        count = int(built.actions[0].frame_range[1])
        body = part("core.oni.body.body_search").find_body(str(files / f"{name}.oni"), name)
        document = part("core.oni.files.documents").TramFile.parse((files / f"{name}.oni").read_bytes()).tram
        wanted = part("core.oni.posing").joints_at(document, body, np.arange(document.frame_count, dtype=float), interpolation)
        assert count == document.frame_count
        result = armature_joints(obj, document.frame_count, 1, 0.1)
        assert np.abs(result - wanted.positions).max() < 1e-4, name
        assert bpy.context.scene.render.fps == 60
        bpy.data.objects.remove(obj)


@pytest.mark.thorough
@pytest.mark.parametrize(("keys", "interpolation"), [("GAME", "nlerp"), ("EVERY", "slerp")])
@pytest.mark.parametrize("fps", [24, 30, 50, 60])
def test_joints_at_half_frames_and_at_whole_frames_of_other_scenes(
    fetch: Any, part: Part, files: Path, keys: str, interpolation: str, fps: int
) -> None:
    for name in TRAMS:
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.context.scene.render.fps = fps
        obj = fetch(files / f"{name}.oni", keys=keys, fps_mode="KEEP", root_motion="BONE").armatures[0]
        stand, record = Stage(obj), Tram((files / f"{name}.oni").read_bytes())
        step = 0.5 if fps == 60 else 60 / fps
        times = np.arange(0, record.frames - 0.99, step)
        wanted = record.at(times, stand.offsets, stand.parents, interpolation, stand.height).positions
        assert np.abs(stand.shown(1 + times * fps / 60).positions - wanted).max() < 1e-4, name


def test_the_rig_stands_in_the_t_pose(fetch: Any, files: Path) -> None:
    obj = fetch(files / "TRBSTESTbody.oni", bone_direction="GAME").armatures[0]
    bones = obj.data.bones
    assert len(bones) == 19
    along = {name: (bone.tail_local - bone.head_local).normalized() for name, bone in bones.items()}
    assert np.abs(np.array(along["chest"]) - (0, 0, 1)).max() < 1e-5
    assert np.abs(np.array(along["left_calf"]) - (0, 0, -1)).max() < 1e-5
    assert np.abs(np.array(along["left_biceps"]) - (1, 0, 0)).max() < 1e-5
    assert np.abs(np.array(along["right_wrist"]) - (-1, 0, 0)).max() < 1e-5
    (skin,) = [child for child in obj.children if child.type == "MESH"]
    lowest = min((skin.matrix_world @ vertex.co).z for vertex in skin.data.vertices)
    assert abs(lowest) < 1e-5, "the soles are on the floor"
    assert 0 < min(bone.head_local.z for bone in bones) < 0.5, "the ankles above it"
    assert all(bone.rotation_mode == "QUATERNION" for bone in obj.pose.bones)
    (mesh,) = [child for child in obj.children if child.type == "MESH"]
    assert {group.name for group in mesh.vertex_groups} == set(bones.keys())


def test_meshes_one_a_bone_stand_as_the_whole_one(fetch: Any, files: Path) -> None:
    points: dict[str, np.ndarray] = {}
    for meshes in ("ONE", "SEPARATE", "NONE"):
        clip = files / "TRAMSHINZOMidle1_wiki.oni"
        obj = fetch(clip, pieces=meshes, skeleton=str(files / "TRBSTESTbody.oni")).armatures[0]
        pieces = {child.name: child for child in obj.children if child.type == "MESH"}
        if meshes == "SEPARATE":
            assert list(pieces) == sorted(f"TESTbody {bone.name}" for bone in obj.data.bones)
            for piece in pieces.values():
                weighted = {piece.vertex_groups[each.group].name for vertex in piece.data.vertices for each in vertex.groups}
                assert weighted == {piece.name.removeprefix("TESTbody ")}
        assert len(pieces) == {"ONE": 1, "SEPARATE": 19, "NONE": 0}[meshes]
        bpy.context.scene.frame_set(5)
        graph = bpy.context.evaluated_depsgraph_get()
        posed = [piece.evaluated_get(graph) for piece in pieces.values()]
        result = [each.matrix_world @ vertex.co for each in posed for vertex in each.data.vertices]
        points[meshes] = np.array(result).reshape(-1, 3)
        bpy.data.batch_remove([*obj.children, obj])
    apart = np.linalg.norm(points["ONE"][:, None] - points["SEPARATE"], axis=2)
    assert apart.shape == (19 * 8, 19 * 8)
    assert max(apart.min(axis=0).max(), apart.min(axis=1).max()) < 1e-6
    assert np.ptp(points["ONE"][:, 2]) > 1, "posed, not in a heap"


@pytest.mark.parametrize(("detail", "bones"), [(4, 19), (3, 1), (1, 1), (0, 1)])
def test_levels_of_detail(fetch: Any, part: Part, tmp_path: Path, detail: int, bones: int) -> None:
    """A body whose lowest level has but a head; levels 1 to 3 are missing, so that the next lower one is taken."""
    records = part("core.oni.records.body_records")
    onifile = part("core.oni.files.onifile")
    built = part("core.oni.body.body_file").body_file(part("core.oni.body.mannequin").mannequin(), "TRBStwo")
    result = list(part("core.oni.files.documents").BodyFile.parse(built.pack()).records.values())
    count = len(result)
    low, head, levels = result[1].head.copy(), result[2].items.copy(), result[0].head.copy()
    head[np.arange(19) != 10] = 0
    low["meshes"] = (count + 1) << 8 | 1
    levels["levels"] = [count << 8 | 1, 0, 0, 0, 1 << 8 | 1]
    result[0] = records.BodyRecord("TRBS", levels, None, b"")
    result += [records.BodyRecord("TRCM", low, None, b""), records.BodyRecord("TRGA", result[2].head, head, b"")]
    parts = [onifile.Part(each.tag, "" if row else "TRBStwo", body=each.pack(), flags=1 if row else 0) for row, each in enumerate(result)]
    path = tmp_path / "TRBStwo.oni"
    path.write_bytes(onifile.OniFile.build(parts).pack())
    obj = fetch(path, detail=detail).armatures[0]
    assert len(obj.data.bones) == 19
    (mesh,) = [child for child in obj.children if child.type == "MESH"]
    weighted = {mesh.vertex_groups[each.group].name for vertex in mesh.data.vertices for each in vertex.groups}
    assert len(weighted) == bones
    assert "head" in weighted


@pytest.mark.parametrize("root_motion", ["BONE", "OBJECT", "NONE"])
def test_without_the_holder_the_motion_is_the_same(fetch: Any, write: Any, part: Part, files: Path, root_motion: str) -> None:
    built = fetch(*(files / f"{name}.oni" for name in TRAMS), root_motion=root_motion)
    bpy.data.batch_remove(list(bpy.data.texts))
    parse = part("core.oni.files.documents").TramFile.parse
    rotations_of, local = part("core.oni.motion.evaluate").rotations_of, part("core.oni.motion.evaluate").local_rotations
    for action in built.actions:
        before = parse((files / f"{action.name}.oni").read_bytes()).tram
        out = files / "new.oni"
        write(out, action)
        after = parse(out.read_bytes()).tram
        assert after.frame_count == before.frame_count
        every = np.arange(before.frame_count, dtype=float)
        old, new = (local(rotations_of(each), every) for each in (before, after))
        apart = 1 - np.abs(np.einsum("tbi,tbi->tb", old, new))
        assert np.degrees(2 * np.sqrt(2 * apart.max())) < 0.01, action.name
        assert np.abs(after.heights - before.heights).max() < 1e-5
        for axis in "xz":
            assert np.abs(after.velocities[axis] - before.velocities[axis]).max() < 1e-5
        out.unlink()


def test_failed_imports_leave_the_scene_alone(fetch: Any, part: Part, files: Path) -> None:
    bpy.context.scene.render.fps = 24
    data = (files / "TRAMTESTrandom.oni").read_bytes()
    broken = files / "TRAMbroken.oni"
    broken.write_bytes(data[:-900])
    before = {kind: len(getattr(bpy.data, kind)) for kind in ("objects", "actions", "armatures", "meshes", "materials", "texts")}
    error = part("core.reporting.errors").RetroAnimError
    with pytest.raises(error, match=r"TRAMbroken"):
        fetch(broken)
    with pytest.raises(error):
        fetch(files / "TRAMTESTrandom.oni", skeleton=str(files / "TRAMTESTlong.oni"))
    # A height that is no number is only found when the scene is being built.
    tram = part("core.oni.files.documents").TramFile.parse(data)
    heights = tram.tram.heights.copy()
    heights[3] = np.nan
    broken.write_bytes(replace(tram, tram=replace(tram.tram, heights=heights)).pack())
    with pytest.raises(error, match="no numbers"):
        fetch(broken)
    assert {kind: len(getattr(bpy.data, kind)) for kind in before} == before
    assert bpy.context.scene.render.fps == 24


def test_one_bone_edited_changes_one_key(fetch: Any, write: Any, part: Part, files: Path) -> None:
    built = fetch(files / "TRAMTESTrandom.oni")
    obj = built.armatures[0]
    bone = obj.pose.bones["head"]
    keyed = [curve for curve in part("io.blender.compat").curves(built.actions[0], obj) if 'bones["head"].rotation' in curve.data_path]
    frame = keyed[0].keyframe_points[1].co.x
    bpy.context.scene.frame_set(int(frame))
    bone.rotation_quaternion = (0.5, 0.5, 0.5, 0.5)
    bone.keyframe_insert("rotation_quaternion", frame=frame)
    write(files / "TRAMTESTrandom.oni")
    parse = part("core.oni.files.documents").TramFile.parse
    rotations_of = part("core.oni.motion.evaluate").rotations_of
    after = parse((files / "TRAMTESTrandom.oni").read_bytes()).tram
    assert rotations_of(after).track(10)[0][1] == frame - 1


def test_as_it_looks(fetch: Any, write: Any, part: Part, files: Path, tmp_path: Path) -> None:
    """Unedited it looks as it is keyed, so the file stays; with a constraint every frame of that bone is a key."""
    built = fetch(files / "TRAMTESTrandom.oni")
    out = tmp_path / "TRAMTESTrandom.oni"
    write(out, sampling="VISUAL")
    assert out.read_bytes() == (files / out.name).read_bytes()
    constraint = built.armatures[0].pose.bones["head"].constraints.new("COPY_ROTATION")
    constraint.target, constraint.subtarget = built.armatures[0], "pelvis"
    write(out, sampling="VISUAL")
    parse, rotations_of = part("core.oni.files.documents").TramFile.parse, part("core.oni.motion.evaluate").rotations_of
    before, after = (parse(path.read_bytes()).tram for path in (files / out.name, out))
    old, new = rotations_of(before), rotations_of(after)
    assert len(new.track(10)[0]) == after.frame_count
    for bone in (0, 5, 18):
        assert np.array_equal(old.track(bone)[1], new.track(bone)[1])


def test_operators(files: Path, tmp_path: Path) -> None:
    source = files / "TRAMTESTrandom.oni"
    assert OPS.import_anim.oni(filepath=str(source)) == {"FINISHED"}
    out = tmp_path / "out.oni"
    assert OPS.export_anim.oni(filepath=str(out)) == {"FINISHED"}
    assert out.read_bytes() == source.read_bytes()
    with pytest.raises(RuntimeError, match="level files are not written"):
        OPS.export_anim.oni(filepath=str(tmp_path / "level0.dat"))
    bad = tmp_path / "bad.oni"
    bad.write_bytes(b"not a file")
    with pytest.raises(RuntimeError, match=r"bad\.oni"):
        OPS.import_anim.oni(filepath=str(bad))


def test_fewer_keys_on_request(files: Path, part: Part, tmp_path: Path) -> None:
    """A key every frame, as it comes from other tools, becomes few; what is left out is said."""
    source = files / "TRAMTESTrandom.oni"
    OPS.import_anim.oni(filepath=str(source), keys="EVERY")
    bpy.data.batch_remove(list(bpy.data.texts))
    parse = part("core.oni.files.documents").TramFile.parse
    rotations_of = part("core.oni.motion.evaluate").rotations_of
    count = {}
    for reduction in ("NONE", "ANGLE", "DISTANCE"):
        out = tmp_path / f"{reduction}.oni"
        with part("core.reporting.log").collect() as said:
            part("io.oni").export_oni(bpy.context, part("io.oni").ExportOptions(str(out), reduction=reduction))
        lines = [line for line in said.digest() if "keys became" in line]
        assert len(lines) == (reduction != "NONE") and not any("in the text" in line for line in lines), "no window shows a text here"
        count[reduction] = len(rotations_of(parse(out.read_bytes()).tram).keys)
    assert count["NONE"] == 19 * 60
    assert count["ANGLE"] == count["DISTANCE"] == len(rotations_of(parse(source.read_bytes()).tram).keys)
    report = bpy.data.texts["Keys of TRAMTESTrandom"].as_string()
    assert "1140 keys became" in report
    assert "bytes of rotations became" in report
    assert "head:" in report


def test_the_list_of_a_level(part: Part, game_file: Any) -> None:
    contents = part("io.oni.contents").contents
    level = str(game_file("oni/level/level1_Final.dat"))
    with pytest.raises(part("core.reporting.errors").FormatError, match="no level"):
        contents(str(game_file("oni/instances/TRAMTESTlong.oni")), {})
    line = next(line for line in contents(level, {})["characters"] if line.label == "TRAMTESTone")
    assert OPS.import_anim.oni_choose(filepath=level, entries=line.key) == {"FINISHED"}
    assert [action.name for action in bpy.data.actions] == ["TRAMTESTone"]
