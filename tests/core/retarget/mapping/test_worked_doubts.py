"""Which of what belongs together is sure: runs, pairs and chains of bones that are laid by hand, and how alike they are said to be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.creatures.doubts import DOUBTFUL, SURE, Doubts, _margins
from retro_anim.core.retarget.mapping.creatures.parts import LEFT, MIDDLE, RIGHT

from .laid import Bone, body_of, laid, row


def part(names: str, kind: int, mass: float, off: float, along: float = 0.0, size: float = 1.0) -> list[Bone]:
    """A root in the middle, and a straight row of bones on it."""
    bones = [Bone("R", "", (0, -1, 0)), *row(names, "R", 0, kind, mass)]
    return [bone._replace(off=off, along=along, head=(0, size * bone.head[1], 0)) for bone in bones]


def run(
    kind: int, mass: float, alike: Sequence[float], others: int = 0, off: float = 1.0, in_all: float = 1.0, along: float = 0.0
) -> tuple[Any, list[int], list[int]]:
    """A run of bones as alike as said, each with its own, and some more in the second body, in which every bone's number is higher by 1."""
    names = "abcdef"[: len(alike)]
    other = [Bone("Q", "", (9, 9, 9)), *part(names + "xyz"[:others], kind, mass, off, along)]
    match = laid(part(names, kind, mass, off, along), other, names)
    match.likeness_in_all = lambda: in_all
    for at, value in enumerate(alike, 1):
        match.likeness[at, at + 1] = value
    ones = list(range(1, 1 + len(alike)))
    return match, ones, list(range(2, 2 + len(alike) + others))


def is_sure(*values: Any, chained: bool = False, left_out: int = 0, **more: Any) -> bool:
    match, ones, twos = run(*values, **more)
    sure = Doubts(match).sure(ones, twos, chained, left_out)
    assert sure in (SURE, DOUBTFUL)
    return sure == SURE


LITTLE, MUCH = 0.4, 0.41
"""How much alike figures are in all of which little is asked, and just not."""


@pytest.mark.parametrize(
    ("kind", "mass", "off", "in_all", "least"),
    [
        (MIDDLE, 0.1, 1.0, MUCH, 0.72),
        (LEFT, 1.0, 0.0, MUCH, 0.5),  # large limbs
        (LEFT, 0.25, 1.0, MUCH, 0.5),
        (LEFT, 0.24, 1.0, LITTLE, 0.72),
        (LEFT, 0.24, 1.0, MUCH, 0.88),  # an ear alone may be an eye
    ],
)
def test_how_much_alike_one_pair_of_bones_must_be(kind: int, mass: float, off: float, in_all: float, least: float) -> None:
    assert is_sure(kind, mass, [least + 0.01], off=off, in_all=in_all)
    assert not is_sure(kind, mass, [least], off=off, in_all=in_all)


@pytest.mark.parametrize(("along", "least"), [(0.0, 0.6), (1.95, 0.6), (1.96, 0.88)])
def test_small_rows_are_sure_by_less_unless_they_are_on_the_head(along: float, least: float) -> None:
    """Of figures that are much alike: 0.6 for each bone."""
    for values in ([least, 1.0], [1.0, least]):
        assert not is_sure(LEFT, 0.1, values, along=along)
        assert is_sure(LEFT, 0.1, [value + 0.01 for value in values], along=along)


@pytest.mark.parametrize(("count", "mass", "least"), [(2, 0.1, 0.88), (3, 0.1, 0.6), (3, 0.25, 0.88)])
def test_where_many_small_parts_are_one_of_them_is_sure_by_less(count: int, mass: float, least: float) -> None:
    """Three on one side of a head, large ones not counted, nor those of the other side, in both figures."""

    def faced(number: int) -> list[Bone]:
        beside = [Bone(f"ear{at}", "R", (1, at, 0), LEFT, mass if at else 0.1, 1.0) for at in range(number)]
        return [Bone("R", "", (0, -1, 0)), *beside, *(Bone(f"right{at}", "R", (-1, at, 0), RIGHT, 0.1, 1.0) for at in range(3))]

    for one, two, need in ((count, count, least), (count, 2, 0.88), (2, count, 0.88)):
        match = laid(faced(one), faced(two), {"ear0": "ear0"})
        match.likeness[1, 1] = need
        assert Doubts(match).sure([1], [1], False, 0) == DOUBTFUL
        match.likeness[1, 1] = need + 0.01
        assert Doubts(match).sure([1], [1], False, 0) == SURE


def test_what_hangs_on_nothing_has_nothing_beside_it() -> None:
    match = laid(row("abc", kind=LEFT, mass=0.1), row("abc", kind=LEFT, mass=0.1), "a")
    match.likeness[0, 0] = 0.7
    assert Doubts(match).sure([0], [0], False, 0) == DOUBTFUL


def test_spine_neck_and_tail_are_looked_at_bone_by_bone() -> None:
    """Also of figures that are little alike, and of chains, wherever they are."""
    assert is_sure(MIDDLE, 0.1, [0.1, 0.1], off=0.0, in_all=LITTLE, others=2, left_out=2)
    for off in (0.0, 1.0):
        assert is_sure(MIDDLE, 0.1, [0.1, 0.1], off=off, in_all=LITTLE, others=3, left_out=3, chained=True)


@pytest.mark.parametrize("left_out", [0, 1, 3])
def test_large_limbs_are_sure_by_their_mean(left_out: int) -> None:
    """Of more than 0.5, whatever joints more one has, in figures that are much alike."""
    for values, sure in (([0.1, 0.91], True), ([0.1, 0.9], False)):
        assert is_sure(LEFT, 0.25, values, others=left_out, in_all=MUCH, left_out=left_out) == sure
        assert not is_sure(LEFT, 0.25, values, others=left_out, in_all=LITTLE, left_out=left_out)


@pytest.mark.parametrize("left_out", [0, 3])
def test_of_a_chain_of_large_limbs_the_mean_counts(left_out: int) -> None:
    """Of more than 0.45, however many joints more one has."""
    for values, sure in (([0.02, 0.9], True), ([0.0, 0.9], False), ([0.45, 0.45], False)):
        assert is_sure(LEFT, 0.25, values, others=left_out, in_all=MUCH, chained=True, left_out=left_out) == sure


def test_a_chain_of_small_limbs_or_of_figures_little_alike_is_as_pairs() -> None:
    assert not is_sure(LEFT, 0.24, [0.6, 1.0], chained=True) and is_sure(LEFT, 0.24, [0.61, 1.0], chained=True)
    assert not is_sure(LEFT, 0.24, [1.0, 1.0], others=1, chained=True, left_out=1)
    assert is_sure(LEFT, 0.25, [0.73, 0.73], chained=True, in_all=LITTLE) and not is_sure(
        LEFT, 0.25, [0.72, 1.0], chained=True, in_all=LITTLE
    )
    assert not is_sure(LEFT, 0.25, [1.0, 1.0], others=1, chained=True, left_out=1, in_all=LITTLE)


def test_what_goes_on_in_but_one_is_no_matter_beside_the_trunk() -> None:
    """A tongue behind a jaw: small, and from the first bone on each belongs to its own."""
    for kind in (MIDDLE, LEFT):
        assert is_sure(kind, 0.1, [1.0], others=1, left_out=1)
    assert not is_sure(MIDDLE, 0.3, [1.0], others=1, left_out=1), "nor of what is large"
    match, ones, twos = run(LEFT, 0.1, [1.0, 1.0])
    assert Doubts(match).sure(ones, twos[1:], False, 1) == DOUBTFUL, "the second belongs to the second"


@pytest.mark.parametrize("side", [0, 1])
def test_large_is_what_is_large_in_either(side: int) -> None:
    match, ones, twos = run(LEFT, 0.1, [0.6, 0.6])
    assert Doubts(match).sure(ones, twos, False, 0) == DOUBTFUL
    (match.one, match.two)[side].mass[1 + side] = 0.25
    assert Doubts(match).sure(ones, twos, False, 0) == SURE


def test_each_figure_has_numbers_of_its_own() -> None:
    """The second one's limb has that of the first one's tail: 0.5 for a limb, and 0.88 for a small one, as the tail is."""

    def is_doubtful(mass: float, other: float, alike: float) -> bool:
        limb, tail = Bone("a", "R", (1, 0, 0), LEFT, mass), Bone("t", "R", (0, 1, 0), MIDDLE, 0.1)
        root = Bone("R", "", (0, 0, 0), MIDDLE, 0.1)
        match = laid([root, limb, tail], [root, tail, limb._replace(mass=other)], "a")
        match.likeness[1, 2] = alike
        return Doubts(match).sure([1], [2], False, 0) == DOUBTFUL

    assert is_doubtful(1.0, 1.0, 0.5) and not is_doubtful(1.0, 0.1, 0.8) and not is_doubtful(0.1, 1.0, 0.8) and is_doubtful(0.1, 0.1, 0.8)


def test_limbs_of_a_row_that_is_uneven_are_doubtful() -> None:
    """Any of their bones, in either figure."""
    match, ones, twos = run(LEFT, 1.0, [1.0, 1.0])
    assert Doubts(match, (), (set(), set())).sure(ones, twos, False, 0) == SURE
    for uneven in (({2}, set[int]()), (set[int](), {2})):
        assert Doubts(match, (), uneven).sure(ones, twos, False, 0) == DOUBTFUL
    assert Doubts(match, (), ({0}, {0})).sure(ones, twos, False, 0) == SURE


@pytest.mark.parametrize(("beside", "sure"), [(0.75, SURE), (0.76, DOUBTFUL)])
@pytest.mark.parametrize("inwards", [False, True])
def test_limbs_that_are_alike_may_be_shifted_where_that_suits_better(beside: float, sure: float, inwards: bool) -> None:
    """By 0.75 they are much alike, so that as much as that is needed, not 0.9 of it; one joint further in, or out."""
    match, ones, twos = run(LEFT, 1.0, [0.75, 0.75, 0.75])
    match.one.figure.heads[3] += (1.0, -1.0, 0)  # bent, as no tail is
    for at in (1, 2):
        match.likeness[(at, at + 2) if inwards else (at + 1, at + 1)] = beside
        match.likeness[(at + 1, at + 1) if inwards else (at, at + 2)] = 0.0
    assert Doubts(match).sure(ones, twos, False, 0) == sure


def test_only_large_limbs_of_as_many_joints_may_be_shifted() -> None:
    def shifted(kind: int, mass: float, others: int = 0, straight: bool = False) -> float:
        match, ones, twos = run(kind, mass, [0.8, 0.8, 0.8], others=others)
        if not straight:
            match.one.figure.heads[3] += (1.0, -1.0, 0)
        return Doubts(match).sure(ones, twos, False, others)

    assert shifted(LEFT, 0.25) == DOUBTFUL
    assert shifted(LEFT, 0.24) == shifted(MIDDLE, 0.25) == shifted(LEFT, 0.25, 1) == shifted(LEFT, 0.25, straight=True) == SURE


@pytest.mark.parametrize(("crosswise", "sure"), [(0.93, SURE), (0.94, DOUBTFUL)])
def test_a_rival_suits_by_more_than_0_93_of_both(crosswise: float, sure: float) -> None:
    """Fingers beside each other on a hand; what is beside them of the other side is none, nor what hangs elsewhere."""
    hand = [Bone("R", "", (0, 0, 0)), Bone("h", "R", (1, 0, 0), LEFT), *(Bone(name, "h", (2, 0, at), LEFT) for at, name in enumerate("fg"))]

    def scored(pairs: dict[tuple[int, int], float]) -> float:
        match = laid(hand, hand, "Rhfg")
        match.score = lambda first, second: pairs.get((first, second), 1.0 if first == second else 0.0)
        return Doubts(match).sure([2], [2], False, 0)

    assert scored({(2, 3): crosswise, (3, 2): crosswise}) == sure
    assert scored({(1, 2): 9.0, (2, 1): 9.0, (0, 2): 9.0, (2, 0): 9.0}) == SURE


@pytest.mark.parametrize(("suits", "sure"), [(0.6, SURE), (0.61, DOUBTFUL)])
@pytest.mark.parametrize("kind", [MIDDLE, LEFT])
def test_what_but_one_has_is_a_rival_by_0_6(suits: float, sure: float, kind: int) -> None:
    """In either figure: tails on one bone, or limbs wherever they hang."""
    more = [Bone("R", "", (0, 0, 0)), Bone("a", "R", (1, 0, 0), kind), Bone("b", "R", (2, 0, 0), kind)]
    for one, two, rival in ((more, more[:2], (2, 1)), (more[:2], more, (1, 2))):
        match = laid(one, two, "Ra")
        match.score = lambda first, second, rival=rival: suits if (first, second) == rival else float(first == second)
        assert Doubts(match).sure([1], [1], False, 0) == sure
    match = laid(more, more, "Rab")
    match.score = lambda first, second: 0.9 if {first, second} == {1, 2} and first == 2 else float(first == second)
    assert Doubts(match).sure([1], [1], False, 0) == SURE, "what belongs to its own is no such rival"


def test_limbs_are_rivals_wherever_they_hang() -> None:
    """Those of a side; the joints of one are none."""
    bones = [Bone("R", "", (0, 0, 0)), Bone("S", "R", (0, 1, 0)), Bone("a", "R", (1, 0, 0), LEFT), Bone("b", "S", (1, 1, 0), LEFT)]
    bones += [Bone("c", "b", (2, 1, 0), LEFT)]

    def scored(first: int, second: int, at: int = 2) -> float:
        match = laid(bones, bones, "RSa")
        match.score = lambda one, two: 0.7 if (one, two) == (first, second) else float(one == two)
        return Doubts(match).sure([at], [at], False, 0)

    assert scored(2, 3) == scored(3, 2) == DOUBTFUL and scored(2, 4) == scored(4, 2) == SURE


def test_roots_have_nothing_beside_them() -> None:
    match = laid(row("ab"), [*row("ab"), Bone("c", "", (9, 9, 9))], "ab")
    match.score = lambda first, second: 1.0
    assert Doubts(match).sure([0], [0], False, 0) == SURE


def mirrored(value: float) -> Any:
    """A limb of each side, the right one first, of which only the left one's likeness is known."""
    bones = [Bone("R", "", (0, 0, 0)), Bone("r", "R", (-1, 0, 0), RIGHT, off=1.0), Bone("l", "R", (1, 0, 0), LEFT, off=1.0)]
    bodies = [body_of(bones) for _ in range(2)]
    for body in bodies:
        body.twins = [-1, 2, 1]
    match = laid(bodies[0], bodies[1], "Rrl")
    match.likeness[1, 1], match.likeness[2, 2] = -1.0, value
    return match


@pytest.mark.parametrize(("value", "sure"), [(0.5, DOUBTFUL), (0.51, SURE)])
def test_what_is_sure_of_one_side_is_of_the_other(value: float, sure: float) -> None:
    doubts = Doubts(mirrored(value))
    assert doubts.sure([1], [1], False, 0) == doubts.sure([2], [2], False, 0) == sure
    assert not doubts.unlike([1], [1])


def test_whatever_else_is_known_a_pair_must_be_the_same_without_each_sign() -> None:
    """All of a small limb, and each joint of a large one."""
    match, ones, twos = run(LEFT, 0.1, [1.0, 1.0])
    for other, sure, chained, second in (
        ({1: 2, 2: 3}, SURE, SURE, False),
        ({1: 3, 2: 2}, DOUBTFUL, SURE, True),
        ({1: 2, 2: 9}, DOUBTFUL, DOUBTFUL, True),
        ({1: 2, 2: 3, 9: 9}, SURE, SURE, False),
    ):
        doubts = Doubts(match, [{1: 2, 2: 3}, other])
        assert doubts.sure(ones, twos, False, 0) == sure and doubts.sure(ones, twos, True, 0) == chained
        match.likeness[1, 3] = match.likeness[2, 2] = 0.0
        assert doubts.is_shifted(2, 3) == second


@pytest.mark.parametrize(("rows", "columns", "seed"), [(1, 1, 0), (2, 3, 1), (3, 4, 2), (4, 3, 3), (3, 3, 4)])
def test_the_margin_of_a_pair_is_what_the_best_assignment_gains_by_it(rows: int, columns: int, seed: int) -> None:
    """Of all assignments in order, with and without the pair."""
    scores = np.random.default_rng(seed).uniform(-0.5, 1.0, (rows, columns))
    gains = [
        (sum(scores[pair] for pair in zip(ones, twos, strict=True)), {*zip(ones, twos, strict=True)})
        for count in range(min(rows, columns) + 1)
        for ones in combinations(range(rows), count)
        for twos in combinations(range(columns), count)
    ]
    best = max(gain for gain, _ in gains)
    expected = [
        [best - max(gain for gain, pairs in gains if (row, column) not in pairs) for column in range(columns)] for row in range(rows)
    ]
    assert _margins(scores) == pytest.approx(np.array(expected))


@pytest.mark.parametrize(("joint", "differ"), [(0.73, False), (0.71, True)])
def test_joints_of_legs_are_sure_by_how_likely_they_are_the_same(joint: float, differ: bool) -> None:
    """The likeness counts no more."""
    match = laid(part("abc", LEFT, 1.0, 1.0), part("abc", LEFT, 1.0, 1.0), "abc")
    match.likeness[:] = 0.0
    match.joint = lambda first, second: joint if first == second == 1 else 1.0
    assert Doubts(match).differ(1, 1, (set(), set())) == differ


@pytest.mark.parametrize(("aside", "may"), [(0.58, False), (0.62, True)])
@pytest.mark.parametrize("known", [True, False])
def test_of_legs_whose_joints_show_an_end_goes_straight_on(aside: float, may: bool, known: bool) -> None:
    """Where the other's last bone, of another length, goes on by a cosine of 0.8 or less; whatever the angle where they do not show."""
    straight = part("abc", LEFT, 1.0, 1.0)
    ahead = 0.5 * (1 - aside**2) ** 0.5
    bent = [bone._replace(head=(0.5 * aside, bone.head[1] - 1 + ahead, 0)) if bone.name == "c" else bone for bone in straight]
    match = laid(straight, bent, "abc")
    match.joint = lambda first, second: 1.0 if known else None
    assert Doubts(match).may_be_end(3, 3) == (may or not known)
