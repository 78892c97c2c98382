"""Joints of limbs that may have goals, as the target sees them, and what is asked of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Limb, Pair, Reach
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.ground.pace import Pace
from retro_anim.core.retarget.limb_goals.goals import Goals
from retro_anim.core.retarget.limb_goals.limb_joints import LimbJoints, joint_roles
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare

from .. import rigs

BODY = rigs.humanoid()
AT = BODY.index
TWICE = rigs.humanoid(scale=2.0)
SETUP = prepare(BODY, TWICE, rigs.SAME, Options(facing="WORLD"))
LEG = 2 * (np.hypot(0.02, 0.42) + np.hypot(0.03, 0.41))
"""The target's."""


def still(figure: Any, count: int = 3) -> Motion:
    return rest_motion(figure).at(np.zeros(count, np.int64))


def goals(*limbs: Limb, bone_map: BoneMap = rigs.SAME, source: Motion | None = None) -> Goals:
    setup = prepare(BODY, TWICE, replace(bone_map, limbs=limbs), Options(facing="WORLD"))
    motion = still(BODY) if source is None else source
    count = len(motion.frames)
    deltas = np.tile(quat.IDENTITY, (count, len(setup.binding), 1))
    return Goals(setup, motion, deltas, Pace(Spans((count,)), np.arange(count) / 30, (None,)))


def without(*names: str) -> BoneMap:
    return BoneMap(tuple(pair for pair in rigs.SAME.pairs if pair.source not in names))


def test_which_joints_a_limb_has() -> None:
    assert joint_roles("leftHand") == ("leftUpperArm", "leftLowerArm", "leftHand")
    assert joint_roles("rightFoot") == ("rightUpperLeg", "rightLowerLeg", "rightFoot")
    joints = LimbJoints(SETUP, still(BODY))
    assert [SETUP.binding.followers[row].role for row in joints.rows("rightHand")] == ["rightUpperArm", "rightLowerArm", "rightHand"]
    assert joints.known("leftFoot") and joints.factor == pytest.approx(2)
    arm = np.hypot(0.27, 0.02) + np.hypot(0.25, 0.02)
    assert joints.lengths("leftHand") == pytest.approx((arm, 2 * arm))
    assert joints.floor == pytest.approx(2 * 0.02)
    assert joints.end(still(TWICE), "leftHand")[0] == pytest.approx(TWICE.heads[AT["leftHand"]])
    assert joints.hips(still(TWICE))[0] == pytest.approx(TWICE.heads[AT["hips"]])
    lying = replace(SETUP, legs=replace(SETUP.legs, stands=(True, False), target_floor=0.4))
    assert LimbJoints(lying, still(BODY)).floor == 0.4


def test_the_source_s_joints_are_as_the_target_sees_them() -> None:
    """A quarter further, mirrored across the middle with the limbs of the other side; in the source's own size."""
    hand = BODY.heads[AT["leftHand"]]
    frame = rigs.yawed(np.pi / 2)[:3, :3]
    assert LimbJoints(SETUP, still(BODY)).tip("leftHand")[0] == pytest.approx(hand)
    assert LimbJoints(replace(SETUP, frame=frame), still(BODY)).tip("leftHand")[0] == pytest.approx([-hand[1], hand[0], hand[2]])
    raised = still(BODY)
    raised.positions[:, AT["rightHand"]] += [0.1, 0.2, 0.3]
    mirrored = replace(SETUP, options=replace(SETUP.options, mirror=True))
    assert LimbJoints(mirrored, raised).tip("leftHand")[0] == pytest.approx(hand + np.array([-0.1, 0.2, 0.3]))
    assert LimbJoints(mirrored, raised).tip("rightHand")[0] == pytest.approx(BODY.heads[AT["rightHand"]])


def test_hips_are_where_their_joint_is() -> None:
    """Beside the head of their bone in some rigs, and carried by its rotation."""
    beside = replace(TWICE, pelvis=TWICE.rest[0, :3, 3] + [0.5, 0, 0])
    setup = prepare(BODY, beside, rigs.SAME, Options(facing="WORLD"))
    motion = still(beside)
    rotations = np.array(motion.rotations)
    rotations[:, 0] = quat.multiply(quat.about(np.array([0.0, 0, 1]), np.array(np.pi / 2)), rotations[:, 0])
    assert LimbJoints(setup, still(BODY)).hips(replace(motion, rotations=rotations))[0] == pytest.approx(TWICE.heads[0] + [0, 0.5, 0])


@pytest.mark.parametrize(
    ("limb", "feet"),
    [
        (Limb("leftFoot"), []),
        (Limb("leftFoot", "BODY"), ["leftFoot"]),
        (Limb("rightFoot", stride=0.9), ["rightFoot"]),
        (Limb("rightFoot", stance=0.1), ["rightFoot"]),
        (Limb("hips", height=1.1), ["leftFoot", "rightFoot"]),
        (Limb("leftHand", "BODY"), []),
    ],
)
def test_which_feet_go_elsewhere(limb: Limb, feet: list[str]) -> None:
    asked = goals(limb)
    assert [each.limb for each in asked.feet] == feet
    assert [each.limb for each in asked.hands] == (["leftHand"] if limb.limb == "leftHand" else [])
    assert goals(limb, bone_map=without("leftLowerLeg", "rightLowerLeg")).feet == []


def test_hands_that_may_hang_on_others_come_last() -> None:
    reaches: tuple[Reach, ...] = ("HAND", "PROP")
    for reach in reaches:
        asked = goals(Limb("leftHand", reach, prop="head"), Limb("rightHand", "BODY"))
        assert [each.limb for each in asked.hands] == ["rightHand", "leftHand"]


@pytest.mark.parametrize(
    ("limbs", "bone_map", "doubts"),
    [
        ((Limb("leftHand", "BODY"),), rigs.SAME, []),
        ((Limb("hips", height=0.9),), rigs.SAME, []),
        ((Limb("hips", height=0.9),), without("hips"), ["the bone map has no hips that could be higher"]),
        ((Limb("leftHand", "BODY"),), without("leftLowerArm"), ["left hand has no goal: the bone map has no left lower arm"]),
        ((Limb("leftHand", "HAND"),), rigs.SAME, []),
        ((Limb("leftHand", "HAND"),), without("rightHand"), ["left hand has no goal: the bone map has not all of the right hand"]),
        ((Limb("leftHand", "BODY"),), without("rightHand"), []),
        ((Limb("leftHand", "PROP", prop="head"),), rigs.SAME, []),
        ((Limb("leftHand", "PROP", prop="hat"),), rigs.SAME, ["left hand has no goal: hat follows no bone of the source"]),
        ((Limb("leftHand", "PROP"),), rigs.SAME, ["left hand has no goal: choose the target's bone that is its prop"]),
    ],
)
def test_what_cannot_be_reached_is_said(limbs: tuple[Limb, ...], bone_map: BoneMap, doubts: list[str]) -> None:
    assert goals(*limbs, bone_map=bone_map).doubts() == doubts


def test_the_way_over_the_ground_is_the_mean_of_both_strides() -> None:
    both = goals(Limb("leftFoot", stride=0.5), Limb("rightFoot", stride=0.9)).setup
    assert both.scale == pytest.approx((0.7 * both.factor, both.factor))
    plain = goals().setup
    assert plain.scale == (plain.factor, plain.factor)


def test_hips_are_higher_by_their_part_of_the_height_over_the_ground() -> None:
    """The target's toes are at 0.04 at rest."""
    positions = {AT["hips"]: np.array([[0.0, 0, 1.04], [0, 0, 2.04]])}
    lift = goals(Limb("hips", height=1.2)).lift(positions)
    assert lift is not None and lift == pytest.approx([0.2, 0.4])
    assert goals().lift(positions) is None
    assert goals(Limb("hips", height=1.2)).lift({}) is None


def hand_goal(limb: Limb, source: Motion, *more: Limb) -> dict[str, Floats]:
    asked = goals(limb, *more, source=source)
    return asked.end_at(limb, still(TWICE, len(source.frames)))


def test_where_a_hand_goes() -> None:
    """0.1 further up in the source than its limb and its body are at rest, of which the target has twice as much; nowhere where it reaches
    for nothing."""
    source, up = still(BODY), np.array([0.0, 0, 0.1])
    source.positions[:, AT["leftHand"]] += up
    hand = TWICE.heads[AT["leftHand"]]
    for reach in get_args(Reach):
        if reach == "SELF":
            continue
        goal = hand if reach == "NONE" else hand + 2 * up
        at = hand_goal(Limb("leftHand", reach, prop="head"), source)
        assert at.keys() == {"leftHand"} and at["leftHand"][1] == pytest.approx(goal, abs=1e-6), reach
    both = hand_goal(Limb("leftHand", "HAND"), source, Limb("rightHand", "HAND"))
    assert both["leftHand"][0] == pytest.approx(hand + up, abs=1e-6)
    assert both["rightHand"][0] == pytest.approx(TWICE.heads[AT["rightHand"]] - up, abs=1e-6)


@pytest.mark.parametrize(("near", "share"), [(0.0, 1.0), (0.6, 1.0), (0.3, 0.5), (0.2, 0.0)])
def test_a_goal_counts_near_what_it_reaches_for(near: float, share: float) -> None:
    """In full up to `near` leg lengths, not at all from twice that on, half of it in the middle; and by its strength. The hands are 0.45
    leg lengths apart."""
    source = still(BODY)
    apart = 0.45 * LEG / 2
    middle = (source.positions[0, AT["leftHand"]] + source.positions[0, AT["rightHand"]]) / 2
    for side, sign in (("left", 0.5), ("right", -0.5)):
        source.positions[:, AT[f"{side}Hand"]] = middle + np.array([sign * apart, 0, 0])
    for strength in (1.0, 0.4):
        asked = goals(Limb("leftHand", "HAND", strength=strength, near=near), source=source)
        weight = asked._weight(Limb("leftHand", "HAND", strength=strength, near=near), np.full(3, apart))
        assert weight == pytest.approx([strength * share] * 3, abs=1e-9)


@pytest.mark.parametrize(("stride", "stance"), [(1.5, 0.0), (1.0, 0.2), (0.5, -0.1)])
def test_steps_are_longer_and_wider(stride: float, stance: float) -> None:
    """By how far a foot is before the hips, which look along -Y; to its own side by a length in metres."""
    source = still(BODY)
    source.positions[:, AT["leftFoot"]] += [0, -0.3, 0]
    asked = goals(Limb("leftFoot", "BODY", stride=stride, stance=stance), source=source)
    plain = TWICE.heads[AT["leftFoot"]] + [0, -0.6, 0]
    before = TWICE.heads[AT["hips"], 1] - plain[1]
    goal = asked.feet_at(still(TWICE))["leftFoot"][0]
    assert goal == pytest.approx(plain + np.array([stance, -before * (stride - 1), 0]), abs=1e-6)


def test_pairs_alone_are_enough() -> None:
    """Of a map of one arm."""
    arm = BoneMap(tuple(Pair(name, name, role=name) for name in joint_roles("leftHand")))
    asked = goals(Limb("leftHand", "BODY"), Limb("leftFoot", "BODY"), bone_map=arm)
    assert [limb.limb for limb in asked.hands] == ["leftHand"] and asked.feet == []
