"""Triangles of a mesh file that the game does not draw, or draws several times: Blender shows each once, and keeps a mark on them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...reporting import log
from ...reporting.labels import counted
from ..files.mesh.geometry import Geometry
from .welded import Triangles

UNDRAWN, AGAIN = "mindpower_undrawn", "mindpower_drawn_again"
"""Attributes of faces, true for those that the file does not have drawn, and for those that it has drawn in several parts. As they are
truth values, Blender can select by them."""

_SAME = 1e-5
"""Within this distance points are one, in game units."""


def marks_of(mesh: Geometry) -> dict[str, NDArray[np.bool_]]:
    """(T,) each of the attributes that is true for a triangle."""
    draws = mesh.draws
    marks = {UNDRAWN: draws == 0, AGAIN: draws > 1}
    return {name: values for name, values in marks.items() if values.any()}


def report(triangles: Triangles, undrawn: NDArray[np.bool_], again: NDArray[np.bool_]) -> None:
    """Say what of that a mesh that is written anew has otherwise: it draws each triangle once. undrawn, again: (T,) the marks."""
    if count := int(np.count_nonzero(undrawn)):
        one = count == 1
        log.warning(
            f"{counted(count, 'triangle')} that the game did not draw {'is' if one else 'are'} drawn now: delete {'it' if one else 'them'} "
            f"first, which Select > By Attribute selects while {UNDRAWN} is the active attribute"
        )
    if count := int(np.count_nonzero(_alone(triangles, again))):
        one = count == 1
        log.warning(
            f"{counted(count, 'triangle')} that the game drew in several parts {'is' if one else 'are'} drawn once now: duplicate "
            f"{'it' if one else 'them'}, and give the copy the material of the other part; Select > By Attribute selects "
            f"{'it' if one else 'them'} while {AGAIN} is the active attribute"
        )


def _alone(triangles: Triangles, among: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(T,) those of triangles where no other one lies."""
    if not among.any():
        return among
    _, numbers = np.unique(np.round(triangles.points / _SAME), axis=0, return_inverse=True)
    corners = np.sort(numbers.ravel()[triangles.corners], axis=1)
    _, which, counts = np.unique(corners, axis=0, return_inverse=True, return_counts=True)
    return among & (counts[which.ravel()] == 1)
