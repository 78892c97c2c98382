"""Files and archive entries as they were before the first export: from the .bak that is kept beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from . import formats
from .files.disk import disk
from .files.disk.first_state import backup_of, is_kept
from .files.format import Archive, Format
from .reporting.errors import FormatError, RetroAnimError, reading


@runtime_checkable
class Restorable(Archive, Protocol):
    """An archive that can take back an entry of an earlier state of itself."""

    def restored(self, index: int, backup: Any, /) -> Restorable:
        """The archive with the entry as it is in `backup`, one of the same class, all others as they are. Raises FormatError."""
        ...


def restore(path: str | Path, entry: str = "") -> str:
    """Bring back a file, or one entry of it by number or name, from its .bak, which stays; returns FILE or FILE#ENTRY.

    The other entries keep what they have. Raises RetroAnimError, with nothing written, where there is no .bak, or it has no such entry.
    """
    if entry.strip():
        return restored(path, _called(path, entry))[0]
    _write(path, _kept(path))
    return str(path)


def check(path: str | Path, entry: str = "") -> None:
    """Raises RetroAnimError where `restore` would, and writes nothing."""
    if entry.strip():
        _with_entries(path, _called(path, entry))
    else:
        _kept(path)


def restored(path: str | Path, chosen: Callable[[Archive, Format], Sequence[int]]) -> list[str]:
    """The same for several entries in one step: all of them or none. chosen: their indices, from the archive and its kind. Returns
    FILE#ENTRY of each, and says of which nothing is left, since they were blank."""
    packed, entries = _with_entries(path, chosen)
    _write(path, packed)
    return entries


def _called(path: str | Path, entry: str) -> Callable[[Archive, Format], Sequence[int]]:
    """Which an archive has by this number or name."""
    return lambda archive, kind: [formats.find_entry(archive, entry, str(path), kind)]


def _with_entries(path: str | Path, chosen: Callable[[Archive, Format], Sequence[int]]) -> tuple[bytes, list[str]]:
    """The archive with these entries as in its backup, and what is said of each."""
    data = _kept(path)
    (kind, now), (_, before) = _archive(path, path, disk.read_file(path)), _archive(path, backup_of(path), data)
    if not isinstance(now, Restorable) or type(now) is not type(before):
        raise RetroAnimError(f"{path}: single entries of such a file are not restored: restore the whole file")
    entries: list[str] = []
    for index in chosen(now, kind):
        address = formats.entry_address(now, index, str(path))
        with reading(address):
            now = now.restored(index, before)
        entries.append(f"{address} (blank, as it was)" if now.blank(index) else address)
    with reading(str(path)):
        return formats.packed(kind, now), entries


def _kept(path: str | Path) -> bytes:
    """What the backup holds."""
    backup = backup_of(path)
    if not backup.is_file():
        raise RetroAnimError(f"{path}: there is no backup, {backup.name}, beside it")
    if not is_kept(backup):
        raise RetroAnimError(f"{path}: its backup, {backup.name}, is empty: it would be empty, too")
    return disk.read_file(backup)


def _write(path: str | Path, data: bytes) -> None:
    """Nothing is written where the file is so already."""
    if not Path(path).exists() or disk.read_file(path) != data:
        disk.write_file(path, data)


def _archive(path: str | Path, state: str | Path, data: bytes) -> tuple[Format, Archive]:
    """The archive at `state`, which is `path` now or its backup, with its bytes, and its format, which `path` has by its name."""
    kind = formats.recognise(data[: formats.HEAD], len(data), Path(path).name)
    if kind is None:
        raise formats.unknown(str(state))
    with reading(str(state)):
        archive = formats.as_archive(kind, kind.parse(data))
    if archive is None:
        raise FormatError("no archive, so it has no entries", path=str(state))
    return kind, archive
