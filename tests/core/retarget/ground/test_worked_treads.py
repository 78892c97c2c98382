"""Points of boots by numbers: which of them a foot carries, how low they come, and whether they are a level sole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Motion, Standing
from retro_anim.core.retarget.ground.treads import Tread, tread

from .. import rigs

FOOT, TOES, TIP, OTHER = range(4)
REST = np.tile(np.eye(4), (4, 1, 1))
REST[:, :3, :3] = rigs.random_rotations(7, 4)
REST[:, :3, 3] = (0.1, 0, 0.1), (0.1, -0.2, 0.05), (0.1, -0.3, 0.0), (0.1, 0.0, 0.5)
POINTS = np.array([[0.1, -0.1, 0.0], [0.1, -0.3, 0.0], [0.2, 0.0, 0.3], [0.3, 0.0, 0.2], [0.1, -0.4, 0.0]])
WEIGHTS = np.array([[1.0, 0, 0, 0], [0.5, 0.25, 0.25, 0], [0.3, 0, 0, 0.7], [0.5, 0, 0, 0.5], [0.2, 0.4, 0, 0.4]])
BOOT = Figure(
    ("foot", "toes", "tip", "other"),
    np.array([-1, 0, 1, -1], np.int32),
    REST,
    np.full(4, 0.1),
    sole_points=POINTS,
    sole_weights=WEIGHTS,
)


def test_a_foot_carries_what_it_and_all_on_it_hold_by_more_than_half() -> None:
    """As much with its toes as these and what is on them hold of that: of weights of 0.2 and 0.4 two thirds."""
    world = np.diag([2.0, 2, 2, 1])
    world[:3, 3] = 1, 2, 3
    own = tread(replace(BOOT, world=world), FOOT, TOES)
    assert own is not None and own.bones == (FOOT, TOES)
    assert own.points == pytest.approx(2 * POINTS[[0, 1, 4]] + (1, 2, 3)) and own.toes == pytest.approx([0, 0.5, 2 / 3])
    rigid = tread(BOOT, FOOT, FOOT)
    assert rigid is not None and (rigid.bones, rigid.toes.tolist()) == ((FOOT, FOOT), [0, 0, 0])
    other = tread(BOOT, OTHER, OTHER)
    assert other is not None and other.points.tolist() == POINTS[[2]].tolist()
    assert tread(BOOT, TIP, TIP) is None, "which holds a quarter of a point"
    assert tread(replace(BOOT, sole_points=np.zeros((0, 3)), sole_weights=np.zeros((0, 0))), FOOT, TOES) is None


def test_the_lowest_of_the_points_a_foot_carries() -> None:
    """Of one 0.1 before and 0.1 below its joint and one 0.3 before it, half of which goes with toes that stay level, 0.05 below theirs.
    With the angle of a triangle of 3, 4 and 5 they are 0.14 and 0.26 below the foot's joint; tipped up 0.02 below and 0.1 above it."""
    angles, high = [np.arcsin(0.6), -np.arcsin(0.6), -np.arcsin(0.6)], [0.2, 0.2, 0.5]
    rotations, positions = np.tile(BOOT.quaternions, (3, 1, 1)), np.tile(BOOT.heads, (3, 1, 1))
    rotations[:, FOOT] = quat.multiply(quat.about(np.array([1.0, 0, 0]), np.array(angles)), BOOT.quaternions[FOOT])
    positions[:, FOOT, 2], positions[:, TOES, 2] = 0.3, high
    motion = Motion(np.arange(3.0), rotations, positions, None, Standing.still(BOOT))
    own = Tread(POINTS[:2], (FOOT, TOES), np.array([0.0, 0.5]))
    assert own.lowest(BOOT, motion) == pytest.approx([(0.04 + 0.15) / 2, (0.4 + 0.15) / 2, 0.28])
    assert replace(own, toes=np.zeros(2)).lowest(BOOT, motion) == pytest.approx([0.04, 0.28, 0.28])


def boot(along: list[float], heights: list[float]) -> Tread:
    """Points along a line in a direction of 3 to 4, far away from the origin."""
    flat: Floats = np.array(along)[:, None] * [0.6, 0.8] + [5.0, -7.0]
    return Tread(np.column_stack([flat, np.array(heights) + 0.7]), (FOOT, FOOT), np.zeros(len(along)))


@pytest.mark.parametrize(
    ("along", "near", "level"),
    [
        ([0.0, 0.1, 0.2, 0.3], 0.02, False),  # 0.1 of 0.3 is near the ground
        ([0.0, 0.16, 0.2, 0.3], 0.02, True),
        ([0.0, 0.14, 0.2, 0.3], 0.02, False),
        ([0.0, 0.1, 0.2, 0.3], 0.045, True),
        ([0.0, 0.16, 0.1, 0.3], 0.009, False),
        ([0.3, 0.14, 0.2, 0.0], 0.02, True),
    ],
)
def test_a_sole_is_level_where_half_of_its_length_is_on_the_ground(along: list[float], near: float, level: bool) -> None:
    """Of points that are 0, 0.01, 0.04 and 0.05 higher than the lowest."""
    assert boot(along, [0.0, 0.01, 0.04, 0.05]).is_level(near) is level


@pytest.mark.parametrize(("reaching", "level"), [(0.16, True), (0.14, False)])
def test_the_length_of_a_broad_sole_is_where_it_is_longest(reaching: float, level: bool) -> None:
    """0.2 wide and 0.3 long, of which so much is on the ground, wherever it is."""
    along, aside = np.repeat([0.0, reaching, 0.3], 2), np.tile([-0.1, 0.1], 3)
    flat = along[:, None] * [0.6, 0.8] + aside[:, None] * [-0.8, 0.6] + [5.0, -7.0]
    points = np.column_stack([flat, np.repeat([0.0, 0.0, 0.1], 2)])
    assert Tread(points, (FOOT, FOOT), np.zeros(6)).is_level(0.05) is level
