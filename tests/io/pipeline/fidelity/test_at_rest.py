"""An armature that shows its rest pose whatever plays: its clips are written as they move, which nobody sees, and that is said once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.shown_stages import STAGES

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
@pytest.mark.parametrize("game", STAGES)
def test_rest_position(part: Part, tmp_path: Path, game: str, sampling: str) -> None:
    stage = STAGES[game](part, tmp_path)
    last = stage.action.curve_frame_range[1] - 0.01
    stage.obj.data.pose_position = "REST"
    (line,) = stage.export(stage.out, sampling=sampling, source="ACTIVE").warnings
    assert line.startswith(f"{stage.obj.name} is shown in its rest position") and "choose Pose Position" in line
    assert stage.obj.data.pose_position == "REST"
    stage.obj.data.pose_position = "POSE"
    worst, where = stage.steps_off(stage.out.read_bytes(), stage.frames(stage.start, last), stage.start)
    assert worst < 0.2, where


@pytest.mark.parametrize("game", STAGES)
def test_edit_mode(part: Part, tmp_path: Path, game: str) -> None:
    stage = STAGES[game](part, tmp_path)
    before = stage.path.read_bytes()
    OPS.object.mode_set(mode="EDIT")
    (line,) = stage.export(stage.out, source="ACTIVE").warnings
    assert line.startswith(f"{stage.obj.name} is in Edit Mode, which shows its rest pose") and "leave Edit Mode" in line
    assert stage.obj.mode == "EDIT" and stage.out.read_bytes() == before
    OPS.object.mode_set(mode="OBJECT")
    assert stage.export(stage.out, source="ACTIVE").warnings == []
