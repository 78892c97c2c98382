"""BVH that is written: its text by hand, and played by a reader of its own."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.bvh import writing
from retro_anim.core.motion.bvh.reading import parse
from retro_anim.core.motion.rotations.rotation_matrix import Floats, from_euler

NAMES = ("hips", "left arm", " ", "leg")
PARENTS = (-1, 0, 1, 0)
HEADS = np.array([(0, 0, 10), (3, 0, 15), (8, 0, 15), (1, 0, 9.0)])
"""In the scene's axes, Z up: the second hangs on the first, the third on that, the last one on the first again."""


def figure(local: Floats, moves: Floats) -> writing.Joints:
    """Rotated by matrices (F, 4, 3, 3) in its parent's axes, each joint; and moved from where it rests by (F, 4, 3). At rest its axes are
    rotated, too."""
    rest, poses = np.tile(np.eye(4), (4, 1, 1)), np.tile(np.eye(4), (len(local), 4, 1, 1))
    rest[:, :3, 3], rest[:, :3, :3] = HEADS, from_euler(np.arange(12.0).reshape(4, 3), "XYZ")
    for joint, parent in enumerate(PARENTS):
        above = np.tile(np.eye(3), (len(local), 1, 1)) if parent < 0 else poses[:, parent, :3, :3] @ rest[parent, :3, :3].T
        offset = HEADS[joint] - (0 if parent < 0 else HEADS[parent]) + moves[:, joint]
        poses[:, joint, :3, 3] = np.einsum("fij,fj->fi", above, offset) + (0 if parent < 0 else poses[:, parent, :3, 3])
        poses[:, joint, :3, :3] = above @ local[:, joint] @ rest[joint, :3, :3]
    return writing.Joints(NAMES, PARENTS, rest, poses)


def played(text: str) -> tuple[list[str], Floats, Floats]:
    """Names, and positions (F, J, 3) and rotations (F, J, 3, 3) in the scene's axes, of the joints in the file's order."""
    file = parse(text.encode())
    count = len(file.joints)
    where, linear = np.zeros((len(file.rows), count, 3)), np.zeros((len(file.rows), count, 3, 3))
    column = 0
    for index, joint in enumerate(file.joints):
        own = file.rows[:, column : column + len(joint.channels)]
        column += len(joint.channels)
        assert joint.channels[-3:] == ("Zrotation", "Xrotation", "Yrotation")
        z, x, y = np.radians(own[:, -3:]).T
        zero = np.zeros_like(x)
        about = [from_euler(np.stack(each, axis=-1), "XYZ") for each in ((zero, zero, z), (x, zero, zero), (zero, y, zero))]
        rotated = about[0] @ about[1] @ about[2]
        at = own[:, :3] if len(joint.channels) == 6 else np.tile(joint.offset, (len(own), 1))
        above = np.tile(np.eye(3), (len(own), 1, 1)) if joint.parent < 0 else linear[:, joint.parent]
        linear[:, index] = above @ rotated
        where[:, index] = np.einsum("fij,fj->fi", above, at) + (0 if joint.parent < 0 else where[:, joint.parent])
    upright = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    return [joint.name for joint in file.joints], where @ upright.T, upright @ linear @ upright.T


@pytest.mark.parametrize("scale", [1e-5, 1.0, 1e3])
def test_what_moves_is_known_however_small_a_figure_is(scale: float) -> None:
    """The root, and the last joint by half a unit of eight."""
    moves = np.zeros((6, 4, 3))
    moves[3, 3] = 0, 0.5, 0
    joints = figure(np.tile(np.eye(3), (6, 4, 1, 1)), moves)
    for matrices in (joints.rest, joints.poses):
        matrices[..., :3, 3] *= scale
    assert [len(joint.channels) for joint in parse(writing.write(joints, 0.04).encode()).joints] == [6, 3, 3, 6]


def test_what_is_written_is_played_as_it_was() -> None:
    random = np.random.default_rng(2)
    angles, moves = random.normal(size=(6, 4, 3)), np.zeros((6, 4, 3))
    moves[:, 0] = random.normal(size=(6, 3))
    moves[3, 3] = 0, 0.5, 0
    joints = figure(from_euler(angles, "XYZ"), moves)
    text = writing.write(joints, 0.04)
    names, where, linear = played(text)
    assert names == ["hips", "left_arm", "joint2", "leg"]
    assert np.allclose(where, joints.poses[..., :3, 3], atol=1e-4)
    assert np.allclose(linear, joints.poses[..., :3, :3] @ np.swapaxes(joints.rest[:, :3, :3], -1, -2), atol=1e-6)
    assert [len(joint.channels) for joint in parse(text.encode()).joints] == [6, 3, 3, 6], "only what moves has positions"


def test_the_text_by_hand() -> None:
    """Rotated by 350 and 370 degrees about the scene's upward axis, which goes on without a leap; the arm by 90 about X."""
    local = np.tile(np.eye(3), (2, 4, 1, 1))
    local[:, 0] = from_euler(np.radians([(0, 0, 350), (0, 0, 370)]), "XYZ")
    local[:, 1] = from_euler(np.array([np.pi / 2, 0, 0]), "XYZ")
    moves = np.zeros((2, 4, 3))
    moves[1, 3, 1] = 8e-5  # less than a hundred thousandth of the figure, which is 8 wide
    lines = writing.write(figure(local, moves), 1 / 30).splitlines()
    assert [line.replace("-0.000000", "0.000000") for line in lines] == [
        "HIERARCHY",
        "ROOT hips",
        "{",
        "\tOFFSET 0.000000 10.000000 0.000000",
        "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation",
        "\tJOINT left_arm",
        "\t{",
        "\t\tOFFSET 3.000000 5.000000 0.000000",
        "\t\tCHANNELS 3 Zrotation Xrotation Yrotation",
        "\t\tJOINT joint2",
        "\t\t{",
        "\t\t\tOFFSET 5.000000 0.000000 0.000000",
        "\t\t\tCHANNELS 3 Zrotation Xrotation Yrotation",
        "\t\t\tEnd Site",
        "\t\t\t{",
        "\t\t\t\tOFFSET 0.000000 0.000000 0.000000",
        "\t\t\t}",
        "\t\t}",
        "\t}",
        "\tJOINT leg",
        "\t{",
        "\t\tOFFSET 1.000000 -1.000000 0.000000",
        "\t\tCHANNELS 3 Zrotation Xrotation Yrotation",
        "\t\tEnd Site",
        "\t\t{",
        "\t\t\tOFFSET 0.000000 0.000000 0.000000",
        "\t\t}",
        "\t}",
        "}",
        "MOTION",
        "Frames: 2",
        "Frame Time: 0.03333333",
        "0.000000 10.000000 0.000000 0.000000 0.000000 -10.000000 0.000000 90.000000 0.000000" + " 0.000000" * 6,
        "0.000000 10.000000 0.000000 0.000000 0.000000 10.000000 0.000000 90.000000 0.000000" + " 0.000000" * 6,
    ]


def test_a_thousand_joints_below_one_another_have_no_longer_lines_than_seventy_of_them() -> None:
    rest = np.tile(np.eye(4), (1000, 1, 1))
    text = writing.write(writing.Joints(["a"] * 1000, [*range(-1, 999)], rest, rest[None]), 1.0)
    assert max(line.count("\t") for line in text.splitlines()) == 65
