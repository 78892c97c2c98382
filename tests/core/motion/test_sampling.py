"""From curves and from poses back to the game's numbers, whatever rotation mode a bone was put into."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.motion.curves import Channel, Curve, Curves
from retro_anim.core.motion.modes import in_modes
from retro_anim.core.motion.rigs.rig import Y_UP, Convention, Rig
from retro_anim.core.motion.rigs.skeleton import Skeleton
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.sampling import BoneSamples, frame_of_last, key_frames, one_a_unit, sample_curves, sample_poses, stepped

MERGE = 0.01
"""Frames: keys that are nearer to each other are one."""

CONVENTION = Convention(Y_UP, ((2, 1, 1), (0, 0, 1), (1, 2, -1)))
SCALE = 0.5


def chain() -> Rig:
    """Three bones, each on the one before, towards their children."""
    heads = np.array([[0.0, 0, 0], [0, 2, 0], [0, 2, 3]])
    skeleton = Skeleton(("a", "b", "c"), np.array([-1, 0, 1], np.int32), heads, np.array([[0.0, 2, 0], [0, 2, 3], [1, 2, 3]]))
    return Rig.build(skeleton, CONVENTION, "CHILD")


def test_the_frame_that_shows_a_last_key_is_at_it_or_behind_it() -> None:
    """What is rounding is at it."""
    assert [frame_of_last(time) for time in (0.0, 3.0, 3.0 + 1e-9, 3.2, 3.9)] == [0, 3, 3, 4, 4]


def test_of_several_keys_in_one_unit_of_time_the_nearest_is_kept() -> None:
    """Or those that stay; of two that are as near the earlier."""
    times = np.array([0.0, 0.8, 1.1, 1.3, 1.75, 2.25, 2.9, 3.2, 4.4])
    stays = np.array([False] * 6 + [False, True, False])
    assert times[one_a_unit(times, stays)].tolist() == [0.0, 1.1, 1.75, 3.2, 4.4]
    assert times[one_a_unit(times, stays | (times == 1.3) | (times == 2.9))].tolist() == [0.0, 1.3, 1.75, 2.9, 3.2, 4.4]


def curve(frames: list[float], values: list[float]) -> Curve:
    return Curve(np.array(frames, np.float32), np.array(values, np.float32))


def keyed(bone: str, name: str, rows: np.ndarray) -> Curves:
    """(K, C) values at frames 1, 2, 3 …"""
    frames = [float(frame + 1) for frame in range(len(rows))]
    return {Channel(bone, name, column): curve(frames, rows[:, column].tolist()) for column in range(rows.shape[1])}


@given(st.lists(st.lists(st.floats(0, 100, width=32), min_size=1, max_size=8), max_size=4))
def test_key_frames_are_those_of_all_curves_without_near_doubles(lists: list[list[float]]) -> None:
    curves: Curves = {Channel("a", "location", number): curve(sorted(frames), frames) for number, frames in enumerate(lists)}
    result = key_frames(curves)
    every = sorted({frame for frames in lists for frame in frames})
    assert (np.diff(result) >= MERGE).all() and set(result) <= set(every)
    kept = [frame for position, frame in enumerate(every) if position == 0 or frame - every[position - 1] >= MERGE]
    assert result.tolist() == kept


def test_key_frames_of_chosen_channels() -> None:
    curves = {Channel("a", "location", 0): curve([1, 5], [0, 0]), Channel("a", "scale", 0): curve([3], [1])}
    assert key_frames(curves).tolist() == [1, 3, 5]
    assert key_frames(curves, [Channel("a", "scale", 0), Channel("b", "scale", 0)]).tolist() == [3]
    assert key_frames({}).tolist() == []
    close = curve([0, 1, 1.005, 2], [0] * 4)
    assert key_frames({Channel("a", "location", number): close for number in range(3)}).tolist() == [0, 1, 2]


def test_curves_give_the_games_angles_and_units() -> None:
    rig = chain()
    random = np.random.default_rng(1)
    angles = random.uniform(-4, 4, (2, 3, 3))
    positions = random.normal(size=(2, 3, 3))
    bones = np.arange(3)
    euler, location = rig.euler_to_basis(bones, angles), rig.location_to_basis(bones, positions) * SCALE
    curves: Curves = {}
    for bone, name in enumerate("abc"):
        curves |= keyed(name, "rotation_euler", euler[:, bone]) | keyed(name, "location", location[:, bone])
    curves |= keyed("b", "scale", np.array([[1.0, 2, 3], [3, 2, 1]]))
    result = sample_curves(curves, np.array([1.0, 2.0]), rig, SCALE)
    assert np.allclose(result.angles, angles, atol=1e-6) and np.allclose(result.positions, positions, atol=1e-6)
    assert result.sizes[:, 1].tolist() == [[1, 2, 3], [3, 2, 1]] and (result.sizes[:, [0, 2]] == 1).all()
    between = sample_curves(curves, np.array([1.5]), rig, SCALE)
    assert np.allclose(between.positions[0], positions.mean(axis=0), atol=1e-6)


def test_bones_without_curves_rest() -> None:
    result = sample_curves({}, np.array([1.0, 9.0]), chain(), SCALE)
    assert not result.angles.any() and not result.positions.any() and (result.sizes == 1).all()


@pytest.mark.parametrize("mode", ["QUATERNION", "AXIS_ANGLE", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"])
def test_any_rotation_mode_gives_the_same_rotation(mode: str) -> None:
    rig = chain()
    angles = np.random.default_rng(2).uniform(-1.4, 1.4, (4, 1, 3))
    euler = rig.euler_to_basis(np.array([1]), angles)[:, 0]
    matrix = rotation_matrix.from_euler(euler, rig.modes[1])
    if mode in ("QUATERNION", "AXIS_ANGLE"):
        trace = np.arccos((np.trace(matrix, axis1=1, axis2=2) - 1) / 2)
        axis = np.stack([matrix[:, 2, 1] - matrix[:, 1, 2], matrix[:, 0, 2] - matrix[:, 2, 0], matrix[:, 1, 0] - matrix[:, 0, 1]], axis=1)
        axis /= np.linalg.norm(axis, axis=1, keepdims=True)
        half = trace[:, None] / 2
        values = np.concatenate([np.cos(half), np.sin(half) * axis] if mode == "QUATERNION" else [trace[:, None], axis], axis=1)
        name = "rotation_quaternion" if mode == "QUATERNION" else "rotation_axis_angle"
    else:
        values, name = rotation_matrix.to_euler(matrix, mode), "rotation_euler"
    curves = in_modes(keyed("b", name, values), {"b": mode}, {"b": rig.modes[1]}).curves
    result = sample_curves(curves, np.arange(1.0, 5.0), rig, SCALE)
    again = rotation_matrix.from_euler(rig.euler_to_basis(np.array([1]), result.angles[:, 1:2])[:, 0], rig.modes[1])
    assert np.allclose(again, matrix, atol=1e-6)


def posed(rig: Rig, samples: BoneSamples) -> np.ndarray:
    """(K, B, 4, 4) pose matrices by Blender's formula."""
    bones = np.arange(3)
    euler, location = rig.euler_to_basis(bones, samples.angles), rig.location_to_basis(bones, samples.positions)
    rest = np.tile(np.eye(4), (3, 1, 1))
    rest[:, :3, :3], rest[:, :3, 3] = rig.rest, rig.heads * SCALE
    pose = np.tile(np.eye(4), (len(euler), 3, 1, 1))
    for frame in range(len(euler)):
        for bone in range(3):
            basis = np.eye(4)
            basis[:3, :3] = rotation_matrix.from_euler(euler[frame, bone], rig.modes[bone]) * samples.sizes[frame, bone]
            basis[:3, 3] = location[frame, bone] * SCALE
            above = pose[frame, bone - 1] @ np.linalg.inv(rest[bone - 1]) if bone else np.eye(4)
            pose[frame, bone] = above @ rest[bone] @ basis
    return pose


def test_poses_give_back_what_made_them() -> None:
    rig = chain()
    random = np.random.default_rng(4)
    sizes = np.ones((5, 3, 3))
    sizes[:, 2] = 1.5
    created = BoneSamples(random.uniform(-1.4, 1.4, (5, 3, 3)), random.normal(size=(5, 3, 3)), sizes)
    result = sample_poses(posed(rig, created), rig, SCALE, None)
    assert np.allclose(posed(rig, result), posed(rig, created), atol=1e-9)
    assert np.allclose(result.positions, created.positions) and np.allclose(result.sizes, sizes)


def test_the_triple_that_was_meant_is_kept_only_for_the_same_rotation() -> None:
    """More than a whole turn, and the other way round the pole, are rotations like any other; the keyed numbers tell which was meant."""
    rig = chain()
    meant = BoneSamples(np.array([[[7.0, 2.5, -9.0]] * 3]), np.zeros((1, 3, 3)), np.ones((1, 3, 3)))
    pose = posed(rig, meant)
    assert np.array_equal(sample_poses(pose, rig, SCALE, meant).angles, meant.angles)
    alone = sample_poses(pose, rig, SCALE, None)
    assert np.abs(alone.angles).max() <= np.pi + 1e-9
    other = BoneSamples(meant.angles + 0.01, meant.positions, meant.sizes)
    assert np.allclose(sample_poses(pose, rig, SCALE, other).angles, alone.angles)


def test_stepped_properties_are_those_of_the_key_ahead() -> None:
    curves = {Channel("a", '["step"]', 0): curve([1, 3, 6], [10, 20, 30]), Channel("a", '["step"]', 1): curve([1], [5])}
    result = stepped(curves, "a", "step", np.array([0.0, 1.0, 2.0, 3.0, 3.005, 3.5, 9.0]), 2)
    assert result is not None and result.tolist() == [[10, 5], [10, 5], [20, 5], [20, 5], [20, 5], [30, 5], [30, 5]]
    assert stepped(curves, "b", "step", np.array([1.0]), 1) is None
    gone = stepped(curves, "a", "step", np.array([1.0]), 3)
    assert gone is not None and gone.tolist() == [[10, 5, 0]], "the others stay"
