"""The smallest edit of a clip: one number of one key."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any


def edit(part: Callable[[str], ModuleType], action: Any, by: float = 0.3, bone: str = "", key: int = 0) -> None:
    """One rotation of one bone, of the first that has keys behind that one."""
    start = f'pose.bones["{bone}"]' if bone else ""
    curve = next(
        curve
        for curve in part("io.blender.compat").curves(action)
        if ".rotation" in curve.data_path and curve.data_path.startswith(start) and len(curve.keyframe_points) > key + 1
    )
    curve.keyframe_points[key].co.y += by
    curve.update()
