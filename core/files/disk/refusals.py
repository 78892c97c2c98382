"""What the system refuses to write, as an error that names the file and says what to do."""

from __future__ import annotations

import errno
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ...reporting.errors import RetroAnimError
from ..file_names import why_no_path

_RIGHTS = "give yourself the right to write it, or choose another folder"
_REMEDIES = {
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EROFS: "choose a folder on another disk",
    errno.ENOSPC: "make room, or choose a folder on another disk",
}

_OPEN_ELSEWHERE = (32, 33)
"""Windows: another program has the file, or a part of it, for itself."""


def why_unread(path: str | Path, error: OSError | ValueError) -> str:
    """What the system says about a file that it cannot look at; a ValueError where there can be none."""
    return (error.strerror if isinstance(error, OSError) else why_no_path(path)) or str(error)


@contextmanager
def naming(path: str | Path) -> Generator[None]:
    """What the system refuses is an error that names the file, also a module of Python's that is first needed here: too many files may be
    open for it."""
    try:
        yield
    except (OSError, ImportError) as error:
        lost = isinstance(error, FileNotFoundError) and not Path(path).parent.is_dir()
        reason = "its folder is not there: make it first, or choose another" if lost else _said_of(error)
        raise RetroAnimError(f"{path}: cannot be written: {reason}") from error


def _said_of(error: OSError | ImportError) -> str:
    """What the system says, and what to do about it where that is known."""
    said = getattr(error, "strerror", None) or str(error)
    if getattr(error, "winerror", None) in _OPEN_ELSEWHERE:
        return f"{said}: close it there first"
    remedy = _REMEDIES.get(getattr(error, "errno", None) or 0, "")
    return f"{said}: {remedy}" if remedy else said
