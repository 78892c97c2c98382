"""Clips that are no action of their own: strips of the NLA as they play, what a whole NLA shows, further slots and ranges of an action.

For an export they become actions, which are gone when it is over; only where they were written to stays known, at the action they are of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import bpy

from .....core.declare.imported import IMPORTED_FIELDS
from .....core.files import unpacking
from .....core.reporting import log
from .....core.reporting.errors import ExportError, of_system
from .....core.reporting.labels import first_few
from ....blender import compat, identity, scene, source_data, temporary_state
from ....blender.motion import actions
from ....blender.motion.nla import nla, nla_jumps, nla_keys, nla_sampling
from ....blender.motion.nla.nla import Playing
from ...destination.targets import WRITTEN
from ...loops import loop_start
from . import looped_strips

_START = next(item.property for item in IMPORTED_FIELDS if item.name == "frame_start")


@dataclass(eq=False)
class _Clips:
    """clips: the actions made, each with the action that it is of (None for a whole NLA), and the key of its memory there.
    renamed: actions that have lent their names, which they had."""

    clips: list[tuple[bpy.types.Action, bpy.types.Action | None, str]] = field(
        default_factory=list[tuple[bpy.types.Action, bpy.types.Action | None, str]]
    )
    renamed: list[tuple[bpy.types.Action, str]] = field(default_factory=list[tuple[bpy.types.Action, str]])


_current: ContextVar[_Clips | None] = ContextVar("clips", default=None)


@contextmanager
def for_export(context: bpy.types.Context) -> Generator[None]:
    """What an export is done inside of: clips that are made there are removed afterwards, armatures that show something for a while are
    what they were before, edit mode is left meanwhile, and all that is unpacked is counted together."""
    with of_system(), unpacking.operation(), scene.edits_taken(context), temporary_state.kept_on_failure(), _own_clips():
        context.view_layer.update()  # matrices may be behind what was set by a script
        yield


@contextmanager
def _own_clips() -> Generator[None]:
    temporary_state.give_all_back()
    known = _Clips()
    token = _current.set(known)
    try:
        yield
    finally:
        _current.reset(token)
        for clip, action, key in known.clips:
            if action is not None and action.library is None and WRITTEN in clip:
                action[key] = clip[WRITTEN]
        bpy.data.batch_remove([clip for clip, _, _ in known.clips])
        for action, name in known.renamed:
            action.name = name


def of_slot(action: bpy.types.Action, slot: Any, first: bool, *, shown: bool) -> bpy.types.Action:
    """A slot of an action as an action. first: whether what came from a file is this slot, which then keeps where it came from. shown:
    whether it is what the armature shows now."""
    name = f"{action.name} {slot.name_display}" if not first else action.name
    clip = _copy(action, name, f"slot {slot.identifier}", first, shown=shown)
    compat.keep_slot(clip, slot)
    return clip


def of_strip(context: bpy.types.Context, obj: bpy.types.Object, each: Playing, first: bool) -> bpy.types.Action:
    """What a strip plays; its action itself where it plays that as it is. first: whether no other strip has its action."""
    strip = each.strip
    slots, slot = compat.moving_slots(strip.action), nla.strip_slot(strip)
    is_first = first and (slot is None or not slots or slot == slots[0])
    as_it_is = looped_strips.plays_as_it_is(strip)
    if as_it_is:
        looped_strips.report_lead_in(strip)
    if is_first and as_it_is:
        return strip.action
    clip = _copy(strip.action, strip.name, f"strip {obj.name}/{strip.name}", is_first, shown=True)
    compat.keep_slot(clip, slot)
    for curve in compat.silenced_by_strips(compat.curves(clip)):
        curve.mute = True
    if as_it_is:
        return clip
    start = float(strip.frame_start)  # where what is said of it is seen
    if _START in clip:
        clip[_START] = start
    empty = nla.is_empty(strip)
    if empty:
        with log.about(clip.name):
            log.warning(
                f"the strip has no frames of {strip.action.name}: Blender plays one from frame {strip.action_frame_start:g}, and jumps "
                "back at its end: set Frame Start and End of its action clip apart"
            )
    if empty or nla.is_blended(strip):
        below = nla_sampling.sample(context, obj, clip, each, start, _unit(context, obj, clip))
    else:
        below = [each]
        begins_later = strip.use_reverse or strip.action_frame_start > strip.action.curve_frame_range[0] + nla.NEAR
        _retime(context, obj, clip, strip, start)
        if begins_later:
            actions.rebase(obj, clip)
    _report_jumps(context, obj, clip, below, float(strip.frame_start), float(strip.frame_end))
    return clip


class _Range(NamedTuple):
    """A part of an action, as a strip that would play it."""

    action: bpy.types.Action
    action_frame_start: float
    action_frame_end: float
    scale: float = 1.0
    repeat: float = 1.0
    use_reverse: bool = False

    @property
    def frame_start(self) -> float:
        return self.action_frame_start

    @property
    def frame_end(self) -> float:
        return self.action_frame_end


def of_range(
    context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, name: str, first: float, last: float
) -> bpy.types.Action:
    """What an action shows from one frame to another, at these frames, as a clip of its own."""
    slot = compat.slot_in_use(action, obj)
    clip = _copy(action, name, f"marker {obj.name}/{name}", False, shown=True)
    if slot is not None:
        compat.keep_slot(clip, slot)
    if _START in clip:
        clip[_START] = first
    _retime(context, obj, clip, _Range(clip, first, last), first)
    actions.rebase(obj, clip)
    return clip


def _retime(context: bpy.types.Context, obj: bpy.types.Object, clip: bpy.types.Action, strip: Any, start: float) -> None:
    game = identity.game_of(obj)
    joint = game is not None and game.joint_keys
    _loop_after(clip, nla_keys.retime(clip, strip, start, _unit(context, obj, clip), joint=joint), strip.use_reverse)


def _unit(context: bpy.types.Context, obj: bpy.types.Object, clip: bpy.types.Action) -> float:
    """Frames of a unit of the game's time in a clip, 0 of an armature that is no game's."""
    rate, before = identity.rate_of(obj), actions.remembered(clip)
    return 0.0 if rate is None else (scene.fps(context.scene) if before is None else before.fps) / rate


def _report_jumps(
    context: bpy.types.Context, obj: bpy.types.Object, clip: bpy.types.Action, strips: list[Playing], first: float, last: float
) -> None:
    jumps = nla_jumps.frames(context, obj, strips, first, last)
    if jumps:
        frames = first_few([f"{frame:g}" for frame in jumps])
        with log.about(clip.name):
            log.warning(
                f"the NLA jumps to another pose at frame {frames}, where a strip begins, ends or begins again; "
                "what is written goes there within the frame before: let the strip end in the pose that follows, or blend it",
                frame=jumps[0],
            )


def _loop_after(clip: bpy.types.Action, dropped: int, reverse: bool) -> None:
    """The keyframe to which a clip loops, when its first ones are not played."""
    item = loop_start.loop_field(clip)
    if item is not None and isinstance(before := clip.get(item.property), int):
        clip[item.property] = 0 if reverse else max(0, before - dropped)


def of_nla(context: bpy.types.Context, obj: bpy.types.Object) -> bpy.types.Action | None:
    """What an object without an active action shows by its NLA, None where nothing plays."""
    data, shown = obj.animation_data, nla.playing(obj)
    if data is None or not data.use_nla or not shown:
        return None
    if data.use_tweak_mode:
        raise ExportError(f"{obj.name} is in the tweak mode of the NLA: leave it first")
    if len(shown) == 1 and shown[0].strip.type == "CLIP" and shown[0].strip.action is not None:
        return of_strip(context, obj, shown[0], True)
    start = float(min(each.strip.frame_start for each in shown))
    clip, _ = compat.new_action(f"{obj.name} NLA", obj)
    clip[identity.SHOWN] = True
    _keep(clip, None, "")
    nla_sampling.sample(context, obj, clip, None, start, _unit(context, obj, clip))
    _report_jumps(context, obj, clip, shown, start, float(max(each.strip.frame_end for each in shown)))
    log.info(f"{obj.name} has no active action: what its NLA plays is exported, frame by frame, as {clip.name}")
    return clip


def _copy(action: bpy.types.Action, name: str, key: str, first: bool, *, shown: bool) -> bpy.types.Action:
    """A copy of an action. first: whether it stands for what came from the file, with its memory; else it is a clip of its own. shown: as
    of `of_slot`."""
    clip = action.copy()
    if _START in clip:
        clip[nla_keys.BEGAN] = clip[_START]
    if shown:
        clip[identity.SHOWN] = True
    memory = f"{WRITTEN}_{hashlib.sha256(key.encode()).hexdigest()[:12]}"
    if not first:
        for known in (source_data.SOURCE, source_data.ENTRY, source_data.NAME, WRITTEN):
            if known in clip:
                del clip[known]
        clip[identity.FURTHER] = True
    if memory in action:
        clip[WRITTEN] = action[memory]
    _keep(clip, action, memory)
    _name(clip, name, action if first else None)
    return clip


def _keep(clip: bpy.types.Action, action: bpy.types.Action | None, key: str) -> None:
    known = _current.get()
    if known is not None:
        known.clips.append((clip, action, key))


def _name(clip: bpy.types.Action, name: str, action: bpy.types.Action | None) -> None:
    """Give a clip its name; it borrows that of the action that it stands for."""
    known = _current.get()
    if action is not None and name == action.name and known is not None and action.library is None:
        known.renamed.append((action, name))
        action.name = f"{name} (not exported)"
    clip.name = name
    if source_data.NAME in clip:
        clip[source_data.NAME] = clip.name
