"""Game View: the active character as its game shows it, playing, with the events of its clip as they pass; its end leaves no trace.

It ends by its button, before the file is saved, with undo and redo, and when the extension is disabled."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.handlers import persistent

if TYPE_CHECKING:
    from ...io.pipeline.game_view import GameView

_SHOWN = 1.5
"""Seconds that an event stays to be read."""

_ABOVE = 7
"""How much higher than its letters the first line of what is written stands: over the operator's panel."""

_Undo = Callable[[Any], None]
"""Gives back something of a viewport, which it is called with."""

_state: dict[str, Any] = {"view": None, "views": None, "passed": [], "handle": None}
"""view: the one that is shown. views: gives the 3D viewports back. passed: when events have passed, by the clock, and their texts."""


def shown() -> GameView | None:
    """The one that is shown; None without one."""
    return _state["view"]


def begin(context: bpy.types.Context, view: GameView) -> None:
    """Show it in the window, too."""
    _state.update(view=view, views=look_through(context))
    for handlers, handler in _HANDLERS:
        if handler not in handlers:
            handlers.append(handler)
    if _state["handle"] is None and not bpy.app.background:
        _state["handle"] = bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_PIXEL")


def end() -> None:
    """Give everything back."""
    view, views = _state["view"], _state["views"]
    _state.update(view=None, views=None, passed=[])
    with ExitStack() as undo:  # the scene also if a viewport cannot be given back
        for each in (view, views):
            if each is not None:
                undo.callback(each.close)


def look_through(context: bpy.types.Context) -> ExitStack:
    """The 3D viewports of the window look through the camera and play; returns what gives them back."""
    undo = ExitStack()
    here: Any = context
    window = here.window
    if window is None:
        return undo
    screen = window.screen
    for area in screen.areas:
        if area.type == "VIEW_3D":
            space: Any = area.spaces.active
            undo.callback(_give_back, space.as_pointer(), [*_look(here, space)])
    if not screen.is_animation_playing:
        with here.temp_override(window=window):
            bpy.ops.screen.animation_play()
        undo.callback(_stop)
    return undo


def _look(here: Any, space: Any) -> Iterator[_Undo]:
    """Let a viewport look through the camera; gives what is called with it in the end, the last first."""
    region = space.region_3d
    own = tuple((name, getattr(region, name)) for name in ("view_rotation", "view_location", "view_distance"))
    values = [(name, value if isinstance(value, float) else value.copy()) for name, value in own]
    yield partial(_look_from, values=values, along_axis=region.is_orthographic_side_view)
    through = (
        ("region_3d", "view_perspective", "CAMERA"),
        ("overlay", "show_overlays", False),
        ("shading", "type", "MATERIAL"),
        ("shading", "use_scene_lights", True),
        ("shading", "use_scene_world", True),
    )
    for owner, name, value in through:
        yield partial(_set, owner=owner, name=name, value=getattr(getattr(space, owner), name))
        _set(space, owner, name, value)
    if space.local_view is not None:
        yield from _into_local_view(here.view_layer.objects, space)
    if space.local_view is not None or space.use_local_camera:  # which look through a camera of their own
        yield partial(_look_through_camera, camera=space.camera)
        space.camera = here.scene.camera


def _give_back(pointer: int, own: Sequence[_Undo]) -> None:
    """A viewport, unless it was closed meanwhile: nothing may be asked of what Blender has freed, as the screen that it was in then."""
    spaces = (space for screen in bpy.data.screens for area in screen.areas for space in area.spaces if space.type == "VIEW_3D")
    with ExitStack() as undo:
        for space in [each for each in spaces if each.as_pointer() == pointer]:
            for each in own:
                undo.callback(each, space)


def _set(space: Any, owner: str, name: str, value: Any) -> None:
    setattr(getattr(space, owner), name, value)


def _into_local_view(objects: Any, space: Any) -> Iterator[_Undo]:
    """What is new stands in no local view, and so would not be shown there."""
    for obj in objects:
        if not obj.hide_viewport and not obj.local_view_get(space):
            obj.local_view_set(space, True)
            yield partial(_out_of_local_view, name=obj.name)


def _out_of_local_view(space: Any, name: str) -> None:
    """Unless either is gone, or no window shows the viewport now, as in another workspace: Blender crashes then."""
    obj, windows = bpy.data.objects.get(name), bpy.context.window_manager.windows
    if obj is not None and space.local_view is not None and any(window.screen == space.id_data for window in windows):
        obj.local_view_set(space, False)


def _look_through_camera(space: Any, camera: Any) -> None:
    """Unless somebody has deleted it."""
    with suppress(ReferenceError):
        space.camera = camera


def _look_from(space: Any, values: Sequence[tuple[str, Any]], along_axis: bool) -> None:
    """A viewport that looked through a camera goes on looking from there afterwards, unless that is given back. along_axis: it is one of
    Blender's own (Front, Top); a rotation that is set makes it the user's, without their grid."""
    for name, value in values:
        setattr(space.region_3d, name, value)
    if along_axis:
        space.region_3d.is_orthographic_side_view = True


def _stop() -> None:
    here: Any = bpy.context
    for window in here.window_manager.windows:
        if window.screen.is_animation_playing:
            with here.temp_override(window=window):
                bpy.ops.screen.animation_cancel(restore_frame=False)


def _plays() -> bool:
    return any(window.screen.is_animation_playing for window in bpy.context.window_manager.windows)


@persistent
def _frame_changed(scene: Any, _depsgraph: Any = None) -> None:
    view = shown()
    if view is None:
        return
    now = time.monotonic()
    passed = [(when, text) for when, text in _state["passed"] if now - when < _SHOWN]
    _state["passed"] = passed + [(now, text) for text in view.frame_changed(scene, _plays())]


@persistent
def _end(*_: Any) -> None:
    end()


@persistent
def _undone(*_: Any) -> None:
    """Undo and redo bring back what the scene was like at a step: also at one that was taken while it was shown, which nobody shows now."""
    from ...io.pipeline import scene_before

    scene_before.clear()


@persistent
def _forget(*_: Any) -> None:
    """Another file: what was shown is gone with the old one."""
    _state.update(view=None, views=None, passed=[])


def lines(scene: Any) -> list[str]:
    """What is written into the picture: the clip, where in it the game is, and the events of the last moment, the newest first."""
    view = shown()
    if view is None or scene.session_uid != view.scene:
        return []
    frame, played = scene.frame_current, view.played
    start, last, part = (played.first, played.start, "intro, ") if frame < played.start else (played.start, played.end, "")
    clock = time.monotonic()
    recent = [text for when, text in reversed(_state["passed"]) if clock - when < _SHOWN]
    return [f"{view.action}, {part}frame {frame - start} of {last - start}", *dict.fromkeys(recent)]


def _draw() -> None:
    context: Any = bpy.context
    texts, space = lines(context.scene), context.space_data
    if not texts or (space.region_quadviews and context.region_data != space.region_3d):  # of four views one looks through the camera
        return
    import blf

    size = 14 * context.preferences.system.ui_scale
    blf.size(0, size)
    for row, text in enumerate(texts):
        blf.color(0, *((1.0, 1.0, 1.0, 0.9) if row == 0 else (1.0, 0.8, 0.2, 1.0)))
        blf.position(0, 2 * size, _ABOVE * size + 1.6 * size * row, 0)
        blf.draw(0, text)


_HANDLERS: tuple[tuple[list[Any], Any], ...] = (
    (bpy.app.handlers.frame_change_post, _frame_changed),
    (bpy.app.handlers.save_pre, _end),
    (bpy.app.handlers.undo_pre, _end),
    (bpy.app.handlers.redo_pre, _end),
    (bpy.app.handlers.undo_post, _undone),
    (bpy.app.handlers.redo_post, _undone),
    (bpy.app.handlers.load_pre, _forget),
)
"""From the first time on that it is shown."""


def unregister() -> None:
    end()
    for handlers, handler in _HANDLERS:
        if handler in handlers:
            handlers.remove(handler)
    if _state["handle"] is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_state["handle"], "WINDOW")
        _state["handle"] = None
