"""What each bone of one figure is: names and structure weighed together, limb by limb, the trunk between them, fingers and face."""

from __future__ import annotations

from collections.abc import Sequence

from ...anatomy.structure import Structure
from ...figures.figure import Figure
from ...figures.roles import SIDES
from ..naming.names import Side, other, read_names
from ..naming.selection import select
from .ankles import label_feet
from .assignment import best_limb
from .divided_limbs import label_divided
from .evidence import Evidence, Labels
from .hands import label_face, label_fingers
from .trunk import label_trunk

ARM = ("Shoulder", "UpperArm", "LowerArm", "Hand")
LEG = ("UpperLeg", "LowerLeg", "Foot", "Toes")
_MISSING = {"Shoulder": 0.0, "UpperArm": 0.5, "LowerArm": 0.5, "Hand": 0.2, "UpperLeg": 0.5, "LowerLeg": 0.5, "Foot": 0.2, "Toes": 0.0}

_BY_POSITION = 0.45
"""The weight of the structure beside a name's."""

_EXCHANGED = 0.6
"""The confidence of limbs whose names call left what feet and knees surely show to be right."""


def label(figure: Figure, controls: bool = False) -> Labels:
    """The roles of a figure's bones. controls: of a rig in layers, those of the controls instead of the deform bones."""
    names = read_names(figure.names)
    evidence = Evidence(figure, select(figure, names, controls), names)
    if evidence.structure is not None:
        _take_positions(evidence, evidence.structure)
    for side in SIDES:
        _label_limb(evidence, side, LEG)
        _label_limb(evidence, side, ARM)
        for parts in (LEG[:3], ARM[1:]):
            label_divided(evidence, side, parts)
    label_feet(evidence)
    _uncross(evidence.result)
    if evidence.exchanged:
        _doubt_sides(evidence)
    label_trunk(evidence)
    for side in SIDES:
        label_fingers(evidence, side)
    label_face(evidence)
    evidence.result.sides = _all_sides(figure, evidence.result)
    return evidence.result


def _take_positions(evidence: Evidence, structure: Structure) -> None:
    """Take the structure's roles over, with left and right as the names have them."""
    evidence.result.directions = (structure.left, structure.up, structure.forward)
    legs, arms = (_swapped(evidence, structure, kind) for kind in (LEG, ARM))
    evidence.exchanged = legs is True and arms is not False and structure.sides_sure >= 1
    swapped = {LEG: arms if legs is None else legs, ARM: legs if arms is None else arms}
    for role, bone in structure.roles.items():
        wanted = role
        for kind, swap in swapped.items():
            for side in SIDES:
                if swap and role.startswith(side) and role[len(side) :] in kind:
                    wanted = other(side) + role[len(side) :]
        evidence.positions[wanted] = (bone, structure.confidence[role])


def _doubt_sides(evidence: Evidence) -> None:
    """Doubt all limbs of a figure whose names may be those of one who is looked at, not its own."""
    for role in [side + part for side in SIDES for part in (*ARM, *LEG)]:
        if role in evidence.result.roles:
            evidence.doubt(role, _EXCHANGED, "names may exchange left and right: feet and knees point the other way")


def _swapped(evidence: Evidence, structure: Structure, kind: Sequence[str]) -> bool | None:
    """Whether the names call the structure's left limbs right; None where they do not show it."""
    vote = 0
    for side in SIDES:
        for part in kind:
            bone = structure.roles.get(side + part, -1)
            if bone >= 0 and evidence.names[bone].side:
                vote += 1 if evidence.names[bone].side == side else -1
    return None if vote == 0 else vote < 0


def _label_limb(evidence: Evidence, side: Side, parts: Sequence[str]) -> None:
    """One limb as one assignment."""
    scores = _scores(evidence, side, parts)
    chosen = best_limb(evidence.tree, scores, [_MISSING[part] for part in parts])[1]
    if sum(bone >= 0 for bone in chosen) < 2:
        return
    for part, bone in zip(parts, chosen, strict=True):
        if bone >= 0:
            evidence.give(side + part, bone, evidence.named(bone, part))


def _scores(evidence: Evidence, side: Side, parts: Sequence[str]) -> list[list[float]]:
    """(N, K) name and position together. A name that is less clear than the clearest of its side counts for less again, and one of
    the other side rules a bone out."""
    nothing = [0.0] * len(parts)
    named = [[name.parts.get(part, 0.0) for part in parts] if name.side == side else nothing for name in evidence.names]
    most = [max(column) for column in zip(*named, strict=True)] or nothing
    scores = [row if row is nothing else [max(0.0, 2 * one - best) for one, best in zip(row, most, strict=True)] for row in named]
    for column, part in enumerate(parts):
        bone, sure = evidence.positions.get(side + part, (-1, 0.0))
        if bone >= 0 and evidence.names[bone].side != other(side):
            scores[bone] = [*scores[bone][:column], scores[bone][column] + _BY_POSITION * sure, *scores[bone][column + 1 :]]
    return scores


def _uncross(result: Labels) -> None:
    """No bone on both sides: what both claim belongs to neither."""
    for part in (*ARM, *LEG):
        left, right = result.roles.get("left" + part), result.roles.get("right" + part)
        if left is not None and left == right:
            result.drop("left" + part)
            result.drop("right" + part)


def _all_sides(figure: Figure, result: Labels) -> tuple[Side, ...]:
    """Of every bone of the figure: by its name, else that of the limb it hangs on."""
    sides: list[Side] = [name.side for name in result.names]
    for role, bone in result.roles.items():
        for side in SIDES:
            if role.startswith(side):
                sides[bone] = side
    return _with_limbs(figure, sides)


def named_sides(figure: Figure, labels: Labels) -> tuple[Side, ...]:
    """Of every bone: as its name says, else that of the bone it hangs on; "" where none says."""
    return _with_limbs(figure, [name.side for name in labels.names])


def _with_limbs(figure: Figure, sides: list[Side]) -> tuple[Side, ...]:
    """With the side of what it hangs on for each bone that has none."""
    for bone, parent in enumerate(figure.parents.tolist()):
        if not sides[bone] and parent >= 0:
            sides[bone] = sides[parent]
    return tuple(sides)
