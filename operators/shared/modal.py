"""Long work in the window: part by part on a timer, with what and how far in the status bar, until it ends or Esc is pressed."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import bpy

if TYPE_CHECKING:
    from ...core.reporting.errors import RetroAnimError
    from .job import Job


BUDGET = 0.04
"""Seconds of work between two looks at the window. One part may take longer ..."""

LONGEST = 0.5
"""... and so may all of them where the window takes longer to draw itself, as without a graphics card: as long as that, up to so many
seconds. Most of the time would go by with pictures of the work instead of the work."""

Result = set[str]
Conclude = Callable[[Any, bpy.types.Context, "Job[Any]"], Result]
"""Reports a job that has ended on an operator, and says what that returns."""


class Lasting:
    """Of an operator whose work may take long. `lasting` begins it, from `invoke`; from then on Blender calls the rest.

    doing: what the status bar says before each part. _left: when the window was last left to itself."""

    if TYPE_CHECKING:  # at run time Blender would read them for every class that it registers
        doing: ClassVar[str]
        _job: Job[Any] | None
        _timer: Any
        _undone: Any
        _left: float
    doing = "Working"
    _job = None
    _timer = None
    _undone = None
    _left = 0.0

    def lasting(self: Any, context: bpy.types.Context, job: Job[Any], conclude: Conclude) -> Result:
        """Go on with the job while the window stays alive; without a window all of it at once."""
        if bpy.app.background or context.window is None:
            job.drain(context)
            return conclude(self, context, job)
        if busy(self):
            return {"CANCELLED"}
        self._job, self._conclude, self._undone = job, conclude, _undone_before(job)
        _going_on[self._undone] = self
        for handlers in _undoing():
            handlers.append(self._undone)
        manager = context.window_manager
        manager.progress_begin(0, 99)
        self._timer = manager.event_timer_add(0.01, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        if event.type == "Q" and (event.ctrl or event.oskey):
            return {"PASS_THROUGH"}  # Blender asks whether to save, while the work goes on, and ends it with itself
        stop = event.type == "ESC" and event.value == "PRESS"
        if not stop and event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            goes_on = self._advance(context, stop)
        except BaseException:
            self._rest(context)
            raise
        if goes_on:
            return {"RUNNING_MODAL"}
        job, self._job = self._job, None
        self._rest(context)
        try:
            return self._conclude(self, context, job)
        finally:
            _say_stopped(context, job)
            redraw(context)

    def _advance(self: Any, context: bpy.types.Context, stop: bool) -> bool:
        """Whether there is more to do."""
        from ...io.blender import scene

        now, begun = time.perf_counter(), self._job.step is not None
        until = now + max(BUDGET, min(now - self._left, LONGEST) if begun else 0)
        with scene.own_part():
            while self._job.advance(context, stop, _gone if begun else lambda _: None):
                if time.perf_counter() > until:
                    break
            else:
                return False
        step = self._job.step
        context.window_manager.progress_update(int(99 * step.share))
        if context.workspace is not None:
            context.workspace.status_text_set(f"{self.doing}{step}    Esc: Stop Here")
        self._left = time.perf_counter()
        return True

    def cancel(self: Any, context: bpy.types.Context) -> None:
        """Blender ends it: its window is closed, or another file is opened."""
        job = self.give_up(context)
        if job is not None:
            job.error = _stopped("the closing of its window")
            scenes = {each.session_uid for each in bpy.data.scenes}
            bpy.app.timers.register(partial(_say_closed, job, scenes), first_interval=0.1)  # by then another window can say so

    def give_up(self: Any, context: bpy.types.Context) -> Job[Any] | None:
        """Take back what was done; returns what went on, None for nothing."""
        from ...io.blender import scene

        job, self._job = self._job, None
        self._rest(context)
        if job is not None:
            with scene.own_part():
                job.close()
        return job

    def _rest(self: Any, context: bpy.types.Context) -> None:
        """Timer, cursor and status bar as they were."""
        manager, timer = context.window_manager, self._timer
        self._timer = None
        _going_on.pop(self._undone, None)
        for handlers in _undoing():
            if self._undone in handlers:
                handlers.remove(self._undone)
        if timer is not None:
            manager.event_timer_remove(timer)
            manager.progress_end()
            if context.workspace is not None:
                context.workspace.status_text_set(None)


def _say_stopped(context: bpy.types.Context, job: Job[Any]) -> None:
    """Of an operator that was cancelled Blender shows errors alone: nothing would say that nothing is left of what was stopped."""
    from ...core.reporting.progress import StoppedError

    if isinstance(job.error, StoppedError):
        text = str(job.error)
        context.window_manager.popup_menu(
            lambda menu, _context: menu.layout.label(text=text, translate=False), title="Stopped", icon="INFO"
        )


def _say_closed(job: Job[Any], scenes: set[int]) -> None:
    """In a window that is left, as nobody else would; not where another file was opened, which has none of these scenes."""
    from ...core.reporting import log
    from ...io.blender import scene
    from . import messages

    if scenes.isdisjoint(each.session_uid for each in bpy.data.scenes):
        return
    job.said.messages[:] = [log.Message("WARNING", str(job.error))]
    with scene.in_a_window(bpy.context):
        messages.keep(bpy.context, job.said, failed=True)
        _say_stopped(bpy.context, job)
        redraw(bpy.context)


def redraw(context: bpy.types.Context) -> None:
    """The side panels show what came of it: Blender draws them anew by itself only where the scene has changed."""
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


_going_on: dict[Callable[..., None], Any] = {}
"""The operator whose work goes on in some window, by what gives it up. It is one at most: what fails takes back all that is new, which must
not be another's."""


def busy(operator: Any) -> bool:
    """Whether other work goes on, in another window; that is reported."""
    for other in _going_on.values():
        operator.report({"WARNING"}, f"{other.doing} goes on in another window: wait for its end, or press Esc there")
    return bool(_going_on)


def unregister() -> None:
    """Ends what goes on: Blender takes its handler away, and does not ask it to."""
    for operator in list(_going_on.values()):
        operator.give_up(bpy.context)


def _undoing() -> tuple[Any, Any]:
    """What Blender calls before it undoes or redoes: in another window that is possible while work goes on in this one."""
    return bpy.app.handlers.undo_pre, bpy.app.handlers.redo_pre


def _undone_before(job: Job[Any]) -> Callable[..., None]:
    """Gives a job up before all data-blocks that it holds are others."""

    def give_up(*_given: Any) -> None:
        from ...io.blender import scene

        with scene.own_part():
            job.close()
        job.error = _stopped("an undo in another window")

    return give_up


def _gone(error: Exception) -> RetroAnimError | None:
    """Where it is Blender that says of a data-block, a bone, or any other item of a collection that it is not there any more."""
    item = isinstance(error, KeyError) and str(error).startswith(("'bpy_prop_collection", '"bpy_prop_collection'))
    gone = item or isinstance(error, ReferenceError)
    return _stopped("another window or a script, which removed what it works with") if gone else None


def _stopped(why: str) -> RetroAnimError:
    from ...core.reporting.progress import StoppedError

    return StoppedError(f"stopped by {why}: nothing of it is left")


_waiting: list[tuple[Job[Any], Conclude, str]] = []
"""The job that `begin` has just handed over."""


class RETRO_ANIM_OT_work(Lasting, bpy.types.Operator):
    """Finish what another operator has begun"""

    bl_idname = "retro_anim.work"
    bl_label = "Work"
    bl_options = {"INTERNAL"}

    def invoke(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        if not _waiting:
            return {"CANCELLED"}
        job, conclude, self.doing = _waiting.pop()
        return self.lasting(context, job, conclude)


class InWindow:
    """Of an operator that a person may call in the window. in_window: whether one did, who can be asked and sees what goes on. No property:
    neither a script nor a redo sets it."""

    in_window = False

    def invoke(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        self.in_window = True
        return self.execute(context)


def run_or_begin(operator: Any, context: bpy.types.Context, job: Job[Any], conclude: Conclude, doing: str, in_window: bool) -> Result:
    """The work of an operator: all of it at once for a script. In the window the operator ends, as the one that a dialog belongs to must,
    while its work goes on."""
    if not in_window or bpy.app.background or context.window is None:
        job.drain(context)
        return conclude(operator, context, job)
    if busy(operator):
        return {"CANCELLED"}
    _waiting[:] = [(job, conclude, doing)]
    own: Any = bpy.ops
    try:
        own.retro_anim.work("INVOKE_DEFAULT")
    finally:
        _waiting.clear()
    return {"FINISHED"}


def push_undo(in_window: bool, message: str) -> None:
    """A step of undo that has what such work did: the one of the operator that began it is of before."""
    if in_window:
        bpy.ops.ed.undo_push(message=message)


CLASSES = (RETRO_ANIM_OT_work,)
