"""FILE#ENTRY, and which entries of an archive are meant by "1", "0-5,9", names and wildcards."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterable

from ..reporting import log
from ..reporting.errors import RetroAnimError
from ..reporting.labels import rather


class UnknownEntryError(RetroAnimError):
    """A name that no entry has."""


def split(address: str) -> tuple[str, str]:
    """The path and the entry of FILE#ENTRY; no entry where there is none. A path that exists as it stands wins over this reading."""
    path, mark, entry = address.rpartition("#")
    if not mark or os.path.exists(address):  # noqa: PTH110 - a Path takes longer to make, and every entry asks
        return address, ""
    return path, entry


def select(wanted: str, count: int, names: dict[int, str] | None = None) -> list[int]:
    """The entries meant by `wanted`, in the order asked for, each once; all of them where it is empty.

    names: the entries' own names, if they have any; one with commas or spaces in it stands alone, or between semicolons, one with
    semicolons alone. A range may go beyond the last entry, which is reported in the log. Raises RetroAnimError for an item that means none,
    UnknownEntryError for a name.
    """
    if not wanted.strip():
        return list(range(count))
    named = _by_name(names or {})
    chosen: dict[int, None] = {}
    for part in [wanted] if _named(wanted.strip(), named) else wanted.split(";"):
        own = _named(part.strip(), named)
        items = [] if own else [item for item in re.split(r"[,\s]+", part) if item]
        by_name = {item: _named(item, named) for item in items}
        unknown = [item for item, meant in by_name.items() if not meant and not re.fullmatch(r"\*|[\d-]+", item)]
        if unknown:
            name = part.strip() if len(unknown) == len(by_name) else unknown[0]
            raise UnknownEntryError(f"no entry is called {name}" + (f": {rather(name, list((names or {}).values()))}" if named else ""))
        chosen.update(dict.fromkeys([*own, *(index for item in items for index in by_name[item] or _entries(item, count))]))
    return list(chosen)


def spelled(indices: Iterable[int]) -> str:
    """Entries as `select` takes them: 1, 3-5. indices: from the first to the last."""
    spans: list[list[int]] = []
    for index in indices:
        if spans and index == spans[-1][-1] + 1:
            spans[-1] = [spans[-1][0], index]
        else:
            spans.append([index])
    return ",".join("-".join(map(str, span)) for span in spans)


def _by_name(names: dict[int, str]) -> dict[str, list[int]]:
    """The entries of each name, in small letters."""
    result: dict[str, list[int]] = {}
    for index, name in names.items():
        if name:
            result.setdefault(name.lower(), []).append(index)
    return result


def _named(pattern: str, named: dict[str, list[int]]) -> list[int]:
    """Those of just this name; else those that it means with its wildcards, which may be letters of names, too; or those whose names begin
    with it and a colon, as a character's clips do."""
    wanted = pattern.lower()
    if wanted in named or re.fullmatch(r"[\d-]+", wanted):
        return named.get(wanted, [])
    if not re.search(r"[*?[]", wanted):
        return sorted(index for name, indices in named.items() if name.startswith(f"{wanted}: ") for index in indices)
    return sorted(index for name, indices in named.items() if fnmatch.fnmatchcase(name, wanted) for index in indices)


def _entries(item: str, count: int) -> list[int]:
    """Those of a number, of a range, or of "*", which is all."""
    if item == "*":
        return list(range(count))
    match = re.fullmatch(r"(\d{1,18})(?:-(\d{1,18}))?", item)
    if not match:
        raise RetroAnimError(f"no entry is called {item}")
    first = int(match[1])
    last = int(match[2] or first)
    if first >= count or last < first:
        raise RetroAnimError(f"there is no entry {item}; the archive has {count}, counted from 0")
    if last >= count:
        log.warning(f"entries {item}: the archive has {count}, counted from 0, and those from {first} to {count - 1} are meant")
    return list(range(first, min(last, count - 1) + 1))
