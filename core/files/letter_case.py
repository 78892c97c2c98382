"""Finding files by name whatever the letter case: games come from systems that do not distinguish it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


class Folders:
    """Folders by the names in them, whatever their letter case. Each is listed once; one that cannot be read counts as empty."""

    def __init__(self, key: Callable[[str], str] = str.lower) -> None:
        """key: of an entry's name, by which it is looked up."""
        self._key = key
        self._listed: dict[Path, dict[str, Path]] = {}

    def listed(self, folder: Path) -> dict[str, Path]:
        """The entries of a folder by the keys of their names; of several with the same key the first in the order of their names."""
        if folder not in self._listed:
            try:
                self._listed[folder] = {self._key(entry.name): entry for entry in sorted(folder.iterdir(), reverse=True)}
            except OSError:
                self._listed[folder] = {}
        return self._listed[folder]

    def inside(self, folder: Path, *names: str) -> Path | None:
        """The file or folder at a path of names below `folder`."""
        entry: Path | None = folder
        for name in names:
            entry = self.listed(entry).get(self._key(name))
            if entry is None:
                return None
        return entry

    def folder(self, above: Path, *names: str) -> Path | None:
        """As `inside`, of folders alone."""
        entry = self.inside(above, *names)
        return entry if entry is not None and entry.is_dir() else None

    def file(self, above: Path, *names: str) -> Path | None:
        """As `inside`, of files alone."""
        entry = self.inside(above, *names)
        return entry if entry is not None and entry.is_file() else None


def find_beside(path: str | Path, name: str) -> Path | None:
    """The file `name` in the folder of `path` (a file or a folder); one of just this letter case wins."""
    folder = Path(path) if Path(path).is_dir() else Path(path).parent
    exact = folder / name
    return exact if exact.is_file() else Folders().file(folder, name)
