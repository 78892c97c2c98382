"""Rotations as the values that Blender keeps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.transfer.output import rotation_block, rotation_blocks, rotation_values, unrolled

from .. import rigs


def quaternions(degrees: list[float]) -> Floats:
    """About X, each as Blender may have it: with w above 0."""
    half = np.radians(degrees) / 2
    return np.stack([np.cos(half), np.sin(half), 0 * half, 0 * half], axis=1)


def test_an_axis_does_not_jump_where_the_rotation_goes_through_rest() -> None:
    values = rotation_values(quaternions([20, 10, -10, -20, 10]), "AXIS_ANGLE")
    assert np.degrees(values[:, 0]) == pytest.approx([20, 10, -10, -20, 10])
    assert values[:, 1:] == pytest.approx(np.tile([1.0, 0, 0], (5, 1)))


def test_an_axis_stays_where_nothing_rotates() -> None:
    values = rotation_values(quaternions([0, 30, 0, 30]), "AXIS_ANGLE")
    assert np.degrees(values[:, 0]) == pytest.approx([0, 30, 0, 30])
    assert values[:, 1:] == pytest.approx(np.array([[0.0, 1, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0]]))


@pytest.mark.parametrize(
    ("second", "nearest"), [((85, 90, 85), (85, 90, 85)), ((95, 90, 95), (-85, 90, -85)), ((90, 90, 90), (90, 90, 90))]
)
def test_of_two_triples_of_one_rotation_the_nearer_one_is_taken(second: tuple[int, int, int], nearest: tuple[int, int, int]) -> None:
    """Here by 20 degrees of 180 in all; of two as near the one that is there."""
    angles = np.radians([(0.0, 80, 0), second, second])
    assert np.degrees(unrolled(angles, "XYZ")) == pytest.approx(np.array([(0, 80, 0), nearest, nearest]))


def test_a_bone_s_keys_are_one_block() -> None:
    figure, rotations = rigs.humanoid(), quaternions([0, 30])
    block = rotation_block(figure, figure.index["neck"], np.array([3.0, 7.0]), rotations)
    assert [tuple(each) for each in block.channels] == [("neck", "rotation_quaternion", each) for each in range(4)]
    assert block.frames.tolist() == [3, 7]
    assert block.values == pytest.approx(rotations.T)


@pytest.mark.parametrize(
    ("mode", "name", "keys"),
    [
        ("ZYX", "rotation_euler", [(0, 0, 0), (30, 0, 0), (-20, 0, 0), (10, 0, 0)]),
        ("AXIS_ANGLE", "rotation_axis_angle", [(0, 0, 1, 0), (30, 1, 0, 0), (-20, 1, 0, 0), (10, 1, 0, 0)]),
    ],
)
def test_keys_are_in_the_bone_s_own_mode_clip_by_clip(mode: str, name: str, keys: list[tuple[float, ...]]) -> None:
    """About X, in degrees: of two clips, of which the second goes on with an axis of its own."""
    figure = rigs.humanoid()
    neck = figure.index["neck"]
    figure = replace(figure, modes=tuple(mode if bone == neck else each for bone, each in enumerate(figure.modes)))
    rotations, frames = quaternions([0, 30, -20, 10]), np.array([3.0, 7.0, 1.0, 2.0])
    blocks = rotation_blocks(figure, neck, frames, rotations, Spans((2, 2)))
    first = np.arange(len(keys[0]))[:, None] < (3 if len(keys[0]) == 3 else 1)
    wanted = np.where(first, np.radians(np.array(keys).T), np.array(keys).T)
    if mode == "AXIS_ANGLE":
        wanted[:, 2:] *= np.array([-1, -1, 1, 1])[:, None]  # a rotation begins with its axis as it is
    assert [block.frames.tolist() for block in blocks] == [[3, 7], [1, 2]]
    assert {(channel.bone, channel.property) for block in blocks for channel in block.channels} == {("neck", name)}
    assert np.concatenate([block.values for block in blocks], axis=1) == pytest.approx(wanted, abs=1e-6)
