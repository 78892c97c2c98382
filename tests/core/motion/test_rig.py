"""Rigs of axis-aligned rest orientations: in each of the 24 the game's angles, as Blender's Euler curves, give the game's own rotation."""

from __future__ import annotations

from itertools import permutations, product
from math import cos, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retro_anim.core.motion.rigs.rig import Y_UP, Convention, Rig
from retro_anim.core.motion.rigs.skeleton import Skeleton
from retro_anim.core.motion.rotations import rotation_matrix

ORIENTATIONS = [
    np.array([[sign * (row == column) for column in range(3)] for row, sign in zip(order, signs, strict=True)])
    for order in permutations(range(3))
    for signs in product((1.0, -1.0), repeat=3)
]
ORIENTATIONS = [matrix for matrix in ORIENTATIONS if round(np.linalg.det(matrix)) == 1]
"""The 24 rotations of a cube."""


def rotation(axis: int, angle: float) -> np.ndarray:
    """Right-handed, written out."""
    c, s = cos(angle), sin(angle)
    return np.array([[[1, 0, 0], [0, c, -s], [0, s, c]], [[c, 0, s], [0, 1, 0], [-s, 0, c]], [[c, -s, 0], [s, c, 0], [0, 0, 1]]][axis])


def blender_euler(angles: np.ndarray, mode: str) -> np.ndarray:
    """Blender's rotation_euler in a mode such as "XYZ": about X first, in fixed axes."""
    matrix = np.eye(3)
    for letter in mode:
        axis = "XYZ".index(letter)
        matrix = rotation(axis, angles[axis]) @ matrix
    return matrix


@st.composite
def conventions(draw: st.DrawFn) -> Convention:
    """Any axes, and any product of three turns about three axes by three components with signs."""
    axes = draw(st.sampled_from(ORIENTATIONS))
    blender, components = draw(st.permutations(range(3))), draw(st.permutations(range(3)))
    signs = draw(st.tuples(*[st.sampled_from((1, -1))] * 3))
    first, second, third = zip(blender, components, signs, strict=True)
    return Convention(axes, (first, second, third))


_ANGLES = st.lists(st.floats(-7, 7), min_size=3, max_size=3).map(np.array)


def all_orientations(convention: Convention) -> Rig:
    """A rig of 24 loose bones, one in each orientation."""
    names = tuple(f"bone {number}" for number in range(24))
    skeleton = Skeleton(names, np.full(24, -1, np.int32), np.zeros((24, 3)), np.ones((24, 3)))
    return Rig.of_rest(skeleton, convention, np.array(ORIENTATIONS))


@settings(max_examples=40)
@given(conventions(), _ANGLES)
def test_euler_curves_give_the_games_rotation(convention: Convention, angles: np.ndarray) -> None:
    rig = all_orientations(convention)
    bones = np.arange(24)
    curves = rig.euler_to_basis(bones, np.tile(angles, (1, 24, 1)))
    game = np.eye(3)
    for axis, component, sign in convention.product:
        game = game @ rotation(axis, sign * angles[component])
    for bone, rest in enumerate(ORIENTATIONS):
        shown = rest @ blender_euler(curves[0, bone], rig.modes[bone]) @ rest.T
        assert np.allclose(shown, game, atol=1e-12)
    assert np.array_equal(np.sort(np.abs(curves[0]), axis=1), np.tile(np.sort(np.abs(angles)), (24, 1))), (
        "the game's own numbers, bit for bit"
    )
    assert np.array_equal(rig.euler_from_basis(bones, curves), np.tile(angles, (1, 24, 1)))


@settings(max_examples=40)
@given(conventions(), _ANGLES)
def test_locations_give_the_games_translation(convention: Convention, position: np.ndarray) -> None:
    rig = all_orientations(convention)
    bones = np.arange(24)
    locations = rig.location_to_basis(bones, np.tile(position, (1, 24, 1)))
    for bone, rest in enumerate(ORIENTATIONS):
        assert np.allclose(rest @ locations[0, bone], convention.axes @ position, atol=1e-12)
    assert np.array_equal(rig.to_basis("translation", bones, np.tile(position, (1, 24, 1))), locations)
    assert np.array_equal(rig.from_basis("translation", bones, locations), np.tile(position, (1, 24, 1)))
    assert np.array_equal(rig.location_from_basis(bones, locations), np.tile(position, (1, 24, 1)))


@given(conventions(), st.lists(st.integers(0, 23), min_size=1, max_size=6))
def test_some_bones_in_any_order(convention: Convention, chosen: list[int]) -> None:
    rig = all_orientations(convention)
    values = np.random.default_rng(0).normal(size=(4, 24, 3))
    bones = np.array(chosen)
    assert np.array_equal(rig.euler_to_basis(bones, values[:, bones]), rig.euler_to_basis(np.arange(24), values)[:, bones])
    assert np.array_equal(rig.location_to_basis(bones, values[:, bones]), rig.location_to_basis(np.arange(24), values)[:, bones])


CONVENTION = Convention(Y_UP, ((2, 1, 1), (0, 0, 1), (1, 2, -1)))


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=3).map(np.array).filter(lambda path: np.linalg.norm(path) > 0.1))
def test_towards_the_child_no_orientation_is_nearer(path: np.ndarray) -> None:
    skeleton = Skeleton(("bone",), np.array([-1], np.int32), np.zeros((1, 3)), path[None])
    rig = Rig.build(skeleton, CONVENTION, "CHILD")
    wanted = Y_UP @ path
    best = max(float(matrix[:, 1] @ wanted) for matrix in ORIENTATIONS)
    assert float(rig.rest[0][:, 1] @ wanted) >= best - 0.01
    assert round(np.linalg.det(rig.rest[0])) == 1
    assert np.allclose(Rig.build(skeleton, CONVENTION).rest, np.eye(3))


def test_how_large_a_bone_is_has_no_sign() -> None:
    """Along the axes along which it is translated, of which some point back."""
    rig, bones = all_orientations(CONVENTION), np.arange(24)
    for components in ((0, 1, 2), (2,)):
        sizes, locations = (rig.targets(kind, bones, components) for kind in ("scale", "translation"))
        assert np.array_equal(sizes[0], locations[0]) and (sizes[1] == 1).all() and set(locations[1].ravel().tolist()) == {1, -1}


def test_each_component_has_the_curve_that_a_whole_track_puts_it_into() -> None:
    """Of a game whose angles are about other axes than those of their names."""
    rig, bones = all_orientations(Convention(Y_UP, ((0, 1, 1), (1, 0, -1), (2, 2, 1)))), np.arange(24)
    for kind in ("euler", "translation"):
        targets, signs = rig.targets(kind, bones, (0, 1, 2))
        for component, alone in enumerate(np.eye(3)):
            curves = rig.to_basis(kind, bones, np.tile(alone, (1, 24, 1)))[0]
            assert np.array_equal(curves, np.eye(3)[targets[:, component]] * signs[:, component, None])


def test_half_turns_have_an_angle_however_they_are_rounded() -> None:
    axes = np.random.default_rng(2).normal(size=(500, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    half = 2 * axes[:, :, None] * axes[:, None] - np.eye(3)
    assert rotation_matrix.angle(half) == pytest.approx(np.full(500, np.pi), abs=1e-6)


def test_axes_that_are_not_at_right_angles_are_bent_by_as_much() -> None:
    """X and Z, which are at 60 degrees: by 15 each, in their plane."""
    low, high = np.radians([-15.0, 75])
    oblique = np.array([[1, 0, cos(np.pi / 3)], [0, 1, 0], [0, 0, sin(np.pi / 3)]])
    bent = np.array([[cos(low), 0, cos(high)], [0, 1, 0], [sin(low), 0, sin(high)]])
    assert np.allclose(rotation_matrix.unscaled(oblique), bent)


def test_axes_in_one_line_stay_so() -> None:
    """Blender cannot bend them apart."""
    matrix = np.array([[1.0, 0, 1], [0, 1, 0], [0, 0, 0]])
    assert rotation_matrix.unscaled(matrix * [2.0, 3, 4]).tolist() == matrix.tolist()


def test_orientations_that_are_not_aligned_are_refused() -> None:
    skeleton = Skeleton(("bone",), np.array([-1], np.int32), np.zeros((1, 3)), np.ones((1, 3)))
    Rig.of_rest(skeleton, CONVENTION, (np.eye(3) + 5e-4)[None])
    for wrong in (rotation(0, 0.1), np.zeros((3, 3)), np.ones((3, 3))):
        with pytest.raises(ValueError, match="axis-aligned"):
            Rig.of_rest(skeleton, CONVENTION, wrong[None])


def test_basis_of_a_pose_by_blenders_formula() -> None:
    """pose_b = pose_parent rest_parent^-1 rest_b basis_b, composed here and taken apart there; heads and locations in game units."""
    random = np.random.default_rng(3)
    parents = np.array([-1, 0, 1, 1, 0], np.int32)
    heads = random.normal(size=(5, 3))
    skeleton = Skeleton(tuple("abcde"), parents, heads, heads + 1)
    rests = np.array([ORIENTATIONS[number] for number in (0, 5, 11, 17, 23)])
    rig = Rig.of_rest(skeleton, CONVENTION, rests)
    scale, frames = 0.25, 3
    basis = np.tile(np.eye(4), (frames, 5, 1, 1))
    basis[..., :3, :3] = rotation_matrix.nearest(random.normal(size=(frames, 5, 3, 3)))
    basis[..., :3, 3] = random.normal(size=(frames, 5, 3))
    rest = np.tile(np.eye(4), (5, 1, 1))
    rest[:, :3, :3], rest[:, :3, 3] = rests, scale * heads @ Y_UP.T
    pose = np.empty_like(basis)
    for frame in range(frames):
        for bone, parent in enumerate(parents.tolist()):
            scaled = basis[frame, bone].copy()
            scaled[:3, 3] *= scale
            above = pose[frame, parent] @ np.linalg.inv(rest[parent]) if parent >= 0 else np.eye(4)
            pose[frame, bone] = above @ rest[bone] @ scaled
    assert np.allclose(rig.basis_of_pose(pose, scale), basis, atol=1e-12)


def test_of_many_upright_ones_none_is_left_to_the_slower_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rotations, however large, sheared a little."""
    rotations = np.tile(np.array(ORIENTATIONS), (10, 1, 1))
    sheared = rotations @ np.array([[1.0, 0.2, 0], [0.2, 1, 0], [0, 0, 1]]) * np.geomspace(1e-3, 1e3, len(rotations))[:, None, None]
    monkeypatch.delattr(rotation_matrix, "_by_svd")
    assert np.abs(rotation_matrix.nearest(sheared) - rotations).max() < 1e-12


def test_a_bone_that_points_back_keeps_its_x_axis() -> None:
    """Along each axis: of the four rolls the one whose X axis is nearest to the world's; where none is, whose Z axis is."""
    tips = np.concatenate([np.eye(3), -np.eye(3)])[[1, 4, 2, 5, 0, 3]]
    rig = Rig.build(
        Skeleton(tuple("abcdef"), np.full(6, -1, np.int32), np.zeros((6, 3)), tips), Convention(np.eye(3), CONVENTION.product), "CHILD"
    )
    assert [bone[:, 1].tolist() for bone in rig.rest] == tips.tolist()
    assert [bone[:, 0].tolist() for bone in rig.rest[:4]] == [[1, 0, 0]] * 4
    assert [bone[:, 2].tolist() for bone in rig.rest[4:]] == [[0, 0, 1]] * 2


def test_the_nearest_rotations_of_many_are_those_of_each() -> None:
    random = np.random.default_rng(4)
    matrices = random.normal(size=(4, 100, 3, 3))
    matrices[0, :5] = np.diag([1.0, 1.0, 1e-12])  # flat
    matrices[0, 5:9] = np.diag([1.0, -2.0, 3.0])  # mirrored
    matrices[1, :5] = np.diag([1.0, 1.0, 1e-12])
    matrices[1] *= 1e-9
    rotations = rotation_matrix.nearest(matrices)
    each = np.array([rotation_matrix.nearest(matrix) for matrix in matrices.reshape(-1, 3, 3)]).reshape(matrices.shape)
    assert np.abs(rotations - each).max() < 1e-9
    assert np.abs(rotations @ rotations.swapaxes(-1, -2) - np.eye(3)).max() < 1e-12
    assert np.abs(np.linalg.det(rotations) - 1).max() < 1e-12
    # Nothing near is nearer: what is left of the matrix is symmetric.
    rest = rotations.swapaxes(-1, -2) @ matrices
    assert np.abs(rest - rest.swapaxes(-1, -2)).max() < 1e-9


def test_what_hangs_on_something_that_is_scaled_to_nothing_is_at_rest() -> None:
    """Nobody sees it; beside it all is as ever."""
    above = np.tile(np.diag([2.0, 2.0, 2.0, 1.0]), (3, 1, 1))
    above[1] = np.diag([0.0, 0.0, 0.0, 1.0])
    above[2] = np.diag([1.0, 0.0, 1.0, 1.0])
    pose = np.tile(np.eye(4), (3, 1, 1))
    pose[:, :3, 3] = 4.0, 6.0, 8.0
    own = rotation_matrix.relative_to(above, pose)
    assert own[0].tolist() == [[0.5, 0, 0, 2], [0, 0.5, 0, 3], [0, 0, 0.5, 4], [0, 0, 0, 1]]
    assert own[1:].tolist() == [np.eye(4).tolist()] * 2
