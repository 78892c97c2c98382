"""Directions and lengths of vectors (..., 3), as whole arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .rotation_matrix import Floats

UP = np.array([0.0, 0.0, 1.0])
"""The upward axis of Blender's world."""
UP.setflags(write=False)


def lengths(vectors: Floats) -> Floats:
    return np.sqrt(np.einsum("...i,...i->...", vectors, vectors))


def unit(vectors: Floats) -> Floats:
    """Vectors of length 1 in the same directions; 0 where there is none."""
    return vectors / np.maximum(lengths(vectors), 1e-30)[..., None]


def cross(first: Floats, second: Floats) -> Floats:
    """(N, 3) of vectors (N, 3) as `np.cross`, which takes three times as long for a few."""
    (x, y, z), (u, v, w) = first.T, second.T
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=1)


def angle_between(first: Floats, second: Floats) -> Floats:
    """(...) radians between vectors (..., 3) of any length, exact also for small angles; 0 where one of them has no length."""
    x, y, z = first[..., 0], first[..., 1], first[..., 2]
    a, b, c = second[..., 0], second[..., 1], second[..., 2]
    squared = (y * c - z * b) ** 2 + (z * a - x * c) ** 2 + (x * b - y * a) ** 2
    return np.arctan2(np.sqrt(squared), x * a + y * b + z * c + 0.0)  # of minus zero it would be half a circle


def face_normals(triangles: Floats) -> Floats:
    """(T, 3) out of triangles (T, 3, 3) whose corners come counter-clockwise, twice as long as their areas."""
    return cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])


def smooth_normals(points: Floats, triangles: NDArray[np.int64]) -> Floats:
    """(V, 3) of a smooth surface at points (V, 3), as Blender has them: of its triangles (T, 3), the more, the wider their angles there."""
    corners = points[triangles]
    normals = unit(face_normals(corners))
    angles = angle_between(np.roll(corners, -1, axis=1) - corners, np.roll(corners, 1, axis=1) - corners)
    sums = np.zeros_like(points)
    np.add.at(sums, triangles, normals[:, None] * angles[:, :, None])
    return unit(sums)
