"""Odd names and absurd numbers, which a format holds: they come in, and the file stays as it is to the byte."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

SAMPLES = Path(__file__).resolve().parents[4] / "samples"
SKEL = SAMPLES / "oni2/Entity/mannequin/mannequin.skel"
LAB = SAMPLES / "mindpower/animation/0001.lab"
Part = Callable[[str], ModuleType]


@pytest.mark.parametrize("name", [b"ro\0ot", b"\0", b"\0root", b"root\0", b"\x80\xff\0", b"r\x7f\x1b[31m", b"a" * 300, b"head"])
def test_a_bone_of_a_skel(part: Part, tmp_path: Path, name: bytes) -> None:
    oni2 = part("io.oni2")
    data = SKEL.read_bytes().replace(b"bone root ", b"bone " + name + b" ")
    assert data != SKEL.read_bytes()
    path, copy = tmp_path / "odd.skel", tmp_path / "copy.skel"
    path.write_bytes(data)
    result = oni2.import_oni2(bpy.context, oni2.ImportOptions((str(path),)))
    (armature,) = result.armatures
    assert len(armature.data.bones) == 15 and all(bone.name.isprintable() for bone in armature.data.bones)
    oni2.export_oni2(bpy.context, oni2.ExportOptions(str(copy)))
    assert copy.read_bytes() == data


@pytest.mark.parametrize("number", [1e-40, -1e7, 1e10, 1e20, -1e25, 3e38])
@pytest.mark.parametrize("position", [0, 1, 100, 5000, -1])
def test_a_number_of_a_lab(part: Part, tmp_path: Path, position: int, number: float) -> None:
    """A key far beyond all others."""
    mindpower, lab = part("io.mindpower"), part("core.mindpower.files.skeleton.lab").Lab.parse(LAB.read_bytes())
    keys = lab.keys.copy()
    keys[position] = number
    path, copy = tmp_path / "0001.lab", tmp_path / "copy.lab"
    path.write_bytes(replace(lab, keys=keys).pack())
    result: Any = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),)))
    bpy.context.view_layer.objects.active = result.armatures[0]
    mindpower.export_mindpower(bpy.context, mindpower.ExportOptions(str(copy)))
    assert copy.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("number", [1e-40, 1e7, 1e20, 1e30])
@pytest.mark.parametrize("entry", [(0, 3, 0), (1, 0, 0), (5, 3, 2), (16, 1, 1)])
def test_a_rest_pose_of_a_lab(part: Part, tmp_path: Path, entry: tuple[int, int, int], number: float) -> None:
    """It comes in and goes out as it is, or is refused in one line, with nothing left behind."""
    mindpower, lab = part("io.mindpower"), part("core.mindpower.files.skeleton.lab").Lab.parse(LAB.read_bytes())
    binds = lab.inverse_binds.copy()
    binds[entry] = number
    path, copy = tmp_path / "0001.lab", tmp_path / "copy.lab"
    path.write_bytes(replace(lab, inverse_binds=binds).pack())
    try:
        result: Any = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),)))
    except part("core.reporting.errors").RetroAnimError as error:
        assert len(str(error).splitlines()) == 1 and not len(bpy.data.armatures) and not len(bpy.data.actions)
        return
    bpy.context.view_layer.objects.active = result.armatures[0]
    mindpower.export_mindpower(bpy.context, mindpower.ExportOptions(str(copy)))
    assert copy.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    "sample", ["lba1/walk.anm", "oni/TRAMmannequin_walk.oni", "oni2/Entity/mannequin/mannequin_walk.anim", "mindpower/animation/0001.lab"]
)
def test_a_keyframe_that_is_no_number(part: Part, tmp_path: Path, sample: str) -> None:
    """It is named by bone, and nothing is written."""
    games = part("io.pipeline.games")
    row = part("core.games").writing(Path(sample).suffix)
    (action, *_) = games.import_(bpy.context, row, [str(SAMPLES / sample)], {}).actions
    bone = '"].rotation_'
    curve = next(curve for curve in part("io.blender.compat").curves(action) if bone in curve.data_path and len(curve.keyframe_points) > 1)
    curve.keyframe_points[1].co.y = float("nan")
    target = tmp_path / f"out{Path(sample).suffix}"
    with pytest.raises(part("core.reporting.errors").RetroAnimError) as error:
        games.export(bpy.context, row, str(target), {"overwrite": True})
    assert curve.data_path.split('"')[1] in str(error.value) and "finite" in str(error.value)
    assert not target.exists()
