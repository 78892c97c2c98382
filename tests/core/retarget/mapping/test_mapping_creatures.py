"""Creatures under the names that their makers give them, standing any way round: copies, two of a kind, and what is said to be doubtful."""

from __future__ import annotations

import re
from itertools import permutations

import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.kinds import many_legged
from retro_anim.core.retarget.mapping.mapping import map_bones

from .creatures import creatures, spread
from .zoo import build
from .zoo_rigs import COMMON


def is_next(one: str, two: str) -> bool:
    """Whether these are a joint of a limb and the same or the next one: legs of other numbers of joints have no others to follow."""
    first, second = (re.fullmatch(r"(fore|hind|wing|claw|leg\d|fin)(\d)([LR])", call) for call in (one, two))
    if first is None or second is None:
        return False
    return first.group(1, 3) == second.group(1, 3) and abs(int(first[2]) - int(second[2])) <= 1


def scored(source: tuple[Figure, dict[str, str]], target: tuple[Figure, dict[str, str]]) -> list[int]:
    """Target bones that have one of the kind in the source; those that follow it; others that follow one; and these without a doubt."""
    (one, first), (two, second) = source, target
    both = set(first.values()), set(second.values())
    bone_map = map_bones(one, two)
    rows = [((pair.source,), pair.target, pair.note) for pair in bone_map.pairs]
    rows += [(sources, name, chain.note) for chain in bone_map.chains for sources, name in spread(chain)]
    chained = {name for chain in bone_map.chains for name in chain.target}
    result = [sum(what in both[0] for what in second.values()), 0, 0, 0]
    for sources, name, note in rows:
        calls = {first[bone] for bone in sources}
        good = second[name] in calls or (name in chained and any(is_next(call, second[name]) for call in calls))
        result[1] += good
        result[2] += not good
        result[3] += not good and not note
    return result


@pytest.mark.parametrize("kind", creatures())
def test_numbered_copies(kind: str) -> None:
    scores: list[list[int]] = []
    for creature in creatures()[kind]:
        scores += [scored(creature.varied(seed, named=False), creature.varied(seed + 100, named=False)) for seed in (0, 1)]
    bones, right, wrong, unmarked = map(sum, zip(*scores, strict=True))
    assert right >= 0.95 * bones
    assert wrong <= 0.01 * bones
    assert unmarked == 0


@pytest.mark.parametrize("named", [False, True], ids=["numbered", "named"])
def test_two_of_a_kind(named: bool) -> None:
    pairs = [pair for rigs in creatures().values() for pair in permutations(rigs, 2)]
    scores = [scored(one.varied(seed, named), two.varied(seed + 100, named)) for one, two in pairs for seed in range(3)]
    bones, right, wrong, unmarked = map(sum, zip(*scores, strict=True))
    assert right >= 0.95 * bones
    assert wrong <= 0.03 * bones
    assert unmarked <= 0.01 * (right + wrong)


@pytest.mark.parametrize("kind", creatures())
def test_three_pairs_of_legs_are_no_humans(kind: str) -> None:
    for creature in creatures()[kind]:
        assert many_legged(creature.varied(5, named=True)[0]) == (kind in ("ant", "crab"))


def test_no_human_has_three_pairs_of_legs() -> None:
    assert not any(many_legged(build(rig).figure) for rig in COMMON)
