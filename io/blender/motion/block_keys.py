"""The keys of a block's channels as Blender takes them: frames and values, interpolation and types; and how a curve gets many at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.motion.curves import LAST_FRAME, Block
from ....core.motion.sampling import MERGE
from .. import compat
from ..arrays import KIND


def adder(generated: bytes, stepped: bool) -> Callable[[Any], None]:
    """Gives a curve as many keys as a block has, without their frames and values."""
    count, plain = len(generated), True not in generated
    interpolation, types = (np.frombuffer(kind, KIND) for kind in kinds_of(generated, stepped))

    def add(points: Any) -> None:
        points.add(count)
        points.foreach_set("interpolation", interpolation)
        if not plain:
            points.foreach_set("type", types)

    return add


_LONG = 64
"""Keys of a curve from which on it is filled as samples."""


def is_long(block: Block) -> bool:
    """Whether curves whose keys are all kept are faster filled as samples, and Blender makes these very keys of them: from a whole frame
    on, with as many whole frames behind it on its time line."""
    count = len(block.frames)
    return count >= _LONG and block.frames[0].is_integer() and -LAST_FRAME <= block.frames[0] <= LAST_FRAME - count


@lru_cache(maxsize=1024)
def are_kept(times: bytes) -> bool:
    """Whether keys at these frames are in order, and none so close to the next one that an update merges them, as where frames, in single
    precision, are far apart."""
    return bool((np.diff(np.frombuffer(times, np.float32)) > _MERGED).all())


_MERGED = 1.5 * MERGE
"""Frames between keys that Blender may merge, with room for rounding."""


def add_samples(curve: Any, first: int, count: int) -> None:
    """Give a curve so many samples from a frame on, which `fill_long` gives their values."""
    curve.keyframe_points.add(1)
    curve.convert_to_samples(first, first + count)


def fill_long(curve: Any, row: NDArray[np.float32], generated: bytes, stepped: bool) -> None:
    """Give a curve that has as many samples many keys. Samples are taken as the array has them, keys one by one; what Blender makes of
    samples are the same keys as others, linear ones, with their handles."""
    first, count = int(row[0]), len(generated)
    curve.sampled_points.foreach_set("co", row)
    curve.convert_to_keyframes(first, first + count)
    points = curve.keyframe_points
    interpolation, types = kinds_of(generated, stepped)
    if stepped:
        points.foreach_set("interpolation", np.frombuffer(interpolation, KIND))
    if True in generated:
        points.foreach_set("type", np.frombuffer(types, KIND))


@lru_cache(maxsize=256)
def kinds_of(generated: bytes, stepped: bool) -> tuple[bytes, bytes]:
    """Interpolation and type of every key, as bytes of `KIND`. generated, stepped: of a block."""
    own = np.frombuffer(generated, np.bool_)
    interpolation = np.full(len(own), compat.CONSTANT if stepped else compat.LINEAR, KIND)
    return interpolation.tobytes(), np.where(own, KIND(compat.GENERATED_VALUE), KIND(compat.KEYFRAME_VALUE)).tobytes()


def rows_of(block: Block, count: int = 0, chosen: NDArray[np.int64] | None = None) -> Iterable[NDArray[np.float32]]:
    """`keys_of`, row by row: of a few channels at once, so that the keys of a long time line are not all there a second time."""
    step = max(1, _AT_ONCE // max(count, len(block.frames), 1))
    rows = len(block.values if chosen is None else chosen)
    if rows <= step:
        return keys_of(block, count, chosen)
    parts = (slice(first, first + step) for first in range(0, rows, step))
    return chain.from_iterable(keys_of(block, count, part if chosen is None else chosen[part]) for part in parts)


_AT_ONCE = 1 << 16
"""Keys, which take half a megabyte."""


def keys_of(block: Block, count: int = 0, chosen: NDArray[np.int64] | slice | None = None) -> NDArray[np.float32]:
    """(C, 2 * K) frame and value of every key in turn, as Blender takes them; up to `count` the last key again. chosen: of which channels,
    all without."""
    own, values = len(block.frames), block.values if chosen is None else block.values[chosen]
    keys = np.empty((len(values), max(count, own), 2), np.float32)
    keys[:, :own, 0], keys[:, :own, 1] = block.frames, values
    if own < count:
        keys[:, own:] = keys[:, own - 1 : own]
    return keys.reshape(len(keys), -1)
