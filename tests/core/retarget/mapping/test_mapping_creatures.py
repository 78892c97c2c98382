"""Creatures under the names that their makers give them, standing any way round: copies, two of a kind, and what is said to be doubtful."""

from __future__ import annotations

from itertools import permutations
from math import ceil, floor

import pytest
from retro_anim.core.retarget.figures.bone_map import Chain
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.kinds import many_legged
from retro_anim.core.retarget.mapping.mapping import map_bones

from .creatures import creatures
from .zoo import build
from .zoo_rigs import COMMON


def spread(chain: Chain) -> list[tuple[tuple[str, ...], str]]:
    """Of each target bone of a chain the one or two source bones between which it is along the chain, ends at ends."""
    steps = max(1, len(chain.target) - 1)
    at = [number * (len(chain.source) - 1) / steps for number in range(len(chain.target))]
    return [((chain.source[floor(u)], chain.source[ceil(u)]), name) for u, name in zip(at, chain.target, strict=True)]


def scored(source: tuple[Figure, dict[str, str]], target: tuple[Figure, dict[str, str]]) -> list[int]:
    """Target bones that have one of the kind in the source; those that follow it; others that follow one; and these without a doubt."""
    (one, first), (two, second) = source, target
    both = set(first.values()), set(second.values())
    bone_map = map_bones(one, two)
    rows = [((pair.source,), pair.target, pair.note) for pair in bone_map.pairs]
    rows += [(sources, name, chain.note) for chain in bone_map.chains for sources, name in spread(chain)]
    result = [sum(what in both[0] for what in second.values()), 0, 0, 0]
    for sources, name, note in rows:
        good = second[name] in {first[bone] for bone in sources}
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
