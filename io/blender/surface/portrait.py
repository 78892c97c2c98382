"""A picture of a character in one pose of an action, as Blender shows it, drawn without a window."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.images.pixels import Pixels
from ....core.surface import raster
from ....core.surface.raster import Shape
from ....core.surface.srgb import displayed
from .. import armature
from ..arrays import values_of
from ..motion import evaluated
from .materials.images import image_of

Floats = NDArray[np.float64]

_GREY = (0.6, 0.6, 0.6)


class Portraits:
    """Of one object and its meshes, in several poses."""

    def __init__(self, context: bpy.types.Context, obj: bpy.types.Object, size: int, forward: Floats) -> None:
        self.context, self.obj, self.size, self.forward = context, obj, size, forward
        self.meshes = [each for each in context.view_layer.objects if each.type == "MESH" and _moved_by(each, obj)]
        self._images: dict[str, Pixels] = {}

    def draw(self, action: bpy.types.Action, frame: float) -> Pixels | None:
        """(size, size, 4), top row first, transparent around it; None where there is nothing to be seen. The scene is as before."""
        scene = self.context.scene
        before = scene.frame_current, scene.frame_subframe
        try:
            with evaluated.alone(self.obj, action):
                scene.frame_set(int(frame // 1), subframe=frame % 1)
                shapes = self._shapes()
        finally:
            scene.frame_set(before[0], subframe=before[1])
        return raster.draw(raster.joined(shapes), self.size, self.forward) if shapes else None

    def _shapes(self) -> list[Shape]:
        """As the scene is now, in the space of the object, so that where it has gone does not matter."""
        graph = self.context.evaluated_depsgraph_get()
        back = np.array(self.obj.evaluated_get(graph).matrix_world.inverted_safe(), np.float64)
        shapes = [self._surface(each.evaluated_get(graph), back) for each in self.meshes]
        if not shapes and self.obj.type == "ARMATURE":
            shapes = [_bones(self.obj)]
        return shapes

    def _surface(self, shown: Any, back: Floats) -> Shape:
        mesh = shown.to_mesh()
        try:
            mesh.calc_loop_triangles()
            triangles = mesh.loop_triangles
            points = values_of(mesh.vertices, "co", np.float32, 3).astype(np.float64)
            move = back @ np.array(shown.matrix_world, np.float64)
            points = points @ move[:3, :3].T + move[:3, 3]
            vertices = values_of(triangles, "vertices", np.int32, 3)
            loops = values_of(triangles, "loops", np.int32, 3)
            material = values_of(triangles, "material_index", np.int32).astype(np.int64)
            slots = list(mesh.materials) or [None]
            material = np.clip(material, 0, len(slots) - 1)
            textures = [self._texture(slot) for slot in slots]
            images = [image for image in textures if image is not None]
            index = np.array([next((number for number, each in enumerate(images) if each is image), -1) for image in textures], np.int64)
            layer = mesh.uv_layers.active
            uvs = values_of(layer.uv, "vector", np.float32, 2).astype(np.float64)[loops] if layer is not None else None
            return Shape(
                points[vertices],
                np.array([_colour(slot) for slot in slots], np.float64)[material],
                np.zeros((len(vertices), 3, 2)) if uvs is None else uvs,
                index[material] if uvs is not None else np.full(len(vertices), -1),
                np.ones(len(vertices), np.bool_),
                images,
            )
        finally:
            shown.to_mesh_clear()

    def _texture(self, material: Any) -> Pixels | None:
        """The picture of a material, None without one."""
        image: Any = image_of(material) if material is not None else None
        if image is None:
            return None
        if image.name not in self._images:
            pixels = np.empty(image.size[0] * image.size[1] * 4, np.float32)
            image.pixels.foreach_get(pixels)
            rows = pixels.reshape(image.size[1], image.size[0], 4)[::-1]
            self._images[image.name] = (np.clip(rows, 0, 1) * 255 + 0.5).astype(np.uint8)
        return self._images[image.name]


def _moved_by(mesh: bpy.types.Object, obj: bpy.types.Object) -> bool:
    return not mesh.hide_get() and (mesh == obj or mesh.find_armature() == obj)


def _colour(material: Any) -> tuple[float, float, float]:
    """As displayed; of a material with a texture white, which that is multiplied with."""
    if material is None:
        return _GREY
    return (1.0, 1.0, 1.0) if image_of(material) is not None else displayed(material.diffuse_color)


def _bones(obj: bpy.types.Object) -> Shape:
    """Of an armature without a mesh, as lines."""
    ends = np.array([(bone.head, bone.tail) for bone in armature.pose_bones(obj)], np.float64).reshape(-1, 2, 3)
    empty = Shape(np.zeros((0, 3, 3)), np.zeros((0, 3)), np.zeros((0, 3, 2)), np.zeros(0, np.int64), np.zeros(0, np.bool_))
    empty.ends, empty.line_colours = ends, np.tile(_GREY, (len(ends), 1))
    return empty
