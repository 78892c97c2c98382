"""Markers of an action."""

from __future__ import annotations

import bpy


def add(action: bpy.types.Action, name: str, frame: float) -> None:
    """A new one at the nearest frame, not selected: who moves one would move all."""
    marker = action.pose_markers.new(name)
    marker.frame, marker.select = round(frame), False
