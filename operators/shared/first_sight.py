"""The side bar opens at our tab after the first import of somebody who has never seen it; never again."""

from __future__ import annotations

from typing import Any

import bpy

from .layout import TAB
from .preferences import preferences

_TRIES = 50
"""Tenths of a second: a region knows its tabs once it is drawn."""

_drawn: list[bool] = []
"""Something where the tab was seen since Blender's start."""


def note_drawn() -> None:
    """The tab is drawn."""
    _drawn[:] = [True]


def show_tab(context: bpy.types.Context) -> None:
    """In the largest 3D viewport of the window; other tabs that are open there stay beside it."""
    own, window = preferences(context), context.window
    if own is None or window is None or own.tab_shown:
        return
    own.tab_shown = True
    context.preferences.is_dirty = True  # so that it is saved as Blender ends
    views: list[Any] = [area for area in window.screen.areas if area.type == "VIEW_3D"]
    if _drawn or not views:
        return
    view = max(views, key=lambda area: area.width * area.height)
    view.spaces.active.show_region_ui = True
    tries, chosen = iter(range(_TRIES)), view.as_pointer()
    bpy.app.timers.register(lambda: None if _choose(chosen) or next(tries, None) is None else 0.1, first_interval=0.1)


def _choose(pointer: int) -> bool:
    """Whether the tab is open now, or never will be, as the viewport is gone."""
    areas: list[Any] = [area for window in bpy.context.window_manager.windows for area in window.screen.areas]
    view = next((area for area in areas if area.as_pointer() == pointer and area.type == "VIEW_3D"), None)
    for region in view.regions if view is not None else ():
        if region.type == "UI":
            try:
                region.active_panel_category = TAB
            except (TypeError, AttributeError):  # not drawn yet
                return False
            region.tag_redraw()
    return True
