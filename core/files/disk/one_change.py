"""A file that is written several times for one change of it, such as an archive clip by clip: all of these, or none."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from .. import file_names
from . import sharing
from .beside import copied, take_back
from .first_state import backup_of


@dataclass(eq=False)
class _Change:
    """temporary: files until it ends. old: the name of a copy of what was there, "" for nothing, None while that is not known. file,
    backup: what had the names of it and of its .bak then. written: whether the file was written since."""

    temporary: ExitStack
    old: str | None = None
    file: sharing.State = None
    backup: sharing.State = None
    written: bool = False


_under_way: dict[Path, _Change] = {}
"""By the file."""


@contextmanager
def one_change(path: str | Path) -> Generator[None]:
    """However often a file is written inside, that is one change of it: its .bak is what the first writing finds, and a file that was not
    there gets none. Where what is done inside is broken off, by Ctrl-C or an error, the file is as it was, or a warning says that it is
    not. Inside another change of the file it is a part of that."""
    target = Path(file_names.resolved(path))
    if target in _under_way:
        yield
        return
    with ExitStack() as temporary:
        change = _under_way[target] = _Change(temporary)
        try:
            yield
        except BaseException:
            _take_back(target, change)
            raise
        finally:
            del _under_way[target]


def has_state(target: Path) -> bool:
    """Whether a file is there, and not as a change that is under way has left it."""
    return target.is_file() and not (target in _under_way and _under_way[target].written)


def note(target: Path) -> None:
    """Keep what a change that is under way finds, right before something replaces it. Raises OSError."""
    change = _under_way.get(target)
    if change is None or change.old is not None:
        return
    change.file, change.backup = sharing.state(target), sharing.state(backup_of(target))
    old = ""
    if change.file is not None:
        old = change.temporary.enter_context(copied(target))
        change.temporary.enter_context(sharing.held(Path(old)))  # so that no process takes it for left behind
    change.old = old


def wrote(targets: Iterable[Path]) -> None:
    """Files that were written."""
    for target in targets:
        if target in _under_way:
            _under_way[target].written = True


def _take_back(target: Path, change: _Change) -> None:
    """A .bak that is another one than before is of this change; it stays where the file cannot be brought back."""
    if change.old is None:
        return
    with sharing.alone([target.parent]):
        as_it_was = sharing.is_still(target, change.file) or take_back("", change.old, target)
        if as_it_was and not sharing.is_still(backup_of(target), change.backup):
            with suppress(OSError):
                backup_of(target).unlink()
