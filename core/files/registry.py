"""A registry of formats: recognises files and archives' entries among them, and opens them."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from ..record import numerous
from ..reporting import log
from ..reporting.errors import EMPTY, FormatError, RetroAnimError, is_empty, reading
from . import address as addresses
from .disk.disk import read_file
from .disk.refusals import why_unread
from .format import Archive, Format, Kind

T = TypeVar("T")

HEAD = 4096
"""Bytes from the start of a file that recognition looks at."""

_SMALL = 1 << 15
"""Bytes of a file that is read at once before it is known what it is, mostly all of it, since asking the system twice takes longer."""


@numerous
class Opened:
    """A parsed file. address: the path or FILE#ENTRY. registry: what opened it, and opens other files that are named with it.

    data: what the document packs to: the file's bytes, unpacked where it is an archive's entry; of a large file only its tables.
    """

    format: Format
    document: Any
    data: bytes
    address: str
    registry: Registry


class Registry:
    """formats: gives them in the order in which contents are tried; asked once, when that is needed. of: gives those among which all of
    an extension (".anm") are, so that the others need not be loaded; without it, all formats. instead: says what a file of an extension
    is that none of them recognises, "" where that is not known."""

    def __init__(
        self,
        formats: Callable[[], tuple[Format, ...]],
        of: Callable[[str], tuple[Format, ...]] | None = None,
        instead: Callable[[str], str] = lambda _: "",
    ) -> None:
        self.known = cache(formats)
        self._of = of
        self._instead = instead
        self._last: tuple[tuple[str, int, int], tuple[Format | None, bytes, bool]] | None = None

    def _named(self, extension: str) -> list[Format]:
        kinds = self.known() if self._of is None else self._of(extension)
        return [kind for kind in kinds if extension in kind.extensions]

    def recognise(self, head: bytes, size: int, name: str) -> Format | None:
        """The format of a file of `size` bytes that starts with `head`: by the extension of `name`, else by its content, else by the whole
        name.

        By the content, too, where several formats share an extension; the last of them stands for what none of them recognises.
        """
        by_extension = self._named(os.path.splitext(name)[1].lower())  # noqa: PTH122 - a Path takes longer
        recognised = next((kind for kind in by_extension or self.known() if kind.recognise(head, size)), None)
        if recognised is not None or by_extension:
            return recognised or by_extension[-1]
        file_name = os.path.basename(name).lower()  # noqa: PTH119 - a Path takes longer
        return next((kind for kind in self.known() if kind.file_name and kind.file_name == file_name), None)

    def recognise_file(self, path: str | Path) -> Format | None:
        """As `recognise`, reading no more than the file's first bytes. Raises FormatError when it cannot be read."""
        return self._beginning(str(path))[0]

    def unknown(self, path: str) -> FormatError:
        """What there is to say about a file that no format recognises."""
        says = EMPTY if is_empty(path) else self._instead(Path(path).suffix.lower())
        return FormatError(says or "not a file of any known format", path=path)

    def _beginning(self, path: str) -> tuple[Format | None, bytes, bool]:
        """The format of a file, what was read of it, and whether that is all. Mostly the file that was just asked for is opened next: it
        is not read again unless it was changed."""
        try:
            status = os.stat(path)  # noqa: PTH116 - a Path takes longer to make, and every file asks twice
        except (OSError, ValueError) as error:
            raise FormatError(why_unread(path, error), path=path) from error
        state = path, status.st_mtime_ns, status.st_size
        if self._last is None or self._last[0] != state:
            data = read_file(path, _SMALL)
            kind = self.recognise(data[:HEAD], status.st_size, path)
            self._last = state, (kind, data, len(data) == status.st_size)
        return self._last[1]

    def recognise_entry(self, data: bytes, archive_name: str = "", name: str = "", size: int | None = None) -> Format | None:
        """The format of an archive's entry, by its own name's extension, else by its content; None for pictures, sounds and the like.

        archive_name: in the games' own archives, by their names, an entry that nothing recognises counts as a damaged one of the usual
        kind. size: of the entry, where `data` is no more than its first `HEAD` bytes.
        """
        extension, head = Path(name).suffix.lower() if "." in name else None, data[:HEAD]
        size = len(data) if size is None else size
        named = [kind for kind in self._named(extension) if kind.kind != "archive"] if extension is not None else []
        possible = named or [kind for kind in self.known() if kind.kind != "archive"]
        result = next((kind for kind in possible if kind.recognise(head, size)), None) or (named[-1] if named else None)
        return result or self.expected(Path(archive_name).name)

    def expected(self, archive_name: str) -> Format | None:
        """What all entries of a game's own archive are, by its name."""
        return next((kind for kind in self.known() if kind.expected is not None and kind.expected(archive_name)), None)

    def open_file(self, address: str | Path) -> Opened:
        """A file, or the entry that FILE#ENTRY names. Raises FormatError naming the file, the entry and the offset."""
        path, entry = addresses.split(str(address))
        kind, data, whole = self._beginning(path)
        self._last = None
        if kind is None:
            raise self.unknown(path)
        with reading(path):
            if kind.open is not None:
                opened = Opened(kind, *kind.open(path), path, self)
            else:
                data = data if whole else read_file(path, largest=kind.largest)
                opened = Opened(kind, kind.parse(data), data, path, self)
        if not entry:
            return opened
        archive = archive_of(opened)
        if archive is None:
            raise FormatError(f"no archive, so it has no entry {entry}", path=path)
        if kind.listed is not None and (listed := kind.listed(path, archive, entry)) is not None:
            return Opened(listed[0], listed[1], bytes(listed[2]), str(address), self)
        index = self.find_entry(archive, entry, path, kind)
        address = entry_address(archive, index, path)
        with reading(address):
            opened_entry = self.open_entry(archive.read(index), address)
            if opened_entry is None:
                raise FormatError("an entry of no known kind")
        return opened_entry

    def chosen(self, archive: Archive, wanted: str, path: str, kind: Format | None = None, names: str = "") -> list[int]:
        """The entries that `wanted` means, all where it is empty: by number, by their own names, or, in an archive of this kind, by what
        people call them, for which all of it has to be looked at. names: a list of such names. Raises FormatError as `address.select`
        does."""
        own = {index: name for index in range(len(archive)) if (name := archive.name(index))}
        try:
            try:
                return addresses.select(wanted, len(archive), own)
            except addresses.UnknownEntryError:
                if kind is None or kind.called is None:
                    raise
                return addresses.select(wanted, len(archive), self._called(archive, path, kind, names) | own)
        except RetroAnimError as error:
            raise FormatError(str(error), path=path) from error

    def find_entry(self, archive: Archive, entry: str, path: str, kind: Format | None = None) -> int:
        """The one entry that `entry` means, as `chosen` has it. Raises FormatError when it means none, or several."""
        indices = self.chosen(archive, entry, path, kind)
        if len(indices) != 1:
            raise FormatError(f"{entry} means {len(indices)} entries, not one", path=path)
        return indices[0]

    def _called(self, archive: Archive, path: str, kind: Format, names: str) -> dict[int, str]:
        """What people call an archive's entries, as far as that is known."""
        assert kind.called is not None
        kinds: dict[int, Kind] = {}
        kind_of = once(kind, archive, lambda index: self.recognise_entry(archive.read(index), name=archive.name(index)))
        for index in range(len(archive)):
            with suppress(FormatError):
                if not archive.blank(index) and (of_entry := kind_of(index)) is not None:
                    kinds[index] = of_entry.kind
        return kind.called(path, archive, kinds, names)

    def open_entry(self, data: bytes, address: str) -> Opened | None:
        """The unpacked bytes of an archive's entry, None for those of no known kind. Raises FormatError naming `address`."""
        kind = self.recognise_entry(data, *addresses.split(address))
        if kind is None:
            return None
        with reading(address):
            return Opened(kind, kind.parse(data), data, address, self)


def once(kind: Format, archive: Archive, asked: Callable[[int], T]) -> Callable[[int], T]:
    """Asks what `asked` gives of an archive's entries, only once where several of them are the same bytes of the file. Errors, too."""
    known: dict[int, T | FormatError] = {}

    def answer(index: int) -> T:
        stored = kind.stored(archive, index) if kind.stored is not None else -1
        if stored < 0:
            return asked(index)
        if stored not in known:
            try:
                known[stored] = asked(index)
            except FormatError as error:
                known[stored] = error
        result = known[stored]
        if isinstance(result, FormatError):
            raise FormatError(result.problem, result.offset, result.path)
        return result

    return answer


def archive_of(opened: Opened) -> Archive | None:
    """The file as an archive, None where it has no entries."""
    return as_archive(opened.format, opened.document)


def as_archive(kind: Format, document: Any) -> Archive | None:
    """A document of a kind as `archive_of`."""
    if kind.kind == "archive":
        return document
    return None if kind.archive is None else kind.archive(document)


def packed(kind: Format, archive: Archive) -> bytes:
    """The bytes of a changed archive, which is of this kind, read once before they take the place of others. Raises FormatError where they
    would be no archive any more, or one of other entries."""
    data = archive.pack()
    with log.collect():  # what there is to say of it has been said as it was opened
        try:
            again = as_archive(kind, kind.parse(data))
        except FormatError as error:
            raise _no_archive(error.problem) from error
    if again is None or [again.blank(index) for index in range(len(again))] != [archive.blank(index) for index in range(len(archive))]:
        raise _no_archive("its entries would be others")
    return data


def _no_archive(problem: str) -> FormatError:
    return FormatError(f"it could not be read any more with that ({problem}): make entries that lie outside of the file blank first")


def entry_address(archive: Archive, index: int, path: str) -> str:
    """FILE#ENTRY, by name where the entries have names."""
    return f"{path}#{archive.name(index) or index}"
