"""When a foot stands: low and slow, detected on the source, for runs that are long enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from ..figures.spans import Spans

HEIGHT, SPEED, SHORTEST = 0.08, 0.35, 3
"""In leg lengths over the lowest level, in leg lengths a second, and in samples."""


RESTS, AROUND = 0.3, 0.05
"""Seconds at least, and leg lengths from the middle of all, of a foot that stands higher than the ground, as on a step of stairs: one that
is on its way somewhere is slow for less, or goes further."""

GLIDES, STEADY = 0.15, 0.1
"""Leg lengths that a foot goes over the ground at least, from where it comes down to where it leaves it, and leg lengths a second, of one
that does not stand, if it goes further than the body meanwhile: that of a walk on the spot, which goes back slowly. One that slides as the
body goes on over it was to stand."""

LOWEST = 0.02
"""The share of samples that may be lower than what is taken for the lowest level."""


@dataclass(frozen=True, eq=False)
class Runs:
    """Stretches in which a foot stands: samples [starts, stops) (R,), none of them empty, none of them in two clips."""

    starts: NDArray[np.int64]
    stops: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts)

    def of(self, some: NDArray[np.bool_]) -> Runs:
        """Some of them."""
        return Runs(self.starts[some], self.stops[some])

    @property
    def lengths(self) -> NDArray[np.int64]:
        return self.stops - self.starts

    def samples(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """All samples that are in them, run by run, and the number of the run that each is in."""
        run = np.repeat(np.arange(len(self)), self.lengths)
        return np.arange(len(run)) + (self.stops - np.cumsum(self.lengths))[run], run


def standing(positions: Floats, seconds: Floats, leg: float, ground: Floats | None, spans: Spans) -> NDArray[np.bool_]:
    """(F,) whether the point at `positions` (F, 3) touches the ground. seconds: (F,) times. leg: metres.

    ground: (N,) its height in each clip, unless it is where the point itself is at its lowest."""
    return _settled(_near(positions, seconds, leg, ground, spans), spans)


def foot_contacts(
    positions: Floats, seconds: Floats, leg: float, spans: Spans, body: Floats
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The same of a foot, by where the body is, (F, 3), too; and (F,) where it is to be held all the same: where it touches the ground for
    two samples alone, in passing, which is no stand, or stands on something that is higher, which does not show where the ground is."""
    near = _near(positions, seconds, leg, None, spans)
    stands, passing = _settled(near, spans), np.zeros(len(near), bool)
    down = runs(stands, spans)
    first, last = down.starts, down.stops - 1
    gone, carried = (np.hypot(*(each[last, :2] - each[first, :2]).T) for each in (positions, body))
    steady = STEADY * leg * (seconds[last] - seconds[first])
    stands[down.of(gone > np.maximum(np.maximum(GLIDES * leg, steady), carried)).samples()[0]] = False
    touches = runs(near, spans)
    passing[touches.of(touches.lengths == SHORTEST - 1).samples()[0]] = True
    return stands, (passing | _higher(positions, seconds, leg, stands, spans)) & ~stands


def _higher(positions: Floats, seconds: Floats, leg: float, stands: NDArray[np.bool_], spans: Spans) -> NDArray[np.bool_]:
    """(F,) where a foot that does not stand on the ground rests all the same. stands: (F,)."""
    result = np.zeros(len(positions), bool)
    spent = np.where(spans.inside, seconds[1:] - seconds[:-1], 1.0)
    slow = np.linalg.norm(positions[1:] - positions[:-1], axis=1) < SPEED * leg * spent
    slow &= spans.inside & ~stands[1:] & ~stands[:-1]
    edges = np.flatnonzero(np.diff(np.concatenate([[False], slow, [False]])))
    rests = Runs(edges[::2], edges[1::2] + 1)
    rests = rests.of(seconds[rests.stops - 1] - seconds[rests.starts] >= RESTS * (1 - 1e-9))
    if not len(rests):
        return result
    samples, run = rests.samples()
    begins = np.cumsum(rests.lengths) - rests.lengths
    middle = np.add.reduceat(positions[samples], begins) / rests.lengths[:, None]
    far = np.maximum.reduceat(np.linalg.norm(positions[samples] - middle[run], axis=1), begins)
    result[rests.of(far <= AROUND * leg).samples()[0]] = True
    return result


def _near(positions: Floats, seconds: Floats, leg: float, ground: Floats | None, spans: Spans) -> NDArray[np.bool_]:
    """(F,) whether it is low, and slow."""
    level = quantiles(positions[:, 2], spans.counts, LOWEST) if ground is None else ground
    low = positions[:, 2] < spans.spread(level) + HEIGHT * leg
    if not low.any():  # as hands in nearly all clips
        return low
    return low & (speed(positions, seconds, spans) < SPEED * leg)


def speed(positions: Floats, seconds: Floats, spans: Spans) -> Floats:
    """(F,) metres a second over the ground, by central differences; at the ends of a clip by the only one there is."""
    spent = np.where(spans.inside, seconds[1:] - seconds[:-1], 1.0)
    steps = (positions[1:, :2] - positions[:-1, :2]) * (spans.inside / spent)[:, None]
    flat = np.zeros((len(positions), 2))
    # Each of both by the time that the other takes, so that a parabola has its true slope.
    flat[1:-1] = (steps[1:] * spent[:-1, None] + steps[:-1] * spent[1:, None]) / (spent[1:] + spent[:-1])[:, None]
    first = spans.starts[np.greater(spans.counts, 1)]
    last = (spans.starts + spans.counts - 1)[np.greater(spans.counts, 1)]
    flat[first], flat[last] = steps[first], steps[last - 1]
    return np.hypot(flat[:, 0], flat[:, 1])


def skate(positions: Floats, seconds: Floats, touching: NDArray[np.bool_], leg: float, spans: Spans) -> Floats:
    """(N,) of each clip the mean speed over the ground from sample to sample inside runs of contact, in leg lengths a second; 0 without
    contact."""
    inside = np.flatnonzero(touching[1:] & touching[:-1] & spans.inside)
    steps = positions[inside + 1, :2] - positions[inside, :2]
    clips = spans.clips(inside)
    moved = np.bincount(clips, np.hypot(steps[:, 0], steps[:, 1]), len(spans))
    spent = np.bincount(clips, seconds[inside + 1] - seconds[inside], len(spans))
    return moved / np.maximum(spent, 1e-30) / leg


def runs(touching: NDArray[np.bool_], spans: Spans) -> Runs:
    """The stretches where it is true."""
    begins, ends = touching.copy(), touching.copy()
    begins[1:] &= ~(touching[:-1] & spans.inside)
    ends[:-1] &= ~(touching[1:] & spans.inside)
    return Runs(np.flatnonzero(begins), np.flatnonzero(ends) + 1)


def slides(ends: Floats, runs: Runs) -> Floats:
    """(R,) how far over the ground the end of a limb comes from the middle of where it stands. ends: its positions in all runs."""
    begins = np.cumsum(runs.lengths) - runs.lengths
    flat = ends[:, :2] - np.repeat(np.add.reduceat(ends[:, :2], begins) / runs.lengths[:, None], runs.lengths, axis=0)
    return np.asarray(np.maximum.reduceat(np.hypot(flat[:, 0], flat[:, 1]), begins), np.float64)


def steps(ends: Floats, runs: Runs) -> Floats:
    """(K,) metres over the ground that a point has gone since the sample before, 0 where a run begins. ends: its positions in all runs."""
    gone, over = np.zeros(len(ends)), np.diff(ends, axis=0)
    gone[1:] = np.hypot(over[:, 0], over[:, 1])
    gone[np.cumsum(runs.lengths) - runs.lengths] = 0.0
    return gone


def paths(ends: Floats, runs: Runs) -> Floats:
    """(R,) metres over the ground that a point goes from sample to sample in each run. ends: its positions in all runs."""
    return np.asarray(np.add.reduceat(steps(ends, runs), np.cumsum(runs.lengths) - runs.lengths), np.float64)


def lasting(away: Floats) -> tuple[float, int]:
    """Of the metres by which something is off, (F,) of one clip, the most that it is for as long as a contact takes, and the row in the
    middle of that."""
    width = min(len(away), SHORTEST)
    windows = np.lib.stride_tricks.sliding_window_view(away, width)
    least = np.where(windows.min(axis=1) > 0, windows.min(axis=1), np.where(windows.max(axis=1) < 0, windows.max(axis=1), 0.0))
    at = int(np.abs(least).round(9).argmax())  # of frames that differ by rounding alone the first
    return float(least[at]), at + width // 2


def quantile(values: Floats, share: float) -> float:
    """As numpy's, of (F,), which takes longer for a few values than all else that is done with them."""
    ordered = np.sort(values)
    at = share * (len(ordered) - 1)
    first = int(at)
    low, high = float(ordered[first]), float(ordered[min(first + 1, len(ordered) - 1)])
    return low + (high - low) * (at - first)


def quantiles(values: Floats, counts: Sequence[int] | NDArray[np.int64], share: float) -> Floats:
    """(N,) the same of groups of values, one behind the other. counts: (N,) how many each has, none of them 0."""
    sizes, ordered = np.asarray(counts, np.int64), values.copy()
    at = share * (sizes - 1)
    first, begins = at.astype(np.int64), np.cumsum(sizes) - sizes
    for group in map(slice, begins.tolist(), (begins + sizes).tolist()):  # a sort of few values takes no time at all
        ordered[group].sort()
    low, high = ordered[begins + first], ordered[begins + np.minimum(first + 1, sizes - 1)]
    return low + (high - low) * (at - first)


def _settled(touching: NDArray[np.bool_], spans: Spans) -> NDArray[np.bool_]:
    """Without gaps, then without stretches, that are shorter than SHORTEST; gaps at the ends of a clip stay."""
    out = touching.copy()
    gaps = runs(~out, spans)
    at_end = np.isin(gaps.starts, spans.starts) | np.isin(gaps.stops, spans.starts + spans.counts)
    out[gaps.of((gaps.lengths < SHORTEST) & ~at_end).samples()[0]] = True
    stands = runs(out, spans)
    out[stands.of(stands.lengths < SHORTEST).samples()[0]] = False
    return out
