"""Left for right: rotations and positions reflected in the plane between the sides of the body, and handed to the bones of the other side.

Reflected are rotations away from the aligned reference pose, in the world, so that no convention of roll is needed.
"""

from __future__ import annotations

import re

import numpy as np

from ...motion.rotations.rotation_matrix import Floats
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
