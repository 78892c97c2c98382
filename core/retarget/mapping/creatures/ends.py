"""What may be no joint of a creature: mere ends at the tips of limbs, as some programs add one behind each last bone, and what hangs on the
floor beside the body, as targets of IK do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...figures.figure import Figure
from ..naming.names import Name
from .body import Body, bodies
from .parts import EXACT, MIDDLE, is_on_ground
from .tree_match import TreeMatch

_MOST = 0.6
"""The part of all bones that hang on a root which are the body's at least."""

_SMALL = 0.4
"""Of the longest limb: what is shorter, as ears are, has seldom more joints with one maker than with another, unlike legs."""


@dataclass(frozen=True, eq=False)
class Side:
    """One of two figures that are laid on each other: its bodies and names, and which bones of the whole figure its bones are. lacks_ends:
    whether what may be ends is left out."""

    bodies: Sequence[Body]
    names: Sequence[Name]
    bones: Sequence[int]
    lacks_ends: bool = False

    @classmethod
    def whole(cls, of: Sequence[Body], names: Sequence[Name]) -> Side:
        return cls(of, names, range(len(of[0].figure)))


def without_targets(whole: Side) -> Side:
    """A figure without what hangs beside the body on a root on the ground."""
    targets = _targets(whole.bodies[0].figure)
    return _less(whole, targets) if targets else whole


def may_have_ends(one: Side, two: Side) -> bool:
    """Whether one of two figures may have mere ends which the other has not: of two on as many legs, if each of its own has more joints."""
    joints, others = (side.bodies[0].joints_of_legs() for side in (one, two))
    return len(joints) != len(others) or all(more > less for more, less in zip(joints, others, strict=True))


def without_ends(whole: Side) -> Side | None:
    """A figure without what may be mere ends, their places being the tips of the bones before; None where nothing may be."""
    ends = may_be_ends(whole.bodies[0])
    if not ends:
        return None
    less = _less(whole, ends)
    return replace(less, bodies=[body for body in less.bodies if not body.rotated], lacks_ends=True)


def _less(whole: Side, left_out: set[int]) -> Side:
    figure = whole.bodies[0].figure
    kept = [bone for bone in range(len(figure)) if bone not in left_out]
    number = {-1: -1} | {bone: row for row, bone in enumerate(kept)}
    parents = np.array([number[int(figure.parents[bone])] for bone in kept], np.int32)
    less = Figure(
        tuple(figure.names[bone] for bone in kept), parents, figure.rest[kept], figure.lengths[kept], figure.world, left=figure.left
    )
    names = [whole.names[bone] for bone in kept]
    return Side(bodies(less, [name.side for name in names]), names, [whole.bones[bone] for bone in kept])


def _targets(figure: Figure) -> set[int]:
    """What hangs on a root on the ground beside the one bone on which most hangs, a bone or a row of siblings at most."""
    result: set[int] = set()
    for root, children in enumerate(figure.children):
        if figure.parents[root] < 0 and len(children) > 1:
            body = max(children, key=lambda bone: len(figure.below(bone)))
            beside = [bone for bone in children if bone != body]
            if len(figure.below(body)) > _MOST * len(figure.below(root)) and is_on_ground(figure, root, body):
                result.update(beside, *(figure.children[bone] for bone in beside))
    return result if all(result.issuperset(figure.children[bone]) for bone in result) else set()


def ends_that_show(match: TreeMatch) -> tuple[set[int], set[int]]:
    """Of both figures what may be a mere end, where all that is small shows that it has some: it has a bone more there than the other."""
    starts = [(first, second) for first, second in match.matched.items() if first in match.limbs[0] and second in match.limbs[1]]
    more = [
        int(match.one.below[first] - match.two.below[second])
        for first, second in starts
        if max(match.one.mass[first], match.two.mass[second]) < _SMALL
    ]
    one, two = min(more, default=0) > 0, max(more, default=0) < 0
    return may_be_ends(match.one) if one else set(), may_be_ends(match.two) if two else set()


def may_be_ends(body: Body) -> set[int]:
    """Bones of limbs on which nothing hangs, alone on another one of the limb, and, where it shows where bones end, straight on from it."""
    figure, kinds = body.figure, body.kinds
    tips = {
        bone
        for bone, above in enumerate(figure.parents.tolist())
        if above >= 0 and kinds[bone] != MIDDLE != kinds[above] and figure.children[above] == (bone,) and not figure.children[bone]
    }
    if figure.ends_at_joints:
        along = figure.tails - figure.heads
        along /= np.maximum(np.linalg.norm(along, axis=1), 1e-12)[:, None]
        tips = {bone for bone in tips if float(along[bone] @ along[figure.parents[bone]]) > EXACT}
    return tips
