"""What the list says of clips whose edits are undone, before and after they were saved."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy as blender
import pytest

from .test_clips import edit

bpy: Any = blender
OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parents[3] / "samples"


@pytest.mark.parametrize("saved", [False, True])
def test_undo_marks_what_it_makes_another_clip_than_the_file_holds(part: Callable[[str], ModuleType], tmp_path: Path, saved: bool) -> None:
    shutil.copytree(SAMPLES / "lba1", tmp_path / "lba1", copy_function=shutil.copyfile)
    archive = str(tmp_path / "lba1" / "ANIM.HQR")
    assert OPS.import_anim.lba(filepath=archive, entities="0", ask=True) == {"FINISHED"}
    bpy.context.view_layer.update()

    def state() -> str:
        action = bpy.context.view_layer.objects.active.animation_data.action
        return str(part("operators.clips.states").state(action))

    bpy.ops.ed.undo_push(message="came in")
    edit(part, bpy.context.view_layer.objects.active.animation_data.action)
    bpy.ops.ed.undo_push(message="edited")
    if saved:
        assert OPS.export_anim.lba(filepath=archive, source="ALL") == {"FINISHED"}
    assert state() == ("unchanged" if saved else "edited")
    bpy.ops.ed.undo()
    assert state() == ("edited" if saved else "unchanged")
    bpy.ops.ed.redo()
    assert state() == ("unchanged" if saved else "edited")


def test_a_clip_that_was_refused_is_not_called_so_after_it_was_edited(part: Callable[[str], ModuleType], tmp_path: Path) -> None:
    """It may have been mended: what it is now *What Would Change* finds out."""
    shutil.copytree(SAMPLES / "lba1", tmp_path / "lba1", copy_function=shutil.copyfile)
    archive = tmp_path / "lba1" / "ANIM.HQR"
    assert OPS.import_anim.lba(filepath=str(archive), entities="0", ask=True) == {"FINISHED"}
    action = bpy.context.view_layer.objects.active.animation_data.action
    edit(part, action)
    archive.chmod(0o444)
    assert OPS.retro_anim.what_would_change() == {"FINISHED"}
    archive.chmod(0o644)
    state = part("operators.clips.states").state
    assert state(action) == "refused"
    edit(part, action)
    bpy.context.view_layer.update()
    assert state(action) == "changed"
