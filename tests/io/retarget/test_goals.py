"""Goals of hands and feet, measured on evaluated bones against where the source's are: proportions differ, truth is computed here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion
from support import blender_rigs as rigs

Part = Callable[[str], ModuleType]
FRAMES = range(1, 13)
ROLES = list(rigs.JOINTS)
UNREAL = dict(rigs.UNREAL)

LONG = {side + part: factor for side in ("left", "right") for part, factor in (("UpperArm", 1.5), ("LowerArm", 1.15), ("Hand", 0.95))}
"""Broad shoulders and other arms: a target whose hands miss where rotations alone put them."""


def pose(part: Part, obj: Any, angles: dict[str, tuple[float, float, float]]) -> Any:
    """An action in which limbs go from rest to rotations about the world's axes (rotation vectors) over the frames."""
    for bone in obj.pose.bones:
        bone.matrix_basis = Matrix()
    values: dict[tuple[str, str], Any] = {}
    for role, vector in angles.items():
        bone = obj.data.bones[rigs.MIXAMO[role]]
        axes = bone.matrix_local.to_quaternion()
        size = float(np.linalg.norm(vector))
        rows = []
        for share in np.linspace(0, 1, len(FRAMES)):
            world = Quaternion(vector, size * share)
            rows.append(axes.inverted() @ world @ axes)
        values[bone.name, "rotation_quaternion"] = np.array(rows).T
    hips = np.zeros((3, len(FRAMES)))
    hips[2] = np.linspace(0, -0.05, len(FRAMES))
    values[rigs.MIXAMO["hips"], "location"] = hips
    return rigs.keyed(part, obj, "reach", values)


CLAP = {
    "leftUpperArm": (0.2, 0.1, -0.9),
    "leftLowerArm": (0.1, 0.0, -0.9),
    "rightUpperArm": (0.2, -0.1, 0.9),
    "rightLowerArm": (0.1, 0.0, 0.9),
    "leftUpperLeg": (0.3, 0.0, 0.1),
    "leftLowerLeg": (-0.5, 0.0, 0.0),
    "rightUpperLeg": (-0.3, 0.1, 0.0),
}


def joints(obj: Any, names: dict[str, str]) -> dict[str, Any]:
    """By role (F, 3) as Blender shows them."""
    shown = rigs.joints(obj, [names[role] for role in ROLES], FRAMES)
    return {role: shown[:, position] for position, role in enumerate(ROLES)}


@pytest.fixture
def two(part: Part) -> tuple[Any, Any]:
    source = rigs.build("hero", names=rigs.MIXAMO)
    target = rigs.build(
        "mannequin", names=UNREAL, pose=rigs.a_pose(), rotation=rigs.rolled(1), sizes={role: 0.8 * LONG.get(role, 1) for role in ROLES}
    )
    target.location = (2.0, 1.0, 0.0)
    pose(part, source, CLAP)
    bpy.context.view_layer.update()
    return source, target


def run(
    part: Part, two: Any, limbs: dict[str, dict[str, Any]], beside: tuple[str, ...] = (), **options: Any
) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """Joints of source and target, and the report. beside: more bones that both have."""
    source, target = two
    kinds, core = part("core.retarget.figures.maps.bone_map"), part("core.retarget.options")
    bone_map = rigs.pairs(part, rigs.MIXAMO, UNREAL)
    more = (kinds.Pair(name, name) for name in beside)
    bone_map = kinds.BoneMap((*bone_map.pairs, *more), limbs=tuple(kinds.Limb(name, **values) for name, values in limbs.items()))
    chosen = core.RetargetOptions(core=core.Options(feet=False, **options))
    result = part("io.retarget").retarget_actions(bpy.context, source, target, bone_map, chosen)
    return joints(source, rigs.MIXAMO), joints(target, UNREAL), result.reports[0]


def leg(figure: dict[str, Any]) -> float:
    upper, lower = figure["leftLowerLeg"][0] - figure["leftUpperLeg"][0], figure["leftFoot"][0] - figure["leftLowerLeg"][0]
    return float(np.linalg.norm(upper) + np.linalg.norm(lower))


def arm(figure: dict[str, Any], side: str) -> float:
    upper, lower = figure[f"{side}LowerArm"][0] - figure[f"{side}UpperArm"][0], figure[f"{side}Hand"][0] - figure[f"{side}LowerArm"][0]
    return float(np.linalg.norm(upper) + np.linalg.norm(lower))


def off(has: Any, wanted: Any) -> float:
    return float(np.linalg.norm(has - wanted, axis=1).max())


def test_without_goals_hands_miss(part: Part, two: Any) -> None:
    source, target, report = run(part, two, {})
    factor = leg(target) / leg(source)
    wanted = target["hips"] + (source["leftHand"] - source["hips"]) * factor
    assert off(target["leftHand"], wanted) > 0.1 * leg(target)
    assert report.goals == ()


@pytest.mark.parametrize("reach", ["LIMB", "BODY"])
def test_hands_reach_where_the_sources_reach(part: Part, two: Any, reach: str) -> None:
    plain = run(part, two, {})[1]
    source, target, report = run(part, two, {"leftHand": {"reach": reach}, "rightHand": {"reach": reach}})
    for side in ("left", "right"):
        start = "hips" if reach == "BODY" else f"{side}UpperArm"
        factor = leg(target) / leg(source) if reach == "BODY" else arm(target, side) / arm(source, side)
        wanted = target[start] + (source[f"{side}Hand"] - source[start]) * factor
        distance = np.linalg.norm(wanted - target[f"{side}UpperArm"], axis=1)
        reaches = distance < 0.999 * arm(target, side)
        assert reaches.sum() >= 6
        missed = np.linalg.norm(target[f"{side}Hand"] - wanted, axis=1)
        assert missed[reaches].max() < 0.02 * leg(target)
        # What is out of reach is stretched towards the goal, and reported.
        listed = next(item for item in report.goals if item.limb == f"{side}Hand")
        assert listed.missed == pytest.approx(missed.max(), abs=1e-4)
        for row in np.flatnonzero(~reaches):
            towards = (wanted[row] - target[f"{side}UpperArm"][row]) / distance[row]
            has = target[f"{side}Hand"][row] - target[f"{side}UpperArm"][row]
            assert has @ towards > 0.97 * arm(target, side)
        # The hand keeps its rotation, the elbow its side.
        normals = []
        for figure in (plain, target):
            upper, whole = figure[f"{side}LowerArm"] - figure[f"{side}UpperArm"], figure[f"{side}Hand"] - figure[f"{side}UpperArm"]
            normals.append(np.cross(upper, whole)[4:] / np.linalg.norm(np.cross(upper, whole), axis=1, keepdims=True)[4:])
        assert np.einsum("fi,fi->f", *normals).min() > 0.5


def test_both_hands_keep_their_distance(part: Part, two: Any) -> None:
    source, target, _ = run(part, two, {"leftHand": {"reach": "HAND"}, "rightHand": {"reach": "HAND"}})
    factor = leg(target) / leg(source)
    apart = (source["leftHand"] - source["rightHand"]) * factor
    close = np.linalg.norm(apart, axis=1) < 0.8 * (arm(target, "left") + arm(target, "right"))
    assert close.sum() >= 3
    assert off((target["leftHand"] - target["rightHand"])[close], apart[close]) < 0.02 * leg(target)


def test_a_hand_on_the_own_body_is_on_it(part: Part, two: Any) -> None:
    """The source's left hand ends on its hip: as it is to the joint that it is near to, so is the target's."""
    source_obj, _target = two
    pose(part, source_obj, {"leftUpperArm": (0.0, 1.1, 0.0), "leftLowerArm": (0.0, 1.1, 0.0)})
    source, target, _ = run(part, two, {"leftHand": {"reach": "SELF"}})
    factor = leg(target) / leg(source)
    last = {role: np.linalg.norm(source["leftHand"][-1] - source[role][-1]) for role in ("hips", "leftUpperLeg")}
    nearest = min(last, key=lambda role: last[role])
    assert last[nearest] < 0.35 * leg(source)
    wanted = target[nearest][-1] + (source["leftHand"][-1] - source[nearest][-1]) * factor
    plain = run(part, two, {})[1]
    assert np.linalg.norm(target["leftHand"][-1] - wanted) < 0.06 * leg(target)
    assert np.linalg.norm(plain["leftHand"][-1] - wanted) > 0.1 * leg(target)


def test_a_hand_follows_a_prop(part: Part, two: Any) -> None:
    """The head stands for the prop: the left hand is from it as the source's is."""
    source, target, _ = run(part, two, {"leftHand": {"reach": "PROP", "prop": UNREAL["head"]}})
    factor = leg(target) / leg(source)
    wanted = target["head"] + (source["leftHand"] - source["head"]) * factor
    reaches = np.linalg.norm(wanted - target["leftUpperArm"], axis=1) < 0.999 * arm(target, "left")
    assert reaches.any() and off(target["leftHand"][reaches], wanted[reaches]) < 0.02 * leg(target)


def test_a_bone_in_both_stands_for_an_object_beside_them(part: Part, two: Any) -> None:
    """As a table that a hand rests on: it hangs on nothing, and each figure has its own."""
    at = np.array([[0.5, -0.3, 1.0], [0.45, -0.2, 0.75]])
    for obj, head in zip(two, at, strict=True):
        bpy.context.view_layer.objects.active = obj
        bpy.ops.object.mode_set(mode="EDIT")
        table = obj.data.edit_bones.new("table")
        table.head, table.tail = head, head + np.array([0, 0, 0.1])
        bpy.ops.object.mode_set(mode="OBJECT")
    source, target, report = run(part, two, {"leftHand": {"reach": "PROP", "prop": "table"}}, beside=("table",))
    wanted = at[1] + two[1].location + (source["leftHand"] - at[0]) * leg(target) / leg(source)
    reaches = np.linalg.norm(wanted - target["leftUpperArm"], axis=1) < 0.999 * arm(target, "left")
    assert reaches.any() and off(target["leftHand"][reaches], wanted[reaches]) < 0.02 * leg(target), report.lines()


def test_strength_and_distance_blend_from_pose_to_goal(part: Part, two: Any) -> None:
    plain, full, half = (
        run(part, two, {"leftHand": {"reach": "BODY", "strength": strength}})[1]["leftHand"] for strength in (0.0, 1.0, 0.5)
    )
    none = run(part, two, {})[1]["leftHand"]
    assert off(plain, none) < 1e-4
    middle = (plain[-1] + full[-1]) / 2
    assert np.linalg.norm(half[-1] - middle) < 0.25 * np.linalg.norm(full[-1] - plain[-1])
    near = run(part, two, {"leftHand": {"reach": "HAND", "near": 0.2}})
    distance = np.linalg.norm(near[0]["leftHand"] - near[0]["rightHand"], axis=1) / leg(near[0])
    far = distance > 0.4
    assert far.any() and off(near[1]["leftHand"][far], none[far]) < 1e-4


def test_stride_stance_and_pelvis_height(part: Part, two: Any) -> None:
    plain = run(part, two, {})[1]
    for limbs, expected in (
        ({side + "Foot": {"stride": 0.6} for side in ("left", "right")}, np.array([0.0, 0.6, 0.0])),
        ({"leftFoot": {"stance": 0.05}, "rightFoot": {"stance": 0.05}}, None),
    ):
        _, target, _ = run(part, two, limbs)
        for side, sign in (("left", 1.0), ("right", -1.0)):
            foot, before = target[f"{side}Foot"], plain[f"{side}Foot"]
            if expected is None:
                assert off(foot, before + np.array([0.05 * sign, 0, 0])) < 0.02 * leg(target)
            else:
                ahead = (before - plain["hips"])[:, 1] * 0.6
                assert np.abs((foot - target["hips"])[:, 1] - ahead).max() < 0.02 * leg(target)
    _, low, _ = run(part, two, {"hips": {"height": 0.9}})
    floor = min(float(bone.head_local.z) for bone in two[1].data.bones if bone.name in (UNREAL["leftToes"], UNREAL["rightToes"]))
    assert np.abs((low["hips"][:, 2] - floor) - 0.9 * (plain["hips"][:, 2] - floor)).max() < 1e-4
    for side in ("left", "right"):
        assert off(low[f"{side}Foot"], plain[f"{side}Foot"]) < 0.02 * leg(low)


def test_goals_that_cannot_be_are_reported(part: Part, two: Any) -> None:
    with part("core.reporting.log").collect() as said:
        report = run(part, two, {"leftHand": {"reach": "PROP", "prop": "sword"}, "rightHand": {"reach": "LIMB"}})[2]
    assert [line for line in said.digest("WARNING") if "sword follows no bone of the source" in line]
    assert next(item for item in report.goals if item.limb == "leftHand").missed < 1e-6
    assert [line for line in report.reasons() if "sword follows no bone of the source" in line], "where one looks first"
    with part("core.reporting.log").collect() as said:
        run(part, two, {"leftHand": {"reach": "PROP"}})
    assert [line for line in said.digest("WARNING") if "left hand has no goal: choose the target's bone" in line]


def test_the_preview_names_goals_that_cannot_be(part: Part, two: Any) -> None:
    kinds = part("core.retarget.figures.maps.bone_map")
    bone_map = rigs.pairs(part, rigs.MIXAMO, UNREAL)
    preview = part("io.retarget.in_view.preview").Preview(bpy.context, *two)
    for prop, said in (("", True), ("hand_r", False)):
        limbs = (kinds.Limb("leftHand", reach="PROP", prop=prop),)
        preview.change(bpy.context, kinds.BoneMap(bone_map.pairs, limbs=limbs), part("core.retarget.options").RetargetOptions())
        assert ("left hand has no goal: choose the target's bone" in preview.message) == said
    part("io.blender.temporary_state").give_back(two[1])


def test_goals_in_the_mirror(part: Part, two: Any) -> None:
    source, target, _ = run(part, two, {"leftHand": {"reach": "BODY"}}, mirror=True)
    factor = leg(target) / leg(source)
    wanted = target["hips"] + (source["rightHand"] - source["hips"]) * np.array([-1, 1, 1]) * factor
    reaches = np.linalg.norm(wanted - target["leftUpperArm"], axis=1) < 0.999 * arm(target, "left")
    assert reaches.any() and off(target["leftHand"][reaches], wanted[reaches]) < 0.02 * leg(target)


@pytest.mark.parametrize("reach", ["LIMB", "BODY", "SELF"])
def test_a_loop_with_goals_ends_in_its_first_pose(part: Part, scene: Any, reach: str) -> None:
    """A hand passes by its shoulder where the loop ends and begins again; the target is no game's."""
    source = rigs.build("hero", names=rigs.MIXAMO)
    phase = 2 * np.pi * np.linspace(0, 1, 31)
    values: dict[tuple[str, str], Any] = {}
    for role, angle in (("leftUpperArm", -0.6 + 0.5 * np.sin(phase)), ("leftLowerArm", -2.0 - 0.9 * np.cos(phase))):
        axes = source.data.bones[rigs.MIXAMO[role]].matrix_local.to_quaternion()
        rows = [axes.inverted() @ Quaternion((0.0, 0.0, 1.0), value) @ axes for value in angle]
        values[rigs.MIXAMO[role], "rotation_quaternion"] = np.array(rows).T
    action = rigs.keyed(part, source, "wave", values)
    action.use_frame_range = action.use_cyclic = True
    action.frame_start, action.frame_end = 1, 31
    target = rigs.build("mannequin", names=UNREAL, sizes={"leftLowerArm": 1.5, "leftHand": 0.6})
    bone_map = rigs.pairs(part, rigs.MIXAMO, UNREAL)
    limbs = (part("core.retarget.figures.maps.bone_map").Limb("leftHand", reach=reach),)
    result = part("io.retarget.retarget").retarget_actions(bpy.context, source, target, replace(bone_map, limbs=limbs))
    assert result.actions[0].use_cyclic
    shown = [rigs.joints(target, [UNREAL["leftLowerArm"], UNREAL["leftHand"]], [frame])[0] for frame in (1, 2, 30, 31)]
    assert rigs.apart(shown[0], shown[3]) < 1e-4
    assert rigs.apart(shown[0], shown[1]) > 1e-3
