"""Building blocks of Blender data."""

from __future__ import annotations

from typing import Any

import bpy


def register_group(kind: Any) -> None:
    """Register a class below PropertyGroup, with its annotations, in half of Blender's own time: Blender would ask `typing.get_type_hints`
    for them, which copies every name of every base; given to the class one by one, as to one of Blender's own, they need no search."""
    kind.__no_type_check__ = True
    bpy.utils.register_class(kind)
    for name, declared in kind.__annotations__.items():
        setattr(kind, name, declared)
