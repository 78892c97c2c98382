"""Stances of persons whose limbs are rotated by given angles: what is folded, upright, nearest to another pose, and level in the end."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.transfer.alignment import stance
from retro_anim.core.retarget.transfer.alignment.align import Goal
from retro_anim.core.retarget.transfer.binding import Binding

from .persons import NAMES, PERSON, Joints, about, bound, figure, moving, rotated, yawed

HERE = bound(figure(), figure())


def legs(degrees: float, side: str = "", joints: Joints = PERSON) -> Joints:
    """Rotated to the front and up, so far from straight down; about the middle of the hips."""
    middle = {**joints, "middle": (joints["leftUpperLeg"] + joints["rightUpperLeg"]) / 2}
    return rotated(about(0, -degrees), lambda name: name.startswith(side) and name.endswith(("Leg", "Foot", "Toes")), middle, "middle")


def arm(side: str, degrees: float, joints: Joints = PERSON) -> Joints:
    """Rotated to the front, and further to the other side, so far from straight out."""
    inwards = about(2, -degrees if side == "left" else degrees)
    return rotated(inwards, lambda name: name in (side + "LowerArm", side + "Hand"), joints, f"{side}UpperArm")


def folded(joints: Joints, without: Callable[[str], bool] = lambda name: False) -> bool:
    """As a source, and as a target."""
    both = [
        stance.is_folded(bound(figure(joints), figure(), without), "source"),
        stance.is_folded(bound(figure(), figure(joints), without), "target"),
    ]
    assert both[0] == both[1]
    return both[0]


@pytest.mark.parametrize(("degrees", "is_folded"), [(0, False), (90, False), (119, False), (121, True), (180, True), (-121, True)])
def test_legs_along_the_trunk_are_folded(degrees: float, is_folded: bool) -> None:
    """Less than 60 degrees from it; both of them."""
    assert folded(legs(degrees)) == is_folded
    for side in ("left", "right"):
        assert not folded(legs(degrees, side))
        assert not folded(legs(degrees), lambda name, side=side: name == f"{side}Foot")
    assert not folded(legs(degrees), lambda name: name in ("chest", "head"))
    assert folded(legs(degrees), lambda name: name == "head") == is_folded, "the trunk goes to the chest"


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(("degrees", "is_folded"), [(0, False), (90, False), (143, False), (144, True), (180, True), (217, False)])
def test_an_arm_through_the_body_is_folded(side: str, degrees: float, is_folded: bool) -> None:
    """By a cosine of 0.8, of 36.9 degrees from the line to the other shoulder."""
    assert folded(arm(side, degrees)) == is_folded
    for lost in ("leftHand", "rightHand", "leftUpperArm", "rightUpperArm"):
        assert not folded(arm(side, degrees), lost.__eq__)
    assert folded(arm(side, degrees), "hips".__eq__) == is_folded


def test_joints_are_those_of_each_figure() -> None:
    """Of a target with one bone more."""
    other = figure(yawed(90), below="root")
    binding = bound(figure(), other)
    assert stance.line(binding, "source", figure().heads, "hips", "leftToes") == pytest.approx([0.1, -0.15, -1])
    assert stance.line(binding, "target", other.heads, "hips", "leftToes") == pytest.approx([0.15, 0.1, -1])
    assert stance.nearest(bound(figure(), figure(arm("left", 40), below="root")), moving([PERSON, arm("left", 35)])) == 1


def test_lines_from_joint_to_joint() -> None:
    """Of one pose and of several; none without one of both joints."""
    frames = moving([PERSON, yawed(90)]).positions
    assert stance.line(HERE, "source", frames, "hips", "leftToes") == pytest.approx(np.array([[0.1, -0.15, -1], [0.15, 0.1, -1]]))
    assert stance.across(HERE, "target", frames[1], "UpperArm") == pytest.approx([0, 0.4, 0])
    assert stance.trunk(HERE, "source", frames[0]) == pytest.approx([0, 0, 0.6])
    without = bound(figure(), figure(), lambda name: name in ("head", "leftToes", "rightUpperArm"))
    assert stance.trunk(without, "source", frames[0]) == pytest.approx([0, 0, 0.4])
    assert (
        stance.line(without, "source", frames, "hips", "leftToes") is None and stance.across(without, "source", frames, "UpperArm") is None
    )
    assert np.array_equal(stance.heads(bound(figure(yawed(90)), figure()), "source"), frames[1])
    assert np.array_equal(stance.heads(bound(figure(yawed(90)), figure()), "target"), frames[0])


@pytest.mark.parametrize(("degrees", "is_upright"), [(0, True), (45, True), (46, False), (-46, False), (90, False), (180, False)])
def test_one_is_upright_whose_trunk_is_high(degrees: float, is_upright: bool) -> None:
    """By 0.7 of its length, the cosine of 45.6 degrees."""
    leaning = rotated(about(0, degrees))
    assert stance.upright(HERE, "source", moving([PERSON, leaning]).positions).tolist() == [True, is_upright]
    assert stance.stands(HERE, "target", moving([leaning]).positions[0]) == is_upright
    unknown = bound(figure(), figure(), "hips".__eq__)
    assert stance.upright(unknown, "source", moving([PERSON, leaning]).positions).tolist() == [True, True]
    without_length = {name: PERSON["hips"] if name in ("spine", "chest", "neck", "head") else joint for name, joint in PERSON.items()}
    assert stance.stands(HERE, "source", moving([without_length]).positions[0]), "a trunk without length shows nothing"


def test_the_lowest_frames() -> None:
    """A fifth, or another share."""
    heights = np.array([5.0, 0, 4, 1, 3, 2])
    assert np.flatnonzero(stance.lowest(heights)).tolist() == [1, 3]
    assert np.flatnonzero(stance.lowest(heights, 0.4)).tolist() == [1, 3, 5]
    assert stance.lowest(heights, 1.0).all()


def test_the_nearest_pose_is_the_same_wherever_it_looks() -> None:
    tilted = about(0, 70) @ about(1, 40) @ about(2, 130)
    for hidden in (arm("left", 5), legs(5, "left"), legs(8)):
        for at, joints in enumerate((rotated(tilted), yawed(200), PERSON)):
            frames = [hidden, arm("right", 9), legs(6, "right")]
            frames.insert(at, joints)
            assert stance.nearest(HERE, moving(frames)) == at


def test_the_nearest_pose_is_no_mirror_image() -> None:
    """Toes to the back, left and right changed: that is another body. Of two that are as near it is the first."""
    mirrored = {name: joint * (1, -1, 1) for name, joint in arm("left", 30).items()}
    posed = figure(arm("left", 30))
    assert stance.nearest(bound(figure(), posed), moving([mirrored, arm("left", 40), arm("left", 32)])) == 2
    assert stance.nearest(HERE, moving([arm("left", 20), yawed(10), yawed(30)])) == 1


def test_poses_in_one_plane_are_compared_as_well() -> None:
    """Without toes, which alone are in front of the others."""
    binding = bound(figure(), figure(), lambda name: name.endswith("Toes"))
    lowered = rotated(about(1, 30), ("leftLowerArm", "leftHand").__contains__, center="leftUpperArm")
    assert stance.nearest(binding, moving([lowered, PERSON])) == 1


@pytest.mark.parametrize("part", ["LowerLeg", "Foot", "Toes", "LowerArm", "Hand", "UpperArm", "UpperLeg"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_each_joint_counts_for_the_nearest_pose(part: str, side: str) -> None:
    """What is on it goes along, so that one link is another; without it nothing is."""
    name, moved = side + part, np.array([0.03, 0.04, 0.05])
    another = rotated(np.eye(3), joints={each: joint + moved * (each == name) for each, joint in PERSON.items()})
    assert stance.nearest(HERE, moving([another, PERSON])) == 1
    without = bound(figure(), figure(), name.__eq__)
    assert stance.nearest(without, moving([another, PERSON])) == 0


def test_without_anything_to_compare_the_first_frame_is_nearest() -> None:
    few = bound(figure(), figure(), lambda name: name not in ("leftHand", "rightFoot"))
    assert stance.nearest(few, moving([arm("left", 50), PERSON])) == 0


def around_x(*degrees: float) -> Floats:
    return quat.about(np.array([1.0, 0.0, 0.0]), np.radians(np.array(degrees)))


def level(degrees: float) -> Floats:
    """What is up, rotated about X."""
    return np.array([0.0, -np.sin(np.radians(degrees)), np.cos(np.radians(degrees))])


def lifted(name: str, heights: tuple[float, ...], *degrees: float) -> Motion:
    """One bone, at heights and rotated about X."""
    frames = [{**PERSON, name: PERSON[name] + (0, 0, height)} for height in heights]
    rotations = np.tile(quat.IDENTITY, (len(heights), len(NAMES), 1))
    rotations[:, NAMES.index(name)] = around_x(*degrees)
    return moving(frames, rotations)


def ends(binding: Binding, motion: Motion, name: str, posed: float = 50.0) -> Goal | None:
    """Of a bone that is rotated by `posed` degrees in the pose, of a source whose world is turned by 90 into the target's."""
    pose = lifted(name, (0.0,), posed)
    return stance.ends(binding, motion, pose, about(2, 90)).get(NAMES.index(name))


HEIGHTS = (0.3, 0.0, 0.4, 0.2, 0.1)


@pytest.mark.parametrize("side", ["left", "right"])
def test_soles_are_level_where_they_are_lowest(side: str) -> None:
    """In a fifth of the frames: of five in one, in which the toes are rotated by 30 degrees; in the pose by 20 more."""
    goal = ends(HERE, lifted(f"{side}Toes", HEIGHTS, 10, 30, 20, 60, 50), f"{side}Toes")
    assert goal is not None and goal.own == pytest.approx(np.array([[0, 0, 1]]))
    assert goal.wanted == pytest.approx(np.array([about(2, 90) @ level(20)]))
    without = bound(figure(), figure(), lambda name: name.endswith("Toes"))
    goal = ends(without, lifted(f"{side}Foot", HEIGHTS, 10, 30, 20, 60, 50), f"{side}Foot")
    assert goal is not None and goal.wanted == pytest.approx(np.array([about(2, 90) @ level(20)]))
    assert ends(HERE, lifted(f"{side}Foot", HEIGHTS, 10, 30, 20, 60, 50), f"{side}Foot") is None, "toes show where it points"


def test_a_head_is_level_in_the_mean_of_all_frames() -> None:
    goal = ends(HERE, lifted("head", HEIGHTS, 10, 20, 30, 40, 50), "head")
    assert goal is not None and goal.own == pytest.approx(np.array([[0, 0, 1]]))
    assert goal.wanted == pytest.approx(np.array([about(2, 90) @ level(20)]))


def test_nothing_is_level_of_one_who_lies_at_rest() -> None:
    lies = figure(rotated(about(0, 90)))
    for binding in (bound(lies, figure()), bound(figure(), lies)):
        for name in ("head", "leftToes", "rightToes"):
            assert ends(binding, lifted(name, HEIGHTS, 0, 0, 0, 0, 0), name) is None


@pytest.mark.parametrize("side", ["left", "right"])
def test_an_arm_that_ends_in_the_lower_arm_goes_straight_on(side: str) -> None:
    """As the upper one does at the target's rest; where the source's points: to the bone on it that is furthest away, or to its tail."""
    sign = 1 if side == "left" else -1
    name = f"{side}LowerArm"
    bent = {**PERSON, f"{side}Hand": PERSON[name] + (0, -0.3, 0.4)}
    target = figure({**PERSON, name: PERSON[f"{side}UpperArm"] + (sign * 0.3, 0, -0.4)})
    goal = ends(bound(figure(bent), target, lambda name: name.endswith("Hand")), moving([PERSON]), name)
    assert goal is not None and goal.own == pytest.approx(np.array([[sign * 0.6, 0, -0.8]]))
    assert goal.wanted == pytest.approx(np.array([[0.6, 0, 0.8]]))
    none = {**bent, f"{side}Hand": PERSON[name]}
    goal = ends(bound(figure(none), target, lambda name: name.endswith("Hand")), moving([PERSON]), name)
    assert goal is not None and goal.wanted == pytest.approx(np.array([[-1, 0, 0]])), "along its Y axis"
    assert ends(bound(figure(bent), target), moving([PERSON]), name) is None, "a hand shows it"
    assert ends(bound(figure(), figure(), lambda name: name.endswith(("Hand", "UpperArm"))), moving([PERSON]), name) is None
