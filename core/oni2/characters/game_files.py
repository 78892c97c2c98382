"""The game's files: a folder of the disk or a DAVE archive, both by the game's own paths, whatever their letter case."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from ...files import address
from ...files.disk.disk import read_file
from ...files.letter_case import Folders, is_file
from ...reporting.errors import reading
from ..files.dave import Dave


class Files(Protocol):
    """Paths have slashes between folders."""

    def find(self, path: str) -> str:
        """The path as it is spelled there, "" when there is no such file."""
        ...

    def names(self, folder: str, suffix: str) -> list[str]:
        """The files of a folder with an extension (".skel"), sorted; none when there is no such folder."""
        ...

    def address(self, path: str) -> str:
        """FILE or FILE#ENTRY of a path that `find` or `names` gave."""
        ...

    def read(self, path: str) -> bytes:
        """Raises FormatError naming the file."""
        ...


@dataclass(frozen=True)
class Folder:
    """root: the folder that holds Entity and entity.tune, or a folder with the files alone."""

    root: Path

    def find(self, path: str) -> str:
        here, parts = self.root, list[str]()
        for part in path.replace("\\", "/").split("/"):
            name = self._names(here).get(part.lower())
            if name is None:
                return ""
            parts.append(name)
            here = here / name
        return "/".join(parts) if is_file(here) else ""

    def names(self, folder: str, suffix: str) -> list[str]:
        here = self.root
        for part in filter(None, folder.replace("\\", "/").split("/")):
            here = here / self._names(here).get(part.lower(), part)
        return sorted(name for lower, name in self._names(here).items() if lower.endswith(suffix) and is_file(here / name))

    def address(self, path: str) -> str:
        return str(self.root / path)

    def read(self, path: str) -> bytes:
        return read_file(self.root / path)

    def _names(self, folder: Path) -> dict[str, str]:
        """What is in a folder, by lower-case name; neither the folder itself nor the one above."""
        try:
            return _listed(folder, folder.stat().st_mtime_ns)
        except OSError:
            return {}


@lru_cache(maxsize=16)
def _listed(folder: Path, _stamp: int) -> dict[str, str]:
    return Folders().names(folder)


@dataclass(frozen=True)
class Archived:
    """path: of the archive."""

    path: str
    archive: Dave = field(compare=False)

    def find(self, path: str) -> str:
        index = self.archive.find(path)
        return self.archive.name(index) if index is not None and not self.archive.blank(index) else ""

    def names(self, folder: str, suffix: str) -> list[str]:
        start = f"{folder.strip('/')}/".lower() if folder.strip("/") else ""
        paths = (self.archive.name(index) for index in range(len(self.archive)))
        inside = {path[len(start) :] for path in paths if path.lower().startswith(start) and path.lower().endswith(suffix)}
        return sorted(name for name in inside if "/" not in name)

    def address(self, path: str) -> str:
        return f"{self.path}#{path}"

    def read(self, path: str) -> bytes:
        index = self.archive.find(path)
        assert index is not None
        with reading(self.address(path)):
            return self.archive.read(index)


def located(where: str) -> tuple[Files, str]:
    """The files around FILE or FILE#ENTRY, and its path among them. Raises FormatError when the archive cannot be opened."""
    path, entry = address.split(where)
    if entry:
        archive = opened(path)
        if entry.isdigit() and archive.find(entry) is None and int(entry) < len(archive):
            entry = archive.name(int(entry))
        return Archived(path, archive), entry
    file = Path(path)
    above = list(file.absolute().parents)
    root = next((folder.parent for folder in above if folder.name.lower() in ("entity", "entity.tune")), file.absolute().parent)
    return Folder(root), file.absolute().relative_to(root).as_posix()


def opened(path: str) -> Dave:
    """The archive at a path; one that was just read and has not changed is not read again. Raises FormatError."""
    try:
        stamp = Path(path).stat().st_mtime_ns
    except OSError:
        stamp = 0
    return _opened(path, stamp)


@lru_cache(maxsize=1)
def _opened(path: str, _stamp: int) -> Dave:
    with reading(path):
        return Dave.open(path)
