"""Small rules of poses, directions and weights, whose numbers are known."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.bvh.reading import _joints, _motion_head
from retro_anim.core.motion.comparison import Bones
from retro_anim.core.motion.curves import Curve, rotation_channels
from retro_anim.core.motion.modes import in_modes
from retro_anim.core.motion.pose import Pose
from retro_anim.core.motion.reduction.reduction import _slerp_weights
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.directions import angle_between
from retro_anim.core.motion.rotations.rotation_matrix import Floats, unscaled
from retro_anim.core.reporting.errors import RetroAnimError


def test_a_pose_as_a_document() -> None:
    """Bones in their order, matrices row by row, each bone's own fields."""
    matrices = np.stack([np.eye(4), np.arange(16.0).reshape(4, 4)])
    pose = Pose("tram", 0.5, ("a", "b"), np.array([-1, 0], np.int32), matrices, np.array([1.0, 2, 3]), 0.25, {"pivot": np.eye(2)})
    assert pose.document() == {
        "format": "tram",
        "time": 0.5,
        "bones": [
            {"name": "a", "parent": -1, "position": [0, 0, 0], "matrix": np.eye(4).ravel().tolist(), "pivot": [1, 0]},
            {"name": "b", "parent": 0, "position": [3, 7, 11], "matrix": list(range(16)), "pivot": [0, 1]},
        ],
        "root": {"position": [1, 2, 3], "heading": 0.25},
    }
    assert pose.finite
    for spoiled in ({"heading": np.inf}, {"pivot": np.nan}):
        other = Pose(
            "", 0.0, ("a",), np.array([-1], np.int32), np.eye(4)[None], np.zeros(3), spoiled.get("heading", 0.0),
            {"pivot": np.full(1, spoiled.get("pivot", 0.0))},
        )  # fmt: skip
        assert not other.finite


def test_what_is_no_armature_is_one_bone() -> None:
    bones = Bones.none("cube")
    assert bones.names == ("cube",) and bones.parents.tolist() == [-1] and np.array_equal(bones.rest, np.eye(4)[None])
    assert bones.scaled.tolist() == [True]


def test_angles_between_any_vectors() -> None:
    """By the cosine, of vectors that lie in no plane of the axes."""
    first, second = np.random.default_rng(4).normal(size=(2, 50, 3))
    cosine = (first * second).sum(axis=1) / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)
    assert angle_between(first, second) == pytest.approx(np.arccos(cosine))


def test_many_matrices_lose_their_scale_as_each_does() -> None:
    """Sheared and scaled ones; the Y axis keeps its direction, and all are orthogonal then."""
    matrices = np.random.default_rng(5).normal(size=(2, 4, 3, 3))
    result = unscaled(matrices)
    assert result == pytest.approx(np.array([[unscaled(matrix) for matrix in row] for row in matrices]))
    assert result.swapaxes(-1, -2) @ result == pytest.approx(np.tile(np.eye(3), (2, 4, 1, 1)))
    assert result[..., 1] == pytest.approx(matrices[..., 1] / np.linalg.norm(matrices[..., 1], axis=-1, keepdims=True))


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_weights_of_both_ends_of_a_rotation(share: float) -> None:
    """By the sines of its parts; where the ends are the same, of a straight line."""
    shares = np.full(2, share)
    first, second, size = _slerp_weights(np.array([0.5, 1.0]), shares)
    assert first == pytest.approx([np.sin(np.radians(60 * (1 - share))), 1 - share])
    assert second == pytest.approx([np.sin(np.radians(60 * share)), share])
    assert size == pytest.approx([np.sin(np.radians(60)), 1.0])


def test_rotations_of_bones_without_a_mode_of_their_game_stay() -> None:
    frames, values = np.array([1, 5], np.float32), np.array([0.0, 1.0], np.float32)
    own = {channel: Curve(frames, values, None) for channel in rotation_channels("thigh", "QUATERNION")}
    converted = in_modes(own, {"thigh": "XYZ"}, {"shin": "XYZ"})
    assert converted.curves == own and converted.idle == [] and converted.dropped == []


def test_keys_on_both_sides_of_the_time_line() -> None:
    """More than twice its length apart."""
    frames, values = np.array([-1.2e6, 0, 1.2e6], np.float32), np.zeros(3, np.float32)
    curves = {channel: Curve(frames, values, None) for channel in rotation_channels("thigh", "XYZ")}
    with pytest.raises(RetroAnimError, match="keys from frame -1200000 to 1200000"):
        in_modes(curves, {"thigh": "XYZ"}, {"thigh": "QUATERNION"})


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_quaternions_are_multiplied_however_they_lie_in_memory(dtype: type) -> None:
    """Frame after frame, bone after bone, component after component."""
    first, second = np.random.default_rng(6).normal(size=(2, 5, 3, 4)).astype(dtype)
    w, x, y, z = np.moveaxis(first.astype(np.float64), -1, 0)
    a, b, c, d = np.moveaxis(second.astype(np.float64), -1, 0)
    expected = np.stack(
        [w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b, w * d + x * c - y * b + z * a],
        axis=-1,
    )

    def lying(values: Floats) -> list[Floats]:
        return [
            values,
            np.ascontiguousarray(values.swapaxes(0, 1)).swapaxes(0, 1),
            np.moveaxis(np.ascontiguousarray(np.moveaxis(values, -1, 0)), 0, -1),
        ]

    for one in lying(first):
        for other in lying(second):
            assert quat.multiply(one, other) == pytest.approx(expected, rel=1e-6)


def test_a_root_of_a_bvh_file_is_one_wherever_it_stands() -> None:
    """Also where the brace of the one before is missing."""
    joints = _joints("ROOT a { OFFSET 0 0 0 CHANNELS 0 JOINT c { OFFSET 0 0 1 CHANNELS 0 ROOT b { OFFSET 1 0 0 CHANNELS 0 } }")
    assert [(joint.name, joint.parent) for joint in joints] == [("a", -1), ("c", 0), ("b", -1)]
    assert _motion_head("1 2 3") == (0, 0.0, "1 2 3"), "numbers without a head"
