"""The body of our own, for animations without one: 19 bones of plain blocks, as tall as the game's characters."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.directions import face_normals, unit
from ...motion.rotations.rotation_matrix import Floats
from ..motion.rig import PARENTS
from .body import Body
from .geometry import Piece

_LEG = ((-0.35, 0.0, 0.8), (4.0, 0.0, 0.0), (3.9, 0.0, 0.0))
_ARM = ((-0.45, 0.0, 0.5), (1.0, 0.0, 0.1), (2.5, 0.0, 0.0), (2.3, 0.0, 0.0))
_SPINE = ((0.7, 0.0, 0.0), (1.3, 0.0, 0.0), (2.2, 0.0, 0.0), (0.7, 0.1, 0.0))
_LEFT, _RIGHT = (1.0, 1.0, 1.0), (1.0, 1.0, -1.0)

# Of each bone: the near end and the far end of its block along +X, and half the block's size there towards +Y and +Z, with its middle.
_BLOCKS: dict[tuple[int, ...], tuple[tuple[float, ...], tuple[float, ...]]] = {
    (0,): ((-0.7, 0.0, 0.75, 1.2), (0.7, 0.0, 0.6, 0.9)),
    (1, 4): ((-0.1, 0.0, 0.75, 0.7), (4.0, 0.0, 0.5, 0.45)),
    (2, 5): ((0.0, 0.0, 0.5, 0.45), (3.9, 0.0, 0.3, 0.3)),
    (3, 6): ((-0.3, 0.0, 0.35, 0.35), (0.7, 0.5, 1.1, 0.45)),
    (7,): ((0.0, 0.0, 0.6, 0.9), (1.3, 0.0, 0.6, 0.95)),
    (8,): ((0.0, 0.0, 0.6, 0.95), (2.2, 0.0, 0.7, 1.3)),
    (9,): ((0.0, 0.05, 0.35, 0.35), (0.7, 0.1, 0.3, 0.3)),
    (10,): ((0.0, 0.1, 0.6, 0.5), (2.1, 0.0, 0.75, 0.65)),
    (11, 15): ((0.0, 0.0, 0.45, 0.4), (1.0, 0.0, 0.4, 0.35)),
    (12, 16): ((0.0, 0.0, 0.42, 0.38), (2.5, 0.0, 0.3, 0.3)),
    (13, 17): ((0.0, 0.0, 0.32, 0.3), (2.3, 0.0, 0.22, 0.2)),
    (14, 18): ((0.0, 0.0, 0.2, 0.35), (1.5, 0.0, 0.12, 0.3)),
}

_FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
"""Corners (x, y, z as bits, lowest last) of the block's sides, counter-clockwise from outside."""


@lru_cache(maxsize=1)
def mannequin() -> Body:
    """Our own body, always the same one. In its T pose it is about 16 units tall."""
    offsets = np.zeros((19, 3))
    for first, side in ((1, _LEFT), (4, _RIGHT)):
        offsets[first : first + 3] = np.array(_LEG) * side
    for first, side in ((11, _LEFT), (15, _RIGHT)):
        offsets[first : first + 4] = np.array(_ARM) * side
    offsets[7:11] = _SPINE
    pieces: list[Piece | None] = [None] * 19
    for bones, (near, far) in _BLOCKS.items():
        for bone in bones:
            pieces[bone] = block(near, far)
    return Body("", "", np.array(PARENTS, np.int32), offsets, pieces)


def block(near: tuple[float, ...], far: tuple[float, ...]) -> Piece:
    """A block along +X with flat sides. near, far: where it ends, the middle of that end (y), and half its size in y and z."""
    corners = np.array([[end[0], end[1] + y * end[2], z * end[3]] for end in (near, far) for y in (-1, 1) for z in (-1, 1)])
    points = corners[np.array(_FACES)]  # (6 sides, 4 corners, 3): each side has points of its own, so that it is flat
    normals = unit(face_normals(points[:, :3]))
    quads = np.arange(24).reshape(6, 4)
    triangles: NDArray[np.int64] = quads[:, [0, 1, 2, 0, 2, 3]].reshape(12, 3)
    uvs: Floats = np.tile([[0.0, 1], [1, 1], [1, 0], [0, 0]], (6, 1))
    return Piece(points.reshape(24, 3), np.repeat(normals, 4, axis=0), uvs, triangles, np.repeat(normals, 2, axis=0))
