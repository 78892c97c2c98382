"""How far feet that stand are off the ground where the source's stand on it: in it or above it, as tilted hips of another width bring
them; and where that ground is."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from ..figures.spans import Spans, Worst
from ..options import Floor
from ..transfer.binding import Binding
from . import contacts, feet
from .root import NEAR, Legs
from .source import Source


def sunk(source: Source, plain: Motion) -> list[float]:
    """Of each clip metres by which the target's feet are above where they should be: a rest pose in a crouch or in the middle of a motion,
    or one whose proportions are others than the legs', lets them float or sink. 0 where that is too little to be seen.
    plain: the target."""
    binding, measured, footing, limbs = source.binding, source.legs, source.footing, source.limbs
    if source.floor == "REST" or not measured.stands[1]:
        return [0.0] * len(source.lifts)
    if source.floor == "CONTACT":
        result = feet.lowest(limbs, binding, plain, measured, in_source=False)
    else:
        has = feet.heights(limbs, binding, plain, measured, in_source=False)
        result = np.array([_above(measured, source.factor, *each) for each in zip(source.lifts.tolist(), footing.above, has, strict=True)])
        unknown = np.array([above is None or own is None for above, own in zip(footing.above, has, strict=True)])
        if all(measured.sure):  # the same in every clip in which no foot stands: on the spot, in the air, of a single pose
            result[unknown] = measured.aligned
        elif not measured.sure[0]:  # nothing else shows where the ground is
            lowest = feet.lowest(limbs, binding, plain, measured, in_source=False)
            taken = unknown & footing.is_grounded & (np.abs(lowest) < NEAR * measured.target)
            result[taken] = lowest[taken]
    return np.where(np.abs(result) > feet.VISIBLE * measured.target, result, 0.0).tolist()


def _above(measured: Legs, factor: float, lift: float, source: float | None, target: float | None) -> float:
    """Metres by which the target's standing feet are above where the source's have them."""
    if source is None or target is None:
        return 0.0
    if lift or not measured.sure[0]:
        return target
    own = min(source, source - measured.rise, key=abs)
    deep = measured.at_origin and own < -contacts.HEIGHT * measured.source
    return target - factor * (own if deep else max(0.0, own))  # not in the ground, but below it where it drowns or falls


def heights(source: Source, grounded: NDArray[np.bool_]) -> dict[str, Floats]:
    """By leg (F,) metres above the target's ground at which the source's foot stands on the ground; no number in all other frames.
    Nothing of a target that does not stand at rest, whose ground is not known. grounded: (N,) the clips that are looked at."""
    binding, measured = source.binding, source.legs
    legs = [item for item in source.limbs if item.name.endswith("Foot")] if measured.stands[1] else []
    result = {item.name: np.full(len(source.motion.frames), np.nan) for item in legs}
    if not legs or not grounded.any():
        return result
    spans = source.motion.spans
    theirs = [binding.followers[source.leads[item.rows[3]]] for item in legs]
    floor = min(float(one.anchor[2]) for one in theirs) if measured.stands[0] else measured.source_floor
    every = [source.motion.positions[:, one.source, 2] - floor - source.lift for one in theirs]
    lowest = np.minimum.reduce([contacts.quantiles(each, spans.counts, contacts.LOWEST) for each in every])
    ground = np.where(grounded, lowest + contacts.HEIGHT * measured.source, -np.inf)
    for item, own in zip(legs, every, strict=True):
        runs = contacts.runs(item.touching, spans)
        middle = contacts.quantiles(own[runs.samples()[0]], runs.lengths, 0.5)
        rows = runs.of(middle < ground[spans.clips(runs.starts)]).samples()[0]
        result[item.name][rows] = own[rows] * measured.target / measured.source
    return result


def off_ground(
    binding: Binding,
    limbs: list[feet.Limb],
    wanted: dict[str, Floats],
    target: Motion,
    deeper: Floats | None,
    raised: Mapping[str, Floats] | None = None,
) -> dict[str, Floats]:
    """By leg (F,) metres by which a foot of the target is above where it should be, below it if negative, while the source's is on the
    ground: it should be between the target's ground and as far from that as the source's is from its own. 0 in all other frames.

    wanted: as `heights` gives them. deeper: (F,) metres by which feet of one who lies may be lower. raised: (F,) by which
    feet are higher than in `target`."""
    own = {item.name: binding.followers[item.rows[3]].target for item in limbs if item.name in wanted}
    lowest = float(binding.target.heads[list(own.values()), 2].min(initial=np.inf))
    result: dict[str, Floats] = {}
    for name, bone in own.items():
        rows = np.flatnonzero(~np.isnan(wanted[name]))
        has, goal = (target.positions[:, bone, 2] + (raised or {}).get(name, 0.0))[rows] - lowest, wanted[name][rows]
        result[name] = np.zeros(len(target.frames))
        least = np.minimum(goal, 0.0 if deeper is None else -deeper[rows])
        result[name][rows] = has - np.clip(has, least, np.maximum(goal, 0.0))
    return result


def lowest_off(source: Source, target: Motion, deeper: Floats | None) -> Floats:
    """(N,) metres by which the lowest foot of a clip in which none stands is above where it should be, below it if negative: it should be
    between the target's ground and as far from that as the source's is from its own; 0 where that does not show the ground.

    deeper: (F,) metres by which feet of one who lies may be lower."""
    binding, measured, footing = source.binding, source.legs, source.footing
    result = np.zeros(len(footing.lowest))
    near = ~np.isnan(footing.lowest)
    if near.any() and all(measured.sure):
        has, goal = feet.lowest(footing.limbs, binding, target, measured, in_source=False)[near], source.factor * footing.lowest[near]
        least = np.minimum(goal, 0.0 if deeper is None else -target.spans.largest(deeper)[near])
        result[near] = has - np.clip(has, least, np.maximum(goal, 0.0))
    return result


def lying_above(source: Source, target: Motion) -> list[tuple[str, float]]:
    """Of each clip that is not one over the ground, though its feet come down to it, as of one who lies: the foot that is furthest above
    where the source's stands on the ground, and metres; "" and 0 where none is."""
    result, near = Worst(target.spans), ~source.footing.is_grounded & ~np.isnan(source.footing.lowest)
    if near.any() and all(source.legs.sure):
        standing = heights(source, near)
        away = off_ground(source.binding, source.limbs, standing, target, None)
        for name, metres in away.items():
            runs = contacts.runs(~np.isnan(standing[name]), target.spans)
            off = feet.standing_off(runs, metres.clip(0))
            result.add(name, runs.starts[off > 0], off[off > 0])
    return result.by_clip


def doubts(measured: Legs, floor: Floor, is_known: bool, elsewhere: float) -> tuple[str, ...]:
    """Why it is not certain where the ground is in a clip, and what a person can do about it. is_known: whether feet that stand in it show
    the source's, or it may lie, so that there is none under its feet. elsewhere: as `feet.Footing` has it."""
    result: list[str] = []
    if floor == "AUTO" and elsewhere:
        how = "above" if elsewhere > 0 else "below"
        result.append(
            f"all the time the source stands {abs(elsewhere):.2f} leg lengths {how} the ground of its rest pose, and so does the target: "
            "Floor: Lowest Contact puts it onto the ground"
        )
    if floor == "AUTO" and not is_known and not measured.sure[0]:
        result.append(
            "it is not certain where the source's ground is: it does not stand on both feet at rest and seldom stands in the clip; "
            "Floor: Lowest Contact takes its lowest foot, Floor: Rest Poses what the rest poses have"
        )
    if floor != "REST" and not measured.sure[1]:
        result.append(
            "it is not certain where the target's ground is: it does not stand on both feet at rest; "
            "apply a pose in which it stands as its rest pose"
        )
    return tuple(result)


def worst(limbs: list[feet.Limb], away: dict[str, Floats], spans: Spans) -> list[tuple[str, float]]:
    """Of each clip the leg that stands furthest off the ground, and its metres; "" where none stands."""
    result = Worst(spans)
    for item in (item for item in limbs if item.name in away):
        runs = contacts.runs(item.touching, spans)
        result.add(item.name, runs.starts, feet.standing_off(runs, away[item.name]))
    return result.by_clip
