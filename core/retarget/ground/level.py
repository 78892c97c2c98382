"""How far feet that stand are off the ground where the source's stand on it: in it or above it, as tilted hips of another width bring
them; and where that ground is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...motion.rotation_matrix import Floats
from ..figures.motion import Motion
from ..options import Floor
from ..transfer import mirror
from ..transfer.binding import Binding
from . import contacts, feet
from .root import NEAR, Legs


def sunk(
    binding: Binding,
    measured: Legs,
    floor: Floor,
    factor: float,
    lift: float,
    plain: Motion,
    limbs: list[feet.Limb],
    footing: feet.Footing,
) -> float:
    """Metres by which the target's feet are above where they should be in one clip: a rest pose in a crouch or in the middle of a motion,
    or one whose proportions are others than the legs', lets them float or sink. 0 where that is too little to be seen.

    factor: target metres a source metre. lift: of the source, as `root.lift_of` gives it. plain: the target. limbs: as it has them.
    footing: of the source."""
    above, least = footing.above, feet.VISIBLE * measured.target
    if floor == "REST" or not measured.stands[1]:
        return 0.0
    if floor == "CONTACT" or (above is None and footing.is_grounded and not measured.sure[0]):
        lowest = feet.lowest(limbs, binding, plain, False, measured)  # nothing else shows where the ground is
        nearby = floor == "CONTACT" or abs(lowest) < NEAR * measured.target
        return lowest if nearby and abs(lowest) > least else 0.0
    has = feet.height(limbs, binding, plain, False, measured)
    if above is None or has is None:  # on the spot, so that no foot stands
        walks = all(measured.sure) and footing.comes_down and abs(measured.aligned) > least
        return measured.aligned if walks else 0.0
    on_something = not lift and measured.sure[0]
    kept = max(0.0, min(above, above - measured.rise, key=abs)) if on_something else 0.0  # never in the ground
    off = has - kept * factor
    return off if abs(off) > least else 0.0


def heights(
    binding: Binding, limbs: list[feet.Limb], source: Motion, measured: Legs, lift: float, swap: bool, is_grounded: bool
) -> dict[str, Floats]:
    """By leg (F,) metres above the target's ground at which the source's foot stands on the ground, in one clip; no number in all other
    frames, nor where the clip is not one over the ground. Nothing of a target that does not stand at rest, whose ground is not known.

    limbs: as the target has them. lift: of the source, as `root.lift_of` gives it. swap: whether left follows right."""
    legs = [item for item in limbs if item.name.endswith("Foot")] if measured.stands[1] else []
    result = {item.name: np.full(len(source.frames), np.nan) for item in legs}
    if not legs or not is_grounded:
        return result
    leads = mirror.partners(binding) if swap else range(len(binding))
    theirs = [binding.followers[leads[item.rows[3]]] for item in legs]
    floor = min(float(one.anchor[2]) for one in theirs) if measured.stands[0] else measured.source_floor
    every = [source.positions[:, one.source, 2] - floor - lift for one in theirs]
    ground = min(contacts.quantile(each, contacts.LOWEST) for each in every) + contacts.HEIGHT * measured.source
    for item, own in zip(legs, every, strict=True):
        for run in item.runs:
            rows = slice(run.start, run.stop)
            if contacts.quantile(own[rows], 0.5) < ground:
                result[item.name][rows] = own[rows] * measured.target / measured.source
    return result


def joined(every: Sequence[dict[str, Floats]]) -> dict[str, Floats]:
    """Those of clips one after another."""
    return every[0] if len(every) == 1 else {name: np.concatenate([each[name] for each in every]) for name in every[0]}


def off_ground(binding: Binding, limbs: list[feet.Limb], wanted: dict[str, Floats], target: Motion) -> dict[str, Floats]:
    """By leg (F,) metres by which a foot of the target is above where it should be, below it if negative, while the source's is on the
    ground: it should be between the target's ground and as far from that as the source's is from its own. 0 in all other frames.

    wanted: as `heights` gives them."""
    own = {item.name: binding.followers[item.rows[3]].target for item in limbs if item.name in wanted}
    lowest = float(binding.target.heads[list(own.values()), 2].min()) if own else 0.0
    result: dict[str, Floats] = {}
    for name, bone in own.items():
        has = target.positions[:, bone, 2] - lowest
        away = has - has.clip(np.minimum(wanted[name], 0.0), np.maximum(wanted[name], 0.0))
        result[name] = np.where(np.isnan(wanted[name]), 0.0, away)
    return result


def doubts(measured: Legs, floor: Floor, is_known: bool) -> tuple[str, ...]:
    """Why it is not certain where the ground is, and what a person can do about that. is_known: whether feet that stand in the clip show
    the source's, or it may lie, so that there is none under its feet."""
    result: list[str] = []
    if floor == "AUTO" and not is_known and not measured.sure[0]:
        result.append(
            "it is not certain where the source's ground is: it does not stand on both feet at rest and seldom stands in the clip; "
            "Floor: Lowest Contact takes its lowest foot, Rest Poses what the rest poses have"
        )
    if floor != "REST" and not measured.sure[1]:
        result.append(
            "it is not certain where the target's ground is: it does not stand on both feet at rest, or far from its origin; "
            "apply a pose in which it stands as its rest pose"
        )
    return tuple(result)


def worst(limbs: list[feet.Limb], away: dict[str, Floats], rows: slice) -> tuple[str, float]:
    """The leg that stands furthest off the ground, and its metres; of one clip, whose limbs and rows these are."""
    legs = [item for item in limbs if item.name in away]
    every = [(item.name, feet.standing_off(run, away[item.name][rows])) for item in legs for run in item.runs]
    return max(every, key=lambda each: abs(each[1]), default=("", 0.0))
