"""Clips of any tracks as blocks: what Blender shows of them is the game's own pose, calculated here bone after bone with matrices."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.blocks import blocks_of, blocks_of_all, sample_track
from retro_anim.core.motion.clip import Clip, Path, PropertyTrack, Track, TrackKind
from retro_anim.core.motion.curves import Channel, Curves, Placement, Timing, curves_of, sample
from retro_anim.core.motion.rigs.matrix_rig import MatrixRig, compose
from retro_anim.core.motion.rigs.rig import Y_UP, Convention, Rig
from retro_anim.core.motion.rigs.skeleton import Skeleton
from retro_anim.core.motion.rotations import quaternion, rotation_matrix

PARENTS = np.array([-1, 0, 1, 0], np.int32)
NAMES = ("root", "spine", "head", "leg")
BONES = np.arange(4)
TIMES = np.arange(5.0)
FILE = np.zeros(5, bool)
TIMING = Timing(30, 24, 10)
PRODUCT = ((0, 0, 1), (1, 2, -1), (2, 1, 1))


def unit(*shape: int, seed: int) -> np.ndarray:
    return quaternion.normalised(np.random.default_rng(seed).normal(size=(*shape, 4)))


def matrix_rig(own: np.ndarray | None) -> MatrixRig:
    heads = np.random.default_rng(3).normal(size=(4, 3))
    skeleton = Skeleton(NAMES, PARENTS, heads @ Y_UP, heads @ Y_UP)
    return MatrixRig(skeleton, Y_UP, rotation_matrix.from_quaternion(unit(4, seed=1)), heads, heads, own)


def blocks(tracks: list[Track], rig: Rig | MatrixRig, path: Path | None = None, **options) -> Curves:
    clip = Clip("walk", 30, tracks, path, 4)
    return curves_of(blocks_of(clip, rig, TIMING, options.get("scale", 0.5), options.get("root_motion", "BONE"), Placement.origin()))


def channels(bone: str, name: str, count: int) -> list[Channel]:
    return [Channel(bone, name, index) for index in range(count)]


def shown(curves: Curves, rig: Rig | MatrixRig, scale: float) -> np.ndarray:
    """(5, bones, 4, 4) armature-space poses as Blender calculates them, at the clip's keys."""
    frames = 10 + TIMES * 24 / 30
    rest = compose(rig.heads * scale, quaternion.of_matrix(rig.rest), np.ones((4, 3)))
    pose = np.empty((5, 4, 4, 4))
    for bone, parent in enumerate(PARENTS.tolist()):
        basis = compose(
            sample(curves, channels(NAMES[bone], "location", 3), frames, np.zeros(3)),
            sample(curves, channels(NAMES[bone], "rotation_quaternion", 4), frames, np.array([1.0, 0, 0, 0])),
            sample(curves, channels(NAMES[bone], "scale", 3), frames, np.ones(3)),
        )
        above = rest[bone] if parent < 0 else pose[:, parent] @ np.linalg.inv(rest[parent]) @ rest[bone]
        pose[:, bone] = above @ basis
    return pose


def test_local_rotations_and_displacements_of_a_game_give_its_own_pose() -> None:
    own, local = unit(4, seed=2), unit(5, 4, seed=4)
    rig = matrix_rig(own)
    shift = np.random.default_rng(5).normal(size=(5, 4, 3))
    curves = blocks([Track("quaternion", BONES, TIMES, local, FILE), Track("translation", BONES, TIMES, shift, FILE)], rig)
    pose = shown(curves, rig, 0.5)
    # In the game: each bone's orientation is its parent's times its own rotation, its joint stands at rest offset and displacement.
    rotations, joints = np.empty((5, 4, 3, 3)), np.empty((5, 4, 3))
    at_rest = [
        rotation_matrix.from_quaternion(each) for each in quaternion.multiply(quaternion.of_matrix(rig.rest), quaternion.conjugate(own))
    ]
    for bone, parent in enumerate(PARENTS.tolist()):
        rotated = rotation_matrix.from_quaternion(local[:, bone])
        if parent < 0:
            rotations[:, bone], joints[:, bone] = Y_UP @ rotated, rig.heads[bone] + shift[:, bone] @ Y_UP.T
        else:
            offset = at_rest[parent].T @ (rig.heads[bone] - rig.heads[parent])
            rotations[:, bone] = rotations[:, parent] @ rotated
            joints[:, bone] = joints[:, parent] + np.einsum("kij,kj->ki", rotations[:, parent], offset + shift[:, bone])
    np.testing.assert_allclose(pose[..., :3, 3], joints * 0.5, atol=1e-5)
    np.testing.assert_allclose(pose[..., :3, :3], rotations @ rotation_matrix.from_quaternion(own), atol=1e-5)


def test_tracks_in_blenders_own_axes_stand_in_the_curves_as_they_are() -> None:
    rig = matrix_rig(None)
    local, size = unit(5, 2, seed=6).astype(np.float32), np.random.default_rng(7).uniform(0.5, 2, (5, 1, 3)).astype(np.float32)
    curves = blocks(
        [Track("quaternion", np.array([1, 3]), TIMES, local, FILE), Track("scale", np.array([2]), TIMES, size, FILE)], rig, scale=2.0
    )
    for column, name in enumerate(("spine", "leg")):
        for index in range(4):
            np.testing.assert_array_equal(curves[Channel(name, "rotation_quaternion", index)].values, local[:, column, index])
    np.testing.assert_array_equal(curves[Channel("head", "scale", 1)].values, size[:, 0, 1])
    assert len(curves) == 11


@pytest.mark.parametrize("axes", [Y_UP, np.diag([1.0, -1, 1])], ids=["y up", "mirrored"])
@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
def test_quaternions_and_scale_of_an_axis_aligned_rig(axes: np.ndarray, direction) -> None:
    """The same rotation of points: Blender's, seen in the game's axes, is the game's."""
    heads = np.array([[0, 0, 0], [0, 2, 0], [0, 2, 3], [1, 0, 0]], float)
    rig = Rig.build(Skeleton(NAMES, PARENTS, heads, heads + np.array([0, 0, 1.0])), Convention(axes, PRODUCT), direction)
    local, size = unit(5, 4, seed=8), np.random.default_rng(9).uniform(0.5, 2, (5, 4, 3))
    curves = blocks([Track("quaternion", BONES, TIMES, local, FILE), Track("scale", BONES, TIMES, size, FILE)], rig)
    frames = 10 + TIMES * 24 / 30
    for bone, name in enumerate(NAMES):
        basis = rotation_matrix.from_quaternion(sample(curves, channels(name, "rotation_quaternion", 4), frames, np.zeros(4)))
        factors = sample(curves, channels(name, "scale", 3), frames, np.ones(3))
        into = rig.rest[bone].T @ axes  # game axes -> the bone's axes in Blender
        np.testing.assert_allclose(into.T @ basis @ into, rotation_matrix.from_quaternion(local[:, bone]), atol=1e-6)
        sizes = np.einsum("ij,kj->ki", np.abs(into), size[:, bone])
        np.testing.assert_allclose(factors, sizes, atol=1e-6)


@pytest.mark.parametrize("kind", ["euler", "translation", "scale"])
def test_single_components_are_those_of_the_whole_track(kind: TrackKind) -> None:
    heads = np.array([[0, 0, 0], [0, 2, 0], [0, 2, 3], [1, 0, 0]], float)
    rig = Rig.build(Skeleton(NAMES, PARENTS, heads, heads + np.array([1.0, 0, 0])), Convention(Y_UP, PRODUCT), "CHILD")
    values = np.random.default_rng(10).normal(size=(5, 4, 3))
    whole = blocks([Track(kind, BONES, TIMES, values, FILE)], rig)
    parts = blocks([Track(kind, BONES, TIMES, values[..., chosen], FILE, chosen) for chosen in ((1,), (2, 0))], rig)
    assert parts.keys() == whole.keys()
    for channel, curve in whole.items():
        np.testing.assert_array_equal(parts[channel].values, curve.values)
    lone = blocks([Track(kind, BONES, TIMES, values[..., 1:2], FILE, (1,))], rig)
    assert len(lone) == 4


def test_components_of_a_translation_need_axes_that_are_the_games() -> None:
    with pytest.raises(ValueError, match="not along the game's axes"):
        blocks([Track("translation", BONES, TIMES, np.zeros((5, 4, 1)), FILE, (1,))], matrix_rig(unit(4, seed=2)))


@pytest.mark.parametrize("own", [None, unit(4, seed=2)], ids=["Blender's axes", "the game's axes"])
def test_sampling_gives_the_tracks_back(own: np.ndarray | None) -> None:
    rig, scale = matrix_rig(own), 0.1
    tracks = [
        Track("quaternion", BONES, TIMES, unit(5, 4, seed=11), FILE),
        Track("translation", BONES[1:], TIMES, np.random.default_rng(12).normal(size=(5, 3, 3)), FILE),
        Track("scale", BONES[:2], TIMES, np.random.default_rng(13).uniform(0.5, 2, (5, 2, 3)), FILE),
    ]
    curves = blocks(tracks, rig, scale=scale)
    frames = TIMING.frames(TIMES)
    for track in tracks:
        np.testing.assert_allclose(sample_track(curves, track.kind, track.bones, frames, rig, scale), track.values, atol=1e-5)
    still = sample_track({}, "quaternion", BONES, frames, rig, scale)
    np.testing.assert_allclose(still, np.broadcast_to(rig.resting, (5, 4, 4)), atol=1e-12)


def test_root_motion_that_never_rotates_is_a_location_alone() -> None:
    positions = np.arange(15.0).reshape(5, 3)
    rig, placement = matrix_rig(None), Placement(np.array([1.0, 2, 3]), np.eye(3), np.zeros(3), np.ones(3))
    clip = Clip("walk", 30, [], Path(TIMES, positions, None, FILE), 4)
    (block,) = blocks_of(clip, rig, TIMING, 0.5, "OBJECT", placement)
    assert block.channels == channels("", "location", 3)
    np.testing.assert_allclose(block.values[:, 1], [1 + 1.5, 2 - 2.5, 3 + 2.0])  # (3, 4, 5) -> (3, -5, 4), halved
    turning = Clip("walk", 30, [], Path(TIMES, positions, positions, FILE), 4)
    with pytest.raises(ValueError, match="Euler"):
        blocks_of(turning, rig, TIMING, 0.5, "OBJECT", placement)


def test_numbers_of_any_bone_are_its_custom_property() -> None:
    track = PropertyTrack("oni2_scale", TIMES, np.arange(5.0)[:, None], FILE, bone=2, stepped=False, components=(1,))
    (block,) = blocks_of(Clip("walk", 30, [], None, 4, properties=[track]), matrix_rig(None), TIMING, 1, "BONE", Placement.origin())
    assert block.channels == [Channel("head", '["oni2_scale"]', 1)]
    assert not block.stepped
    np.testing.assert_array_equal(block.values, [[0, 1, 2, 3, 4]])


def test_several_clips_with_bones_keyed_at_times_of_their_own() -> None:
    rig = matrix_rig(unit(4, seed=2))
    clips = []
    for seed in (20, 21):
        tracks = [
            Track("quaternion", np.array([bone]), np.arange(2.0 + bone), unit(2 + bone, 1, seed=seed + bone), np.zeros(2 + bone, bool))
            for bone in range(4)
        ]
        clips.append(Clip("walk", 30, tracks, None, 4))
    together = blocks_of_all([(clip, TIMING) for clip in clips], rig, 1, "BONE", Placement.origin())
    for clip, blocks_together in zip(clips, together, strict=True):
        for bone, block in enumerate(blocks_together):
            expected = rig.to_basis("quaternion", np.array([bone]), clip.tracks[bone].values)[:, 0]
            assert block.channels == channels(NAMES[bone], "rotation_quaternion", 4)
            np.testing.assert_array_equal(block.values, expected.T.astype(np.float32))
