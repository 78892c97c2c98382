"""The names of an archive's entries: HQD, the text files of LBA Package Editor, with a title and then a line for each entry; and the
metadata of the games' community, JSON with `entries` in the archive's order, each a type, a game and a description, null for blanks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from ....files.disk.disk import read_file
from ....files.letter_case import find_beside
from ....reporting import log
from ....reporting.errors import FormatError, reading
from ..variant import LBA2, Variant

LARGEST = 1 << 22
"""Bytes of such a file, at most: a line of a thousand letters for each entry of the largest archive."""


@dataclass(frozen=True)
class EntryNames:
    """title: the first line. names: of the entries, empty where a line is."""

    title: str
    names: tuple[str, ...]

    @classmethod
    def parse(cls, data: bytes) -> EntryNames:
        """Raises FormatError when this is no text."""
        if len(data) > LARGEST or b"\0" in data:
            raise FormatError("not a list of entry names (HQD): no text", 0)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
        lines = [" ".join(line.split()) for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
        return cls(lines[0], tuple(lines[1:]))

    @classmethod
    def of_metadata(cls, data: bytes) -> EntryNames:
        """Of the community's JSON. Raises FormatError when it is none, or has no entries."""
        try:
            document = json.loads(data.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise FormatError(f"not a list of entry names (JSON): {error}", 0) from None
        entries = cast("dict[str, object]", document).get("entries") if isinstance(document, dict) else None
        if not isinstance(entries, list):
            raise FormatError("not a list of entry names (JSON): it has no entries", 0)
        return cls("", tuple(_description(entry) for entry in cast("list[object]", entries)))

    @classmethod
    def none(cls) -> EntryNames:
        return cls("", ())

    def __getitem__(self, entry: int) -> str:
        return self.names[entry] if 0 <= entry < len(self.names) else ""

    @property
    def by_entry(self) -> dict[int, str]:
        return {entry: name for entry, name in enumerate(self.names) if name}


def _read(path: Path) -> EntryNames:
    data = read_file(path)
    return EntryNames.of_metadata(data) if path.suffix.lower() == ".json" else EntryNames.parse(data)


def _description(entry: object) -> str:
    """Of an entry of the metadata; "" for a blank."""
    text = cast("dict[str, object]", entry).get("description") if isinstance(entry, dict) else None
    return " ".join(text.split()) if isinstance(text, str) else ""


def _called(archive: str | Path, *games: str) -> tuple[str, ...]:
    """What lists of an archive's entries are called."""
    stem = Path(archive).stem
    return (f"{stem}.hqd", *(f"{stem}{game}.hqd" for game in games), f"{Path(archive).name}.json", f"{stem}.json")


def list_in(folder: str | Path, archive: str | Path) -> str:
    """The list of an archive's entries in another folder, "" where there is none, or the archive has one beside it."""
    names = _called(archive, "1", "2")
    if any(find_beside(archive, name) is not None for name in names):
        return ""
    return next((str(path) for name in names if (path := find_beside(Path(folder) / "names", name)) is not None), "")


def names_for(archive: str | Path, game: Variant | None = None, given: str = "") -> EntryNames:
    """Those of the file `given`, which must be readable; else those beside an archive: ANIM.HQD, or ANIM1.HQD or ANIM2.HQD by the game
    (LBA1 where it is not known), as the editor calls them, or ANIM.HQR.json or ANIM.json."""
    if given:
        with reading(given):
            return _read(Path(given))
    for name in _called(archive, "2" if game is LBA2 else "1"):
        path = find_beside(archive, name)
        if path is not None:
            try:
                names = _read(path)
            except FormatError as error:
                log.warning(f"{path}: {error.problem}")
                continue
            log.info(f"names of the entries: {path}")
            return names
    return EntryNames.none()
