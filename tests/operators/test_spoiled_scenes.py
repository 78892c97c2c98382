"""Scenes that are not as an import left them: linked, without their source data. Each operator says one line or does its work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy as blender
import numpy as np
import pytest

Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
bpy: Any = blender


def imported(game: str, name: str) -> Any:
    assert getattr(bpy.ops.import_anim, game)(filepath=str(SAMPLES / name)) == {"FINISHED"}
    return bpy.context.view_layer.objects.active


@pytest.mark.parametrize("override", [False, True])
def test_a_message_about_a_bone_of_a_linked_character(part: Part, tmp_path: Path, override: bool) -> None:
    """It is made active and its bone is selected; Blender has no pose mode for it."""
    name = imported("oni2", "oni2/Entity/mannequin/mannequin_walk.anim").name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_, taken):
        taken.objects = [name]
    (obj,) = taken.objects
    bpy.context.scene.collection.objects.link(obj)
    obj = obj.override_create(remap_local_usages=True) if override else obj
    bpy.context.view_layer.update()
    pointer = part("io.pipeline.message_context").Pointer(obj.name, "", obj.data.bones[2].name, 5.0)
    assert part("io.pipeline.message_context").go(bpy.context, pointer)
    assert bpy.context.view_layer.objects.active == obj and bpy.context.scene.frame_current == 5


def test_a_clip_onto_a_character_without_its_source_data(part: Part) -> None:
    """Tales of Pirates keeps a few spare frames of the file beside; what the game makes of a clip is the same without the rest."""
    obj = imported("mindpower", "mindpower/animation/0001.lab")
    obj.animation_data.action = action = bpy.data.actions.new("new")
    for frame in (1, 10):
        obj.pose.bones[1].rotation_quaternion = (0.8, 0.06 * frame, 0, 0)
        obj.pose.bones[1].keyframe_insert("rotation_quaternion", frame=frame)
    before = part("io.mindpower.replay").blocks(bpy.context, obj, action)
    bpy.data.batch_remove(list(bpy.data.texts))
    after = part("io.mindpower.replay").blocks(bpy.context, obj, action)
    assert [block.channels for block in after] == [block.channels for block in before]
    assert all(np.abs(one.values - two.values).max() < 2e-5 for one, two in zip(before, after, strict=True))


def test_a_curve_of_a_number_that_a_location_does_not_have(part: Part, tmp_path: Path) -> None:
    """As a path that was edited by hand leaves it: Blender shows nothing of it, and the file is as without it."""
    obj = imported("mindpower", "mindpower/animation/0001.lab")
    part("io.blender.compat").new_curve(obj.animation_data.action, "location", 3, "Object Transforms").keyframe_points.insert(1, 5.0)
    assert bpy.ops.export_anim.mindpower(filepath=str(tmp_path / "out.lab")) == {"FINISHED"}
    assert (tmp_path / "out.lab").read_bytes() == (SAMPLES / "mindpower/animation/0001.lab").read_bytes()
