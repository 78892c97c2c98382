"""How far feet that stand are off the ground where the source's stand on it: in it or above it, as tilted hips of another width bring
them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...motion.rotation_matrix import Floats
from ..figures.motion import Motion
from ..figures.spans import Spans
from ..transfer import mirror
from ..transfer.binding import Binding
from . import contacts, feet
from .root import Legs


def heights(
    binding: Binding,
    limbs: list[feet.Limb],
    source: Motion,
    measured: Legs,
    lifts: Sequence[float],
    swap: bool,
    grounded: NDArray[np.bool_],
) -> dict[str, Floats]:
    """By leg (F,) metres above the target's ground at which the source's foot stands on the ground; no number in all other frames, nor
    where a clip is not one over the ground. Nothing of a target that does not stand at rest, whose ground is not known.

    limbs: as the target has them. lifts: of the source in each clip, as `root.lift_of` gives it. swap: whether left follows right.
    grounded: (N,) which clips are over the ground."""
    legs = [item for item in limbs if item.name.endswith("Foot")] if measured.stands[1] else []
    result = {item.name: np.full(len(source.frames), np.nan) for item in legs}
    if not legs or not grounded.any():
        return result
    spans = source.spans
    leads = mirror.partners(binding) if swap else range(len(binding))
    theirs = [binding.followers[leads[item.rows[3]]] for item in legs]
    floor = min(float(one.anchor[2]) for one in theirs) if measured.stands[0] else measured.source_floor
    every = [source.positions[:, one.source, 2] - floor - spans.spread(lifts) for one in theirs]
    lowest = np.minimum.reduce([contacts.quantiles(each, spans.counts, contacts.LOWEST) for each in every])
    ground = np.where(grounded, lowest + contacts.HEIGHT * measured.source, -np.inf)
    for item, own in zip(legs, every, strict=True):
        runs = contacts.runs(item.touching, spans)
        middle = contacts.quantiles(own[runs.samples()[0]], runs.lengths, 0.5)
        rows = runs.of(middle < ground[spans.clips(runs.starts)]).samples()[0]
        result[item.name][rows] = own[rows] * measured.target / measured.source
    return result


def off_ground(binding: Binding, limbs: list[feet.Limb], wanted: dict[str, Floats], target: Motion) -> dict[str, Floats]:
    """By leg (F,) metres by which a foot of the target is above where it should be, below it if negative, while the source's is on the
    ground: it should be between the target's ground and as far from that as the source's is from its own. 0 in all other frames.

    wanted: as `heights` gives them."""
    own = {item.name: binding.followers[item.rows[3]].target for item in limbs if item.name in wanted}
    lowest = float(binding.target.heads[list(own.values()), 2].min()) if own else 0.0
    result: dict[str, Floats] = {}
    for name, bone in own.items():
        rows = np.flatnonzero(~np.isnan(wanted[name]))
        has, goal = target.positions[:, bone, 2][rows] - lowest, wanted[name][rows]
        result[name] = np.zeros(len(target.frames))
        result[name][rows] = has - np.clip(has, np.minimum(goal, 0.0), np.maximum(goal, 0.0))
    return result


def worst(limbs: list[feet.Limb], away: dict[str, Floats], spans: Spans) -> list[tuple[str, float]]:
    """Of each clip the leg that stands furthest off the ground, and its metres; of two that differ by rounding alone the first."""
    result: list[tuple[str, float]] = [("", 0.0)] * len(spans)
    clip: int
    metres: float
    for item in (item for item in limbs if item.name in away):
        runs = contacts.runs(item.touching, spans)
        for clip, metres in zip(spans.clips(runs.starts).tolist(), feet.standing_off(runs, away[item.name]).tolist(), strict=True):
            if not result[clip][0] or abs(metres) > abs(result[clip][1]) + 1e-9:
                result[clip] = item.name, metres
    return result
