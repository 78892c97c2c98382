"""The yardstick of a whole import: what a scene holds as plain data, and a bare script that builds it again."""

from __future__ import annotations

from typing import Any, NamedTuple

import bpy
import numpy as np

from ..io.blender import compat
from . import yardstick


class Armature(NamedTuple):
    """bones: name, length, rest matrix, index of the parent or -1, rotation mode. actions: the names of the clips."""

    name: str
    bones: list[tuple[str, float, Any, int, str]]
    clips: list[list[yardstick.Curve]]
    actions: list[str]
    meshes: list[Mesh]


class Mesh(NamedTuple):
    """Arrays as Blender takes them. normals: of corners. groups: name, vertices and their weight. slots: indices of materials."""

    name: str
    positions: Any
    corners: Any
    starts: Any
    material_of: Any
    smooth: Any
    normals: Any
    groups: list[tuple[str, list[tuple[list[int], float]]]]
    slots: list[int]


class Scene(NamedTuple):
    """materials: names, and colours, linear, of the shader and for the viewport."""

    materials: list[tuple[str, Any, Any]]
    armatures: list[Armature]


def kept() -> Scene:
    """What is in the file."""
    index = {material: number for number, material in enumerate(bpy.data.materials)}
    every: list[Any] = list(index)
    materials = [(material.name, tuple(_input(material).default_value), tuple(material.diffuse_color)) for material in every]
    by_rig: dict[str, list[Any]] = {}
    for action in bpy.data.actions:
        by_rig.setdefault(action["retro_anim_rig"], []).append(action)
    figures: list[Any] = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    below: dict[Any, list[Any]] = {}
    for obj in bpy.data.objects:
        if obj.type == "MESH":
            below.setdefault(obj.parent, []).append(obj)
    return Scene(
        materials,
        [
            Armature(
                obj.name,
                _bones(obj),
                [yardstick.curves_of(action, obj) for action in by_rig.get(obj.data["retro_anim_rig"], ())],
                [action.name for action in by_rig.get(obj.data["retro_anim_rig"], ())],
                [_mesh(mesh, index) for mesh in below.get(obj, ())],
            )
            for obj in figures
        ],
    )


def _input(material: Any) -> Any:
    tree = compat.shader_tree(material)
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    return shader.inputs["Base Color"]


def _bones(obj: Any) -> list[tuple[str, float, Any, int, str]]:
    number = {bone.name: index for index, bone in enumerate(obj.data.bones)}
    return [
        (bone.name, bone.length, bone.matrix_local.copy(), number[bone.parent.name] if bone.parent else -1, pose.rotation_mode)
        for bone, pose in zip(obj.data.bones, obj.pose.bones, strict=True)
    ]


def _mesh(obj: Any, index: dict[Any, int]) -> Mesh:
    data = obj.data
    groups: list[dict[float, list[int]]] = [{} for _ in obj.vertex_groups]
    for vertex in data.vertices:
        for element in vertex.groups:
            groups[element.group].setdefault(element.weight, []).append(vertex.index)
    names: list[str] = [group.name for group in obj.vertex_groups]
    weights = [[(members, weight) for weight, members in by_weight.items()] for by_weight in groups]
    return Mesh(
        data.name,
        _values(data.vertices, "co", 3),
        _values(data.loops, "vertex_index", 1, np.int32),
        _values(data.polygons, "loop_start", 1, np.int32),
        _values(data.polygons, "material_index", 1, np.int32),
        _values(data.polygons, "use_smooth", 1, bool),
        [tuple(corner.vector) for corner in data.corner_normals] if data.has_custom_normals else None,
        list(zip(names, weights, strict=True)),
        [index[material] for material in data.materials],
    )


def _values(items: Any, name: str, components: int, kind: Any = np.float32) -> Any:
    values = np.empty(components * len(items), kind)
    items.foreach_get(name, values)
    return values


def build(scene: Scene) -> None:
    """All of it. Armatures are edited in one session, since that is the fastest: each change of mode evaluates the scene."""
    materials = [_material(*each) for each in scene.materials]
    collection, layer = bpy.context.collection, bpy.context.view_layer
    figures = [bpy.data.objects.new(each.name, bpy.data.armatures.new(each.name)) for each in scene.armatures]
    for obj in figures:
        collection.objects.link(obj)
    for obj in figures:
        obj.select_set(True)
    layer.objects.active = figures[0]
    bpy.ops.object.mode_set(mode="EDIT")
    for obj, armature in zip(figures, scene.armatures, strict=True):
        _edit(obj.data, armature)
    bpy.ops.object.mode_set(mode="OBJECT")
    meshes: list[Any] = []
    for figure, armature in zip(figures, scene.armatures, strict=True):
        obj: Any = figure
        for pose, (_, _, _, _, mode) in zip(obj.pose.bones, armature.bones, strict=True):
            pose.rotation_mode = mode
        meshes += [_built(mesh, obj, materials) for mesh in armature.meshes]
        yardstick.write(armature.clips, armature.actions)
    for mesh in meshes:
        collection.objects.link(mesh)
    layer.update()


def _material(name: str, colour: Any, shown: Any) -> Any:
    material = bpy.data.materials.new(name)
    material.diffuse_color = shown
    _input(material).default_value = colour
    return material


def _edit(data: Any, armature: Armature) -> None:
    bones: list[Any] = []
    for name, length, matrix, parent, _ in armature.bones:
        bone = data.edit_bones.new(name)
        bone.head, bone.tail = (0.0, 0.0, 0.0), (0.0, length, 0.0)
        bone.matrix = matrix
        if parent >= 0:
            bone.parent = bones[parent]
        bones.append(bone)


def _built(mesh: Mesh, figure: Any, materials: list[Any]) -> Any:
    data: Any = bpy.data.meshes.new(mesh.name)
    data.vertices.add(len(mesh.positions) // 3)
    data.vertices.foreach_set("co", mesh.positions)
    data.loops.add(len(mesh.corners))
    data.loops.foreach_set("vertex_index", mesh.corners)
    data.polygons.add(len(mesh.starts))
    data.polygons.foreach_set("loop_start", mesh.starts)
    data.polygons.foreach_set("material_index", mesh.material_of)
    data.polygons.foreach_set("use_smooth", mesh.smooth)
    data.update(calc_edges=True)
    if mesh.normals is not None:
        data.normals_split_custom_set(mesh.normals)
    for slot in mesh.slots:
        data.materials.append(materials[slot])
    obj: Any = bpy.data.objects.new(mesh.name, data)
    for name, parts in mesh.groups:
        group = obj.vertex_groups.new(name=name)
        for members, weight in parts:
            group.add(members, weight, "REPLACE")
    obj.parent = figure
    obj.modifiers.new("Armature", "ARMATURE").object = figure
    return obj
