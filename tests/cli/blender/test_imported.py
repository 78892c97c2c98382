"""What FBX and glTF hold of a motion is there when they are opened, also where Blender's own importers would lose it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Convert = Callable[..., tuple[int, list[str], list[str]]]
Part = Callable[[str], ModuleType]
OPS: Any = bpy.ops


def bobbing(fps: int, frames: int) -> bpy.types.Object:
    """A root with hips exactly at its end, which go up and down, and a spine at the end of these, which does not."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = fps, 1, frames
    data = bpy.data.armatures.new("rig")
    obj = bpy.data.objects.new("rig", data)
    scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for name, start, end in (("root", 0.0, 0.9), ("hips", 0.9, 1.1), ("spine", 1.1, 1.5)):
        bone = data.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = (0, 0, start), (0, 0, end), above
        above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    for frame in range(1, frames + 1):
        obj.pose.bones["hips"].location = (0, height(frame), 0)
        obj.pose.bones["hips"].keyframe_insert("location", frame=frame)
    return obj


def height(frame: int) -> float:
    return 0.1 * float(np.sin(frame))


def heights(path: Path, frames: int, bone: str) -> np.ndarray:
    bpy.ops.wm.open_mainfile(filepath=str(path))
    (obj,) = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    assert isinstance(obj.data, bpy.types.Armature)
    first = obj.animation_data.action.frame_range[0]
    result: list[float] = []
    for number in range(frames):
        bpy.context.scene.frame_set(round(first + number))
        result.append((obj.matrix_world @ obj.pose.bones[bone].head).z)
    return np.array(result)


def test_bones_of_an_fbx_that_move_away_from_their_parents_do(convert: Convert, tmp_path: Path) -> None:
    """The importer connects what starts where its parent ends, though the file says nothing of it."""
    bobbing(30, 20)
    bpy.ops.export_scene.fbx(filepath=str(tmp_path / "clip.fbx"), add_leaf_bones=False, bake_anim_simplify_factor=0)
    assert convert(tmp_path / "clip.fbx", "-o", tmp_path / "out.blend")[0] == 0
    wanted = 0.9 + np.array([height(frame) for frame in range(1, 21)])
    np.testing.assert_allclose(heights(tmp_path / "out.blend", 20, "hips"), wanted, atol=1e-4)
    (obj,) = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    assert isinstance(obj.data, bpy.types.Armature)
    assert obj.data.bones["spine"].use_connect  # which nothing moves away


@pytest.mark.parametrize("fps", [24, 30, 60])
def test_a_gltf_keeps_every_one_of_its_keys(convert: Convert, tmp_path: Path, fps: int) -> None:
    """It holds seconds: in a scene of another rate its keys would lie between the frames."""
    bobbing(fps, 20)
    OPS.export_scene.gltf(filepath=str(tmp_path / "clip.glb"), export_optimize_animation_size=False, export_animation_mode="ACTIVE_ACTIONS")
    assert convert(tmp_path / "clip.glb", "-o", tmp_path / "out.blend")[0] == 0
    shown = heights(tmp_path / "out.blend", 20, "hips")
    render = bpy.context.scene.render
    assert render.fps / render.fps_base == pytest.approx(fps)
    np.testing.assert_allclose(shown, 0.9 + np.array([height(frame) for frame in range(1, 21)]), atol=1e-4)
    assert len(bpy.data.armatures) == len(bpy.data.actions) == 1


def test_an_armature_without_bones(part: Part) -> None:
    """Of an FBX with nulls alone, or beside a figure: that one is released all the same."""
    obj = bobbing(30, 20)
    empty = bpy.data.objects.new("empty", bpy.data.armatures.new("empty"))
    bpy.context.scene.collection.objects.link(empty)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones["hips"].use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    part("cli.imported").release_moved([empty, obj], [obj.animation_data.action])
    assert not obj.data.bones["hips"].use_connect
