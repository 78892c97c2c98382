"""Managing archives: their entries as they are stored, of any kind, taken out, put in, added and blanked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

from . import backups, formats
from .files import address
from .files.disk import disk
from .files.file_names import distinct, file_name, whole_name
from .files.format import Archive, Format
from .formats import Opened
from .reporting import log
from .reporting.errors import FormatError, RetroAnimError, reading
from .reporting.labels import first_few, with_article

Facts = dict[str, Any]


@runtime_checkable
class Editable(Archive, Protocol):
    """An archive whose entries can be replaced, whatever they hold. methods: names of its compressions, by number."""

    @property
    def methods(self) -> tuple[str, ...]: ...

    def replaced(self, index: int, data: bytes, method: int | None = None, /) -> Editable:
        """With other bytes in an entry, or in a new one behind the last. method: None for the entry's own, or the archive's usual one."""
        ...

    def shared(self, index: int, /) -> list[int]:
        """The other entries that are the same bytes of the file."""
        ...

    def blanked(self, index: int, /) -> Editable:
        """With a blank entry. Raises FormatError where there is none."""
        ...


class Extracted(NamedTuple):
    """name: of a file for it, another one for each. data: unpacked."""

    name: str
    data: bytes


def listed(path: str, names: str = "") -> list[Facts]:
    """index, label ("" for an unknown kind) and how it is stored, for each entry; "blank" or "error" for those that are or have one, and
    "called" where people have a name for it. names: a list of such names; "" for one that lies beside."""
    opened, archive = _opened(path)
    content_of = formats.once(opened.format, archive, lambda index: _content(archive, index))
    facts = [_facts(opened, archive, index, content_of) for index in range(len(archive))]
    kinds = {fact["index"]: fact.pop("kind") for fact in facts if "kind" in fact}
    called = opened.format.called(path, archive, kinds, names) if opened.format.called is not None else {}
    return [{**fact, "called": called[fact["index"]]} if fact["index"] in called else fact for fact in facts]


def extracted(path: str, wanted: str) -> list[Extracted]:
    """The entries that `wanted` ("1", "0-5,9", names, "" for all) means, of several without those that are blank, which is said. Raises
    RetroAnimError."""
    opened, archive = _opened(path)
    chosen = formats.chosen(archive, wanted, path, opened.format)
    blank = [index for index in chosen if archive.blank(index)]
    if not wanted.strip() or len(blank) < len(chosen):
        chosen = [index for index in chosen if index not in set(blank)]
        if blank and wanted.strip():
            log.info(f"{path}: blank, and left out: {first_few(blank, 10)}")
    taken: list[Extracted] = []
    for index in chosen:
        with reading(formats.entry_address(archive, index, path)):
            data = archive.read(index)
        taken.append(Extracted(_file_name(path, archive, index, data), data))
    names = distinct(each.name for each in taken)
    return [Extracted(name, each.data) for name, each in zip(names, taken, strict=True)]


def replaced(path: str, entry: str, source: str, method: str = "") -> str:
    """Put what `source`, FILE or FILE#ENTRY, holds into an entry; returns its address. method: name of a compression."""
    opened, archive = _editable(path)
    index = formats.find_entry(archive, entry, path, opened.format)
    where, data = f"{path}#{index}", content(source)
    before, after = (formats.recognise_entry(each) for each in (_or_nothing(archive, index), data))
    if before is not None and after is not before:
        log.warning(f"{where} was {with_article(before.label)}, and holds {_what(after)} now")
    elif before is None:
        _report_kind(path, index, after)
    _report_shared(archive, index)
    with reading(path):
        changed = archive.replaced(index, data, _number(archive, method, path))
    _write(path, opened.format, changed)
    return where


def added(path: str, sources: Sequence[str], method: str = "") -> list[str]:
    """New entries behind the last one, in one step; returns their addresses."""
    opened, archive = _editable(path)
    number, first = _number(archive, method, path), len(archive)
    for source in sources:
        data = content(source)
        _report_kind(path, len(archive), formats.recognise_entry(data))
        with reading(path):
            archive = archive.replaced(len(archive), data, number)
    _write(path, opened.format, archive)
    return [f"{path}#{index}" for index in range(first, len(archive))]


def blanked(path: str, wanted: str) -> list[str]:
    """Make entries blank, in one step; returns their addresses. Nothing else moves."""
    opened, archive = _editable(path)
    if not wanted.strip():
        raise RetroAnimError(f"{path}: no entry to blank was named")
    indices = formats.chosen(archive, wanted, path, opened.format)
    for index in indices:
        archive = archive.blanked(index)
    _write(path, opened.format, archive)
    return [f"{path}#{index}" for index in indices]


def restored(path: str, wanted: str) -> list[str]:
    """Entries as they were in the archive's first state, the .bak, in one step; returns what `backups.restored` does."""
    if not wanted.strip():
        raise RetroAnimError(f"{path}: no entry to restore was named")
    return backups.restored(path, lambda archive, kind: formats.chosen(archive, wanted, path, kind))


def content(source: str) -> bytes:
    """The bytes of a file, or of an archive's entry, unpacked."""
    path, entry = address.split(source)
    if not entry:
        return disk.read_file(path)
    opened, archive = _opened(path)
    index = formats.find_entry(archive, entry, path, opened.format)
    with reading(source):
        return archive.read(index)


def _opened(path: str) -> tuple[Opened, Archive]:
    opened = formats.open_file(path)
    archive = formats.archive_of(opened)
    if archive is None:
        raise FormatError(f"a {opened.format.label} is no archive, so it has no entries", path=path)
    return opened, archive


def _editable(path: str) -> tuple[Opened, Editable]:
    opened, archive = _opened(path)
    if not isinstance(archive, Editable):
        raise RetroAnimError(f"{path}: the entries of such an archive ({opened.format.label}) cannot be replaced one by one")
    return opened, archive


def _content(archive: Archive, index: int) -> Facts:
    """size, label and kind of an entry. Raises FormatError."""
    data = archive.read(index)
    kind = formats.recognise_entry(data, name=archive.name(index))
    return {"size": len(data), "label": kind.label if kind is not None else "", **({"kind": kind.kind} if kind is not None else {})}


def _facts(opened: Opened, archive: Archive, index: int, content_of: Callable[[int], Facts]) -> Facts:
    facts: Facts = {"index": index, "name": archive.name(index)}
    if archive.blank(index):
        return {**facts, "blank": True}
    try:
        if opened.format.entry_facts is not None:
            facts |= opened.format.entry_facts(archive, index)
        return {**facts, **content_of(index)}
    except FormatError as error:
        return {**facts, "error": error.problem}


def _file_name(path: str, archive: Archive, index: int, data: bytes) -> str:
    """By the entry's own name, else by its number, with the extension of its kind."""
    name = archive.name(index)
    if Path(name).suffix:
        return whole_name(name)
    kind = formats.recognise_entry(data, name=name)
    extension = kind.extensions[0] if kind is not None and kind.extensions else ".bin"
    return file_name(name or f"{Path(path).stem}_{index}") + extension


def _or_nothing(archive: Archive, index: int) -> bytes:
    try:
        return b"" if archive.blank(index) else archive.read(index)
    except FormatError:
        return b""


def _report_kind(path: str, index: int, kind: Format | None) -> None:
    """What a new entry is, where all of that archive are something else for the game."""
    usual = formats.expected(Path(path).name)
    if usual is not None and (kind is None or kind.kind != usual.kind):
        log.warning(f"{path}#{index} holds {_what(kind)}; the game takes every entry of {Path(path).name} for {with_article(usual.kind)}")


def _what(kind: Format | None) -> str:
    return with_article(kind.label) if kind is not None else "data of an unknown kind"


def _report_shared(archive: Editable, index: int) -> None:
    if shared := archive.shared(index):
        log.warning(f"entry {index} was the same as {', '.join(map(str, shared))}; those keep what they had")


def _number(archive: Editable, method: str, path: str) -> int | None:
    if not method:
        return None
    names = [name.lower() for name in archive.methods]
    if method.lower() not in names:
        raise RetroAnimError(f"{path}: no compression is called {method}; there are {', '.join(names)}")
    return names.index(method.lower())


def _write(path: str, kind: Format, archive: Archive) -> None:
    with reading(path):
        data = formats.packed(kind, archive)
    if disk.read_file(path) != data:
        disk.write_file(path, data, backup=True)
