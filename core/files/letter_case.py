"""Finding files by name whatever the letter case: clients come from systems that do not tell it apart."""

from __future__ import annotations

from pathlib import Path


class Places:
    """Every folder is listed once; what cannot be read counts as empty."""

    def __init__(self) -> None:
        self._listed: dict[Path, dict[str, Path]] = {}

    def listed(self, folder: Path) -> dict[str, Path]:
        """What is in a folder, by lower-case name; of names that differ in their letter case alone the first."""
        if folder not in self._listed:
            try:
                self._listed[folder] = {entry.name.lower(): entry for entry in sorted(folder.iterdir(), reverse=True)}
            except OSError:
                self._listed[folder] = {}
        return self._listed[folder]

    def inside(self, folder: Path, *names: str) -> Path | None:
        """The file or folder at a path of names below `folder`."""
        found: Path | None = folder
        for name in names:
            found = self.listed(found).get(name.lower())
            if found is None:
                return None
        return found

    def folder(self, above: Path, *names: str) -> Path | None:
        """As `inside`, of folders alone."""
        found = self.inside(above, *names)
        return found if found is not None and found.is_dir() else None

    def file(self, above: Path, *names: str) -> Path | None:
        """As `inside`, of files alone."""
        found = self.inside(above, *names)
        return found if found is not None and found.is_file() else None
