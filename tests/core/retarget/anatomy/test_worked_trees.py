"""What hangs on what: a tree of eight bones drawn by hand.

0 ── 1 ── 2 ── 3
     │    └── 4 ── 5
     └── 6
7
"""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.retarget.anatomy.hierarchy import Hierarchy
from retro_anim.core.retarget.anatomy.tree import Tree, tree_of

from ..mapping.given import figure_of

HEADS = np.array([[0.0, 0, 0], [0, 0, 1], [0, 0, 2], [3, 4, 2], [0, 1, 2], [0, 1, 3], [0, -2, 1], [0, 0, 5]])
TREE = Tree((10, 11, 12, 13, 14, 15, 16, 17), (-1, 0, 1, 2, 2, 4, 1, -1), HEADS, HEADS)


def test_what_hangs_on_each_bone() -> None:
    assert len(TREE) == 8
    assert TREE.children == ((1,), (2, 6), (3, 4), (), (5,), (), (), ())
    assert TREE.depths == (0, 1, 2, 3, 3, 4, 2, 0)


def test_the_size_is_the_diagonal_of_the_box_around_all_joints() -> None:
    """3 wide, 6 deep and 5 high."""
    assert TREE.size == pytest.approx(np.sqrt(9 + 36 + 25))
    assert Tree((), (), np.zeros((0, 3)), np.zeros((0, 3))).size == 0
    assert Tree((4,), (-1,), HEADS[3:4], HEADS[3:4]).size == 0


def test_joints_as_plain_numbers() -> None:
    assert TREE.points[3] == [3, 4, 2]
    assert TREE.distance(2, 3) == 5 and TREE.distance(3, 2) == 5 and TREE.distance(6, 6) == 0


def test_the_way_up() -> None:
    assert TREE.path_up(5) == [5, 4, 2, 1, 0]
    assert TREE.path_up(0) == [0] and TREE.path_up(-1) == []


@pytest.mark.parametrize(
    ("bones", "common"),
    [
        ([], -1),
        ([5], 5),
        ([0], 0),
        ([3, 5], 2),
        ([5, 3], 2),
        ([5, 6], 1),
        ([5, 4], 4),
        ([3, 5, 6], 1),
        ([3, 0], 0),
        ([3, 7], -1),
        ([5, -1], -1),
    ],
)
def test_the_lowest_bone_that_all_hang_on(bones: list[int], common: int) -> None:
    assert TREE.common(bones) == common


@pytest.mark.parametrize(
    ("top", "bottom", "between"), [(1, 5, [1, 2, 4, 5]), (0, 1, [0, 1]), (5, 5, [5]), (5, 1, []), (6, 5, []), (7, 5, []), (0, 0, [0])]
)
def test_the_way_down(top: int, bottom: int, between: list[int]) -> None:
    assert TREE.between(top, bottom) == between


def test_what_is_below_a_bone() -> None:
    assert [TREE.below(bone) for bone in (0, 2, 5, 7)] == [[0, 1, 2, 3, 4, 5, 6], [2, 3, 4, 5], [5], [7]]
    assert TREE.below(-1) == [-1, *range(8)], "below none is all"


def test_a_tree_of_some_bones_hangs_them_on_the_nearest_above_that_is_one() -> None:
    """Bone 2 is none of them: 3 and 4 hang on 1."""
    tree = tree_of([0, 1, 3, 4], list(TREE.parents), HEADS, HEADS + 1)
    assert (tree.bones, tree.parents) == ((0, 1, 3, 4), (-1, 0, 1, 1))
    assert tree.heads.tolist() == HEADS[[0, 1, 3, 4]].tolist() and tree.tails.tolist() == (HEADS[[0, 1, 3, 4]] + 1).tolist()


def test_what_stands_for_a_bone_carries_what_hangs_on_that() -> None:
    """6 stands for 2; on itself it does not hang, and 0 may stand for something, too. Parents go before, whatever order was given."""
    tree = tree_of([3, 1, 6, 0], list(TREE.parents), HEADS, HEADS, {2: 6, 1: 0})
    assert {tree.bones[bone]: tree.bones[parent] if parent >= 0 else -1 for bone, parent in enumerate(tree.parents)} == {
        0: -1,
        1: 0,
        6: 1,
        3: 6,
    }
    assert tree.bones == (0, 1, 6, 3)
    own = tree_of([0, 3], list(TREE.parents), HEADS, HEADS, {2: 3, 1: 0})
    assert (own.bones, own.parents) == ((0, 3), (-1, 0)), "3 stands for what it hangs on, and hangs on what is above that"


def test_who_is_below_whom_is_told_by_numbers() -> None:
    """Those of a bone and of all below it go on from its own, and those of the bones beside it come behind them."""
    hierarchy = Hierarchy(figure_of([str(bone) for bone in TREE.bones], list(TREE.parents), HEADS))
    assert (hierarchy.start, hierarchy.end) == ([0, 1, 2, 3, 4, 5, 6, 7], [7, 7, 6, 4, 6, 6, 7, 8])
    assert [list(hierarchy.above(bone)) for bone in (5, 6, 0, 7)] == [[4, 2, 1, 0], [1, 0], [], []]
    below = [[bone for bone in range(8) if hierarchy.below(bone, ancestor)] for ancestor in range(8)]
    assert below == [[0, 1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], [2, 3, 4, 5], [3], [4, 5], [5], [6], [7]]
