"""Scenes that are not as an import left them: linked, without their source data. Each operator says one line or does its work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy as blender
import numpy as np
import pytest
from support.blender_layout import Layout

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


def test_a_source_whose_library_is_gone(addon: Any, tmp_path: Path) -> None:
    """What was linked from a file that is not there is an empty object: it counts as none, and the fields can be chosen anew."""
    name = imported("oni2", "oni2/Entity/mannequin/mannequin_walk.anim").name
    library, user = tmp_path / "library.blend", tmp_path / "user.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(library))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(library), link=True) as (_, taken):
        taken.objects = [name]
    bpy.context.scene.collection.objects.link(taken.objects[0])
    settings = bpy.context.scene.retro_anim_retarget
    settings.source = settings.target = taken.objects[0]
    settings.pairs.add()
    settings.limb_leftHand.reach = "PROP"
    bpy.ops.wm.save_as_mainfile(filepath=str(user))
    library.unlink()
    try:
        bpy.ops.wm.open_mainfile(filepath=str(user), load_ui=False)
    except RuntimeError as error:
        assert "library.blend" in str(error)  # Blender's own, newer ones alone
    settings = bpy.context.scene.retro_anim_retarget
    assert settings.source.type == settings.target.type == "EMPTY"
    for name in ("retarget", "retarget_contacts", "retarget_map", "retarget_pose", "retarget_preview", "retarget_chain", "retarget_list"):
        with pytest.raises(RuntimeError, match=r"^Error: choose .*\n$"):
            getattr(bpy.ops.retro_anim, name)()
    with pytest.raises(RuntimeError, match=r"^Error: choose .*\n$"):
        bpy.ops.retro_anim.retarget_bone_take(field="target")
    for panel in bpy.types.Panel.__subclasses__():
        if panel.__name__.startswith("VIEW3D_PT_retro_anim_retarget") and getattr(panel, "is_registered", False):
            panel.draw(SimpleNamespace(layout=Layout([])), bpy.context)


def test_texts_of_the_settings_that_are_no_utf_8(addon: Any, tmp_path: Path) -> None:
    """As a damaged .blend has them: they are empty, what can be read stays, and the panels are drawn."""
    settings = bpy.context.scene.retro_anim_retarget
    groups: Any = [settings, settings.pairs.add(), settings.reports.add(), settings.limb_leftHand]
    raw = [group.bl_system_properties_get(do_create=True) if hasattr(group, "bl_system_properties_get") else group for group in groups]
    names = [next(prop.identifier for prop in group.bl_rna.properties if prop.type == "STRING") for group in groups]
    for each, name in zip(raw, names, strict=True):
        each[name] = b"\xff\x00"
    settings.reports[0].lines = "a line"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "spoilt.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "spoilt.blend"), load_ui=False)
    settings = bpy.context.scene.retro_anim_retarget
    groups = [settings, settings.pairs[0], settings.reports[0], settings.limb_leftHand]
    assert [getattr(group, name) for group, name in zip(groups, names, strict=True)] == [""] * 4
    assert settings.reports[0].lines == "a line"
    for panel in bpy.types.Panel.__subclasses__():
        if panel.__name__.startswith("VIEW3D_PT_retro_anim_retarget") and getattr(panel, "is_registered", False):
            panel.draw(SimpleNamespace(layout=Layout([])), bpy.context)
