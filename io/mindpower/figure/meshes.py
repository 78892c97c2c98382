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

from ....core.files.file_names import file_name
from ....core.images import pictures
from ....core.images.pixels import digest
from ....core.mindpower.files import names as file_names
from ....core.mindpower.files.geometry import Geometry
from ....core.mindpower.files.lgo import Lgo
from ....core.mindpower.files.materials import UNUSED, Materials, new_material
from ....core.mindpower.motion.rig import AXES
from ....core.mindpower.options import Normals
from ....core.mindpower.surface import kept_out, welded
from ....core.mindpower.surface.surface import PROPERTY, surface_of
from ....core.mindpower.surface.welded import Triangles
from ....core.reporting import log
from ....core.reporting.errors import ExportError
from ....core.reporting.labels import counted
from ....core.surface.holdable import holdable
from ...blender import source_data
from ...blender.arrays import values_of
from ...blender.surface.images import image_of, pixels_of
from ...blender.surface.materials import COLOURS
from ...blender.surface.skinned import as_shown, mirrored, positions_of, report_unwrapped, world_of
from . import in_place

FORMAT = "LGO"

_TWO_SIDED, _HOLES = {22: 1}, {15: 1, 25: 5, 24: 0}
"""Direct3D render states: no culling; alpha test with "greater than 0"."""


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


def pack(obj: bpy.types.Object, skeleton: Skeleton, number: int, normals: Normals = "KEEP") -> list[PackedMesh]:
    """The file of a mesh; several where it has more bones than one file takes. Raises ExportError."""
    with log.about(obj.name), as_shown(bpy.context, [obj]):
        data = _data(obj)
        kept = source_data.kept(data) if data.get(source_data.FORMAT) == FORMAT else None
        name = Path(source_data.path_of(data)).stem if kept is not None else ""
        original, records = None, None
        textures: dict[str, bytes] = {}
        if kept is not None:
            with log.collect():
                original = Lgo.parse(kept)
            records, textures = _records(obj, original)
            geometry = _in_place(obj, skeleton, original, normals == "NEW")
            if geometry is not None:
                return [PackedMesh(name, replace(original, mesh=geometry, materials=records).pack(), textures)]
        triangles = _triangles(obj, skeleton)
        if original is not None:
            triangles = kept_out.with_left_out(triangles, original)
            return [PackedMesh(name, welded.edited(triangles, original, records).pack(), textures)]
        materials, textures = _materials(obj)
        parts = welded.split(triangles, materials)
        return [PackedMesh("", replace(part, object_id=number + index).pack(), textures) for index, part in enumerate(parts)]


def pack_together(objects: Sequence[bpy.types.Object], skeleton: Skeleton) -> list[PackedMesh]:
    """Several meshes as one file, or as few as have room for its bones. Raises ExportError."""
    parts: list[Triangles] = []
    slots: list[list[int]] = []
    materials: dict[bytes, NDArray[Any]] = {}
    textures: dict[str, bytes] = {}
    with as_shown(bpy.context, objects):
        for obj in objects:
            with log.about(obj.name):
                parts.append(_triangles(obj, skeleton))
                own, pictures = _materials(obj)
            for record in own:
                materials.setdefault(record.tobytes(), record)
            slots.append([list(materials).index(record.tobytes()) for record in own])
            textures |= pictures
    files = welded.split(welded.joined(parts, slots), list(materials.values()))
    return [PackedMesh("", replace(file, object_id=index).pack(), textures) for index, file in enumerate(files)]


def _in_place(obj: bpy.types.Object, skeleton: Skeleton, original: Lgo, fresh_normals: bool) -> Geometry | None:
    """The file's mesh with what was edited of its numbers; None where it is written anew."""
    if original.mesh is None:
        return None
    with log.collect():
        before = holdable(surface_of(original, skeleton.count, [None] * len(original.materials or ()), ""))
    points = positions_of(obj, skeleton.to_model @ world_of(obj)) @ AXES.T
    bare = None if before.weights is None else np.asarray(~before.weights.any(axis=1), np.bool_)
    weights = partial(_weights, obj, skeleton, bare) if obj.vertex_groups else partial(_no_weights, len(points))
    return in_place.edited(in_place.Shown(_data(obj), points, weights, skeleton.count), original.mesh, before, fresh_normals)


def _no_weights(count: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    return np.zeros((count, 1), np.int64), np.zeros((count, 1))


def _triangles(obj: bpy.types.Object, skeleton: Skeleton) -> Triangles:
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
    normals = values_of(data.corner_normals, "vector", np.float32, 3)
    rotated = normals.astype(np.float64) @ np.linalg.inv(matrix[:3, :3])
    rotated /= np.maximum(np.linalg.norm(rotated, axis=1, keepdims=True), 1e-12)
    report_unwrapped(obj)
    uvs = [_uvs(layer) for layer in list(data.uv_layers)[:4]] or [np.zeros((len(data.loops), 2))]
    bones, weights = _weights(obj, skeleton)
    return Triangles(
        positions_of(obj, matrix) @ AXES.T,
        bones,
        weights,
        vertices[corners].astype(np.int64),
        (rotated @ AXES.T)[corners],
        np.stack([layer[corners] for layer in uvs]),
        np.clip(materials.astype(np.int64), 0, max(0, len(data.materials) - 1)),
        _colours(data, corners),
    )


def _colours(data: bpy.types.Mesh, corners: NDArray[np.int32]) -> NDArray[np.uint8] | None:
    """(T, 3, 4) blue, green, red, alpha, of a mesh whose corners have colours."""
    layer: Any = data.color_attributes.get(COLOURS) or data.color_attributes.active_color
    if layer is None or layer.domain != "CORNER":
        return None
    values = values_of(layer.data, "color_srgb", np.float32, 4)
    return np.round(np.clip(values, 0, 1) * 255).astype(np.uint8)[corners][..., [2, 1, 0, 3]]


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


def _records(obj: bpy.types.Object, original: Lgo) -> tuple[Materials | None, dict[str, bytes]]:
    """The materials of the file with what was changed in their properties and pictures, and the files of the changed pictures."""
    materials = original.materials
    textures: dict[str, bytes] = {}
    if materials is None:
        return None, textures
    records = materials.records.copy()
    for index, slot in enumerate(_data(obj).materials[: len(records)]):
        if slot is None:
            log.warning(f"material {index + 1} is gone: the file keeps its own")
            continue
        for item in ("opacity", "transparency"):
            value = slot.get(PROPERTY.format(item))
            if item in (records.dtype.names or ()) and value is not None and str(value) != str(getattr(materials, item)(index)):
                most = np.finfo(np.float32).max if item == "opacity" else np.iinfo(np.uint32).max
                if not isinstance(value, int | float) or not 0 <= value <= most:
                    raise ExportError(f"{slot.name}: {PROPERTY.format(item)} is no number that the file can hold: {value}")
                records[item][index] = value
        before, now = ", ".join(materials.textures(index)), str(slot.get(PROPERTY.format("textures"), ""))
        slots = records["textures"][index]
        if now and now != before:
            for position, name in enumerate(now.split(",")[: len(slots)]):
                _name(slots, position, name.strip())
        elif (image := _changed_picture(slot, before)) is not None:
            name, data, holes = _picture(image)
            textures[name] = data
            _name(slots, 0, name)
            if int(slots["stage"][0]) == UNUSED:
                slots["stage"][0] = 0
            if holes and "colour_key_type" in (slots.dtype.names or ()):
                slots["colour_key_type"][0] = 0
            log.info(f"{slot.name}: its picture is another one than in the file: {name} is written with the mesh")
    return replace(materials, records=records), textures


def _name(slots: NDArray[Any], position: int, name: str) -> None:
    field = slots["file"][position]
    field[:] = np.frombuffer(file_names.encode(name, len(field), field.tobytes()), "u1")


def _changed_picture(material: bpy.types.Material, textures: str) -> bpy.types.Image | None:
    """The picture of a material that shows another one than the file. textures: the file's own, by name."""
    image, before = image_of(material), material.get(PROPERTY.format("picture"))
    if before is None and PROPERTY.format("textures") in material:  # of a scene in which pictures were not remembered
        before = "" if image is None or Path(image.name).stem != Path(textures.split(",")[0]).stem else digest(pixels_of(image))
    if image is None:
        if before or (before is None and textures):
            log.warning(f"{material.name} has no picture any more: the file keeps {textures}")
        return None
    return image if digest(pixels_of(image)) != before else None


def report_pictures(meshes: Sequence[bpy.types.Object]) -> None:
    """Say which materials show another picture than the file, where meshes are not written."""
    names: list[str] = []
    own = [_data(obj) for obj in meshes if _data(obj).get(source_data.FORMAT) == FORMAT]
    for slot in dict.fromkeys(slot for data in own for slot in data.materials if slot is not None):
        textures, image = str(slot.get(PROPERTY.format("textures"), "")), image_of(slot)
        # Pixels are read of what may be another one alone.
        same = image is not None and not image.is_dirty and Path(image.name).stem == Path(textures.split(",")[0]).stem
        if (textures or image is not None) and not same and _changed_picture(slot, textures) is not None:
            names.append(slot.name)
    if names:
        log.warning(f"the pictures of {', '.join(names)} are others than in the files, and are not written: choose Meshes to write them")


def _picture(image: bpy.types.Image) -> tuple[str, bytes, bool]:
    """The name and the bytes of a picture as a file of the game, and whether it has holes."""
    pixels = pixels_of(image)
    holes = bool((pixels[..., 3] < 255).any())
    name = f"{file_name(Path(image.name).stem)[:40]}{'.tga' if holes else '.bmp'}"
    return name, pictures.encode(pixels, name), holes


def _materials(obj: bpy.types.Object) -> tuple[Sequence[NDArray[Any]], dict[str, bytes]]:
    """Records for the materials of a mesh that never was one of the game's, and the pictures that they use."""
    records: list[NDArray[Any]] = []
    textures: dict[str, bytes] = {}
    for slot in _data(obj).materials:
        image = image_of(slot) if slot is not None else None
        states = dict(_TWO_SIDED) if slot is not None and not slot.use_backface_culling else {}
        names: list[str] = []
        if image is not None:
            name, textures[name], holes = _picture(image)
            names, states = [name], states | (_HOLES if holes else {})
        records.append(new_material(names, states))
    return records or [new_material([])], textures
