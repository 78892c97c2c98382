"""What lists call clips: they are narrow, and all clips of a character begin with its name."""

import re

import bpy

from ...io.blender import identity


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
