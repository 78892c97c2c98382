"""The bones of the bone map's active line, drawn over a view while its side bar shows the map, source and target in two colours."""

from __future__ import annotations

from typing import Any

import bpy

from ...shared.layout import is_tab_open
from ...shared.modal import redraw
from .. import bones_of
from ..settings import settings_of
from .bone_map import both_of

_COLOURS = {"source": (1.0, 0.55, 0.1, 1.0), "target": (0.2, 0.75, 1.0, 1.0)}
_WIDTH = 5.0
"""Pixels."""

_state: dict[str, Any] = {"handle": None}

_shown: set[int] = set()
"""The areas, by their pointers, whose side bar has drawn the bone map."""

_folded: set[int] = set()
"""Those of which only the header was drawn since, and that had drawn it before. By their pointers, too: an area may be gone when it is its
turn, with another file or layout, and then it must not be read."""


def lines(context: bpy.types.Context) -> dict[str, list[Any]]:
    """By side the ends of the bones of the active line, in the world, as they are posed; nothing where *Highlight* is off."""
    settings = settings_of(context)
    result: dict[str, list[Any]] = {}
    if not settings.highlight or not 0 <= settings.index < len(settings.pairs):
        return result
    line = settings.pairs[settings.index]
    for side, obj in zip(("source", "target"), both_of(context), strict=True):
        if obj is None or obj.pose is None or not obj.visible_get():
            continue
        bones = [obj.pose.bones.get(name) for name in bones_of(line, side)]
        result[side] = [obj.matrix_world @ end for bone in bones if bone is not None for end in (bone.head, bone.tail)]
    return result


def show(context: bpy.types.Context) -> None:
    """The side bar of the context's view draws the bone map."""
    if context.area is None:
        return
    pointer = context.area.as_pointer()
    _shown.add(pointer)
    if pointer in _folded:
        _folded.remove(pointer)
    else:
        _redraw_view(context.area)


def hide(context: bpy.types.Context) -> None:
    """It does not, or not yet: of a panel that is folded in Blender draws the header alone."""
    if context.area is None or context.area.as_pointer() not in _shown:
        return
    _shown.discard(context.area.as_pointer())
    _folded.add(context.area.as_pointer())
    if not bpy.app.timers.is_registered(settle):
        bpy.app.timers.register(settle)


def settle() -> None:
    """With the side bar drawn: the views whose side bar has the map no more are drawn without the bones. Where nothing has changed none is,
    however often the side bar is drawn."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.as_pointer() in _folded:
                _redraw_view(area)
    _folded.clear()


def _redraw_view(area: Any) -> None:
    """The view alone: the side bar would never come to rest, since it asks for this while it is drawn."""
    for region in area.regions:
        if region.type == "WINDOW":
            region.tag_redraw()


def is_open(area: Any) -> bool:
    """Whether the side bar of a view shows the bone map."""
    return is_tab_open(area) and area.as_pointer() in _shown


def _draw() -> None:
    context = bpy.context
    if context.area is None or context.region is None or not is_open(context.area):
        return
    import gpu
    from gpu_extras.batch import batch_for_shader

    width = _WIDTH * context.preferences.system.ui_scale
    own_size = bpy.app.version >= (4, 5, 0)  # there points have a shader of their own
    dot: Any = gpu.shader.from_builtin("POINT_UNIFORM_COLOR" if own_size else "UNIFORM_COLOR")
    shader: Any = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    gpu.state.blend_set("ALPHA")
    gpu.state.point_size_set(2 * width)
    for side, ends in lines(context).items():
        points = [tuple(point) for point in ends]
        if points:
            batch = batch_for_shader(shader, "LINES", {"pos": points})
            shader.bind()
            shader.uniform_float("viewportSize", (context.region.width, context.region.height))
            shader.uniform_float("lineWidth", width)
            shader.uniform_float("color", _COLOURS[side])
            batch.draw(shader)
            dots = batch_for_shader(dot, "POINTS", {"pos": points[::2]})  # bones of no length, as captures have, have no line
            dot.bind()
            dot.uniform_float("color", _COLOURS[side])
            if own_size:
                dot.uniform_float("size", 2 * width)
            dots.draw(dot)
    gpu.state.point_size_set(1)
    gpu.state.blend_set("NONE")


def register() -> None:
    """With the first drawing of the panel."""
    if _state["handle"] is None and not bpy.app.background:
        _state["handle"] = bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW")
        redraw(bpy.context)  # the views are drawn without it by then, and not again of themselves


def unregister() -> None:
    if _state["handle"] is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_state["handle"], "WINDOW")
        _state["handle"] = None
    _shown.clear()
    _folded.clear()
