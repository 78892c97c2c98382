"""What may be paired: each bone once, sides uncrossed, in order along limbs; by names and by roles, with confidences that are known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.by_names import pair_same_names
from retro_anim.core.retarget.mapping.by_roles import pair_by_roles
from retro_anim.core.retarget.mapping.humanoid.evidence import Labels
from retro_anim.core.retarget.mapping.naming.names import read_names
from retro_anim.core.retarget.mapping.pairing import Pairing

from .given import figure_of


def chain_of(names: list[str], parents: list[int] | None = None) -> Figure:
    """Bones one on the other, a metre each, up from the ground."""
    heads = np.outer(np.arange(float(len(names))), (0, 0, 1))
    return figure_of(names, list(range(-1, len(names) - 1)) if parents is None else parents, heads)


def labels_of(figure: Figure, **values: Any) -> Labels:
    names = read_names(figure.names)
    labels = replace(Labels(names, sides=tuple(name.side for name in names)), **values)
    labels.confidence = {**dict.fromkeys(labels.roles, 0.9), **labels.confidence}
    return labels


def pairing(source: Figure, target: Figure, one: dict[str, Any] | None = None, two: dict[str, Any] | None = None) -> Pairing:
    return Pairing(source, target, labels_of(source, **(one or {})), labels_of(target, **(two or {})))


def pairs(both: Pairing) -> list[tuple[str, str, str, float, str]]:
    return [(pair.source, pair.target, pair.role, pair.confidence, pair.note) for pair in both.bone_map().pairs]


LETTERS = chain_of(list("abcdef"))


def test_each_bone_is_paired_once() -> None:
    both = pairing(LETTERS, LETTERS)
    both.pair(1, 2, "", 0.75449, "why")
    both.pair(1, 4, "", 1.0)
    both.pair(5, 2, "", 1.0)
    both.pair(3, 3, "", 0.8, "unsaid")
    both.pair(4, 4, "", 0.1499)
    both.pair(5, 5, "", 0.15)
    assert pairs(both) == [("b", "c", "", 0.754, "why"), ("d", "d", "", 0.8, ""), ("f", "f", "", 0.15, "")]
    assert both.taken == {2, 3, 5} and both.used == {1, 3, 5}
    assert both.paired == {1: 2, 3: 3, 5: 5} and both.followed == {2: 1, 3: 3, 5: 5}
    result = both.bone_map()
    assert result.source_fingerprint == result.target_fingerprint == LETTERS.fingerprint


def test_bones_keep_their_order() -> None:
    """None above a paired one follows what is below it, and the reverse."""
    for first, crossing in (((2, 2), (1, 3)), ((2, 2), (3, 1))):
        both = pairing(LETTERS, LETTERS)
        both.pair(*first, "", 1.0)
        both.pair(*crossing, "", 1.0)
        assert len(both.pairs) == 1
        both.pair(1, 1, "", 1.0)
        both.pair(3, 3, "", 1.0)
        assert len(both.pairs) == 3
    fork = chain_of(list("abcd"), [-1, 0, 0, 1])
    both = pairing(fork, fork)
    both.pair(1, 2, "", 1.0)
    both.pair(2, 1, "", 1.0)
    assert len(both.pairs) == 2, "beside each other they may cross"


def test_sides_are_never_crossed() -> None:
    left, right, middle = (chain_of(["root", name]) for name in ("hand_l", "hand_r", "hand"))
    for source, target, count in ((left, right, 0), (right, left, 0), (left, left, 1), (left, middle, 1), (middle, right, 1)):
        both = pairing(source, target)
        both.pair(1, 1, "", 1.0)
        assert len(both.pairs) == count
        chained = pairing(chain_of(["root", *source.names[1:], "more"]), target)
        chained.chain([1, 2], [1], "tail", 1.0)
        assert len(chained.chains) == count


def test_a_chain_is_of_bones_that_are_free() -> None:
    """Or of pairs where there are as many."""
    both = pairing(LETTERS, LETTERS)
    both.pair(1, 1, "", 1.0)
    both.chain([1, 2, 3], [1, 2, 3, 4], "tail", 0.75449, "why")
    (chain,) = both.bone_map().chains
    assert (chain.source, chain.target, chain.name, chain.mode) == (("c", "d"), ("c", "d", "e"), "tail", "INTERPOLATED")
    assert (chain.confidence, chain.note) == (0.754, "why")
    assert both.taken == {1, 2, 3, 4} and both.used == {1, 2, 3}
    both.chain([4, 5], [5], "ear", 0.1499)
    both.chain([], [5], "ear", 1.0)
    both.chain([4, 5], [], "ear", 1.0)
    both.chain([4], [5], "ear", 0.5, "few")
    assert len(both.chains) == 1 and pairs(both)[1:] == [("e", "f", "", 0.5, "few")]
    sure = pairing(LETTERS, LETTERS)
    sure.chain([1, 2], [1], "tail", 0.8, "unsaid")
    sure.chain([3, 4], [3], "tail", 0.15, "said")
    assert [chain.note for chain in sure.chains] == ["", "said"]


def test_doubt_of_all() -> None:
    both = pairing(LETTERS, LETTERS)
    both.pair(1, 1, "", 0.9)
    both.pair(2, 2, "", 0.5, "own")
    both.chain([3, 4], [3], "tail", 0.9)
    both.chain([5], [4, 5], "ear", 0.4, "own")
    both.doubt_all("why")
    assert [(pair.confidence, pair.note) for pair in both.bone_map().pairs] == [(0.6, "why"), (0.5, "own")]
    assert [(chain.confidence, chain.note) for chain in both.bone_map().chains] == [(0.6, "why"), (0.4, "own")]


def test_pairs_are_listed_by_role() -> None:
    """In the order of VRM, then by bone; what both are said to be is their role."""
    roles = {"roles": {"hips": 3, "spine": 2, "head": 1}}
    both = pairing(LETTERS, LETTERS, roles, {"roles": {"hips": 3, "spine": 1, "head": 2}})
    assert [both.role(bone, bone) for bone in range(4)] == ["", "", "", "hips"]
    for bone in (0, 1, 2, 3, 4):
        both.pair(bone, bone, {1: "head", 2: "spine", 3: "hips"}.get(bone, ""), 1.0)
    assert [pair.target for pair in both.bone_map().pairs] == ["d", "c", "b", "a", "e"]


def named(source: list[str], target: list[str], **values: Any) -> list[tuple[str, str, str, float, str]]:
    both = pairing(chain_of(source), chain_of(target), **values)
    pair_same_names(both)
    return pairs(both)


def test_bones_of_one_name_follow_each_other() -> None:
    """Whatever they are beside the body: not those that one figure has twice, nor what has a role in one of them."""
    sure = ("Sword", "sword", "", 0.85, "")
    assert named(["root", "Sword"], ["base", "sword"]) == [sure]
    assert named(["Sword", "sword"], ["sword"]) == []
    assert named(["sword"], ["Sword", "sword"]) == []
    assert named(["root", "Sword"], ["base", "sword"], one={"roles": {"head": 1}}) == []


def test_a_helper_of_the_same_letters_is_another_bone() -> None:
    """A roll as a word of its own is none of the body; a scroll is one."""
    assert named(["root", "Scroll"], ["base", "scroll"]) == [("Scroll", "scroll", "", 0.85, "")]
    assert named(["root", "sc_roll"], ["base", "scroll"]) == named(["root", "scroll"], ["base", "sc_roll"]) == []
    assert named(["root", "Sword"], ["base", "sword"], two={"roles": {"head": 1}}) == []
    assert named(["sword.L"], ["sword.R"]) == []
    assert named(["sword.001"], ["sword"]) == []
    assert named(["12"], ["12"]) == []


@pytest.mark.parametrize(
    ("target", "confidence"), [(["tail_1", "tail_2"], 0.85), (["tail_2", "tail_3"], 0.6), (["tail_0", "tail_1", "tail_2"], 0.6)]
)
def test_bones_that_are_counted_otherwise_are_not_sure(target: list[str], confidence: float) -> None:
    """From 1 in the source: the second one of it is tail_2, too."""
    shown = named(["tail_1", "tail_2"], target)
    note = "the same name, but the bones of the limb are numbered otherwise" if confidence < 0.8 else ""
    assert shown and {(each[3], each[4]) for each in shown} == {(confidence, note)}
    assert [each[3] for each in named(["tail", "tail_2"], target) if each[0] == "tail_2"] == [0.6], "from none in this one"


def body(**values: Any) -> dict[str, Any]:
    return {"roles": {"hips": 0, "spine": 1, "chest": 2, "head": 5}, "spine": (1, 2), **values}


def by_roles(one: dict[str, Any], two: dict[str, Any], source: Figure = LETTERS, target: Figure = LETTERS) -> Pairing:
    both = pairing(source, target, one, two)
    pair_by_roles(both)
    return both


def test_roles_that_both_have_are_paired_as_sure_as_the_less_sure_is() -> None:
    notes = {"head": "by its name"}
    both = by_roles(body(confidence={"head": 0.7}, notes=notes), body(confidence={"head": 0.5, "hips": 0.95}, notes=notes))
    listed = {role: (confidence, note) for _, _, role, confidence, note in pairs(both)}
    assert listed == {
        "hips": (0.9, ""),
        "spine": (0.9, ""),
        "chest": (0.9, ""),
        "head": (0.5, "source: by its name; target: by its name"),
    }
    assert [pair.role for pair in by_roles({"roles": {"hips": 0}}, body()).bone_map()] == ["hips"]


@pytest.mark.parametrize(
    ("one", "two", "chained"),
    [
        ((1, 2), (1, 2, 3), False),
        ((1, 2, 3), (1, 2), True),
        ((1, 2), (1, 2, 3, 4), True),
        ((1, 2, 3, 4), (1, 2), True),
        ((1,), (1, 2), False),
        ((1, 2), (1,), False),
        ((), (1, 2, 3, 4), False),
    ],
)
def test_spines_of_other_lengths_are_chains(one: tuple[int, ...], two: tuple[int, ...], chained: bool) -> None:
    """Where one has more than three bones, or the source more of several."""
    whole, roles = chain_of(list("abcdefgh")), {"hips": 0, "spine": 1}
    both = by_roles({"roles": roles, "spine": one}, {"roles": roles, "spine": two}, whole, whole)
    assert [(chain.name, len(chain.source), len(chain.target)) for chain in both.chains] == (
        [("spine", len(one), len(two))] if chained else []
    )


def test_a_chain_is_as_sure_as_the_least_sure_of_its_roles() -> None:
    one = {"roles": {"spine": 1, "chest": 2}, "spine": (1, 2, 3, 4), "confidence": {"spine": 0.7}}
    two = {"roles": {"spine": 1, "upperChest": 2}, "spine": (1, 2), "confidence": {"upperChest": 0.65}}
    assert [chain.confidence for chain in by_roles(one, two).chains] == [0.65]


def test_long_spines_of_one_length_follow_bone_by_bone() -> None:
    """With the roles of the target's bones."""
    values = {"roles": {"spine": 1, "chest": 3, "upperChest": 4}, "spine": (1, 2, 3, 4), "confidence": {"chest": 0.6}}
    assert [(each[:4]) for each in pairs(by_roles(values, values))] == [
        ("b", "b", "spine", 0.9),
        ("d", "d", "chest", 0.6),
        ("e", "e", "upperChest", 0.9),
        ("c", "c", "", 0.6),
    ]


def test_necks_and_fingers_of_other_lengths_are_chains() -> None:
    one = {"roles": {"neck": 1, "leftIndexProximal": 3}, "neck": (1, 2), "fingers": {"leftIndex": (3, 4, 5)}}
    two = {"roles": {"neck": 1, "leftIndexProximal": 5}, "neck": (1, 2, 3, 4), "fingers": {"leftIndex": (5,), "leftRing": (0,)}}
    chains = by_roles(one, two).chains
    assert [(chain.name, chain.source, chain.target, chain.confidence) for chain in chains] == [
        ("neck", ("b", "c"), ("b", "c", "d", "e"), 0.9),
        ("leftIndex", ("d", "e", "f"), ("f",), 0.85),
    ]
    assert not by_roles(one, {**two, "fingers": {}}).chains[1:]


@pytest.mark.parametrize(("hips", "alike"), [(1, True), (2, False)])
def test_a_root_on_the_ground_is_none_in_the_pelvis(hips: int, alike: bool) -> None:
    """A fifth of the figure nearer to the hips: of six bones of a metre each and one of two."""
    one = {"roles": {"root": 0, "hips": 0}}
    tall = figure_of(list("abcdef"), list(range(-1, 5)), np.outer([0.0, 0.9, 1.1, 3, 4, 5], (0, 0, 1)))
    both = by_roles(one, {"roles": {"root": 0, "hips": hips}}, tall, tall)
    assert ("root" in {pair.role for pair in both.bone_map()}) == alike


def test_a_spine_none_of_whose_bones_has_a_role_is_a_chain_as_sure_as_not() -> None:
    """As of labels that were given by hand."""
    (chain,) = by_roles({"spine": (1, 2, 3, 4)}, {"spine": (1, 2)}).chains
    assert (chain.name, chain.confidence) == ("spine", 0.5)
