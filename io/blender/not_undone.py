"""Custom properties that say what a file has of a data-block. Undo takes the property back, and leaves the file as it was written: so what
they are is also known for the session."""

from __future__ import annotations

from typing import Any

import bpy

_values: dict[tuple[int, str], Any] = {}
"""By Blender's number of a block in the session, which undo keeps, and the name of the property."""


def keep(block: bpy.types.ID, name: str, value: str | list[float]) -> None:
    block[name] = value
    _values[block.session_uid, name] = value


def kept(block: bpy.types.ID, name: str) -> Any:
    """What a property was set to last, in this session or before; None for nothing. Somebody else may have spoilt it."""
    return _values.get((block.session_uid, name), block.get(name))
