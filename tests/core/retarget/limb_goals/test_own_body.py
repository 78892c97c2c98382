"""A hand at the own body is at the same part of a body of another build: at its shoulder, not between shoulder and chest, and as far
down its thigh. The poses are made by hand, the truth is computed from the joints."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Limb, LimbName
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.ground.pace import Pace
from retro_anim.core.retarget.limb_goals.limb_joints import LimbJoints
from retro_anim.core.retarget.limb_goals.own_body import OwnBody
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare

from .. import rigs

ARM = ("LowerArm", "Hand")
FRAMES = 24


def built(**factors: float) -> Figure:
    """The humanoid, the offsets of some joints longer."""
    return rigs.humanoid(
        None, rigs.OFFSETS * np.array([[factors.get(name.removeprefix("left").removeprefix("right"), 1.0)] for name in rigs.NAMES])
    )


def posed(figure: Figure, pose: dict[str, tuple[float, float, float]], count: int = FRAMES) -> Motion:
    """From rest to a pose, of rotations (degrees) about the world's axes as they are at rest."""
    rotations = np.tile(quat.IDENTITY, (count, len(figure), 1))
    for name, vector in pose.items():
        size = float(np.linalg.norm(vector))
        angles = np.radians(size) * np.linspace(0, 1, count)
        rotations[:, figure.index[name]] = quat.about(np.array(vector) / size, angles)
    return forward(figure, np.arange(count, dtype=float), Local(np.zeros((count, len(figure), 3)), rotations))


def reached(source: Figure, target: Figure, motion: Motion, limb: LimbName, followed: BoneMap = rigs.SAME) -> tuple[Motion, float]:
    """The target's motion, and metres by which the report says that the hand missed."""
    bone_map = replace(followed, limbs=(Limb(limb, "SELF"),))
    result = retarget.retarget(prepare(source, target, bone_map, Options(feet=False)), motion, 30.0, "clip")
    (reach,) = result.report.goals
    return forward(target, motion.frames, result.local), reach.missed


def at(motion: Motion, name: str) -> Floats:
    return motion.positions[:, rigs.NAMES.index(name)]


def leg(motion: Motion) -> float:
    joints = np.array([at(motion, name)[0] for name in ("leftUpperLeg", "leftLowerLeg", "leftFoot")])
    return float(np.linalg.norm(np.diff(joints, axis=0), axis=1).sum())


@pytest.mark.parametrize(("hand", "other", "side"), [("leftHand", "right", 1), ("rightHand", "left", -1)])
def test_a_hand_at_the_opposite_shoulder(hand: LimbName, other: str, side: int) -> None:
    """Of a child: a long trunk and broad shoulders over short legs."""
    own = hand.removesuffix("Hand")
    source = built()
    target = built(UpperArm=1.1, LowerLeg=0.6, Foot=0.6, LowerArm=1.1, Hand=1.1)
    motion = posed(source, {f"{own}UpperArm": (0, 25, -135 * side), f"{own}LowerArm": (0, 0, -55 * side)})
    final, missed = reached(source, target, motion, hand)
    apart = at(motion, hand) - at(motion, f"{other}UpperArm")
    assert np.linalg.norm(apart[-1]) < 0.22 * leg(motion)
    off = at(final, hand) - at(final, f"{other}UpperArm") - apart * leg(final) / leg(motion)
    assert np.linalg.norm(off[-1]) < 0.01 * leg(final) and missed < 1e-4


def test_a_hand_as_far_down_the_thigh() -> None:
    """Beside the middle of a thigh, that of another length: no nearer to the hip or the knee."""
    source, target = built(LowerArm=1.6, Hand=1.6), built(LowerLeg=1.5, LowerArm=2.4, Hand=2.4)
    motion = posed(source, {"leftUpperArm": (0, 88, 0)})
    final, missed = reached(source, target, motion, "leftHand")
    thigh = at(motion, "leftLowerLeg")[-1] - at(motion, "leftUpperLeg")[-1]
    share = (at(motion, "leftHand") - at(motion, "leftUpperLeg"))[-1] @ thigh / (thigh @ thigh)
    assert 0.3 < share < 0.7
    apart = at(motion, "leftHand")[-1] - at(motion, "leftUpperLeg")[-1] - share * thigh
    there = at(final, "leftUpperLeg")[-1] + share * (at(final, "leftLowerLeg") - at(final, "leftUpperLeg"))[-1]
    assert np.linalg.norm(at(final, "leftHand")[-1] - there - apart * leg(final) / leg(motion)) < 0.01 * leg(final) and missed < 1e-4


def test_a_foot_at_the_other_shin() -> None:
    """Its own leg, at whose end it always is, is no part that it is near to."""
    source, target = built(), built(UpperLeg=0.7, LowerLeg=0.9, Foot=1.2)
    motion = posed(source, {"leftUpperLeg": (-25, 22, 0), "leftLowerLeg": (40, 0, 0)})
    final, missed = reached(source, target, motion, "leftFoot")
    offs: list[Floats] = []
    for figure in (motion, final):
        knee, ankle, foot = (at(figure, name)[-1] for name in ("rightLowerLeg", "rightFoot", "leftFoot"))
        share = float((foot - knee) @ (ankle - knee) / ((ankle - knee) @ (ankle - knee)))
        assert 0.1 < share < 0.9
        offs.append(np.array([share, *(foot - knee - share * (ankle - knee)) / leg(figure)]))
    assert np.linalg.norm(offs[0][1:]) < 0.3
    assert offs[1] == pytest.approx(offs[0], abs=0.01) and missed < 0.01


def test_a_hand_at_the_belly_of_a_trunk_of_two_joints() -> None:
    """It is at a share of the line from hips to head, not at either of them."""
    kept = [pair for pair in rigs.SAME.pairs if pair.role not in ("spine", "chest", "upperChest", "neck")]
    source = built()
    target = built(spine=1.6, chest=1.6, upperChest=1.6, LowerArm=1.5, Hand=1.5)
    motion = posed(source, {"leftUpperArm": (-50, 80, -80), "leftLowerArm": (-20, 70, 80)})
    final, missed = reached(source, target, motion, "leftHand", BoneMap(tuple(kept)))
    shares: list[float] = []
    offs: list[Floats] = []
    for figure in (motion, final):
        hips, head, hand = (at(figure, name)[-1] for name in ("hips", "head", "leftHand"))
        shares.append(float((hand - hips) @ (head - hips) / ((head - hips) @ (head - hips))))
        offs.append((hand - hips - shares[-1] * (head - hips)) / leg(figure))
    assert 0.3 < shares[0] < 0.6 and np.linalg.norm(offs[0]) < 0.25
    assert shares[1] == pytest.approx(shares[0], abs=0.01) and offs[1] == pytest.approx(offs[0], abs=0.01) and missed < 1e-4


@pytest.mark.parametrize("fps", [60.0, 120.0])
def test_a_hand_that_goes_from_part_to_part_does_not_leap(fps: float) -> None:
    """Past the chest to the head, which is far from there on a target with a long neck: in a frame it would be elsewhere otherwise."""
    source, target = built(), built(neck=8.0, head=8.0)
    motion = posed(source, {"leftUpperArm": (0, -60, -40), "leftLowerArm": (0, -40, -130)}, round(0.4 * fps))
    setup = prepare(source, target, rigs.SAME, Options(feet=False))
    plain = forward(target, motion.frames, retarget.retarget(setup, motion, fps, "clip").local)
    pace = Pace(motion.spans, motion.frames / fps, [None])
    goal, _ = OwnBody(LimbJoints(setup, motion), pace).beside("leftHand", plain)
    fast, own = (np.linalg.norm(np.diff(path, axis=0), axis=1).max() * fps for path in (goal, at(motion, "leftHand")))
    assert fast / leg(plain) < 3 * own / leg(motion)


def test_a_hand_at_the_hips_of_a_control_rig_is_at_their_joint() -> None:
    """Which is not where the control begins: here that is 0.3 further down and behind, and the body of the same build."""
    source = built(LowerArm=1.2, Hand=1.2)
    target = replace(built(LowerArm=1.5, Hand=1.5), pelvis=source.heads[0])
    rest = np.array(target.rest)
    rest[0, :3, 3] += [0.0, 0.2, -0.3]
    target = replace(target, rest=rest)
    motion = posed(source, {"leftUpperArm": (20, 100, 0), "leftLowerArm": (0, 0, -60)})
    final, missed = reached(source, target, motion, "leftHand")
    legs = [at(figure, "leftUpperLeg")[-1] + at(figure, "rightUpperLeg")[-1] for figure in (motion, final)]
    assert np.linalg.norm(at(motion, "leftHand")[-1] - at(motion, "hips")[-1]) < 0.2 * leg(motion)
    assert np.linalg.norm(at(final, "leftHand")[-1] - legs[1] / 2 - (at(motion, "leftHand")[-1] - legs[0] / 2)) < 0.01 and missed < 1e-4


def test_which_parts_of_the_body_count_by_how_near_they_are() -> None:
    """A trunk of two lines in a body with legs of 2 metres, and the same twice as large: the hand is 0.03 before one of them, in its
    middle, and sqrt(0.0009 + 0.0025) from the end of the other; by the 16th power of that and 0.03 leg lengths besides."""
    joints = np.array([(0, 0, 0), (0, 0, 0.1), (0, 1, 0.1), (5, 5, 5)], float)
    tip = np.array([(0.03, 0, 0.05)])
    followers = [SimpleNamespace(target=row) for row in range(4)]
    binding = SimpleNamespace(
        rows_of=lambda *roles: [row for role, row in (("hips", 0), ("spine", 1), ("chest", 2)) if role in roles],
        roles={"hips": 0},
        followers=followers,
    )
    hips = np.array([[0.2, 0.2, 0.2]])
    known: Any = SimpleNamespace(
        tip=lambda _limb: tip,
        rows=lambda _limb: (3,),
        setup=SimpleNamespace(binding=binding, legs=SimpleNamespace(source=2.0)),
        joint=lambda row: joints[row][None],
        hips=lambda _target: hips,
        end=lambda _target, _limb: np.array([[7.0, 7, 7]]),
        factor=3.0,
    )
    pace: Any = SimpleNamespace(smoothed=lambda weights, _seconds: weights)
    target: Any = SimpleNamespace(positions=2 * joints[None])
    goal, nearest = OwnBody(known, pace).beside("leftHand", target)
    weights = np.array([(0.0009 / 4 + 0.0009) ** -8, ((0.0009 + 0.0025) / 4 + 0.0009) ** -8])
    goals = np.array([(hips[0] + 2 * joints[1]) / 2 + [0.09, 0, 0], 2 * joints[1] + [0.09, 0, -0.15]])
    assert goal[0] == pytest.approx(weights @ goals / weights.sum())
    assert nearest == pytest.approx([(0.0009 + 0.0025) ** 0.5])
    binding.rows_of = lambda *_roles: []
    goal, nearest = OwnBody(known, pace).beside("leftHand", target)
    assert goal.tolist() == [[7, 7, 7]] and nearest.tolist() == [np.inf], "beside no body"
