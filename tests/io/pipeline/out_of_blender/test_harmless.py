"""What somebody does in Blender without touching the motion or the mesh: every file stays as it is, and nobody is warned of anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.sample_characters import CHARACTERS, opened

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context
DATA: Any = bpy.data
Part = Callable[[str], ModuleType]
Act = Callable[[Any, list[Any]], None]


def other_modes(obj: Any, meshes: list[Any]) -> None:
    """Vertex Paint makes a white colour attribute as soon as it is entered."""
    modes = ("EDIT", "WEIGHT_PAINT", "VERTEX_PAINT", "TEXTURE_PAINT", "SCULPT")
    for mode, each in [("EDIT", obj), ("POSE", obj), *((mode, mesh) for mesh in meshes for mode in modes)]:
        CONTEXT.view_layer.objects.active = each
        OPS.object.mode_set(mode=mode)
        OPS.object.mode_set(mode="OBJECT")


def other_displays(obj: Any, meshes: list[Any]) -> None:
    obj.data.display_type, obj.data.show_axes, obj.show_in_front = "STICK", True, not obj.show_in_front
    for mesh in meshes:
        mesh.display_type, mesh.color = "WIRE", (1, 0, 0, 1)


def other_objects(*_: Any) -> None:
    camera = DATA.objects.new("camera", DATA.cameras.new("camera"))
    lamp = DATA.objects.new("lamp", DATA.lights.new("lamp", "SUN"))
    for each in (camera, lamp):
        CONTEXT.scene.collection.objects.link(each)
    camera.keyframe_insert("location", frame=3)
    DATA.actions.new("of nobody").use_fake_user = True
    CONTEXT.scene.timeline_markers.new("here", frame=4)
    CONTEXT.scene.frame_start, CONTEXT.scene.frame_end = -5, 777


def other_bones(obj: Any, _: list[Any]) -> None:
    """As an animator sorts, colours and locks them."""
    collection, shape = obj.data.collections.new("mine"), DATA.objects.new("shape", DATA.meshes.new("shape"))
    for bone in obj.data.bones:
        collection.assign(bone)
        bone.color.palette, bone.bbone_x, bone["mine"] = "THEME03", 0.5, 3
    for bone in obj.pose.bones:
        bone.custom_shape, bone.lock_location, bone.ik_stiffness_x = shape, (True, True, True), 0.5
        bone.constraints.new("COPY_ROTATION").mute = True
    collection.is_visible = False


def other_handles(part: Part) -> None:
    """Of curves that go straight from key to key, which nobody sees."""
    for action in DATA.actions:
        for curve in part("io.blender.compat").curves(action):
            curve.lock, curve.color_mode, curve.hide = True, "CUSTOM", True
            for point in curve.keyframe_points:
                point.handle_left_type = point.handle_right_type = "FREE"
                point.handle_left[1] += 0.3


def other_names(obj: Any, meshes: list[Any]) -> None:
    obj.name = obj.data.name = "somebody"
    for each in (*DATA.collections, *(mesh.data for mesh in meshes)):
        each.name = f"my {each.name}"


def other_scenes(obj: Any, meshes: list[Any]) -> None:
    scene, collection = DATA.scenes.new("other"), DATA.collections.new("all")
    CONTEXT.scene.collection.children.link(collection)
    for each in (obj, *meshes):
        scene.collection.objects.link(each)
        collection.objects.link(each)


def below_an_empty(obj: Any, _: list[Any]) -> None:
    obj.parent = DATA.objects.new("empty", None)
    CONTEXT.scene.collection.objects.link(obj.parent)


def modifiers_that_are_off(_: Any, meshes: list[Any]) -> None:
    for mesh in meshes:
        mesh.modifiers.new("Subdivision", "SUBSURF").show_viewport = False


ACTS: list[Act] = [
    other_modes,
    other_displays,
    other_objects,
    other_bones,
    other_names,
    other_scenes,
    below_an_empty,
    modifiers_that_are_off,
]


@pytest.mark.thorough
@pytest.mark.parametrize("game", CHARACTERS)
def test_all_of_it_at_once(part: Part, tmp_path: Path, game: str) -> None:
    obj, _ = opened(game, tmp_path)
    meshes = [each for each in obj.children_recursive if each.type == "MESH"]
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for act in ACTS:
        act(obj, meshes)
    other_handles(part)
    CONTEXT.view_layer.objects.active = obj
    CONTEXT.view_layer.update()
    with part("core.reporting.log").collect() as log:
        changes = part("io.pipeline.out_of_blender.preview").what_would_change(CONTEXT, "ALL")
        saved = part("io.pipeline.out_of_blender.character").save_character(CONTEXT, obj)
    assert log.digest("WARNING") == [] and saved.paths == []
    assert {(change.state, change.messages) for change in changes} == {("unchanged", ())}
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
