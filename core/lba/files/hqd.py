"""HQD, the text files of LBA Package Editor with the names of an archive's entries: a title, then a line for each entry."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...files.disk import read_file
from ...files.letter_case import find_beside
from ...reporting import log
from ...reporting.errors import FormatError, reading
from .variant import LBA2, Variant

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
        lines = [" ".join(line.split()) for line in text.replace("\r\n", "\n").split("\n")]
        return cls(lines[0], tuple(lines[1:]))

    @classmethod
    def none(cls) -> EntryNames:
        return cls("", ())

    def __getitem__(self, entry: int) -> str:
        return self.names[entry] if 0 <= entry < len(self.names) else ""

    @property
    def by_entry(self) -> dict[int, str]:
        return {entry: name for entry, name in enumerate(self.names) if name}


def names_for(archive: str | Path, game: Variant | None = None, given: str = "") -> EntryNames:
    """Those of the file `given`, which must be readable; else those beside an archive: ANIM.HQD, or ANIM1.HQD or ANIM2.HQD by the game
    (LBA1 where it is not known), as the editor calls them."""
    if given:
        with reading(given):
            return EntryNames.parse(read_file(given))
    stem = Path(archive).stem
    for name in (f"{stem}.hqd", f"{stem}{2 if game is LBA2 else 1}.hqd"):
        path = find_beside(archive, name)
        if path is not None:
            try:
                names = EntryNames.parse(read_file(path))
            except FormatError as error:
                log.warning(f"{path}: {error.problem}")
                continue
            log.info(f"names of the entries: {path}")
            return names
    return EntryNames.none()
