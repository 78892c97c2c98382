"""The report of a control rig is about what Blender shows, not of what was calculated. The truth is measured here on evaluated poses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs
from support.sample_files import EDITIONS, SAMPLES

Part = Callable[[str], ModuleType]
FRAMES = range(1, 31)


def driven(owner: Any, path: str, expression: str, index: int = -1) -> None:
    curve = owner.driver_add(path, index) if index >= 0 else owner.driver_add(path)
    curve.driver.type, curve.driver.expression = "SCRIPTED", expression


def control_rig() -> Any:
    """A rig with a constraint that does nothing, so that what moves what has to be tried out."""
    target = rigs.build("two", rotation=rigs.rolled(2))
    target.pose.bones["hips"].constraints.new("LIMIT_SCALE")
    return target


@pytest.fixture
def reported(part: Part) -> Callable[[Any, Any, Any], Any]:
    module, core = part("io.retarget.retarget"), part("core.retarget.retarget")

    def go(source: Any, target: Any, bone_map: Any, **more: Any) -> Any:
        options = module.RetargetOptions(core=core.Options(feet=False), **more)
        return module.retarget_actions(bpy.context, source, target, bone_map, options).reports[0]

    return go


def test_a_rig_that_follows_its_controls_has_nothing_to_report(part: Part, reported: Any) -> None:
    source, target = rigs.build("one"), control_rig()
    rigs.dance(part, source)
    report = reported(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN))
    assert report.limb_max < 1e-3
    assert report.flips == 0
    assert report.notes == () and report.is_good


def test_a_bone_that_flips_behind_the_controls_is_named(part: Part, reported: Any) -> None:
    source, target = rigs.build("one"), control_rig()
    rigs.dance(part, source)
    head = target.pose.bones["head"]
    head.rotation_mode = "XYZ"
    driven(head, "rotation_euler", f"{np.radians(178)} if frame >= 15 else 0", 1)
    fewer = {role: name for role, name in rigs.PLAIN.items() if role != "head"}
    report = reported(source, target, rigs.pairs(part, fewer, fewer))
    assert report.flips == 1
    assert not report.is_good
    assert any("head flips by 1" in note and "at frame 15 " in note for note in report.notes)


def test_a_flip_of_a_control_is_said_once(part: Part, reported: Any) -> None:
    """A head upside down and a little aside, whose swing goes over: the bone of the skin is the control itself."""
    quat = part("core.motion.rotations.quaternion")
    source, target = rigs.build("one"), control_rig()
    angles, aside = np.radians(np.linspace(150, 210, 20)), np.array(np.radians(5.0))
    nodding = quat.multiply(quat.about(np.array([1.0, 0, 0]), angles), quat.about(np.array([0, 0, 1.0]), aside))
    rigs.keyed(part, source, "nod", {("head", "rotation_quaternion"): nodding.T})
    bone_map = rigs.pairs(part, rigs.PLAIN, rigs.PLAIN)
    swing = part("core.retarget.figures.maps.bone_map").PairOptions(rotation="SWING")
    bone_map = replace(bone_map, pairs=tuple(replace(pair, options=swing) if pair.source == "head" else pair for pair in bone_map.pairs))
    report = reported(source, target, bone_map)
    assert report.flips >= 1 and report.rotation_excess > 45
    (line,) = [line for line in report.lines() if "head flips" in line]
    assert "Rotation: All" in line


def test_what_rotates_steadily_between_keys_that_are_frames_apart_is_no_flip(part: Part, reported: Any) -> None:
    """Behind the controls, too."""
    source, target = rigs.build("one"), control_rig()
    rigs.dance(part, source)
    head = target.pose.bones["head"]
    head.rotation_mode = "XYZ"
    driven(head, "rotation_euler", f"{np.radians(35)} * frame", 1)
    fewer = {role: name for role, name in rigs.PLAIN.items() if role != "head"}
    assert reported(source, target, rigs.pairs(part, fewer, fewer), step=4).flips == 0


def test_a_plain_bone_that_is_driven_is_measured_as_it_is_shown(part: Part, reported: Any) -> None:
    """The driver, not the new action, says how the arm is bent."""
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(2))
    rigs.dance(part, source)
    driven(target.pose.bones["leftLowerArm"], "rotation_quaternion", "0.6", 1)
    report = reported(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN))
    lines = [np.diff(rigs.joints(obj, ("leftLowerArm", "leftHand"), FRAMES), axis=1)[:, 0] for obj in (source, target)]
    first, second = (line / np.linalg.norm(line, axis=1, keepdims=True) for line in lines)
    angle = float(np.degrees(2 * np.arcsin(np.linalg.norm(first - second, axis=1) / 2)).max())
    assert angle > 5
    assert report.limb_worst == "leftLowerArm"
    assert report.limb_max == pytest.approx(angle, abs=1e-2)
    assert not report.is_good
    assert any("leftLowerArm (driver of rotation_quaternion)" in line for line in report.reasons())


@pytest.mark.parametrize("is_control", [False, True])
def test_a_driven_bone_is_measured_in_the_mirror(part: Part, run: Any, is_control: bool) -> None:
    """Its own right arm leads the left one there, exchanged in X. The other limbs have no part in that: they are where they should be."""
    source, target = rigs.build("one"), control_rig() if is_control else rigs.build("two", rotation=rigs.rolled(2))
    rigs.dance(part, source)
    driven(target.pose.bones["leftLowerArm"], "rotation_quaternion", "0.6", 1)
    (report,) = run(source, target, feet=False, mirror=True).reports
    wanted = np.diff(rigs.joints(source, ("rightLowerArm", "rightHand"), FRAMES), axis=1)[:, 0] * [-1, 1, 1]
    has = np.diff(rigs.joints(target, ("leftLowerArm", "leftHand"), FRAMES), axis=1)[:, 0]
    first, second = (line / np.linalg.norm(line, axis=1, keepdims=True) for line in (wanted, has))
    angle = float(np.degrees(2 * np.arcsin(np.linalg.norm(first - second, axis=1) / 2)).max())
    assert angle > 5
    assert (report.limb_worst, report.limb_max) == ("leftLowerArm", pytest.approx(angle, abs=1e-2))
    assert any("leftLowerArm (driver of rotation_quaternion)" in line for line in report.reasons())


def test_a_limb_that_a_constraint_holds_back_is_measured_as_it_is_shown(part: Part, reported: Any) -> None:
    source, target = rigs.build("one"), control_rig()
    rigs.dance(part, source)
    limit = target.pose.bones["leftLowerArm"].constraints.new("LIMIT_ROTATION")
    limit.owner_space, limit.use_limit_x, limit.use_limit_y, limit.use_limit_z = "LOCAL", True, True, True
    driven(limit, "influence", "1 if frame >= 10 else 0")
    bpy.context.scene.frame_set(1)
    report = reported(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN))
    names = ("leftLowerArm", "leftHand")
    lines = [np.diff(rigs.joints(obj, names, FRAMES), axis=1)[:, 0] for obj in (source, target)]
    first, second = (line / np.linalg.norm(line, axis=1, keepdims=True) for line in lines)
    angle = float(np.degrees(2 * np.arcsin(np.linalg.norm(first - second, axis=1) / 2)).max())
    assert angle > 5
    assert report.limb_worst == "leftLowerArm"
    assert report.limb_max == pytest.approx(angle, abs=1e-2)
    assert any("leftLowerArm (Limit Rotation)" in line and "mute them" in line for line in report.reasons())


@pytest.mark.parametrize("kind", ["LIMIT_ROTATION", "LIMIT_DISTANCE", "FLOOR"])
def test_a_limit_is_named_as_what_holds_a_limb_back(part: Part, reported: Any, kind: str) -> None:
    """Not a control that would move several bones, though the foot no longer goes along with the shin."""
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(2))
    rigs.dance(part, source)
    limit: Any = target.pose.bones["leftLowerLeg" if kind == "LIMIT_ROTATION" else "leftFoot"].constraints.new(kind)
    if kind == "LIMIT_ROTATION":
        limit.owner_space, limit.use_limit_x, limit.use_limit_y, limit.use_limit_z = "LOCAL", True, True, True
    else:
        limit.target, limit.subtarget = target, "hips"
    if kind == "LIMIT_DISTANCE":
        limit.distance = 0.4
    if kind == "FLOOR":
        limit.floor_location, limit.offset = "FLOOR_Z", -0.7
    report = reported(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN))
    assert max(angles_shown(source, target, *limb).max() for limb in (("leftLowerLeg", "leftFoot"), ("leftFoot", "leftToes"))) > 5
    assert any(f"({limit.name})" in line for line in report.reasons())
    assert not any("a control that moves several bones" in line for line in report.lines())


def test_copy_location_is_named_as_what_carries_the_hips(part: Part, reported: Any) -> None:
    """They rotate by their keys, and stay where they are."""
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(2))
    rigs.dance(part, source)
    hook: Any = bpy.data.objects.new("hook", None)
    bpy.context.collection.objects.link(hook)
    hook.location = (3.0, 0.0, 0.0)
    target.pose.bones["hips"].constraints.new("COPY_LOCATION").target = hook
    report = reported(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN))
    assert np.ptp(rigs.joints(target, ("hips",), FRAMES), axis=0).max() < 1e-6
    assert any("hips (Copy Location)" in line and "mute them" in line for line in report.reasons())


def angles_shown(source: Any, target: Any, role: str, below: str, frames: Any = FRAMES) -> Any:
    """(F,) degrees between a limb of the source and of the target, as Blender shows them."""
    lines = [np.diff(rigs.joints(obj, (role, below), frames), axis=1)[:, 0] for obj in (source, target)]
    first, second = (line / np.linalg.norm(line, axis=1, keepdims=True) for line in lines)
    return np.degrees(2 * np.arcsin(np.linalg.norm(first - second, axis=1) / 2))


def test_the_report_of_plain_bones_says_what_blender_shows(part: Part, reported: Any) -> None:
    """An arm that follows by half is off by a good deal; the truth is in the evaluated poses, whether the report reads them or not."""
    source, target, bone_map = rigs.build("one"), rigs.build("two", rotation=rigs.tumbled(3)), part("core.retarget.figures.maps.bone_map")
    rigs.dance(part, source)
    pairs = [
        bone_map.Pair(name, name, role, options=bone_map.PairOptions(weight=0.5 if role == "leftUpperArm" else 1.0))
        for role, name in rigs.PLAIN.items()
    ]
    computed = reported(source, target, bone_map.BoneMap(tuple(pairs)))
    truth = float(angles_shown(source, target, "leftUpperArm", "leftLowerArm").max())
    read = reported(source, target, bone_map.BoneMap(tuple(pairs)), check_all=True)
    assert truth > 5
    for report in (computed, read):
        assert (report.limb_worst, report.limb_shown_worst) == ("leftUpperArm", "leftUpperArm")
        assert report.limb_max == pytest.approx(truth, abs=1e-3)
        assert report.limb_shown == pytest.approx(truth, abs=1e-3)
    assert read.rotation_excess == pytest.approx(computed.rotation_excess, abs=1e-3)


@pytest.mark.parametrize("seed", [1, 4])
def test_a_limb_that_its_game_holds_back_is_no_fault_of_the_bone_map_as_shown_either(part: Part, reported: Any, seed: int) -> None:
    """What Blender shows is of single precision, in which a shin of Oni 2 is a millionth of a degree further off."""
    source = rigs.build("one")
    rigs.dance(part, source, seed=seed)
    bpy.context.view_layer.objects.active = None
    (result,) = part("io.pipeline.games").import_files(bpy.context, [str(SAMPLES / EDITIONS["oni2"])], {"fps_mode": "KEEP"})
    read, mapping = part("io.retarget.reading.read"), part("core.retarget.mapping.mapping")
    bone_map = mapping.map_bones(read.figure_of(source), read.figure_of(result.armatures[0]))
    plain, shown = (reported(source, result.armatures[0], bone_map, check_all=check_all) for check_all in (False, True))
    assert shown.limb_max == pytest.approx(plain.limb_max, abs=1e-4) and shown.limb_max > 10
    assert any(reason.startswith("shin_l, shin_r: the game has no rotation about Y and Z there") for reason in plain.reasons())
    assert shown.reasons() == plain.reasons() and not [reason for reason in shown.reasons() if "bone map" in reason]


@pytest.mark.parametrize("check_all", [False, True])
def test_on_request_every_frame_is_read(part: Part, reported: Any, check_all: bool) -> None:
    """A limit with a driver bends a limb in one quiet frame of many, where nobody would look."""
    source, target = rigs.build("one"), rigs.build("two")
    rigs.dance(part, source, frames=90)
    limit = target.pose.bones["head"].constraints.new("LIMIT_LOCATION")
    limit.owner_space, limit.use_min_x, limit.min_x = "LOCAL", True, 0.5
    driven(limit, "influence", "1 if frame == 12 else 0")
    report = reported(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN), check_all=check_all)
    assert (report.limb_shown > 5) == check_all


@pytest.mark.parametrize("most", [0.35, 3.0])
def test_where_limits_hold_a_limb_back_all_frames_are_read(part: Part, reported: Any, most: float) -> None:
    """However far and fast it rotates; where they leave all as it is, the line says in how many frames that was read."""
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.tumbled(2))
    rigs.dance(part, source, frames=150, seed=2, most=0.5)
    for role in ("leftUpperArm", "rightLowerLeg"):
        limit = target.pose.bones[role].constraints.new("LIMIT_ROTATION")
        limit.owner_space = "LOCAL"
        for axis in "xz":
            for side, value in (("min", -most), ("max", most)):
                setattr(limit, f"use_limit_{axis}", True)
                setattr(limit, f"{side}_{axis}", value)
    report = reported(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN))
    limbs = [("leftUpperArm", "leftLowerArm"), ("rightLowerLeg", "rightFoot")]
    truth = max(float(angles_shown(source, target, *limb, range(1, 151)).max()) for limb in limbs)
    assert report.limb_max == pytest.approx(truth, abs=1e-2)
    assert (report.frames_read == 150) == (truth > 1) == (most < 1)
    assert any(f"in the {report.frames_read} of 150 frames that were read" in line for line in report.lines()) == (most > 1)


def test_what_else_moves_the_rig_is_measured_and_said(part: Part, reported: Any) -> None:
    """A bone above the hips that follows an empty, and an object that does: the hips are not where their keys put them."""
    for owner in ("bone", "object"):
        source, target = rigs.build("one"), rigs.build("two")
        rigs.dance(part, source)
        empty = bpy.data.objects.new("carrier", None)
        bpy.context.scene.collection.objects.link(empty)
        driven(empty, "location", "frame / 10 - 0.1", 0)
        plain = reported(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN))
        assert plain.carried < 1e-3
        constraint = (target.pose.bones["hips"] if owner == "bone" else target).constraints.new("CHILD_OF")
        constraint.target = empty
        bpy.context.scene.frame_set(1)
        report = reported(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN))
        leg = sum(
            float(np.linalg.norm(target.data.bones[name].head_local - target.data.bones[below].head_local))
            for name, below in (("leftUpperLeg", "leftLowerLeg"), ("leftLowerLeg", "leftFoot"))
        )
        shown = rigs.joints(target, ("hips",), FRAMES)[:, 0] - rigs.joints(source, ("hips",), FRAMES)[:, 0]
        away = float(np.linalg.norm(shown - shown[0], axis=1).max()) / leg
        assert away > 1
        assert report.carried == pytest.approx(away, rel=0.02), owner
        assert report.carried_frame == FRAMES[-1]
        assert not report.is_good
        assert any("move them as well" in line for line in report.lines())
        for obj in (source, target, empty):
            bpy.data.objects.remove(obj)


def test_what_rotates_the_whole_rig_is_not_laid_to_its_constraints(part: Part, reported: Any) -> None:
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(2))
    rigs.dance(part, source)
    target.parent = bpy.data.objects.new("carrier", None)
    bpy.context.scene.collection.objects.link(target.parent)
    driven(target.parent, "rotation_euler", "frame / 30", 2)
    driven(target.parent, "location", "frame / 30", 0)
    bpy.context.scene.frame_set(1)
    report = reported(source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN))
    assert not report.is_good
    assert any("the parent of the object" in line for line in report.reasons())
    assert not any("of the skin" in line for line in report.lines())


def squatting(part: Part) -> Any:
    """Both feet stay where they are while the hips go up and down and to the sides, for two seconds."""
    source = rigs.build("one", pose={f"{side}UpperLeg": (-0.15, 0.0, 0.0) for side in ("left", "right")})
    feet = ("leftFoot", "rightFoot")
    stand = {name: bpy.data.objects.new(name, None) for name in feet}
    for name in feet:
        bpy.context.collection.objects.link(stand[name])
        stand[name].matrix_world = source.matrix_world @ source.data.bones[name].matrix_local
        source.pose.bones[name].constraints.new("COPY_ROTATION").target = stand[name]
        solver = source.pose.bones[name.replace("Foot", "LowerLeg")].constraints.new("IK")
        solver.target, solver.chain_count = stand[name], 2
    time = np.arange(48) / 24
    away = [0.1 * np.sin(3 * time), -0.1 * (1 - np.cos(4 * time)), 0 * time]
    rigs.keyed(part, source, "squat", {("hips", "location"): np.array(away)})
    return source


@pytest.mark.parametrize("is_driven", [False, True])
def test_feet_slide_as_is_reported(part: Part, run: Any, is_driven: bool) -> None:
    """Thighs that are limited, or hips that are driven, take feet along that stand in the source. All of them stand all the time."""
    source, target = squatting(part), rigs.build("two", rotation=rigs.rolled(2))
    if is_driven:
        driven(target.pose.bones["hips"], "location", "0.1 * sin(frame / 8)", 0)
    else:
        limit = target.pose.bones["leftUpperLeg"].constraints.new("LIMIT_ROTATION")
        limit.use_limit_x = limit.use_limit_y = limit.use_limit_z = True
        limit.owner_space = "LOCAL"
        limit.max_x = limit.max_y = limit.max_z = np.radians(10)
        limit.min_x = limit.min_y = limit.min_z = -limit.max_x
    (report,) = run(source, target).reports
    toes = rigs.joints(target, ("leftToes", "rightToes"), range(1, 49))
    slid = np.linalg.norm(np.diff(toes[:, :, :2], axis=0), axis=2).mean(axis=0).max() * 24
    upper, lower = (
        np.linalg.norm(target.data.bones[f"left{part}"].head_local - target.data.bones[f"left{below}"].head_local)
        for part, below in (("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot"))
    )
    assert slid / (upper + lower) > 0.05
    assert report.skate == pytest.approx(slid / (upper + lower), rel=0.02)
    assert any(line.startswith("foot skate") for line in report.reasons())
    assert any("mute them" in line for line in report.reasons())
