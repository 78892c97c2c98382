"""Creatures of `creatures_more.txt`, numbered: what follows something else is said to be doubtful."""

from __future__ import annotations

import re
from itertools import permutations

import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.mapping import map_bones

from .creatures import Creature, creatures, spread

FILE = "creatures_more.txt"

Row = tuple[set[str], str, bool]
"""What the bones are that a bone follows, what it is itself, and whether that is doubtful."""


def limb(call: str) -> str:
    return re.sub(r"\d(?=[LR]?$)", "", call)


def is_right(calls: set[str], call: str, chained: bool) -> bool:
    """Whether a bone follows one that is the same; as one of a chain, or of the body's middle, any of its limb, of which the other may have
    more bones."""
    return call in calls or ((chained or call[-1] not in "LR") and limb(call) in map(limb, calls))


def pairs_of(kind: str) -> list[tuple[Creature, Creature, int]]:
    return [(one, two, seed) for one, two in permutations(creatures(FILE)[kind], 2) for seed in range(3)]


def rows_of(source: tuple[Figure, dict[str, str]], target: tuple[Figure, dict[str, str]]) -> tuple[list[Row], list[Row]]:
    """Those of pairs, and those of chains."""
    (one, first), (two, second) = source, target
    bone_map = map_bones(one, two)
    chained = [(bones, name, chain.note) for chain in bone_map.chains for bones, name in spread(chain)]
    return (
        [({first[pair.source]}, second[pair.target], bool(pair.note)) for pair in bone_map.pairs],
        [({first[bone] for bone in bones}, second[name], bool(note)) for bones, name, note in chained],
    )


@pytest.mark.parametrize(("kind", "least"), [("horse", 0.94), ("wyrm", 0.8), ("centaur", 0.9), ("squid", 0.95), ("kraken", 0.9)])
def test_two_of_a_kind(kind: str, least: float) -> None:
    bones = right = wrong = unmarked = 0
    for one, two, seed in pairs_of(kind):
        source, target = one.varied(seed, named=False), two.varied(seed + 100, named=False)
        parts = set(map(limb, source[1].values()))
        bones += sum(limb(call) in parts for call in target[1].values())
        for chained, rows in enumerate(rows_of(source, target)):
            for calls, call, doubtful in rows:
                good = is_right(calls, call, bool(chained))
                right, wrong = right + good, wrong + (not good)
                unmarked += not good and not doubtful
    assert unmarked <= 0.01 * (right + wrong)
    assert right >= least * bones


def test_legs_follow_from_their_first_common_joint() -> None:
    """Halves of a pelvis that only one of two has follow nothing, and nothing follows them: legs are pairs from the thigh on."""
    for one, two, seed in pairs_of("horse"):
        source, target = one.varied(seed, named=False), two.varied(seed + 100, named=False)
        rows = [row for each in rows_of(source, target) for row in each]
        both = all("hindhipL" in calls.values() for _, calls in (source, target))
        assert both or not [row for row in rows if "hindhip" in row[1] or any("hindhip" in call for call in row[0])]
        assert sum(call.startswith("hind") for _, call, _ in rows) >= 8
