"""The preview range goes with the clip that is shown, also with one that is being made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy as blender

bpy: Any = blender
SAMPLES = Path(__file__).resolve().parents[3] / "samples"


def test_an_action_that_is_marked_as_a_clip_after_it_is_shown(part: Callable[[str], ModuleType]) -> None:
    """As retargeting in a window does it: Blender tells of the new action before that is whole."""
    assert bpy.ops.import_anim.oni(filepath=str(SAMPLES / "oni/TRAMmannequin_walk.oni"), ask=True) == {"FINISHED"}
    scene, obj, identity = bpy.context.scene, bpy.context.view_layer.objects.active, part("io.blender.identity")
    bpy.context.view_layer.update()
    before = scene.frame_preview_end
    new = obj.animation_data.action.copy()
    new.name, new.use_frame_range, new.frame_start, new.frame_end = "new", True, 1, before + 100
    for mark in (identity.GAME, identity.RETARGETED):
        new.pop(mark, None)
    obj.animation_data.action = new
    bpy.context.view_layer.update()
    assert scene.frame_preview_end == before
    new[identity.RETARGETED] = obj.name
    scene.frame_set(3)
    assert scene.frame_preview_end == part("io.pipeline.loops.playing").played(new).end > before


def test_undo_brings_no_range_back_that_is_not_the_clip_s(addon: object) -> None:
    """Blender keeps the scene for undo before the range has followed the keys that were inserted."""
    assert bpy.ops.import_anim.lba(filepath=str(SAMPLES / "lba2/walk.anm"), ask=True) == {"FINISHED"}
    scene, obj = bpy.context.scene, bpy.context.view_layer.objects.active
    bpy.context.view_layer.update()
    assert bpy.ops.retro_anim.clip_new() == {"FINISHED"}
    bpy.context.view_layer.update()
    for frame in (1, 31):
        obj.pose.bones[0].keyframe_insert("location", frame=frame)
    bpy.context.view_layer.update()
    for end in (1, 31):
        scene.frame_preview_end = end
        bpy.ops.ed.undo_push(message="step")
    bpy.ops.ed.undo()
    scene = bpy.context.scene
    assert (scene.frame_preview_start, scene.frame_preview_end) == (1, 31)


def test_what_an_export_samples_is_not_what_somebody_chose(addon: object) -> None:
    """The other clips are put on the armature one after the other: frame and range stay where a person has put them."""
    files = [{"name": f"TRAMmannequin_{name}.oni"} for name in ("idle", "walk")]
    assert bpy.ops.import_anim.oni(directory=str(SAMPLES / "oni"), files=files, ask=True) == {"FINISHED"}
    scene, obj = bpy.context.scene, bpy.context.view_layer.objects.active
    bpy.context.view_layer.update()
    for action in bpy.data.actions:
        obj.animation_data.action = action
        bpy.context.view_layer.update()
        obj.pose.bones[5].rotation_quaternion = (0.9, 0.1, 0.3, 0.3)
        obj.pose.bones[5].keyframe_insert("rotation_quaternion", frame=7)
    scene.frame_set(9)
    scene.frame_preview_start, scene.frame_preview_end = 4, 17
    bpy.context.view_layer.update()
    assert bpy.ops.export_anim.oni(filepath=str(SAMPLES / "oni"), source="ALL", sampling="VISUAL", dry_run=True) == {"FINISHED"}
    bpy.context.view_layer.update()
    assert (scene.frame_current, scene.frame_preview_start, scene.frame_preview_end) == (9, 4, 17)


def test_who_selects_another_character_stays_at_the_frame(addon: object) -> None:
    """The range is that of its clip all the same; a clip that is chosen begins at its beginning."""
    assert bpy.ops.import_anim.lba(filepath=str(SAMPLES / "lba2/walk.anm"), ask=True) == {"FINISHED"}
    first = bpy.context.view_layer.objects.active
    assert bpy.ops.import_anim.oni(filepath=str(SAMPLES / "oni/TRAMmannequin_idle.oni"), ask=True) == {"FINISHED"}
    scene, second, objects = bpy.context.scene, bpy.context.view_layer.objects.active, bpy.context.view_layer.objects
    scene["retro_anim_follows"] = True
    bpy.context.view_layer.update()
    ends = []
    for obj in (first, second, first):
        scene.frame_set(3)
        objects.active = obj
        bpy.context.view_layer.update()
        assert scene.frame_current == 3
        ends.append(scene.frame_preview_end)
    assert ends[0] == ends[2] != ends[1]
    assert bpy.ops.retro_anim.clip_duplicate() == {"FINISHED"}
    bpy.context.view_layer.update()
    assert scene.frame_current == 1


def test_a_new_name_is_no_other_clip(addon: object) -> None:
    """Neither of the scene, nor of the clip or its armature: the frame and a range of somebody's own stay."""
    assert bpy.ops.import_anim.oni(filepath=str(SAMPLES / "oni/TRAMmannequin_walk.oni"), ask=True) == {"FINISHED"}
    scene, obj = bpy.context.scene, bpy.context.view_layer.objects.active
    bpy.context.view_layer.update()
    scene.frame_set(9)
    scene.frame_preview_start, scene.frame_preview_end = 4, 17
    for block in (scene, obj.animation_data.action, obj):
        block.name = f"{block.name} 2"
        obj.location.x += 1.0
        bpy.context.view_layer.update()
        assert (scene.frame_current, scene.frame_preview_start, scene.frame_preview_end) == (9, 4, 17), block


def test_a_file_that_is_opened_is_as_it_was_saved(addon: object, tmp_path: Path) -> None:
    """Whichever clip another file showed before: its frame and its range are no business of this one."""
    for name in ("walk", "idle"):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        assert bpy.ops.import_anim.oni(filepath=str(SAMPLES / f"oni/TRAMmannequin_{name}.oni"), ask=True) == {"FINISHED"}
        bpy.context.view_layer.update()
        bpy.context.scene.frame_set(9)
        bpy.context.scene.frame_preview_start, bpy.context.scene.frame_preview_end = 4, 17
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / f"{name}.blend"))
    for name in ("walk", "idle", "idle"):
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / f"{name}.blend"))
        scene = bpy.context.scene
        bpy.context.view_layer.objects.active.location.x += 1.0
        bpy.context.view_layer.update()
        assert (scene.frame_current, scene.frame_preview_start, scene.frame_preview_end) == (9, 4, 17), name
