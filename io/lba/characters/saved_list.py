"""A saved character in the game's list of characters: its body, which clip has which role, and what clips let the game do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import bpy

from ....core.lba.characters import characters, edit
from ....core.lba.files.actions import Action, is_event
from ....core.lba.files.file3d import ANIMATION, Entity
from ....core.lba.game import SaveOptions
from ....core.reporting import log
from ....core.reporting.errors import FormatError
from ...blender import armature
from ..build import ENTITY
from . import roles, users
from .users import NEW


class Clips(NamedTuple):
    """actions: in their order. numbers: by the name of each its entry. events: what it lets the game do, None where nobody has said."""

    actions: Sequence[bpy.types.Action]
    numbers: dict[str, int]
    events: dict[str, list[Action] | None]


class Listed(NamedTuple):
    """path, data: the file with the list of characters as it will be. roles: by the number of each character those of its clips, by their
    names."""

    path: Path
    data: bytes
    roles: dict[int, dict[str, list[int]]]


def listed(obj: bpy.types.Object, folder: Path, options: SaveOptions, body: int, clips: Clips) -> Listed:
    """The list of characters with those of this armature. folder: of the game's archives. body: its entry."""
    source = users.entities_beside(str(folder / "BODY.HQR"))
    table = characters.of_file(source)
    wanted: list[edit.Wanted] = []
    assigned: list[dict[str, list[int]]] = []
    for came, own in _by_character(obj, options.entity, options.like, clips.actions):
        change, its_roles = _entity(table, came, options, body, clips._replace(actions=own))
        wanted.append(change)
        assigned.append(its_roles)
    path, whole, indices = edit.with_changes(source, wanted)
    given: dict[int, dict[str, list[int]]] = {}
    for index, each in zip(indices, assigned, strict=True):
        given.setdefault(index, {}).update(each)
    return Listed(path, whole, given)


def _by_character(
    obj: bpy.types.Object, entity: int, like: int, chosen: Sequence[bpy.types.Action]
) -> list[tuple[object, list[bpy.types.Action]]]:
    """The clips of each character that the armature is, with its number as it came in, if that is known. Where several share the body,
    what is new is that one's as which the armature came in, else whose clip is shown. entity, like: as they are asked for, NEW for none."""
    data = armature.data_of(obj)
    shared: dict[int, list[bpy.types.Action]] = {}
    for action in chosen:
        if (own := _number(action)) is not None:
            shared.setdefault(own, []).append(action)
    if len(shared) < 2 or like != NEW or (entity != NEW and entity not in shared):
        return [(next(iter(shared), data.get(ENTITY)), list(chosen))]
    shown = obj.animation_data.action if obj.animation_data else None
    likely = (entity, data.get(ENTITY), _number(shown) if shown is not None else None)
    number = next((each for each in likely if each in shared), min(shared))
    new = [action for action in chosen if _number(action) is None]
    if new:
        names = ", ".join(action.name for action in new)
        log.warning(f"{names}: new, and goes to character {number}; {len(shared)} share this armature: choose another one as Character")
        shared[number] += new
    if entity != NEW:
        others = ", ".join(map(str, sorted(set(shared) - {entity})))
        log.info(f"the clips of character {others}, on the same armature, are written, and what they are used for stays")
        return [(entity, shared[entity])]
    return list(shared.items())


def _number(action: bpy.types.Action) -> int | None:
    """The number of the character that a clip came in with, if nobody has spoiled that."""
    number = action.get(ENTITY)
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _entity(
    table: characters.Characters, came: object, options: SaveOptions, body: int, clips: Clips
) -> tuple[edit.Wanted, dict[str, list[int]]]:
    """What becomes of one character, and the roles of its clips. came: its number when it came in, if that is known."""
    chosen, numbers, events = clips
    used = {(role, numbers[action.name]) for action in chosen for role in roles.asked(action)}
    index = options.entity if options.entity != NEW else _wearer(table, body, used, came)
    known = table.entity(index if index != NEW else options.like) if index != NEW or options.like != NEW else None
    steps = [] if known is not None and body in known.bodies else [edit.wear(min(known.bodies.get(body, [0])) if known else 0, body)]
    records = [(record.role, record.index) for record in known.records if record.op == ANIMATION] if known is not None else []
    assigned = roles.assigned(chosen, numbers, records)
    for action in chosen:
        number, own = numbers[action.name], events[action.name]
        gained = [role for role in assigned[action.name] if (role, number) not in records]
        with log.about(action.name):
            for role in gained if own is None else ():
                _report_left(known, role)
        steps += [edit.use(role, number) for role in gained]
        if own is not None and assigned[action.name]:
            steps.append(edit.with_actions(number, own))
    return edit.Wanted(None if index == NEW else index, steps, None if options.like == NEW else options.like), assigned


def _report_left(known: Entity | None, role: int) -> None:
    """A clip that takes the role of another one, and has no events of its own, has those."""
    if known is None:
        return
    before = next((record for record in known.records if (record.op, record.role) == (ANIMATION, role)), None)
    left = [event.text for event in known.actions_of(before.index) if is_event(event.title)] if before is not None else []
    if left:
        log.warning(f"it keeps the events of the animation whose role it takes, at their keyframes: {'; '.join(left)}; markers change that")


def _wearer(table: characters.Characters, body: int, used: set[tuple[int, int]], came: object) -> int:
    """The character that has a body, NEW for none. Of several, such as the moods of a hero, the one as which it came in; else the one that
    uses most of the clips as they are used, and the fewest others; the first where none uses any. used: (role, entry). came: what the
    armature says, its number if nobody has spoiled that."""
    wearers: dict[int, tuple[int, int]] = {}
    for index in range(len(table)):
        try:
            entity = None if table.blank(index) else table.entity(index)
        except FormatError:  # of another character
            continue
        if entity is not None and body in entity.bodies:
            own = {(record.role, record.index) for record in entity.records if record.op == ANIMATION}
            common = len(own & used)
            wearers[index] = (common, -len(own) if common else 0)
    if isinstance(came, int) and not isinstance(came, bool) and came in wearers:
        return came
    return max(wearers, key=lambda index: wearers[index], default=NEW)
