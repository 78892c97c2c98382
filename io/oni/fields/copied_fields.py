"""A new animation with the fields of another one: type, states, attacks, sounds and all else that is no motion."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import unquote

import bpy

from ....core import formats, looking
from ....core.files import address as addresses
from ....core.oni.field_values import details_of
from ....core.oni.files.level import Level
from ....core.oni.files.library import Library
from ....core.oni.files.onifile import OniFile
from ....core.oni.posing import animation_of
from ....core.oni.records.oban import Oban
from ....core.oni.records.tram import Tram
from ....core.reporting import log
from ....core.reporting.errors import FormatError
from ...blender import armature, source_data
from . import markers, properties

_OPENED = (".oni", ".dat")
"""What animations are copied from."""


def describe(action: bpy.types.Action, obj: bpy.types.Object | None, path: str = "", like: str = "") -> Tram | Oban:
    """Give an action the properties of an animation of the game, those of `like` in a file, or of the file's first, besides the motion and
    what follows from it; without a path none is set. obj: what moves: an armature has a TRAM, anything else an OBAN. Raises FormatError."""
    is_character = obj is not None and obj.type == "ARMATURE"
    name = properties.instance_name(action.name, "TRAM" if is_character else "OBAN")
    record = _like(path, like, name, is_character) if path else Tram.new(name, 1) if is_character else Oban.new(name)
    properties.fill(action, record)
    markers.update(action)
    return record


def _like(path: str, like: str, name: str, is_character: bool) -> Tram | Oban:
    address = holding(path, like)
    document = formats.open_file(address).document
    try:
        other = animation_of(document)
    except FormatError as error:
        others = not like and animations(path, "TRAM" if is_character else "OBAN")
        hint = ": choose one in Like, which lists those beside it" if others else ""
        raise FormatError(f"{error.problem}{hint}", path=address) from None
    if isinstance(other, Tram) is not is_character:
        raise FormatError(f"{other.name} is of {'an object' if is_character else 'a character'}", path=address)
    if isinstance(other, Oban):
        return replace(Oban.new(name), flags=other.flags, ticks=other.ticks, half_stop=other.half_stop)
    new = Tram.new(name, 1, other.bone_count)
    taken = details_of(other)
    log.info(f"{name} has the fields of {other.name}: {sum(map(len, taken.lists.values())) - len(taken.lists.get('extents', []))} events")
    follows = {field: getattr(new, field) for field in ("reach", "min_y", "max_y", "attack_ring", "first_extent", "max_extent", "extents")}
    return replace(other, name=name, **follows)


def likely_file(action: bpy.types.Action | None, obj: bpy.types.Object | None, tag: str = "") -> str:
    """Where animations to choose from are: the level beside what the action or the body came from, else that file; "" for none.

    tag: of what else is wanted, whose .oni goes first where one is beside them."""
    body = armature.data_of(obj).get(properties.BODY) if obj is not None and obj.type == "ARMATURE" else None
    paths = [source_data.path_of(action) if action is not None else "", addresses.split(body)[0] if isinstance(body, str) else ""]
    beside = (str(each.path) for path in filter(None, paths) for each in Library().beside(path, tag)) if tag else iter(())
    if (first := next(beside, "")) != "":
        return first
    for path in filter(None, paths):
        levels = Library().levels(path)
        if levels:
            return str(levels[0])
    return next((path for path in paths if path.lower().endswith(_OPENED) and looking.is_file(path)), "")  # not another game's


def animations(path: str, tag: str) -> list[str]:
    """The names of a file's animations of a kind; none of what cannot be read. A .oni stands beside others: those of its folder, too."""
    library = Library()
    try:
        file = library.open(path)
    except FormatError:
        return []
    beside = [] if isinstance(file, Level) else [unquote(each.stem) for each in library.called(path, tag)]
    return sorted({*_own(file, tag), *beside})


def holding(path: str, name: str) -> str:
    """FILE or FILE#ENTRY of the animation that is meant; without a name, of the file's first. Of a .oni that has none of that name, the
    file that `animations` lists beside it. Raises FormatError."""
    library = Library()
    if not name or not path.lower().endswith(".oni") or name in _own(library.open(path)):
        return f"{path}#{name}" if name else path
    beside = (each for each in library.called(path, "") if unquote(each.stem).lower() == name.lower())
    return str(next(beside, f"{path}#{name}"))


def _own(file: OniFile | Level, tag: str = "") -> set[str]:
    """The names of the instances of a kind, or of all, that are in a file itself, and not in another one to which it links."""
    named = (index for index in range(len(file)) if not file.blank(index) and tag in ("", file.tag(index)))
    return {file.name(index) for index in named} - {""}
