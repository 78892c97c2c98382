"""What the parts of a creature are, on bones whose answers are known: where limbs begin, fingers, twisting bones, siblings in order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.creatures.body import Body
from retro_anim.core.retarget.mapping.creatures.likeness import _by_name, likeness
from retro_anim.core.retarget.mapping.creatures.parts import (
    LEFT,
    MIDDLE,
    ODD_LEFT,
    ODD_RIGHT,
    RIGHT,
    _outwards,
    fingers_of,
    kinds_of,
    limb_of,
    main_limbs,
    twists_of,
)
from retro_anim.core.retarget.mapping.creatures.symmetry import ODD, Halves, halves
from retro_anim.core.retarget.mapping.creatures.tree_match import _leading_to
from retro_anim.core.retarget.mapping.naming.names import Side, read_names
from retro_anim.core.retarget.mapping.shape import _clear, _greedy

from .given import figure_of


def test_a_limb_begins_where_it_leaves_the_middle() -> None:
    kinds, parents = [MIDDLE, MIDDLE, LEFT, LEFT, RIGHT, LEFT], [-1, 0, 1, 2, 0, 3]
    assert limb_of(kinds, parents).tolist() == [0, 1, 2, 2, 4, 2]
    assert limb_of([LEFT, LEFT, LEFT], [-1, 0, 1]).tolist() == [0, 0, 0], "from the first bone of all"


def test_aside_counts_as_far_as_anything_that_hangs_there() -> None:
    aside = np.array([0.0, 0.1, -0.3, 0.2, 0.0])
    assert _outwards(aside, [-1, 0, 1, 0, 3]) == pytest.approx([-0.3, -0.3, -0.3, 0.2, 0.0])


@pytest.mark.parametrize(("second", "fingers"), [(0.71, 1.0), (0.69, 0.5), (0.51, 0.5), (0.49, 0.0)])
def test_fingers_are_where_a_limb_parts_into_several_of_about_one_length(second: float, fingers: float) -> None:
    """More than 0.7 of the longest, perhaps from 0.5 on; what hangs on one is one as well. Where the limb leaves the middle nothing is."""
    figure = figure_of(list("abcdef"), [-1, 0, 1, 1, 2, 0], np.arange(18.0).reshape(6, 3))
    mass = np.array([9.0, 5, 1, second, 0.4, 5])
    assert fingers_of(figure, [MIDDLE, LEFT, LEFT, LEFT, LEFT, LEFT], mass).tolist() == [0, 0, fingers, fingers, fingers, 0]
    assert not fingers_of(figure, [MIDDLE, LEFT, LEFT, RIGHT, LEFT, LEFT], mass).any(), "of one side"
    root = figure_of(list("abc"), [-1, 0, 0], np.arange(9.0).reshape(3, 3))
    assert fingers_of(root, [LEFT, LEFT, LEFT], np.array([2.0, 1, second])).tolist() == [0, fingers, fingers]


@pytest.mark.parametrize(
    ("at", "twists"),
    [
        ((0.5, 0, 0), True),
        ((0.89, 0, 0), True),
        ((0.91, 0, 0), False),
        ((0.5, 0.1, 0), True),
        ((0.5, 0.11, 0), False),
        ((-0.5, 0, 0), False),
    ],
)
@pytest.mark.parametrize("size", [0.1, 1.0, 10.0])
def test_a_bone_on_the_way_to_the_one_beside_it_twists_the_skin(at: tuple[float, float, float], twists: bool, size: float) -> None:
    """Less than 0.9 of the way, and less than 11.5 degrees beside it; of a limb, and with nothing on it."""
    heads = size * np.array([(0, 0, 1), (0, 0, 0), at, (1, 0, 0), (2, 0, 0)], float)
    parents = [-1, 0, 1, 1, 3]
    figure = figure_of(list("abcde"), parents, heads)
    kinds = [MIDDLE, LEFT, LEFT, LEFT, LEFT]
    assert twists_of(figure, kinds).tolist() == [False, False, twists, False, False]
    assert not twists_of(figure, [MIDDLE] * 5).any()
    assert not twists_of(figure_of(list("abcdef"), [*parents, 2], np.vstack([heads, heads[2] + [0, 0, 1]])), [*kinds, LEFT]).any()


@pytest.mark.parametrize("reach", [0.23, 0.25])
@pytest.mark.parametrize("short", [0.47, 0.49])
def test_large_limbs_reach_about_a_quarter_as_far_as_the_furthest(reach: float, short: float) -> None:
    """0.24 of three joints, and twice that of two; all of a limb, nothing of the middle."""
    parents, kinds = [-1, 0, 1, 2, 0, 4, 5, 0, 7], [MIDDLE, *[LEFT] * 3, *[RIGHT] * 3, *[LEFT] * 2]
    figure = figure_of([f"b{bone}" for bone in range(9)], parents, np.array([(bone % 3, bone // 3, 0) for bone in range(9)], float))
    large = main_limbs(figure, np.array([0, 1.0, 0.5, 0, reach, 0.1, 0, short, 0]), np.ones(9), kinds)
    assert large.tolist() == [False, *[True] * 3, *[reach > 0.24] * 3, *[short > 0.48] * 2]


def test_limbs_of_one_bone_each_are_as_large_as_their_steps() -> None:
    """Where nothing reaches a twentieth of the figure; nothing is large where steps do not either."""
    figure = figure_of(list("abcd"), [-1, 0, 0, 0], np.array([(0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 0, 1)], float))
    kinds = [MIDDLE, LEFT, RIGHT, LEFT]
    assert main_limbs(figure, np.zeros(4), np.array([0, 1.0, 0.25, 0.23]), kinds).tolist() == [False, True, True, False]
    assert not main_limbs(figure, np.zeros(4), np.full(4, 0.1), kinds).any()


def test_a_limb_that_hangs_on_nothing_is_large_from_its_first_bone_on() -> None:
    figure = figure_of(list("abcdef"), [-1, 0, 1, -1, 3, 4], np.array([(side, bone, 0) for side in (1, -1) for bone in range(3)], float))
    kinds = [LEFT] * 3 + [RIGHT] * 3
    assert main_limbs(figure, np.array([1.0, 0.1, 0, 1, 0.1, 0]), np.ones(6), kinds).all()


def test_a_number_alone_is_no_name_that_two_bodies_have_in_common() -> None:
    names = read_names(["bone_12", "zither"])
    for values in _by_name(names, names):
        assert values.tolist() == [[0, 0], [0, 1]]


def test_siblings_are_taken_in_the_order_of_their_costs() -> None:
    """The least of all first: 1 of the second row, then what is left."""
    assert _greedy(np.array([[2.0, 9.0, 3.0], [1.0, 5.0, 2.0], [8.0, 4.0, 7.0]])) == [2, 0, 1]


@pytest.mark.parametrize(("other", "clear"), [(1.1, False), (1.12, True), (0.0, False)])
def test_an_order_is_clear_that_is_better_by_a_tenth(other: float, clear: bool) -> None:
    """Of rows that cost 1 each in their own column, and so much in each other's; the third costs 9 in any but its own."""
    costs = np.array([[1.0, other, 9.0], [other, 1.0, 9.0], [9.0, 9.0, 1.0]])
    assert _clear(costs) == _clear(0.1 * costs) == [clear, clear, True]
    assert _clear(4e-3 * costs) == [False, False, True], "by less than a thousandth"


@pytest.mark.parametrize("head", [-1, 0, 2])
def test_what_is_sure_to_be_the_head_belongs_to_the_other_s_alone(head: int) -> None:
    """Of two snakes, whichever bone that is; where it is not known of both, any bone may belong to any of the rest."""
    figure = figure_of(list("abc"), [-1, 0, 1], np.array([(0, 0, 0), (0, 1, 0), (0, 2, 0)], float))
    unnamed: list[Side] = [""] * 3
    body = Body.of(figure, halves(figure, unnamed), np.array([1.0, 0, 0]))
    body = replace(body, stations=replace(body.stations, along=np.zeros(3), off=np.zeros(3)))
    one, other = (replace(body, stations=replace(body.stations, head=at)) for at in (head, max(head, 1)))
    names = read_names(figure.names)
    may = likeness(one, other, names, names) >= 0
    of_one, of_other = np.arange(3) == head, np.arange(3) == max(head, 1)
    assert np.array_equal(may, (of_one[:, None] == of_other[None]) | (head < 0))


def test_what_leads_to_bones_that_are_known() -> None:
    """They and all that is above them; that roots hang on nothing is known anyway."""
    figure = figure_of(list("abcdef"), [-1, 0, 1, 1, -1, 4], np.arange(18.0).reshape(6, 3))
    unnamed: list[Side] = [""] * 6
    body = Body.of(figure, halves(figure, unnamed), np.array([1.0, 0, 0]))
    assert _leading_to(body, range(6), {3}) == {-1, 0, 1, 3}
    assert _leading_to(body, range(6), {5, 0}) == {-1, 0, 4, 5}
    assert _leading_to(body, range(6), ()) == {-1}
    assert _leading_to(body, [0, 1, 2], {3}) == {-1}


def test_what_has_no_twin_is_of_the_side_on_which_it_hangs() -> None:
    """Wherever it goes from there; on the middle, which is not always in the figure's, of the side to which it goes from its parent."""
    bones = [
        (-1, 0, 0.5, MIDDLE), (0, 2, 1.5, LEFT), (0, 1, -0.5, RIGHT), (1, ODD, 0.8, ODD_LEFT), (2, ODD, 0.9, ODD_RIGHT),
        (0, ODD, 0.7, ODD_LEFT), (0, ODD, 0.3, ODD_RIGHT), (5, ODD, 0.1, ODD_LEFT), (6, ODD, 0.9, ODD_RIGHT), (-1, ODD, -0.1, ODD_RIGHT),
        (-1, ODD, 0.1, ODD_LEFT),
    ]  # fmt: skip
    parents, mates, aside, kinds = zip(*bones, strict=True)
    two = Halves(mates, np.array(aside), np.array([1.0, 0, 0]), True, np.ones(len(bones)))
    assert kinds_of(two, np.array(aside), parents) == kinds


@pytest.mark.parametrize(("reach", "large"), [(0.47, False), (0.49, True)])
def test_a_limb_of_one_joint_is_as_such_whichever_bone_is_the_last(reach: float, large: bool) -> None:
    parents, kinds = [-1, 0, 1, 2, 0, 4, 5, 0], [MIDDLE, *[LEFT] * 3, *[RIGHT] * 3, LEFT]
    figure = figure_of([f"b{bone}" for bone in range(8)], parents, np.array([(bone % 3, bone // 3, 0) for bone in range(8)], float))
    assert main_limbs(figure, np.array([0, 1.0, 0.5, 0, 1.0, 0.5, 0, reach]), np.ones(8), kinds)[-1] == large
