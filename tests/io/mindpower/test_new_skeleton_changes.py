"""Each clip of a skeleton made in Blender is one of the export's changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np

Part = Callable[[str], ModuleType]


def test_new_then_unchanged_then_changed(part: Part, tmp_path: Path) -> None:
    bpy.ops.object.armature_add()
    obj: Any = bpy.context.object
    bone = obj.pose.bones[0]
    for frame, angle in ((1, 0.0), (11, 1.0)):
        bone.rotation_quaternion = (np.cos(angle / 2), np.sin(angle / 2), 0.0, 0.0)
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    obj.animation_data.action.name = "nod"
    game, path = part("io.mindpower"), tmp_path / "9000.lab"
    options = game.ExportOptions(str(path))

    first = game.export_mindpower(bpy.context, options)
    (change,) = first.changes
    assert (change.action, change.armature, change.state, change.worst) == ("nod", obj.name, "new", None)
    assert change.bones == (bone.name,) and change.keys > 1
    assert first.summary.startswith("1 of 1 new: nod")

    (change,) = game.export_mindpower(bpy.context, options).changes
    assert (change.state, change.keys) == ("unchanged", 0)

    bone.rotation_quaternion = (0.0, 1.0, 0.0, 0.0)
    bone.keyframe_insert("rotation_quaternion", frame=11)
    (change,) = game.export_mindpower(bpy.context, game.ExportOptions(str(path), dry_run=True)).changes
    assert (change.state, change.bones) == ("changed", (bone.name,))
