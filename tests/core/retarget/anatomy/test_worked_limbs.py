"""What the parts of a limb cost, worked out by hand from its proportions, and what hangs on the joints of a small tree.

A leg costs nothing whose thigh and shin are alike and 0.8 of all down to the toes; an arm whose upper arm is e^0.15 times the lower one and
both 0.85 of all down to the finger tips.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

import numpy as np
import pytest
from retro_anim.core.retarget.anatomy.joints import Joints
from retro_anim.core.retarget.anatomy.limbs import arm_positions, find_limbs, leg_positions, suits_both
from retro_anim.core.retarget.anatomy.structure import analyse
from retro_anim.core.retarget.anatomy.tree import Tree

from .. import rigs

LOWER = exp(-0.15)
TIPS = (1 + LOWER) / 0.85
"""Of an arm whose upper one is 1 long."""
FAR = 10.0


def joints(along: Sequence[float], fingers: Sequence[int] = (), aside: Sequence[float] = ()) -> Joints:
    """A chain of joints so far along an axis and aside from it, with further bones at those of the numbers in `fingers`."""
    heads = [(at, off, 0.0) for at, off in zip(along, aside or [0.0] * len(along), strict=True)]
    heads += [(along[joint], 0.1 * number + 0.1, 0.3) for number, joint in enumerate(fingers)]
    points = np.array(heads)
    return Joints(Tree(tuple(range(len(heads))), (*range(-1, len(along) - 1), *fingers), points, points))


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_what_a_leg_costs(scale: float) -> None:
    """Of other proportions by the squares of how far they are off in parts of 0.35 and 0.25; each bone between costs 0.2, what is left out
    above the thigh 0.3 and ten times what it has of the length beyond 1.15."""
    costs = leg_positions(joints(np.multiply(scale, [0, 1, 2, 2.5]).tolist()), range(4))
    assert costs == {
        (0, 1): 6,
        (0, 1, 2): pytest.approx(0),
        (0, 1, 3): pytest.approx((log(1.5) / 0.35) ** 2 + (log(0.8) / 0.25) ** 2 + 0.2),
        (0, 2, 3): pytest.approx((log(4) / 0.35) ** 2 + (log(0.8) / 0.25) ** 2 + 0.2),
        (1, 2, 3): pytest.approx((log(2) / 0.35) ** 2 + (log(0.8) / 0.25) ** 2 + 0.3 + 10 * (2.5 / 1.5 - 1.15)),
    }
    assert leg_positions(joints([0.0, 1.0]), range(2)) == {(0, 1): 6}
    assert leg_positions(joints([0.0]), range(1)) == {(0,): 6}


@pytest.mark.parametrize(("above", "price"), [(0.2, 0.15), (0.3, 0.3 + 10 * (2.8 / 2.5 - 1.15) * (2.8 / 2.5 > 1.15))])
def test_a_joint_close_above_a_thigh_costs_less(above: float, price: float) -> None:
    """Than a quarter of it, however large the figure is."""
    for scale in (0.01, 1.0, 100.0):
        costs = leg_positions(joints(np.multiply(scale, [0, above, 1 + above, 2 + above, 2.5 + above]).tolist()), range(5))
        assert costs[1, 2, 3] == pytest.approx(price)


@pytest.mark.parametrize(("aside", "price"), [(0.0, 0.2 * 4), (0.2, 0.2 * 4 + 0.8 * 2)])
def test_bones_that_divide_a_bent_thigh_cost_more_from_the_third_on(aside: float, price: float) -> None:
    """Four of them, in a line or beside it."""
    chain = joints([0, 0.2, 0.4, 0.6, 0.8, 1, 2, 2.5], aside=[0, aside, -aside, aside, -aside, 0, 0, 0])
    whole = sum(chain.step[1:])
    assert leg_positions(chain, range(8))[0, 5, 6] == pytest.approx(price + (log(2 / whole / 0.8) / 0.25) ** 2)


@pytest.mark.parametrize(("last", "price"), [(1.0, 3.0), (0.91, 3.0), (0.89, 0.0)])
def test_a_chain_of_steps_that_are_alike_is_rather_a_skirt(last: float, price: float) -> None:
    """Three of them, to a tenth."""
    costs = leg_positions(joints([0, 1, 2, 2 + last]), range(4))
    assert costs[0, 1, 2] == pytest.approx(price + (log(2 / (2 + last) / 0.8) / 0.25) ** 2)
    assert leg_positions(joints([0, 1, 2]), range(3))[0, 1, 2] == pytest.approx((log(1 / 0.8) / 0.25) ** 2)


def test_what_an_arm_costs() -> None:
    """One that ends with the lower arm is taken to have 0.9 of the upper one's length, and costs 1."""
    costs = arm_positions(joints([0, 1, 1 + LOWER, TIPS]), range(4), FAR)
    assert costs[-1, 0, 1, 2] == pytest.approx(0)
    assert costs[-1, 0, 1] == 20, "what is always left: no collar bone, and the first two bones"
    assert costs[-1, 0, 1, 3] == pytest.approx(((log(1 / (TIPS - 1)) - 0.15) / 0.4) ** 2 + (log(0.85) / 0.25) ** 2 + 0.2)
    ends = arm_positions(joints([0, 1]), range(2), FAR)
    assert ends == {(-1, 0, 1): pytest.approx(((log(1 / 0.9) - 0.15) / 0.4) ** 2 + (log(0.85) / 0.25) ** 2 + 1)}
    longer = arm_positions(joints([0, 0.6, 1]), range(3), FAR)
    assert longer[-1, 0, 2] == pytest.approx(ends[-1, 0, 1] + 1 + 0.2 + 0.8), "which it rather does not where a joint is left out"
    assert arm_positions(joints([0, 3]), range(2), FAR)[-1, 0, 1] == pytest.approx(ends[-1, 0, 1]), "of any length"
    assert arm_positions(joints([0]), range(1), FAR) == {(-1, 0, 0): 20}


def test_each_joint_before_a_collar_bone_costs_more() -> None:
    """By 0.4; the collar bone is half as long as the upper arm."""
    for before, price in (((0.5,), 0.0), ((0.3, 0.8), 0.4), ((0.1, 0.3, 0.8), 0.8)):
        start = before[-1]
        chain = [0, *before, 1 + start, 1 + LOWER + start, TIPS + start]
        upper = len(before)
        costs = arm_positions(joints(chain), range(len(chain)), FAR)
        assert costs[upper - 1, upper, upper + 1, upper + 2] == pytest.approx(price)


@pytest.mark.parametrize(("apart", "price"), [(0.27, 0.6), (0.29, 0.0)])
def test_arms_that_begin_close_to_each_other_lack_their_collar_bones(apart: float, price: float) -> None:
    """Than 0.28 of their length."""
    costs = arm_positions(joints([0, 1, 1 + LOWER, TIPS]), range(4), apart * (1 + LOWER))
    assert costs[-1, 0, 1, 2] == pytest.approx(price)


@pytest.mark.parametrize(
    ("collar", "price"),
    [(0.5, 0.0), (0.1, 0.15), (0.45, 0.5 * (log(0.9) / 0.5) ** 2), (0.8, 0.5 * (log(1.6) / 0.5) ** 2), (1.2, 0.5 * (log(2.4) / 0.5) ** 2)],
)
def test_a_collar_bone_is_half_as_long_as_the_upper_arm(collar: float, price: float) -> None:
    """A shorter one costs little. All that is before the arm may be 0.45 of it."""
    costs = arm_positions(joints([0, collar, 1 + collar, 1 + LOWER + collar, TIPS + collar]), range(5), FAR)
    assert costs[0, 1, 2, 3] == pytest.approx(price + 10 * max(0.0, (TIPS + collar) / TIPS - 1.45))


@pytest.mark.parametrize(("collar", "helpers"), [(0.0, 2), (0.0, 4), (0.5, 3), (0.5, 4)])
def test_bones_within_an_arm_cost_more_from_the_third_on(collar: float, helpers: int) -> None:
    """Each 0.2, and each beyond two 0.8 more. They divide the upper arm, behind a collar bone, which costs nothing where it is half as
    long, or none: then the first of them is rather the shoulder, and each costs 0.8 more."""
    upper = np.linspace(0, 1, helpers + 2)
    chain = [*[0.0] * (collar > 0), *(upper + collar).tolist(), 1 + LOWER + collar, TIPS + collar]
    first = int(collar > 0)
    costs = arm_positions(joints(chain), range(len(chain)), FAR)
    assert costs[first - 1, first, first + helpers + 1, first + helpers + 2] == pytest.approx(
        0.2 * helpers + 0.8 * (helpers - 2) + (0.8 * helpers if not collar else 0.0)
    )


@pytest.mark.parametrize(("fingers", "price"), [((), 0.0), ((2,), 2.0), ((1, 2), 2.0), ((2, 2), 3.0), ((2,) * 4, 3.0)])
def test_a_hand_is_where_the_fingers_begin(fingers: tuple[int, ...], price: float) -> None:
    """Another joint costs 2 where they are two, and 3 where they are more; what begins before the hand is none of them."""
    costs = arm_positions(joints([0, 1, 1 + LOWER, TIPS], fingers), range(4), FAR)
    tips = ((log(1 / (TIPS - 1)) - 0.15) / 0.4) ** 2 + (log(0.85) / 0.25) ** 2 + 0.2
    assert (costs[-1, 0, 1, 2], costs[-1, 0, 1, 3]) == pytest.approx((0, tips + price))


@pytest.mark.parametrize(("fingers", "counts"), [((), 0.25), ((2, 2), 0.5)])
def test_how_long_fingers_are_counts_less_where_they_begin_at_the_hand(fingers: tuple[int, ...], counts: float) -> None:
    costs = arm_positions(joints([0, 1, 1 + LOWER, 1.2 * TIPS], fingers), range(4), FAR)
    assert costs[-1, 0, 1, 2] == pytest.approx((log(1.2) / counts) ** 2)


def test_what_hangs_on_the_joints_of_a_tree() -> None:
    """A fork on a stem, a bone at the stem's own joint, and a twig on one of its branches: 4 joints of 5 bones, besides the twig."""
    heads = np.array([[0, 0, 0], [0, 0, 2], [0, 0, 2], [0, 3, 2], [4, 0, 2], [4, 0, 7]], float)
    tree = Joints(Tree(tuple(range(6)), (-1, 0, 1, 1, 2, 4), heads, heads))
    assert (tree.of, tree.parents, tree.depth) == ([0, 1, 1, 2, 3, 4], [-1, 0, 1, 1, 3], [0, 1, 2, 2, 3])
    assert (tree.step, tree.height) == ([0, 2, 3, 4, 5], [0, 2, 2, 2, 7])
    assert (tree.reach, tree.total) == ([11, 9, 0, 5, 0], [14, 12, 0, 5, 0])
    assert (tree.leaves, tree.count) == ([2, 2, 1, 1, 1], [5, 4, 1, 2, 1])
    assert tree.chains == [[0, 1, 3, 4], [1, 3, 4], [2], [3, 4], [4]]
    assert (tree.path(2, 4), tree.path(4, 0), tree.path(1, 1)) == ([2, 1, 3, 4], [4, 3, 1, 0], [1])


def test_joints_at_one_point_are_one() -> None:
    """Also where that is all that there is; and there is no path to what hangs elsewhere."""
    point = np.zeros((3, 3))
    assert Joints(Tree((0, 1, 2), (-1, 0, 1), point, point)).bones == [[0, 1, 2]]
    apart = np.array([[0, 0, 0], [0, 0, 1], [5, 0, 0]], float)
    assert Joints(Tree((0, 1, 2), (-1, 0, -1), apart, apart)).path(1, 2) == []


def test_a_limb_that_comes_back_to_where_it_was_has_no_parts_without_length() -> None:
    """The second joint from each is at its own point."""
    chain = joints([0, 1, 0, 1])
    assert leg_positions(chain, range(4)).keys() == {(0, 1), (0, 1, 2), (1, 2, 3)}
    assert all(costs > 0 for costs in arm_positions(chain, range(4), FAR).values())
    assert not {(-1, 0, 2), (-1, 0, 2, 3)} & arm_positions(chain, range(4), FAR).keys()


@pytest.mark.parametrize(("length", "joints_of_each"), [(3.0, 1), (0.2, 2)])
def test_limbs_are_long_and_have_several_joints(length: float, joints_of_each: int) -> None:
    """Long bones alone are none, nor are several of less than 0.12 of the figure, which is at least 4 high: two pairs of either."""
    heads, parents = [np.zeros(3), np.array([0, 0, 4.0])], [-1, 0]
    for hub in (0, 1):
        for side in (1, -1):
            for number in range(joints_of_each):
                parents.append(len(heads) - 1 if number else hub)
                heads.append(heads[hub] + np.array([side * length * (number + 1) / joints_of_each, 0, 0]))
    points = np.array(heads)
    assert find_limbs(Joints(Tree(tuple(range(len(heads))), tuple(parents), points, points))) is None


@pytest.mark.parametrize(
    ("step", "beside", "whole"), [(0.85, False, True), (0.72, False, True), (0.68, False, False), (0.85, True, True), (0.8, True, False)]
)
def test_one_of_two_collar_bones_may_be_moved_by_a_rest_pose(step: float, beside: bool, whole: bool) -> None:
    """By 0.3 of it, where nothing hangs beside the bone that is moved; else limbs are alike by 0.15."""
    heads, parents = [np.zeros(3), np.array([0, 0, 1.0])], [-1, 0]
    for hub, direction, steps in (
        (0, np.array([0.3, 0, -1]), (0.3, 0.8, 0.8, 0.3)),
        (1, np.array([1.0, 0, 0]), (0.2, 0.15, 0.5, 0.45, 0.1)),
    ):
        for side in (1, -1):
            at = 0.0
            for number, length in enumerate(steps):
                at += length * (step if hub and number == 1 and side < 0 else 1)
                parents.append(len(heads) - 1 if number else hub)
                heads.append(heads[hub] + at * direction / np.linalg.norm(direction) * (side, 1, 1))
                if beside and hub and number == 0:
                    beside_it = heads[-1] + (0, 0, 0.05)
            if beside and hub:  # on the first joint, behind all others so that their numbers stay
                parents.append(len(heads) - len(steps))
                heads.append(beside_it)
    points = np.array(heads)
    limbs = find_limbs(Joints(Tree(tuple(range(len(heads))), tuple(parents), points, points)))
    assert limbs is not None
    assert [len(path) == 5 for path in limbs[1].paths] == [whole, whole]


def test_one_pair_of_limbs_is_no_person() -> None:
    heads = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0], [-1, 0, 0], [-2, 0, 0], [-3, 0, 0]], float)
    assert find_limbs(Joints(Tree(tuple(range(7)), (-1, 0, 1, 2, 0, 4, 5), heads, heads))) is None


def test_the_limbs_of_a_person() -> None:
    """Down to the toes, and up to the longer of two fingers."""
    figure = rigs.humanoid()
    limbs = find_limbs(Joints(Tree(tuple(range(len(figure))), tuple(figure.parents.tolist()), figure.heads, figure.tails)))
    assert limbs is not None
    for pair, hub, ends, leaves in zip(
        limbs, ("hips", "upperChest"), (("UpperLeg", "Toes"), ("Shoulder", "IndexProximal")), (1, 2), strict=True
    ):
        assert [rigs.NAMES[bone] for bone in (pair.hub, pair.first, pair.second)] == [hub, f"left{ends[0]}", f"right{ends[0]}"]
        assert [[rigs.NAMES[path[0]], rigs.NAMES[path[-1]]] for path in pair.paths] == [
            [side + end for end in ends] for side in ("left", "right")
        ]
        length = sum(float(np.linalg.norm(rigs.OFFSETS[bone])) for bone in pair.paths[0])
        assert (pair.length, pair.alike, pair.leaves) == (pytest.approx(length), 1, leaves)
        assert pair.clear > 0


@pytest.mark.parametrize(("third", "person"), [(0.5, True), (0.7, False), (0.0, True)])
def test_who_has_a_third_pair_of_long_limbs_at_the_same_joint_is_no_person(third: float, person: bool) -> None:
    """Than 0.6 of the legs, which are 3 long, as the arms are."""
    parts = [((1, 0, -1), 3.0), ((1, 0, 1), 3.0), ((1, 1, 0), 3 * third)]
    heads, parents = [np.zeros(3)], [-1]
    for direction, length in parts[: 3 if third else 2]:
        for side in (1, -1):
            along = np.multiply(direction, (side, 1, 1)) / np.sqrt(2) * length
            parents += [0, len(heads), len(heads) + 1]
            heads += [along * share for share in (0.1, 0.5, 0.9)]
            parents.append(len(heads) - 1)
            heads.append(along)
    points = np.array(heads)
    tree = Tree(tuple(range(len(heads))), tuple(parents), points, points)
    limbs, structure = find_limbs(Joints(tree)), analyse(tree)
    assert (limbs is not None) == (structure is not None) == person
    if structure is not None:
        assert (structure.roles["hips"], structure.spine, structure.neck) == (0, (), ()), "what carries both is no spine"
    for pair in limbs or ():
        assert (pair.length, pair.alike, pair.hub) == (pytest.approx(3), 1, 0)


def test_of_limbs_that_are_alike_but_for_their_joints_those_are_taken_whose_joints_cost_less() -> None:
    """Two pairs of each kind, as long as each other down to the toes and up to the finger tips. By how much the ones that are taken fit
    better is 0.8 of what their joints are worth more, which is e to -0.4 times what they cost."""
    leg, arm, off = (1.0, 1.0, 0.5), (1.0, LOWER, TIPS - 1 - LOWER), -0.17
    kinds = [(0, (0.3, 0, -1), leg), (0, (0.2, 0, -1), (1 + off, 1 - off, 0.5))]
    kinds += [(1, (1, 0, 0.3), arm), (1, (1, 0, 0.2), (1 + off, LOWER - off, arm[2]))]
    for order in (kinds, kinds[::-1]):
        heads, parents = [np.zeros(3), np.array([0, 0, 1.0]), np.array([0, 0, 1.4])], [-1, 0, 1]
        for hub, direction, steps in order:
            for side in (1, -1):
                along = np.multiply(direction, (side, 1, 1)) / np.linalg.norm(direction)
                for number, at in enumerate(np.cumsum((0.4, *steps))):
                    parents.append(len(heads) - 1 if number else hub)
                    heads.append(heads[hub] + at * along)
        points = np.array(heads)
        limbs = find_limbs(Joints(Tree(tuple(range(len(heads))), tuple(parents), points, points)))
        assert limbs is not None
        costs = (log((1 + off) / (1 - off)) / 0.35) ** 2, ((log((1 + off) / (LOWER - off)) - 0.15) / 0.4) ** 2
        for pair, (hub, _, steps), cost in zip(limbs, (kinds[0], kinds[2]), costs, strict=True):
            first, knee = points[pair.paths[0][:2]]
            assert (pair.hub, float(np.linalg.norm(knee - first))) == (hub, pytest.approx(steps[0]))
            assert pair.clear == pytest.approx(0.8 * (1 - exp(-0.4 * cost)))


def test_positions_that_only_one_limb_of_a_pair_has_suit_not_both() -> None:
    """Of the others those that cost least together."""
    one = {(0, 1): 1.0, (0, 2): 3.0, (1, 2): 0.0, (0, 1, 2): 5.0}
    assert suits_both(one, {(0, 1): 5.0, (0, 2): 2.0, (0, 1, 2): 1.0, (0,): 0.0}) == (2.5, (0, 2))


@pytest.mark.parametrize(("longer", "person"), [(1.1, True), (1.2, False)])
def test_limbs_that_are_no_pair_are_none_of_a_person(longer: float, person: bool) -> None:
    """Legs that are alike, and two other limbs of which one is longer: by 15 % at most."""
    heads, parents = [np.zeros(3), np.array([0, 0, 1.0])], [-1, 0]
    for hub, direction, size in ((0, (0.3, 0, -1), (1.0, 1.0)), (1, (1, 0, 0.2), (1.0, longer))):
        for side, length in zip((1, -1), size, strict=True):
            along = np.multiply(direction, (side, 1, 1)) / np.linalg.norm(direction) * length
            for number, at in enumerate((0.2, 1.1, 2.0)):
                parents.append(len(heads) - 1 if number else hub)
                heads.append(heads[hub] + at * along)
    points = np.array(heads)
    limbs = find_limbs(Joints(Tree(tuple(range(len(heads))), tuple(parents), points, points)))
    assert (limbs is not None) == person
