"""Which meshes were edited since they came in, or since they were written: each remembers checksums of its shape, of how bones carry it,
and of how its faces look."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias
from zlib import crc32

import bpy
import numpy as np
from numpy.typing import NDArray

from .. import not_undone
from ..arrays import values_of
from .materials.images import name_of
from .materials.painted import painted
from .materials.plain_colour import is_plain, shown, source_of
from .materials.shown_nodes import CORNERS, unchanged
from .materials.shown_picture import shown_alpha
from .skinned import drawn_uvs

SHAPE = "retro_anim_shape"
"""Custom property of a mesh: the checksums of what a file has of it."""

_OF_NOTHING = "00000000"
"""What is remembered of normals that were out of reach."""

_IMPORTED = {*CORNERS, "MIX", "ADD_SHADER"}
"""Nodes that an import has where there is no picture: of colours of corners, and of light that is added."""

MeshPart: TypeAlias = Literal[
    "shape", "shading", "normals", "uvs", "further uvs", "colours", "weights", "materials", "plain colours", "settings"
]

_OF_NORMALS: frozenset[MeshPart] = frozenset({"shading", "normals"})
"""What makes the normals."""


def remember(data: bpy.types.Mesh, *, kept_normals: bool = False) -> None:
    """That a mesh is as a file has it. kept_normals: but for edits of its normals alone, as the file keeps its own."""
    checksums, before = _checksums(data), _remembered(data)
    if kept_normals and before.get("shape") == checksums["shape"]:
        checksums |= {part: before[part] for part in _OF_NORMALS & before.keys() & checksums.keys()}
    not_undone.keep(data, SHAPE, ",".join(f"{part}:{checksum}" for part, checksum in checksums.items()))


def edited_parts(data: bpy.types.Mesh) -> set[MeshPart]:
    """What of a mesh is other than in a file; nothing of one that never was in any, and no part of which nothing is remembered. Where faces
    have other materials, plain colours are others for that alone."""
    before = _remembered(data)
    if not before:
        return set()
    parts: set[MeshPart] = {part for part, checksum in _checksums(data).items() if before.get(part, checksum) != checksum}
    return parts - {"plain colours"} if "materials" in parts else parts


def _remembered(data: bpy.types.Mesh) -> dict[str, str]:
    """The checksums of the parts of which something is remembered."""
    known = not_undone.kept(data, SHAPE)
    pairs = (each.split(":", 1) for each in known.split(",") if ":" in each) if isinstance(known, str) else ()
    return {part: checksum for part, checksum in pairs if (part, checksum) != ("normals", _OF_NOTHING)}


def _checksums(data: bpy.types.Mesh) -> dict[MeshPart, str]:
    totals: dict[MeshPart, int] = {}
    with unchanged():
        for part, values in _parts(data):
            totals[part] = crc32(np.ascontiguousarray(values).data.cast("B") if values.size else b"", totals.get(part, 0))
    return {part: f"{total:08x}" for part, total in totals.items()}


def _parts(data: bpy.types.Mesh) -> Iterator[tuple[MeshPart, NDArray[Any]]]:
    yield "shape", values_of(data.vertices, "co", np.float32, 3)
    yield "shape", values_of(data.loops, "vertex_index", np.int32)
    yield "shape", values_of(data.polygons, "loop_start", np.int32)
    indices = values_of(data.polygons, "material_index", np.int32)
    yield "materials", indices
    yield "shading", values_of(data.polygons, "use_smooth", np.bool_)
    yield "shading", values_of(data.edges, "use_edge_sharp", np.bool_)
    if (normals := _normals(data)) is not None:
        yield "normals", normals
    yield "uvs", np.zeros(0)  # so that the first layer is an edit, too, as with colours
    yield "further uvs", np.zeros(0)
    for number, layer in enumerate(drawn_uvs(data)):
        yield "further uvs" if number else "uvs", values_of(layer.uv, "vector", np.float32, 2)
    yield "colours", np.zeros(0)
    for colours in painted(data):
        yield "colours", values_of(colours.data, "color_srgb", np.float32, 4)
    # One list without a call for each vertex: Blender has no other way to all weights.
    weights = [(number, share.group, share.weight) for number, vertex in enumerate(data.vertices) for share in vertex.groups]
    yield "weights", np.array(weights)
    for material in used_materials(data):
        if material is not None:
            yield "settings", np.array([shown_alpha(material) or 0, material.use_backface_culling], np.float32)
        picture = name_of(material) if material is not None else ""
        yield "materials", np.frombuffer(picture.encode(), np.uint8)
        if picture:
            continue
        if is_plain(material):
            yield "plain colours", np.array(shown(material), np.float32)
        elif (source := source_of(material)) not in _IMPORTED:
            yield "plain colours", np.frombuffer(source.encode(), np.uint8)


def _normals(data: bpy.types.Mesh) -> NDArray[Any] | None:
    """The custom normals of a mesh, as Blender stores them, or a mark that it has none; None where it has them out of reach, as Blender 4.2
    does."""
    stored: Any = data.attributes.get("custom_normal")
    if stored is not None and (stored.data_type, stored.domain) == ("INT16_2D", "CORNER"):
        return values_of(stored.data, "value", np.int16, 2)
    if stored is not None and stored.data_type == "FLOAT_VECTOR":  # free ones, which do not follow the shape
        return values_of(stored.data, "vector", np.float32, 3)
    return None if data.has_custom_normals else np.zeros(1, np.int16)


def used_materials(data: bpy.types.Mesh) -> list[bpy.types.Material | None]:
    """The materials of the slots that faces have, in the order of these."""
    indices = values_of(data.polygons, "material_index", np.int32)
    slots: Any = data.materials
    return [slots[index] for index in np.unique(indices[(indices >= 0) & (indices < len(slots))]).tolist()]
