"""Limbs in rows, as legs along a centipede: where one figure has more of them than the other, it does not show which are which."""

from __future__ import annotations

from collections.abc import Sequence

from .body import Body
from .parts import LARGE, LEFT, MIDDLE, limb_of
from .tree_match import TreeMatch

_ROW = 3
"""Limbs that are a row, at least."""

_AS_LONG = 0.6
"""The least part of each other's length of the limbs of a row."""

_AS_LOW = 0.3
"""By how much they differ at most in how far down they reach, of 1: antennae and wings are in no row with legs."""


def of_uneven_rows(match: TreeMatch) -> tuple[set[int], set[int]]:
    """The bones of both, but for those of the right side, of the limbs of a row of which some have none that belongs to them in the other
    figure, and the bones on which these hang."""
    rows = [{limb: _beside(body, limbs, limb) for limb in limbs} for body, limbs in zip((match.one, match.two), match.limbs, strict=True)]
    uneven = set[int](), set[int]()
    for first, row in rows[0].items():
        other = rows[1].get(match.matched.get(first, -1), set[int]())
        if max(len(row), len(other)) >= _ROW and other and (row - match.matched.keys() or other - match.backward.keys()):
            uneven[0].update(row)
            uneven[1].update(other)
    return _bones(match.one, uneven[0]), _bones(match.two, uneven[1])


def _beside(body: Body, limbs: Sequence[int], limb: int) -> set[int]:
    """The limbs that are much like one, of as many joints, about as long and reaching about as far down, itself included; none if it is
    no large one."""
    if body.kinds[limb] != LEFT or body.mass[limb] < LARGE:
        return set()
    return {
        other
        for other in limbs
        if body.kinds[other] == LEFT
        and body.below[other] == body.below[limb]
        and _AS_LONG < body.mass[other] / body.mass[limb] < 1 / _AS_LONG
        and abs(body.reach[other][2] - body.reach[limb][2]) < _AS_LOW
    }


def _bones(body: Body, limbs: set[int]) -> set[int]:
    """All bones of the limbs, and those of the middle on which they hang."""
    first = limb_of(body.kinds, body.figure.parents.tolist()).tolist()
    hubs = {int(body.figure.parents[limb]) for limb in limbs}
    return {bone for bone, kind in enumerate(body.kinds) if bone in hubs or (kind != MIDDLE and first[bone] in limbs)}
