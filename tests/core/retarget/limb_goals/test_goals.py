"""Hands and feet with a goal are where the documentation says, measured on the target's own joints; what is out of reach is reported.

The target has the source's legs, and arms of one and a half times the length, so that what the source reaches is in reach."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Limb, LimbName, Pair
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.ground.pace import Pace
from retro_anim.core.retarget.limb_goals.goals import Goals
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.reports.report import Report
from retro_anim.core.retarget.setup import prepare

from .. import invariants, rigs


def lengthened(factor: float, *ends: str) -> Floats:
    """The humanoid's offsets, those of some bones longer."""
    return rigs.OFFSETS * np.array([[factor if name.endswith(ends) else 1.0] for name in rigs.NAMES])


SCALE = 2.0
"""Of the target in all: what is measured by the legs is twice as far there."""


def with_sword(figure: Figure, offset: tuple[float, float, float]) -> Figure:
    """A bone more, on the hips."""
    rest = np.concatenate([figure.rest, np.eye(4)[None]])
    rest[-1, :3, 3] = figure.heads[0] + offset
    return Figure((*figure.names, "sword"), np.append(figure.parents, np.int32(0)), rest, np.append(figure.lengths, 0.1))


PACE = Pace(Spans((3,)), np.arange(3) / 30.0, (None,))


SOURCE = with_sword(rigs.humanoid(), (0.3, -0.3, 0.2))
TARGET = with_sword(rigs.humanoid(rigs.random_rotations(4), lengthened(1.5, "LowerArm", "Hand"), SCALE), (0.2, -0.5, 0.6))


def moved(*limbs: Limb, target: Figure = TARGET, most: float = 0.5) -> tuple[Motion, Motion, Report]:
    """The motions of source and target, and the report. most: radians by which bones rotate."""
    bone_map = replace(rigs.SAME, pairs=(*rigs.SAME.pairs, Pair("sword", "sword")), limbs=limbs)
    local, _ = rigs.dance(rigs.humanoid(), most=most)
    rotations = np.concatenate([local.rotations, np.tile([1.0, 0, 0, 0], (len(local.rotations), 1, 1))], axis=1)
    locations = np.concatenate([local.locations, np.zeros_like(local.locations[:, :1])], axis=1)
    frames = np.arange(len(rotations), dtype=float)
    source = forward(SOURCE, frames, replace(local, rotations=rotations, locations=locations))
    result = retarget.retarget(prepare(SOURCE, target, bone_map, Options(feet=False)), source, 30.0, "clip")
    return source, forward(target, frames, result.local), result.report


def long(figure: Figure, *names: str) -> float:
    """From joint to joint."""
    joints = figure.heads[[figure.index[name] for name in names]]
    return float(np.linalg.norm(np.diff(joints, axis=0), axis=1).sum())


ARM, LEG = ("leftUpperArm", "leftLowerArm", "leftHand"), ("leftUpperLeg", "leftLowerLeg", "leftFoot")


def at(motion: Motion, name: str) -> Floats:
    return motion.positions[:, SOURCE.index[name]]


def between(motion: Motion, first: str, second: str) -> Floats:
    return at(motion, first) - at(motion, second)


def test_without_a_goal_limbs_point_as_the_sources() -> None:
    source, target, report = moved()
    assert np.abs(between(target, "leftHand", "leftUpperArm") - 1.5 * SCALE * between(source, "leftHand", "leftUpperArm")).max() < 1e-4
    assert report.goals == ()


@pytest.mark.parametrize("name", ["leftHand", "rightHand"])
def test_a_hand_by_the_body(name: LimbName) -> None:
    """As far from the hips as the source's, by the length of the legs."""
    source, target, report = moved(Limb(name, "BODY"))
    assert np.abs(between(target, name, "hips") - SCALE * between(source, name, "hips")).max() < 1e-4
    (reach,) = report.goals
    assert (reach.limb, reach.frames) == (name, 0) and reach.missed < 1e-4
    other = "rightHand" if name == "leftHand" else "leftHand"
    assert np.abs(between(target, other, "hips") - SCALE * between(source, other, "hips")).max() > 0.1


def test_a_hand_by_its_limb() -> None:
    """From the shoulder, by the length of the arm: of arms that are not as long in proportion, too."""
    uneven = with_sword(rigs.humanoid(None, lengthened(0.6, "LowerArm")), (0, 0, 1))
    source, target, report = moved(Limb("leftHand", "LIMB"), target=uneven, most=0.9)
    wanted = between(source, "leftHand", "leftUpperArm") * long(uneven, *ARM) / long(SOURCE, *ARM)
    off = np.linalg.norm(between(target, "leftHand", "leftUpperArm") - wanted, axis=1)
    assert off.max() == pytest.approx(report.goals[0].missed, abs=1e-4)
    assert np.median(off) < 1e-4


def test_hands_to_each_other() -> None:
    """Each goes half of the way, or one of them all of it."""
    source, target, _ = moved(Limb("leftHand", "HAND"))
    wanted = SCALE * between(source, "leftHand", "rightHand")
    assert np.abs(between(target, "leftHand", "rightHand") - wanted).max() < 1e-4
    plain = moved()[1]
    assert np.abs(at(target, "rightHand") - at(plain, "rightHand")).max() < 1e-4
    both = moved(Limb("leftHand", "HAND"), Limb("rightHand", "HAND"))[1]
    assert np.abs(between(both, "leftHand", "rightHand") - wanted).max() < 1e-4
    middle = (at(plain, "leftHand") + at(plain, "rightHand")) / 2
    assert np.abs((at(both, "leftHand") + at(both, "rightHand")) / 2 - middle).max() < 1e-4


def halfway(plain: Motion, name: str, goal: Floats) -> Floats:
    """Around the shoulder: in the middle of both directions and of both distances."""
    start = at(plain, name.replace("Hand", "UpperArm"))
    offsets = [at(plain, name) - start, goal - start]
    lengths = [np.linalg.norm(offset, axis=1, keepdims=True) for offset in offsets]
    middle = sum(offset / length for offset, length in zip(offsets, lengths, strict=True))
    return start + middle / np.linalg.norm(middle, axis=1, keepdims=True) * (lengths[0] + lengths[1]) / 2


def test_hands_that_hang_on_each_other_go_once() -> None:
    """By half of the strength half of the way, from where they are without it, however many of the two ask for it."""
    source, both, _ = moved(Limb("leftHand", "HAND", strength=0.5), Limb("rightHand", "HAND", strength=0.5))
    plain, apart = moved()[1], SCALE * between(source, "leftHand", "rightHand")
    middle = (at(plain, "leftHand") + at(plain, "rightHand")) / 2
    for name, goal in (("leftHand", middle + apart / 2), ("rightHand", middle - apart / 2)):
        assert np.abs(at(both, name) - halfway(plain, name, goal)).max() < 1e-4
        assert np.abs(goal - at(plain, name)).max() > 0.1


@pytest.mark.parametrize("short", ["left", "right"])
def test_what_one_hand_cannot_reach_the_other_goes_for(short: str) -> None:
    """Both hang on each other, and one arm is too short for its half of the way: they are as far apart all the same."""
    arms = [[name.endswith(("LowerArm", "Hand")) * (-0.65 if name.startswith(short) else 1.2)] for name in rigs.NAMES]
    target = with_sword(rigs.humanoid(None, rigs.OFFSETS * (1 + np.array(arms)), SCALE), (0.2, -0.5, 0.6))
    (source, both, report), plain = moved(Limb("leftHand", "HAND"), Limb("rightHand", "HAND"), target=target), moved(target=target)[1]
    before, there = between(plain, "leftHand", "rightHand"), SCALE * between(source, "leftHand", "rightHand")
    half = (there - before) * (1 if short == "left" else -1) / 2
    missed = np.linalg.norm(at(both, f"{short}Hand") - at(plain, f"{short}Hand") - half, axis=1)
    assert 10 < (missed > 1e-3).sum() < len(missed)
    assert np.abs(between(both, "leftHand", "rightHand") - there).max() < 1e-4
    assert [reach.missed < 1e-4 for reach in report.goals] == [True, True]


def test_feet_to_each_other() -> None:
    """As hands: each goes half of the way, or one of them all of it, also where the other one goes elsewhere itself."""
    shorter = with_sword(rigs.humanoid(None, lengthened(0.8, "LowerLeg", "Foot"), SCALE), (0.2, -0.5, 0.6))
    size = long(shorter, *LEG) / long(SOURCE, *LEG)
    both = [Limb("leftFoot", "HAND"), Limb("rightFoot", "HAND")]
    for limbs in (both, both[:1], [both[0], Limb("rightFoot", "BODY")], [Limb("leftFoot", "BODY"), both[1]]):
        source, target, report = moved(*limbs, target=shorter, most=0.3)
        away = np.linalg.norm(between(target, "leftFoot", "rightFoot") - size * between(source, "leftFoot", "rightFoot"), axis=1)
        missed = sum(reach.missed for reach in report.goals)
        assert away.max() <= missed + 1e-4
        assert np.median(away) < 0.01


@pytest.mark.parametrize(
    ("limb", "lacks", "said"),
    [
        (Limb("leftHand", "BODY"), "leftLowerArm", "left hand has no goal: the bone map has no left lower arm"),
        (
            Limb("leftHand", "BODY"),
            "leftHand",
            "left hand has no goal: the bone map has no left hand: where the source or the target has none, add a bone hand.L at the end "
            "of its left lower arm, and map bones anew; games' clips go without it",
        ),
        (Limb("leftHand", "HAND"), "rightHand", "left hand has no goal: the bone map has not all of the right hand"),
        (Limb("leftHand", "BODY"), "rightHand", ""),
        (Limb("leftHand", "PROP", prop="sword"), "neck", "left hand has no goal: sword follows no bone of the source"),
        (Limb("hips", "HAND"), "neck", "hips have no goal, but a height"),
        (Limb("leftHand", "PROP"), "neck", "left hand has no goal: choose the target's bone that is its prop"),
        (Limb("hips", height=0.9), "hips", "the bone map has no hips that could be higher"),
        (Limb("hips", height=0.9), "leftHand", ""),
    ],
)
def test_a_goal_that_cannot_be_is_named(limb: Limb, lacks: str, said: str) -> None:
    bone_map = BoneMap(tuple(pair for pair in rigs.SAME.pairs if pair.role != lacks), limbs=(limb,))
    setup = prepare(rigs.humanoid(), TARGET, bone_map, Options(feet=False))
    _, motion = rigs.dance(rigs.humanoid(), 3)
    assert Goals(setup, motion, np.tile([1.0, 0, 0, 0], (3, len(setup.binding), 1)), PACE).doubts() == ([said] if said else [])


def test_a_hand_at_a_prop() -> None:
    """As far from the target's bone as the source's hand is from the one that it follows."""
    source, target, _ = moved(Limb("rightHand", "PROP", prop="sword"))
    assert np.abs(between(target, "rightHand", "sword") - SCALE * between(source, "rightHand", "sword")).max() < 1e-4


def test_strength_goes_from_the_pose_to_the_goal() -> None:
    poses = [at(moved(Limb("leftHand", "BODY", strength=strength))[1], "leftHand") for strength in (0.0, 0.25, 1.0)]
    assert np.abs(poses[0] - at(moved()[1], "leftHand")).max() < 1e-4
    assert np.abs(poses[1] - (poses[0] + 0.25 * (poses[2] - poses[0]))).max() < 1e-4
    assert np.abs(poses[2] - poses[0]).max() > 0.1


def test_from_the_pose_to_the_goal_a_hand_goes_around_its_shoulder() -> None:
    """Half of the angle and half of the difference of the distances, not through the shoulder, where the arm would snap."""
    poses = [moved(Limb("leftHand", "HAND", strength=strength), most=1.5)[1] for strength in (0.0, 0.5, 1.0)]
    arms = [between(pose, "leftHand", "leftUpperArm") for pose in poses]
    sizes = [np.linalg.norm(arm, axis=1) for arm in arms]
    free = sizes[2] < 0.9 * long(TARGET, *ARM)
    ahead = [arm / size[:, None] for arm, size in zip(arms, sizes, strict=True)]
    angles = [np.degrees(np.arccos((one * other).sum(axis=1).clip(-1, 1))) for one, other in pairwise(ahead)]
    assert free.sum() > 5 and angles[0][free].max() > 15
    assert np.abs(angles[0] - angles[1])[free].max() < 0.01
    assert np.abs(sizes[1] - (sizes[0] + sizes[2]) / 2)[free].max() < 1e-4


def test_a_goal_out_of_reach_that_counts_half_is_no_further_than_the_arm() -> None:
    """From the pose half of the way to full stretch: at once there, the arm would snap."""
    short = with_sword(rigs.humanoid(None, lengthened(1 / 3, "LowerArm", "Hand")), (0, 0, 1))
    plain, half = (moved(*limbs, target=short, most=1.5)[1] for limbs in ((), (Limb("leftHand", "BODY", strength=0.5),)))
    sizes = [np.linalg.norm(between(pose, "leftHand", "leftUpperArm"), axis=1) for pose in (plain, half)]
    full = long(short, *ARM)
    bent = sizes[0] < 0.9 * full
    assert bent.sum() > 3 and np.abs(sizes[1] - (sizes[0] + full) / 2)[bent].max() < 0.01 * full


def test_near_counts_in_leg_lengths() -> None:
    """In full up to that distance from the prop, not at all from twice that on, half in the middle between."""
    plain, full = at(moved()[1], "rightHand"), at(moved(Limb("rightHand", "PROP", prop="sword"))[1], "rightHand")
    source, _, _ = moved()
    distance = np.linalg.norm(between(source, "rightHand", "sword"), axis=1)
    leg = long(SOURCE, *LEG)
    near = float(np.median(distance) / leg / 1.5)
    now = at(moved(Limb("rightHand", "PROP", prop="sword", near=near))[1], "rightHand")
    share = np.linalg.norm(now - plain, axis=1) / np.linalg.norm(full - plain, axis=1)
    beyond = distance / (near * leg) - 1
    assert share[beyond <= 0] == pytest.approx(1, abs=1e-3) and share[beyond >= 1] == pytest.approx(0, abs=1e-3)
    middle = np.argmin(np.abs(beyond - 0.5))
    assert share[middle] == pytest.approx(beyond[middle] * -1.5 + 1.25, abs=0.02)


@pytest.mark.parametrize(("most", "beside"), [(2.5, True), (0.9, False)], ids=["on the body", "away from it"])
def test_a_hand_away_from_the_own_body_follows_its_limb(most: float, beside: bool) -> None:
    """In full up to 0.35 leg lengths from the nearest joint of the body, from twice that on as without a goal."""
    source, plain, _ = moved(most=most)
    paired = [side + part for side in ("left", "right") for part in ("UpperLeg", "LowerLeg", "Foot")]
    others = [name for name in ("hips", "spine", "chest", "upperChest", "neck", "head", "rightUpperArm", *paired) if name in rigs.NAMES]
    distance = np.min([np.linalg.norm(between(source, "leftHand", name), axis=1) for name in others], axis=0) / long(SOURCE, *LEG)
    now, full = (at(moved(Limb("leftHand", "SELF", near=near), most=most)[1], "leftHand") for near in (0.0, 1000.0))
    chosen, wanted = (distance <= 0.35, full) if beside else (distance >= 0.7, at(plain, "leftHand"))
    assert chosen.sum() > 2 and np.abs(now - wanted)[chosen].max() < 1e-3
    assert np.abs(full - at(plain, "leftHand"))[chosen].max() > 0.1


def test_what_is_out_of_reach_is_reported() -> None:
    """Arms of a third: a hand by the body is too far in every frame, by what is missing between shoulder and goal."""
    short = with_sword(rigs.humanoid(None, lengthened(1 / 3, "LowerArm", "Hand")), (0, 0, 1))
    source, target, report = moved(Limb("leftHand", "BODY"), target=short, most=0.3)
    goal = at(target, "hips") + between(source, "leftHand", "hips")
    missed = np.linalg.norm(goal - at(target, "leftHand"), axis=1)
    (reach,) = report.goals
    assert reach.missed == pytest.approx(missed.max(), abs=1e-3)
    assert reach.frames == len(missed) and missed.min() > 0.1


def test_how_far_a_held_foot_is_from_its_goal_is_reported() -> None:
    """Of one foot that makes shorter steps than the other, standing feet slide: held, it is as far away as the two results are apart."""
    figure, source = invariants.walk()
    bone_map = replace(rigs.SAME, limbs=(Limb("leftFoot", stride=0.6),))
    results = [retarget.retarget(prepare(figure, figure, bone_map, Options(feet=held)), source, 30.0, "clip") for held in (False, True)]
    ends = [forward(figure, source.frames, result.local).positions[:, figure.index["leftFoot"]] for result in results]
    (free,), (kept,) = (result.report.goals for result in results)
    leg = np.mean([long(figure, *(side + name for name in ("UpperLeg", "LowerLeg", "Foot"))) for side in ("left", "right")])
    assert free.missed < 1e-6 and free.kept == 0
    assert kept.kept * leg == pytest.approx(np.linalg.norm(ends[1] - ends[0], axis=1).max(), abs=1e-5)
    assert kept.kept > 0.03
    assert any(
        "leg lengths from its goal, where it stands: without Hold Feet it goes there" in line for line in results[1].report.reasons()
    )


def test_a_stance_is_wider_and_a_stride_is_longer() -> None:
    plain, wide, long = (moved(*limbs, most=0.2)[1] for limbs in ((), (Limb("leftFoot", stance=0.1),), (Limb("leftFoot", stride=1.2),)))
    apart = at(wide, "leftFoot") - at(plain, "leftFoot")
    assert np.linalg.norm(apart, axis=1) == pytest.approx(0.1, abs=0.02)
    assert (between(wide, "leftFoot", "rightFoot")[:, :2] ** 2).sum() > (between(plain, "leftFoot", "rightFoot")[:, :2] ** 2).sum()
    assert np.abs(at(long, "leftFoot") - at(plain, "leftFoot")).max() > 0.005


@pytest.mark.parametrize("looks", [50, -50, -130])
def test_a_stance_is_wider_along_the_thighs_of_one_who_is_turned_away_at_rest(looks: float) -> None:
    """By 30 degrees or more from the quarter in which figures look."""
    target = rigs.humanoid()
    source = replace(target, rest=rigs.yawed(np.radians(looks)) @ target.rest)
    still = forward(source, np.arange(3.0), Local(np.zeros((3, len(source), 3)), np.tile(quat.IDENTITY, (3, len(source), 1))))
    plain, wide = (
        retarget.retarget(prepare(source, target, replace(rigs.SAME, limbs=limbs), Options(feet=False)), still, 30.0, "clip").motion
        for limbs in ((), (Limb("leftFoot", stance=0.05),))
    )
    apart = (wide.positions - plain.positions)[:, target.index["leftFoot"]]
    across = np.diff(plain.positions[:, [target.index["rightUpperLeg"], target.index["leftUpperLeg"]]], axis=1)[:, 0]
    assert apart == pytest.approx(0.05 * across / np.linalg.norm(across, axis=1)[:, None], abs=0.005)


def test_hips_go_down_while_feet_stay() -> None:
    plain, low = (moved(*limbs, most=0.2)[1] for limbs in ((), (Limb("hips", height=0.9),)))
    floor = TARGET.heads[[TARGET.index[name] for name in ("leftToes", "rightToes")], 2].min()
    assert at(low, "hips")[:, 2] - floor == pytest.approx(0.9 * (at(plain, "hips")[:, 2] - floor), abs=1e-3)
    for name in ("leftFoot", "rightFoot"):
        assert np.abs(at(low, name) - at(plain, name)).max() < 1e-3


def test_feet_that_are_held_stand_on_the_ground_also_below_lower_hips() -> None:
    """Hips that the source tilts sideways lift a foot of a figure whose hips are wider: held, it is on the ground however high the hips
    are, and where it stands is no goal that it misses. Hips that are too high for it are named."""
    source, wide = rigs.humanoid(), rigs.OFFSETS.copy()
    wide[[rigs.NAMES.index(f"{side}UpperLeg") for side in ("left", "right")], 0] *= 2.0
    target = rigs.humanoid(None, wide)
    tilted = np.tile(quat.IDENTITY, (20, len(source), 1))
    tilt = quat.about(np.array([0.0, 1.0, 0.0]), np.radians(np.array(6.0)))
    tilted[:, source.index["hips"]] = tilt
    for name in ("leftUpperLeg", "rightUpperLeg", "spine"):
        tilted[:, source.index[name]] = quat.conjugate(tilt)
    motion = forward(source, np.arange(20.0), Local(np.zeros((20, len(source), 3)), tilted))

    def stood(height: float) -> retarget.Result:
        bone_map = replace(rigs.SAME, limbs=(Limb("hips", height=height),))
        return retarget.retarget(prepare(source, target, bone_map, Options()), motion, 30.0, "clip")

    plain, low, high = (stood(height) for height in (1.0, 0.9, 1.1))
    assert at(low.motion, "hips")[:, 2].mean() < at(plain.motion, "hips")[:, 2].mean() - 0.03
    for name in ("leftFoot", "rightFoot"):
        assert np.abs(at(low.motion, name) - at(plain.motion, name)).max() < 1e-3
    assert low.report.reasons() == []
    (bends,) = plain.report.reasons()
    assert " knee bends " in bends, "below wider hips, as high as the source's"
    assert any("its leg is too short in 20 frames" in line and "Pelvis Height" in line for line in high.report.reasons())
    assert not any("goal" in line for line in high.report.reasons())


def test_a_root_on_the_ground_stays_where_the_hips_go_down() -> None:
    """It carries them, and follows the source's."""
    body = rigs.humanoid()
    rest = np.concatenate([np.eye(4)[None], body.rest])
    figure = Figure(("root", *body.names), np.append(-1, body.parents + 1).astype(np.int32), rest, np.append(0.1, body.lengths))
    source = rigs.dance(figure, most=0.2)[1]
    high, low = (
        retarget.retarget(prepare(figure, figure, bone_map, Options(feet=False)), source, 30.0, "clip").motion.positions
        for pairs in [(Pair("root", "root", role="root"), *rigs.SAME.pairs)]
        for bone_map in (BoneMap(pairs), BoneMap(pairs, limbs=(Limb("hips", height=0.9),)))
    )
    assert low[:, 0] == pytest.approx(high[:, 0], abs=1e-6)
    assert (high - low)[:, 1, 2].min() > 0.05


@pytest.mark.parametrize("most", [0.5, 2.5])
def test_how_far_a_limb_snaps_to_its_goal_is_reported(most: float) -> None:
    """The furthest that a bone of the arm rotates into one frame beyond what it would without a goal."""
    plain, (_, target, report) = moved(most=most)[1], moved(Limb("leftHand", "BODY"), most=most)
    beyond: dict[str, Floats] = {}
    for name in ARM:
        bone = TARGET.index[name]
        dots = [np.abs((rotations[1:] * rotations[:-1]).sum(axis=1)) for rotations in (target.rotations[:, bone], plain.rotations[:, bone])]
        beyond[name] = np.degrees(2 * (np.arccos(dots[0].clip(max=1)) - np.arccos(dots[1].clip(max=1))))
    name = max(ARM, key=lambda name: beyond[name].max())
    assert report.snap == pytest.approx(beyond[name].max(), abs=1e-3) and report.snap > 0.5
    assert (report.snap_bone, report.snap_frame) == (name, target.frames[beyond[name].argmax() + 1])
    assert moved(most=most)[2].snap == 0


def test_a_goal_that_flies_through_the_shoulder_is_missed_instead_of_a_leap_and_so_reported() -> None:
    """The hand is on the other side one frame later; how far it is from its goal is measured on the joints that the rotations give."""
    _, source = rigs.dance(rigs.humanoid(), 61, most=0.1)
    setup = prepare(rigs.humanoid(), rigs.humanoid(), rigs.SAME, Options(feet=False))
    seconds = np.arange(61) / 30
    goals = Goals(setup, source, np.tile([1.0, 0, 0, 0], (61, len(rigs.NAMES), 1)), Pace(Spans((61,)), seconds, (None,)))
    shoulder, reach = at(source, "leftUpperArm"), 0.95 * long(rigs.humanoid(), *ARM)
    goal = shoulder + ((seconds - 1) * 2).clip(-reach, reach)[:, None] * np.array([0.0, 0.8, 0.6])
    reached = goals.reach({"leftHand": goal}, source)
    end = shoulder
    for name, below in pairwise(ARM):
        rotations, offset = reached.rotations[SOURCE.index[name]], rigs.OFFSETS[rigs.NAMES.index(below)]
        assert np.degrees(quat.apart(rotations[1:], rotations[:-1])).max() < 45
        end = end + quat.rotate(rotations, offset)
    missed = np.linalg.norm(goal - end, axis=1)
    assert np.abs(missed - reached.missed["leftHand"]).max() < 1e-6
    assert 0.02 < missed.max() < 0.2 and missed[np.abs(seconds - 1) > 0.45].max() < 0.02


@pytest.mark.parametrize(("first", "second"), [("leftHand", "rightHand"), ("rightHand", "leftHand")])
def test_a_hand_follows_the_other_to_its_goal(first: LimbName, second: LimbName) -> None:
    """One hand is where the body has it, and the other as far from there as the source's are from each other: not from where it was."""
    source, target, _ = moved(Limb(second, "HAND"), Limb(first, "BODY"))
    assert np.abs(between(target, first, "hips") - SCALE * between(source, first, "hips")).max() < 1e-4
    assert np.abs(between(target, second, first) - SCALE * between(source, second, first)).max() < 1e-4
