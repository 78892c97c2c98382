"""The yardstick of a whole import: a bare script that builds a scene again of plain data."""

from __future__ import annotations

from typing import Any

import bpy

from ..io.blender import compat
from . import yardstick
from .plain_scene import Action, Armature, Material, Mesh, Properties, Scene, Text, input_of


def build(scene: Scene) -> None:
    """All of it. Armatures are edited in one session, since that is the fastest: each change of mode evaluates the scene."""
    images = [_image(*each) for each in scene.images]
    materials = [_material(each, images) for each in scene.materials]
    texts: dict[str, Any] = {}
    for name, properties in scene.texts:
        texts[name] = bpy.data.texts.new(name)
        _give(texts[name], properties, texts)
    layer = bpy.context.view_layer
    figures = [bpy.data.objects.new(each.name, bpy.data.armatures.new(each.name)) for each in scene.armatures]
    collections = [bpy.data.collections.new(each.name) for each in scene.armatures]
    for obj, collection in zip(figures, collections, strict=True):
        collection.objects.link(obj)
        bpy.context.collection.children.link(collection)
    for obj in figures:
        obj.select_set(True)
    layer.objects.active = figures[0]
    bpy.ops.object.mode_set(mode="EDIT")
    for obj, armature in zip(figures, scene.armatures, strict=True):
        _edit(obj.data, armature)
    bpy.ops.object.mode_set(mode="OBJECT")
    for figure, collection, armature in zip(figures, collections, scene.armatures, strict=True):
        obj: Any = figure
        _dress(obj, armature, texts)
        for mesh in armature.meshes:
            collection.objects.link(_built(mesh, obj, materials))
        names = [each.name for each in armature.actions]
        for action, each in zip(yardstick.write([each.curves for each in armature.actions], names), armature.actions, strict=True):
            _finish(action, each, texts)
            if each.name == armature.shown:
                _show(obj, action)
    layer.update()


def _dress(obj: Any, armature: Armature, texts: dict[str, Any]) -> None:
    """What stands at an armature besides its bones."""
    _give(obj.data, armature.properties, texts)
    obj.show_in_front, obj.location = True, armature.location
    by_name = {bone.name: bone for bone in obj.data.bones} if armature.collections else {}
    for name, members in armature.collections:
        bones = obj.data.collections.new(name)
        for member in members:
            bones.assign(by_name[member])
    for bone, pose, (_, _, _, _, mode, properties) in zip(obj.data.bones, obj.pose.bones, armature.bones, strict=True):
        pose.rotation_mode = mode
        _give(bone, properties, texts)


def _show(obj: Any, action: Any) -> None:
    animation = obj.animation_data_create()
    animation.action = action
    if compat.SLOTTED:
        animation.action_slot = action.slots[0]


def _finish(action: Any, given: Action, texts: dict[str, Any]) -> None:
    action.use_fake_user = action.use_frame_range = True
    action.frame_start, action.frame_end, action.use_cyclic = given.times
    for name, frame in given.markers:
        action.pose_markers.new(name).frame = frame
    _give(action, given.properties, texts)


def _give(block: Any, properties: Properties, texts: dict[str, Any]) -> None:
    for name, value, given in properties:
        block[name] = texts[value.name] if isinstance(value, Text) else value
        if given:
            block.id_properties_ui(name).update(**given)


def _image(name: str, size: tuple[int, int], pixels: Any) -> Any:
    image = bpy.data.images.new(name, *size, alpha=True)
    image.pixels.foreach_set(pixels)
    image.pack()
    return image


def _material(given: Material, images: list[Any]) -> Any:
    material: Any = bpy.data.materials.new(given.name)
    material.diffuse_color = given.shown
    _give(material, given.properties, {})
    colour = input_of(material)
    colour.default_value = given.colour
    for name, value in given.inputs:
        colour.node.inputs[name].default_value = value
    if given.image >= 0:
        node = material.node_tree.nodes.new("ShaderNodeTexImage")
        node.image = images[given.image]
        material.node_tree.links.new(node.outputs["Color"], colour)
    return material


def _edit(data: Any, armature: Armature) -> None:
    bones: list[Any] = []
    for name, length, matrix, parent, _, _ in armature.bones:
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
    for name, kind, domain, values in mesh.attributes:
        data.attributes.new(name, kind, domain).data.foreach_set("value", values)
    for name, coordinates in mesh.uvs:
        data.uv_layers.new(name=name).uv.foreach_set("vector", coordinates)
    if mesh.sharp is not None:
        data.edges.foreach_set("use_edge_sharp", mesh.sharp)
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
