"""New objects are made aside, where nothing of the user's scene is evaluated again with each of them, and linked all at once."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import bpy


@dataclass(eq=False)
class Making:
    """aside: a scene that is gone afterwards, for what Blender does in a scene alone, such as editing bones. new: the objects that
    were made since `taken`, and are in no collection yet."""

    aside: bpy.types.Scene
    new: list[bpy.types.Object] = field(default_factory=list[bpy.types.Object])

    def taken(self) -> list[bpy.types.Object]:
        """The new objects, for whoever links them."""
        new, self.new = self.new, []
        return new


_making: ContextVar[Making | None] = ContextVar("making", default=None)


@contextmanager
def making() -> Generator[Making]:
    """Inside, `link` leaves new objects to whoever takes them. Within another one it is that one."""
    present = _making.get()
    if present is not None:
        yield present
        return
    present = Making(bpy.data.scenes.new("new objects"))
    token = _making.set(present)
    try:
        yield present
    finally:
        _making.reset(token)
        bpy.data.scenes.remove(present.aside)


def link(context: bpy.types.Context, obj: bpy.types.Object) -> bpy.types.Object:
    """Into the active collection, where Blender puts new objects; while many are made, with them."""
    present = _making.get()
    if present is None:
        context.collection.objects.link(obj)
    else:
        present.new.append(obj)
    return obj


@contextmanager
def editing(context: bpy.types.Context, obj: bpy.types.Object) -> Generator[bpy.types.ArmatureEditBones]:
    """The bones of an armature in edit mode; object mode must be on. Changing the mode evaluates all that is in the scene: in this one
    the armature is alone."""
    data: Any = obj.data
    here: Any = context
    with making() as present:
        aside = present.aside
        layer = aside.view_layers[0]
        aside.collection.objects.link(obj)
        try:
            layer.objects.active = obj
            with here.temp_override(scene=aside, view_layer=layer, active_object=obj):
                bpy.ops.object.mode_set(mode="EDIT")
                try:
                    yield data.edit_bones
                finally:
                    bpy.ops.object.mode_set(mode="OBJECT")
        finally:
            aside.collection.objects.unlink(obj)
