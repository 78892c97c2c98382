"""Building blocks of Blender data."""

from __future__ import annotations

from typing import Any

import bpy

CONTEXT = "retro_anim"
"""That of all labels of ours: for some of them, such as *Keys*, *Facing* or *To*, Blender's catalogues have translations that mean
something else, others are longer than the side panel has room for, and messages and documentation name labels as they are here."""


def untranslated(kind: Any) -> None:
    """Let a class that is to be registered have its own labels in every language."""
    for declared in kind.__annotations__.values():
        if (keywords := getattr(declared, "keywords", None)) is not None:  # of a property; Blender's own bases have other annotations
            keywords.setdefault("translation_context", CONTEXT)


def register_property(kind: Any, name: str, declared: Any) -> None:
    """Give one of Blender's own types a property that has its own label in every language."""
    declared.keywords.setdefault("translation_context", CONTEXT)
    setattr(kind, name, declared)


def register_group(kind: Any) -> None:
    """Register a class below PropertyGroup, with its annotations, in half of Blender's own time: Blender would ask `typing.get_type_hints`
    for them, which copies every name of every base; given to the class one by one, as to one of Blender's own, they need no search."""
    kind.__no_type_check__ = True
    untranslated(kind)
    bpy.utils.register_class(kind)
    for name, declared in kind.__annotations__.items():
        setattr(kind, name, declared)
