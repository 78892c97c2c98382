"""Undo and redo, fifty steps of each, over what the side panel and the browser do: nothing of it holds what undo has freed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy as blender
import pytest

bpy: Any = blender
OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def shown() -> tuple[Any, ...]:
    """What a person sees of the scene: objects, clips with their keys, and the clip that is shown."""
    obj = bpy.context.view_layer.objects.active
    data = obj.animation_data if obj is not None else None
    actions = [(action.name, action.asset_data is not None, round(action.frame_range[1])) for action in bpy.data.actions]
    return (
        [each.name for each in bpy.context.scene.objects],
        actions,
        data.action.name if data is not None and data.action is not None else "",
        bpy.context.scene.frame_preview_end,
    )


def test_fifty_undos_and_redos(addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(SAMPLES / "lba1" / "FILE3D.HQR")
    steps = [lambda: OPS.import_anim.lba_choose(filepath=path, entities="0", bone_names="KNOWN", ask=True)]
    steps += [lambda: OPS.retro_anim.clip_step(step=1)] * 15
    steps += [OPS.retro_anim.clip_duplicate, OPS.retro_anim.clip_new, OPS.retro_anim.clip_delete, OPS.retro_anim.preview_loop] * 4
    steps += [lambda: OPS.retro_anim.clip_step(step=-1), OPS.retro_anim.mark_assets] * 2
    steps += [lambda: OPS.retro_anim.clips_tick(all_clips=False), lambda: OPS.retro_anim.clips_tick(all_clips=True)] * 7
    assert len(steps) == 50
    monkeypatch.setattr(bpy.context.preferences.edit, "undo_steps", 64)  # Blender keeps 32 by itself
    bpy.ops.ed.undo_push(message="before")
    states = [shown()]
    for step in steps:
        assert step() == {"FINISHED"}
        bpy.ops.ed.undo_push(message="step")
        states.append(shown())
    for state in reversed(states[:-1]):
        bpy.ops.ed.undo()
        assert shown() == state
    for state in states[1:]:
        bpy.ops.ed.redo()
        assert shown() == state
    assert OPS.retro_anim.what_would_change(source="ALL") == {"FINISHED"}


def test_messages_of_what_was_undone_say_so(addon: Any, part: Any) -> None:
    """They stay readable, and are those of the scene again after redo. Undo of something later leaves them as they are."""
    is_undone = part("operators.shared.messages").is_undone
    bpy.ops.ed.undo_push(message="before")
    assert OPS.import_anim.lba(filepath=str(SAMPLES / "lba1" / "walk.anm")) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="import")
    bpy.context.scene.frame_current = 7
    bpy.ops.ed.undo_push(message="later")
    assert not is_undone(bpy.context)
    bpy.ops.ed.undo()
    assert not is_undone(bpy.context)
    bpy.ops.ed.undo()
    assert is_undone(bpy.context) and len(bpy.context.window_manager.retro_anim_messages.lines)
    bpy.ops.ed.redo()
    assert not is_undone(bpy.context)
