"""Whether the body is on its ground where the source's is: whatever of it is lowest, hands, knees or the back of one who lies, or the feet
of one who stands. Joints of feet are as high above their own height at rest, all others above the ground that is under the soles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.directions import lengths
from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from ..figures.roles import BODY, FEET, SIDES
from ..figures.spans import Spans
from . import contacts, feet, pace
from .root import NEAR, soles
from .source import Source

_STANDS, _LIES = 0.08, 0.15
"""In leg lengths: so far above the ground is at most what is on it: a foot of one who stands, a joint of one who lies, with flesh
about it; what is twice as high is not on it."""

_PRONE = 0.06
"""In leg lengths: where another joint is lower than the feet by so much, it is what the body lies on."""

_STEEP = 0.5
"""Of the shin's length, by which the knee is above the ankle at least where a foot is on its sole. Of one who sits with stretched legs,
kneels or lies shins are level, and the ankle is as any other joint: one that is higher by no more than its flesh is on the ground, too."""

_UPRIGHT = 0.8
"""The same, from where on an ankle that is lower than at rest is in the ground. No foot that is on its sole has its ankle there: the more
the shin leans, the more its foot lies."""

_EASE, _LONGEST, _FAR, _SLOWER = 0.06, 0.1, 0.2, 4.0
"""Seconds before and after which the body begins and ends to move, at least and at most; leg lengths, and seconds for each by which it
moves more than that."""

_NEXT = 0.35
"""In leg lengths: joints of the source that never come nearer to the ground are not what the body lies on."""


@dataclass(frozen=True, eq=False)
class Bearing:
    """What the source's body bears upon. wanted: (F,) metres above the target's ground at which its lowest joint should be. touches: (F,)
    from 0 to 1, whether the source's is on its ground. lies: (F,) from 0 to 1, whether that is another one than a foot. levels: of the
    target, as `_levels` gives them. rows: of the followers that are the body, and those of them that are feet. near: (rows, N) in which
    clips each comes near the ground. under: by row what is none of a foot, (F,) metres of the target, 0 at most, at which it may be
    over its ground, as the source's is; anywhere in clips whose ground is not known."""

    wanted: Floats
    touches: Floats
    lies: Floats
    levels: tuple[float, float]
    rows: tuple[int, ...]
    feet: frozenset[int]
    near: NDArray[np.bool_]
    sole: float
    under: Mapping[int, Floats]

    @property
    def deeper(self) -> Floats:
        """(F,) metres by which a foot of one who lies may be lower than of one who stands: no more than the source's could."""
        return self.lies * min(self.levels[0] - self.levels[1], self.sole)

    def height(self, row: int, heights: Floats) -> Floats:
        """(F,) metres of a target's joint above its ground, from those in the world."""
        return heights - _ground(self.levels, self.lies, row in self.feet)

    def of_sole(self, deep: Floats) -> Floats:
        """(F,) metres of a sole above its ground, by those that it is too deep."""
        return np.minimum(self.wanted, 0.0) - deep

    def beyond(self, row: int, heights: Floats) -> Floats:
        """(F,) metres, negative where a target's joint is deeper in its ground than the source's. heights: (F,) metres above it."""
        return np.minimum(heights, 0.0) - self.under[row]

    def off(self, lowest: Floats) -> Floats:
        """(F,) metres by which the target's lowest joint is above where it should be, below it if negative: between its ground and as far
        from that as the source's is from its own. lowest: (F,) metres above its ground."""
        return lowest - np.clip(lowest, np.minimum(self.wanted, 0.0), np.maximum(self.wanted, 0.0))


def bearing(source: Source) -> Bearing | None:
    """None where the ground of one of the figures is not known in any clip."""
    binding, measured, factor = source.binding, source.legs, source.factor
    known = np.array([measured.sure[0] or source.floor != "AUTO" or above is not None for above in source.footing.above])
    soled = frozenset(row for side in SIDES for row in binding.rows_of(f"{side}Toes", f"{side}Foot")[:1])
    if not soled or not measured.sure[1] or not known.any():
        return None
    rows = tuple(row for role, row in binding.roles.items() if role in BODY)
    anchors = [float(binding.followers[row].anchor[2]) for row in soled]
    heads = [float(binding.target.heads[binding.followers[row].target, 2]) for row in soled]
    thick = soles(binding, measured, factor)
    levels = _levels(min(anchors) if measured.stands[0] else measured.source_floor, thick[0]), _levels(min(heads), thick[1])
    spans = source.motion.spans
    standing, others, near = list[Floats](), np.full(len(source.motion.frames), np.inf), list[NDArray[np.bool_]]()
    of_feet = {*binding.rows_of(*FEET)}
    under, is_known = dict[int, Floats](), spans.spread(known.astype(np.float64)) > 0
    for row in rows:
        height = source.motion.positions[:, binding.followers[row].source, 2] - source.lift
        near.append(-spans.largest(levels[0][1] - height) < _NEXT * measured.source)
        if row in soled:
            standing.append(height)
        else:
            np.minimum(others, height, out=others)
        if row not in of_feet:
            deep = np.minimum(height - levels[0][1], 0.0)
            deep += np.minimum(deep + NEAR * measured.source, 0.0)  # so far below the ground, where one drowns or falls, nothing is on it
            under[source.leads[row]] = factor * np.where(is_known, deep, -np.inf)
    feet_ = np.minimum.reduce(standing)
    steep = _steep(source)
    flesh = _LIES * np.clip(1 - steep / _STEEP, 0.0, 1.0)
    leaning = np.clip((_UPRIGHT - steep) / (_UPRIGHT - _STEEP), 0.0, 1.0)
    lower = leaning * (levels[0][0] - feet_) / measured.source
    lies = np.clip(np.maximum((feet_ - others) / measured.source + flesh, lower) / _PRONE, 0.0, 1.0)
    lowest = np.minimum(feet_ - _ground(levels[0], lies, True), others - _ground(levels[0], lies, False))
    top, above = (_STANDS + lies * (2 * _LIES - _STANDS)), lowest / measured.source
    touches = np.clip(2 * (1 - above / top), 0.0, 1.0) * np.clip(4 * (1 + above / NEAR), 0.0, 1.0) * is_known
    return Bearing(factor * lowest, touches, lies, levels[1], rows, soled, np.stack(near), factor * thick[0], under)


def _steep(source: Source) -> Floats:
    """(F,) how steep the shin of the source's lower foot is: by how much of its length the knee is above the ankle."""
    binding, positions = source.binding, source.motion.positions
    lowest, result = np.full(len(positions), np.inf), np.ones(len(positions))
    for side in SIDES:
        rows = binding.rows_of(f"{side}LowerLeg", f"{side}Foot")
        if len(rows) == 2:
            knee, ankle = (positions[:, binding.followers[row].source] for row in rows)
            steep = (knee - ankle)[:, 2] / np.maximum(lengths(knee - ankle), 1e-30)
            result = np.where(ankle[:, 2] < lowest, steep, result)
            lowest = np.minimum(lowest, ankle[:, 2])
    return result


def _levels(floor: float, thick: float) -> tuple[float, float]:
    """The heights of the feet's joints at rest, and of the ground below them."""
    return floor, floor - thick


def _ground(levels: tuple[float, float], lies: Floats, is_foot: bool) -> Floats | float:
    """Where a joint is at height 0. Feet of one who lies are as other joints."""
    return levels[0] + lies * (levels[1] - levels[0]) if is_foot else levels[1]


def lowered(
    bearing: Bearing,
    source: Source,
    target: Motion,
    loops: Sequence[int | None],
    held: NDArray[np.bool_],
    away: Mapping[int, Floats],
) -> Floats:
    """(F,) metres by which the whole target goes down, so that it is on its ground where the source is, smoothed over time; 0 in clips in
    which that is too little to be seen. loops: of each clip the row that its last repeats. held: (F,) where feet are put on the ground
    anyway. away: by row of a foot (F,) metres by which that moves it down."""
    spans, lowest = target.spans, np.full(len(target.frames), np.inf)
    for row, near in zip(bearing.rows, bearing.near, strict=True):
        if near.any():
            own = bearing.height(row, target.positions[:, source.binding.followers[row].target, 2] - away.get(row, 0.0))
            np.minimum(lowest, own, out=lowest, where=spans.spread(near.astype(np.float64)) > 0)
    off = np.where(bearing.touches > 0, bearing.off(lowest), 0.0) * bearing.touches
    off *= np.where(held, bearing.lies, 1.0)
    most = spans.largest(np.abs(off)) / source.legs.target
    result = np.zeros(len(off))
    for rows, loop, far in zip(spans.rows, loops, most.tolist(), strict=True):
        if far > feet.VISIBLE:
            ease = min(max(_EASE, _SLOWER * (far - _FAR)), _LONGEST)
            result[rows] = pace.moving_average(off[rows], target.frames[rows] / source.fps, loop, ease)
    return result


@dataclass
class Lowest:
    """The lowest joint of the target, joint by joint. lowest: (F,) metres above its ground, or above where it may be. rows: (F,) of which
    follower."""

    lowest: Floats
    rows: NDArray[np.int64]

    @classmethod
    def none(cls, frames: int) -> Lowest:
        return cls(np.full(frames, np.inf), np.full(frames, -1))

    def add(self, row: int, heights: Floats) -> None:
        lower = heights < self.lowest
        self.lowest[lower], self.rows[lower] = heights[lower], row


def worst(bearing: Bearing, joints: Lowest, spans: Spans) -> list[tuple[float, int, bool]]:
    """Of each clip metres that the body is off the ground where the source's is on it, at most and for as long as a contact takes, the row
    of the frame, and whether it lies there."""
    away = np.where((bearing.touches > 0.5) & np.isfinite(joints.lowest), bearing.off(joints.lowest), 0.0)
    result: list[tuple[float, int, bool]] = []
    for rows in spans.rows:
        metres, at = contacts.lasting(away[rows])
        result.append((metres, rows.start + at, bool(bearing.lies[rows.start + at] > 0.5)))
    return result


def sunk(deepest: Lowest, spans: Spans) -> list[tuple[float, int, int]]:
    """Of each clip metres by which a part of the body is deeper in the ground than the source's, at most and for as long as a contact
    takes, the follower's row, -1 for none, and the row of the frame."""
    deep = -np.minimum(deepest.lowest, 0.0)
    result: list[tuple[float, int, int]] = []
    for rows in spans.rows:
        metres, at = contacts.lasting(deep[rows])
        result.append((metres, int(deepest.rows[rows.start + at]) if metres else -1, rows.start + at))
    return result
