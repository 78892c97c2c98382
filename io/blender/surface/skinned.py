"""The meshes that an armature moves, as they are shown at rest; each vertex with the bone of its largest weight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import Any, Literal

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.reporting import log
from ....core.reporting.errors import ExportError
from ....core.reporting.labels import counted
from ....core.surface.holdable import LARGEST
from ....core.surface.mesh import POINT_NUMBER
from .. import armature, arrays, parenting
from ..arrays import values_of
from .materials.images import image_of

_NUMBERS: Mapping[str, type[np.generic]] = {"INT": np.int32, "INT8": np.int8, "BOOLEAN": np.bool_, "FLOAT": np.float32}
"""The types of attributes that are one number, and how Blender stores them."""

_FARTHEST = 2.0**31
"""From where on a decimal number stands for none of a point or a face; neither do infinity and what is no number."""

FLAT = 1e-24
"""The determinant of a matrix that scales to nothing, at most."""


def meshes_of(context: bpy.types.Context, obj: bpy.types.Object) -> list[bpy.types.Object]:
    """The meshes that an armature moves, those with numbers of a file first, and then by name."""
    layer = context.view_layer.objects
    chosen = [each for each in layer if each.type == "MESH" and obj in movers_of(each)]
    return sorted(chosen, key=lambda each: (POINT_NUMBER not in mesh_of(each).attributes, each.name))


def movers_of(mesh: bpy.types.Object) -> list[bpy.types.Object]:
    """What moves a mesh: an armature by its modifier, and what it hangs on, the same once."""
    return [each for each in dict.fromkeys((mesh.find_armature(), mesh.parent)) if each is not None]


def meshes_for_body(context: bpy.types.Context, obj: bpy.types.Object) -> list[bpy.types.Object]:
    """The meshes that a body is made of. Raises ExportError where there is nothing to make one of."""
    meshes = meshes_of(context, obj)
    if not meshes:
        raise ExportError(f"{obj.name} moves no mesh: parent one to it, with weights")
    if not any(len(mesh_of(each).vertices) or any(own.type != "ARMATURE" for own in each.modifiers) for each in meshes):
        raise ExportError(f"{', '.join(each.name for each in meshes)}: no vertices to make a body of")
    return meshes


def report_unmoved(context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """Say which meshes hang on an armature as objects alone, of a game whose files hold none of these."""
    hanging = (obj for obj in context.view_layer.objects if obj.type == "MESH" and obj.parent == armature and obj.find_armature() is None)
    for obj in hanging:
        log.warning(
            f"{obj.name} hangs on {armature.name}, which moves none of its vertices, and is left out: give it an Armature modifier and "
            "vertex groups, by Parent > Armature Deform",
        )


def materials_of(obj: bpy.types.Object) -> list[bpy.types.Material | None]:
    """Those that are shown, of each slot: a slot has its material from the mesh, or from the object."""
    return [slot.material for slot in obj.material_slots]


def used_slots(data: bpy.types.Mesh) -> set[int]:
    """The numbers of the material slots that faces have."""
    return set(values_of(data.polygons, "material_index", np.int32).tolist())


def drawn_uvs(data: bpy.types.Mesh) -> list[Any]:
    """The UV maps of a mesh: the one by which Blender renders it, and games draw it, and then the others."""
    return sorted(data.uv_layers, key=lambda layer: not layer.active_render)


def report_unwrapped(obj: bpy.types.Object) -> None:
    """Say that a mesh with pictures has nothing that says where they lie on it."""
    if mesh_of(obj).uv_layers.active is not None:
        return
    used = used_slots(mesh_of(obj))
    slots = (slot.material for index, slot in enumerate(obj.material_slots) if index in used)
    pictured = [material.name for material in slots if material is not None and image_of(material) is not None]
    if pictured:
        with log.about(obj.name):
            log.warning(f"it has no UV map, so that each face has one colour of the picture of {', '.join(pictured)}: unwrap it")


def shown_by(obj: bpy.types.Object) -> tuple[list[bpy.types.Modifier], list[bpy.types.ShapeKey]]:
    """The modifiers and the shape keys that make something else of a mesh at rest."""
    keys = mesh_of(obj).shape_keys
    blocks = keys.key_blocks[1:] if keys is not None else []
    modifiers = [each for each in obj.modifiers if each.type != "ARMATURE" and each.show_viewport]
    return modifiers, [block for block in blocks if block.value and not block.mute]


@contextmanager
def as_shown(context: bpy.types.Context, meshes: Sequence[bpy.types.Object]) -> Generator[None]:
    """Inside, each mesh is what its shape keys and modifiers make of it at rest, which is reported; armatures do not move it."""
    with ExitStack() as restored:
        for obj in meshes:
            if not (names := [each.name for each in chain(*shown_by(obj))]):
                continue
            if obj.library is None and obj.mode == "OBJECT" and _evaluated(context, obj, restored):
                log.info(f"{obj.name} is taken as it is shown, with {', '.join(names)}")
            else:
                log.warning(f"{obj.name}: modifiers and shape keys are left out: {', '.join(names)}; apply them first")
        yield


def _evaluated(context: bpy.types.Context, obj: bpy.types.Object, restored: ExitStack) -> bool:
    """Give an object the mesh that it shows at rest until the stack is left; False where Blender does not evaluate it."""
    before = mesh_of(obj)
    with ExitStack() as still:
        for modifier in obj.modifiers:
            if modifier.type == "ARMATURE" and modifier.show_viewport:
                still.callback(setattr, modifier, "show_viewport", True)
                modifier.show_viewport = False
        graph = context.evaluated_depsgraph_get()
        evaluated = obj.evaluated_get(graph)
        if not evaluated.is_evaluated:
            return False
        shown = bpy.data.meshes.new_from_object(evaluated, preserve_all_data_layers=True, depsgraph=graph)
    for name in list(before.keys()):
        shown[name] = before[name]
    restored.callback(bpy.data.meshes.remove, shown)
    restored.callback(setattr, obj, "data", before)
    obj.data = shown
    return True


def positions_of(obj: bpy.types.Object, matrix: NDArray[np.floating]) -> NDArray[np.float64]:
    """(V, 3) its vertices by a matrix. Raises ExportError for one that is at no number, or as far off as none can come in."""
    points = values_of(mesh_of(obj).vertices, "co", np.float32, 3).astype(np.float64)
    lost = np.flatnonzero(~(np.abs(points) <= LARGEST).all(axis=1))
    if len(lost):
        raise ExportError(
            f"{obj.name}: {len(lost)} vertices are nowhere, at no number or out of all reach (the first is vertex {lost[0]}): delete them"
        )
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def height_of(meshes: Sequence[bpy.types.Object]) -> float:
    """From the lowest to the highest vertex in the scene, 0 for meshes without any. Raises ExportError as `world_of`."""
    heights = [positions_of(mesh, world_of(mesh))[:, 2] for mesh in meshes if len(mesh_of(mesh).vertices)]
    return float(np.ptp(np.concatenate(heights))) if heights else 0.0


def mirrored(matrix: NDArray[np.floating]) -> bool:
    """Whether a matrix shows the faces of a mesh from the other side, so that their corners go round the other way."""
    return bool(np.linalg.det(matrix[:3, :3]) < 0)


def world_of(obj: bpy.types.Object) -> NDArray[np.float64]:
    """(4, 4) the object's space -> the scene's. Raises ExportError for an object that is scaled to nothing, or stands nowhere."""
    matrix = parenting.stands(obj)
    if not np.isfinite(matrix).all():
        raise arrays.nowhere(obj)
    if abs(np.linalg.det(matrix)) < FLAT:
        raise ExportError(f"{obj.name} is scaled to nothing: give the object a scale")
    return matrix


def rest_world_of(mesh: bpy.types.Object, obj: bpy.types.Object) -> NDArray[np.float64]:
    """As `world_of`, of a mesh on an armature, with the bone that it hangs on at rest."""
    world, bone = world_of(mesh), _bone_of(mesh, obj)
    if bone is None:
        return world
    outer, carried = world_of(obj), carried_by(mesh, obj)
    if abs(np.linalg.det(carried)) < FLAT:
        raise ExportError(f"{mesh.name}: the bone {bone.name}, on which it hangs, is scaled to nothing: give it a scale")
    return outer @ np.linalg.inv(carried) @ world


def carried_by(mesh: bpy.types.Object, obj: bpy.types.Object) -> NDArray[np.float64]:
    """(4, 4) an armature's space -> the scene's, as a mesh on it is shown: moved by the bone that it hangs on as that is from its rest."""
    outer, bone = parenting.stands(obj), _bone_of(mesh, obj)
    if bone is None:
        return outer
    return outer @ np.array(bone.matrix, np.float64) @ np.linalg.inv(np.array(bone.bone.matrix_local, np.float64))


def _bone_of(mesh: bpy.types.Object, obj: bpy.types.Object) -> Any:
    """The pose bone of an armature that a mesh hangs on, itself or by its parents."""
    child, pose = child_above(mesh, obj), obj.pose
    return pose.bones.get(child.parent_bone) if child is not None and child.parent_type == "BONE" and pose is not None else None


def child_above(mesh: bpy.types.Object, obj: bpy.types.Object) -> bpy.types.Object | None:
    """What hangs on an object: a mesh, or one of its parents; None where none of these does."""
    child = mesh
    while child.parent is not None and child.parent != obj:
        child = child.parent
    return child if child.parent is not None else None


def inverse_of(obj: bpy.types.Object) -> NDArray[np.float64]:
    """(4, 4) the scene's space -> the object's, of a character whose meshes are written. Raises ExportError as `world_of`."""
    matrix = world_of(obj)
    if mirrored(matrix):
        with log.about(obj.name):
            log.warning("it is mirrored as an object, and is written as it is without: mirror its meshes instead")
    return np.linalg.inv(matrix).astype(np.float64)


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


def astray(mesh: bpy.types.Object, obj: bpy.types.Object) -> list[str]:
    """The vertex groups that are called as no bone, of vertices that no bone's group has: none of the armature's bones moves these."""
    others = {group.index: group.name for group in mesh.vertex_groups if group.name not in armature.bones_of(obj)}
    if not others:
        return []
    weighted = [{item.group for item in vertex.groups if item.weight > 0} for vertex in mesh_of(mesh).vertices]
    lost = set[int]().union(*(groups for groups in weighted if groups <= others.keys()))
    return [name for group, name in others.items() if group in lost]


def strongest(vertex: bpy.types.MeshVertex, groups: Container[int]) -> int | None:
    """The group, of these, in which a vertex has its largest weight; None where it is in none of them."""
    shares = [(item.weight, -item.group) for item in vertex.groups if item.group in groups and item.weight > 0]
    return -max(shares)[1] if shares else None


def report_shared(obj: bpy.types.Object, groups: Container[int]) -> None:
    """Say how many vertices of a mesh several of these groups move, of a game that has one bone a vertex."""
    shared = 0
    for vertex in mesh_of(obj).vertices:
        weights = [item.weight for item in vertex.groups if item.group in groups]
        shared += len(weights) > 1 and sum(weight > 0.01 * max(weights) for weight in weights) > 1
    if shared:
        who = counted(shared, "vertex has", "vertices have")
        with log.about(obj.name):
            log.warning(f"{who} weights on several bones; the game has one a vertex: that of the largest is taken")


def attribute(data: bpy.types.Mesh, name: str, domain: Literal["POINT", "FACE"]) -> NDArray[np.int64] | None:
    """(N,) the whole numbers that an attribute has for all points or faces; None where a mesh has none of that name, and where it was
    converted to anything else, which is said."""
    values = float_attribute(data, name, domain)
    return None if values is None else np.where(np.abs(values) < _FARTHEST, values, 0).astype(np.int64)


def float_attribute(data: bpy.types.Mesh, name: str, domain: Literal["POINT", "FACE"]) -> NDArray[np.float64] | None:
    """As `attribute`, not rounded."""
    values: Any = data.attributes.get(name)
    if values is None:
        return None
    if values.domain == domain and values.data_type in _NUMBERS:
        return values_of(values.data, "value", _NUMBERS[values.data_type]).astype(np.float64)
    what = "a number for each vertex" if domain == "POINT" else "a number for each face"
    log.warning(f"the attribute {name} of {data.name} is not {what} any more, and does not count: undo its conversion")
    return None
