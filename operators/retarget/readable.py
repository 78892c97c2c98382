"""Texts of the settings that nobody can read: of a damaged .blend, or a stranger's, they may be no UTF-8, and panels would fail."""

from collections.abc import Iterator
from typing import Any

import bpy
from bpy.app.handlers import persistent


@persistent
def _loaded(*_given: Any) -> None:
    """Such a text is as if it had never been chosen."""
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
        elif prop.type == "POINTER" and isinstance(part := getattr(group, prop.identifier), bpy.types.PropertyGroup):
            yield from _groups(part)


def register() -> None:
    bpy.app.handlers.load_post.append(_loaded)


def unregister() -> None:
    bpy.app.handlers.load_post.remove(_loaded)
