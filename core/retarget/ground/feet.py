"""The limbs that may stand, when they do, and how high above the ground their ends are; which clips keep to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from ..figures.roles import FEET, SIDES, other_side
from ..figures.spans import Spans
from ..transfer.binding import Binding
from . import contacts
from .root import Legs

Contacts = Mapping[str, NDArray[np.bool_]]
"""By limb (F,) whether it stands, of one clip."""

VISIBLE = 0.02
"""In leg lengths: feet that float or sink by less stay as they are."""

GROUNDED, STILL = 0.2, 0.6
"""The part of a clip in which a foot stands, at least, to show where the ground is; and the same of a clip of one who lies."""

_RESTS, _SLOW = 0.3, 0.1
"""Seconds at least, and leg lengths a second at most, of a foot that one who lies rests on the ground: swimmers' are slow for less."""

_ERECT, _UNDER = 0.5, 0.4
"""Of the trunk's length its height, and leg lengths by which feet are below the hips: who has less of both lies, swims or flies."""

_LEG, _ARM = ("UpperLeg", "LowerLeg", "Foot"), ("UpperArm", "LowerArm", "Hand")


@dataclass(frozen=True, eq=False)
class Limb:
    """Rows of the followers: first and second bone, end, and what touches the ground. touching: (F,) detected on the source. also_held:
    (F,) where a foot does not stand, but is held all the same, since that it slides would be seen; None of one that is not."""

    name: str
    rows: tuple[int, int, int, int]
    touching: NDArray[np.bool_]
    also_held: NDArray[np.bool_] | None = None

    @property
    def held(self) -> NDArray[np.bool_]:
        """(F,) where it should not slide."""
        return self.touching if self.also_held is None else self.touching | self.also_held

    def of(self, rows: slice) -> Limb:
        """In some of the frames."""
        return Limb(self.name, self.rows, self.touching[rows], None if self.also_held is None else self.also_held[rows])


@dataclass(frozen=True, eq=False)
class Footing:
    """How the limbs are on the ground. is_grounded: (N,) whether each clip is one over the ground. above: as `heights` gives it of the
    source's feet, None where these do not show the ground. lowest: as `lowest` gives it of the source's feet in clips that do not show the
    ground, no number in others, nor where that is far from where they are at rest, as in falls. elsewhere: (N,) leg lengths by which a
    source that stands at rest on the ground of its object stands above that all the time, or below it if negative; 0 where it does not."""

    limbs: list[Limb]
    is_grounded: NDArray[np.bool_]
    above: list[float | None]
    lowest: Floats
    elsewhere: Floats


def footing(binding: Binding, source: Motion, fps: float, measured: Legs, hands: bool, given: Sequence[Contacts] = ()) -> Footing:
    """given: as for `limbs`."""
    limbs_ = limbs(binding, source, fps, measured, hands, given)
    asked = np.array([bool(own) for own in given] or [False] * len(source.spans))
    is_grounded = asked | keeps_ground(limbs_, source, binding, measured.source)
    limbs_ = _resting(limbs_, binding, source, fps, measured.source, is_grounded)
    shows = asked | (is_grounded & (_standing(limbs_, source.spans) >= GROUNDED))
    above = heights(limbs_, binding, source, measured, in_source=True)
    low = np.full(len(shows), np.nan)
    legs = [item for item in limbs_ if item.name.endswith("Foot")]
    if legs and not shows.all():
        low = lowest(legs, binding, source, measured, in_source=True)
        low[shows | (np.abs(low) > contacts.HEIGHT * measured.source)] = np.nan
    known = [each if shown else None for each, shown in zip(above, shows.tolist(), strict=True)]
    return Footing(limbs_, is_grounded, known, low, _elsewhere(legs, binding, source, measured, known))


def _elsewhere(legs: list[Limb], binding: Binding, source: Motion, measured: Legs, above: list[float | None]) -> Floats:
    """As `Footing` has it. above: metres, as it has them."""
    high, far = np.array([each or 0.0 for each in above]), contacts.HEIGHT * measured.source
    if not measured.at_origin or not (np.abs(high) > far).any():  # as nearly always
        return np.zeros(len(high))
    least, most = (lowest(legs, binding, source, measured, in_source=True, share=share) for share in (contacts.LOWEST, 1 - contacts.LOWEST))
    off = np.where(least > 0, least, np.minimum(most, 0.0))  # who climbs begins below, and who falls above
    return np.where((np.abs(high) > far) & (np.abs(off) > far), off, 0.0) / measured.source


def limbs(binding: Binding, source: Motion, fps: float, measured: Legs, hands: bool, given: Sequence[Contacts] = ()) -> list[Limb]:
    """The legs, and on request the arms, that both figures have. given: of each clip contacts by limb (leftFoot, rightHand …) instead of
    those detected."""
    limbs_: list[Limb] = []
    seconds, spans = source.frames / fps, source.spans
    body = source.positions[:, binding.followers[binding.hips].source]
    feet = binding.rows_of(*FEET) if hands else []  # what hands touch is the ground that feet are on
    levels = [contacts.quantiles(source.positions[:, binding.followers[row].source, 2], spans.counts, contacts.LOWEST) for row in feet]
    ground = np.minimum.reduce(levels) if levels else np.zeros(len(spans))
    for parts in (_LEG, _ARM) if hands else (_LEG,):
        for side in SIDES:
            rows = binding.rows_of(*(side + part for part in parts))
            if len(rows) < 3:
                continue
            first, second, end = rows
            toe = next(iter(binding.rows_of(f"{side}Toes") if parts is _LEG else ()), end)
            name = side + parts[2]
            positions, also_held = source.positions[:, binding.followers[toe].source], None
            if parts is _LEG:
                touching, also_held = contacts.foot_contacts(positions, seconds, measured.source, spans, body)
            else:
                touching = contacts.standing(positions, seconds, measured.source, ground, spans)
            for own, at in zip(given, spans.rows, strict=False):
                touching[at] = own.get(name, touching[at])
                if also_held is not None and name in own:
                    also_held[at] = False
            limbs_.append(Limb(name, (first, second, end, toe), touching, also_held))
    return limbs_


def _resting(limbs_: list[Limb], binding: Binding, source: Motion, fps: float, leg: float, grounded: NDArray[np.bool_]) -> list[Limb]:
    """The same limbs. In clips that do not keep to the ground feet are held while the body is upright, as of one who falls, and where they
    rest: for long, and all but still. grounded: (N,) which do. leg: metres."""
    spans, seconds, result = source.spans, source.frames / fps, list[Limb]()
    away = spans.spread((~grounded).astype(np.float64)) > 0
    if not any((item.held & away).any() for item in limbs_ if item.also_held is not None):
        return limbs_
    upright = _upright(limbs_, source, binding, leg)
    for item in limbs_:
        if item.also_held is None:
            result.append(item)
            continue
        also_held, runs = item.also_held & (upright | ~away), contacts.runs(item.touching & away, spans)
        if len(runs):
            rows, run = runs.samples()
            spent = seconds[runs.stops - 1] - seconds[runs.starts]
            ends = source.positions[:, binding.followers[item.rows[3]].source][rows]
            is_held = (spent >= _RESTS) & (contacts.paths(ends, runs) < _SLOW * leg * spent)
            is_held |= np.bincount(run, upright[rows]) == runs.lengths
            also_held[runs.of(is_held).samples()[0]] = True
        result.append(Limb(item.name, item.rows, item.touching, also_held))
    return result


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
    return source.spans.mean(_upright(limbs_, source, binding, leg).astype(np.float64)) < 0.5


def _upright(limbs_: list[Limb], source: Motion, binding: Binding, leg: float) -> NDArray[np.bool_]:
    """(F,) whether the trunk is not level, or the feet are below it."""
    hips, head = binding.roles.get("hips"), binding.roles.get("head")
    if hips is None or head is None:
        return np.ones(len(source.frames), bool)
    low, top = (source.positions[:, binding.followers[row].source] for row in (hips, head))
    trunk = top - low
    erect = trunk[:, 2] > _ERECT * np.linalg.norm(trunk, axis=1)
    return np.asarray(erect | (low[:, 2] - _feet(limbs_, source, binding) > _UNDER * leg), np.bool_)


def _feet(limbs_: list[Limb], source: Motion, binding: Binding) -> Floats:
    """(F,) the mean height of the feet."""
    feet = [binding.followers[item.rows[3]].source for item in limbs_ if item.name.endswith("Foot")]
    return np.asarray(source.positions[:, feet, 2].mean(axis=1), np.float64)


def heights(limbs_: list[Limb], binding: Binding, motion: Motion, measured: Legs, *, in_source: bool) -> list[float | None]:
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


def lowest(
    limbs_: list[Limb], binding: Binding, motion: Motion, measured: Legs, *, in_source: bool, share: float = contacts.LOWEST
) -> Floats:
    """(N,) metres by which the lowest of the legs' ends is in each clip above where the lowest is at rest; for a target that does not stand
    at rest, above its floor. share: of the frames that may be lower."""
    followers = [binding.followers[item.rows[3]] for item in limbs_ if item.name.endswith("Foot")]
    spans = motion.spans
    if not followers:
        return np.zeros(len(spans))
    rest = min(float(one.anchor[2] if in_source else binding.target.heads[one.target, 2]) for one in followers)
    if not in_source and not measured.stands[1]:
        rest = measured.target_floor
    levels = np.minimum.reduce([motion.positions[:, one.source if in_source else one.target, 2] for one in followers])
    return np.asarray(contacts.quantiles(levels, np.array(spans.counts), share) - rest, np.float64)


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
        highest = np.maximum(np.maximum.reduceat(np.minimum.reduce(windows), begins), 0.0)
        deepest = np.minimum.reduceat(np.maximum.reduce(windows), begins)
        result[widths == width] = np.where(-deepest > highest, deepest, highest)
    return result


def mirrored(limbs_: list[Limb]) -> list[Limb]:
    """Each limb with the contacts of the other side's."""
    by_name = {item.name: item for item in limbs_}
    others = [by_name.get(other_side(item.name), item) for item in limbs_]
    return [Limb(item.name, item.rows, other.touching, other.also_held) for item, other in zip(limbs_, others, strict=True)]


def acting(limbs_: list[Limb], feet: NDArray[np.bool_], hands: bool, spans: Spans) -> list[Limb]:
    """The limbs that are held, where they are. feet: (N,) the clips in which feet are. hands: whether hands are."""
    held = spans.spread(feet.astype(np.float64)) > 0
    legs = [Limb(item.name, item.rows, item.touching & held) for item in limbs_ if item.name.endswith("Foot") and feet.any()]
    return legs + [item for item in limbs_ if hands and item.name.endswith("Hand")]


def held(limbs_: list[Limb], acting_: list[Limb]) -> list[Limb]:
    """Those of `limbs_` that act, with where feet are held that do not stand."""
    legs: list[Limb] = []
    stands = {item.name: item.touching for item in acting_}
    for item in (item for item in limbs_ if item.name.endswith("Foot")):
        touching = stands.get(item.name, np.zeros(len(item.touching), bool)) | (False if item.also_held is None else item.also_held)
        if item.name in stands or touching.any():
            legs.append(Limb(item.name, item.rows, touching))
    return legs + [item for item in acting_ if not item.name.endswith("Foot")]
