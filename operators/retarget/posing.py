"""The reference pose: both figures shown as they are aligned, and given back."""

from __future__ import annotations

import json
from typing import Any

import bpy
from bpy.types import Context, Object

from ...io.blender import identity
from . import options_of, preview
from .mapping import bone_map as retarget_map
from .settings import armatures_of, settings_of

_MODES = ("OBJECT", "EDIT", "POSE")
"""Those that armatures have."""


def is_posing(settings: Any) -> bool:
    """Whether the panel's armatures are shown as they are aligned."""
    return all(obj is not None and identity.is_staged(obj, identity.POSE) for obj in armatures_of(settings))


def has_begun(settings: Any) -> bool:
    """Whether there is something to leave: also where another source or target was chosen meanwhile, or one of them was deleted, or was
    appended from a file that was saved so."""
    return is_posing(settings) or any(identity.is_staged(obj, identity.POSE) for obj in bpy.data.objects)


def leave(context: Context) -> None:
    """Both armatures, their mode and the selection as before."""
    from ...io.blender import fields, temporary_state

    settings = settings_of(context)
    if not temporary_state.give_all_back(identity.POSE) or not settings.before:
        return
    before = fields.grouped(settings.before)
    settings.before = ""
    keys, active, mode = before.get("selected"), before.get("active"), before.get("mode")
    objects = {identity.key_of(obj): obj for obj in context.view_layer.objects}
    chosen = [objects[key] for key in map(_key, keys if isinstance(keys, list) else []) if key in objects]
    _select(context, chosen, objects.get(_key(active)), mode if mode in _MODES else "OBJECT")


def _key(kept: Any) -> Any:
    """As `identity.key_of`, of what the file has of it."""
    return tuple(map(_text, kept)) if isinstance(kept, list) else None


def _text(kept: Any) -> str | None:
    return kept if isinstance(kept, str) else None


def _select(context: Context, chosen: list[Object], active: Object | None, mode: Any) -> None:
    from ...io.blender import scene

    objects: Any = context.view_layer.objects
    scene.leave_edit_mode(context)
    for obj in objects:
        obj.select_set(obj in chosen)
    objects.active = active
    if mode != "OBJECT" and active is not None:
        scene.enter_mode(active, mode)


def begin(context: Context) -> None:
    """Both armatures as they are aligned, selected, the target in pose mode."""
    from ...io.blender import scene
    from ...io.retarget.in_view import posing as in_view

    preview.stop()
    settings = settings_of(context)
    source, target = retarget_map.pick(context)
    bone_map = retarget_map.present(context, source, target)
    settings.source, settings.target = source, target
    active = scene.active(context)
    before = {
        "selected": [identity.key_of(obj) for obj in scene.selected(context)],
        "active": identity.key_of(active) if active else None,
        "mode": active.mode if active else "OBJECT",
    }
    in_view.begin(context, source, target, bone_map, options_of(settings, ()))
    settings.before = json.dumps(before)
    _select(context, [source, target], target, "POSE")
