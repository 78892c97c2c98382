"""Legs of two bones of length 1 from (0, 0, 2) down, whose knees bend towards -Y: where a knee is, is seen by the sign of its Y."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion import quaternion as quat
from retro_anim.core.motion.rotation_matrix import Floats
from retro_anim.core.retarget.transfer import two_bone_ik

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
    bent = two_bone_ik.bend(start, middle, end, goal, hinge)
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
