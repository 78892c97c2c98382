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

from ...reporting.errors import RetroAnimError
from .. import file_names

if sys.platform != "win32":
    import fcntl

PREFIX = ".retro_anim."
"""How names of files begin that are there only while something is written."""

State = tuple[int, int, int, int] | None
"""What tells a file from another one that takes its name, None for none."""

_Value = TypeVar("_Value")

_LEFT_AFTER = 60.0
"""Seconds after which a temporary file that nobody can be writing was left behind."""

_PATIENCE = 10.0
"""Seconds to wait for another process that writes into the same folder; then it is gone on without."""

_MOST = 1 << 14

_known: dict[str, State] = {}
"""By path, without links, what was there when it was last read or written, None for nothing; of so many files that were the last."""

_led: dict[str, str] = {}
"""By path, where it led then, through links, or itself."""


def keep(path: str | Path, status: os.stat_result | None) -> None:
    """Remember what is there, of a file whose bytes are known now. status: None where there is none."""
    written, target = _both(path)
    _put(_known, target, _state(status))
    _put(_led, written, target)


def check(path: str | Path) -> None:
    """Raises RetroAnimError where a file is not what it was when it was read, once: whoever tries again knows. Of one that is gone nothing
    is lost."""
    (written, target), present = _both(path), state(path)
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


def state(path: str | Path) -> State:
    """Of what is there now, at the end of links."""
    return _state(_status(path))


def is_still(path: str | Path, before: State) -> bool:
    """Whether what is there now is what was; not where the system does not say."""
    with suppress(OSError):
        return state(path) == before
    return False


def _state(status: os.stat_result | None) -> State:
    return None if status is None else (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


@contextmanager
def alone(folders: Iterable[Path]) -> Generator[None]:
    """While no other process writes into these folders, as far as the system can say so of folders; what killed ones have left is gone."""
    with ExitStack() as stack:
        for folder in sorted(set(folders)):
            if stack.enter_context(held(folder, _PATIENCE)):
                _sweep(folder)
        yield


@contextmanager
def held(path: Path, patience: float = 0.0) -> Generator[bool]:
    """Whether nobody else has a folder or file; the system gives it back when a process ends, however it does. patience: seconds to wait
    for it."""
    handle = -1
    try:
        if sys.platform != "win32":  # it opens no folders, and moves no file that is open
            with suppress(OSError):
                handle = os.open(path, os.O_RDONLY)
        yield handle >= 0 and _taken(handle, patience)
    finally:
        if handle >= 0:
            with suppress(OSError):
                os.close(handle)


def _taken(handle: int, patience: float) -> bool:
    """Waits until what is open is held by nobody else; False where that takes too long, or cannot be known."""
    if sys.platform == "win32":
        return False
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= end:
                break
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
                with held(left) as free:
                    if free:
                        left.unlink()
