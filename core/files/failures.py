"""What is wrong with many entries of an archive, as a person can take it in: where they fail alike, in one line."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..reporting.labels import first_few
from . import address

MOST = 5
"""Entries of a file that fail alike and have a line each."""

_NUMBER = re.compile(r"0x[0-9A-Fa-f]+|\d+")


def lines(failures: Iterable[tuple[str, str]], details: str = "") -> list[str]:
    """A line for each of these, FILE or FILE#ENTRY and what is wrong with it, in their order; but one for all entries of a file that are
    more than `MOST`, and of which the same is said but for numbers. It has how many they are, the first of them, and what is said of that
    one. details: where all of them are listed."""
    groups: dict[tuple[str, bool, str], list[tuple[str, str]]] = {}
    for where, problem in failures:
        file, entry = address.split(where)
        groups.setdefault((file, bool(entry), _NUMBER.sub("#", problem)), []).append((entry, problem))
    said: list[str] = []
    for (file, of_entries, _), alike in groups.items():
        if of_entries and len(alike) > MOST:
            listed = f"{first_few([entry for entry, _ in alike])}{f'; {details}' if details else ''}"
            said.append(f"{file}: {len(alike)} entries with the same fault ({listed}), the first: {alike[0][1]}")
        else:
            said += (f"{file}#{entry}: {problem}" if entry else f"{file}: {problem}" for entry, problem in alike)
    return said
