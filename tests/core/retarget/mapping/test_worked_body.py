"""What describes the bones of a body, each number worked out by hand: a beast of three bones on legs and arms of two, with ears."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.creatures.body import Body, _faces, _ranks, _shown
from retro_anim.core.retarget.mapping.creatures.legs import stand_on_fours
from retro_anim.core.retarget.mapping.creatures.parts import LEFT, MIDDLE, RIGHT
from retro_anim.core.retarget.mapping.creatures.symmetry import ODD, Halves, _below, halves
from retro_anim.core.retarget.mapping.naming.names import Side

from .given import figure_of

HIPS, CHEST, HEAD, LEG, FOOT, ARM, HAND, EAR = range(8)
"""Those of the right side follow, LEG + 5 and so on."""
PARENTS = [-1, HIPS, CHEST, HIPS, LEG, CHEST, ARM, HEAD, HIPS, LEG + 5, CHEST, ARM + 5, HEAD]
SIDED = [(1, 0, 4), (1, 0, 0), (1, 3, 4), (1, 3, 1), (0.5, 4, 4.5)]
HEADS = np.array([(0, 0, 4), (0, 3, 4), (0, 4, 4), *SIDED, *((-x, y, z) for x, y, z in SIDED)], float)
"""Left, forward and up."""
EAR_LENGTH = 0.5**0.5


def body(size: float = 1.0, heads: Floats = HEADS) -> Body:
    """In a world in which it looks along -Y."""
    figure = figure_of([f"bone{bone}" for bone in range(len(PARENTS))], PARENTS, size * heads * [1, -1, 1])
    unnamed: list[Side] = [""] * len(PARENTS)
    return Body.of(figure, halves(figure, unnamed), np.array([1.0, 0, 0]))


@pytest.mark.parametrize("size", [1.0, 1e3])
def test_what_hangs_on_the_bones_of_a_body(size: float) -> None:
    """In lengths of the longest limb, 5: from the hips it is 7 to the tip of an arm, and from the chest 4."""
    beast = body(size)
    assert beast.kinds == (MIDDLE,) * 3 + (LEFT,) * 5 + (RIGHT,) * 5 and beast.paired == 10
    assert beast.twins[:9] == (-1, -1, -1, 8, 9, 10, 11, 12, 3)
    assert replace(beast, twins=(1, 0, -1)).paired == 2, "also of the first bone"
    assert beast.steps[:8] == pytest.approx([0, 3 / 5, 1 / 5, 1 / 5, 4 / 5, 1 / 5, 3 / 5, EAR_LENGTH / 5])
    assert beast.mass[:8] == pytest.approx([7 / 5, 7 / 5, (EAR_LENGTH + 1) / 5, 1, 4 / 5, 4 / 5, 3 / 5, EAR_LENGTH / 5])
    assert beast.below[:8].tolist() == [3, 2, 1, 1, 0, 1, 0, 0]
    assert beast.tips[:8].tolist() == [5, 3, 1, 1, 1, 1, 1, 1], "ears are twigs"
    assert beast.out[:8] == pytest.approx([0, 0, 0, 0, 1, 0, 1, 0])
    assert beast.faces[:8].tolist() == [1, 1, 1, 0, 0, 0, 0, 0]
    assert beast.rank[:8] == pytest.approx([0.5] * 3 + [0, 0, 1, 1, 0.5], abs=1e-6)
    assert beast.weights == pytest.approx(np.array([0, 3, 1, *2 * [1, 4, 1, 3, 0]]) / 5)
    assert not beast.fingers.any() and not beast.twists.any()
    assert replace(beast, legs=(ARM, LEG), below=beast.below + (np.arange(13) == ARM)).joints_of_legs() == [2, 3], "from the back"


@pytest.mark.parametrize("size", [1.0, 1e3])
def test_where_the_bones_of_a_body_point(size: float) -> None:
    """To the tip, from the parent, to the next bone on the way out; and how far from where their limb begins."""
    beast = body(size)
    ear = np.array([0.5, 0, 0.5]) / EAR_LENGTH
    assert beast.along[:8] == pytest.approx(
        np.array([(0, 0, 0), (0, 1, 0), (0, 1, 0), (1, 0, 0), (0, 0, -1), (1, 0, 0), (0, 0, -1), ear.tolist()])
    )
    assert beast.reach[[LEG, FOOT, ARM, EAR]] == pytest.approx(np.array([(0, 0, -1), (0, 0, 0), (0, 0, -1), (0, 0, 0)], float))
    assert abs(beast.reach[HIPS]) == pytest.approx(np.array([1, 3, 3]) / 19**0.5)
    assert abs(beast.onward[[HIPS, CHEST, HEAD]]) == pytest.approx(np.array([(0, 1, 0), (1, 0, 0), abs(ear).tolist()]))
    assert beast.onward[[LEG, FOOT]] == pytest.approx(np.array([(0, 0, -1), (0, 0, 0)], float))
    assert beast.within[:6] == pytest.approx(
        np.array([(0, 0, 0), (0, 3 / 7, 0), (0, 1 / (1 + EAR_LENGTH), 0), (1 / 5, 0, 0), (1 / 5, 0, -4 / 5), (1 / 4, 0, 0)])
    )


@pytest.mark.parametrize("size", [1.0, 1e3])
def test_where_in_a_body_its_bones_are(size: float) -> None:
    """From the mean of its limbs, each of their bones by its length, in their standard deviation along each axis."""
    limbs = [LEG, FOOT, ARM, HAND]
    weights = np.array([1.0, 4, 1, 3])
    both = np.concatenate([HEADS[limbs], HEADS[[limb + 5 for limb in limbs]]])
    centre = np.average(both, axis=0, weights=[*weights, *weights])
    spread = np.sqrt(np.cov(both.T, aweights=[*weights, *weights], ddof=0).diagonal())
    at = (HEADS - centre) / spread
    beast = body(size)
    assert beast.position == pytest.approx(at)
    assert beast.base[:8] == pytest.approx(at[[HIPS, HIPS, CHEST, HIPS, HIPS, CHEST, CHEST, HEAD]])
    assert beast.end[[LEG, FOOT, ARM, HAND, EAR]] == pytest.approx(at[[FOOT, FOOT, HAND, HAND, EAR]])


def test_limbs_that_begin_near_each_other_are_behind_in_part() -> None:
    """By where they hang, half, and where they begin and end, a quarter each: 0.08 apart a limb is behind by 1 / (1 + e)."""
    heads = HEADS.copy()
    for bone in (CHEST, ARM, ARM + 5, LEG + 5, LEG):
        heads[bone, 1] = 0.1 * HEADS[bone, 1]
    heads[[LEG, LEG + 5], 1], heads[[FOOT, FOOT + 5], 1] = 0.38, 0.4
    heads[[HAND, HAND + 5], 1] = 0.2
    beast = body(1.0, heads)
    where = beast.base[:, 1] / 2 + (beast.position[:, 1] + beast.end[:, 1]) / 4
    apart = where[ARM] - where[LEG]
    assert 0.05 < apart < 0.5
    assert beast.rank[[LEG, ARM]] == pytest.approx([1 / (1 + np.exp(apart / 0.08)), 1 / (1 + np.exp(-apart / 0.08))])


@pytest.mark.parametrize(("mass", "ranks"), [(0.26, [0.75 / 2, 1.5 / 2, 0.75 / 2]), (0.25, [0.25, 0.75, 0.5])])
def test_the_rank_of_a_limb_is_the_part_of_the_large_ones_behind_it(mass: float, ranks: list[float]) -> None:
    """Three of which one is further ahead by 0.08 ln 3, so that a quarter of it is behind each of the others, and three of these before."""
    figure: Any = [None] * 5
    where = np.array([(0, 0.08 * np.log(3) * (bone == 2), 0) for bone in range(5)])
    result = _ranks(figure, where, [MIDDLE, LEFT, LEFT, LEFT, LEFT], np.array([0, 1, 2, 3, 1], np.int32), np.array([9, 1, 1, mass, 1]))
    assert result == pytest.approx([0.5, *ranks, ranks[0]])
    assert _ranks(figure, where, [MIDDLE, LEFT, RIGHT, MIDDLE, LEFT], np.array([0, 1, 2, 3, 1], np.int32), np.ones(5)) == pytest.approx(
        [0.5, 0, 0, 0.5, 0]
    ), "each side of its own"


@pytest.mark.parametrize(
    ("foot", "hip", "apart", "stands"),
    [(0.59, 2.0, 0.71, True), (0.6005, 2.0, 0.71, False), (0.0, 0.71, 0.71, True), (0.0, 0.7, 0.71, False), (0.0, 2.0, 0.7, False)],
)
def test_what_stands_on_legs_far_from_each_other_is_on_fours(foot: float, hip: float, apart: float, stands: bool) -> None:
    """Legs of 2 that end within 0.3 of that above the ground, begin 0.35 above that, and are 0.35 before each other."""
    starts, ends = np.array([(0, 0, hip), (0, apart, hip)]), np.array([(0, 0, foot), (0, apart, foot)])
    lengths = np.array([2.0, 2.0])
    assert stand_on_fours(starts, ends, lengths, 0.0).tolist() == [stands] * 2
    assert stand_on_fours(starts - [0, 0, -8], ends - [0, 0, -8], lengths, 8.0).tolist() == [stands] * 2, "on a hill"
    one = stand_on_fours(starts, ends + np.array([[0, 0, 0], [0, 0, 9]]), lengths, 0.0)
    assert one.tolist() == [False] * 2, "one leg"
    below = stand_on_fours(starts - [0, 0, 3.001], ends - [0, 0, 3.001], lengths, -3.0)
    assert below.tolist() == [stands or foot == 0.6005] * 2, "on a hollow"
    assert not len(stand_on_fours(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), 0.0))


def test_what_does_not_come_down_is_no_leg_of_one_on_fours() -> None:
    """Wings between legs."""
    starts, ends = np.array([(0, 0, 2.0), (0, 1, 2), (0, 2, 2)]), np.array([(0, 0, 0.0), (2, 1, 2), (0, 2, 0)])
    assert stand_on_fours(starts, ends, np.full(3, 2.0), 0.0).tolist() == [True, False, True]


@pytest.mark.parametrize(("pairs", "counted"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_two_small_pairs_are_as_many_as_any(pairs: int, counted: int) -> None:
    """On a head above a neck; a large one is none, nor is what hangs on another limb."""
    parents = [-1, 0, *[1] * pairs, 1, pairs + 2]
    figure = figure_of([f"bone{bone}" for bone in range(len(parents))], parents, np.zeros((len(parents), 3)))
    kinds, mass = [MIDDLE, MIDDLE, *[LEFT] * (pairs + 2)], np.array([1.0, 1, *[0.1] * pairs, 0.25, 0.1])
    assert _faces(figure, kinds, mass).tolist() == [counted, counted, *[0] * (pairs + 2)]


@pytest.mark.parametrize("size", [1e-10, 1.0, 100.0])
def test_what_hangs_on_a_bone_of_a_half(size: float) -> None:
    """Its length, the middle of that, and the tip that is furthest along the bones; of what nothing hangs on, the bone itself."""
    heads = size * np.array([(0, 0, 0), (2, 0, 0), (2, 0, -1), (2, 3, 0), (9, 9, 9)], float)
    figure: Figure = figure_of(list("abcde"), [-1, 0, 1, 1, -1], heads)
    for order in ([0, 1, 2, 3, 4], [0, 1, 3, 2, 4]):
        shown = figure_of(list("abcde"), [-1, 0, 1, 1, -1], heads[order])
        length, middle, tip = _below(shown, size * np.array([0, 2.0, 1, 3, 0])[order])
        assert length == pytest.approx(size * np.array([6.0, 4, 0, 0, 0]), rel=1e-9, abs=0)
        expected = np.array([(10 / 6, 0.75, -1 / 12), (2, 1.125, -0.125), *(heads[order][2:] / size)])
        assert middle / size == pytest.approx(expected)
        assert tip == pytest.approx(heads[[3, 3, 2, 3, 4]] if order[2] == 2 else heads[[3, 3, 3, 2, 4]], rel=1e-9, abs=0)
    assert len(figure) == 5


@pytest.mark.parametrize(
    ("sides", "left", "expected"),
    [
        ("LLLL", "L", 0),  # four of five are 0.6 more than one
        ("RRRR", "L", 0),
        ("LLLL", "R", 0),
        ("RRRR", "R", 0),
        ("LLLLL", "L", 1),
        ("RRRRR", "R", 1),
        ("LLRRL", "R", 1),
        ("LLLLL ", "R", 1),  # what has no side does not count
        ("", "", 0),
        ("L", "", 1),
    ],
)
def test_names_show_which_half_is_the_left_one(sides: str, left: str, expected: int) -> None:
    """Those called so that are there, against one that is not: left ones on the left, right ones on the right, or the reverse."""
    called: dict[str, Side] = {"L": "left", "R": "right", " ": ""}
    for sign in (1, -1):
        asides = [*({"L": 1, "R": -1, " ": 1}[side] for side in sides), *({"L": -1, "R": 1}[side] for side in left)]
        aside = np.array([*asides, *(-each for each in asides), 9, 9]) * sign
        count = len(asides)
        mates = (*range(count, 2 * count), *range(count), 2 * count, ODD)
        none: list[Side] = [""] * count
        names: list[Side] = [*(called[side] for side in sides + left), *none, "right", "right"]
        two = Halves(mates, aside, np.array([1.0, 0, 0]), True, np.ones(len(mates)))
        assert _shown(two, names) == sign * expected
