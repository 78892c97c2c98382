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
    pages = companions.contents(path)
    lines = {"files": [Line(str(index), label, title=label, kind=PurePosixPath(label).suffix.lower()) for index, label in pages["files"]]}
    return {"characters": [_character(path, index, name) for index, name in pages["characters"]], **lines}


def _character(path: str, index: int, name: str) -> Line:
    """With the number of its animations, as far as its lists can be read; what is wrong with them the import says."""
    try:
        with log.collect():
            gathered = companions.gather(f"{path}#{index}")
    except RetroAnimError:
        return Line(str(index), name, title=name)
    return Line(str(index), name, title=name, kind=counted(len(gathered.models), "model"), clips=len(gathered.clips))
