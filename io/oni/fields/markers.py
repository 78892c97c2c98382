"""The fields of a TRAM or an OBAN that are frames, as pose markers of its action: drawn from the properties; moved ones change those."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace

import bpy
import numpy as np

from ....core.motion.curves import Timing
from ....core.oni.enums import Enumeration
from ....core.oni.field_values import Details, Row
from ....core.oni.fields import OBAN_FIELDS, TRAM_FIELDS, TRAM_LISTS, OniField
from ....core.oni.motion.evaluate import RATE
from ....core.reporting import log
from ....core.reporting.labels import first_few
from ...blender import fields, scene
from ...blender.motion import actions, pose_markers
from ...blender.motion.nla import nla_keys
from . import properties

_PLACED = "oni_markers"
"""Custom property of an action: where its markers were put, by name."""

_TITLES = {"attacks": "attack", "self_damage": "damage", "particles": "particle", "footsteps": "footstep", "sounds": "sound"} | {
    "motion_blur": "blur",
    "shortcuts": "shortcut",
}

_LASTING = "shortcuts"
"""The list of what lasts from the beginning of a clip to its marker, whatever part of the action that is."""

_TIMES = {kind: [item for item in table if item.time] for kind, table in ((properties.TRAM, TRAM_FIELDS), (properties.OBAN, OBAN_FIELDS))}
"""The fields of a record that are frames."""

_LINE = re.compile(rf"({'|'.join(_TITLES.values())}) [0-9]+\b")
"""What the markers of lists are called."""

Instance = tuple[str, int, str] | None
"""The list ("" for the record's own fields), the line, the field; None for what has no frame of its own."""

Marks = dict[str, tuple[Instance, int]]
"""By the names of markers what each stands for, and its frame."""


def update(action: bpy.types.Action) -> None:
    """Put the markers where the properties have them; markers of other names are left alone."""
    before = _placed(action)
    for marker in [marker for marker in action.pose_markers if marker.name in before]:
        action.pose_markers.remove(marker)
    kind = _kind(action)
    put(action, kind, properties.read(action, kind), _timing(action))


def put(action: bpy.types.Action, kind: str, details: Details | None, timing: Timing) -> None:
    """The markers of an action that has none yet, which follow its properties from now on. kind, details: as those say."""
    properties.listen(renew)
    now: dict[str, int] = {}
    for name, (_, time) in _marks(kind, details).items():
        now[name] = round(timing.frame(float(time)))
        pose_markers.add(action, name, now[name])
    action[_PLACED] = json.dumps(now)


def moved(action: bpy.types.Action) -> dict[str, int]:
    """The markers that were moved, by name, with their frames. A copy is no move, as long as its original stands."""
    before, there = _placed(action), {(marker.name, marker.frame) for marker in action.pose_markers}
    return {name: frame for name, frame in _first(action).items() if name in before and (name, before[name]) not in there}


def take_over(action: bpy.types.Action) -> None:
    """Markers that were moved change the properties."""
    if nla_keys.PLAYED in action:
        _take_over_part(action)
        return
    changed = moved(action)
    if not changed:
        return
    kind = _kind(action)
    timing, marks = _timing(action), _marks(kind, properties.read(action, kind))
    for name, frame in changed.items():
        location = marks[name][0] if name in marks else None
        if location is not None:
            with properties.quietly():
                properties.write_value(action, kind, location, _time(timing, frame))
    action[_PLACED] = json.dumps({**_placed(action), **changed})


def are_apart(action: bpy.types.Action) -> bool:
    """Whether markers were deleted, renamed or copied, so that they and the properties do not say the same."""
    there = Counter(marker.name for marker in action.pose_markers)
    placed = _placed(action)
    return any(there[name] != 1 for name in placed) or any(_LINE.match(name) for name in there.keys() - placed.keys())


def report(action: bpy.types.Action) -> None:
    """After `take_over`, say which markers show something else than what is written, which is what the properties say."""
    kind = _kind(action)
    timing, marks = _timing(action), _marks(kind, properties.read(action, kind))
    frames = {name: round(timing.frame(float(time))) for name, (location, time) in marks.items() if location is not None}
    there = Counter(marker.name for marker in action.pose_markers)
    placed = _placed(action)
    if gone := [name for name in frames if name in placed and not there[name]]:
        log.warning(
            f"{first_few(gone)}: no marker is called so any more, and the file keeps what it stood for: remove that in the side panel, "
            "or call a marker so"
        )
    _report_doubled(action, marks)
    if strange := sorted(name for name in there.keys() - marks.keys() if _LINE.match(name)):
        log.warning(f"{first_few(strange)}: a marker that stands for nothing in the file, and is left out: add it in the side panel")
    ahead = [marker for marker in action.pose_markers if there[marker.name] == 1 and marker.frame < frames.get(marker.name, marker.frame)]
    if early := [marker.name for marker in ahead if _nearest(timing, marker.frame) < 0]:
        log.warning(f"{first_few(early)}: its marker stands before the clip, and is written at its first frame: move it there")


def _report_doubled(action: bpy.types.Action, marks: Marks) -> None:
    there = Counter(marker.name for marker in action.pose_markers)
    doubled = {name: location for name, (location, _) in marks.items() if there[name] > 1}
    if lines := [name for name, location in doubled.items() if location is not None and location[0]]:
        log.warning(f"{first_few(lines)}: more than one marker is called so, and the file has one: add the others in the side panel")
    if own := [name for name in doubled if name not in lines]:
        log.warning(f"{first_few(own)}: more than one marker is called so, and a file has no room for another")


def _take_over_part(action: bpy.types.Action) -> None:
    """A strip or a range of an action, which is a clip of the export's own, has the events that it plays, when it plays them first."""
    kind, before = _kind(action), _placed(action)
    timing, marks = _timing(action), _marks(kind, properties.read(action, kind))
    frames = _played(action, marks, before, timing)
    lines: dict[tuple[str, int], bool] = {}
    unset = {item.name: item.none or 0 for item in _TIMES[kind]}
    _report_doubled(action, marks)
    with properties.quietly():
        for name, (location, _) in marks.items():
            if location is None or name not in before or location[0] == _LASTING:
                continue
            lines[location[:2]] = lines.get(location[:2], False) or name in frames
            if name in frames:
                properties.write_value(action, kind, location, _time(timing, frames[name]))
            elif not location[0]:
                properties.write_value(action, kind, location, unset[location[2]])
        for (block, index), is_played in sorted(lines.items(), reverse=True):
            if block and not is_played:
                getattr(getattr(action, kind), block).remove(index)
    update(action)


def _played(action: bpy.types.Action, marks: Marks, before: dict[str, int], timing: Timing) -> dict[str, float]:
    """The frames at which a part of an action plays what markers stand for; of those at the start and the end of something as far as it
    plays that, and in their order also where it plays backwards. before: where they were put in the whole action, which is where deleted
    ones still are. Those that nobody moved, which stand on whole frames, are what their times in the file say."""
    first, last, *at = action[nla_keys.PLAYED]
    there, whole = _first(action), replace(timing, start=float(action.get(nla_keys.BEGAN, timing.start)))

    def played(name: str) -> float:
        put = float(np.interp(before[name], [first, last], at))
        exact = whole.frame(float(marks[name][1])) if name in marks else np.inf
        if abs(there.get(name, put) - put) > _ROUNDED or abs(exact - before[name]) > _ROUNDED:
            return there.get(name, put)
        return float(np.interp(exact, [first, last], at))

    result: dict[str, float] = {name: played(name) for name in before if name in there or first <= before[name] <= last}
    ends: dict[tuple[str, int, str], list[str]] = {}
    for name, (location, _) in marks.items():
        head, _, tail = location[2].rpartition("_") if location is not None else ("", "", "")
        if location is not None and tail in ("start", "end") and name in before:
            ends.setdefault((*location[:2], head), []).append(name)
    for start, end in (names for names in ends.values() if len(names) == 2):
        if start in result or end in result or before[start] < first <= last < before[end]:
            result |= zip((start, end), sorted((played(start), played(end))), strict=True)
    return result


_ROUNDED = 0.5 + 1e-3
"""Frames by which a marker stands beside what it stands for."""


def _time(timing: Timing, frame: float) -> int:
    return max(0, _nearest(timing, frame))


def _nearest(timing: Timing, frame: float) -> int:
    """The time that is nearest to a frame, which is negative before the clip."""
    return round(float(timing.times(np.array([float(frame)]))[0]))


def renew(action: bpy.types.Action) -> None:
    """After an edit of the properties."""
    take_over(action)
    update(action)


def _placed(action: bpy.types.Action) -> dict[str, int]:
    frames: dict[str, object] = fields.grouped(action.get(_PLACED))
    return {name: frame for name, frame in frames.items() if isinstance(frame, int)}


def _first(action: bpy.types.Action) -> dict[str, int]:
    """The frame of the first marker of each name."""
    return {marker.name: marker.frame for marker in sorted(action.pose_markers, key=lambda each: each.frame, reverse=True)}


def _kind(action: bpy.types.Action) -> str:
    return properties.TRAM if getattr(action, properties.TRAM).present else properties.OBAN


def _marks(kind: str, details: Details | None) -> Marks:
    if details is None:
        return {}
    marks: Marks = {}
    for item in _TIMES[kind]:
        if item.name in details.values and _is_set(details, item):
            marks[item.label.lower()] = (("", 0, item.name), details.values[item.name])
    for block, title in _TITLES.items():
        for index, row in enumerate(details.lists.get(block, ())):
            for item in TRAM_LISTS[block]:
                if item.time:
                    end = f" {item.name}" if item.name in ("start", "end") else ""
                    marks[f"{title} {index + 1}{end}{_tail(block, row)}"] = ((block, index, item.name), row[item.name])
    for row in details.lists.get("throw", []):
        marks[f"throw{_tail('throw', row)}"] = (None, 0)
    return marks


def _is_set(details: Details, item: OniField) -> bool:
    """Ranges and frames that are 0 throughout, or none, have no markers."""
    value = details.values[item.name]
    if item.none is not None:
        return value != item.none
    head = item.name.rpartition("_")[0]
    return bool(value or details.values.get(f"{head}_end", 0))


def _tail(block: str, row: Row) -> str:
    """What the marker's name ends with: the name of a sound or particle, the foot, the state, the victim's animation."""
    if row.get("name"):
        return f": {row['name']}"
    shown = {"footsteps": "type", "shortcuts": "from_state", "throw": "type"}.get(block, "")
    for item in TRAM_LISTS[block]:
        if item.name == shown and shown in row and isinstance(item.codes, Enumeration) and item.codes.has(int(row[shown])):
            return f": {item.codes.name_of(int(row[shown]))}"
    return ""


def _timing(action: bpy.types.Action) -> Timing:
    before = actions.remembered(action)
    if before is None:
        return Timing(RATE, scene.fps(bpy.context.scene), float(action.frame_range[0]))
    return Timing(RATE, before.fps, before.start)
