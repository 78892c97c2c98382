"""Keys of a source that are no numbers: what the frames before have is taken, and which bones had them is said."""

from __future__ import annotations

from collections.abc import Iterable

import bpy

from ....core.motion import finite
from ....core.reporting.labels import first_few
from ...blender import compat
from ...blender.motion import fcurves
from . import keys


def filled(values: keys.Channels) -> tuple[keys.Channels, str]:
    """Channels with numbers alone, and what is to be said about those that had others."""
    spoilt = {channel for channel, numbers in zip(values, finite.each(values.values()), strict=True) if not numbers}
    if not spoilt:
        return values, ""
    text = _sentence({channel.bone for channel in spoilt})
    return {channel: finite.kept(row[:, None])[:, 0] if channel in spoilt else row for channel, row in values.items()}, text


def of_actions(obj: bpy.types.Object, actions: Iterable[bpy.types.Action]) -> str:
    """The same of actions that are read as they look."""
    spoilt = {
        channel.bone
        for each in actions
        for curve in compat.quick_curves(each, obj)
        if (channel := fcurves.channel_of(curve)) is not None and not finite.are(keys.fcurves_keys(curve)[1])
    }
    return _sentence(spoilt) if spoilt else ""


def _sentence(bones: Iterable[str]) -> str:
    names = sorted(name or "the object" for name in bones)
    return f"keys of the source that are no numbers, of {first_few(names)}: what the frames before have was taken"
