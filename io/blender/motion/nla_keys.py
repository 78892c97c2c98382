"""What strips of the NLA play, as keys of an action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any, NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion.curves import CLOSEST, Channel
from ....core.motion.rotation_matrix import Floats
from ....core.motion.sampling import MERGE
from .. import compat
from ..arrays import KIND, of_property, values_of
from . import evaluated
from .nla import NEAR, Playing, only, playing, plays_range, span, strip_slot

BETWEEN = "retro_anim_between"
"""Custom property of clips: the frames of generated keys that are seen, and not written; no loop is closed by them."""

STRAIGHT = 1e-5
"""Blender's units and components of rotations that a curve may be off a straight line."""


def retime(action: bpy.types.Action, strip: Any, start: float, unit: float) -> int:
    """Give the action's keys and markers the times at which the strip plays them; returns how many keyframes of the action lie before
    what it plays. start: the frame where the strip begins. unit: frames of a unit of the game's time, 0 where none is known."""
    curves = compat.curves(action)
    real, closing = _key_frames(curves)
    for curve in curves:
        _refill(curve, *_retimed(curve, strip, start, closing))
    if unit:
        action[BETWEEN] = _one_key_a_unit(curves, start, unit).tolist()
    marks = [(marker.name, marker.frame) for marker in action.pose_markers]
    for marker in list(action.pose_markers):
        action.pose_markers.remove(marker)
    for name, frame in marks:
        for part in _parts(strip, start):
            if part.first - NEAR <= frame <= part.last + NEAR:
                action.pose_markers.new(name).frame = round(float(part.played(np.array(float(frame)))))
    cyclic = action.use_cyclic and not strip.use_reverse and plays_range(strip) and abs(strip.repeat - round(strip.repeat)) < NEAR
    _span(action, start, strip.frame_end - strip.frame_start, cyclic)
    return int((real < strip.action_frame_start - NEAR).sum())


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
    times = (frames - start) / unit
    units = np.rint(times)
    apart = np.abs(times - units)
    apart[[0, -1]] = -1
    best = np.full(len(frames), np.inf)
    np.minimum.at(best, np.searchsorted(units, units), apart)
    beside = np.diff(frames, append=np.inf) < 2 * CLOSEST
    beside[1:] |= beside[:-1].copy()
    gone = frames[(apart > best[np.searchsorted(units, units)]) & ~beside]
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


def _retimed(curve: Any, strip: Any, start: float, closing: Floats) -> tuple[Floats, Floats, NDArray[np.uint8], NDArray[np.uint8]]:
    """Frames, values, interpolation and types of the keys (K,) that play what the strip plays."""
    points = curve.keyframe_points
    keys = values_of(points, "co", np.float32, 2).astype(np.float64)
    modes, types = values_of(points, "interpolation", KIND), values_of(points, "type", KIND)
    straight = bool(np.isin(modes[:-1], (compat.LINEAR, compat.CONSTANT)).all()) and not len(curve.modifiers)
    columns: list[tuple[Floats, Floats, NDArray[np.uint8], NDArray[np.uint8]]] = []
    parts = _parts(strip, start)
    for part in parts:
        frames, values, mode, kind = _within(curve, keys, modes, types, part, straight, closing)
        played = part.played(frames)
        if part.reverse:
            # A key tells how its curve goes on to the next one, which now comes before it.
            played, values, mode = played[::-1], values[::-1], np.roll(mode[::-1], -1)
            closes = (np.abs(frames[:, None] - closing) < NEAR).any(axis=1)
            kind = np.where(closes, compat.KEYFRAME_VALUE, kind)[::-1].astype(KIND)  # what closed the loop now opens it
        if not part.ended:
            played, values, mode, kind = _before_the_next(curve, played, values, mode, kind, part, parts[0])
        columns.append((played, values, mode, kind))
    frames, values, modes, types = (np.concatenate(each) for each in zip(*columns, strict=True))
    return frames, values, modes, types


def _within(
    curve: Any, keys: Floats, modes: NDArray[np.uint8], types: NDArray[np.uint8], part: _Part, straight: bool, closing: Floats
) -> tuple[Floats, Floats, NDArray[np.uint8], NDArray[np.uint8]]:
    """The keys of one pass, with one at each end; where the curve is not straight, with one for each frame that is played."""
    inside = (keys[:, 0] >= part.first - NEAR) & (keys[:, 0] <= part.last + NEAR)
    frames = keys[inside, 0]
    extra = [edge for edge in (part.first, part.last) if not len(frames) or np.abs(frames - edge).min() > NEAR]
    if not straight:
        every = np.arange(part.first, part.last, 1 / part.scale)
        extra += [frame for frame in every.tolist() if not len(frames) or np.abs(frames - frame).min() > 0.5 / part.scale]
    own = np.array([curve.evaluate(frame) for frame in frames.tolist()]) if len(curve.modifiers) else keys[inside, 1]
    if not extra:
        return frames, own, modes[inside], types[inside]
    added = np.unique(np.array(extra))
    before = np.searchsorted(keys[:, 0], added, side="right") - 1
    mode = np.where(before >= 0, modes[before.clip(0)], compat.LINEAR)
    all_modes = np.concatenate([modes[inside], mode if straight else np.full(len(added), compat.LINEAR)])
    all_modes = all_modes if straight else np.full_like(all_modes, compat.LINEAR)
    order = np.argsort(np.concatenate([frames, added]), kind="stable")
    values = np.array([curve.evaluate(frame) for frame in added.tolist()])
    closes = (np.abs(added[:, None] - closing) < NEAR).any(axis=1)
    kinds = np.where(closes, KIND(compat.GENERATED_VALUE), KIND(compat.KEYFRAME_VALUE))
    return (
        np.concatenate([frames, added])[order],
        np.concatenate([own, values])[order],
        all_modes[order].astype(KIND),
        np.concatenate([types[inside], kinds])[order].astype(KIND),
    )


def _before_the_next(
    curve: Any, frames: Floats, values: Floats, modes: NDArray[np.uint8], types: NDArray[np.uint8], part: _Part, first: _Part
) -> tuple[Floats, Floats, NDArray[np.uint8], NDArray[np.uint8]]:
    """A pass that another one follows ends where that begins: with its pose, or on the last frame before where its own is another."""
    goes_on = curve.evaluate(first.last if part.reverse else first.first)
    if abs(values[-1] - goes_on) < 1e-6 or frames[-1] - frames[0] < 2:
        return frames[:-1], values[:-1], modes[:-1], types[:-1]
    last = frames[-1] - 1
    inner = part.last - (last - part.at) / part.scale if part.reverse else part.first + (last - part.at) / part.scale
    kept = frames < last - NEAR
    return (
        np.append(frames[kept], last),
        np.append(values[kept], curve.evaluate(inner)),
        np.append(modes[kept], modes[-1]).astype(KIND),
        np.append(types[kept], compat.KEYFRAME_VALUE).astype(KIND),
    )


def sample(
    context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, up_to: Playing | None, start: float, unit: float
) -> list[Playing]:
    """Give the action what the NLA shows, frame by frame, instead of its own keys; returns the strips that were looked at. What it shows
    between two frames, and no straight line does, is a generated key: it is seen, and not written. start: the frame of its first key.

    up_to: a strip with all that lies below it, from its beginning to its end; None for all strips that play. unit: frames of a unit of
    the game's time, on which the keys lie, 0 where none is known. Raises RetroAnimError for more frames than any clip has."""
    shown = playing(obj)
    strips = [each for each in shown if up_to is None or _below(obj, each, up_to)]
    shown_for = strips if up_to is None else [up_to]
    first, last = span(obj, shown_for)
    frames, real = _sampled_frames(first, last, unit)
    channels = list(dict.fromkeys(channel for each in strips for channel in _channels(each.strip)))
    rows = np.empty((len(channels), len(frames)))
    with only(obj, strips), evaluated.evaluation(context, obj) as at:
        for column, frame in enumerate(frames.tolist()):
            there = at(min(frame, last))
            for row, (path, index) in enumerate(channels):
                value: Any = there.path_resolve(path)
                rows[row, column] = value[index] if hasattr(value, "__len__") else value
    _unit_quaternions(rows, channels)
    known = {(curve.data_path, curve.array_index): curve for curve in compat.curves(action)}
    moving = np.array([not path.endswith("]") for path, _ in channels])
    lines = np.stack([np.interp(frames, frames[real], row[real]) for row in rows]) if len(rows) else rows
    kept = real | (np.abs(rows - lines) > STRAIGHT)[moving].any(axis=0)
    frames, rows = frames[kept], rows[:, kept]
    kinds = np.where(real, KIND(compat.KEYFRAME_VALUE), KIND(compat.GENERATED_VALUE))[kept]
    modes = np.full(len(frames), compat.LINEAR, KIND)
    for (path, index), values in zip(channels, rows, strict=True):
        curve = known.get((path, index)) or compat.new_curve(action, path, index, path.rpartition(".")[0] or "Object Transforms")
        _refill(curve, frames - first + start, values, modes, kinds)
    action[BETWEEN] = (frames[~real[kept]] - first + start).tolist()
    for marker in list(action.pose_markers) if up_to is None else []:
        action.pose_markers.remove(marker)
    _span(action, start, last - first)
    return strips


def _sampled_frames(first: float, last: float, unit: float) -> tuple[Floats, NDArray[np.bool_]]:
    """(K,) the scene's frames, where the game's times nearest to them lie, and the middles between; and which of them are the game's own,
    the last one of these as near to the end as can be."""
    whole: Floats = np.append(np.arange(first, last - NEAR), last)
    if unit:
        own = first + np.unique(np.rint((whole - first) / unit)) * unit
    else:
        # A strip that ends within a frame: no game has time for both.
        own = np.delete(whole, -2) if len(whole) > 2 and whole[-1] - whole[-2] < 1 - NEAR else whole
    beside = np.concatenate([whole, (own[:-1] + own[1:]) / 2])
    after = np.searchsorted(own, beside)
    gap = np.minimum(np.abs(own[after.clip(max=len(own) - 1)] - beside), np.abs(own[(after - 1).clip(0)] - beside))
    beside = np.unique(beside[gap > MERGE])
    frames = np.concatenate([own, beside[np.diff(beside, prepend=-np.inf) > MERGE]])
    order = np.argsort(frames)
    return frames[order], (np.arange(len(frames)) < len(own))[order]


def _unit_quaternions(rows: Floats, channels: list[tuple[str, int]]) -> None:
    """Quaternions among the channels (C, K) of length 1, as Blender shows them: strips blend their components."""
    groups: dict[str, list[int]] = {}
    for row, (path, _) in enumerate(channels):
        if path.endswith("rotation_quaternion"):
            groups.setdefault(path, []).append(row)
    for members in groups.values():
        if len(members) == 4:
            rows[members] /= np.maximum(np.linalg.norm(rows[members], axis=0), 1e-9)


def _below(obj: bpy.types.Object, each: Playing, top: Playing) -> bool:
    """Whether a strip lies below another one, or is it."""
    tracks = list(obj.animation_data.nla_tracks) if obj.animation_data else []
    return each.strip == top.strip or (each.track != top.track and tracks.index(each.track) < tracks.index(top.track))


def _channels(strip: Any) -> Iterable[tuple[str, int]]:
    """What a strip moves; of a meta strip, what those inside it move."""
    if strip.action is None:
        for inner in strip.strips:
            yield from _channels(inner)
        return
    slot = strip_slot(strip)
    for curve in compat.curves_in(strip.action, slot):
        if curve.data_path.startswith("pose.bones") or "." not in curve.data_path:
            yield curve.data_path, curve.array_index


def _refill(curve: Any, frames: Floats, values: Floats, modes: NDArray[np.uint8], types: NDArray[np.uint8]) -> None:
    for modifier in list(curve.modifiers):
        curve.modifiers.remove(modifier)
    points = curve.keyframe_points
    points.clear()
    points.add(len(frames))
    points.foreach_set("co", np.stack([frames, values], axis=1).astype(np.float32).ravel())
    points.foreach_set("interpolation", np.ascontiguousarray(modes, KIND))
    points.foreach_set("type", np.ascontiguousarray(types, KIND))
    curve.update()


def _span(action: bpy.types.Action, start: float, length: float, cyclic: bool = False) -> None:
    action.use_frame_range, action.use_cyclic = True, cyclic  # a part of a loop, or one that is blended, is played once
    action.frame_start, action.frame_end = start, start + length
