"""What Game View looks at a character with: camera, light and floor of the game's row, on a stage that moves under the character."""

from __future__ import annotations

from math import radians, tan
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core.declare.game import Game, View, axis_vector
from ..blender import armature, compat

NAME = "Game View"
"""Of all that is made for it."""

_FILLS = 0.6
"""How much of the picture's height a character takes that shall fill it."""

_TILES = 200


def build(scene: Any, obj: bpy.types.Object, game: Game, view: View, collection: Any, fills: bool) -> tuple[str, str]:
    """Stage, pivot, camera, light and floor; the names of the first two. The pivot is to stand where the character does; it carries the
    camera. fills: whether the character fills the picture."""
    scale = armature.scale_of(obj)
    height, middle = _extent(obj)

    def new(name: str, data: Any, parent: Any = None) -> Any:
        created = bpy.data.objects.new(f"{NAME} {name}", data)
        created.parent, created.hide_select = parent, True
        collection.objects.link(created)
        return created

    stage = new("Stage", None)
    pivot = new("Pivot", None, stage)
    limit = pivot.constraints.new("COPY_LOCATION")
    limit.use_z = False
    camera, away = _camera(view, scale, height, fills)
    towards = direction(game, view.azimuth, view.elevation)
    scene.camera = new("Camera", camera, pivot)
    scene.camera.matrix_local = _looking(Vector((0, 0, middle)) + away * towards, towards)
    lamp: Any = bpy.data.lights.new(f"{NAME} Light", "SUN")
    lamp.energy = 3.0
    shining = direction(game, *view.light)
    new("Light", lamp, stage).matrix_local = _looking(Vector((0, 0, 3 * height)), shining)
    new("Floor", _floor(stage, view, scale), pivot)
    scene.world = _world(view)
    scene.render.resolution_x, scene.render.resolution_y = view.screen
    scene.render.resolution_percentage = 100
    scene.render.pixel_aspect_x, scene.render.pixel_aspect_y = view.aspect, 1.0
    scene.sync_mode = "FRAME_DROP"
    return stage.name, pivot.name


def direction(game: Game, azimuth: float, elevation: float) -> Vector:
    """Towards there, in the scene, of a character that stands as it was imported."""
    forward, up = axis_vector(game.forward), axis_vector(game.up)
    level = forward * np.cos(radians(azimuth)) + game.left * np.sin(radians(azimuth))
    return Vector((level * np.cos(radians(elevation)) + up * np.sin(radians(elevation))).tolist())


def _looking(position: Any, towards: Vector) -> Matrix:
    """A camera or a lamp at a position that looks away from a direction."""
    return Matrix.Translation(position) @ towards.to_track_quat("Z", "Y").to_matrix().to_4x4()


def _extent(obj: Any) -> tuple[float, float]:
    """Height of the character at rest, and the middle of it, in the scene."""
    points = [obj.matrix_world.to_3x3() @ end for bone in obj.data.bones for end in (bone.head_local, bone.tail_local)]
    for child in obj.children_recursive:
        if child.type == "MESH" and len(child.data.vertices):
            points += [child.matrix_world.to_3x3() @ Vector(corner) for corner in child.bound_box]
    low, high = min(point.z for point in points), max(point.z for point in points)
    return max(high - low, 1e-3), (high + low) / 2


def _camera(view: View, scale: float, height: float, fills: bool) -> tuple[bpy.types.Camera, float]:
    """The game's camera, and how far it is away. height: of the character, which fills the picture where `fills`."""
    camera: Any = bpy.data.cameras.new(f"{NAME} Camera")
    camera.sensor_fit = "HORIZONTAL"
    width, high = view.screen
    if view.projection == "ORTHO":
        camera.type = "ORTHO"
        camera.ortho_scale = width / high * height / _FILLS if fills or not view.pixels else width / view.pixels * scale
        away = 20 * max(height, camera.ortho_scale)
    else:
        camera.angle = radians(view.field)
        away = view.away * scale or height * view.distance
        if fills:
            near = height / _FILLS / 2 / (tan(radians(view.field) / 2) * high / width)
            away = near if view.away else max(away, near)
    camera.clip_start, camera.clip_end = away / 1000, away * 10
    return camera, away


def _world(view: View) -> bpy.types.World:
    """The game's background."""
    world: Any = bpy.data.worlds.new(NAME)
    world.color = view.background
    compat.shader_tree(world).nodes["Background"].inputs["Color"].default_value = (*(part**2.2 for part in view.background), 1.0)
    return world


def _floor(stage: bpy.types.Object, view: View, scale: float) -> bpy.types.Mesh:
    """A plane under the character, whose tiles stay where they are on the stage."""
    size = _TILES * view.tile * scale
    mesh: Any = bpy.data.meshes.new(f"{NAME} Floor")
    mesh.from_pydata([(-size, -size, 0), (size, -size, 0), (size, size, 0), (-size, size, 0)], [], [(0, 1, 2, 3)])
    material: Any = bpy.data.materials.new(f"{NAME} Floor")
    tree: Any = compat.shader_tree(material)
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    point, tiles = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeTexChecker")
    point.object = stage
    tiles.inputs["Scale"].default_value = 1 / (view.tile * scale)
    tiles.inputs["Color1"].default_value, tiles.inputs["Color2"].default_value = (0.05, 0.05, 0.06, 1), (0.08, 0.08, 0.09, 1)
    shader.inputs["Roughness"].default_value = 1.0
    shader.inputs["Specular IOR Level"].default_value = 0.0
    tree.links.new(point.outputs["Object"], tiles.inputs["Vector"])
    tree.links.new(tiles.outputs["Color"], shader.inputs["Base Color"])
    mesh.materials.append(material)
    return mesh
