"""The strips of an NLA, also those inside meta strips, the actions that they have, and what these change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import bpy

from .. import compat


def every_strip(strips: Iterable[Any]) -> Iterator[Any]:
    """These, each with those inside of it behind it."""
    for strip in strips:
        yield strip
        yield from every_strip(strip.strips)


def actions_in(strips: Iterable[Any]) -> list[bpy.types.Action]:
    """What strips have, and those inside of them; each once."""
    return list(dict.fromkeys(strip.action for strip in every_strip(strips) if strip.action is not None))


def actions_of(data: bpy.types.AnimData | None) -> list[bpy.types.Action]:
    """What animation data has: its active action, and those of all strips, also of muted ones; each once."""
    if data is None:
        return []
    inside = actions_in(strip for track in data.nla_tracks for strip in track.strips)
    return list(dict.fromkeys([*([data.action] if data.action is not None else []), *inside]))


def keyed_paths(data: bpy.types.AnimData | None) -> list[str]:
    """The paths of what these actions change."""
    return [curve.data_path for action in actions_of(data) for curve in compat.every_curve(action) if not compat.is_muted(curve)]
