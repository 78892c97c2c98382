"""What a file holds to choose from, as the list before an import shows it: each game's `contents` module fills the pages of its row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Line(NamedTuple):
    """key: what the page's option takes. chosen: whether it is ticked at first. name: of a character whose armature's name others may
    have, too."""

    key: str
    label: str
    chosen: bool = False
    name: str = ""


Contents = dict[str, list[Line]]
"""The lines by the name of their page."""


def numbered(lines: Iterable[tuple[int, str]]) -> list[Line]:
    """Lines of an archive's entries, as index and label."""
    return [Line(str(index), label) for index, label in lines]
