"""Legs of two bones of length 1 from (0, 0, 2) down, whose knees bend towards -Y: where a knee is, is seen by the sign of its Y."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.transfer.limbs import two_bone_ik

START = np.array([0.0, 0.0, 2.0])
FORWARD = np.cross([0.0, -1.0, -1.0], [0.0, 0.0, -2.0])
"""The axis about which they bend."""


def knees(degrees: Floats, about: Floats, span: float) -> tuple[Floats, Floats]:
    """(F, 3) knees before and behind. degrees: (F,) by which they are bent away from straight, backwards if negative. about: (3,) the unit
    direction to which they bend otherwise. span: metres from the hip to where the foot goes, straight below it."""
    half = np.radians(degrees) / 2
    middle = START + np.stack([np.sin(half) * about[0], np.sin(half) * about[1], -np.cos(half)], axis=1)
    end = np.stack([np.zeros_like(half), np.zeros_like(half), 2 - 2 * np.cos(half)], axis=1)
    start, goal = np.tile(START, (len(half), 1)), np.tile(START - [0.0, 0.0, span], (len(half), 1))
    hinge = np.tile(FORWARD / np.linalg.norm(FORWARD), (len(half), 1))
    bent = two_bone_ik.bend(start, middle, end, goal, two_bone_ik.plan(start, middle, end, goal, hinge))
    assert bent.missed.max() < 1e-6
    return middle, start + quat.rotate(bent.first, middle - start)


def test_a_knee_that_is_stretched_beyond_straight_bends_forwards() -> None:
    """Captures have knees that are bent backwards by some degrees; bent further, a knee goes its own way."""
    before, behind = knees(np.linspace(-10.0, 10.0, 41), np.array([0.0, -1.0]), 1.85)
    assert before[0, 1] > 0.05
    assert (behind[:, 1] < -0.3).all()
    assert np.linalg.norm(np.diff(behind, axis=0), axis=1).max() < 1e-3


@pytest.mark.parametrize("degrees", [30.0, 60.0])
def test_a_knee_that_is_bent_clearly_stays_in_its_plane(degrees: float) -> None:
    before, behind = knees(np.array([degrees]), np.array([1.0, 0.0]), 1.6)
    assert before[0, 1] == pytest.approx(0) and behind[0, 1] == pytest.approx(0, abs=1e-9) and behind[0, 0] > 0.4


def test_a_knee_that_hardly_bends_further_stays_where_it_is() -> None:
    """Bent to the side by 8 degrees, and by as good as no more."""
    before, behind = knees(np.array([8.0]), np.array([1.0, 0.0]), 2 * float(np.cos(np.radians(4))) - 1e-5)
    assert behind[0] == pytest.approx(before[0], abs=1e-3)


def test_a_limb_that_is_held_bent_backwards_for_long_still_shows_its_hinge() -> None:
    """300 frames by 4 degrees the wrong way, as captures have them, and 20 in which it bends by up to 60."""
    degrees = np.concatenate([np.full(300, -4.0), np.linspace(0.0, 60.0, 20)])
    middle, _ = knees(degrees, np.array([0.0, -1.0]), 1.2)
    upper, end = middle - START, 2 * (middle - START) * [0.0, 0.0, 1.0]
    axes = two_bone_ik.hinge_axis(upper, end, np.tile(quat.IDENTITY, (len(degrees), 1)), np.array([0.0, 1.0, 0.0]), Spans((len(degrees),)))
    assert axes[0] == pytest.approx(FORWARD / np.linalg.norm(FORWARD), abs=1e-9)


def test_goals_inside_the_folded_limb_are_on_their_way_around_the_joint() -> None:
    """A path through the joint itself: none is further off than a third of the room where it is in reach, and none inside."""
    steps = np.linspace(-1.0, 1.0, 41)
    offsets = np.stack([steps, np.full(41, 0.02), np.zeros(41)], axis=1)
    headings = np.stack([np.sin(steps * 2), np.cos(steps * 2), np.zeros(41)], axis=1)
    least, room = np.full(41, 0.2), 0.05
    around = two_bone_ik.around(offsets, headings, least, room, np.full(41, np.inf))
    distance, off = np.linalg.norm(offsets, axis=1), np.linalg.norm(around - offsets, axis=1)
    assert off[distance >= 0.2].max() < room / 2.7 and off[distance > 0.6].max() < 1e-4
    assert np.linalg.norm(around, axis=1)[distance < 0.1].min() > 0.15
    still = two_bone_ik.around(offsets, headings, least, room, np.zeros(41))
    assert np.abs(still - offsets).max() == 0, "who is there already stays"
