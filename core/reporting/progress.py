"""How far a job is, from code that knows no window."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
Listener = Callable[[float], None]

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listen(listener: Listener) -> Generator[None]:
    """Call `listener` with the share done, 0 to 1, while code inside works through `steps()`."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def steps(items: Sequence[T]) -> Iterator[T]:
    """The items, one by one, telling the listener before each. Only the outermost loop should use it."""
    listener = _listener.get()
    for index, item in enumerate(items):
        if listener is not None:
            listener(index / len(items))
        yield item
