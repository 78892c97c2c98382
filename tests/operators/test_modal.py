"""The retargeting that runs while Blender is used: however it ends, its timer is gone, and cursor and status bar are as before."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy
import pytest

Part = Callable[[str], ModuleType]


class Window:
    """Stands in for the window manager and the workspace: what is called, in order."""

    def __init__(self) -> None:
        self.called: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_arguments: self.called.append(name)


@pytest.fixture
def running(part: Part) -> Callable[[Callable[[Any], None]], tuple[Any, Any, Window]]:
    """An operator with two actions to do, by what one step of it does; its context; and what is called."""

    def started(step: Callable[[Any], None]) -> tuple[Any, Any, Window]:
        kind, window = part("operators.retarget.operators").RETRO_ANIM_OT_retarget, Window()
        for name in ("first", "second"):
            bpy.data.actions.new(name)
        reported: list[str] = []
        operator = SimpleNamespace(
            _job=SimpleNamespace(step=step),
            _waiting=["first", "second"],
            _count=2,
            _timer=object(),
            _said=part("core.reporting.log").Log(),
            reported=reported,
            report=lambda _levels, text: reported.append(text),
        )
        for name in ("_modal", "_rest", "modal", "cancel"):
            setattr(operator, name, getattr(kind, name).__get__(operator))
        return operator, SimpleNamespace(window_manager=window, workspace=window), window

    return started


TIMER = SimpleNamespace(type="TIMER")
RESTED = ["event_timer_remove", "progress_end", "status_text_set"]


def test_an_expected_error(part: Part, running: Any) -> None:
    def step(_action: Any) -> None:
        raise part("core.reporting.errors").RetroAnimError("a bone is gone")

    operator, context, window = running(step)
    assert operator.modal(context, TIMER) == {"CANCELLED"}
    assert window.called == RESTED and operator.reported == ["a bone is gone"]


def test_any_other_error(running: Any) -> None:
    def step(_action: Any) -> None:
        raise ReferenceError("StructRNA of type Object has been removed")

    operator, context, window = running(step)
    with pytest.raises(ReferenceError):
        operator.modal(context, TIMER)
    assert window.called == RESTED


def test_another_file_is_opened_meanwhile(running: Any) -> None:
    operator, context, window = running(lambda _action: None)
    assert operator.modal(context, TIMER) == {"RUNNING_MODAL"}
    window.called.clear()
    operator.cancel(context)
    operator.cancel(context)
    assert window.called == RESTED
