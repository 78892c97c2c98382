"""Which bone of one figure follows which of another: by names and structure together, each pair with its confidence."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from ..figures.figure import Figure
from ..figures.maps.bone_map import BoneMap, Chain, Pair
from .by_names import pair_same_names
from .by_roles import doubt_joints, pair_by_roles
from .chain_mapping import branches, match
from .creatures.creatures import Kin, bodies_of, kin, lies_in_a_limb
from .humanoid.evidence import Labels
from .humanoid.labels import label, named_sides
from .joined import joined, parts_of, without
from .kinds import body, has_arms, in_common, is_bent, is_tailed, layered, many_legged, nameless, plain
from .layers import beside_roles, have_one_set, layers_of, named_by
from .naming.profiles import profile_of
from .naming.selection import inverse
from .pairing import NOTED, Pairing
from .shape import DOUBTFUL, Match, is_in_order, same_shape

_FAR_KIN, _NEAR_KIN = 0.1, 0.3
"""Scores of beasts below which they are not mapped as kin, and below which every pair is doubtful."""

_ELSEWHERE = 0.1
"""The part of the bones of two of one tree that two beasts of a kind have elsewhere, from which on one of them looks another way."""

_COPY = 0.01
"""The distance of two of one tree below which they are copies, that look the same way whatever else may be alike."""

_KIN, _CLOSE_KIN, _MORE = 0.45, 0.7, 1.3
"""The scores of two beasts of a kind and of two that are much alike, and how many times as many bones the former have in common as
humanoids, to be mapped as such; the latter have only more."""

_BODY = 5
"""Bones that a humanoid has at least: hips and two limbs."""


def map_bones(source: Figure, target: Figure) -> BoneMap:
    """The bone map from source to target. Left and right are never crossed, and bones keep their order along each limb. Of a target rig in
    layers (Rigify) the controls are mapped, of such a source the deform bones. What is equal in both beside the body follows too."""
    whole = _in_one(source), _in_one(target)
    if whole != (source, target):
        bone_map = map_bones(*whole)
        others = [name for name in source.index if name in target.index and all(name not in each.index for each in whole)]
        pairs = (*bone_map.pairs, *(Pair(name, name) for name in others))  # of other bodies in both
        return replace(bone_map, pairs=pairs, source_fingerprint=source.fingerprint, target_fingerprint=target.fingerprint)
    layers = layers_of(source), layers_of(target)
    first, second = (None if each is None or each.by_heart else each for each in layers)
    if first is None and second is None:
        return beside_roles(_Mapper(source, target).run(), *layers)
    figures = source if first is None else first.figure, target if second is None else second.figure
    mapper = _Mapper(*figures)
    inner = mapper.by_names() if have_one_set(*figures) else mapper.run()
    return named_by(
        replace(inner, source_fingerprint=source.fingerprint, target_fingerprint=target.fingerprint),
        {} if first is None else dict(zip(first.figure.names, first.bones, strict=True)),
        {} if second is None else dict(zip(second.figure.names, second.controls, strict=True)),
    )


def _in_one(figure: Figure) -> Figure:
    """A figure of several parts that hang together nowhere as what more is known of for a humanoid: the one of them that is a body by
    itself, the first of several, with what is no body beside it; all of them in one; or that body alone. Else as it is."""
    whole = joined(figure)
    if whole is None:
        return figure
    bodies = [part for part in parts_of(figure) if len(part) >= _BODY and labels_of(part).humanoid]
    each_alone = [without(figure, [other for other in bodies if other is not part]) for part in bodies]
    best, most = figure, 0
    for each in (*each_alone, figure, whole, *bodies):
        labels = labels_of(each)
        if labels.humanoid and len(labels.roles) > most:
            best, most = each, len(labels.roles)
    return best


def labels_of(figure: Figure, controls: bool = False, profiles: bool = True) -> Labels:
    """What each bone of a figure is; a rig that is known by heart as in its profile. controls: see `label`."""
    labels = label(figure, controls)
    known = profile_of(labels.names, figure.parents.tolist(), controls=controls) if profiles else None
    if known is not None:
        labels.assume(known[1])
    return labels


class _Mapper:
    def __init__(self, source: Figure, target: Figure) -> None:
        self.source, self.target = source, target
        labels = labels_of(source), labels_of(target, controls=True)
        self.bodies = [bodies_of(figure, each) for figure, each in zip((source, target), labels, strict=True)]
        self.source_labels, self.target_labels = (
            plain(each) if lies_in_a_limb(each, bodies) else each for each, bodies in zip(labels, self.bodies, strict=True)
        )
        self.pairing = Pairing(source, target, self.source_labels, self.target_labels)
        figures = self.pairing.figures()
        self.many_legged = [labels.humanoid and many_legged(figure) for figure, labels in figures]
        self.humanoid = self.source_labels.humanoid and self.target_labels.humanoid and not any(self.many_legged)

    def run(self) -> BoneMap:
        figures, pairing = self.pairing.figures(), self.pairing
        unnamed = [nameless(labels) for labels in (self.source_labels, self.target_labels)]
        beasts = [
            not labels.humanoid or many or any(each.on_fours for each in bodies) or is_bent(figure, labels.roles)
            for (figure, labels), many, bodies in zip(figures, self.many_legged, self.bodies, strict=True)
        ]
        if self.humanoid and any(beasts) and all(beast or is_tailed(*each) for beast, each in zip(beasts, figures, strict=True)):
            beasts, self.humanoid = [True, True], False
        named = [beast for beast, (_, labels) in zip(beasts, figures, strict=True) if has_arms(labels)]
        human = self.humanoid and not all(named)
        by_kin = (all(unnamed) or not human) if any(unnamed) else all(beasts) or not named
        is_same = self.source.fingerprint == self.target.fingerprint and not layered(self.source_labels.names)
        if is_same and not (all(unnamed) and self._is_renumbered()):
            self._same()
        elif any(unnamed) and (shape := self._shape()) is not None:
            self._by_shape(shape)
        elif (relatives := self._relatives if by_kin else None) is not None and self._covers_more(relatives):
            self._by_kin(relatives)
        elif len(self.source) and len(self.target):
            if self.humanoid:
                pair_by_roles(pairing)
                if relatives is not None and relatives.score > _KIN:
                    self._beside(relatives)
            pair_same_names(pairing)
            if not self.humanoid and relatives is None and (relatives := self._relatives) is not None and relatives.score > _KIN:
                self._beside(relatives)
            self._branches(everything=not self.humanoid)
            doubt_joints(pairing, any(beasts))
            if beasts[0] != beasts[1]:
                pairing.doubt_all("figures of different kinds")
        return self.pairing.bone_map()

    def by_names(self) -> BoneMap:
        """Every bone follows its namesake."""
        for name, bone in self.source.index.items():
            if name in self.target.index:
                self.pairing.pair(bone, self.target.index[name], "", 1.0)
        return self.pairing.bone_map()

    @cached_property
    def _relatives(self) -> Kin | None:
        ones, twos = self.bodies
        return kin(ones, twos, self.source_labels.names, self.target_labels.names)

    def _shape(self) -> Match | None:
        """Two skeletons of one tree, unless they are beasts of which one looks another way: their limbs may be each other's there."""
        shape = same_shape(self.source, self.target)
        if shape is None or shape.distance < _COPY or self.humanoid or (relatives := self._relatives) is None:
            return shape
        apart = [first for first, second in relatives.pairs.items() if shape.pairs[first] != second]
        if len(apart) > _ELSEWHERE * len(shape.pairs):
            return None
        return replace(shape, confidence=shape.confidence | dict.fromkeys(shape.pairs if relatives.is_round else apart, DOUBTFUL))

    def _is_renumbered(self) -> bool:
        """Whether two of one tree are copies of which bones of one number are surely others, by where they point."""
        shape = None if not len(self.source) or is_in_order(self.source, self.target) else same_shape(self.source, self.target)
        if shape is None or shape.distance >= _COPY:
            return False
        return any(first != second and shape.confidence[first] > DOUBTFUL for first, second in shape.pairs.items())

    def _same(self) -> None:
        """The same skeleton twice: every bone follows its namesake."""
        roles = {bone: role for role, bone in self.target_labels.roles.items()}
        for bone in range(len(self.target)):
            self.pairing.pair(bone, bone, roles.get(bone, ""), 1.0)

    def _covers_more(self, relatives: Kin) -> bool:
        """Whether figures that are taken for humanoids leave much out as such: a bird's wings are no arms."""
        if not self.humanoid:
            return relatives.score > _FAR_KIN
        common = in_common(self.source_labels, self.target_labels)
        more = 1.0 if relatives.score > _CLOSE_KIN else _MORE
        return relatives.score > _KIN and len(relatives.confidence) > more * common

    def _by_kin(self, relatives: Kin) -> None:
        """Two beasts of a kind. Names that say a side are right about it, wherever the bone is."""
        said = [named_sides(figure, labels) for figure, labels in self.pairing.figures()]
        for first, second in sorted(relatives.pairs.items(), key=lambda pair: pair[1]):
            if len({said[0][first], said[1][second]} - {""}) > 1:
                continue
            role = self.pairing.role(first, second) if self.humanoid else ""
            self.pairing.pairs[second] = Pair(self.source.names[first], self.target.names[second], role, *_of_kin(relatives, second))
        for ones, twos in relatives.chains:
            sure, note = _of_kin(relatives, twos[0])
            joints = [(first, second) for second in twos for first in ones if self.humanoid and self.pairing.role(first, second)]
            if len(joints) > 1:  # roles say which joints of a limb belong together
                for first, second in joints:
                    self.pairing.pair(first, second, self.pairing.role(first, second), sure, note)
                continue
            source, target = (self.source.names[bone] for bone in ones), (self.target.names[bone] for bone in twos)
            self.pairing.chains.append(Chain(tuple(source), tuple(target), confidence=sure, note=note))
        if relatives.score < _NEAR_KIN:
            self.pairing.doubt_all("figures that are little alike")

    def _beside(self, relatives: Kin) -> None:
        """What two beasts of a kind have that humanoids have not, such as a tail, where they are alike in what they have as such."""
        if any(relatives.pairs.get(one, two) != two for one, two in self.pairing.paired.items()):
            return
        for first, second in sorted(relatives.pairs.items(), key=lambda pair: pair[1]):
            self.pairing.pair(first, second, "", *_of_kin(relatives, second))
        for ones, twos in relatives.chains:
            self.pairing.chain(ones, twos, "", *_of_kin(relatives, twos[0]))

    def _by_shape(self, shape: Match) -> None:
        """Two skeletons of one tree; roles where both say the same."""
        for first, second in sorted(shape.pairs.items(), key=lambda pair: pair[1]):
            confidence = shape.confidence[first]
            note = "equal limbs that are hard to distinguish" if confidence < NOTED else ""
            role = self.pairing.role(first, second)
            self.pairing.pairs[second] = Pair(self.source.names[first], self.target.names[second], role, confidence, note)

    def _branches(self, everything: bool) -> None:
        """Tails, wings, tentacles: chains beside the body; of figures that are no humanoids the whole skeleton."""
        bodies = (set[int](), set[int]()) if everything else (body(self.source_labels), body(self.target_labels))
        ones = branches(self.source, self.source_labels, self.pairing.used | bodies[0])
        twos = branches(self.target, self.target_labels, self.pairing.taken | bodies[1] | inverse(self.target_labels.names))
        for first, second, confidence in match(ones, twos, self.pairing.paired, everything):
            note = "chains alike in position and length" if everything else "chains alike in name and position"
            self.pairing.chain(first.bones, second.bones, first.name, confidence, note)


def _of_kin(relatives: Kin, bone: int) -> tuple[float, str]:
    """Confidence and note of a target bone that a relative's follows."""
    sure = relatives.confidence[bone]
    return sure, "another branch, or none, would suit as well" if sure < NOTED else ""
