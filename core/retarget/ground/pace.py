"""When the frames of clips are, and averages over time: as many seconds at every frame rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from ..figures.spans import Spans
from . import contacts


@dataclass(frozen=True, eq=False)
class Pace:
    """spans: the clips. seconds: (F,) when each row is. loops: of each clip the row that its last repeats, None where it does not loop."""

    spans: Spans
    seconds: Floats
    loops: Sequence[int | None]

    def smoothed(self, values: Floats, ease: float) -> Floats:
        """(F, C) moving averages over each clip. ease: seconds to both sides."""
        result = values.copy()
        for rows, loop in zip(self.spans.rows, self.loops, strict=True):
            for column in range(values.shape[1]):
                result[rows, column] = moving_average(values[rows, column], self.seconds[rows], loop, ease)
        return result

    def joints(self) -> NDArray[np.int64]:
        """(J, 2) the rows at which loops are joined: where each begins, and its last, which repeats that."""
        pairs = zip(self.spans.rows, self.loops, strict=True)
        joints = [(rows.start + loop, rows.stop - 1) for rows, loop in pairs if loop is not None and rows.start + loop < rows.stop - 1]
        return np.array(joints, np.int64).reshape(-1, 2)


def moving_average(values: Floats, seconds: Floats, loop: int | None, ease: float) -> Floats:
    """(F,) of one clip; where it loops also over its joint. ease: seconds to both sides."""
    last = len(values) - 1
    if last < 2:
        return values
    width = max(1, round(ease / max(contacts.quantile(np.diff(seconds), 0.5), 1e-6)))
    rows = around(last, loop, width)
    result = np.convolve(values[rows], bell(2 * width + 1), mode="valid")
    if loop is not None:
        result[-1] = result[loop]
    return np.asarray(result, np.float64)


def around(last: int, loop: int | None, width: int) -> NDArray[np.int64]:
    """The rows of one clip, and `width` more before and behind: where it loops those over its joint, else its first and last again."""
    rows = np.arange(-width, last + width + 1)
    if loop is not None:
        steps = max(last - loop, 1)
        rows = np.where(rows > last, loop + (rows - last) % steps, rows)
        rows = np.where(rows < 0, rows % steps if loop == 0 else 0, rows)
    return rows.clip(0, last)


@lru_cache(maxsize=16)
def bell(width: int) -> Floats:
    """(width,) weights of a moving average."""
    weights = np.hanning(width + 2)[1:-1]
    return weights / weights.sum()
