"""What is unlike, a mere end, or sure of a chain and of the pairs beside it: bones that are laid by hand."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.creatures.doubts import DOUBTFUL, SURE, Doubts
from retro_anim.core.retarget.mapping.creatures.parts import LEFT, MIDDLE

from .laid import Bone, laid, row
from .test_worked_doubts import part, run


@pytest.mark.parametrize(("value", "unlike"), [(0.5, False), (0.49, True)])
def test_what_hangs_on_the_trunk_is_unlike_below_a_half(value: float, unlike: bool) -> None:
    """In the mean of what belongs together, unless it is on the way from tail to head in both."""
    match, ones, twos = run(MIDDLE, 0.1, [2 * value, 0.0])
    assert Doubts(match).unlike(ones, twos) == unlike
    for side in (match.one, match.two):
        side.stations.off[:] = 0.0
    assert not Doubts(match).unlike(ones, twos)
    match.two.stations.off[3] = 1.0
    assert Doubts(match).unlike(ones, twos) == unlike


@pytest.mark.parametrize("size", [0.01, 1.0])
@pytest.mark.parametrize(("last", "differs"), [(1.0, False), (1.41, False), (1.43, True), (0.71, False), (0.7, True)])
def test_the_last_bone_of_a_limb_may_be_an_end_where_its_proportions_differ(last: float, differs: bool, size: float) -> None:
    """By 0.35 as a logarithm, of its step to the one before; 1.419 times."""

    def bones(names: str, step: float, times: float = size) -> list[Bone]:
        limb = part(names, LEFT, 1.0, 1.0, size=times)
        return [*limb[:2], limb[2]._replace(head=(0, times * step, 0)), *limb[3:]]

    one, two = bones("ab", last), bones("ab", 1.0)
    for match in (laid(one, two, "ab"), laid(two, one, "ab"), laid(bones("abc", last), two, "ab"), laid(two, bones("abc", last), "ab")):
        doubts = Doubts(match)
        assert doubts.may_be_end(2, 2) == differs
        assert not doubts.may_be_end(1, 1), "the first one of a limb"
    assert not Doubts(laid(bones("abc", last), bones("abc", 1.0), "ab")).may_be_end(2, 2), "of which both go on"
    assert Doubts(laid(bones("ab", last), bones("ab", 1.0, 3.0), "ab")).may_be_end(2, 2) == differs, "whatever their sizes"
    assert Doubts(laid(bones("ab", 2 * last), bones("ab", 2.0), "ab")).may_be_end(2, 2) == differs
    forked = [*one, Bone("x", "a", (1, 1, 0), LEFT)]
    assert not Doubts(laid(forked, two, "ab")).may_be_end(2, 2) and not Doubts(laid(two, forked, "ab")).may_be_end(2, 2)
    alike = laid(one, two, "ab")
    alike.likeness[:] = np.eye(3)
    assert Doubts(alike).differ(2, 2, (set(), set())) == differs
    trunk = [bone._replace(kind=MIDDLE) for bone in one]
    assert not Doubts(laid(trunk, two, "ab")).may_be_end(2, 2) and not Doubts(laid(two, trunk, "ab")).may_be_end(2, 2)


def test_a_limb_may_begin_with_the_first_bone_of_all() -> None:
    """Which has no step, so that the next one is far longer than any other."""
    doubts = Doubts(laid(row("ab", kind=LEFT), part("ab", LEFT, 1.0, 1.0), "ab"))
    assert doubts.may_be_end(1, 2) and not doubts.may_be_end(0, 1)


def test_of_two_bones_one_may_be_an_end_or_a_head() -> None:
    match = laid(part("ab", LEFT, 1.0, 1.0), part("ab", LEFT, 1.0, 1.0), "ab")
    doubts = Doubts(match)
    none = set[int]()
    assert not doubts.differ(2, 2, (none, none)) and not doubts.differ(2, 2, ({2}, {2}))
    assert doubts.differ(2, 2, ({2}, none)) and doubts.differ(2, 2, (none, {2}))
    for side in (match.one, match.two):
        side.stations.blurred[2] = True
        assert doubts.is_blurred(2, 2) and doubts.differ(2, 2, (none, none)) and not doubts.is_blurred(1, 1)
        side.stations.blurred[2] = False


@pytest.mark.parametrize(("alike", "sure"), [(0.72, DOUBTFUL), (0.73, SURE)])
def test_one_bone_beside_a_chain_is_sure_by_its_likeness(alike: float, sure: float) -> None:
    match, _, _ = run(MIDDLE, 1.0, [alike, 1.0])
    doubts = Doubts(match)
    assert doubts.of_pair(1, 2) == doubts.of_chain(((1,), (2, 3))) == doubts.of_chain(((1, 2), (2,))) == sure
    assert doubts.of_chain(((1, 2), (2, 3))) == doubts.of_chain(((2,), (2, 3))) == SURE
    del match.matched[1], match.matched[2]
    assert doubts.of_chain(((1,), (2, 3))) == DOUBTFUL, "which is it shows in nothing"


def test_a_chain_is_sure_unless_its_ends_are_blurred_or_a_limb_has_several_joints_more() -> None:
    for kind in (MIDDLE, LEFT):
        match = laid(part("abcde", kind, 1.0, 1.0), part("abcde", kind, 1.0, 1.0), "abcde")
        match.one.figure.heads[3] += (0, 0.9, 0)  # no row of bones alike
        doubts = Doubts(match)
        assert doubts.of_chain(((1, 2, 3, 4), (1, 2, 3))) == SURE
        assert doubts.of_chain(((1, 2, 3, 4, 5), (1, 2, 3))) == (SURE if kind == MIDDLE else DOUBTFUL)
        for side in (match.one, match.two):
            side.stations.blurred[3] = True
            assert doubts.of_chain(((1, 2, 3, 4), (1, 2, 3))) == DOUBTFUL and doubts.of_chain(((1, 2), (1, 2))) == SURE
            side.stations.blurred[3] = False
