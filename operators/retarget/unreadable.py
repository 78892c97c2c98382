"""Texts of the settings that nobody can read: of a damaged .blend, or a stranger's, they may be no UTF-8, and panels would fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
from bpy.types import PropertyGroup


def forget_texts() -> None:
    """In all scenes, as if they had never been chosen."""
    scenes: Any = bpy.data.scenes
    for scene in scenes:
        for group in _groups(scene.retro_anim_retarget):
            for prop in group.bl_rna.properties:
                if prop.type == "STRING":
                    try:
                        getattr(group, prop.identifier)
                    except UnicodeDecodeError:
                        group.property_unset(prop.identifier)


def _groups(group: Any) -> Iterator[Any]:
    """With all that it holds."""
    yield group
    for prop in group.bl_rna.properties:
        if prop.identifier == "rna_type":
            continue
        if prop.type == "COLLECTION":
            for item in getattr(group, prop.identifier):
                yield from _groups(item)
        elif prop.type == "POINTER" and isinstance(part := getattr(group, prop.identifier), PropertyGroup):
            yield from _groups(part)
