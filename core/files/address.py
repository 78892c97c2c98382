"""FILE#ENTRY, and which entries of an archive are meant by "1", "0-5,9", names and wildcards."""

from __future__ import annotations

import fnmatch
import os
import re

from ..reporting.errors import RetroAnimError


def split(address: str) -> tuple[str, str]:
    """The path and the entry of FILE#ENTRY; no entry where there is none. A path that exists as it stands wins over this reading."""
    path, mark, entry = address.rpartition("#")
    if not mark or os.path.exists(address):  # noqa: PTH110 - a Path takes longer to make, and every entry asks
        return address, ""
    return path, entry


def select(wanted: str, count: int, names: dict[int, str] | None = None) -> list[int]:
    """The entries meant by `wanted`, in the order asked for, each once; all of them where it is empty.

    names: the entries' own names, if they have any; one with commas or spaces in it stands alone, or between semicolons. Raises
    RetroAnimError for an item that means none.
    """
    chosen: dict[int, None] = {}
    for part in wanted.split(";"):
        named = _named(part.strip(), names or {})
        chosen.update(dict.fromkeys(named))
        for item in re.split(r"[,\s]+", part.strip()) if not named else ():
            if item:
                chosen.update(dict.fromkeys(_entries(item, count, names or {})))
    return list(chosen) if wanted.strip() else list(range(count))


def _named(pattern: str, names: dict[int, str]) -> list[int]:
    return [index for index, name in names.items() if name and fnmatch.fnmatchcase(name.lower(), pattern.lower())]


def _entries(item: str, count: int, names: dict[int, str]) -> list[int]:
    by_name = _named(item, names)
    if by_name:
        return by_name
    if item == "*":
        return list(range(count))
    match = re.fullmatch(r"(\d{1,18})(?:-(\d{1,18}))?", item)
    if not match:
        raise RetroAnimError(f"no entry is called {item}")
    first = int(match[1])
    last = int(match[2] or first)
    if first >= count or last < first:
        raise RetroAnimError(f"there is no entry {item}; the archive has {count}, counted from 0")
    return list(range(first, min(last, count - 1) + 1))
