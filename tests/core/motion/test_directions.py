"""Angles between vectors, against the half turn, the right angle, and the chord of a small one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from retro_anim.core.motion.rotations.directions import UP, angle_between, cross, face_normals, lengths, smooth_normals, unit


def test_angles_of_vectors_of_any_length() -> None:
    first = np.array([[1.0, 0, 0], [0, 3, 0], [0, 0, 0.5], [1, 1, 0]])
    second = np.array([[7.0, 0, 0], [0, 0, 2], [0, 0, -9], [1, 0, 0]])
    assert_allclose(angle_between(first, second), [0, np.pi / 2, np.pi, np.pi / 4], atol=1e-15)


def test_a_small_angle_is_not_rounded_away() -> None:
    small = 1e-9  # its cosine is 1
    assert_allclose(angle_between(np.array([1.0, 0, 0]), np.array([1, small, 0])), small, rtol=1e-12)


def test_no_direction_is_no_angle() -> None:
    assert angle_between(np.zeros((2, 3)), np.array([[1.0, 0, 0], [0, 0, 0]])).tolist() == [0, 0]


def test_lengths_and_unit_vectors_of_any_number_of_them() -> None:
    vectors = np.array([[[3.0, 4, 0], [0, 0, -2]], [[0, 0, 0], [1, 2, 2]]])
    assert lengths(vectors).tolist() == [[5, 2], [0, 3]]
    assert_allclose(unit(vectors), [[[0.6, 0.8, 0], [0, 0, -1]], [[0, 0, 0], [1 / 3, 2 / 3, 2 / 3]]])
    assert unit(np.array([0.0, 7, 0])).tolist() == [0, 1, 0]


def test_normals_of_faces() -> None:
    """Of a right-angled triangle with legs of 3 and 4, from either side, and of one without an area."""
    triangle = np.array([[1.0, 1, 5], [4, 1, 5], [1, 5, 5]])
    assert face_normals(np.stack([triangle, triangle[::-1], triangle[[0, 1, 1]]])).tolist() == [[0, 0, 12], [0, 0, -12], [0, 0, 0]]


def test_products_across() -> None:
    first, second = np.random.default_rng(3).normal(size=(2, 20, 3))
    assert_allclose(cross(first, second), np.cross(first, second), atol=1e-15)


def test_normals_of_a_smooth_surface() -> None:
    """Of two triangles at a right angle on each other: at the one end of their edge both are 90 degrees wide, at the other 45 and 60."""
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, np.sqrt(3)]])
    normals = smooth_normals(points, np.array([[0, 1, 2], [0, 3, 1]]))
    assert_allclose(normals, [[0, np.sqrt(0.5), np.sqrt(0.5)], [0, 0.8, 0.6], [0, 0, 1], [0, 1, 0]], atol=1e-15)


def test_upward_is_no_other_direction_for_anybody() -> None:
    with pytest.raises(ValueError, match="read-only"):
        UP[2] = -1
