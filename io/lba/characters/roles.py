"""What the clips of a character are used for: by their field *Used For*, else by their names."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import bpy

from ....core.lba.files.file3d import ROLES, role_name
from ....core.reporting import log
from ....core.reporting.errors import ExportError
from ...blender import identity

FIELD = "lba_roles"
UNUSED = "not used"
"""In the field: of a clip whose role another one has now."""

_NUMBERED = "animation "


def assigned(chosen: Sequence[bpy.types.Action], numbers: dict[str, int], records: Sequence[tuple[int, int]]) -> dict[str, list[int]]:
    """The roles of each clip, by its name. numbers: entries of the clips. records: (role, entry) that the character has.

    A clip has those that it is said to have, else those that its entry has, else the one that its name begins with, else a free number,
    which is reported. Where two want the same one, the clip that had it not yet gets it, which is reported.
    """
    entries = {index for _, index in records}
    held = [action for action in chosen if numbers[action.name] in entries]
    fresh = [action for action in chosen if action not in held]
    result = {action.name: _wanted(action) or _of_entry(numbers[action.name], records) for action in held}
    result |= {action.name: _wanted(action) or _by_name(action) for action in fresh}
    owners: dict[int, bpy.types.Action] = {}
    for action in held + fresh:
        gained = [role for role in result[action.name] if (role, numbers[action.name]) not in records]
        for role in gained:
            if (other := owners.get(role)) is None:
                owners[role] = action
            elif numbers[other.name] != numbers[action.name]:
                result[action.name].remove(role)
                log.warning(f"{action.name} is not used for {role_name(role)}, which {other.name} is; say another role in Used For")
    for action in chosen:
        for role in [role for role in result[action.name] if owners.get(role, action) is not action]:
            if numbers[owners[role].name] != numbers[action.name]:
                result[action.name].remove(role)
                log.warning(f"{owners[role].name} is used for {role_name(role)} instead of {action.name}")
    _report_kept(held, numbers, records, owners)
    taken = {role for roles in result.values() for role in roles} | {role for role, _ in records}
    for action in fresh:
        if not result[action.name] and not _said(action):
            role = next(number for number in range(max([*ROLES, *taken]) + 1, 1 << 16) if number not in taken)
            taken.add(role)
            result[action.name] = [role]
            log.warning(f"{action.name} has no role: the character uses it as {role_name(role)}; name another one in Used For")
    return result


def _report_kept(
    held: Sequence[bpy.types.Action], numbers: dict[str, int], records: Sequence[tuple[int, int]], owners: Collection[int]
) -> None:
    """The roles that the character keeps, though no clip of their entry says them any more. owners: roles that others have now."""
    for action in filter(_said, held):
        number = numbers[action.name]
        said = {role for other in held if numbers[other.name] == number for role in asked(other)}
        if kept := [role_name(role) for role in _of_entry(number, records) if role not in said and role not in owners]:
            those = ", ".join(kept)
            log.warning(f"{action.name}: the character goes on using it as {those}: Used For in the panel, with Remove, takes that away")


def asked(action: bpy.types.Action) -> list[int]:
    """The roles that a clip is said to have."""
    return [role for text in _said(action) if (role := _number(text)) is not None]


def parsed(text: str) -> list[int]:
    """The roles that a text says. Raises ExportError for what is none."""
    parts = _parts(text)
    known = [_number(part) for part in parts]
    if unknown := [part for part, number in zip(parts, known, strict=True) if number is None]:
        raise ExportError(_unknown(unknown))
    return [number for number in dict.fromkeys(known) if number is not None]


def suggested(action: bpy.types.Action) -> str:
    """The roles that its field, or else its name says, as text."""
    return ", ".join(map(role_name, asked(action) or _by_name(action)))


def keep(action: bpy.types.Action, roles: Sequence[int]) -> None:
    """In its field."""
    text = ", ".join(map(role_name, roles)) or UNUSED
    if sorted(asked(action)) != sorted(roles) or not _said(action):
        action[FIELD] = text


def _wanted(action: bpy.types.Action) -> list[int]:
    """As `asked`; what is no role is reported."""
    unknown = [text for text in _said(action) if text != UNUSED and _number(text) is None]
    if unknown:
        log.warning(f"{action.name}: {_unknown(unknown)}")
    return list(dict.fromkeys(asked(action)))


def _of_entry(number: int, records: Sequence[tuple[int, int]]) -> list[int]:
    return [role for role, index in records if index == number]


def _said(action: bpy.types.Action) -> list[str]:
    """What its field says, part by part; of a further slot or a part of an action nothing, since that is what the action is used for."""
    if identity.FURTHER in action:
        return []
    return _parts(str(action.get(FIELD, "")))


def _parts(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.lower().split(",") if part.strip()]


def _unknown(parts: Sequence[str]) -> str:
    return f"{', '.join(parts)} is no role: {', '.join(ROLES.values())}, or {_NUMBERED}70"


def _number(text: str) -> int | None:
    by_name = {name: number for number, name in ROLES.items()}
    number = text.removeprefix(_NUMBERED)
    return by_name.get(text, int(number) if number.isdecimal() else None)


def _by_name(action: bpy.types.Action) -> list[int]:
    """The role that its name begins with, or what follows the last bar of it: `Armature|Walk`."""
    if _said(action):
        return []
    name = " ".join(action.name.rpartition("|")[2].lower().replace("_", " ").split())
    meant = [number for number, text in sorted(ROLES.items(), key=lambda item: -len(item[1])) if name.startswith(text)]
    return meant[:1]
