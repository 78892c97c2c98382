"""Retargeting in Blender: what must hold for any pair of armatures, measured on the poses that Blender shows."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs
from support.blender_rigs import apart
from support.pairs.pair_targets import with_bones

Part = Callable[[str], ModuleType]
FRAMES = range(1, 31, 4)


def curve_values(part: Part, action: Any, obj: Any) -> dict[tuple[str, int], Any]:
    result = {}
    for curve in part("io.blender.compat").curves(action, obj):
        values = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", values)
        result[curve.data_path, curve.array_index] = values.reshape(-1, 2)
    return result


def test_i1_onto_the_same_rig_the_curves_are_the_same(part: Part, run: Any) -> None:
    source, target = rigs.build("one", rotation=rigs.rolled(1)), rigs.build("two", rotation=rigs.rolled(1))
    action = rigs.dance(part, source)
    result = run(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN)).actions[0]
    before, after = curve_values(part, action, source), curve_values(part, result, target)
    assert before.keys() == after.keys()
    for key, values in before.items():
        sign = 1.0
        if "quaternion" in key[0]:
            w = (key[0], 0)
            sign = np.sign(before[w][0, 1] * after[w][0, 1])
        assert np.abs(values[:, 0] - after[key][:, 0]).max() == 0
        assert np.abs(values[:, 1] - sign * after[key][:, 1]).max() < 2e-6, key


VARIANTS: dict[str, tuple[dict[str, Any], float, float]] = {
    "roll": ({"rotation": rigs.rolled(2)}, 0.0, 1e-5),
    "axes": ({"rotation": rigs.tumbled(3)}, 0.0, 2e-5),
    "rest": ({"rotation": rigs.tumbled(4), "pose": rigs.bent(4, 0.4)}, np.pi / 2, 1e-5),
    "names": ({"names": rigs.MIXAMO, "pose": rigs.a_pose()}, 0.0, 1e-5),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_i2_to_i4_joints_are_where_the_source_has_them(part: Part, run: Any, variant: str) -> None:
    options, angle, most = VARIANTS[variant]
    source, target = rigs.build("one"), rigs.build("two", **options)
    target.rotation_euler.z = angle
    rigs.dance(part, source)
    names = options.get("names", rigs.PLAIN)
    run(source, target, rigs.pairs(part, rigs.PLAIN, names))
    rotation = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    # The figures stand turned against each other about the world's origin.
    wanted = rigs.joints(source, rigs.JOINTS, FRAMES) @ rotation.T
    assert apart(rigs.joints(target, names.values(), FRAMES), wanted) < most


@pytest.mark.parametrize("in_object", [False, True])
def test_i5_scale(part: Part, run: Any, in_object: bool) -> None:
    source = rigs.build("one")
    target = rigs.build("two", sizes=None if in_object else dict.fromkeys(rigs.JOINTS, 1.7), rotation=rigs.tumbled(5))
    if in_object:
        target.scale = (1.7, 1.7, 1.7)
    rigs.dance(part, source)
    report = run(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN)).reports[0]
    assert apart(rigs.joints(target, rigs.JOINTS, FRAMES), rigs.joints(source, rigs.JOINTS, FRAMES) * 1.7) < 2e-5
    assert report.factor == pytest.approx(1.7, abs=1e-5)


def test_i6_there_and_back(part: Part, run: Any) -> None:
    sizes = dict(zip(rigs.JOINTS, np.random.default_rng(9).uniform(0.7, 1.4, len(rigs.JOINTS)).tolist(), strict=True))
    source, target, back = (
        rigs.build("one"),
        rigs.build("two", names=rigs.UNREAL, rotation=rigs.tumbled(6), sizes=sizes),
        rigs.build("three"),
    )
    rigs.dance(part, source)
    there = rigs.pairs(part, rigs.PLAIN, rigs.UNREAL)
    run(source, target, there)
    run(target, back, there.reversed())
    assert apart(rigs.joints(back, rigs.JOINTS, FRAMES), rigs.joints(source, rigs.JOINTS, FRAMES)) < 1e-5


def test_i7_limb_directions(part: Part, run: Any) -> None:
    sizes = dict(zip(rigs.JOINTS, np.random.default_rng(8).uniform(0.6, 1.5, len(rigs.JOINTS)).tolist(), strict=True))
    source, target = rigs.build("one"), rigs.build("two", names=rigs.VRM, pose=rigs.bent(3, 0.5), rotation=rigs.tumbled(7), sizes=sizes)
    rigs.dance(part, source)
    report = run(source, target, rigs.pairs(part, rigs.PLAIN, rigs.VRM)).reports[0]
    one, two = rigs.joints(source, rigs.JOINTS, FRAMES), rigs.joints(target, rigs.VRM.values(), FRAMES)
    roles = list(rigs.JOINTS)
    worst = 0.0
    for role in roles:
        if role.endswith(("LowerArm", "Hand", "LowerLeg", "Foot", "Toes")):
            child, parent = roles.index(role), roles.index(rigs.JOINTS[role][0])
            offsets = [positions[:, child] - positions[:, parent] for positions in (one, two)]
            first, second = (offset / np.linalg.norm(offset, axis=1, keepdims=True) for offset in offsets)
            worst = max(worst, float(np.degrees(2 * np.arcsin(np.linalg.norm(first - second, axis=1) / 2)).max()))
    assert worst < 1e-3
    assert report.limb_max < 1e-3


def test_i9_no_flips_as_keyed(part: Part, run: Any) -> None:
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.tumbled(7))
    rigs.dance(part, source, frames=120, most=4.0)
    result = run(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN))
    values = curve_values(part, result.actions[0], target)
    for role in rigs.JOINTS:
        rotations = np.stack([values[f'pose.bones["{role}"].rotation_quaternion', index][:, 1] for index in range(4)], axis=1)
        assert (rotations[1:] * rotations[:-1]).sum(axis=1).min() >= 0
    assert result.reports[0].flips == 0
    assert result.reports[0].rotation_excess < 1e-4


def test_i10_yaw_of_the_source_object_changes_nothing(part: Part, run: Any) -> None:
    source, target, other = rigs.build("one"), rigs.build("two", rotation=rigs.tumbled(7)), rigs.build("three", rotation=rigs.tumbled(7))
    rigs.dance(part, source)
    bone_map = rigs.pairs(part, rigs.PLAIN, rigs.PLAIN)
    run(source, target, bone_map)
    source.rotation_euler.z = 0.7
    bpy.context.view_layer.update()
    run(source, other, bone_map)
    assert apart(rigs.joints(target, rigs.JOINTS, FRAMES), rigs.joints(other, rigs.JOINTS, FRAMES)) < 2e-6


def test_i10_mirror_twice(part: Part, run: Any) -> None:
    source, target, back = rigs.build("one"), rigs.build("two", rotation=rigs.tumbled(7)), rigs.build("three")
    rigs.dance(part, source)
    bone_map = rigs.pairs(part, rigs.PLAIN, rigs.PLAIN)
    run(source, target, bone_map, mirror=True)
    swap = [list(rigs.JOINTS).index(part("core.retarget.figures.roles").other_side(role)) for role in rigs.JOINTS]
    before = rigs.joints(source, rigs.JOINTS, FRAMES)
    assert apart(rigs.joints(target, rigs.JOINTS, FRAMES), before[:, swap] * np.array([-1.0, 1, 1])) < 2e-5
    run(target, back, bone_map, mirror=True)
    assert apart(rigs.joints(back, rigs.JOINTS, FRAMES), before) < 2e-5


def state(obj: Any) -> list[Any]:
    """What must not change, of an armature object."""
    data = obj.data
    bones = [(bone.name, [tuple(row) for row in bone.matrix_local], bone.length, bone.use_deform) for bone in data.bones]
    posed = [
        (
            bone.name,
            *(tuple(getattr(bone, name)) for name in ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")),
            bone.rotation_mode,
            [(constraint.name, constraint.type, constraint.influence, constraint.mute) for constraint in bone.constraints],
            dict(bone.items()),
        )
        for bone in obj.pose.bones
    ]
    animation = obj.animation_data
    state = (animation.action, animation.use_nla, len(animation.nla_tracks), len(animation.drivers)) if animation else None
    return [
        *(tuple(value) for value in (obj.location, obj.rotation_euler, obj.rotation_quaternion, obj.scale)),
        [tuple(row) for row in obj.matrix_world],
        (obj.rotation_mode, obj.parent, obj.mode, obj.select_get(), [constraint.name for constraint in obj.constraints]),
        (bones, posed, state),
    ]


@pytest.mark.parametrize("root_motion", ["HIPS", "BONE", "OBJECT", "NONE"])
def test_i11_nothing_else_changes(part: Part, run: Any, root_motion: str) -> None:
    source, target = rigs.build("one"), rigs.build("two", names=rigs.UNREAL, root="root")
    for number in range(3):
        rigs.dance(part, source, f"clip {number}", seed=number)
    target.location = (1.0, 2.0, 3.0)
    target.pose.bones["spine_01"].rotation_quaternion = (0.9, 0.1, 0.0, 0.0)
    target.pose.bones["spine_02"].constraints.new("LIMIT_ROTATION").influence = 0.0
    source.select_set(True)
    bpy.context.view_layer.objects.active = target
    bpy.ops.object.mode_set(mode="POSE")
    bpy.context.scene.frame_set(7, subframe=0.25)
    before = state(source), state(target)
    bone_map = rigs.pairs(part, rigs.PLAIN, rigs.UNREAL)
    result = run(source, target, bone_map, root_motion=root_motion, actions=("clip 0", "clip 1"), assign=False)
    assert [action.name for action in result.actions] == ["clip 0 on two", "clip 1 on two"]
    assert (state(source), state(target)) == before
    assert (bpy.context.scene.frame_current, bpy.context.scene.frame_subframe) == (7, 0.25)
    assert bpy.context.view_layer.objects.active == target
    assert source.animation_data.action.name == "clip 2"


@pytest.mark.parametrize("most", [0, 2000, 98304])
def test_i11_batch_is_one_by_one(part: Part, run: Any, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Of other lengths, one with fewer curves and one that is read from what is shown, whatever is retargeted together."""
    monkeypatch.setattr(part("io.retarget.batches"), "MOST", most)
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.tumbled(7))
    clips = [rigs.dance(part, source, f"clip {number}", frames, seed=number) for number, frames in enumerate((30, 1, 41, 12))]
    names = [clip.name for clip in clips]
    root = source.pose.bones[0].name
    curves = part("io.blender.compat").curves(clips[3], source)
    path = next(curve for curve in curves if curve.data_path.endswith("location"))
    part("io.blender.compat").more_curves(clips[0], source).new(
        path.data_path.replace("location", "scale"), 0, root
    ).keyframe_points.insert(1, 1.2)
    for curve in curves:
        if curve.data_path == path.data_path:
            curve.mute = True
    bone_map = rigs.pairs(part, rigs.PLAIN, rigs.PLAIN)
    batch = run(source, target, bone_map, actions=tuple(names), assign=False)
    for name, together in zip(names, batch.actions, strict=True):
        alone = run(source, target, bone_map, actions=(name,), assign=False, earlier="KEEP").actions[0]
        one, other = curve_values(part, together, target), curve_values(part, alone, target)
        assert one.keys() == other.keys()
        assert all(np.array_equal(one[key], other[key]) for key in one)


def test_i12_keys_and_shown_poses_say_the_same(part: Part) -> None:
    read = part("io.retarget.reading.read")
    source = rigs.build("one", rotation=rigs.tumbled(2))
    action = rigs.dance(part, source)
    source.location, source.rotation_euler, source.scale = (1, 2, 3), (0.1, 0.2, 0.3), (0.5, 0.5, 0.5)
    bpy.context.view_layer.update()
    figure = read.figure_of(source)
    frames = np.array([1.0, 2.0, 2.5, 17.0, 30.0])
    keyed, shown = read.keyed(source, action, figure, frames), read.shown(bpy.context, source, figure, frames)
    assert apart(keyed.positions, shown.positions) < 1e-5
    dots = np.abs(np.einsum("fbi,fbi->fb", keyed.rotations, shown.rotations))
    assert dots.min() > 1 - 1e-6


def test_i13_every_blender_gives_the_same(part: Part, run: Any) -> None:
    """Numbers of one Blender that the others must give too."""
    source, target = rigs.build("one"), rigs.build("two", names=rigs.UNREAL, pose=rigs.a_pose())
    rigs.dance(part, source)
    result = run(source, target, rigs.pairs(part, rigs.PLAIN, rigs.UNREAL))
    values = curve_values(part, result.actions[0], target)
    result = {bone: [values[f'pose.bones["{bone}"].rotation_quaternion', index][frame, 1] for index, frame in SAMPLES] for bone in KNOWN}
    for bone, numbers in KNOWN.items():
        assert result[bone] == pytest.approx(numbers, abs=1e-6), bone


SAMPLES = ((0, 0), (1, 9), (2, 29))
KNOWN = {
    "pelvis": [0.99514735, 0.095570698, 0.016773712],
    "upperarm_l": [0.85022712, 0.39277861, -0.11737269],
    "hand_r": [0.97365588, 0.033766989, -0.45605364],
    "calf_l": [0.78265494, -0.41899258, 0.13861477],
    "head": [0.96021807, -0.2184936, -0.00015790325],
}


def spine_of(names: dict[str, str], *left_out: str) -> dict[str, str]:
    return {role: name for role, name in names.items() if role not in left_out}


def test_i14_a_chain_there_and_back_keeps_its_end(part: Part, run: Any) -> None:
    kinds = part("core.retarget.figures.maps.bone_map")
    source, target, back = rigs.build("one"), rigs.build("two", names=spine_of(rigs.PLAIN, "chest")), rigs.build("three")
    rigs.dance(part, source)
    limbs = spine_of(rigs.PLAIN, "spine", "chest", "upperChest")
    chain = kinds.Chain(("spine", "chest", "upperChest"), ("spine", "upperChest"), "spine")
    bone_map = kinds.BoneMap(rigs.pairs(part, limbs, limbs).pairs, (chain,))
    run(source, target, bone_map)
    run(target, back, bone_map.reversed())
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        one, other = source.pose.bones["upperChest"].matrix, back.pose.bones["upperChest"].matrix
        # Each action stores float32 quaternions, so each way adds a rounding.
        assert np.abs(np.array(one.to_3x3()) - np.array(other.to_3x3())).max() < 2e-6


def test_what_other_actions_leave_behind_is_put_to_rest(part: Part, run: Any) -> None:
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(2))
    rigs.dance(part, source)
    rigs.dance(part, target, "before")
    target.pose.bones["neck"].location = (0.1, 0.2, 0.3)
    target.pose.bones["chest"].scale = (1.0, 1.5, 1.0)
    fewer = {role: name for role, name in rigs.PLAIN.items() if role not in ("chest", "upperChest")}
    run(source, target, rigs.pairs(part, fewer, fewer))
    limbs = [role for role in rigs.JOINTS if role.endswith(("Arm", "Leg", "Hand", "Foot"))]
    one, two = rigs.joints(source, limbs, FRAMES), rigs.joints(target, limbs, FRAMES)
    for part_of in ("left", "right"):
        arm = [limbs.index(part_of + name) for name in ("UpperArm", "LowerArm", "Hand")]
        assert apart(np.diff(one[:, arm], axis=1), np.diff(two[:, arm], axis=1)) < 1e-5


def test_in_a_run_of_many_files_each_clip_puts_to_rest_what_those_before_it_move(part: Part) -> None:
    """Whoever keeps in mind what is known of the rig still sees its new actions."""
    module = part("io.retarget.retarget")
    source, target = rigs.build("one", names=rigs.MIXAMO), rigs.build("two", rotation=rigs.rolled(2))
    rigs.dance(part, source)
    known = part("io.retarget.target_cache").Known(target)
    lengths: list[list[int]] = []
    for without in ("chest", "", "chest"):
        ours, theirs = ({role: name for role, name in names.items() if role != without} for names in (rigs.MIXAMO, rigs.PLAIN))
        options = module.RetargetOptions(assign=False)
        result = module.retarget_actions(bpy.context, source, target, rigs.pairs(part, ours, theirs), options, known=known)
        curves = curve_values(part, result.actions[0], target)
        lengths.append([len(keys) for (path, _), keys in curves.items() if '"chest"' in path])
    assert lengths == [[], [30] * 4, [1] * 4]


@pytest.mark.parametrize("coat", [False, True])
def test_a_cape_is_missed_only_where_the_target_has_a_part_for_it(part: Part, run: Any, coat: bool) -> None:
    source = with_bones(
        rigs.build("one", names=rigs.MIXAMO), [("cape", rigs.MIXAMO["chest"], (0, 0.3, -0.4)), ("hem", "cape", (0, 0.1, -0.5))]
    )
    rows = [("tassel", rigs.UNREAL["chest"], (0.0, 0.1, 0.0))]
    rows += [("coat", rigs.UNREAL["chest"], (0.0, 0.2, -0.4)), ("coat end", "coat", (0.0, 0.1, -0.4))] if coat else []
    target = with_bones(rigs.build("two", names=rigs.UNREAL), rows)
    angle = np.linspace(0, 1, 12)
    swing = np.stack([np.cos(angle / 2), np.sin(angle / 2), 0 * angle, 0 * angle])
    hips = np.stack([np.linspace(0, 0.1, 12), 0 * angle, 0 * angle])
    rigs.keyed(part, source, "wave", {("cape", "rotation_quaternion"): swing, (rigs.MIXAMO["hips"], "location"): hips})
    report = run(source, target, rigs.pairs(part, rigs.MIXAMO, rigs.UNREAL)).reports[0]
    assert [item.bone for item in report.unmapped] == ["cape"]
    assert report.is_good is not coat


@pytest.mark.parametrize(("loop", "is_cyclic", "played"), [("AUTO", False, (8, 25)), ("AUTO", True, (8, 25)), ("NO", True, (1, 40))])
def test_the_new_action_is_played_where_its_source_is(part: Part, run: Any, loop: str, is_cyclic: bool, played: tuple[int, int]) -> None:
    """Its manual frame range; the keys before and behind that come along. Without one the new one's is that of its keys."""
    source, target = rigs.build("one"), rigs.build("two")
    action = rigs.dance(part, source)
    first, last = action.curve_frame_range
    assert (first, last) == (1, 30)
    (created,) = run(source, target, feet=False).actions
    assert (created.frame_start, created.frame_end, created.use_cyclic) == (first, last, False)
    action.use_frame_range, action.frame_start, action.frame_end = True, *played
    action.use_cyclic = is_cyclic
    (created,) = run(source, target, feet=False, loop=loop).actions
    assert created.use_frame_range
    assert (created.frame_start, created.frame_end) == played
    assert created.use_cyclic == (is_cyclic and loop == "AUTO")
    assert tuple(created.curve_frame_range) == (first, last)


@pytest.mark.parametrize("keys", ["FRAMES", "SOURCE"])
def test_a_loop_that_is_asked_for_is_that_of_the_frame_range(part: Part, run: Any, keys: str) -> None:
    """Of 40 frames those from 11 to 30: one step later the pose of frame 11 is there again. What leads to them comes along."""
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(3))
    rigs.dance(part, source, frames=40)
    action = source.animation_data.action
    action.use_frame_range, action.frame_start, action.frame_end = True, 11, 30
    (created,) = run(source, target, feet=False, loop="YES", keys=keys).actions
    assert (created.use_cyclic, created.frame_start, created.frame_end) == (True, 11, 31)
    assert [round(value) for value in created.curve_frame_range] == [1, 31]
    limbs = [f"{side}{part}" for side in ("left", "right") for part in ("UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot")]
    ours, theirs = (rigs.joints(obj, ("hips", *limbs), range(1, 32)) for obj in (target, source))
    assert apart(ours[:30] - ours[:30, :1], theirs[:30] - theirs[:30, :1]) < 1e-4
    assert apart(ours[30] - ours[30, 0], ours[10] - ours[10, 0]) < 1e-4
