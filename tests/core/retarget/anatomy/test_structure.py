"""What bones are by where they stand in the skeleton."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.anatomy.joints import Joints
from retro_anim.core.retarget.anatomy.structure import analyse, spine_roles
from retro_anim.core.retarget.anatomy.tree import Tree
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.kinds import is_tailed
from retro_anim.core.retarget.mapping.mapping import labels_of

from .. import rigs


def test_bones_of_a_spine_have_the_roles_of_vrm() -> None:
    """One is the chest; two are spine and chest; of more the first is the spine, the last the upper chest, one in the middle the chest."""
    assert [spine_roles(range(10, 10 + count)) for count in range(6)] == [
        {},
        {"chest": 10},
        {"spine": 10, "chest": 11},
        {"spine": 10, "chest": 11, "upperChest": 12},
        {"spine": 10, "chest": 12, "upperChest": 13},
        {"spine": 10, "chest": 12, "upperChest": 14},
    ]


def tree_of(offsets: Floats) -> Tree:
    figure = rigs.humanoid(offsets=offsets)
    return Tree(tuple(range(len(figure))), tuple(figure.parents.tolist()), figure.heads, figure.tails)


def test_a_beast_on_all_fours_is_no_humanoid() -> None:
    """Its trunk goes ahead, and all four limbs go down: the very bones of a person."""
    offsets = np.array(rigs.OFFSETS)
    for row, name in enumerate(rigs.NAMES):
        if name in ("spine", "chest", "upperChest", "neck", "head"):
            offsets[row] = 0, -0.15, 0
        elif name.endswith(("LowerArm", "Hand")):
            offsets[row] = 0, 0, -0.42
    assert analyse(tree_of(rigs.OFFSETS)) is not None
    assert analyse(tree_of(offsets)) is None


def test_left_is_where_the_left_limbs_begin() -> None:
    """Of one who sits, with the knees ahead."""
    offsets = np.array(rigs.OFFSETS)
    for side in ("left", "right"):
        offsets[rigs.NAMES.index(f"{side}LowerLeg")] = 0, -0.42, 0
    structure = analyse(tree_of(offsets))
    assert structure is not None
    assert structure.left == pytest.approx([1, 0, 0])


def test_the_longest_path_down_is_followed_for_16_joints() -> None:
    points = np.outer(np.arange(20.0), (0, 0, 1))
    tree = Tree(tuple(range(20)), tuple(range(-1, 19)), points, points)
    assert [len(chain) for chain in Joints(tree).chains] == [min(20 - node, 16) for node in range(20)]


def test_a_tail_hangs_on_the_hips_or_what_carries_them() -> None:
    plain = rigs.humanoid()
    for carrier in ("hips", "ground"):
        names = ("ground", *plain.names, "one", "two", "three")
        first = names.index(carrier)
        parents = np.array([-1, *(plain.parents + 1), first, len(names) - 3, len(names) - 2], np.int32)
        tail = plain.heads[0] + np.outer([0.1, 0.4, 0.7], (0, 1, 0))
        heads = np.concatenate([np.zeros((1, 3)), plain.heads, tail])
        rest = np.tile(np.eye(4), (len(names), 1, 1))
        rest[:, :3, 3] = heads
        figure = Figure(names, parents, rest, np.full(len(names), 0.1))
        assert is_tailed(figure, labels_of(figure))
    assert not is_tailed(plain, labels_of(plain))


def test_what_the_bones_of_a_person_are() -> None:
    structure = analyse(tree_of(rigs.OFFSETS))
    assert structure is not None
    named = {role: rigs.NAMES[bone] for role, bone in structure.roles.items()}
    assert named == {role: role for role in named}
    assert named.keys() >= {"hips", "spine", "chest", "upperChest", "neck", "head", *rigs.LIMBS}
