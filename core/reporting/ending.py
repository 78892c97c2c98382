"""Whether somebody has asked the process to end: known from then on, also where the KeyboardInterrupt that says so was swallowed.

Blender prints what is raised in its handlers and drivers, and other add-ons catch everything. So whoever has more to do asks here before
each step, and once more before a result replaces what is there.
"""

from __future__ import annotations

import signal

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""What asks a process to end: Ctrl-C, and others, of which not all systems have all."""

_asked: list[int] = []


def signals() -> list[int]:
    """The signals that ask a process to end, as far as the system has them."""
    return [int(getattr(signal, name)) for name in _NAMES if hasattr(signal, name)]


def ask(number: int) -> None:
    """number: of the signal."""
    _asked.append(number)


def check() -> None:
    """Raises KeyboardInterrupt, with the number of the signal, where the process shall end."""
    if _asked:
        raise KeyboardInterrupt(_asked[0])


def forget() -> None:
    """The command has ended."""
    _asked.clear()
