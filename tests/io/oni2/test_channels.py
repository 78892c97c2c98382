"""Keys of Oni 2 on channels that the skeleton locks: what is said names the channel."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.oni2.oni2_blender import null_of
from support.oni2.oni2_files import CHANNELS_SKEL

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]


@pytest.mark.parametrize(("bone", "axis", "lacking"), [("arm_l", 0, "X rotation"), ("piston", 2, "Z rotation")])
def test_a_rotation_between_frames_that_the_skeleton_has_no_channel_for(
    part: Part, tmp_path: Path, bone: str, axis: int, lacking: str
) -> None:
    (tmp_path / "five.skel").write_text(CHANNELS_SKEL)
    (tmp_path / "five.anim").write_bytes(null_of(np.tile([0, 1, *[0] * 12, 1, 1, 1, 0, 0], (3, 1))))
    OPS.import_anim.oni2(filepath=str(tmp_path / "five.anim"), fps_mode="SET")
    obj: Any = bpy.context.object
    pose = obj.pose.bones[bone]
    resting = pose.rotation_euler[axis]
    for frame, angle in ((2, 0.0), (2.5, 0.5), (3, 0.0)):
        pose.rotation_euler[axis] = resting + angle
        pose.keyframe_insert("rotation_euler", index=axis, frame=frame)
    oni2 = part("io.oni2")
    (line,) = oni2.export_oni2(bpy.context, oni2.ExportOptions(path=str(tmp_path / "written.anim"))).warnings
    assert line.endswith(f"the clip's file has no channel for its {lacking}: delete these keys, or move a bone that has one")
