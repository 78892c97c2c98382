"""Reading and writing files. Everything that is written goes through `write_file`."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from ...reporting import ending, log
from ...reporting.errors import FormatError, RetroAnimError
from .. import file_names, unpacking
from . import beside, one_change, rights, sharing
from .first_state import backup_of, is_kept
from .one_change import has_state
from .opening import LARGEST, check_size, opened
from .refusals import naming


def read_file(path: str | Path, most: int = -1, largest: int = LARGEST) -> bytes:
    """The whole file, or no more than its first `most` bytes; no handle stays open. Of one that grows meanwhile what was there.

    Raises FormatError when it cannot be read, also for a pipe or a device, which may have no end, and for a whole of more than `largest`
    bytes.
    """
    with opened(path) as (file, status):
        if most < 0:
            check_size(status.st_size, largest, path)
        data = file.read(status.st_size if most < 0 else most)
    if most < 0:
        sharing.keep(path, status)
    unpacking.earn(len(data))
    return data


def read_if_there(path: str | Path) -> bytes | None:
    """As `read_file`, None where there is no file."""
    if Path(path).exists():
        return read_file(path)
    sharing.keep(path, None)
    return None


def check_target(path: str | Path) -> Path:
    """The file that `path` leads to, through links. Raises RetroAnimError where nothing can be written there: a folder, a device, links
    that lead in a circle, a file that is read-only, or one in a folder that is, where nothing could be written beside it, what is a path on
    Windows alone, and what is none anywhere."""
    if why := file_names.why_no_path(path):
        raise RetroAnimError(f"{path}: {why}")
    if file_names.is_of_windows(path):
        raise RetroAnimError(f"{path}: is a path of Windows, which leads nowhere on this computer: choose the file where it is now")
    target = Path(file_names.resolved(path))
    if target.parent.is_dir() and not os.access(target.parent, os.W_OK | os.X_OK):
        raise RetroAnimError(f"{path}: its folder is read-only: allow writing there, or choose another")
    try:
        mode = target.lstat().st_mode
    except FileNotFoundError:
        return target
    except OSError as error:
        raise RetroAnimError(f"{path}: cannot be written: {error.strerror or error}") from error
    if stat.S_ISDIR(mode):
        raise RetroAnimError(f"{path}: is a folder: name a file in it")
    if not stat.S_ISREG(mode):
        raise RetroAnimError(f"{path}: is no regular file, and cannot be replaced")
    if not mode & 0o222 or not os.access(target, os.W_OK):
        raise RetroAnimError(f"{path}: is read-only: allow writing, or choose another file")
    return target


def check_own(path: str | Path, kind: str, is_own: Callable[[bytes], object], remedy: str = "choose another name") -> None:
    """Raises RetroAnimError where a file is there that is not of the kind that shall replace it; an empty one may be replaced.

    kind: in words, such as "a bone map". is_own: of all bytes of a file, whether it is of that kind; FormatError says no.
    """
    target = check_target(path)
    if not target.exists():
        return
    data = read_file(target)
    try:
        own = not data or is_own(data)
    except FormatError:
        own = False
    if not own:
        raise RetroAnimError(f"{path}: is there already, and is not {kind}: {remedy}")


def _check_backup(target: Path) -> None:
    """Raises RetroAnimError where something else has the name of the .bak, or it is a link to the file itself: the first state would go."""
    backup = backup_of(target)
    if has_state(target) and backup.exists() and (not backup.is_file() or Path(file_names.resolved(backup)) == target):
        what = "is a folder" if backup.is_dir() else "leads to the file itself" if backup.is_file() else "is no regular file"
        raise RetroAnimError(f"{backup}: {what}, and no backup of {target.name} can be kept there: rename it")


def write_file(path: str | Path, data: bytes, backup: bool = False) -> None:
    """One file as `write_files` does."""
    write_files({path: (data, backup)})


@contextmanager
def folder_for(path: str | Path) -> Generator[Path]:
    """A folder that something shall be written into, made with those above it where they are not there. What is made here and is empty at
    the end goes again. Raises RetroAnimError where a file has its name, or that of one above it."""
    folder = Path(path)
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not there.is_dir():
        raise RetroAnimError(f"{there}: is no folder, so nothing can be written into it: choose another name, or move it away")
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
    finally:
        for each in new:
            with suppress(OSError):
                each.rmdir()


def write_files(files: Mapping[Any, tuple[bytes, bool]], folders: bool = False) -> None:
    """Write all files or none: each is written and flushed beside its target, and only when all of them are, they replace what is there.
    Links stay; so do mode, owner and extended attributes as far as the system allows.

    files: by path (str or Path) the bytes, and whether the file that is there is kept as PATH.bak, unless such a copy exists
    already; it is never overwritten. Such a file is often made from what was there. folders: make those that are not there. Raises
    RetroAnimError when one target cannot be written, or such a file has changed since it was read, or two paths are one file and differ,
    and KeyboardInterrupt where the process shall end; all files are as they were then, and nothing is left behind.
    """
    once = _each_once(files)
    with ExitStack() as temporary:
        targets: dict[Any, Path] = {}
        for path in once:
            with naming(path):
                targets[path] = check_target(path)
                if folders:
                    temporary.enter_context(folder_for(targets[path].parent))
        temporary.enter_context(sharing.alone(target.parent for target in targets.values()))
        staged: list[_Staged] = []
        for path, (data, backup) in once.items():
            with naming(path):
                new, old = _stage(targets[path], data, len(once) > 1, temporary)
                staged.append(_Staged(path, targets[path], new, old, backup))
        ending.check()
        for each in staged:
            with naming(each.path):
                if each.backup:
                    sharing.check(each.path)
                    _check_backup(each.target)
        undo = temporary.enter_context(ExitStack())
        lost = [rights.lost(each.path, each.target, each.new) for each in staged]
        for path, target, new, old, backup in staged:
            with naming(path):
                one_change.note(target)
                # What undoes a step is noted before it: an interruption may come right behind it.
                if backup and has_state(target) and not is_kept(copy := backup_of(target)):
                    undo.callback(beside.take_back, new, copy, target)
                    _keep(target, copy)
                elif len(once) > 1:
                    undo.callback(beside.take_back, new, old, target)
                Path(new).replace(target)
        undo.pop_all()
        one_change.wrote(targets.values())
        for path in files:
            sharing.keep_written(path)
    for text in filter(None, lost):
        log.warning(text)
    for folder in {target.parent for target in targets.values()}:
        beside.sync(folder)


def _each_once(files: Mapping[Any, tuple[bytes, bool]]) -> Mapping[Any, tuple[bytes, bool]]:
    """Of paths that are one file, such as a link and where it leads, the first, kept as a .bak where any of them shall be."""
    once: dict[object, tuple[Any, bytes, bool]] = {}
    for path, (data, backup) in files.items():
        key = file_names.on_disk(path)
        first, same, kept = once.setdefault(key, (path, data, backup))
        if same != data:
            raise RetroAnimError(f"{path}: is one file with {first}, and cannot hold two contents: choose another name for one of them")
        once[key] = first, same, kept or backup
    return {path: (data, backup) for path, data, backup in once.values()}


class _Staged(NamedTuple):
    """What waits beside its target. new: the file. old: a copy of what is there, "" for none."""

    path: Any
    target: Path
    new: str
    old: str
    backup: bool


def _stage(target: Path, data: bytes, undone: bool, temporary: ExitStack) -> tuple[str, str]:
    """The names of the new file and of a copy of the old one, both beside the target. undone: whether such a copy may be needed."""
    handle, new = temporary.enter_context(beside.temporary(target.parent))
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    if not target.exists():
        rights.set_mode(new, 0o666 & ~_umask())
        return new, ""
    rights.take_over(target, new)
    with suppress(OSError):
        os.utime(new)
    return new, temporary.enter_context(beside.copied(target)) if undone else ""


def _keep(target: Path, copy: Path) -> None:
    """Copy target to its .bak, through a temporary name, so that a .bak is always whole."""
    with beside.copied(target) as name:
        Path(name).replace(copy)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
