"""What is edited of a character of Tales of Pirates differs in its files, and nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from support.mindpower.mindpower_warrior import Part, Warrior

OPS: Any = bpy.ops
"""The stubs do not know our operators."""


def test_one_key(warrior: Warrior) -> None:
    start, _ = warrior.frames(5)
    point = warrior.curve(warrior.action(5), "Bip02 Head", "rotation_quaternion", 2).keyframe_points[3]
    point.co.y += 0.1
    lab = warrior.packed().lab
    assert warrior.changed(lab) == ([warrior.before.names.index("Bip02 Head")], [start + 3])


def test_only_the_present_action(warrior: Warrior) -> None:
    """The others count as they were, whatever was done to them."""
    for number in (5, 2):
        for point in warrior.curve(warrior.action(number), "Bip02 Head", "rotation_quaternion", 2).keyframe_points:
            point.co.y += 0.1
    warrior.obj.animation_data.action = warrior.action(5)
    start, end = warrior.frames(5)
    assert warrior.changed(warrior.packed(source="ACTIVE").lab)[1] == list(range(start, end + 1))


def test_as_it_looks(warrior: Warrior) -> None:
    """Unedited the same file; a constraint that looks elsewhere is in the keys."""
    warrior.obj.animation_data.action = warrior.action(5)
    assert warrior.packed(source="ACTIVE", sampling="VISUAL").data == warrior.path.read_bytes()
    target = bpy.data.objects.new("target", None)
    bpy.context.collection.objects.link(target)
    target.location = (3, 3, 3)
    limit = warrior.obj.pose.bones["Bip02 Head"].constraints.new("DAMPED_TRACK")
    limit.target = target
    bones, frames = warrior.changed(warrior.packed(source="ACTIVE", sampling="VISUAL").lab)
    start, end = warrior.frames(5)
    assert frames == list(range(start, end + 1))
    assert warrior.before.names.index("Bip02 Head") in bones
    assert warrior.before.names.index("Bip02 Pelvis") not in bones


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
def test_motion_of_the_object_is_the_roots(warrior: Warrior, sampling: str) -> None:
    """Wherever the character was put, and however large: what it does from there is in the file, in either way."""
    warrior.obj.location, warrior.obj.scale = (5.0, -3.0, 1.0), (2.0, 2.0, 2.0)
    warrior.obj.rotation_euler = (0.0, 0.0, 0.5)
    action = warrior.action(5)
    warrior.obj.animation_data.action = action
    first, last = action.frame_start, action.frame_end
    for frame, (x, angle) in ((first, (5.0, 0.5)), (last, (9.0, 0.5 + np.pi / 2))):
        warrior.obj.location, warrior.obj.rotation_euler = (x, -3.0, 1.0), (0.0, 0.0, angle)
        warrior.obj.keyframe_insert("location", frame=frame)
        warrior.obj.keyframe_insert("rotation_euler", frame=frame)
    start, end = warrior.frames(5)
    lab = warrior.packed(source="ACTIVE", sampling=sampling).lab
    evaluate = warrior.part("core.mindpower.motion.evaluate")
    now, before = (evaluate.world_matrices(one) for one in (lab, warrior.before))
    assert np.abs(now[start] - before[start]).max() < 1e-5
    back, moved = (
        np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        np.array([np.cos(0.5), np.sin(0.5), 0]) * 2,
    )
    wanted = before[end].copy()
    wanted[..., :3] = before[end][..., :3] @ back  # to the left in Blender is to the right in the game
    wanted[:, 3, :3] += moved
    assert np.abs(now[end] - wanted).max() < 1e-4


def test_its_own_file_comes_onto_the_active_armature(warrior: Warrior, tmp_path: Path) -> None:
    """New actions, none overwritten, no mesh twice; wherever the file lies. Another file makes a character of its own."""
    count = len(bpy.data.objects)
    point = warrior.curve(warrior.action(5), "Bip02 Head", "rotation_quaternion", 2).keyframe_points[3]
    point.co.y += 0.1
    edited = warrior.packed().data
    mindpower = warrior.part("io.mindpower.build")
    again = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(warrior.path),), fps_mode="SET"))
    assert again.armatures == [warrior.obj] and not again.meshes and len(bpy.data.objects) == count
    assert len(again.actions) == len(warrior.actions) and not set(again.actions) & set(warrior.actions)
    assert warrior.obj.animation_data.action == again.actions[0]
    assert warrior.packed().data == edited
    for action in warrior.actions:
        bpy.data.actions.remove(action)
    assert warrior.packed().data == warrior.path.read_bytes()
    moved = tmp_path / "elsewhere.lab"
    moved.write_bytes(warrior.path.read_bytes())
    assert mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(moved),))).armatures == [warrior.obj]
    moved.write_bytes(edited)
    assert mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(moved),))).armatures != [warrior.obj]


def test_its_own_file_where_the_kept_one_is_lost(warrior: Warrior) -> None:
    bpy.data.batch_remove(list(bpy.data.texts))
    mindpower = warrior.part("io.mindpower.build")
    for action in warrior.actions:
        bpy.data.actions.remove(action)
    again = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(warrior.path),), fps_mode="SET"))
    assert again.armatures == [warrior.obj]
    assert warrior.packed().data == warrior.path.read_bytes()


def test_dummies(warrior: Warrior) -> None:
    """Moved, added, removed; the others keep their bits."""
    empties = {obj["mindpower_order"]: obj for obj in bpy.data.objects if "mindpower_dummy" in obj}
    empties[2].location.z += 0.5
    bpy.data.objects.remove(empties[4])
    warrior.obj.data.bones.active = warrior.obj.data.bones["Bip02 Head"]
    assert OPS.retro_anim.mindpower_dummy(slot="20") == {"FINISHED"}
    dummies, before = warrior.packed().lab.dummies, warrior.before.dummies
    kept = [0, 1, 3, *range(5, len(before))]
    assert dummies[[0, 1, 3, *range(4, len(before) - 1)]].tobytes() == before[kept].tobytes()
    moved = before[2]["matrix"].astype(float)
    step = moved[2, :3] * 0.5  # along the dummy's own z axis
    assert np.abs(dummies[2]["matrix"][3, :3] - moved[3, :3] - step).max() < 1e-5
    assert (dummies[-1]["id"], dummies[-1]["parent"]) == (20, warrior.before.names.index("Bip02 Head"))
    bone = warrior.obj.data.bones["Bip02 Head"]
    assert np.abs(dummies[-1]["matrix"][3, :3] * [1, -1, 1] - np.array(bone.head_local)).max() < 1e-5
    assert np.abs(dummies[-1]["matrix"][:3, :3] - np.eye(3)).max() < 1e-5


def test_a_bone_renamed(warrior: Warrior) -> None:
    """Another name in the file, and nothing else, though Blender renames it in the present action alone."""
    warrior.obj.data.bones["Bip02 Head"].name = "Skull"
    index = warrior.before.names.index("Bip02 Head")
    lab = warrior.packed().lab
    assert lab.names[index] == "Skull"
    assert warrior.changed(lab) == ([], [])


def test_a_bone_turned_at_rest(warrior: Warrior) -> None:
    """The pose that is seen is what counts: its keys, and those of its children, are written anew."""
    bpy.ops.object.mode_set(mode="EDIT")
    bone = warrior.obj.data.edit_bones["Bip02 L ForeArm"]
    bone.roll += 0.5
    bpy.ops.object.mode_set(mode="OBJECT")
    packed, index = warrior.packed(), warrior.before.names.index("Bip02 L ForeArm")
    lab, start = packed.lab, next(row.start for row in packed.actions.rows if row.number == 5)  # overlapping ranges have moved
    warrior.obj.animation_data.action = warrior.action(5)
    bpy.context.scene.frame_set(int(warrior.action(5).frame_start) + 3)
    pose = warrior.obj.pose.bones["Bip02 L ForeArm"].matrix @ warrior.obj.data.bones["Bip02 L ForeArm"].matrix_local.inverted()
    evaluate = warrior.part("core.mindpower.motion.evaluate")
    skin = (lab.inverse_binds[index].astype(np.float64) @ evaluate.world_matrices(lab)[start + 3, index]).T * np.outer(
        [1, -1, 1, 1], [1, -1, 1, 1]
    )
    assert np.abs(skin - np.array(pose)).max() < 1e-5


def test_a_bone_moved_at_rest_is_named_with_its_remedy(warrior: Warrior, tmp_path: Path) -> None:
    warrior.obj.animation_data.action = warrior.action(5)
    bpy.ops.object.mode_set(mode="EDIT")
    bone = warrior.obj.data.edit_bones["Bip02 Head"]
    for end in (bone.head, bone.tail):
        end.z += 0.25
    bpy.ops.object.mode_set(mode="OBJECT")
    export = warrior.part("io.mindpower.write")
    options = export.ExportOptions(str(tmp_path / "out.lab"), source="ACTIVE")
    said = export.export_mindpower(bpy.context, options).warnings
    (line,) = [line for line in said if "Bip02 Head" in line and "off at frame" in line]
    assert "0.25 units off" in line and "it was moved at rest" in line and "Edit Mode" in line


@pytest.mark.thorough
@pytest.mark.parametrize("moving", [False, True])
def test_a_bone_put_above_one_of_the_game(warrior: Warrior, tmp_path: Path, moving: bool) -> None:
    """At rest it changes no byte, though Blender rounds the rest matrix below it anew; where it moves what hangs on it, that is named."""
    action = warrior.action(5)
    warrior.obj.animation_data.action = action
    bpy.ops.object.mode_set(mode="EDIT")
    bones = warrior.obj.data.edit_bones
    between, below = bones.new("between"), bones["Bip02 Spine"]
    between.head, between.tail = below.head.lerp(below.tail, 0.3), below.head.lerp(below.tail, 0.8)
    between.roll, between.parent = 0.7, below.parent
    below.parent = between
    bpy.ops.object.mode_set(mode="OBJECT")
    if moving:
        pose = warrior.obj.pose.bones["between"]
        pose.rotation_mode, pose.rotation_euler = "XYZ", (0.4, 0.0, 0.0)
    export, target = warrior.part("io.mindpower.write"), tmp_path / "out.lab"
    said = export.export_mindpower(bpy.context, export.ExportOptions(str(target), source="ALL")).warnings
    named = [line for line in said if "it hangs on between, which the game does not have" in line]
    assert target.read_bytes() == warrior.path.read_bytes()
    assert all("Bip02 Spine: 22.9 degrees off" in line and "As It Looks" in line for line in named)
    assert bool(named) == moving


def test_the_lists_to_choose_from(part: Part, game_file: Callable[[str], Path]) -> None:
    client, contents = game_file("mindpower"), part("io.mindpower.contents")
    choices = contents.contents(str(client / "scripts" / "table" / "CharacterInfo.txt"), {})
    key, *_ = next(line for line in choices["characters"] if line[1].startswith("0088"))
    chosen = OPS.import_anim.mindpower_choose(filepath=str(client / "scripts"), entries=key)
    assert chosen == {"FINISHED"}
    objects: list[Any] = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    assert [sum("mindpower_helper" not in bone for bone in obj.data.bones) for obj in objects] == [38]
    assert contents.contents(str(client / "animation" / "0088.lab"), {}) == {}


def test_suits_to_choose_from(part: Part, copied: Path) -> None:
    for suit, number in ((0, 1), (3, 0), (3, 2)):
        source = copied / "model" / "character" / "0741000000.lgo"
        shutil.copyfile(source, source.with_name(f"{741_000_000 + 10_000 * suit + number:010}.lgo"))
    choices = part("io.mindpower.contents").contents(str(copied / "animation" / "0741.lab"), {})
    assert [key for key, *_ in choices["suits"]] == ["0741000000", "0741000001", "0741030000", "0741030002"]
    mindpower = part("io.mindpower.build")
    options = mindpower.ImportOptions((str(copied / "animation" / "0741.lab"),), parts="0741000000, 0741030002")
    assert [mesh.name for mesh in mindpower.import_mindpower(bpy.context, options).meshes] == ["0741000000", "0741030002"]


@pytest.mark.parametrize("option", ["location", "rotation", "scale"])
def test_an_applied_transform_is_refused(warrior: Warrior, option: str) -> None:
    """The way out that the message names leads back to the same file."""
    bpy.ops.object.select_all(action="DESELECT")
    warrior.obj.select_set(True)
    bpy.context.view_layer.objects.active = warrior.obj
    values = {"location": (1.0, 2.0, 0.0), "rotation": (0.0, 0.0, 0.5), "scale": (2.0, 2.0, 2.0)}[option]
    setattr(warrior.obj, "rotation_euler" if option == "rotation" else option, values)
    with warrior.part("core.reporting.log").collect() as said:
        assert warrior.packed().data == warrior.path.read_bytes()
    assert any("root bone" in line for line in said.digest("WARNING")) == (option != "location")
    bpy.ops.object.transform_apply(**{kind: kind == option for kind in ("location", "rotation", "scale")})
    with pytest.raises(warrior.part("core.reporting.errors").ExportError, match=f"{option}.*applied.*undo"):
        warrior.packed()


def test_rotation_modes_changed_after_import_change_nothing(warrior: Warrior, part: Part) -> None:
    for bone in warrior.obj.pose.bones:
        bone.rotation_mode = "XYZ"
    with part("core.reporting.log").collect() as said:
        assert warrior.packed().data == warrior.path.read_bytes()
    lines = said.digest("WARNING")
    assert lines and all("is not that of the curves, which do nothing now: their curves are converted" in line for line in lines)


def test_what_the_object_does_is_the_root(warrior: Warrior, part: Part) -> None:
    action, obj = warrior.action(5), warrior.obj
    part("io.blender.compat").assign(obj, action)
    start, _ = warrior.frames(5)
    for frame, where, angle in ((1, 0.0, 0.0), (5, 0.7, 0.8)):
        obj.location, obj.rotation_euler = (where, 0, 0), (0, 0, angle)
        obj.keyframe_insert("location", frame=frame)
        obj.keyframe_insert("rotation_euler", frame=frame)
    lab = warrior.packed(source="ACTIVE").lab
    figure = part("io.mindpower.figure.figure_read").read(obj)
    root = int(np.flatnonzero(figure.rig.parents < 0)[0])
    again = part("core.mindpower.motion.channels").poses(figure.motion_of(lab))
    for frame in (1, 3, 5):
        bpy.context.scene.frame_set(frame)
        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        matrix = np.array(shown.matrix_world @ shown.pose.bones[figure.names.bones[root]].matrix)
        assert np.abs(again[start + frame - 1, root] - matrix).max() < 1e-3


@pytest.mark.parametrize("number", [None, 500])
def test_a_bone_that_the_file_does_not_have_is_named(warrior: Warrior, tmp_path: Path, number: int | None) -> None:
    """Also one of another character with more bones, as after joining both, which has a number of its own."""
    bpy.ops.object.mode_set(mode="EDIT")
    added = warrior.obj.data.edit_bones.new("added")
    added.tail = (0, 0, 0.1)
    bpy.ops.object.mode_set(mode="OBJECT")
    if number is not None:
        warrior.obj.data.bones["added"][warrior.part("io.blender.armature").INDEX] = number
    export = warrior.part("io.mindpower.write")
    said = export.export_mindpower(bpy.context, export.ExportOptions(str(tmp_path / "out.lab"), source="ALL")).warnings
    assert any("1 bone left out that the file does not have" in line for line in said)
