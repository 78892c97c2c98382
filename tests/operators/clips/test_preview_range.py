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
