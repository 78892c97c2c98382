"""When a foot stands: low and slow, detected on the source, for runs that are long enough."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotation_matrix import Floats
from ..figures.spans import Spans

HEIGHT, SPEED, SHORTEST = 0.08, 0.35, 3
"""In leg lengths over the lowest level, in leg lengths a second, and in samples."""


LOWEST = 0.02
"""The share of samples that may be lower than what is taken for the lowest level."""


@dataclass(frozen=True)
class Run:
    """Samples [start, stop) in which a foot stands."""

    start: int
    stop: int


def standing(positions: Floats, seconds: Floats, leg: float, ground: float | None = None) -> NDArray[np.bool_]:
    """(F,) whether the point at `positions` (F, 3) touches the ground. seconds: (F,) times. leg: metres.

    ground: height of the ground, unless it is where the point itself is at its lowest."""
    if len(positions) < SHORTEST:
        return np.zeros(len(positions), bool)
    level = quantile(positions[:, 2], LOWEST) if ground is None else ground
    low = positions[:, 2] < level + HEIGHT * leg
    return _settled(low & (speed(positions, seconds) < SPEED * leg))


def speed(positions: Floats, seconds: Floats) -> Floats:
    """(F,) metres a second over the ground, by central differences."""
    if len(positions) < 2:
        return np.zeros(len(positions))
    flat = np.gradient(positions[:, :2], seconds, axis=0)
    return np.hypot(flat[:, 0], flat[:, 1])


def skate(positions: Floats, seconds: Floats, touching: NDArray[np.bool_], leg: float, spans: Spans) -> Floats:
    """(N,) of each clip the mean speed over the ground from sample to sample inside runs of contact, in leg lengths a second; 0 without
    contact."""
    inside = np.flatnonzero(touching[1:] & touching[:-1] & spans.inside)
    steps = positions[inside + 1, :2] - positions[inside, :2]
    clips = np.searchsorted(spans.starts, inside, side="right") - 1
    moved = np.bincount(clips, np.hypot(steps[:, 0], steps[:, 1]), len(spans))
    spent = np.bincount(clips, seconds[inside + 1] - seconds[inside], len(spans))
    return moved / np.maximum(spent, 1e-30) / leg


def runs(touching: NDArray[np.bool_]) -> list[Run]:
    """The stretches where it is true."""
    beside = np.zeros(len(touching) + 2, bool)
    beside[1:-1] = touching
    edges = np.flatnonzero(beside[1:] != beside[:-1]).tolist()
    return [Run(start, stop) for start, stop in zip(edges[::2], edges[1::2], strict=True)]


def quantile(values: Floats, share: float) -> float:
    """As numpy's, of (F,), which takes longer for a few values than all else that is done with them."""
    ordered = np.sort(values)
    at = share * (len(ordered) - 1)
    first = int(at)
    low, high = float(ordered[first]), float(ordered[min(first + 1, len(ordered) - 1)])
    return low + (high - low) * (at - first)


def _settled(touching: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Without gaps, then without stretches, that are shorter than SHORTEST; gaps at the ends stay."""
    out = touching.copy()
    for run in runs(~out):
        if run.stop - run.start < SHORTEST and run.start > 0 and run.stop < len(out):
            out[run.start : run.stop] = True
    for run in runs(out):
        if run.stop - run.start < SHORTEST:
            out[run.start : run.stop] = False
    return out
