"""A mesh file as the surface that all formats share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...images.pixels import digest
from ...motion.rotations.rotation_matrix import Floats
from ...reporting import log
from ...reporting.errors import FormatError
from ...reporting.labels import counted
from ...surface.holdable import rows_of
from ...surface.mesh import Blend, Image, Material, Mesh
from ..files.mesh.geometry import Geometry
from ..files.mesh.lgo import Lgo
from ..files.mesh.materials import Materials
from .draws import marks_of

CULL_MODE, ALPHA_TEST, ALPHA_BLEND = 22, 15, 27
"""Direct3D's render states for two-sided faces (value 1), for holes by the texture's alpha, and for blending by it."""
NO_CULLING = 1

PROPERTY = "mindpower_{}"
"""Custom properties of a material: what the file says about it that nothing shows."""

_VISIBLE = 1e-3
"""Of the size of a mesh, how far a vertex is elsewhere that somebody sees."""


def surface_of(lgo: Lgo, bone_count: int, images: Sequence[Image | None], name: str) -> Mesh:
    """In model space at bind, triangles in the file's order and winding. bone_count: of the skeleton. images: one a material.

    Raises FormatError when the file has no mesh.
    """
    mesh = lgo.mesh
    if mesh is None:
        raise FormatError("no mesh in it")
    with np.errstate(invalid="ignore"):  # values that are no numbers are reported where the file is read
        return _surface(lgo, mesh, bone_count, images, name)


def _surface(lgo: Lgo, mesh: Geometry, bone_count: int, images: Sequence[Image | None], name: str) -> Mesh:
    corners = mesh.triangles.ravel()
    bones, weights = _skin(mesh, bone_count)
    return Mesh(
        np.nan_to_num(mesh.positions.astype(np.float64), posinf=0, neginf=0),
        bones,
        np.arange(len(mesh.triangles)) * 3,
        np.full(len(mesh.triangles), 3),
        corners,
        _vectors(mesh.normals, corners),
        mesh.triangle_subsets.clip(0, max(len(images) - 1, 0)),
        materials_of(lgo.materials, images, mesh.colours is not None, name),
        [],
        [],
        attributes=marks_of(mesh),
        weights=weights,
        uvs={f"UVMap{f'.{index:03}' if index else ''}": _upwards(uvs, corners) for index, uvs in enumerate(mesh.uvs)},
        colours=None if mesh.colours is None else rows_of(mesh.colours, corners)[:, [2, 1, 0, 3]],
        single=True,
    )


def _skin(mesh: Geometry, bone_count: int) -> tuple[NDArray[np.int64], Floats]:
    """(V, N) bones and weights; a mesh without weights stays where it is."""
    if mesh.blend is None:
        log.info("a mesh without weights: no bone moves it")
        return np.zeros((len(mesh.positions), 1), np.int64), np.zeros((len(mesh.positions), 1))
    _report_sums(mesh)
    return mesh.bones_and_weights(bone_count)


def _report_sums(mesh: Geometry) -> None:
    """Warn of vertices that are seen elsewhere than in the game, since their weights sum to something else than 1: the game draws a vertex
    at that sum of where its bones carry it, Blender's Armature modifier divides by the sum. Weights that are all 0 are bound otherwise."""
    assert mesh.blend is not None
    weights = np.nan_to_num(mesh.blend["weight"][:, : mesh.weights_in_use].astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    points = np.nan_to_num(mesh.positions.astype(np.float64), posinf=0, neginf=0)
    drawn = np.unique(mesh.triangles[mesh.draws > 0])
    drawn = drawn[drawn < len(points)]
    size = float(np.ptp(points[drawn], axis=0).max(initial=0)) if len(drawn) else 0.0
    off = np.abs(weights.sum(axis=1) - 1) * np.linalg.norm(points, axis=1) * weights.any(axis=1)
    if size > 0 and (many := int((off[drawn] > _VISIBLE * size).sum())) > 0:
        who = counted(many, "vertex has", "vertices have")
        log.warning(
            f"{who} weights that do not sum to 1, which the game uses as they are and Blender scales to 1: at rest up to "
            f"{off[drawn].max() / size:.0%} of the size of the mesh elsewhere in the game. Normalize All of the weights and an export of "
            "the mesh make the game draw what Blender shows"
        )


def _vectors(normals: NDArray[np.float32] | None, corners: NDArray[np.int64]) -> Floats:
    if normals is None:
        return np.zeros((len(corners), 3))
    return rows_of(np.nan_to_num(normals.astype(np.float64), posinf=0, neginf=0), corners)


def _upwards(uvs: NDArray[np.float32], corners: NDArray[np.int64]) -> Floats:
    """v counts upwards in Blender, downwards in the file."""
    flipped = rows_of(np.nan_to_num(uvs.astype(np.float64), posinf=0, neginf=0), corners)
    flipped[:, 1] = 1 - flipped[:, 1]
    return flipped


def materials_of(materials: Materials | None, images: Sequence[Image | None], coloured: bool, name: str) -> list[Material]:
    """One for each of the file's, in its order; a plain one where it has none."""
    if materials is None or not len(materials):
        return [Material(name, "SMOOTH", ((1.0, 1.0, 1.0),))]
    return [_material(materials, index, image, coloured, name) for index, image in enumerate(images)]


def _material(materials: Materials, index: int, image: Image | None, coloured: bool, name: str) -> Material:
    states, kind, opacity = materials.states(index), materials.transparency(index), materials.opacity(index)
    record = materials.records[index]
    properties: dict[str, Any] = {
        PROPERTY.format("transparency"): kind,
        PROPERTY.format("opacity"): opacity,
        PROPERTY.format("states"): ", ".join(f"{state}={value}" for state, value in states.items()),
        PROPERTY.format("textures"): ", ".join(materials.textures(index)),
    }
    properties[PROPERTY.format("picture")] = digest(image.pixels) if image is not None else ""
    for colour in ("diffuse", "ambient", "specular", "emissive"):
        properties[PROPERTY.format(colour)] = record[colour].tolist()
    properties[PROPERTY.format("power")] = float(record["power"])
    label = image.name.rsplit(".", 1)[0] if image is not None else f"{name} {index}"
    alpha = float(np.clip(np.nan_to_num(opacity, nan=1.0), 0.0, 1.0))
    return Material(
        label, "SMOOTH", ((1.0, 1.0, 1.0),), alpha, image, _blend(kind, states, image, alpha), coloured,
        states.get(CULL_MODE) == NO_CULLING, properties,
    )  # fmt: skip


def _blend(kind: int, states: dict[int, int], image: Image | None, alpha: float) -> Blend:
    if 1 <= kind <= 4:
        return "ADD"
    if states.get(ALPHA_BLEND) or kind >= 5:
        return "BLEND"
    holes = image is not None and bool((image.pixels[..., 3] < 128).any())
    if states.get(ALPHA_TEST) or holes:
        return "CLIP"
    return "OPAQUE" if alpha >= 1 else "BLEND"
