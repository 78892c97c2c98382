"""What strips of the NLA play, as keys of an action."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from .....core.motion.comparison import REST
from .....core.motion.curves import CLOSEST, PATHS, Channel
from .....core.motion.rotations.rotation_matrix import Floats
from .....core.motion.sampling import MERGE, one_a_unit
from ... import compat
from ...arrays import KIND, of_property, values_of
from .. import fcurves
from .nla import NEAR, plays_range

BETWEEN = "retro_anim_between"
"""Custom property of clips: the frames of generated keys that are seen, and not written; no loop is closed by them."""

BENT = "retro_anim_bent"
"""Custom property of clips: those of these frames at which a curve bends or leaps, between two of the scene's."""

REPEATED = "retro_anim_repeated"
"""Custom property of clips: that a strip plays them several times."""

PLAYED = "retro_anim_played"
"""Custom property of clips: the frames from and to which a strip plays an action first, and where it plays these two."""

BEGAN = "retro_anim_began"
"""Custom property of clips: the frame where time 0 of the action lies that they are of."""

STRAIGHT = 1e-5
"""Blender's units and components of rotations that a curve may be off a straight line."""


def retime(action: bpy.types.Action, strip: Any, start: float, unit: float, *, joint: bool) -> int:
    """Give the action's keys and markers the times at which the strip plays them; returns by how much the numbers of the action's
    keyframes are less then. start: the frame where the strip begins. unit: frames of a unit of the game's time, 0 where none is known.
    joint: whether the game has one keyframe for all bones in it."""
    curves = compat.curves(action)
    for curve in curves:
        _with_keys(curve)
    if action.use_cyclic and action.use_frame_range and not _leads_to(curves, strip.action_frame_start, action.frame_start):
        _close_nothing(curves)
    real, closing = _key_frames(curves)
    bent: list[float] = []
    for curve in curves:
        keys = _retimed(curve, strip, start, closing, unit)
        bent += keys.frames[keys.between].tolist()
        refill(curve, keys)
    if not len(_key_frames(curves)[0]):
        _close_nothing(curves)
    joined = _one_key_a_unit(curves, start, unit) if joint and unit and len(_key_frames(curves)[0]) else np.zeros(0)
    action[BENT] = np.unique(bent).tolist()
    action[BETWEEN] = np.union1d(bent, joined).tolist()
    if strip.repeat > 1 + NEAR:
        action[REPEATED] = True
    once, *_ = parts = _parts(strip, start)
    action[PLAYED] = [once.first, once.last, *once.played(np.array([once.first, once.last])).tolist()]
    marks = [(marker.name, marker.frame) for marker in action.pose_markers]
    for marker in list(action.pose_markers):
        action.pose_markers.remove(marker)
    for name, frame in marks:
        for part in parts:
            if part.first - NEAR <= frame <= part.last + NEAR:
                action.pose_markers.new(name).frame = round(float(part.played(np.array(float(frame)))))
    cyclic = action.use_cyclic and not strip.use_reverse and plays_range(strip) and abs(strip.repeat - round(strip.repeat)) < NEAR
    set_range(action, start, strip.frame_end - strip.frame_start, cyclic=cyclic)
    begins = strip.action_frame_start
    return int((real < begins - NEAR).sum()) - int(np.abs(real - begins).min(initial=np.inf) > NEAR)


def _leads_to(curves: list[Any], begins: float, loop: float) -> bool:
    """Whether what begins at a frame goes on to where the loop begins, and, since the game goes back to that in the time of the step to it,
    plays the whole of this."""
    real, _ = _key_frames(curves)
    before = float(real[real < loop - NEAR].max(initial=-np.inf))
    return begins <= before + NEAR or abs(begins - loop) < NEAR or (begins < loop and before == -np.inf)


def _close_nothing(curves: list[Any]) -> None:
    """Make keys of the usual type of those that close a loop: what they show is played as any other pose."""
    for frame in _key_frames(curves)[1].tolist():
        for point in (point for curve in curves for point in curve.keyframe_points if abs(point.co.x - frame) < MERGE):
            point.type = "KEYFRAME"


def _with_keys(curve: Any) -> None:
    """Make keys of what a curve has instead after *Keys to Samples*."""
    samples = curve.sampled_points
    if not len(curve.keyframe_points) and len(samples):
        curve.convert_to_keyframes(round(samples[0].co[0]), round(samples[-1].co[0]) + 1)


def is_keyframe(action: bpy.types.Action, number: int, frame: float, bones: Collection[str] | None = None) -> bool:
    """Whether an action's keyframe of this number, counted from 0 without those that close a loop, is at a frame. bones: whose keys count,
    "" for the object's; None for all."""
    real, _ = _key_frames([curve for curve in compat.curves(action) if _moves(curve, bones)])
    return 0 <= number < len(real) and bool(abs(real[number] - frame) < MERGE)


def _moves(curve: Any, bones: Collection[str] | None) -> bool:
    """Whether a curve moves one of these bones, "" for the object; None for any."""
    channel = fcurves.channel_of(curve)
    return channel is not None and (channel.property in REST or channel.property in PATHS) and (bones is None or channel.bone in bones)


def _key_frames(curves: list[Any]) -> tuple[Floats, Floats]:
    """(K,) frames of keys, each once, and (L,) of generated ones behind them, which close a loop."""
    keys = [values_of(curve.keyframe_points, "co", np.float32, 2)[:, 0] for curve in curves]
    types = [values_of(curve.keyframe_points, "type", KIND) for curve in curves]
    frames, kinds = (np.concatenate(each) if each else np.zeros(0) for each in (keys, types))
    real = np.unique(np.round(frames[kinds != compat.GENERATED_VALUE], 2)).astype(np.float64)
    generated = np.unique(frames[kinds == compat.GENERATED_VALUE]).astype(np.float64)
    return real, generated[generated > real.max(initial=-np.inf) + NEAR]


def _one_key_a_unit(curves: list[Any], start: float, unit: float) -> Floats:
    """Of keys that lie in one unit of the game's time, which has one keyframe there, the first and the last of all stay, or the one that is
    nearest to it; the others, whose frames (K,) are returned, become generated. Keys of one time, which Blender has side by side, stay."""
    frames, _ = _key_frames(curves)
    stay = np.diff(frames, append=np.inf) < 2 * CLOSEST
    stay[1:] |= stay[:-1].copy()
    stay[[0, -1]] = True
    gone = frames[~one_a_unit((frames - start) / unit, stay)]
    for curve in curves if len(gone) else []:
        points = curve.keyframe_points
        keys, types = values_of(points, "co", np.float32, 2)[:, 0], values_of(points, "type", KIND)
        types[(np.abs(keys[:, None] - gone) < MERGE).any(axis=1)] = compat.GENERATED_VALUE
        points.foreach_set("type", types)
    return gone


def closing_keys(action: bpy.types.Action, generated: Mapping[Channel, Floats]) -> dict[Channel, Floats]:
    """Of the frames of generated keys those that may close a loop, or stand for a change of type."""
    between = of_property(action.get(BETWEEN))
    if not between.size:
        return dict(generated)
    kept = {channel: when[(np.abs(when[:, None] - between) > MERGE).all(axis=1)] for channel, when in generated.items()}
    return {channel: when for channel, when in kept.items() if len(when)}


class Keys(NamedTuple):
    """Of a curve, (K,) each. modes: interpolations. types: of the keys. between: generated ones that are seen, and not written."""

    frames: Floats
    values: Floats
    modes: NDArray[np.uint8]
    types: NDArray[np.uint8]
    between: NDArray[np.bool_]

    def only(self, rows: slice | NDArray[np.bool_] | NDArray[np.int64]) -> Keys:
        """Some of them, as these rows say."""
        return Keys(self.frames[rows], self.values[rows], self.modes[rows], self.types[rows], self.between[rows])

    def and_(self, other: Keys) -> Keys:
        """Both, in their order in time."""
        both = Keys.joined([self, other])
        return both.only(np.argsort(both.frames, kind="stable"))

    @classmethod
    def joined(cls, several: Sequence[Keys]) -> Keys:
        """One behind the other."""
        return cls(
            np.concatenate([each.frames for each in several]),
            np.concatenate([each.values for each in several]),
            np.concatenate([each.modes for each in several]),
            np.concatenate([each.types for each in several]),
            np.concatenate([each.between for each in several]),
        )

    @classmethod
    def linear(cls, frames: Floats, values: Floats, between: NDArray[np.bool_]) -> Keys:
        """Keys that straight lines join."""
        types = np.where(between, KIND(compat.GENERATED_VALUE), KIND(compat.KEYFRAME_VALUE))
        return cls(frames, values, np.full(len(frames), compat.LINEAR, KIND), types, between)


class _Part(NamedTuple):
    """One pass of a strip through its action, from frame `first` to `last` of it. at: where it begins. ended: whether no other follows."""

    first: float
    last: float
    at: float
    scale: float
    reverse: bool
    ended: bool

    def played(self, frames: Floats) -> Floats:
        """(K,) frames of the action -> where they are played."""
        return self.at + (self.last - frames if self.reverse else frames - self.first) * self.scale


def _parts(strip: Any, start: float) -> list[_Part]:
    length, result = strip.action_frame_end - strip.action_frame_start, list[_Part]()
    count = max(1, ceil(strip.repeat - NEAR))
    for number in range(count):
        share = min(1.0, strip.repeat - number) * length
        ends = (
            (strip.action_frame_end - share, strip.action_frame_end)
            if strip.use_reverse
            else (strip.action_frame_start, strip.action_frame_start + share)
        )
        result.append(_Part(*ends, start + number * length * strip.scale, strip.scale, strip.use_reverse, number == count - 1))
    return result


def _retimed(curve: Any, strip: Any, start: float, closing: Floats, unit: float) -> Keys:
    """The keys that play what the strip plays. unit: as of `retime`."""
    points = curve.keyframe_points
    at = values_of(points, "co", np.float32, 2).astype(np.float64)
    kinds = values_of(points, "interpolation", KIND), values_of(points, "type", KIND)
    own = Keys(at[:, 0], at[:, 1], *kinds, np.zeros(len(at), np.bool_))
    is_generated = own.types == compat.GENERATED_VALUE
    # Where another curve goes on at that frame, or behind it, this one's loop is closed all the same.
    ends = own.frames[:0] if is_generated.all() else np.append(closing, own.frames[is_generated & (own.frames == own.frames[-1])])
    passes: list[Keys] = []
    parts = _parts(strip, start)
    for part in parts:
        keys = _within(curve, own, part, closing)
        closes = (np.abs(keys.frames[:, None] - ends) < NEAR).any(axis=1)
        keys = keys._replace(frames=part.played(keys.frames))
        if part.reverse:
            # A key tells how its curve goes on to the next one, which now comes before it; what closed the loop now opens it.
            types = np.where(closes, compat.KEYFRAME_VALUE, keys.types).astype(KIND)
            keys = keys._replace(types=types).only(slice(None, None, -1))
            keys = keys._replace(modes=np.roll(keys.modes, -1))
        passes.append(keys if part.ended else _before_the_next(curve, keys, part, parts[0], unit))
    return Keys.joined(passes)


def _within(curve: Any, keys: Keys, part: _Part, closing: Floats) -> Keys:
    """The keys of one pass, with one at each end; where the curve is not straight, with one for each frame that is played, and one between
    two that is seen alone, where it is off the line from one to the other. One that has no keys gets none."""
    if not len(keys.frames):
        return keys
    straight = bool(np.isin(keys.modes[:-1], (compat.LINEAR, compat.CONSTANT)).all()) and not len(curve.modifiers)
    inside = keys.only((keys.frames >= part.first - NEAR) & (keys.frames <= part.last + NEAR))
    if len(curve.modifiers):
        inside = inside._replace(values=np.array([curve.evaluate(frame) for frame in inside.frames.tolist()]))
    frames = inside.frames
    extra = [edge for edge in (part.first, part.last) if not len(frames) or np.abs(frames - edge).min() > NEAR]
    if not straight:
        every = np.arange(part.first, part.last, 1 / part.scale)
        extra += [frame for frame in every.tolist() if not len(frames) or np.abs(frames - frame).min() > 0.5 / part.scale]
    if not extra:
        return inside if straight else _bent(curve, inside)
    added = np.unique(np.array(extra))
    before = np.searchsorted(keys.frames, added, side="right") - 1
    mode = np.where(before >= 0, keys.modes[before.clip(0)], compat.LINEAR)
    values = np.array([curve.evaluate(frame) for frame in added.tolist()])
    closes = (np.abs(added[:, None] - closing) < NEAR).any(axis=1)
    closes |= bool((keys.types == compat.GENERATED_VALUE).all())  # a channel at rest, which no file has keys of, stays that
    types = np.where(closes, KIND(compat.GENERATED_VALUE), KIND(compat.KEYFRAME_VALUE))
    whole = inside.and_(Keys(added, values, mode.astype(KIND), types, np.zeros(len(added), np.bool_)))
    return whole if straight else _bent(curve, whole)


def _bent(curve: Any, keys: Keys) -> Keys:
    """Joined by straight lines, and with keys half-way between two where the curve is elsewhere."""
    middles = (keys.frames[:-1] + keys.frames[1:]) / 2
    values = np.array([curve.evaluate(frame) for frame in middles.tolist()])
    off = np.abs(values - (keys.values[:-1] + keys.values[1:]) / 2) > STRAIGHT
    linear = keys._replace(modes=np.full(len(keys.frames), compat.LINEAR, KIND))
    return linear.and_(Keys.linear(middles[off], values[off], np.ones(int(off.sum()), np.bool_)))


def _before_the_next(curve: Any, keys: Keys, part: _Part, first: _Part, unit: float) -> Keys:
    """A pass that another one follows ends where that begins: with its pose, or on the last frame before where its own is another, at a
    time that the game has, so that a leap which no bone shows begins in the file where it does here."""
    if not len(keys.frames):
        return keys
    frames, goes_on = keys.frames, curve.evaluate(first.last if part.reverse else first.first)
    if abs(keys.values[-1] - goes_on) < 1e-6 or frames[-1] - frames[0] < 2:
        return keys.only(slice(-1))
    last = frames[-1] - 1
    if 0 < unit <= 1:
        last = first.at + np.ceil((last - first.at) / unit - NEAR) * unit
    inner = part.last - (last - part.at) / part.scale if part.reverse else part.first + (last - part.at) / part.scale
    kept = keys.only(frames < last - NEAR)
    return Keys(
        np.append(kept.frames, last),
        np.append(kept.values, curve.evaluate(inner)),
        np.append(kept.modes, keys.modes[-1]).astype(KIND),
        np.append(kept.types, compat.KEYFRAME_VALUE).astype(KIND),
        np.append(kept.between, False),
    )


def refill(curve: Any, keys: Keys) -> None:
    """Give a curve these keys alone, and no modifiers."""
    for modifier in list(curve.modifiers):
        curve.modifiers.remove(modifier)
    points = curve.keyframe_points
    points.clear()
    points.add(len(keys.frames))
    points.foreach_set("co", np.stack([keys.frames, keys.values], axis=1).astype(np.float32).ravel())
    points.foreach_set("interpolation", np.ascontiguousarray(keys.modes, KIND))
    points.foreach_set("type", np.ascontiguousarray(keys.types, KIND))
    curve.update()


def set_range(action: bpy.types.Action, start: float, length: float, *, cyclic: bool = False) -> None:
    """The frame range of a clip."""
    action.use_frame_range, action.use_cyclic = True, cyclic  # a part of a loop, or one that is blended, is played once
    action.frame_start, action.frame_end = start, start + length
