"""A clip on a rig of no game between its frames: bones as Blender shows them, of source and target, at half frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Quaternion
from support import blender_rigs as rigs
from support.pairs.pair_targets import with_bones

from .test_between_keys import apart, back_and_forth, boxer, retargeted

Part = Callable[[str], ModuleType]
HALVES = np.arange(1, 25, 0.5)
SPINE = "spine", "chest", "upperChest"


def eased(part: Part, obj: Any, interpolation: str = "BEZIER", every: int = 1) -> Any:
    """Its source with curves that are eased from key to key, with every so many of the keys."""
    for curve in part("io.blender.compat").curves(obj.animation_data.action, obj):
        keys = curve.keyframe_points
        for row in reversed(range(len(keys))):
            if row % every:
                keys.remove(keys[row])
        for key in keys:
            key.interpolation, key.handle_left_type, key.handle_right_type = interpolation, "AUTO_CLAMPED", "AUTO_CLAMPED"
        curve.update()
    return obj


def plain(seed: int = 5) -> Any:
    return rigs.build("plain", names=rigs.UNREAL, rotation=rigs.rolled(seed))


@pytest.mark.parametrize(("interpolation", "every"), [("BEZIER", 1), ("BEZIER", 3), ("CONSTANT", 1), ("SINE", 2)])
def test_what_a_source_bends_between_frames_is_reported(part: Part, scene: Any, interpolation: str, every: int) -> None:
    source, target = eased(part, boxer(part, 1, 25), interpolation, every), plain()
    report = retargeted(part, source, target)
    off = apart(part, source, target, HALVES, report.yaw)
    assert off[::2].max() < 0.01 and off[1::2].max() > 0.25
    assert report.between == pytest.approx(off.max(), abs=0.02)
    (line,) = [line for line in report.lines() if "between keys" in line]
    most = HALVES[off.max(axis=1) > off.max() - 0.02]
    assert any(f"at frame {frame:g}: between whole frames" in line for frame in most)
    assert report.is_good


def test_straight_curves_leave_nothing_to_look_at(part: Part, scene: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor do those with keys at some of the frames alone."""
    read = part("io.retarget.reading.read")
    counted, whole = [], read.channels

    def channels(*arguments: Any, **options: Any) -> Any:
        counted.append(arguments)
        return whole(*arguments, **options)

    monkeypatch.setattr(read, "channels", channels)
    for every in (1, 4):
        counted.clear()
        report = retargeted(part, eased(part, boxer(part, 1, 25), "LINEAR", every), plain())
        assert report.between == 0 and len(counted) == 1


@pytest.mark.parametrize("is_eased", [False, True])
def test_of_several_clips_each_has_its_own_figure(part: Part, scene: Any, is_eased: bool) -> None:
    """They are asked together: what one ends with is no step to what the next begins with, and one that is eased is so alone. Angles about
    three axes, which would go far from the straight way if they went from one clip to the next."""
    source, target = boxer(part, 1, 25), plain()
    bone = source.pose.bones[rigs.MIXAMO["leftUpperArm"]]
    bone.rotation_mode = "XYZ"
    actions = []
    for number, size in enumerate((0.0, 1.2, 0.0)):
        still = np.full((3, 25), size) + (0.4 * back_and_forth(25) if is_eased and number == 1 else 0.0)
        actions.append(rigs.keyed(part, source, f"clip {number}", {(bone.name, "rotation_euler"): still}, 1))
        eased(part, source, "BEZIER" if is_eased and number == 1 else "LINEAR")
    job, read = part("io.retarget.retarget"), part("io.retarget.reading.read")
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(source), read.figure_of(target))
    asked = job.RetargetOptions(core=part("core.retarget.options").Options(feet=False), actions=tuple(each.name for each in actions))
    between = [report.between for report in job.retarget_actions(bpy.context, source, target, bone_map, asked).reports]
    assert [each > 0.3 for each in between] == [False, is_eased, False]
    assert between[0] == between[2] == 0


def test_keys_of_the_source_between_frames_are_looked_at(part: Part, scene: Any) -> None:
    """A third of a frame behind each whole one, with straight lines between them."""
    source, target = boxer(part, 1, 25), plain()
    action = source.animation_data.action
    for curve in part("io.blender.compat").curves(action, source):
        for key in curve.keyframe_points[1:-1]:
            key.co.x += 1 / 3
        curve.update()
    report = retargeted(part, source, target)
    thirds = np.arange(1, 24) + 1 / 3
    off = apart(part, source, target, thirds, report.yaw)
    assert off.max() > 0.5
    assert report.between == pytest.approx(off.max(), abs=0.02)


def two_arms(part: Part, angles: Mapping[str, Iterable[tuple[float, float]]]) -> Any:
    """Arms that rotate by angles about three axes, in radians, straight from key to key: by role frames and angles."""
    source = rigs.build("two arms", names=rigs.MIXAMO)
    for role, values in angles.items():
        bone = source.pose.bones[rigs.MIXAMO[role]]
        bone.rotation_mode = "XYZ"
        for frame, value in values:
            bone.rotation_euler = (value, value, value)
            bone.keyframe_insert("rotation_euler", frame=frame)
    for curve in part("io.blender.compat").curves(source.animation_data.action, source):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    return source


def spiked(part: Part, angle: float, last: int, other: float) -> Any:
    """An arm that goes away and comes back between frames 60 and 61 by an angle about three axes, in radians; another one that goes to and
    fro by less between any two frames."""
    small = ((frame / 2, other * (frame % 2)) for frame in range(2, 2 * last + 1 if other else 3))
    return two_arms(part, {"leftUpperArm": ((1, 0), (60, 0), (60.5, angle), (61, 0), (last, 0)), "rightUpperArm": small})


@pytest.mark.parametrize("other", [0.0, 0.2])
def test_the_worst_of_many_is_looked_at(part: Part, scene: Any, other: float) -> None:
    """Beside many that bend less, or nothing else that bends."""
    source, target = spiked(part, 0.6, 150, other), plain()
    report = retargeted(part, source, target)
    off = apart(part, source, target, np.array([60, 60.5, 61]), report.yaw)
    assert off[[0, 2]].max() < 0.01 and report.between == pytest.approx(off[1].max(), abs=0.02) and off[1].max() > 15
    assert any("at frame 60.5" in line for line in report.lines())


def test_keys_between_frames_are_looked_at_also_where_both_frames_are_alike(part: Part, scene: Any) -> None:
    """An arm that goes away and comes back between two frames, beside another one that bends less elsewhere."""
    angles = {"leftUpperArm": ((1, 0), (10, 0), (10.5, 1), (11, 0), (20, 0)), "rightUpperArm": ((1, 0), (5, 0), (6, 0.35), (20, 0.35))}
    source, target = two_arms(part, angles), plain()
    report = retargeted(part, source, target)
    off = apart(part, source, target, np.array([10, 10.5, 11]), report.yaw)
    assert off[[0, 2]].max() < 0.01 and report.between == pytest.approx(off[1].max(), abs=0.02) and off[1].max() > 20


def test_euler_angles_that_go_round_between_two_frames_are_reported(part: Part, scene: Any) -> None:
    """As captures have them: 170 degrees are within 40 of -150."""
    source, target = boxer(part, 1, 25), plain()
    bone = source.pose.bones[rigs.MIXAMO["leftUpperArm"]]
    bone.rotation_mode = "XYZ"
    jump = np.where(np.arange(25)[None] < 12, 170.0, -150.0) * np.array([[1.0], [0.0], [0.0]])
    action = rigs.keyed(part, source, "around", {(bone.name, "rotation_euler"): np.radians(jump)}, 1)
    eased(part, source, "LINEAR")
    assert action == source.animation_data.action
    report = retargeted(part, source, target, actions=("around",))
    off = apart(part, source, target, HALVES, report.yaw)
    assert off[::2].max() < 0.01 and off[1::2].max() > 20
    assert report.between == pytest.approx(off.max(), abs=0.05)
    assert any("at frame 12.5: between whole frames" in line for line in report.lines())


@pytest.mark.parametrize("mode", ["XYZ", "ZXY", "AXIS_ANGLE"])
def test_a_target_of_other_rotations_than_quaternions_is_measured_between_frames(part: Part, scene: Any, mode: str) -> None:
    """From one frame to the next its angles go straight, which takes its limbs elsewhere than the source's, of quaternions."""
    source, target = boxer(part, 1, 25, lambda count: 4 * back_and_forth(count)), plain()
    for bone in target.pose.bones:
        bone.rotation_mode = mode
    report = retargeted(part, source, target)
    off = apart(part, source, target, HALVES, report.yaw)
    assert off[::2].max() < 0.01 and off[1::2].max() > 1
    assert off.max() - 0.02 < report.between < 1.5 * off.max(), "shins may be more off than thighs"


def test_quaternions_that_change_sides_between_two_frames_are_reported(part: Part, scene: Any) -> None:
    """The same rotation with the other sign: half way between both is none, or any other one."""
    source, target = boxer(part, 1, 25), plain()
    path = f'pose.bones["{rigs.MIXAMO["leftUpperArm"]}"].rotation_quaternion'
    for curve in part("io.blender.compat").curves(source.animation_data.action, source):
        if curve.data_path == path:
            for key in curve.keyframe_points[12:]:
                key.co.y *= -1
            curve.update()
    report = retargeted(part, source, target)
    off = apart(part, source, target, HALVES, report.yaw)
    assert off[::2].max() < 0.01 and off[1::2].max() > 5
    assert report.between == pytest.approx(off.max(), abs=0.05)


def test_a_larger_step_asks_for_a_smaller_one_where_it_shows(part: Part, scene: Any) -> None:
    source, target = boxer(part, 1, 25), plain()
    report = retargeted(part, source, target, step=4)
    off = apart(part, source, target, np.arange(1, 25.5), report.yaw)
    assert report.between == pytest.approx(off.max(), abs=0.05) and off.max() > 5
    (reason,) = report.reasons()
    assert reason.endswith("Step: 2 has twice as many")
    report = retargeted(part, source, target, step=2)
    assert report.between < off.max()


def test_keys_of_the_source_alone_are_measured_between_them(part: Part, scene: Any) -> None:
    """Ten frames apart, eased, with straight lines on the target."""
    source, target = eased(part, boxer(part, 1, 25, lambda count: 3 * np.sin(np.arange(count) / 4)), every=8), plain()
    report = retargeted(part, source, target, keys="SOURCE")
    off = apart(part, source, target, HALVES, report.yaw)
    assert off.max() > 2 and report.between == pytest.approx(off[::2].max(), abs=0.1)
    (reason,) = report.reasons()
    assert reason.endswith("Keys: Every Frame has more of them")


def test_a_source_with_constraints_is_measured_as_it_is_shown(part: Part, scene: Any) -> None:
    """Its left arm copies the right one's eased rotation, which has no curve there."""
    source, target = eased(part, boxer(part, 1, 25)), plain()
    arm = source.pose.bones[rigs.MIXAMO["leftUpperArm"]]
    copies: Any = arm.constraints.new("COPY_ROTATION")
    copies.target, copies.subtarget = source, rigs.MIXAMO["rightUpperArm"]
    report = retargeted(part, source, target)
    off = apart(part, source, target, HALVES, report.yaw)
    assert off[::2].max() < 0.01 and off.max() > 0.5
    assert report.between == pytest.approx(off.max(), abs=0.02)


def test_a_target_with_constraints_is_measured_as_it_is_shown(part: Part, scene: Any) -> None:
    """An arm may not rotate by more than some degrees, so that it is off at frames already; what it is further off between counts."""
    source, target = eased(part, boxer(part, 1, 25)), plain()
    limit: Any = target.pose.bones[rigs.UNREAL["leftLowerArm"]].constraints.new("LIMIT_ROTATION")
    limit.use_limit_x, limit.owner_space = True, "LOCAL"
    report = retargeted(part, source, target)
    off = apart(part, source, target, HALVES, report.yaw)
    more = off[1:-1:2] - np.maximum(off[:-2:2], off[2::2])
    assert report.between == pytest.approx(more.max(), abs=0.02) and more.max() > 0.5


def test_several_clips_on_a_rig_that_stretches_are_measured_as_they_are_shown(part: Part, scene: Any) -> None:
    """A sleeve that follows nothing is stretched from hand to hand, on an arm whose limit never acts. All clips are looked
    at together, by the bones that follow."""
    source, target = eased(part, boxer(part, 1, 25)), plain()
    sleeve = with_bones(target, [("sleeve", rigs.UNREAL["leftHand"], (0.1, 0, 0)), ("cuff", "sleeve", (0.1, 0, 0))]).pose.bones["sleeve"]
    stretches: Any = sleeve.constraints.new("STRETCH_TO")
    stretches.target, stretches.subtarget = target, rigs.UNREAL["rightHand"]
    limit: Any = target.pose.bones[rigs.UNREAL["leftLowerArm"]].constraints.new("LIMIT_ROTATION")
    limit.use_limit_y, limit.min_y, limit.max_y, limit.owner_space = True, -3, 3, "LOCAL"
    first = source.animation_data.action
    second = first.copy()
    job, read = part("io.retarget.retarget"), part("io.retarget.reading.read")
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(source), read.figure_of(target))
    asked = job.RetargetOptions(core=part("core.retarget.options").Options(feet=False), actions=(first.name, second.name))
    reports = job.retarget_actions(bpy.context, source, target, bone_map, asked).reports
    off = apart(part, source, target, HALVES, reports[0].yaw)
    assert [report.between for report in reports] == pytest.approx([off.max()] * 2, abs=0.02) and off.max() > 0.25


QUARTERS = np.arange(1, 25, 0.25)


@pytest.mark.parametrize(("by", "least"), [("plain", 0.0), ("weight", 0.8), ("chain", 0.2)])
def test_fast_bones_that_rotate_in_other_parts_than_the_source_s_are_measured(part: Part, scene: Any, by: str, least: float) -> None:
    """By up to 80 degrees a frame, about axes across each other, with straight lines between quaternions: what hangs on a chain of another
    number of bones, or on bones that rotate by half as much, is not where the source has it between frames, as plain limbs are."""
    source, target = boxer(part, 1, 25, lambda count: 4 * back_and_forth(count)), plain()
    values: dict[tuple[str, str], Any] = {}
    angle = 0.7 * back_and_forth(25)
    for role, axis in (("spine", (1, 0, 0)), ("chest", (0, 0, 1)), ("leftUpperArm", (0, 0.6, 0.8)), ("leftLowerArm", (0.6, 0, 0.8))):
        values[rigs.MIXAMO[role], "rotation_quaternion"] = np.array([np.cos(angle), *(np.sin(angle) * each for each in axis)])
    action = rigs.keyed(part, source, "fast", values, 1)
    eased(part, source, "LINEAR")
    job, read, maps = part("io.retarget.retarget"), part("io.retarget.reading.read"), part("core.retarget.figures.maps.bone_map")
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(source), read.figure_of(target))
    if by == "chain":
        spine = [tuple(names[role] for role in roles) for names, roles in ((rigs.MIXAMO, ("spine", "chest")), (rigs.UNREAL, SPINE))]
        pairs = tuple(pair for pair in bone_map.pairs if pair.role not in SPINE)
        bone_map = replace(bone_map, pairs=pairs, chains=(maps.Chain(*spine, "spine"),))
    if by == "weight":
        halved = [replace(pair, options=maps.PairOptions(weight=0.5)) if pair.role in SPINE else pair for pair in bone_map.pairs]
        bone_map = replace(bone_map, pairs=tuple(halved))
    asked = job.RetargetOptions(core=part("core.retarget.options").Options(feet=False), actions=(action.name,))
    (report,) = job.retarget_actions(bpy.context, source, target, bone_map, asked).reports
    off = apart(part, source, target, QUARTERS, report.yaw)
    more = np.max([off[each:-4:4] - np.maximum(off[:-4:4], off[4::4]) for each in (1, 2, 3)], axis=0)
    assert more.max() >= least - 1e-3
    assert report.between == pytest.approx(more.max(), rel=0.1, abs=0.01)


def walker(part: Part, interpolation: str, *, by_object: bool = False) -> Any:
    """A rig whose hips, or whose object, go about from every second frame to the next."""
    obj, clock = rigs.build("walker", names=rigs.MIXAMO), np.arange(25)
    obj.rotation_mode = "XYZ"
    bone, still = "" if by_object else rigs.MIXAMO["hips"], np.zeros(25)
    path = np.stack([0.2 * np.sin(0.9 * clock + axis) + 0.02 * clock for axis in range(3)])
    created = {(bone, "location"): path, (rigs.MIXAMO["head"], "rotation_quaternion"): np.stack([still + 1, still, still, still])}
    if by_object:
        created["", "rotation_euler"] = np.stack([still, still, 0.5 * np.sin(clock)])
    rigs.keyed(part, obj, "walk", created, 1)
    return eased(part, obj, interpolation, 2)


def hips(obj: Any, bone: str) -> Any:
    """(F, 3) their joint at half frames, as Blender shows it in the world."""
    result: list[Any] = []
    for frame in HALVES:
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        result.append(shown.matrix_world @ shown.pose.bones[bone].head)
    return np.array(result)


@pytest.mark.parametrize(
    ("interpolation", "by_object", "options"),
    [
        ("BEZIER", False, {}),
        ("SINE", True, {}),
        ("BEZIER", False, {"step": 3}),
        ("BEZIER", True, {"root_motion": "OBJECT", "keep_speed": True, "mirror": True}),
        ("LINEAR", False, {"root_motion": "NONE", "step": 3}),
    ],
)
def test_the_hips_path_between_frames_is_measured(
    part: Part, scene: Any, run: Any, interpolation: str, by_object: bool, options: dict[str, Any]
) -> None:
    """By how much they are further from the source's, in its scale, than at the keys beside. A fractional rate."""
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 30, 1.001
    source = walker(part, interpolation, by_object=by_object)
    target = rigs.build("plain", names=rigs.UNREAL, rotation=rigs.rolled(5), sizes=dict.fromkeys(rigs.JOINTS, 1.7))
    (report,) = run(source, target, rigs.pairs(part, rigs.MIXAMO, rigs.UNREAL), feet=False, **options).reports
    over_ground = 0 if options.get("root_motion") == "NONE" else 1 if options.get("keep_speed") else 1.7
    scale = np.array([-over_ground if options.get("mirror") else over_ground, over_ground, 1.7])
    off = hips(target, rigs.UNREAL["hips"]) - hips(source, rigs.MIXAMO["hips"]) * scale
    at_keys = HALVES[:: 2 * options.get("step", 1)]
    straight = np.stack([np.interp(HALVES, at_keys, np.interp(at_keys, HALVES, row)) for row in off.T], axis=1)
    leg = sum(np.linalg.norm(rigs.JOINTS[f"left{part}"][1]) for part in ("LowerLeg", "Foot")) * 1.7
    truth = np.linalg.norm(off - straight, axis=1)[: np.searchsorted(HALVES, at_keys[-1]) + 1] / leg
    assert truth.max() > 0.01
    assert report.between_path == pytest.approx(truth.max(), abs=1e-4)
    (line,) = [line for line in report.lines() if "beside the source's path" in line]
    assert any(f"at frame {frame:g}: " in line for frame in HALVES[: len(truth)][truth > truth.max() - 1e-4])
    assert report.is_good == ("step" not in options)


def test_hips_that_go_straight_are_looked_at_no_further(part: Part, scene: Any) -> None:
    report = retargeted(part, walker(part, "LINEAR"), plain())
    assert report.between_path == 0 and not any("path" in line for line in report.lines())


@pytest.mark.parametrize(("root_motion", "mode"), [("BONE", "QUATERNION"), ("OBJECT", "QUATERNION"), ("OBJECT", "XYZ")])
def test_hips_that_go_over_upon_what_turns_meanwhile_are_measured(part: Part, scene: Any, run: Any, root_motion: str, mode: str) -> None:
    """A somersault: where the hips look up, what carries them over the ground turns about, though all curves are straight."""
    source = rigs.build("tumbler", names=rigs.MIXAMO, rotation=rigs.rolled(4))
    target = rigs.build("plain", names=rigs.UNREAL, rotation=rigs.rolled(5), root="root")
    target.rotation_mode = mode
    rest = source.data.bones[rigs.MIXAMO["hips"]].matrix_local.to_quaternion()
    aside, clock = Quaternion((0, 1, 0), 0.1), np.linspace(0, 6, 25)
    rotations = np.array([rest.inverted() @ (aside @ Quaternion((1, 0, 0), angle)) @ rest for angle in clock])
    signs = np.cumprod([1.0, *np.sign(np.sum(rotations[1:] * rotations[:-1], axis=1))])
    path = np.stack([0.1 * clock, 0 * clock, 0 * clock])
    values = {"rotation_quaternion": (rotations * signs[:, None]).T, "location": path}
    rigs.keyed(part, source, "over", {(rigs.MIXAMO["hips"], name): rows for name, rows in values.items()}, 1)
    eased(part, source, "LINEAR")
    bone_map = rigs.pairs(part, rigs.MIXAMO, rigs.UNREAL)
    (report,) = run(source, target, bone_map, feet=False, root_motion=root_motion).reports
    off = apart(part, source, target, HALVES, report.yaw)
    assert off[::2].max() < 0.01 and off[1::2].max() > 0.3
    assert report.between == pytest.approx(off.max(), abs=0.1)
