"""Quaternions against the matrices they stand for, and rigs of any rest orientation against Blender's own formula."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion import modes
from retro_anim.core.motion.rigs.matrix_rig import MatrixRig, compose, decompose
from retro_anim.core.motion.rigs.skeleton import Skeleton
from retro_anim.core.motion.rotations import quaternion, rotation_matrix
from support.poses import pose_of_basis

RANDOM = np.random.default_rng(5)


def some(*shape: int) -> np.ndarray:
    return quaternion.normalised(RANDOM.normal(size=(*shape, 4)))


def test_a_quarter_turn_about_x() -> None:
    half = np.sqrt(0.5)
    matrix = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    assert np.allclose(quaternion.of_matrix(matrix), [half, half, 0, 0])


@pytest.mark.parametrize("shape", [(), (1,), (2, 3)])
def test_how_far_rotations_are_apart_whatever_their_signs(shape: tuple[int, ...]) -> None:
    """By 0.3 radians about one axis: single rotations as well as many."""
    first = some(*shape)
    second = quaternion.multiply(first, np.array([np.cos(0.15), 0, np.sin(0.15), 0]))
    for other in (second, -second):
        assert quaternion.apart(first, other) == pytest.approx(np.full(shape, 0.3))


def test_half_turns_have_no_weak_component() -> None:
    for axis in range(3):
        matrix = -np.eye(3)
        matrix[axis, axis] = 1
        assert np.allclose(np.abs(quaternion.of_matrix(matrix)), np.eye(4)[axis + 1])


def test_what_has_no_length_is_no_rotation_and_what_is_beside_it_is_one() -> None:
    assert quaternion.normalised(np.array([[0.0, 0, 0, 0], [0, 3, 0, 4]])).tolist() == [[1, 0, 0, 0], [0, 0.6, 0, 0.8]]


def test_product_and_matrix_agree() -> None:
    one, other = some(200), some(200)
    product = rotation_matrix.from_quaternion(quaternion.multiply(one, other))
    assert np.allclose(product, rotation_matrix.from_quaternion(one) @ rotation_matrix.from_quaternion(other), atol=1e-12)
    again = quaternion.of_matrix(rotation_matrix.from_quaternion(one))
    assert np.allclose(np.abs(np.sum(one * again, axis=1)), 1, atol=1e-12)
    assert np.allclose(quaternion.multiply(one, quaternion.conjugate(one)), [1, 0, 0, 0], atol=1e-12)


def test_one_point_is_rotated_as_many_are() -> None:
    rotations, point = some(50), RANDOM.normal(size=3)
    for given in (rotations, some(4, 50).swapaxes(0, 1)[:, 2], some(3, 50)):
        many = np.broadcast_to(point, (*given.shape[:-1], 3))
        wanted = np.einsum("...ij,...j->...i", rotation_matrix.from_quaternion(given), many)
        assert np.abs(quaternion.rotate(given, point) - wanted).max() < 1e-14
        assert np.abs(quaternion.rotate(given, many) - wanted).max() < 1e-14


def test_what_leads_from_one_to_the_other() -> None:
    one, other = some(50), some(50)
    assert np.abs(quaternion.multiply(one, quaternion.relative(one, other)) - other).max() < 1e-14
    assert np.abs(quaternion.multiply(one[0], quaternion.relative(one[0], other)) - other).max() < 1e-14


def test_all_on_the_other_side_are_brought_over() -> None:
    smooth = quaternion.about(np.array([0.0, 0, 1]), np.linspace(0.1, 1, 20))
    assert (quaternion.continuous(-smooth, positive=True) == smooth).all()
    assert (quaternion.continuous(-smooth) == -smooth).all()


def test_slerp_goes_the_short_way_at_even_speed() -> None:
    rotation = np.radians(80)
    one, other = np.array([1.0, 0, 0, 0]), -np.array([np.cos(rotation / 2), 0, 0, np.sin(rotation / 2)])
    quarter = quaternion.slerp(one, other, np.array(0.25))
    assert np.allclose(quarter, [np.cos(rotation / 8), 0, 0, np.sin(rotation / 8)])
    chord = quaternion.nlerp(one, other, np.array(0.25))
    expected = 0.75 * one - 0.25 * other
    assert np.allclose(chord, expected / np.linalg.norm(expected))


@pytest.mark.parametrize("degrees", [0.0, 1e-9, 1e-4, 0.5, 179.0])
def test_slerp_rotates_by_the_part_however_far_it_is(degrees: float) -> None:
    """Also between the same two, whose product may be rounded to more than 1."""
    one, axis, rotation = some(200), np.array([0.6, 0.0, 0.8]), np.radians(degrees)
    other = quaternion.multiply(one, quaternion.about(axis, np.array(rotation)))
    for part in (0.0, 0.3, 1.0):
        expected = quaternion.multiply(one, quaternion.about(axis, np.array(part * rotation)))
        assert np.abs(quaternion.slerp(one, other, np.array(part)) - expected).max() < 1e-13


def test_continuous_never_jumps() -> None:
    flipped = some(50, 3) * RANDOM.choice([-1.0, 1.0], size=(50, 3, 1))
    out = quaternion.continuous(flipped)
    assert (np.sum(out[1:] * out[:-1], axis=-1) >= 0).all()
    assert np.array_equal(np.abs(out), np.abs(flipped))


def test_continuous_counts_anew_at_each_clip() -> None:
    random = np.random.default_rng(8)
    clips = [some(count, 2) * random.choice([-1.0, 1.0], size=(count, 2, 1)) for count in (5, 1, 7, 1, 1, 9)]
    starts = np.array([0, 5, 6, 13, 14, 15])
    for positive in (False, True):
        together = quaternion.continuous(np.concatenate(clips), positive=positive, starts=starts)
        assert np.array_equal(together, np.concatenate([quaternion.continuous(clip, positive=positive) for clip in clips]))


def test_euler_angles_are_the_rotation_of_their_matrix() -> None:
    angles = np.random.default_rng(9).uniform(-7, 7, (40, 3, 3))
    for mode in ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"):
        matrices = rotation_matrix.from_quaternion(quaternion.of_euler(angles, mode))
        assert np.abs(matrices - rotation_matrix.from_euler(angles, mode)).max() < 1e-14
        keys = modes.quaternions(angles, mode)
        assert np.abs(keys - quaternion.continuous(quaternion.of_matrix(matrices))).max() < 1e-14


def test_basis_and_pose_are_inverse_and_blenders() -> None:
    count = 6
    parents = np.array([-1, 0, 1, 1, 3, 0], np.int32)
    rest = rotation_matrix.from_quaternion(some(count))
    heads = RANDOM.normal(size=(count, 3))
    rig = MatrixRig(Skeleton(tuple("abcdef"), parents, heads, heads), np.eye(3), rest, heads, heads)
    basis = compose(RANDOM.normal(size=(4, count, 3)), some(4, count), RANDOM.uniform(0.5, 2, (4, count, 3)))
    pose = pose_of_basis(rig, basis)
    for bone, parent in enumerate(parents.tolist()):
        above = np.eye(4) if parent < 0 else pose[2, parent] @ np.linalg.inv(rig.matrices[parent])
        assert np.allclose(pose[2, bone], above @ rig.matrices[bone] @ basis[2, bone])
    assert np.allclose(rig.basis_of_pose(pose), basis)


def test_components_of_translations_along_axes_of_the_game() -> None:
    """In the bone's own axes, which are rotated by a quarter about X at rest: the game's Z is its Y, and Y goes along -Z. Where they are
    rotated by an eighth no component is one of the curves; scale and rotation have theirs all the same."""
    heads, bones = np.zeros((1, 3)), np.zeros(1, np.int64)

    def rig(degrees: float) -> MatrixRig:
        own = quaternion.about(np.array([1.0, 0, 0]), np.radians([degrees]))
        skeleton = Skeleton(("a",), np.array([-1], np.int32), heads, heads + 1)
        return MatrixRig(skeleton, np.eye(3), rotation_matrix.from_quaternion(own), heads, heads, own)

    targets, signs = rig(90).targets("translation", bones, (1, 2))
    assert targets.tolist() == [[2, 1]] and signs.tolist() == [[-1, 1]]
    targets, signs = rig(45).targets("scale", bones, (0, 2))
    assert targets.tolist() == [[0, 2]] and signs.tolist() == [[1, 1]]
    with pytest.raises(ValueError, match="not along the game's axes"):
        rig(45).targets("translation", bones, (1,))


def test_mirrored_and_scaled_matrices_come_apart_and_together() -> None:
    location, rotation, size = RANDOM.normal(size=(30, 3)), some(30), RANDOM.uniform(0.2, 3, (30, 3))
    size[::2] *= -1
    matrix = compose(location, rotation, size)
    assert np.allclose(compose(*decompose(matrix)), matrix, atol=1e-9)


def test_what_is_flat_is_no_mirror() -> None:
    location, rotation, size = decompose(np.diag([2.0, 0, 3, 1]))
    assert location.tolist() == [0, 0, 0] and np.allclose(rotation, quaternion.IDENTITY) and np.allclose(size, [2, 0, 3])


def test_points_turn_as_the_matrix_turns_them() -> None:
    rotations, points = some(7, 30), RANDOM.normal(size=(30, 3))
    expected = np.einsum("...ij,...j->...i", rotation_matrix.from_quaternion(rotations), points)
    assert np.allclose(quaternion.rotate(rotations, points), expected, atol=1e-12)


def test_about_an_axis_by_rodrigues() -> None:
    """R v = v cos + (k x v) sin + k (k v)(1 - cos)."""
    axes = RANDOM.normal(size=(50, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    angles, points = RANDOM.uniform(-7, 7, 50), RANDOM.normal(size=(50, 3))
    c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
    expected = points * c + np.cross(axes, points) * s + axes * np.sum(axes * points, axis=1, keepdims=True) * (1 - c)
    rotations = quaternion.about(axes, angles)
    assert np.allclose(quaternion.rotate(rotations, points), expected, atol=1e-12)
    short = np.abs((angles + np.pi) % (2 * np.pi) - np.pi)
    assert np.allclose(quaternion.angle(rotations), short, atol=1e-12)
    assert np.allclose(quaternion.angle(-rotations), short, atol=1e-12)


def test_parts_of_a_turn_add_up() -> None:
    rotations = some(40)
    third = quaternion.power(rotations, 1 / 3)
    whole = quaternion.multiply(third, quaternion.multiply(third, third))
    assert np.allclose(np.abs(np.sum(whole * rotations, axis=1)), 1, atol=1e-12)
    assert np.allclose(quaternion.angle(third), quaternion.angle(rotations) / 3, atol=1e-12)
    assert np.allclose(quaternion.power(rotations, 0.0), quaternion.IDENTITY)
    tiny = quaternion.about(np.array([0.0, 0, 1]), np.array(1e-9))
    assert np.allclose(quaternion.power(tiny, 0.5)[3], 0.25e-9, rtol=1e-6)


def test_twist_is_what_turns_about_the_axis_alone() -> None:
    """A turn made of a swing, about an axis across, after a known twist."""
    along = np.array([0.0, 1, 0])
    across = np.stack([np.cos(np.arange(20.0)), np.zeros(20), np.sin(np.arange(20.0))], axis=1)
    twists, swings = np.linspace(-3.1, 3.1, 20), np.linspace(-2.5, 2.5, 20)
    created = quaternion.multiply(quaternion.about(across, swings), quaternion.about(along, twists))
    assert np.allclose(quaternion.twist_angle(created, along), twists, atol=1e-9)
    assert np.allclose(quaternion.twist_angle(-created, along), twists, atol=1e-9)


def test_continuous_along_any_axis_and_from_the_positive_side() -> None:
    keys = some(3, 50) * RANDOM.choice([-1.0, 1.0], size=(3, 50, 1))
    along = quaternion.continuous(keys, 1)
    assert (np.sum(along[:, 1:] * along[:, :-1], axis=-1) >= 0).all()
    assert np.array_equal(along[:, 0], keys[:, 0]), "the first stays as it is"
    positive = quaternion.continuous(keys, -2, positive=True)
    assert (positive[:, 0, 0] >= 0).all() and np.array_equal(np.abs(positive), np.abs(keys))
    assert np.array_equal(quaternion.continuous(np.swapaxes(keys, 0, 1)), np.swapaxes(along, 0, 1))


def test_parts_of_rotations_go_on_over_half_a_turn() -> None:
    """Steps of 7 degrees about an axis that tilts meanwhile: half of them have steps no larger than these, where the shorter way jumps."""
    clock = np.arange(120.0)
    axes = np.stack([np.cos(clock / 90), np.sin(clock / 90), 0 * clock], axis=1)
    rotations = quaternion.about(axes, np.radians(7.0 * clock))
    half = quaternion.power_over(rotations[:52], 0.5)
    assert quaternion.apart(quaternion.multiply(half, half), rotations[:52]).max() < 1e-6
    assert quaternion.apart(half[1:], half[:-1]).max() < np.radians(7.0)
    short = quaternion.power(rotations[:52], 0.5)
    assert quaternion.apart(short[1:], short[:-1]).max() > 2 and (short[:26] == quaternion.power_over(rotations[:26], 0.5)).all()
    whole = quaternion.power_over(quaternion.about(axes[:1], np.radians(7.0 * clock)), 0.5)
    assert quaternion.apart(whole, quaternion.about(axes[:1], np.radians(3.5 * clock))).max() < 1e-6, "also over whole ones"


def test_half_of_a_rotation_that_is_rounded_to_just_over_half_a_turn_goes_on() -> None:
    degrees = np.array([60, 120, 180 + 1e-5, 120, 60])
    axis = np.array([0.0, 0.6, 0.8])
    halves = quaternion.power_over(quaternion.about(axis, np.radians(degrees)), 0.5)
    assert quaternion.apart(halves, quaternion.about(axis, np.radians(degrees / 2))).max() < 1e-9


def test_parts_of_a_rotation_that_comes_back_are_the_same_wherever_it_is_cut() -> None:
    """By 250 degrees and back: each clip, beside others or alone, from its middle on or as a whole."""
    degrees = np.concatenate([np.linspace(0, 250, 40), np.linspace(250, 0, 40)])
    rotations = quaternion.about(np.array([0.6, 0.0, 0.8]), np.radians(degrees))
    whole = quaternion.power_over(rotations, 0.5)
    assert quaternion.apart(whole[1:], whole[:-1]).max() < np.radians(3.5)
    assert (quaternion.apart(quaternion.power_over(rotations[35:], 0.5), whole[35:]) < 1e-6).all()
    beside = quaternion.power_over(np.concatenate([rotations[:10], rotations, -rotations[5:20]]), 0.5, (0, 10, 90))
    assert np.array_equal(
        beside, np.concatenate([quaternion.power_over(rotations[:10], 0.5), whole, quaternion.power(rotations[5:20], 0.5)])
    )
