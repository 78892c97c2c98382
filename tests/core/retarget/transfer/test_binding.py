"""A map laid on two figures: who follows whom, and below whom."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.reporting import log
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, ChainMode, Pair
from retro_anim.core.retarget.transfer.binding import bind

from ..mapping.given import figure_of

HEADS = np.array([[0, 0, 1], [0, 0.1, 1.5], [0.5, 0, 1.4], [-0.5, 0, 1.4], [0.2, -0.3, 0]], float)
FIGURE = figure_of(list("abcde"), [-1, 0, 1, 1, 0], HEADS)


@pytest.mark.parametrize("pair", [("a", "missing"), ("missing", "b")])
def test_a_pair_of_which_one_bone_is_missing_is_left_out(pair: tuple[str, str]) -> None:
    with log.collect() as said:
        binding = bind(BoneMap((Pair("a", "a"), Pair(*pair))), FIGURE, FIGURE, FIGURE.heads)
    assert [follower.target for follower in binding.followers] == [0]
    assert any("missing" in message.text for message in said.messages)


def test_of_many_that_are_missing_the_first_are_named_and_the_others_counted() -> None:
    lost = tuple(Pair(f"lost {number}", "b") for number in range(1, 10))
    with log.collect() as said:
        bind(BoneMap((Pair("a", "a"), *lost)), FIGURE, FIGURE, FIGURE.heads)
    (message,) = said.messages
    assert message.text.endswith("lost 5 (source), lost 6 (source) and 3 more")


def test_what_follows_above_may_be_the_first_bone() -> None:
    """a, the root, is above b; b is above c, whether or not something between them follows."""
    every = bind(BoneMap((Pair("a", "a"), Pair("b", "b"), Pair("c", "c"))), FIGURE, FIGURE, FIGURE.heads)
    assert every.above.tolist() == [-1, 0, 1]
    without = bind(BoneMap((Pair("a", "a"), Pair("c", "c"))), FIGURE, FIGURE, FIGURE.heads)
    assert without.above.tolist() == [-1, 0]
    assert bind(BoneMap((Pair("c", "c"),)), FIGURE, FIGURE, FIGURE.heads).above.tolist() == [-1]


@pytest.mark.parametrize(("role", "rows"), [("", (1, 4)), ("hips", (1,))])
def test_what_hangs_on_a_part_of_the_body_shows_where_that_points_as_far_as_it_is_one(role: str, rows: tuple[int, ...]) -> None:
    """On a are the chest b and the tail e; where a is no part of the body itself, both show where it points."""
    roles = {"a": role, "b": "chest"}
    binding = bind(BoneMap(tuple(Pair(name, name, roles.get(name, "")) for name in "abcde")), FIGURE, FIGURE, FIGURE.heads)
    assert binding.below[0] == (1, 4) and binding.hips == 0
    assert binding.steering[0] == rows


def test_a_map_of_which_all_is_there_says_nothing() -> None:
    with log.collect() as said:
        bind(BoneMap((Pair("a", "a"), Pair("b", "b"))), FIGURE, FIGURE, FIGURE.heads)
    assert not said.messages


def test_a_chain_ends_where_its_last_bone_points_in_the_reference_pose() -> None:
    """One bone of 2 metres beside two of 1, up at rest and to the side in the pose: the second one begins in the middle of it there."""
    up = np.outer(np.arange(4.0), (0, 0, 1))
    one, two = figure_of(["a", "b"], [-1, 0], up[:2], up[[1, 3]]), figure_of(["a", "c", "d"], [-1, 0, 1], up[:3], up[1:])
    bone_map = BoneMap((Pair("a", "a"),), (Chain(("b",), ("c", "d"), name="tail"),))
    binding = bind(bone_map, one, two, one.heads, np.array([[0.0, 0, 1], [2, 0, 1]]))
    assert [follower.anchor.tolist() for follower in binding.followers] == [[0, 0, 0], [0, 0, 1], [1, 0, 1]]


def test_a_chain_ends_at_the_next_bone_of_a_pair() -> None:
    """One bone of a metre beside one of 1 and one of 3, as far as the next pair is from it, though its own tail is after 1."""
    heights = np.outer([0.0, 1, 2, 5], (0, 0, 1))
    one, two = (
        figure_of(list("abh"), [-1, 0, 1], heights[:3]),
        figure_of(list("acdh"), [-1, 0, 1, 2], heights, heights + np.array([0, 0, 1])),
    )
    binding = bind(BoneMap((Pair("a", "a"), Pair("h", "h")), (Chain(("b",), ("c", "d"), name="tail"),)), one, two, one.heads)
    assert [follower.anchor[2] for follower in binding.followers] == [0, 1, 1.25, 2]


def test_each_role_is_that_of_one_follower() -> None:
    """Bones of chains have theirs, a single one that of its chain's name; what is there already counts."""
    chains = (
        Chain(("b", "c"), ("b", "c"), "x", roles={"b": "spine", "c": "leftHand"}),
        Chain(("d", "b"), ("d",), "leftHand"),
        Chain(("e",), ("e",), "rightHand"),
    )
    binding = bind(BoneMap((Pair("a", "a", "spine"),), chains), FIGURE, FIGURE, FIGURE.heads)
    assert [follower.role for follower in binding.followers] == ["spine", "", "leftHand", "", "rightHand"]
    assert bind(BoneMap((Pair("a", "a"), Pair("b", "b", "hips"))), FIGURE, FIGURE, FIGURE.heads).hips == 1


def test_a_chain_ends_at_a_joint_of_another_one() -> None:
    """A spine of two bones on one of three, up to arms that are a chain: as with the pair of the upper arms, without that of what is
    above them."""
    heights = np.outer(np.arange(6.0), (0, 0, 1))
    one, two = (figure_of(list("abcdef"), [-1, 0, 1, 2, 3, 4], heights * scale) for scale in (1.0, 2.0))
    spine = Chain(("a", "b"), ("a", "b", "c"), "spine")
    pairs = (Pair("d", "e", "leftUpperArm"), Pair("e", "f", "leftLowerArm"))
    arm = Chain(
        ("c", "d", "e"),
        ("e", "f"),
        roles={"e": "leftUpperArm", "f": "leftLowerArm"},
        source_roles={"c": "leftShoulder", "d": "leftUpperArm", "e": "leftLowerArm"},
    )
    before, after = (bind(each, one, two, one.heads).followers for each in (BoneMap(pairs, (spine,)), BoneMap((), (arm, spine))))
    for paired, chained in zip(before, after, strict=True):
        assert (chained.target, chained.source, chained.role) == (paired.target, paired.source, paired.role)
        assert chained.anchor.tolist() == paired.anchor.tolist()
    assert [follower.is_uneven for follower in after] == [True, True, True, False, False]


@pytest.mark.parametrize("mode", ["ONE_TO_ONE", "REVERSED", "INTERPOLATED"])
@pytest.mark.parametrize(("ones", "twos"), [("abcd", "ab"), ("ab", "abc"), ("abc", "abc"), ("a", "abc"), ("abc", "a")])
def test_the_bone_of_a_role_follows_the_same_in_the_map_and_on_the_figures(mode: ChainMode, ones: str, twos: str) -> None:
    """Joints of both sides that are not interpolated, and what a mode leaves out, which is no bone of its role."""
    line = figure_of(list("abcd"), [-1, 0, 1, 2], np.outer(np.arange(4.0), (0, 0, 1)))
    arm = ("leftUpperArm", "leftLowerArm", "leftHand")
    roles = dict(zip(twos, arm, strict=False))
    theirs = dict(zip(ones, arm, strict=False)) if mode == "INTERPOLATED" else {}
    bone_map = BoneMap((), (Chain(tuple(ones), tuple(twos), "arm", mode, roles=roles, source_roles=theirs),))
    bound = {each.role: (line.names[each.source], line.names[each.target]) for each in bind(bone_map, line, line, line.heads).followers}
    said = {role: (pair.source, pair.target) for role in arm if (pair := bone_map.role(role)) is not None}
    assert said == {role: names for role, names in bound.items() if role}


def test_what_a_chain_is_called_is_the_role_of_a_single_bone() -> None:
    """Of one of its own, where it is a role at all."""
    for bones, name, role in (("b", "spine", "spine"), ("b", "tail", ""), ("bc", "spine", "")):
        bone_map = BoneMap((), (Chain(("b", "c"), tuple(bones), name),))
        assert [follower.role for follower in bind(bone_map, FIGURE, FIGURE, FIGURE.heads).followers] == [role] * len(bones)
        assert (bone_map.role("spine") is not None) == bool(role)


def test_a_chain_without_a_source_has_no_bone_of_a_role() -> None:
    assert BoneMap((), (Chain((), ("b",), roles={"b": "leftHand"}),)).role("leftHand") is None


@pytest.mark.parametrize("others", [(Pair("a", "a", "leftHand"),), ()])
def test_a_role_that_two_bones_have_is_warned_of(others: tuple[Pair, ...]) -> None:
    chain = Chain(("b", "c"), ("b", "c"), "arm", roles={"b": "leftLowerArm" if others else "leftHand", "c": "leftHand"})
    with log.collect() as said:
        binding = bind(BoneMap(others, (chain,)), FIGURE, FIGURE, FIGURE.heads)
    first = "a" if others else "b"
    assert [binding.named(row) for row, each in enumerate(binding.followers) if each.role == "leftHand"] == [first]
    assert [message.text for message in said.messages] == [f"c and {first} have the same role, left hand; {first} keeps it"]


@pytest.mark.parametrize("sizes", [(1.0, 1.0), (1e-6, 1.0), (1.0, 1e-6)])
def test_what_is_apart_is_so_by_the_size_of_each_figure(sizes: tuple[float, float]) -> None:
    source, target = (figure_of(list("abcde"), [-1, 0, 1, 1, 0], size * HEADS) for size in sizes)
    every = bind(BoneMap((Pair("a", "a"), Pair("b", "b"), Pair("c", "c"))), source, target, source.heads)
    assert every.below == ((1,), (2,), ())
