"""How far feet are off the ground, of persons whose feet are at given heights: legs of a metre in the source, of two in the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.ground import depths, feet, level
from retro_anim.core.retarget.ground.root import Legs
from retro_anim.core.retarget.ground.source import Source
from retro_anim.core.retarget.options import Floor

from ..transfer.persons import PERSON, Joints, bound, figure, moving

LEGS = Legs(1.0, 2.0, 0.0, True)
UP = np.array([0.0, 0.0, 1.0])


def raised(metres: float, joints: Joints = PERSON) -> Joints:
    return {name: joint + metres * UP for name, joint in joints.items()}


SOURCE, TARGET = raised(3.0), raised(5.0)
HERE = bound(figure(SOURCE), figure(TARGET))
"""Toes are 3 and 5 metres high at rest."""


def stepping(rest: Joints, left: Sequence[float], right: Sequence[float], counts: tuple[int, ...] = ()) -> Motion:
    """Toes at heights over those at rest."""
    frames = [
        {**rest, "leftToes": rest["leftToes"] + first * UP, "rightToes": rest["rightToes"] + second * UP}
        for first, second in zip(left, right, strict=True)
    ]
    return replace(moving(frames), counts=counts)


def limb(side: str, touching: Sequence[int]) -> feet.Limb:
    rows = [HERE.roles[side + part] for part in ("UpperLeg", "LowerLeg", "Foot", "Toes")]
    return feet.Limb(f"{side}Foot", (rows[0], rows[1], rows[2], rows[3]), np.array(touching) > 0)


def source_of(
    motion: Motion,
    limbs: Sequence[feet.Limb],
    above: Sequence[float | None],
    legs: Legs = LEGS,
    *,
    floor: Floor = "AUTO",
    lifts: Sequence[float] | None = None,
    grounded: Sequence[bool] | None = None,
    lowest: Sequence[float] | None = None,
    swap: bool = False,
) -> Source:
    """above: of each clip metres by which standing feet are above where they are at rest, as they are known. lowest: by which the lowest
    is, where none stands."""
    clips = len(above)
    low = np.full(clips, np.nan) if lowest is None else np.array(lowest)
    footing = feet.Footing(list(limbs), np.array(grounded or [True] * clips), list(above), low, np.zeros(clips))
    return Source(HERE, motion, 30.0, legs, 2.0, floor, np.array(lifts or [0.0] * clips), footing, swap)


STILL = [0.0] * 3
BOTH = [limb("left", [1, 1, 1]), limb("right", [1, 1, 1])]


def sunk(above: float | None, has: float, legs: Legs = LEGS, lift: float = 0.0, floor: Floor = "AUTO", grounded: bool = True) -> float:
    """Of one clip; has: metres by which the target's feet are above where they are at rest."""
    source = source_of(stepping(SOURCE, STILL, STILL), BOTH, [above], legs, floor=floor, lifts=[lift], grounded=[grounded])
    (result,) = level.sunk(source, stepping(TARGET, [has + 0.1, has, has + 0.2], [has + 0.3] * 3))
    return result


@pytest.mark.parametrize(
    ("above", "has", "off"),
    [(0.0, 0.4, 0.5), (0.1, 0.4, 0.3), (-0.1, 0.4, 0.5), (0.3, 0.0, -0.5), (0.0, -0.3, -0.2), (0.0, -0.061, 0.0), (0.0, -0.059, 0.041)],
)
def test_feet_float_by_what_they_are_above_the_source_s(above: float, has: float, off: float) -> None:
    """Of the lowest foot, in the middle of its frames, a tenth above the lowest; a source's metre is two. What is below the ground in the
    source is on it; less than two hundredths of a leg of two metres is nothing."""
    assert sunk(above, has) == pytest.approx(off, abs=1e-12)
    assert sunk(above, -0.1 - has) == pytest.approx(-has - 2 * max(above, 0) if abs(-has - 2 * max(above, 0)) > 0.04 else 0)


def test_a_source_whose_rest_pose_is_no_ground_is_none() -> None:
    """One whose clip is lifted, or that does not stand for sure: the target's own feet count."""
    assert sunk(0.1, 0.3) == pytest.approx(0.2)
    assert sunk(0.1, 0.3, lift=0.7) == pytest.approx(0.4)
    assert sunk(0.1, 0.3, replace(LEGS, sure=(False, True))) == pytest.approx(0.4)
    assert sunk(0.1, 0.3, replace(LEGS, sure=(True, False))) == pytest.approx(0.2)


@pytest.mark.parametrize(("above", "rise", "own"), [(0.3, 0.2, 0.1), (0.3, 0.7, 0.3), (0.3, 0.5, 0.0), (0.3, -0.2, 0.3)])
def test_a_source_stands_as_at_rest_or_as_the_target_would(above: float, rise: float, own: float) -> None:
    """Whichever is nearer to its ground."""
    assert sunk(above, 0.9, replace(LEGS, rise=rise)) == pytest.approx(1.0 - 2 * own)


@pytest.mark.parametrize(("above", "own"), [(-0.07, 0.0), (-0.09, -0.09), (-2.0, -2.0)])
def test_one_who_drowns_is_below_the_ground(above: float, own: float) -> None:
    """By more than 0.08 of its leg, where its object is on that ground."""
    assert sunk(above, 0.0, replace(LEGS, at_origin=True)) == pytest.approx(0.1 - 2 * own)
    assert sunk(above, 0.0, replace(LEGS, at_origin=True, source=0.5)) == pytest.approx(0.1 - 2 * above)
    assert sunk(above, 0.0) == pytest.approx(0.1)


@pytest.mark.parametrize(("deep", "allowed"), [(0.039, 0.0), (0.041, -0.164)])
def test_the_ground_is_where_a_foot_of_the_source_stands_if_that_is_near(deep: float, allowed: float) -> None:
    """In one frame, below where it is at rest: by 0.08 of a leg of half a metre at most. A metre of it is four of the target."""
    source = source_of(stepping(SOURCE, STILL, STILL), BOTH, [0.0], replace(LEGS, source=0.5))
    above = depths.allowed(np.array([0.3, -deep, 0.3]), np.array([False, True, False]), source)
    assert above[1] == pytest.approx(allowed, abs=1e-12)


def test_the_ground_of_rest_poses_is_left_alone() -> None:
    assert sunk(0.0, 0.4, floor="REST") == 0 and sunk(0.0, 0.4, replace(LEGS, stands=(True, False))) == 0
    assert sunk(0.0, 0.4, replace(LEGS, stands=(False, True))) == pytest.approx(0.5)


def test_of_the_lowest_contact_the_lowest_foot_counts() -> None:
    """Of three frames nearly the lowest: two hundredths of the way from it to the next, which is a tenth higher."""
    assert sunk(0.7, 0.4, floor="CONTACT") == pytest.approx(0.4 + 0.1 * 0.04)
    assert sunk(None, -0.4, floor="CONTACT") == pytest.approx(-0.4 + 0.1 * 0.04)


@pytest.mark.parametrize(
    ("sure", "grounded", "has", "off"),
    [
        ((True, True), True, 0.4, 0.25),
        ((True, False), True, 0.4, 0.0),
        ((False, True), True, 0.4, 0.404),
        ((False, True), False, 0.4, 0.0),
        ((False, True), True, 0.69, 0.694),
        ((False, True), True, 0.7, 0.0),
        ((False, True), True, -0.7, -0.696),
        ((False, False), True, 0.4, 0.404),
    ],
)
def test_clips_in_which_no_foot_shows_the_ground(sure: tuple[bool, bool], grounded: bool, has: float, off: float) -> None:
    """Where both figures stand for sure they are off as they are aligned; a source that does not is on the ground with its lowest foot, if
    that is near, by 0.35 of the target's leg."""
    assert sunk(None, has, replace(LEGS, sure=sure, aligned=0.25), grounded=grounded) == pytest.approx(off)


def test_clips_of_both_kinds() -> None:
    """In the first a foot stands, in the second none does, in the third none is over the ground."""
    motion = stepping(TARGET, [0.3, 0.3, 0.5, 0.5, 0.6], [1.0] * 5, (2, 2, 1))
    limbs = [limb("left", [1, 1, 0, 0, 0])]
    unsure = replace(LEGS, sure=(False, True))
    for legs, wanted in ((replace(LEGS, aligned=0.2), [0.3, 0.2, 0.2]), (unsure, [0.3, 0.5, 0.0])):
        source = source_of(stepping(SOURCE, [0.0] * 5, [0.0] * 5, (2, 2, 1)), limbs, [0.0, None, None], legs, grounded=[True, True, False])
        assert level.sunk(source, motion) == pytest.approx(wanted)
    never = source_of(stepping(SOURCE, [0.0] * 5, [0.0] * 5, (2, 2, 1)), limbs, [0.0, None, 0.1], unsure, grounded=[True, False, True])
    assert level.sunk(never, motion) == pytest.approx([0.3, 0.0, 0.6]), "of no foot of the target's nothing is known"


NONE = float("nan")


def test_how_high_the_source_s_feet_stand() -> None:
    """In legs of twice the length; over its ground, which is a fifth of a metre higher than at rest. The left foot's second stand is too
    high: its middle is more than 0.08 legs above the lowest foot."""
    left, right = [0.20, 0.22, 0.6, 0.29, 0.27, 0.29], [0.7, 0.2, 0.2, 0.2, 0.7, 0.25]
    limbs = [limb("left", [1, 1, 0, 1, 1, 1]), limb("right", [0, 1, 1, 1, 0, 1])]
    motion = stepping(SOURCE, left, right)
    first = source_of(motion, limbs, [0.0], lifts=[0.2])
    wanted = {"leftFoot": [0.0, 0.04, NONE, NONE, NONE, NONE], "rightFoot": [NONE, 0, 0, 0, NONE, 0.1]}
    assert level.heights(first, np.ones(1, bool)) == {name: pytest.approx(values, nan_ok=True) for name, values in wanted.items()}
    assert np.isnan(np.array([*level.heights(first, np.zeros(1, bool)).values()])).all()
    hands = source_of(motion, [*limbs, replace(limbs[0], name="leftHand")], [0.0], lifts=[0.2])
    assert set(level.heights(hands, np.ones(1, bool))) == {"leftFoot", "rightFoot"}
    assert level.heights(source_of(motion, limbs, [0.0], replace(LEGS, stands=(True, False))), np.ones(1, bool)) == {}
    floor = level.heights(source_of(motion, limbs, [0.0], replace(LEGS, stands=(False, True), source_floor=2.9)), np.ones(1, bool))
    assert floor["rightFoot"] == pytest.approx([NONE, 0.6, 0.6, 0.6, NONE, 0.7], nan_ok=True)


def test_heights_are_in_proportion_to_the_legs() -> None:
    """Of half a metre in the source: four times as high in the target, and no more than 0.04 above the lowest foot."""
    motion = stepping(SOURCE, [0.0, 0.0, 0.039, 0.03, 0.5, 0.041], [0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
    source = source_of(motion, [limb("left", [1, 1, 1, 1, 0, 1])], [0.0], replace(LEGS, source=0.5))
    assert level.heights(source, np.ones(1, bool))["leftFoot"] == pytest.approx([0.0, 0.0, 0.156, 0.12, NONE, NONE], nan_ok=True)


def test_heights_of_each_clip_are_over_its_own_ground() -> None:
    """The second's is half a metre higher, and only clips that are over the ground count; mirrored, the right foot shows the left one's."""
    left, right = [0.0, 0.1, 0.5, 0.55, 0.0], [0.05, 0.05, 0.6, 0.6, 0.1]
    limbs = [limb("left", [1, 0, 1, 1, 1]), limb("right", [1, 1, 0, 0, 1])]
    motion = stepping(SOURCE, left, right, (2, 2, 1))
    source = source_of(motion, limbs, [0.0] * 3, lifts=[0.0, 0.5, 0.0])
    result = level.heights(source, np.array([True, True, False]))
    assert result["leftFoot"] == pytest.approx([0.0, NONE, 0.0, 0.1, NONE], nan_ok=True)
    assert result["rightFoot"] == pytest.approx([0.1, 0.1, NONE, NONE, NONE], nan_ok=True)
    swapped = level.heights(source_of(motion, limbs, [0.0] * 3, lifts=[0.0, 0.5, 0.0], swap=True), np.array([True, True, False]))
    assert swapped["leftFoot"] == pytest.approx([0.1, 0.1, NONE, NONE, NONE], nan_ok=True)
    assert swapped["rightFoot"] == pytest.approx([0.0, NONE, 0.0, 0.1, NONE], nan_ok=True)


def test_feet_should_be_between_the_ground_and_as_far_from_it_as_the_source_s() -> None:
    """Above it or below it; who lies may be deeper."""
    heights, goals = [0.3, 0.1, -0.1, -0.3, 0.1, -0.1], [0.2, 0.2, 0.2, -0.2, -0.2, NONE]
    target = stepping(TARGET, heights, [1.0] * 6)
    wanted: dict[str, Floats] = {"leftFoot": np.array(goals)}
    result = level.off_ground(HERE, [*BOTH, replace(BOTH[0], name="other")], wanted, target, None)
    assert result == {"leftFoot": pytest.approx([0.1, 0, -0.1, -0.1, 0.1, 0.0])}
    deeper = level.off_ground(HERE, BOTH, wanted, target, np.array([0.0, 0, 0.04, 0.25, 0.4, 0.4]))
    assert deeper["leftFoot"] == pytest.approx([0.1, 0, -0.06, -0.05, 0.1, 0])
    assert level.off_ground(HERE, BOTH, {}, target, None) == {}
    higher = bound(figure(SOURCE), figure({**TARGET, "leftToes": TARGET["leftToes"] + 0.5 * UP}))
    both = level.off_ground(higher, BOTH, {"leftFoot": np.zeros(6), "rightFoot": np.zeros(6)}, target, None)
    assert both["leftFoot"] == pytest.approx(heights), "over the lower one's ground"


@pytest.mark.parametrize("has", [0.5, 0.1, -0.1])
def test_the_lowest_foot_of_a_clip_in_which_none_stands(has: float) -> None:
    """A metre of the source is two: 0.1 are 0.2."""
    motion = stepping(TARGET, [has, 1.0, has, 1.0], [1.0] * 4, (2, 2))
    source = source_of(stepping(SOURCE, [0.0] * 4, [0.0] * 4, (2, 2)), [limb("left", [0] * 4)], [None] * 2, lowest=[0.1, NONE])
    low = has + 0.02 * (1 - has)
    assert level.lowest_off(source, motion, None) == pytest.approx([low - min(max(low, 0.0), 0.2), 0.0])
    deep = source_of(stepping(SOURCE, [0.0] * 4, [0.0] * 4, (2, 2)), [limb("left", [0] * 4)], [None] * 2, lowest=[NONE, -0.1])
    second = level.lowest_off(deep, stepping(TARGET, [1.0, 1.0, has, has], [1.0] * 4, (2, 2)), None)
    assert second == pytest.approx([0.0, has - min(max(has, -0.2), 0.0)])
    lying = level.lowest_off(source, stepping(TARGET, [-0.3] * 4, [1.0] * 4, (2, 2)), np.array([0.0, 0.1, 0.9, 0.9]))
    assert lying == pytest.approx([-0.2, 0.0]), "who lies may be deeper by 0.1"


def test_the_lowest_foot_shows_nothing_of_figures_that_do_not_stand() -> None:
    motion, source = stepping(TARGET, [0.5] * 2, [1.0] * 2), stepping(SOURCE, STILL[:2], STILL[:2])
    for sure in ((True, False), (False, True)):
        unsure = source_of(source, [limb("left", [0, 0])], [None], replace(LEGS, sure=sure), lowest=[0.0])
        assert level.lowest_off(unsure, motion, None).tolist() == [0.0]
    assert level.lowest_off(source_of(source, [limb("left", [0, 0])], [None], lowest=[0.0]), motion, None) == pytest.approx([0.5])
    assert level.lowest_off(source_of(source, [limb("left", [0, 0])], [None]), motion, None).tolist() == [0.0]


def test_feet_of_one_who_lies_that_stand_above_the_ground() -> None:
    """The one that is furthest above, in a clip that is not over the ground but comes down to it; what is below is no matter."""
    motion = stepping(SOURCE, [0.0] * 8, [0.0] * 8, (4, 4))
    limbs = [limb("left", [1] * 8), limb("right", [1] * 8)]
    target = stepping(TARGET, [0.2] * 4 + [0.3] * 4, [0.4] * 4 + [-0.5] * 4, (4, 4))
    source = source_of(motion, limbs, [None] * 2, grounded=[False, False], lowest=[0.0, 0.0])
    assert level.lying_above(source, target) == [("rightFoot", pytest.approx(0.4)), ("leftFoot", pytest.approx(0.3))]
    second = source_of(motion, limbs, [None] * 2, grounded=[True, False], lowest=[0.0, 0.0])
    assert level.lying_above(second, target) == [("", 0.0), ("leftFoot", pytest.approx(0.3))]
    high = source_of(motion, limbs, [None] * 2, grounded=[False, False], lowest=[0.0, NONE])
    assert level.lying_above(high, target) == [("rightFoot", pytest.approx(0.4)), ("", 0.0)]
    for sure in ((True, False), (False, True)):
        unsure = source_of(motion, limbs, [None] * 2, replace(LEGS, sure=sure), grounded=[False, False], lowest=[0.0, 0.0])
        assert level.lying_above(unsure, target) == [("", 0.0), ("", 0.0)]
    below = stepping(TARGET, [-0.2] * 8, [0.0] * 8, (4, 4))
    assert level.lying_above(source, below) == [("", 0.0), ("", 0.0)]


def test_the_worst_foot_of_each_clip() -> None:
    limbs = [limb("left", [1, 1, 1, 0, 1, 1, 1, 0]), limb("right", [1, 1, 1, 1, 0, 0, 0, 0])]
    away = {"leftFoot": np.array([0.1] * 4 + [-0.3] * 4), "rightFoot": np.array([-0.2] * 4 + [9.0] * 4)}
    assert level.worst(limbs, away, Spans((4, 4))) == [("rightFoot", -0.2), ("leftFoot", -0.3)]
    assert level.worst(limbs, {"leftFoot": away["leftFoot"]}, Spans((4, 4))) == [("leftFoot", 0.1), ("leftFoot", -0.3)]
    assert level.worst([], away, Spans((4, 4))) == [("", 0.0), ("", 0.0)]


@pytest.mark.parametrize(
    ("floor", "is_known", "sure", "elsewhere", "named"),
    [
        ("AUTO", True, (True, True), 0.0, []),
        ("AUTO", True, (True, True), 0.4, ["0.40 leg lengths above the ground"]),
        ("AUTO", True, (True, True), -0.4, ["0.40 leg lengths below the ground"]),
        ("CONTACT", False, (False, True), 0.4, []),
        ("REST", False, (False, False), 0.4, []),
        ("AUTO", False, (False, True), 0.0, ["where the source's ground is"]),
        ("AUTO", True, (False, True), 0.0, []),
        ("AUTO", False, (True, True), 0.0, []),
        ("AUTO", True, (True, False), 0.0, ["where the target's ground is"]),
        ("CONTACT", True, (True, False), 0.0, ["where the target's ground is"]),
        ("AUTO", False, (False, False), 0.4, ["above", "the source's ground", "the target's ground"]),
    ],
)
def test_what_is_said_of_a_ground_that_is_not_certain(
    floor: Floor, is_known: bool, sure: tuple[bool, bool], elsewhere: float, named: list[str]
) -> None:
    lines = level.doubts(replace(LEGS, sure=sure), floor, is_known, elsewhere)
    assert len(lines) == len(named) and all(part in line for part, line in zip(named, lines, strict=True))
