"""Chains of other lengths: which part of the source's chain each bone follows, and how far it rotates with that; worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import Chain, ChainMode
from retro_anim.core.retarget.transfer import chains

from ..mapping.given import figure_of

X = np.array([1.0, 0, 0])


def row(*heights: float) -> Figure:
    """Bones a, b, c, ... one on another at these heights; the last one ends a metre further up."""
    count = len(heights)
    heads = np.outer(heights, (0.0, 0, 1))
    tails = np.vstack([heads[1:], heads[-1:] + np.array([0, 0, 1])])
    return figure_of(list("abcdefgh"[:count]), list(range(-1, count - 1)), heads, tails)


def planned(
    source: Figure, target: Figure, one: str, two: str, mode: ChainMode = "INTERPOLATED", *, mapped: str = "", on: str = ""
) -> chains.Plan:
    """mapped, on: bones of the source and of the target that are in pairs."""
    chain = Chain(tuple(one), tuple(two), "tail", mode, weight=0.5)
    joints = chains.Joints(source.heads, source.tails)
    return chains.plan(chain, source, target, joints, {source.index[each] for each in mapped}, set())


def test_a_chain_is_followed_by_its_parts() -> None:
    """Two bones of 1 and 3 metres, whose middles are at 1/8 and 5/8, by four of a metre: their middles, at 1/8 to 7/8, are drawn so that
    the last agree, and their joints lie on the source at a quarter of the way each."""
    plan = planned(row(0, 1, 3), row(0, 1, 2, 3), "abc"[:2], "abcd", mapped="c")
    assert (plan.sources, plan.targets, plan.carrier, plan.name, plan.weight) == ((0, 1), (0, 1, 2, 3), -1, "tail", 0.5)
    centres = np.array([0.5, 2.0]) / 3
    assert plan.known == pytest.approx([0, *centres])
    assert plan.wanted == pytest.approx(np.array([1, 3, 5, 7]) / 7 * centres[1])
    assert plan.nearest == (0, 0, 1, 1)
    assert plan.anchors[:, 2] == pytest.approx(np.array([0, 1, 2, 3]) * 3 / 4)


def test_a_chain_ends_at_the_middle_of_what_comes_next() -> None:
    """Of what is mapped, the nearest on each branch; else with the tail of its last bone, or where tails show nothing, a bone further."""
    heads = np.array([[0, 0, 0], [0, 0, 1], [1, 0, 2], [-1, 0, 4], [-1, 0, 9]], float)
    fork = figure_of(list("abcde"), [-1, 0, 1, 1, 3], heads)
    joints = chains.Joints(fork.heads, fork.tails)
    for mapped, end in (({2, 3, 4}, 3.0), ({2}, 2.0), ({3, 4}, np.hypot(0, 0) + 4), ({4}, 9.0)):
        plan = chains.plan(Chain(("a", "b"), ("a",)), fork, row(0), joints, mapped, set())
        tip = heads[sorted(mapped - ({4} if 3 in mapped else set()))].mean(axis=0)
        steps = np.array([1.0, np.linalg.norm(tip - [0, 0, 1])])
        assert tip[2] == end
        assert plan.known[1:] == pytest.approx((np.cumsum(steps) - steps / 2) / steps.sum())
    assert planned(row(0, 1, 3), row(0), "abc", "a").known[1:] == pytest.approx(np.array([0.5, 2, 3.5]) / 4), "its tail"
    source = row(0, 1, 3)
    invented = chains.Joints(source.heads, source.tails + np.array([0, 5, 5]))
    blind = figure_of(list("abc"), [-1, 0, 1], source.heads, source.heads + np.array([0, 0.1, 0]))
    plan = chains.plan(Chain(("a", "b", "c"), ("a",)), blind, row(0), invented, set(), set())
    assert plan.known[1:] == pytest.approx(np.array([0.5, 2, 4]) / 5)


def test_chains_of_one_length_follow_bone_by_bone() -> None:
    plan = planned(row(0, 1, 3), row(0, 5, 6), "abc", "abc")
    assert plan.wanted == pytest.approx(plan.known[1:]) and plan.nearest == (0, 1, 2)
    assert plan.anchors[:, 2].tolist() == [0, 1, 3]


@pytest.mark.parametrize(
    ("mode", "one", "two", "sources", "targets"),
    [
        ("ONE_TO_ONE", "abc", "ab", (0, 1), (0, 1)),
        ("ONE_TO_ONE", "ab", "abc", (0, 1), (0, 1)),
        ("REVERSED", "abc", "ab", (1, 2), (0, 1)),
        ("REVERSED", "ab", "abc", (0, 1), (1, 2)),
        ("INTERPOLATED", "abc", "ab", (0, 1, 2), (0, 1)),
    ],
)
def test_from_the_first_on_or_from_the_last(
    mode: ChainMode, one: str, two: str, sources: tuple[int, ...], targets: tuple[int, ...]
) -> None:
    plan = planned(row(0, 1, 2, 3), row(0, 1, 2, 3), one, two, mode)
    assert (plan.sources, plan.targets) == (sources, targets)


def test_the_nearest_mapped_bone_above_carries_a_chain() -> None:
    assert [planned(row(0, 1, 2, 3), row(0), "d", "a", mapped=mapped).carrier for mapped in ("ab", "abc", "a", "")] == [1, 2, 0, -1]


def test_last_bones_that_begin_alike_are_aligned_by_the_same_point() -> None:
    """To a fiftieth of the length: at three quarters of it in the target."""
    for last, at in ((3.0, 3.0), (3.2, 3.2), (3.4, 0.75 * 4.4)):
        assert planned(row(0, 1, 2, last), row(0, 3), "abcd", "ab").anchors[1, 2] == pytest.approx(at)


def spun(degrees: float) -> Floats:
    return quat.about(X, np.radians([degrees]))


def test_bones_rotate_as_the_source_does_at_their_middle() -> None:
    """Two bones of a metre, 30 and then 60 degrees from what carries them, which rotates by 10: of three bones the first is at 1/4 of all,
    where the first source bone's middle is, or by its part of the way from one middle to the next."""
    source, target = row(0, 1, 2), row(0, 2 / 3, 4 / 3, 2)
    plan = planned(source, target, "bc", "bcd", mapped="a")
    deltas = {0: spun(10), 1: spun(40), 2: spun(70)}
    rotated = chains.rotations(plan, deltas)
    angles = np.degrees(2 * np.arctan2(rotated[0, :, 1], rotated[0, :, 0]))
    wanted = np.interp(plan.wanted, plan.known, [0, 30, 60]) + 10
    assert angles == pytest.approx(wanted) and angles[-1] == pytest.approx(70)
    free = planned(row(0, 1), row(0, 0.5, 1), "ab", "abc")
    angles = np.degrees(2 * np.arctan2(*chains.rotations(free, {0: spun(30), 1: spun(60)})[0, :, 1::-1].T))
    assert angles == pytest.approx(np.interp(free.wanted, free.known, [0, 30, 60])), "on its own"


def test_a_bone_that_goes_on_over_half_a_turn_does_so_in_between_as_well() -> None:
    """By 500 degrees and back in one clip, by 10 in the next one, and by 190 from the start, which is 170 the other way round there."""
    source, target = row(0, 1, 2), row(0, 2 / 3, 4 / 3, 2)
    plan = planned(source, target, "bc", "bcd", mapped="a")
    degrees = np.concatenate([np.linspace(0, 500, 60), np.linspace(500, 0, 60), np.linspace(-10, 10, 9), np.linspace(190, 170, 9)])
    still, rotated = spun(0).repeat(len(degrees), axis=0), quat.about(X, np.radians(degrees))
    shown = degrees - np.where(np.arange(len(degrees)) >= 129, 360, 0)
    share = float(np.interp(plan.wanted[0], plan.known, [0, 1, 1]))
    assert 0 < share < 1
    first = chains.rotations(plan, {0: still, 1: rotated, 2: rotated}, (0, 120, 129))[:, 0]
    assert quat.apart(first, quat.about(X, np.radians(share * shown))) == pytest.approx(np.zeros(len(degrees)), abs=1e-6)


def test_a_chain_without_length_has_even_parts() -> None:
    flat = figure_of(list("abc"), [-1, 0, 1], np.zeros((3, 3)), np.zeros((3, 3)))
    plan = chains.plan(Chain(("a", "b", "c"), ("a", "b")), flat, row(0, 1), chains.Joints(flat.heads, flat.heads), set(), set())
    assert plan.known == pytest.approx([0, 1 / 6, 1 / 2, 5 / 6]) and plan.nearest[-1] == 2


ARM = ("leftShoulder", "leftUpperArm", "leftLowerArm", "leftHand")


def limb(source: Figure, target: Figure, one: str, two: str, mode: ChainMode = "INTERPOLATED") -> chains.Plan:
    """Bones as they follow each other: s, u, l and h are the joints of an arm, others lie between them or beyond."""
    names = {role[4].lower(): role for role in ARM}
    chain = Chain(
        tuple("abcdefgh"[: len(one)]),
        tuple("abcdefgh"[: len(two)]),
        mode=mode,
        roles={bone: names[letter] for bone, letter in zip("abcdefgh", two, strict=False) if letter in names},
        source_roles={bone: names[letter] for bone, letter in zip("abcdefgh", one, strict=False) if letter in names},
    )
    return chains.plan(chain, source, target, chains.Joints(source.heads, source.tails), set(), set())


@pytest.mark.parametrize(
    ("one", "two", "angles_by_bone"),
    [
        ("sulh", "ulh", {0: 20, 1: 30, 2: 40}),  # a shoulder that the target does not have
        ("ulh", "sulh", {1: 10, 2: 20, 3: 30}),
        ("ulh", "ul", {0: 10, 1: 20}),  # a hand that the target does not have
        ("ul", "ulh", {0: 10, 1: 20}),
        ("u.lh", "ulh", {0: 10, 1: 30, 2: 40}),  # a helper in the upper arm
        ("ulh", "u..lh", {0: 10, 1: 10, 2: 10, 3: 20, 4: 30}),
        ("u.lh", "u..lh", {0: 10, 1: 15, 2: 20, 3: 30, 4: 40}),  # shared by length up to the next joint
        (
            ".ulh",
            "..ulh",
            {0: 10 / 3, 1: 10, 2: 20, 3: 30, 4: 40},
        ),  # the middle of the first of two bones is at a third of the way to the second one's
        ("ul.", "ul..", {0: 10, 1: 20, 2: 25, 3: 30}),
        ("sul", "ulh", {0: 20, 1: 30}),  # as many bones, but others
        ("uhl", "ulh", {0: 10, 1: 30}),  # what comes in another order is no joint of both
    ],
)
def test_joints_of_a_limb_follow_the_same_joints(one: str, two: str, angles_by_bone: dict[int, float]) -> None:
    """Bones of a metre, each 10 degrees further than the one before it."""
    source, target = row(*range(len(one))), row(*range(len(two)))
    plan = limb(source, target, one, two)
    rotated = chains.rotations(plan, {bone: spun(10.0 * (bone + 1)) for bone in range(len(one))})
    angles = np.degrees(2 * np.arctan2(rotated[0, :, 1], rotated[0, :, 0]))
    assert dict(zip(plan.targets, angles.tolist(), strict=True)) == pytest.approx(angles_by_bone)
    for position, bone in enumerate(plan.targets):
        same = one.find(two[bone]) if two[bone] != "." else -1
        if same >= 0:
            assert position in plan.joints and plan.anchors[position, 2] == same
            assert plan.sources[plan.nearest[position]] == same


def test_bone_by_bone_no_joints_are_looked_for() -> None:
    plan = limb(row(0, 1, 2, 3), row(0, 1, 2), "sulh", "ulh", "ONE_TO_ONE")
    assert (plan.sources, plan.targets) == ((0, 1, 2), (0, 1, 2))
    assert limb(row(0, 1, 2), row(0, 1, 2), "sul", "ulh", "REVERSED").sources == (0, 1, 2)


def test_joints_lie_where_they_are_and_bones_between_them_by_length() -> None:
    """An upper arm of 1 metre by one of 4 in two bones of 1 and 3, of which the second begins at a quarter of it."""
    plan = limb(row(0, 1, 6), row(0, 1, 4, 6), "ulh", "u.lh")
    assert plan.anchors[:, 2] == pytest.approx([0, 0.25, 1, 6])
    assert plan.joints == {0, 2, 3}
