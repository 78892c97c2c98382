"""Files and archive entries as they were before the first export: from the .bak that disk.py keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from . import formats
from .files import disk
from .files.format import Archive
from .reporting.errors import FormatError, RetroAnimError, reading


@runtime_checkable
class Restorable(Archive, Protocol):
    """An archive that can take back an entry of an earlier state of itself."""

    def restored(self, index: int, backup: Any, /) -> Archive:
        """The archive with the entry as it is in `backup`, one of the same class, all others as they are. Raises FormatError."""
        ...


def restore(path: str | Path, entry: str = "") -> str:
    """Bring back a file, or one entry of it by number or name, from its .bak, which stays; returns FILE or FILE#ENTRY.

    The other entries keep what they have. Raises RetroAnimError, with nothing written, where there is no .bak, or it has no such entry.
    """
    backup = disk.backup_of(path)
    if not backup.is_file():
        raise RetroAnimError(f"{path}: there is no backup, {backup.name}, beside it")
    if not disk.is_kept(backup):
        raise RetroAnimError(f"{path}: its backup, {backup.name}, is empty: it would be empty, too")
    data = disk.read_file(backup)
    if not entry.strip():
        _write(path, data)
        return str(path)
    now = _archive(path, path)
    before = _archive(path, backup)
    if not isinstance(now, Restorable) or type(now) is not type(before):
        raise RetroAnimError(f"{path}: single entries of such a file are not restored: restore the whole file")
    index = formats.find_entry(now, entry, str(path))
    address = formats.entry_address(now, index, str(path))
    with reading(address):
        restored = now.restored(index, before)
    _write(path, restored.pack())
    return address


def _write(path: str | Path, data: bytes) -> None:
    """Nothing is written where the file is so already."""
    if not Path(path).exists() or disk.read_file(path) != data:
        disk.write_file(path, data)


def _archive(path: str | Path, state: str | Path) -> Archive:
    """The archive at `state`, which is `path` now or its backup: of the format that `path` has by its name."""
    data = disk.read_file(state)
    kind = formats.recognise(data[: formats.HEAD], len(data), Path(path).name)
    if kind is None:
        raise formats.unknown(str(state))
    with reading(str(state)):
        document = kind.parse(data)
        archive = document if kind.kind == "archive" else kind.archive(document) if kind.archive is not None else None
    if archive is None:
        raise FormatError("no archive, so it has no entries", path=str(state))
    return archive
