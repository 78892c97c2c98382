"""What the list of clips says of each, as short as it can be said: the list is narrow."""

import re
from pathlib import Path
from typing import Any

import bpy

from ...io.blender import identity
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


def short_name(action: bpy.types.Action, obj: bpy.types.Object | None) -> str:
    """Without the name of its character, with which it begins, or ends where it was retargeted onto it, and without what all clips of its
    game begin with: the list is narrow. The name of the one that it was retargeted from comes last, since all of its clips share it."""
    name, own, game = action.name, obj.name if obj is not None else "", identity.game_of(action)
    for prefix in game.prefixes if game is not None else ():
        name = name.removeprefix(prefix) or name
    numbered = [(name[:-4], name[-4:])] if _NUMBER.search(name) else []
    for stem, number in [(name, ""), *numbered]:  # the number may be the character's own
        if own and len(stem) > len(bare := stem.removesuffix(f" on {own}")) > 0:
            name = f"{_with_source_last(bare)}{number}"
            break
    bare = _of_fbx(name)
    short = without(bare, own)
    if short == bare:  # of a character that came in twice: its clips begin with the name that it would have alone
        short = without(bare, _NUMBER.sub("", own))
    return _ROLE.sub("anim. ", short)


def _with_source_last(name: str) -> str:
    """Of a retargeted clip, whose name begins with that of its source."""
    sources = [obj.name for obj in bpy.data.objects if obj.type == "ARMATURE" and without(name, obj.name) != name]
    source = max(sources, key=len, default="")
    return f"{without(name, source)} of {source}" if source else name


_ROLE = re.compile(r"\banimation (?=\d)")
"""Before the number of a use that has no name: the list would cut the number off, by which alone they differ."""

_NUMBER = re.compile(r"\.\d{3}$")
"""Blender's own, behind a name that there is already."""


def _of_fbx(name: str) -> str:
    """The name of a clip without the objects that Blender's importer and exporter of FBX put before it: `Hero|Hero|Walk`."""
    owner, _, rest = name.partition("|")
    return _of_fbx(rest) if rest and owner in bpy.data.objects else name


def without(name: str, own: str) -> str:
    """The name of a clip without that of its character, with which it begins."""
    behind = name.removeprefix(own) if own and name[len(own) :][:1] in tuple(" _-.") else ""
    return name if _NUMBER.fullmatch(behind) else behind.lstrip(" _-.") or name


def frames(action: bpy.types.Action) -> int:
    """That are shown, before it repeats: the last one of a loop is its first one again."""
    start, end = action.frame_range
    return max(round(end - start) + (not action.use_cyclic), 0)
