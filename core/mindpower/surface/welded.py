"""From triangles whose corners have normals and texture coordinates of their own to the vertices of a mesh file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from ...reporting import log
from ...reporting.errors import ExportError
from ...reporting.labels import counted
from ..files.mesh.geometry import ELEMENT, ELEMENTS, OLD_WEIGHTS, Geometry
from ..files.mesh.lgo import Lgo
from ..files.mesh.materials import Materials
from .new_mesh import MOST_BONES, MOST_MATERIALS, MOST_WEIGHTS, Vertices, groups_of_bones, new_lgo


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

    @property
    def used_bones(self) -> int:
        return len(np.unique(self.bones[self.weights > 0]))

    def within(self, middles: Floats) -> Triangles:
        """Those of a material that has a point here at that point of its picture. middles: (M, 2), not a number for other materials."""
        at = middles[self.materials]
        chosen = ~np.isnan(at[:, 0])
        uvs = self.uvs.copy()
        uvs[0, chosen] = at[chosen, None]
        return replace(self, uvs=uvs)


def joined(parts: Sequence[Triangles], slots: Sequence[Sequence[int]]) -> Triangles:
    """Several meshes as one. slots: for each which material of the whole each of its own is."""
    width, sets = max(part.bones.shape[1] for part in parts), max(len(part.uvs) for part in parts)
    coloured = any(part.colours is not None for part in parts)
    starts = np.cumsum([0, *(len(part.points) for part in parts)])[:-1].tolist()

    def wide(values: NDArray[Any]) -> NDArray[Any]:
        return np.pad(values, ((0, 0), (0, width - values.shape[1])))

    def colours(part: Triangles) -> NDArray[np.uint8]:
        return np.full((len(part.corners), 3, 4), 255, np.uint8) if part.colours is None else part.colours

    return Triangles(
        np.concatenate([part.points for part in parts]),
        np.concatenate([wide(part.bones) for part in parts]),
        np.concatenate([wide(part.weights) for part in parts]),
        np.concatenate([part.corners + start for part, start in zip(parts, starts, strict=True)]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([np.pad(part.uvs, ((0, sets - len(part.uvs)), (0, 0), (0, 0), (0, 0))) for part in parts], axis=1),
        np.concatenate([np.asarray(own, np.int64)[part.materials] for part, own in zip(parts, slots, strict=True)]),
        np.concatenate([colours(part) for part in parts]) if coloured else None,
    )


def split(triangles: Triangles, materials: Sequence[NDArray[Any]]) -> list[Lgo]:
    """Mesh files of the current version, of at most 25 bones and 16 materials each; mostly one. materials: (1,) records. Raises
    ExportError."""
    triangles = _with_strongest(triangles, MOST_WEIGHTS)
    groups = groups_of_bones(triangles.bones, triangles.weights, triangles.corners)
    count = int(groups.max(initial=0)) + 1
    if count > 1:
        log.info(f"{triangles.used_bones} bones; one mesh of the game takes {MOST_BONES}, so it is written as {count} files")
    files = [_of_few_materials(triangles, np.flatnonzero(groups == group), materials) for group in range(count)]
    return [file for several in files for file in several]


def _of_few_materials(triangles: Triangles, chosen: NDArray[np.int64], materials: Sequence[NDArray[Any]]) -> list[Lgo]:
    """Files of the chosen triangles with the materials that these have, of at most 16 each."""
    used = np.unique(triangles.materials[chosen])
    if len(used) > MOST_MATERIALS:
        count = -(-len(used) // MOST_MATERIALS)
        log.info(f"{len(used)} materials; one mesh of the game takes {MOST_MATERIALS}, so it is written as {count} files")
    files: list[Lgo] = []
    for start in range(0, len(used), MOST_MATERIALS):
        own: NDArray[np.int64] = used[start : start + MOST_MATERIALS]
        some = chosen[np.isin(triangles.materials[chosen], own)]
        renumbered = replace(triangles, materials=(own[:, None] <= triangles.materials).sum(axis=0) - 1)
        records: list[NDArray[Any]] = [materials[index] for index in own.tolist()]
        files.append(_lgo(renumbered, some, Materials(np.concatenate(records))))
    return files


def edited(triangles: Triangles, original: Lgo, materials: Materials | None) -> Lgo:
    """The file with another mesh. Raises ExportError for more than 25 bones."""
    before = original.mesh
    older = before is not None and (original.version or before.old_version) < ELEMENTS
    triangles = _with_strongest(triangles, OLD_WEIGHTS if older else MOST_WEIGHTS)
    if triangles.used_bones > MOST_BONES:
        raise ExportError(f"the mesh is moved by {triangles.used_bones} bones; the game takes {MOST_BONES} in a mesh")
    fresh = _lgo(triangles, np.arange(len(triangles.corners)), materials or Materials(np.zeros(1, np.int64)))
    mesh = fresh.mesh
    assert mesh is not None
    if before is not None:
        mesh = replace(mesh, render_states=before.render_states, old_version=before.old_version, rest=before.rest)
        if older:
            mesh = _as_older(mesh)
    control = original.control if before is not None and before.influences == mesh.influences else fresh.control
    return replace(original, mesh=mesh, materials=materials, control=control)


def _as_older(mesh: Geometry) -> Geometry:
    """As the older versions have it: bones in one byte, no number of weights, no vertex elements."""
    if len(mesh.palette) and int(mesh.palette.max()) > 255:
        raise ExportError(f"bone {int(mesh.palette.max())} in a mesh of an old version, which takes 255")
    return replace(mesh, palette=mesh.palette.astype("u1"), influences=None, elements=np.zeros(0, ELEMENT))


def _lgo(triangles: Triangles, chosen: NDArray[np.int64], materials: Materials) -> Lgo:
    first, faces = _vertices(triangles, chosen)
    points = triangles.corners[chosen].ravel()[first]
    sets = triangles.uvs[:, chosen].reshape(len(triangles.uvs), -1, 2)[:, first]
    if len(sets) == 3:
        sets = np.concatenate([sets, sets[:1]])
    colours = None if triangles.colours is None else triangles.colours[chosen].reshape(-1, 4)[first]
    normals = triangles.normals[chosen].reshape(-1, 3)[first]
    vertices = Vertices(triangles.points[points], normals, sets, triangles.bones[points], triangles.weights[points], colours)
    return new_lgo(vertices, faces, triangles.materials[chosen], materials)


def _with_strongest(triangles: Triangles, most: int) -> Triangles:
    """With no more weights a vertex than `most`, the largest; that there were more is said."""
    if (more := int(((triangles.weights > 0).sum(axis=1) > most).sum())) > 0:
        log.warning(f"{counted(more, 'vertex has', 'vertices have')} more than {most} weights; the {most} largest are taken")
    order = np.argsort(-triangles.weights, axis=1, kind="stable")[:, :most]
    bones, weights = (np.take_along_axis(values, order, axis=1) for values in (triangles.bones, triangles.weights))
    return replace(triangles, bones=bones, weights=weights)


def _vertices(triangles: Triangles, chosen: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Corners of the chosen triangles that become vertices, in the order of their points and of their first use, and (T, 3) vertices."""
    count = 3 * len(chosen)
    columns: list[NDArray[Any]] = [
        triangles.corners[chosen].reshape(count, 1).astype(np.float64),
        np.nan_to_num(np.round(triangles.normals[chosen].reshape(count, 3), 3)) + 0.0,
        *(np.round(uvs[chosen].reshape(count, 2), 6) + 0.0 for uvs in triangles.uvs),
    ]
    if triangles.colours is not None:
        columns.append(triangles.colours[chosen].reshape(count, 4).astype(np.float64))
    keys = np.concatenate(columns, axis=1)
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return first.astype(np.int64), inverse.reshape(-1, 3).astype(np.int64)
