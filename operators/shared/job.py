"""Running a piece of work for an operator: its messages become reports, its progress Blender's, its errors one clear line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import bpy

from ...core.reporting.errors import ExportError, Problem, RetroAnimError, of_system, with_remedy
from ...core.reporting.labels import counted, line
from . import messages

if TYPE_CHECKING:
    from ...core.reporting import log, progress

T = TypeVar("T")
Work = Callable[[], "T | progress.Steps[T]"]
"""What an operator does: at once, or part by part."""

Expected = Callable[[Exception], "RetroAnimError | None"]
"""The error to report instead of an exception, None for one that nobody expects."""

_SHOWN = 4

AFTER: list[Callable[[bpy.types.Context], None]] = []
"""Called after work that succeeded, and may have ended what somebody else shows in the view."""


def settle(context: bpy.types.Context) -> None:
    for each in AFTER:
        each(context)


class Job(Generic[T]):
    """A piece of work, part by part. What it sets for itself while it works (its log, what it is about) holds in its parts alone.

    said: its messages. step: what comes next. result: what it returned. error: the expected one with which it ended."""

    def __init__(self, work: Work[T]) -> None:
        from ...core.reporting import log

        self.said = log.Log()
        self.step: progress.Step | None = None
        self.result: T | None = None
        self.error: RetroAnimError | None = None
        self._own = copy_context()
        self._parts = self._all(work)
        self._begun = False

    def _all(self, work: Work[T]) -> progress.Steps[T]:
        from ...core.reporting import log, progress

        manager = bpy.context.window_manager
        with of_system(), log.collect() as self.said, progress.listen(lambda share: manager.progress_update(int(share * 99))):
            result = work()
            return (yield from cast("progress.Steps[T]", result)) if inspect.isgenerator(result) else cast("T", result)

    def advance(self, context: bpy.types.Context, stop: bool = False, expected: Expected = lambda _: None) -> bool:
        """Do the next part, and say whether another one is left. stop: whether to end with what is whole. expected: what an exception that
        is no fault of ours means."""
        from ...io.blender import scene

        asked = stop if self._begun else None
        self._begun = True
        try:
            with scene.in_a_window(context):
                self.step = self._own.run(self._next, asked)
        except StopIteration as end:
            self.result = end.value
            return False
        except RetroAnimError as error:
            self.error = error
            return False
        except Exception as error:
            self.error = expected(error)
            if self.error is not None:
                return False
            messages.keep_fault(context, self.said, error)
            raise
        return True

    def _next(self, asked: bool | None) -> progress.Step:
        """The next part, with numpy as it is unless somebody changes it: other add-ons make an exception of every tiny number."""
        import numpy as np

        with np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"):
            return self._parts.send(asked)

    def drain(self, context: bpy.types.Context) -> None:
        """Do all that is left of it."""
        while self.advance(context):
            pass

    def close(self) -> None:
        """Give it up: what it made is undone, as after an error."""
        self._own.run(self._parts.close)


def run(
    operator: bpy.types.Operator,
    context: bpy.types.Context,
    work: Work[T],
    warn: Callable[[], bool] = lambda: True,
    summary: Callable[[T], str] | None = None,
    onward: str = "",
    aside: bool = False,
) -> T | None:
    """What `work` returns; None after an expected error, which is reported (and raises RuntimeError in a script).

    Every message is kept in the side panel and in a text, and the first of them are reported, equal ones once. summary: the line that
    stays in the status bar, of the result; it has the level of the worst message and leads to the others, or without any ends in `onward`.
    warn: whether there are messages, asked at the end; what mends something need not say what was wrong with it.
    aside: whether this is no run of its own; see `messages.keep`.
    """
    manager = context.window_manager
    job = Job(work)
    manager.progress_begin(0, 99)
    try:
        while job.advance(context):
            if job.step is not None:
                manager.progress_update(int(job.step.share * 99))
    finally:
        manager.progress_end()
    return conclude(operator, context, job, warn, summary, onward, aside)


def conclude(
    operator: Any,
    context: bpy.types.Context,
    job: Job[T],
    warn: Callable[[], bool] = lambda: True,
    summary: Callable[[T], str] | None = None,
    onward: str = "",
    aside: bool = False,
) -> T | None:
    """Report a job that has ended, and return its result; see `run`."""
    from ...core.reporting import log, progress

    said = job.said
    if job.error is not None:
        level = "WARNING" if isinstance(job.error, progress.StoppedError) else "ERROR"
        if level == "WARNING":
            said.messages.clear()  # they speak of what did not come to be
        where = job.error.where if isinstance(job.error, ExportError) else Problem("")
        text = with_remedy(job.error)
        said.messages.append(log.Message(level, text, bone=where.bone, frame=where.frame))
        messages.keep(context, said, failed=True, aside=aside)
        operator.report({level}, line(text))
        return None
    settle(context)
    if warn():
        messages.keep(context, said, aside=aside)
        _report(operator, said)
    if summary is not None and job.result is not None:
        _conclude(operator, summary(job.result), said, onward)
    return job.result


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
        numbers = {level: len(said.digest(level)) for level in ("ERROR", "WARNING")}
        several = ", ".join(counted(number, level.lower()) for level, number in numbers.items() if number)
        problem = serious[0] if len(serious) == 1 else several
        operator.report({"WARNING"}, line(f"{text}; {problem}: see {messages.WHERE}"))
