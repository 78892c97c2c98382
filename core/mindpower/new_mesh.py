"""A mesh file from triangles with weights: vertices made unique, materials as subsets, and at most 25 bones in each mesh's palette."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import log
from ..errors import ExportError
from ..rotation import Floats
from .geometry import BLEND, ELEMENT, ELEMENTS, SUBSET, Geometry, uv_sets
from .lgo import Lgo
from .materials import Materials, new_states

PALETTE = 25
"""Bones that one mesh may have (the engine's LW_MAX_BONE_NUM)."""
INFLUENCES = 4
_FORMATS = {1: 0x1112, 2: 0x1118, 3: 0x111A, 4: 0x111C}
"""The flexible vertex format by the number of weights: position, normal, one set of texture coordinates."""

_DECLARATION = (
    (0, 0, 2, 0, 0, 0),
    (0, 12, 3, 0, 1, 0),
    (0, 28, 4, 0, 2, 0),
    (0, 32, 2, 0, 3, 0),
    (0, 44, 1, 0, 5, 0),
    (255, 0, 0, 0, 0, 0),
)
"""The vertex elements of all known skinned meshes."""


@dataclass(frozen=True, eq=False)
class Triangles:
    """points: (V, 3) in model space at bind. bones, weights: (V, N). corners: (T, 3) points in the file's winding. normals: (T, 3, 3).
    uvs: (sets, T, 3, 2), v downwards. materials: (T,). colours: (T, 3, 4) blue, green, red, alpha."""

    points: Floats
    bones: NDArray[np.int64]
    weights: Floats
    corners: NDArray[np.int64]
    normals: Floats
    uvs: Floats
    materials: NDArray[np.int64]
    colours: NDArray[np.uint8] | None = None

    def part(self, chosen: NDArray[np.int64]) -> Triangles:
        """Some of the triangles."""
        colours = None if self.colours is None else self.colours[chosen]
        return replace(
            self,
            corners=self.corners[chosen],
            normals=self.normals[chosen],
            uvs=self.uvs[:, chosen],
            materials=self.materials[chosen],
            colours=colours,
        )


def strongest(bones: NDArray[np.int64], weights: Floats) -> tuple[NDArray[np.int64], Floats]:
    """(V, up to 4) the strongest weights of each vertex, of sum 1; what is left out is told."""
    order = np.argsort(-weights, axis=1, kind="stable")
    bones, weights = np.take_along_axis(bones, order, 1), np.take_along_axis(weights, order, 1)
    if (more := int((weights[:, INFLUENCES:] > 1e-4).any(axis=1).sum())) > 0:
        log.warning(f"{more} vertices have more than {INFLUENCES} weights; the {INFLUENCES} largest are taken")
    kept = weights[:, :INFLUENCES]
    used = max(1, int((kept > 0).sum(axis=1).max(initial=1)))
    kept = kept[:, :used]
    total = kept.sum(axis=1, keepdims=True)
    kept = np.where(total > 0, kept / np.where(total > 0, total, 1), np.eye(1, used))
    return np.where(kept > 0, bones[:, :used], bones[:, :1]), kept


def split(triangles: Triangles) -> list[Triangles]:
    """Parts whose triangles have at most 25 bones each; mostly one."""
    used: list[frozenset[int]] = [frozenset(row) for row in triangles.bones.tolist()]
    groups: list[set[int]] = []
    members: list[list[int]] = []
    rows: list[list[int]] = triangles.corners.tolist()
    for index, corners in enumerate(rows):
        needed = used[corners[0]] | used[corners[1]] | used[corners[2]]
        for group, chosen in zip(groups, members, strict=True):
            if len(group | needed) <= PALETTE:
                group |= needed
                chosen.append(index)
                break
        else:
            groups.append(set(needed))
            members.append([index])
    return [triangles.part(np.array(chosen, np.int64)) for chosen in members]


def geometry_of(triangles: Triangles, material_count: int, base: Geometry | None = None, version: int = ELEMENTS) -> Geometry:
    """The mesh block. base: of the file that it replaces, which says what vertices have and how it is written; version: of that file.

    Raises ExportError for more than 25 bones, and for more vertices or bones than numbers can name.
    """
    order = np.argsort(triangles.materials, kind="stable")
    triangles = triangles.part(order)
    chosen, corners = _unique(triangles)
    points = triangles.corners.ravel()[chosen]
    bones, weights = strongest(triangles.bones[points], triangles.weights[points])
    palette = np.unique(bones)
    if len(palette) > PALETTE:
        raise ExportError(f"a mesh with {len(palette)} bones; the game takes {PALETTE}")
    old_layout = base is not None and (version or base.old_version) < ELEMENTS
    if old_layout and len(palette) and palette[-1] > 255:
        raise ExportError(f"bone {palette[-1]} in a mesh of an old version, which takes 255")
    blend = np.zeros(len(points), BLEND)
    blend["index"][:, : bones.shape[1]] = np.searchsorted(palette, bones)
    blend["weight"][:, : bones.shape[1]] = weights
    fvf = _FORMATS[bones.shape[1]] if base is None else base.fvf & ~0xE | _FORMATS[bones.shape[1]] & 0xE
    sets = uv_sets(fvf)
    uvs = triangles.uvs.reshape(len(triangles.uvs), -1, 2)[:, chosen]
    uvs = np.concatenate([uvs, np.zeros((max(0, sets - len(uvs)), len(points), 2))])[:sets]
    colours = triangles.colours.reshape(-1, 4)[chosen] if triangles.colours is not None and fvf & 0x40 else None
    if fvf & 0x40 and colours is None:
        colours = np.full((len(points), 4), 255, np.uint8)
    made = Geometry(
        fvf,
        triangles.points[points].astype("<f4"),
        corners.astype("<u4"),
        _subsets(triangles.materials, corners, material_count),
        triangles.normals.reshape(-1, 3)[chosen].astype("<f4") if fvf & 0x10 else None,
        uvs.astype("<f4"),
        colours,
        blend,
        palette.astype("u1" if old_layout else "<u4"),
        None if old_layout else bones.shape[1],
        np.array(_DECLARATION, ELEMENT),
        new_states({}),
    )
    if base is None:
        return made
    return replace(made, elements=base.elements, render_states=base.render_states, old_version=base.old_version, rest=base.rest)


def _unique(triangles: Triangles) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Corners that stand for vertices of the file, in the order of their first use, and (3 T,) the vertex of every corner."""
    count = triangles.corners.size
    columns: list[NDArray[Any]] = [
        triangles.corners.reshape(count, 1).astype(np.float64),
        np.round(triangles.normals.reshape(count, 3), 4) + 0.0,
        *(np.round(uvs.reshape(count, 2), 6) + 0.0 for uvs in triangles.uvs),
    ]
    if triangles.colours is not None:
        columns.append(triangles.colours.reshape(count, 4).astype(np.float64))
    keys = np.ascontiguousarray(np.concatenate(columns, axis=1))
    rows = keys.view(np.dtype((np.void, keys.dtype.itemsize * keys.shape[1]))).ravel()
    _, first, inverse = np.unique(rows, return_index=True, return_inverse=True)
    by_use = np.argsort(first)
    place = np.empty(len(first), np.int64)
    place[by_use] = np.arange(len(first))
    return first[by_use], place[inverse.reshape(-1)]


def _subsets(materials: NDArray[np.int64], corners: NDArray[np.int64], count: int) -> NDArray[Any]:
    """One for each material; of one without triangles an empty one."""
    subsets = np.zeros(max(count, 1), SUBSET)
    for index, subset in enumerate(subsets):
        triangles = np.flatnonzero(materials == index)
        subset["primitive_count"] = len(triangles)
        subset["start_index"] = 3 * triangles[0] if len(triangles) else 0
        if len(triangles):
            vertices = corners[3 * triangles[0] : 3 * triangles[-1] + 3]
            subset["min_index"] = vertices.min()
            subset["vertex_count"] = vertices.max() - vertices.min() + 1
    return subsets


def new_lgo(triangles: Triangles, materials: Sequence[NDArray[Any]], number: int = 0) -> Lgo:
    """A mesh file of the current version. materials: (1,) records each, see `new_material`. number: of the part. Raises ExportError."""
    mesh = geometry_of(triangles, len(materials))
    weights = mesh.weights_in_use
    # Render control, declaration, vertex shader by the number of weights, no pixel shader: as in all known skinned meshes.
    control = np.array([2, 10 + weights, weights, 0xFFFFFFFF], "<u4")
    return Lgo(object_id=number, control=control, state=b"\x01\x01" + bytes(6), materials=Materials(np.concatenate(materials)), mesh=mesh)
