"""How fast clips go out that came in when the scene had another frame rate: as it plays them now, or as they were."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

import bpy

from ....core.declare.naming import called
from ....core.declare.options import declared
from ....core.declare.shared import ExportOptions
from ....core.reporting import log
from ....core.reporting.labels import counted_from
from ...blender import scene
from ...blender.motion import actions, fcurves
from ..destination import questions

TITLE = "Frame Rate"
"""Of the question."""

_meant: ContextVar[Collection[str] | None] = ContextVar("meant", default=None)


@contextmanager
def only(names: Collection[str]) -> Generator[None]:
    """Of the actions that are chosen inside only those of these names are written."""
    token = _meant.set(names)
    try:
        yield
    finally:
        _meant.reset(token)


def decided(context: bpy.types.Context) -> float | None:
    """Frames a second for `actions.played_at` where no option says it: the scene's; None where somebody chose the import's."""
    return None if questions.answer_to(TITLE, context.scene.name) == "IMPORT" else scene.fps(context.scene)


def check(context: bpy.types.Context, chosen: Sequence[bpy.types.Action]) -> None:
    """Say once for each rate which actions came in when the scene had another one than now, and whether it stretches time besides. Raises
    UndecidedError where somebody can be asked first: the clips would be written at another speed, edited or not."""
    now, render = scene.fps(context.scene), context.scene.render
    if chosen and render.frame_map_old != render.frame_map_new:
        log.warning(
            f"{context.scene.name} plays everything {render.frame_map_new / render.frame_map_old:.4g} times as long, by Time Stretching in "
            "its Output properties, and what is written lasts as long as its keys do: set Old and New to the same, or scale the keys"
        )
    meant = _meant.get()
    other = _others([action for action in chosen if meant is None or action.name in meant], now)
    if other and actions.rate_in_force() is not None and questions.can_ask() and not questions.answer_to(TITLE, context.scene.name):
        problem = "; ".join(f"{_came(names, rate, now)}, which makes that {rate / now:.4g} times as long" for rate, names in other.items())
        raise questions.UndecidedError([questions.Question(TITLE, context.scene.name, problem, ("IMPORT", "SCENE"))])
    option = called(declared(ExportOptions)["fps_from"])
    for rate, names in other.items():
        came = _came(names, rate, now)
        if actions.rate_in_force() is None:
            log.info(f"{came}: the rate of the import counts, so that what is written lasts as long as it did in the game")
        else:
            log.warning(
                f"{came}: written as the scene plays it, {rate / now:.4g} times as long: give the scene {rate:g} again, or in an export "
                f"choose Import as {option} (fps_from IMPORT), to keep the length of before"
            )


def _others(chosen: Sequence[bpy.types.Action], now: float) -> dict[float, list[str]]:
    """The names of the actions that came in at another rate than `now`, by that rate."""
    other: dict[float, list[str]] = {}
    for action in chosen:
        rate = action.get(fcurves.IMPORTED)
        if isinstance(rate, int | float) and abs(rate - now) > 1e-6 * now:
            other.setdefault(float(rate), []).append(action.name)
    return other


def _came(names: Sequence[str], rate: float, now: float) -> str:
    return f"{counted_from(names[0], len(names), 'action')} came in at {rate:g} frames per second, and the scene has {now:g} now"
