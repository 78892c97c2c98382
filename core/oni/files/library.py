"""Instances across files: what a link means, also when it leads to another .oni beside the first or to level 0."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

from ...files import address as addresses
from ...files.disk.disk import read_file
from ...files.letter_case import Folders
from ...record import numerous
from ...reporting import log
from ...reporting.errors import FormatError, RetroAnimError, reading
from ..records.body_records import BodyRecord
from ..records.record import PREFIX
from .instances import VR31, version_of
from .level import Level
from .onifile import OniFile

KeptT = TypeVar("KeptT")

GLOBAL = "level0_final"
"""The level whose instances all others may use; also the folder that OniSplit exports it to."""


@numerous
class Instance:
    """An instance in a file."""

    file: OniFile | Level
    path: str
    index: int

    @property
    def tag(self) -> str:
        return self.file.tag(self.index)

    @property
    def name(self) -> str:
        """With the tag; empty for an unnamed instance. The first one of a .oni is called as its file, by which the usual tools go."""
        called = unquote(Path(self.path).stem)
        is_main = self.index == 0 and isinstance(self.file, OniFile)
        return called if is_main and called.startswith(self.tag) and len(called) > len(self.tag) else self.file.name(self.index)

    @property
    def start(self) -> int:
        """Where it stands in the file. Raises FormatError for one that is in another file."""
        return self.file.tables.span(self.index)[0]

    def body(self) -> bytes:
        """The record without its prefix. Raises FormatError."""
        with reading(self.path):
            return self.file.bytes_of(self.index)[PREFIX:]

    def record(self, tag: str) -> BodyRecord:
        """Its record, which must be a `tag` of `body_records.SHAPES`. Raises FormatError naming file and offset."""
        with reading(self.path):
            if self.tag != tag:
                raise FormatError(f"{self.name or f'instance {self.index}'} is a {self.tag}; a {tag} is expected", self.start)
            try:
                return BodyRecord.parse(tag, self.file.bytes_of(self.index)[PREFIX:])
            except FormatError as error:
                raise FormatError(error.problem, self.start + (error.offset or 0)) from None


@dataclass(eq=False)
class Library:
    """The files around one file. Each is opened once, and only when it is asked for something."""

    listed: Folders = field(default_factory=lambda: Folders(lambda name: unquote(name).lower()))
    kept: dict[Hashable, Any] = field(default_factory=dict[Hashable, Any])

    def once(self, key: Hashable, make: Callable[[], KeptT]) -> KeptT:
        """What `make` gives, asked once for each key: many animations ask for the same bodies. Its FormatErrors are kept, too."""
        if key not in self.kept:
            try:
                self.kept[key] = make()
            except FormatError as error:
                self.kept[key] = error
        if isinstance(self.kept[key], FormatError):
            raise self.kept[key]
        return self.kept[key]

    def open(self, path: str | Path) -> OniFile | Level:
        """Raises FormatError for what is no instance file."""
        return self.once(("file", str(path)), lambda: _open(str(path)))

    def at(self, address: str) -> Instance:
        """The instance that FILE#ENTRY means; of a .oni alone its first. Raises FormatError."""
        path, entry = addresses.split(address)
        file = self.open(path)
        if not entry:
            if isinstance(file, Level) or not len(file):
                raise FormatError("no instance of its own; name an entry behind a #", path=path)
            return Instance(file, path, 0)
        try:
            chosen = addresses.select(entry, len(file), {index: name for index in range(len(file)) if (name := file.name(index))})
        except RetroAnimError as error:
            raise FormatError(str(error), path=path) from error
        if len(chosen) != 1:
            raise FormatError(f"{entry} means {len(chosen)} entries, not one", path=path)
        return Instance(file, path, chosen[0])

    def follow(self, instance: Instance, link: int) -> Instance | None:
        """What a link in the record of `instance` means: none, or something that may be in another file, None also where that is missing.

        Raises FormatError for a link to no instance.
        """
        with reading(instance.path):
            index = instance.file.tables.linked(link, instance.start)
        if index is None:
            return None
        return (
            self.find(instance.file.name(index), instance.path)
            if instance.file.blank(index)
            else Instance(instance.file, instance.path, index)
        )

    def name_of(self, instance: Instance, link: int) -> str:
        """The name of the instance that a link means, "" for none; it may be in any file. Raises FormatError for a link to no instance."""
        with reading(instance.path):
            index = instance.file.tables.linked(link, instance.start)
        return "" if index is None else instance.file.name(index)

    def find(self, name: str, path: str) -> Instance | None:
        """The instance called `name` in the files around `path`, None where no file has it."""
        if not name:
            return None
        for folder in self._folders(path):
            file = self.listed.names(folder).get(f"{name}.oni".lower())
            result = self._first(folder / file) if file else None
            if result is not None:
                return result
        for level in self.levels(path):
            index = self._index(level, name)
            if index is not None:
                return Instance(self.open(level), str(level), index)
        return None

    def has_any(self, tag: str, path: str) -> bool:
        """Whether a file around `path` has a named instance of a kind."""
        if any(name.startswith(tag.lower()) for folder in self._folders(path) for name in self.listed.names(folder)):
            return True
        return any(True for level in self.levels(path) for _ in self.all_of(level, tag))

    def beside(self, path: str, tag: str) -> Iterator[Instance]:
        """The first instances of all .oni around `path` that are called `tag` and something, those of its own folder first."""
        for file in self.called(path, tag):
            result = self._first(file)
            if result is not None and result.tag == tag:
                yield result

    def called(self, path: str, tag: str) -> Iterator[Path]:
        """All .oni around `path` that are called `tag` and something, those of its own folder first; none of them is opened."""
        for folder in self._folders(path):
            for name, file in self.listed.names(folder).items():
                if name.startswith(tag.lower()) and name.endswith(".oni"):
                    yield folder / file

    def levels(self, path: str) -> list[Path]:
        """The level files in the folder of `path` that can be opened: itself, then level 0."""
        here = Path(path)
        first = [here] if here.suffix.lower() == ".dat" else []
        zero = self.listed.inside(here.absolute().parent, f"{GLOBAL}.dat")
        both = first if zero is None or (first and zero == here.absolute()) else [*first, zero]
        return [level for level in both if self._opens(level)]

    def all_of(self, level: Path, tag: str) -> Iterator[Instance]:
        """The named instances of a kind that are in a level."""
        file = self.open(level)
        for index in range(len(file)):
            if file.tag(index) == tag and not file.blank(index) and file.name(index):
                yield Instance(file, str(level), index)

    def _first(self, path: Path) -> Instance | None:
        """The main instance of a .oni, None where it cannot be read, which is warned of."""
        try:
            file = self.open(path)
        except FormatError as error:
            log.warning(f"not used: {error}")
            return None
        return Instance(file, str(path), 0) if len(file) and not file.blank(0) else None

    def _opens(self, path: Path) -> bool:
        try:
            self.open(path)
        except FormatError:
            return False
        return True

    def _index(self, level: Path, name: str) -> int | None:
        return self.once(("names", level), lambda: _names(self.open(level))).get(name)

    def _folders(self, path: str) -> list[Path]:
        """The folder of `path`, and that of level 0 beside it."""
        folder = Path(path).absolute().parent
        level_0 = self.once(("level 0", folder), lambda: self.listed.folder(folder.parent, GLOBAL))
        return [folder] if level_0 is None or level_0 == folder else [folder, level_0]


def file_name(name: str) -> str:
    """The name of the .oni that an instance goes to: what no file of Windows may have in its name as OniSplit encodes it, since textures
    of the game are called such as TXMPIteration001/KS_pelvis [Importer.cs]."""
    return "".join(f"%{ord(each):02X}" if each in '"<>|:*?\\/' or ord(each) < 32 else each for each in name) + ".oni"


def _open(path: str) -> OniFile | Level:
    with reading(path):
        return Level.open(path) if version_of(read_file(path, 16)) == VR31 else OniFile.parse(read_file(path))


def _names(file: OniFile | Level) -> dict[str, int]:
    """The numbers of the instances that are in a file, by their names."""
    return {file.name(index): index for index in range(len(file)) if not file.blank(index)}
