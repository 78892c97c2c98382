"""Opening a file to read from it: what is no file, or too much to be one of a game's, is refused before anything of it is read."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ...reporting.errors import FormatError
from .refusals import why_unread

LARGEST = 1 << 29
"""Bytes of a file that is read as a whole: above the largest that any game has, but for archives that are looked up in."""

_AT_ONCE = getattr(os, "O_NONBLOCK", 0)
"""A pipe that has taken the file's name meanwhile is opened at once, too, and does not wait for someone who writes into it."""


@contextmanager
def opened(path: str | Path) -> Generator[tuple[BinaryIO, os.stat_result]]:
    """The file, open while it is read, and what the system says of the very file that is open; also where another gets its name meanwhile.

    Raises FormatError when it cannot be read, here or inside, also for a pipe or a device, which may have no end.
    """
    try:
        _check(path, os.stat(path))  # noqa: PTH116 - a Path takes longer
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | _AT_ONCE)) as file:
            status = os.fstat(file.fileno())
            _check(path, status)
            yield file, status
    except (OSError, ValueError) as error:
        raise FormatError(why_unread(path, error), path=str(path)) from error


def check_size(size: int, largest: int, path: str | Path) -> None:
    """Raises FormatError for more bytes than a file may have."""
    if size > largest:
        raise FormatError(f"has {size} bytes, and at most {largest} are read of such a file", path=str(path))


def _check(path: str | Path, status: os.stat_result) -> None:
    """Raises FormatError for a folder, a pipe or a device."""
    if stat.S_ISDIR(status.st_mode):
        looked_into = os.access(path, os.R_OK | os.X_OK)
        raise FormatError(f"is a folder{': choose a file in it' if looked_into else ' that you have no right to read'}", path=str(path))
    if not stat.S_ISREG(status.st_mode):
        raise FormatError("is no regular file", path=str(path))
