"""Who uses an action's animation or an armature's body: the entities beside its archive, changed from Blender."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import bpy
import numpy as np

from ....core import looking
from ....core.files.letter_case import find_beside
from ....core.lba.characters import edit
from ....core.lba.characters.users import User, users_of
from ....core.lba.files.actions import LBA1, LBA2, Action, action_of, is_event, listed, of_list
from ....core.lba.files.anm import Anm
from ....core.lba.files.file3d import role_name
from ....core.lba.files.variant import LBA2 as SEQUEL
from ....core.lba.game import GAME, ExportOptions
from ....core.reporting import log
from ....core.reporting.errors import ExportError, Problem
from ...blender import source_data
from ...blender.source_data import Block
from ...pipeline.changes import Exported
from ...pipeline.destination import targets
from ..pack import pack_action
from . import roles

NEW = -1
"""Of an entity: one behind the last."""

_NEAR = 0.51
"""Frames within which a marker is at a keyframe."""

_LAST = 0xFF
"""The last keyframe that an event can be at."""


def entry_of(block: Block) -> tuple[str, int]:
    """The archive and the entry that a block is in. Raises ExportError for one that is in none."""
    path = targets.home(block)
    entry = targets.entry_for(block, path) if path else source_data.LOOSE
    is_archive = Path(path).suffix.lower() in GAME.holding("archive")  # of one that went into a file of its own the entry is where it was
    if entry == source_data.LOOSE or not is_archive or not looking.is_file(path):
        raise ExportError(f"{block.name} is in no archive yet: export it into ANIM.HQR or BODY.HQR first")
    return path, entry


def entities_beside(path: str) -> str:
    """The file with the entities beside an archive. Raises ExportError where there is none."""
    source = find_beside(path, "FILE3D.HQR") or find_beside(path, "RESS.HQR")
    if source is None:
        raise ExportError(f"{path}: neither FILE3D.HQR nor LBA2's RESS.HQR lies beside it")
    return str(source)


def users(action: Block) -> tuple[User, ...]:
    """Those of an action's animation; none where that is in no archive."""
    try:
        return users_of(*entry_of(action))
    except ExportError:
        return ()


def use(action: bpy.types.Action, entity: int, role: int, like: int = NEW) -> str:
    """An entity, or a new one, uses the animation for a role. like: what a new one is a copy of, NEW for an empty one."""
    return use_as([(action, role_name(role))], entity, like)


def use_as(wanted: Sequence[tuple[bpy.types.Action | None, str]], entity: int, like: int = NEW) -> str:
    """As `use`, of several actions of one archive in one step. wanted: each with its roles, "walk, animation 70"; those with none are left
    out. Raises RetroAnimError, with nothing written."""
    used = [(action, roles.parsed(text)) for action, text in wanted if action is not None and text.strip()]
    if not used:
        raise ExportError("no clip is used for anything: say what for, as in walk, or animation 70")
    stored = [entry_of(action) for action, _ in used]
    steps = [edit.use(role, entry) for (_, entry), (_, own) in zip(stored, used, strict=True) for role in own]
    where = _change(stored[0][0], entity, like, *steps)
    for action, own in used:
        names = [name for user in users(action) for name in user.roles]
        action[roles.FIELD] = ", ".join(dict.fromkeys([*names, *map(role_name, own)]))
    return where


def unused_of(exported: Exported) -> list[tuple[str, str]]:
    """Clips that have become new entries of an archive with a list of characters beside it, in which none has them; each with the roles
    that its field, or its name, suggests."""
    new = [bpy.data.actions.get(change.action) for change in exported.changes if change.state == "new" and not exported.dry]
    return [(action.name, roles.suggested(action)) for action in new if action is not None and _could_be_used(action)]


def _could_be_used(action: bpy.types.Action) -> bool:
    try:
        path, _ = entry_of(action)
        entities_beside(path)
    except ExportError:
        return False
    return not users(action)


def stop_using(action: bpy.types.Action, entity: int, role: int) -> str:
    where = _change(entry_of(action)[0], entity, NEW, edit.stop_using(role))
    roles.keep(action, [each for each in roles.asked(action) if each != role])
    return where


def wear(data: bpy.types.Armature, entity: int, role: int, like: int = NEW) -> str:
    """An entity, or a new one, has the body that an armature is."""
    path, entry = entry_of(data)
    return _change(path, entity, like, edit.wear(role, entry))


def take_off(data: bpy.types.Armature, entity: int, role: int) -> str:
    return _change(entry_of(data)[0], entity, NEW, edit.take_off(role))


def _change(path: str, entity: int, like: int, *steps: edit.Change) -> str:
    source = entities_beside(path)
    if entity == NEW:
        return f"{source}, entity {edit.add(source, *steps, like=None if like == NEW else like)}"
    return edit.change(source, entity, *steps)


def write_events(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, entity: int) -> str:
    """The markers of an action as what the game does at its keyframes, in an entity. Raises ExportError."""
    path, entry = entry_of(action)
    with log.collect():  # what an export of the clip would say, it says then
        packed = pack_action(context, obj, action, ExportOptions())
    events = events_of(action, packed.frames, packed.game is SEQUEL)
    where = edit.change(entities_beside(path), entity, edit.with_actions(entry, events))
    keep_events(action, events, len(packed.frames))
    return where


def events_before(action: bpy.types.Action, wide: bool) -> list[tuple[Action, bool]]:
    """What the game did at an action's keyframes when it came in, or was last written; each with whether it was at a keyframe that the
    animation does not have, where the game never gets to."""
    before = of_list(str(action.get("lba_events", "")), wide)
    count = _count_before(action) if targets.written(action) is None else None  # else it counts keyframes that are no more
    return [(event, never or (count is not None and event.frame >= count)) for event, never in before]


def _count_before(action: bpy.types.Action) -> int | None:
    """Of the keyframes that an action came in with; None for one that is no file's."""
    data = source_data.kept(action)
    return len(Anm.parse(data).frames) if data is not None else None


def keep_events(action: bpy.types.Action, events: Sequence[Action] | None, count: int) -> None:
    """Those are written now, in an animation of `count` keyframes; None where nothing was."""
    if events is not None:
        action["lba_events"] = listed(events, count)


def events_of(action: bpy.types.Action, frames: np.ndarray, wide: bool) -> list[Action]:
    """What the markers of an action are, at the keyframes where they stand. frames: (K,) of its keyframes.

    A marker has the numbers that its name says, else those of the event that it came in as. What the game never gets to has none, and
    stays behind the last keyframe, or is left out and reported where nothing can stand there. Raises ExportError for a marker that stands
    at no keyframe, or whose numbers nobody has said."""
    before = events_before(action, wide)
    left = {index: event for index, (event, _) in enumerate(before)}
    recounted = targets.written(action) is None and _count_before(action) != len(frames)  # its numbers say nothing of these keyframes
    came, stand = Counter(event.title for event, never in before if not never), Counter(marker.name for marker in action.pose_markers)
    result: list[tuple[int, int, Action]] = []
    moved: dict[tuple[int, str], int] = {}
    for order, marker in enumerate(sorted(action.pose_markers, key=lambda each: each.frame), len(before)):
        known = action_of(marker.name, 0, wide)
        if known is None and not is_event(marker.name):
            continue
        number = int(np.argmin(np.abs(frames - marker.frame)))
        if abs(frames[number] - marker.frame) > _NEAR:
            text = f"the marker {marker.name} at frame {marker.frame} is at no keyframe: move it to frame {frames[number]:g}"
            raise ExportError(Problem(text, frame=float(marker.frame)))
        alike = [index for index, event in left.items() if event.title == marker.name]
        if alike:
            in_order = recounted and came[marker.name] == stand[marker.name]
            index = min(alike, key=lambda each: (before[each][1], 0 if in_order else abs(left[each].frame - number), each))
            event = left.pop(index)
            moved[event.frame, event.title] = number
            result.append((number, index, _at(event, number)))
        elif known is not None and ("," in marker.name or _is_whole(known, wide)):
            result.append((number, order, _at(known, number)))
        else:
            raise ExportError(
                f"the marker {marker.name} at frame {marker.frame}: its numbers are missing, as in {_example(known, marker.name)}"
            )
    result += _without_marker(left, {index for index, (_, never) in enumerate(before) if never}, moved, len(frames))
    return [event for _, _, event in sorted(result, key=lambda each: each[:2])]


def _without_marker(
    left: Mapping[int, Action], never: Collection[int], moved: Mapping[tuple[int, str], int], count: int
) -> list[tuple[int, int, Action]]:
    """Events that stay though no marker stands for them, each with its keyframe and its number among those before. never: numbers of those
    that the game never got to. moved: where the marker of a keyframe and title stands now. count: of keyframes."""
    result: list[tuple[int, int, Action]] = []
    lost: list[str] = []
    for index, event in left.items():
        frame = moved.get((event.frame, event.title))  # several of one title at one keyframe have one marker
        if frame is None and index in never:
            frame = max(event.frame, count)
            if frame > _LAST:
                lost.append(event.text)
                continue
        if frame is not None:
            result.append((frame, index, _at(event, frame)))
    if lost:
        log.warning(f"left out, since no event can stand behind {count} keyframes, and the game would get to it now: {'; '.join(lost)}")
    return result


def _at(event: Action, frame: int) -> Action:
    return Action(frame, event.kind, event.title, event.numbers)


def _is_whole(event: Action, wide: bool) -> bool:
    """Whether the title says all numbers."""
    layout = (LBA2 if wide else LBA1)[event.kind]
    return all(f"{{{name}}}" in layout.title for name, _ in layout.numbers)


def _example(event: Action | None, name: str) -> str:
    return name if event is None else event.text.partition(" ")[2]
