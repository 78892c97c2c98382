"""What the NLA shows, frame by frame, as keys of an action."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from .....core.motion.rotations.rotation_matrix import Floats
from .....core.motion.sampling import MERGE
from ... import compat
from .. import evaluated
from .nla import NEAR, Playing, only, playing, span, strip_slot
from .nla_keys import BETWEEN, STRAIGHT, Keys, refill, set_range

_LAST = 6.0
"""A rotation mode as a number, ZYX: that in which Blender shows larger ones, for which there is none, as strips make of two."""


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
    named = dict.fromkeys(channel for each in strips for channel in _channels(each.strip))
    channels = [(path, index) for path, index in named if _value(obj, path, index) is not None]
    rows = np.empty((len(channels), len(frames)))
    with only(obj, strips), evaluated.evaluation(context, obj) as at:
        for column, frame in enumerate(frames.tolist()):
            there = at(min(frame, last))
            for row, (path, index) in enumerate(channels):
                rows[row, column] = _value(there, path, index)
    _unit_quaternions(rows, channels)
    known = {(curve.data_path, curve.array_index): curve for curve in compat.curves(action)}
    moving = np.array([not path.endswith("]") for path, _ in channels], np.bool_)
    lines = np.stack([np.interp(frames, frames[real], row[real]) for row in rows]) if len(rows) else rows
    kept = real | (np.abs(rows - lines) > STRAIGHT)[moving].any(axis=0)
    frames, rows, between = frames[kept], rows[:, kept], ~real[kept]
    for (path, index), values in zip(channels, rows, strict=True):
        curve = known.get((path, index)) or compat.new_curve(action, path, index, path.rpartition(".")[0] or "Object Transforms")
        refill(curve, Keys.linear(frames - first + start, values, between))
    action[BETWEEN] = (frames[between] - first + start).tolist()
    for marker in list(action.pose_markers) if up_to is None else []:
        action.pose_markers.remove(marker)
    set_range(action, start, last - first)
    return strips


def _value(obj: bpy.types.Object, path: str, index: int) -> float | None:
    """The number of a property, of a choice that which stands for it in a curve; None where there is no such property, as of a bone that is
    no more."""
    try:
        value: Any = obj.path_resolve(path)
        if isinstance(value, str):
            at, _, name = path.rpartition(".")
            owner: Any = obj.path_resolve(at) if at else obj
            choice: Any = owner.bl_rna.properties[name].enum_items.get(value)
            return _LAST if choice is None else float(choice.value)
        return float(value[index] if hasattr(value, "__len__") else value)
    except (ValueError, IndexError):
        return None


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
