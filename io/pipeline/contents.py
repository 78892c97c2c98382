"""What a file holds to choose from, as the list before an import shows it: each game's `contents` module fills the pages of its row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Line(NamedTuple):
    """key: what the page's option takes. label: all that is known of it in one text. chosen: whether it is ticked at first. name: of a
    character whose armature's name others may have, too.

    title, kind, clips, frames, seconds: the columns of the list, empty or 0 where they are not known. kind: a character's bodies, or what
    an entry is. frames, seconds: of one clip, of a character of all its clips. unused: of a clip that none of the characters has."""

    key: str
    label: str
    chosen: bool = False
    name: str = ""
    title: str = ""
    kind: str = ""
    clips: int = 0
    frames: int = 0
    seconds: float = 0.0
    unused: bool = False


Contents = dict[str, list[Line]]
"""The lines by the name of their page."""


def numbered(lines: Iterable[tuple[int, str]]) -> list[Line]:
    """Lines of an archive's entries, as index and label."""
    return [Line(str(index), label) for index, label in lines]
