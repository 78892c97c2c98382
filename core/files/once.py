"""What many clips ask alike is asked once: what lies beside their archive, or around their folder."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")

_known: ContextVar[dict[tuple[str, ...], Any] | None] = ContextVar("known", default=None)


@contextmanager
def looking_once() -> Generator[None]:
    """Inside, what `kept` has asked for stays so."""
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def kept(kind: str, about: tuple[str, ...], ask: Callable[[], T]) -> T:
    """What `ask` gives; inside `looking_once` it is asked once for each. kind: of what is asked for, one for each type of answer. about:
    where it is looked for, and what."""
    known = _known.get()
    if known is None:
        return ask()
    key = (kind, *about)
    if key not in known:
        known[key] = ask()
    return known[key]
