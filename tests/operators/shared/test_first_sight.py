"""The side bar opens at our tab once, for whoever has never seen it."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

Part = Callable[[str], ModuleType]
TAB = "Retro Anim"


class Region(SimpleNamespace):
    """Of the side bar: it takes a tab once it was drawn."""

    type = "UI"
    drawn = False
    refusal: Exception = TypeError('enum "Retro Anim" not found in ()')

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "active_panel_category" and not self.drawn:
            raise self.refusal
        super().__setattr__(name, value)

    def tag_redraw(self) -> None:
        pass


class View(SimpleNamespace):
    def as_pointer(self) -> int:
        return id(self)


def view(kind: str = "VIEW_3D", size: int = 100) -> Any:
    space = SimpleNamespace(show_region_ui=False)
    return View(type=kind, width=size, height=size, regions=[Region()], spaces=SimpleNamespace(active=space))


@pytest.fixture
def window(part: Part, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A window with two viewports, preferences of somebody new, and Blender's timers by hand."""
    module = part("operators.shared.first_sight")
    areas, timers, own = [view(size=50), view(), view("OUTLINER", 900)], list[Any](), SimpleNamespace(tab_shown=False)
    shown = SimpleNamespace(screen=SimpleNamespace(areas=areas))
    context = SimpleNamespace(window=shown, preferences=SimpleNamespace(is_dirty=False), window_manager=SimpleNamespace(windows=[shown]))
    app = SimpleNamespace(timers=SimpleNamespace(register=lambda timer, first_interval: timers.append(timer)))
    monkeypatch.setattr(module, "_drawn", [])
    monkeypatch.setattr(module, "bpy", SimpleNamespace(context=context, app=app))
    monkeypatch.setattr(module, "preferences", lambda _context: own)
    return SimpleNamespace(context=context, areas=areas, timers=timers, own=own, module=module)


@pytest.mark.parametrize("refusal", [Region.refusal, AttributeError('"active_panel_category" from "Region" is read-only')])
def test_it_opens_in_the_largest_viewport_as_soon_as_that_knows_its_tabs(
    window: Any, monkeypatch: pytest.MonkeyPatch, refusal: Exception
) -> None:
    monkeypatch.setattr(Region, "refusal", refusal)
    window.module.show_tab(window.context)
    (timer,) = window.timers
    assert [area.spaces.active.show_region_ui for area in window.areas] == [False, True, False]
    region = window.areas[1].regions[0]
    assert timer() == 0.1 and not hasattr(region, "active_panel_category")
    region.drawn = True
    assert timer() is None and region.active_panel_category == TAB


def test_it_opens_once_for_ever(window: Any) -> None:
    window.module.show_tab(window.context)
    window.areas[1].spaces.active.show_region_ui = False
    window.module.show_tab(window.context)
    assert len(window.timers) == 1 and not window.areas[1].spaces.active.show_region_ui
    assert window.own.tab_shown and window.context.preferences.is_dirty


def test_whoever_has_seen_it_keeps_the_side_bar_as_it_is(window: Any) -> None:
    window.module.note_drawn()
    window.module.show_tab(window.context)
    assert not window.timers and not any(area.spaces.active.show_region_ui for area in window.areas)


def test_it_gives_up_where_the_viewport_is_gone_or_knows_no_such_tab(window: Any) -> None:
    window.module.show_tab(window.context)
    (timer,) = window.timers
    answers = [timer() for _ in range(60)]
    assert answers[0] == 0.1 and answers[-1] is None
    window.context.window_manager.windows.clear()
    assert timer() is None
