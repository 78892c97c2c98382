"""Figures with several bones without a parent: legs beside a trunk, or every bone by itself, as files have them that keep no hierarchy.
They are mapped as if each part hung on the nearest of the others that can carry it. Or two skeletons stand beside each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..figures.figure import Figure
from .naming.names import Name, read_names

_MOST = 0.8
"""Of all bones: what hangs together of a figure that is no loose one; props and targets of IK stand beside it. Only what is surely a part
of the body that it lacks, such as its head, belongs to it."""

_SURE = 0.5
"""How well a name says at least which part of the body a bone is."""

_HELPER = 0.25
"""What the name of a helper leaves of it at most: helpers carry no other part."""


def joined(figure: Figure) -> Figure | None:
    """The figure with one root. It begins at the part that is called hips best, of those that are of no side; then always the part that is
    nearest to what hangs together hangs on what it is nearest to: one of a side on the middle or on the same side, one of none on the
    middle, none on what carries the hips, which may be on the ground. Helpers come last. None for a figure that hangs together."""
    roots: list[int] = np.flatnonzero(figure.parents < 0).tolist()
    if len(roots) < 2:
        return None
    parts = {root: list(figure.below(root)) for root in roots}
    names = read_names(figure.names)
    sides = _sides(figure, names)
    start = max(roots, key=lambda root: (not sides[root], names[root].parts.get("hips", 0.0), len(parts[root])))
    others = [root for root in roots if root != start]
    most = max(roots, key=lambda root: len(parts[root]))
    if len(parts[most]) >= _MOST * len(figure):
        start, others = most, _lacking(most, parts, names, sides)
    if not others:
        return None
    parents = figure.parents.copy()
    rest = np.array(others)
    late = np.array([names[root].doubt <= _HELPER for root in others])
    nearest, hung_on, waits = np.full(len(rest), np.inf), np.full(len(rest), start), np.ones(len(rest), bool)
    inside = _but_for_carriers(figure, parts[start], names)
    while waits.any():
        apart = np.linalg.norm(figure.heads[rest, None] - figure.heads[inside], axis=-1)
        apart[(sides[inside] != "") & (sides[inside] != sides[rest, None])] = np.inf
        closest = apart.argmin(axis=1)
        apart = apart[np.arange(len(rest)), closest]
        hung_on = np.where(apart < nearest, np.array(inside)[closest], hung_on)
        nearest = np.minimum(apart, nearest)
        some = np.flatnonzero(waits & ~late if (waits & ~late).any() else waits)
        part = int(some[nearest[some].argmin()])
        waits[part], root = False, others[part]
        parents[root], inside = hung_on[part], list(parts[root])
    return _parents_first(figure, parents.tolist())


def _but_for_carriers(figure: Figure, bones: list[int], names: list[Name]) -> list[int]:
    """Some bones without those that carry what is called hips there."""
    hips = max(bones, key=lambda bone: names[bone].parts.get("hips", 0.0))
    above, carriers = int(figure.parents[hips]), set[int]()
    while above >= 0 and names[hips].parts.get("hips", 0.0) >= _SURE:
        carriers.add(above)
        above = int(figure.parents[above])
    return [bone for bone in bones if bone not in carriers]


def _lacking(most: int, parts: dict[int, list[int]], names: list[Name], sides: NDArray[np.str_]) -> list[int]:
    """The roots of those parts in which a bone is by its name what none is of the part with `most` bones."""
    said = {
        root: {(part, sides[bone]) for bone in bones for part, score in names[bone].parts.items() if part != "root" and score >= _SURE}
        for root, bones in parts.items()
    }
    return [root for root, own in said.items() if own - said[most]]


def _sides(figure: Figure, names: list[Name]) -> NDArray[np.str_]:
    """(B,) of every bone: as its name says, else that of what it hangs on."""
    sides: list[str] = [name.side for name in names]
    for bone, parent in enumerate(figure.parents.tolist()):
        sides[bone] = sides[bone] or (sides[parent] if parent >= 0 else "")
    return np.array(sides)


def parts_of(figure: Figure) -> list[Figure]:
    """What hangs on each root, by itself; none of a figure with one root."""
    roots = np.flatnonzero(figure.parents < 0).tolist()
    return [_with(figure, sorted(figure.below(root)), figure.parents.tolist()) for root in roots] if len(roots) > 1 else []


def without(figure: Figure, others: Iterable[Figure]) -> Figure:
    """The figure but for some of its parts."""
    gone = {name for other in others for name in other.names}
    return _with(figure, [bone for bone, name in enumerate(figure.names) if name not in gone], figure.parents.tolist()) if gone else figure


def _parents_first(figure: Figure, parents: list[int]) -> Figure:
    """The figure with other parents, in an order in which these come first."""
    order, children = list[int](), defaultdict[int, list[int]](list)
    for bone, parent in enumerate(parents):
        (children[parent] if parent >= 0 else order).append(bone)
    for bone in order:
        order += children[bone]
    return _with(figure, order, parents)


def _with(figure: Figure, bones: list[int], parents: list[int]) -> Figure:
    """Some bones of a figure, in another order. parents: of all of its bones."""
    at = {bone: position for position, bone in enumerate(bones)}
    each = {name: getattr(figure, name)[bones] for name in ("rest", "lengths", "hinged", "unturned", "fixed", "locked")}
    return replace(
        figure,
        names=tuple(figure.names[bone] for bone in bones),
        parents=np.array([at.get(parents[bone], -1) for bone in bones], np.int32),
        modes=tuple(figure.modes[bone] for bone in bones),
        sole_points=np.zeros((0, 3)),
        sole_weights=np.zeros((0, 0)),
        **each,
    )
