"""The keys of a clip over those of another one with the same curves: only what differs is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....core.motion.curves import Block
from ..arrays import KIND
from .block_keys import kinds_of, rows_of

Signature = tuple[tuple[int, bool], ...]
"""Of an action's blocks: the number of each one's channels, and whether it is stepped."""


class ClipKeys(NamedTuple):
    """Curves to write. kind, times: the bytes of which keys are generated, and of the frames, of each block."""

    blocks: list[Block]
    signature: Signature
    kind: tuple[bytes, ...]
    times: tuple[bytes, ...]


class _Alike(NamedTuple):
    """What blocks have in common that are written together. kind, own: which keys are generated, before and now. moved: whether the frames
    are others. times: now."""

    kind: bytes
    own: bytes
    moved: bool
    times: bytes
    stepped: bool


def overwrite(curves: Sequence[Any], positions: Sequence[int], before: ClipKeys, now: ClipKeys) -> None:
    """Give curves with the keys of one clip those of another. positions: of each channel's curve. Keys that are too many are laid on the
    last one; the update merges them."""
    starts = list(accumulate((len(block.channels) for block in now.blocks), initial=0))
    for alike, numbers in _groups(before, now):
        own, types = alike.own, None
        count = len(alike.kind)
        if own != alike.kind:
            own += own[-1:] * (count - len(own))
            types = None if own == alike.kind else np.frombuffer(kinds_of(own, alike.stepped)[1], KIND)
        new, changed = _joined([now.blocks[number] for number in numbers]), None
        chosen = [position for number in numbers for position in positions[starts[number] : starts[number + 1]]]
        if types is None and not alike.moved:
            changed = _changed(_joined([before.blocks[number] for number in numbers]), new)
        if changed is not None:
            rows: list[int] = changed.tolist()
            chosen = [chosen[row] for row in rows]
        for position, row in zip(chosen, rows_of(new, count, changed) if chosen else (), strict=True):
            curve = curves[position]
            points = curve.keyframe_points
            if types is not None:
                points.foreach_set("type", types)
            points.foreach_set("co", row)
            curve.update()


def _groups(before: ClipKeys, now: ClipKeys) -> Iterator[tuple[_Alike, list[int]]]:
    """The numbers of blocks that are alike, as far as they have few keys: a step of numpy takes as long for one bone as for all."""
    groups: dict[_Alike, list[int]] = {}
    for number, block in enumerate(now.blocks):
        times = now.times[number]
        alike = _Alike(before.kind[number], now.kind[number], before.times[number] != times, times, block.stepped)
        if len(block.channels) * len(alike.kind) > _FEW:
            yield alike, [number]
        else:
            groups.setdefault(alike, []).append(number)
    for alike, numbers in groups.items():
        step = max(1, _AT_ONCE // (4 * max(1, len(alike.kind))))
        for first in range(0, len(numbers), step):
            yield alike, numbers[first : first + step]


_FEW = 1 << 10
"""Keys of a block's channels."""

_AT_ONCE = 1 << 14
"""Keys that are written together, where each block has the channels of a bone."""


def _joined(blocks: Sequence[Block]) -> Block:
    """The channels of all, which have keys at the same frames."""
    first = blocks[0]
    if len(blocks) == 1:
        return first
    channels = [channel for block in blocks for channel in block.channels]
    return Block(channels, first.frames, np.concatenate([block.values for block in blocks]), first.generated, first.stepped)


def _changed(old: Block, new: Block) -> NDArray[np.int64] | None:
    """The channels whose values differ; None for all of a block that is too small to look at each of them."""
    if len(new.channels) > _ONE_BONE:
        return (_bits(old.values) != _bits(new.values)).any(axis=1).nonzero()[0]
    return _NONE if old.values.tobytes() == new.values.tobytes() else None


def _bits(values: NDArray[np.float32]) -> NDArray[np.int32]:
    return values.view(np.int32)


_ONE_BONE = 4
"""Channels: those of one bone's rotation. Looking which of them differ takes as long as writing them."""

_NONE = np.zeros(0, np.int64)
