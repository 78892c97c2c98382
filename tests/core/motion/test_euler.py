"""Euler triples without jumps: the other triple of a rotation, whole circles, and poles."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import euler
from retro_anim.core.motion.rotations.rotation_matrix import from_euler

MODES = pytest.mark.parametrize("mode", ["".join(each) for each in permutations("XYZ")])


@MODES
def test_any_triples_of_a_motion_are_brought_back(mode: str) -> None:
    """Of each frame and bone the other triple, or whole circles more."""
    random = np.random.default_rng(7)
    times = np.linspace(0, 3, 60)[:, None, None]
    wanted = random.normal(size=(1, 4, 3)) * 2 + np.sin(times * random.uniform(0.5, 1.5, (1, 4, 3)))
    middle = "XYZ".index(mode[1])
    wanted[..., middle] = np.sin(times[..., 0] + np.arange(4))
    other = wanted + np.pi
    other[..., middle] = np.pi - wanted[..., middle]
    given = np.asarray(np.where(random.random((60, 4, 1)) < 0.5, wanted, other), np.float64)
    given += 2 * np.pi * random.integers(-2, 3, (60, 4, 3))
    assert np.allclose(from_euler(given, mode), from_euler(wanted, mode))
    assert np.allclose(euler.continuous(given, wanted[0], mode), wanted)


def test_of_two_triples_that_are_as_near_the_one_that_is_given_stays() -> None:
    """From none to 90, 60 and 120 degrees, or to -90, -120 and 60: 270 in all."""
    given = np.radians([[[90.0, 60, 120]]])
    assert np.allclose(euler.continuous(given, np.zeros((1, 3)), "XZY"), given)


@MODES
@pytest.mark.parametrize("sign", [-1, 1])
def test_at_a_pole_the_first_angle_stays(mode: str, sign: int) -> None:
    """The middle angle goes up to a quarter and back; there the first one jumps, and the last one with it. Another bone has no pole."""
    first, middle, last = ("XYZ".index(letter) for letter in mode)
    angles = np.zeros((5, 2, 3))
    angles[:, 0, middle] = np.array([0.5, 1, np.pi / 2, np.pi / 2, 1]) * sign
    angles[:, :, first], angles[:, :, last] = 0.2, 0.3
    angles[2:4, 0, first] = 0.9, -0.4
    shown = from_euler(angles, mode)
    result = euler.continuous(angles, angles[0], mode)
    assert np.allclose(from_euler(result, mode), shown, atol=1e-6)
    assert np.allclose(result[:, :, first], 0.2) and np.allclose(result[:, 1], angles[:, 1])


def test_where_a_motion_begins_at_a_pole_the_angle_is_that_of_before() -> None:
    angles = np.array([[(0.7, np.pi / 2, 0.1)]])
    result = euler.continuous(angles, np.array([(0.3, 1.5, 0.0)]), "XYZ")
    assert result[0, 0, 0] == pytest.approx(0.3)
    assert np.allclose(from_euler(result, "XYZ"), from_euler(angles, "XYZ"), atol=1e-6)
