"""The registry: which file is of which format, and how to open it, loose or as an entry of an archive."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .files import address as addresses
from .files.disk import read_file
from .files.format import Archive, Format
from .games import GAMES
from .reporting.errors import FormatError, RetroAnimError, reading

HEAD = 4096
"""Bytes from the start of a file that recognition looks at."""


@cache
def known() -> tuple[Format, ...]:
    """The formats of all games, loaded when they are first asked for, in the order in which contents are tried."""
    ordered = sorted(GAMES.values(), key=lambda game: not game.signatures)
    return tuple(kind for game in ordered for kind in game.core("formats").FORMATS)


@dataclass(frozen=True, eq=False)
class Opened:
    """A parsed file. address: the path or FILE#ENTRY.

    data: what the document packs to: the file's bytes, unpacked where it is an archive's entry; of a large file only its tables.
    """

    format: Format
    document: Any
    data: bytes
    address: str


def recognise(head: bytes, size: int, name: str) -> Format | None:
    """The format of a file of `size` bytes that starts with `head`: by the extension of `name`, else by its content.

    By the content, too, where several formats share an extension; the last of them stands for what none of them recognises.
    """
    extension = Path(name).suffix.lower()
    by_extension = [kind for kind in known() if extension in kind.extensions]
    found = next((kind for kind in by_extension or known() if kind.recognise(head, size)), None)
    return found or (by_extension[-1] if by_extension else None)


def recognise_file(path: str | Path) -> Format | None:
    """As `recognise`, reading no more than the file's first bytes. Raises FormatError when it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            return recognise(file.read(HEAD), Path(path).stat().st_size, Path(path).name)
    except OSError as error:
        raise FormatError(error.strerror or str(error), path=str(path)) from error


def recognise_entry(data: bytes, archive_name: str = "", name: str = "") -> Format | None:
    """The format of an archive's entry, by its own name's extension, else by its content; None for pictures, sounds and the like.

    archive_name: in the games' own archives, by their names, an entry that looks like nothing counts as a damaged one of the usual kind.
    """
    extension, head, size = Path(name).suffix.lower() if "." in name else None, data[:HEAD], len(data)
    possible = [kind for kind in known() if kind.kind != "archive"]
    named = [kind for kind in possible if extension in kind.extensions] if extension is not None else []
    result = next((kind for kind in named or possible if kind.recognise(head, size)), None) or (named[-1] if named else None)
    return result or _expected(Path(archive_name).name)


def _expected(archive_name: str) -> Format | None:
    """What all entries of a game's own archive are, by its name."""
    return next((kind for kind in known() if kind.expected is not None and kind.expected(archive_name)), None)


def open_file(address: str | Path) -> Opened:
    """A file, or the entry that FILE#ENTRY names. Raises FormatError naming the file, the entry and the offset."""
    path, entry = addresses.split(str(address))
    kind = recognise_file(path)
    if kind is None:
        raise FormatError("not a file of any known format", path=path)
    with reading(path):
        if kind.open is not None:
            opened = Opened(kind, *kind.open(path), path)
        else:
            data = read_file(path)
            opened = Opened(kind, kind.parse(data), data, path)
    if not entry:
        return opened
    archive = archive_of(opened)
    if archive is None:
        raise FormatError(f"no archive, so it has no entry {entry}", path=path)
    index = find_entry(archive, entry, path)
    address = entry_address(archive, index, path)
    with reading(address):
        found = open_entry(archive.read(index), address)
        if found is None:
            raise FormatError("an entry of no known kind")
    return found


def archive_of(opened: Opened) -> Archive | None:
    """The file as an archive, None where it has no entries."""
    if opened.format.kind == "archive":
        return opened.document
    return None if opened.format.archive is None else opened.format.archive(opened.document)


def open_entry(data: bytes, address: str) -> Opened | None:
    """The unpacked bytes of an archive's entry, None for those of no known kind. Raises FormatError naming `address`, its FILE#ENTRY."""
    kind = recognise_entry(data, *addresses.split(address))
    if kind is None:
        return None
    with reading(address):
        return Opened(kind, kind.parse(data), data, address)


def find_entry(archive: Archive, entry: str, path: str) -> int:
    """The one entry that `entry`, a number or a name, means. Raises FormatError when it means none, or several."""
    names = {index: name for index in range(len(archive)) if (name := archive.name(index))}
    try:
        found = addresses.select(entry, len(archive), names)
    except RetroAnimError as error:
        raise FormatError(str(error), path=path) from error
    if len(found) != 1:
        raise FormatError(f"{entry} means {len(found)} entries, not one", path=path)
    return found[0]


def entry_address(archive: Archive, index: int, path: str) -> str:
    """FILE#ENTRY, by name where the entries have names."""
    return f"{path}#{archive.name(index) or index}"
