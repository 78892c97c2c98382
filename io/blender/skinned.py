"""The meshes that an armature moves, each vertex with the bone of its largest weight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.reporting.errors import ExportError
from ...core.surface.mesh import POINT_NUMBER
from . import armature
from .arrays import values_of


def meshes_of(context: bpy.types.Context, obj: bpy.types.Object) -> list[bpy.types.Object]:
    """The meshes that an armature moves, those with numbers of a file first, and then by name."""
    layer = context.view_layer.objects
    chosen = [each for each in layer if each.type == "MESH" and (each.find_armature() == obj or each.parent == obj)]
    return sorted(chosen, key=lambda each: (POINT_NUMBER not in mesh_of(each).attributes, each.name))


def world_of(obj: bpy.types.Object) -> NDArray[np.float64]:
    """(4, 4) the object's space -> the scene's. Raises ExportError for an object that is scaled to nothing."""
    matrix = np.array(obj.matrix_world, np.float64)
    if abs(np.linalg.det(matrix)) < 1e-24:
        raise ExportError(f"{obj.name} is scaled to nothing: give the object a scale")
    return matrix


def inverse_of(obj: bpy.types.Object) -> NDArray[np.float64]:
    """(4, 4) the scene's space -> the object's. Raises ExportError as `world_of`."""
    return np.linalg.inv(world_of(obj)).astype(np.float64)


def mesh_of(obj: bpy.types.Object) -> bpy.types.Mesh:
    assert isinstance(obj.data, bpy.types.Mesh)
    return obj.data


def carriers(mesh: bpy.types.Object, obj: bpy.types.Object) -> Counter[str]:
    """How many vertices have their largest weight on each bone."""
    vertices = mesh_of(mesh).vertices
    if mesh.parent == obj and mesh.parent_type == "BONE":
        return Counter({mesh.parent_bone: len(vertices)})
    names = {group.index: group.name for group in mesh.vertex_groups if group.name in armature.bones_of(obj)}
    heaviest = (strongest(vertex, names) for vertex in vertices)
    return Counter(names[group] for group in heaviest if group is not None)


def strongest(vertex: bpy.types.MeshVertex, names: Mapping[int, str]) -> int | None:
    """The group, of those named, in which a vertex has its largest weight; None where it is in none of them."""
    shares = [(item.weight, -item.group) for item in vertex.groups if item.group in names and item.weight > 0]
    return -max(shares)[1] if shares else None


def attribute(data: bpy.types.Mesh, name: str) -> NDArray[np.int64] | None:
    """The whole numbers of an attribute, None where a mesh has none of that name."""
    attribute: Any = data.attributes.get(name)
    return values_of(attribute.data, "value", np.int32).astype(np.int64) if attribute is not None else None
