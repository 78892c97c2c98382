"""An OBAN as an object's curves, and back: untouched keys keep their words, everything else is encoded anew.

A point v of the object is at q * (B v) * q^-1 + T, with B the base transform and q, T those of a key. Base = r_B * diag(s), where s is the
object's scale, so that a key is: location C * (T + q * b), rotation c * q * r_B.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .. import log, quaternion, rotation
from ..curves import Block, Channel, Curves, Timing, curves_of, sample
from ..errors import ExportError, FormatError
from ..matrix_rig import decompose
from ..rig import Y_UP
from ..rotation import Floats
from ..sampling import key_frames
from .angles import from_disk, to_disk
from .evaluate import RATE, Interpolation, turned
from .oban import KEY, Array, Oban

SAME = 2e-6
"""Components of quaternions, and lengths relative to their size, that differ less are the same."""

STEADY = 1e-3
"""Shares of its size that a scale may change before it counts as animated."""

MOST_FRAMES = 0xFFFF
"""The length of an OBAN is 16 bits."""

LOCATION = [Channel("", "location", axis) for axis in range(3)]
SCALE = [Channel("", "scale", axis) for axis in range(3)]


@dataclass(frozen=True, eq=False)
class ObjectSettings:
    """How an OBAN stands in Blender. fps, start: of the scene, and the frame of time 0. scale: Blender units a game unit.

    dense: one key a frame, the way of slerp; else keys where the game has them. local: in the object's own space, Z up there too.
    """

    fps: float = RATE
    start: float = 1.0
    scale: float = 0.1
    dense: bool = False
    local: bool = False

    @property
    def timing(self) -> Timing:
        return Timing(RATE, self.fps, self.start)

    @property
    def axes(self) -> Floats:
        """(3, 3) the game's axes -> Blender's."""
        return np.eye(3) if self.local else Y_UP

    @property
    def turn(self) -> Floats:
        """The same as a quaternion."""
        return quaternion.of_matrix(self.axes)


@dataclass(frozen=True, eq=False)
class Base:
    """The base transform taken apart: turn (4,) r_B, size (3,) s, place (3,) b."""

    turn: Floats
    size: Floats
    place: Floats

    @classmethod
    def of(cls, base: Array) -> Base:
        """Of (4, 3) images of the axes and translation; what it shears is lost, and said. Raises FormatError for no numbers."""
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = base[:3].astype(np.float64).T, base[3]
        if not np.isfinite(matrix).all():
            raise FormatError("the base transform has values that are no numbers")
        place, turn, size = decompose(matrix)
        if np.abs(rotation.from_quaternion(turn) * size - matrix[:3, :3]).max() > 1e-4 * max(1.0, float(np.abs(size).max())):
            log.warning("the base transform shears the object, which Blender's objects cannot do; it is kept in the file")
        return cls(turn, size, place)

    @cached_property
    def table(self) -> Array:
        """(4, 3) float32 as the file has it."""
        linear = rotation.from_quaternion(self.turn) * self.size
        return np.concatenate([linear.T, self.place[None]]).astype(np.float32)


@dataclass(frozen=True, eq=False)
class ObjectSeen:
    """What Blender shows of an object at whole frames of the game. times: (K,). location (K, 3), turn (K, 4): as the object has them.
    size: (3,) its constant scale."""

    times: NDArray[np.int64]
    location: Floats
    turn: Floats
    size: Floats


def evaluate(oban: Oban, frames: Floats, interpolation: Interpolation = "slerp") -> tuple[Floats, Floats]:
    """Rotations q (T, 4) and translations (T, 3) at frames (T,); before the first key and after the last they hold."""
    keys = oban.keys
    times, turns = keys["frame"].astype(np.float64), from_disk(keys["rotation"])
    places = keys["translation"].astype(np.float64)
    after = np.searchsorted(times, frames, side="left").clip(min(1, len(times) - 1), len(times) - 1)
    before = np.maximum(after - 1, 0)
    share = ((frames - times[before]) / np.maximum(times[after] - times[before], 1)).clip(0, 1)
    mix = quaternion.slerp if interpolation == "slerp" else quaternion.nlerp
    return mix(turns[before], turns[after], share), places[before] + (places[after] - places[before]) * share[:, None]


def matrix_at(oban: Oban, frame: float, interpolation: Interpolation = "slerp") -> Floats:
    """(4, 4) the object's matrix in the game's own space, column vectors, base transform and scale included."""
    turn, place = evaluate(oban, np.array([frame]), interpolation)
    base, out = np.eye(4), np.eye(4)
    base[:3, :3], base[:3, 3] = oban.base[:3].astype(np.float64).T, oban.base[3]
    out[:3, :3], out[:3, 3] = rotation.from_quaternion(turn[0]), place[0]
    return out @ base


def object_blocks(oban: Oban, settings: ObjectSettings) -> list[Block]:
    """Location, rotation_quaternion and, where it is not 1, scale. Raises FormatError for numbers that Blender cannot show."""
    last = int(oban.keys["frame"][-1])
    if last > MOST_FRAMES:
        raise FormatError(f"a key at frame {last}; animations have {MOST_FRAMES} frames at most")
    if not np.isfinite(oban.keys["translation"]).all():
        raise FormatError("translations that are no numbers")
    times = oban.keys["frame"].astype(np.float64)
    if settings.dense:
        times = np.arange(int(times[0]), last + 1, dtype=np.float64)
    turn, place = evaluate(oban, times)
    base = Base.of(oban.base)
    location = (place + turned(turn, base.place)) @ settings.axes.T * settings.scale
    turn = quaternion.continuous(quaternion.multiply(quaternion.multiply(settings.turn, turn), base.turn))
    blocks = [
        _block(LOCATION, times, location, settings),
        _block([Channel("", "rotation_quaternion", part) for part in range(4)], times, turn, settings),
    ]
    return [*blocks, _block(SCALE, times[:1], base.size[None], settings)]


def see_object(curves: Curves, settings: ObjectSettings, mode: str, rest: Floats) -> ObjectSeen:
    """From the curves of an object. mode: its rotation mode. rest: (10,) its location, rotation as quaternion and scale where it has no
    curves. Raises ExportError for a scale that changes."""
    turns = turn_channels(mode)
    keyed = key_frames(curves, [*LOCATION, *turns])
    times = _whole(keyed, settings) if len(keyed) else np.zeros(1, np.int64)
    frames = settings.timing.frames(times.astype(np.float64))
    location = sample(curves, LOCATION, frames, rest[:3])
    if any(channel in curves for channel in turns):
        turn = _turn(sample(curves, turns, frames, np.eye(4)[0] if mode == "QUATERNION" else np.zeros(len(turns))), mode)
    else:
        turn = np.tile(rest[3:7], (len(frames), 1))
    return ObjectSeen(times, location, turn, _steady_scale(curves, rest[7:]))


def see_matrices(matrices: Floats, keyed: ObjectSeen, first: int) -> ObjectSeen:
    """From an object's evaluated world matrices (F, 4, 4), one a frame of the game from `first` on. Where everything looks as keyed, the
    keys are those. Raises ExportError for a scale that changes."""
    location, turn, size = decompose(matrices)
    if np.abs(size - size[0]).max() > STEADY * max(1e-6, float(np.abs(size[0]).max())):
        raise ExportError("its scale changes: an OBAN can only have the same scale all the time")
    times = first + np.arange(len(matrices))
    rows = keyed.times - first
    if len(rows) and rows[0] >= 0 and rows[-1] < len(times):
        shown_at = np.stack([np.interp(times, keyed.times, keyed.location[:, axis]) for axis in range(3)], axis=1)
        along = np.stack([np.interp(times, keyed.times, keyed.turn[:, part]) for part in range(4)], axis=1)
        apart = 1 - np.abs(np.einsum("ij,ij->i", quaternion.normalised(along), turn))
        near = np.abs(shown_at - location).max() <= 1e-4 * max(1.0, float(np.abs(location).max()))
        if near and apart.max() < 1e-7 and np.abs(size[0] - keyed.size).max() <= STEADY:
            return keyed
    return ObjectSeen(times, location, quaternion.continuous(turn), size[0])


def update_object(seen: ObjectSeen, settings: ObjectSettings, wanted: Oban, original: Oban | None) -> Oban:
    """The record of an action. wanted: what it says besides the motion. original: what it came from, None for a new one.

    Raises ExportError for what the format cannot hold.
    """
    if int(seen.times[-1]) >= MOST_FRAMES:
        raise ExportError(f"a key at frame {seen.times[-1]}; an OBAN has at most {MOST_FRAMES} frames")
    if original is None:
        base = Base(np.eye(4)[0], seen.size, np.zeros(3))
        keys, table = _keys(seen, settings, base), base.table
        initial = _initial(table, keys)
        return replace(wanted, keys=keys, base=table, initial=initial, ticks=1, length=int(seen.times[-1]) + 1)
    base = Base.of(original.base)
    kept_scale = bool(np.abs(seen.size - base.size.astype(np.float32)).max() <= SAME * max(1.0, float(np.abs(base.size).max())))
    table = original.base if kept_scale else Base(base.turn, seen.size, base.place).table
    fresh = _keys(seen, settings, base)
    shown = see_object(curves_of(object_blocks(original, settings)), settings, "QUATERNION", _REST)
    keys = _restored(seen, shown, fresh, settings, original)
    first = keys["frame"][0] == original.keys["frame"][0] and keys[:1].tobytes() == original.keys[:1].tobytes()
    initial = original.initial if first and kept_scale else _initial(table, keys)
    last = int(keys["frame"][-1])
    length = original.length if last == int(original.keys["frame"][-1]) else last + 1
    return replace(wanted, keys=keys, base=table, initial=initial, ticks=original.ticks, length=length)


_REST = np.array([0.0, 0, 0, 1, 0, 0, 0, 1, 1, 1])


def _keys(seen: ObjectSeen, settings: ObjectSettings, base: Base) -> Array:
    turn = quaternion.multiply(quaternion.conjugate(settings.turn), seen.turn)
    turn = quaternion.multiply(turn, quaternion.conjugate(base.turn))
    out = np.zeros(len(seen.times), KEY)
    out["frame"] = seen.times
    out["rotation"] = to_disk(turn)
    out["translation"] = seen.location / settings.scale @ settings.axes - turned(turn, base.place)
    return out


def _restored(seen: ObjectSeen, shown: ObjectSeen, fresh: Array, settings: ObjectSettings, original: Oban) -> Array:
    """The file's own keys where nobody touched them, without those that only the import put in between."""
    row = np.searchsorted(shown.times, seen.times).clip(0, len(shown.times) - 1)
    size = np.maximum(np.abs(shown.location[row]).max(axis=1), 1.0)
    moved = np.abs(shown.location[row] - seen.location).max(axis=1) > SAME * size
    one, other = shown.turn[row], seen.turn
    apart = np.minimum(np.abs(one - other).max(axis=1), np.abs(one + other).max(axis=1))
    untouched = (shown.times[row] == seen.times) & ~moved & (apart <= SAME)
    own_times = original.keys["frame"].astype(np.int64)
    place = np.searchsorted(own_times, seen.times).clip(0, len(own_times) - 1)
    from_file = untouched & (own_times[place] == seen.times)
    keys = fresh.copy()
    keys[from_file] = original.keys[place[from_file]]
    if not settings.dense or len(own_times) < 2:
        return keys
    good = np.zeros(int(own_times[-1] - own_times[0]) + 1, np.int64)
    inside = untouched & (seen.times >= own_times[0]) & (seen.times <= own_times[-1])
    good[seen.times[inside] - own_times[0]] = 1
    through = np.concatenate([[0], np.cumsum(good)])
    starts = own_times - own_times[0]
    whole = through[starts[1:] + 1] - through[starts[:-1]] == np.diff(starts) + 1
    interval = np.searchsorted(own_times, seen.times, side="right") - 1
    between = (interval >= 0) & (seen.times < own_times[-1]) & ~from_file
    between &= np.append(whole, False)[interval.clip(0, len(whole))]
    return keys[~between]


def _initial(base: Array, keys: Array) -> Array:
    """(4, 3) base, then rotation and translation of key 0."""
    turn = from_disk(keys["rotation"][:1])[0]
    out = turned(turn, base.astype(np.float64))
    out[3] += keys["translation"][0]
    return out.astype(np.float32)


def turn_channels(mode: str) -> list[Channel]:
    """The rotation channels of an object in one of Blender's rotation modes."""
    prop = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")
    return [Channel("", prop, index) for index in range(3 if prop == "rotation_euler" else 4)]


def _turn(values: Floats, mode: str) -> Floats:
    if mode == "QUATERNION":
        return quaternion.normalised(values)
    matrix = rotation.from_axis_angle(values) if mode == "AXIS_ANGLE" else rotation.from_euler(values, mode)
    return quaternion.continuous(quaternion.of_matrix(matrix))


def _whole(frames: Floats, settings: ObjectSettings) -> NDArray[np.int64]:
    exact = settings.timing.times(frames)
    times = np.rint(exact).astype(np.int64)
    if (np.abs(exact - times) > 0.02).any():
        log.warning("there are keys between the game's frames; they are moved to the nearest one")
    if (times < 0).any():
        log.warning("keys before the start of the animation are left out")
    kept = np.unique(times[times >= 0])
    return kept if len(kept) else np.zeros(1, np.int64)


def _steady_scale(curves: Curves, rest: Floats) -> Floats:
    size = rest.astype(np.float64).copy()
    for axis, channel in enumerate(SCALE):
        curve = curves.get(channel)
        if curve is None or not len(curve.values):
            continue
        values = curve.values.astype(np.float64)
        if float(np.ptp(values)) > STEADY * max(1e-6, float(np.abs(values).max())):
            raise ExportError("its scale is animated: an OBAN can only have the same scale all the time")
        size[axis] = values[0]
    return size


def _block(channels: list[Channel], times: Floats, values: Floats, settings: ObjectSettings) -> Block:
    frames = settings.timing.frames(times).astype(np.float32)
    return Block(channels, frames, np.ascontiguousarray(values.T, np.float32), np.zeros(len(times), bool))
