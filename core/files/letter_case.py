"""Finding files by name whatever the letter case: games come from systems that do not distinguish it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ..reporting import log
from . import once


class Folders:
    """Folders by the names in them, whatever their letter case. Each is listed once; one that cannot be read counts as empty."""

    def __init__(self, key: Callable[[str], str] = str.lower) -> None:
        """key: of an entry's name, by which it is looked up."""
        self._key = key
        self._names: dict[Path, dict[str, str]] = {}

    def listed(self, folder: Path, expected: bool = False) -> dict[str, Path]:
        """The entries of a folder by the keys of their names; of several with the same key the first in the order of their names.

        expected: whether it is one that was looked for and is there: that it cannot be read is warned of, as of no folder further up.
        """
        return {key: folder / name for key, name in self.names(folder, expected).items()}

    def names(self, folder: Path, expected: bool = False) -> dict[str, str]:
        """As `listed`, the names alone: making a path of each takes longer than all else, and few of a full folder are wanted."""
        if folder not in self._names:
            self._names[folder] = {}
            try:
                self._names[folder] = {self._key(name): name for name in sorted(os.listdir(folder), reverse=True)}
            except (FileNotFoundError, NotADirectoryError, ValueError):  # it is not there, or no path at all
                pass
            except OSError as error:
                if expected:
                    log.warning(f"{folder}: {error.strerror or error}, so nothing in it is used")
        return self._names[folder]

    def inside(self, folder: Path, *names: str) -> Path | None:
        """The file or folder at a path of names below `folder`."""
        entry = folder
        for name in names:
            present = self.names(entry, expected=entry != folder).get(self._key(name))
            if present is None:
                return None
            entry = entry / present
        return entry

    def folder(self, above: Path, *names: str) -> Path | None:
        """As `inside`, of folders alone."""
        entry = self.inside(above, *names)
        return entry if entry is not None and entry.is_dir() else None

    def file(self, above: Path, *names: str) -> Path | None:
        """As `inside`, of files alone."""
        entry = self.inside(above, *names)
        return entry if entry is not None and is_file(entry) else None


def is_file(path: Path) -> bool:
    """Whether what has the name of a file that is looked for is one; where a folder or anything else has it, or nobody may look there, that
    is warned of."""
    try:
        if path.is_file():
            return True
        path.lstat()
    except FileNotFoundError:
        return False
    except OSError as error:
        log.warning(f"{path}: {error.strerror or error}, and it is not used")
        return False
    else:
        what = "is a folder" if path.is_dir() else "is no regular file" if path.exists() else "is a link that leads nowhere"
        log.warning(f"{path}: {what}, and is not used")
    return False


def find_beside(path: str | Path, name: str) -> Path | None:
    """The file `name` in the folder of `path` (a file or a folder); one of just this letter case wins."""
    return once.kept("beside", (str(path), name), lambda: _find(Path(path), name))


def _find(here: Path, name: str) -> Path | None:
    folder = here if here.is_dir() else here.parent
    exact = folder / name
    return exact if exact.is_file() else Folders().file(folder, name)
