"""Keys of what Blender shows, of skeletons whose keys are known beforehand: what is the file's own, what is as it is seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from retro_anim.core.mindpower.files.skeleton.lab import Lab, new_lab
from retro_anim.core.mindpower.motion import channels, evaluate, fitting, update
from retro_anim.core.mindpower.motion.motion import Motion
from retro_anim.core.mindpower.motion.rig import LabRig

NAMES, PARENTS, BINDS = ["root", "arm", "hand"], [-1, 0, 1], np.tile(np.eye(4), (3, 1, 1))
NONE, ALL = np.zeros(3, bool), np.ones(3, bool)
ROOT, ARM, HAND = range(3)


def rotating() -> Lab:
    """Three frames of three bones, each of which rotates about an axis of its own and moves along it, none twice as far."""
    half = np.array([[0.1, 0.2, 0.3], [0.15, 0.25, 0.35], [0.05, 0.4, 0.45]])
    quaternions, positions = np.zeros((3, 3, 4)), np.zeros((3, 3, 3))
    for bone in range(3):
        quaternions[bone, :, bone], quaternions[bone, :, 3] = np.sin(half[bone]), np.cos(half[bone])
        positions[bone, :, bone] = 1 + half[bone]
    return new_lab(NAMES, PARENTS, BINDS).with_quaternions(positions, quaternions)


def sheared() -> Lab:
    """The same with quaternions of the arm that are not of length 1, which the game takes as they are: they scale and shear."""
    lab = rotating()
    quaternions = lab.quaternions.copy()
    quaternions[ARM] = [[0.3, 0, 0.4, 1], [0.3, 0.2, 0.4, 1], [0.3, 0.4, 0, 1]]
    return lab.with_quaternions(lab.positions, quaternions)


def shown_of(lab: Lab, helped: bool = False) -> Motion:
    return fitting.fit(lab, LabRig.of(lab), choose=True, helped=ALL if helped else NONE)


def with_channels(motion: Motion, name: str, bone: int, values: object, frames: object = slice(None)) -> Motion:
    """It with other values (F, C) of the locations, rotations or scales of a bone."""
    changed = getattr(motion, name).copy()
    changed[frames, bone] = values
    return replace(motion, **{name: changed})


def file_keys(lab: Lab, frames: list[int]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(K, bones, 3) and (K, bones, 4) w, x, y, z."""
    return lab.positions[:, frames].swapaxes(0, 1), lab.quaternions[:, frames].swapaxes(0, 1)[..., [3, 0, 1, 2]]


def worlds_of(keys: update.Keys) -> NDArray[np.float64]:
    """(K, bones, 4, 4) for row vectors in model space, of bones that hang on one another."""
    local = np.zeros((*keys.positions.shape[:2], 4, 4))
    local[..., :3, :3], local[..., 3, :3], local[..., 3, 3] = keys.linear, keys.positions, 1
    for bone, parent in enumerate(PARENTS):
        if parent >= 0:
            local[:, bone] = local[:, bone] @ local[:, parent]
    return local


def shown_worlds(motion: Motion) -> NDArray[np.float64]:
    """The same of what Blender shows, which has Y the other way and columns for vectors; binds and rests are at the origin."""
    flip = np.diag([1.0, -1, 1, 1])
    return (flip @ channels.poses(motion) @ flip).swapaxes(-1, -2)


def test_what_counts_as_untouched() -> None:
    """Frames that stand for one of the file, of bones whose rest stays, as far as their channels are those of that frame: locations by
    themselves, rotations and scales together."""
    lab = rotating()
    shown = shown_of(lab)
    before, some = update.Before(lab, shown), shown.at(np.array([0, 1, 2, 2]))
    some = with_channels(some, "locations", HAND, [9, 9, 9], 2)
    some = with_channels(some, "rotations", ROOT, [0, 1, 0, 0], 3)
    some = with_channels(some, "scales", HAND, [1, 1.5, 1], 0)
    keys = update.encode(some, before, np.array([0, -1, 2, 2]), np.array([False, True, False]))
    t, f = True, False
    assert keys.kept_positions.tolist() == [[t, f, t], [f, f, f], [t, f, f], [t, f, t]]
    assert keys.kept_rotations.tolist() == [[t, f, f], [f, f, f], [t, f, t], [f, f, t]]
    assert keys.changed.all() and keys.old.tolist() == [0, -1, 2, 2]
    positions, rotations = file_keys(lab, [0, 1, 2, 2])
    for bone, changed in ((ROOT, 3), (ARM, None), (HAND, None)):
        same = [frame for frame in range(4) if frame != changed]
        np.testing.assert_allclose(keys.rotations[same, bone], rotations[same, bone], atol=1e-6)
    np.testing.assert_allclose(keys.positions[[0, 1, 3]], positions[[0, 1, 3]], atol=1e-6)
    assert keys.skewed.tolist() == [[f, f, t], [f, f, f], [f, f, f], [f, f, f]]
    whole = update.encode(shown, before, np.arange(3), NONE)
    part = whole.at(np.array([2]))
    assert not whole.changed.any() and part.old.tolist() == [2] and part.positions.shape == (1, 3, 3)


def test_another_frame_of_the_file_is_no_edit_where_quaternions_cannot_hold_a_bone() -> None:
    """A copy of an action stands for no frames of the file. Its sheared bones have the keys of those they look like, bit by bit."""
    lab = sheared()
    for helped in (False, True):
        shown = shown_of(lab, helped)
        assert sorted(shown.helpers) == ([ARM, HAND] if helped else [])
        keys = update.encode(shown.at(np.array([2, 0, 1, 0])), update.Before(lab, shown), np.full(4, -1), NONE)
        positions, rotations = file_keys(lab, [2, 0, 1, 0])
        for bone in (ARM, HAND):
            assert keys.rotations[:, bone].tolist() == rotations[:, bone].tolist()
            assert keys.positions[:, bone].tolist() == positions[:, bone].tolist()
        np.testing.assert_allclose(keys.rotations[:, ROOT], rotations[:, ROOT], atol=1e-6)
        assert not keys.skewed.any() and not keys.kept_rotations.any()


@pytest.mark.parametrize(("size", "off", "alike"), [(1, 3e-7, True), (1, 6e-7, False), (1024, 3e-4, True), (1024, 6e-4, False)])
def test_last_bits_make_no_other_frame(size: float, off: float, alike: bool) -> None:
    """What other machines' arithmetic may change of a number of 32 bits, or of a small one beside 1."""
    lab = sheared()
    positions = np.zeros_like(lab.positions)
    positions[ARM, :, 0] = size, -size / 2, 0
    lab = lab.with_quaternions(positions, lab.quaternions)
    shown = shown_of(lab)
    copied = with_channels(shown, "locations", ARM, shown.locations[:, ARM] + np.array([off, 0, 0], np.float32))
    keys = update.encode(copied, update.Before(lab, shown), np.full(3, -1), NONE)
    assert (keys.rotations[:, ARM] == file_keys(lab, [0, 1, 2])[1][:, ARM]).all() == alike


@pytest.mark.parametrize("helped", [False, True])
def test_on_a_sheared_arm_an_edited_hand_is_where_it_is_seen(helped: bool) -> None:
    """Whether the arm has the file's keys as nobody touched it, or as it looks like one of its frames; and whether Blender shows them."""
    lab = sheared()
    shown = shown_of(lab, helped)
    edited = with_channels(shown, "rotations", HAND, [0.5, 0.5, 0.5, 0.5])
    edited = with_channels(edited, "locations", HAND, [3, 1, 2])
    for old in (np.arange(3), np.full(3, -1)):
        keys = update.encode(edited, update.Before(lab, shown), old, NONE)
        assert keys.kept_rotations[:, ARM].all() == (old >= 0).all()
        rotations = file_keys(lab, [0, 1, 2])[1]
        keys.linear[:, ARM] = evaluate.rotation_rows(rotations[:, ARM])
        off = np.abs(worlds_of(keys) - shown_worlds(edited)).max(axis=(0, 2, 3))
        assert off[HAND] < 2e-5 and (off[ARM] < 2e-5) == helped


@pytest.mark.parametrize("helped", [False, True])
def test_an_edited_arm_is_as_it_is_seen(helped: bool) -> None:
    """With what helper bones show; what Blender did not show of the file is no part of it."""
    lab = sheared()
    shown = shown_of(lab, helped)
    edited = with_channels(shown, "rotations", ARM, [0.5, 0.5, -0.5, 0.5])
    keys = update.encode(edited, update.Before(lab, shown), np.arange(3), NONE)
    assert not keys.kept_rotations[:, ARM].any() and keys.kept_positions[:, ARM].all()
    np.testing.assert_allclose(worlds_of(keys)[:, ARM], shown_worlds(edited)[:, ARM], atol=2e-5)
    assert keys.skewed[:, ARM].all()


def test_helper_bones_are_part_of_their_bone() -> None:
    """What they add to it counts, not how; without them it is another matrix."""
    lab = sheared()
    shown = shown_of(lab, helped=True)
    before, helper = update.Before(lab, shown), shown.helpers[ARM]
    negated = replace(shown, helpers=shown.helpers | {ARM: replace(helper, first=-helper.first)})
    assert not update.encode(negated, before, np.arange(3), NONE).changed.any()
    scale = helper.scale.copy()
    scale[1] += np.float32(0.01)
    bent = replace(shown, helpers=shown.helpers | {ARM: replace(helper, scale=scale)})
    assert update.encode(bent, before, np.arange(3), NONE).kept_rotations[:, ARM].tolist() == [True, False, True]
    without = replace(shown, helpers={HAND: shown.helpers[HAND]})
    for old in (np.arange(3), np.full(3, -1)):
        keys = update.encode(without, before, old, NONE)
        assert not keys.kept_rotations[:, ARM].any()
        np.testing.assert_allclose(worlds_of(keys)[:, ARM], shown_worlds(without)[:, ARM], atol=2e-5)


def test_bones_without_curves_that_quaternions_cannot_hold_have_the_file_s_keys() -> None:
    """A bind of twice the size: at rest the bone would have to be scaled. It has the keys of the frames it stands for, or of the first."""
    binds = BINDS.copy()
    binds[ARM, :3, :3] *= 0.5
    lab = replace(sheared(), inverse_binds=binds.astype(np.float32))
    shown = shown_of(lab)
    rest = with_channels(with_channels(shown, "locations", ARM, 0), "rotations", ARM, [1, 0, 0, 0])
    rest = with_channels(rest, "scales", ARM, 1)
    before, old, unkeyed = update.Before(lab, shown), np.array([2, -1, 1]), np.array([False, True, False])
    keys = update.encode(rest, before, old, NONE, None, unkeyed)
    positions, rotations = file_keys(lab, [2, 0, 1])
    assert keys.rotations[:, ARM].tolist() == rotations[:, ARM].tolist()
    assert keys.positions[:, ARM].tolist() == positions[:, ARM].tolist()
    assert not keys.skewed[:, ARM].any()
    for as_shown in (update.encode(rest, before, old, NONE), update.encode(rest, before, old, unkeyed, None, unkeyed)):
        assert as_shown.skewed[:, ARM].all()
        np.testing.assert_allclose(
            as_shown.linear[:, ARM] @ as_shown.linear[:, ROOT], np.tile(2 * np.eye(3), (3, 1, 1)) @ as_shown.linear[:, ROOT], atol=1e-5
        )


def test_a_bone_without_curves_is_as_it_is_seen_where_quaternions_hold_that() -> None:
    """At rest the arm has neither scale nor shear, whatever it has in the file."""
    lab = sheared()
    shown = shown_of(lab)
    rest = with_channels(with_channels(shown, "locations", ARM, 0), "rotations", ARM, [1, 0, 0, 0])
    rest = with_channels(rest, "scales", ARM, 1)
    keys = update.encode(rest, update.Before(lab, shown), np.arange(3), NONE, None, np.array([False, True, False]))
    np.testing.assert_allclose(keys.linear[:, ARM], np.tile(np.eye(3), (3, 1, 1)), atol=1e-6)
    np.testing.assert_allclose(worlds_of(keys)[:, ARM], shown_worlds(rest)[:, ARM], atol=2e-5)


def test_what_hangs_on_a_bone_without_size() -> None:
    """In one frame the arm has none. The hand keeps its own key; one whose rest was moved, and so follows from where both are, has none
    that could be found, and is where it is seen."""
    lab = rotating()
    shown = shown_of(lab)
    edited = with_channels(shown, "scales", ARM, 0, 1)
    for moved in (False, True):
        keys = update.encode(edited, update.Before(lab, shown), np.arange(3), np.array([False, False, moved]))
        assert np.isfinite(keys.linear).all() and np.isfinite(keys.positions).all() and np.isfinite(keys.rotations).all()
        np.testing.assert_allclose(worlds_of(keys), shown_worlds(edited), atol=2e-5)
        assert keys.skewed.tolist() == [[False] * 3, [False, True, moved], [False] * 3]


def test_a_mirrored_bone_is_no_rotation() -> None:
    lab = rotating()
    keys = update.encode(with_channels(shown_of(lab), "scales", HAND, -1, 1), None, np.full(3, -1), NONE)
    assert keys.skewed.tolist() == [[False] * 3, [False, False, True], [False] * 3]
    np.testing.assert_allclose(keys.linear[1, HAND], -evaluate.rotation_rows(file_keys(lab, [1])[1][0, HAND]), atol=1e-6)
