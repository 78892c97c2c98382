"""The reference pose: both figures shown as they are aligned, and given back."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
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
    appended from a file that was saved so. It goes through all objects of the file: for a draw there is `is_offered`."""
    return is_posing(settings) or any(identity.is_staged(obj, identity.POSE) for obj in bpy.data.objects)


def is_offered(settings: Any) -> bool:
    """The same of the panel's armatures, and of those that it has shown aligned."""
    figures = [*armatures_of(settings), *map(identity.object_of, _keys(_before(settings), "figures"))]
    return is_posing(settings) or any(obj is not None and identity.is_staged(obj, identity.POSE) for obj in figures)


def leave(context: Context) -> None:
    """Both armatures, their mode and the selection as before. Where a pose ends that was not kept that is said."""
    with ended(context):
        pass


@contextmanager
def ended(context: Context) -> Generator[None]:
    """Inside, both armatures, their mode and the selection are as before; where an error leaves the block, they are shown aligned again, as
    they were posed."""
    from ...io.blender import temporary_state

    settings = settings_of(context)
    before, now, begun = settings.before, _selection(context), has_begun(settings)
    with temporary_state.kept_on_failure():
        try:
            _end(context)
            yield
        except BaseException:
            if begun:
                settings.before = before
                _restore(context, now)
            raise


def _end(context: Context) -> None:
    """What was selected counts no more, also where the figures were given back by something else: others than these it does not concern."""
    from ...io.blender import temporary_state

    settings = settings_of(context)
    before = _before(settings)
    if settings.before:
        settings.before = ""
    given = {identity.key_of(obj) for obj in temporary_state.give_all_back(identity.POSE)}
    if given.intersection(_keys(before, "figures")):
        _restore(context, before)


def settle(context: Context) -> None:
    """The same where something else has given the figures back, such as an export, or a clip that was imported on one of them: this one
    stays active, in the mode of before if it was active then. What is no figure and is active now stays as it is."""
    from ...io.blender import scene

    settings, active = settings_of(context), scene.active(context)
    if has_begun(settings):
        return
    before, settings.before = _before(settings), ""
    now = list(identity.key_of(active)) if active is not None else None
    if _key(now) in _keys(before, "figures"):
        same = now == before.get("active")
        chosen = [*map(list, _keys(before, "selected")), now]
        _restore(context, before if same else before | {"selected": chosen, "active": now, "mode": "OBJECT"})


def _before(settings: Any) -> dict[str, Any]:
    """What was selected before, as `_selection` has it, and the figures that are shown aligned since."""
    from ...io.blender import fields

    return fields.grouped(settings.before) if settings.before else {}


def _selection(context: Context) -> dict[str, Any]:
    from ...io.blender import scene

    active = scene.active(context)
    return {
        "selected": [list(identity.key_of(obj)) for obj in scene.selected(context)],
        "active": list(identity.key_of(active)) if active else None,
        "mode": active.mode if active else "OBJECT",
    }


def _restore(context: Context, before: dict[str, Any]) -> None:
    objects = {identity.key_of(obj): obj for obj in context.view_layer.objects}
    chosen = [objects[key] for key in _keys(before, "selected") if key in objects]
    active, mode = _key(before.get("active")), before.get("mode")
    _select(context, chosen, objects.get(active) if active else None, mode if mode in _MODES else "OBJECT")


def _keys(before: dict[str, Any], name: str) -> list[identity.Key]:
    kept = before.get(name)
    return [key for key in map(_key, kept if isinstance(kept, list) else []) if key is not None]


def _key(kept: Any) -> identity.Key | None:
    """As `identity.key_of`, of what the file has of it."""
    fits = isinstance(kept, list) and len(kept) == 2 and isinstance(kept[0], str) and isinstance(kept[1], str | None)
    return (kept[0], kept[1]) if fits else None


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
    from ...io.retarget.in_view import posing as in_view

    preview.stop()
    settings = settings_of(context)
    source, target = retarget_map.pick(context)
    bone_map = retarget_map.present(context, source, target)
    settings.source, settings.target = source, target
    before = _selection(context)
    in_view.begin(context, source, target, bone_map, options_of(settings, ()))
    settings.before = json.dumps(before | {"figures": [identity.key_of(obj) for obj in (source, target)]})
    _select(context, [source, target], target, "POSE")
