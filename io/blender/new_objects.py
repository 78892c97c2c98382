"""New objects are made aside, where they are not evaluated again with each further one, and linked all at once."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import bpy


@dataclass(eq=False)
class Making:
    """new: the objects that were made since `taken`, and are in no collection yet. known: what many of them share."""

    new: list[bpy.types.Object] = field(default_factory=list[bpy.types.Object])
    known: dict[Hashable, Any] = field(default_factory=dict[Hashable, Any])

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


def known() -> dict[Hashable, Any]:
    """What was made already, for whoever needs the same again while many objects are made; else nothing."""
    present = _making.get()
    return {} if present is None else present.known


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
    """The bones of an armature in edit mode, as `editing_all`."""
    with editing_all(context, [obj]) as (bones,):
        yield bones


@contextmanager
def editing_all(context: bpy.types.Context, objects: Sequence[bpy.types.Object]) -> Generator[list[bpy.types.ArmatureEditBones]]:
    """The bones of armatures in edit mode, of all at once, since each change of mode evaluates the scene; object mode must be on. New
    armatures are in the scene for that long alone. (A scene of its own crashed Blender 5.0 now and then.)

    Nothing else is selected meanwhile: edit mode takes in every selected armature, and makes all bones of each anew when it ends, so that
    whoever still holds one of those holds freed memory.
    """
    layer = context.view_layer
    before, selected = layer.objects.active, list(layer.objects.selected)
    with _linked(context, [obj for obj in objects if layer.objects.get(obj.name) != obj]):
        try:
            _select(layer, [obj for obj in selected if obj not in objects], False)
            _select(layer, objects, True)
            layer.objects.active = objects[0]
            bpy.ops.object.mode_set(mode="EDIT")
            try:
                yield [obj.data.edit_bones for obj in objects if isinstance(obj.data, bpy.types.Armature)]
            finally:
                bpy.ops.object.mode_set(mode="OBJECT")
        finally:
            _select(layer, [obj for obj in objects if obj not in selected], False)
            _select(layer, selected, True)
            layer.objects.active = before


@contextmanager
def _linked(context: bpy.types.Context, new: Sequence[bpy.types.Object]) -> Generator[None]:
    """Objects are in the scene inside, by way of a collection, since the scene is gone through for every object linked to it."""
    if not new:
        yield
        return
    collection = bpy.data.collections.new("New Armatures")
    try:
        for obj in new:
            collection.objects.link(obj)
        context.scene.collection.children.link(collection)
        yield
    finally:
        bpy.data.collections.remove(collection)


def _select(layer: bpy.types.ViewLayer, objects: Sequence[bpy.types.Object], state: bool) -> None:
    for obj in objects:
        obj.select_set(state, view_layer=layer)
