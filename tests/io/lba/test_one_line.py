"""Every cause has one line in what an export says."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from .test_edits import Part, Walk, walk

__all__ = ["walk"]


def said(walk: Walk, part: Part) -> list[str]:
    lba = part("io.lba")
    bpy.context.view_layer.objects.active = walk.obj
    walk.obj.select_set(True)
    exported = lba.export_lba(bpy.context, lba.ExportOptions(str(walk.out), dry_run=True))
    return [line.removeprefix(f"{walk.action.name}: ") for line in exported.warnings]


def put(curve: Any, frame: float, value: float) -> None:
    curve.keyframe_points.insert(frame, value, options={"FAST"}).interpolation = "LINEAR"
    curve.update()


@pytest.mark.parametrize(("angle", "closing"), [(270, 360), (-200, -360), (360, 360)])
def test_more_than_half_a_circle_between_two_keyframes(walk: Walk, part: Part, angle: float, closing: float) -> None:
    curve = walk.curves(3, "rotation_euler")[0]
    before = curve.evaluate(10)
    for frame in (19, 28, 37):
        put(curve, frame, before + np.radians(angle))
    put(curve, 46, before + np.radians(closing))
    (line,) = said(walk, part)
    assert line.startswith("group 03: ")
    assert line.endswith(f"a rotation of {abs(angle)} degrees between frames 10 and 19: the game rotates the other way: put a key between")
    put(curve, 13, before + np.radians(angle / 3))
    put(curve, 16, before + np.radians(angle / 3 * 2))
    (line,) = said(walk, part)
    assert line.startswith("the game's events count keyframes")


def test_leftover_keys_of_a_change_of_type(fetch: Any, part: Part, tmp_path: Any) -> None:
    """The keyframe before the change is deleted, and the key that the change needed stays: what it shows between is reported."""
    frames = np.zeros(5, part("core.lba.files.anm").frame_dtype(3))
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
