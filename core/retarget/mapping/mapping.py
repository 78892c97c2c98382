"""Which bone of one figure follows which of another: by names and structure together, each pair with its confidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..anatomy.spans import Spans
from ..figures.bone_map import ROLES, BoneMap, Chain, Pair, PairOptions
from ..figures.figure import Figure
from .chain_mapping import branches, match
from .evidence import Labels
from .kin import Kin, bodies_of, kin
from .kinds import body, has_arms, in_common, is_bent, is_tailed, layered, many_legged, nameless, plain_bone, says_more
from .labels import label
from .profiles import profile_of
from .shape import Match, same_shape

_DOUBTFUL = 0.8
"""Pairs of less confidence carry a note."""

_ROLED = 3
"""Bones that a spine or neck may have to be paired by VRM's roles; more, and in another number than the other figure's, make a chain."""

_LEAST = 0.15
"""Pairs of less confidence are left out."""

_SAME_NAME = 0.85

_FAR_KIN, _NEAR_KIN = 0.1, 0.3
"""Scores of beasts below which they are not mapped as kin, and below which every pair is doubtful."""

_UNSURE = 0.6
"""The confidence of a pair that is doubtful because the figures are."""

_KIN, _CLOSE_KIN, _MORE = 0.45, 0.7, 1.3
"""The scores of two beasts of a kind and of two that are much alike, and how many times as many bones the former have in common as
humanoids, to be mapped as such; the latter have only more."""


def map_bones(source: Figure, target: Figure) -> BoneMap:
    """The bone map from source to target. Left and right are never crossed, and bones keep their order along each limb. Of a target rig in
    layers (Rigify) the controls are mapped, of such a source the deform bones. What is equal in both beside the body follows too."""
    return _Mapper(source, target).run()


def labels_of(figure: Figure, controls: bool = False, profiles: bool = True) -> Labels:
    """What each bone of a figure is; a rig that is known by heart as in its profile. controls: see `label`."""
    labels = label(figure, controls)
    known = profile_of(labels.names, figure.parents.tolist(), controls) if profiles else None
    if known is not None:
        labels.assume(known[1])
    return labels


class _Mapper:
    def __init__(self, source: Figure, target: Figure) -> None:
        self.source, self.target = source, target
        self.source_labels, self.target_labels = labels_of(source), labels_of(target, controls=True)
        self.many_legged = [labels.humanoid and many_legged(figure) for figure, labels in self._figures()]
        self.bodies = [bodies_of(figure, labels) for figure, labels in self._figures()]
        self.humanoid = self.source_labels.humanoid and self.target_labels.humanoid and not any(self.many_legged)
        self.pairs: dict[int, Pair] = {}
        """By the target bone's number."""
        self.paired: dict[int, int] = {}
        self.followed: dict[int, int] = {}
        """Source bone -> target bone of the same pairs, and the reverse."""
        self.spans = Spans(source), Spans(target)
        self.chains: list[Chain] = []
        self.used: set[int] = set()
        """Source bones that stand in a pair or chain."""
        self._chained: set[int] = set()
        """Target bones of chains."""

    def run(self) -> BoneMap:
        unnamed = [nameless(labels) for labels in (self.source_labels, self.target_labels)]
        beasts = [
            not labels.humanoid or many or any(each.on_fours for each in bodies) or is_bent(figure, labels)
            for (figure, labels), many, bodies in zip(self._figures(), self.many_legged, self.bodies, strict=True)
        ]
        if self.humanoid and any(beasts) and all(beast or is_tailed(*each) for beast, each in zip(beasts, self._figures(), strict=True)):
            beasts, self.humanoid = [True, True], False
        named = [beast for beast, (_, labels) in zip(beasts, self._figures(), strict=True) if has_arms(labels)]
        human = self.humanoid and not all(named)
        by_kin = (all(unnamed) or not human) if any(unnamed) else all(beasts) or not named
        if self.source.fingerprint == self.target.fingerprint and not layered(self.source_labels.names):
            self._same()
        elif any(unnamed) and (shape := same_shape(self.source, self.target)) is not None:
            self._by_shape(shape)
        elif (relatives := self._kin() if by_kin else None) is not None and self._covers_more(relatives):
            self._by_kin(relatives)
        elif len(self.source) and len(self.target):
            if self.humanoid:
                self._humanoid()
                if relatives is not None and relatives.score > _KIN:
                    self._beside(relatives)
            self._same_names()
            if not self.humanoid and relatives is None and (relatives := self._kin()) is not None and relatives.score > _KIN:
                self._beside(relatives)
            self._branches(everything=not self.humanoid)
            self._doubt_joints(any(beasts))
            if beasts[0] != beasts[1]:
                self._doubt_all("figures of different kinds")
        order = {role: position for position, role in enumerate(ROLES)}
        pairs = sorted(self.pairs.items(), key=lambda item: (order.get(item[1].role, len(order)), item[0]))
        return BoneMap(tuple(pair for _, pair in pairs), tuple(self.chains), self.source.fingerprint, self.target.fingerprint)

    def _kin(self) -> Kin | None:
        ones, twos = self.bodies
        return kin(ones, twos, self.source_labels.names, self.target_labels.names)

    def _doubt_all(self, note: str) -> None:
        """Be sure of nothing, and say why."""
        for bone, pair in self.pairs.items():
            self.pairs[bone] = replace(pair, confidence=min(pair.confidence, _UNSURE), note=pair.note or note)
        self.chains = [replace(chain, confidence=min(chain.confidence, _UNSURE), note=chain.note or note) for chain in self.chains]

    def _same(self) -> None:
        """The same skeleton twice: every bone follows its namesake."""
        roles = {bone: role for role, bone in self.target_labels.roles.items()}
        for bone in range(len(self.target)):
            self._pair(bone, bone, roles.get(bone, ""), 1.0)

    def _figures(self) -> tuple[tuple[Figure, Labels], tuple[Figure, Labels]]:
        return (self.source, self.source_labels), (self.target, self.target_labels)

    def _covers_more(self, relatives: Kin) -> bool:
        """Whether figures that are taken for humanoids leave much out as such: a bird's wings are no arms."""
        if not self.humanoid:
            return relatives.score > _FAR_KIN
        common = in_common(self.source_labels, self.target_labels)
        more = 1.0 if relatives.score > _CLOSE_KIN else _MORE
        return relatives.score > _KIN and len(relatives.confidence) > more * common

    def _by_kin(self, relatives: Kin) -> None:
        """Two beasts of a kind."""
        for first, second in sorted(relatives.pairs.items(), key=lambda pair: pair[1]):
            role = self._role(first, second) if self.humanoid else ""
            self.pairs[second] = Pair(self.source.names[first], self.target.names[second], role, *_of_kin(relatives, second))
        for ones, twos in relatives.chains:
            source, target = (self.source.names[bone] for bone in ones), (self.target.names[bone] for bone in twos)
            sure, note = _of_kin(relatives, twos[0])
            self.chains.append(Chain(tuple(source), tuple(target), confidence=sure, note=note))
        if relatives.score < _NEAR_KIN:
            self._doubt_all("figures that are little alike")

    def _beside(self, relatives: Kin) -> None:
        """What two beasts of a kind have that humanoids have not, such as a tail, where they are alike in what they have as such."""
        if any(relatives.pairs.get(one, two) != two for one, two in self.paired.items()):
            return
        for first, second in sorted(relatives.pairs.items(), key=lambda pair: pair[1]):
            self._pair(first, second, "", *_of_kin(relatives, second))
        for ones, twos in relatives.chains:
            self._chain(ones, twos, "", *_of_kin(relatives, twos[0]))

    def _by_shape(self, shape: Match) -> None:
        """Two skeletons of one tree; roles where both say the same."""
        for first, second in sorted(shape.pairs.items(), key=lambda pair: pair[1]):
            confidence = shape.confidence[first]
            note = "equal limbs that are hard to distinguish" if confidence < _DOUBTFUL else ""
            self.pairs[second] = Pair(self.source.names[first], self.target.names[second], self._role(first, second), confidence, note)

    def _role(self, one: int, two: int) -> str:
        """What both are said to be; "" where that differs."""
        theirs = {role for role, bone in self.source_labels.roles.items() if bone == one}
        return next((role for role, bone in self.target_labels.roles.items() if bone == two and role in theirs), "")

    def _pair(self, one: int, two: int, role: str, confidence: float, note: str = "", distribute: bool = False) -> None:
        """Add a pair unless one of its bones is taken, the sides contradict each other, or the order would not be kept."""
        if two in self.pairs or one in self.used or confidence < _LEAST:
            return
        sides = {self.source_labels.sides[one], self.target_labels.sides[two]} - {""}
        if len(sides) > 1 or self._out_of_order(one, two):
            return
        options = PairOptions(distribute=distribute)
        shown = note if confidence < _DOUBTFUL else ""
        self.pairs[two] = Pair(self.source.names[one], self.target.names[two], role, round(confidence, 3), shown, options)
        self.used.add(one)
        self.paired[one] = two
        self.followed[two] = one

    def _out_of_order(self, one: int, two: int) -> bool:
        """Whether a bone above one of them is paired with a bone below the other."""
        ones, twos = self.spans
        return any(bone in self.paired and twos.below(self.paired[bone], two) for bone in ones.above(one)) or any(
            bone in self.followed and ones.below(self.followed[bone], one) for bone in twos.above(two)
        )

    def _chain(self, one: Sequence[int], two: Sequence[int], name: str, confidence: float, note: str = "") -> None:
        """Add a chain of the bones that are still free, or pairs where both sides have as many."""
        one = [bone for bone in one if bone not in self.used]
        two = [bone for bone in two if bone not in self.pairs]
        sides = ({self.source_labels.sides[bone] for bone in one} | {self.target_labels.sides[bone] for bone in two}) - {""}
        if not one or not two or len(sides) > 1 or confidence < _LEAST:
            return
        if len(one) == len(two):
            for first, second in zip(one, two, strict=True):
                self._pair(first, second, "", confidence, note)
            return
        shown = note if confidence < _DOUBTFUL else ""
        source, target = (self.source.names[bone] for bone in one), (self.target.names[bone] for bone in two)
        self.chains.append(Chain(tuple(source), tuple(target), name, "INTERPOLATED", round(confidence, 3), shown))
        self.used.update(one)
        self._chained.update(two)

    def _humanoid(self) -> None:
        one, two = self.source_labels, self.target_labels
        chained = self._long("spine", one.spine, two.spine) | self._long("neck", one.neck, two.neck)
        fingers = {role for hand in one.fingers if hand in two.fingers for role in self._finger(hand)}
        for role in ROLES:
            if role in one.roles and role in two.roles and role not in chained | fingers:
                if role == "root" and not self._roots_alike():
                    continue
                self._pair(one.roles[role], two.roles[role], role, *self._sure(role), distribute=self._spreads(role))

    def _sure(self, role: str) -> tuple[float, str]:
        """Confidence and note of a role that both have."""
        confidence = min(self.source_labels.confidence[role], self.target_labels.confidence[role])
        notes = [
            f"{token}: {labels.notes[role]}"
            for token, labels in (("source", self.source_labels), ("target", self.target_labels))
            if role in labels.notes
        ]
        return confidence, "; ".join(notes)

    def _long(self, name: str, one: Sequence[int], two: Sequence[int]) -> set[str]:
        """A spine or neck of many bones: as a chain, or bone by bone where both have as many. Returns the roles that need no pair of
        their own."""
        roles = {"spine", "chest", "upperChest"} if name == "spine" else {"neck"}
        if not one or not two or (max(len(one), len(two)) <= _ROLED and len(one) != len(two)):
            return set()
        confidence = min(
            labels.confidence.get(role, 0.5)
            for labels in (self.source_labels, self.target_labels)
            for role in roles
            if role in labels.roles
        )
        if len(one) == len(two):
            named = {bone: role for role, bone in self.target_labels.roles.items() if role in roles}
            for first, second in zip(one, two, strict=True):
                role = named.get(second, "")
                both = self._sure(role) if role in self.source_labels.roles else (confidence, "")
                self._pair(first, second, role, *both)
        else:
            self._chain(one, two, name, confidence)
        return roles

    def _doubt_joints(self, beasts: bool) -> None:
        """Be sure of no foot of a leg that has other joints than the other's, whatever its name: a hock is one beast's ankle."""
        for side in ("left", "right"):
            one, two = (_joints(figure, labels, side) for figure, labels in self._figures())
            if min(one[0], two[0]) > 0 and (one != two if beasts else one[0] != two[0]):
                for bone, pair in self.pairs.items():
                    if pair.role in (f"{side}Foot", f"{side}Toes"):
                        self.pairs[bone] = replace(
                            pair, confidence=min(pair.confidence, _UNSURE), note=pair.note or "a leg with other joints"
                        )

    def _finger(self, hand: str) -> list[str]:
        """A finger of another number of bones as a chain. Returns the roles that need no pair of their own."""
        one, two = self.source_labels.fingers[hand], self.target_labels.fingers[hand]
        if len(one) == len(two):
            return []
        self._chain(one, two, hand, 0.85)
        return [role for role in ROLES if role.startswith(hand)]

    def _spreads(self, role: str) -> bool:
        """Whether the target has bones of spine or neck before this one that nothing else moves: they share its rotation."""
        one, two = self.source_labels, self.target_labels
        if role == "chest":
            return "spine" in two.roles and "spine" not in one.roles
        return role == "head" and len(two.neck) > len(one.neck) and len(two.neck) > 1

    def _roots_alike(self) -> bool:
        """Whether both roots stand at about the same height of the body: one on the floor is no match for one in the pelvis."""
        heights: list[float] = []
        for figure, labels in ((self.source, self.source_labels), (self.target, self.target_labels)):
            root, hips = figure.heads[labels.roles["root"]], figure.heads[labels.roles["hips"]]
            size = float(np.linalg.norm(figure.heads.max(axis=0) - figure.heads.min(axis=0))) or 1.0
            heights.append(float(np.linalg.norm(hips - root)) / size)
        return abs(heights[0] - heights[1]) < 0.2

    def _free(self, labels: Labels, taken: set[int]) -> dict[tuple[str, str, int], int]:
        """Bones without a pair by their name's normal form; those of which there are several are left out."""
        keys = {bone: (name.plain, name.side, name.copy) for bone, name in enumerate(labels.names) if name.tokens}
        often = Counter(keys.values())
        return {key: bone for bone, key in keys.items() if bone not in taken and often[key] == 1}

    def _same_names(self) -> None:
        """What is called the same in both: weapons, tails, ears."""
        taken = set(self.pairs) | self._chained
        one, two = self._free(self.source_labels, self.used), self._free(self.target_labels, taken)
        roles_one, roles_two = set(self.source_labels.roles.values()), set(self.target_labels.roles.values())
        lowest = _first_numbers(self.source_labels), _first_numbers(self.target_labels)
        for key, first in one.items():
            second = two.get(key, -1)
            if second < 0 or first in roles_one or second in roles_two:
                continue
            if not says_more(self.source_labels.names[first]) and not self._hang_alike(first, second):
                continue  # a number alone is a tail here and a sleeve there
            if plain_bone(self.source_labels.names[first]) and plain_bone(self.target_labels.names[second]):
                counted = lowest[0].get(key[1:2] + self.source_labels.names[first].tokens) == lowest[1].get(
                    key[1:2] + self.target_labels.names[second].tokens
                )
                note = "the same name, but the bones of the limb are numbered otherwise"
                self._pair(first, second, "", _SAME_NAME if counted else _UNSURE, note)

    def _hang_alike(self, one: int, two: int) -> bool:
        """Whether the nearest bones above them that are paired are paired with each other."""
        ones, twos = self.spans
        first = next((bone for bone in ones.above(one) if bone in self.paired), -1)
        second = next((bone for bone in twos.above(two) if bone in self.followed), -1)
        return first >= 0 and self.paired[first] == second

    def _branches(self, everything: bool) -> None:
        """Tails, wings, tentacles: chains beside the body; of figures that are no humanoids the whole skeleton."""
        bodies = (set[int](), set[int]()) if everything else (body(self.source_labels), body(self.target_labels))
        ones = branches(self.source, self.source_labels, self.used | bodies[0])
        twos = branches(self.target, self.target_labels, set(self.pairs) | self._chained | bodies[1])
        for first, second, confidence in match(ones, twos, self.paired, everything):
            note = "chains alike in position and length" if everything else "chains alike in name and position"
            self._chain(first.bones, second.bones, first.name, confidence, note)


def _joints(figure: Figure, labels: Labels, side: str) -> tuple[int, int]:
    """How many bones there are from the lower leg to the foot, 0 where one is missing, and one after the other behind it."""
    knee, foot = labels.roles.get(f"{side}LowerLeg", -1), labels.roles.get(f"{side}Foot", -1)
    steps, bone = 0, foot
    while bone >= 0 and bone != knee:
        steps, bone = steps + 1, int(figure.parents[bone])
    return (steps, _longest(figure, foot)) if bone == knee and foot >= 0 else (0, 0)


def _longest(figure: Figure, bone: int) -> int:
    longest, row = -1, [bone]
    while row:
        longest, row = longest + 1, [child for one in row for child in figure.children[one]]
    return longest


def _first_numbers(labels: Labels) -> dict[tuple[str, ...], int]:
    """The side and tokens of a name -> the lowest number that it is given."""
    result: dict[tuple[str, ...], int] = {}
    for name in labels.names:
        number = int(name.numbers[-1]) if name.numbers and name.numbers[-1].isdigit() else -1
        key = (name.side, *name.tokens)
        result[key] = min(result.get(key, number), number)
    return result


def _of_kin(relatives: Kin, bone: int) -> tuple[float, str]:
    """Confidence and note of a target bone that a relative's follows."""
    sure = relatives.confidence[bone]
    return sure, "another branch, or none, would suit as well" if sure < _DOUBTFUL else ""
