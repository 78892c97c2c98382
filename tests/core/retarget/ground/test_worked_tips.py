"""By how much a boot tips back whose tip would be in the ground: of two points, 0.3 m before its ankle and 0.1 m behind, 0.1 m below it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Motion, Standing
from retro_anim.core.retarget.ground.depths import meshes
from retro_anim.core.retarget.ground.soles import Sole, Soles
from retro_anim.core.retarget.ground.tips import _needed, lifted
from retro_anim.core.retarget.ground.treads import tread

ANKLE = 0.1
REST = np.eye(4)[None].copy()
REST[0, 2, 3] = ANKLE
FIGURE = Figure(
    ("leftFoot",),
    np.array([-1], np.int32),
    REST,
    np.full(1, 0.05),
    sole_points=np.array([(0.0, -0.3, 0.0), (0.0, 0.1, 0.0)]),
    sole_weights=np.ones((2, 1)),
)


def tipped_back(rotations: Floats, height: float, figure: Figure = FIGURE, *, heels: bool = False) -> Floats:
    """(F,) degrees by which a foot tips back on an ankle at a height, in metres."""
    level = np.zeros(len(rotations))
    heads = np.tile([0.0, 0, height], (len(rotations), 1, 1))
    motion = Motion(np.arange(float(len(rotations))), rotations[:, None], heads, None, Standing.still(figure))
    sole = Sole(0, (), tread(figure, 0, 0), 0.0, level, level, level)
    result = lifted(Soles(figure, {"leftFoot": sole}, np.ones(len(rotations), bool)), motion, 0.02, 0.0, heels=heels)
    return np.degrees(quat.angle(quat.multiply(result.rotations[0], quat.conjugate(rotations))))


def test_a_boot_that_tips_on_beyond_its_ankle_does_not_jump() -> None:
    """Straight below the ankle, at 71.6 degrees, a tip would have to go all the way to the other side."""
    tips = np.arange(0.0, 120, 0.5)
    back = tipped_back(quat.about(np.array([1.0, 0, 0]), np.radians(tips)), 0.2)
    assert np.abs(np.diff(back)).max() < 2
    assert back.max() > 20  # less steep it is tipped back
    assert back[tips > 72].max() < 1e-6


LONG = replace(FIGURE, sole_points=np.array([(0.0, -0.35, 0.0), (0.0, 0.3, 0.0)]))
"""One whose heel reaches as far behind the ankle as the tip of the other one before it."""


def test_a_boot_that_comes_down_on_its_heel_is_flatter_until_that_is_on_the_ground() -> None:
    """Toes up by 30 degrees, on an ankle at 0.15 m: 0.3 m behind and 0.1 below as the tip of the other boot."""
    back = tipped_back(quat.about(np.array([1.0, 0, 0]), np.radians([-30.0, -5, 30])), 0.15, LONG, heels=True)
    rest = np.degrees(np.arcsin(0.15 / np.hypot(0.1, 0.3)) - np.arctan2(0.1, 0.3))
    assert back == pytest.approx([30 - rest, 0, 0], abs=1e-6)


def test_a_boot_on_its_heel_does_not_jump_beyond_its_ankle() -> None:
    tips = np.arange(0.0, 120, 0.5)
    back = tipped_back(quat.about(np.array([1.0, 0, 0]), np.radians(-tips)), 0.2, LONG, heels=True)
    assert np.abs(np.diff(back)).max() < 2
    assert back.max() > 20 and back[tips > 72].max() < 1e-6


def test_a_boot_whose_side_is_in_the_ground_does_not_tip_back_beyond_flat() -> None:
    """Rotated 30 degrees to its side, tipped by 5 and not at all."""
    points = np.array([(0, -0.3, 0), (-0.2, -0.1, 0), (0.2, -0.1, 0), (0, 0.1, 0)])
    boot = replace(FIGURE, sole_points=points, sole_weights=np.ones((4, 1)))
    tip, side = (quat.about(np.array(axis), np.radians(angle)) for axis, angle in (((1.0, 0, 0), 5), ((0, 1.0, 0), 30)))
    back = tipped_back(np.array([quat.multiply(tip, side), side]), ANKLE, boot)
    assert back == pytest.approx([5, 0], abs=1e-6)


def test_a_boot_tips_back_until_its_tip_is_on_the_ground() -> None:
    """Tipped by 30 degrees, on an ankle at 0.15 m: its tip would be in the ground. Where the body lies instead, and where the ground is not
    known, it stays as it is."""
    frames, tipped = np.arange(3.0), np.radians(30)
    rotations = np.tile(quat.about(np.array([1.0, 0, 0]), np.array(tipped)), (3, 1, 1))
    motion = Motion(frames, rotations, np.tile([0.0, 0, 0.15], (3, 1, 1)), None, Standing.still(FIGURE))
    least = np.array([0.0, 0.0, np.nan])
    sole = Sole(0, (), tread(FIGURE, 0, 0), 0.0, least, least, least)
    result = lifted(Soles(FIGURE, {"leftFoot": sole}, np.ones(3, bool)), motion, 0.02, np.array([0.0, 1.0, 1.0]))
    # -0.3 and -0.1 m, tipped by an angle, come to 0.15 m below the ankle: cos * 0.1 + sin * 0.3 = 0.15.
    rest = np.arcsin(0.15 / np.hypot(0.1, 0.3)) - np.arctan2(0.1, 0.3)
    assert quat.angle(result.rotations[0]) == pytest.approx([rest, tipped, tipped], abs=1e-9)
    assert result.added == pytest.approx([tipped - rest])


def test_a_tip_behind_the_joint_of_the_toes_is_one_as_well() -> None:
    """What is before the ankle is: 0.3 m, with toes that begin at 0.4 and carry nothing. Tipped by 30 degrees as above."""
    rest = np.tile(np.eye(4), (2, 1, 1))
    rest[:, :3, 3] = (0.0, 0, ANKLE), (0.0, -0.4, 0)
    weights = np.array([[1.0, 0], [1, 0]])
    boot = replace(
        FIGURE, names=("foot", "toes"), parents=np.array([-1, 0], np.int32), rest=rest, lengths=np.full(2, 0.05), sole_weights=weights
    )
    tipped, none = np.radians(30), np.zeros(1)
    rotations = np.tile(quat.about(np.array([1.0, 0, 0]), np.array([tipped])), (2, 1, 1)).swapaxes(0, 1)
    heads = np.array([[(0.0, 0, 0.15), (0.0, -0.4, 0)]])
    motion = Motion(none, rotations, heads, None, Standing.still(boot))
    sole = Sole(0, (), tread(boot, 0, 1), 0.0, none, none, none)
    result = lifted(Soles(boot, {"leftFoot": sole}, np.ones(1, bool)), motion, 0.02, 0.0)
    assert quat.angle(result.rotations[0]) == pytest.approx(np.arcsin(0.15 / np.hypot(0.1, 0.3)) - np.arctan2(0.1, 0.3), abs=1e-9)


@pytest.mark.parametrize(("heel", "height", "tips"), [(0.1, -0.04, True), (-0.05, -0.04, False), (-0.1, 0.04, True)])
def test_a_boot_whose_heel_is_before_its_ankle_does_not_tip_back(heel: float, height: float, tips: bool) -> None:
    """It would come further down; of one behind it, at the ground, half of it does, and so does one whose heel has to go over the ankle
    first."""
    arms = np.array([[(0, -0.3, -0.1), (0, heel, height)]])
    needed = _needed(np.array([True, False]), arms, np.array([[-1.0, 0, 0]]), np.array([-0.05]))
    assert bool(needed[0] > 0) == tips


@pytest.mark.parametrize("yaw", [0.0, 30.0, 90.0, 200.0])
def test_a_boot_tips_back_as_far_wherever_it_points(yaw: float) -> None:
    """From a tip 0.3 before and 0.1 below the ankle, beside its middle, to 0.05 below: half as far as that and its heel's way down."""
    arms, axis = np.array([(0.05, -0.3, -0.1), (-0.02, 0.1, -0.02)]), np.array([-1.0, 0, 0])
    about = quat.about(np.array([0.0, 0, 1]), np.array(np.radians(yaw)))
    needed = _needed(np.array([True, False]), quat.rotate(about, arms)[None], quat.rotate(about, axis)[None], np.array([-0.05]))
    size = np.hypot(0.3, 0.1)
    tip = np.arcsin(0.1 / size) - np.arcsin(0.05 / size)
    heel = np.arcsin(0.05 / np.hypot(0.1, 0.02)) - np.arcsin(0.02 / np.hypot(0.1, 0.02))
    assert needed == pytest.approx([min(tip, (tip + heel) / 2)], abs=1e-9)


def test_each_clip_shows_by_itself_whether_a_tip_is_seen_in_the_ground() -> None:
    """Tipped by 5 degrees on an ankle from which that puts the tip 0.01 m into it, which nobody sees, and then 0.03 m."""
    tipped = np.radians(5)
    rotations = np.tile(quat.about(np.array([1.0, 0, 0]), np.array(tipped)), (4, 1, 1))
    level = np.cos(tipped) * 0.1 + np.sin(tipped) * 0.3
    heads = np.zeros((4, 1, 3))
    heads[:, 0, 2] = level - np.array([0.01, 0.01, 0.03, 0.03])
    motion = Motion(np.arange(4.0), rotations, heads, None, Standing.still(FIGURE), (2, 2))
    none = np.zeros(4)
    sole = Sole(0, (), tread(FIGURE, 0, 0), 0.0, none, none, none)
    result = lifted(Soles(FIGURE, {"leftFoot": sole}, np.ones(4, bool)), motion, 0.02, 0.0)
    assert quat.angle(result.rotations[0])[:2] == pytest.approx([tipped] * 2, abs=1e-9)
    assert result.added[0] == 0 < result.added[1]


def test_a_boot_may_be_as_deep_as_the_source_s_foot() -> None:
    """Tipped by 30 degrees on an ankle 0.15 m high, its tip may be 0.02 m in the ground: 0.17 m below the ankle."""
    tipped, least = np.radians(30), np.full(1, -0.02)
    rotations = quat.about(np.array([1.0, 0, 0]), np.array([tipped]))
    motion = Motion(np.zeros(1), rotations[:, None], np.array([[[0.0, 0, 0.15]]]), None, Standing.still(FIGURE))
    sole = Sole(0, (), tread(FIGURE, 0, 0), 0.0, least, least, least)
    result = lifted(Soles(FIGURE, {"leftFoot": sole}, np.ones(1, bool)), motion, 0.02, 0.0)
    rest = np.arcsin(0.17 / np.hypot(0.1, 0.3)) - np.arctan2(0.1, 0.3)
    assert quat.angle(result.rotations[0]) == pytest.approx([rest], abs=1e-9)


@pytest.mark.parametrize("beside", [0.0, 0.1, -0.1])
def test_a_boot_on_its_side_tips_back_about_its_own_axis(beside: float) -> None:
    """Tipped by 30 degrees and rolled by 30 about the way it points: heights are cos 30 of what they were, and what is beside the ankle is
    lower or higher by half of that, which the ankle is higher for."""
    points = np.append(FIGURE.sole_points + np.array([beside, 0, 0]), [[0, -0.35, 0.3]], axis=0)  # its instep shows where it points
    boot = replace(FIGURE, sole_points=points, sole_weights=np.ones((3, 1)))
    tip, side = (quat.about(np.array(axis), np.array(np.radians(30))) for axis in ((1.0, 0, 0), (0, 1.0, 0)))
    rest = np.arcsin(0.15 / np.cos(np.radians(30)) / np.hypot(0.1, 0.3)) - np.arctan2(0.1, 0.3)
    back = tipped_back(quat.multiply(side, tip)[None], 0.15 + beside / 2, boot)
    assert back == pytest.approx([30 - np.degrees(rest)], abs=1e-6)


@pytest.mark.parametrize("leg", [0.5, 2.0])
@pytest.mark.parametrize(("away", "known"), [(0.0009, True), (0.0011, False)])
def test_the_mesh_of_a_source_is_known_where_it_stands_as_at_rest(leg: float, away: float, known: bool) -> None:
    """In its reference pose no joint of a foot is further from there than a thousandth of its leg: skin at rest shows nothing of others."""
    binding = SimpleNamespace(followers=[SimpleNamespace(source=0)], source=FIGURE, heads=FIGURE.heads + np.array([0, away * leg, 0]))
    source: Any = SimpleNamespace(binding=binding, leads=[0], legs=SimpleNamespace(source=leg))
    item: Any = SimpleNamespace(rows=(0, 0, 0, 0))
    (mesh,) = meshes(source, [item])
    assert (mesh is not None) == known


@pytest.mark.parametrize("lies", [0.0, 0.25, 0.5])
def test_the_more_a_body_lies_the_less_its_boots_tip_back(lies: float) -> None:
    """By so much of what would bring the tip out of the ground."""
    tipped = np.radians(30)
    rotations = quat.about(np.array([1.0, 0, 0]), np.array([tipped]))
    motion, none = Motion(np.zeros(1), rotations[:, None], np.array([[[0.0, 0, 0.15]]]), None, Standing.still(FIGURE)), np.zeros(1)
    sole = Sole(0, (), tread(FIGURE, 0, 0), 0.0, none, none, none)
    result = lifted(Soles(FIGURE, {"leftFoot": sole}, np.ones(1, bool)), motion, 0.02, np.array([lies]))
    whole = tipped - (np.arcsin(0.15 / np.hypot(0.1, 0.3)) - np.arctan2(0.1, 0.3))
    assert quat.angle(result.rotations[0]) == pytest.approx([tipped - (1 - lies) * whole], abs=1e-9)
