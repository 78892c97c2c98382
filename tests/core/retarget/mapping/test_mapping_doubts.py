"""Two creatures of a kind of which it does not show which is which: rows of more and of fewer legs, bodies with two like ends, and limbs
whose joints agree in number by chance. The bones are but numbered: all of that is doubtful, or right."""

from __future__ import annotations

from math import cos, sin

import pytest

from .beasts import Row, beast, chain, numbered, sided
from .creatures import followed


def centipede(legs: int, joints: int, feelers: int) -> list[Row]:
    """Of about one length, however many segments with legs there are."""
    step = 1.2 / legs
    rows: list[Row] = [*chain("segment", "", (0, 0.6, 0.06), *[(0.0, -step, 0.0)] * (legs - 1))]
    rows += [("head", f"segment{legs - 1}", (0, -step, 0))]
    side: list[Row] = []
    for leg in range(legs):
        side += [(f"leg{leg}.0*", f"segment{leg}", (0.05, 0, 0))]
        reach = 0.2 / joints, 0.02 * (leg % 3 - 1), -0.02
        side += [(f"leg{leg}.{joint}*", f"leg{leg}.{joint - 1}*", reach) for joint in range(1, joints + 1)]
    side += [(f"feeler{joint}*", f"feeler{joint - 1}*" if joint else "head", (0.04, -0.08, 0)) for joint in range(feelers)]
    return rows + sided(side)


@pytest.mark.parametrize("legs", [(8, 12), (12, 8), (6, 8), (8, 6)])
@pytest.mark.parametrize("joints", [(2, 2), (2, 3)])
def test_legs_of_a_row_of_more_are_not_sure_to_be_any(legs: tuple[int, int], joints: tuple[int, int]) -> None:
    """Which of twelve legs is which of eight does not show, nor which segment has it."""
    for seed in range(3):
        sets = [numbered(centipede(legs[at], joints[at], at + seed), seed + 50 * at) for at in (0, 1)]
        result = followed(sets[0], sets[1])
        of_row = [doubtful for call, (_, doubtful) in result.items() if call.startswith(("leg", "segment"))]
        assert len(of_row) > legs[1]
        assert all(of_row)


def test_legs_of_a_row_of_as_many_are_each_its_own() -> None:
    """The same creature of two makers: not all is doubtful."""
    result = followed(numbered(centipede(8, 2, 1), 1), numbered(centipede(8, 2, 2), 51))
    of_row = {call: row for call, row in result.items() if call.startswith("leg")}
    assert all(call in calls for call, (calls, _) in of_row.items())
    assert sum(not doubtful for _, doubtful in of_row.values()) > 0.5 * len(of_row)


def insect(joints: int, feelers: int, jaws: bool, belly: float, head: float) -> list[Row]:
    """Six legs on one bone, the front ones as the hind ones; without feelers and jaws its ends are much like each other."""
    rows: list[Row] = [("thorax", "", (0, 0, 0.15)), ("head", "thorax", (0, -head, 0)), ("belly", "thorax", (0, belly, 0))]
    side: list[Row] = []
    for leg, y in enumerate((-0.07, 0.0, 0.07)):
        out = (0.5 / joints) * cos(10 * y), (0.5 / joints) * sin(10 * y)
        side += [(f"leg{leg}.0*", "thorax", (0.05, y, 0))]
        side += [
            (f"leg{leg}.{joint}*", f"leg{leg}.{joint - 1}*", (*out, 0.06 if 2 * joint < joints else -0.06)) for joint in range(1, joints)
        ]
    side += [(f"feeler{joint}*", f"feeler{joint - 1}*" if joint else "head", (0.03, -0.06, 0.03)) for joint in range(feelers)]
    side += [("jaw*", "head", (0.03, -0.08, 0))] if jaws else []
    return rows + sided([*side, ("case*", "thorax", (0.04, 0, 0.08))])


@pytest.mark.parametrize("ends", [(0.08, 0.15), (0.1, 0.14), (0.12, 0.12), (0.14, 0.1)])
@pytest.mark.parametrize("swapped", [False, True])
def test_an_insect_whose_front_does_not_show_is_not_sure_to_be_another(ends: tuple[float, float], swapped: bool) -> None:
    """With nothing on its head, and a belly of one bone, but for the length of these it would look either way."""
    for seed in range(4):
        plain, other = numbered(insect(5, 0, False, *ends), seed), numbered(insect(5, 4, True, 0.14, 0.15), seed + 50)
        for call, (calls, doubtful) in followed(*((other, plain) if swapped else (plain, other))).items():
            assert doubtful or call in calls


def tick(head: int, belly: bool, feelers: bool) -> list[Row]:
    """Eight legs on one bone, before the middle of which most begin. head: its bones, with its end."""
    rows: list[Row] = [("body", "", (0, 0, 0.05)), *chain("head", "body", *[(0, -0.06, 0), (0, -0.03, 0)][:head])]
    rows += [("belly", "body", (0, 0.03, 0))] if belly else []
    side: list[Row] = []
    for leg, (y, out, along) in enumerate(
        ((-0.055, 0.025, -0.026), (-0.032, 0.029, -0.009), (-0.008, 0.029, 0.009), (0.015, 0.022, 0.026))
    ):
        side += [(f"leg{leg}.0*", "body", (0.03, y, 0))]
        side += [(f"leg{leg}.{joint}*", f"leg{leg}.{joint - 1}*", (out, along, up)) for joint, up in ((1, 0.01), (2, 0.007), (3, -0.008))]
    side += [("feeler0*", "head0", (0.009, -0.015, -0.006)), ("feeler1*", "feeler0*", (0.006, -0.03, 0.006))] if feelers else []
    return rows + sided(side)


Tick = tuple[int, bool, bool]


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(
    "kinds", [((2, False, False), (1, True, True)), ((2, False, False), (2, False, True)), ((1, False, False), (1, True, True))]
)
def test_a_head_that_could_be_a_tail_is_not_sure_to_be_one(kinds: tuple[Tick, Tick], swapped: bool) -> None:
    """Of a beast without a belly its head is where others have a tail: its legs say another front than its middle."""
    for seed in range(4):
        plain, other = numbered(tick(*kinds[0]), seed), numbered(tick(*kinds[1]), seed + 50)
        for call, (calls, doubtful) in followed(*((other, plain) if swapped else (plain, other))).items():
            assert doubtful or call in calls


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(
    "kinds", [((1, False, False), (1, False, True)), ((2, True, False), (2, True, True)), ((2, True, False), (1, True, True))]
)
def test_legs_say_where_the_front_is(kinds: tuple[Tick, Tick], swapped: bool) -> None:
    """However little of a head shows: not all of it is doubtful."""
    for seed in range(4):
        plain, other = numbered(tick(*kinds[0]), seed), numbered(tick(*kinds[1]), seed + 50)
        legs = {call: row for call, row in followed(*((other, plain) if swapped else (plain, other))).items() if call.startswith("leg")}
        assert len(legs) == 32 and all(call in calls for call, (calls, _) in legs.items())
        assert sum(doubtful for _, doubtful in legs.values()) <= 8


def winged(blade: bool, tips: int) -> list[Row]:
    """A beast on fours with wings as long, whose joints are where they are, but for a blade before and tips behind."""
    rows = beast(4 if blade else 5, 3, 5, 0.8, toes=True, ears=True)
    top = "spine3" if blade else "spine4"
    tip = (0.45 / (tips + 1), 0.06 / (tips + 1), 0.03 / (tips + 1))
    side: list[Row] = [("wingblade*", top, (0.03, 0.02, 0.08))] if blade else []
    side += [("wing0*", "wingblade*" if blade else top, (0.09, 0.02, 0.02) if blade else (0.12, 0.04, 0.1))]
    side += [("wing1*", "wing0*", (0.25, 0.12, 0.05)), ("wing2*", "wing1*", (0.3, -0.14, 0.05))]
    side += [(f"wing{3 + number}*", f"wing{2 + number}*", tip) for number in range(tips)]
    return rows + sided(side)


@pytest.mark.parametrize("blades", [(True, False), (False, True)])
def test_joints_that_agree_in_number_by_chance_are_not_sure(blades: tuple[bool, bool]) -> None:
    """A wing with a blade and another with a tip have as many joints: its elbow may be its wrist."""
    for seed in range(4):
        drawn = [numbered(winged(blade, 0 if blade else 1), seed + 50 * at) for at, blade in enumerate(blades)]
        result = followed(drawn[0], drawn[1])
        wings = {call: row for call, row in result.items() if call.startswith("wing")}
        assert wings
        for call, (calls, doubtful) in wings.items():
            assert doubtful or call in calls


def harvestman(joints: int, below: str) -> list[Row]:
    """Eight long legs and palps on one body; a bone of its belly, which hangs before its middle, or of an abdomen behind."""
    rows: list[Row] = [("body", "", (0, 0, 0.3)), (below, "body", (0, -0.12, -0.08) if below == "belly" else (0, 0.1, 0))]
    side: list[Row] = []
    for leg, y in enumerate((-0.03, -0.01, 0.01, 0.03)):
        out = 0.8 / joints * cos(25 * y), 0.8 / joints * sin(25 * y)
        side += [(f"leg{leg}.0*", "body", (0.03, y, 0))]
        side += [
            (f"leg{leg}.{joint}*", f"leg{leg}.{joint - 1}*", (*out, 0.25 if 2 * joint < joints else -0.25)) for joint in range(1, joints)
        ]
    side += [("palp*", "body", (0.015, -0.05, 0)), ("palpend*", "palp*", (0.005, -0.05, -0.01))]
    return rows + sided(side)


@pytest.mark.parametrize("joints", [(4, 6), (6, 4), (5, 5)])
def test_a_belly_before_the_middle_is_no_tail(joints: tuple[int, int]) -> None:
    """The palps beside it say where the front is: each leg follows itself, none the one at the other end."""
    for seed in range(4):
        behind, before = numbered(harvestman(joints[0], "abdomen"), seed), numbered(harvestman(joints[1], "belly"), seed + 50)
        for source, target in ((behind, before), (before, behind)):
            limbs = {call: calls for call, (calls, _) in followed(source, target).items() if call.startswith(("leg", "palp"))}
            assert len(limbs) >= 8 * min(joints) + 4
            for call, calls in limbs.items():
                assert {(each[:4], each[-1]) for each in calls} == {(call[:4], call[-1])}
