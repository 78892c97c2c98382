"""Rigs in layers whose controls are not where the bones are that they move: all is computed for the bones that have the shape of the body.
A spine may be controlled from its middle, so that its controls hang on each other the other way round."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ....core.retarget.figures.figure import Figure
from ....core.retarget.figures.maps.bone_map import BoneMap, Pair
from ....core.retarget.mapping.layers import layers_of
from ....core.retarget.mapping.naming.names import read_names
from ....core.retarget.mapping.naming.selection import HIDDEN
from ...blender import armature
from . import constraints

_NEARLY_ALL = 0.8
"""The part of the controls that one carries which carries the body: eyes may look elsewhere."""


@dataclass(frozen=True, eq=False)
class Shape:
    """figure: the bones that have the shape, by the names of their controls. shown: control -> the bone that shows what it does. placing:
    controls that move where their bones begin. hub: the control that carries all of them, "" where the first of them does. first: the
    control of the pelvis. ground: the one on the ground that is to carry the motion over it, where none is followed; "" for none."""

    figure: Figure
    shown: dict[str, str]
    placing: frozenset[str]
    hub: str
    first: str
    ground: str

    @classmethod
    def of(
        cls, obj: bpy.types.Object, whole: Figure, bone_map: BoneMap, known: bool, grounded: bool = False
    ) -> tuple[BoneMap, Shape | None]:
        """The map for it, in which its first control follows the hips; None, and the map as it is, for a rig whose followed controls are
        where the bones are that they move. whole: the figure of all bones. known: also of a human's rig that is known by heart. grounded:
        a control on the ground is to carry the motion."""
        layers = layers_of(whole)
        if layers is None or (layers.by_heart and not known):
            return bone_map, None
        shown = layers.shown
        first = _first(layers.controlled(shown))
        changed = _with_carried(obj, _with_first(bone_map, first, shown), layers.controlled(shown), first)
        every = {name for name in changed.targets() if name in whole.index}
        names, others = every & shown.keys(), every - shown.keys()
        if not names or others - {pair.target for pair in bone_map.pairs if pair.role == "root"}:
            return bone_map, None
        figure = layers.controlled(names)
        first = _first(figure)
        hub = _hub(obj, first, names)
        pelvis = figure.rest[figure.index[first], :3, 3] if changed.role("hips") is not None else None
        ground = _ground(obj, first) if grounded and not others else ""
        tops = [ground] if ground else sorted(others)
        return changed, cls(_above(replace(figure, pelvis=pelvis), whole, tops), shown, layers.placing & names, hub, first, ground)

    def carried(self, carriers: Mapping[str, str]) -> Shape:
        """With bones that do not begin where the one above them ends, such as legs, on those that carry them in the rig. carriers: control
        -> the control that carries it."""
        figure, parents = self.figure, self.figure.parents.copy()
        near = 1e-4 * max(float(np.ptp(figure.heads, axis=0).max()), 1e-9)
        for bone, parent in enumerate(figure.parents.tolist()):
            carrier = figure.index.get(carriers.get(figure.names[bone], ""), bone)
            if parent >= 0 and carrier < bone and np.abs(figure.tails[parent] - figure.heads[bone]).max() > near:
                parents[bone] = carrier
        return replace(self, figure=replace(figure, parents=parents))

    @property
    def placed(self) -> frozenset[str]:
        """The controls that are where their bones begin, whatever carries them: those that place them, and those of the bones behind."""
        figure = self.figure
        behind = (name for name, parent in zip(figure.names, figure.parents.tolist(), strict=True) if figure.names[parent] in self.placing)
        return self.placing.union(behind)

    def bones(self, names: Sequence[str]) -> list[str]:
        """The bones that show what controls do."""
        return [self.shown.get(name, name) for name in names]


def _first(figure: Figure) -> str:
    """Of the bones that hang on none the one on which most hang."""
    tops: list[int] = []
    parents: list[int] = figure.parents.tolist()
    for bone, parent in enumerate(parents):
        tops.append(bone if parent < 0 else tops[parent])
    return figure.names[max(tops, key=tops.count)]


def _with_first(bone_map: BoneMap, first: str, shown: Collection[str]) -> BoneMap:
    """With the first control for the hips instead of one above it, such as a torso."""
    hips = bone_map.role("hips")
    if hips is None or hips.target in shown:
        return bone_map
    others = [pair for pair in bone_map.pairs if pair is not hips and pair.target != first]
    return replace(bone_map, pairs=(replace(hips, target=first), *others))


def _with_carried(obj: bpy.types.Object, bone_map: BoneMap, body: Figure, first: str) -> BoneMap:
    """With those between followed controls that hang in the body on one which does not carry them in the rig, as a chest whose spine is
    controlled from its middle: they follow the same bone. body: of all controls, as their bones hang on each other."""
    parents: list[int] = body.parents.tolist()
    chained = ((target, chain.source_of(target)) for chain in bone_map.chains for target in chain.target)
    sources = {target: source for target, source in chained if source is not None}
    sources |= {pair.target: pair.source for pair in bone_map.pairs}
    between = set[int]()
    for row in [row for row, name in enumerate(body.names) if name in sources]:
        while (row := parents[row]) >= 0 and row not in between:
            between.add(row)
    carried: list[Pair] = []
    for row in sorted(between):
        name, above = body.names[row], parents[row]
        while above >= 0 and body.names[above] not in sources:
            above = parents[above]
        carrier = body.names[above] if above >= 0 else first
        if name not in sources and carrier != first and carrier not in constraints.behind(obj, name):
            sources[name] = sources[carrier]
            carried.append(Pair(sources[carrier], name))
    return replace(bone_map, pairs=(*bone_map.pairs, *carried)) if carried else bone_map


def _above(figure: Figure, whole: Figure, names: Sequence[str]) -> Figure:
    """The figure below other bones, such as a root on the ground. whole: the figure that has them."""
    if not names:
        return figure
    bones, count = [whole.index[name] for name in names], len(names)
    parents = np.where(figure.parents >= 0, figure.parents + count, count - 1)
    return replace(
        figure,
        names=(*names, *figure.names),
        parents=np.concatenate([np.arange(-1, count - 1), parents]).astype(np.int32),
        rest=np.concatenate([whole.rest[bones], figure.rest]),
        lengths=np.concatenate([whole.lengths[bones], figure.lengths]),
        modes=(*(whole.modes[bone] for bone in bones), *figure.modes),
        hinged=np.zeros(count + len(figure), bool),
        unturned=np.zeros(count + len(figure), bool),
        fixed=np.zeros(count + len(figure), bool),
        locked=np.zeros((count + len(figure), 3), bool),
    )


def _ground(obj: bpy.types.Object, first: str) -> str:
    """The one control on which all of the rig hangs, by parents and constraints."""
    bones = armature.pose_bones(obj)
    tops = [name for name in constraints.behind(obj, first) if bones[name].parent is None]
    controls = _without_hidden(tops)
    return controls[0] if len(controls) == 1 and controls[0] != first else ""


def _without_hidden(names: Sequence[str]) -> list[str]:
    return [name for name, read in zip(names, read_names(names), strict=True) if HIDDEN.isdisjoint(read.tokens)]


def _hub(obj: bpy.types.Object, first: str, names: Collection[str]) -> str:
    """The nearest control that the first one is below, and nearly all of them."""
    bones = armature.pose_bones(obj)
    above = [each.name for each in (bones[first], *bones[first].parent_recursive)]
    below = [{each.name for each in (bones[name], *bones[name].parent_recursive)} for name in names]
    return next((name for name in _without_hidden(above) if sum(name in each for each in below) > _NEARLY_ALL * len(below)), "")
