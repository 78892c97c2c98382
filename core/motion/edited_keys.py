"""Which keys of a clip are others than those that it came in with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .curves import Block, Channel
from .rotations.angles import wrapped

Keys = NDArray[np.float32]


def edited(blocks: Sequence[Block], original: Sequence[Block], owner: str) -> tuple[tuple[str, ...], int]:
    """The bones whose keys are others than those that a clip came in with, and how many keys; all of a new clip. owner: the name of the
    object, for its own channels."""
    before = _keys(original)
    frames: dict[str, set[float]] = {}
    for channel, (at, values) in _on_one_side(_keys(blocks), before).items():
        if changed := _different(channel, at, values, before.pop(channel, None)):
            frames.setdefault(channel.bone or owner, set()).update(changed)
    for channel, (gone, _) in before.items():
        frames.setdefault(channel.bone or owner, set()).update(gone.tolist())
    return tuple(frames), sum(map(len, frames.values()))


def _keys(blocks: Sequence[Block]) -> dict[Channel, tuple[Keys, Keys]]:
    """The file's own keys: frames and values of each channel."""
    kept = [(block, ~block.generated) for block in blocks if not block.generated.all()]
    return {
        channel: (block.frames[own], row[own]) for block, own in kept for channel, row in zip(block.channels, block.values, strict=True)
    }


def _on_one_side(now: dict[Channel, tuple[Keys, Keys]], before: dict[Channel, tuple[Keys, Keys]]) -> dict[Channel, tuple[Keys, Keys]]:
    """The keys with those quaternions reversed that stand for the same rotation as before: which of the two it is goes by the key before
    it, and that may be another clip's."""
    result = dict(now)
    for bone in {channel.bone for channel in now if channel.property == "rotation_quaternion"}:
        channels = [Channel(bone, "rotation_quaternion", index) for index in range(4)]
        if not all(channel in now and channel in before and len(now[channel][0]) == len(now[channels[0]][0]) for channel in channels):
            continue
        along = sum(now[channel][1] * _at(now[channel][0], before[channel]) for channel in channels)
        side = np.where(along < 0, -1, 1).astype(np.float32)
        result |= {channel: (now[channel][0], now[channel][1] * side) for channel in channels}
    return result


def _different(channel: Channel, frames: Keys, values: Keys, old: tuple[Keys, Keys] | None) -> list[float]:
    """The frames of the keys that are not in both, or not the same; angles of Euler curves may be whole circles apart, and what is nothing
    of a quaternion is not always the same nothing."""
    if old is None:
        return frames.tolist()
    if values.tobytes() == old[1].tobytes() and frames.tobytes() == old[0].tobytes():
        return []  # as nearly all are
    there = np.isin(frames, old[0])
    apart = np.subtract(values, _at(frames, old), dtype=np.float64)
    if channel.property == "rotation_euler":
        apart = np.abs(wrapped(apart)) > 1e-5
    elif channel.property == "rotation_quaternion":
        apart = np.abs(apart) > 1e-7
    gone = old[0][~np.isin(old[0], frames)]
    return [*frames[~there | (apart != 0)].tolist(), *gone.tolist()]


def _at(frames: Keys, keys: tuple[Keys, Keys]) -> NDArray[np.float64]:
    """The values of a channel at frames (K,), which are nearly always those of its keys."""
    return keys[1].astype(np.float64) if np.array_equal(frames, keys[0]) else np.interp(frames, *keys)
