"""A file that is written several times for one change of it, such as an archive clip by clip: all of these, or none."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from . import file_names, rights, sharing
from .first_state import backup_of


@dataclass(eq=False)
class _Change:
    """known: whether it is known what was there. before: that, None for nothing. kept: whether that had a .bak. written: whether the file
    was written since."""

    known: bool = False
    before: bytes | None = None
    kept: bool = False
    written: bool = False


_under_way: dict[Path, _Change] = {}
"""By the file."""


@contextmanager
def one_change(path: str | Path) -> Generator[None]:
    """However often a file is written inside, that is one change of it: its .bak is what the first writing finds, and a file that was not
    there gets none. Where what is done inside is broken off, by Ctrl-C or an error, the file is as it was."""
    target = Path(file_names.resolved(path))
    change = _under_way[target] = _Change()
    try:
        yield
    except BaseException:
        if change.known:
            _take_back(target, change)
        raise
    finally:
        del _under_way[target]


def has_state(target: Path) -> bool:
    """Whether a file is there, and not as a change that is under way has left it."""
    return target.is_file() and not (target in _under_way and _under_way[target].written)


def note(targets: Iterable[Path]) -> None:
    """Remember what the changes that are under way find, right before something replaces it."""
    for target in targets:
        change = _under_way.get(target)
        if change is not None and not change.known:
            change.before = target.read_bytes() if target.is_file() else None
            change.kept = backup_of(target).exists()
            change.known = True


def wrote(targets: Iterable[Path]) -> None:
    """Files that were written."""
    for target in targets:
        if target in _under_way:
            _under_way[target].written = True


def _take_back(target: Path, change: _Change) -> None:
    import tempfile  # here, since it takes long to load and few ever write

    with suppress(OSError):
        if change.before is None:
            target.unlink(missing_ok=True)
        else:
            handle, name = tempfile.mkstemp(prefix=sharing.PREFIX, dir=target.parent)
            with os.fdopen(handle, "wb") as stream:
                stream.write(change.before)
            rights.take_over(target, name)
            Path(name).replace(target)
        if not change.kept:
            backup_of(target).unlink(missing_ok=True)
    sharing.keep_written(target)
