"""How messages name an option: by its label in the window, by its flag on the command line, which knows no label."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from .options import Option

_by_flags: ContextVar[bool] = ContextVar("by_flags", default=False)


@contextmanager
def by_flags() -> Generator[None]:
    """Whoever reads what is reported inside gives options on a command line."""
    token = _by_flags.set(True)
    try:
        yield
    finally:
        _by_flags.reset(token)


def called(option: Option) -> str:
    """What its reader calls it; one without a flag has but its label."""
    return option.flag if option.flag and _by_flags.get() else option.label
