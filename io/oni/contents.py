"""What a level, or a file of several instances, has to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import formats
from ...core.oni.enums import ANIMATION_TYPE
from ...core.oni.game import GAME
from ...core.oni.records.oban import Oban
from ...core.oni.records.record import PREFIX
from ...core.oni.records.tram import TAG as TRAM
from ...core.oni.records.tram import read_head
from ...core.reporting.errors import FormatError, RetroAnimError
from ..pipeline.contents import Contents, Line
from .plan import BODY_TAGS

RATE = GAME.rate or 60.0

_PAGE_OF = {TRAM: "characters", "OBAN": "objects", **dict.fromkeys(BODY_TAGS, "bodies")}


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
            result[page].append(_line(archive, index, page != "bodies"))
    return result


def _line(archive: Any, index: int, moves: bool) -> Line:
    """moves: whether it is an animation, which has a length."""
    name, tag = archive.name(index), archive.tag(index)
    kind, frames = _kind_and_frames(archive, index) if moves else ("", 0)
    title = name.removeprefix(tag) or name
    return Line(str(index), name, title=title, kind=kind or tag, clips=int(moves), frames=frames, seconds=frames / RATE)


def _kind_and_frames(archive: Any, index: int) -> tuple[str, int]:
    """What the game plays an animation for, "" for one of an object, and its frames, out of its record alone, since a level has thousands;
    nothing where it cannot be read."""
    try:
        body = archive.part(index)[PREFIX:]
        if archive.tag(index) != TRAM:
            return "", Oban.parse("", 0, body).length
        head = read_head(body)
    except RetroAnimError:
        return "", 0
    return ANIMATION_TYPE.name_of(int(head["type"])), int(head["frame_count"])
