"""A number for all that retargeting writes into an action, to know later whether somebody has edited it: of what is to be written, and of
what is there. It is a sum over the curves, so that some can be added to it."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.motion.curves import Block, Channel
from ..blender import compat
from ..blender.arrays import KIND, values_of
from ..blender.paths import data_path

_MASK = (1 << 64) - 1
_TIMES = 0x9E3779B97F4A7C15
"""Any odd number of 64 bits, as those of the splitmix generator below."""


def of_blocks(blocks: Iterable[Block]) -> int:
    """Of curves that are to be written."""
    total = 0
    by_count: dict[int, list[Block]] = {}
    for block in blocks:
        by_count.setdefault(len(block.frames), []).append(block)
    for count, alike in by_count.items():
        step = max(1, _AT_ONCE // max(count, 1))
        for first in range(0, len(alike), step):
            some = alike[first : first + step]
            sums = _sums(np.concatenate([block.values for block in some]).astype(np.float32))
            times = [_sum_of(block.frames.astype(np.float32).tobytes()) for block in some]
            every = np.repeat(np.array(times, np.uint64), [len(block.channels) for block in some])
            own = np.array([_number_of_channel(channel, block.stepped) for block in some for channel in block.channels], np.uint64)
            total += int(((sums + every * np.uint64(_TIMES)) * (own + own + np.uint64(1)) + own).sum())  # as `_curve`, of all at once
    return total & _MASK


_AT_ONCE = 1024
"""Keys of a component that are added up together: of a short clip the keys of all bones take as long as those of one."""


@lru_cache(maxsize=256)
def _sum_of(frames: bytes) -> int:
    """Of the keys' frames, which are the same for all curves of most clips, and in many clips."""
    return int(_sums(np.frombuffer(frames, np.float32)[None])[0])


def of_curves(curves: Iterable[Any]) -> int:
    """Of curves that are there."""
    return sum(map(_of_curve, curves)) & _MASK


def of_rest(action: bpy.types.Action, names: Sequence[str]) -> int:
    """Of an action's range, its markers and custom properties of these names."""
    ranged = action.use_frame_range, action.frame_start, action.frame_end, action.use_cyclic
    markers = sorted((marker.frame, marker.name) for marker in action.pose_markers)
    return number(ranged, markers, [(name, _plain(action[name])) for name in sorted(names) if name in action])


def number(*parts: object) -> int:
    """Of anything that says what it is."""
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest(), "big")


def _of_curve(curve: Any) -> int:
    points = curve.keyframe_points
    keys, kinds = values_of(points, "co", np.float32, 2), values_of(points, "interpolation", KIND)
    stepped = len(kinds) > 0 and kinds[0] == compat.CONSTANT
    times, value = _sums(np.ascontiguousarray(keys.T)).tolist()
    plain = bool((kinds == (compat.CONSTANT if stepped else compat.LINEAR)).all())
    result = _curve(curve.data_path, curve.array_index, stepped, times, value)
    if not plain:
        handles = [values_of(points, name, np.float32, 2).tobytes() for name in ("handle_left", "handle_right")]
        result += number(kinds.tobytes(), *handles)
    if curve.mute or curve.extrapolation != "CONSTANT" or len(curve.modifiers):
        result += number(curve.mute, curve.extrapolation, [modifier.type for modifier in curve.modifiers])
    return result


def _curve(path: str, index: int, stepped: bool, times: int, value: int) -> int:
    """times, value: sums over the frames and the values of its keys."""
    own = _number_of(path, index, stepped)
    return (value + times * _TIMES) * (2 * own + 1) + own


@lru_cache(maxsize=4096)
def _number_of_channel(channel: Channel, stepped: bool) -> int:
    return _number_of(data_path(channel.bone, channel.property), channel.component, stepped)


@lru_cache(maxsize=4096)
def _number_of(path: str, index: int, stepped: bool) -> int:
    """Of a curve without its keys, which most clips have in common."""
    return zlib.crc32(f"{path} {index} {stepped}".encode())


def _sums(rows: NDArray[np.float32]) -> NDArray[np.uint64]:
    """(N,) of (N, K) numbers, to the bit, each with a weight of its own by its position, and their count."""
    count = rows.shape[1]
    weights = _weights(1 << max(6, (count - 1).bit_length()))[:count]
    sums: NDArray[np.uint64] = rows.view(np.uint32).astype(np.uint64) @ weights
    return sums + np.uint64(count)


@lru_cache(maxsize=32)
def _weights(count: int) -> NDArray[np.uint64]:
    """Odd numbers of the splitmix generator."""
    mixed = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(_TIMES)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return (mixed ^ (mixed >> np.uint64(27))) | np.uint64(1)


def _plain(value: Any) -> object:
    """A custom property as something of which every run of Blender says the same."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    return value.to_list() if hasattr(value, "to_list") else value
