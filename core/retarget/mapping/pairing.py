"""What has been decided of a bone map: each bone is paired once, left and right are never crossed, and bones keep their order along each
limb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..anatomy.hierarchy import Hierarchy
from ..figures.figure import Figure
from ..figures.maps.bone_map import BoneMap, Chain, Pair, PairOptions
from ..figures.roles import ROLES
from .humanoid.evidence import Labels

NOTED = 0.8
"""Pairs of less confidence carry a note."""

UNSURE = 0.6
"""The confidence of a pair that is doubtful because the figures are."""

_LEAST = 0.15
"""Pairs of less confidence are left out."""


class Pairing:
    """The pairs and chains of two figures, as they are decided one after the other."""

    def __init__(self, source: Figure, target: Figure, source_labels: Labels, target_labels: Labels) -> None:
        self.source, self.target = source, target
        self.source_labels, self.target_labels = source_labels, target_labels
        self.pairs: dict[int, Pair] = {}
        """By the target bone's number."""
        self.paired: dict[int, int] = {}
        self.followed: dict[int, int] = {}
        """Source bone -> target bone of the same pairs, and the reverse."""
        self.hierarchies = Hierarchy(source), Hierarchy(target)
        self.chains: list[Chain] = []
        self.used: set[int] = set()
        """Source bones that stand in a pair or chain."""
        self.chained: set[int] = set()
        """Target bones of chains."""

    @property
    def taken(self) -> set[int]:
        """Target bones that stand in a pair or chain."""
        return set(self.pairs) | self.chained

    def figures(self) -> tuple[tuple[Figure, Labels], tuple[Figure, Labels]]:
        """Source and target."""
        return (self.source, self.source_labels), (self.target, self.target_labels)

    def bone_map(self) -> BoneMap:
        """All that is decided, by role, then by bone."""
        order = {role: position for position, role in enumerate(ROLES)}
        pairs = sorted(self.pairs.items(), key=lambda item: (order.get(item[1].role, len(order)), item[0]))
        return BoneMap(tuple(pair for _, pair in pairs), tuple(self.chains), self.source.fingerprint, self.target.fingerprint)

    def pair(self, one: int, two: int, role: str, confidence: float, note: str = "", distribute: bool = False) -> None:
        """Add a pair unless one of its bones is taken, the sides contradict each other, or the order would not be kept."""
        if two in self.pairs or one in self.used or confidence < _LEAST:
            return
        sides = {self.source_labels.sides[one], self.target_labels.sides[two]} - {""}
        if len(sides) > 1 or self._out_of_order(one, two):
            return
        options = PairOptions(distribute=distribute)
        shown = note if confidence < NOTED else ""
        self.pairs[two] = Pair(self.source.names[one], self.target.names[two], role, round(confidence, 3), shown, options)
        self.used.add(one)
        self.paired[one] = two
        self.followed[two] = one

    def chain(self, one: Sequence[int], two: Sequence[int], name: str, confidence: float, note: str = "") -> None:
        """Add a chain of the bones that are still free, or pairs where both sides have as many."""
        one = [bone for bone in one if bone not in self.used]
        two = [bone for bone in two if bone not in self.pairs]
        sides = ({self.source_labels.sides[bone] for bone in one} | {self.target_labels.sides[bone] for bone in two}) - {""}
        if not one or not two or len(sides) > 1 or confidence < _LEAST:
            return
        if len(one) == len(two):
            for first, second in zip(one, two, strict=True):
                self.pair(first, second, "", confidence, note)
            return
        shown = note if confidence < NOTED else ""
        source, target = (self.source.names[bone] for bone in one), (self.target.names[bone] for bone in two)
        self.chains.append(Chain(tuple(source), tuple(target), name, "INTERPOLATED", round(confidence, 3), shown))
        self.used.update(one)
        self.chained.update(two)

    def role(self, one: int, two: int) -> str:
        """What both are said to be; "" where that differs."""
        theirs = {role for role, bone in self.source_labels.roles.items() if bone == one}
        return next((role for role, bone in self.target_labels.roles.items() if bone == two and role in theirs), "")

    def doubt_all(self, note: str) -> None:
        """Be sure of nothing, and say why."""
        for bone, pair in self.pairs.items():
            self.pairs[bone] = replace(pair, confidence=min(pair.confidence, UNSURE), note=pair.note or note)
        self.chains = [replace(chain, confidence=min(chain.confidence, UNSURE), note=chain.note or note) for chain in self.chains]

    def _out_of_order(self, one: int, two: int) -> bool:
        """Whether a bone above one of them is paired with a bone below the other."""
        ones, twos = self.hierarchies
        return any(bone in self.paired and twos.below(self.paired[bone], two) for bone in ones.above(one)) or any(
            bone in self.followed and ones.below(self.followed[bone], one) for bone in twos.above(two)
        )
