"""New mesh files: vertices, weights and triangles packed as the game's own exporter packs them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...reporting.errors import ExportError
from ..files.mesh.geometry import BLEND, BLENDED, DIFFUSE, ELEMENT, NORMAL, SUBSET, Geometry
from ..files.mesh.lgo import Lgo
from ..files.mesh.materials import Materials, new_states

MOST_BONES = 25
"""In the palette of a mesh (LW_MAX_BONE_NUM)."""
MOST_WEIGHTS = 4
MOST_MATERIALS = 16
"""Of a mesh (LW_MAX_SUBSET_NUM): the game loads none with more."""

POSITION_KIND = {1: 0x2, 2: 0x8, 3: 0xA, 4: 0xC}
"""Direct3D's vertex format by the number of weights: one weight counts as none there."""
UV_KIND = {0: 0, 1: 0x100, 2: 0x200, 4: 0x400}

VERTEX_BLEND, FIRST_DECLARATION, NO_SHADER = 2, 10, 0xFFFFFFFF
"""Render control of skinned meshes; vertex declaration and shader go by the number of weights: 11 and 1, 12 and 2 and so on."""
STATE = bytes([1, 1, 0, 0, 0, 0, 0, 0])
"""Visible and enabled."""

_POSITION, _WEIGHT, _INDEX, _NORMAL, _UV, _COLOUR = 0, 1, 2, 3, 5, 10
_FLOAT2, _FLOAT3, _FLOAT4, _FOUR_BYTES = 1, 2, 3, 4
_END = (255, 0, 0, 0, 0, 0)

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Vertices:
    """V vertices of a mesh on a skeleton. positions, normals: (V, 3) in the file's axes. uvs: (sets, V, 2), v downwards. bones, weights:
    (V, N). colours: (V, 4) blue, green, red, alpha."""

    positions: ArrayLike
    normals: ArrayLike
    uvs: ArrayLike
    bones: ArrayLike
    weights: ArrayLike
    colours: NDArray[np.uint8] | None = None


def new_lgo(vertices: Vertices, triangles: ArrayLike, material_of: ArrayLike, materials: Materials) -> Lgo:
    """A mesh of the current version. The weights of a vertex are made to sum to 1, and no more than four are kept, the largest; there are
    0, 1, 2 or 4 sets of texture coordinates.

    triangles: (T, 3), such that (b - a) x (c - a) is along the normal. material_of: (T,) in `materials`; triangles come out in its order.
    Raises ExportError for more bones than the game takes, or vertices without weights.
    """
    points, sets, colours = np.asarray(vertices.positions, "<f4").reshape(-1, 3), np.asarray(vertices.uvs, "<f4"), vertices.colours
    faces, kinds = np.asarray(triangles, np.int64).reshape(-1, 3), np.asarray(material_of, np.int64)
    count = len(points)
    if len(sets) not in UV_KIND:
        raise ExportError(f"{len(sets)} sets of texture coordinates; the game has 1, 2 or 4")
    bones, weights = np.asarray(vertices.bones, np.int64), np.asarray(vertices.weights, np.float64)
    blend, palette, influences = _blend(bones.reshape(count, -1), weights.reshape(count, -1))
    order = np.argsort(kinds, kind="stable")
    faces = faces[order]
    fvf = BLENDED | NORMAL | POSITION_KIND[influences] | UV_KIND[len(sets)] | (DIFFUSE if colours is not None else 0)
    mesh = Geometry(
        fvf,
        points,
        faces.astype("<u4").ravel(),
        _subsets(faces, np.bincount(kinds, minlength=len(materials))),
        np.asarray(vertices.normals, "<f4").reshape(-1, 3),
        sets.reshape(len(sets), count, 2),
        colours,
        blend,
        palette,
        influences,
        _elements(len(sets), colours is not None),
        new_states({}),
    )
    control = np.array([VERTEX_BLEND, FIRST_DECLARATION + influences, influences, NO_SHADER], "<u4")
    return Lgo(control=control, state=STATE, materials=materials, mesh=mesh)


def groups_of_bones(bones: Integers, weights: NDArray[np.float64], triangles: Integers, most: int = MOST_BONES) -> Integers:
    """(T,) the mesh that each triangle goes to so that no mesh has more than `most` bones; as few as come of filling one after
    another. bones, weights: (V, N). Raises ExportError when a single triangle has more."""
    used = [frozenset(bones[face][weights[face] > 0].tolist()) for face in triangles]
    needs = sorted(set(used), key=lambda need: (-len(need), sorted(need)))
    if needs and len(needs[0]) > most:
        raise ExportError(f"a triangle with {len(needs[0])} bones; the game takes {most} in a mesh")
    filled: list[set[int]] = []
    bins: dict[frozenset[int], int] = {}
    for need in needs:
        fits = [(len(need - have), index) for index, have in enumerate(filled) if len(need | have) <= most]
        if not fits:
            filled.append(set())
            fits = [(0, len(filled) - 1)]
        bins[need] = min(fits)[1]
        filled[bins[need]] |= need
    return np.array([bins[need] for need in used], np.int64)


def _blend(bones: Integers, weights: NDArray[np.float64]) -> tuple[NDArray[np.void], NDArray[np.uint32], int]:
    """Indices and weights, the palette, and how many weights a vertex has at most."""
    given = np.where(np.isfinite(weights) & (weights > 0), weights, 0.0)
    order = np.argsort(-given, axis=1, kind="stable")[:, :MOST_WEIGHTS]
    kept, chosen = np.take_along_axis(given, order, axis=1), np.take_along_axis(bones, order, axis=1)
    total = kept.sum(axis=1, keepdims=True)
    if (total == 0).any():
        raise ExportError(f"{int((total == 0).sum())} vertices that no bone moves")
    kept /= total
    palette = np.unique(chosen[kept > 0])
    if len(palette) > MOST_BONES:
        raise ExportError(f"the mesh is moved by {len(palette)} bones; the game takes {MOST_BONES} in a mesh")
    influences = max(1, int((kept > 0).sum(axis=1).max(initial=1)))
    blend = np.zeros(len(bones), BLEND)
    width = kept.shape[1]
    blend["index"][:, :width] = np.where(kept > 0, np.searchsorted(palette, chosen).clip(0, max(len(palette) - 1, 0)), 0)
    blend["weight"][:, :width] = kept
    return blend, palette.astype("<u4"), influences


def _subsets(faces: Integers, counts: Integers) -> NDArray[np.void]:
    """One for each material, of faces that stand in the order of their materials."""
    subsets = np.zeros(len(counts), SUBSET)
    first = 0
    for subset, count in zip(subsets, counts.tolist(), strict=True):
        own = faces[first : first + count]
        low, high = (int(own.min()), int(own.max())) if count else (0, -1)
        subset["primitive_count"], subset["start_index"] = count, 3 * first
        subset["vertex_count"], subset["min_index"] = high - low + 1, low
        first += count
    return subsets


def _elements(sets: int, coloured: bool) -> NDArray[np.void]:
    """Direct3D's vertex declaration; four weights have room, however many are in use."""
    rows = [(0, 0, _FLOAT3, 0, _POSITION, 0), (0, 12, _FLOAT4, 0, _WEIGHT, 0), (0, 28, _FOUR_BYTES, 0, _INDEX, 0)]
    rows.append((0, 32, _FLOAT3, 0, _NORMAL, 0))
    offset = 44
    if coloured:
        rows.append((0, offset, _FOUR_BYTES, 0, _COLOUR, 0))
        offset += 4
    for number in range(sets):
        rows.append((0, offset, _FLOAT2, 0, _UV, number))
        offset += 8
    return np.array([*rows, _END], ELEMENT)
