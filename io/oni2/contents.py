"""What RB.DAT has to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from ...core.oni2.characters import companions
from ...core.reporting import log
from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import counted
from ..pipeline.contents import Contents, Line


def contents(path: str, _options: Mapping[str, Any]) -> Contents:
    """Raises FormatError for what is no archive."""
    pages, used = companions.contents(path), set[str]()
    characters = [_character(path, index, name, used) for index, name in pages["characters"]]
    return {"characters": characters, "files": [_file(path, index, label, used) for index, label in pages["files"]]}


def _file(path: str, index: int, label: str, used: set[str]) -> Line:
    kind = PurePosixPath(label).suffix.lower()
    return Line(str(index), label, title=label, kind=kind, unused=bool(used) and kind == ".anim" and f"{path}#{label}" not in used)


def _character(path: str, index: int, name: str, used: set[str]) -> Line:
    """With the number of its animations, as far as its lists can be read; what is wrong with them the import says.
    used: the addresses of all animations of characters, to which its own are added."""
    try:
        with log.collect():
            gathered = companions.gather(f"{path}#{index}")
    except RetroAnimError:
        return Line(str(index), name, title=name)
    used.update(address for address, _ in gathered.clips)
    return Line(str(index), name, title=name, kind=counted(len(gathered.models), "model"), clips=len(gathered.clips))
