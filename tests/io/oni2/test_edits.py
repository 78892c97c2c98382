"""Oni 2 edited in Blender: what was changed changes in the file, and nothing else; new clips."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import mathutils
import numpy as np
import pytest
from support.oni2.oni2_blender import null_of, two_bones
from support.oni2.oni2_files import CHANNELS_SKEL, FRAME

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]


@pytest.fixture
def two(tmp_path: Path) -> Path:
    return two_bones(tmp_path)


@pytest.fixture
def parsed(part: Part, tmp_path: Path) -> Callable[..., Any]:
    """What an export writes, as a document."""
    anim = part("core.oni2.files.anim").Anim

    def export(**options: Any) -> Any:
        path = tmp_path / "written.anim"
        OPS.export_anim.oni2(filepath=str(path), **options)
        return anim.parse(path.read_bytes())

    return export


def came_in(part: Part, path: Path) -> Any:
    return part("core.oni2.files.anim").Anim.parse(path.read_bytes())


def walk(part: Part) -> Any:
    """A clip of eight frames with deltas on the two bones: the root goes along -Z, the spine turns over and over."""
    frames = np.arange(8)
    values = np.tile(np.array(FRAME, "f4"), (8, 1))
    values[:, 2] -= 0.25 * frames
    values[:, 6] += 1.3 * frames
    table = np.tile(np.array([0, 0, -0.25], "f4"), (8, 1))
    return part("core.oni2.files.anim").build("ANI1", 0, np.array([0, 0, -2]), 0, values, table)


@pytest.fixture
def steps(two: Path, part: Part) -> Path:
    """A longer clip with deltas, of kind ANI1."""
    path = two / "two_walk.anim"
    path.write_bytes(walk(part).pack())
    return path


def curve_of(part: Part, path: str, index: int) -> Any:
    obj: Any = bpy.context.object
    action = obj.animation_data.action
    return next(curve for curve in part("io.blender.compat").curves(action, obj) if (curve.data_path, curve.array_index) == (path, index))


@pytest.mark.parametrize("kind", ["null", "ANI1", "ani"])
def test_the_file_may_be_of_another_kind(steps: Path, part: Part, parsed: Any, kind: str) -> None:
    before = came_in(part, steps)
    OPS.import_anim.oni2(filepath=str(steps))
    after = parsed(kind=kind)
    assert after.kind == kind
    assert np.array_equal(after.values, before.values)
    assert (after.deltas is not None) == (kind == "ANI1")
    assert after.travel[2] == -2


def test_an_edited_key(steps: Path, part: Part, parsed: Any) -> None:
    before = came_in(part, steps)
    OPS.import_anim.oni2(filepath=str(steps), fps_mode="SET")
    curve_of(part, 'pose.bones["spine"].rotation_euler', 1).keyframe_points[3].co[1] = 0.875
    after = parsed()
    assert np.argwhere(after.table != before.table).tolist() == [[3, 7]]
    assert after.values[3, 7] == 0.875


def test_later_keys_of_a_control_and_of_properties(steps: Path, part: Part, parsed: Any) -> None:
    """They move nothing that is written, so the clip is as long as before."""
    before = came_in(part, steps)
    OPS.import_anim.oni2(filepath=str(steps), fps_mode="SET")
    obj: Any = bpy.context.object
    OPS.object.mode_set(mode="EDIT")
    control = obj.data.edit_bones.new("control")
    control.tail = (0, 0, 1)
    OPS.object.mode_set(mode="OBJECT")
    assert obj.pose.bones["control"].keyframe_insert("location", frame=400)
    obj["mine"] = obj.pose.bones["spine"]["mine"] = 1.0
    for owner in (obj, obj.pose.bones["spine"]):
        assert owner.keyframe_insert('["mine"]', frame=300)
    curve_of(part, 'pose.bones["spine"].rotation_euler', 1).keyframe_points[3].co[1] = 0.875
    after = parsed()
    assert np.argwhere(after.table != before.table).tolist() == [[3, 7]]


def test_a_bone_on_no_other_is_named(steps: Path, parsed: Any) -> None:
    before = steps.read_bytes()
    OPS.import_anim.oni2(filepath=str(steps), fps_mode="SET")
    obj: Any = bpy.context.object
    OPS.object.mode_set(mode="EDIT")
    obj.data.edit_bones["spine"].parent = None
    OPS.object.mode_set(mode="OBJECT")
    with pytest.raises(RuntimeError, match="bone spine hangs on no other, and a skeleton has one root: hang it on one of its bones"):
        parsed()
    assert steps.read_bytes() == before


def test_a_root_that_goes_further(steps: Path, part: Part, parsed: Any) -> None:
    before = came_in(part, steps)
    OPS.import_anim.oni2(filepath=str(steps), fps_mode="SET")
    points = curve_of(part, 'pose.bones["root"].location', 2).keyframe_points
    for point in points[4:]:
        point.co[1] -= 1
    after = parsed()
    assert np.array_equal(np.delete(after.values, 2, axis=1), np.delete(before.values, 2, axis=1))
    assert (after.deltas - before.deltas)[:, 2].tolist() == [0, 0, 0, -1, 0, 0, 0, 0]
    assert after.travel[2] == pytest.approx(-3, abs=1e-6)


def test_flags_stride_loop_and_deltas_by_hand(steps: Path, part: Part, parsed: Any) -> None:
    before = came_in(part, steps)
    OPS.import_anim.oni2(filepath=str(steps), fps_mode="SET")
    obj: Any = bpy.context.object
    assert obj.pose.bones["root"]["root_delta"][:] == (0, 0, -0.25)
    action = obj.animation_data.action
    assert action["oni2_flags"] == "0x80000000"
    action["oni2_flags"], action["oni2_stride"] = "0x80000012", [1.0, 2.0, 3.0]
    after = parsed()
    assert (after.flags, after.stride.tolist()) == (0x80000012, [1, 2, 3])
    assert np.array_equal(after.table, before.table)
    action.use_cyclic = True
    assert parsed().flags == 0x80000013
    assert parsed(deltas="LEAVE").deltas is None
    action["oni2_flags"] = "many"
    with pytest.raises(RuntimeError, match=r"oni2_flags \(Flags\) is 'many', and must be a whole number from 0 to 0xFFFFFFFF"):
        parsed()


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "AXIS_ANGLE"])
def test_other_rotation_modes(steps: Path, part: Part, parsed: Any, mode: str) -> None:
    """A bone keyed in another mode has the same rotations; its angles do not jump; the other bone keeps its bits."""
    before = came_in(part, steps)
    OPS.import_anim.oni2(filepath=str(steps), fps_mode="SET")
    bone: Any = bpy.context.object.pose.bones["spine"]
    bone.rotation_mode = mode
    property_name = {"QUATERNION": "rotation_quaternion", "XYZ": "rotation_euler", "AXIS_ANGLE": "rotation_axis_angle"}[mode]
    for frame, triple in enumerate(before.values[:, 6:9]):
        rotation = mathutils.Euler(triple, "XZY")
        if mode == "QUATERNION":
            bone.rotation_quaternion = rotation.to_quaternion()
        elif mode == "XYZ":
            bone.rotation_euler = rotation.to_matrix().to_euler("XYZ")
        else:
            axis, angle = rotation.to_quaternion().to_axis_angle()
            bone.rotation_axis_angle = (angle, *axis)
        bone.keyframe_insert(property_name, frame=frame + 1)
    after = parsed()
    assert np.array_equal(after.values[:, :6], before.values[:, :6])
    rotation = part("core.motion.rotations.rotation_matrix")
    rotated = [rotation.from_euler(clip.values[:, 6:9].astype(float), "XZY") for clip in (before, after)]
    assert np.abs(rotated[0] - rotated[1]).max() < 2e-6
    assert np.abs(np.diff(after.values[:, 6:9], axis=0)).max() < 1.31


def test_rotation_modes_changed_after_import_change_nothing(steps: Path, part: Part, parsed: Any) -> None:
    OPS.import_anim.oni2(filepath=str(steps))
    for bone in bpy.context.object.pose.bones:
        bone.rotation_mode = "QUATERNION"
    with part("core.reporting.log").collect() as said:
        pack = part("io.oni2.pack")
        obj = bpy.context.object
        data = pack.pack_action(bpy.context, obj, obj.animation_data.action, pack.ExportOptions(""))
    assert data == steps.read_bytes()
    (line,) = said.digest("WARNING")
    assert "rotation mode of 2 bones (first: root) is not that of the curves" in line


@pytest.mark.parametrize("root_motion", ["BONE", "OBJECT"])
def test_an_edit_along_one_axis_leaves_the_strides_of_the_others(steps: Path, part: Part, parsed: Any, root_motion: str) -> None:
    before = came_in(part, steps)
    OPS.import_anim.oni2(filepath=str(steps), root_motion=root_motion, fps_mode="SET")
    obj: Any = bpy.context.object
    path = "location" if root_motion == "OBJECT" else 'pose.bones["root"].location'
    index = 1 if root_motion == "OBJECT" else 2
    curves = part("io.blender.compat").curves(obj.animation_data.action)
    curve = next(curve for curve in curves if (curve.data_path, curve.array_index) == (path, index))
    curve.keyframe_points[4].co.y += 0.5
    after = parsed()
    assert not np.array_equal(after.values, before.values) or not np.array_equal(after.deltas, before.deltas)
    assert after.stride[:2].tobytes() == before.stride[:2].tobytes()


@pytest.mark.parametrize("root_motion", ["BONE", "OBJECT", "NONE"])
def test_keys_on_the_object_turn_and_move_the_root(steps: Path, parsed: Any, root_motion: str) -> None:
    """A quarter circle about the vertical after the fourth frame."""
    OPS.import_anim.oni2(filepath=str(steps), root_motion=root_motion, fps_mode="SET")
    obj: Any = bpy.context.object
    before = parsed()
    obj.rotation_euler = (0, 0, 0)
    obj.keyframe_insert("rotation_euler", frame=1)
    obj.keyframe_insert("rotation_euler", frame=4)
    obj.rotation_euler = (0, 0, np.pi / 2)
    obj.keyframe_insert("rotation_euler", frame=5)
    after = parsed()
    assert np.abs(after.values[:3, 3:6] - before.values[:3, 3:6]).max() < 1e-5
    assert np.abs(after.values[4, 4] - before.values[4, 4]) == pytest.approx(np.pi / 2, abs=1e-4)


@pytest.mark.parametrize("root_motion", ["BONE", "OBJECT"])
@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
def test_as_it_looks_it_is_the_same_where_nothing_else_acts(steps: Path, parsed: Any, root_motion: str, direction: str) -> None:
    OPS.import_anim.oni2(filepath=str(steps), root_motion=root_motion, bone_direction=direction)
    assert parsed(sampling="VISUAL").pack() == steps.read_bytes()


def test_as_it_looks_constraints_count(steps: Path, part: Part, parsed: Any) -> None:
    before = came_in(part, steps)
    OPS.import_anim.oni2(filepath=str(steps), fps_mode="SET")
    imported: Any = bpy.context.object.pose.bones["spine"].constraints.new("LIMIT_ROTATION")
    imported.owner_space, imported.euler_order = "LOCAL", "XZY"
    imported.use_limit_y, imported.min_y, imported.max_y = True, 0.125, 0.25
    after = parsed(sampling="VISUAL")
    assert after.values[:, 7] == pytest.approx([0.25] * 8, abs=1e-5)
    assert after.values[:, 6] == pytest.approx(before.values[:, 6], abs=1e-4)
    assert np.array_equal(after.values[:, :6], before.values[:, :6])
    assert np.array_equal(after.deltas, before.deltas)


def test_without_the_kept_files_the_motion_is_the_same(steps: Path, two: Path, part: Part, parsed: Any, tmp_path: Path) -> None:
    before = came_in(part, steps)
    OPS.import_anim.oni2(filepath=str(steps), root_motion="OBJECT")
    bpy.data.batch_remove(list(bpy.data.texts))
    after = parsed()
    assert (after.kind, after.flags) == (before.kind, before.flags)
    assert np.array_equal(after.values[:, 3:], before.values[:, 3:])
    assert np.abs(after.values - before.values).max() < 1e-6
    assert np.array_equal(after.deltas, before.deltas)
    OPS.export_anim.oni2(filepath=str(tmp_path / "new.skel"))
    skel = part("core.oni2.files.skeleton.skel").Skel
    old, new = (skel.parse(path.read_bytes()) for path in (two / "two.skel", tmp_path / "new.skel"))
    bones = [[(bone.name, bone.parent, bone.channels) for bone in one.bones] for one in (old, new)]
    assert bones[0] == bones[1]
    assert np.abs(new.offsets - old.offsets).max() < 1e-6


def test_a_new_clip_on_a_skeleton(two: Path, part: Part, parsed: Any) -> None:
    OPS.import_anim.oni2(filepath=str(two / "two.skel"))
    bpy.context.scene.render.fps = 30
    bone: Any = bpy.context.object.pose.bones["root"]
    for frame, (height, angle) in enumerate([(0, 0.0), (-1, 0.5), (-2, 1.0)]):
        bone.location, bone.rotation_euler = (0, 0, height), (0, angle, 0)
        bone.keyframe_insert("location", frame=1 + 2 * frame)
        bone.keyframe_insert("rotation_euler", frame=1 + 2 * frame)
    for point in (
        point for curve in part("io.blender.compat").curves(bpy.context.object.animation_data.action) for point in curve.keyframe_points
    ):
        point.interpolation = "LINEAR"
    new = parsed()
    assert (new.kind, new.flags, new.deltas, len(new.values)) == ("ANI1", 0, None, 5)
    assert new.values[:, 1:3].tolist() == [[1, 0], [1, -0.5], [1, -1], [1, -1.5], [1, -2]]
    assert new.values[:, 4] == pytest.approx([0, 0.25, 0.5, 0.75, 1], abs=1e-6)
    assert new.stride.tolist() == [0, 0, -2]
    with_deltas = parsed(deltas="WRITE")
    assert with_deltas.flags == 0x80000000
    assert with_deltas.deltas[:, 2].tolist() == [-0.5, -0.5, -0.5, -0.5, 0]


def test_what_the_skeleton_cannot_say_is_refused(tmp_path: Path, parsed: Any) -> None:
    (tmp_path / "five.skel").write_text(CHANNELS_SKEL)
    (tmp_path / "five.anim").write_bytes(null_of(np.tile([0, 1, *[0] * 12, 1, 1, 1, 0, 0], (2, 1))))
    OPS.import_anim.oni2(filepath=str(tmp_path / "five.anim"), fps_mode="SET")
    bone: Any = bpy.context.object.pose.bones["pelvis"]
    bone.location = (0, 0.5, 0)
    bone.keyframe_insert("location", frame=2)
    with pytest.raises(RuntimeError, match="pelvis moves along Y at frames 1 and 2: the skeleton has no channel for that"):
        parsed()


def test_what_a_driver_does_and_the_skeleton_cannot_say(tmp_path: Path, parsed: Any) -> None:
    """It has no keys to delete: with the driver muted, and what it gave cleared, the clip is written."""
    (tmp_path / "five.skel").write_text(CHANNELS_SKEL)
    (tmp_path / "five.anim").write_bytes(null_of(np.tile([0, 1, *[0] * 12, 1, 1, 1, 0, 0], (2, 1))))
    OPS.import_anim.oni2(filepath=str(tmp_path / "five.anim"), fps_mode="SET")
    bone: Any = bpy.context.object.pose.bones["pelvis"]
    curve = bone.driver_add("location", 1)
    curve.driver.expression = "0.5"
    with pytest.raises(RuntimeError, match="the skeleton has no channel for that: clear that, or mute what gives it that") as refused:
        parsed(sampling="VISUAL")
    assert "keys" not in str(refused.value)
    curve.mute = True
    bone.location = (0, 0, 0)
    parsed(sampling="VISUAL")


def test_a_key_between_frames_on_a_channel_that_the_file_lacks(steps: Path, part: Part, tmp_path: Path) -> None:
    """What is said does not lead to whole frames, where it would be refused."""
    OPS.import_anim.oni2(filepath=str(steps))
    obj: Any = bpy.context.object
    bone = next(each for each in obj.pose.bones if each.parent is not None)
    for frame, height in ((2, 0.0), (2.5, 1.0), (3, 0.0)):
        bone.location.x = height
        bone.keyframe_insert("location", index=0, frame=frame)
    (curve,) = [
        each
        for each in part("io.blender.compat").curves(obj.animation_data.action)
        if bone.name in each.data_path and "loc" in each.data_path
    ]
    for key in curve.keyframe_points:
        key.interpolation = "LINEAR"
    oni2 = part("io.oni2")
    (line,) = oni2.export_oni2(bpy.context, oni2.ExportOptions(path=str(tmp_path / "written.anim"))).warnings
    assert line.endswith("the clip's file has no channel for its location: delete these keys, or move a bone that has one")


def test_two_clips_to_one_place_are_refused(steps: Path, two: Path, tmp_path: Path) -> None:
    OPS.import_anim.oni2(filepath=str(steps))
    OPS.import_anim.oni2(filepath=str(two / "two_step.anim"))
    bpy.data.actions["two_walk"].name, bpy.data.actions["two_step"].name = "a:b", "a?b"
    with pytest.raises(RuntimeError, match="both go to"):
        OPS.export_anim.oni2(filepath=str(tmp_path / "x.anim"), source="ALL")
    assert not list(tmp_path.glob("*.anim"))


def test_nothing_to_export(tmp_path: Path) -> None:
    for name, problem in (("x.anim", "no action"), ("x.skel", "no armature")):
        with pytest.raises(RuntimeError, match=problem):
            OPS.export_anim.oni2(filepath=str(tmp_path / name))


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("oni2_loop_byte", 300, r"two_step: oni2_loop_byte \(Loop Byte\) is 300, and must be a whole number from 0 to 255"),
        ("oni2_loop_byte", "often", "oni2_loop_byte .* is 'often', and must be a whole number from 0 to 255"),
        ("oni2_stride", "far", r"oni2_stride \(Stride\) must be up to 3 numbers"),
    ],
)
def test_fields_out_of_range_are_refused(two: Path, tmp_path: Path, name: str, value: Any, problem: str) -> None:
    """By name and range, in one line, with or without the source data; nothing is written."""
    OPS.import_anim.oni2(filepath=str(two / "two_step.anim"))
    action: Any = bpy.data.actions["two_step"]
    action[name] = value
    for _ in range(2):
        with pytest.raises(RuntimeError, match=problem) as caught:
            OPS.export_anim.oni2(filepath=str(tmp_path / "out.anim"))
        assert str(caught.value).strip().count("\n") == 0
        assert not (tmp_path / "out.anim").exists()
        if "retro_anim_source" in action:
            del action["retro_anim_source"]
