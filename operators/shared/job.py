"""Running a piece of work for an operator: its messages become reports, its progress Blender's, its errors one clear line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import bpy

from ...core.reporting import log, progress
from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import line
from ...io.blender import scene

T = TypeVar("T")

LOG = "Retro Game Animation log"
_SHOWN = 4


def run(
    operator: bpy.types.Operator, context: bpy.types.Context, work: Callable[[], T], warn: Callable[[], bool] = lambda: True
) -> T | None:
    """What `work` returns; None after an expected error, which is reported (and raises RuntimeError in a script).

    Every message is reported, equal messages once; where that is too much for the status bar, the whole of it is in a
    text data-block. warn: whether they are, asked at the end; what mends something need not say what was wrong with it.
    """
    manager = context.window_manager
    manager.progress_begin(0, 99)
    try:
        with scene.in_a_window(context), log.collect() as said, progress.listen(lambda share: manager.progress_update(int(share * 99))):
            result = work()
    except RetroAnimError as error:
        operator.report({"ERROR"}, line(str(error)))
        return None
    finally:
        manager.progress_end()
    if warn():
        _report(operator, said)
    return result


def _report(operator: bpy.types.Operator, said: log.Log) -> None:
    serious, all_lines = (list(map(line, texts)) for texts in (said.digest("ERROR", "WARNING"), said.digest()))
    shown = serious[:_SHOWN]
    for text in shown:
        operator.report({"WARNING"}, text)
    for text in said.digest("INFO")[:_SHOWN]:
        operator.report({"INFO"}, line(text))
    if len(serious) > _SHOWN:
        kept = bpy.data.texts.get(LOG) or bpy.data.texts.new(LOG)
        kept.from_string("\n".join(all_lines) + "\n")
        operator.report({"WARNING"}, f"{len(serious) - _SHOWN} more: see the text '{LOG}'")
