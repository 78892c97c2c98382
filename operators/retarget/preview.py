"""The live preview of retargeting: the target follows the source at the present frame, whatever is changed in the panel meanwhile.

It ends by its button, when the file is saved or loaded, with undo and redo, when source or target is deleted, when the target is given an
action, by another mode of the panel and when the extension is disabled; each time the target is what it was before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.handlers import persistent

from ...core.reporting.errors import RetroAnimError
from ...io.blender import identity
from ...io.blender.scene import fps
from . import ENDING, LISTENERS, options_of
from .mapping import bone_map as retarget_map
from .settings import armatures_of, settings_of

if TYPE_CHECKING:
    from ...io.retarget.in_view.preview import Preview

_REST = 0.25
"""Seconds without a change after which all frames are computed."""

_state: dict[str, Any] = {"preview": None, "known": None, "busy": False, "motion": False, "stands": None, "marks": None}
"""preview: the one that runs. known: the map, the options and the frame rate that it shows. busy: whether what happens is its own doing.
motion: whether the source's action has changed, or where the source stands. stands: where it did at the present frame. marks: the action's
markers of where its feet and hands stand."""


def running() -> Preview | None:
    """The preview that is shown; None without one."""
    preview = _state["preview"]
    return preview if preview is not None and preview.is_on else None


def shown_in(scene: bpy.types.Scene) -> Preview | None:
    """The same, where it is of this scene: another one has other armatures and options."""
    preview = running()
    return preview if preview is not None and preview.scene == scene.session_uid else None


def start(context: bpy.types.Context) -> None:
    """Show the panel's armatures and options. Raises RetroAnimError where there is nothing to show."""
    from ...io.retarget.in_view.preview import Preview

    stop()
    settings = settings_of(context)
    source, target = retarget_map.pick(context)
    bone_map = retarget_map.present(context, source, target)
    settings.source, settings.target = source, target
    preview, options = Preview(context, source, target), options_of(settings, ())
    _state["busy"] = True
    try:
        preview.change(context, bone_map, options)
    finally:
        _state["busy"] = False
    _state.update(preview=preview, known=_known(settings), motion=False, stands=_stands(source), marks=_marks(preview))
    for handlers, handler in _HANDLERS:
        if handler not in handlers:
            handlers.append(handler)
    LISTENERS.append(_changed)
    ENDING.append(stop)
    _later(_complete, _REST)


def stop() -> None:
    """The target as it was before."""
    preview = _state["preview"]
    _state["preview"] = None
    for handlers, handler in (*_HANDLERS, (LISTENERS, _changed), (ENDING, stop)):
        if handler in handlers:
            handlers.remove(handler)
    for function in (_complete, _change):
        if bpy.app.timers.is_registered(function):
            bpy.app.timers.unregister(function)
    if preview is not None:
        preview.stop()


def _known(settings: Any) -> Any:
    """What the preview depends on; None while the table contradicts itself."""
    from .mapping.map_table import read

    try:
        return *armatures_of(settings), read(settings), options_of(settings, ()), fps(settings.id_data)
    except RetroAnimError as error:
        preview = _state["preview"]
        if preview is not None:
            preview.message = str(error)
        return None


def _later(function: Any, seconds: float) -> None:
    """Call it in a while, once; without a window, where nothing ever rests, it is left to the next frame."""
    if bpy.app.background:
        return
    if bpy.app.timers.is_registered(function):
        bpy.app.timers.unregister(function)
    bpy.app.timers.register(function, first_interval=seconds)


def _complete() -> None:
    preview = running()
    if preview is not None and not _state["busy"]:
        _guarded(lambda: preview.complete(bpy.context.scene))


def _change() -> None:
    """Show what was changed."""
    preview, settings = running(), settings_of(bpy.context)
    if preview is None or _state["busy"]:
        return
    known, before = _known(settings), _state["known"]
    if known is None:
        return
    if before is not None and known[:2] != before[:2]:
        stop()  # other armatures are another preview
        return
    moved, _state["motion"] = _state["motion"], False
    if known == before and not moved:
        return
    _state["known"] = known
    _guarded(lambda: preview.change(bpy.context, known[2], known[3], moved))
    _state["marks"] = _marks(preview)
    _later(_complete, _REST)


def _guarded(work: Any) -> None:
    """Do it with the handlers deaf. An expected error is shown in the panel, and the target is as it was before until it is mended."""
    _state["busy"] = True
    try:
        work()
    except RetroAnimError as error:
        if _state["preview"] is not None:
            _state["preview"].message = str(error)
    finally:
        _state["busy"] = False


def _changed(rest: float = 0.0) -> None:
    """The settings or the source's action are others: show that as soon as Blender is at rest."""
    if running() is None or _state["busy"]:
        return
    if bpy.app.background:
        _change()
    else:
        _later(_change, rest)


def _stands(source: Any) -> tuple[Any, Any]:
    """Where an object stands in the world, and in its parent."""
    return source.matrix_world.copy(), source.matrix_basis.copy()


def _is_moved(source: Any) -> bool:
    """Whether a person has put the source elsewhere since it was looked at: its motion counts from there. One whose action moves the object
    is only posed by that, unless it is its parent that was moved."""
    now, before = _stands(source), _state["stands"] or _stands(source)
    _state["stands"] = now
    is_elsewhere, is_posed = (_differ(one, other) for one, other in zip(now, before, strict=True))
    return is_elsewhere and not (is_posed and _moves_object(source))


def _differ(first: Any, second: Any) -> bool:
    return any((one - other).length > 1e-6 for one, other in zip(first, second, strict=True))


def _moves_object(source: Any) -> bool:
    from ...io.blender import compat

    action: Any = source.animation_data and source.animation_data.action
    return action is not None and any(curve.data_path.startswith(("location", "rotation")) for curve in compat.curves(action, source))


def _marks(preview: Preview) -> Any:
    """The markers of the action that is shown, of whose changes Blender tells nobody."""
    from ...io.retarget.reading import markers

    action = identity.action_of(preview.action)
    return markers.marks(action) if action is not None else None


def _is_marked_otherwise(preview: Preview) -> bool:
    """Whether somebody has moved its markers since they were looked at."""
    before, _state["marks"] = _state["marks"], _marks(preview)
    return before != _state["marks"]


def _is_at_another_rate(scene: bpy.types.Scene) -> bool:
    """Whether the scene's frames have another length in seconds than those that are shown: how fast feet are depends on it, and by that
    where they stand, as do the keys of a game's clip."""
    known = _state["known"]
    return known is not None and known[-1] != fps(scene)


def _plays_another(preview: Preview) -> bool:
    """Whether the source has another action than the one that is shown."""
    source = preview.source.obj
    action = source.animation_data.action if source is not None and source.animation_data else None
    return action is not None and identity.key_of(action) != preview.action


def _is_elsewhere(preview: Preview, scene: bpy.types.Scene) -> bool:
    """Whether what happens in a scene does not concern it. Where its own was deleted it ends: a linked copy may show its figures still."""
    if _state["busy"]:
        return True
    if all(each.session_uid != preview.scene for each in bpy.data.scenes):
        stop()
        return True
    return scene.session_uid != preview.scene


@persistent
def _before_frame(scene: Any, *_: Any) -> None:
    preview = running()
    if preview is None or _is_elsewhere(preview, scene):
        return
    if None in armatures_of(scene.retro_anim_retarget):  # one was deleted: while the scene plays, Blender tells of its frames alone
        _changed()
        return
    if _plays_another(preview) or _is_marked_otherwise(preview):
        _state["motion"] = True
    if _state["motion"] or _is_at_another_rate(scene):
        _changed()
    if preview.needs(scene):
        _guarded(lambda: preview.complete(bpy.context.scene))
    preview.show(scene)


@persistent
def _after_frame(*_: Any) -> None:
    preview = running()
    source = preview.source.obj if preview is not None else None
    if source is not None:
        _state["stands"] = _stands(source)


@persistent
def _after_update(scene: Any, graph: Any, *_: Any) -> None:
    preview = running()
    if preview is None or _is_elsewhere(preview, scene):
        return
    if preview.is_replaced:
        stop()
        return
    if None in armatures_of(scene.retro_anim_retarget):  # one was deleted
        _changed()
        return
    if preview.objects is None:  # bones were
        _state["motion"] = True
        _changed()
        return
    kinds = [(update.id.original, update.is_updated_transform or update.is_updated_geometry) for update in graph.updates]
    source = preview.source.obj
    if any(isinstance(block, bpy.types.Action) for block, _ in kinds):
        _state["motion"] = True
    touched = any(block == source and changed for block, changed in kinds)
    moved = touched and _is_moved(source)
    if moved or (touched and _plays_another(preview)) or _is_marked_otherwise(preview):
        _state["motion"] = True
    if _state["motion"] or _is_at_another_rate(scene):
        _changed(_REST if moved else 0.0)  # while it is being moved it is not read again and again
    elif touched:
        _guarded(lambda: preview.follow(bpy.context))


_HANDLERS: tuple[tuple[list[Any], Any], ...] = (
    (bpy.app.handlers.frame_change_pre, _before_frame),
    (bpy.app.handlers.frame_change_post, _after_frame),
    (bpy.app.handlers.depsgraph_update_post, _after_update),
)
"""While a preview runs."""
