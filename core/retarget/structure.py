"""What each bone of a humanoid is, by hierarchy and lengths alone: two hubs with pairs of equal limbs, the trunk between, a head beyond.

Directions count only where lengths leave a choice, so rest poses that are neither T nor A are read as well. Bones of zero length stand for
one joint together with their parent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from math import exp, log

import numpy as np

from .tree import Places, Tree

_NO_LENGTH = 0.004
"""Of the figure's size: joints that are nearer than this are one joint."""

_ALIKE = 0.15
"""How far, in proportion, two limbs of a pair may differ."""

_NECK = 0.085
"""Of the figure's height: a longer bone above the arms is the head, not a part of the neck."""

_LONGEST = 16
"""Joints that are looked at along a limb."""

_PAIRS = 16
"""Pairs of limbs that are looked at, the longest."""

_SKIPPED = 0.2
"""Price of a bone between thigh and foot, or upper arm and hand, that is neither thigh nor shin."""

_COLLARS = 0.28
"""Arms that begin nearer to each other than this part of their length begin with collar bones."""

_ARMS_END, _LEGS_END = 0.85, 0.8
"""Both long bones together, of the whole limb down to the finger tips or toes."""


@dataclass(frozen=True, eq=False)
class Structure:
    """roles: role -> bone of the tree. confidence: of each role. spine, neck: all bones of them, from the hips upwards.

    left, up, forward: unit vectors in the world; sided: whether anything but the habit to look along -Y says where forward is.
    """

    roles: dict[str, int]
    confidence: dict[str, float]
    spine: tuple[int, ...]
    neck: tuple[int, ...]
    left: Places
    up: Places
    forward: Places
    sided: bool


@dataclass(frozen=True)
class _Pair:
    """Two limbs of one hub, as nodes. length: along the longest way. alike: 1 for equal limbs. leaves: how many ends each has."""

    hub: int
    one: int
    other: int
    length: float
    alike: float
    leaves: int


class _Nodes:
    """Joints: bones at one place, with their hierarchy."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        near = _NO_LENGTH * tree.size
        self.of: list[int] = []
        self.bones: list[list[int]] = []
        self.parents: list[int] = []
        for bone, parent in enumerate(tree.parents):
            if parent >= 0 and tree.distance(bone, parent) <= near:
                self.of.append(self.of[parent])
                self.bones[self.of[parent]].append(bone)
            else:
                self.of.append(len(self.bones))
                self.bones.append([bone])
                self.parents.append(self.of[parent] if parent >= 0 else -1)
        count = len(self.bones)
        self.children: list[list[int]] = [[] for _ in range(count)]
        self.depth = [0] * count
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                self.children[parent].append(node)
                self.depth[node] = self.depth[parent] + 1
        self.step = [self.distance(node, parent) if parent >= 0 else 0.0 for node, parent in enumerate(self.parents)]
        self.height: list[float] = [float(tree.heads[bones[0], 2]) for bones in self.bones]
        self.reach = [0.0] * count
        self.total = [0.0] * count
        self.leaves = [0] * count
        self.count = [1] * count
        for bone, children in enumerate(tree.children):
            self.leaves[self.of[bone]] += not children
        for node in range(count - 1, -1, -1):
            parent = self.parents[node]
            if parent >= 0:
                self.reach[parent] = max(self.reach[parent], self.step[node] + self.reach[node])
                self.total[parent] += self.step[node] + self.total[node]
                self.leaves[parent] += self.leaves[node]
                self.count[parent] += self.count[node]

    def place(self, node: int) -> Places:
        return self.tree.heads[self.bones[node][0]]

    def distance(self, one: int, other: int) -> float:
        return self.tree.distance(self.bones[one][0], self.bones[other][0])

    def path_up(self, node: int) -> list[int]:
        path: list[int] = []
        while node >= 0:
            path.append(node)
            node = self.parents[node]
        return path

    @cached_property
    def chains(self) -> list[list[int]]:
        """From each node the longest way down; at most `_LONGEST` joints."""
        chains: list[list[int]] = [[] for _ in self.bones]
        for node in range(len(self.bones) - 1, -1, -1):
            below = self.children[node]
            longest = max(below, key=lambda child: self.step[child] + self.reach[child]) if below else -1
            chains[node] = [node, *chains[longest][: _LONGEST - 1]] if below else [node]
        return chains

    @cached_property
    def legs(self) -> dict[int, float]:
        """How far the best thigh and shin below a node are from what legs have; 0 is a model leg. Filled when asked for."""
        return {}

    def way(self, one: int, other: int) -> list[int]:
        """From a node through the hierarchy to another; empty where they hang together nowhere."""
        up, down = self.path_up(one), self.path_up(other)
        shared = next((node for node in up if node in set(down)), -1)
        if shared < 0:
            return []
        return [*up[: up.index(shared) + 1], *reversed(down[: down.index(shared)])]


def analyse(tree: Tree) -> Structure | None:
    """The humanoid in a tree of bones, None where there is none."""
    if len(tree) < 6 or tree.size <= 0:
        return None
    nodes = _Nodes(tree)
    found = _limbs(nodes)
    if found is None:
        return None
    legs, arms = found
    return _Reader(nodes, legs, arms).read()


def _pairs(nodes: _Nodes) -> list[_Pair]:
    """All pairs of long, equal limbs."""
    found: list[_Pair] = []
    for hub, children in enumerate(nodes.children):
        long = [child for child in children if nodes.step[child] + nodes.reach[child] > 0.12 * nodes.tree.size and nodes.children[child]]
        for one, other in combinations(long[:12], 2):
            alike = _likeness(nodes, one, other)
            if alike > 0:
                length = nodes.step[one] + nodes.reach[one]
                found.append(_Pair(hub, one, other, length, alike, nodes.leaves[one]))
    return found


def _likeness(nodes: _Nodes, one: int, other: int) -> float:
    """1 for equal limbs, 0 for those that are no pair."""
    measures = [(nodes.reach[node], nodes.total[node], nodes.reach[node] + nodes.step[node]) for node in (one, other)]
    off = max(abs(a - b) / max(a, b, 1e-9) for a, b in zip(*measures, strict=True))
    off = max(off, 0.5 * abs(nodes.count[one] - nodes.count[other]) / max(nodes.count[one], nodes.count[other]))
    if off > 0.5 * _ALIKE:
        off = min(off, 0.5 * _ALIKE + _beginning(nodes, one, other))
    return max(0.0, 1 - off / _ALIKE)


def _beginning(nodes: _Nodes, one: int, other: int) -> float:
    """How far two limbs differ that are alike at the beginning, where one of them has something more at its end."""
    ways = nodes.chains[one], nodes.chains[other]
    steps = [(nodes.step[a], nodes.step[b]) for a, b in zip(*ways, strict=False)]
    if len(steps) < 2 or min(sum(pair) for pair in zip(*steps, strict=True)) < 0.12 * nodes.tree.size:
        return 1.0
    return max(abs(a - b) / max(a, b, 1e-9) for a, b in steps)


def _limbs(nodes: _Nodes) -> tuple[_Pair, _Pair] | None:
    """Legs and arms: the two pairs that fit best."""
    pairs = _pairs(nodes)
    pairs = sorted(pairs, key=lambda pair: -pair.length * pair.alike)[:_PAIRS]
    best, most = None, 0.0
    for legs in pairs:
        for arms in pairs:
            fit = _fit(nodes, legs, arms)
            if fit > most:
                best, most = (legs, arms), fit
    return best


def _fit(nodes: _Nodes, legs: _Pair, arms: _Pair) -> float:
    """How well two pairs are legs and arms of one body; 0 for not at all."""
    if legs.hub == arms.hub and {legs.one, legs.other} & {arms.one, arms.other}:
        return 0.0
    way = nodes.way(legs.hub, arms.hub)
    if not way or {legs.one, legs.other, arms.one, arms.other} & set(way):
        return 0.0
    trunk = sum(nodes.distance(a, b) for a, b in pairwise(way))
    size = nodes.tree.size
    fit = 1.0 + legs.alike + arms.alike
    fit += 2.0 * (legs.length + arms.length) / size
    fit += 0.6 if nodes.depth[arms.hub] > nodes.depth[legs.hub] else -0.6
    fit += 0.5 if trunk > 0.1 * size else -0.5
    fit -= 0.4 * abs(log(legs.length / arms.length))
    thigh = _leg_fit(nodes, legs.one)
    fit += 0.8 * exp(-0.2 * thigh)
    others = [child for child in nodes.children[arms.hub] if child not in (arms.one, arms.other, *way)]
    inside = len(nodes.bones[arms.hub]) > 1
    fit += 0.6 if others else 0.2 if inside else -0.3
    low = min(nodes.height[node] for node in nodes.chains[legs.one])
    fit += 0.8 * max(-1.0, min(1.0, 4 * (nodes.height[arms.hub] - nodes.height[legs.hub]) / size))
    fit += 0.8 * max(-1.0, min(1.0, 3 * (nodes.height[legs.hub] - low) / size))
    fit += 0.2 if arms.leaves > legs.leaves else 0.0
    return fit


def _leg_fit(nodes: _Nodes, first: int) -> float:
    """How far the best thigh and shin are from what legs have; 0 is a model leg."""
    if first not in nodes.legs:
        nodes.legs[first] = min(_legs(nodes, nodes.chains[first]).values())
    return nodes.legs[first]


def _arc(nodes: _Nodes, chain: Sequence[int], start: int = 0) -> float:
    return sum(nodes.step[node] for node in chain[start + 1 :])


Options = dict[tuple[int, ...], float]
"""Places of the parts in a chain of joints -> what they cost; the less, the more a limb is like a model of its kind."""


def _legs(nodes: _Nodes, chain: Sequence[int]) -> Options:
    """Places of thigh, shin and, if there is one, foot."""
    options: Options = {(0, 1) if len(chain) > 1 else (0,): 6.0}
    for first, second, third in combinations(range(len(chain)), 3):
        upper, lower = nodes.distance(chain[first], chain[second]), nodes.distance(chain[second], chain[third])
        whole = _arc(nodes, chain, first)
        if min(upper, lower, whole) <= 0:
            continue
        cost = (log(upper / lower) / 0.35) ** 2 + (log((upper + lower) / whole / _LEGS_END) / 0.25) ** 2
        left_out = max(0.0, _arc(nodes, chain) / whole - 1.15)
        options[first, second, third] = cost + 0.3 * first + 10 * left_out + _SKIPPED * (third - first - 2)
    return options


def _arms(nodes: _Nodes, chain: Sequence[int], apart: float) -> Options:
    """Places of shoulder (-1 without one), upper arm, lower arm and, if there is one, hand. apart: between both chains' beginnings."""
    length = len(chain)
    fingers = [place for place, node in enumerate(chain) if nodes.leaves[node] >= max(2.0, 0.6 * nodes.leaves[chain[0]])]
    palm, sure = (fingers[-1], 3.0 if nodes.leaves[chain[fingers[-1]]] > 2 else 1.0) if fingers else (-1, 0.0)
    options: Options = {(-1, 0, min(1, length - 1)): 20.0}
    for upper, lower, hand in combinations(range(length + 1), 3):
        if hand == length and lower != length - 1:
            continue
        first = nodes.distance(chain[upper], chain[lower])
        second = nodes.distance(chain[lower], chain[hand]) if hand < length else 0.9 * first
        whole = _arc(nodes, chain, upper) + (second if hand == length else 0.0)
        if min(first, second, whole) <= 0:
            continue
        cost = ((log(first / second) - 0.15) / 0.3) ** 2 + (log((first + second) / whole / _ARMS_END) / 0.25) ** 2
        cost += (1.0 if hand == length else 0.0) + _SKIPPED * (hand - upper - 2)
        cost += sure if palm != hand else 0.0
        if upper > 0:
            ratio = nodes.distance(chain[upper - 1], chain[upper]) / first
            off = (log(max(ratio, 1e-6) / 0.5) / 0.5) ** 2 * 0.5
            cost += (off if ratio > 0.5 else min(off, 0.15)) + 0.4 * (upper - 1)
            cost += 10 * max(0.0, _arc(nodes, chain) / _arc(nodes, chain, upper) - 1.45) if upper < length - 1 else 0.0
        elif apart < _COLLARS * (first + second):
            cost += 0.6
        options[(upper - 1, upper, lower, hand) if hand < length else (upper - 1, upper, lower)] = cost
    return options


def _both(one: Options, other: Options) -> tuple[float, tuple[int, ...]]:
    """The mean cost and the places that suit both limbs of a pair best."""
    return min(((one[places] + other[places]) / 2, places) for places in one.keys() & other.keys())


class _Reader:
    """Names the bones once legs and arms are known."""

    def __init__(self, nodes: _Nodes, legs: _Pair, arms: _Pair) -> None:
        self.nodes, self.tree, self.legs, self.arms = nodes, nodes.tree, legs, arms
        self.leg_chains = _even(nodes.chains[legs.one], nodes.chains[legs.other])
        self.arm_chains = _even(nodes.chains[arms.one], nodes.chains[arms.other])
        apart = nodes.distance(arms.one, arms.other)
        self.leg_cost, self.leg = _both(*(_legs(nodes, chain) for chain in self.leg_chains))
        self.arm_cost, self.arm = _both(*(_arms(nodes, chain, apart) for chain in self.arm_chains))
        self.roles: dict[str, int] = {}
        self.confidence: dict[str, float] = {}

    def read(self) -> Structure:
        trunk = self._trunk_vector()
        head_chain = self._head_chain(trunk)
        left, up, forward, sided, swap = self._directions(trunk)
        for number, side in enumerate(("right", "left") if swap else ("left", "right")):
            self._name_leg(number, side)
            self._name_arm(number, side)
        spine = self._name_trunk()
        neck = self._name_head(head_chain)
        return Structure(self.roles, self.confidence, tuple(spine), tuple(neck), left, up, forward, sided)

    def _set(self, role: str, bone: int, confidence: float) -> None:
        self.roles[role] = bone
        self.confidence[role] = max(0.05, min(1.0, confidence))

    def _bone(self, node: int) -> int:
        return self.nodes.bones[node][0]

    def _trunk_vector(self) -> Places:
        trunk = self.nodes.place(self.arms.hub) - self.nodes.place(self.legs.hub)
        length = float(np.linalg.norm(trunk))
        return trunk / length if length > 1e-9 else np.array([0.0, 0.0, 1.0])

    def _name_leg(self, number: int, side: str) -> None:
        chain, cost, places = self.leg_chains[number], self.leg_cost, self.leg
        sure = 0.95 * exp(-0.1 * cost) * (0.6 + 0.4 * self.legs.alike)
        for part, place in zip(("UpperLeg", "LowerLeg", "Foot"), places, strict=False):
            self._set(side + part, self._bone(chain[place]), sure)
        if len(places) == 3 and len(chain) > places[2] + 1:
            self._set(side + "Toes", self._bone(chain[places[2] + 1]), 0.7 * sure)

    def _name_arm(self, number: int, side: str) -> None:
        chain, cost, places = self.arm_chains[number], self.arm_cost, self.arm
        sure = 0.95 * exp(-0.1 * cost) * (0.6 + 0.4 * self.arms.alike)
        for part, place in zip(("UpperArm", "LowerArm", "Hand"), places[1:], strict=False):
            self._set(side + part, self._bone(chain[place]), sure)
        if places[0] >= 0:
            self._set(side + "Shoulder", self._bone(chain[places[0]]), 0.9 * sure)
            return
        top = self.tree.common([self._bone(self.arms.one), self._bone(self.arms.other)])
        inside = self.tree.between(top, self._bone(chain[places[1]]))[1:-1] if top >= 0 else []
        if inside:
            self._set(side + "Shoulder", inside[0], 0.8 * sure)

    def _name_trunk(self) -> list[int]:
        """Hips, and the spine from above them to where the arms hang."""
        tree, nodes = self.tree, self.nodes
        hips = tree.common([self._bone(self.legs.one), self._bone(self.legs.other)])
        chest = tree.common([self._bone(self.arms.one), self._bone(self.arms.other)])
        both = tree.common([hips, chest])
        if both >= 0 and both != hips:
            middle = (nodes.place(self.legs.one) + nodes.place(self.legs.other)) / 2
            if float(np.linalg.norm(tree.heads[both] - middle)) < 0.15 * tree.size:
                hips = both
        sure = 0.5 + 0.45 * self.legs.alike
        self._set("hips", hips, sure)
        if chest == hips:
            return []
        path = tree.between(both, chest)[1:] if both >= 0 else [chest]
        spine = [bone for bone in path if bone != hips]
        for role, bone in spine_roles(spine).items():
            self._set(role, bone, 0.45 + 0.45 * self.arms.alike)
        return spine

    def _head_chain(self, trunk: Places) -> list[int]:
        """Bones above the arms: the branch that goes furthest along the trunk in the middle plane."""
        nodes, tree = self.nodes, self.tree
        hub = self.arms.hub
        taken = {self.arms.one, self.arms.other, *nodes.way(self.legs.hub, hub)}
        across = nodes.place(self.arms.one) - nodes.place(self.arms.other)
        across = across / (float(np.linalg.norm(across)) or 1.0)

        def height(node: int) -> float:
            offset = nodes.place(node) - nodes.place(hub)
            return float(offset @ trunk) - 1.5 * abs(float(offset @ across))

        def best(children: Sequence[int]) -> int:
            return max(children, key=lambda child: max(height(node) for node in nodes.chains[child]))

        children = [child for child in nodes.children[hub] if child not in taken]
        if not children:
            return []
        chain = [best(children)]
        while nodes.children[chain[-1]]:
            chain.append(best(nodes.children[chain[-1]]))
        top = tree.common([self._bone(self.arms.one), self._bone(self.arms.other)])
        inside = tree.between(top, self._bone(chain[0]))[1:-1] if top >= 0 else []
        return [*inside, *(self._bone(node) for node in chain)]

    def _name_head(self, chain: list[int]) -> list[int]:
        """The neck's bones; the head is the first long one, or the last."""
        if not chain:
            return []
        tree = self.tree
        height = _length(tree, [self._bone(self.leg_chains[0][place]) for place in self.leg])
        height += tree.distance(self._bone(self.legs.hub), self._bone(self.arms.hub)) + tree.distance(self._bone(self.arms.hub), chain[-1])
        steps = [tree.distance(a, b) for a, b in pairwise(chain)]
        at = len(chain) - 1
        for place, step in enumerate(steps):
            before = steps[place - 1] if place else 0.0
            if step > _NECK * height or (place and before > 0.02 * height and step > 1.6 * before):
                at = place
                break
        self._set("head", chain[at], 0.75)
        neck = chain[:at]
        if neck:
            self._set("neck", neck[0], 0.7)
        return neck

    def _directions(self, trunk: Places) -> tuple[Places, Places, Places, bool, bool]:
        """left, up, forward, whether the figure itself says where forward is, and whether the first limbs are the right ones."""
        nodes = self.nodes
        across = nodes.place(self.leg_chains[0][self.leg[0]]) - nodes.place(self.leg_chains[1][self.leg[0]])
        arms = nodes.place(self.arm_chains[0][self.arm[1]]) - nodes.place(self.arm_chains[1][self.arm[1]])
        if float(across @ arms) < 0:
            self.arm_chains.reverse()
            arms = -arms
        across = across + arms
        up = trunk
        across = across - up * float(across @ up)
        length = float(np.linalg.norm(across))
        if length < 1e-9:
            across, length = np.array([1.0, 0.0, 0.0]), 1.0
        across = across / length
        ahead = np.cross(across, up)
        vote = self._vote(ahead)
        sided = abs(vote) > 0.02
        if not sided:
            vote = -float(ahead[1]) if abs(float(ahead[1])) > 0.3 else 1.0
        swap = vote < 0
        sign = -1.0 if swap else 1.0
        return across * sign, up, ahead * sign, sided, swap

    def _vote(self, ahead: Places) -> float:
        """Above 0 where feet, knees and elbows say that `ahead` is forward."""
        tree, vote = self.tree, 0.0
        for number in (0, 1):
            places, bones = self.leg, [self._bone(node) for node in self.leg_chains[number]]
            length = _length(tree, [bones[place] for place in places]) or 1.0
            if len(places) == 3:
                foot = places[2]
                end = tree.heads[bones[foot + 1]] if foot + 1 < len(bones) else tree.tails[bones[foot]]
                vote += 2.0 * float((end - tree.heads[bones[foot]]) @ ahead) / length
                hip, knee, ankle = (tree.heads[bones[place]] for place in places)
                vote += 0.5 * float((knee - (hip + ankle) / 2) @ ahead) / length
        return vote


def _even(one: list[int], other: list[int]) -> list[list[int]]:
    """Two chains cut to the same number of joints."""
    length = min(len(one), len(other))
    return [one[:length], other[:length]]


def _length(tree: Tree, bones: Sequence[int]) -> float:
    """Of the way from joint to joint."""
    return sum(tree.distance(a, b) for a, b in pairwise(bones))


def spine_roles(spine: Sequence[int]) -> dict[str, int]:
    """VRM's roles for the bones of a spine: one is the chest, two are spine and chest, of more the last is the upper chest."""
    if len(spine) < 2:
        return {"chest": spine[0]} if spine else {}
    if len(spine) == 2:
        return {"spine": spine[0], "chest": spine[1]}
    return {"spine": spine[0], "chest": spine[len(spine) // 2], "upperChest": spine[-1]}
