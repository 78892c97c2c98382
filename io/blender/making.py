"""New objects are made aside, where they are not evaluated again with each further one, and linked all at once."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import bpy


@dataclass(eq=False)
class Making:
    """new: the objects that were made since `taken`, and are in no collection yet."""

    new: list[bpy.types.Object] = field(default_factory=list[bpy.types.Object])

    def taken(self) -> list[bpy.types.Object]:
        """The new objects, for whoever links them."""
        new, self.new = self.new, []
        return new


_making: ContextVar[Making | None] = ContextVar("making", default=None)


@contextmanager
def making() -> Generator[Making]:
    """Inside, `link` leaves new objects to whoever takes them."""
    present = Making()
    token = _making.set(present)
    try:
        yield present
    finally:
        _making.reset(token)


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
    """The bones of an armature in edit mode; object mode must be on. A new armature is in the scene for that long alone: changing the mode
    evaluates all that is in it. (A scene of its own crashed Blender 5.0 now and then.)

    Nothing else is selected meanwhile: edit mode takes in every selected armature, and makes all bones of each anew when it ends, so that
    whoever still holds one of those holds freed memory.
    """
    data: Any = obj.data
    layer, collection = context.view_layer, context.scene.collection
    before, new = layer.objects.active, obj.name not in layer.objects
    selected = [other for other in layer.objects.selected if other != obj]
    if new:
        collection.objects.link(obj)
    try:
        for other in selected:
            other.select_set(False, view_layer=layer)
        layer.objects.active = obj
        bpy.ops.object.mode_set(mode="EDIT")
        try:
            yield data.edit_bones
        finally:
            bpy.ops.object.mode_set(mode="OBJECT")
    finally:
        if new:
            collection.objects.unlink(obj)
        for other in selected:
            other.select_set(True, view_layer=layer)
        layer.objects.active = before
