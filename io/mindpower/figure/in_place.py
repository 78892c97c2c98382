"""A mesh file of which only numbers were edited: they change in their places, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.mindpower.files.mesh.geometry import Geometry
from ....core.motion.rotations.directions import angle_between, face_normals
from ....core.reporting import log
from ....core.surface import kept_light
from ....core.surface.mesh import Mesh
from ...blender.arrays import values_of
from ...blender.surface.materials.materials import COLOURS
from ...blender.surface.skinned import drawn_uvs
from .colours import Colours

Floats = NDArray[np.float64]
Weights = tuple[NDArray[np.int64], Floats]

_DOWNWARDS, _FROM_ABOVE = np.array([1, -1], np.float32), np.array([0, 1], np.float32)
"""v counts upwards in Blender."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A mesh as Blender has it. data: faces and texture coordinates. points: (V, 3) in the game's model space. normals: (C, 3) of the
    corners there, of any length. weights: (V, N) bones and weights, asked for last. bones: of the skeleton. colours: that are written."""

    data: bpy.types.Mesh
    points: Floats
    normals: Callable[[], Floats]
    weights: Callable[[], Weights]
    bones: int
    colours: Colours | None = None


def edited(shown: Shown, geometry: Geometry, before: Mesh, fresh_normals: bool = False) -> Geometry | None:
    """The file's mesh with the positions, texture coordinates and colours that are shown; itself where none was edited; None where it has
    other vertices, faces, materials or weights. before: as the file gives it. fresh_normals: None, too, where a vertex was moved, or a
    normal is another, so that all is written anew.

    A coordinate that is what it was keeps its bits, and so do all normals; faces that look elsewhere then are reported, and so are
    normals that somebody edited."""
    data = shown.data
    if len(data.vertices) != len(before.points) or len(data.loops) != len(before.corners) or len(data.polygons) != len(before.starts):
        return None
    order = (2 * np.repeat(before.starts, before.counts) + np.repeat(before.counts, before.counts) - 1) - np.arange(len(before.corners))
    vertices = values_of(data.loops, "vertex_index", np.int32)
    materials = values_of(data.polygons, "material_index", np.int32)
    if (vertices != before.corners[order]).any() or (materials != before.material_of).any():
        return None
    size = max(1.0, float(np.abs(before.points).max(initial=0)))
    moved = np.abs(shown.points - before.points) > 2e-6 * size
    lit = 0 if moved.any() else _lit_otherwise(shown, vertices, geometry)
    if fresh_normals and (lit or moved.any()):
        return None
    result = geometry
    if moved.any():
        result = replace(result, positions=np.where(moved, shown.points, geometry.positions).astype(geometry.positions.dtype))
    changed = _coordinates(data, vertices, order, before, result)
    changed = None if changed is None else _colours(shown.colours, vertices, order, before, changed)
    if changed is None:
        return None
    result = changed
    if not _same_weights(shown, before):
        return None
    if lit > _FEW * len(vertices):
        log.warning("its normals are not those of the file, which are kept: choose Normals: As Shown, to have them written")
    _report_light(before.points, shown.points, geometry)
    return result


_CLEARLY, _FEW = np.radians(5), 0.01
"""Another normal, to the eye; the part of all corners that may have one in a mesh that nobody edited, whose faces without an area have no
normal to be shown."""


def _lit_otherwise(shown: Shown, vertices: NDArray[Any], geometry: Geometry) -> int:
    """How many corners have other normals than the file gives their vertices."""
    kept = geometry.normals
    if kept is None or len(kept) <= vertices.max(initial=0):
        return 0
    return int((angle_between(shown.normals(), kept[vertices].astype(np.float64)) > _CLEARLY).sum())


def _coordinates(data: bpy.types.Mesh, vertices: NDArray[Any], order: NDArray[Any], before: Mesh, result: Geometry) -> Geometry | None:
    """With the texture coordinates of all vertices whose corners agree; None where some do not, or a layer is gone or new."""
    layers = drawn_uvs(data)
    if len(layers) != len(before.uvs):
        return None
    sets = result.uvs
    for index, (layer, coordinates) in enumerate(zip(layers, before.uvs.values(), strict=False)):
        now, old = values_of(layer.uv, "vector", np.float32, 2), coordinates[order].astype(np.float32)
        table = _of_vertices((now != old).any(axis=1), vertices, now * _DOWNWARDS + _FROM_ABOVE, sets[index])
        if table is None:
            return None
        sets = sets if table is sets[index] else np.stack([*sets[:index], table, *sets[index + 1 :]])
    return result if sets is result.uvs else replace(result, uvs=sets)


def _colours(shown: Colours | None, vertices: NDArray[Any], order: NDArray[Any], before: Mesh, result: Geometry) -> Geometry | None:
    """The same with colours, blue first in the file."""
    if before.colours is None or result.colours is None:
        return result if shown is None else None
    if shown is None or shown.layer.name != COLOURS or shown.layer.domain != "CORNER":
        return None
    now = np.rint(np.clip(values_of(shown.layer.data, "color_srgb", np.float32, 4), 0, 1) * 255).astype(np.uint8)
    table = _of_vertices((now != before.colours[order]).any(axis=1), vertices, now[:, [2, 1, 0, 3]], result.colours)
    return None if table is None else result if table is result.colours else replace(result, colours=table)


def _of_vertices(other: NDArray[np.bool_], vertices: NDArray[Any], values: NDArray[Any], table: NDArray[Any]) -> NDArray[Any] | None:
    """A table of vertices with the values of corners that are others; None where the corners of a vertex do not agree."""
    if not other.any():
        return table
    result = table.copy()
    result[vertices[other]] = values[other].astype(table.dtype)
    touched = np.isin(vertices, vertices[other])
    agree = np.abs(result[vertices[touched]].astype(np.float64) - values[touched]).max() <= 1e-6
    return result if agree else None


def _same_weights(shown: Shown, before: Mesh) -> bool:
    assert before.weights is not None
    bones, weights = shown.weights()
    if not before.weights.any():
        return not weights.any()
    meant, now = np.zeros((len(bones), shown.bones)), np.zeros((len(bones), shown.bones))
    every = np.arange(len(bones))[:, None]
    np.add.at(meant, (every, before.bones), before.weights)
    np.add.at(now, (every, bones), weights)
    weighted = np.any(before.weights, axis=1)
    return bool(np.abs(now - np.clip(meant, 0, 1))[weighted].max(initial=0) < 1e-6)


def _report_light(before: Floats, now: Floats, geometry: Geometry) -> None:
    shown = geometry.triangles[(geometry.triangles < len(before)).all(axis=1)]
    first, second = (face_normals(points[shown]) for points in (before, now))
    kept_light.report(angle_between(first, second), "face", "normals", "Normals: As Shown, to have them anew")
