"""Who wants to know of changes of the panel's settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

LISTENERS: list[Callable[[], None]] = []
"""Called after a change of the armatures, the table or the options."""


def changed(_settings: Any = None, _context: Any = None) -> None:
    """Tell whoever listens."""
    for listener in LISTENERS:
        listener()
