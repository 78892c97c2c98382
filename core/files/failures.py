"""What is wrong with many entries of an archive, or in many places of a file, as a person can take it in: what is alike in one line."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..reporting.labels import first_few
from . import address

MOST = 5
"""Entries or faults of a file that are alike and have a line each."""

_NUMBER = re.compile(r"0x[0-9A-Fa-f]+|\d+")


def lines(failures: Iterable[tuple[str, str]], details: str = "") -> list[str]:
    """A line for each of these, FILE or FILE#ENTRY and what is wrong with it, in their order; but one for what is said more than `MOST`
    times of a file's entries, or of one of them, but for numbers. It has how many they are, the first of them, and what is said of that
    one. details: where all of them are listed."""
    groups: dict[tuple[str, bool, str], dict[str, list[str]]] = {}
    for where, problem in failures:
        file, entry = address.split(where)
        groups.setdefault((file, bool(entry), _NUMBER.sub("#", problem)), {}).setdefault(where, []).append(problem)
    said: list[str] = []
    listed = f"; {details}" if details else ""
    for (file, _, _), alike in groups.items():
        if len(alike) > MOST:
            entries, (first, *_) = [where.removeprefix(f"{file}#") for where in alike], next(iter(alike.values()))
            said.append(f"{file}: {len(entries)} entries with the same fault ({first_few(entries)}{listed}), the first: {first}")
            continue
        for where, problems in alike.items():
            many = len(problems) > MOST
            said += (
                [f"{where}: {problems[0]} (one of {len(problems)} alike{listed})"] if many else [f"{where}: {each}" for each in problems]
            )
    return said
