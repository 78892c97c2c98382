"""A new clip whose root is keyed on its bone: the file has that as the root motion, whatever holds it of the other clips."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

ANIMATIONS = Path(__file__).resolve().parents[4] / "samples/lba2/ANIM.HQR"


@pytest.mark.parametrize("root_motion", ["OBJECT", "BONE", "NONE"])
def test_a_root_with_bezier_keys(part: Callable[[str], ModuleType], tmp_path: Path, root_motion: str) -> None:
    """What is off lies between the keys, so that straight lines help, and no key is to be deleted."""
    ops: Any = bpy.ops
    lba = part("io.lba")
    options = lba.ImportOptions((str(ANIMATIONS),), entries="0", root_motion=root_motion, bone_names="KNOWN")
    (obj,) = lba.import_lba(bpy.context, options).armatures
    bpy.context.view_layer.objects.active = obj
    ops.retro_anim.clip_new()
    root = obj.pose.bones["root"]
    for bone in obj.pose.bones:
        bone.matrix_basis.identity()
    for frame, angle in ((1, 0.0), (20, 0.0), (40, -0.5)):
        root.rotation_euler[1] = angle
        for bone in obj.pose.bones:
            bone.keyframe_insert("rotation_euler", frame=frame)
    (line,) = lba.export_lba(bpy.context, lba.ExportOptions(str(tmp_path / "new.anm"))).warnings
    assert ": root: " in line and line.endswith(
        "its curves are not straight lines between keys, as the game goes: choose Make Linear, or put keys between"
    )
    ops.retro_anim.make_linear()
    assert lba.export_lba(bpy.context, lba.ExportOptions(str(tmp_path / "linear.anm"))).warnings == []
