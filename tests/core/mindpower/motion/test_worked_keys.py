"""Keys that are known beforehand: of bones that Blender cannot hold, without the file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.mindpower.files.skeleton.lab import new_lab
from retro_anim.core.mindpower.motion import fitting, update
from retro_anim.core.mindpower.motion.rig import LabRig


@pytest.mark.parametrize("evenly", [False, True])
def test_what_blender_could_not_show_of_a_bone_is_added_to_its_keys(evenly: bool) -> None:
    """A root, an arm that is sheared by 0.25, 0.5 and 0.75, and a hand on it, which stands 2 from it. The keys are those that they have in
    the game, of frames of the original; in any other they are what Blender shows. evenly: along both axes, so that no scale shows it."""
    game = np.zeros((3, 3, 4, 3))
    game[:, :, :3] = np.eye(3)
    game[1, :, 0, 1] = [0.25, 0.5, 0.75]
    game[1, :, 1, 0] = evenly * game[1, :, 0, 1]
    game[2, :, 3, 0] = 2
    lab = new_lab(["root", "arm", "hand"], [-1, 0, 1], np.tile(np.eye(4), (3, 1, 1))).with_matrices(game)
    shown = fitting.fit(lab, LabRig.of(lab), choose=True)
    assert sorted(shown.errors) == [1, 2]
    moved, wanted = np.zeros(3, bool), game.swapaxes(0, 1)
    keys = update.encode(shown, None, np.arange(3), moved, shown.errors)
    np.testing.assert_allclose(keys.linear, wanted[..., :3, :], atol=1e-5)
    np.testing.assert_allclose(keys.positions, wanted[..., 3, :], atol=1e-5)
    assert keys.skewed.tolist() == [[False, True, False]] * 3
    assert not keys.kept_positions.any() and not keys.kept_rotations.any()
    partly = update.encode(shown, None, np.array([0, -1, 2]), moved, shown.errors)
    np.testing.assert_allclose(partly.linear[[0, 2]], keys.linear[[0, 2]], atol=1e-6)
    without = update.encode(shown, None, np.arange(3), moved).linear
    np.testing.assert_allclose(partly.linear[1], without[1], atol=1e-6)
    assert np.abs(without[:, 1] - wanted[:, 1, :3]).max(axis=(1, 2)).min() > 0.05


def test_lengths_of_rotations_that_are_the_game_s_own_stay_where_the_file_is_gone() -> None:
    """Quaternions of files are as far from 1 as rounding leaves them. With the file at hand it has them; what is new has length 1."""
    lab = new_lab(["root"], [-1], np.eye(4)[None]).with_quaternions(np.zeros((1, 3, 3)), np.tile([0, 0, 0, 1.0], (1, 3, 1)))
    plain = fitting.fit(lab, LabRig.of(lab), choose=True)
    shown = replace(plain, rotations=plain.rotations * np.array([1 + 5e-6, 1.5, 0.0], np.float32)[:, None, None])
    old, moved = np.arange(3), np.zeros(1, bool)
    for before, lengths in ((None, (1 + 5e-6, 1, 1)), (update.Before(lab, plain), (1, 1, 1))):
        keys = update.encode(shown, before, old, moved)
        np.testing.assert_allclose(np.linalg.norm(keys.rotations[:, 0].astype(float), axis=1), lengths, rtol=0, atol=1e-6)


@pytest.mark.parametrize("parents", [[-1, 0, -1], [-1, -1, 0]])
def test_keys_of_an_old_file_with_two_roots(parents: list[int]) -> None:
    """Two frames: a root has two positions and two quaternions, any other bone one position and two quaternions."""
    old = replace(new_lab(["root", "arm", "other"], parents, np.tile(np.eye(4), (3, 1, 1))), version=1, frame_count=2)
    numbers = np.arange(14 + 11 + 14, dtype=np.float32)
    lab = replace(old, keys=numbers)
    start = 0
    for bone, parent in enumerate(parents):
        count = 6 if parent < 0 else 3
        assert lab.positions[bone].tolist() == numbers[start : start + count].reshape(-1, 3).tolist() * (2 if count == 3 else 1)
        assert lab.quaternions[bone].ravel().tolist() == numbers[start + count : start + count + 8].tolist()
        start += count + 8
