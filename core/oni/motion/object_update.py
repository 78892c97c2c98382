"""From what Blender holds of an object back to an OBAN: untouched keys keep their bits, everything else is encoded anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...motion.curves import curves_of
from ...motion.rotations import quaternion
from ...reporting.errors import ExportError, Problem
from ..records.angles import from_disk, to_disk
from ..records.oban import KEY, Array, Oban
from .object_motion import MOST_FRAMES, Base, ObjectSettings, object_blocks
from .object_sampling import SampledObject, sample_object

SAME = 2e-6
"""Components of quaternions, and lengths relative to their size, that differ less are the same."""

_REST = np.array([0.0, 0, 0, 1, 0, 0, 0, 1, 1, 1])


def update_object(sampled: SampledObject, settings: ObjectSettings, wanted: Oban, original: Oban | None) -> Oban:
    """The record of an action. wanted: with its fields. original: the record it was imported from, None for a new one.

    Raises ExportError for what the format cannot hold.
    """
    if int(sampled.times[-1]) >= MOST_FRAMES:
        when = float(settings.timing.frame(float(sampled.times[-1])))
        raise ExportError(Problem(f"a key at frame {sampled.times[-1]}; an OBAN has at most {MOST_FRAMES} frames", frame=when))
    if original is None:
        base = Base(np.eye(4)[0], sampled.size, np.zeros(3))
        keys, table = _keys(sampled, settings, base), base.table
        initial = _initial(table, keys)
        return replace(wanted, keys=keys, base=table, initial=initial, length=int(sampled.times[-1]) + 1)
    base = Base.of(original.base)
    kept_scale = bool(np.abs(sampled.size - base.size.astype(np.float32)).max() <= SAME * max(1.0, float(np.abs(base.size).max())))
    table = original.base if kept_scale else Base(base.rotation, sampled.size, base.translation).table
    fresh = _keys(sampled, settings, base)
    shown = sample_object(curves_of(object_blocks(original, settings)), settings, _REST)
    keys = _restored(sampled, shown, fresh, settings, original)
    first = keys["frame"][0] == original.keys["frame"][0] and keys[:1].tobytes() == original.keys[:1].tobytes()
    initial = original.initial if first and kept_scale else _as_before(_initial(table, keys), original.initial)
    last = int(keys["frame"][-1])
    length = original.length if last == int(original.keys["frame"][-1]) else last + 1
    return replace(wanted, keys=keys, base=table, initial=initial, length=length)


def _keys(sampled: SampledObject, settings: ObjectSettings, base: Base) -> Array:
    rotation = quaternion.multiply(quaternion.conjugate(settings.rotation), sampled.rotation)
    rotation = quaternion.multiply(rotation, quaternion.conjugate(base.rotation))
    out = np.zeros(len(sampled.times), KEY)
    out["frame"] = sampled.times
    out["rotation"] = to_disk(rotation)
    out["translation"] = sampled.location / settings.scale @ settings.axes - quaternion.rotate(rotation, base.translation)
    return out


def _restored(sampled: SampledObject, shown: SampledObject, fresh: Array, settings: ObjectSettings, original: Oban) -> Array:
    """The file's own keys where they are untouched, without those that only the import put in between."""
    row = np.searchsorted(shown.times, sampled.times).clip(0, len(shown.times) - 1)
    size = np.maximum(np.abs(shown.location[row]).max(axis=1), 1.0)
    moved = np.abs(shown.location[row] - sampled.location).max(axis=1) > SAME * size
    one, other = shown.rotation[row], sampled.rotation
    apart = np.minimum(np.abs(one - other).max(axis=1), np.abs(one + other).max(axis=1))
    untouched = (shown.times[row] == sampled.times) & ~moved & (apart <= SAME)
    own_times = original.keys["frame"].astype(np.int64)
    position = np.searchsorted(own_times, sampled.times).clip(0, len(own_times) - 1)
    from_file = untouched & (own_times[position] == sampled.times)
    keys, known = fresh.copy(), original.keys[position]
    here = (shown.times[row] == sampled.times) & (own_times[position] == sampled.times)
    keys["rotation"] = np.where((here & (apart <= SAME))[:, None], known["rotation"], fresh["rotation"])
    keys["translation"] = np.where(here[:, None], _as_before(fresh["translation"], known["translation"]), fresh["translation"])
    keys[from_file] = original.keys[position[from_file]]
    if not settings.dense or len(own_times) < 2:
        return keys
    good = np.zeros(int(own_times[-1] - own_times[0]) + 1, np.int64)
    inside = untouched & (sampled.times >= own_times[0]) & (sampled.times <= own_times[-1])
    good[sampled.times[inside] - own_times[0]] = 1
    through = np.concatenate([[0], np.cumsum(good)])
    starts = own_times - own_times[0]
    whole = through[starts[1:] + 1] - through[starts[:-1]] == np.diff(starts) + 1
    interval = np.searchsorted(own_times, sampled.times, side="right") - 1
    between = (interval >= 0) & (sampled.times < own_times[-1]) & ~from_file
    between &= np.append(whole, False)[interval.clip(0, len(whole))]
    return keys[~between]


def _as_before(numbers: Array, before: Array) -> Array:
    """(N, 3) numbers, each of them as it was before where it is the same but for rounding."""
    size = np.maximum(np.abs(before).max(axis=1, keepdims=True), 1.0)
    return np.where(np.abs(numbers - before) <= SAME * size, before, numbers)


def _initial(base: Array, keys: Array) -> Array:
    """(4, 3) base, then rotation and translation of key 0."""
    rotation = from_disk(keys["rotation"][:1])[0]
    out = quaternion.rotate(rotation, base.astype(np.float64))
    out[3] += keys["translation"][0]
    return out.astype(np.float32)
