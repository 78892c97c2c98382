"""Bones and dummies where the engine puts them: the specification's worked numbers, and an evaluation from the definitions alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from retro_anim.core.mindpower import posing
from retro_anim.core.mindpower.files.skeleton.lab import Lab, new_lab
from retro_anim.core.mindpower.motion import evaluate
from retro_anim.core.reporting.errors import FormatError
from support.mindpower.mindpower_files import NECK_PARENTS, NECK_POSITIONS, NECK_ROTATIONS, NECK_WORLD, worlds
from support.poses import skin_matrices

INVERSE_BIND = [[0, 0, 1, 0], [0.991699, -0.12858, 0, 0], [0.128579, 0.991699, 0, 0], [-1.782922, -3.586474, 0, 1]]
SKIN = [[1, 0, 0, 0], [0, 0.905915, -0.423459, 0], [0, 0.423459, 0.905915, 0], [0, -1.468872, 1.190299, 1]]
FILES = ("0001", "0005", "0010", "0014", "0016", "0088", "0311", "0725", "0741", "0860")


@pytest.fixture
def neck() -> Lab:
    """Frame 10 of 0912.lab, the bones up to the neck."""
    binds = np.array([*[np.eye(4)] * 5, INVERSE_BIND])
    return new_lab("abcdef", NECK_PARENTS, binds).with_quaternions(np.array(NECK_POSITIONS)[:, None], np.array(NECK_ROTATIONS)[:, None])


def test_the_worked_example(neck: Lab) -> None:
    world = evaluate.world_matrices(neck)
    assert np.abs(world[0, 5] - NECK_WORLD).max() < 1e-5
    assert np.abs(skin_matrices(neck, world)[0, 5] - SKIN).max() < 1e-5


def test_a_pose_is_the_column_form(neck: Lab) -> None:
    assert np.abs(posing.pose_of_frame(neck, 0).matrices[5] - np.array(NECK_WORLD).T).max() < 1e-5


@pytest.mark.parametrize("name", FILES)
def test_every_given_file(game_file: Callable[[str], Path], name: str) -> None:
    data = game_file(f"mindpower/animation/{name}.lab").read_bytes()
    lab = Lab.parse(data)
    world = evaluate.world_matrices(lab)
    for frame in np.linspace(0, lab.frame_count - 1, 9).astype(int).tolist():
        wanted = np.array(worlds(data, frame))
        assert np.abs(world[frame] - wanted).max() < 1e-5
        pose = posing.pose_of_frame(lab, frame)
        assert np.abs(pose.matrices - wanted.swapaxes(1, 2)).max() < 1e-5
        assert pose.time == frame / 30


def rotated(angle: float) -> NDArray[np.float64]:
    """About z, for row vectors."""
    out = np.eye(4)
    out[:2, :2] = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
    return out


def test_between_frames_quaternions_turn_evenly_and_positions_go_straight() -> None:
    half = np.array([[[0, 0, np.sin(a / 2), np.cos(a / 2)] for a in (0.2, 1.2)]])
    lab = new_lab(["root"], [-1], [np.eye(4)]).with_quaternions([[(0, 0, 0), (2, 0, 4)]], half * [[[1], [-1]]])
    pose = posing.pose_at(lab, 0.25 / 30).matrices[0].T
    wanted = rotated(0.45)
    wanted[3, :3] = 0.5, 0, 1
    assert np.abs(pose - wanted).max() < 1e-6
    assert np.abs(posing.pose_at(lab, -1).matrices[0].T - rotated(0.2)).max() < 1e-6
    assert np.abs(posing.pose_at(lab, 9).matrices[0].T[:3, :3] - rotated(1.2)[:3, :3]).max() < 1e-6


def test_between_frames_matrices_are_taken_apart() -> None:
    ends = np.array([np.diag([1, 2, -1, 1]) @ rotated(0.0), np.diag([3, 2, -1, 1]) @ rotated(1.0)])
    lab = new_lab(["root"], [-1], [np.eye(4)]).with_matrices(ends[None, :, :, :3])
    pose = posing.pose_at(lab, 0.5 / 30).matrices[0].T
    assert np.abs(pose - np.diag([2, 2, -1, 1]) @ rotated(0.5)).max() < 1e-6
    assert np.abs(posing.pose_at(replace(lab), 0.0).matrices[0].T - ends[0]).max() < 1e-6


@given(st.lists(st.floats(-2, 2, width=32), min_size=4, max_size=4))
def test_a_quaternion_of_any_length(numbers: list[float]) -> None:
    x, y, z, w = numbers
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    columns = np.eye(3) + 2 * w * cross + 2 * cross @ cross
    assert np.allclose(evaluate.rotation_rows([w, x, y, z]), columns.T, atol=1e-9)


def test_a_frame_that_is_not_there(neck: Lab) -> None:
    for frame in (-1, 1):
        with pytest.raises(FormatError, match="no frame"):
            posing.pose_of_frame(neck, frame)
