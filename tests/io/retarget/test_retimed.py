"""Clips that go into a scene of another frame rate."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import pytest


def test_a_prop_s_eased_curve_is_as_eased_at_another_rate(part: Callable[[str], ModuleType]) -> None:
    """Handles that were set by hand are stretched with their keys: a quarter of the way is at a quarter of the new length."""
    obj: Any = bpy.data.objects.new("prop", None)
    bpy.context.scene.collection.objects.link(obj)
    for frame, height in ((1, 0.0), (9, 8.0)):
        obj.location.z = height
        obj.keyframe_insert("location", index=2, frame=frame)
    (curve,) = part("io.blender.compat").curves(obj.animation_data.action)
    for point, handle in zip(curve.keyframe_points, (7.0, 5.0), strict=True):
        point.interpolation, point.handle_left_type, point.handle_right_type = "BEZIER", "FREE", "FREE"
        point.handle_right, point.handle_left = (handle, 0.0), (handle, 8.0)
    curve.update()
    shown = [curve.evaluate(1 + 2 * step) for step in range(5)]
    assert abs(shown[1] - 2) > 0.5, "it is no line"
    part("io.retarget.reading.clips").retime(obj.animation_data.action, 2.5)
    assert [curve.evaluate(1 + 5 * step) for step in range(5)] == pytest.approx(shown, abs=1e-4)
