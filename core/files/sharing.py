"""Several processes that write into one folder: what a file is made from is still there when it is replaced, one process replaces at a
time, and what a process that was killed has left behind goes with the next writing.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from ..reporting.errors import RetroAnimError
from . import file_names

if sys.platform != "win32":
    import fcntl

PREFIX = ".retro_anim."
"""How names of files begin that are there only while something is written."""

_State = tuple[int, int, int, int] | None
_Value = TypeVar("_Value")

_LEFT_AFTER = 60.0
"""Seconds after which a temporary file that nobody can be writing was left behind."""

_PATIENCE = 10.0
"""Seconds to wait for another process that writes into the same folder; then it is gone on without."""

_MOST = 1 << 14

_known: dict[str, _State] = {}
"""By path, without links, what was there when it was last read or written, None for nothing; of so many files that were the last."""

_led: dict[str, str] = {}
"""By the path of a link, or through one, where it led then."""


def keep(path: str | Path, status: os.stat_result | None) -> None:
    """Remember what is there, of a file whose bytes are known now. status: None where there is none."""
    written, target = _both(path)
    _put(_known, target, _state(status))
    if written != target:
        _put(_led, written, target)


def check(path: str | Path) -> None:
    """Raises RetroAnimError where a file is not what it was when it was read, once: whoever tries again knows. Of one that is gone nothing
    is lost."""
    (written, target), present = _both(path), _state(_status(path))
    if present is not None and (_known.get(target, present) != present or _led.get(written, target) != target):
        _known.pop(target, None)
        _led.pop(written, None)
        raise RetroAnimError(f"{path}: another program has changed it meanwhile, and nothing is written: do it again")


def _both(path: str | Path) -> tuple[str, str]:
    """A path as it is written, from the root on, and where it leads, through links; what is no path leads nowhere else."""
    written = os.path.abspath(path)
    return written, written if file_names.why_no_path(written) else file_names.resolved(written)


def _put(known: dict[str, _Value], key: str, value: _Value) -> None:
    """As the last one."""
    known.pop(key, None)
    known[key] = value
    if len(known) > _MOST:
        with suppress(KeyError, RuntimeError):  # of another thread
            del known[next(iter(known))]


def keep_written(path: str | Path) -> None:
    """Remember a file as it has just been written, or brought back."""
    with suppress(OSError):
        keep(path, _status(path))


def _status(path: str | Path) -> os.stat_result | None:
    try:
        return Path(path).stat()
    except FileNotFoundError:
        return None


def _state(status: os.stat_result | None) -> _State:
    return None if status is None else (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


@contextmanager
def alone(folders: Iterable[Path]) -> Generator[None]:
    """While no other process writes into these folders, as far as the system can say so of folders; what killed ones have left is gone."""
    with ExitStack() as held:
        for folder in sorted(set(folders)):
            if held.enter_context(_held(folder)):
                _sweep(folder)
        yield


@contextmanager
def _held(folder: Path) -> Generator[bool]:
    """Whether no other process has the folder; the system gives it back when a process ends, however it does."""
    handle = -1
    try:
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)  # Windows opens no folders
        yield handle >= 0 and _taken(handle)
    finally:
        if handle >= 0:
            with suppress(OSError):
                os.close(handle)


def _taken(handle: int) -> bool:
    """Waits until an open folder is held by nobody else; False where that takes too long, or cannot be known."""
    if sys.platform == "win32":
        return False
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.02)
        except OSError:
            break
        else:
            return True
    return False


def _sweep(folder: Path) -> None:
    with suppress(OSError):
        for left in folder.glob(f"{PREFIX}*"):
            if left.is_file() and time.time() - left.lstat().st_ctime > _LEFT_AFTER:
                left.unlink()
