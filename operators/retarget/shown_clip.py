"""A clip of the report, beside the one that it follows."""

from __future__ import annotations

import bpy

from ...core.reporting.errors import RetroAnimError
from ...io.blender import identity, scene
from ...io.retarget.earlier import origin_of
from ..clips.operators import choose
from . import posing, preview


def show(context: bpy.types.Context, name: str) -> bpy.types.Object:
    """A new action on its target, which is active then, and on the source the one that it was made of, where that is still there; returns
    the target. Raises RetroAnimError."""
    action = identity.action_of((name, None))
    target = _in_view(context, (str(action.get(identity.RETARGETED, "")), None)) if action is not None else None
    if action is None or target is None:
        raise RetroAnimError(f"{name} is not there any more, or its character is not: press Retarget again")
    preview.stop()
    posing.leave(context)
    scene.leave_edit_mode(context)
    origin = origin_of(action)
    source = _in_view(context, origin.source) if origin is not None else None
    clip = identity.action_of(origin.clip) if origin is not None else None
    if source is not None and clip is not None:
        scene.make_active(context, source)
        choose(context, clip)
    scene.make_active(context, target)
    if source is not None:
        source.select_set(True)
    choose(context, action)
    return target


def _in_view(context: bpy.types.Context, key: identity.Key) -> bpy.types.Object | None:
    return next((obj for obj in context.view_layer.objects if obj.type == "ARMATURE" and identity.key_of(obj) == key), None)
