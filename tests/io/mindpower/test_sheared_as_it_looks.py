"""Bones that Blender shows sheared, written as they look: matrices hold that exactly, whatever a bone of Blender holds by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.foreign import moving
from support.shown_stages import STAGES

Part = Callable[[str], ModuleType]


def stretch(obj: Any, bone: str, frames: Any) -> None:
    """Keys that make a bone longer in the course of a clip."""
    for frame, length in zip(frames, (1.0, 1.3), strict=True):
        obj.pose.bones[bone].scale = (1, length, 1)
        obj.pose.bones[bone].keyframe_insert("scale", frame=frame)


@pytest.mark.parametrize("inherits", ["FULL", "FIX_SHEAR", "AVERAGE", "ALIGNED", "NONE"])
def test_what_the_file_has_is_not_named(part: Part, tmp_path: Path, inherits: str) -> None:
    stage = STAGES["pirates"](part, tmp_path)
    for bone in stage.obj.data.bones:
        bone.inherit_scale = inherits
    stretch(stage.obj, stage.names[1], stage.action.curve_frame_range)
    lines = stage.export(stage.out, sampling="VISUAL", source="ACTIVE").warnings
    first, last = stage.action.curve_frame_range
    worst, where = stage.steps_off(stage.out.read_bytes(), np.arange(first, last), stage.start)
    assert worst < 2, where
    assert not [line for line in lines if "from what is shown" in line]


def test_an_object_that_grows_along_one_axis(part: Part, tmp_path: Path) -> None:
    stage = STAGES["pirates"](part, tmp_path)
    stage.obj.driver_add("scale", 2).driver.expression = "1 + frame * 0.03"
    lines = stage.export(stage.out, sampling="VISUAL", source="ACTIVE").warnings
    assert not [line for line in lines if "from what is shown" in line]


def test_an_armature_from_elsewhere(part: Part, tmp_path: Path) -> None:
    obj = moving(0.1)
    for bone in obj.data.bones:
        bone.inherit_scale = "FIX_SHEAR"
    stretch(obj, obj.data.bones[1].name, obj.animation_data.action.curve_frame_range)
    row = part("core.games").GAMES["mindpower"]
    lines = part("io.pipeline.games").export(bpy.context, row, str(tmp_path / "1234.lab"), {"sampling": "VISUAL"}).warnings
    assert not [line for line in lines if "from what is shown" in line]
