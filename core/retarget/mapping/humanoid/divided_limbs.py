"""Limbs whose long bones are divided to share their twist, by bones of one name that are but numbered: where their joints are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf, log

from ..naming.names import Side
from .evidence import Evidence

_FEWEST = 5
"""Bones of one name along a limb, its end among them, of which some divide others."""

_EVEN, _RATIO = 0.15, 0.35
"""How far, in proportion, the parts of one long bone differ; and how far thigh and shin, or both parts of an arm, do."""

_CLEAR = 1.0
"""By how much the best joint must fit better than any other."""

_ENDS = {"end", "tip", "eff"}
_SURE, _DOUBTFUL = 0.85, 0.5


def label_divided(evidence: Evidence, side: Side, parts: Sequence[str]) -> None:
    """Give the limb's first bone, its middle joint and its end to the first bone of one name, the last, and the one between them at which
    all parts of the upper and all parts of the lower long bone are alike. parts: of the limb, from the shoulder or thigh on."""
    upper, lower, end = (side + part for part in parts)
    at, last = evidence.bone(lower), evidence.bone(end)
    path = _of_one_name(evidence, at) if at >= 0 and any(evidence.named(at, part) for part in parts) else []
    if not path:
        return
    beyond, ends = last in evidence.tree.children[path[-1]], not _ENDS.isdisjoint(evidence.names[path[-1]].tokens)
    if beyond and not ends:
        path.append(last)
    if len(path) < _FEWEST or evidence.bone(upper) not in path:
        return
    if last not in path and not (ends and (beyond or end not in evidence.result.roles)):
        return
    steps = [evidence.tree.distance(a, b) for a, b in pairwise(path)]
    costs = sorted((_cost(steps, joint), joint) for joint in range(1, len(steps)))
    fits = costs[0][0] < _CLEAR
    is_clear = costs[1][0] - costs[0][0] > _CLEAR if fits else path[0] in (evidence.bone(upper), evidence.bone(side + "Shoulder"))
    if fits:
        for role, bone in ((upper, path[0]), (lower, path[costs[0][1]]), (end, path[-1])):
            part = role.removeprefix(side)
            evidence.give(role, bone, evidence.named(bone, part), _SURE)
        if beyond and ends and end.endswith("Foot"):  # what is called foot is its ball
            if side + "Toes" in evidence.result.roles:
                evidence.result.drop(side + "Toes")
            evidence.give(side + "Toes", last, evidence.named(last, "Toes"), _SURE)
    if not is_clear:
        for role in {upper, lower, end} & evidence.result.roles.keys():
            evidence.doubt(role, _DOUBTFUL, "bones divide this limb, and nothing shows for certain which of them is its joint")


def _of_one_name(evidence: Evidence, bone: int) -> list[int]:
    """The bones above and below that have the name of this one but for numbers and what says that it is an end, from above."""
    tree, wanted = evidence.tree, _called(evidence, bone)
    path = [bone]
    while tree.parents[path[0]] >= 0 and _called(evidence, tree.parents[path[0]]) == wanted:
        path.insert(0, tree.parents[path[0]])
    while len(below := [child for child in tree.children[path[-1]] if _called(evidence, child) == wanted]) == 1:
        path += below
    return path if all(evidence.names[one].numbers or evidence.names[one].copy >= 0 for one in path) else []


def _called(evidence: Evidence, bone: int) -> tuple[Side, tuple[str, ...]]:
    name = evidence.names[bone]
    return name.side, tuple(token for token in name.tokens if token not in _ENDS)


def _cost(steps: Sequence[float], joint: int) -> float:
    """How unlike a limb it is whose middle joint is behind so many steps: parts of one long bone are alike, both bones about as long."""
    upper, lower = steps[:joint], steps[joint:]
    if min(steps) <= 0:
        return inf
    uneven = max(log(max(part) / min(part)) for part in (upper, lower)) / _EVEN
    return (uneven / 2) ** 2 + (log(sum(upper) / sum(lower)) / _RATIO) ** 2
