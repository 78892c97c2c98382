"""Skeletons so far from the origin that single precision swallows the length of their bones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import bpy
import pytest


@pytest.mark.parametrize("far", ["1e6", "-1e9", "1e15", "1e20"])
@pytest.mark.parametrize("apart", ["1", "1e-6", "1e-30", "0"])
def test_far_off_skeletons_come_in_whole(part: Callable[[str], ModuleType], tmp_path: Path, far: str, apart: str) -> None:
    source, written = tmp_path / "far.skel", tmp_path / "written.skel"
    source.write_text(f"bone pelvis {{ offset 0 {far} {far} bone spine {{ offset {apart} 0 0 bone head {{ offset 0 {apart} 0 }} }} }}")
    oni2 = part("io.oni2")
    (obj,) = oni2.import_oni2(bpy.context, oni2.ImportOptions((str(source),))).armatures
    assert [bone.name for bone in obj.data.bones] == ["pelvis", "spine", "head"]
    assert all(bone.tail_local != bone.head_local for bone in obj.data.bones)
    bpy.context.view_layer.objects.active = obj
    oni2.export_oni2(bpy.context, oni2.ExportOptions(str(written)))
    assert written.read_bytes() == source.read_bytes()
