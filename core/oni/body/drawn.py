"""What somebody made of a bone's mesh, as the points that a file has: each with one normal and one pair of texture coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.directions import unit
from ...motion.rotations.rotation_matrix import Floats
from .geometry import Piece

Ints = NDArray[np.int64]

WITHIN = 5e-5
"""Game units within which a point is where the file has it."""

UV = 2e-5
"""Shares of a texture within which coordinates are those of the file."""

BENT = float(np.cos(np.radians(2)))
"""Of a normal that is clearly another one: Blender keeps normals as angles from those around them."""

_GRID = 1e4
"""Steps of texture coordinates and normals within which corners of a vertex are one point."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """positions: (V, 3) in the bone's axes, game units. numbers: (V,) which point of the file's mesh each is, -1 for a new one. triangles:
    (T, 3) vertices, counter-clockwise. face_numbers: (T,) which triangle of the file's mesh (of `Piece.triangles`) each is, -1 for a new
    one. normals: (T, 3, 3) and uvs: (T, 3, 2), v downwards, of each corner. texture: name of a TXMP, None for what the file has."""

    positions: Floats
    numbers: Ints
    triangles: Ints
    face_numbers: Ints
    normals: Floats
    uvs: Floats
    texture: str | None = None


@dataclass(frozen=True, eq=False)
class Points:
    """positions, normals: (P, 3), uvs: (P, 2), single precision. source: (P,) the point of the file that each is, -1 for a new one.
    vertex: (P,) the same, and of a new one at the vertex of one of the file that one. moved: (P,) whether it is elsewhere than that in the
    file, or at no vertex of it. triangles: (T, 3) points."""

    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    uvs: NDArray[np.float32]
    source: Ints
    vertex: Ints
    moved: NDArray[np.bool_]
    triangles: Ints

    @property
    def whole(self) -> bool:
        """Whether they are the points of the file, in their order, and no others."""
        return bool(np.array_equal(self.source, np.arange(len(self.source))))


def points_of(drawn: Drawn, before: Piece | None, fresh: bool = False) -> Points:
    """One point for each vertex, and more where its corners differ. Points of the file come first, in its order; what is as in the file
    keeps its bits, its normals anyway. before: the file's mesh, None where the bone has none. fresh: normals are those that are shown."""
    known = drawn.numbers if before is not None else np.full(len(drawn.numbers), -1)
    corners = drawn.triangles.reshape(-1)
    normals, uvs = unit(drawn.normals.reshape(-1, 3)), drawn.uvs.reshape(-1, 2)
    number = known[corners]
    same_uv, same_normal = _as_before(number, uvs, normals, before, fresh)
    normals, uvs = _with_bits(number, uvs, normals, same_uv, same_normal, before)
    keys = np.column_stack([corners, np.rint(uvs * _GRID), np.rint(normals * _GRID)]).astype(np.int64)
    _, first, variant, size = np.unique(keys, axis=0, return_index=True, return_inverse=True, return_counts=True)
    variant = variant.ravel()
    vertex = corners[first]
    # Of the variants of a vertex of the file one is its point: the one that is as the file has it, else the most frequent.
    rank = np.lexsort((first, -size, ~(same_uv & same_normal)[first], vertex))
    leads = np.zeros(len(first), bool)
    leads[rank[np.unique(vertex[rank], return_index=True)[1]]] = True
    source = np.where(leads, known[vertex], -1)
    alone = np.setdiff1d(np.flatnonzero(known >= 0), vertex)  # points of the file that no face uses stay
    source = np.concatenate([source, known[alone]])
    vertices = np.concatenate([vertex, alone])
    order = np.lexsort((np.concatenate([first, np.full(len(alone), len(corners))]), np.where(source >= 0, source, 1 << 40)))
    index_of = np.empty(len(order), np.int64)
    index_of[order] = np.arange(len(order))
    positions, moved = _positions(drawn, known, vertices, before)
    own_normals = np.concatenate([normals[first], before.normals[known[alone]] if before is not None else np.zeros((0, 3))])
    own_uvs = np.concatenate([uvs[first], before.uvs[known[alone]] if before is not None else np.zeros((0, 2))])
    return Points(
        positions[order].astype(np.float32),
        own_normals[order].astype(np.float32),
        own_uvs[order].astype(np.float32),
        source[order],
        known[vertices][order],
        moved[order],
        index_of[variant].reshape(-1, 3),
    )


def _as_before(
    number: Ints, uvs: Floats, normals: Floats, before: Piece | None, fresh: bool
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(C,) whether corners have the file's coordinates, and its normals."""
    if before is None or not len(before.points):
        return np.zeros(len(number), bool), np.zeros(len(number), bool)
    at, known = number.clip(0), number >= 0
    same_uv = known & (np.abs(uvs - before.uvs[at]).max(axis=1) <= UV)
    if not fresh:
        return same_uv, known
    return same_uv, known & (np.einsum("ij,ij->i", normals, unit(before.normals[at])) >= BENT)


def _with_bits(
    number: Ints, uvs: Floats, normals: Floats, same_uv: NDArray[np.bool_], same_normal: NDArray[np.bool_], before: Piece | None
) -> tuple[Floats, Floats]:
    if before is None or not len(before.points):
        return normals, uvs
    at = number.clip(0)
    return np.where(same_normal[:, None], before.normals[at], normals), np.where(same_uv[:, None], before.uvs[at], uvs)


def _positions(drawn: Drawn, known: Ints, vertices: Ints, before: Piece | None) -> tuple[Floats, NDArray[np.bool_]]:
    now, number = drawn.positions[vertices], known[vertices]
    if before is None or not len(before.points):
        return now, np.ones(len(vertices), bool)
    old = before.points[number.clip(0)]
    stays = (number >= 0) & (np.abs(now - old).max(axis=1, initial=0) <= WITHIN)
    return np.where(stays[:, None], old, now), ~stays
