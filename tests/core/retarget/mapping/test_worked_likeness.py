"""How alike two bones are that differ in one sign alone, by a distance that is known: 1 less its part of all weights, as far as
e ** -(d / allowed) ** 2 / 2 is below 1."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.mapping.creatures import likeness as module
from retro_anim.core.retarget.mapping.creatures.body import Body
from retro_anim.core.retarget.mapping.creatures.leg_joints import JOINTS
from retro_anim.core.retarget.mapping.creatures.likeness import SIGNS, likeness, meaning
from retro_anim.core.retarget.mapping.naming import vocabulary
from retro_anim.core.retarget.mapping.naming.names import read_names

from .test_worked_body import EAR, FOOT, HEAD, HIPS, LEG, PARENTS, body

VECTORS, LOGS = ("position", "reach", "along", "base", "end", "onward", "within"), ("mass", "tips")
FIELDS = (
    "position", "reach", "along", "mass", "tips", "below", "out", "base", "end", "rank", "faces", "onward", "within", "stations along",
    "stations off",
)  # fmt: skip
DISTANCE = 0.3


def changed(beast: Body, field: str, by: float = DISTANCE) -> Body:
    """All of whose bones differ in one field by that, a vector in two directions, what counts by its logarithm by that."""
    if field.startswith("stations "):
        name = field.removeprefix("stations ")
        return replace(beast, stations=replace(beast.stations, **{name: getattr(beast.stations, name) + by}))
    values: Floats = getattr(beast, field)
    new: Any = values * np.exp(by) if field in LOGS else values + (by * np.array([0.6, 0, -0.8]) if field in VECTORS else by)
    return replace(beast, **{field: new})


def named(first: list[str], second: list[str]) -> tuple[list[Any], list[Any]]:
    return read_names(first), read_names(second)


COUNT = len(PARENTS)
BEAST = replace(
    body(), stations=replace(body().stations, along=np.zeros(COUNT), off=np.zeros(COUNT), head=-1), joints=np.zeros((COUNT, JOINTS))
)
NUMBERED = [f"bone_{bone}" for bone in range(len(PARENTS))]
UNNAMED = read_names(NUMBERED)


@pytest.mark.parametrize("less", [(), *SIGNS])
@pytest.mark.parametrize("number", range(len(FIELDS)))
def test_each_sign_counts_by_its_weight(number: int, less: tuple[int, ...]) -> None:
    """For trunks and limbs another one; by a quarter of that where it counts less."""
    other = changed(BEAST, FIELDS[number])
    for bone, all_weights in ((HIPS, module._IN_MIDDLE), (LEG, module._OF_LIMBS)):
        weights = np.array(all_weights) * [0.25 if sign in less else 1.0 for sign in range(15)]
        below = 1 - np.exp(-((DISTANCE / module._APART[number]) ** 2) / 2)
        expected = 1 - weights[number] * below / weights.sum()
        for one, two in ((BEAST, other), (other, BEAST)):
            assert likeness(one, two, UNNAMED, UNNAMED, less=less)[bone, bone] == pytest.approx(expected)
    assert likeness(BEAST, BEAST, UNNAMED, UNNAMED, less=less).diagonal() == pytest.approx(1.0)


def test_joints_of_legs_count_where_they_show_in_both() -> None:
    """Half of what is known of the one is of the other's joint: the root of a half, of its weight and all others'."""
    known, other = np.zeros((COUNT, JOINTS)), np.zeros((COUNT, JOINTS))
    known[LEG, 2], other[LEG, 2:4] = 1.0, 0.5
    one, two = replace(BEAST, joints=known), replace(BEAST, joints=other)
    weights = sum(module._OF_LIMBS)
    expected = (weights + module._JOINT * 0.5**0.5) / (weights + module._JOINT)
    for first, second in ((one, two), (two, one)):
        assert likeness(first, second, UNNAMED, UNNAMED)[LEG, LEG] == pytest.approx(expected)
    assert likeness(one, BEAST, UNNAMED, UNNAMED)[LEG, LEG] == pytest.approx(1.0)


def test_what_has_no_length_is_as_short_as_can_be() -> None:
    """A ten thousandth, of which the logarithm is taken."""
    mass = BEAST.mass.copy()
    mass[LEG] = 1e-4
    none = replace(BEAST, mass=np.where(np.arange(len(mass)) == LEG, 0.0, mass))
    assert likeness(none, replace(BEAST, mass=mass), UNNAMED, UNNAMED)[LEG, LEG] == pytest.approx(1.0)
    mass[LEG] = 2e-4
    assert likeness(none, replace(BEAST, mass=mass), UNNAMED, UNNAMED)[LEG, LEG] < 1.0


@pytest.mark.parametrize(
    ("first", "second", "alike", "known"),
    [
        ("tail", "tail", 1.0, 1.0),
        ("tail", "head", 0.0, 1.0),
        ("tail", "bone_0", 0.0, 0.0),
        ("bone_0", "bone_0", 0.0, 0.0),  # a number is no name
        ("zither", "zither", 1.0, 1.0),  # what nobody knows is one if it is the same
        ("zither", "other", 0.0, 0.0),
    ],
)
def test_names_count_where_both_say_something(first: str, second: str, alike: float, known: float) -> None:
    """3.5 beside all other weights."""
    ones, twos = named([first, *NUMBERED[1:]], [second, *NUMBERED[1:]])
    other = changed(BEAST, "position")
    plain = likeness(BEAST, other, UNNAMED, UNNAMED)[HIPS, HIPS]
    weight = sum(module._IN_MIDDLE)
    assert likeness(BEAST, other, ones, twos)[HIPS, HIPS] == pytest.approx((weight * plain + 3.5 * alike * known) / (weight + 3.5 * known))


def test_what_names_of_beasts_mean() -> None:
    """A part of beasts makes parts of people 0.3 as likely; what has a side is another one than what has none; front legs are arms."""

    def of(text: str) -> dict[str, float]:
        (name,) = read_names([text])
        return meaning(name)

    assert of("tail") == {"tail": 1.0} and of("bone_3") == {}
    assert of("body") == vocabulary.CENTRAL["body"] and of("arm.L") == vocabulary.SIDED["arm"], "as likely as the token alone"
    assert of("hip.L") == {"UpperLeg": 0.75} and of("hip") == {"hips": 0.9}, "what is central means something else on a side"
    assert of("body_tail") == pytest.approx({part: 0.3 * score for part, score in vocabulary.CENTRAL["body"].items()} | {"tail": 1.0})
    assert all(0 <= score <= 1 for text in ("front_leg.L", "hand.L", "tail_head", "spine_ik") for score in of(text).values())
    assert of("hand.L")["Hand"] == 1.0 and of("front_foot.L").get("Hand", 0) > 0 and "Foot" not in of("front_foot.L")
    assert of("tail_head")["head"] == pytest.approx(0.3 * of("head")["head"]) and of("tail_head")["tail"] == 1.0


@pytest.mark.parametrize(
    ("first", "second", "may"), [("a.L", "b.L", True), ("a.L", "b.R", False), ("a.R", "b.L", False), ("a.R", "b", True)]
)
def test_a_left_bone_is_no_right_one(first: str, second: str, may: bool) -> None:
    ones, twos = named([*NUMBERED[:LEG], first, *NUMBERED[LEG + 1 :]], [*NUMBERED[:LEG], second, *NUMBERED[LEG + 1 :]])
    result = likeness(BEAST, BEAST, ones, twos)
    assert (result[LEG, LEG] >= 0) == may and result[FOOT, FOOT] >= 0


def test_what_is_another_part_of_the_body_is_not_alike() -> None:
    """Middle and sides; fingers, and bones that twist the skin, and others."""
    plain = likeness(BEAST, BEAST, UNNAMED, UNNAMED)
    kinds = np.array(BEAST.kinds)
    assert np.array_equal(plain >= 0, kinds[:, None] == kinds)
    for field in ("fingers", "twists"):
        is_one = (np.arange(len(kinds)) == FOOT).astype(float if field == "fingers" else bool)
        for one, two in ((replace(BEAST, **{field: is_one}), BEAST), (BEAST, replace(BEAST, **{field: is_one}))):
            apart = likeness(one, two, UNNAMED, UNNAMED) < 0
            assert apart[FOOT, FOOT] and apart[FOOT, LEG] == (one is not BEAST) and apart[LEG, FOOT] == (two is not BEAST)
        if field == "fingers":
            perhaps = replace(BEAST, fingers=0.5 * is_one)
            assert np.array_equal(likeness(perhaps, BEAST, UNNAMED, UNNAMED), plain)
        both = replace(BEAST, **{field: is_one})
        assert likeness(both, both, UNNAMED, UNNAMED)[FOOT, FOOT] >= 0 > likeness(both, both, UNNAMED, UNNAMED)[FOOT, LEG]


@pytest.mark.parametrize(
    ("one", "two", "may"),
    [
        ((1.1, 0.0), (1.96, 1.0), False),  # neck, and what hangs on the head
        ((1.0, 0.0), (1.96, 1.0), True),  # a chest is no neck
        ((1.1, 0.5), (1.96, 1.0), True),  # nor what may be a jaw
        ((1.1, 0.0), (1.95, 1.0), True),  # it hangs on the neck itself
        ((1.1, 0.0), (1.96, 0.5), True),
        ((1.1, 0.0), (2.0, 0.0), True),
    ],
)
def test_a_neck_is_nothing_on_a_head(one: tuple[float, float], two: tuple[float, float], may: bool) -> None:
    """In the middle; of limbs nothing of it is asked."""

    def at(along: float, off: float) -> Body:
        stations = BEAST.stations
        return replace(BEAST, stations=replace(stations, along=stations.along + along, off=stations.off + off))

    for first, second in ((at(*one), at(*two)), (at(*two), at(*one))):
        result = likeness(first, second, UNNAMED, UNNAMED)
        assert (result[HEAD, HEAD] >= 0) == may and result[EAR, EAR] >= 0
