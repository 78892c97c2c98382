"""The rotation block of a TRAM (raw 0x34): one track of keys a bone, bytes <-> arrays, exact in both directions.

A track is a key, then again and again the frames to the next key (one byte) and that key; it ends at the last frame. Because all keys of a
block are of one size, the intervals of a track stand at equal distances and are read at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes
from ...motion.rotations import quaternion
from ...motion.rotations.rotation_matrix import Floats
from ...record import numerous
from ...reporting import log
from ...reporting.errors import ExportError, FormatError
from .angles import from_disk, from_steps, to_disk, to_quaternion, to_triples

KEY_TYPES: dict[int, tuple[Any, int]] = {6: (np.dtype("<i2"), 3), 16: (np.dtype("<f4"), 4)}
"""Compression size -> type and number of a key's components."""

LONGEST = 255
"""Frames from one key to the next, at most."""

LARGEST = 65535
"""Bytes of a block, at most: track offsets are 16 bits."""

_OVERLAP = 8 * (LARGEST + 1)
"""Bytes of all tracks, at most, where a broken table lets them overlap."""


class TooManyKeysError(ExportError):
    """There are more keys than a block has room for, of which fewer may do."""


@numerous
class Rotations:
    """key_size: 6 (three 16-bit angles a key) or 16 (a quaternion x, y, z, -w). frame_count: frames of the animation.

    offsets: (bones,) where each track stands in the block, u16, of a block that is too large int64. starts: (bones + 1,) first key of each
    track in `frames` (K,) and `keys` (K, 3) int16 or (K, 4) float32. fill: the bytes of the block that belong to no track, in order.
    """

    key_size: int
    frame_count: int
    offsets: NDArray[np.integer]
    starts: NDArray[np.int64]
    frames: NDArray[np.int64]
    keys: NDArray[Any]
    fill: bytes = b""

    @property
    def bone_count(self) -> int:
        return len(self.offsets)

    @property
    def size(self) -> int:
        """Bytes of the block."""
        return int((self.offsets.astype(np.int64) + self._lengths()).max())

    @classmethod
    def parse(cls, data: Bytes, bones: int, frame_count: int, key_size: int, at: int = 0) -> Rotations:
        """The block at the start of `data`, which may go on behind it; errors count offsets from `at`.

        Raises FormatError, naming bone and frame, for a track that does not end at the last frame.
        """
        if key_size not in KEY_TYPES:
            raise FormatError(f"a compression size of {key_size}; rotations take 6 or 16 bytes")
        if frame_count < 1 or bones < 1:
            raise FormatError(f"rotations of {bones} bones over {frame_count} frames", at)
        view = np.frombuffer(memoryview(data).cast("B"), np.uint8)
        if 2 * bones > len(view):
            raise FormatError(f"rotation tracks: {2 * bones} bytes of offsets expected, {len(view)} left", at)
        offsets = view[: 2 * bones].view("<u2")
        if int(offsets[0]) != 2 * bones:
            raise FormatError(f"rotation tracks: the first one starts at {int(offsets[0])}, not behind the {bones} offsets", at)
        in_a_row = _in_a_row(view, offsets, key_size, frame_count)
        if in_a_row is not None:
            return cls(key_size, frame_count, offsets.copy(), *in_a_row)
        frames: list[NDArray[np.int64]] = []
        keys: list[NDArray[np.uint8]] = []
        ends: list[int] = []
        total = 0
        for bone, offset in enumerate(offsets.tolist()):
            times = _times(view, offset, key_size, frame_count, bone, at)
            end = offset + len(times) * (key_size + 1) - 1
            total += end - offset
            if total > _OVERLAP:
                raise FormatError("rotation tracks lie over one another", at)
            ends.append(end)
            frames.append(times)
            keys.append(_strided(view, offset, len(times), key_size))
        free = np.ones(max(ends), bool)
        for offset, end in [(0, 2 * bones), *zip(offsets.tolist(), ends, strict=True)]:
            free[offset:end] = False
        starts = np.concatenate([[0], np.cumsum([len(times) for times in frames])])
        packed, fill = _typed(np.concatenate(keys), key_size), view[: len(free)][free].tobytes()
        return cls(key_size, frame_count, offsets.copy(), starts, np.concatenate(frames), packed, fill)

    def pack(self) -> bytes:
        """The block's bytes. Raises TooManyKeysError where it is larger than its offsets can hold."""
        size = self.size
        if size > LARGEST and self.offsets.dtype != np.uint16:
            raise TooManyKeysError(
                f"{len(self.keys)} rotation keys take {size} bytes, at most {LARGEST} are possible: "
                "reduce the keys (Fewer Keys: Until It Fits), or split the animation"
            )
        out = np.zeros(size, np.uint8)
        free = np.ones(size, bool)
        out[: 2 * self.bone_count] = self.offsets.astype("<u2").view(np.uint8)
        free[: 2 * self.bone_count] = False
        kind, _ = KEY_TYPES[self.key_size]
        raw = np.zeros((len(self.keys), self.key_size + 1), np.uint8)
        raw[:, : self.key_size] = np.ascontiguousarray(self.keys, kind).view(np.uint8).reshape(-1, self.key_size)
        raw[:-1, self.key_size] = np.diff(self.frames).astype(np.uint8)
        for bone, (offset, length) in enumerate(zip(self.offsets.tolist(), self._lengths().tolist(), strict=True)):
            first, last = self.starts[bone], self.starts[bone + 1]
            out[offset : offset + length] = raw[first:last].ravel()[:length]
            free[offset : offset + length] = False
        room = int(free.sum())
        out[free] = np.frombuffer(self.fill[:room].ljust(room, b"\0"), np.uint8)
        return out.tobytes()

    @classmethod
    def of_tracks(cls, frames: Sequence[NDArray[np.int64]], keys: Sequence[NDArray[Any]], frame_count: int, key_size: int) -> Rotations:
        """From each bone's key frames (K,), the first 0 and the last frame_count - 1, and raw keys. Longer intervals than the format has
        get keys in between. It may be larger than its offsets can hold, until it is packed."""
        split = [_split(times, values, key_size) for times, values in zip(frames, keys, strict=True)]
        lengths = np.array([len(times) for times, _ in split], np.int64)
        sizes = lengths * (key_size + 1) - 1
        positions = 2 * len(split) + np.concatenate([[0], np.cumsum(sizes)])
        kind, _ = KEY_TYPES[key_size]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        packed = np.concatenate([values for _, values in split]).astype(kind)
        offsets = positions[:-1].astype(np.uint16) if positions[-1] <= LARGEST else positions[:-1]
        return cls(key_size, frame_count, offsets, starts, np.concatenate([times for times, _ in split]), packed)

    def track(self, bone: int) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """The key frames (K,) and the raw keys of a bone."""
        rows = slice(int(self.starts[bone]), int(self.starts[bone + 1]))
        return self.frames[rows], self.keys[rows]

    def quaternions(self) -> Floats:
        """(keys, 4) of all keys, w, x, y, z. Raises FormatError for one that is no rotation, and logs lengths that are off."""
        if self.key_size == 16:
            with np.errstate(over="ignore", invalid="ignore"):
                length: Floats = np.linalg.norm(self.keys.astype(np.float64), axis=1)
            off: Floats = np.abs(length - 1)
            wrong = ~((length > 1e-6) & np.isfinite(length))
            if wrong.any():
                key = int(np.argmax(wrong))
                bone = int((self.starts <= key).sum()) - 1
                raise FormatError(f"bone {bone}: the rotation at frame {self.frames[key]} is no quaternion")
            if off.max(initial=0) > 1e-3:
                log.warning("quaternions whose length is not 1 are taken as rotations all the same")
        return decode(self.keys, self.key_size)

    def _lengths(self) -> NDArray[np.int64]:
        """(bones,) bytes of each track."""
        return np.diff(self.starts) * (self.key_size + 1) - 1


def of_block(block: bytes, bones: int, frame_count: int, key_size: int) -> Rotations:
    """`Rotations.parse` of a record's block, which is asked for again and again while it comes in or goes out."""
    known = _RECENT.get((block, bones, frame_count, key_size))
    return known or remember(block, Rotations.parse(block, bones, frame_count, key_size))


def remember(block: bytes, rotations: Rotations) -> Rotations:
    """The rotations, which `of_block` then knows for a while to be those of the block."""
    if len(_RECENT) >= _MOST:
        _RECENT.clear()
    _RECENT[block, rotations.bone_count, rotations.frame_count, rotations.key_size] = rotations
    return rotations


_RECENT: dict[tuple[bytes, int, int, int], Rotations] = {}
_MOST = 256
"""Blocks that are remembered, some kilobytes each."""


def fits(counts: Sequence[int], key_size: int) -> bool:
    """Whether a block has room for tracks of so many keys."""
    return 2 * len(counts) + sum(counts) * (key_size + 1) - len(counts) <= LARGEST


def decode(keys: NDArray[Any], key_size: int) -> Floats:
    """Raw keys (K, 3) or (K, 4) -> quaternions (K, 4), w, x, y, z."""
    return to_quaternion(from_steps(keys)) if key_size == 6 else from_disk(keys)


def encode(quaternions: Floats, key_size: int) -> NDArray[Any]:
    """Quaternions (K, 4) of one track -> raw keys (K, 3) or (K, 4)."""
    return to_triples(quaternions) if key_size == 6 else to_disk(quaternions)


def _typed(keys: NDArray[np.uint8], key_size: int) -> NDArray[Any]:
    """The bytes of keys (K * key_size,) as their components (K, 3) or (K, 4)."""
    kind, width = KEY_TYPES[key_size]
    return keys.view(kind).reshape(-1, width)


def _in_a_row(
    view: NDArray[np.uint8], offsets: NDArray[np.integer], key_size: int, frame_count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]] | None:
    """Starts, frames and keys of tracks that lie one behind the other without a gap, as the game's own do: all at once, which takes a
    twentieth of the time. None for others, and where anything is wrong."""
    step, at = key_size + 1, offsets.tolist()
    try:
        last = len(_times(view, at[-1], key_size, frame_count, len(at) - 1, 0))
    except FormatError:
        return None
    # Steps of numpy take longer than a loop over the bones. As if an interval stood behind every track's last key, too:
    lengths = [after - before + 1 for before, after in pairwise(at)]
    if any(length < step or length % step for length in lengths):
        return None
    counts = np.array([*(length // step for length in lengths), last], np.int64)
    starts = np.zeros(len(at) + 1, np.int64)
    counts.cumsum(out=starts[1:])
    rows, inside = np.zeros(int(starts[-1]) * step, np.uint8), np.ones(int(starts[-1]) * step, np.bool_)
    inside[starts[1:] * step - 1] = False
    rows[inside] = view[at[0] : at[-1] + last * step - 1]
    rows = rows.reshape(-1, step)
    intervals = rows[:, key_size].astype(np.int64)
    times = intervals.cumsum() - intervals
    times -= times[starts[:-1]].repeat(counts)
    if np.count_nonzero(intervals) != len(intervals) - len(at) or (times[starts[1:] - 1] != frame_count - 1).any():
        return None
    return starts, times, _typed(rows[:, :key_size].ravel(), key_size)


def _times(view: NDArray[np.uint8], offset: int, key_size: int, frame_count: int, bone: int, at: int) -> NDArray[np.int64]:
    """The frames of a track's keys."""
    intervals = view[offset + key_size :: key_size + 1][: frame_count - 1]
    times = np.zeros(len(intervals) + 1, np.int64)
    intervals.cumsum(out=times[1:])
    last = int(times.searchsorted(frame_count - 1))
    where = at + offset + last * (key_size + 1)
    if not intervals[:last].all():
        zero = int(np.argmin(intervals[:last]))
        raise FormatError(f"bone {bone}: an interval of 0 at frame {times[zero]}", at + offset + zero * (key_size + 1) + key_size)
    if last >= len(times) or offset + (last + 1) * (key_size + 1) - 1 > len(view):
        raise FormatError(f"bone {bone}: its rotations are cut off at frame {times[min(last, len(times) - 1)]} of {frame_count}", where)
    if times[last] != frame_count - 1:
        raise FormatError(f"bone {bone}: a key at frame {times[last]} of {frame_count} frames", where)
    return times[: last + 1]


def _strided(view: NDArray[np.uint8], offset: int, count: int, key_size: int) -> NDArray[np.uint8]:
    """(count * key_size,) the bytes of `count` keys that have an interval between them."""
    part = np.zeros(count * (key_size + 1), np.uint8)
    part[:-1] = view[offset : offset + len(part) - 1]
    return part.reshape(count, key_size + 1)[:, :key_size].ravel()


def _split(frames: NDArray[np.int64], keys: NDArray[Any], key_size: int) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """A track with a key at least every 255 frames; those put in are interpolated, or the same key where it does not change."""
    gaps = np.diff(frames)
    if not (gaps > LONGEST).any():
        return frames, keys
    pieces = np.maximum(-(-gaps // LONGEST), 1)
    first = np.repeat(np.arange(len(gaps)), pieces)
    step = np.arange(len(first)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    new_frames = np.append(frames[first] + step * LONGEST, frames[-1])
    new_keys = np.concatenate([keys[first], keys[-1:]])
    moving = np.flatnonzero((step > 0) & (keys[first] != keys[first + 1]).any(axis=1))
    if len(moving):
        rotated = decode(keys, key_size)
        share = step[moving] * LONGEST / gaps[first[moving]]
        new_keys[moving] = encode(quaternion.slerp(rotated[first[moving]], rotated[first[moving] + 1], share), key_size)
    return new_frames, new_keys
