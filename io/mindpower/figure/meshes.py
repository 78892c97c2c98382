"""Meshes of Tales of Pirates out of Blender: as they came where nobody changed them, else as new vertices, weights and materials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.declare.shared import Normals
from ....core.mindpower.files.mesh.geometry import Geometry
from ....core.mindpower.files.mesh.lgo import Lgo
from ....core.mindpower.game import GAME
from ....core.mindpower.motion.rig import AXES
from ....core.mindpower.surface import draws, unimported_faces, welded
from ....core.mindpower.surface.surface import surface_of
from ....core.mindpower.surface.welded import Triangles
from ....core.reporting import log
from ....core.reporting.errors import ExportError
from ....core.reporting.labels import counted
from ....core.surface.holdable import holdable
from ...blender import source_data
from ...blender.arrays import values_of
from ...blender.surface.skinned import as_shown, attribute, drawn_uvs, mirrored, positions_of, report_unwrapped, world_of
from ...blender.surface.unheld_settings import report_altered
from . import in_place
from .colours import Colours, colours_of, corner_colours
from .mesh_materials import FORMAT, materials_of, own_colours, records_of
from .new_materials import new_materials, with_new_slots


@dataclass(frozen=True, eq=False)
class Skeleton:
    """What meshes are skinned to. bones: the number of each bone by its name in Blender, helper bones as their own bone. to_model: (4, 4)
    the scene's space -> model space, in Blender's axes and game units. count: of the file's bones."""

    armature: bpy.types.Object
    bones: Mapping[str, int]
    to_model: NDArray[np.floating]
    count: int


@dataclass(frozen=True, eq=False)
class PackedMesh:
    """name: of the file, without its extension, "" for a new one. pictures: files of the textures that go with it, by their names."""

    name: str
    data: bytes
    pictures: dict[str, bytes] = field(default_factory=dict[str, bytes])


def meshes_of(armature: bpy.types.Object, context: bpy.types.Context) -> list[bpy.types.Object]:
    """The mesh objects that an armature moves, in the order of their names."""
    chosen = [obj for obj in context.view_layer.objects if obj.type == "MESH" and obj.find_armature() == armature]
    return sorted(chosen, key=lambda obj: obj.name)


def _data(obj: bpy.types.Object) -> bpy.types.Mesh:
    assert isinstance(obj.data, bpy.types.Mesh)
    return obj.data


def came_from(obj: bpy.types.Object) -> str:
    """The name of the file that a mesh came from, "" for none."""
    data = _data(obj)
    return Path(source_data.path_of(data)).stem if source_data.kept(data, FORMAT) is not None else ""


def pack(obj: bpy.types.Object, skeleton: Skeleton, number: int, normals: Normals = "KEEP") -> list[PackedMesh]:
    """The file of a mesh; several where it has more bones than one file takes. Raises ExportError."""
    with log.about(obj.name), as_shown(bpy.context, [obj]):
        data = _data(obj)
        kept = source_data.kept(data, FORMAT)
        name = came_from(obj)
        original, records = None, None
        textures: dict[str, bytes] = {}
        if kept is not None:
            with log.collect():
                original = Lgo.parse(kept)
            records, textures = records_of(obj, original)
        had = None if original is None or original.mesh is None else original.mesh.colours is not None
        colours = colours_of(obj, had)
        if original is not None:
            geometry = None if own_colours(obj) else _in_place(obj, skeleton, original, normals == "NEW", colours)
            if geometry is not None:
                return [PackedMesh(name, replace(original, mesh=geometry, materials=records).pack(), textures)]
        triangles = _triangles(obj, skeleton, colours)
        if records is not None:
            records, new = with_new_slots(obj, records, _used(triangles))
            triangles, textures = new.of(triangles), textures | new.pictures
        if original is not None:
            triangles = unimported_faces.with_left_out(triangles, original)
            return [PackedMesh(name, welded.edited(triangles, original, records).pack(), textures)]
        new = new_materials(materials_of(obj) or [None], _used(triangles), obj.name)
        parts = welded.split(new.of(triangles), new.records)
        return [PackedMesh("", replace(part, object_id=number + index).pack(), new.pictures) for index, part in enumerate(parts)]


def pack_together(objects: Sequence[bpy.types.Object], skeleton: Skeleton) -> list[PackedMesh]:
    """Several meshes as one file, or as few as have room for its bones. Raises ExportError."""
    parts: list[Triangles] = []
    slots: list[bpy.types.Material | None] = []
    numbers: list[Sequence[int]] = []
    with as_shown(bpy.context, objects):
        for obj in objects:
            with log.about(obj.name):
                parts.append(_triangles(obj, skeleton, colours_of(obj, None)))
                report_altered(obj)
            own = materials_of(obj) or [None]
            numbers.append(range(len(slots), len(slots) + len(own)))
            slots += own
    triangles = welded.joined(parts, numbers)
    new = new_materials(slots, _used(triangles), skeleton.armature.name)
    files = welded.split(new.of(triangles), new.records)
    return [PackedMesh("", replace(file, object_id=index).pack(), new.pictures) for index, file in enumerate(files)]


def _used(triangles: Triangles) -> set[int]:
    """The slots that some face has."""
    return set(np.unique(triangles.materials).tolist())


def _in_place(obj: bpy.types.Object, skeleton: Skeleton, original: Lgo, fresh_normals: bool, colours: Colours | None) -> Geometry | None:
    """The file's mesh with what was edited of its numbers; None where it is written anew."""
    if original.mesh is None:
        return None
    with log.collect():
        before = holdable(surface_of(original, skeleton.count, [None] * len(original.materials or ()), ""))
    matrix = skeleton.to_model @ world_of(obj)
    if mirrored(matrix):  # the corners of all faces go round the other way
        return None
    points = positions_of(obj, matrix) @ AXES.T
    bare = None if before.weights is None else np.asarray(~before.weights.any(axis=1), np.bool_)
    weights = partial(_weights, obj, skeleton, bare) if obj.vertex_groups else partial(_no_weights, len(points))
    shown = in_place.Shown(_data(obj), points, partial(_normals, _data(obj), matrix), weights, skeleton.count, colours)
    return in_place.edited(shown, original.mesh, before, fresh_normals)


def _no_weights(count: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    return np.zeros((count, 1), np.int64), np.zeros((count, 1))


def _triangles(obj: bpy.types.Object, skeleton: Skeleton, chosen: Colours | None) -> Triangles:
    """The mesh. Raises ExportError where it has nothing to write."""
    data = _data(obj)
    data.calc_loop_triangles()
    if not len(data.loop_triangles):
        raise ExportError(f"{obj.name} has no faces")
    materials = values_of(data.loop_triangles, "material_index", np.int32)
    matrix = skeleton.to_model @ world_of(obj)
    corners = values_of(data.loop_triangles, "loops", np.int32, 3)
    corners = corners if mirrored(matrix) else corners[:, ::-1]  # the conversion to the game's axes mirrors
    vertices = values_of(data.loops, "vertex_index", np.int32)
    normals = _normals(data, matrix)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    report_unwrapped(obj)
    layers = drawn_uvs(data)
    if further := layers[GAME.uv_maps :]:
        names, most = ", ".join(layer.name for layer in further), GAME.uv_maps
        log.warning(f"{names}: the game has {most} UV maps of a mesh: the one that Blender renders is written, and the first of the others")
    uvs = [_uvs(layer) for layer in layers[: GAME.uv_maps]] or [np.zeros((len(data.loops), 2))]
    bones, weights = _weights(obj, skeleton)
    colours = corner_colours(data, chosen)
    triangles = Triangles(
        positions_of(obj, matrix) @ AXES.T,
        bones,
        weights,
        vertices[corners].astype(np.int64),
        normals[corners],
        np.stack([layer[corners] for layer in uvs]),
        np.clip(materials.astype(np.int64), 0, max(0, len(data.materials) - 1)),
        None if colours is None else colours[corners],
    )
    polygons = values_of(data.loop_triangles, "polygon_index", np.int32)
    draws.report(triangles, *(_marked(data, name)[polygons] for name in (draws.UNDRAWN, draws.AGAIN)))
    return triangles


def _marked(data: bpy.types.Mesh, name: str) -> NDArray[np.bool_]:
    """(F,) the faces for which an attribute is true."""
    values = attribute(data, name, "FACE") if name in data.attributes else None
    return np.zeros(len(data.polygons), np.bool_) if values is None else values != 0


def _normals(data: bpy.types.Mesh, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """(C, 3) of the corners in the game's axes, of any length. matrix: (4, 4) from the mesh to the model."""
    normals = values_of(data.corner_normals, "vector", np.float32, 3).astype(np.float64)
    return np.asarray(normals @ np.linalg.inv(matrix[:3, :3]) @ AXES.T, np.float64)


def _uvs(layer: Any) -> NDArray[np.float64]:
    """(C, 2), v downwards as in the file."""
    values = values_of(layer.uv, "vector", np.float32, 2).astype(np.float64)
    values[:, 1] = 1 - values[:, 1]
    return values


def _weights(
    obj: bpy.types.Object, skeleton: Skeleton, bare: NDArray[np.bool_] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(V, N) bones and weights, the strongest first; what no bone moves goes with the first one, as in Blender it stays at rest.

    bare: of the vertices that came in those without a weight, about which nothing is said."""
    number = {group.index: skeleton.bones.get(group.name, -1) for group in obj.vertex_groups}
    rows: list[list[tuple[float, int]]] = []
    for vertex in _data(obj).vertices:
        shares: dict[int, float] = {}
        for item in vertex.groups:
            bone = number.get(item.group, -1)
            if bone >= 0 and item.weight > 0:
                shares[bone] = shares.get(bone, 0.0) + item.weight
        rows.append(sorted(((weight, bone) for bone, weight in shares.items()), reverse=True))
    known = 0 if bare is None else len(bare)
    if (lost := sum(not row and not (index < known and bare is not None and bare[index]) for index, row in enumerate(rows))) > 0:
        log.warning(f"{counted(lost, 'vertex', 'vertices')} without a weight {'goes' if lost == 1 else 'go'} with the first bone")
    width = max(1, max(map(len, rows), default=1))
    bones, weights = np.zeros((len(rows), width), np.int64), np.zeros((len(rows), width))
    for index, row in enumerate(rows):
        for column, (weight, bone) in enumerate(row):
            bones[index, column], weights[index, column] = bone, weight
    weights[~weights.any(axis=1), 0] = 1
    return bones, weights
