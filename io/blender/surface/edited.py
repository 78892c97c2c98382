"""Which meshes were edited since they came in, or since they were written: each remembers a checksum of its shape, of how bones carry it,
and of how its faces look."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from zlib import crc32

import bpy
import numpy as np
from numpy.typing import NDArray

from ..arrays import values_of

SHAPE = "retro_anim_shape"
"""Custom property of a mesh: the checksum of what a file has of it."""


def remember(data: bpy.types.Mesh) -> None:
    """That a mesh is as a file has it."""
    data[SHAPE] = _checksum(data)


def is_edited(data: bpy.types.Mesh) -> bool:
    """Whether a mesh has another shape, other weights or other faces than a file; not of one that never was in any."""
    return SHAPE in data and data[SHAPE] != _checksum(data)


def _checksum(data: bpy.types.Mesh) -> str:
    total = 0
    for part in _parts(data):
        total = crc32(np.ascontiguousarray(part).data.cast("B") if part.size else b"", total)
    return f"{total:08x}"


def _parts(data: bpy.types.Mesh) -> Iterator[NDArray[Any]]:
    yield values_of(data.vertices, "co", np.float32, 3)
    yield values_of(data.loops, "vertex_index", np.int32)
    yield values_of(data.polygons, "loop_start", np.int32)
    yield values_of(data.polygons, "material_index", np.int32)
    yield values_of(data.polygons, "use_smooth", np.bool_)
    yield values_of(data.edges, "use_edge_sharp", np.bool_)
    for layer in data.uv_layers:
        yield values_of(layer.uv, "vector", np.float32, 2)
    colours: Any
    for colours in data.color_attributes:
        yield values_of(colours.data, "color_srgb", np.float32, 4)
    # One list without a call for each vertex: Blender has no other way to all weights.
    yield np.array([(number, share.group, share.weight) for number, vertex in enumerate(data.vertices) for share in vertex.groups])
