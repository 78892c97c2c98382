"""What a .bvh cannot hold is refused in one line, and a figure of any depth is written."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy as blender
import pytest

bpy: Any = blender

Part = Callable[[str], ModuleType]


@pytest.fixture
def chain(part: Part) -> Callable[[int], Any]:
    """An armature of so many bones below one another, of which the first one moves from frame 1 to 3."""

    def build(count: int) -> Any:
        obj = bpy.data.objects.new("Chain", bpy.data.armatures.new("Chain"))
        bpy.context.scene.collection.objects.link(obj)
        bpy.context.view_layer.objects.active = obj
        bpy.ops.object.mode_set(mode="EDIT")
        above = None
        for number in range(count):
            bone = obj.data.edit_bones.new(f"bone{number}")
            bone.head, bone.tail, bone.parent, above = (0, 0, number), (0, 0, number + 1), above, bone
        bpy.ops.object.mode_set(mode="OBJECT")
        for frame, location in ((1, 0.0), (3, 1.0)):
            obj.pose.bones[0].location.x = location
            obj.pose.bones[0].keyframe_insert("location", frame=frame)
        return obj

    return build


def curve_of(part: Part, obj: Any) -> Any:
    return next(iter(part("io.blender.compat").curves(obj.animation_data.action)))


def test_bones_however_deep(part: Part, chain: Callable[[int], Any]) -> None:
    text = part("io.blender.motion.bvh").text_of(bpy.context, chain(1200))
    assert text.count("JOINT") == 1199 and text.count("{") == text.count("}") == 1201
    assert len(text) < 600 * 1200
    joints = part("core.motion.bvh.reading").parse(text.encode()).joints
    assert [(joint.name, joint.parent) for joint in joints] == [(f"bone{number}", number - 1) for number in range(1200)]


def test_a_pose_that_is_no_number(part: Part, chain: Callable[[int], Any]) -> None:
    obj = chain(2)
    curve_of(part, obj).keyframe_points[1].co.y = float("nan")
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match=r"bone0 stands nowhere at frame \d"):
        part("io.blender.motion.bvh").text_of(bpy.context, obj)


def test_an_object_without_a_size(part: Part, chain: Callable[[int], Any]) -> None:
    obj = chain(2)
    obj.scale = 0, 0, 0
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="Chain has no size at frame 1: scale it there"):
        part("io.blender.motion.bvh").text_of(bpy.context, obj)


def test_more_frames_than_are_written(part: Part, chain: Callable[[int], Any]) -> None:
    obj = chain(7)
    curve_of(part, obj).keyframe_points[1].co.x = 1_000_000
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match=r"has 1000000 frames, too many for a \.bvh"):
        part("io.blender.motion.bvh").text_of(bpy.context, obj)
