"""Ranges of a skeleton's long time line as actions, and what must be known of them to join them again."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import bpy
import numpy as np

from ....core.declare.shared import Sampling
from ....core.mindpower.fields import ACTION_FIELDS
from ....core.mindpower.files.ranges import Range, Row
from ....core.mindpower.files.skeleton.lab_layout import RATE
from ....core.mindpower.files.tables.action_names import POSES, action_name
from ....core.mindpower.files.tables.pose_info import PoseInfo
from ....core.motion.clip import Event
from ....core.motion.curves import Timing, of_clip
from ....core.motion.sampling import frame_of_last
from ....core.reporting import log
from ....core.reporting.errors import ExportError
from ...blender import armature, compat, fields, identity, scene
from ...blender.motion import actions, fcurves
from ...pipeline.loops.closing import closing_of
from ...pipeline.out_of_blender import packing
from ..figure.figure import HELPER
from ..figure.figure_read import properties_of
from ..marks import RANGE

KEY = "key"
"""Name of the markers at key frames, where the game does something."""

_MOST = 100_000
"""Frames in an action, and frames a second: more than any file of the game has in all."""


@dataclass(frozen=True, eq=False)
class Origin:
    """How an action was imported: its timing, its frames of the file, and its key frames from the first of them."""

    timing: Timing
    range: Range
    keys: tuple[int, ...]


def values_of(item: Range, poses: PoseInfo | None) -> dict[str, Any]:
    """The fields of a range, by name."""
    return {
        "range": (item.start, item.end),
        "numbers": ", ".join(map(str, dict.fromkeys(item.numbers))),
        "names": "; ".join(dict.fromkeys(str(action_name(number, poses)) for number in item.numbers)),
        "key_frames": tuple(key - item.start for key in item.keys),
    }


def events_of(item: Range, marked: Sequence[Range], poses: PoseInfo | None) -> list[Event]:
    """Markers at the key frames, and at the ranges that a whole time line has as markers."""
    events = [Event(float(key - item.start), KEY) for key in item.keys]
    return [*events, *(Event(float(part.start - item.start), title(part, poses)) for part in marked)]


def title(item: Range, poses: PoseInfo | None) -> str:
    """The lowest number and what it is called; how many more there are."""
    if not item.numbers:
        return ""
    numbers = sorted(set(item.numbers))
    more = f" +{len(numbers) - 1}" if len(numbers) > 1 else ""
    return f"{numbers[0]} {action_name(numbers[0], poses)}{more}"


def origin(action: bpy.types.Action) -> Origin | None:
    """None for an action that is not a part of a file, and for a further clip of one that is. Raises ExportError where its fields or other
    custom properties are spoiled."""
    if RANGE not in action or identity.FURTHER in action:
        return None
    with packing.about(action), properties_of(action.name):
        values = fields.read(action, ACTION_FIELDS)
        before = actions.remembered(action)
        start, end = values["range"]
        if before is None or not (start <= end < start + _MOST and 0 < before.fps < _MOST and abs(before.start) < _MOST):
            raise ValueError("timing, range")
        return Origin(Timing(RATE, before.fps, before.start), Range(start, end), values.get("key_frames", ()))


def span(action: bpy.types.Action, timing: Timing, length: int, obj: bpy.types.Object, sampling: Sampling) -> tuple[int, int]:
    """First and last frame of the game that the action has now, counted from its own first one at import; `length` frames then.

    The frame range gives them; keys beyond it count, too, where nobody has changed it.
    """
    keys = keyed(action, obj, sampling)
    start, end = _ends(action, timing, keys)
    if (start, end) == (0, length - 1):
        end = max(end, frame_of_last(_time(timing, keys[1])))
        if _of_game(timing, keys[0]) < 0:
            remedy = "move them behind it, or have its frame range begin with them"
            log.warning(f"keys before frame {timing.start:g}, where it starts, are left out: {remedy}", frame=keys[0])
    elif _of_game(timing, keys[1]) > end:
        remedy = f"have it end with frame {keys[1]:g} to write them"
        log.warning(f"keys behind frame {action.frame_end:g}, where its frame range ends, are left out: {remedy}", frame=keys[1])
    if not -_MOST < start <= _MOST or not -_MOST < end <= _MOST:
        raise ExportError(f"{action.name}: from frame {start} to {end} of the game is more than a file holds: mend its frame range or keys")
    return start, max(end, start)


def keyed(action: bpy.types.Action, obj: bpy.types.Object, sampling: Sampling) -> tuple[float, float]:
    """The frames of the first and the last key of what moves the object or its bones: keys of other properties, and of bones that it does
    not have, make a clip no longer. Controls move a clip that is taken as it looks, and no other."""
    bones = [bone.name for bone in armature.bones_of(obj) if sampling == "VISUAL" or armature.INDEX in bone or HELPER in bone]
    with_keys = filter(compat.has_values, compat.curves(action, obj))
    curves = {channel: curve for curve in with_keys if (channel := fcurves.channel_of(curve)) is not None}
    ranges = [curve.range() for curve in of_clip(curves, [*bones, *identity.renamed(obj)]).values()]
    if not ranges:
        return action.curve_frame_range[0], action.curve_frame_range[1]
    return min(first for first, _ in ranges), max(last for _, last in ranges)


def _ends(action: bpy.types.Action, timing: Timing, keys: tuple[float, float]) -> tuple[int, int]:
    """First and last frame of the game of an action's frame range, or of its keys where it has none, the last of which is written whole."""
    if action.use_frame_range:
        return _of_game(timing, action.frame_start), _of_game(timing, action.frame_end)
    return _of_game(timing, keys[0]), frame_of_last(_time(timing, keys[1]))


def _of_game(timing: Timing, frame: float) -> int:
    """The game's frame, counted from the action's first one at import."""
    return round(_time(timing, frame))


def _time(timing: Timing, frame: float) -> float:
    """The same between frames."""
    return float(timing.times(np.nan_to_num(np.array(frame))))


def last_key(action: bpy.types.Action, timing: Timing, length: int, obj: bpy.types.Object, sampling: Sampling) -> float:
    """The frame of the last key that counts for `span`: before all others where the frame range alone does."""
    keys = keyed(action, obj, sampling)
    return keys[1] if _ends(action, timing, keys) == (0, length - 1) else -np.inf


def repeats(action: bpy.types.Action, obj: bpy.types.Object) -> int:
    """1 where a loop that was made in Blender ends in its first pose, which the game blends to by itself, else 0."""
    if not action.use_cyclic or fcurves.IMPORTED in action:
        return 0
    return int(closing_of(action, obj, fcurves.read_curves(action, obj).curves) is not None)


def key_changes(action: bpy.types.Action, timing: Timing, keys: tuple[int, ...]) -> tuple[set[int], set[int]]:
    """Key frames whose markers are gone, and those that are new, in frames of the game from the action's first one at import."""
    there = {marker.frame for marker in action.pose_markers if marker.name == KEY}
    placed = {key: round(timing.frame(key)) for key in keys}
    added = {round(float(timing.times(np.array(float(frame))))) for frame in there - set(placed.values())}
    return {key for key, frame in placed.items() if frame not in there}, added


def new_timing(action: bpy.types.Action, context: bpy.types.Context, obj: bpy.types.Object, sampling: Sampling) -> Timing:
    """Of an action that was made in Blender, or a part of one that came in: it starts where its frames start."""
    first, before = action.frame_start if action.use_frame_range else keyed(action, obj, sampling)[0], actions.remembered(action)
    return Timing(RATE, scene.fps(context.scene) if before is None else before.fps, float(first))


def new_rows(action: bpy.types.Action, timing: Timing, length: int, numbers: Sequence[int]) -> tuple[Row, ...]:
    """The rows of the action table for an action that was made in Blender: one for each of its numbers, frames from its start."""
    keys = tuple(sorted(key for key in key_changes(action, timing, ())[1] if 0 <= key < length))
    return tuple(Row(number, 0, length - 1, keys) for number in numbers)


def free_numbers(actions: Iterable[bpy.types.Action], taken: Iterable[int]) -> dict[bpy.types.Action, int]:
    """A number of the action table for each of them that nobody gave one: what its name means, of several the shortest name (a jump before
    a jump to the left), or what those leave free."""
    unnumbered, known, result = list(actions), set(taken), dict[bpy.types.Action, int]()
    for action in sorted(unnumbered, key=lambda each: len(each.name)):
        named = meant_number(action.name, known)
        if named is not None:
            result[action] = named
            known.add(named)
    for action in unnumbered:
        if action not in result:
            result[action] = next(number for number in count(1) if number not in known)
            known.add(result[action])
    return {action: result[action] for action in unnumbered}


def meant_number(name: str, taken: Container[int]) -> int | None:
    """The free action that a name means: by its number where it has the game's name for it, too, else by that alone."""
    plain = re.sub(r"[^a-z0-9]+", " ", name.lower())
    for pose in sorted(POSES, key=len, reverse=True):
        if re.search(rf"\b{pose}\b", plain):
            match = re.search(rf"\b(\d{{1,4}}) {pose}\b", plain)
            number = int(match[1]) if match else POSES.index(pose) + 1
            if number not in taken and number:
                return number
    return None


def moves_bones(action: bpy.types.Action) -> bool:
    return any(curve.data_path.startswith("pose.bones") for curve in compat.curves(action))
