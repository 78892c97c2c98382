"""What all of retargeting's window shares: how to retarget, who wants to know of changes, and the bones of the lines of the bone map."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import bpy

from ...core.reporting.errors import RetroAnimError
from ...core.retarget.options import Options, RetargetOptions
from ..shared.declared import groups, values

GROUPS = groups(Options, RetargetOptions)
"""As the panel shows them."""

NAMES = tuple(name for names in GROUPS.values() for name in names)

ALIGNMENT = ("align", "pose_frame", "reference", "source_pose", "target_pose")
"""Those that say in which poses both figures stand alike."""

ELSEWHERE = ("nla", *ALIGNMENT)
"""Options that other parts of the panel show than Options: which clips, and how both figures stand alike. No preset has them, as none has
the bone map: they are of two skeletons."""


def options_of(owner: Any, actions: tuple[str, ...]) -> RetargetOptions:
    """From the properties. actions: names of the source's actions."""
    return RetargetOptions(core=Options(**values(Options, owner)), actions=actions, **values(RetargetOptions, owner))


LISTENERS: list[Callable[[], None]] = []
"""Called after a change of the armatures, the table or the options."""


ENDING: list[Callable[[], None]] = []
"""Ends what runs in the view: the file is saved or another one opened, undo or redo."""


def changed(_settings: Any = None, _context: Any = None) -> None:
    """Tell whoever listens."""
    for listener in LISTENERS:
        listener()


def above(obj: bpy.types.Object) -> dict[str, str]:
    """By bone the one that it hangs on. Controls of a rig in layers (Rigify) hang on each other as the bones do that they move: their own
    parents help to move them, or are in another order."""
    from ...core.retarget.mapping.layers import layers_of
    from ...io.retarget.reading.read import figure_of

    result = {bone.name: bone.parent.name for bone in (obj.pose.bones if obj.pose else ()) if bone.parent is not None}
    layers = layers_of(figure_of(obj))
    if layers is not None:
        body = layers.controlled(layers.controls)
        result |= {name: body.names[parent] if parent >= 0 else "" for name, parent in zip(body.names, body.parents.tolist(), strict=True)}
    return result


def chain_of(known: Mapping[str, str], bone: str) -> list[str]:
    """From the uppermost bone down to this one, which hangs on it."""
    result = [bone]
    while (parent := known.get(result[0], "")) and parent not in result:
        result.insert(0, parent)
    return result


def path(obj: bpy.types.Object, start: str, end: str, known: Mapping[str, str] | None = None) -> list[str]:
    """The bones from one down to another. known: what `above` says. Raises RetroAnimError where they are not in one line."""
    bones: Any = obj.pose.bones if obj.pose else {}
    for name in (start, end):
        if name not in bones:
            raise RetroAnimError(f"{obj.name} has no bone {name}" if name else f"pick both ends of the chain in {obj.name}")
    result = chain_of(above(obj) if known is None else known, end)
    if start not in result:
        raise RetroAnimError(f"{end} does not hang on {start} in {obj.name}")
    return result[result.index(start) :]


def bones_of(line: Any, side: str) -> list[str]:
    """The bones of a line on one side, from the root outwards."""
    text = getattr(line, side)
    if not line.is_chain:
        return [text] if text else []
    from ...io.blender import fields

    return list(map(str, fields.listed(text)))


def roles_of(line: Any, side: str = "target") -> dict[str, str]:
    """By bone in a line on one side its role, of those that have one."""
    if not line.is_chain:
        return {bone: line.role for bone in bones_of(line, side) if line.role}
    known = kept_roles(line, side)
    return {bone: known[bone] for bone in bones_of(line, side) if bone in known}


def all_roles(lines: Iterable[Any], side: str) -> dict[str, str]:
    """Those of all lines; of a bone that several follow the first one."""
    return {bone: role for line in reversed(list(lines)) for bone, role in roles_of(line, side).items()}


def kept_roles(line: Any, side: str) -> dict[str, str]:
    """Those of a chain, also of bones that are not in it any more and may come back; none where they were spoiled."""
    from ...core.retarget.figures.maps import map_fields

    try:
        return map_fields.roles(json.loads(getattr(line, f"{side}_roles") or "{}"))
    except (ValueError, RecursionError):
        return {}


def in_two_lines(lines: Iterable[Any]) -> frozenset[str]:
    """Bones of the target that stand in more than one line of the table; lines without a source count for nothing."""
    return followed_twice((bones_of(line, "source"), bones_of(line, "target")) for line in lines)


def followed_twice(lines: Iterable[tuple[list[str], list[str]]]) -> frozenset[str]:
    """As `in_two_lines`, of the bones of each line's source and target."""
    counted = Counter(bone for source, target in lines if source for bone in target)
    return frozenset(bone for bone, number in counted.items() if number > 1)


def shown_as(bones: list[str], without: str = "", briefly: bool = False) -> str:
    """A bone's name, or a chain's: its ends. without: a prefix that is not shown. briefly: of a chain where a narrow table has no room for
    both ends, its first bone, and how many more there are."""
    if not bones:
        return ""
    first, more = bones[0].removeprefix(without), len(bones) - 1
    if not more:
        return first
    return f"{first} +{more}" if briefly else f"{first}…{bones[-1].removeprefix(without)}"


_SURE = 0.8
"""Lines of less confidence want a look."""


def wants_look(line: Any) -> bool:
    """Whether a line of the table, or a pair or a chain of the map, is doubtful."""
    return bool(line.note) or line.confidence < _SURE


def icon_of(line: Any, twice: Collection[str] = ()) -> str:
    """twice: bones of the target that stand in more than one line."""
    if not line.source or not line.target:
        return "QUESTION"
    return "ERROR" if wants_look(line) or (twice and not frozenset(bones_of(line, "target")).isdisjoint(twice)) else "CHECKMARK"
