"""Running a piece of work for an operator: its messages become reports, its progress Blender's, its errors one clear line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import bpy

from ...core.reporting import log, progress
from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import counted, line
from ...io.blender import scene
from . import messages

T = TypeVar("T")

_SHOWN = 4


def run(
    operator: bpy.types.Operator,
    context: bpy.types.Context,
    work: Callable[[], T],
    warn: Callable[[], bool] = lambda: True,
    summary: Callable[[T], str] | None = None,
    onward: str = "",
) -> T | None:
    """What `work` returns; None after an expected error, which is reported (and raises RuntimeError in a script).

    Every message is kept in the side panel and in a text, and the first of them are reported, equal ones once. summary: the line that
    stays in the status bar, of the result; it has the level of the worst message and leads to the others, or without any ends in `onward`.
    warn: whether there are messages, asked at the end; what mends something need not say what was wrong with it.
    """
    manager = context.window_manager
    manager.progress_begin(0, 99)
    said = log.Log()
    try:
        with scene.in_a_window(context), log.collect() as said, progress.listen(lambda share: manager.progress_update(int(share * 99))):
            result = work()
    except RetroAnimError as error:
        said.messages.append(log.Message("ERROR", str(error)))
        messages.keep(context, said, failed=True)
        operator.report({"ERROR"}, line(str(error)))
        return None
    finally:
        manager.progress_end()
    if warn():
        messages.keep(context, said)
        _report(operator, said)
    if summary is not None and result is not None:
        _conclude(operator, summary(result), said, onward)
    return result


def _report(operator: bpy.types.Operator, said: log.Log) -> None:
    for text in said.digest("INFO")[:_SHOWN]:
        operator.report({"INFO"}, line(text))
    for text in said.digest("ERROR", "WARNING")[:_SHOWN]:
        operator.report({"WARNING"}, line(text))


def _conclude(operator: bpy.types.Operator, text: str, said: log.Log, onward: str) -> None:
    """The last line, which the status bar keeps: a single problem in its own words, more of them as a number."""
    serious = said.digest("ERROR", "WARNING")
    if not serious:
        operator.report({"INFO"}, line(f"{text}; {onward}" if onward else text))
    else:
        problem = serious[0] if len(serious) == 1 else counted(len(serious), "warning")
        operator.report({"WARNING"}, line(f"{text}; {problem}: see {messages.WHERE}"))
