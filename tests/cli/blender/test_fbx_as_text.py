"""An FBX as text, by an own writer: Blender's importer of binary ones refuses it, its newer one from 4.5 on reads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

Convert = Callable[..., tuple[int, list[str], list[str]]]

SECOND = 46186158000
"""Ticks of the format."""
ANGLES = [0.0, 30.0, -50.0, 10.0]
"""Degrees of the hips about Z, at frames of a rate of 30, in a figure of centimetres whose spine is rotated by 90 before that."""

TEXT = """; FBX 7.4.0 project file
FBXHeaderExtension:  {{
	FBXVersion: 7400
}}
GlobalSettings:  {{
	Properties70:  {{
		P: "UpAxis", "int", "Integer", "",1
		P: "FrontAxis", "int", "Integer", "",2
		P: "CoordAxis", "int", "Integer", "",0
		P: "UnitScaleFactor", "double", "Number", "",1
		P: "TimeMode", "enum", "", "",6
	}}
}}
Objects:  {{
{models}
	AnimationStack: 1, "AnimStack::take", "" {{
		Properties70:  {{
			P: "LocalStop", "KTime", "Time", "",{last}
		}}
	}}
	AnimationLayer: 2, "AnimLayer::layer", "" {{
	}}
	AnimationCurveNode: 3, "AnimCurveNode::R", "" {{
		Properties70:  {{
			P: "d|X", "Number", "", "A",0
			P: "d|Y", "Number", "", "A",0
			P: "d|Z", "Number", "", "A",0
		}}
	}}
{curves}
}}
Connections:  {{
	C: "OO",10,0
	C: "OO",11,10
	C: "OO",12,11
	C: "OO",20,10
	C: "OO",21,11
	C: "OO",22,12
	C: "OO",2,1
	C: "OO",3,2
	C: "OP",3,10, "Lcl Rotation"
	C: "OP",4,3, "d|X"
	C: "OP",5,3, "d|Y"
	C: "OP",6,3, "d|Z"
}}
"""

CURVE = """	AnimationCurve: {number}, "AnimCurve::", "" {{
		KeyVer: 4008
		KeyTime: *4 {{
			a: {times}
		}}
		KeyValueFloat: *4 {{
			a: {values}
		}}
		KeyAttrFlags: *1 {{
			a: 260
		}}
		KeyAttrDataFloat: *4 {{
			a: 0,0,0,0
		}}
		KeyAttrRefCount: *1 {{
			a: 4
		}}
	}}"""

MODEL = """	NodeAttribute: {attribute}, "NodeAttribute::", "LimbNode" {{
		TypeFlags: "Skeleton"
	}}
	Model: {number}, "Model::{name}", "LimbNode" {{
		Version: 232
		Properties70:  {{
			P: "RotationActive", "bool", "", "",1
			P: "PreRotation", "Vector3D", "Vector", "",0,0,{before}
			P: "Lcl Translation", "Lcl Translation", "", "A",{moved}
		}}
	}}"""


def written(path: Path) -> Path:
    bones = [("Hips", 0, "5,100,0"), ("Spine", 90, "0,50,0"), ("Head", 0, "0,40,0")]
    models = [
        MODEL.format(attribute=20 + number, number=10 + number, name=name, before=before, moved=moved)
        for number, (name, before, moved) in enumerate(bones)
    ]
    times = ",".join(str(frame * SECOND // 30) for frame in range(4))
    rows = [[0.0] * 4, [0.0] * 4, ANGLES]  # older ones of these importers lose what is moved about one axis alone
    curves = [CURVE.format(number=4 + axis, times=times, values=",".join(map(str, row))) for axis, row in enumerate(rows)]
    path.write_text(TEXT.format(models="\n".join(models), curves="\n".join(curves), last=3 * SECOND // 30))
    return path


def test_it_moves_as_written(convert: Convert, tmp_path: Path) -> None:
    path = written(tmp_path / "clip.fbx")
    code, _, errors = convert(path, "-o", tmp_path / "out.blend")
    if bpy.app.version < (4, 5):
        assert code == 1 and errors == [f"{path}: no FBX, or one as text, or of before 2011: those are read by Blender 4.5 and newer ones"]
        return
    assert code == 0, errors
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"))
    scene: Any = bpy.context.scene
    obj: Any = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    assert scene.render.fps / scene.render.fps_base == pytest.approx(30)
    first = round(obj.animation_data.action.frame_range[0])
    for number, angle in enumerate(np.radians(ANGLES)):
        scene.frame_set(first + number)
        head = np.array(obj.matrix_world @ obj.pose.bones["Head"].head)
        # The spine's own Y lies along -X of the hips.
        side, up = -0.4, 0.5
        x, y = 0.05 + side * np.cos(angle) - up * np.sin(angle), 1.0 + side * np.sin(angle) + up * np.cos(angle)
        np.testing.assert_allclose(head, [x, 0, y], atol=1e-5)
