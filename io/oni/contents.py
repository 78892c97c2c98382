"""What a level, or a file of several instances, has to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import formats
from ...core.oni.game import GAME
from ...core.reporting.errors import FormatError
from ..pipeline.contents import Contents, Line
from .plan import BODY_TAGS

_PAGE_OF = {"TRAM": "characters", "OBAN": "objects", **dict.fromkeys(BODY_TAGS, "bodies")}


def contents(path: str, _options: Mapping[str, Any]) -> Contents:
    """Raises FormatError for what is no archive."""
    opened = formats.open_file(path)
    if (opened.format.game, opened.format.kind) != (GAME.id, "archive"):
        raise FormatError("no level, and no file of several instances", path=path)
    archive: Any = opened.document
    result: Contents = {"characters": [], "objects": [], "bodies": []}
    for index in range(len(archive)):
        page = _PAGE_OF.get(archive.tag(index))
        if page and not archive.blank(index) and archive.name(index):
            result[page].append(Line(str(index), archive.name(index)))
    return result
