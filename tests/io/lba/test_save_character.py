"""A character made from nothing: body, a walk retargeted onto it, and the entity that uses both, saved into copies of the archives in one
go; read again by a parser of the test's own, and opened by the product."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs
from support.lba.lba_entities import contents, group_count, records, steps_of, unpacked

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[3] / "samples"


def doll_in(part: Part, folder: Path, walks: bool = True) -> Any:
    """A body of one's own, active, with a walk of the mannequin retargeted onto it where it `walks`."""
    options = part("core.lba.game")
    (source,) = part("io.lba").import_lba(bpy.context, options.ImportOptions((str(folder / "ANIM.HQR"),), entities="0")).armatures
    walk = next(action for action in bpy.data.actions if "walk" in action.name)
    source.animation_data.action = walk
    doll = blender_rigs.build("doll", names=blender_rigs.UNREAL)
    for name in blender_rigs.UNREAL.values():
        bone = doll.data.bones[name]
        OPS.mesh.primitive_cube_add(size=0.05, location=doll.matrix_world @ ((bone.head_local + bone.tail_local) / 2))
        cube: Any = bpy.context.object
        cube.parent = doll
        cube.matrix_parent_inverse = doll.matrix_world.inverted()
        cube.modifiers.new("Armature", "ARMATURE").object = doll
        cube.vertex_groups.new(name=name).add(range(8), 1.0, "REPLACE")
    make = part("io.lba.make")
    game = "lba1" if (folder / "FILE3D.HQR").exists() else "lba2"
    obj = make.make_body(bpy.context, doll, options.MakeOptions(game=game, palette=str(folder / "RESS.HQR"))).armature
    bpy.context.view_layer.objects.active = obj
    if not walks:
        return obj
    for each in bpy.data.objects:
        each.select_set(each in (source, obj))
    assert OPS.retro_anim.retarget(source=source.name, target=obj.name, actions=walk.name) == {"FINISHED"}
    obj.animation_data.action.name = "of the doll"  # what it is used for it has from its source
    bpy.context.view_layer.objects.active = obj
    return obj


def test_saved_in_one_go_and_read_by_others(part: Part, folder: Path) -> None:
    wide = not (folder / "FILE3D.HQR").exists()
    before = contents(folder)
    obj = doll_in(part, folder)
    groups = len(obj.data.bones)
    assert OPS.retro_anim.lba_save(folder=str(folder), like=0) == {"FINISHED"}
    after = contents(folder)
    listed = "RESS.HQR" if wide else "FILE3D.HQR"
    changed = {"ANIM.HQR", "BODY.HQR", listed}
    assert {name for name in before if after[name] != before[name]} == changed
    assert after.keys() - before.keys() == {f"{name}.bak" for name in changed}
    assert all(after[f"{name}.bak"] == before[name] for name in changed)
    old, new = ({name: unpacked(state[name]) for name in changed} for state in (before, after))
    for name in changed - {"RESS.HQR"}:
        assert new[name][:-1] == old[name], "all other entries as they were"
    body, clip = new["BODY.HQR"][-1], new["ANIM.HQR"][-1]
    assert body is not None and clip is not None and group_count(body, wide) == groups
    frames, bones = struct.unpack_from("<2H", clip)
    assert bones == groups and len(clip) == 8 + frames * (8 + 8 * bones)
    if wide:
        table = new["RESS.HQR"][44]
        assert table is not None
        offsets = struct.unpack_from(f"<{struct.unpack_from('<I', table)[0] // 4}I", table)
        entity = table[offsets[-2] :]
        assert [each for index, each in enumerate(new["RESS.HQR"]) if index != 44] == [
            each for index, each in enumerate(old["RESS.HQR"]) if index != 44
        ]
    else:
        entity = new[listed][-1] or b""
    uses = records(entity, wide)
    assert (1, 0, len(new["BODY.HQR"]) - 1) in uses and (3, 1, len(new["ANIM.HQR"]) - 1) in uses, "the body, and the walk as walk"
    index = len(part("core.lba.characters.characters").of_file(str(folder / listed))) - 1
    poses = shown(obj)
    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    result = part("io.lba").import_lba(bpy.context, part("core.lba.game").ImportOptions((str(folder / listed),), entities=str(index)))
    (again,) = result.armatures
    again.animation_data.action = next(action for action in result.actions if "walk" in action.name and action.name.endswith("walk"))
    assert np.abs(shown(again) - poses).max() < 0.006, "the walk as it was seen, within the 5 units of fewer keys"


def shown(obj: Any) -> np.ndarray:
    """(F, B, 3) heads of the bones in the armature at a few frames of its action, in the order of the groups."""
    start = obj.animation_data.action.curve_frame_range[0]
    order = sorted(obj.pose.bones, key=lambda bone: bone.bone["retro_anim_bone"])
    poses = []
    for frame in (0, 4, 10, 16, 22):
        bpy.context.scene.frame_set(int(start) + frame)
        poses.append([list(bone.head) for bone in order])
    return np.array(poses)


def test_saved_again_nothing_changes_and_an_edit_changes_its_own(part: Part, folder: Path) -> None:
    obj = doll_in(part, folder)
    save, options = part("io.lba.save"), part("core.lba.game")
    wide = not (folder / "FILE3D.HQR").exists()
    action = obj.animation_data.action
    action["lba_events"] = "1 left step; 4 right step; 6 right step (never)"  # as of a source with six keyframes
    for marker in [marker for marker in action.pose_markers if "step" in marker.name]:
        action.pose_markers.remove(marker)
    action.pose_markers.new("right step").frame = int(action.curve_frame_range[1])
    first = save.save_character(bpy.context, obj, options.SaveOptions(folder=str(folder), like=0))
    count = struct.unpack_from("<H", unpacked((folder / "ANIM.HQR").read_bytes())[-1] or b"")[0]
    assert steps_of(folder, wide, -1) == [(16, count - 1), (16, max(count, 6))], "what the game never got to it never gets to"
    before = contents(folder)
    second = save.save_character(bpy.context, obj)
    assert contents(folder) == before and (second.paths, second.entity, second.body) == ([], first.entity, first.body)
    mesh: Any = next(child for child in obj.children_recursive if child.type == "MESH" and child.data.polygons)
    mesh.data.vertices[0].co.z += 0.02
    assert [Path(path).name for path in save.save_character(bpy.context, obj).paths] == ["BODY.HQR"]


def test_events_go_along_with_a_clip(part: Part, folder: Path) -> None:
    """Its markers, at the keyframes of the file, of which there are fewer than in Blender; a clip without any says which it keeps."""
    wide = not (folder / "FILE3D.HQR").exists()
    obj = doll_in(part, folder)
    save, options = part("io.lba.save"), part("core.lba.game").SaveOptions(folder=str(folder), like=0)
    action = obj.animation_data.action
    if not any("step" in marker.name for marker in action.pose_markers):  # the one of the first game has them already
        for name, frame in (("left step", 0), ("right step", 10)):
            action.pose_markers.new(name).frame = int(action.curve_frame_range[0]) + frame
    if wide:  # as retargeted from an action of the game: the marker alone does not say the number
        action.pose_markers.new("hit").frame = int(action.curve_frame_range[0])
        action["lba_events"] = "0 hit, strength 7"
    else:
        assert action["lba_events"] == "0 left step; 4 right step", "what the source's markers stood for"
    marked = {marker.name: marker.frame for marker in action.pose_markers}
    first = save.save_character(bpy.context, obj, options)
    data = unpacked((folder / "ANIM.HQR").read_bytes())[first.clips[action.name]]
    assert data is not None
    count, bones = struct.unpack_from("<2H", data)
    ticks = [struct.unpack_from("<H", data, 8 + index * (8 + 8 * bones))[0] for index in range(1, count)]
    at = action.curve_frame_range[0] + np.cumsum([0, *ticks]) * bpy.context.scene.render.fps * (0.001 if wide else 0.02)
    number = {name: int(np.abs(at - marked[name]).argmin()) for name in ("left step", "right step")}
    assert all(abs(at[keyframe] - marked[name]) < 0.6 for name, keyframe in number.items())
    assert steps_of(folder, wide, -1) == [(15, number["left step"]), (16, number["right step"])]
    action.pose_markers["right step"].frame = round(at[-1])
    assert [Path(path).name for path in save.save_character(bpy.context, obj).paths][-1] == ("RESS.HQR" if wide else "FILE3D.HQR")
    assert steps_of(folder, wide, -1)[1] == (16, struct.unpack_from("<H", unpacked((folder / "ANIM.HQR").read_bytes())[-1] or b"")[0] - 1)
    assert save.save_character(bpy.context, obj).paths == []
    for marker in list(action.pose_markers):
        action.pose_markers.remove(marker)
    del action["lba_events"]
    with part("core.reporting.log").collect() as said:
        save.save_character(bpy.context, obj, part("core.lba.game").SaveOptions(folder=str(folder), entity=0))
    listed = [message.text for message in said.messages if "keeps the events" in message.text]
    assert ["0 left step; 4 right step" in line for line in listed] == ([] if wide else [True])


def test_an_imported_character_unedited_changes_nothing(part: Part, folder: Path) -> None:
    options = part("core.lba.game")
    listed = "FILE3D.HQR" if (folder / "FILE3D.HQR").exists() else "RESS.HQR"
    (obj,) = part("io.lba").import_lba(bpy.context, options.ImportOptions((str(folder / listed),), entities="0")).armatures
    before = contents(folder)
    saved = part("io.lba.save").save_character(bpy.context, obj)
    assert (saved.entity, saved.paths) == (0, []) and contents(folder) == before


def test_what_the_game_does_not_show_is_said(part: Part, folder: Path) -> None:
    """Curves that are not straight between keys: as the export of the clip alone says it, though no byte changes."""
    listed = "FILE3D.HQR" if (folder / "FILE3D.HQR").exists() else "RESS.HQR"
    options = part("core.lba.game").ImportOptions((str(folder / listed),), entities="0")
    (obj,) = part("io.lba").import_lba(bpy.context, options).armatures
    for curve in part("io.blender.compat").curves(obj.animation_data.action):
        for key in curve.keyframe_points if "rotation" in curve.data_path else ():
            key.interpolation = "BEZIER"
            key.handle_left_type = key.handle_right_type = "FREE"
            key.handle_right.y += 2
        curve.update()
    with part("core.reporting.log").collect() as said:
        saved = part("io.lba.save").save_character(bpy.context, obj)
    assert saved.paths == []
    (message,) = said.of("WARNING")
    assert message.where == obj.animation_data.action.name and "its curves are not straight lines between keys" in message.text


def test_a_failure_in_the_third_file_changes_none(part: Part, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    doll_in(part, folder, walks=False)
    disk = part("core.files.disk.disk")
    before, honest = contents(folder), disk.os.replace
    listed = "FILE3D.HQR" if "FILE3D.HQR" in before else "RESS.HQR"

    def full(source: str, target: str) -> None:
        if Path(target).name == listed and Path(source).read_bytes() != before[listed]:
            raise OSError(28, "No space left on device")
        honest(source, target)

    monkeypatch.setattr(disk.os, "replace", full)
    with pytest.raises(RuntimeError, match="No space left"):
        OPS.retro_anim.lba_save(folder=str(folder))
    assert contents(folder) == before


def test_what_is_missing_is_named(part: Part, folder: Path) -> None:
    doll_in(part, folder, walks=False)
    (folder / "BODY.HQR").unlink()
    with pytest.raises(RuntimeError, match=r"there is no BODY\.HQR in it"):
        OPS.retro_anim.lba_save(folder=str(folder))


def test_a_new_clip_with_an_intro_starts_at_its_first_key(part: Part, folder: Path) -> None:
    """And not where its loop begins, from where the character would be a step behind."""
    obj = doll_in(part, folder, walks=False)
    obj.animation_data_create().action = action = bpy.data.actions.new("stroll")
    start = obj.location.copy()
    bone = obj.pose.bones[1]
    for number, frame in enumerate((1, 11, 21, 31)):
        obj.location = start
        obj.location.y -= 0.1 * number
        obj.keyframe_insert("location", frame=frame)
        bone.rotation_euler.x = 0.1 * (number % 2)
        bone.keyframe_insert("rotation_euler", frame=frame)
    action.use_frame_range = action.use_cyclic = True
    action.frame_start, action.frame_end = 11, 31
    pack, options = part("io.lba.pack"), part("core.lba.game")
    with part("core.reporting.log").collect() as said:
        packed = pack.pack_action(bpy.context, obj, action, options.ExportOptions())
    assert [message.text for message in said.messages] == []
    count, bones = struct.unpack_from("<2H", packed.data)
    steps = [struct.unpack_from("<3h", packed.data, 10 + index * (8 + 8 * bones)) for index in range(count)]
    assert steps[1:] == [pytest.approx((0, 0, 0.1 / obj.data["retro_anim_scale"]), abs=1)] * (count - 1)


def test_the_palette_that_was_given_stays(part: Part, folder: Path, tmp_path: Path) -> None:
    """For colours that are picked or new afterwards, and for the game's view; another one than lies beside the archives."""
    obj = doll_in(part, folder, walks=False)
    recolour, resources = part("io.lba.body.recolour"), part("io.lba.body.resources")
    mesh = next(child for child in obj.children_recursive if child.type == "MESH")
    own = unpacked((folder / "RESS.HQR").read_bytes())[0]
    assert recolour.palette_of(mesh).colours.astype(np.uint8).tobytes() == own
    assert OPS.retro_anim.lba_save(folder=str(folder)) == {"FINISHED"}
    with part("core.reporting.log").collect() as said:
        hidden = part("io.lba.game_view").dressed(bpy.context, obj)
    assert hidden == [mesh] and said.of("WARNING") == []
    inverse = tmp_path / "other.pal"
    inverse.write_bytes(bytes(255 - value for value in own or b""))
    (again,) = (
        part("io.lba")
        .import_lba(bpy.context, part("core.lba.game").ImportOptions((str(folder / "BODY.HQR"),), entries="0", palette=str(inverse)))
        .armatures
    )
    assert resources.palette_of(again.data).colours.astype(np.uint8).tobytes() == inverse.read_bytes()
    bad = tmp_path / "bad.pal"
    bad.write_bytes(b"none")
    resources.keep(again.data, str(bad))
    assert resources.path_for(again.data) == str(inverse), "one that cannot be read is not kept"
    inverse.write_bytes(b"none")
    child: Any = next(child for child in again.children_recursive if child.type == "MESH" and child.data.polygons)
    with part("core.reporting.log").collect() as said:
        part("io.lba.bodies").pack_body(bpy.context, again, part("core.lba.game").BodyOptions())
    assert said.of("WARNING") == [], "no colour of it is asked for"
    child.data.materials[0] = bpy.data.materials.new("new")
    with part("core.reporting.log").collect() as said:
        part("io.lba.bodies").pack_body(bpy.context, again, part("core.lba.game").BodyOptions())
    assert any(str(inverse) in message.text and "plain palette" in message.text for message in said.of("WARNING"))
    inverse.unlink()
    assert resources.palette_of(again.data).colours.astype(np.uint8).tobytes() == own, "the one beside the body, where it is gone"
