"""Keys of poses as they look, of skeletons whose poses are known beforehand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from retro_anim.core.mindpower.files.skeleton.lab import Lab, new_lab
from retro_anim.core.mindpower.motion import channels, fitting, update
from retro_anim.core.mindpower.motion.rig import LabRig

HALF = np.sin(np.pi / 4)


def fan(bones: int, frames: int, reach: float = 0.5) -> Lab:
    """A root that lies on its back somewhere, and children `reach` from it along Y, each of which rotates by a quarter about Z in odd
    frames."""
    binds = np.tile(np.eye(4), (bones, 1, 1))
    binds[1:, 3, 1] = -reach
    positions, quaternions = np.zeros((bones, frames, 3)), np.zeros((bones, frames, 4))
    positions[1:, :, 1], quaternions[..., 3] = reach, 1
    quaternions[1:, 1::2] = 0, 0, HALF, HALF
    positions[0], quaternions[0] = (1, 2, 3), (HALF, 0, 0, HALF)
    return new_lab([f"bone {bone}" for bone in range(bones)], [-1, *[0] * (bones - 1)], binds).with_quaternions(positions, quaternions)


def poses_of(lab: Lab, scale: float = 1.0) -> tuple[NDArray[np.float64], LabRig]:
    rig = LabRig.of(lab, scale)
    return channels.poses(fitting.fit(lab, rig)), rig


@pytest.mark.parametrize("frames", [0, 1, 63, 64, 65, 150])
def test_of_any_number_of_frames(frames: int) -> None:
    """Of 256 bones 64 frames are calculated with in one go."""
    lab = fan(256, max(frames, 1))
    pose, rig = poses_of(lab)
    old = np.where(np.arange(frames) == 3, -1, np.arange(frames))
    keys = update.encode_poses(pose[:frames], rig, fitting.fit(lab, rig), old)
    np.testing.assert_allclose(keys.positions, lab.positions[:, :frames].swapaxes(0, 1), atol=1e-6)
    np.testing.assert_allclose(keys.rotations, lab.quaternions[:, :frames].swapaxes(0, 1)[..., [3, 0, 1, 2]], atol=1e-6)
    assert keys.linear.shape == (frames, 256, 3, 3) and keys.old.tolist() == old.tolist()
    assert keys.kept_positions.all(axis=1).tolist() == keys.kept_rotations.any(axis=1).tolist() == (old >= 0).tolist()
    assert not keys.skewed.any()


@pytest.mark.parametrize(("known", "old"), [(False, range(4)), (False, [-1] * 4), (True, [-1] * 4)])
def test_without_frames_of_the_file_nothing_is_kept(known: bool, old: Sequence[int]) -> None:
    """Or without the file itself, whose frames they once were."""
    lab = fan(3, 4)
    pose, rig = poses_of(lab)
    keys = update.encode_poses(pose, rig, fitting.fit(lab, rig) if known else None, np.array(old))
    assert keys.changed.all() and keys.kept_positions.tolist() == [[False] * 3] * 4
    np.testing.assert_allclose(keys.linear[1, 1], [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], atol=1e-6)


@pytest.mark.parametrize(("reach", "least"), [(0.5, 2e-5), (100, 2e-3)])
@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_what_looks_like_the_import(reach: float, least: float, scale: float) -> None:
    """What differs by less than two hundred-thousandths of a metre, or of the distance to the farthest bone, in the game's units."""
    lab = fan(3, 4, reach)
    pose, rig = poses_of(lab, scale)
    for part, kept in ((0.8, True), (1.2, False)):
        moved = pose.copy()
        moved[2, 1, 1, 3] += part * least * scale
        keys = update.encode_poses(moved, rig, fitting.fit(lab, rig), np.arange(4))
        assert keys.kept_positions[2].tolist() == keys.kept_rotations[2].tolist() == [True, kept, True]
        assert keys.kept_positions[[0, 1, 3]].all()


@pytest.mark.parametrize("reach", [0.5, 100])
def test_a_rotation_that_looks_like_the_import(reach: float) -> None:
    """By less than two hundred-thousandths of a radian, however large the bones are: three thousandths of a degree are seen as off."""
    lab = fan(3, 4, reach)
    pose, rig = poses_of(lab)
    for angle, kept in ((1.5e-5, True), (np.radians(0.003), False)):
        rotated = pose.copy()
        rotated[2, 1, :3, :3] = np.array([[1, -angle, 0], [angle, 1, 0], [0, 0, 1]]) @ rotated[2, 1, :3, :3]
        keys = update.encode_poses(rotated, rig, fitting.fit(lab, rig), np.arange(4))
        assert keys.kept_rotations[2].tolist() == [True, kept, True]


@pytest.mark.parametrize(
    ("change", "skewed"),
    [(np.diag([1, 1, 1.0004]), False), (np.diag([1, 1.0006, 1]), True), (np.diag([1, 1, -1]), True), (-np.eye(3), True)],
)
def test_what_no_quaternion_holds(change: NDArray[np.float64], skewed: bool) -> None:
    """Scaled by more than half a thousandth, or mirrored."""
    lab = fan(2, 4)
    pose, rig = poses_of(lab)
    pose[3, 1, :3, :3] = pose[3, 1, :3, :3] @ change
    keys = update.encode_poses(pose, rig, None, np.full(4, -1))
    assert keys.skewed.tolist() == [[False, False]] * 3 + [[False, skewed]]


def test_the_quaternion_of_a_scaled_bone_is_its_rotation() -> None:
    lab = fan(2, 2)
    pose, rig = poses_of(lab)
    pose[1, 1, :3, :3] = pose[1, 1, :3, :3] @ np.diag([2, 3, 0.5])
    keys = update.encode_poses(pose, rig, None, np.full(2, -1))
    np.testing.assert_allclose(keys.rotations[1, 1], [HALF, 0, 0, HALF], atol=1e-6)
