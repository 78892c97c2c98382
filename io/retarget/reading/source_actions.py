"""Which actions of a source are retargeted, and which of their slots."""

from __future__ import annotations

import itertools
from collections.abc import Container, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import bpy

from ....core.reporting.errors import RetroAnimError
from ....core.reporting.labels import natural
from ...blender import armature, compat, identity, temporary_state
from ...blender.motion import fcurves, strips
from ..target_cache import Known


def by_name() -> dict[str, bpy.types.Action]:
    """All actions by their names. Those that are linked from other files may have the name of another: then they are meant by their full
    names alone, `walk [library.blend]`."""
    linked_last = sorted(bpy.data.actions, key=lambda action: action.library is not None)
    names = {action.name: action for action in reversed(linked_last)}
    return names | {action.name_full: action for action in linked_last}


def name_of(action: bpy.types.Action, known: Mapping[str, bpy.types.Action]) -> str:
    """By which an action is meant. known: of `by_name`."""
    return action.name if known[action.name] == action else action.name_full


def chosen_actions(source: bpy.types.Object, names: tuple[str, ...]) -> list[bpy.types.Action]:
    """By name, else the present one."""
    if names:
        known = by_name()
        missing = [name for name in names if name not in known]
        if missing:
            raise RetroAnimError(f"there is no action {', '.join(missing)}")
        return [known[name] for name in names]
    data = source.animation_data
    if not data or data.action is None:
        if identity.comes_staged(source):
            raise RetroAnimError(temporary_state.came_staged(source))
        has_strips = data is not None and any(track.strips for track in data.nla_tracks)
        remedy = ": choose one, or retarget with NLA as One Clip what its strips show" if has_strips else ""
        raise RetroAnimError(f"{source.name} has no active action{remedy}")
    return [data.action]


def actions_of(source: bpy.types.Object, known: Known | None = None) -> list[bpy.types.Action]:
    """The present action and all others that move bones of the armature. known: of the armature."""
    known = known or Known(source)
    names = {bone.name for bone in armature.pose_bones(source)}
    data = source.animation_data
    result = [data.action] if data and data.action else []
    result += [action for action in _own(source) if action not in result and _fits(known.moved(action).bones, names)]
    return result


def clip_names(source: bpy.types.Object) -> list[str]:
    """The names of all clips: of actions, and of further slots of actions, each behind its action."""
    names = {bone.name for bone in armature.pose_bones(source)}
    whole = actions_of(source)
    every = [*whole, *(action for action in _own(source) if action not in whole)] if compat.SLOTTED else whole
    slots = _slots(source, names) if compat.SLOTTED else {}
    known = by_name()
    result: list[str] = []
    for action in every:
        result += [name_of(action, known)] if action in whole else []
        result += [name for name, (owner, _) in slots.items() if owner == action]
    return result


def played(obj: bpy.types.Object) -> set[bpy.types.Action]:
    """The actions that an object plays: its present one, and those of its strips, also inside meta strips."""
    return set(strips.actions_of(obj.animation_data))


@contextmanager
def slots_as_actions(source: bpy.types.Object, names: Sequence[str]) -> Generator[None]:
    """Inside, further slots that are meant by their names as clips are actions of these names."""
    missing = set(names) - by_name().keys() if compat.SLOTTED else set[str]()
    bones = {bone.name for bone in armature.pose_bones(source)}
    created: list[str] = []
    try:
        slots = _slots(source, bones) if missing else {}  # all of them, before one of their names is an action's
        created += [_of_slot(*slots[name], name) for name in slots.keys() & missing]
        yield
    finally:
        bpy.data.batch_remove([action for name in created if (action := bpy.data.actions.get(name)) is not None])


def _own(source: bpy.types.Object) -> list[bpy.types.Action]:
    """All actions but those that are another armature's, in the order of their names."""
    figure = source.data.get(identity.RIG) if source.data else None
    result: list[bpy.types.Action] = []
    for action in sorted(bpy.data.actions, key=lambda action: natural(action.name)):
        owner = action.get(identity.RETARGETED, source.name)
        another = isinstance(owner, str) and owner != source.name and owner in bpy.data.objects  # else it was renamed
        if not another and action.get(identity.RIG, figure) == figure:
            result.append(action)
    return result


def _fits(moved: set[str], names: set[str]) -> bool:
    """Whether most of the bones that are moved are among the names."""
    return bool(moved) and len(moved & names) > 0.5 * len(moved)


def _slots(source: bpy.types.Object, bones: set[str]) -> dict[str, tuple[bpy.types.Action, Any]]:
    """Slots of actions beside those that the armature uses or would use, by their names as clips, as an export has them: those that move
    bones of it and that no other object uses. Where an action or another slot has that name, a number is behind it."""
    result: dict[str, tuple[bpy.types.Action, Any]] = {}
    for action in _own(source):
        for slot in compat.further_slots(action, source):
            channels = (fcurves.channel_of(curve) for curve in compat.curves_in(action, slot))
            if _fits({channel.bone for channel in channels if channel is not None and channel.bone}, bones):
                result[_free(f"{action.name} {slot.name_display}", result)] = action, slot
    return result


def _free(name: str, others: Container[str]) -> str:
    """A name for a clip that neither an action nor one of the others has."""
    every = itertools.chain([""], (f" ({number})" for number in itertools.count(2)))
    names = (f"{name[: compat.NAME_LIMIT - len(end)]}{end}" for end in every)
    return next(each for each in names if each not in bpy.data.actions and each not in others)


def _of_slot(action: bpy.types.Action, slot: Any, name: str) -> str:
    """A slot as an action of its own, with the slots for what is no object beside it. Returns its name."""
    clip: Any = action.copy()
    clip.name = name
    for other in compat.moving_slots(clip):
        if other.handle != slot.handle:
            clip.slots.remove(other)
    return str(clip.name)
