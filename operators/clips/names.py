"""What the list of clips says of each, as short as it can be said: the list is narrow."""

from pathlib import Path
from typing import Any

import bpy

from ..shared.layout import letters_in

_LETTERS = 8
"""Of a file's name in the list, of which fewer say nothing."""

_BESIDE = 187
"""Pixels of the panel's width that no name in the list has: margins, tick, mark, the buttons beside it and its scroll bar."""


def room(region: Any, name: str, frames: str) -> int:
    """Letters that the name of a clip and its number of frames leave a file's name, in a region; None is one of the usual width."""
    return letters_in(region, _BESIDE) - len(name) - len(frames) - 2


def goes_to(action: bpy.types.Action, letters: int) -> str:
    """Where a clip goes, as short as it can be said: its entry, or its file, whose ending is enough where nobody chose it. letters: that
    have room, before which the clip's name has."""
    from ...io.blender import source_data
    from ...io.pipeline.destination import targets

    path, entry = targets.home(action), targets.shown_entry(action)
    if entry:
        return f"#{entry}"
    file = Path(path)
    name = file.name if path != source_data.path_of(action) and file.stem != action.name else file.suffix
    if len(name) <= max(letters, len(file.suffix)):
        return name
    return f"{name[: letters - 1]}…" if letters >= _LETTERS else f"…{file.suffix[1:]}"


def frames(action: bpy.types.Action) -> int:
    """That are shown, before it repeats: the last one of a loop is its first one again."""
    start, end = action.frame_range
    return max(round(end - start) + (not action.use_cyclic), 0)
