"""Bones at the tips of limbs that may be no joints but mere ends, as some programs add one behind each last bone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...figures.figure import Figure
from ..naming.names import Name
from .body import Body, bodies
from .parts import MIDDLE

_STRAIGHT = 1 - 1e-4
"""The cosine from which on a bone continues the one before exactly."""


@dataclass(frozen=True, eq=False)
class Side:
    """One of two figures that are laid on each other: its bodies and names, and which bones of the whole figure its bones are."""

    bodies: Sequence[Body]
    names: Sequence[Name]
    bones: Sequence[int]

    @classmethod
    def whole(cls, of: Sequence[Body], names: Sequence[Name]) -> Side:
        return cls(of, names, range(len(of[0].figure)))


def without_ends(whole: Side) -> Side | None:
    """A figure without what may be mere ends, their places being the tips of the bones before; None where nothing may be."""
    figure, ends = whole.bodies[0].figure, _may_be_ends(whole.bodies[0])
    if not ends:
        return None
    kept = [bone for bone in range(len(figure)) if bone not in ends]
    number = {-1: -1} | {bone: row for row, bone in enumerate(kept)}
    parents = np.array([number[int(figure.parents[bone])] for bone in kept], np.int32)
    less = Figure(
        tuple(figure.names[bone] for bone in kept), parents, figure.rest[kept], figure.lengths[kept], figure.world, left=figure.left
    )
    names = [whole.names[bone] for bone in kept]
    of = [body for body in bodies(less, [name.side for name in names]) if not body.rotated]
    return Side(of, names, kept)


def _may_be_ends(body: Body) -> set[int]:
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
        tips = {bone for bone in tips if float(along[bone] @ along[figure.parents[bone]]) > _STRAIGHT}
    return tips
