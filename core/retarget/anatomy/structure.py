"""What each bone of a humanoid is, by hierarchy and lengths alone: two hubs with pairs of equal limbs, the trunk between, a head beyond.

Directions count only where lengths leave a choice, so rest poses that are neither T nor A are read as well. Bones of zero length stand for
one joint together with their parent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp

import numpy as np

from ...motion.rotations.directions import UP
from .joints import NO_LENGTH, Joints
from .limbs import LimbPair, arm_positions, find_limbs, leg_positions, suits_both
from .tree import Positions, Tree

_NECK = 0.085
"""Of the figure's height: a longer bone above the arms is the head, not a part of the neck."""


_CLEAR, _RIVALLED = 1.0, (0.6, 0.85)
"""By how much arms (legs) must fit better than wings, tails of a coat or straps to be sure; and how sure they are where those fit as well,
and nearly so."""

_SHOWN, _SIDED = 0.02, 0.15
"""By how much of a leg feet and knees must point forward for the figure to show at all where that is, and which side is which for sure."""

_BESIDE = 0.3
"""The hips' joint is nearer to the middle between both legs than this part of the distance of a bone below it on which the legs hang."""

_ALONGSIDE, _ACROSS, _LIKE = 0.8, 0.6, 0.6
"""Of limbs on all fours: the least cosine between arms and legs, the greatest with the trunk, and the least part of each other's length."""


@dataclass(frozen=True, eq=False)
class Structure:
    """roles: role -> bone of the tree. confidence: of each role. legs_sure, arms_sure, sides_sure: 0 to 1, less than 1
    where other limbs, or the other side, fit nearly as well. spine, neck: all bones of them, from the hips upwards.

    left, up, forward: unit vectors in the world.
    """

    roles: dict[str, int]
    confidence: dict[str, float]
    spine: tuple[int, ...]
    neck: tuple[int, ...]
    left: Positions
    up: Positions
    forward: Positions
    legs_sure: float
    arms_sure: float
    sides_sure: float

    def sure(self, role: str) -> float:
        """How sure it is that the role's bones are of the limbs that they are taken for, and of that side, 0 to 1."""
        side = self.sides_sure if role.startswith(("left", "right")) else 1.0
        if role == "hips" or role.endswith(("Leg", "Foot", "Toes")):
            return min(side, self.legs_sure)
        if role.endswith(("Shoulder", "Arm", "Hand")):
            return min(side, self.arms_sure)
        return min(side, self.legs_sure, self.arms_sure)


def analyse(tree: Tree, left: Positions | None = None) -> Structure | None:
    """The humanoid in a tree of bones, None where there is none. left: (3,) in the world, where that is known."""
    if len(tree) < 6:
        return None
    nodes = Joints(tree)
    pairs = find_limbs(nodes)
    if pairs is None:
        return None
    legs, arms = pairs
    if _on_all_fours(nodes, legs, arms):
        return None
    return _Reader(nodes, legs, arms, left).read()


def _on_all_fours(nodes: Joints, legs: LimbPair, arms: LimbPair) -> bool:
    """Whether both pairs of limbs go the same way, across the trunk between them: those of a beast."""
    trunk = nodes.position(arms.hub) - nodes.position(legs.hub)
    directions = [np.mean([nodes.position(path[-1]) - nodes.position(path[0]) for path in pair.paths], axis=0) for pair in (legs, arms)]
    size = [float(np.linalg.norm(vector)) for vector in (trunk, *directions)]
    if min(size[1:]) < 0.3 * min(legs.length, arms.length) or size[0] < 0.05 * nodes.tree.size:
        return False
    down, forth = directions[0] / size[1], directions[1] / size[2]
    across = max(abs(float(direction @ trunk)) / size[0] for direction in (down, forth))
    return float(down @ forth) > _ALONGSIDE and across < _ACROSS and _LIKE < arms.length / legs.length < 1 / _LIKE


class _Reader:
    """Names the bones once legs and arms are known."""

    def __init__(self, nodes: Joints, legs: LimbPair, arms: LimbPair, left: Positions | None) -> None:
        self.left = left
        self.nodes, self.tree, self.legs, self.arms = nodes, nodes.tree, legs, arms
        self.leg_chains = list(legs.paths)
        self.arm_chains = list(arms.paths)
        apart = nodes.distance(arms.first, arms.second)
        self.leg_cost, self.leg = suits_both(*(leg_positions(nodes, chain) for chain in self.leg_chains))
        self.arm_cost, self.arm = suits_both(*(arm_positions(nodes, chain, apart) for chain in self.arm_chains))
        self.pointed = _point_on(self.tree)
        self.roles: dict[str, int] = {}
        self.confidence: dict[str, float] = {}

    def read(self) -> Structure:
        trunk = self._trunk_vector()
        head_chain = self._head_chain(trunk)
        left, up, forward, vote, swap = self._directions(trunk)
        for number, side in enumerate(("right", "left") if swap else ("left", "right")):
            self._name_leg(number, side)
            self._name_arm(number, side)
        spine = self._name_trunk()
        neck = self._name_head(head_chain)
        sure = _surely(self.legs.clear, _CLEAR), _surely(self.arms.clear, _CLEAR), _surely(vote, _SIDED)
        return Structure(self.roles, self.confidence, tuple(spine), tuple(neck), left, up, forward, *sure)

    def _set(self, role: str, bone: int, confidence: float) -> None:
        self.roles[role] = bone
        self.confidence[role] = max(0.05, confidence)

    def _bone(self, node: int) -> int:
        return self.nodes.bones[node][0]

    def _trunk_vector(self) -> Positions:
        trunk = self.nodes.position(self.arms.hub) - self.nodes.position(self.legs.hub)
        length = float(np.linalg.norm(trunk))
        return trunk / length if length > 1e-9 else UP

    def _name_leg(self, number: int, side: str) -> None:
        chain, cost, positions = self.leg_chains[number], self.leg_cost, self.leg
        sure = 0.95 * exp(-0.1 * cost) * (0.6 + 0.4 * self.legs.alike)
        for part, position in zip(("UpperLeg", "LowerLeg", "Foot"), positions, strict=False):
            self._set(side + part, self._bone(chain[position]), sure)
        if len(positions) == 3 and len(chain) > positions[2] + 1:
            self._set(side + "Toes", self._bone(chain[positions[2] + 1]), 0.7 * sure)

    def _name_arm(self, number: int, side: str) -> None:
        chain, cost, positions = self.arm_chains[number], self.arm_cost, self.arm
        sure = 0.95 * exp(-0.1 * cost) * (0.6 + 0.4 * self.arms.alike)
        for part, position in zip(("UpperArm", "LowerArm", "Hand"), positions[1:], strict=False):
            self._set(side + part, self._bone(chain[position]), sure)
        if positions[0] >= 0:
            self._set(side + "Shoulder", self._bone(chain[positions[0]]), 0.9 * sure)
            return
        top = self.tree.common([self._bone(self.arms.first), self._bone(self.arms.second)])
        inside = self.tree.between(top, self._bone(chain[positions[1]]))[1:-1]
        if inside:
            self._set(side + "Shoulder", inside[0], 0.8 * sure)

    def _name_trunk(self) -> list[int]:
        """Hips, and the spine from above them to where the arms hang."""
        tree, nodes = self.tree, self.nodes
        hips = tree.common([self._bone(self.legs.first), self._bone(self.legs.second)])
        chest = tree.common([self._bone(self.arms.first), self._bone(self.arms.second)])
        middle = (nodes.position(self.legs.first) + nodes.position(self.legs.second)) / 2
        off = np.linalg.norm(tree.heads - middle, axis=1)
        while (above := tree.parents[hips]) >= 0 and off[above] < _BESIDE * off[hips] - NO_LENGTH * tree.size:
            hips = above  # legs that hang on the spine, whose joint is further up
        both = tree.common([hips, chest])
        if both >= 0 and both != hips and off[both] < 0.15 * tree.size:
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

    def _head_chain(self, trunk: Positions) -> list[int]:
        """Bones above the arms: the branch that goes furthest along the trunk in the middle plane."""
        nodes, tree = self.nodes, self.tree
        hub = self.arms.hub
        taken = {self.arms.first, self.arms.second, *nodes.path(self.legs.hub, hub)}
        across = nodes.position(self.arms.first) - nodes.position(self.arms.second)
        across = across / (float(np.linalg.norm(across)) or 1.0)

        def height(node: int) -> float:
            offset = nodes.position(node) - nodes.position(hub)
            return float(offset @ trunk) - 1.5 * abs(float(offset @ across))

        def best(children: Sequence[int]) -> int:
            return max(children, key=lambda child: max(height(node) for node in nodes.chains[child]))

        children = [child for child in nodes.children[hub] if child not in taken]
        if not children:
            return []
        chain = [best(children)]
        while nodes.children[chain[-1]]:
            chain.append(best(nodes.children[chain[-1]]))
        top = tree.common([self._bone(self.arms.first), self._bone(self.arms.second)])
        inside = tree.between(top, self._bone(chain[0]))[1:-1]
        return [*inside, *(self._bone(node) for node in chain)]

    def _name_head(self, chain: list[int]) -> list[int]:
        """The neck's bones; the head is the first long one, or the last."""
        if not chain:
            return []
        tree = self.tree
        height = _length(tree, [self._bone(self.leg_chains[0][position]) for position in self.leg])
        height += tree.distance(self._bone(self.legs.hub), self._bone(self.arms.hub)) + tree.distance(self._bone(self.arms.hub), chain[-1])
        steps = [tree.distance(a, b) for a, b in pairwise(chain)]
        at = len(chain) - 1
        for position, step in enumerate(steps):
            long = step > _NECK * height or (position and step > 1.6 * steps[position - 1] > 0.032 * height)
            if long or (len(tree.children[chain[position]]) > 1 and position):
                at = position
                break
        self._set("head", chain[at], 0.75)
        neck = chain[:at]
        if neck:
            self._set("neck", neck[0], 0.7)
        return neck

    def _directions(self, trunk: Positions) -> tuple[Positions, Positions, Positions, float, bool]:
        """left, up, forward, how much the figure itself shows where forward is, and whether the first limbs are the right ones."""
        nodes = self.nodes
        across = nodes.position(self.leg_chains[0][self.leg[0]]) - nodes.position(self.leg_chains[1][self.leg[0]])
        arms = nodes.position(self.arm_chains[0][self.arm[1]]) - nodes.position(self.arm_chains[1][self.arm[1]])
        if float(across @ arms) < 0:
            self.arm_chains.reverse()
            arms = -arms
        across = across + arms
        up = trunk
        across = across - up * float(across @ up)
        length = float(np.linalg.norm(across))
        across = across / length if length > 1e-9 else np.array([1.0, 0.0, 0.0])
        ahead = np.cross(across, up)
        known = 0.0 if self.left is None else float(across @ self.left)
        vote = known if abs(known) > 0.3 else self._vote(ahead)
        shown = abs(vote)
        if shown <= _SHOWN:
            vote = -float(ahead[1]) if abs(float(ahead[1])) > 0.3 else 1.0
        return (-across, up, -ahead, shown, True) if vote < 0 else (across, up, ahead, shown, False)

    def _vote(self, ahead: Positions) -> float:
        """Above 0 where feet, knees and elbows show that `ahead` is forward."""
        tree, vote = self.tree, 0.0
        for number in (0, 1):
            positions, bones = self.leg, [self._bone(node) for node in self.leg_chains[number]]
            if len(positions) == 3:
                foot, length = positions[2], _length(tree, [bones[position] for position in positions])
                end = tree.heads[bones[foot + 1]] if foot + 1 < len(bones) else tree.tails[bones[foot]]
                hip, knee, ankle = (tree.heads[bones[position]] for position in positions)
                if foot + 1 < len(bones) or (self.pointed and not _straight(ankle - knee, end - ankle)):
                    vote += 2.0 * float((end - ankle) @ ahead) / length
                vote += 0.5 * float((knee - (hip + ankle) / 2) @ ahead) / length
        return vote


def _surely(clear: float, enough: float) -> float:
    """1 for what is clear enough."""
    low, high = _RIVALLED
    return 1.0 if clear >= enough else low + (high - low) * clear / enough


def _point_on(tree: Tree) -> bool:
    """Whether bones point at those that hang on them, so that the direction of the last ones means something too."""
    hits = bones = 0
    for bone, children in enumerate(tree.children):
        along = tree.tails[bone] - tree.heads[bone]
        away = [tree.heads[child] - tree.heads[bone] for child in children]
        lengths = [float(np.linalg.norm(along) * np.linalg.norm(offset)) for offset in away]
        if any(lengths):
            bones += 1
            hits += any(float(along @ offset) > 0.95 * length for offset, length in zip(away, lengths, strict=True) if length > 1e-12)
    return hits > 0.6 * bones


def _straight(first: Positions, second: Positions) -> bool:
    """Whether a bone that ends nowhere only goes on as the one before, as importers draw it."""
    lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
    return lengths < 1e-12 or float(first @ second) > 0.9 * lengths


def _length(tree: Tree, bones: Sequence[int]) -> float:
    """Of the path from joint to joint."""
    return sum(tree.distance(a, b) for a, b in pairwise(bones))


def spine_roles(spine: Sequence[int]) -> dict[str, int]:
    """VRM's roles for the bones of a spine: one is the chest, two are spine and chest, of more the last is the upper chest."""
    if len(spine) < 2:
        return {"chest": spine[0]} if spine else {}
    if len(spine) == 2:
        return {"spine": spine[0], "chest": spine[1]}
    return {"spine": spine[0], "chest": spine[len(spine) // 2], "upperChest": spine[-1]}
