"""The user's scene: what must be as it was after a failure, and where new objects go."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import bpy

from ...core.reporting.errors import RetroAnimError

_KINDS = ("objects", "armatures", "meshes", "cameras", "materials", "images", "actions", "texts", "collections")

_Known = dict[str, set[int]]
"""By kind the addresses of data-blocks."""

_failing: list[_Known] = []
"""What was there before each `unchanged_on_failure` that is going on."""

_left: _Known = {}
"""What was there when the last part of work in a window ended."""

_edited: ContextVar[frozenset[str]] = ContextVar("edited", default=frozenset())
"""The names of objects that `edits_taken` has taken out of edit mode for a while."""


def fps(scene: bpy.types.Scene) -> float:
    return scene.render.fps / scene.render.fps_base


def set_fps(scene: bpy.types.Scene, rate: float) -> None:
    scene.render.fps = max(1, round(rate))
    scene.render.fps_base = scene.render.fps / rate


def active(context: bpy.types.Context) -> bpy.types.Object | None:
    """The active object, also where no window is, as in a timer right after a file was read: `context.object` is not there then."""
    layer = context.view_layer
    return layer.objects.active if layer is not None else None


def selected(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The selected objects, also where no window is."""
    layer = context.view_layer
    # What was just removed is still in the list until the layer is evaluated again, as None.
    return [obj for obj in layer.objects.selected if obj is not None] if layer is not None else []


@contextmanager
def in_a_window(context: bpy.types.Context) -> Generator[None]:
    """Blender's own operators need a window: the first one inside, where the context has none."""
    windows = context.window_manager.windows
    if context.window is not None or not windows:
        yield
        return
    here: Any = context
    with here.temp_override(window=windows[0]):
        yield


def animated(scene: bpy.types.Scene) -> bool:
    """Whether anything in a scene moves by itself already: it would do so faster or slower at another frame rate."""
    blocks: list[Any] = [scene]
    for obj in scene.objects:
        blocks += [obj, obj.data, getattr(obj.data, "shape_keys", None)]
    present = [data for block in blocks if (data := getattr(block, "animation_data", None)) is not None]
    return any(data.action is not None or len(data.nla_tracks) or len(data.drivers) for data in present)


@contextmanager
def unchanged_on_failure(
    context: bpy.types.Context, reused: Iterable[bpy.types.Object] = (), played: Iterable[Any] = ()
) -> Generator[None]:
    """Remove everything that was made inside, and restore mode, selection and frame rate, when an error leaves the block.

    reused: objects that what is made may change: their action, rotation mode and custom properties are restored, too. played: what else
    may get another action, such as shape keys."""
    restore = [*map(_restoring, reused), *map(_restoring_action, played)]
    before = _there()
    _failing.append(before)
    scene, layer = context.scene, context.view_layer
    shown, chosen = layer.objects.active, selected(context)
    mode = shown.mode if shown else "OBJECT"
    rate = scene.render.fps, scene.render.fps_base
    try:
        yield
    except BaseException:
        leave_edit_mode(context)
        added = [block for kind in _KINDS for block in getattr(bpy.data, kind) if block.as_pointer() not in before[kind]]
        bpy.data.batch_remove(added)
        for step in restore:
            step()
        scene.render.fps, scene.render.fps_base = rate
        _select(context, shown, chosen)
        _enter(shown, mode)
        raise
    finally:
        _failing[:] = [known for known in _failing if known is not before]


def _there() -> _Known:
    return {kind: {block.as_pointer() for block in getattr(bpy.data, kind)} for kind in _KINDS}


@contextmanager
def own_part() -> Generator[None]:
    """Around each part of work that goes on in a window: what has come since the last one is another window's or a script's, and a failure
    leaves it there."""
    if _left and _failing:
        for kind, now in _there().items():
            for known in _failing:
                known[kind] |= now - _left[kind]
    try:
        yield
    finally:
        _left.clear()
        if _failing:
            _left.update(_there())


def _restoring(obj: bpy.types.Object) -> Callable[[], None]:
    """Brings an object that was there before back to the action, the rotation mode and the custom properties that it has now."""
    from . import fields

    mode, restore_action = obj.rotation_mode, _restoring_action(obj)
    owners: list[Any] = [obj, obj.data, *(obj.pose.bones if obj.pose else ())]
    properties = [(owner, {name: fields.copied(value) for name, value in owner.items()}) for owner in owners if owner is not None]

    def restore() -> None:
        obj.rotation_mode = mode
        restore_action()
        for owner, before in properties:
            for name in set(owner.keys()) - set(before):
                del owner[name]
            for name, value in before.items():
                if name not in owner or fields.copied(owner[name]) != value:
                    owner[name] = value

    return restore


def _restoring_action(owner: Any) -> Callable[[], None]:
    """Brings what was there before back to the action that it has now."""
    from . import compat

    animation = owner.animation_data
    action = animation.action if animation else None
    slot = animation.action_slot if animation and compat.SLOTTED else None

    def restore() -> None:
        if owner.animation_data and not owner.animation_data.use_tweak_mode:  # there nothing could be changed
            owner.animation_data.action = action
            if slot is not None:
                owner.animation_data.action_slot = slot

    return restore


@contextmanager
def object_mode(context: bpy.types.Context, follow: bool = False) -> Generator[None]:
    """Object mode inside; the mode of before afterwards, if its object is still there. follow: unless another object was made active
    inside, which stays so."""
    shown, chosen = active(context), selected(context)
    mode = shown.mode if shown else "OBJECT"
    leave_edit_mode(context)
    back = True
    try:
        yield
        back = not follow or active(context) == shown
    finally:
        leave_edit_mode(context)
        if mode != "OBJECT" and back:
            _select(context, shown, chosen)
            _enter(shown, mode)


@contextmanager
def edits_taken(context: bpy.types.Context) -> Generator[None]:
    """Inside, what is being edited in edit mode is in the data-blocks, which are not complete there; edit mode again afterwards."""
    shown = active(context)
    if shown is None or shown.mode != "EDIT":
        yield
        return
    token = _edited.set(frozenset(obj.name for obj in context.view_layer.objects if obj is not None and obj.mode == "EDIT"))
    try:
        with object_mode(context):
            yield
    finally:
        _edited.reset(token)


def is_edited(obj: bpy.types.Object) -> bool:
    """Whether a person has an object in edit mode, also where `edits_taken` has left that for a while."""
    return obj.mode == "EDIT" or obj.name in _edited.get()


def leave_edit_mode(context: bpy.types.Context) -> None:
    shown = active(context)
    if shown is not None and shown.mode != "OBJECT":
        enter_mode(shown, "OBJECT")


def enter_mode(obj: bpy.types.Object, mode: Any) -> None:
    """Another mode of the active object, which may be hidden: Blender asks for one that is not."""
    hidden, away = obj.hide_viewport, obj.hide_get()
    if hidden or away:
        obj.hide_viewport = False
        obj.hide_set(False)
    try:
        bpy.ops.object.mode_set(mode=mode)
    except RuntimeError as error:
        raise RetroAnimError(f"{obj.name}: not to be edited now: {str(error).strip().rpartition(': ')[2]}") from error
    finally:
        if hidden or away:
            obj.hide_set(away)
            obj.hide_viewport = hidden


def make_active(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    """Select it alone."""
    _select(context, obj, [obj])


def _select(context: bpy.types.Context, shown: Any, chosen: list[Any]) -> None:
    for obj in selected(context):
        obj.select_set(False)
    for obj in chosen:
        obj.select_set(True)
    context.view_layer.objects.active = shown


def _enter(shown: Any, mode: Any) -> None:
    if shown is not None and shown.mode != mode:
        enter_mode(shown, mode)
