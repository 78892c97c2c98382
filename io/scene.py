"""The user's scene: what must be as it was after a failure, and where new things go."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import bpy

_KINDS = ("objects", "armatures", "meshes", "cameras", "materials", "images", "actions", "texts", "collections")


def fps(scene: bpy.types.Scene) -> float:
    return scene.render.fps / scene.render.fps_base


def set_fps(scene: bpy.types.Scene, rate: float) -> None:
    scene.render.fps = max(1, round(rate))
    scene.render.fps_base = scene.render.fps / rate


@contextmanager
def unchanged_on_failure(context: bpy.types.Context) -> Generator[None]:
    """Remove everything that was made inside, and restore mode, selection and frame rate, when an error leaves the block."""
    before = {kind: {block.as_pointer() for block in getattr(bpy.data, kind)} for kind in _KINDS}
    scene, layer = context.scene, context.view_layer
    active, selected = layer.objects.active, list(context.selected_objects or ())
    mode = active.mode if active else "OBJECT"
    rate = scene.render.fps, scene.render.fps_base
    try:
        yield
    except BaseException:
        leave_edit_mode(context)
        made = [block for kind in _KINDS for block in getattr(bpy.data, kind) if block.as_pointer() not in before[kind]]
        bpy.data.batch_remove(made)
        scene.render.fps, scene.render.fps_base = rate
        _select(context, active, selected)
        _enter(active, mode)
        raise


@contextmanager
def object_mode(context: bpy.types.Context) -> Generator[None]:
    """Object mode inside; the mode of before afterwards, if its object is still there."""
    active = context.view_layer.objects.active
    mode = active.mode if active else "OBJECT"
    selected = list(context.selected_objects or ())
    leave_edit_mode(context)
    try:
        yield
    finally:
        leave_edit_mode(context)
        if mode != "OBJECT":
            _select(context, active, selected)
            _enter(active, mode)


def leave_edit_mode(context: bpy.types.Context) -> None:
    active = context.view_layer.objects.active
    if active is not None and active.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")


def link(context: bpy.types.Context, thing: bpy.types.Object) -> bpy.types.Object:
    """Into the active collection, where Blender puts new objects."""
    context.collection.objects.link(thing)
    return thing


def make_active(context: bpy.types.Context, thing: bpy.types.Object) -> None:
    """Select it alone."""
    _select(context, thing, [thing])


def _select(context: bpy.types.Context, active: Any, selected: list[Any]) -> None:
    for thing in context.selected_objects:
        thing.select_set(False)
    for thing in selected:
        thing.select_set(True)
    context.view_layer.objects.active = active


def _enter(active: Any, mode: Any) -> None:
    if active is not None and active.mode != mode:
        bpy.ops.object.mode_set(mode=mode)
