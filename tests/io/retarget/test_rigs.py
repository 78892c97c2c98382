"""Sources that keys alone do not explain, and targets of every kind: constraints, drivers, the NLA, Euler modes, linked rigs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs
from support.blender_rigs import apart

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]
FRAMES = range(1, 31, 4)


def with_ik(source: Any, part: Part) -> None:
    goal = bpy.data.objects.new("goal", None)
    bpy.context.collection.objects.link(goal)
    goal.location = (0.3, -0.4, 1.1)
    constraint = source.pose.bones["leftLowerArm"].constraints.new("IK")
    constraint.target, constraint.chain_count = goal, 2


def with_copy(source: Any, part: Part) -> None:
    constraint = source.pose.bones["rightUpperArm"].constraints.new("COPY_ROTATION")
    constraint.target, constraint.subtarget, constraint.influence = source, "leftUpperArm", 0.7


def with_driver(source: Any, part: Part) -> None:
    driver = source.driver_add('pose.bones["head"].location', 0).driver
    driver.type, driver.expression = "SCRIPTED", "0.2 * frame / 30"
    curve = source.animation_data.drivers[0]
    assert not curve.mute


def with_nla(source: Any, part: Part) -> None:
    rotated = np.array([[np.cos(0.3), np.sin(0.3), 0, 0]] * 30).T
    over = rigs.keyed(part, source, "over", {("neck", "rotation_quaternion"): rotated})
    base = bpy.data.actions["dance"]
    track = source.animation_data.nla_tracks.new()
    track.strips.new("base", 1, base)
    part("io.blender.compat").assign(source, over)


def with_parent(source: Any, part: Part) -> None:
    parent = bpy.data.objects.new("parent", None)
    bpy.context.collection.objects.link(parent)
    parent.keyframe_insert("location", frame=1)
    parent.location.x = 2.0
    parent.keyframe_insert("location", frame=30)
    source.parent = parent


def with_hinge(source: Any, part: Part) -> None:
    source.data.bones["leftUpperArm"].use_inherit_rotation = False
    source.data.bones["neck"].use_local_location = False


@pytest.mark.parametrize("change", [with_ik, with_copy, with_driver, with_nla, with_parent, with_hinge], ids=lambda change: change.__name__)
def test_what_is_shown_counts(part: Part, run: Any, change: Any) -> None:
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(3))
    action = rigs.dance(part, source)
    plain = rigs.joints(source, rigs.JOINTS, FRAMES)
    change(source, part)
    shown = rigs.joints(source, rigs.JOINTS, FRAMES)
    assert apart(shown, plain) > 1e-2 or change is with_nla
    assert part("io.retarget.reading.read").needs_evaluation(source, source.animation_data.action or action)
    run(source, target)
    # A driven or IK-stretched joint may stand off its parent; the limbs' directions are what follows.
    result = rigs.joints(target, rigs.JOINTS, FRAMES)
    roles = list(rigs.JOINTS)
    for role in roles:
        if role.endswith(("LowerArm", "Hand", "LowerLeg", "Foot")):
            child, parent = roles.index(role), roles.index(rigs.JOINTS[role][0])
            offsets = [positions[:, child] - positions[:, parent] for positions in (shown, result)]
            assert apart(*(offset / np.linalg.norm(offset, axis=1, keepdims=True) for offset in offsets)) < 2e-5, role


def test_a_curve_s_modifier_counts(part: Part, run: Any) -> None:
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(3))
    action = rigs.dance(part, source)
    curve = next(curve for curve in part("io.blender.compat").curves(action, source) if "location" in curve.data_path)
    curve.modifiers.new("GENERATOR").use_additive = True
    run(source, target)
    assert apart(rigs.joints(source, rigs.JOINTS, FRAMES), rigs.joints(target, rigs.JOINTS, FRAMES)) < 1e-5


@pytest.mark.parametrize("mode", ["XYZ", "ZYX", "YXZ", "AXIS_ANGLE", "QUATERNION"])
def test_rotation_modes_are_kept(part: Part, run: Any, mode: str) -> None:
    source, target, back = rigs.build("one"), rigs.build("two", rotation=rigs.tumbled(3)), rigs.build("three")
    for bone in target.pose.bones:
        bone.rotation_mode = mode
    rigs.dance(part, source, frames=60, most=2.5)
    result = run(source, target).actions[0]
    assert {bone.rotation_mode for bone in target.pose.bones} == {mode}
    wanted = rigs.joints(source, rigs.JOINTS, FRAMES)
    assert apart(rigs.joints(target, rigs.JOINTS, FRAMES), wanted) < 2e-5
    for curve in part("io.blender.compat").curves(result, target):
        if "euler" in curve.data_path:
            values = np.empty(2 * len(curve.keyframe_points), np.float32)
            curve.keyframe_points.foreach_get("co", values)
            assert np.abs(np.diff(values[1::2])).max() < np.pi
    run(target, back)
    assert apart(rigs.joints(back, rigs.JOINTS, FRAMES), wanted) < 4e-5


def test_keys_where_the_source_has_them(part: Part, run: Any) -> None:
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(3))
    action = rigs.dance(part, source)
    for curve in part("io.blender.compat").curves(action, source):
        for point in reversed(list(curve.keyframe_points)):
            if int(point.co.x) % 5 != 1:
                curve.keyframe_points.remove(point)
    result = run(source, target, keys="SOURCE").actions[0]
    assert {len(curve.keyframe_points) for curve in part("io.blender.compat").curves(result, target)} == {6}
    assert apart(rigs.joints(source, rigs.JOINTS, range(1, 27, 5)), rigs.joints(target, rigs.JOINTS, range(1, 27, 5))) < 1e-5
    result = run(source, target, step=2.5).actions[0]
    assert {len(curve.keyframe_points) for curve in part("io.blender.compat").curves(result, target)} == {11}


@pytest.mark.parametrize(("frame", "outside"), [(30, False), (500, True), (-3, True)])
def test_a_reference_frame_outside_the_action_is_said(part: Part, run: Any, frame: float, outside: bool) -> None:
    source, target = rigs.build("one"), rigs.build("two")
    rigs.dance(part, source)
    with part("core.reporting.log").collect() as said:
        run(source, target, align="FRAME", pose_frame=frame)
    assert any("is outside the action's" in message for message in said.digest("WARNING")) == outside


def test_alignment_by_hand(part: Part, run: Any) -> None:
    """POSE and FRAME: both say that source and target stand alike though their rest poses do not."""
    source, target = rigs.build("one", pose=rigs.a_pose(0.5)), rigs.build("two")
    rigs.dance(part, source)
    still = np.zeros((4, 1))
    still[0] = 1
    rotated = np.array([[np.cos(0.25), 0.0, np.sin(0.25), 0.0]]).T
    matrix = np.array(source.data.bones["leftUpperArm"].matrix_local.to_3x3())
    # The arm raised by 0.5 about the world's Y, in the bone's own axes: the T-pose of the target.
    axis = matrix.T @ np.array([0.0, -1.0, 0.0])
    rotated[1:, 0] = axis * np.sin(0.25)
    other = np.array(source.data.bones["rightUpperArm"].matrix_local.to_3x3()).T @ np.array([0.0, 1.0, 0.0])
    right = np.concatenate([[np.cos(0.25)], other * np.sin(0.25)])[:, None]
    present = source.animation_data.action
    rigs.keyed(part, source, "pose", {("leftUpperArm", "rotation_quaternion"): rotated, ("rightUpperArm", "rotation_quaternion"): right})
    part("io.blender.compat").assign(source, present)
    run(source, target, align="POSE", source_pose="pose")
    limbs = ["leftUpperArm", "leftLowerArm", "leftHand", "rightUpperArm", "rightLowerArm", "rightHand"]
    one, two = (np.diff(rigs.joints(obj, limbs, FRAMES).reshape(-1, 2, 3, 3), axis=2) for obj in (source, target))
    assert apart(one, two) < 1e-4


def test_alignment_without_a_pose_is_that_of_the_rest_poses(part: Part, run: Any) -> None:
    """Of a target, too, that has bones which nothing follows."""
    source, target = rigs.build("one"), rigs.build("two")
    rigs.dance(part, source)
    with part("io.blender.new_objects").editing(bpy.context, target) as bones:
        for number, parent in enumerate(("hips", "tail 0")):
            bone = bones.new(f"tail {number}")
            bone.head, bone.tail, bone.parent = (0, 0.2 + 0.3 * number, 1), (0, 0.5 + 0.3 * number, 1), bones[parent]
    run(source, target, align="POSE")
    limbs = ["leftUpperArm", "leftLowerArm", "leftHand"]
    one, two = (np.diff(rigs.joints(obj, limbs, FRAMES), axis=1) for obj in (source, target))
    assert apart(one, two) < 1e-4


def library(tmp_path: Path) -> Path:
    path = tmp_path / "library.blend"
    rigs.build("hero", names=rigs.UNREAL, pose=rigs.a_pose())
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return path


def linked(path: Path) -> Any:
    libraries: Any = bpy.data.libraries
    with libraries.load(str(path), link=True) as (_, wanted):
        wanted.objects = ["hero"]
    return wanted.objects[0]


def test_a_linked_rig_with_overrides(part: Part, run: Any, tmp_path: Path) -> None:
    path = library(tmp_path)
    target = linked(path).override_create(remap_local_usages=True)
    bpy.context.collection.objects.link(target)
    source = rigs.build("one")
    rigs.dance(part, source)
    result = run(source, target, rigs.pairs(part, rigs.PLAIN, rigs.UNREAL)).actions[0]
    assert target.animation_data.action == result
    wanted = rigs.joints(source, rigs.JOINTS, FRAMES)
    assert apart(rigs.joints(target, rigs.UNREAL.values(), FRAMES), wanted) < 1e-5
    saved = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=saved)
    bpy.ops.wm.open_mainfile(filepath=saved)
    again = next(obj for obj in bpy.data.objects if obj.name == "hero" and obj.library is None)
    assert again.override_library is not None
    assert apart(rigs.joints(again, rigs.UNREAL.values(), FRAMES), wanted) < 1e-5


def test_a_linked_rig_without_overrides_gets_its_actions(part: Part, run: Any, tmp_path: Path) -> None:
    path = library(tmp_path)
    target = linked(path)
    bpy.context.collection.objects.link(target)
    source = rigs.build("one")
    rigs.dance(part, source)
    with part("core.reporting.log").collect() as said:
        result = run(source, target, rigs.pairs(part, rigs.PLAIN, rigs.UNREAL))
    assert len(result.actions) == 1
    assert any("once it is overridden" in str(message) for message in said.messages)


@pytest.mark.parametrize("hide", ["object", "collection"])
def test_a_hidden_source_that_must_be_evaluated(part: Part, run: Any, hide: str) -> None:
    """As it is when it is shown, and hidden again afterwards."""
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.tumbled(3))
    rigs.dance(part, source)
    source.pose.bones["head"].constraints.new("LIMIT_ROTATION")
    wanted = rigs.joints(source, rigs.JOINTS, FRAMES)
    layer = bpy.context.view_layer
    if hide == "object":
        source.hide_viewport = True
    else:
        own = bpy.data.collections.new("hidden")
        bpy.context.scene.collection.children.link(own)
        own.objects.link(source)
        bpy.context.scene.collection.objects.unlink(source)
        layer.layer_collection.children["hidden"].exclude = True
    run(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN))
    assert source.hide_viewport == (hide == "object")
    assert source.name not in layer.objects or hide == "object"
    assert apart(rigs.joints(target, rigs.JOINTS, FRAMES), wanted) < 2e-5


@pytest.mark.parametrize("constrained", [False, True])
def test_bones_that_are_posed_but_not_keyed(part: Part, run: Any, constrained: bool) -> None:
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.tumbled(3))
    action = rigs.dance(part, source)
    for curve in part("io.blender.compat").curves(action):
        if "leftUpperArm" in curve.data_path:
            curve.data_path = curve.data_path.replace("leftUpperArm", "nothing")
    source.pose.bones["leftUpperArm"].rotation_quaternion = (0.8, 0.0, 0.6, 0.0)
    if constrained:
        source.pose.bones["head"].constraints.new("LIMIT_ROTATION")
    run(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN))
    wanted = rigs.joints(source, rigs.JOINTS, FRAMES)
    assert apart(rigs.joints(target, rigs.JOINTS, FRAMES), wanted) < 2e-5


def test_a_mirrored_armature_is_refused(part: Part, run: Any) -> None:
    source, target = rigs.build("one"), rigs.build("two")
    rigs.dance(part, source)
    source.scale = (-1.0, 1.0, 1.0)
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="one is mirrored"):
        run(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN))


def test_what_another_action_drives_is_put_back(part: Part, run: Any) -> None:
    source, target = rigs.build("one"), rigs.build("two")
    present = rigs.dance(part, source, "present")
    other = rigs.dance(part, source, "other")
    limit = source.pose.bones["head"].constraints.new("LIMIT_ROTATION")
    source.location = (5.0, 0.0, 0.0)
    source.keyframe_insert("location", frame=1)
    limit.influence = 0.25
    limit.keyframe_insert("influence", frame=1)
    part("io.blender.compat").assign(source, present)
    source.location, limit.influence = (1.0, 2.0, 3.0), 0.75
    run(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN), actions=(other.name,), assign=False)
    assert tuple(source.location) == (1.0, 2.0, 3.0)
    assert limit.influence == 0.75


def test_sampled_curves_are_a_source_as_keys_are(part: Part, run: Any) -> None:
    source, target, other = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(3)), rigs.build("three", rotation=rigs.rolled(3))
    action = rigs.dance(part, source)
    (before,) = run(source, target).actions
    for curve in part("io.blender.compat").curves(action, source):
        curve.convert_to_samples(1, 31)
        assert len(curve.keyframe_points) == 0
    (after,) = run(source, other).actions
    first, second = (
        {
            (curve.data_path, curve.array_index): [curve.evaluate(frame) for frame in FRAMES]
            for curve in part("io.blender.compat").curves(each)
        }
        for each in (before, after)
    )
    assert first.keys() == second.keys()
    assert max(np.abs(np.subtract(first[key], second[key])).max() for key in first) < 1e-5


def test_several_strips_of_the_nla_are_one_clip(part: Part, run: Any) -> None:
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(3))
    track = source.animation_data_create().nla_tracks.new()
    for seed, start in ((1, 1), (2, 41)):
        track.strips.new("strip", start, rigs.dance(part, source, f"clip {seed}", seed=seed))
    source.animation_data.action = None
    (action,) = run(source, target, nla=True, feet=False).actions
    assert (action.name, tuple(action.frame_range)) == ("one NLA on two", (1.0, 70.0))
    frames = (1, 12, 29, 41, 55, 69)
    assert apart(rigs.joints(source, rigs.JOINTS, frames), rigs.joints(target, rigs.JOINTS, frames)) < 2e-5
