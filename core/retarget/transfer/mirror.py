"""Left for right: rotations and positions reflected in the plane between the sides of the body, and handed to the bones of the other side.

Reflected are rotations away from the aligned reference pose, in the world, so that no convention of roll is needed. So is the source's
reference pose with which the target is aligned: one that is not the same on both sides is the other way round there, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from ..figures.roles import other_side
from ..mapping.naming.names import read_names
from .binding import Binding

_WORD, _SIDE = re.compile(r"[^\W\d_]+"), re.compile("^(?:left|right)|(?:left|right)$|^[lr]$", re.IGNORECASE)
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


@dataclass(frozen=True)
class Mirror:
    """The source as a mirror shows it, or without one as it is. normal: (3,) in the source's world, None without one."""

    normal: Floats | None

    def binding(self, binding: Binding) -> Binding:
        """In its reference pose: each bone of the target follows what that of the other side follows."""
        if self.normal is None:
            return binding
        leads = [binding.followers[row] for row in partners(binding)]
        anchors = [reflect_vectors(lead.anchor, self.normal) for lead in leads]
        followers = [
            replace(each, source=lead.source, anchor=anchor) for each, lead, anchor in zip(binding.followers, leads, anchors, strict=True)
        ]
        heads, tails = reflect_vectors(binding.heads, self.normal), reflect_vectors(binding.tails, self.normal)
        return replace(binding, followers=tuple(followers), heads=heads, tails=tails)

    def motion(self, motion: Motion) -> Motion:
        """Bone by bone of the source."""
        if self.normal is None:
            return motion
        whole = motion.whole()
        return replace(whole, rotations=self.rotations(whole.rotations), positions=reflect_vectors(whole.positions, self.normal))

    def rotations(self, rotations: Floats) -> Floats:
        """rotations: (..., 4) in the source's world."""
        return rotations if self.normal is None else reflect_rotations(rotations, self.normal)

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
