"""Root motion by hand: on the object, on the root bone or in properties, and what several of them carry together."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.blocks import blocks_of, path_from
from retro_anim.core.motion.clip import Clip, Path, Track
from retro_anim.core.motion.curves import Channel, Curve, Curves, Placement, RootMotion, Timing, curves_of, path_channels
from retro_anim.core.motion.rigs.matrix_rig import MatrixRig
from retro_anim.core.motion.rigs.rig import Y_UP, Convention, Rig
from retro_anim.core.motion.rigs.skeleton import Skeleton
from retro_anim.core.motion.root_motion import object_motion, path_matrix, relative, whole_path
from retro_anim.core.motion.rotations.rotation_matrix import Floats

CONVENTION = Convention(Y_UP, ((2, 1, 1), (0, 0, 1), (1, 2, -1)))
"""As in LBA: X to the left, Y up, Z ahead; rotated about Y, then X, then Z, which is Blender's Y reversed."""
SCALE = 0.5
QUARTER = np.pi / 2
FRAMES = np.array([1.0, 2.0, 3.0])
TIMES = FRAMES - 1
ROOT_MOTIONS: list[RootMotion] = ["OBJECT", "BONE", "NONE"]
PLACED = Placement(np.array([1.0, 2, 3]), np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]), np.array([0, 0, QUARTER]), np.array([2.0, 1, 0]))
"""A quarter about Z, twice as large along X, and flat."""


def rig(head: tuple[float, float, float] = (0, 0, 0)) -> Rig:
    """A root alone, towards its side."""
    heads = np.array([head], np.float64)
    return Rig.build(Skeleton(("root",), np.array([-1], np.int32), heads, heads + np.array([1.0, 0, 0])), CONVENTION, "CHILD")


def clip(positions: Floats, rotation: Floats | None) -> Clip:
    return Clip("clip", 1.0, [], Path(TIMES, positions, rotation, np.zeros(3, np.bool_)), 2.0)


def carried(
    which: RootMotion, positions: list[tuple[float, ...]], angles: list[tuple[float, ...]], head: tuple[float, float, float]
) -> Curves:
    """Curves of a path in game units, and radians."""
    given = clip(np.array(positions, np.float64), np.array(angles, np.float64))
    return curves_of(blocks_of(given, rig(head), Timing(1.0, 1.0), SCALE, which, Placement.origin()))


@pytest.mark.parametrize("which", ROOT_MOTIONS)
def test_a_path_comes_back(which: RootMotion) -> None:
    random = np.random.default_rng(4)
    positions, rotation = random.normal(size=(2, 3, 3))
    blocks = blocks_of(clip(positions, rotation), rig(), Timing(1.0, 1.0), SCALE, which, PLACED)
    back, angles = path_from(curves_of(blocks), FRAMES, rig(), SCALE, which, PLACED)
    if which == "OBJECT":  # it was flattened along Z, which is the game's Y
        positions[:, 1] = 0
    assert np.allclose(back, positions, atol=1e-6) and np.allclose(angles, rotation, atol=1e-6)
    assert [len(blocks), *(block.channels for block in blocks)] == [2, *path_channels(rig(), which)]


def test_a_path_on_the_object_begins_where_it_stood() -> None:
    """A game unit to the left is half a Blender unit along its own X, twice as large, along Y of the world; a unit ahead goes along X."""
    positions, rotation = np.array([(0, 0, 0), (1, 0, 0), (0, 7, 1.0)]), np.array([(0, 0, 0), (0, 0.25, 0), (0.5, 0, 0.75)])
    location, angles = (block.values.T for block in blocks_of(clip(positions, rotation), rig(), Timing(1.0, 1.0), SCALE, "OBJECT", PLACED))
    assert np.allclose(location, [(1, 2, 3), (1, 3, 3), (1.5, 2, 3)])
    assert np.allclose(angles, np.array([(0, 0, 0), (0, 0, 0.25), (0.5, -0.75, 0)]) + PLACED.angles)


def test_a_path_in_properties_has_the_axes_of_blender() -> None:
    positions = np.array([(0, 0, 0), (1, 2, 3.0), (0, 0, 0)])
    (block,) = blocks_of(clip(positions, None), rig(), Timing(1.0, 1.0), SCALE, "NONE", PLACED)
    assert block.values[:, 1].tolist() == [0.5, -1.5, 1.0]


def test_a_path_of_a_bone_has_its_axes() -> None:
    """Its Y is the game's X."""
    positions = np.array([(0, 0, 0), (1, 0, 0.0), (0, 0, 0)])
    (block,) = blocks_of(clip(positions, None), rig(), Timing(1.0, 1.0), SCALE, "BONE", PLACED)
    assert np.abs(block.values[:, 1]).tolist() == [0, 0.5, 0]


def whole(
    curves: Curves, which: RootMotion, head: tuple[float, float, float] = (0, 0, 0), begins: float | None = None
) -> tuple[Floats, Floats]:
    return whole_path(curves, FRAMES, rig(head), SCALE, which, Placement.origin(), begins)


STAYS = [(0.0, 0.0, 0.0)] * 3


@pytest.mark.parametrize("which", ["OBJECT", "BONE"])
def test_what_object_and_root_carry_together(which: RootMotion) -> None:
    """The object goes 10 to the left and rotates by a quarter, by which what is ahead comes to the left; the root, 5 ahead, goes 1 ahead
    from there: what is 6 ahead of the object is 6 to its left then."""
    head = (0.0, 0.0, 5.0)
    curves = carried("OBJECT", [(0, 0, 0), (10, 0, 0), (10, 0, 0)], [(0, 0, 0), (0, QUARTER, 0), (0, QUARTER, 0)], head)
    curves |= carried("BONE", [(0, 0, 0), (0, 0, 0), (0, 0, 1)], STAYS, head)
    positions, angles = whole(curves, which, head)
    assert np.allclose(positions, [(0, 0, 0), (15, 0, -5), (16, 0, -5)], atol=1e-5)
    assert np.allclose(angles, [(0, 0, 0), (0, QUARTER, 0), (0, QUARTER, 0)], atol=1e-6)


@pytest.mark.parametrize("moved", [0.0, 1e-6, 0.1])
def test_what_carries_nothing_is_left_out(moved: float) -> None:
    """A key that moves by less than can be seen; else it carries what a path of properties does not."""
    curves = carried("NONE", [(0, 0, 0), (0, 0, 3), (0, 0, 6)], STAYS, (0, 0, 0))
    curves |= carried("OBJECT", [(0, 0, 0), (moved, 0, 0), (0, 0, 0)], STAYS, (0, 0, 0))
    positions, _ = whole(curves, "NONE")
    assert positions[:, 0].tolist() == pytest.approx([0, moved * (moved > 0.01), 0])
    assert positions[:, 2].tolist() == [0, 3, 6]


def test_a_path_of_properties_counts_from_where_it_begins() -> None:
    curves = carried("NONE", [(0, 0, 1), (0, 0, 3), (0, 0, 6)], STAYS, (0, 0, 0))
    assert whole(curves, "NONE", begins=2.0)[0][:, 2].tolist() == [-2, 0, 3]
    assert whole(curves, "NONE")[0][:, 2].tolist() == [1, 3, 6]
    assert not whole(curves, "BONE")[0].any(), "nobody sees it"


CIRCLE = 2 * np.pi


@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [
        ((0, CIRCLE + 1, 0), (0, 0.5, 0), (0, CIRCLE + 1.5, 0)),
        ((0, CIRCLE + 1, 0), (0.2, 0.3, 0.4), (0.2, CIRCLE + 1.3, 0.4)),  # a heading in front of any rotation
        ((0.2, 0.3, 0.4), (0, 0, CIRCLE + 1), (0.2, 0.3, CIRCLE + 1.4)),  # and what is behind any
        ((0.5, 0, 0), (0.25, 0, 0), (0.75, 0, 0)),
        ((1, 2, 3), (0, 0, 0), (1, 2, 3)),
        ((0, 0, 0), (4, 5, 6), (4, 5, 6)),
    ],
)
def test_rotations_one_after_another(outer: tuple[float, ...], inner: tuple[float, ...], expected: tuple[float, ...]) -> None:
    """From rest, in one step."""
    curves = carried("OBJECT", STAYS, [(0, 0, 0), (0, 0, 0), outer], (0, 0, 0)) | carried(
        "BONE", STAYS, [(0, 0, 0), (0, 0, 0), inner], (0, 0, 0)
    )
    assert whole(curves, "OBJECT")[1][2] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("circles", [0, 1])
def test_rotations_about_several_axes_one_after_another(circles: int) -> None:
    """By their matrices, without jumps, and beginning with the whole circles that both began with."""
    outer = [(0.3, 0.1 + circles * CIRCLE, 0.0), (0.7, 0.4 + circles * CIRCLE, 0.2), (0.9, 0.6 + circles * CIRCLE, 0.1)]
    inner = [(0.2, 0.0, 0.0), (0.4, 0.3, 0.0), (0.3, -0.4, 0.3)]
    curves = carried("OBJECT", STAYS, outer, (0, 0, 0)) | carried("BONE", STAYS, inner, (0, 0, 0))
    angles = whole(curves, "OBJECT")[1]
    both = [path_matrix(np.array(each), rig()) for each in (outer, inner)]
    assert np.allclose(path_matrix(angles, rig()), both[0] @ both[1], atol=1e-6)
    assert np.abs(angles[0] - (0.5, 0.1 + circles * CIRCLE, 0)).max() < 0.1 and np.abs(np.diff(angles, axis=0)).max() < 1.5


def test_matrices_of_triples_are_in_the_game_s_axes() -> None:
    """A quarter to the left brings what is ahead to the left, and one about X what is ahead down."""
    matrices = path_matrix(np.array([(0, QUARTER, 0), (QUARTER, 0, 0), (0, 0, QUARTER)]), rig())
    assert np.allclose(matrices[:2] @ (0, 0, 1), [(1, 0, 0), (0, -1, 0)]) and np.allclose(matrices[2] @ (1, 0, 0), (0, 1, 0))


def keyed(name: str, axis: int, values: list[float], frames: Floats = FRAMES) -> Curves:
    return {Channel("", name, axis): Curve(frames.astype(np.float32), np.array(values, np.float32))}


def test_the_motion_of_an_object_is_in_its_own_space() -> None:
    """Along Y of the world, which is its own X, twice as large; and along Z, where it is flat."""
    motion = object_motion(
        keyed("location", 1, [2, 4, 6]) | keyed("location", 2, [3, 4, 5]) | keyed("rotation_euler", 2, [QUARTER, 0, QUARTER]),
        FRAMES,
        PLACED,
    )
    assert motion is not None
    assert np.allclose(motion[1], [(0, 0, 0), (1, 0, 1), (2, 0, 2)], atol=1e-6)
    assert np.allclose(motion[0], [np.eye(3), PLACED.rotation.T @ PLACED.rotation.T @ PLACED.rotation, np.eye(3)], atol=1e-6)
    linear, offset = relative(PLACED.rotation[None], PLACED.location[None], PLACED)
    assert np.allclose(linear, np.eye(3)) and not offset.any()


@pytest.mark.parametrize(
    ("curves", "moves"),
    [
        ({}, False),
        (keyed("location", 0, [1, 1, 1]), False),
        (keyed("location", 0, [1, 1 + 5e-6, 1]), False),
        (keyed("location", 0, [1, 1.1, 1]), True),
        (keyed("location", 0, [1, 1.1, 1], FRAMES + 50), True),  # at frames that are not looked at
        (keyed("rotation_euler", 2, [QUARTER] * 3), False),
        (keyed("rotation_euler", 1, [0, 0, 0.1]), True),
        (keyed("scale", 1, [0, 0, 0.1]), False),
    ],
)
def test_an_object_moves_or_does_not(curves: Curves, moves: bool) -> None:
    assert (object_motion(curves, FRAMES, PLACED) is not None) is moves


@pytest.mark.parametrize("which", ROOT_MOTIONS)
def test_without_curves_a_path_is_where_it_stood(which: RootMotion) -> None:
    back, angles = path_from({}, FRAMES, rig(), SCALE, which, PLACED)
    assert np.allclose(back, 0) and np.allclose(angles, 0) and back.shape == angles.shape == (3, 3)


def test_what_is_in_blenders_axes_is_keyed_as_it_is() -> None:
    """Bone after bone, component after component."""
    heads = np.zeros((2, 3))
    rig_ = MatrixRig(
        Skeleton(("a", "b"), np.array([-1, 0], np.int32), heads, heads + 1), np.eye(3), np.tile(np.eye(3), (2, 1, 1)), heads, heads
    )
    track = Track("quaternion", np.arange(2), TIMES, np.arange(24.0).reshape(3, 2, 4), np.zeros(3, np.bool_))
    (block,) = blocks_of(Clip("clip", 1.0, [track], None, 2.0), rig_, Timing(1.0, 1.0), 1.0, "NONE", Placement.origin())
    assert block.values.tolist() == [[first, first + 8, first + 16] for first in range(8)]
    assert block.channels == [Channel(bone, "rotation_quaternion", index) for bone in "ab" for index in range(4)]


def test_generated_keys_that_blender_can_not_keep_apart_go() -> None:
    """Two within 0.02 frames behind the second key."""
    times = np.array([0, 1, 1.001, 1.015, 2.0])
    track = Track("euler", np.array([0]), times, times[:, None, None] * np.ones((1, 1, 3)), np.array([False, False, True, True, False]))
    (block,) = blocks_of(Clip("clip", 1.0, [track], None, 2.0), rig(), Timing(1.0, 1.0), SCALE, "OBJECT", PLACED)
    assert block.frames.tolist() == [1, 2, 3] and not block.generated.any()


@pytest.mark.parametrize("moved", [0.001, 0.5])
def test_a_generated_key_between_others_is_where_blender_can_keep_it(moved: float) -> None:
    """So far behind the second key; less than 0.02 frames behind it, it goes there, with what is shown there, 10 more a frame."""
    values = np.array([0, 10, 10 + 10 * moved, 20.0])[:, None, None] * np.ones((1, 1, 3))
    times = np.array([0, 1, 1 + moved, 2.0])
    track = Track("euler", np.array([0]), times, values, np.array([False, False, True, False]))
    (block,) = blocks_of(Clip("clip", 1.0, [track], None, 2.0), rig(), Timing(1.0, 1.0), SCALE, "OBJECT", PLACED)
    late = max(moved, 0.02)
    assert block.frames.tolist() == pytest.approx([1, 2, 2 + late, 3]) and block.generated.tolist() == [False, False, True, False]
    assert np.abs(block.values[0]).tolist() == pytest.approx([0, 10, 10 + 10 * late, 20])
