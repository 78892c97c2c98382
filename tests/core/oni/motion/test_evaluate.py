"""Joints against the worked example of the format's description, the root's way, and the rig both ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.motion.rigs.matrix_rig import compose
from retro_anim.core.motion.rigs.rig import Y_UP, BoneDirection
from retro_anim.core.motion.rotations import quaternion
from retro_anim.core.oni.motion.evaluate import chain, local_rotations, root_at, root_path
from retro_anim.core.oni.motion.rig import OniRig, names_of, neutral_height, t_pose
from retro_anim.core.oni.records.angles import to_quaternion, to_steps
from retro_anim.core.oni.records.rotations import Rotations
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.oni.records.tram_layout import VELOCITY
from support.poses import pose_of_basis

from ..example import EVERY, OFFSETS, PARENTS, SHINZO, SHINZO_ROTATIONS, T_POSE, location_of

ROOT = np.array([[0.0, 9, 0]])


@pytest.fixture(scope="session")
def shinzo(game_file: Callable[[str], Path]) -> Rotations:
    return Rotations.parse(game_file("oni/SHINZOMidle1_raw0x34.bin").read_bytes(), 19, 10, 6)


def test_worked_example(shinzo: Rotations) -> None:
    joints = chain(PARENTS, OFFSETS, local_rotations(shinzo, np.array([0.0])), ROOT)
    assert np.abs(joints.positions[0] - SHINZO).max() < 1e-4
    for bone, (x, y, z, w) in SHINZO_ROTATIONS.items():
        assert np.allclose(joints.rotations[0, bone], (w, x, y, z), atol=1e-5)
    assert np.allclose(joints.matrices[0, :, :3, 3], joints.positions[0])


def test_t_pose() -> None:
    joints = chain(PARENTS, OFFSETS, t_pose(19)[None], ROOT)
    assert np.abs(joints.positions[0] - T_POSE).max() < 1e-6
    assert abs(neutral_height(PARENTS, OFFSETS) - 8.25) < 1e-9  # the feet are 8.25 below the pelvis


def test_between_keys() -> None:
    """Half a turn in ten frames: slerp goes evenly, nlerp does not; both meet on keys and stay where the keys end."""
    keys = to_steps(np.radians([[0.0, 0, 0], [0, 0, 160]]))
    block = Rotations.of_tracks([np.array([0, 10])], [keys], 11, 6)
    frames = np.array([-1.0, 0, 2.5, 5, 10, 12])
    even = np.degrees(2 * np.arctan2(*local_rotations(block, frames)[:, 0][:, [3, 0]].T))
    chord = np.degrees(2 * np.arctan2(*local_rotations(block, frames, "nlerp")[:, 0][:, [3, 0]].T))
    assert np.abs(even - [0, 0, 40, 80, 160, 160]).max() < 0.01
    # A quarter along the chord of an arc of 80 degrees (the half angles): atan(0.25 sin 80 / (0.75 + 0.25 cos 80)) * 2.
    assert np.abs(chord - [0, 0, 34.479, 80, 160, 160]).max() < 0.01


def test_root_is_the_sum_before_the_frame() -> None:
    tram = replace(
        Tram.new("TRAMtest", 3),
        heights=np.array([9.0, 9.5, 10], np.float32),
        velocities=np.array([(1, 2), (3, 4), (5, 6)], VELOCITY),
    )
    assert root_path(tram).tolist() == [[0, 9, 0], [1, 9.5, 2], [4, 10, 6], [9, 10, 12]]
    assert root_at(tram, np.array([-1, 0.5, 2, 9])).tolist() == [[0, 9, 0], [0.5, 9.25, 1], [4, 10, 6], [4, 10, 6]]
    assert root_path(Tram.new("TRAMtest", 1)).tolist() == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
def test_rig_both_ways(shinzo: Rotations, direction: BoneDirection) -> None:
    """Blender's own chain of rest and basis matrices puts every head where the game has the joint."""
    rig = OniRig.build(names_of(19), PARENTS, OFFSETS, np.ones(19), direction)
    assert np.allclose(rig.bone_offsets, OFFSETS, atol=1e-12)
    assert abs(rig.rest_height - 8.25) < 1e-12
    local, root = local_rotations(shinzo, np.array([0.0])), np.array([[0.3, 9, -0.7]])
    basis = rig.to_basis("quaternion", EVERY, local)
    assert np.allclose(rig.from_basis("quaternion", EVERY, basis), local, atol=1e-12)
    location = np.zeros((1, 19, 3))
    location[:, 0] = location_of(rig, root)
    assert np.allclose(rig.root_of(location[:, 0]), root, atol=1e-12)
    pose = pose_of_basis(rig, compose(location, basis, np.ones((1, 19, 3))))
    assert np.abs(pose[0, :, :3, 3] @ Y_UP - chain(PARENTS, OFFSETS, local, root).positions[0]).max() < 1e-9
    still = rig.to_basis("quaternion", EVERY, t_pose(19)[None])[0]
    assert np.allclose(np.abs(still[:, 0]), 1, atol=1e-12), "the T pose is the rest pose"


def test_bones_lie_along_their_limbs() -> None:
    rig = OniRig.build(names_of(19), PARENTS, OFFSETS, np.ones(19), "GAME")
    along = rig.rest[:, :, 1]  # where +Y of each bone points in Blender's axes
    names = rig.skeleton.names
    for bones, direction in ((("mid", "chest", "neck", "head"), 2), (("left_biceps", "left_wrist", "left_handfist"), 0)):
        for bone in bones:
            assert along[names.index(bone), direction] > 0.999
    for bone in ("left_calf", "right_calf", "left_foot"):
        assert along[names.index(bone), 2] < -0.999
    assert np.allclose(location_of(rig, np.array([[1.0, 8.25, 2]])), [[1, 0, 2]]), "the pelvis moves in the game's axes"
    child = OniRig.build(names_of(19), PARENTS, OFFSETS, np.ones(19), "CHILD")
    assert np.allclose(child.tips[1], child.heads[2], atol=1e-12)


def test_general_rest_pose() -> None:
    """A rig whose rest pose is another one still gives the same numbers of the game."""
    rig = OniRig.build(names_of(19), PARENTS, OFFSETS, np.ones(19), "GAME")
    local = quaternion.normalised(np.random.default_rng(2).normal(size=(1, 19, 4)))
    posed = pose_of_basis(rig, compose(np.zeros((1, 19, 3)), rig.to_basis("quaternion", EVERY, local), np.ones((1, 19, 3))))[0]
    other = replace(rig, rest=posed[:, :3, :3], heads=posed[:, :3, 3])
    assert np.allclose(other.bone_offsets, OFFSETS, atol=1e-9)
    assert np.allclose(np.abs(other.to_basis("quaternion", EVERY, local)[0, :, 0]), 1)
    wanted = to_quaternion(np.radians([10.0, 20, 30]))
    assert np.allclose(other.from_basis("quaternion", EVERY, other.to_basis("quaternion", EVERY, np.tile(wanted, (1, 19, 1)))), wanted)
