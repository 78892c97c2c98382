"""What FBX and glTF hold of a motion is there when they are opened, also where Blender's own importers would lose it."""

from __future__ import annotations

import json
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


def bobbing(fps: int, frames: int, base: float = 1.0) -> bpy.types.Object:
    """A root with hips exactly at its end, which go up and down, and a spine at the end of these, which does not."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base, scene.frame_start, scene.frame_end = fps, base, 1, frames
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


@pytest.mark.parametrize(("fps", "base"), [(24, 1.001), (30, 1.001), (30, 30 / 22.5)])
def test_an_fbx_of_a_fractional_rate_keeps_its_keys(convert: Convert, tmp_path: Path, fps: int, base: float) -> None:
    """The importer takes 24 frames a second for 23.976, so that keys lie between the frames and the motion is slower."""
    bobbing(fps, 20, base)
    bpy.ops.export_scene.fbx(filepath=str(tmp_path / "clip.fbx"), add_leaf_bones=False, bake_anim_simplify_factor=0)
    assert convert(tmp_path / "clip.fbx", "-o", tmp_path / "out.blend")[0] == 0
    shown = heights(tmp_path / "out.blend", 20, "hips")
    render, (first, last) = bpy.context.scene.render, bpy.data.actions[0].frame_range
    assert render.fps / render.fps_base == pytest.approx(fps / base)
    assert (first, last) == pytest.approx((round(first), round(first) + 19), abs=1e-3)
    np.testing.assert_allclose(shown, 0.9 + np.array([height(frame) for frame in range(1, 21)]), atol=1e-4)


def seconds_of(path: Path) -> np.ndarray:
    """The times of a .glb's animation, by the format's description."""
    data = path.read_bytes()
    size = int.from_bytes(data[12:16], "little")
    document, binary = json.loads(data[20 : 20 + size]), data[28 + size :]
    accessor = document["accessors"][document["animations"][0]["samplers"][0]["input"]]
    view = document["bufferViews"][accessor["bufferView"]]
    return np.frombuffer(binary, "<f4", accessor["count"], view.get("byteOffset", 0) + accessor.get("byteOffset", 0))


def with_times(path: Path, rate: float) -> None:
    """Its keys are so many a second: the .glb as a program writes it that samples at that rate."""
    data = bytearray(path.read_bytes())
    times = seconds_of(path)
    at = bytes(data).index(times.tobytes())
    new = ((np.arange(len(times)) + 1) / rate).astype("<f4")
    while at >= 0:
        data[at : at + new.nbytes] = new.tobytes()
        at = bytes(data).find(times.tobytes())
    path.write_bytes(data)


@pytest.mark.parametrize("rate", [30 / 1.001, 24 / 1.001, 22.5, 90.0])
def test_a_gltf_of_any_even_rate_keeps_its_keys_and_its_seconds(convert: Convert, tmp_path: Path, rate: float) -> None:
    """Blender itself takes 30.03 frames a second for 29.97, in and out."""
    bobbing(30, 20)
    OPS.export_scene.gltf(filepath=str(tmp_path / "clip.glb"), export_optimize_animation_size=False, export_animation_mode="ACTIVE_ACTIONS")
    with_times(tmp_path / "clip.glb", rate)
    assert convert(tmp_path / "clip.glb", "-o", tmp_path / "out.blend")[0] == 0
    assert convert(tmp_path / "clip.glb", "-o", tmp_path / "out.glb")[0] == 0
    shown = heights(tmp_path / "out.blend", 20, "hips")
    render, (first, last) = bpy.context.scene.render, bpy.data.actions[0].frame_range
    assert render.fps / render.fps_base == pytest.approx(rate, rel=1e-5)
    assert (first, last) == pytest.approx((round(first), round(first) + 19), abs=0.01)
    np.testing.assert_allclose(shown, 0.9 + np.array([height(frame) for frame in range(1, 21)]), atol=1e-3)
    written = seconds_of(tmp_path / "out.glb")
    assert np.diff(written) == pytest.approx(1 / rate, rel=1e-3)


def test_an_armature_without_bones(part: Part) -> None:
    """Of an FBX with nulls alone, or beside a figure: that one is released all the same."""
    obj: Any = bobbing(30, 20)
    empty = bpy.data.objects.new("empty", bpy.data.armatures.new("empty"))
    bpy.context.scene.collection.objects.link(empty)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones["hips"].use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    part("cli.import_losses").release_moved([empty, obj], [obj.animation_data.action])
    assert not obj.data.bones["hips"].use_connect


BVH = """HIERARCHY
ROOT hips {
  OFFSET 0,0 9,5 0,0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT knee {
    OFFSET 1,0 -4,0 0,5
    CHANNELS 1 Xrotation
    End Site { OFFSET 0,0 -4,0 0,0 }
  }
}
MOTION
Frames:2
Frame Time:0,04
0,0 9,0 0,0 0,0 0,0 0,0
90,0
0,5 9,5 0,0 0,0 0,0 90,0 0,0
"""
"""Commas in decimals, braces at the ends of lines, a knee that only bends, rows in two lines."""


def test_bvh_of_other_programs(convert: Convert, tmp_path: Path) -> None:
    (tmp_path / "walk.bvh").write_text(BVH)
    assert convert(tmp_path / "walk.bvh", "-o", tmp_path / "walk.blend", "--up", "Y", "--forward", "Z")[0] == 0
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "walk.blend"))
    (obj,) = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    scene = bpy.context.scene
    assert (obj.name, obj.animation_data.action.name, scene.render.fps) == ("walk", "walk", 25)
    shown = ((1, (0, 0, 9), (1, -0.5, 5), (0, 4, 0)), (2, (0.5, 0, 9.5), (1, 1, 5.5), (0, 0, -4)))
    for frame, hips, knee, shin in shown:
        scene.frame_set(frame)
        ends = obj.pose.bones["hips"].head, obj.pose.bones["knee"].head, obj.pose.bones["knee"].tail
        first, second, third = (obj.matrix_world @ end for end in ends)
        for value, wanted in ((first, hips), (second, knee), (third - second, shin)):
            np.testing.assert_allclose((value.x, value.y, value.z), wanted, atol=1e-5, err_msg=str(frame))
