"""What goes along with a clip from one of the two games to the other: the numbers of sounds, sprites and roles are each game's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .fields import ACTION_FIELDS
from .files.actions import LBA1, LBA2, Action, action_of, of_list
from .files.file3d import ROLES
from .files.variant import VARIANTS

_EVENTS, _ROLES = (next(item.property for item in ACTION_FIELDS if item.name == name) for name in ("events", "roles"))
_OF_ARCHIVES = {"sample", "sprite"}
"""Numbers of events by which something is found in the archives of its game."""


class Across(NamedTuple):
    """properties: those of the clip, without what stays behind. markers: (frame, name) of those that stay behind. left: what that is, and
    what to do, empty where all goes along."""

    properties: dict[str, object]
    markers: list[tuple[int, str]]
    left: str


def across(properties: Mapping[str, object], markers: Sequence[tuple[int, str]], came: str, goes: str) -> Across:
    """What of a clip of one game means the same in the other: roles that have a name, and events that both know with the same numbers,
    none of which leads into an archive. properties: by their names. markers: (frame, name). came, goes: "lba1" or "lba2"."""
    wide = came == "lba2"
    result = dict(properties)
    lost_roles = list[str]()
    if _ROLES in result:
        roles, lost_roles = _roles(str(result.pop(_ROLES)))
        result |= {_ROLES: roles} if roles else {}
    own = [(frame, name) for frame, name in markers if (event := action_of(name, 0, wide)) is not None and not _goes_along(event)]
    kept, stay = _events(str(result.pop(_EVENTS, "")), wide)
    result |= {_EVENTS: kept} if kept else {}
    lost_events = _named(stay, own)
    lines: list[str] = []
    if lost_roles:
        lines.append(f"the role {', '.join(lost_roles)}: say in Used For what it is for here")
    if lost_events:
        lines.append(f"the events {'; '.join(lost_events)} (keyframe first): put markers there with numbers of this game")
    left = f"not the same in {VARIANTS[goes].label} as in {VARIANTS[came].label}, so left behind: {'; '.join(lines)}"
    return Across(result, own, left if lines else "")


def _goes_along(event: Action) -> bool:
    layout = LBA1.get(event.kind)
    return layout is not None and layout == LBA2.get(event.kind) and not _OF_ARCHIVES & dict(layout.numbers).keys()


def _roles(text: str) -> tuple[str, list[str]]:
    """The roles that have a name, as text, and those that have none."""
    named = {str(number): name for number, name in ROLES.items()}
    parts = [" ".join(part.split()) for part in text.split(",") if part.strip()]
    numbers = [part.lower().removeprefix("animation ") for part in parts]
    lost = [part for part, number in zip(parts, numbers, strict=True) if number.isdecimal() and number not in named]
    if not lost:
        return text, []
    return ", ".join(named.get(number, part) for part, number in zip(parts, numbers, strict=True) if part not in lost), lost


def _events(text: str, wide: bool) -> tuple[str, list[tuple[Action, bool]]]:
    """The list of those that go along, and the others, each with whether the game never gets to it."""
    parts = [(part, event) for part in text.split("; ") for event in of_list(part, wide)]
    return "; ".join(part for part, (event, _) in parts if _goes_along(event)), [each for _, each in parts if not _goes_along(each[0])]


def _named(stay: Sequence[tuple[Action, bool]], markers: Sequence[tuple[int, str]]) -> list[str]:
    """Events by keyframe, with the frame of their marker where it is certain; then the markers that are none of them."""
    keyframes: dict[str, list[int]] = {}
    for event, never in stay:
        if not never and event.frame not in keyframes.setdefault(event.title, []):
            keyframes[event.title].append(event.frame)
    frames: dict[str, list[int]] = {}
    for frame, name in sorted(markers):
        frames.setdefault(name, []).append(frame)
    at = {
        (number, title): f" at frame {frame}"
        for title, numbers in keyframes.items()
        if len(numbers) == len(frames.get(title, ()))
        for number, frame in zip(sorted(numbers), frames[title], strict=True)
    }
    certain = {title for _, title in at}
    listed = [event.text + ("" if never else at.get((event.frame, event.title), "")) for event, never in stay]
    return [*listed, *(f"{name} at frame {frame}" for name, each in frames.items() if name not in certain for frame in each)]
