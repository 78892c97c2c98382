"""Left for right: rotations and positions reflected in the plane between the sides of the body, and handed to the bones of the other side.

Reflected are rotations away from the aligned reference pose, in the world, so that no convention of roll is needed. So is the source's
reference pose with which the target is aligned: one that is not the same on both sides is the other way round there, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from ...motion.rotations.rotation_matrix import Floats
from ..figures.columns import Columns
from ..figures.motion import Motion
from ..figures.roles import other_side
from ..mapping.naming.names import read_names
from .binding import Binding

_WORD, _SIDE = re.compile(r"[^\W\d_]+"), re.compile("^(?:left|right)|(?:left|right)$|^[lr]$", re.IGNORECASE)
_BESIDE = 0.02
"""Of a figure's extent: how far from its middle what is on one of its sides is at least."""

_SWAPPED = {"left": "right", "right": "left", "l": "r", "r": "l"}


def partners(binding: Binding) -> list[int]:
    """(T,) for each follower the row of the one on the other side, by role, else by the target bone's name; itself where there is none."""
    result: list[int] = []
    for row, follower in enumerate(binding.followers):
        if follower.role:
            result.append(binding.roles.get(other_side(follower.role), row))
        else:
            partner = binding.target.index.get(other_name(binding.named(row)), -1)
            result.append(binding.row.get(partner, row))
    return result


def alone(binding: Binding, lateral: Floats) -> list[int]:
    """The rows of followers that have no other side, but are no part of the middle: by their roles, and without one by where they are in
    the target. lateral: (3,) across it."""
    heads = binding.target.heads
    across = (heads - heads[binding.followers[binding.hips].target]) @ lateral
    beside = np.abs(across) > _BESIDE * np.ptp(heads, axis=0).max()
    return [
        row
        for row, (other, each) in enumerate(zip(partners(binding), binding.followers, strict=True))
        if row == other and (other_side(each.role) != each.role if each.role else beside[each.target])
    ]


def other_name(name: str) -> str:
    """A bone's name with left and right exchanged, also where they are only L and R set apart; the letters' case is kept. A word that
    merely ends in one of them, as cleft does, is no side."""

    def swapped(match: re.Match[str]) -> str:
        text = match[0]
        other = _SWAPPED[text.lower()]
        return other.upper() if text.isupper() else other.capitalize() if text[0].isupper() else other

    def exchanged(match: re.Match[str]) -> str:
        return _SIDE.sub(swapped, match[0]) if read_names([match[0]])[0].side else match[0]

    return _WORD.sub(exchanged, name)


def reflect_rotations(rotations: Floats, normal: Floats) -> Floats:
    """Rotations (..., 4) as a mirror with the unit normal (3,) shows them: the axis, which is no true vector, keeps its part along it."""
    axis = rotations[..., 1:]
    along = np.einsum("...i,i->...", axis, normal)[..., None]
    return np.concatenate([rotations[..., :1], 2 * along * normal - axis], axis=-1)


def reflect_vectors(vectors: Floats, normal: Floats) -> Floats:
    """Vectors (..., 3) in the mirror."""
    return vectors - 2 * np.einsum("...i,i->...", vectors, normal)[..., None] * normal


@dataclass(frozen=True, eq=False)
class Mirror:
    """The source as a mirror shows it, or without one as it is. normal, lateral: (3,) across the source's world and the target's, None
    without one."""

    normal: Floats | None
    lateral: Floats | None

    def binding(self, binding: Binding) -> Binding:
        """In its reference pose: each bone of the target follows what that of the other side follows; what is beside the middle and has no
        other side is as it was, on the one above it."""
        if self.normal is None or self.lateral is None:
            return binding
        leads = [binding.followers[row] for row in partners(binding)]
        anchors = [reflect_vectors(lead.anchor, self.normal) for lead in leads]
        heads, tails = reflect_vectors(binding.heads, self.normal), reflect_vectors(binding.tails, self.normal)
        for row in alone(binding, self.lateral):
            own, above = binding.followers[row], int(binding.above[row])
            above = above if above >= 0 else binding.hips
            moved = anchors[above] - binding.followers[above].anchor
            anchors[row] = own.anchor + moved
            heads[own.source], tails[own.source] = binding.heads[own.source] + moved, binding.tails[own.source] + moved
        followers = [
            replace(each, source=lead.source, anchor=anchor) for each, lead, anchor in zip(binding.followers, leads, anchors, strict=True)
        ]
        return replace(binding, followers=tuple(followers), heads=heads, tails=tails)

    def motion(self, motion: Motion) -> Motion:
        """Bone by bone of the source, each once it is asked for: few of a large figure's are."""
        if (normal := self.normal) is None:
            return motion
        count, bones = motion.rotations.shape[:2]
        rotations = Columns((count, bones, 4), lambda bone: reflect_rotations(motion.rotations[:, bone], normal))
        positions = Columns((count, bones, 3), lambda bone: reflect_vectors(motion.positions[:, bone], normal))
        return replace(motion, rotations=cast(Floats, rotations), positions=cast(Floats, positions))

    def rotations(self, rotations: Floats) -> Floats:
        """rotations: (..., 4) in the source's world."""
        return rotations if self.normal is None else reflect_rotations(rotations, self.normal)

    def rows(self, binding: Binding, rows: Collection[int]) -> frozenset[int]:
        """Those that lead some rows of followers."""
        leads = range(len(binding)) if self.normal is None else partners(binding)
        return frozenset(leads[row] for row in rows)

    def by_role(self, vectors: Mapping[str, Floats]) -> dict[str, Floats]:
        """vectors: by role (3,) in the source's world."""
        if self.normal is None:
            return dict(vectors)
        return {other_side(role): reflect_vectors(vector, self.normal) for role, vector in vectors.items()}

    def by_row(self, binding: Binding, rotations: Mapping[int, Floats]) -> dict[int, Floats]:
        """rotations: by row of a follower (4,) in the source's world."""
        if self.normal is None:
            return dict(rotations)
        rows = partners(binding)
        return {rows[row]: self.rotations(rotation) for row, rotation in rotations.items()}
