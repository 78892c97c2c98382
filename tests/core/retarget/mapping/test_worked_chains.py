"""How alike two chains are, and which way a figure looks, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.mapping.chain_mapping import Branch, _branch, _likeness, branches, match
from retro_anim.core.retarget.mapping.creatures.front import _ends, _toes, _trunk
from retro_anim.core.retarget.mapping.creatures.parts import LEFT, MIDDLE, RIGHT
from retro_anim.core.retarget.mapping.naming.names import read_names

from .given import figure_of

UP = np.array([0.0, 0, 1])
TAIL = Branch((1, 2), 0, "", np.zeros(3), UP, 1.0, frozenset({"tail", "long"}), 0)
"""It hangs on bone 0."""


@pytest.mark.parametrize(
    ("changes", "rate"),
    [
        ({}, 1.0),
        ({"side": "left"}, 0.0),
        ({"tokens": frozenset({"tail"})}, 1.0),
        ({"tokens": frozenset({"tail", "short"})}, 1 - 0.3 / 2),
        ({"tokens": frozenset({"wing"})}, 1 - 0.3),
        ({"tokens": frozenset()}, 1 - 0.3),
        ({"start": 0.75 * UP, "end": 1.75 * UP}, 1 - 0.2 / 2),
        ({"start": 2 * UP, "end": 3 * UP}, 1 - 0.2),
        ({"end": np.array([np.sqrt(0.75), 0, 0.5])}, 1 - 0.15 / 2),
        ({"end": -UP}, 1 - 0.15),
        ({"end": np.zeros(3)}, 1 - 0.15),
        ({"part": 0.25}, 1 - 0.1 * 0.75),
        ({"part": 4.0}, 1 - 0.1 * 0.75),
        ({"bones": (1,)}, 1 - 0.05 / 2),
        ({"bones": (1, 2, 3, 4)}, 1 - 0.05 / 2),
        ({"parent": 7}, 1 - 0.2),
        ({"parent": -1}, 1 - 0.2),
        ({"parent": 7, "tokens": frozenset({"wing"})}, 0.6 * (1 - 0.2 - 0.3)),
    ],
)
def test_how_alike_two_chains_are(changes: dict[str, Any], rate: float) -> None:
    """In all 1: 0.3 by their names, 0.2 by where they begin, 0.15 by their course, 0.1 by length, 0.05 by bones, 0.2 by what they hang on.
    Where neither name nor that is the same, 0.6 of the rest."""
    other = replace(TAIL, **changes)
    assert _likeness(TAIL, other, {0: 0}, True) == pytest.approx(rate)
    assert _likeness(TAIL, other, {0: 0}, False) == pytest.approx(rate if TAIL.tokens & other.tokens else 0.0)


def test_chains_at_two_roots_hang_alike() -> None:
    root = replace(TAIL, parent=-1)
    assert [_likeness(root, other, {}, True) for other in (root, TAIL)] == pytest.approx([1.0, 0.8])


def test_the_most_alike_are_matched_first_and_each_once() -> None:
    """What hangs on them hangs on matched bones, each on that of its own number or on the last."""
    ones = [replace(TAIL, bones=(1, 2)), replace(TAIL, bones=(3, 4), start=0.3 * UP), replace(TAIL, bones=(5,), parent=2, depth=1)]
    twos = [replace(TAIL, bones=(8,), start=0.3 * UP), replace(TAIL, bones=(6, 7)), replace(TAIL, bones=(9,), parent=7, depth=1)]
    matched = [(one.bones, two.bones) for one, two, _ in match(ones, twos, {0: 0}, True)]
    assert matched == [((1, 2), (6, 7)), ((3, 4), (8,)), ((5,), (9,))]
    wing = replace(TAIL, tokens=frozenset({"wing"}))
    assert [sure for other in (TAIL, wing) for _, _, sure in match([TAIL], [other], {0: 0}, True)] == [0.9, 0.7]
    assert match([TAIL], [replace(TAIL, side="left")], {0: 0}, True) == []


@pytest.mark.parametrize(("x", "side"), [(0.17, "left"), (0.15, ""), (-0.15, ""), (-0.17, "right")])
@pytest.mark.parametrize("left", [None, (1.0, 0, 0), (-1.0, 0, 0), (0, 1.0, 0)])
def test_the_side_of_a_chain_without_names(x: float, side: str, left: tuple[float, float, float] | None) -> None:
    """By where its middle is, half as far aside as its end here, of half the figure's size, in axes that are known or the world's."""
    heads = np.array([(0, -1, 0), (0, 1, 0), (0, 0, 0)], float)
    tails = np.array([(0, 1, 0), (0, 1, 0.1), (x, 0, 0)])
    figure = figure_of(list("abc"), [-1, 0, 0], heads, tails)
    directions: Any = None if left is None else (np.array(left), UP)
    labels: Any = SimpleNamespace(sides=("",) * 3, directions=directions, names=read_names(["1", "2", "3"]))
    branch = _branch(figure, labels, (2,), 0, (np.zeros(3), 1.0), 0)
    other = {"left": "right", "right": "left", "": ""}
    assert branch.side == (side if left is None or left[0] > 0 else other[side] if left[0] < 0 else "")
    labels.sides = ("", "", "right")
    assert _branch(figure, labels, (2,), 0, (np.zeros(3), 1.0), 0).side == "right", "as it is said"


def beast(toes: float) -> Any:
    """Hips, a trunk of 2 to the front and 1 up where arms hang, a tail of 4, and legs of 3 bones with toes of 1 that point so many degrees
    to the front of straight down."""
    foot = np.array([0, np.sin(np.radians(toes)), -np.cos(np.radians(toes))])
    heads: list[Any] = [[0, 0, 3], [0, 2, 4], [0, -4, 3]]
    parents, kinds = [-1, 0, 0], [MIDDLE, MIDDLE, MIDDLE]
    for side, kind in ((1, LEFT), (-1, RIGHT)):
        for hub, at in ((0, (0, 3)), (1, (2, 4))):
            first = len(heads)
            heads += [[side, *at], [side, at[0], at[1] - 1.5], [side, at[0], 1.0], np.array([side, at[0], 1.0]) + foot]
            parents += [hub, first, first + 1, first + 2]
            kinds += [kind] * 4
    points = np.array(heads, float)
    return figure_of([f"bone{bone}" for bone in range(len(heads))], parents, points), points, kinds


def test_a_trunk_that_goes_to_where_arms_hang_looks_there() -> None:
    """2 to the front of the square root of 5; by limbs alone that are long, and have a joint."""
    figure, heads, kinds = beast(0.0)
    mass = np.ones(len(kinds))
    assert _trunk(figure, heads, kinds, mass) == pytest.approx(2 / np.sqrt(5))
    assert _trunk(figure, heads, kinds, 0.09 * mass) == 0
    assert _trunk(figure, heads * [1, -1, 1], kinds, mass) == pytest.approx(-2 / np.sqrt(5))


@pytest.mark.parametrize("degrees", [0.0, 30.0, -90.0])
def test_toes_show_where_a_figure_looks(degrees: float) -> None:
    """As far as they point there, of feet at the ground."""
    figure, heads, kinds = beast(degrees)
    mass, path = np.ones(len(kinds)), np.zeros(len(kinds))
    assert _toes(figure, heads, kinds, mass, path) == pytest.approx(np.sin(np.radians(degrees)))
    assert _toes(figure, heads, kinds, 0.0 * mass, path) == 0


def test_a_tail_and_a_face_are_at_the_two_ends() -> None:
    """Of a body from -4 to 2 nothing hangs on the tail at its end; at the other, half of the body from its middle, small pairs do."""
    figure, heads, kinds = beast(0.0)
    mass, below = np.ones(len(kinds)), np.zeros(len(kinds))
    assert _ends(figure, heads, kinds, mass, below, ()) == (pytest.approx(1.0), 0.0)
    small = np.where(heads[:, 1] >= 2, 0.1, 1.0)
    assert _ends(figure, heads, kinds, small, below, ())[1] == pytest.approx(1.0)
    assert _ends(figure, heads * [1, -1, 1], kinds, small, below, ())[1] == pytest.approx(-1.0)
    assert _ends(figure, heads[:1], kinds[:1], mass, below, ()) == (0.0, 0.0)


def test_how_many_chains_a_chain_hangs_on() -> None:
    """Two of two bones on one, and on one of them again two; by depth, the longest first; what is taken counts as one."""
    heads = np.array([(0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 2, 1), (0, -1, 1), (0, -2, 1), (0, 3, 1), (1, 2, 1)], float)
    figure = figure_of(list("abcdefgh"), [-1, 0, 1, 2, 1, 4, 3, 3], heads)
    labels: Any = SimpleNamespace(sides=("",) * 8, directions=None, names=read_names(list("12345678")))
    every = branches(figure, labels, set())
    assert {branch.bones: (branch.depth, branch.parent) for branch in every} == {
        (0, 1): (0, -1), (2, 3): (1, 1), (4, 5): (1, 1), (6,): (2, 3), (7,): (2, 3),
    }  # fmt: skip
    assert [branch.depth for branch in every] == [0, 1, 1, 2, 2]
    apart = branches(figure, labels, {2, 3})
    assert {branch.bones: branch.depth for branch in apart} == {(0, 1, 4, 5): 0, (6,): 1, (7,): 1}


@pytest.mark.parametrize(
    ("sides", "chains"),
    [
        (("", "", "left"), [(0, 1), (2,)]),
        (("left", "left", "left"), [(0, 1, 2)]),
        (("left", "left", ""), [(0, 1, 2)]),
        (("", "right", "right"), [(0,), (1, 2)]),
    ],
)
def test_a_chain_ends_where_one_of_a_side_begins(sides: tuple[str, ...], chains: list[tuple[int, ...]]) -> None:
    figure = figure_of(list("abc"), [-1, 0, 1], np.array([(0, 0, 0), (0, 0, 1), (0, 0, 2)], float))
    labels: Any = SimpleNamespace(sides=sides, directions=None, names=read_names(list("123")))
    assert [branch.bones for branch in branches(figure, labels, set())] == chains


def test_short_chains_are_as_alike_as_long_ones() -> None:
    """By the part of the longer one that the other has: of a tenth of the figure, too."""
    short = replace(TAIL, part=0.1)
    for part, rate in ((0.1, 1.0), (0.05, 1 - 0.1 / 2)):
        assert _likeness(short, replace(TAIL, part=part), {0: 0}, True) == pytest.approx(rate)


def test_where_a_chain_begins_and_ends_is_measured_by_the_figure() -> None:
    """From the middle of its joints, in halves of its longest side, which is 8 here: the last bone goes from 4 above to 1 beside that."""
    heads = np.array([(0, 0, 0), (0, 0, 8), (0, 2, 0)], float)
    figure = figure_of(list("abc"), [-1, 0, 0], heads, np.array([(0, 0, 1), (0, 5, 4), (0, 2, 1)], float))
    labels: Any = SimpleNamespace(sides=("",) * 3, directions=None, names=read_names(list("123")))
    middle = {branch.bones: branch for branch in branches(figure, labels, {0, 2})}[(1,)]
    assert middle.start == pytest.approx([0, -1 / 4, 1]) and middle.end == pytest.approx([0, 1, 0])
    assert middle.part == pytest.approx(np.hypot(5, 4) / 4)


@pytest.mark.parametrize(("end", "rate"), [(UP, 1.0), (-UP, 1 - 0.15), (np.array([0, 1.0, 0]), 1 - 0.15)])
def test_chains_that_begin_beside_the_middle_go_where_their_own_ends_are(end: Floats, rate: float) -> None:
    """0.15 for the course from the beginning on, wherever both are in their figures."""
    start = np.array([0.6, -0.3, 0.2])
    one, two = (replace(TAIL, start=start, end=start + each) for each in (UP, end))
    assert _likeness(one, two, {0: 0}, True) == pytest.approx(_likeness(two, one, {0: 0}, True)) == pytest.approx(rate)


@pytest.mark.parametrize("lengths", [(1.0, 3.0, 2.0), (3.0, 2.0, 1.0), (2.0, 1.0, 3.0)])
def test_of_chains_at_one_depth_the_longest_are_first(lengths: tuple[float, float, float]) -> None:
    """Of very many the shortest are left out."""
    heads = np.array([(0, 0, 0), *((side, 0, 0) for side in (-5, 0, 5))], float)
    tails = heads + np.array([(0, 0, 1.0), *((0, 0, length) for length in lengths)])
    figure = figure_of(list("abcd"), [-1, 0, 0, 0], heads, tails)
    labels: Any = SimpleNamespace(sides=("",) * 4, directions=None, names=read_names(list("1234")))
    ordered = [branch.bones[0] for branch in branches(figure, labels, {0})]
    assert [lengths[bone - 1] for bone in ordered] == [3.0, 2.0, 1.0]
