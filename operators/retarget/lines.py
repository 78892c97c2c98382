"""The bones of a line of the bone map's table, and those between two ends."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.reporting.errors import RetroAnimError


def path(obj: bpy.types.Object, start: str, end: str) -> list[str]:
    """The bones from one down to another. Raises RetroAnimError where they are not in one line."""
    bones: Any = obj.pose.bones if obj.pose else {}
    for name in (start, end):
        if name not in bones:
            raise RetroAnimError(f"{obj.name} has no bone {name}" if name else f"pick both ends of the chain in {obj.name}")
    result = [end]
    while result[0] != start:
        parent = bones[result[0]].parent
        if parent is None:
            raise RetroAnimError(f"{end} does not hang on {start} in {obj.name}")
        result.insert(0, parent.name)
    return result


def bones_of(line: Any, side: str) -> list[str]:
    """The bones of a line on one side, from the root outwards."""
    from ...io.blender import fields

    text = getattr(line, side)
    return ([text] if text else []) if not line.is_chain else list(map(str, fields.listed(text)))
