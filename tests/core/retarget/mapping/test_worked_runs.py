"""Runs of bones from fork to fork, and what of two of them follows as pairs or as a chain, on bones a metre long that are laid by hand."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.creatures.parts import LEFT, MIDDLE
from retro_anim.core.retarget.mapping.creatures.runs import are_rows, both_flexible, runs_of, together

from .laid import Bone, body_of, laid, row


def runs(match: Any) -> list[tuple[str, str]]:
    """The names of both, of letters, in one text each."""
    return sorted(
        ("".join(match.one.figure.names[bone] for bone in ones), "".join(match.two.figure.names[bone] for bone in twos))
        for ones, twos in runs_of(match)
    )


def joined(match: Any, ones: str, twos: str) -> tuple[list[str], tuple[str, ...]]:
    """Pairs of letters, and both sides of the chain."""
    first, second = match.one.figure.names, match.two.figure.names
    pairs, chain = together(match, [first.index(name) for name in ones], [second.index(name) for name in twos])
    named = tuple("".join(names[bone] for bone in bones) for names, bones in zip((first, second), chain, strict=True)) if chain else ()
    return [first[a] + second[b] for a, b in pairs], named


def test_a_run_ends_at_a_fork() -> None:
    """Of what belongs together: a branch that only one has is none."""
    forked = [*row("abc"), *row("de", "c", 3), *row("f", "c", 3)]
    assert runs(laid(forked, forked, "abcdef")) == [("abc", "abc"), ("de", "de"), ("f", "f")]
    assert runs(laid(forked, forked, "abcde")) == [("abcde", "abcde")]


def test_bones_between_are_of_the_run_and_roots_above_it_are_not() -> None:
    """Also what but one of both has below a fork, before the first that belong together."""
    one, two = row("rabc"), row("ac")
    assert runs(laid(one, two, "ac")) == [("abc", "ac")] and runs(laid(two, one, "ac")) == [("ac", "abc")]
    for trunks in product(("a", "ra"), repeat=2):
        long, short = (
            [*row(trunk), *row(names, "a", len(trunk)), *row("d", "a", len(trunk))]
            for trunk, names in zip(trunks, ("xbyc", "bc"), strict=True)
        )
        assert runs(laid(long, short, "abcd")) == [("a", "a"), ("d", "d"), ("xbyc", "bc")]
        assert runs(laid(short, long, "abcd")) == [("a", "a"), ("bc", "xbyc"), ("d", "d")]


@pytest.mark.parametrize(("kind", "expected"), [(MIDDLE, ("t", "t")), (LEFT, ("yt", "zt"))])
def test_what_hangs_elsewhere_begins_with_what_belongs_together(kind: int, expected: tuple[str, str]) -> None:
    """A tail on the second bone of the trunk of one, and on the first of the other; of limbs what leads there is of them."""
    one = [*row("abc"), *row("yt", "b", 2, kind)]
    two = [*row("abc"), *row("zt", "a", 1, kind)]
    assert expected in runs(laid(one, two, "abct"))
    apart = [*row("ab"), *row("wct", start=3, kind=kind)]
    beyond = "ct" if kind == MIDDLE else "xct"
    assert ("ct", beyond) in runs(laid(apart, [*row("ab"), *row("xct", "b", 2, kind)], "abct"))


@pytest.mark.parametrize(("more", "expected"), [("both", ["abh", "f"]), ("one", ["abhf"]), ("middle", ["abhf"])])
def test_a_hand_ends_a_run_where_both_have_several_fingers(more: str, expected: list[str]) -> None:
    """Though only one of them belongs to one."""
    kind = MIDDLE if more == "middle" else LEFT
    plain = [Bone("r", "", (0, -1, 0)), *row("abhf", "r", 0, kind)]
    other = [*plain, Bone("g", "h", (1, 2, 0), kind)]
    match = laid(other, plain if more == "one" else other, "abhf")
    assert runs(match) == [(each, each) for each in expected]


@pytest.mark.parametrize(("height", "expected"), [(1.0, ["a", "bc"]), (0.02, ["abc"])])
def test_a_root_on_the_ground_is_a_run_of_its_own(height: float, expected: list[str]) -> None:
    """Well below the one bone that hangs on it, of a figure of 2 metres."""
    bones = [Bone("a", "", (0, 0, 0)), Bone("b", "a", (0, 0, height)), Bone("c", "b", (0, 0, 2))]
    assert runs(laid(bones, bones, "abc")) == [(each, each) for each in expected]


def hung(mass: float) -> list[Bone]:
    """A trunk, from the second bone of which a limb goes, and from its end another one."""
    return [*row("axb"), Bone("l", "x", (1, 1, 0), LEFT, mass), Bone("m", "b", (1, 2, 0), LEFT)]


@pytest.mark.parametrize(("mass", "expected"), [(0.25, "axb"), (0.26, "ab")])
def test_bones_between_on_which_other_large_limbs_hang_are_left_out(mass: float, expected: str) -> None:
    """Unless they belong to one of the other body; small limbs are no matter."""
    short = [*row("ab"), Bone("m", "b", (1, 2, 0), LEFT)]
    assert runs(laid(hung(mass), short, "ab")) == [(expected, "ab")]
    assert runs(laid(short, hung(mass), "ab")) == [("ab", expected)]
    assert runs(laid(hung(mass), hung(mass), "axb")) == [("axb", "axb")]


def test_a_limb_has_nothing_of_the_middle() -> None:
    """Where it hangs on a bone to which none belongs."""
    one = [*row("ab"), Bone("l", "b", (1, 2, 0), LEFT), Bone("m", "l", (2, 2, 0), LEFT), Bone("c", "b", (0, 3, 0))]
    assert runs(laid(one, one, "amc")) == [("a", "a"), ("c", "c"), ("lm", "lm")]


def test_a_bone_that_is_between_in_but_one_body_begins_a_run() -> None:
    """It is a branch of the other."""
    one, two = [*row("abc"), *row("x", "a", 1)], row("axc")
    assert runs(laid(one, two, "axc")) == [("a", "a"), ("c", "c"), ("x", "x")]


def limb(names: str, mass: float = 1.0, above: int = MIDDLE) -> list[Bone]:
    return [Bone("R", "", (0, -1, 0), above), *row(names, "R", 0, LEFT, mass)]


@pytest.mark.parametrize("mass", [0.25, 0.26])
def test_limbs_of_which_one_has_a_joint_more_are_pairs_unless_they_are_rows(mass: float) -> None:
    """Rows of another number of bones alike are a chain."""
    match = laid(limb("abcd"), limb("ACD", mass), {"a": "A", "c": "C", "d": "D"})
    assert joined(match, "abcd", "ACD") == ([], ("abcd", "ACD"))
    match.one.figure.heads[2] += (0, 0, 2.0)  # bent, as no tail is
    assert joined(match, "abcd", "ACD") == (["aA", "cC", "dD"], ())


def test_joints_of_large_limbs_are_pairs() -> None:
    """Those that belong together, and what is between or behind these where there are as many in both."""
    match = laid(limb("abcd"), limb("ACD"), {"a": "A", "c": "C", "d": "D"})
    match.one.figure.heads[2] += (0, 0, 2.0)  # bent, as no tail is
    assert joined(match, "abcd", "ACD") == (["aA", "cC", "dD"], ())
    match = laid(limb("abc"), limb("ABC"), {"a": "A", "c": "C"})
    assert joined(match, "abc", "ABC") == (["aA", "cC", "bB"], ())
    assert joined(laid(limb("abcd"), limb("ABCD"), {"a": "A", "b": "B"}), "ab", "AB") == (["aA", "bB", "cC", "dD"], ())
    lone = laid(limb("abc"), limb("B"), {"b": "B"})
    assert joined(lone, "bc", "B") == (["bB"], ()), "one bone follows by itself"


@pytest.mark.parametrize(("above", "blade"), [(MIDDLE, True), (LEFT, False)])
def test_the_blade_with_which_one_limb_begins_is_no_joint(above: int, blade: bool) -> None:
    """Where it leaves the trunk; bones that go on from a limb begin nothing."""
    pairs = {"b": "B", "c": "C"}
    first, second = laid(limb("abc", above=above), limb("BC"), pairs), laid(limb("BC"), limb("abc"), {b: a for a, b in pairs.items()})
    assert joined(first, "abc", "BC") == ((["bB", "cC"], ()) if blade else ([], ("abc", "BC")))
    assert joined(second, "BC", "abc") == (["Bb", "Cc"], ())
    rooted = laid(row("abc", kind=LEFT), row("BC", kind=LEFT), pairs)
    assert joined(rooted, "abc", "BC") == (["bB", "cC"], ()), "also where it hangs on nothing"
    both = laid(limb("xbc"), limb("yzBC"), pairs)
    assert joined(both, "xbc", "yzBC") == ([], ("xbc", "yzBC")), "both begin with one"


def test_rows_follow_up_to_the_tip() -> None:
    """Unless what is behind belongs elsewhere; bent, they are pairs."""
    match = laid(limb("abt"), limb("AB"), {"a": "A", "b": "B"})
    assert joined(match, "ab", "AB") == ([], ("abt", "AB"))
    assert joined(laid(limb("AB"), limb("abt"), {"A": "a", "B": "b"}), "AB", "ab") == ([], ("AB", "abt"))
    match.matched[3] = 0
    assert joined(match, "ab", "AB") == (["aA", "bB"], ()), "what is behind is of another run"
    bent = laid([*limb("ab"), Bone("t", "b", (1.0, 1, 0), LEFT)], limb("AB"), {"a": "A", "b": "B"})
    assert joined(bent, "ab", "AB") == (["aA", "bB"], ())


def forked(names: str, **more: Any) -> list[Bone]:
    """In the middle, with two ears at the end."""
    bones = row(names, **more)
    return [*bones, *(Bone(ear, names[-1], (x, bones[-1].head[1], 1.0)) for ear, x in (("(", 1), (")", -1)))]


def test_a_head_is_a_pair_behind_a_neck_of_more_bones() -> None:
    """Of both with something on it; one bone of a neck follows two, but not three, since another is there that they may follow."""
    assert joined(laid(forked("nmh"), forked("nh"), "nh"), "nmh", "nh") == (["hh"], ("nm", "n"))
    assert joined(laid(forked("nh"), forked("nmh"), "nh"), "nh", "nmh") == (["hh"], ("n", "nm"))
    assert joined(laid(forked("nmoh"), forked("nh"), "nh"), "nmoh", "nh") == ([], ("nmoh", "nh"))
    assert joined(laid(forked("nh"), forked("nmoh"), "nh"), "nh", "nmoh") == ([], ("nh", "nmoh"))
    assert joined(laid(forked("nmoh"), forked("nmh"), "nmh"), "nmoh", "nmh") == (["hh"], ("nmo", "nm"))
    assert joined(laid(forked("nmh"), forked("nmh"), "nmh"), "nmh", "nmh") == (["nn", "mm", "hh"], ())
    assert joined(laid(forked("nmh"), row("nh"), "nh"), "nmh", "nh") == ([], ("nmh", "nh")), "one alone shows no head"
    assert joined(laid(forked("h"), forked("nh"), "h"), "h", "nh") == (["hh"], ())
    assert joined(laid(row("nmhj"), forked("nh"), "nh"), "nmh", "nh") == ([], ("nmhj", "nh")), "nor does one bone on it"
    assert joined(laid(forked("nmoh"), row("nhj"), "nh"), "nmoh", "nh") == ([], ("nmoh", "nhj"))


def test_a_bent_neck_of_one_bone_follows_three() -> None:
    """Where the whole is no row, the head is still a pair."""
    bent = [*row("nmo"), Bone("h", "o", (1.0, 2, 0)), Bone("(", "h", (2, 2, 0)), Bone(")", "h", (2, 3, 0))]
    assert joined(laid(bent, forked("nh"), "nh"), "nmoh", "nh") == (["hh"], ("nmo", "n"))


def test_a_tail_follows_another_to_its_tip() -> None:
    """Where both have two bones at least, and nothing behind them belongs to anything."""
    assert joined(laid(row("abct"), row("abu"), "ab"), "ab", "ab") == ([], ("abct", "abu"))
    assert joined(laid(row("abt"), row("ab"), "ab"), "ab", "ab") == ([], ("abt", "ab"))
    assert joined(laid(row("abt"), row("abu"), "ab"), "ab", "ab") == (["aa", "bb"], ())
    assert joined(laid(row("atu"), row("av"), "a"), "a", "a") == (["aa"], ())
    sharp = [*row("ab"), Bone("t", "b", (1.0, 1, 0))]
    assert joined(laid(sharp, row("ab"), "ab"), "ab", "ab") == (["aa", "bb"], ())
    bent = [*row("abc"), Bone("t", "c", (1.0, 2, 0))]
    assert joined(laid(bent, row("ac"), "ac"), "abc", "ac") == ([], ("abc", "ac"))


@pytest.mark.parametrize(
    ("along", "off", "kind", "is_chain"),
    [
        ((-0.2, -0.6, -0.9, -1), 0, MIDDLE, True),  # a tail
        ((0.1, 0.4, 0.8, 1), 0, MIDDLE, True),  # a trunk
        ((0.4, 0.8, 1.3, 2), 0, MIDDLE, False),  # a trunk and a neck
        ((-0.2, -0.6, -0.9, -1), 1, MIDDLE, False),
        ((-0.2, -0.6, -0.9, -1), 0, LEFT, False),
    ],
)
def test_what_is_along_a_tail_is_a_chain_however_it_hangs(along: tuple[float, ...], off: float, kind: int, is_chain: bool) -> None:
    """Bent and of uneven bones, as it is in many a rest pose."""
    bent = [Bone("a", "", (0, 0, 0)), Bone("b", "a", (0, 1, 0)), Bone("c", "b", (0, 1, -5)), Bone("d", "c", (0, 0.2, -5))]
    one = [bone._replace(along=at, off=off, kind=kind, mass=0.1) for bone, at in zip(bent, along, strict=True)]
    two = [bone._replace(along=at, off=off, kind=kind, mass=0.1) for bone, at in zip(row("ad"), (along[0], along[-1]), strict=True)]
    assert (joined(laid(one, two, {"a": "a"}), "abcd", "ad")[1] == ("abcd", "ad")) == is_chain


def test_a_run_ends_at_the_heads_of_both() -> None:
    """Whatever goes on in a line from there, such as a jaw."""
    bones = row("nhj")
    assert runs(laid(body_of(bones, "h"), body_of(bones, "h"), "nhj")) == [("j", "j"), ("nh", "nh")]
    assert runs(laid(body_of(bones, "h"), body_of(bones), "nhj")) == [("nhj", "nhj")]


def test_head_and_jaw_are_pairs_behind_a_neck_that_bends_there() -> None:
    one = [*row("nmh"), Bone("j", "h", (0.0, 2, -1.0))]
    two = [*row("nh"), Bone("j", "h", (0.0, 1, -1.0))]
    assert joined(laid(one, two, "nhj"), "nmhj", "nhj") == (["hh", "jj"], ("nm", "n"))
    assert joined(laid(two, one, "nhj"), "nhj", "nmhj") == (["hh", "jj"], ("n", "nm"))
    lone = [Bone("h", "", (0, 0, 0)), Bone("j", "h", (0, 0, -1.0))]
    assert joined(laid(two, lone, "hj"), "nhj", "hj") == (["jj"], ("nh", "h"))
    more = [*row("npq"), *row("h", "q", 3), Bone("j", "h", (0.0, 3, -1.0))], [*row("nrh"), Bone("j", "h", (0.0, 2, -1.0))]
    assert joined(laid(more[0], more[1], "nhj"), "npqhj", "nrhj") == (["hh", "jj"], ("npq", "nr"))
    limbs = [[bone._replace(kind=LEFT, mass=0.1) for bone in bones] for bones in (one, two)]
    assert joined(laid(limbs[0], limbs[1], "nhj"), "nmhj", "nhj") == (["nn", "mh", "hj"], ()), "of a limb nothing is known of its end"
    large = [bone._replace(mass=0.3) if bone.name == "n" else bone for bone in limbs[0]]
    assert joined(laid(large, limbs[1], "nhj"), "nmhj", "nhj") == (["nn", "hh", "jj"], ())


@pytest.mark.parametrize(("mass", "pair"), [(0.24, "ja"), (0.25, "ta")])
def test_a_jaw_is_a_jaw_with_a_tongue_or_without(mass: float, pair: str) -> None:
    """Small parts by their order, whatever belongs together, what is large by that."""
    for kind in (MIDDLE, LEFT):
        one, two = row("jt", kind=kind, mass=mass), row("a", kind=kind, mass=0.1)
        assert joined(laid(one, two, {"t": "a"}), "jt", "a") == ([pair], ())
        assert joined(laid(two, one, {"a": "t"}), "a", "jt") == ([pair[::-1]], ())


def test_two_bones_follow_as_a_chain_and_one_does_not() -> None:
    assert joined(laid(row("abc"), row("ac"), "ac"), "abc", "ac") == ([], ("abc", "ac"))
    assert joined(laid(row("ab"), row("b"), "b"), "ab", "b") == (["bb"], ())


@pytest.mark.parametrize(("angle", "straight"), [(34.0, True), (36.0, False)])
def test_a_row_bends_by_less_than_35_degrees(angle: float, straight: bool) -> None:
    bend = np.radians(angle)
    bones = [*row("ab"), Bone("c", "b", (2 * float(np.sin(bend)), 1 + 2 * float(np.cos(bend)), 0))]
    match = laid(bones, bones, "abc")
    assert both_flexible(match, [0, 1, 2], [0, 1, 2]) == straight
    assert both_flexible(match, [0, 1, 2], [0, 1]) == both_flexible(match, [0, 1], [0, 1, 2]) == straight


def test_a_tail_may_curl() -> None:
    """By 30 degrees at each bone, half a circle in all."""
    angles = np.radians(30.0 * np.arange(6))
    heads = np.cumsum(np.stack([np.sin(angles), np.cos(angles), 0 * angles], axis=1), axis=0).tolist()
    curled = [Bone(name, "abcde"[at - 1] if at else "", tuple(heads[at])) for at, name in enumerate("abcdef")]
    assert both_flexible(laid(curled, curled, "a"), range(6), range(6))


@pytest.mark.parametrize("size", [1.0, 100.0])
@pytest.mark.parametrize(("longest", "even"), [(2.4, True), (2.5, False)])
def test_steps_of_a_row_differ_by_less_than_two_and_a_half_times(longest: float, even: bool, size: float) -> None:
    """Nor does a row have a bone of no length; one bone is a row."""
    along = np.array([0.0, 1.0, 2.0, 3.0, 3.0 + longest]) * size
    bones = [Bone(name, "abcd"[at - 1] if at else "", (0, along[at], 0)) for at, name in enumerate("abcde")]
    match = laid([*bones, Bone("f", "e", bones[-1].head)], bones, "a")
    plain, uneven = [0, 1, 2], [0, 1, 2, 3, 4]
    assert both_flexible(match, uneven, uneven) == both_flexible(match, uneven, [0]) == both_flexible(match, [0], uneven) == even
    assert are_rows(match, uneven, plain) == are_rows(match, plain, uneven) == even
    assert are_rows(match, [0, 1, 2, 3], plain) and not are_rows(match, plain, plain) and not are_rows(match, [0, 1, 2, 3], [0, 1])
    assert not both_flexible(match, [4, 5], [0])
