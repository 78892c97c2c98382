"""Bones of two trees of one shape, siblings in the order in which their places are nearest, by distances that are known: figures are 100
metres long by one chain, so that a metre is a hundredth."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping import shape
from retro_anim.core.retarget.mapping.shape import DOUBTFUL, SURE, same_shape

from .given import figure_of

Point = tuple[float, float, float]


def figure(*siblings: Point, tips: tuple[Point, ...] = (), root: int = 0, size: float = 1.0) -> Figure:
    """Siblings on a root, each with a bone on it if tips are given, from that; and a chain of three bones. root: the number of its bone, as
    which it is the first of its family."""
    rows = [("root", "", (0.0, 0, 0)), ("far0", "root", (0, 30.0, 0)), ("far1", "far0", (0, 60.0, 0)), ("far2", "far1", (0, 100.0, 0))]
    rows += [(f"s{at}", "root", point) for at, point in enumerate(siblings)]
    rows += [(f"t{at}", f"s{at}", tuple(np.add(siblings[at], tip).tolist())) for at, tip in enumerate(tips)]
    names = [name for name, _, _ in rows]
    parents = [names.index(above) if above else -1 for _, above, _ in rows]
    return figure_of(names, parents, size * (np.array([head for _, _, head in rows]) + root))


def matched(one: Figure, two: Figure) -> dict[str, tuple[str, float]]:
    match = same_shape(one, two)
    assert match is not None and list(match.pairs) != [] and match.pairs.keys() == match.confidence.keys()
    return {one.names[bone]: (two.names[other], match.confidence[bone]) for bone, other in match.pairs.items()}


def at(degrees: float, length: float = 10.0) -> Point:
    """A point across the chain."""
    return (length * float(np.cos(np.radians(degrees))), 0.0, length * float(np.sin(np.radians(degrees))))


@pytest.mark.parametrize(("apart", "sure"), [(0.5, DOUBTFUL), (0.55, SURE)])
@pytest.mark.parametrize("size", [0.01, 1.0])
def test_siblings_are_sure_where_their_other_order_is_worse_by_a_tenth(apart: float, sure: float, size: float) -> None:
    """At 0 and 20 degrees in one figure, at 10 and by so much to either side in the other: in order they are 10 - d apart, else 10 + d.
    What hangs on them is as sure."""
    tips = ((0.0, 0, 1), (0.0, 0, 1))
    one = figure(at(0), at(20), tips=tips, size=size)
    for order in (1, -1):
        two = figure(at(10 - order * apart), at(10 + order * apart), tips=tips, size=size)
        first, second = ("0", "1")[::order]
        result = matched(one, two)
        assert {name: result[name] for name in ("s0", "s1", "t0", "t1")} == {
            f"{part}{name}": (f"{part}{other}", sure) for part in "st" for name, other in (("0", first), ("1", second))
        }
        assert result["far2"] == ("far2", SURE) and result["root"] == ("root", SURE)


@pytest.mark.parametrize(("lengths", "sure"), [((10.0, 14.0), DOUBTFUL), ((10.0, 20.0), SURE)])
def test_lengths_alone_show_little(lengths: tuple[float, float], sure: float) -> None:
    """A hundredth of what they differ by, of which a thousandth of the figure's size must be left."""
    one, two = (figure(*(at(0, length) for length in order)) for order in (lengths, lengths[::-1]))
    assert matched(one, two)["s0"] == ("s1", sure)


@pytest.mark.parametrize("longer", [0.7, 1.3])
def test_of_copies_lengths_differ(longer: float) -> None:
    """Each bone follows the one that points where it does, whatever ends nearer to it."""
    one = figure(at(0, 20), at(20, 20), at(40, 20))
    two = figure(at(0, 20 * longer), at(20, 20), at(40, 20 * longer))
    assert {name: pair for name, pair in matched(one, two).items() if name[0] == "s"} == {
        f"s{bone}": (f"s{bone}", SURE) for bone in range(3)
    }


def test_what_hangs_on_siblings_counts_too() -> None:
    """They begin at one point, and differ in where what hangs on them is."""
    one = figure((0, 0, 0), (0, 0, 0), tips=((1, 0, 0), (0, 0, 1)))
    two = figure((0, 0, 0), (0, 0, 0), tips=((0, 0, 1), (1, 0, 0)))
    assert matched(one, two)["s0"] == ("s1", SURE) and matched(one, two)["t1"] == ("t0", SURE)
    assert matched(one, figure((0, 0, 0), (0, 0, 0), tips=((0.5, 0, 0.5), (0.5, 0, 0.5))))["t0"][1] == DOUBTFUL


@pytest.mark.parametrize("count", [3, 5, 6, 7])
def test_siblings_are_each_the_one_that_is_nearest(count: int) -> None:
    """However many, in whatever order."""
    points = [at(20.0 * sibling) for sibling in range(count)]
    for order in [*permutations(range(count))][:: 1 + count**3][:4]:
        result = matched(figure(*points), figure(*(points[sibling] for sibling in order)))
        assert [result[f"s{sibling}"] for sibling in order] == [(f"s{sibling}", SURE) for sibling in range(count)]


def test_five_siblings_are_tried_in_every_order() -> None:
    """The nearest first would give the first one its own place, and leave 9 degrees for the last; of six that is done."""
    one = [at(degrees) for degrees in (0, 4, 20, 25, 30, 35)]
    two = [at(1), at(-4.5), *one[2:]]
    tried, greedy = matched(figure(*one[:5]), figure(*two[:5])), matched(figure(*one), figure(*two))
    assert (tried["s0"][0], tried["s1"][0]) == ("s1", "s0") and (greedy["s0"][0], greedy["s1"][0]) == ("s0", "s1")


@pytest.mark.parametrize(("away", "alike"), [(28.0, True), (29.0, False)])
def test_copies_are_apart_by_less_than_0_04_in_the_mean(away: float, alike: bool) -> None:
    """Of five bones one points elsewhere, by which the figure is larger, too, so that all others are shorter in its size."""
    steps = np.array([1.0, 0, 0]), np.array([1.0, 0, away])
    sizes = float(np.linalg.norm([1, 100])), float(np.linalg.norm([1, 100, away]))
    lengths = [float(np.linalg.norm(step)) / size for step, size in zip(steps, sizes, strict=True)]
    aside = float(np.linalg.norm(steps[0] - steps[1] / np.linalg.norm(steps[1])))
    rest = sum(length * abs(1 / sizes[0] - 1 / sizes[1]) for length in (30.0, 30.0, 40.0))
    mean = (aside * sum(lengths) / 2 + 0.01 * (abs(lengths[0] - lengths[1]) + rest)) / 5
    match = same_shape(figure((1, 0, 0)), figure((1, 0, away)))
    assert (match is not None) == alike == (mean < 0.04)
    if match is not None:
        assert match.distance == pytest.approx(mean)


def test_other_trees_are_none() -> None:
    one = figure((0, 0, 0), (1, 0, 0))
    assert same_shape(one, figure((0, 0, 0))) is None
    assert same_shape(one, figure((0, 0, 0), tips=((1, 0, 0),))) is None, "as many bones"
    assert same_shape(one, figure((0, 0, 0), (1, 0, 0), root=5)) is not None, "wherever they are"
    point = figure_of(["a"], [-1], np.zeros((1, 3)))
    match = same_shape(point, point)
    assert match is not None and match.pairs == {0: 0} and match.distance == 0


@pytest.mark.parametrize(("most", "sure"), [(4, DOUBTFUL), (5, SURE)])
def test_where_too_much_is_compared_nothing_is_sure(most: int, sure: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two siblings four pairs are; behind those their first bones alone count, which of these begin at one point."""
    monkeypatch.setattr(shape, "_MOST", most)
    result = matched(figure((0, 0, 0), (1, 0, 0)), figure((0, 0, 0), (1, 0, 0)))
    assert {confidence for _, confidence in result.values()} == {sure}
    tips: tuple[Point, ...] = ((1, 0, 0), (0, 0, 1))
    monkeypatch.setattr(shape, "_MOST", 0)
    assert matched(figure((0, 0, 0), (0, 0, 0), tips=tips), figure((0, 0, 0), (0, 0, 0), tips=tips[::-1]))["s0"][0] == "s0"
