"""Feet that stand stay where they stand, and so do hands: each contact of the source is held at one position by bending the limb.

The toe is held at the mean of its positions during the contact, eased in and out; the ankle moves along, so that the foot keeps its angle.
Where both legs together cannot reach, the hips come down by the smallest amount, smoothed over time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ...motion.rotations import quaternion as quat
from ...motion.rotations.directions import UP
from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from ..figures.spans import Spans
from ..transfer.binding import Binding
from ..transfer.limbs import two_bone_ik
from . import contacts, feet, pace
from .feet import Limb
from .root import Legs

EASE = 0.12
"""Seconds."""

DEEPEST = 0.2
"""In leg lengths: further the hips never come down."""

_LOWER = 0.015
"""In leg lengths: hips that come down by less for a foot to be held are not missed by anyone."""

_MORE = 1.1, 0.001
"""Times, and leg lengths, by which a foot slides more than another while it slides alike."""

_FASTER = 0.004
"""In leg lengths a second, by which it does at any moment, and on average, so that the feet of a clip are no worse than the source's."""


@dataclass(frozen=True, eq=False)
class Locked:
    """rotations: (F, 4) new ones in the world by target bone. added: (N,) radians by which a bone rotates more, at most, in each clip.
    hips: (F,) metres by which they come down. missed: by limb (F,) metres between goal and end while it touches."""

    rotations: dict[int, Floats] = field(default_factory=dict[int, Floats])
    added: Floats = field(default_factory=lambda: np.zeros(0))
    hips: Floats = field(default_factory=lambda: np.zeros(0))
    missed: dict[str, Floats] = field(default_factory=dict[str, Floats])


@dataclass(frozen=True, eq=False)
class AtRest:
    """The target at rest. rotations: (B, 4) of its bones in the world. lateral: (3,) from its right to its left."""

    rotations: Floats
    lateral: Floats
    legs: Legs


@dataclass(frozen=True, eq=False)
class Footholds:
    """What decides where a foot is held besides its own motion. All lengths are metres where nothing else is said."""

    least: Floats
    """(N,) in each clip by how much a foot has to be off the ground to be put onto it."""
    away: Mapping[str, Floats] = field(default_factory=dict[str, Floats])
    """By leg (F,) how far it is off, as `level.off_ground` gives it."""
    raised: Callable[[str, Floats], Floats] | None = None
    """Gives `away` of a leg whose foot is (F,) metres higher: one that comes down while it stands is off it once it is held."""
    deep: Mapping[str, Floats] = field(default_factory=dict[str, Floats])
    """By leg (F,) how much too deep its sole is, as `soles.Soles.sunk` gives it: it rises by that."""
    sunk: Floats = field(default_factory=lambda: np.zeros(1))
    """(N,) in each clip by how much a sole has to be too deep for that."""
    source: Callable[[Limb], Floats] | None = None
    """Gives (F, 3) where the source's end of a leg is, in leg lengths: where that slides as little as the target's, a foot is not held for
    which the hips had to come down visibly, and further than it slides."""
    hips_down: NDArray[np.bool_] | bool = True
    """(F,) whether the hips may come down, so that feet reach."""


class Lock:
    """Holds limbs where they touch, in loops as where they begin also where they end. target: the motion without contacts. time: of its
    frames."""

    def __init__(self, binding: Binding, target: Motion, time: pace.Pace, rest: AtRest, footholds: Footholds) -> None:
        self._binding, self._target, self._rest, self._footholds = binding, target, rest, footholds
        self._spans, self._seconds, self._leg = target.spans, time.seconds, rest.legs.target
        self._loops, self._joints = time.loops, time.joints()

    def _positions(self, item: Limb, joint: int) -> Floats:
        """(F, 3) of one of a limb's joints, counted from the body."""
        return self._target.positions[:, self._binding.followers[item.rows[joint]].target]

    def locked(self, limbs: list[Limb]) -> Locked:
        """All of them, each at its goal."""
        binding, target, spans = self._binding, self._target, self._spans
        result = Locked(added=np.zeros(len(spans)), hips=np.zeros(len(target.frames)))
        goals = {item.name: self._goal(item) for item in limbs}
        legs = [item for item in limbs if item.name.endswith("Foot")]
        down = np.zeros(len(target.frames))
        if np.any(self._footholds.hips_down) and legs and "hips" in binding.roles:
            down = np.where(self._footholds.hips_down, self._drop(legs, goals), 0.0)
            result.hips[:] = down
        for item in limbs:
            start, middle, end = (self._positions(item, joint) for joint in range(3))
            moved = np.stack([np.zeros(len(down)), np.zeros(len(down)), down], axis=1)
            first, second, _, _ = (binding.followers[row].target for row in item.rows)
            lateral = self._rest.lateral if item.name.endswith("Foot") else -self._rest.lateral
            across = quat.rotate(quat.conjugate(self._rest.rotations[first]), lateral)
            hinge = two_bone_ik.hinge_axis(middle - start, end - start, target.rotations[:, first], across, spans)
            joints = start - moved, middle - moved, end - moved, goals[item.name]
            bent = two_bone_ik.bend(*joints, two_bone_ik.plan(*joints, hinge))
            for bone, rotations in ((first, bent.first), (second, bent.second)):
                result.rotations[bone] = quat.multiply(rotations, target.rotations[:, bone])
                np.maximum(result.added, spans.largest(quat.angle(rotations)), out=result.added)
            # Feet and hands keep their angle, whether or not the map would rotate them anyway.
            for row in item.rows[2:]:
                bone = binding.followers[row].target
                result.rotations[bone] = target.rotations[:, bone]
            result.missed[item.name] = np.where(item.touching, bent.missed, 0.0)
        return result

    def _goal(self, item: Limb) -> Floats:
        """(F, 3) where the limb's end shall be."""
        goal, deep = self._still(item), self._footholds.deep.get(item.name)
        return goal if deep is None else _clear(goal, self._positions(item, 2), deep, self._footholds.sunk, self._spans)

    def _still(self, item: Limb) -> Floats:
        """(F, 3) where the limb's end is still while it stands, on the ground where it is off it by more than `least` (N,) metres;
        what that takes at the edges fades out before and after, beside the limb's own motion."""
        spans, seconds, leg, toe, end = self._spans, self._seconds, self._leg, self._positions(item, 3), self._positions(item, 2)
        runs = contacts.runs(item.touching, spans)
        if not len(runs):
            return end
        first, last = runs.starts, runs.stops - 1
        clock = seconds + spans.spread(np.arange(len(spans)) * (np.ptp(seconds) + 3 * EASE))  # no contact reaches into another clip
        begins, ends = clock[first], clock[last]
        eases = np.minimum(np.concatenate([[EASE], begins[1:] - ends[:-1], [EASE]]), EASE)  # nor into another one, where that is held alone
        reached = contacts.Runs(np.searchsorted(clock, begins - eases[:-1], side="right"), np.searchsorted(clock, ends + eases[1:]))
        rows, run = reached.samples()
        beside = np.maximum((begins[run] - clock[rows]) / eases[:-1][run], (clock[rows] - ends[run]) / eases[1:][run]).clip(0, 1)
        weight = 0.5 + 0.5 * np.cos(np.pi * beside)
        inside, samples = rows.clip(first[run], last[run]), runs.samples()[0]
        mean = self._means(toe, runs)
        moved = mean[run] - toe[inside]
        slides = contacts.slides(toe[samples], runs) / leg
        source = self._footholds.source if item.name.endswith("Foot") else None
        standing = (rows >= first[run]) & (rows <= last[run])
        if source is not None and (slides < feet.VISIBLE).any():
            needed = self._needed(item, end[samples] + moved[standing], samples) / leg
            most = np.maximum.reduceat(needed, np.cumsum(runs.lengths) - runs.lengths)
            dear = (most > np.maximum(slides, _LOWER)) & (slides < feet.VISIBLE)
            if dear.any():
                theirs = source(item)[samples]
                alike = slides <= _MORE[0] * contacts.slides(theirs, runs) + _MORE[1]
                own, others = (_speeds(ends, runs, seconds[samples]) for ends in (toe[samples] / leg, theirs))
                alike &= (own <= others + _FASTER).all(axis=0)
                moved[(dear & alike)[run]] = 0.0
        away, least = self._footholds.away.get(item.name), self._footholds.least
        if away is not None:
            off = np.abs(feet.standing_off(runs, away))
            if self._footholds.raised is not None and item.name.endswith("Foot"):
                raised = np.zeros(len(seconds))
                raised[rows[standing]] = moved[standing, 2]
                off = np.maximum(off, np.abs(feet.standing_off(runs, self._footholds.raised(item.name, raised))))
            moved[:, 2] = np.where((off > least[spans.clips(first)])[run], -away[inside], moved[:, 2])
        count = len(seconds)
        offset = np.stack([np.bincount(rows, weight * values, count) for values in moved.T], axis=1)
        return end + self._closed(offset / np.maximum(np.bincount(rows, weight, count), 1.0)[:, None], item.touching)

    def _means(self, toe: Floats, runs: contacts.Runs) -> Floats:
        """(R, 3) where the end of a limb is in each run. Of one that goes on over the joint of a loop both parts count, as far as the loop
        goes from each other. toe: (F, 3)."""
        sums = np.add.reduceat(toe[runs.samples()[0]], np.cumsum(runs.lengths) - runs.lengths)
        means, last = sums / runs.lengths[:, None], runs.stops - 1
        for begins, ends in self._joints.tolist():
            first, second = np.flatnonzero((runs.starts <= begins) & (begins <= last)), np.flatnonzero(last == ends)
            if len(first) and len(second) and first[0] != second[0]:
                parts, gone = [first[0], second[0]], toe[ends] - toe[begins]
                counted = sums[parts].sum(axis=0) - runs.lengths[second[0]] * gone - toe[begins]  # which is in both
                both = counted / (runs.lengths[parts].sum() - 1)
                means[parts] = both, both + gone
        return np.asarray(means, np.float64)

    def _closed(self, offset: Floats, touching: NDArray[np.bool_]) -> Floats:
        """(F, 3) the same where a loop ends as where it begins: as it is where the limb stands, in the middle between both where it stands
        at both or at none. What differs fades out to both sides. touching: (F,)."""
        clip: int
        for clip, begins, ends in zip(self._spans.clips(self._joints[:, 0]).tolist(), *self._joints.T.tolist(), strict=True):
            rows, apart = self._spans.rows[clip], offset[ends] - offset[begins]
            share = 0.5 + 0.5 * (float(touching[ends]) - float(touching[begins]))
            first, last = (_faded(self._seconds[rows], at - rows.start, begins - rows.start) for at in (begins, ends))
            offset[rows] += (first * share - last * (1 - share))[:, None] * apart
        return offset

    def _needed(self, item: Limb, goal: Floats, rows: NDArray[np.int64] | slice) -> Floats:
        """(R,) metres by which the hips come down at some frames for a leg to reach its goal; below 0 where it is near."""
        start, middle, end = (self._positions(item, joint)[rows] for joint in range(3))
        length = np.linalg.norm(middle - start, axis=1) + np.linalg.norm(end - middle, axis=1)
        full = np.maximum(two_bone_ik.SOFT * length, np.linalg.norm(end - start, axis=1))
        flat = np.linalg.norm((goal - start)[:, :2], axis=1)
        moved = np.abs(goal - end).max(axis=1) > 1e-9
        return np.where(moved, start[:, 2] - goal[:, 2] - np.sqrt(np.maximum(full**2 - flat**2, 0.0)), 0.0)

    def _drop(self, legs: list[Limb], goals: dict[str, Floats]) -> Floats:
        """(F,) metres: enough for every leg to reach its goal while it touches, smoothed without falling below what is needed."""
        needed = np.zeros(len(self._seconds))
        for item in legs:
            needed = np.maximum(needed, self._needed(item, goals[item.name], slice(None)))
        needed = np.minimum(needed, DEEPEST * self._leg)
        if not needed.any():
            return needed
        every = zip(self._spans.rows, self._loops, strict=True)
        return np.concatenate([_smoothed(needed[rows], self._seconds[rows], loop) for rows, loop in every])


def _clear(goal: Floats, end: Floats, deep: Floats, least: Floats, spans: Spans) -> Floats:
    """(F, 3) the goal of a foot, so high that its sole is not in the ground, in clips in which that is more than `least` (N,) metres. end:
    (F, 3) where the foot is with its sole (F,) metres too deep."""
    rise = np.maximum(deep - (goal - end)[:, 2], 0.0)
    rise[spans.spread(spans.largest(rise) <= least) > 0] = 0.0
    return goal + rise[:, None] * UP


def _speeds(ends: Floats, runs: contacts.Runs, seconds: Floats) -> Floats:
    """(2, R) how fast the end of a limb slides where it stands: at most, and on average. ends, seconds: at all frames of the runs."""
    begins = np.cumsum(runs.lengths) - runs.lengths
    speeds = contacts.steps(ends, runs)
    speeds[1:] /= np.maximum(np.diff(seconds), 1e-9)
    spent = seconds[begins + runs.lengths - 1] - seconds[begins]
    return np.array([np.maximum.reduceat(speeds, begins), contacts.paths(ends, runs) / np.maximum(spent, 1e-9)])


def _smoothed(needed: Floats, seconds: Floats, loop: int | None) -> Floats:
    """(F,) what one clip needs, without jumps. loop: the row that its last repeats."""
    if not needed.any() or len(seconds) < 3:
        return needed
    width = max(1, round(EASE / max(contacts.quantile(np.diff(seconds), 0.5), 1e-6)))
    # The largest need nearby, then its moving average over the same width: never less than the need itself.
    padded = needed[pace.around(len(needed) - 1, loop, 2 * width)]
    largest = sliding_window_view(padded, 2 * width + 1).max(axis=1)
    smoothed = np.asarray(np.convolve(largest, pace.bell(2 * width + 1), mode="valid"), np.float64)
    if loop is not None and loop < len(needed) - 1:
        lower, higher = sorted((loop, len(needed) - 1), key=lambda row: float(smoothed[row]))
        smoothed += _faded(seconds, lower, loop) * (smoothed[higher] - smoothed[lower])
    return smoothed


def _faded(seconds: Floats, row: int, loop: int) -> Floats:
    """(F,) 1 at a row where a loop is joined, fading out before and behind, not beyond half of the loop. loop: where it begins."""
    ease = min(EASE, float(seconds[-1] - seconds[loop]) / 2)
    return np.asarray(0.5 + 0.5 * np.cos(np.pi * np.minimum(np.abs(seconds - seconds[row]) / ease, 1.0)), np.float64)
