"""How far a job is, from code that knows no window, and whether it shall stop.

A long job is a generator, `Steps`: it yields a `Step` before each of its parts, is sent whether to stop, and returns its result. Whoever
has a window goes on with it while the window stays alive; `finish` does all of it at once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from typing import TypeVar

from ..record import Record
from . import ending
from .errors import RetroAnimError

T = TypeVar("T")
Listener = Callable[[float], None]


class Step(Record):
    """What comes next: number `number`, counted from 0, of `count` parts, called `title`."""

    number: int
    count: int
    title: str

    @property
    def share(self) -> float:
        return self.number / max(self.count, 1)

    def __str__(self) -> str:
        """Behind a word of what is done: `Importing 3 of 82: Twinsen`."""
        return f" {self.number + 1} of {self.count}: {self.title}" if self.count > 1 else f": {self.title}"


Steps = Generator[Step, bool | None, T]
"""A job: yields what comes next, is sent whether to stop before that, and returns its result."""


class StoppedError(RetroAnimError):
    """A job was stopped before anything of it was whole."""


_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listen(listener: Listener) -> Generator[None]:
    """Call `listener` with the share done, 0 to 1, while code inside works through `steps()`, or a job through `finish()`."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def steps(items: Sequence[T]) -> Iterator[T]:
    """The items, one by one, telling the listener before each. Only the outermost loop should use it. Raises KeyboardInterrupt where the
    process shall end."""
    listener = _listener.get()
    for index, item in enumerate(items):
        ending.check()
        if listener is not None:
            listener(index / len(items))
        yield item


def finish(job: Steps[T]) -> T:
    """All of a job, telling the listener before each of its parts; returns its result. Raises KeyboardInterrupt where the process shall
    end."""
    listener = _listener.get()
    with closing(job):
        while True:
            try:
                step = next(job)
            except StopIteration as end:
                return end.value
            ending.check()
            if listener is not None:
                listener(step.share)
