"""Angles on a circle, against those that a half circle and its quarters have."""

import numpy as np
from numpy.testing import assert_allclose
from retro_anim.core.motion.rotations.angles import continued, quarter, wrapped


def test_half_a_circle_is_positive() -> None:
    assert_allclose(wrapped(np.radians([-180.0, 180, 190, -190, 720, 30])), np.radians([180.0, 180, -170, 170, 0, 30]), atol=1e-12)
    assert wrapped(-np.pi) == np.pi


def test_the_nearest_quarter() -> None:
    assert_allclose([quarter(np.radians(angle)) for angle in (44, 46, 170, -170, -46, 440)], np.radians([0, 90, 180, 180, -90, 90]))


def test_angles_that_go_on_count_from_where_they_are_least() -> None:
    """Wherever a clip is cut: from the first within a quarter, or else from the one nearest to none, not from where it begins."""
    whole = np.concatenate([np.linspace(20, 500, 49), np.linspace(500, -250, 76)])
    for first, last, offset in ((0, 125, 0), (30, 125, -360), (100, 125, 0), (8, 70, -360), (24, 30, -360), (110, 120, 0)):
        angles = np.radians(whole[first:last])
        for given in (wrapped(angles), angles + 4 * np.pi):
            assert_allclose(continued(given), angles + np.radians(offset), atol=1e-9)
