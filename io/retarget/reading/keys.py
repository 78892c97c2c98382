"""The keys of an action's curves as arrays, and what they make of the bones' own channels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion.curves import Block, Channel, rotation_property
from ....core.motion.modes import quaternions
from ....core.motion.rotations import quaternion as quat
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.retarget.figures.columns import empty
from ....core.retarget.figures.figure import Figure
from ....core.retarget.figures.motion import Local
from ...blender import compat
from ...blender.arrays import KIND, values_of
from ...blender.motion import evaluated, fcurves

Channels = dict[Channel, NDArray[Any]]
"""Values (F,) at some frames, by what they drive."""

_WIDTHS = {"location": 3, "rotation_quaternion": 4, "rotation_axis_angle": 4, "scale": 3}


def fcurves_keys(curve: Any) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Frames and values of a curve's keys, or of its samples."""
    keys = values_of(compat.key_points(curve), "co", np.float32, 2)
    return keys[:, 0], keys[:, 1]


def channels_at(action: bpy.types.Action, obj: bpy.types.Object, frames: Floats, straight: set[Channel] | None = None) -> Channels:
    """The values of an action's curves at `frames`, without those of custom properties, which move nothing; of those that are lines, or
    steps, between keys at the same frames all at once.

    straight: gets the channels of which the curves are lines between `frames`, which are ascending then, as they have no keys between."""
    result: Channels = {}
    by_count: dict[int, list[tuple[Channel, Any]]] = {}
    for curve in compat.quick_curves(action, obj):
        channel = fcurves.channel_of(curve)
        if channel is None or channel.property.startswith("[") or compat.is_muted(curve):
            continue
        count = len(curve.keyframe_points)
        if count and not len(curve.modifiers):
            by_count.setdefault(count, []).append((channel, curve))
        elif compat.has_values(curve):
            result[channel] = values_at(curve, frames)
    for count, some in by_count.items():
        step = max(1, _AT_ONCE // count)
        for first in range(0, len(some), step):
            for at, keyed in _alike(some[first : first + step], count):
                _add_plain(result, keyed, at, frames, straight)
    return result


_AT_ONCE = 1 << 16
"""Keys that are read together, which take half a megabyte."""


def of_blocks(blocks: Iterable[Block], frames: Floats) -> Channels:
    """The same of the curves that are made of blocks, whose keys stay as they are."""
    alike: dict[tuple[bytes, bool], list[Block]] = {}
    for block in blocks:
        if not block.channels[0].property.startswith("["):
            alike.setdefault((block.frames.tobytes(), block.stepped), []).append(block)
    result: Channels = {}
    for (_, stepped), some in alike.items():
        at, step = some[0].frames, max(1, _AT_ONCE // (4 * len(some[0].frames)))
        for own in (some[first : first + step] for first in range(0, len(some), step)):
            values = (_steps if stepped else between)(at, np.concatenate([block.values for block in own]), frames)
            result.update(zip((channel for block in own for channel in block.channels), values, strict=True))
    return result


@dataclass(frozen=True, eq=False)
class _Keyed:
    """Curves (C,) that have their keys at the same frames, with the values (C, K) of these."""

    channels: list[Channel]
    curves: list[Any]
    values: NDArray[np.float32]


def _alike(some: list[tuple[Channel, Any]], count: int) -> Iterator[tuple[NDArray[np.float32], _Keyed]]:
    """Curves, each with `count` keys, by the (K,) frames of these."""
    keys = np.empty((len(some), 2 * count), np.float32)
    for (_, curve), row in zip(some, keys, strict=True):
        curve.keyframe_points.foreach_get("co", row)
    bits = keys.view(np.int32)[:, ::2]
    if (bits == bits[:1]).all():  # as nearly always
        groups = [list(range(len(some)))]
    else:
        rows_at: dict[bytes, list[int]] = {}
        for row, at in enumerate(bits):
            rows_at.setdefault(at.tobytes(), []).append(row)
        groups = list(rows_at.values())
    for rows in groups:
        channels, curves = ([some[row][kind] for row in rows] for kind in (0, 1))
        yield keys[rows[0], ::2], _Keyed(channels, curves, (keys if len(groups) == 1 else keys[rows])[:, 1::2])


def _add_plain(result: Channels, some: _Keyed, at: NDArray[np.float32], frames: Floats, straight: set[Channel] | None) -> None:
    """Add what curves without modifiers have at `frames`. at: (K,) the frames of their keys. straight: as of `channels_at`."""
    has = _has(at, frames)
    if has:
        result.update(zip(some.channels, some.values.copy(), strict=True))  # without the frames beside
        if straight is None:
            return
    kinds = np.empty(some.values.shape, KIND)
    for curve, row in zip(some.curves, kinds, strict=True):
        curve.keyframe_points.foreach_get("interpolation", row)
    if straight is not None and (has or _are_among(at, frames)):
        lines: list[int] = (kinds[:, :-1] == compat.LINEAR).all(axis=1).nonzero()[0].tolist()
        straight.update([some.channels[row] for row in lines])
    if has:
        return
    left = np.ones(len(some.curves), np.bool_)
    known = left if _spans(at, frames) else np.array([curve.extrapolation == "CONSTANT" for curve in some.curves])
    for kind, values_of_all in ((compat.LINEAR, between), (compat.CONSTANT, _steps)):
        own = left & known & (kinds[:, :-1] == kind).all(axis=1)
        rows: list[int] = own.nonzero()[0].tolist()
        if rows:
            result.update(zip([some.channels[row] for row in rows], values_of_all(at, some.values[rows], frames), strict=True))
            left = left & ~own
    result.update((some.channels[row], values_at(some.curves[row], frames)) for row in left.nonzero()[0].tolist())


def _has(at: NDArray[np.float32], frames: Floats) -> bool:
    """Whether these are the frames of all keys."""
    return len(at) == len(frames) and bool(np.abs(at - frames).max() < 1e-4)


def _are_among(at: NDArray[np.float32], frames: Floats) -> bool:
    """Whether all keys are at some of the frames, ascending, or before or behind all of them."""
    behind = np.searchsorted(frames, at).clip(1, max(1, len(frames) - 1))
    off = np.minimum(np.abs(at - frames[behind - 1]), np.abs(at - frames[np.minimum(behind, len(frames) - 1)]))
    return bool(((off < 1e-3) | (at < frames[0]) | (at > frames[-1])).all())


def _spans(at: NDArray[np.float32], frames: Floats) -> bool:
    """Whether no frame, in whatever order, is before or behind all keys."""
    return bool(at[0] <= frames.min() and frames.max() <= at[-1])


def _kind(points: Any, count: int) -> str:
    """How a curve without modifiers goes from key to key: "LINE" or "STEP", "" for anything else. count: of its keys."""
    kinds = np.empty(count, KIND)
    points.foreach_get("interpolation", kinds)
    inner = kinds.tobytes()
    return (
        "LINE"
        if inner.startswith(_same(compat.LINEAR, count - 1))
        else "STEP"
        if inner.startswith(_same(compat.CONSTANT, count - 1))
        else ""
    )


@lru_cache(maxsize=512)
def _same(kind: int, count: int) -> bytes:
    """As Blender has an interpolation of so many keys."""
    return np.full(count, kind, KIND).tobytes()


def _steps(at: NDArray[np.float32], values: NDArray[np.float32], frames: Floats) -> Floats:
    """(C, F) of several curves with keys at (K,) frames and values (C, K) what the latest of the keys has."""
    latest = np.maximum(np.searchsorted(at, frames + 1e-4, side="right") - 1, 0)
    return values.take(latest, axis=1).astype(np.float64)


def between(at: NDArray[Any], values: NDArray[np.float32], frames: Floats) -> Floats:
    """(C, F) of several curves with keys at (K,) frames and values (C, K); before and behind all keys what the nearest has."""
    if len(at) == 1:
        return np.repeat(values.astype(np.float64), len(frames), axis=1)
    known = at.astype(np.float64)
    first = np.clip(np.searchsorted(known, frames, side="right") - 1, 0, len(at) - 2)
    share = ((frames - known[first]) / (known[first + 1] - known[first])).clip(0, 1)
    before, behind = (values.take(rows, axis=1).astype(np.float64) for rows in (first, first + 1))
    return before * (1 - share) + behind * share


def moved_by(figure: Figure, values: Channels) -> set[int]:
    """The bones that have locations."""
    own = (figure.index.get(channel.bone, -1) for channel in values if channel.property == "location" and channel.bone)
    return {bone for bone in own if bone >= 0}


def channels_of(figure: Figure, count: int, values: Channels) -> Callable[[int], tuple[Floats, Floats | None]]:
    """What gives the (F, 4) rotations of a bone, and its (F, 3) locations, None where it has none; at rest without values."""
    rows: dict[tuple[int, str], dict[int, NDArray[Any]]] = {}
    for channel, values_ in values.items():
        bone = figure.index.get(channel.bone, -1) if channel.bone else -1
        if bone >= 0:
            rows.setdefault((bone, channel.property), {})[channel.component] = values_

    def together(bone: int, name: str) -> Floats | None:
        if (bone, name) not in rows:
            return None
        out = np.empty((count, _WIDTHS.get(name, 3)))
        out[:] = evaluated.REST[name]
        for component, values_ in rows[bone, name].items():
            if component < out.shape[1]:
                out[:, component] = values_
        return out

    def channels(bone: int) -> tuple[Floats, Floats | None]:
        mode = figure.modes[bone]
        own = rows.get((bone, "rotation_quaternion"), {})
        if mode == "QUATERNION" and len(own) == 4 and (whole := _normalised([own[component] for component in range(4)])) is not None:
            return whole, together(bone, "location")
        rotations = together(bone, rotation_property(mode)[0])
        rotations = np.broadcast_to(quat.IDENTITY, (count, 4)) if rotations is None else quaternions(rotations[:, None], mode)[:, 0]
        return rotations, together(bone, "location")

    return channels


def _normalised(components: list[NDArray[Any]]) -> Floats | None:
    """(F, 4) of length 1 of their components (F,), each of which lies together; None where one has no length."""
    rows = np.array(components, np.float64)
    length = np.sqrt(np.einsum("cf,cf->f", rows, rows))
    if not length.min(initial=np.inf) > 1e-30:
        return None
    rows /= length
    return np.ascontiguousarray(rows.T)


def local_of(figure: Figure, frames: Floats, values: Channels) -> Local:
    """The bones' own channels; those without values are at rest."""
    count, total = len(frames), len(figure)
    locations, rotations = empty(count, total, 3), empty(count, total, 4)
    locations[:], rotations[:] = 0, quat.IDENTITY
    rows_of_mode: dict[str, dict[int, Floats]] = {}
    for channel, row in values.items():
        bone = figure.index.get(channel.bone, -1) if channel.bone else -1
        if bone < 0:
            continue
        if channel.property == "location" and channel.component < 3:
            locations[:, bone, channel.component] = row
        elif channel.property == rotation_property(figure.modes[bone])[0]:
            width = _WIDTHS.get(channel.property, 3)
            rows_of_bone = rows_of_mode.setdefault(figure.modes[bone], {})
            if bone not in rows_of_bone:
                rows_of_bone[bone] = np.empty((count, width))
                rows_of_bone[bone][:] = evaluated.REST[channel.property]
            if channel.component < width:
                rows_of_bone[bone][:, channel.component] = row
    for mode, rows_of_bone in rows_of_mode.items():
        rotations[:, list(rows_of_bone)] = quaternions(np.stack(list(rows_of_bone.values()), axis=1), mode)
    return Local(locations, rotations)


def values_at(curve: Any, frames: Floats) -> NDArray[Any]:
    """(F,) a curve's values: straight from its keys where they are at the frames, or lines and steps between them, else evaluated."""
    at, values = fcurves_keys(curve)
    if len(curve.modifiers):
        return np.array([curve.evaluate(frame) for frame in frames.tolist()])
    if _has(at, frames):
        return values.copy()
    if curve.extrapolation == "CONSTANT" or _spans(at, frames):
        kind = _kind(curve.keyframe_points, len(at)) if len(curve.keyframe_points) else "LINE"
        if kind:
            return (between if kind == "LINE" else _steps)(at, values[None], frames)[0]
    return np.array([curve.evaluate(frame) for frame in frames.tolist()])
