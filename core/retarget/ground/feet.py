"""Feet that stand stay where they stand, and so do hands: each contact of the source is held at one position by bending the limb.

The toe is held at the mean of its positions during the contact, eased in and out; the ankle moves along, so that the foot keeps its angle.
Where both legs together cannot reach, the hips come down by the smallest amount, smoothed over time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ...motion import quaternion as quat
from ...motion.rotation_matrix import Floats
from ..figures.motion import Motion
from ..figures.spans import Spans
from ..transfer import limb, mirror
from ..transfer.binding import Binding
from . import contacts
from .root import Legs

Contacts = Mapping[str, NDArray[np.bool_]]
"""By limb (F,) whether it stands, of one clip."""

EASE = 0.12
"""Seconds."""

DEEPEST = 0.2
"""In leg lengths: further the hips never come down."""

VISIBLE = 0.02
"""In leg lengths: feet that float or sink by less stay as they are."""

_LOWER = 0.015
"""In leg lengths: hips that come down by less for a foot to be held are not missed by anyone."""

_MORE = 1.1, 0.001
"""Times, and leg lengths, by which a foot slides more than another while it slides alike."""

UNREACHED = 0.01
"""In leg lengths: a goal that is missed by more is reported."""

GROUNDED, STILL = 0.2, 0.6
"""The part of a clip in which a foot stands, at least, to show where the ground is; and the same of a clip of one who lies."""

_ERECT, _UNDER = 0.5, 0.4
"""Of the trunk's length its height, and leg lengths by which feet are below the hips: who has less of both lies, swims or flies."""

_LEG, _ARM = ("UpperLeg", "LowerLeg", "Foot", "Toes"), ("UpperArm", "LowerArm", "Hand", "MiddleProximal")


@dataclass(frozen=True, eq=False)
class Limb:
    """Rows of the followers: first and second bone, end, and what touches the ground. touching: (F,) detected on the source."""

    name: str
    rows: tuple[int, int, int, int]
    touching: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Footing:
    """How the limbs are on the ground. is_grounded: (N,) whether each clip is one over the ground. above: as `heights` gives it of the
    source's feet, None where these do not show the ground. lowest: as `lowest` gives it of the source's feet in clips that do not show the
    ground, no number in others, nor where that is far from where they are at rest, as in falls."""

    limbs: list[Limb]
    is_grounded: NDArray[np.bool_]
    above: list[float | None]
    lowest: Floats


@dataclass(frozen=True, eq=False)
class Locked:
    """rotations: (F, 4) new ones in the world by target bone. added: (N,) radians by which a bone rotates more, at most, in each clip.
    hips: (F,) metres by which they come down. missed: by limb (F,) metres between goal and end while it touches."""

    rotations: dict[int, Floats] = field(default_factory=dict[int, Floats])
    added: Floats = field(default_factory=lambda: np.zeros(0))
    hips: Floats = field(default_factory=lambda: np.zeros(0))
    missed: dict[str, Floats] = field(default_factory=dict[str, Floats])


def footing(binding: Binding, source: Motion, fps: float, measured: Legs, hands: bool, given: Sequence[Contacts] = ()) -> Footing:
    """given: as for `limbs`."""
    limbs_ = limbs(binding, source, fps, measured, hands, given)
    asked = np.array([bool(own) for own in given] or [False] * len(source.spans))
    is_grounded = asked | keeps_ground(limbs_, source, binding, measured.source)
    shows = asked | (is_grounded & (_standing(limbs_, source.spans) >= GROUNDED))
    above = heights(limbs_, binding, source, True, measured)
    low = np.full(len(shows), np.nan)
    legs = [item for item in limbs_ if item.name.endswith("Foot")]
    if legs and not shows.all():
        low = lowest(legs, binding, source, True, measured)
        low[shows | (np.abs(low) > contacts.HEIGHT * measured.source)] = np.nan
    known = [each if shown else None for each, shown in zip(above, shows.tolist(), strict=True)]
    return Footing(limbs_, is_grounded, known, low)


def limbs(binding: Binding, source: Motion, fps: float, measured: Legs, hands: bool, given: Sequence[Contacts] = ()) -> list[Limb]:
    """The legs, and on request the arms, that both figures have. given: of each clip contacts by limb (leftFoot, rightHand …) instead of
    those detected."""
    limbs_: list[Limb] = []
    seconds, spans = source.frames / fps, source.spans
    parts_down = ("Toes", "Foot") if hands else ()  # what hands touch is the ground that feet are on
    feet = [row for side in ("left", "right") for part in parts_down if (row := binding.roles.get(side + part)) is not None]
    levels = [contacts.quantiles(source.positions[:, binding.followers[row].source, 2], spans.counts, contacts.LOWEST) for row in feet]
    ground = np.minimum.reduce(levels) if levels else np.zeros(len(spans))
    for parts in (_LEG, _ARM) if hands else (_LEG,):
        for side in ("left", "right"):
            rows = [binding.roles.get(side + part) for part in parts]
            if rows[0] is None or rows[1] is None or rows[2] is None:
                continue
            toe = rows[3] if rows[3] is not None and parts is _LEG else rows[2]
            name = f"{side}{parts[2]}"
            positions = source.positions[:, binding.followers[toe].source]
            touching = contacts.standing(positions, seconds, measured.source, None if parts is _LEG else ground, spans)
            for own, at in zip(given, spans.rows, strict=False):
                touching[at] = own.get(name, touching[at])
            limbs_.append(Limb(name, (rows[0], rows[1], rows[2], toe), touching))
    return limbs_


def keeps_ground(limbs_: list[Limb], source: Motion, binding: Binding, leg: float) -> NDArray[np.bool_]:
    """(N,) whether a clip is one over the ground: feet stand in it, and the body does not lie while they are seldom still, as one who
    swims."""
    stands = _standing(limbs_, source.spans)
    seldom = (stands > 0) & (stands <= STILL)
    return (stands > 0) & ~(seldom & _lies(limbs_, source, binding, leg)) if seldom.any() else stands > 0


def _standing(limbs_: list[Limb], spans: Spans) -> Floats:
    """(N,) the part of each clip in which a foot stands."""
    legs = [item.touching for item in limbs_ if item.name.endswith("Foot")]
    return spans.mean(np.logical_or.reduce(legs).astype(np.float64)) if legs else np.zeros(len(spans))


def _lies(limbs_: list[Limb], source: Motion, binding: Binding, leg: float) -> NDArray[np.bool_]:
    """(N,) whether the trunk is level and the feet are not below it, for most of the clip."""
    hips, head = binding.roles.get("hips"), binding.roles.get("head")
    if hips is None or head is None:
        return np.zeros(len(source.spans), bool)
    low, top = (source.positions[:, binding.followers[row].source] for row in (hips, head))
    trunk = top - low
    erect = trunk[:, 2] > _ERECT * np.linalg.norm(trunk, axis=1)
    return source.spans.mean((erect | (low[:, 2] - _feet(limbs_, source, binding) > _UNDER * leg)).astype(np.float64)) < 0.5


def _feet(limbs_: list[Limb], source: Motion, binding: Binding) -> Floats:
    """(F,) the mean height of the feet."""
    feet = [binding.followers[item.rows[3]].source for item in limbs_ if item.name.endswith("Foot")]
    return np.asarray(source.positions[:, feet, 2].mean(axis=1), np.float64)


def heights(limbs_: list[Limb], binding: Binding, motion: Motion, in_source: bool, measured: Legs) -> list[float | None]:
    """Of each clip metres by which the lowest standing foot is above where the lowest is at rest, in the middle of all frames; None where
    none stands. For a target that does not stand at rest, above its floor."""
    spans = motion.spans
    levels, rest = np.full(len(motion.frames), np.inf), np.full(len(spans), np.inf)
    for item in limbs_:
        if item.name.endswith("Foot") and item.touching.any():
            one = binding.followers[item.rows[3]]
            own = float(one.anchor[2] if in_source else binding.target.heads[one.target, 2])
            np.minimum(rest, own, out=rest, where=spans.any(item.touching))
            np.minimum(levels, motion.positions[:, one.source if in_source else one.target, 2], out=levels, where=item.touching)
    if not in_source and not measured.stands[1]:
        rest[:] = measured.target_floor
    stands = levels < np.inf
    counts = spans.count(stands)
    result: list[float | None] = [None] * len(spans)
    middle = contacts.quantiles(levels[stands], counts[counts > 0], 0.5) - rest[counts > 0]
    for clip, height in zip(np.flatnonzero(counts).tolist(), middle.tolist(), strict=True):
        result[clip] = height
    return result


def lowest(limbs_: list[Limb], binding: Binding, motion: Motion, in_source: bool, measured: Legs) -> Floats:
    """(N,) metres by which the lowest of the legs' ends is in each clip above where the lowest is at rest; for a target that does not stand
    at rest, above its floor."""
    followers = [binding.followers[item.rows[3]] for item in limbs_ if item.name.endswith("Foot")]
    spans = motion.spans
    if not followers:
        return np.zeros(len(spans))
    rest = min(float(one.anchor[2] if in_source else binding.target.heads[one.target, 2]) for one in followers)
    if not in_source and not measured.stands[1]:
        rest = measured.target_floor
    levels = np.minimum.reduce([motion.positions[:, one.source if in_source else one.target, 2] for one in followers])
    return np.asarray(contacts.quantiles(levels, np.array(spans.counts), contacts.LOWEST) - rest, np.float64)


def standing_off(runs: contacts.Runs, away: Floats) -> Floats:
    """(R,) metres that a foot is off the ground while it stands, at most and for as long as a contact takes. away: (F,) as
    `level.off_ground` gives it."""
    result = np.zeros(len(runs))
    widths = np.minimum(runs.lengths, contacts.SHORTEST)
    for width in np.unique(widths).tolist():
        some = runs.of(widths == width)
        first, run = contacts.Runs(some.starts, some.stops - width + 1).samples()
        windows = [away[first + step] for step in range(width)]
        begins = np.flatnonzero(np.diff(run, prepend=-1))
        highest = np.maximum.reduceat(np.minimum.reduce(windows), begins)
        deepest = np.minimum.reduceat(np.maximum.reduce(windows), begins)
        result[widths == width] = np.where(np.abs(deepest) > np.abs(highest), deepest, highest)
    return result


def mirrored(limbs_: list[Limb]) -> list[Limb]:
    """Each limb with the contacts of the other side's."""
    by_name = {item.name: item.touching for item in limbs_}
    return [Limb(item.name, item.rows, by_name.get(mirror.other_side(item.name), item.touching)) for item in limbs_]


def acting(limbs_: list[Limb], feet: NDArray[np.bool_], hands: bool, spans: Spans) -> list[Limb]:
    """The limbs that are held, where they are. feet: (N,) the clips in which feet are. hands: whether hands are."""
    held = spans.spread(feet.astype(np.float64)) > 0
    legs = [Limb(item.name, item.rows, item.touching & held) for item in limbs_ if item.name.endswith("Foot") and feet.any()]
    return legs + [item for item in limbs_ if hands and item.name.endswith("Hand")]


def lock(
    binding: Binding,
    limbs_: list[Limb],
    target: Motion,
    references: Floats,
    fps: float,
    measured: Legs,
    lateral: Floats,
    drop: bool,
    spans: Spans,
    away: Mapping[str, Floats],
    least: Floats,
    source: Callable[[Limb], Floats] | None = None,
) -> Locked:
    """target: the motion without contacts. references: (target bones, 4). lateral: (3,) from the right to the left of the target. spans:
    the clips. away: by leg (F,) as `level.off_ground` gives it: whoever stands in the ground or above it by more than
    `least` (N,) metres is put onto it. source: gives (F, 3) where the source's end of a leg is, in leg lengths: where that slides as little
    as the target's, a foot is not held for which the hips had to come down visibly, and further than it slides."""
    locked = Locked(added=np.zeros(len(spans)), hips=np.zeros(len(target.frames)))
    seconds = target.frames / fps
    goals: dict[str, Floats] = {}
    for item in limbs_:
        own = source if item.name.endswith("Foot") else None
        goals[item.name] = _goal(binding, item, target, seconds, spans, away.get(item.name), least, measured.target, own)
    legs = [item for item in limbs_ if item.name.endswith("Foot")]
    down = np.zeros(len(seconds))
    if drop and legs and "hips" in binding.roles:
        down = _drop(binding, legs, target, goals, seconds, measured, spans)
        locked.hips[:] = down
    for item in limbs_:
        start, middle, end = (target.positions[:, binding.followers[row].target] for row in item.rows[:3])
        moved = np.stack([np.zeros(len(down)), np.zeros(len(down)), down], axis=1)
        first, second, _, _ = (binding.followers[row].target for row in item.rows)
        across = quat.rotate(quat.conjugate(references[first]), lateral if item.name.endswith("Foot") else -lateral)
        hinge = limb.hinge_axis(middle - start, end - start, target.rotations[:, first], across, spans)
        bent = limb.bend(start - moved, middle - moved, end - moved, goals[item.name], hinge)
        for bone, rotations in ((first, bent.first), (second, bent.second)):
            locked.rotations[bone] = quat.multiply(rotations, target.rotations[:, bone])
            np.maximum(locked.added, spans.largest(quat.angle(rotations)), out=locked.added)
        # Feet and hands keep their angle, whether or not the map would rotate them anyway.
        for row in item.rows[2:]:
            bone = binding.followers[row].target
            locked.rotations[bone] = target.rotations[:, bone]
        locked.missed[item.name] = np.where(item.touching, bent.missed, 0.0)
    return locked


def _goal(
    binding: Binding,
    item: Limb,
    target: Motion,
    seconds: Floats,
    spans: Spans,
    away: Floats | None,
    least: Floats,
    leg: float,
    source: Callable[[Limb], Floats] | None,
) -> Floats:
    """(F, 3) where the limb's end shall be: still while it stands, on the ground where it is off it by more than `least` (N,) metres;
    what that takes at the edges fades out before and after, beside the limb's own motion."""
    toe, end = (target.positions[:, binding.followers[row].target] for row in (item.rows[3], item.rows[2]))
    runs = contacts.runs(item.touching, spans)
    if not len(runs):
        return end
    first, last = runs.starts, runs.stops - 1
    clock = seconds + spans.spread(np.arange(len(spans)) * (np.ptp(seconds) + 3 * EASE))  # no contact reaches into another clip
    reached = contacts.Runs(np.searchsorted(clock, clock[first] - EASE), np.searchsorted(clock, clock[last] + EASE, side="right"))
    rows, run = reached.samples()
    beside = np.maximum(clock[first][run] - clock[rows], clock[rows] - clock[last][run]).clip(0, EASE)
    weight = 0.5 + 0.5 * np.cos(np.pi * beside / EASE)
    inside, samples = rows.clip(first[run], last[run]), runs.samples()[0]
    mean = np.add.reduceat(toe[samples], np.cumsum(runs.lengths) - runs.lengths) / runs.lengths[:, None]
    moved = mean[run] - toe[inside]
    slides = _slides(toe[samples], runs) / leg
    if source is not None and (slides < VISIBLE).any():
        standing = (rows >= first[run]) & (rows <= last[run])
        needed = _needed(binding, item, target, end[samples] + moved[standing], samples) / leg
        dear = (np.maximum.reduceat(needed, np.cumsum(runs.lengths) - runs.lengths) > np.maximum(slides, _LOWER)) & (slides < VISIBLE)
        if dear.any():
            alike = slides <= _MORE[0] * _slides(source(item)[samples], runs) + _MORE[1]
            moved[(dear & alike)[run]] = 0.0
    if away is not None:
        moved[:, 2] = np.where((np.abs(standing_off(runs, away)) > least[spans.clips(first)])[run], -away[inside], moved[:, 2])
    count = len(seconds)
    offset = np.stack([np.bincount(rows, weight * values, count) for values in moved.T], axis=1)
    return end + offset / np.maximum(np.bincount(rows, weight, count), 1.0)[:, None]


def _slides(ends: Floats, runs: contacts.Runs) -> Floats:
    """(R,) how far over the ground the end of a limb comes from the middle of where it stands. ends: its positions in all runs."""
    begins = np.cumsum(runs.lengths) - runs.lengths
    flat = ends[:, :2] - np.repeat(np.add.reduceat(ends[:, :2], begins) / runs.lengths[:, None], runs.lengths, axis=0)
    return np.asarray(np.maximum.reduceat(np.hypot(flat[:, 0], flat[:, 1]), begins), np.float64)


def _needed(binding: Binding, item: Limb, target: Motion, goal: Floats, rows: NDArray[np.int64] | slice) -> Floats:
    """(R,) metres by which the hips come down at some frames for a leg to reach its goal; below 0 where it is near."""
    start, middle, end = (target.positions[:, binding.followers[row].target][rows] for row in item.rows[:3])
    length = np.linalg.norm(middle - start, axis=1) + np.linalg.norm(end - middle, axis=1)
    full = np.maximum(limb.SOFT * length, np.linalg.norm(end - start, axis=1))
    flat = np.linalg.norm((goal - start)[:, :2], axis=1)
    moved = np.abs(goal - end).max(axis=1) > 1e-9
    return np.where(moved, start[:, 2] - goal[:, 2] - np.sqrt(np.maximum(full**2 - flat**2, 0.0)), 0.0)


def _drop(
    binding: Binding, legs: list[Limb], target: Motion, goals: dict[str, Floats], seconds: Floats, measured: Legs, spans: Spans
) -> Floats:
    """(F,) metres: enough for every leg to reach its goal while it touches, smoothed without falling below what is needed."""
    needed = np.zeros(len(seconds))
    for item in legs:
        needed = np.maximum(needed, _needed(binding, item, target, goals[item.name], slice(None)))
    needed = np.minimum(needed, DEEPEST * measured.target)
    return np.concatenate([_smoothed(needed[rows], seconds[rows]) for rows in spans.rows]) if needed.any() else needed


def _smoothed(needed: Floats, seconds: Floats) -> Floats:
    """(F,) what one clip needs, without jumps."""
    if not needed.any() or len(seconds) < 3:
        return needed
    width = max(1, round(EASE / max(contacts.quantile(np.diff(seconds), 0.5), 1e-6)))
    # The largest need nearby, then its moving average over the same width: never less than the need itself.
    padded = np.concatenate([np.full(2 * width, needed[0]), needed, np.full(2 * width, needed[-1])])
    largest = sliding_window_view(padded, 2 * width + 1).max(axis=1)
    return np.asarray(np.convolve(largest, bell(2 * width + 1), mode="valid"), np.float64)


@lru_cache(maxsize=16)
def bell(width: int) -> Floats:
    """(width,) weights of a moving average."""
    weights = np.hanning(width + 2)[1:-1]
    return weights / weights.sum()
