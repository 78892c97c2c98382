"""The reference pose: both figures shown as they are aligned, and given back."""

from __future__ import annotations

import json
from typing import Any

import bpy
from bpy.types import Context

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
    """Whether there is something to leave: also where another source or target was chosen meanwhile, or one of them was deleted."""
    return is_posing(settings) or (bool(settings.before) and any(identity.is_staged(obj, identity.POSE) for obj in bpy.data.objects))


def leave(context: Context) -> None:
    """Both armatures, their mode and the selection as before."""
    from ...io.blender import fields, temporary_state

    settings = settings_of(context)
    if not temporary_state.give_all_back(identity.POSE) or not settings.before:
        return
    before = fields.grouped(settings.before)
    settings.before = ""
    names, mode = before.get("selected"), before.get("mode")
    _select(context, names if isinstance(names, list) else [], str(before.get("active")), mode if mode in _MODES else "OBJECT")


def _select(context: Context, names: list[str], active: str, mode: Any) -> None:
    from ...io.blender import scene

    objects: Any = context.view_layer.objects
    scene.leave_edit_mode(context)
    for obj in objects:
        obj.select_set(obj.name in names)
    objects.active = objects.get(active)
    if mode != "OBJECT" and objects.active is not None:
        scene.enter_mode(objects.active, mode)


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
        "selected": [obj.name for obj in scene.selected(context)],
        "active": active.name if active else "",
        "mode": active.mode if active else "OBJECT",
    }
    in_view.begin(context, source, target, bone_map, options_of(settings, ()))
    settings.before = json.dumps(before)
    _select(context, [source.name, target.name], target.name, "POSE")
