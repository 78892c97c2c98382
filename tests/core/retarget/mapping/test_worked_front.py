"""What speaks for a figure looking ahead, along its second axis, by numbers: trunks, toes, tails and faces of a few bones each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.creatures.front import _rise, front_shows, looks_ahead
from retro_anim.core.retarget.mapping.creatures.legs import legs_ahead
from retro_anim.core.retarget.mapping.creatures.parts import LEFT, MIDDLE, RIGHT


class Bone(NamedTuple):
    """above: "" of a root. mass, path and below are those of `Body`."""

    name: str
    above: str
    head: tuple[float, float, float]
    kind: int = MIDDLE
    mass: float = 1.0
    path: float = 0.0
    below: float = 0.0


class Beast:
    """size: times as large. up: metres higher."""

    def __init__(self, bones: Sequence[Bone], size: float = 1.0, up: float = 0.0) -> None:
        names = [bone.name for bone in bones]
        rest = np.tile(np.eye(4), (len(bones), 1, 1))
        rest[:, :3, 3] = np.array([bone.head for bone in bones]) * size
        rest[:, 2, 3] += up
        parents = np.array([names.index(bone.above) if bone.above else -1 for bone in bones], np.int32)
        self.figure = Figure(tuple(names), parents, rest, np.full(len(bones), 0.1))
        self.kinds = [bone.kind for bone in bones]
        self.mass, self.path, self.below = (np.array([getattr(bone, each) for bone in bones], float) for each in ("mass", "path", "below"))

    def ahead(self, backwards: bool = False, legs: Sequence[str] = ()) -> float:
        heads: Floats = self.figure.heads * [1, -1 if backwards else 1, 1]
        return looks_ahead(self.figure, heads, self.kinds, self.mass, self.path, self.below, [self.figure.index[leg] for leg in legs])

    def shows(self, ahead: float, on_fours: bool = False) -> bool:
        return front_shows(self.figure, self.figure.heads, self.kinds, self.mass, ahead, on_fours)


def limb(above: str, at: tuple[float, float, float], mass: float, kind: int = LEFT) -> list[Bone]:
    """Of two bones, which are too few for toes."""
    name = f"{above}.{kind}.{mass}"
    return [Bone(name, above, at, kind, mass), Bone(name + " end", name, at, kind, mass)]


FORKED = [
    Bone("root", "", (0, 0, 1)),
    Bone("spine", "root", (0, 1, 2)),
    Bone("chest", "spine", (0, 3, 5)),
    Bone("rear", "root", (0, -4, 4)),
]
"""A trunk that forks, by 3 ahead and 4 up, and by 4 back and 3 up."""
CENTRE = (1.0, -0.5, 3.0)
"""In the middle between its ends, where small limbs show no face."""


@pytest.mark.parametrize(
    ("limbs", "ahead"),
    [
        ([*limb("chest", CENTRE, 0.5), *limb("rear", CENTRE, 1.0)], (0.5 * 3 - 1.0 * 4) / (0.5 * 5 + 1.0 * 5)),
        ([*limb("chest", CENTRE, 0.5), *limb("chest", CENTRE, 0.3), *limb("rear", CENTRE, 1.0)], -1 / 3),  # the larger one of a joint
        ([*limb("chest", CENTRE, 0.3), *limb("chest", CENTRE, 0.5), *limb("rear", CENTRE, 1.0)], -1 / 3),
        ([*limb("chest", CENTRE, 0.5), Bone("fin", "rear", CENTRE, LEFT)], 0.6),  # what has one bone is no limb
        ([*limb("chest", CENTRE, 0.5), *limb("rear", CENTRE, 0.1)], 0.6),  # nor what is a tenth of the largest
        ([*limb("chest", CENTRE, 0.5), *limb("rear", CENTRE, 0.11)], (0.5 * 3 - 0.11 * 4) / (0.61 * 5)),
        ([*limb("chest", CENTRE, 0.5), *limb("rear", CENTRE, 1.0, RIGHT)], 0.6),  # the left ones are asked
        ([*limb("chest", CENTRE, 1.0), *limb("rear", CENTRE, 1.0), *limb("spine", CENTRE, 0.5)], (2 - 4 + 0.5) / (13**0.5 + 5 + 0.5**0.5)),
        ([*limb("root", CENTRE, 1.0), Bone("one", "chest", CENTRE, LEFT), Bone("other", "rear", CENTRE, LEFT)], 0.0),
    ],
)
def test_a_trunk_goes_ahead_to_where_limbs_hang_on_it(limbs: list[Bone], ahead: float) -> None:
    """From the last joint before that on which others hang or at which it forks, weighted by the size of the limbs."""
    for size in (1.0, 0.01):
        beast = Beast([*FORKED, *limbs], size)
        assert beast.ahead() == pytest.approx(ahead) and beast.ahead(backwards=True) == pytest.approx(-ahead)


def test_a_trunk_that_does_not_fork_begins_where_limbs_hang_on_it() -> None:
    """Not at the bone from which that hangs."""
    assert Beast([FORKED[0], FORKED[1], FORKED[2], *limb("chest", CENTRE, 1.0)]).ahead() == 0.0


@pytest.mark.parametrize(("mass", "counts"), [(0.49, False), (0.5, True)])
def test_small_limbs_at_the_end_of_a_tail_are_feathers(mass: float, counts: bool) -> None:
    """Smaller than those on a joint from which the middle goes on, to a head straight above it."""
    bones = [*FORKED, Bone("head", "chest", (0, 3, 6)), *limb("chest", CENTRE, 0.5), *limb("rear", CENTRE, mass)]
    assert Beast(bones).ahead() == pytest.approx((1.5 - 4 * mass) / (2.5 + 5 * mass) if counts else 0.6)
    beyond = [*bones, Bone("tip", "rear", (0, -4, 6))]
    assert Beast(beyond).ahead() == pytest.approx((1.5 - 4 * mass) / (2.5 + 5 * mass))


def leg(kind: int, toe: tuple[float, float], thigh: float = 3.0, foot: float = 0.8, mass: float = 1.0, above: str = "hips") -> list[Bone]:
    """Whose end is so far before and above the foot's joint, that far over the ground, below hips at 4."""
    side = 1.0 if kind == LEFT else -1.0
    names = [f"{part}{kind}" for part in ("thigh", "foot", "toe")]
    ends = (side, 0, thigh), (side, 0, foot), (side, toe[0], foot + toe[1])
    return [Bone(name, over, end, kind, mass) for name, over, end in zip(names, [above, *names[:2]], ends, strict=True)]


HIPS, GROUND = Bone("hips", "", (0, 0, 4)), Bone("floor", "hips", (0, 0, 0), RIGHT, 0.1)
DOWN, STEEP = (0.6, -0.8), (-0.28, -0.96)


def test_toes_point_ahead() -> None:
    """In the mean of both legs; with a trunk as far as that leaves it open."""
    assert Beast([HIPS, GROUND, *leg(LEFT, DOWN), *leg(RIGHT, STEEP, foot=0.96)]).ahead() == pytest.approx((0.6 - 0.28) / 2)
    assert Beast([HIPS, GROUND, *leg(LEFT, DOWN)]).ahead(backwards=True) == pytest.approx(-0.6)
    beast = Beast([HIPS, GROUND, *leg(LEFT, DOWN), Bone("chest", "hips", (0, -3, 8)), *limb("chest", (1, -1.5, 6), 1.0)])
    assert beast.ahead() == pytest.approx(-0.6 + 0.4 * 0.6) and beast.ahead(backwards=True) == pytest.approx(0.6 - 0.4 * 0.6)
    low = Beast([HIPS, GROUND, *leg(LEFT, DOWN, thigh=1.0), *leg(RIGHT, STEEP, thigh=0.99, foot=0.96)])
    assert low.ahead() == pytest.approx(0.6), "legs begin a quarter of the height above the ground"


@pytest.mark.parametrize(
    ("other", "mean"),
    [
        (leg(RIGHT, STEEP, foot=0.96, mass=0.25), 0.16),
        (leg(RIGHT, STEEP, foot=0.96, mass=0.24), 0.6),  # what is small is no leg
        (leg(RIGHT, STEEP, foot=0.96 + 0.59), 0.16),
        (leg(RIGHT, STEEP, foot=0.96 + 0.61), 0.6),  # nor what ends 0.15 of the height above the ground
        (leg(RIGHT, STEEP, foot=0.96)[:2], 0.6),  # nor what has two bones
        (leg(RIGHT, STEEP, foot=0.96, above=""), 0.16),
        (leg(RIGHT, STEEP, foot=0.96, above="thigh1"), 0.6),  # nor what hangs on one
    ],
)
def test_which_legs_have_toes(other: list[Bone], mean: float) -> None:
    main = [bone._replace(path=9.0 if bone.name == "foot1" else 0.0) for bone in leg(LEFT, DOWN)]
    for up in (0.0, 5.0, -5.0):
        assert Beast([HIPS, GROUND, *main, *other], up=up).ahead() == pytest.approx(mean)


def test_legs_may_be_the_first_bones() -> None:
    """Of what hangs on one nothing counts."""
    main = [bone._replace(path=9.0 if bone.name == "foot2" else 0.0) for bone in leg(RIGHT, DOWN, above="")]
    assert Beast([*main, HIPS, GROUND, *leg(LEFT, STEEP, foot=0.96, above="thigh2")]).ahead() == pytest.approx(0.6)


@pytest.mark.parametrize(("longer", "ahead"), [(0.8, 0.6), (0.6, -0.28)])
def test_the_longest_way_out_is_a_leg(longer: float, ahead: float) -> None:
    """By what is beyond a joint, and the way to that: 1.2 and 0.5 to one end, 0.8 and 1 to the other."""
    other = Bone("other", "foot1", (1, -0.14, 0.8 - 0.48), LEFT, 1.0, 1.2)
    main = [bone._replace(path=longer if bone.name == "toe1" else 0.0) for bone in leg(LEFT, DOWN)]
    assert Beast([HIPS, GROUND, *main, other]).ahead() == pytest.approx(ahead)


def tailed(*more: Bone) -> list[Bone]:
    """Hips at the origin, a tail of two bones that ends 1.4 behind them, and a neck 2 ahead, 10 high."""
    return [
        Bone("hips", "", (0, 0, 0)),
        Bone("tail", "hips", (0, -1.0, 0)),
        Bone("tip", "tail", (0, -1.4, 0)),
        Bone("neck", "hips", (0, 2.0, 10)),
        Bone("crest", "neck", (0, 2.0, 10)),
        *more,
    ]


HEAD = Bone("head", "neck", (0, 2.0, 10))
EAR = Bone("ear", "neck", (1, 1.7, 10), LEFT, 0.39, 0.0, 1.0)
PAIR = Bone("fin", "hips", (1, -0.5, 0), LEFT, 0.2)


@pytest.mark.parametrize(
    ("bones", "tail", "face"),
    [
        # The tail is 1.4 of 7 long, a fifth, of 0.3 at least; the neck ends where it begins; 0.3 ahead of the hips is the middle.
        (tailed(HEAD), 2 / 3, 0.0),
        # An ear is 1.4 before that, so a fifth: twice that, and twice again since a bone hangs on it; a pair is 0.8 behind it.
        (tailed(HEAD, EAR), 2 / 3, 0.8 / 1.0),
        (tailed(HEAD, EAR._replace(below=3.0)), 2 / 3, 1.0),
        (tailed(HEAD, EAR, PAIR), 2 / 3, (0.8 - 1.6 / 7) / (0.8 + 1.6 / 7)),
        (tailed(HEAD, EAR._replace(below=0.0), PAIR), 2 / 3, 0.4 - 1.6 / 7),
        (tailed(HEAD, EAR._replace(mass=0.41)), 2 / 3, 0.0),  # what is long is no ear
        (tailed(HEAD, EAR._replace(kind=RIGHT)), 2 / 3, 0.0),  # one of each pair counts
        (tailed(HEAD, EAR._replace(above="fin"), PAIR._replace(head=(1, 0.3, 0))), 2 / 3, 0.0),  # in the middle, and what hangs on it
        (
            tailed(HEAD, EAR._replace(head=(1, 9.0, 10)), PAIR._replace(below=3.0)),
            2 / 3,
            (2 - 6.4 / 7) / (2 + 6.4 / 7),
        ),  # half of the extent and more count alike
        # A head that is bare is 0.7 long; and of several bare ends the longest.
        (tailed(HEAD._replace(head=(0, 2.7, 10))), 0.1 / 0.3, 0.0),
        (tailed(HEAD._replace(head=(0, 2.7, 10)), Bone("beak", "neck", (0, 2.1, 10))), 0.1 / 0.3, 0.0),
        (tailed(Bone("beak", "neck", (0, 2.1, 10)), HEAD._replace(head=(0, 2.7, 10))), 0.1 / 0.3, 0.0),
        (tailed(HEAD, Bone("stub", "hips", (0, -0.5, 0))), 2 / 3, 0.0),
    ],
)
def test_a_tail_behind_and_a_face_before(bones: list[Bone], tail: float, face: float) -> None:
    """Count 0.8 and 0.6."""
    says = max(-1.0, min(1.0, 0.8 * tail + 0.6 * face))
    assert Beast(bones).ahead() == pytest.approx(says)
    assert Beast(bones).ahead(backwards=True) == pytest.approx(-says)


@pytest.mark.parametrize("size", [1.0, 0.01])
def test_a_long_body_is_as_long_as_it_is(size: float) -> None:
    """Of one that is 10 long and flat, of which the tail is 6 and a bare head 2."""
    bones = [
        Bone("hips", "", (0, 0, 0)),
        Bone("tail", "hips", (0, -4, 0)),
        Bone("tip", "tail", (0, -6, 0)),
        Bone("neck", "hips", (0, 2, 0)),
        Bone("head", "neck", (0, 4, 0)),
        Bone("ear", "neck", (1, 1.5, 0), LEFT, 0.3, 0.0, 1.0),
        Bone("fin", "hips", (1, -2.5, 0), LEFT, 0.3),
    ]
    beast = Beast(bones, size)
    assert beast.ahead() == pytest.approx(0.8 * 0.4 / 0.8 + 0.6 * (1.0 - 0.3) / 1.3)
    assert [beast.shows(ahead) for ahead in (0.1, -0.1, 0.0, 0.81, -0.81)] == [True, False, False, True, True]
    alike = Beast([*bones, Bone("nose", "head", (0, 5, 0))], size)
    assert [alike.shows(ahead) for ahead in (0.1, -0.1, 0.8)] == [False] * 3, "a row of two on both ends"
    assert Beast([*bones, Bone("nose", "head", (0, 5, 0)), Bone("snout", "nose", (0, 6, 0))], size).shows(-0.1)


@pytest.mark.parametrize(("second", "bare"), [(2.05, False), (2.0, True), (1.95, True)])
def test_one_bone_beside_which_palps_hang_is_no_head(second: float, bare: bool) -> None:
    """All to the same end: then it is no end of the body either, which goes from 1.4 behind to 2 ahead."""
    palps = [Bone("one", "neck", (1, 2.05, 10), LEFT, 0.39), Bone("two", "neck", (1, second, 10), LEFT, 0.39)]
    others = Bone("wing", "neck", (1, 1.5, 10), LEFT), Bone("other", "neck", (-1, 1.5, 10), RIGHT, 0.2)
    bones = tailed(HEAD._replace(head=(0, 2.7, 10)), *palps, *others)
    front = 2.7 if bare else 2.0
    tail = 0.1 / 0.3 if bare else 0.2 / 0.3
    middle = (front - 1.4) / 2
    face = sum(2 * (at - middle) / 7 for at in (2.05, second))
    assert Beast(bones).ahead() == pytest.approx(min(1.0, 0.8 * tail + 0.6 * min(face, 1.0)))
    assert Beast(bones).ahead(backwards=True) == pytest.approx(-min(1.0, 0.8 * tail + 0.6 * min(face, 1.0)))


def test_palps_may_hang_on_the_first_bone() -> None:
    """Of a body from 1.4 behind it up to it, whose palps are 1.4 before the middle."""
    trunk = [bone for bone in tailed() if bone.above != "neck" and bone.name != "neck"]
    bones = [*trunk, Bone("belly", "hips", (0, 2.0, 10)), Bone("palp", "hips", (1, 0.7, 0), LEFT, 0.3)]
    assert Beast(bones).ahead() == pytest.approx(0.8 * 2 / 3 + 0.6 * 0.4)


def test_a_figure_of_one_bone_in_the_middle_has_no_ends() -> None:
    ear = Bone("ear", "hips", (1, 1, 0), LEFT, 0.3)
    assert Beast([HIPS, ear]).ahead() == 0.0
    assert Beast([HIPS, Bone("crest", "hips", (0, 0, 14)), ear]).ahead() == pytest.approx(0.6 * 2 * 1 / 9.8)


def test_which_end_bare_rows_are_at() -> None:
    """What goes straight up is at the back, ears before it or not."""
    hips, ear = Bone("hips", "", (0, 0, 0)), Bone("ear", "hips", (1, 0.5, 0), LEFT, 0.3)
    for more in ((), (ear,)):
        crested = Beast([hips, Bone("crest", "hips", (0, 0, 9)), *more])
        assert crested.shows(0.1) and not crested.shows(-0.1)
    headed = Beast([hips, Bone("head", "hips", (0, 0.1, 9)), Bone("wing", "hips", (1, 0, 0), LEFT)])
    assert headed.shows(-0.1) and not headed.shows(0.1)


def test_rows_of_their_own() -> None:
    """Of two chains without a common root each goes from its first bone to its last."""
    bones = [
        Bone("one", "", (0, 1, 0)),
        Bone("one tip", "one", (0, 4, 0)),
        Bone("two", "", (0, -1, 0)),
        Bone("two middle", "two", (0, -2, 0)),
        Bone("two tip", "two middle", (0, -6, 10)),
    ]
    beast = Beast(bones)
    assert beast.ahead() == pytest.approx(0.8 * (0.5 - 0.3) / 0.8)
    assert beast.shows(0.1) and not beast.shows(-0.1)
    assert not Beast([bones[0], bones[1], bones[2], bones[4]._replace(above="two")]).shows(0.1), "two bones each"


@pytest.mark.parametrize(("before", "behind", "ahead"), [(True, False, 0.8), (False, True, -0.8), (True, True, 0.0), (False, False, 0.0)])
def test_a_jaw_is_at_the_front(before: bool, behind: bool, ahead: float) -> None:
    """Of rows of one length to both ends those that have one end in a short step."""
    bones = [Bone("hips", "", (0, 0, 0))]
    for side, has_jaw in ((1, before), (-1, behind)):
        steps = (1.0, 2.0, 3.0, 3.2) if has_jaw else (0.8, 1.6, 2.4, 3.2)
        for above, step in pairwise((0, *steps)):
            bones.append(Bone(f"{side} {step}", f"{side} {above}" if above else "hips", (0, side * step, 0)))
    assert Beast(bones).ahead() == pytest.approx(ahead)


@pytest.mark.parametrize(("steps", "ahead"), [((1.0, 2.0, 3.0, 3.2), 0.8), ((2.0, 3.0, 3.2), 0.0)])
def test_a_jaw_ends_a_row_of_four_bones_or_more(steps: tuple[float, ...], ahead: float) -> None:
    bones = [Bone("hips", "", (0, 0, 0))]
    for side, row in ((1, steps), (-1, (0.8, 1.6, 2.4, 3.2))):
        for above, step in pairwise((0, *row)):
            bones.append(Bone(f"{side} {step}", f"{side} {above}" if above else "hips", (0, side * step, 0)))
    assert Beast(bones).ahead() == pytest.approx(ahead)


@pytest.mark.parametrize(("front", "rise"), [(1.0, 0.0), (1.1, 0.25), (1.4, 1.0), (1.8, 1.0), (0.9, -0.25), (0.5, -1.0)])
@pytest.mark.parametrize("size", [0.01, 3.0])
def test_how_much_higher_the_front_of_a_body_is_than_its_back(front: float, rise: float, size: float) -> None:
    """In fifths of the figure's height, of 2, and no more than one. What is within 0.15 of the body's length of an end is a part of it, of
    which the highest counts; limbs are none, nor is what is in the middle."""
    points = [(0, 0, 1), (0, 1.4, 0.3), (0, 1.6, 1.9), (0, 5, 1.9), (0, 8.4, 1.9), (0, 8.6, front), (0, 10, 0.2), (1, 12, 2), (1, -2, 0)]
    kinds = [MIDDLE] * 7 + [LEFT, RIGHT]
    assert _rise(size * np.array(points, float) + [0, 4, 7], kinds) == pytest.approx(rise, abs=1e-9)
    assert _rise(np.zeros((2, 3)), [LEFT, RIGHT]) == 0 and _rise(np.zeros((1, 3)), [MIDDLE]) == 0


def elephant(ears: float, wide: float = 0.5, low: float = 2.2, legs: tuple[float, ...] = (-1.0, 1.0)) -> Beast:
    """A trunk along the second axis on straight legs, without anything small, and with a pair of ears on its middle. ears: where. low: how
    high they end."""
    ends = (-2.0, *legs, 2.0)
    bones = [Bone(f"middle {at}", f"middle {ends[number - 1]}" if number else "", (0, at, 2.5)) for number, at in enumerate(ends)]
    for at in legs:
        above = f"middle {at}"
        for height in (2.0, 1.0, 0.0):
            bones.append(Bone(f"leg {at} {height}", above, (0.5, at, height), LEFT, 1.0))
            above = f"leg {at} {height}"
    bones += [Bone("ear", f"middle {ears}", (0.4, ears, 2.6), LEFT, wide), Bone("ear end", "ear", (1.5, ears, low), LEFT, 0.1)]
    return Beast(bones)


def feet(legs: tuple[float, ...]) -> list[str]:
    return [f"leg {at} 2.0" for at in legs]


@pytest.mark.parametrize("at", [2.0, -2.0])
def test_large_ears_show_where_the_face_of_a_four_legged_one_is(at: float) -> None:
    """As small ones of up to 0.4 do, where they are in front of all legs, or behind them."""
    small, large = (elephant(at, wide).ahead(legs=feet((-1.0, 1.0))) for wide in (0.39, 0.5))
    assert large == pytest.approx(small) and large * at > 0.5


@pytest.mark.parametrize(("at", "low", "legs"), [(2.0, 0.1, (-1.0, 1.0)), (1.0, 2.2, (-1.0, 1.0)), (2.0, 2.2, (-1.0,))])
def test_large_limbs_elsewhere_are_no_ears(at: float, low: float, legs: tuple[float, ...]) -> None:
    """On the ground, between the legs, and where there is but one pair of legs, as wings are."""
    small, large = (elephant(at, wide, low, legs).ahead(legs=feet(legs)) for wide in (0.39, 0.5))
    assert small - large > 0.4


def parted(at: float, *tips: tuple[float, float], aside: bool = False) -> float:
    """How far ahead a trunk on straight legs looks that goes on in bones beyond its end. at: where that is. tips: how far beyond, and
    higher. aside: whether another bone goes on from the first of them."""
    ends = (-2.0, -1.0, 1.0, 2.0) if at > 0 else (2.0, 1.0, -1.0, -2.0)
    bones = [Bone(f"middle {end}", f"middle {ends[number - 1]}" if number else "", (0, end, 2.5)) for number, end in enumerate(ends)]
    for end in (-1.0, 1.0):
        for height, above in ((2.0, f"middle {end}"), (1.0, f"leg {end} 2.0"), (0.0, f"leg {end} 1.0")):
            bones.append(Bone(f"leg {end} {height}", above, (0.5, end, height), LEFT, 1.0))
    sign = 1 if at > 0 else -1
    bones += [Bone(f"tip {tip}", f"middle {at}", (0, at + sign * out, 2.5 + up)) for tip, (out, up) in enumerate(tips)]
    bones += [Bone("end", "tip 0", (0.1, at + sign, 2.5), LEFT, 0.5)] if aside else []
    return Beast(bones).ahead(legs=feet((-1.0, 1.0)))


@pytest.mark.parametrize("at", [2.0, -2.0])
def test_a_head_parts_into_its_jaws(at: float) -> None:
    """As much as a pair of ears does; two bones at one place do not, nor what parts between the legs. Held high, too, it says no more than
    that all speaks for it."""
    whole = parted(at, (0.5, 0))
    assert parted(at, (0.5, 1.0), (0.5, -0.2)) == np.sign(at)
    assert parted(at, (0.5, 0), (0.5, -0.2)) * at > whole * at + 0.5
    assert parted(at, (0.5, 0), (0.5, -0.2), (0.5, -0.4)) * at >= parted(at, (0.5, 0), (0.5, -0.2)) * at
    assert parted(at, (0.5, 0), (0.5, -0.03)) == pytest.approx(whole)
    assert parted(at, (0.5, 0), (0.5, -0.2), aside=True) == pytest.approx(parted(at, (0.5, 0), aside=True), abs=0.1)
    assert abs(parted(at / 2, (0.1, 0.1), (0.1, -0.2)) - parted(at / 2, (0.1, 0.1))) < 0.1


@pytest.mark.parametrize(
    ("ahead", "fours", "shows"), [(0.51, True, True), (-0.51, True, True), (0.5, True, False), (0.8, False, False), (0.81, False, True)]
)
def test_half_of_what_speaks_is_enough_for_what_stands_on_fours(ahead: float, fours: bool, shows: bool) -> None:
    """Its legs, its toes and its face say it together; a tail alone, of others, says 0.8."""
    bare = Beast([Bone("hips", "", (0, 0, 0)), Bone("front", "hips", (0, 1, 0)), Bone("back", "hips", (0, -1, 0))])
    assert bare.shows(ahead, on_fours=fours) is shows


@pytest.mark.parametrize("at", [2.0, -2.0])
def test_ears_beyond_the_legs_show_a_head_however_long_a_trunk_hangs_on_it(at: float) -> None:
    """Between the legs they say less, the further the body goes beyond."""
    near = elephant(at, wide=0.3)
    names, heads = list(near.figure.names), near.figure.heads.copy()
    assert near.ahead(legs=feet((-1.0, 1.0))) * at > 0
    snout = [Bone("snout 0", f"middle {at}", (0, 2 * at, 2.5)), Bone("snout 1", "snout 0", (0, 4 * at, 2.5))]
    bones = [
        Bone(name, names[above] if above >= 0 else "", tuple(heads[number]), near.kinds[number], float(near.mass[number]))
        for number, (name, above) in enumerate(zip(names, near.figure.parents.tolist(), strict=True))
    ]
    trunked = Beast([*bones, *snout])
    assert trunked.ahead(legs=feet((-1.0, 1.0))) == pytest.approx(near.ahead(legs=feet((-1.0, 1.0))))


@pytest.mark.parametrize("toe", [0.2, -0.2])
def test_toes_of_what_stands_on_fours_say_as_much_as_they_point_ahead(toe: float) -> None:
    """A square board on four straight legs, whose last bones go 0.2 forward of the length 0.25; straight legs lean by as little."""
    bones = [Bone("board", "", (0, 0, 2.0)), Bone("back", "board", (0, -1, 2.0)), Bone("front", "board", (0, 1, 2.0))]
    for end, at in (("back", -1.0), ("front", 1.0)):
        above = end
        for height in (1.9, 1.0, 0.15):
            bones.append(Bone(f"leg {at} {height}", above, (0.5, at, height), LEFT, 1.0))
            above = f"leg {at} {height}"
        bones.append(Bone(f"toe {at}", above, (0.5, at + toe, 0.0), LEFT, 1.0))
    beast = Beast(bones)
    legs = [f"leg {at} 1.9" for at in (-1.0, 1.0)]
    stance = legs_ahead(beast.figure, beast.figure.heads, beast.path, [beast.figure.index[leg] for leg in legs])
    assert stance is not None and beast.ahead(legs=legs) == pytest.approx(stance + toe / 0.25)
