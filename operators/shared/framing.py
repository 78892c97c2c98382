"""What just came in, in view."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

from ...io.blender import scene


def frame(context: Any, objects: Iterable[bpy.types.Object]) -> None:
    """Bring every 3D viewport that does not look through a camera to the objects; what is selected stays so. Plain viewports show
    their textures."""
    window = context.window
    if window is None:
        return
    layer, chosen = context.view_layer, scene.selected(context)
    wanted = [obj for obj in objects if obj.name in layer.objects and obj.visible_get(view_layer=layer)]
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


def _show_textures(shading: Any, objects: Iterable[Any]) -> None:
    """In a solid viewport as a new file has it; what has no texture keeps its material's colour there."""
    from ...core.reporting import log

    if shading.type == "SOLID" and shading.color_type == "MATERIAL" and any(_is_textured(obj) for obj in objects):
        shading.color_type = "TEXTURE"
        log.info("the viewport shows textures: Viewport Shading, Color")


def _is_textured(obj: Any) -> bool:
    slots = [slot.material for each in (obj, *obj.children) if each.type == "MESH" for slot in each.material_slots if slot.material]
    return any(node.type == "TEX_IMAGE" and node.image for material in slots if material.node_tree for node in material.node_tree.nodes)


def show_keys(objects: Iterable[bpy.types.Object]) -> None:
    """Select the bones of armatures none of whose bones is: timeline and dope sheet show the keys of selected bones alone."""
    from ...io.blender import compat

    for obj in objects:
        if obj.mode == "OBJECT" and obj.pose is not None and not compat.selected_bones(obj):
            compat.select_bones(obj, [bone.name for bone in obj.pose.bones])


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
