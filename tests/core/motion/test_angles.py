"""Angles on a circle, against those that a half circle and its quarters have."""

import numpy as np
from numpy.testing import assert_allclose
from retro_anim.core.motion.rotations.angles import quarter, wrapped


def test_half_a_circle_is_positive() -> None:
    assert_allclose(wrapped(np.radians([-180.0, 180, 190, -190, 720, 30])), np.radians([180.0, 180, -170, 170, 0, 30]), atol=1e-12)
    assert wrapped(-np.pi) == np.pi


def test_the_nearest_quarter() -> None:
    assert_allclose([quarter(np.radians(angle)) for angle in (44, 46, 170, -170, -46, 440)], np.radians([0, 90, 180, 180, -90, 90]))
