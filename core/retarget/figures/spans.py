"""Short clips one after another in one array, so that whatever is computed frame by frame is computed for all of them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats


@dataclass(frozen=True, eq=False)
class Spans:
    """Which of F rows are of which clip. counts: how many rows each has, none of them 0."""

    counts: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """(N,) the first row of each clip."""
        return np.cumsum([0, *self.counts[:-1]])

    @cached_property
    def rows(self) -> tuple[slice, ...]:
        """The rows of each clip."""
        return tuple(slice(start, start + count) for start, count in zip(self.starts.tolist(), self.counts, strict=True))

    @cached_property
    def inside(self) -> NDArray[np.bool_]:
        """(F - 1,) whether a row and the next are of one clip."""
        inside = np.ones(sum(self.counts) - 1, bool)
        inside[self.starts[1:] - 1] = False
        return inside

    def clips(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Which clip each of some rows is of."""
        return np.searchsorted(self.starts, rows, side="right") - 1

    def spread(self, values: NDArray[np.float64] | Iterable[float]) -> Floats:
        """(F, ...) for each row what its clip has of (N, ...)."""
        every = np.asarray(values if isinstance(values, np.ndarray) else list(values), np.float64)
        if len(self) == 1:
            return np.broadcast_to(every[0], (self.counts[0], *every.shape[1:]))
        return np.repeat(every, self.counts, axis=0)

    def largest(self, values: Floats) -> Floats:
        """(..., N) of each clip the largest of (..., F)."""
        return values.max(axis=-1)[..., None] if len(self) == 1 else np.maximum.reduceat(values, self.starts, axis=-1)

    def mean(self, values: Floats) -> Floats:
        """(..., N) of each clip the mean of (..., F)."""
        if len(self) == 1:
            return values.mean(axis=-1)[..., None]
        return np.asarray(np.add.reduceat(values, self.starts, axis=-1) / np.array(self.counts), np.float64)

    def largest_step(self, steps: Floats) -> Floats:
        """(..., N) of each clip the largest of (..., F - 1), which are of a row and the next; minus infinity of a clip of one row."""
        if len(self) == 1:
            return steps.max(axis=-1, initial=-np.inf)[..., None]
        inside = np.full((*steps.shape[:-1], steps.shape[-1] + 1), -np.inf)
        inside[..., :-1][..., self.inside] = steps[..., self.inside]
        return np.maximum.reduceat(inside, self.starts, axis=-1)

    def any(self, values: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(N,) of each clip whether any of (F,) is true."""
        return np.array([values.any()]) if len(self) == 1 else np.logical_or.reduceat(values, self.starts)

    def count(self, values: NDArray[np.bool_]) -> NDArray[np.int64]:
        """(N,) of each clip how many of (F,) are true."""
        return np.add.reduceat(values.astype(np.int64), self.starts)

    def each(self, function: Callable[[Floats], Floats], values: Floats) -> Floats:
        """(F, ...) a function of all frames of a clip, of each clip of (F, ...)."""
        return function(values) if len(self) == 1 else np.concatenate([function(values[rows]) for rows in self.rows])


class Worst:
    """Of each clip what is furthest off, and by how many metres; "" and 0.0 where nothing is known of it."""

    def __init__(self, spans: Spans) -> None:
        self._spans = spans
        self.by_clip: list[tuple[str, float]] = [("", 0.0)] * len(spans)

    def add(self, name: str, rows: NDArray[np.int64], metres: Floats) -> None:
        """metres: (R,) by which it is off at rows (R,). Of two that differ by rounding alone the first stays."""
        clip: int
        off: float
        for clip, off in zip(self._spans.clips(rows).tolist(), metres.tolist(), strict=True):
            known, most = self.by_clip[clip]
            if not known or abs(off) > abs(most) + 1e-9:
                self.by_clip[clip] = name, off
