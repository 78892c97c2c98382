"""Which meshes were edited since they came in, or since they were written: each remembers a checksum of its shape."""

from __future__ import annotations

from zlib import crc32

import bpy
import numpy as np

from ..arrays import values_of

SHAPE = "retro_anim_shape"
"""Custom property of a mesh: the checksum of its vertices and faces, as a file has them."""


def remember(data: bpy.types.Mesh) -> None:
    """That a mesh is as a file has it."""
    data[SHAPE] = _checksum(data)


def is_edited(data: bpy.types.Mesh) -> bool:
    """Whether a mesh has another shape than a file; not of one that never was in any."""
    return SHAPE in data and data[SHAPE] != _checksum(data)


def _checksum(data: bpy.types.Mesh) -> str:
    parts = (
        values_of(data.vertices, "co", np.float32, 3),
        values_of(data.loops, "vertex_index", np.int32),
        values_of(data.polygons, "loop_start", np.int32),
    )
    total = 0
    for part in parts:
        total = crc32(np.ascontiguousarray(part).data.cast("B") if part.size else b"", total)
    return f"{total:08x}"
