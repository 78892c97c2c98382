"""Where the goals of hands and feet are, of two bodies that stand, one of twice the size, with joints that are put somewhere by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Limb, LimbName
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.ground.pace import Pace
from retro_anim.core.retarget.limb_goals.goals import Goals
from retro_anim.core.retarget.limb_goals.limb_joints import joint_roles
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.steps import Retargeting
from retro_anim.core.retarget.wanted import deltas_of

from . import rigs

SOURCE, TARGET = rigs.humanoid(), rigs.humanoid(scale=2.0)
AT = SOURCE.index
LEG = float(np.linalg.norm([0.02, 0.42]) + np.linalg.norm([0.03, 0.41]))
FRAMES = 3
Z = np.array([0.0, 0, 1])


def standing(figure: Figure, **positions: tuple[float, float, float]) -> Motion:
    """At rest, but for some joints, which are elsewhere."""
    rest = rest_motion(figure)
    heads = np.tile(figure.heads, (FRAMES, 1, 1))
    for name, position in positions.items():
        heads[:, AT[name]] = position
    return Motion(np.arange(float(FRAMES)), np.tile(figure.quaternions, (FRAMES, 1, 1)), heads, None, rest.standing)


def goals(*limbs: Limb, missing: tuple[str, ...] = (), heading: float = 0.0, **positions: tuple[float, float, float]) -> Goals:
    """Of a source whose joints are somewhere. heading: degrees that its hips look away from where they do at rest."""
    pairs = tuple(pair for pair in rigs.SAME.pairs if pair.role not in missing)
    setup = prepare(SOURCE, TARGET, BoneMap(pairs, limbs=limbs), Options(feet=False))
    deltas = np.tile(quat.about(Z, np.radians(np.array(heading))), (FRAMES, len(setup.binding), 1))
    pace = Pace(Spans((FRAMES,)), np.arange(FRAMES) / 30.0, (None,))
    return Goals(setup, standing(SOURCE, **positions), deltas, pace)


def goal(asked: Goals, limb: Limb, others: dict[str, Floats] | None = None, /, **positions: tuple[float, float, float]) -> Floats:
    """(3,) of a target whose joints are somewhere, the same in all frames."""
    at = asked.end_at(limb, standing(TARGET, **positions), others or {})[limb.limb]
    assert at == pytest.approx(np.tile(at[0], (FRAMES, 1)))
    return np.asarray(at[0], np.float64)


def names(limbs: list[Limb]) -> list[str]:
    return [limb.limb for limb in limbs]


@pytest.mark.parametrize(
    ("limb", "feet"),
    [
        (Limb("leftFoot"), []),
        (Limb("leftFoot", "BODY"), ["leftFoot"]),
        (Limb("rightFoot", stride=1.1), ["rightFoot"]),
        (Limb("rightFoot", stance=-0.1), ["rightFoot"]),
        (Limb("hips", height=0.9), ["leftFoot", "rightFoot"]),  # which stay where they are
        (Limb("leftHand", "BODY"), []),
    ],
)
def test_which_feet_go_elsewhere(limb: Limb, feet: list[str]) -> None:
    assert names(goals(limb).feet) == feet
    assert names(goals(limb, missing=("leftLowerLeg",)).feet) == [foot for foot in feet if foot == "rightFoot"]


def test_which_hands_reach_for_something() -> None:
    """Those first that others may hang on."""
    left, right = Limb("leftHand", "HAND"), Limb("rightHand", "BODY")
    assert names(goals(left, right).hands) == ["rightHand", "leftHand"]
    assert names(goals(replace(left, reach="PROP"), right).hands) == ["rightHand", "leftHand"]
    assert names(goals(replace(left, reach="SELF"), right).hands) == ["leftHand", "rightHand"]
    assert names(goals(replace(left, reach="NONE"), right).hands) == ["rightHand"]
    assert names(goals(left, right, missing=("rightLowerArm",)).hands) == ["leftHand"]


def test_the_way_over_the_ground_is_longer_by_the_mean_of_both_feet_s_strides() -> None:
    setup = goals(Limb("leftFoot", stride=1.5)).setup
    assert setup.scale == (1.25 * setup.factor, setup.factor)
    for options, over_ground in ((Options(keep_speed=True), 1), (Options(root_motion="NONE"), 0)):
        assert replace(setup, options=options).scale == (over_ground, setup.factor)


def test_hips_are_higher_by_a_share_of_their_height_above_the_ground() -> None:
    """Toes are 0.04 above the object's origin, and hips 1.94; where they are not known nothing is said."""
    heights = {AT["hips"]: np.array([[0.0, 0, 1.94], [0, 0, 1.04]])}
    assert goals(Limb("hips", height=1.5)).lift(heights) == pytest.approx([0.95, 0.5])
    assert goals(Limb("hips", height=0.8)).lift(heights) == pytest.approx([-0.38, -0.2])
    assert goals().lift(heights) is None and goals(Limb("hips", height=1.5)).lift({}) is None
    assert goals(Limb("hips", height=1.5), missing=("hips",)).lift(heights) is None


def test_a_hand_by_its_limb_is_where_it_is_from_the_shoulder() -> None:
    """Twice as far, as the arm is twice as long."""
    asked = goals(leftHand=(0.3, -0.2, 1.3), leftUpperArm=(0.2, 0.0, 1.5))
    wanted = np.array([1.0, 1.0, 3.0]) + 2 * np.array([0.1, -0.2, -0.2])
    assert goal(asked, Limb("leftHand", "LIMB"), leftUpperArm=(1.0, 1.0, 3.0)) == pytest.approx(wanted)


def test_a_hand_by_the_body_is_where_it_is_from_the_hips() -> None:
    asked = goals(leftHand=(0.3, -0.2, 1.3), hips=(0.0, 0.1, 1.0))
    wanted = np.array([1.0, 1.0, 2.0]) + 2 * np.array([0.3, -0.3, 0.3])
    assert goal(asked, Limb("leftHand", "BODY"), hips=(1.0, 1.0, 2.0)) == pytest.approx(wanted)
    alone = goals(missing=("hips",), leftHand=(0.3, -0.2, 1.3))
    assert goal(alone, Limb("leftHand", "BODY"), leftHand=(1.0, 0, 0)) == pytest.approx([1, 0, 0]), "without hips where it is"


def test_a_hand_by_the_other_hand() -> None:
    """Or by where that goes, if it is known."""
    asked, limb = goals(leftHand=(0.3, -0.2, 1.3), rightHand=(-0.1, -0.2, 1.2)), Limb("leftHand", "HAND")
    apart = 2 * np.array([0.4, 0.0, 0.1])
    assert goal(asked, limb, rightHand=(1.0, 2.0, 3.0)) == pytest.approx(np.array([1, 2, 3]) + apart)
    others = {"rightHand": np.tile([5.0, 5.0, 5.0], (FRAMES, 1))}
    assert goal(asked, limb, others, rightHand=(1.0, 2.0, 3.0)) == pytest.approx(5 + apart)
    alone = goals(missing=("rightLowerArm",))
    assert goal(alone, limb, leftHand=(1.0, 0, 0)) == pytest.approx([1, 0, 0]), "without the other one where it is"


def test_hands_that_hang_on_each_other_meet_about_the_middle() -> None:
    both = Limb("leftHand", "HAND"), Limb("rightHand", "HAND")
    asked = goals(*both, leftHand=(0.3, -0.2, 1.3), rightHand=(-0.1, -0.2, 1.2))
    shown = standing(TARGET, leftHand=(1.0, 2.0, 3.0), rightHand=(3.0, 2.0, 3.0))
    middle, half = np.array([2.0, 2.0, 3.0]), np.array([0.4, 0.0, 0.1])
    for limb in both:
        at = asked.end_at(limb, shown)
        assert at["leftHand"] == pytest.approx(np.tile(middle + half, (FRAMES, 1)))
        assert at["rightHand"] == pytest.approx(np.tile(middle - half, (FRAMES, 1)))


def test_a_hand_at_a_prop() -> None:
    """As far from the target's bone as the source's is from the one that it follows."""
    asked, limb = goals(leftHand=(0.3, -0.2, 1.3), head=(0.0, 0.0, 1.5)), Limb("leftHand", "PROP", prop="head")
    assert goal(asked, limb, head=(1.0, 1.0, 3.0)) == pytest.approx(np.array([1, 1, 3]) + 2 * np.array([0.3, -0.2, -0.2]))
    for prop in ("", "sword"):
        assert goal(asked, replace(limb, prop=prop), leftHand=(1.0, 0, 0)) == pytest.approx([1, 0, 0])
    assert goal(goals(missing=("head",)), limb, leftHand=(1.0, 0, 0)) == pytest.approx([1, 0, 0]), "which follows nothing"


APART = 0.4 * LEG
"""Metres between the source's hands."""


@pytest.mark.parametrize(
    ("near", "share"),
    [(0.0, 1.0), (0.5, 1.0), (0.4, 1.0), (0.32, 1 - 0.0625 * 2.5), (0.8 / 3, 0.5), (0.2, 0.0), (0.1, 0.0)],
)
@pytest.mark.parametrize("strength", [1.0, 0.5])
def test_a_goal_counts_less_the_further_it_is_beyond_what_is_near(near: float, share: float, strength: float) -> None:
    """In full up to that, not at all from twice that on, and half of it in the middle: here 0.4 leg lengths away. Between, around the
    shoulder: both hands are straight below it, so that it goes along a line."""
    limb = Limb("leftHand", "HAND", near=near, strength=strength)
    asked = goals(limb, leftHand=(0.2, 0, 1.2 + APART), rightHand=(0.2, 0, 1.2))
    shown = {"leftUpperArm": (0.0, 0.0, 4.0), "leftLowerArm": (0.0, 0.0, 2.0), "leftHand": (0.0, 0.0, 1.0), "rightHand": (0.0, 0.0, 2.0)}
    wanted = 2.0 + 2 * APART
    assert goal(asked, limb, **shown) == pytest.approx([0, 0, 1.0 + strength * share * (wanted - 1.0)])


@pytest.mark.parametrize(("near", "away"), [(0.5, 0.75), (0.0, 0.525)])
def test_what_is_near_the_own_body(near: float, away: float) -> None:
    """As the map says, else 0.35 leg lengths: half of it counts half as far again."""
    limb = Limb("leftHand", "SELF", near=near)
    asked = goals(limb)
    assert asked._weight(limb, np.array([away * asked.setup.legs.source])) == pytest.approx([0.5])


@pytest.mark.parametrize(("down", "strength", "reach"), [(5.0, 1.0, 5.0), (5.0, 0.5, 4.0), (2.5, 0.5, 2.5)])
def test_a_goal_beyond_reach_that_does_not_count_in_full_is_no_further_than_the_limb(down: float, strength: float, reach: float) -> None:
    """An arm of 1.5 and 2.5 metres that hangs from 4, and ends at 2; a goal 5 below where it begins, or 2.5."""
    limb = Limb("leftHand", "BODY", strength=strength)
    asked = goals(limb, leftHand=(0, 0, 1.0), hips=(0, 0, 1.0))
    shown: dict[str, tuple[float, float, float]] = {
        "leftUpperArm": (0.0, 0.0, 4.0),
        "leftLowerArm": (0.0, 1.5, 4.0),
        "leftHand": (0.0, 0.0, 2.0),
        "hips": (0.0, 0.0, 4.0 - down),
    }
    assert goal(asked, limb, **shown) == pytest.approx([0, 0, 2.0 + strength * ((4.0 - reach) - 2.0)])


def test_between_pose_and_goal_a_hand_goes_around_its_shoulder() -> None:
    """Half of a quarter of a circle, and half of the way from 1 metre to 2."""
    limb = Limb("leftHand", "BODY", strength=0.5)
    asked = goals(limb, leftHand=(0, 0, 1.0), hips=(0, 0, 1.0))
    arm = {"leftUpperArm": (0.0, 0.0, 4.0), "leftLowerArm": (0.0, 5.0, 4.0), "leftHand": (1.0, 0.0, 4.0), "hips": (0.0, 0.0, 2.0)}
    assert goal(asked, limb, **arm) == pytest.approx(np.array([0, 0, 4.0]) + 1.5 * np.sqrt(0.5) * np.array([1, 0, -1]))


@pytest.mark.parametrize("heading", [0.0, 90.0])
@pytest.mark.parametrize(("name", "side"), [("leftFoot", 1.0), ("rightFoot", -1.0)])
def test_a_stride_is_longer_from_the_hips_on_and_a_stance_wider(name: LimbName, side: float, heading: float) -> None:
    """Along where they look, which is -Y at rest: a foot that is 0.5 before them goes to 0.75; and 0.1 further out."""
    away = quat.about(Z, np.radians(np.array(heading)))
    ahead, left = quat.rotate(away, np.array([0.0, -1, 0])), quat.rotate(away, np.array([1.0, 0, 0]))
    foot, hips = np.array([0.3, 0.4, 0.1]), np.array([0.1, 0.2, 1.0])
    foot += ahead * (0.5 - (foot - hips) @ ahead)
    asked = goals(Limb(name, stride=1.5, stance=0.1), heading=heading)
    shown = standing(TARGET, hips=tuple(hips.tolist()), **{name: tuple(foot.tolist())})
    assert asked.feet_at(shown)[name] == pytest.approx(np.tile(foot + 0.25 * ahead + side * 0.1 * left, (FRAMES, 1)))
    wide = goals(Limb(name, stance=0.1), heading=heading).feet_at(shown)
    assert wide[name] == pytest.approx(np.tile(foot + side * 0.1 * left, (FRAMES, 1)))
    for stride, further in ((1.5, 0.25), (2.0, 0.5)):
        far = goals(Limb(name, stride=stride), heading=heading).feet_at(shown)
        assert far[name] == pytest.approx(np.tile(foot + further * ahead, (FRAMES, 1)))
    stays = goals(Limb("hips", height=0.9), heading=heading).feet_at(shown)
    assert stays.keys() == {"leftFoot", "rightFoot"} and stays[name] == pytest.approx(np.tile(foot, (FRAMES, 1)))


def test_feet_that_hang_on_another_come_behind_it() -> None:
    """The left one by the right one, which stands wider by 0.1."""
    asked = goals(Limb("leftFoot", "HAND"), Limb("rightFoot", stance=0.1), leftFoot=(0.2, 0, 0.1), rightFoot=(-0.2, 0, 0.1))
    at = asked.feet_at(standing(TARGET, rightFoot=(-1.0, 0.0, 0.2), hips=(0, 0, 2.0)))
    assert at["rightFoot"][0] == pytest.approx([-1.1, 0, 0.2]) and at["leftFoot"][0] == pytest.approx([-1.1 + 0.8, 0, 0.2])


def test_a_limb_bends_to_where_its_goal_is_or_as_near_as_it_reaches() -> None:
    """An arm of 1.04 metres, whose end keeps its rotation. What is out of reach is missed by what the arm is too short."""
    asked, shown = goals(), standing(TARGET)
    shoulder = TARGET.heads[AT["leftUpperArm"]]
    near = np.tile(shoulder + np.array([0.5, -0.3, -0.3]), (FRAMES, 1))
    reached = asked.reach({"leftHand": near}, shown)
    bones = [AT[name] for name in ("leftUpperArm", "leftLowerArm", "leftHand")]
    assert reached.rotations.keys() == set(bones)
    offsets = TARGET.heads[bones[1:]] - TARGET.heads[bones[:2]]
    ends = shoulder + sum(quat.rotate(reached.rotations[bone], offset) for bone, offset in zip(bones[:2], offsets, strict=True))
    assert ends == pytest.approx(near, abs=1e-6) and reached.missed["leftHand"] == pytest.approx(np.zeros(FRAMES), abs=1e-6)
    assert reached.rotations[bones[2]].tolist() == shown.rotations[:, bones[2]].tolist()
    far = asked.reach({"leftHand": np.tile(shoulder + np.array([3.0, 0, 0]), (FRAMES, 1))}, shown)
    length = float(np.linalg.norm(offsets, axis=1).sum())
    assert far.missed["leftHand"] == pytest.approx(np.full(FRAMES, 3.0 - length), abs=0.01 * length)
    assert (far.missed["leftHand"] >= 3.0 - length - 1e-9).all()


@pytest.mark.parametrize("name", ["leftFoot", "rightFoot", "leftHand", "rightHand"])
def test_a_straight_limb_bends_about_the_line_from_side_to_side(name: LimbName) -> None:
    """Whichever way the target's bones are rotated at rest: knees go ahead, which is -Y, elbows back. Both bones are a metre long, and
    their joint is above the middle of what is left of them."""
    target = rigs.humanoid(rigs.random_rotations(8), scale=2.0)
    setup = prepare(SOURCE, target, rigs.SAME, Options(feet=False))
    pace = Pace(Spans((FRAMES,)), np.arange(FRAMES) / 30.0, (None,))
    asked = Goals(setup, standing(SOURCE), np.tile(quat.IDENTITY, (FRAMES, len(setup.binding), 1)), pace)
    bones = [AT[role] for role in joint_roles(name)]
    begins = np.array([0.3, 0.1, 4.0])
    joints = {target.names[bone]: tuple((begins - [0, 0, down]).tolist()) for down, bone in enumerate(bones)}
    shown = standing(target, **joints)
    goal_at = np.tile(begins - [0, 0, 1.6], (FRAMES, 1))
    reached = asked.reach({name: goal_at}, shown)
    away = quat.multiply(reached.rotations[bones[0]], quat.conjugate(shown.rotations[:, bones[0]]))
    middle = begins + quat.rotate(away, np.array([0.0, 0, -1]))
    ahead = -0.6 if name.endswith("Foot") else 0.6
    assert middle == pytest.approx(np.tile(begins + np.array([0, ahead, -0.8]), (FRAMES, 1)), abs=1e-6)
    assert reached.missed[name] == pytest.approx(np.zeros(FRAMES), abs=1e-6)


def test_what_followers_rotate_by_is_known_before_it_is_asked_for() -> None:
    """Four numbers for each frame and follower."""
    setup = prepare(SOURCE, TARGET, rigs.SAME, Options(feet=False))
    deltas = deltas_of(setup, standing(SOURCE))
    assert deltas.shape == (FRAMES, len(rigs.NAMES), 4) and deltas[:, 3] == pytest.approx(np.tile(quat.IDENTITY, (FRAMES, 1)))


def test_feet_that_are_held_are_kept_from_goals_by_what_they_do_not_miss_anyway() -> None:
    """3 metres from its goal, of which it would miss one by itself; the other foot leaves its own for no hold."""
    binding = SimpleNamespace(roles={"leftFoot": 1}, followers=[None, SimpleNamespace(target=0)])
    shown = SimpleNamespace(positions=np.array([[[1.0, 0, 0]], [[1, 0, 0]]]))
    steps: Any = SimpleNamespace(
        _draft=SimpleNamespace(motion=lambda: shown),
        _ends={"leftFoot": np.array([[4.0, 0, 0], [1, 5, 0]]), "rightFoot": np.zeros((2, 3))},
        _goals=SimpleNamespace(leaving={"leftFoot"}),
        _binding=binding,
        _missed={"leftFoot": np.array([1.0, 2.0])},
        _kept={},
    )
    Retargeting._keep_from_goals(steps)
    assert {name: values.tolist() for name, values in steps._kept.items()} == {"leftFoot": [2, 3]}
