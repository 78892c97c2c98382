"""What a scene holds, as plain data."""

from __future__ import annotations

from typing import Any, NamedTuple

import bpy
import numpy as np

from ..io.blender import compat, fields
from . import yardstick

Properties = list[tuple[str, Any, dict[str, Any]]]
"""Custom properties: name, value, and how Blender is to show it; of a text data-block its name as `Text`."""

_DETAILS = ("description", "min", "max", "step", "precision")


class Text(NamedTuple):
    name: str


class Action(NamedTuple):
    """times: first and last frame, and whether it loops. markers: name and frame."""

    name: str
    curves: list[yardstick.Curve]
    times: tuple[float, float, bool]
    markers: list[tuple[str, int]]
    properties: Properties


class Armature(NamedTuple):
    """bones: name, length, rest matrix, index of the parent or -1, rotation mode, custom properties. collections: of bones, by name.
    shown: name of the active action. location: of the object."""

    name: str
    bones: list[tuple[str, float, Any, int, str, Properties]]
    actions: list[Action]
    meshes: list[Mesh]
    properties: Properties
    collections: list[tuple[str, list[str]]]
    shown: str
    location: Any


class Mesh(NamedTuple):
    """Arrays as Blender takes them. sharp: of edges, None where none is. normals: of corners. groups: name, vertices and their weight.
    slots: indices of materials. attributes: name, type, domain, values. uvs: name and coordinates of each layer."""

    name: str
    positions: Any
    corners: Any
    starts: Any
    material_of: Any
    smooth: Any
    sharp: Any
    normals: Any
    groups: list[tuple[str, list[tuple[list[int], float]]]]
    slots: list[int]
    attributes: list[tuple[str, Any, Any, Any]]
    uvs: list[tuple[str, Any]]


class Material(NamedTuple):
    """inputs: of the shader, by name, that have not the value of a new one; colour: linear; shown: for the viewport. image: index of its
    texture or -1."""

    name: str
    inputs: list[tuple[str, Any]]
    colour: Any
    shown: Any
    image: int
    properties: Properties


class Scene(NamedTuple):
    """images: name, size and pixels. texts: of the files that are kept, by name."""

    images: list[tuple[str, tuple[int, int], Any]]
    materials: list[Material]
    texts: list[tuple[str, Properties]]
    armatures: list[Armature]


def kept() -> Scene:
    """What is in the file."""
    index = {material: number for number, material in enumerate(bpy.data.materials)}
    every: list[Any] = list(index)
    fresh = bpy.data.materials.new("fresh")
    images: list[Any] = [image for image in bpy.data.images if image.type == "IMAGE"]
    materials = [
        Material(
            material.name,
            _changed(material, fresh),
            tuple(input_of(material).default_value),
            tuple(material.diffuse_color),
            next((images.index(node.image) for node in material.node_tree.nodes if node.type == "TEX_IMAGE"), -1),
            _properties(material),
        )
        for material in every
    ]
    by_rig: dict[str, list[Any]] = {}
    for action in bpy.data.actions:
        by_rig.setdefault(action["retro_anim_rig"], []).append(action)
    figures: list[Any] = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    below: dict[Any, list[Any]] = {}
    for obj in bpy.data.objects:
        if obj.type == "MESH":
            below.setdefault(obj.parent, []).append(obj)
    bpy.data.materials.remove(fresh)
    return Scene(
        [(image.name, (image.size[0], image.size[1]), _pixels(image)) for image in images],
        materials,
        [(text.name, _properties(text)) for text in bpy.data.texts],
        [
            Armature(
                obj.name,
                _bones(obj),
                [_action(action, obj) for action in by_rig.get(obj.data["retro_anim_rig"], ())],
                [_mesh(mesh, index) for mesh in below.get(obj, ())],
                _properties(obj.data),
                [(each.name, [bone.name for bone in each.bones]) for each in obj.data.collections],
                obj.animation_data.action.name if obj.animation_data and obj.animation_data.action else "",
                tuple(obj.location),
            )
            for obj in figures
        ],
    )


def _pixels(image: Any) -> Any:
    values = np.empty(len(image.pixels), np.float32)
    image.pixels.foreach_get(values)
    return values


def _action(action: Any, obj: Any) -> Action:
    return Action(
        action.name,
        yardstick.curves_of(action, obj),
        (action.frame_start, action.frame_end, action.use_cyclic),
        [(marker.name, marker.frame) for marker in action.pose_markers],
        _properties(action),
    )


def _properties(block: Any) -> Properties:
    listed: Properties = []
    for name, value in block.items():
        text = isinstance(value, bpy.types.Text)
        # The tooltip and the limits, where somebody gave them: else Blender has its own.
        details = {} if text or isinstance(value, bytes) else block.id_properties_ui(name).as_dict()
        given = {key: details[key] for key in _DETAILS if key in details} if details.get("description") else {}
        listed.append((name, Text(value.name) if text else fields.copied(value), given))
    return listed


def _shader(material: Any) -> Any:
    return next(node for node in compat.shader_tree(material).nodes if node.type == "BSDF_PRINCIPLED")


def input_of(material: Any) -> Any:
    return _shader(material).inputs["Base Color"]


def _changed(material: Any, fresh: Any) -> list[tuple[str, Any]]:
    """Of the shader's inputs those that differ from a new one's, but for the colour."""
    pairs = [(its.name, _plain(its), _plain(usual)) for its, usual in zip(_shader(material).inputs, _shader(fresh).inputs, strict=True)]
    return [(name, value) for name, value, usual in pairs if value != usual and name != "Base Color"]


def _plain(socket: Any) -> Any:
    value: Any = getattr(socket, "default_value", None)
    return tuple(value) if hasattr(value, "__len__") else value


def _bones(obj: Any) -> list[tuple[str, float, Any, int, str, Properties]]:
    number = {bone.name: index for index, bone in enumerate(obj.data.bones)}
    return [
        (
            bone.name,
            bone.length,
            bone.matrix_local.copy(),
            number[bone.parent.name] if bone.parent else -1,
            pose.rotation_mode,
            _properties(bone),
        )
        for bone, pose in zip(obj.data.bones, obj.pose.bones, strict=True)
    ]


def _mesh(obj: Any, index: dict[Any, int]) -> Mesh:
    data = obj.data
    groups: list[dict[float, list[int]]] = [{} for _ in obj.vertex_groups]
    for vertex in data.vertices:
        for element in vertex.groups:
            groups[element.group].setdefault(element.weight, []).append(vertex.index)
    names: list[str] = [group.name for group in obj.vertex_groups]
    sharp = _values(data.edges, "use_edge_sharp", 1, bool)
    weights = [[(members, weight) for weight, members in by_weight.items()] for by_weight in groups]
    return Mesh(
        data.name,
        _values(data.vertices, "co", 3),
        _values(data.loops, "vertex_index", 1, np.int32),
        _values(data.polygons, "loop_start", 1, np.int32),
        _values(data.polygons, "material_index", 1, np.int32),
        _values(data.polygons, "use_smooth", 1, bool),
        sharp if sharp.any() else None,
        [tuple(corner.vector) for corner in data.corner_normals] if data.has_custom_normals else None,
        list(zip(names, weights, strict=True)),
        [index[material] for material in data.materials],
        [
            (
                layer.name,
                layer.data_type,
                layer.domain,
                _values(layer.data, "value", 1, np.int32 if layer.data_type == "INT" else np.float32),
            )
            for layer in data.attributes
            if layer.data_type in ("INT", "FLOAT") and not layer.is_internal and layer.name != "material_index"
        ],
        [(layer.name, _values(layer.uv, "vector", 2)) for layer in data.uv_layers],
    )


def _values(items: Any, name: str, components: int, kind: Any = np.float32) -> Any:
    values = np.empty(components * len(items), kind)
    items.foreach_get(name, values)
    return values
