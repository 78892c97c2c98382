"""The live preview of retargeting: the target follows the source at the present frame, whatever is changed in the panel meanwhile.

It ends by its button, when the file is saved or loaded, with undo and redo, by another mode of the panel and when the extension is
disabled; each time the target is what it was before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.handlers import persistent

from ...core.reporting.errors import RetroAnimError
from ...io.blender import identity
from ..shared import job
from . import bone_map as retarget_map
from .listeners import LISTENERS
from .options import options_of
from .settings import read, settings_of

if TYPE_CHECKING:
    from ...io.retarget.in_view.preview import Preview

_REST = 0.25
"""Seconds without a change after which all frames are computed."""

_state: dict[str, Any] = {"preview": None, "known": None, "busy": False, "motion": False}
"""preview: the one that runs. known: the map and the options that it shows. busy: whether what happens is its own doing. motion: whether
the source's action has changed."""


def running() -> Preview | None:
    """The preview that is shown; None without one."""
    preview = _state["preview"]
    return preview if preview is not None and preview.is_on else None


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
    _state.update(preview=preview, known=_known(settings), motion=False)
    for handlers, handler in _HANDLERS:
        if handler not in handlers:
            handlers.append(handler)
    _later(_complete, _REST)


def stop() -> None:
    """The target as it was before."""
    preview = _state["preview"]
    _state["preview"] = None
    for handlers, handler in _HANDLERS:
        if handler in handlers:
            handlers.remove(handler)
    for function in (_complete, _change):
        if bpy.app.timers.is_registered(function):
            bpy.app.timers.unregister(function)
    if preview is not None:
        preview.stop()


def _known(settings: Any) -> Any:
    """What the preview depends on; None while the table contradicts itself."""
    try:
        return settings.source, settings.target, read(settings), options_of(settings, ())
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


def _changed() -> None:
    """The settings or the source's action are others: show that as soon as Blender is at rest."""
    if running() is None or _state["busy"]:
        return
    if bpy.app.background:
        _change()
    else:
        _later(_change, 0.0)


@persistent
def _before_frame(scene: bpy.types.Scene, *_: Any) -> None:
    preview = running()
    if preview is None or _state["busy"] or scene.name != preview.scene:
        return
    if preview.needs(scene):
        _guarded(lambda: preview.complete(bpy.context.scene))
    preview.show(scene)


@persistent
def _after_update(scene: bpy.types.Scene, graph: Any, *_: Any) -> None:
    preview = running()
    if preview is None or _state["busy"] or scene.name != preview.scene:
        return
    kinds = [(update.id.original, update.is_updated_transform or update.is_updated_geometry) for update in graph.updates]
    source = bpy.data.objects.get(preview.source)
    if any(isinstance(block, bpy.types.Action) for block, _ in kinds):
        _state["motion"] = True
    touched = any(block == source and moved for block, moved in kinds)
    data: Any = source.animation_data if source is not None else None
    if touched and data and data.action is not None and data.action.name != preview.action:
        _state["motion"] = True
    if _state["motion"]:
        _changed()
    elif touched:
        _guarded(lambda: preview.follow(bpy.context))


@persistent
def _leave(*_: Any) -> None:
    stop()
    if any(identity.is_staged(obj, identity.PREVIEW) for obj in bpy.data.objects):
        from ...io.blender import staged

        staged.give_all_back(identity.PREVIEW)


_HANDLERS = ((bpy.app.handlers.frame_change_pre, _before_frame), (bpy.app.handlers.depsgraph_update_post, _after_update))
"""While a preview runs."""

_LEAVING = (
    bpy.app.handlers.save_pre,
    bpy.app.handlers.load_pre,
    bpy.app.handlers.load_post,
    bpy.app.handlers.undo_pre,
    bpy.app.handlers.undo_post,
    bpy.app.handlers.redo_pre,
    bpy.app.handlers.redo_post,
)
"""Always, since a file or an undo step may hold a preview that nobody runs any more."""


class RETRO_ANIM_OT_retarget_preview(bpy.types.Operator):
    """Let the target follow the source at the present frame, while you change map and options; again, and it is as before"""

    bl_idname = "retro_anim.retarget_preview"
    bl_label = "Preview"
    bl_options = {"UNDO"}

    def execute(self, context: bpy.types.Context) -> Any:
        if running() is not None:
            stop()
            return {"FINISHED"}

        def begin() -> bool:
            start(context)
            return True

        return {"FINISHED"} if job.run(self, context, begin) else {"CANCELLED"}


def register() -> None:
    LISTENERS.append(_changed)
    for handlers in _LEAVING:
        handlers.append(_leave)


def unregister() -> None:
    _leave()
    if any(identity.is_staged(obj) for obj in bpy.data.objects):
        from ...io.blender import staged

        staged.give_all_back()
    LISTENERS.remove(_changed)
    for handlers in _LEAVING:
        if _leave in handlers:
            handlers.remove(_leave)


CLASSES = (RETRO_ANIM_OT_retarget_preview,)
