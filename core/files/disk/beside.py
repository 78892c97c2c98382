"""Temporary files beside those that are written, and what is brought back from them."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from ...reporting import log
from . import rights, sharing
from .first_state import backup_of, is_kept


@contextmanager
def temporary(folder: Path) -> Generator[tuple[int, str]]:
    """The handle of an open file, which is to be closed, and its name. It does not stay, whatever happens; one that was moved is gone
    already."""
    import tempfile  # here, since it takes long to load and few ever write

    handle, name = tempfile.mkstemp(prefix=sharing.PREFIX, dir=folder)
    try:
        yield handle, name
    finally:
        with suppress(OSError):
            Path(name).unlink()


@contextmanager
def copied(target: Path) -> Generator[str]:
    """The name of a copy of a file, with all that `rights.take_over` takes over."""
    with temporary(target.parent) as (handle, name):
        os.close(handle)
        rights.copy(target, name)
        yield name


def take_back(new: str, old: str | Path, target: Path) -> bool:
    """Whether a file is as it was; else there is a warning. new: what was to replace it, and has not while it is there, "" where it has.
    old: its copy, "" where there was none; it goes."""
    if os.path.lexists(new):
        with suppress(OSError):
            Path(old or new).unlink()
        return True
    try:
        if old:
            sync(old)
            Path(old).replace(target)
        else:
            target.unlink(missing_ok=True)
    except OSError as error:
        kept = f"; as it was before the first export it is in {backup_of(target).name}" if is_kept(backup_of(target)) else ""
        log.warning(f"{target}: is replaced already, and cannot be brought back: {error.strerror or error}{kept}")
        return False
    finally:
        sharing.keep_written(target)
    sync(target.parent)
    return True


def sync(path: str | Path) -> None:
    """A file, or the names in a folder, are on the disk, where the system can say so."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
