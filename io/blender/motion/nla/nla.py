"""The NLA: which strips play, and whether they play their actions as those are."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import bpy

from .....core.motion.sampling import LONGEST
from .....core.reporting.errors import RetroAnimError
from .....core.reporting.labels import line
from ... import compat
from .. import evaluated
from ..strips import actions_in

NEAR = 1e-3
"""Frames, and shares of a strip, that mean nothing."""


class Playing(NamedTuple):
    """A strip that plays, and its track."""

    track: Any
    strip: Any


def playing(obj: bpy.types.Object) -> list[Playing]:
    """The strips that play, from the lowest track to the highest."""
    strips = [Playing(track, strip) for track in _heard(obj) for strip in track.strips if not strip.mute]
    return [each for each in strips if not (_has_no_action(each.strip) or compat.has_no_slot(each.strip))]


def actions_of(obj: bpy.types.Object) -> list[bpy.types.Action]:
    """What the strips that play have, also those inside meta strips; each once."""
    return actions_in(each.strip for each in playing(obj))


def without_slot(obj: bpy.types.Object) -> list[str]:
    """The names of strips that play nothing, since no slot of their action is chosen."""
    return [strip.name for track in _heard(obj) for strip in track.strips if not strip.mute and compat.has_no_slot(strip)]


def without_action(obj: bpy.types.Object) -> list[str]:
    """The names of strips that play nothing, since their action was deleted."""
    return [strip.name for track in _heard(obj) for strip in track.strips if not strip.mute and _has_no_action(strip)]


def silent(obj: bpy.types.Object) -> list[str]:
    """The names of tracks and strips that do not play."""
    data, heard = obj.animation_data, _heard(obj)
    tracks = [] if data is None else [track.name for track in data.nla_tracks if track not in heard and len(track.strips)]
    return tracks + [strip.name for track in heard for strip in track.strips if strip.mute]


def _has_no_action(strip: Any) -> bool:
    return strip.type == "CLIP" and strip.action is None


def _heard(obj: bpy.types.Object) -> list[Any]:
    """The tracks that play: the solo one, else those that are not muted."""
    tracks: list[Any] = list(obj.animation_data.nla_tracks) if obj.animation_data else []
    return [track for track in tracks if track.is_solo] or [track for track in tracks if not track.mute]


def span(obj: bpy.types.Object, strips: Sequence[Playing], step: float = 1.0) -> tuple[float, float]:
    """From where to where strips play. step: frames from one to the next that is looked at. Raises RetroAnimError for more of them than any
    clip has."""
    first = float(min(each.strip.frame_start for each in strips))
    last = float(max(each.strip.frame_end for each in strips))
    if last - first > LONGEST * step:
        far = max(strips, key=lambda each: each.strip.frame_end).strip
        raise RetroAnimError(
            f"{obj.name}: its NLA plays from frame {first:.0f} to {last:.0f}, which is longer than any clip: the last strip, "
            f"{line(far.name)}, ends there; move or shorten strips, or mute their tracks"
        )
    return first, last


def is_plain(strip: Any) -> bool:
    """Whether a strip plays its action just as it is: all of it, once, at its own speed, by itself."""
    return strip.action_frame_start <= strip.action.curve_frame_range[0] + NEAR and plays_to_the_end(strip) and is_once(strip)


def plays_to_the_end(strip: Any) -> bool:
    """Whether a strip goes to the last key of its action, or to the end of its range where most curves end: an import leaves one key of the
    root's path behind that, which holds a last velocity."""
    end = strip.action_frame_end
    if end >= strip.action.curve_frame_range[1] - NEAR:
        return True
    points = [curve.keyframe_points for curve in compat.every_curve(strip.action)]
    ends = [[key.co[0] - end for key in keys[-2:]] for keys in points if len(keys) > 1]
    most = 2 * sum(abs(last) < NEAR for _, last in ends) > len(ends)
    return most and plays_range(strip) and all(before < NEAR for before, _ in ends)


def is_once(strip: Any) -> bool:
    """Whether a strip plays what it has of its action once, at its own speed, by itself."""
    return not is_blended(strip) and abs(strip.scale - 1) < 1e-6 and abs(strip.repeat - 1) < 1e-6 and not strip.use_reverse


def plays_range(strip: Any) -> bool:
    """Whether a strip goes from the first to the last frame of its action's range."""
    ends = zip((strip.action_frame_start, strip.action_frame_end), strip.action.frame_range, strict=True)
    return all(abs(own - there) < NEAR for own, there in ends)


def is_empty(strip: Any) -> bool:
    """Whether a strip has no frames of an action that has some: Blender goes on for one frame there, and shows the first one at the end."""
    first, last = strip.action.curve_frame_range
    return strip.action_frame_end - strip.action_frame_start < NEAR < last - first


def is_blended(strip: Any) -> bool:
    """Whether what a strip shows depends on more than its action, its speed and its repeats."""
    keyed = any(len(curve.keyframe_points) for curve in strip.fcurves)
    weaker = strip.use_animated_influence and (keyed or strip.influence < 1)  # else Blender gives it its full influence
    mixed = strip.blend_type != "REPLACE" or strip.blend_in > 0 or strip.blend_out > 0
    return mixed or weaker or strip.use_animated_time or len(strip.modifiers) > 0 or strip.type != "CLIP"


def strip_slot(strip: Any) -> Any:
    """The slot of its action that a strip plays, None where actions have none."""
    return strip.action_slot if compat.SLOTTED else None


@contextmanager
def only(obj: bpy.types.Object, strips: list[Playing]) -> Generator[None]:
    """No other strips play inside, and no active action."""
    data: Any = obj.animation_data
    if data.use_tweak_mode:
        raise RetroAnimError(f"{obj.name} is in the tweak mode of the NLA: leave it first")
    meant = [each.strip for each in strips]
    pose = evaluated.pose_values(obj)
    action, slot = data.action, data.action_slot if compat.SLOTTED else None
    with ExitStack() as restored:
        for track in data.nla_tracks:
            for strip in track.strips:
                _set(restored, strip, "mute", strip not in meant)
        _set(restored, data, "use_nla", True)
        if action is not None:
            restored.callback(_show_again, data, action, slot)
            data.action = None
        yield
    evaluated.set_pose_values(obj, pose)


def _show_again(data: Any, action: bpy.types.Action, slot: Any) -> None:
    data.action = action
    if slot is not None:
        data.action_slot = slot


def _set(restored: ExitStack, owner: Any, name: str, value: Any) -> None:
    before = getattr(owner, name)
    if before != value:
        restored.callback(setattr, owner, name, before)
        setattr(owner, name, value)
