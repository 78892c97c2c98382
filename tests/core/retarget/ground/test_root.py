"""Where hips go, worked out by hand: scaled paths, lifts onto the ground, what carries the figure, and who stands on both feet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Pair
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.ground import root
from retro_anim.core.retarget.options import Floor
from retro_anim.core.retarget.transfer.binding import Binding, bind

from .. import rigs

BODY, TWICE = rigs.humanoid(), rigs.humanoid(scale=2.0)
AT, UP = BODY.index, np.array([0.0, 0, 1])
LEG = np.hypot(0.02, 0.42) + np.hypot(0.03, 0.41)
TOES = 0.97 - 0.05 - 0.42 - 0.41 - 0.07
"""Their height."""


def bound(heads: Floats = BODY.heads, bone_map: BoneMap = rigs.SAME, target: Figure = TWICE) -> Binding:
    return bind(bone_map, BODY, target, heads)


def posed(positions: Floats) -> Motion:
    """positions: (F, B, 3)."""
    count = len(positions)
    return Motion(np.arange(float(count)), np.tile(BODY.quaternions, (count, 1, 1)), positions, None, rest_motion(BODY).standing)


def test_paths_are_scaled_over_the_ground_and_in_height() -> None:
    """Away from where the source is in its reference pose, into the target's world; of the bones above which nothing is followed."""
    binding, frame = bound(), rigs.yawed(np.pi / 2)[:3, :3]
    moved = np.array([[0.0, 0, 0], [1, 2, 3]])
    motion = posed(BODY.heads + 5.0 + moved[:, None])
    at = root.positions(binding, motion, frame, (0.5, 2.0), np.array([0.0, 0.25]), BODY.heads + 5.0)
    assert at.keys() == {AT["hips"]}
    assert at[AT["hips"]] == pytest.approx(TWICE.heads[0] + np.array([[0, 0, 0], [-0.5 * 2, 0.5 * 1, 2 * 2.75]]))
    two = BoneMap((Pair("hips", "hips"), Pair("spine", "spine", role="hips"), Pair("head", "head"), Pair("chest", "chest", role="root")))
    assert root.positions(bound(bone_map=two), motion, frame, (1.0, 1.0), 0.0, BODY.heads).keys() == {AT["hips"], AT["spine"], AT["chest"]}


def lowered(metres: float, count: int = 4) -> Motion:
    return posed(np.tile(BODY.heads - metres * UP, (count, 1, 1)))


STANDING = root.Legs(1.0, 2.0, TOES, True)
ELSEWHERE = replace(STANDING, stands=(False, True))


@pytest.mark.parametrize(
    ("down", "legs", "floor", "standing", "lift"),
    [
        (0.2, STANDING, "REST", None, 0.0),
        (0.2, STANDING, "CONTACT", None, -0.2),
        (0.34, STANDING, "AUTO", None, 0.0),
        (0.36, STANDING, "AUTO", None, -TOES),  # the world's ground is near
        (0.36, STANDING, "AUTO", 0.34, 0.0),
        (0.2, STANDING, "AUTO", -0.4, -0.4),
        (0.34 + TOES, ELSEWHERE, "AUTO", None, -TOES),
        (0.36 + TOES, ELSEWHERE, "AUTO", None, -0.36 - TOES),
        (0.36 + TOES, replace(ELSEWHERE, source=2.0), "AUTO", None, -TOES),
        (0.1, ELSEWHERE, "AUTO", 0.3, 0.3),
        (0.1, replace(ELSEWHERE, source_floor=TOES - 0.5), "AUTO", 0.3, 0.8),
        (3.0, replace(STANDING, at_origin=True), "AUTO", 0.5, 0.0),
    ],
)
def test_how_far_a_motion_is_above_its_reference_pose(
    down: float, legs: root.Legs, floor: Floor, standing: float | None, lift: float
) -> None:
    """Ground within 0.35 leg lengths of where it is at rest is that; else it is where feet stand, the world's, or the lowest foot."""
    assert root.lift_of(bound(), lowered(down), legs, floor, standing) == pytest.approx(lift)
    trunk = BoneMap(tuple(pair for pair in rigs.SAME.pairs if not pair.source.endswith(("Foot", "Toes"))))
    assert root.lift_of(bound(bone_map=trunk), lowered(down), legs, floor, standing) == 0


def test_the_ground_is_where_all_but_a_fiftieth_of_the_frames_are() -> None:
    motion = lowered(0.0, 101)
    motion.positions[:2, :, 2] -= 9.0
    assert root.lift_of(bound(), motion, STANDING, "CONTACT") == pytest.approx(0.0)
    motion.positions[:4, AT["leftToes"], 2] -= 9.0
    assert root.lift_of(bound(), motion, STANDING, "CONTACT") == pytest.approx(-9.0)


def test_what_carries_a_figure_goes_with_its_hips() -> None:
    """Over the ground, around where it stood; its height stays."""
    path = TWICE.heads[0] + np.array([[0.0, 0, 0], [1, 2, 5]])
    start = np.array([0.0, 0.5, 0.3])
    standing = root.ground_path(bound(), {AT["hips"]: path}, np.array([0.0, np.pi / 2]), start)
    assert standing.positions[0] == pytest.approx(start)
    # From there the hips are 0.5 before it: a quarter later 0.5 along X.
    assert standing.positions[1] == pytest.approx([1 - 0.5, 2.0, 0.3])
    assert quat.rotate(standing.rotations[1], np.array([0.0, -1, 0])) == pytest.approx([1, 0, 0]) and standing.scale == 1


def test_headings_have_no_jumps() -> None:
    """Of one who spins, and leans in addition, to the front and to the side."""
    angles = np.linspace(0, 4 * np.pi, 60)
    lean = quat.multiply(quat.about(np.array([1.0, 0, 0]), np.array(0.3)), quat.about(np.array([0, 1.0, 0]), np.array(0.2)))
    headings = root.heading(quat.multiply(quat.about(UP, angles), lean))
    assert headings == pytest.approx(angles)


def feet(apart: tuple[float, float, float]) -> Floats:
    """The source's reference pose, whose left foot and toes are elsewhere."""
    heads = np.array(BODY.heads)
    heads[[AT["leftFoot"], AT["leftToes"]]] += np.multiply(apart, LEG)
    return heads


@pytest.mark.parametrize(
    ("apart", "sure"),
    [
        ((0.0, 0.0, 0.039), True),
        ((0.0, 0.0, 0.041), False),
        ((0.0, 0.0, -0.041), False),
        ((0.0, -0.31, 0.0), True),
        ((0.0, -0.33, 0.0), False),
        ((0.0, 0.33, 0.0), False),
        ((0.9, 0.0, 0.0), True),
    ],
)
def test_who_stands_on_both_feet(apart: tuple[float, float, float], sure: bool) -> None:
    """Neither of them is 0.04 leg lengths higher, nor 0.3 before the other, though that leg is 0.1 longer; they may be any way
    to the side."""
    legs = root.legs(bound(feet(apart)))
    assert legs.sure == (sure, True)
    assert legs.source == pytest.approx(root.legs(bound(feet(apart))).source)
    back = root.legs(bind(rigs.SAME, TWICE, replace(BODY, rest=_rest(feet(apart))), TWICE.heads))
    assert back.sure == (True, sure)


def _rest(heads: Floats) -> Floats:
    rest = np.array(BODY.rest)
    rest[:, :3, 3] = heads
    return rest


@pytest.mark.parametrize(
    ("height", "origin"), [(0.0, True), (0.09 * LEG - TOES + 0.001, False), (0.089 * LEG - TOES, True), (-0.1 * LEG - TOES - 0.001, False)]
)
def test_whose_toes_are_near_its_origin_has_heights_over_the_ground(height: float, origin: bool) -> None:
    """From a tenth of the leg below it up to 0.09 above."""
    assert root.legs(bound(BODY.heads + height * UP)).at_origin == origin


@pytest.mark.parametrize("toes", [True, False])
def test_soles_are_below_the_lowest_joint_of_the_feet(toes: bool) -> None:
    """Of toes, or ankles where there are none; each its own, where both stand; deeper than their origin is not at all."""
    bone_map = rigs.SAME if toes else BoneMap(tuple(pair for pair in rigs.SAME.pairs if not pair.source.endswith("Toes")))
    binding, height = bound(bone_map=bone_map), TOES if toes else TOES + 0.07
    legs = root.legs(binding)
    assert root.soles(binding, legs, 2.0) == pytest.approx((height, 2 * height))
    deep = bound(BODY.heads - (height + 0.01) * UP, bone_map)
    assert root.soles(deep, root.legs(deep), 2.0) == pytest.approx((0, 2 * height))
    assert root.soles(binding, replace(legs, sure=(False, True)), 4.0) == pytest.approx((2 * height / 4, 2 * height))
    arms = BoneMap(tuple(pair for pair in rigs.SAME.pairs if "Arm" in pair.source))
    assert root.soles(bound(bone_map=arms), legs, 2.0) == (0, 0)


def test_how_long_legs_are() -> None:
    """Thigh and shin, the mean of both sides; without feet twice the thigh."""
    heads = np.array(BODY.heads)
    heads[AT["leftFoot"]] = heads[AT["leftLowerLeg"]] + [0, 0, -0.5]
    legs = root.legs(bound(heads))
    assert (legs.source, legs.target) == pytest.approx(((LEG + np.hypot(0.02, 0.42) + 0.5) / 2, 2 * LEG)) and legs.known
    shins = BoneMap(tuple(pair for pair in rigs.SAME.pairs if not pair.source.endswith(("Foot", "Toes"))))
    short = root.legs(bound(bone_map=shins))
    assert (short.source, short.target, short.known) == (
        pytest.approx(2 * np.hypot(0.02, 0.42)),
        pytest.approx(4 * np.hypot(0.02, 0.42)),
        False,
    )
    one = BoneMap(tuple(pair for pair in rigs.SAME.pairs if not pair.source.startswith("left")))
    assert root.legs(bound(bone_map=one)).source == pytest.approx(LEG)


@pytest.mark.parametrize(("high", "stands"), [(0.51, True), (0.49, False)])
def test_who_stands_has_the_hips_half_a_leg_above_the_feet(high: float, stands: bool) -> None:
    """As one who squats has not."""
    heads = np.array(BODY.heads)
    for name in ("leftToes", "rightToes", "leftFoot", "rightFoot"):
        heads[AT[name], 2] = BODY.heads[0, 2] - high
    scaled = root.legs(bound(heads))
    heads = np.array(BODY.heads)
    for name in ("leftToes", "rightToes", "leftFoot", "rightFoot"):
        heads[AT[name], 2] = BODY.heads[0, 2] - high * scaled.source
    legs = root.legs(bound(heads))
    assert legs.stands[0] == (high * scaled.source > 0.5 * legs.source)
    assert legs.stands[1]
