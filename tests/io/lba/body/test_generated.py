"""Keys that the import generates, when somebody edits them: they are what is seen."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from support.lba.lba_edits import Part, Walk, warnings


def test_a_bone_at_rest_that_is_keyed_where_its_generated_key_stands(walk: Walk, part: Part) -> None:
    """Group 01 is translated; its rotation has one generated key at frame 1, which stays generated in Blender."""
    walk.insert(1, "rotation_euler", 1, (0.5, 0, 0))
    assert [point.type for curve in walk.curves(1, "rotation_euler") for point in curve.keyframe_points] == [generated(part)] * 3
    walk.refused("group 01 is both rotated and translated", "frames 1, ")
    walk.insert(1, "rotation_euler", 1, (0.0, 0, 0))
    now, said = warnings(part, walk.packed)
    assert (now.pack(), said) == (walk.before.pack(), [])


def generated(part: Part) -> Any:
    return part("io.blender.compat").GENERATED_KEY


def test_leftover_keys_of_a_change_of_type(fetch: Any, part: Part, tmp_path: Any) -> None:
    """The keyframe before the change is deleted, and the key that the change needed stays: what it shows between is reported."""
    frames: Any = np.zeros(5, part("core.lba.files.anm").frame_dtype(3))
    frames["duration"] = 200
    frames["bones"]["value"][:, 2] = (1000, 300, 400), (1000, 400, 500), (900, 200, 300), (10, 20, 30), (40, -50, 60)
    frames["bones"]["type"][3:, 2] = 1
    path = tmp_path / "changing.anm"
    path.write_bytes(part("core.lba.files.anm").Anm(9, 0, frames).pack())
    imported = fetch(path, game="lba2", fps_mode="SET")
    (action,) = imported.actions
    lba = part("io.lba")
    options = lba.ExportOptions(str(tmp_path / "out.anm"), dry_run=True)
    assert lba.export_lba(bpy.context, options).warnings == []
    frame = 1 + 400 * bpy.context.scene.render.fps / 1000
    for curve in part("io.blender.compat").curves(action):
        for point in [point for point in curve.keyframe_points if abs(point.co.x - frame) < 0.01]:
            curve.keyframe_points.remove(point)
        curve.update()
    warnings = lba.export_lba(bpy.context, options).warnings
    assert len(warnings) == 1
    assert "group 02" in warnings[0] and "from what is shown" in warnings[0]
