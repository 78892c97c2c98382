"""Rigs in layers, as Rigify makes them: bones that keep the shape of the body, below controls of other shapes and in another order. A spine
may be controlled from its middle towards both ends, and a tail lie reversed below its controls."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..figures.figure import Figure
from ..figures.maps.bone_map import BoneMap, Chain, Pair
from .kinds import is_bent
from .naming.names import Name, read_names
from .naming.profiles import profile_of
from .naming.selection import DEFORM, FORWARD, HIDDEN, has_layers, key
from .naming.vocabulary import HELPERS

_ORIGINAL = frozenset(("org",))
_BEFORE = re.compile(r"^(ORG|DEF)[-_. ]", re.IGNORECASE)

_NAMESAKE = 0.85
"""The confidence of bones beside the body that are called alike in two rigs of one kind."""

_NEAR = 1e-4
"""In sizes of the figure: joints that are no further apart are one."""

_ONE_SET = 0.9
"""The part of their names that skeletons of one kind have in common."""

_PLACING = "tweak"
"""In names of controls that move where a bone begins, besides those that rotate it."""

_HELPING = frozenset(token for token, left in HELPERS.items() if left < 0.25)


@dataclass(frozen=True, eq=False)
class Layers:
    """The R bones that have the shape of the body, parents first.

    figure: where they are at rest, by the names they had before the rig was made. bones: names of those that show what each does. controls:
    names of those that rotate it, "" where it has none of its own. placing: of these the ones that move where a bone begins, among several
    that another control moves together, as those of an animal's neck; none of a human's. by_heart: whether it is a human's rig that is
    known and mapped by its controls."""

    figure: Figure
    bones: tuple[str, ...]
    controls: tuple[str, ...]
    placing: frozenset[str]
    by_heart: bool

    @property
    def shown(self) -> dict[str, str]:
        """Control -> the bone that shows what it does."""
        return {control: bone for control, bone in zip(self.controls, self.bones, strict=True) if control}

    def controlled(self, names: Collection[str]) -> Figure:
        """The same by the names of controls, of some of them alone."""
        keep = [row for row, control in enumerate(self.controls) if control and control in names]
        number = {row: index for index, row in enumerate(keep)}
        parents = [self._kept(row, number) for row in keep]
        return replace(
            self.figure,
            names=tuple(self.controls[row] for row in keep),
            parents=np.array(parents, np.int32),
            rest=self.figure.rest[keep],
            lengths=self.figure.lengths[keep],
            modes=tuple(self.figure.modes[row] for row in keep),
            hinged=self.figure.hinged[keep],
            unturned=self.figure.unturned[keep],
            fixed=self.figure.fixed[keep],
            locked=self.figure.locked[keep],
        )

    def _kept(self, row: int, number: dict[int, int]) -> int:
        parent = int(self.figure.parents[row])
        while parent >= 0 and parent not in number:
            parent = int(self.figure.parents[parent])
        return number.get(parent, -1)


def layers_of(figure: Figure) -> Layers | None:
    """None for a rig that has no such layer."""
    names = read_names(figure.names)
    if not has_layers(names, DEFORM, _ORIGINAL):  # those that deform, and those of which the rig was made
        return None
    profile = profile_of(names, figure.parents.tolist(), controls=True)
    return _Reader(figure, names).read(by_heart=profile is not None and not is_bent(figure, profile[1]))


def have_one_set(one: Figure, other: Figure) -> bool:
    """Whether two figures have the same set of names, but for a few: a rig was made of bones that are called like the other's."""
    return len(one.index.keys() & other.index.keys()) >= _ONE_SET * max(len(one), len(other))


def named_by(bone_map: BoneMap, source: dict[str, str], target: dict[str, str]) -> BoneMap:
    """The map with other names of bones; what has none there is left out, of chains with several bones for one control, too. source,
    target: name -> that of the rig; all as they are where it is empty."""
    pairs = [
        replace(pair, source=source.get(pair.source, pair.source), target=target.get(pair.target, pair.target)) for pair in bone_map.pairs
    ]
    chains = [
        replace(
            chain,
            source=tuple(source.get(name, name) for name in chain.source),
            target=tuple(control for name in chain.target if (control := target.get(name, name))),
            roles={control: role for name, role in chain.roles.items() if (control := target.get(name, name))},
            source_roles={source.get(name, name): role for name, role in chain.source_roles.items()},
        )
        for chain in bone_map.chains
    ]
    return replace(bone_map, pairs=tuple(_known(pairs)), chains=tuple(_filled(chains)))


def beside_roles(bone_map: BoneMap, source: Layers | None, target: Layers | None) -> BoneMap:
    """The map of two humans' rigs in layers, of which those beside the body follow by their controls alone: what else has the same names in
    both, such as bones of the skin, what moves it and controls of IK, is moved by these. As it is where one is no such rig."""
    if source is None or target is None:
        return bone_map
    pairs = [pair for pair in bone_map.pairs if pair.role]
    if not pairs:
        return bone_map
    body = {_BEFORE.sub("", pair.source) for pair in pairs}
    taken = {pair.target for pair in pairs}
    controls = dict(zip(target.figure.names, target.controls, strict=True))
    for name, bone in zip(source.figure.names, source.bones, strict=True):
        control = controls.get(name, "")
        if control and name not in body and control not in taken:
            pairs.append(Pair(bone, control, confidence=_NAMESAKE))
            taken.add(control)
    return replace(bone_map, pairs=tuple(pairs), chains=())


def _known(pairs: Sequence[Pair]) -> list[Pair]:
    return [pair for pair in pairs if pair.source and pair.target]


def _filled(chains: Sequence[Chain]) -> list[Chain]:
    return [chain for chain in chains if chain.source and chain.target]


class _Reader:
    def __init__(self, figure: Figure, names: Sequence[Name]) -> None:
        self._figure, self._names = figure, names
        tokens = [frozenset(name.tokens) for name in names]
        self._originals = [bone for bone, have in enumerate(tokens) if have & _ORIGINAL]
        self._controls = [bone for bone, have in enumerate(tokens) if not have & HIDDEN]
        self._forward = {key(names[bone]): bone for bone in self._controls if tokens[bone] & FORWARD}
        self._plain = {key(names[bone]): bone for bone in reversed(self._controls) if not tokens[bone] & FORWARD}
        self._row = {key(names[bone]): row for row, bone in enumerate(self._originals)}
        self._near = _NEAR * max(float(np.ptp(figure.heads, axis=0).max()), 1e-9)

    def read(self, by_heart: bool) -> Layers:
        controls = [self._forward.get(each, self._plain.get(each, -1)) for each in map(key, self._named(self._originals))]
        self._beside(controls)
        placing = [] if by_heart else self._placed(controls)
        bones = [
            control if control >= 0 and self._is_reversed(bone, control) else bone
            for bone, control in zip(self._originals, controls, strict=True)
        ]
        parents = self._parents(bones)
        order = _parents_first(parents)
        position = {row: index for index, row in enumerate(order)}
        chosen = [bones[row] for row in order]
        figure, own = self._figure, [controls[row] for row in order]
        names = [_BEFORE.sub("", figure.names[self._originals[row]]) for row in order]
        if len(set(names)) < len(names):
            names = [figure.names[bone] for bone in chosen]
        shape = Figure(
            tuple(names),
            np.array([position.get(parents[row], -1) for row in order], np.int32),
            figure.rest[chosen],
            figure.lengths[chosen],
            figure.world,
            tuple(figure.modes[control if control >= 0 else bone] for control, bone in zip(own, chosen, strict=True)),
        )
        return Layers(
            shape,
            tuple(figure.names[bone] for bone in chosen),
            tuple(figure.names[bone] if bone >= 0 else "" for bone in own),
            frozenset(figure.names[bone] for bone in placing),
            by_heart,
        )

    def _named(self, bones: Sequence[int]) -> list[Name]:
        return [self._names[bone] for bone in bones]

    def _beside(self, controls: list[int]) -> None:
        """Controls of other names, for those that have none by their own, or one that is elsewhere: where one begins, towards where it or
        one behind it ends."""
        figure, taken = self._figure, set(controls)
        free = [bone for bone in self._controls if bone not in taken and not set(self._names[bone].tokens) & _HELPING]
        missing = [row for row, control in enumerate(controls) if control < 0 or self._is_elsewhere(self._originals[row], control)]
        for row in missing:
            bone, ends = self._originals[row], self._ends_behind(row)
            for control in free:
                at_head = self._are_near(figure.heads[control], figure.heads[bone])
                if at_head and any(self._are_near(figure.tails[control], end) for end in ends):
                    controls[row] = control
                    free.remove(control)
                    break

    def _placed(self, controls: list[int]) -> list[int]:
        """The controls that move where bones begin, for those that have none else."""
        placing = {key(self._names[bone], _PLACING): bone for bone in self._controls if _PLACING in self._names[bone].tokens}
        result: list[int] = []
        for row, bone in enumerate(self._originals):
            control = placing.get(key(self._names[bone]), -1)
            if controls[row] < 0 <= control and self._are_near(self._figure.heads[control], self._figure.heads[bone]):
                controls[row] = control
                result.append(control)
        return result

    def _is_elsewhere(self, bone: int, control: int) -> bool:
        """Whether a control has neither end of a bone where it begins."""
        figure = self._figure
        return not any(self._are_near(figure.heads[control], end) for end in (figure.heads[bone], figure.tails[bone]))

    def _ends_behind(self, row: int) -> list[np.ndarray]:
        """Where a bone ends, and those that go on from it."""
        figure, bone = self._figure, self._originals[row]
        ends = [figure.tails[bone]]
        for child in figure.children[bone]:
            if child in self._originals and self._are_near(figure.heads[child], figure.tails[bone]):
                ends += self._ends_behind(self._originals.index(child))
        return ends

    def _is_reversed(self, bone: int, control: int) -> bool:
        heads, tails = self._figure.heads, self._figure.tails
        return self._are_near(heads[bone], tails[control]) and self._are_near(tails[bone], heads[control])

    def _are_near(self, one: np.ndarray, other: np.ndarray) -> bool:
        return float(np.abs(one - other).max()) < self._near

    def _parents(self, bones: Sequence[int]) -> list[int]:
        """By row that of the bone that each hangs on: its parent where that is one of them, else the one at whose end it begins, else the
        nearest of those above whose controls it is below."""
        number = {bone: row for row, bone in enumerate(bones)}
        parents = [number.get(int(self._figure.parents[bone]), -1) for bone in bones]
        for candidates in (self._before(bones), [self._above(bone) for bone in bones]):
            for row in [row for row, parent in enumerate(parents) if parent < 0]:
                parents[row] = next((each for each in candidates[row] if not _is_below(each, row, parents)), -1)
        return parents

    def _before(self, bones: Sequence[int]) -> list[list[int]]:
        """For each the rows of those of its name, but for the number, at whose end it begins."""
        heads, tails = self._figure.heads[list(bones)], self._figure.tails[list(bones)]
        near = np.abs(heads[:, None] - tails).max(axis=2) < self._near
        names = [(name.tokens, name.side) for name in self._named(self._originals)]
        return [[int(other) for other in np.flatnonzero(row) if names[other] == own] for row, own in zip(near, names, strict=True)]

    def _above(self, bone: int) -> list[int]:
        """Rows of the bones that are meant by those above one, upwards."""
        result: list[int] = []
        bone = int(self._figure.parents[bone])
        while bone >= 0:
            row = self._row.get(key(self._names[bone], "tweak"), -1)
            if row >= 0 and row not in result:
                result.append(row)
            bone = int(self._figure.parents[bone])
        return result


def _is_below(row: int, other: int, parents: Sequence[int]) -> bool:
    while row >= 0:
        if row == other:
            return True
        row = parents[row]
    return False


def _parents_first(parents: Sequence[int]) -> list[int]:
    order: dict[int, None] = {}
    for row in range(len(parents)):
        path: list[int] = []
        while row >= 0 and row not in order:
            path.append(row)
            row = parents[row]
        order.update(dict.fromkeys(reversed(path)))
    return list(order)
