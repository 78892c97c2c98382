"""The trees of two bodies laid on each other, by a likeness that is given: what belongs together gains what is above 0.3."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.creatures.parts import LEFT, MIDDLE, RIGHT
from retro_anim.core.retarget.mapping.creatures.tree_match import TreeMatch

from .laid import Bone, body_of


def body(*bones: tuple[str, str] | tuple[str, str, int]) -> Any:
    """Names, parents, and parts of the body; `lR` is the twin of `l`. All limbs are large."""
    rows = [(name, above, kind[0] if kind else MIDDLE) for name, above, *kind in bones]
    result = body_of([Bone(name, above, (at, at, at), kind) for at, (name, above, kind) in enumerate(rows)])
    names = result.figure.names
    twins = {name: name.removesuffix("R") if name.endswith("R") else f"{name}R" for name in names}
    result.twins = [names.index(twins[name]) if twins[name] in names else -1 for name in names]
    return result


def match_of(one: Any, two: Any, alike: dict[str, float]) -> TreeMatch:
    """alike: by the names of both, with a space between; all others are not at all."""
    first, second = one.figure.names, two.figure.names
    values = [
        [alike.get(f"{a} {b}", 0.0 if one.kinds[at] == two.kinds[other] else -1.0) for other, b in enumerate(second)]
        for at, a in enumerate(first)
    ]
    return TreeMatch(one, two, np.array(values))


def pairs(match: TreeMatch) -> str:
    result = [f"{match.one.figure.names[a]} {match.two.figure.names[b]}" for a, b in match.matched.items()]
    assert match.backward == {b: a for a, b in match.matched.items()} and list(match.matched) == sorted(match.matched)
    return ", ".join(result)


def matched(one: Any, two: Any, alike: dict[str, float]) -> str:
    """The same with the figures exchanged."""
    there = pairs(match_of(one, two, alike))
    back = pairs(match_of(two, one, {" ".join(reversed(key.split())): value for key, value in alike.items()}))
    assert {tuple(pair.split()) for pair in there.split(", ")} == {tuple(reversed(pair.split())) for pair in back.split(", ")}
    return there


@pytest.mark.parametrize(("better", "expected"), [(0.009, "a c"), (0.011, "b c")])
def test_a_bone_of_the_trunk_is_skipped_for_one_that_is_more_alike_by_a_hundredth(better: float, expected: str) -> None:
    assert matched(body(("a", ""), ("b", "a")), body(("c", "")), {"a c": 0.5, "b c": 0.5 + better}) == expected


@pytest.mark.parametrize(("better", "expected"), [(0.119, "r r, a c"), (0.121, "r r, b c")])
def test_a_joint_of_a_limb_is_skipped_for_0_12(better: float, expected: str) -> None:
    one, two = body(("r", ""), ("a", "r", LEFT), ("b", "a", LEFT)), body(("r", ""), ("c", "r", LEFT))
    alike = {"r r": 1.0, "a c": 0.5, "b c": 0.5 + better}
    for figure in (one, two):  # with their mirror images, which follow
        figure.twins = list(range(len(figure.kinds)))
    assert matched(one, two, alike) == expected


@pytest.mark.parametrize(("alike", "expected"), [(0.29, "a c"), (0.31, "a c, b d")])
def test_what_is_alike_by_less_than_0_3_gains_nothing(alike: float, expected: str) -> None:
    """Bones that cannot belong together do not, whatever is below them."""
    one, two = body(("a", ""), ("b", "a")), body(("c", ""), ("d", "c"))
    assert matched(one, two, {"a c": 0.9, "b d": alike}) == expected
    assert matched(one, two, {"a c": -1.0, "b d": 0.9}) == "b d"
    assert matched(one, two, {"a c": 0.285, "b d": 0.9}) == "a c, b d", "0.015 are lost, rather than two times 0.01"
    assert matched(one, two, {"a c": 0.275, "b d": 0.9}) == "b d"
    assert match_of(one, two, {"a c": 0.9, "b d": 0.5}).gained == pytest.approx(0.6 + 0.2)
    low = match_of(one, two, {"a c": 0.2, "b d": 0.9})
    assert low.gained == pytest.approx(0.6) and low.score(0, 0) == pytest.approx(0.58) and low.score(1, 0) == pytest.approx(0.59)


@pytest.mark.parametrize("count", [1, 2, 4, 5, 6, 8])
def test_siblings_belong_together_so_that_all_gain_most(count: int) -> None:
    """Not each with the one that is most like it: the first two are both most like the first, and the second is like nothing else."""
    names = [f"n{at}" for at in range(count)]
    one = body(("r", ""), *((name, "r") for name in names))
    alike = {"r r": 1.0} | {f"{name} {name}": 0.8 for name in names}
    expected = [*names]
    if count > 1:
        alike |= {"n0 n0": 0.8, "n0 n1": 0.75, "n1 n0": 0.78, "n1 n1": 0.31}
        expected[:2] = ["n1", "n0"]
    for order in ([*range(count)], [*reversed(range(count))]):
        two = body(("r", ""), *((names[at], "r") for at in order))
        result = dict(pair.split() for pair in matched(one, two, alike).split(", "))
        assert result == {"r": "r"} | dict(zip(names, expected, strict=True))
        assert match_of(one, two, alike).score(0, 0) == pytest.approx(0.7 + (0.5 * (count - 2) + 0.45 + 0.48 if count > 1 else 0.5))


@pytest.mark.parametrize("count", [3, 7])
def test_what_is_like_nothing_is_left_out(count: int) -> None:
    names = [f"n{at}" for at in range(count)]
    one, two = body(("r", ""), *((name, "r") for name in names)), body(("r", ""), ("x", "r"), ("y", "r"))
    assert matched(one, two, {"r r": 1.0, "n1 x": 0.9, "n2 x": 0.8}) == "r r, n1 x"
    assert matched(one, body(("r", "")), {"r r": 1.0}) == "r r"


@pytest.mark.parametrize(("hung", "expected"), [(0.26, "a d"), (0.28, "b d")])
def test_limbs_that_belong_together_show_on_what_they_hang(hung: float, expected: str) -> None:
    """Three quarters of what they gain count for that."""
    one = body(("a", ""), ("b", "a"), ("l", "b", LEFT), ("lR", "b", RIGHT))
    two = body(("d", ""), ("m", "d", LEFT), ("mR", "d", RIGHT))
    assert matched(one, two, {"a d": 0.7, "b d": 0.51, "l m": 0.3 + hung}) == f"{expected}, l m, lR mR"


def test_what_a_limb_gains_counts_up_to_1() -> None:
    one = body(("a", ""), ("b", "a"), *((f"l{at}", "b" if not at else f"l{at - 1}", LEFT) for at in range(3)))
    two = body(("d", ""), *((f"l{at}", "d" if not at else f"l{at - 1}", LEFT) for at in range(3)))
    alike = {f"l{at} l{at}": 0.9 for at in range(3)} | {"b d": 0.1}
    assert match_of(one, two, alike | {"a d": 0.83}).matched.get(1) == 0
    assert match_of(one, two, alike | {"a d": 0.86}).matched.get(0) == 0, "0.75 and 0.01 less 0.2 are less than 0.56"
    assert match_of(one, two, alike).hung == {(1, 0): pytest.approx(0.75)}


def test_limbs_belong_together_wherever_they_hang() -> None:
    """With their twins of the other side; each limb but once."""
    one = body(("a", ""), ("b", "a"), ("l", "a", LEFT), ("lR", "a", RIGHT), ("m", "b", LEFT), ("mR", "b", RIGHT))
    two = body(("c", ""), ("x", "c", LEFT), ("xR", "c", RIGHT), ("y", "c", LEFT), ("yR", "c", RIGHT))
    alike = {"a c": 0.5, "l x": 0.8, "m y": 0.8, "l y": 0.7, "m x": 0.7}
    assert matched(one, two, alike) == "a c, l x, lR xR, m y, mR yR"
    match = match_of(one, two, alike)
    assert match.limbs == [[2, 4], [1, 3]] and match.children[0][0] == [1] and match.children[1][0] == []


@pytest.mark.parametrize("mass", [0.25, 0.26])
def test_small_limbs_hang_on_what_belongs_together(mass: float) -> None:
    """Unlike large ones, which belong to each other wherever they hang."""
    one = body(("a", ""), ("b", "a"), ("l", "b", LEFT), ("lR", "b", RIGHT))
    two = body(("c", ""), ("d", "c"), ("m", "c", LEFT), ("mR", "c", RIGHT))
    for figure in (one, two):
        figure.mass[2:] = mass
    alike = {"a c": 0.9, "b d": 0.9, "l m": 0.5}
    assert matched(one, two, alike) == ("a c, b d, l m, lR mR" if mass > 0.25 else "a c, b d")
    below = body(("c", ""), ("d", "c"), ("n", "d"), ("m", "n", LEFT), ("mR", "n", RIGHT))
    below.mass[3:] = mass
    assert matched(one, below, alike) == "a c, b d, l m, lR mR", "or on what belongs to nothing, and hangs on that"


@pytest.mark.parametrize(("alike", "expected"), [(0.6, "a c, b d"), (0.61, "a c, b d, t u"), (0.9, "a c, b d, t u")])
def test_a_tail_may_hang_elsewhere_by_more(alike: float, expected: str) -> None:
    """0.3 above what is needed."""
    one, two = body(("a", ""), ("b", "a"), ("t", "b")), body(("c", ""), ("d", "c"), ("u", "c"))
    assert matched(one, two, {"a c": 0.9, "b d": 0.9, "t u": alike}) == expected


def test_how_alike_all_is() -> None:
    """By length, of the one that has more that belongs to nothing."""
    one, two = body(("a", ""), ("b", "a")), body(("c", ""), ("d", "c"), ("e", "d"))
    one.weights, two.weights = np.array([1.0, 3]), np.array([2.0, 2, 4])
    match = match_of(one, two, {"a c": 0.8, "b d": 0.4})
    assert match.likeness_in_all() == pytest.approx(min((0.8 + 3 * 0.4) / 4, (2 * 0.8 + 2 * 0.4) / 8))
    two.weights = np.array([1.0, 0, 0])
    assert match.likeness_in_all() == pytest.approx((0.8 + 3 * 0.4) / 4)


@pytest.mark.parametrize("order", [*permutations(range(3))][:3])
def test_two_that_exchange_gain_together(order: Sequence[int]) -> None:
    """Of six, the best first would give 0.9 and then 0.31, where 0.85 twice are there."""
    names = [f"n{at}" for at in order] + ["n3", "n4", "n5"]
    one = body(("r", ""), *((name, "r") for name in names))
    alike = {"r r": 1.0, "n0 n0": 0.9, "n0 n1": 0.85, "n1 n0": 0.85, "n1 n1": 0.31, "n2 n2": 0.5}
    result = dict(pair.split() for pair in matched(one, one, alike).split(", "))
    assert result == {"r": "r", "n0": "n1", "n1": "n0", "n2": "n2"}


def test_what_is_left_of_an_exchange_and_gains_nothing_belongs_to_nothing() -> None:
    """Of six, the best first gain 0.65, 0.05 and 0.05; k and i exchange for 0.6 and 0.2, then i and j for 0 and 0.55."""
    one, two = (body(("r", ""), *((name, "r") for name in names)) for names in ("kijuvw", "xyzabc"))
    alike = {"r r": 1.0, "k x": 0.95, "k z": 0.9, "i z": 0.35, "i x": 0.5, "i y": 0.3, "j x": 0.85, "j y": 0.35}
    assert matched(one, two, alike) == "r r, k z, j x"


@pytest.mark.parametrize(("alike", "score", "expected"), [(0.0, 0.95, "a c, b d, e f"), (-0.01, 0.63, "b d, e f")])
def test_bones_that_are_not_alike_at_all_may_still_belong_together(alike: float, score: float, expected: str) -> None:
    """Where two branches of both do. Below 0 they must not: but one branch counts then, and both bones are skipped for it."""
    one, two = body(("a", ""), ("b", "a"), ("e", "a")), body(("c", ""), ("d", "c"), ("f", "c"))
    match = match_of(one, two, {"a c": alike, "b d": 0.95, "e f": 0.9})
    assert match.score(0, 0) == pytest.approx(score) and pairs(match) == expected


def test_a_limb_may_begin_with_the_first_bone_of_all() -> None:
    """What hangs on it goes on from it."""
    one = body(("l", "", LEFT), ("m", "l", LEFT), ("r", ""), ("k", "r", LEFT))
    match = match_of(one, one, {"l l": 0.9, "m m": 0.9, "r r": 0.9, "k k": 0.9})
    assert match.limbs == [[0, 3], [0, 3]]


def test_small_limbs_belong_together_where_nothing_above_them_does() -> None:
    """In neither body; not with those of a body in which something above them does, whatever is first there."""
    one, two = (body(("q", ""), ("s", ""), (name, "s", LEFT), (f"{name}R", "s", RIGHT)) for name in "fg")
    other = body(("q", ""), ("s", ""), ("g", "s", LEFT), ("gR", "s", RIGHT), ("t", ""))
    for each in (one, two, other):
        each.mass[2:4] = 0.1
    apart = {f"{a} {b}": -1.0 for a in "qs" for b in "qst"}
    assert matched(one, two, {**apart, "f g": 1.0}) == "f g, fR gR"
    assert matched(one, other, {**apart, "f g": 1.0, "s t": 1.0}) == "s t"
