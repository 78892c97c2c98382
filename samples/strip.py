"""A picture strip: poses of one action side by side, rendered on the CPU, without a display."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ..io.blender import compat

_KINDS = ("scenes", "worlds", "objects", "meshes", "materials", "lights", "cameras")

MOST, LEAST = 8, 3
CLEAR = 0.05
"""Room between two figures, at least, and MARGIN: the height of the picture; both as parts of a figure's height."""
MARGIN = 1.1

GROUND = (0.62, 0.66, 0.703)
SKY = (0.80, 0.88, 1.0)

SIZE = (1200, 320)
"""Of the picture, in pixels."""

YAW, PITCH = 40.0, 9.0
"""Degrees between the character's side and the camera, and of the camera's look downwards."""

SAMPLES = 32
"""Light paths a pixel, at most."""


def render_strip(context: bpy.types.Context, obj: bpy.types.Object, path: Path) -> int:
    """Write a PNG of the armature `obj` and its meshes through its active action; returns the number of poses, 0 and no picture
    where there is no mesh.

    The first pose is at the left, and the character looks to the right. Root motion is left out. The scene stays as it is.
    """
    with _temporary(context):
        figures = _figures(context, obj)
        if not all(len(figure.points) for figure in figures):
            return 0
        width, clear = _layout(figures)
        low, high = _bounds(figures)
        stage = _stage()
        along = clear / 2 - width / 2
        for figure in figures:
            figure.position(stage, along - float(figure.across.min()))
            along += figure.wide + clear
        _ground(stage, float(low[2]), width)
        _camera(stage, (low + high) / 2, width)
        _lights(stage)
        stage.render.filepath = str(path.resolve())
        bpy.ops.render.render(write_still=True, scene=stage.name)
        return len(figures)


def _figures(context: bpy.types.Context, obj: bpy.types.Object) -> list[_Figure]:
    """As many poses of the action as stand clear of each other, or as asked for."""
    frames, cyclic = _range(obj)
    figures: list[_Figure] = []
    for count in range(MOST, LEAST - 1, -1):
        figures = [_Figure.at(context, obj, frame) for frame in _spread(frames, cyclic, count)]
        if not len(figures[0].points) or _layout(figures)[1] >= CLEAR * figures[0].tall:
            break
    return figures


def _layout(figures: list[_Figure]) -> tuple[float, float]:
    """The width of the picture and the room between two figures, in metres: filled from top to bottom if that leaves room enough."""
    low, high = _bounds(figures)
    whole = sum(figure.wide for figure in figures)
    width = max(float(high[2] - low[2]) * MARGIN * SIZE[0] / SIZE[1], whole * 1.1, 1e-3)
    return width, (width - whole) / len(figures)


def _range(obj: bpy.types.Object) -> tuple[tuple[float, float], bool]:
    """The frames to show, and whether the last one is the first again."""
    action = obj.animation_data.action if obj.animation_data else None
    if action is None:
        return (1.0, 1.0), False
    start, end = action.frame_range
    return (float(start), float(end)), bool(action.use_cyclic)


def _spread(frames: tuple[float, float], cyclic: bool, count: int) -> list[float]:
    start, end = frames
    if end <= start:
        return [start]
    return np.linspace(start, end, count, endpoint=not cyclic).tolist()


@dataclass(frozen=True, eq=False)
class _Figure:
    """The character in one pose: static meshes, rotated towards the camera. across: (N,) where its points are along the strip."""

    meshes: list[bpy.types.Mesh]
    points: NDArray[np.float64]

    @property
    def across(self) -> NDArray[np.float64]:
        return self.points[:, 0]

    @property
    def wide(self) -> float:
        return float(np.ptp(self.across))

    @property
    def tall(self) -> float:
        return float(np.ptp(self.points[:, 2]))

    @classmethod
    def at(cls, context: bpy.types.Context, obj: bpy.types.Object, frame: float) -> _Figure:
        context.scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
        graph = context.evaluated_depsgraph_get()
        here = obj.evaluated_get(graph)
        root = next(bone for bone in here.pose.bones if bone.parent is None)
        still = here.matrix_world @ root.matrix @ root.bone.matrix_local.inverted()
        size = Matrix.Diagonal((*here.matrix_world.to_scale(), 1.0))
        # Its front, -Y, goes to +X, the strip's direction, and from there towards the camera, at -Y.
        rotation = Matrix.Rotation(np.radians(90 - YAW), 4, "Z")
        meshes: list[bpy.types.Mesh] = []
        points = [np.zeros((0, 3))]
        for part in (child for child in obj.children_recursive if child.type == "MESH"):
            shape = part.evaluated_get(graph)
            mesh = bpy.data.meshes.new_from_object(shape, depsgraph=graph)
            mesh.transform(rotation @ size @ still.inverted() @ shape.matrix_world)
            meshes.append(mesh)
            positions = np.empty(len(mesh.vertices) * 3, np.float32)
            mesh.vertices.foreach_get("co", positions)
            points.append(positions.reshape(-1, 3).astype(np.float64))
        return cls(meshes, np.concatenate(points))

    def position(self, stage: bpy.types.Scene, along: float) -> None:
        for mesh in self.meshes:
            obj = bpy.data.objects.new("pose", mesh)
            obj.location.x = along
            stage.collection.objects.link(obj)


def _bounds(figures: list[_Figure]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    points = np.concatenate([figure.points for figure in figures])
    return points.min(axis=0), points.max(axis=0)


def _stage() -> bpy.types.Scene:
    stage: Any = bpy.data.scenes.new("strip")
    stage.render.engine = "CYCLES"
    stage.render.resolution_x, stage.render.resolution_y = SIZE
    stage.render.resolution_percentage = 100
    stage.render.dither_intensity = 0.0
    stage.render.image_settings.file_format = "PNG"
    stage.render.image_settings.color_mode = "RGB"
    stage.render.image_settings.compression = 100
    for name in ("camera", "date", "filename", "frame", "memory", "render_time", "scene", "time"):
        setattr(stage.render, f"use_stamp_{name}", False)  # no notes in the file: the same picture has the same bytes
    stage.view_settings.view_transform = "Standard"
    cycles = stage.cycles
    cycles.device = "CPU"
    cycles.samples = SAMPLES
    cycles.use_adaptive_sampling = True
    cycles.adaptive_threshold = 0.04
    cycles.adaptive_min_samples = 6
    cycles.max_bounces = 2
    cycles.use_denoising = True
    cycles.denoising_prefilter = "NONE"
    cycles.use_light_tree = False
    return stage


def _ground(stage: bpy.types.Scene, level: float, width: float) -> None:
    reach = 20 * width
    mesh = bpy.data.meshes.new("ground")
    mesh.from_pydata([(-reach, -reach, level), (reach, -reach, level), (reach, reach, level), (-reach, reach, level)], [], [(0, 1, 2, 3)])
    material = bpy.data.materials.new("ground")
    shader: Any = next(node for node in compat.shader_tree(material).nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (*GROUND, 1.0)
    shader.inputs["Roughness"].default_value = 1.0
    shader.inputs["Specular IOR Level"].default_value = 0.0
    mesh.materials.append(material)
    stage.collection.objects.link(bpy.data.objects.new("ground", mesh))


def _camera(stage: bpy.types.Scene, middle: NDArray[np.float64], width: float) -> None:
    data = bpy.data.cameras.new("strip")
    data.type = "ORTHO"
    data.sensor_fit = "HORIZONTAL"
    data.ortho_scale = width
    data.clip_end = 100 * width
    obj = bpy.data.objects.new("camera", data)
    tilt = np.radians(PITCH)
    away = 10 * width
    obj.location = (0.0, middle[1] - away * np.cos(tilt), middle[2] + away * np.sin(tilt))
    obj.rotation_euler = (np.pi / 2 - tilt, 0.0, 0.0)
    stage.collection.objects.link(obj)
    stage.camera = obj


def _lights(stage: bpy.types.Scene) -> None:
    sun = bpy.data.lights.new("sun", "SUN")
    assert isinstance(sun, bpy.types.SunLight)
    sun.energy, sun.angle, sun.color = 2.6, np.radians(3), (1.0, 0.95, 0.88)
    obj = bpy.data.objects.new("sun", sun)
    obj.rotation_euler = (np.radians(48), 0.0, np.radians(-38))
    stage.collection.objects.link(obj)
    world = bpy.data.worlds.new("sky")
    back: Any = next(node for node in compat.shader_tree(world).nodes if node.type == "BACKGROUND")
    back.inputs["Color"].default_value = (*SKY, 1.0)
    back.inputs["Strength"].default_value = 0.55
    # An even sky needs no search for its bright parts: without, open ground is free of noise at once.
    settings: Any = world
    settings.cycles.sampling_method = "NONE"
    stage.world = world


@contextmanager
def _temporary(context: bpy.types.Context) -> Iterator[None]:
    """Remove everything that was made inside, and put the frame back."""
    before = {kind: {block.as_pointer() for block in getattr(bpy.data, kind)} for kind in _KINDS}
    now = context.scene.frame_current, context.scene.frame_subframe
    try:
        yield
    finally:
        context.scene.frame_set(now[0], subframe=now[1])
        created = [block for kind in _KINDS for block in getattr(bpy.data, kind) if block.as_pointer() not in before[kind]]
        bpy.data.batch_remove(created)
