"""How far from straight rotations are between two frames, in numbers made by hand."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.retarget.reports.bending import astray, at_most, may_bend, steep, steps_of, turning_over, twisting, upon


def test_a_smooth_curve_is_off_the_line_in_the_middle_by_an_eighth_of_its_bend() -> None:
    """A sine against what it is there; at its ends only what is known there."""
    bends = steep(np.sin(np.arange(40.0) / 5))
    middles = np.sin((np.arange(39) + 0.5) / 5)
    off = np.abs(middles - (np.sin(np.arange(39) / 5) + np.sin(np.arange(1, 40) / 5)) / 2)
    assert (bends[1:-1] > 0.99 * off[1:-1]).all() and (bends[1:-1] < 1.3 * off[1:-1] + 2e-3).all()
    assert steep(3 * np.arange(4.0))[1] == 0
    assert steep(np.array([0.0, 1.0])) > 0.1


def test_a_curve_that_jumps_bends_most_where_it_does() -> None:
    """Not as much beside that, where it stays."""
    bends = steep(np.repeat([0.0, 1, 3, 2], 3))
    assert bends[5] > bends[[4, 6]].max() and bends[8] > bends[[7, 9]].max()


def test_euler_angles_that_go_straight_do_not_rotate_straight() -> None:
    """By 0.2 and 0.3 about two axes: against what quaternions have in the middle."""
    angles = np.array([[[0.0, 0.2], [0.0, 0.3], [0.0, 0.0]], [[0.1, 0.7], [0.0, 0.0], [0.0, 0.0]]])
    bound = twisting(angles)
    ends = quat.of_matrix(rotation_matrix.from_euler(angles[0].T, "XYZ"))
    straight = quat.slerp(ends[0], ends[1], np.array(0.5))
    real = quat.angle(
        quat.multiply(quat.conjugate(straight), quat.of_matrix(rotation_matrix.from_euler(angles[0].mean(-1)[None], "XYZ"))[0])
    )
    assert bound.shape == (2, 1) and bound[1, 0] == 0
    assert bound[0, 0] == pytest.approx(0.2 * 0.3 / 8)
    assert 0.5 * bound[0, 0] < float(real) <= 1.1 * bound[0, 0]


def test_how_far_it_is_from_frame_to_frame() -> None:
    """Of quaternions the angle between two, whichever sign they have; of Euler angles that about all axes together."""
    half = np.array([0.0, 0.15, 0.35, 0.3])
    components = np.stack([np.cos(half), 0 * half, np.sin(half), 0 * half]) * [1, 1, -1, 1]
    angles = np.array([[0.0, 0.3, 0.1], [0.0, -0.2, -0.2], [1.0, 1.0, 1.5]])
    steps = steps_of({7: components, 3: angles, 5: -components})
    assert steps[7] == pytest.approx([0.3, 0.4, 0.1]) and steps[5] == pytest.approx([0.3, 0.4, 0.1])
    assert steps[3] == pytest.approx([0.5, 0.7])
    assert not steps_of({})
    long = np.full((4, 2), np.float32(0.50001))  # as single precision has them, which is no length of just 1
    assert steps_of({0: long})[0].tolist() == [0]


def test_rotations_that_go_the_longer_way_round_are_on_the_other_side() -> None:
    """By 200 degrees instead of 160, half a circle being no longer way; and a quaternion that is the same with the other sign."""
    half = np.array([[[0.0, np.pi, 0.0], [0.0] * 3, [0.0] * 3]])
    assert twisting(half)[0] == pytest.approx([0.0, 0.0])
    angles = np.radians([[[0.0, 100.0, -100.0], [0.0] * 3, [0.0] * 3]])
    assert twisting(angles)[0] == pytest.approx([0.0, np.pi])
    components = np.array([[0.8, 0.6, 0, 0], [0.6, 0.8, 0, 0], [-0.6, -0.8, 0, 0], [-0.5, -0.8, 0.3, 0]]).T
    assert turning_over(list(components)) == pytest.approx([0.0, np.pi, 0.0])
    assert turning_over(list(components[:, :2])) is None


def test_what_goes_straight_upon_another_is_beside_the_straight_way() -> None:
    """By 0.4 and 0.6 about two axes across each other: against what both together have in the middle; upon an object as upon a bone."""
    under, own = (quat.about(np.eye(3)[axis], np.array([0.0, size / 2, size])) for axis, size in ((0, 0.4), (1, 0.6)))
    both = quat.multiply(under, own)
    real = float(quat.apart(both[1], quat.slerp(both[0], both[2], np.array(0.5))))
    steps = [np.array([0.4]), np.array([0.6])]
    for parents, bones in (([-1, 0], [0, 1]), ([-1, 0], [-1, 1]), ([-1], [-1, 0])):
        bound = upon(parents, dict(zip(bones, steps, strict=True)))
        assert list(bound) == bones[1:] and bound[bones[1]] == pytest.approx([0.4 * 0.6 / 8])
        assert 0.8 * bound[bones[1]] < real <= 1.05 * bound[bones[1]]
    assert upon([-1, -1], {0: np.ones(1), 1: np.ones(1)}) == {}


def test_a_source_may_bend_where_a_bone_does_with_what_it_hangs_on() -> None:
    """A leg hangs on the hips; a quarter of a degree is 0.0044."""
    assert not may_bend([-1, 0, -1], {0: np.array([0.003, 0]), 1: np.array([0, 0.003]), 2: np.array([0.003, 0])})
    assert may_bend([-1, 0, -1], {0: np.array([0.003, 0]), 1: np.array([0.003, 0])})
    assert not may_bend([-1], {})


def test_angles_that_go_straight_are_off_the_rotation_in_the_middle() -> None:
    """Against what they are there, about two axes at once."""
    clock = np.arange(30.0)[:, None, None]
    angles = np.concatenate([np.sin(clock / 4), 0.5 * np.cos(clock / 5), 0 * clock], axis=2)
    first, last, middle = (
        quat.of_matrix(rotation_matrix.from_euler(each[:, 0], "XYZ")) for each in (angles[:-1], angles[1:], (angles[1:] + angles[:-1]) / 2)
    )
    assert astray(angles, "XYZ")[:, 0] == pytest.approx(quat.apart(middle, quat.slerp(first, last, np.array(0.5))))


def test_components_that_go_straight_bend_by_what_they_are() -> None:
    """Of angles an eighth of the product of two steps; of axis and angle what the middle tells; of a quaternion nothing, but where it
    changes its side, which is as if it went the longer way round."""
    steady, over = ([np.array([1.0, 1.0]), np.array([0.0, side]), np.zeros(2), np.zeros(2)] for side in (0.1, 0.0))
    over[0] = np.array([1.0, -1.0])
    axes = [np.array(values) for values in ((0.0, np.pi / 2), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0))]
    keyed = {0: steady, 1: [np.array([0.0, 0.4]), np.array([0.0, 0.2]), np.zeros(2)], 2: over, 3: axes}
    bends = at_most(("QUATERNION", "XZY", "QUATERNION", "AXIS_ANGLE"), keyed)
    assert sorted(bends) == [1, 2, 3] and bends[1] == pytest.approx([0.4 * 0.2 / 8]) and bends[2] == pytest.approx([np.pi])
    half, middle = (quat.about(np.array(axis), np.array(np.pi / 4)) for axis in ((0, 1.0, 0), (np.sqrt(0.5), np.sqrt(0.5), 0)))
    assert bends[3] == pytest.approx([float(quat.apart(middle, half))])
    assert at_most((), {}) == {}
