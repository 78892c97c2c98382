"""Arms and legs by lengths alone: pairs of equal limbs, which of them fit together to one body, and where their joints are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, combinations, pairwise
from math import exp, log

from .joints import LONGEST, Joints

_ALIKE, _ALIKE_ALONE, _COLLAR = 0.15, 0.3, 0.25
"""How far, in proportion, two limbs of a pair may differ; and their collar bones, which a game's rest pose may have moved: bones that
nothing else hangs beside, shorter than this part of the limb below."""

_PAIRS = 16
"""Pairs of limbs that are looked at, the longest."""

_SHORT = 0.12
"""Limbs are longer than this part of the figure's size."""

_LOOKED = 10
"""Joints by which a limb is first judged."""

_COLLARS = 0.28
"""Arms that begin nearer to each other than this part of their length begin with collar bones."""

_EVEN, _EVEN_PRICE = 0.1, 3.0
"""How far, in proportion, the steps of a skirt, cape or wing differ, and what it costs to take one for a limb."""

_STRAIGHT = 1e-3
"""The part by which the way over the joints that divide a straight thigh or shin is longer at most."""

_ARMS_END, _LEGS_END = 0.85, 0.8
"""Both long bones together, of the whole limb down to the finger tips or toes."""

_UPPER_TO_LOWER = 0.4
"""The logarithm by which the upper arm is longer or shorter beside the lower one that costs 1."""

_FINGERS = 0.25, 0.5
"""The same of both beside the whole arm; and where the fingers fork, which shows better where the hand is: a game's are long, or stumps."""

_UNNAMED = 0.8
"""Price of each joint between shoulder and elbow where there is no collar bone: the first of them is rather the shoulder."""


@dataclass(frozen=True, eq=False)
class LimbPair:
    """Two limbs of one hub, as nodes. length: of the path. alike: 1 for equal limbs. leaves: how many ends each has.

    paths: the joints of both from the first on, outwards, as far as they are like each other's mirror image. clear: by how much the best
    body with other limbs in their stead fits worse.
    """

    hub: int
    first: int
    second: int
    length: float
    alike: float
    leaves: int
    paths: tuple[list[int], list[int]]
    clear: float = 0.0


def find_limbs(nodes: Joints) -> tuple[LimbPair, LimbPair] | None:
    """Legs and arms: the two pairs that fit best."""
    pairs = sorted(_pairs(nodes), key=lambda pair: -pair.length * pair.alike)[:_PAIRS]
    thighs = [min(leg_positions(nodes, pair.paths[0][:_LOOKED]).values()) for pair in pairs]
    elbows = [min(arm_positions(nodes, pair.paths[0][:_LOOKED], nodes.distance(pair.first, pair.second)).values()) for pair in pairs]
    hubs = {pair.hub for pair in pairs}
    fits = {
        (a, b): _fit(nodes, legs, arms, hubs, exp(-0.4 * thighs[a]) + exp(-0.4 * elbows[b]))
        for a, legs in enumerate(pairs)
        for b, arms in enumerate(pairs)
    }
    best = max(fits, key=lambda each: fits[each], default=(0, 0))
    if fits.get(best, 0.0) <= 0:
        return None
    legs, arms = (pairs[each] for each in best)
    if _more_legs(pairs, legs, arms):
        return None
    rivals = [max(fit for each, fit in fits.items() if each[kind] != best[kind]) for kind in (0, 1)]
    first, second = (replace(pair, clear=fits[best] - rival) for pair, rival in zip((legs, arms), rivals, strict=True))
    return first, second


def _more_legs(pairs: Sequence[LimbPair], legs: LimbPair, arms: LimbPair) -> bool:
    """Whether legs and arms hang on one joint together with further limbs of their kind: a beast with six legs, or a spider."""
    if legs.hub != arms.hub:
        return False
    taken = {legs.first, legs.second, arms.first, arms.second}
    return any(pair.hub == legs.hub and not taken & {pair.first, pair.second} and pair.length > 0.6 * legs.length for pair in pairs)


def _pairs(nodes: Joints) -> list[LimbPair]:
    """All pairs of long, equal limbs."""
    pairs: list[LimbPair] = []
    for hub, children in enumerate(nodes.children):
        long = [child for child in children if nodes.step[child] + nodes.reach[child] > _SHORT * nodes.tree.size and nodes.children[child]]
        for first, second in combinations(long[:12], 2):
            paths = _mirrored(nodes, first, second)
            length = _arcs(nodes, paths[0])[-1] + nodes.step[first]
            alike = _likeness(nodes, first, second, length)
            if alike > 0:
                pairs.append(LimbPair(hub, first, second, length, alike, nodes.leaves[first], paths))
    return pairs


def _mirrored(nodes: Joints, first: int, second: int) -> tuple[list[int], list[int]]:
    """From two joints outwards along the longest path that both have, with steps of like length; what only one of them has is passed by."""
    paths = [first], [second]
    while len(paths[0]) < LONGEST:
        ones, twos = nodes.children[paths[0][-1]][:16], nodes.children[paths[1][-1]][:16]
        are_alone = len(ones) == len(twos) == 1 and all(nodes.step[node] < _COLLAR * nodes.reach[node] for node in (*ones, *twos))
        alike = _ALIKE_ALONE if are_alone else _ALIKE
        pairs = [(a, b) for a in ones for b in twos if _same(nodes.step[a], nodes.step[b], alike)]
        if not pairs:
            break
        best = max(pairs, key=lambda pair: min(nodes.step[node] + nodes.reach[node] for node in pair))
        for path, node in zip(paths, best, strict=True):
            path.append(node)
    return paths


def _same(first: float, second: float, alike: float = _ALIKE) -> bool:
    return abs(first - second) <= alike * max(first, second)


def _likeness(nodes: Joints, first: int, second: int, length: float) -> float:
    """1 for equal limbs, 0 for those that are no pair. length: of what they have in common, from the hub on."""
    measures = [(nodes.reach[node], nodes.total[node], nodes.reach[node] + nodes.step[node]) for node in (first, second)]
    off = max(abs(a - b) / max(a, b, 1e-9) for a, b in zip(*measures, strict=True))
    off = max(off, 0.5 * abs(nodes.count[first] - nodes.count[second]) / max(nodes.count[first], nodes.count[second]))
    if off > 0.25 * _ALIKE and _same(nodes.step[first], nodes.step[second]):
        shorter = min(measures[0][2], measures[1][2])
        if length - nodes.step[first] > _SHORT * nodes.tree.size and length > 0.5 * shorter:
            off = 0.25 * _ALIKE
    return max(0.0, 1 - off / _ALIKE)


def _fit(nodes: Joints, legs: LimbPair, arms: LimbPair, hubs: set[int], jointed: float) -> float:
    """How well two pairs are legs and arms of one body; 0 for not at all. hubs: of all pairs. jointed: how well both are by their joints
    alone, 0 to 2."""
    if legs.hub == arms.hub and {legs.first, legs.second} & {arms.first, arms.second}:
        return 0.0
    path = nodes.path(legs.hub, arms.hub)
    if not path or {legs.first, legs.second, arms.first, arms.second} & set(path):
        return 0.0
    trunk = sum(nodes.distance(a, b) for a, b in pairwise(path))
    size = nodes.tree.size
    fit = 1.0 + legs.alike + arms.alike + 0.8 * jointed
    fit += 2.0 * (legs.length + arms.length) / size
    fit += 0.6 if nodes.depth[arms.hub] > nodes.depth[legs.hub] else -0.6
    fit -= 0.6 if hubs & set(path[1:-1]) else 0.0
    fit += 0.5 if trunk > 0.1 * size else -0.5
    fit -= 0.4 * abs(log(legs.length / arms.length))
    others = [child for child in nodes.children[arms.hub] if child not in (arms.first, arms.second, *path)]
    inside = len(nodes.bones[arms.hub]) > 1
    fit += 0.6 if others else 0.2 if inside else -0.3
    low = min(nodes.height[node] for node in legs.paths[0])
    fit += 0.8 * max(-1.0, min(1.0, 4 * (nodes.height[arms.hub] - nodes.height[legs.hub]) / size))
    fit += 0.8 * max(-1.0, min(1.0, 3 * (nodes.height[legs.hub] - low) / size))
    fit += 0.2 if arms.leaves > legs.leaves else 0.0
    return fit


def _arcs(nodes: Joints, chain: Sequence[int]) -> list[float]:
    """The length of the path from the chain's first joint to each."""
    return list(accumulate((nodes.step[node] for node in chain[1:]), initial=0.0))


Costs = dict[tuple[int, ...], float]
"""Positions of the parts in a chain of joints -> what they cost; the less, the more a limb is like a model of its kind."""


def leg_positions(nodes: Joints, chain: Sequence[int]) -> Costs:
    """Positions of thigh, shin and, if there is one, foot."""
    options: Costs = {(0, 1) if len(chain) > 1 else (0,): 6.0}
    arcs, even = _arcs(nodes, chain), _even(nodes, chain)
    for first, second, third in combinations(range(len(chain)), 3):
        upper, lower = nodes.distance(chain[first], chain[second]), nodes.distance(chain[second], chain[third])
        whole = arcs[-1] - arcs[first]
        if min(upper, lower, whole) <= 0:
            continue
        cost = (log(upper / lower) / 0.35) ** 2 + (log((upper + lower) / whole / _LEGS_END) / 0.25) ** 2
        left_out = max(0.0, arcs[-1] / whole - 1.15)
        cost += (0.15 if arcs[first] < 0.25 * upper else 0.3) * first + even
        bent = sum(
            end - start - 1
            for start, end, straight in ((first, second, upper), (second, third, lower))
            if straight < (1 - _STRAIGHT) * (arcs[end] - arcs[start])
        )
        options[first, second, third] = cost + 10 * left_out + _skipped(third - first - 2, bent)
    return options


def arm_positions(nodes: Joints, chain: Sequence[int], apart: float) -> Costs:
    """Positions of shoulder (-1 without one), upper arm, lower arm and, if there is one, hand. apart: between both chains' beginnings."""
    length, arcs, even = len(chain), _arcs(nodes, chain), _even(nodes, chain)
    fingers = [position for position, node in enumerate(chain) if nodes.leaves[node] >= max(2.0, 0.6 * nodes.leaves[chain[0]])]
    palm, sure = (fingers[-1], 3.0 if nodes.leaves[chain[fingers[-1]]] > 2 else 2.0) if fingers else (-1, 0.0)
    options: Costs = {(-1, 0, min(1, length - 1)): 20.0}
    for upper, lower, hand in combinations(range(length + 1), 3):
        if hand == length and lower != length - 1:
            continue
        first = nodes.distance(chain[upper], chain[lower])
        second = nodes.distance(chain[lower], chain[hand]) if hand < length else 0.9 * first
        whole = arcs[-1] - arcs[upper] + (second if hand == length else 0.0)
        if min(first, second, whole) <= 0:
            continue
        cost = ((log(first / second) - 0.15) / _UPPER_TO_LOWER) ** 2
        cost += (log((first + second) / whole / _ARMS_END) / _FINGERS[hand == palm]) ** 2
        skipped = hand - upper - 2
        cost += (1.0 + skipped if hand == length else 0.0) + _skipped(skipped, skipped) + even
        cost += _UNNAMED * (lower - 1) if upper == 0 else 0.0
        cost += sure if palm != hand else 0.0
        if upper > 0:
            ratio = nodes.distance(chain[upper - 1], chain[upper]) / first
            off = (log(max(ratio, 1e-6) / 0.5) / 0.5) ** 2 * 0.5
            cost += (off if ratio > 0.5 else min(off, 0.15)) + 0.4 * (upper - 1)
            cost += 10 * max(0.0, arcs[-1] / (arcs[-1] - arcs[upper]) - 1.45)
        elif apart < _COLLARS * (first + second):
            cost += 0.6
        options[(upper - 1, upper, lower, hand) if hand < length else (upper - 1, upper, lower)] = cost
    return options


def _even(nodes: Joints, chain: Sequence[int]) -> float:
    """Price of a chain whose steps are all alike, as those of skirts, capes and wings are."""
    steps = [nodes.step[node] for node in chain[1:]]
    return _EVEN_PRICE if len(steps) > 2 and min(steps) > (1 - _EVEN) * max(steps) else 0.0


def _skipped(bones: int, bent: int) -> float:
    """Price of bones between thigh and foot, or upper arm and hand, that are only helpers: two are usual, more are rather hair, unless they
    divide a straight thigh or shin to share its twist. bent: those that do not."""
    return 0.2 * bones + 0.8 * max(0, bent - 2)


def suits_both(first: Costs, second: Costs) -> tuple[float, tuple[int, ...]]:
    """The mean cost and the positions that suit both limbs of a pair best."""
    return min(((first[positions] + second[positions]) / 2, positions) for positions in first.keys() & second.keys())
