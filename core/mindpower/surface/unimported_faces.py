"""Faces of a mesh file that never came into Blender: they go back into the file with what was edited."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...reporting import log
from ...surface.holdable import faces_of
from ..files.mesh.geometry import Geometry
from ..files.mesh.lgo import Lgo
from .welded import Triangles

_SAME = 1e-5
"""Within this distance a vertex is where it was, in game units."""


def with_left_out(triangles: Triangles, original: Lgo) -> Triangles:
    """With the faces of the file that Blender cannot hold, on their vertices as these are now.

    Where vertices were added or deleted, they are known by where they stand; faces whose vertices are gone, or never were there, are left
    out, which is warned of.
    """
    mesh = original.mesh
    if mesh is None or not len(lost := _left_out(mesh)):
        return triangles
    nowhere = (mesh.triangles[lost] >= len(mesh.positions)).any(axis=1)
    if nowhere.any():
        log.warning(f"{int(nowhere.sum())} faces of the file are not written: they name vertices that it does not have")
        lost = lost[~nowhere]
    corners = _present(triangles.points, mesh.positions.astype(np.float64))[mesh.triangles[lost]]
    there = (corners >= 0).all(axis=1)
    if not there.all():
        log.warning(f"{int((~there).sum())} faces of the file that Blender cannot hold are not written: their vertices are gone")
    return _joined(triangles, mesh, lost[there], corners[there])


def _left_out(mesh: Geometry) -> NDArray[np.int64]:
    """Those that the game draws."""
    count = len(mesh.triangles)
    with log.collect():
        held = faces_of(len(mesh.positions), np.arange(count) * 3, np.full(count, 3), mesh.triangles.ravel(), None)
    return np.setdiff1d(np.flatnonzero(mesh.draws), held.faces)


def _present(points: NDArray[np.float64], before: NDArray[np.float64]) -> NDArray[np.int64]:
    """(V,) for each vertex of the file the one that it is now, -1 for none."""
    if len(points) == len(before):
        return np.arange(len(before))
    cells = np.round(np.concatenate([points, before]) / _SAME)
    _, inverse = np.unique(cells, axis=0, return_inverse=True)
    known = np.full(int(inverse.max(initial=0)) + 1, -1, np.int64)
    known[inverse.ravel()[: len(points)]] = np.arange(len(points))
    return known[inverse.ravel()[len(points) :]]


def _joined(triangles: Triangles, mesh: Geometry, faces: NDArray[np.int64], corners: NDArray[np.int64]) -> Triangles:
    vertices = mesh.triangles[faces]
    normals = mesh.normals if mesh.normals is not None else np.zeros((len(mesh.positions), 3))
    sets = [mesh.uvs[index] if index < len(mesh.uvs) else np.zeros((len(mesh.positions), 2)) for index in range(len(triangles.uvs))]
    colours = mesh.colours if mesh.colours is not None else np.full((len(mesh.positions), 4), 255, np.uint8)

    def both(now: NDArray[Any], more: NDArray[Any], axis: int = 0) -> NDArray[Any]:
        return np.concatenate([now, more.astype(now.dtype)], axis=axis)

    return replace(
        triangles,
        corners=both(triangles.corners, corners),
        normals=both(triangles.normals, normals[vertices]),
        uvs=both(triangles.uvs, np.stack([uvs[vertices] for uvs in sets]), axis=1),
        materials=both(triangles.materials, mesh.triangle_subsets[faces]),
        colours=None if triangles.colours is None else both(triangles.colours, colours[vertices]),
    )
