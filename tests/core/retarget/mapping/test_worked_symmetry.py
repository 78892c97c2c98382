"""Halves of figures that are worked out by hand: rows of bones, and how much must have a mirror image for there to be halves."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.creatures.symmetry import ODD, Halves, _Finder, _Miss, all_halves, halves, row_of
from retro_anim.core.retarget.mapping.naming.names import Side

from .given import figure_of


def unnamed(figure: Figure) -> list[Side]:
    return [""] * len(figure)


def planes_of(figure: Figure) -> list[float]:
    """Degrees of what is across each plane of symmetry, from 0 to 180."""
    tried = all_halves(figure, unnamed(figure))
    return sorted(round(float(np.degrees(np.arctan2(two.left[1], two.left[0]))), 3) % 180 for two in tried)


def row(count: int = 10, *beside: tuple[int, int], start: int = 0, along: Floats | None = None) -> Figure:
    """Bones a metre apart along Y, or along what is given; beside it rows of so many bones a millimetre apart, on bones of these numbers,
    or on none for -1. start: which of the bones is the first, from which two rows go."""
    order = [*range(start, count), *range(start - 1, -1, -1)]
    heads = [(at - start) * (np.array([0.0, 1, 0]) if along is None else along) for at in order]
    parents = [-1, *range(count - start - 1), *([0, *range(count - start, count - 1)] if start else [])]
    for above, length in beside:
        for bone in range(length):
            parents.append(len(parents) - 1 if bone else above)
            heads.append(heads[max(above, 0)] + 0.001 * (bone + 1))
    return figure_of([f"bone{bone}" for bone in range(len(parents))], parents, np.array(heads))


@pytest.mark.parametrize(
    ("start", "beside", "is_row"),
    [
        (0, [], True),
        (5, [], True),
        (0, [(3, 1), (3, 1), (3, 2)], True),
        (0, [(3, 3)], False),  # three bones are a limb
        (5, [(1, 2), (0, 2)], True),
        (5, [(1, 3)], False),
        (5, [(3, 3)], True),  # it is longer than the end of the row, of which one bone is left
        (0, [(0, 3)], True),  # the row goes on from the first bone, too
        (0, [(0, 3), (0, 3)], False),
        (5, [(0, 3)], False),
        (0, [(9, 1), (9, 2)], True),
        (0, [(-1, 3)], True),  # two rows from nothing
        (0, [(-1, 3), (-1, 3)], False),
        (5, [(-1, 2)], True),
        (5, [(-1, 3)], False),
    ],
)
def test_a_row_of_bones_has_two_beside_it_at_most(start: int, beside: list[tuple[int, int]], is_row: bool) -> None:
    along = row_of(row(10, *beside, start=start))
    assert (along is not None) == is_row
    if along is not None:
        assert abs(along) == pytest.approx([0, 1, 0], abs=1e-3)


@pytest.mark.parametrize("size", [0.01, 100.0])
@pytest.mark.parametrize(("wide", "is_row"), [(0.119, True), (0.121, False)])
def test_a_row_is_thin(wide: float, is_row: bool, size: float) -> None:
    """By 0.12 of its length, wherever it lies: here as wide as that at both ends and in the middle, to one side and the other."""
    heads = np.array([(side * wide / 2, y, 0) for y in (-0.5, 0.0, 0.5) for side in (1, -1, 1, -1)])
    angle = np.radians(30)
    rotation = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    figure = figure_of([f"bone{bone}" for bone in range(12)], list(range(-1, 11)), size * (heads @ rotation.T) + 7 * size)
    along = row_of(figure)
    assert (along is not None) == is_row
    if along is not None:
        assert abs(along) == pytest.approx(abs(rotation[:, 1]))


def eared(ear: float, size: float) -> Figure:
    """A row of ten metres, and two bones so far aside at its end."""
    heads = np.array([*((0, at, 0) for at in range(11)), (ear, 10, 0), (-ear, 10, 0)], float)
    return figure_of([f"bone{bone}" for bone in range(13)], [*range(-1, 10), 10, 10], size * heads)


@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
@pytest.mark.parametrize(("ear", "shown"), [(0.2, False), (0.22, True)])
def test_halves_are_there_where_a_twenty_fifth_has_a_mirror_image(ear: float, shown: bool, size: float) -> None:
    """Two ears of 0.208 beside 10 metres, by the length of bones."""
    figure = eared(ear, size)
    two = halves(figure, unnamed(figure))
    assert two.shown == shown
    assert two.mates == ((*range(11), 12, 11) if shown else tuple(range(13)))
    assert abs(two.left) == pytest.approx([1, 0, 0])
    assert two.aside[11:] * two.left[0] == pytest.approx([size * ear, -size * ear] if shown else [0, 0])
    assert two.steps[9:] == pytest.approx(size * np.array([1, 1, ear, ear]))


def test_names_that_say_one_side_are_no_mirror_images() -> None:
    """Left is as good as nothing, or right."""
    figure = eared(1.0, 1.0)
    pairs: list[tuple[Side, Side]] = [("left", "right"), ("left", ""), ("left", "left"), ("right", "right")]
    for pair in pairs:
        assert halves(figure, [*unnamed(figure)[:11], *pair]).shown == (pair[0] != pair[1])


@pytest.mark.parametrize("angle", [0.0, 37.0, 90.0, 135.0])
def test_a_figure_without_halves_looks_along_itself(angle: float) -> None:
    """On the level, whichever way round."""
    along = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle)), 0.3])
    figure = row(along=along)
    (two,) = all_halves(figure, unnamed(figure))
    assert not two.shown and two.mates == tuple(range(10)) and not two.aside.any()
    assert two.left[2] == 0 and np.linalg.norm(two.left) == pytest.approx(1) and float(two.left @ along) == pytest.approx(0, abs=1e-9)


def star(arms: int, lengths: list[float] | None = None) -> Figure:
    """Arms of two bones all round a trunk."""
    heads, parents = [np.array([0.0, 0, 0]), np.array([0.0, 0, 0.5])], [-1, 0]
    for arm in range(arms):
        angle = 2 * np.pi * arm / arms
        out = np.array([np.cos(angle), np.sin(angle), 0]) * (lengths[arm] if lengths else 1.0)
        heads += [0.3 * out, out]
        parents += [0, len(parents)]
    return figure_of([f"bone{bone}" for bone in range(len(parents))], parents, np.array(heads))


def test_what_has_arms_all_round_has_several_halves() -> None:
    """Four at most, 20 degrees apart; of arms of which one pair is longer but the two that agree with that."""
    assert planes_of(star(4)) == [45, 135], "across two arms are but two mirror images"
    assert len(planes_of(star(12))) == 4
    assert planes_of(star(6)) == [0, 60, 120]
    uneven = star(3, [1.0, 2.0, 2.0])
    assert planes_of(uneven) == [90] and halves(uneven, unnamed(uneven)).mates == (0, 1, 2, 3, 6, 7, 4, 5)


@pytest.mark.parametrize(("aside", "mate"), [(0.05, 2), (0.2, ODD)])
def test_what_is_aside_without_a_mirror_image_is_odd(aside: float, mate: int) -> None:
    """Further than 0.06 of the figure's size, which is about 2.5."""
    heads = np.array([(0, 0, 0), (0, 0, 1), (aside, 0, 1.5), (1, 0, 1), (-1, 0, 1)])
    figure = figure_of(list("abcde"), [-1, 0, 1, 1, 1], heads)
    assert halves(figure, unnamed(figure)).mates == (0, 1, mate, 4, 3)


def test_how_far_two_bones_are_from_each_other_s_mirror_image() -> None:
    """Three points of each, by what is allowed for these, and 0.9 of what hangs on the smaller one."""
    nothing = [[0.0, 0, 0]] * 3
    miss = _Miss([nothing, [[3.0, 4, 0], [0, 0, 1], [0, 0, 0]]], [nothing, nothing], 1.5, [1.0, 2.0])
    assert miss.cost(0, 1) == pytest.approx(6 / (1.5 + 0.9 * 1)) and miss.cost(1, 0) == 0


def armed(miss: float = 0.0, odd: float = 0.0, size: float = 1.0) -> _Finder:
    """Two metres high, and as wide, with an arm to either side, of which the right one is too high by that, and one odd one forward."""
    heads = np.array([(0, 0, 0), (0, 0, 2), (1, 0, 2), (-1, 0, 2 - miss), *([(0.5, odd, 2)] if odd else [])])
    figure = figure_of(list("abcde")[: len(heads)], [-1, 0, 1, 1, 1][: len(heads)], size * heads)
    return _Finder(figure, unnamed(figure))


@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("odd", [0.0, 2.0])
@pytest.mark.parametrize("miss", [0.0, 0.1])
def test_what_speaks_for_halves(size: float, odd: float, miss: float) -> None:
    """The length of what has a mirror image, less its part by which that misses 0.05 of the figure's size, and what is odd."""
    finder = armed(miss, odd, size)
    score, two = finder.halves(np.array([1.0, 0, 0]))
    whole = np.linalg.norm([2, odd, 2])
    right = np.linalg.norm([1, miss])
    assert score / size == pytest.approx((1 + right) * (1 - miss / (0.05 * whole)) - (np.linalg.norm([0.5, odd]) if odd else 0))
    assert two.mates == (0, 1, 3, 2, *([ODD] if odd else [])) and two.shown
    assert two.aside[:4] / size == pytest.approx([two.aside[0] / size, two.aside[1] / size, 1, -1])
    assert finder.mirrored(two) / size == pytest.approx(1 + right)
    assert finder.halves(np.array([0, 1.0, 0]))[1].mates[2:4] == ((2, 3) if not odd else (ODD, ODD)), "below what is off the plane"


def across(*siblings: tuple[float, float, float], size: float = 1.0, tip: tuple[float, float, float] | None = None) -> list[list[float]]:
    """Level vectors across the planes that siblings on a bone above the root suggest. tip: of what hangs on the first one."""
    heads = [(0.0, 0.0, -9.0), (0.0, 0.0, 0.0), *siblings, *([tip] if tip else [])]
    parents = [-1, 0, *[1] * len(siblings), *([2] if tip else [])]
    figure = figure_of([f"bone{bone}" for bone in range(len(heads))], parents, size * np.array(heads))
    return [(axis / np.sign(axis[int(np.argmax(abs(axis)))])).tolist() for axis in _Finder(figure, unnamed(figure)).planes()]


@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
def test_which_planes_siblings_suggest(size: float) -> None:
    """Of lengths within 0.6 of each other, 0.6 of whose way to each other is level, and that are apart at all."""
    assert across((1, 0, 0), (-1, 0, 0), size=size) == [pytest.approx([1, 0, 0])]
    assert across((1, 0, 0), (-0.61, 0, 0), size=size) == [pytest.approx([1, 0, 0])] and across((1, 0, 0), (-0.59, 0, 0), size=size) == []
    slope = 1.3
    assert across((1, 0, slope), (-1, 0, -slope), size=size) == [pytest.approx([1, 0, 0])]
    assert across((1, 0, slope + 0.1), (-1, 0, -slope - 0.1), size=size) == []
    assert across((0.001, 0, 1), (-0.001, 0, 1), size=size) == []
    assert across((3, 4, 0), (-3, -4, 0), size=size) == [pytest.approx([0.75 * 0.8, 0.8, 0])]


def test_what_hangs_on_siblings_suggests_planes_too() -> None:
    """Two of the way between their heads and one of that between the middles of what hangs on them."""
    (axis,) = across((1, 0, 0), (-1, 0, 0), tip=(1, 0.5, 0))
    assert axis == pytest.approx(np.array([4 + 2, 0.25, 0]) / np.linalg.norm([6, 0.25]))


def test_the_longest_siblings_suggest_the_first_planes() -> None:
    """Each once, though others are within four degrees of it; ten at most."""
    near, far = np.radians([3.0, 5.0])
    pairs = [(1.0, 0.0), (2.0, near), (3.0, np.pi / 2), (0.9, far)]
    siblings = [(sign * size * float(np.cos(angle)), sign * size * float(np.sin(angle)), 0.0) for size, angle in pairs for sign in (1, -1)]
    figures = [axis for axis in across(*siblings) if min(abs(np.degrees(np.arctan2(axis[1], axis[0])) - at) for at in (0, 3, 5, 90)) < 0.1]
    assert [round(float(np.degrees(np.arctan2(axis[1], axis[0])))) for axis in figures] == [90, 3]
    assert len(across(*((float(np.cos(at)), float(np.sin(at)), 0.0) for at in 2 * np.pi * np.arange(24) / 24))) == 10


def test_the_ends_of_a_row_are_no_mirror_images() -> None:
    """Two halves of a row from its middle, as alike as two arms."""
    figure = row(11, start=5)
    assert _Finder(figure, unnamed(figure)).planes() == [] and not halves(figure, unnamed(figure)).shown


@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
def test_the_plane_between_mirror_images_is_by_the_length_of_bones(size: float) -> None:
    """Of one metre along X, and two of which both are half a metre further ahead on the left."""
    heads = np.array([(0, 0, 0), (1, 0, 0), (-1, 0, 0), (2, 0.5, 3), (-2, -0.5, 3)], float)
    figure = figure_of(list("abcde"), [-1, 0, 0, 0, 0], size * heads)
    finder = _Finder(figure, unnamed(figure))
    long = float(np.linalg.norm([2, 0.5, 3]))
    expected = np.array([2 + 4 * long, long, 0])
    two = Halves((0, 2, 1, 4, 3), size * heads[:, 0], np.array([0.0, 1, 0]), True, finder.steps)
    assert finder.between(two) == pytest.approx(expected / np.linalg.norm(expected))
    alone = Halves((0, 1, 2, ODD, ODD), size * heads[:, 0], np.array([0.0, 1, 0]), True, finder.steps)
    assert finder.between(alone).tolist() == [0, 1, 0], "without any it is what it is"


def family(count: int) -> _Finder:
    """Siblings of a metre and more, each longer by a millimetre than the one before."""
    heads = [(0.0, 0, 0), *((0.0, 0.0, 1 + 0.001 * bone) for bone in range(count))]
    figure = figure_of([f"bone{bone}" for bone in range(count + 1)], [-1, *[0] * count], np.array(heads))
    return _Finder(figure, unnamed(figure))


def test_of_many_siblings_those_of_one_size_are_compared() -> None:
    """Each with the 24 that follow it in size; of two families with the 24 about its own."""
    few, many = family(24), family(60)
    assert sorted(few._options(range(1, 25), ())) == [(a, b) for a in range(1, 25) for b in range(a + 1, 25)]
    assert sorted(few._options(range(1, 25), range(1, 25))) == [(a, b) for a in range(1, 25) for b in range(1, 25)]
    assert sorted(many._options(range(60, 0, -1), ())) == [(a, b) for a in range(1, 61) for b in range(a + 1, min(a + 25, 61))]
    near = [(a, b) for a in range(1, 61) for b in range(max(1, a - 12), min(max(1, a - 12) + 24, 61))]
    assert sorted(many._options(range(60, 0, -1), range(1, 61))) == near
