"""What just came in, in view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot
from typing import TYPE_CHECKING, Any

import bpy

from ...io.blender import scene

if TYPE_CHECKING:
    from mathutils import Vector

    from ...io.pipeline.loops.playing import Played


def frame(context: Any, objects: Iterable[bpy.types.Object]) -> None:
    """Bring every 3D viewport that does not look through a camera to the objects; what is selected stays so. Plain viewports show
    their textures."""
    window = context.window
    if window is None:
        return
    layer, chosen = context.view_layer, scene.selected(context)
    every = dict.fromkeys(each for obj in objects for each in (obj, *obj.children))  # of one that was there, its meshes
    wanted = [obj for obj in every if obj.name in layer.objects and obj.visible_get(view_layer=layer)]
    if not wanted:
        return
    for obj in wanted:
        obj.select_set(True, view_layer=layer)
    try:
        for area in window.screen.areas:
            region = next((region for region in area.regions if region.type == "WINDOW"), None)
            if area.type == "VIEW_3D" and region is not None and area.spaces.active.region_3d.view_perspective != "CAMERA":
                with context.temp_override(window=window, area=area, region=region):
                    bpy.ops.view3d.view_selected()
                _show_textures(area.spaces.active.shading, wanted)
    finally:
        for obj in wanted:
            obj.select_set(obj in chosen, view_layer=layer)


def of_import(result: Any) -> list[bpy.types.Object]:
    """What an import (its armatures, meshes and other objects, as far as the game has these) has to show: the characters, or else its other
    objects. Objects and cameras of a level move where they do in its world, far from a character at the origin, who would be a speck."""
    characters = [*result.armatures, *getattr(result, "meshes", ())]
    return characters or list(getattr(result, "objects", ()))


def bring_back(context: bpy.types.Context, obj: bpy.types.Object, frames: Played) -> None:
    """Where an armature is out of sight in the 3D viewport of the context as its clip's loop begins or ends, bring that to all that is
    played, from the same side and no closer; else nothing moves. Not where it looks through a camera."""
    space: Any = context.space_data
    if obj.pose is None or space is None or space.type != "VIEW_3D" or space.region_3d.view_perspective == "CAMERA":
        return
    shown = context.scene.frame_current
    try:
        played = [_bones(context.scene, obj, frame) for frame in (frames.first, frames.start, frames.end)]
    finally:
        context.scene.frame_set(shown)
    if not all(_in_sight(space.region_3d, points) for points in played[1:]):
        _look_at(space.region_3d, [point for points in played for point in points])


def _bones(scene: bpy.types.Scene, obj: bpy.types.Object, frame: int) -> list[Vector]:
    """Where the bones of an armature are in the world."""
    scene.frame_set(frame)
    return [obj.matrix_world @ end for bone in obj.pose.bones for end in (bone.head, bone.tail)] if obj.pose is not None else []


def _in_sight(view: Any, points: Sequence[Vector]) -> bool:
    """Whether the rectangle around points on the screen has a part of the viewport."""
    on_screen = [each for each in (view.perspective_matrix @ point.to_4d() for point in points) if each.w > 0]
    spans = ([each[axis] / each.w for each in on_screen] for axis in range(2))
    return bool(on_screen) and all(min(span) < 1 and max(span) > -1 for span in spans)


def _look_at(view: Any, points: Sequence[Vector]) -> None:
    """Pan to the middle of points, and go back as far as they need."""
    from mathutils import Vector

    low, high = (Vector([limit(point[axis] for point in points) for axis in range(3)]) for limit in (min, max))
    radius, narrow = (high - low).length / 2, max(view.window_matrix[0][0], view.window_matrix[1][1])
    needed = radius * hypot(1, narrow) if view.is_perspective else radius * narrow * view.view_distance
    view.view_location = (low + high) / 2
    view.view_distance = max(view.view_distance, needed)


def _show_textures(shading: Any, objects: Iterable[Any]) -> None:
    """In a solid viewport as a new file has it; what has no texture keeps its material's colour there."""
    from ...core.reporting import log

    if shading.type == "SOLID" and shading.color_type == "MATERIAL" and any(_is_textured(obj) for obj in objects):
        shading.color_type = "TEXTURE"
        log.info("the viewport shows textures: Viewport Shading, Color")


def _is_textured(obj: Any) -> bool:
    from ...io.blender.surface.materials.images import image_of

    slots = [slot.material for each in (obj, *obj.children) if each.type == "MESH" for slot in each.material_slots if slot.material]
    return any(image_of(material) is not None for material in slots)


def show_keys(objects: Iterable[bpy.types.Object]) -> None:
    """Select the bones of armatures none of whose bones is: timeline and dope sheet show the keys of selected bones alone."""
    from ...io.blender import compat

    for obj in objects:
        if obj.mode == "OBJECT" and obj.pose is not None and not compat.selected_bones(obj):
            compat.select_bones(obj, [bone.name for bone in obj.pose.bones])


def report_hidden(context: bpy.types.Context, objects: Iterable[bpy.types.Object]) -> None:
    """Say which of these the view layer does not show, as an armature that was hidden when clips came in on it."""
    from ...core.reporting import log
    from ...core.reporting.labels import first_few

    layer = context.view_layer
    hidden = [obj.name for obj in objects if not obj.visible_get(view_layer=layer)]
    if hidden:
        log.warning(f"{first_few(hidden, 3)} cannot be seen: it or its collection is hidden: show that in the Outliner")


def hide_start_up_cube(context: bpy.types.Context) -> None:
    """Hide the cube that a new file of Blender has, where nobody has touched it: characters come in at its middle."""
    from ...core.reporting import log

    cube = context.view_layer.objects.get("Cube")
    if cube is not None and _untouched(cube) and cube.visible_get(view_layer=context.view_layer):
        cube.hide_set(True, view_layer=context.view_layer)
        log.info("the cube of the new file is hidden, since the character stands in it: Alt+H shows it again")


def _untouched(cube: Any) -> bool:
    plain = not (cube.animation_data or len(cube.modifiers) or len(cube.children) or cube.parent)
    corners = {tuple(vertex.co) for vertex in cube.data.vertices} if cube.type == "MESH" else set()
    there = cube.matrix_world.is_identity
    return plain and there and len(corners) == 8 and all(abs(number) == 1.0 for corner in corners for number in corner)
