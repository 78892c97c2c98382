"""How far feet that stand are off the ground where the source's stand on it: in it or above it, as tilted hips of another width bring
them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...motion.rotation_matrix import Floats
from ..figures.motion import Motion
from ..transfer import mirror
from ..transfer.binding import Binding
from . import contacts, feet
from .root import Legs


def off_ground(
    binding: Binding, limbs: list[feet.Limb], source: Motion, target: Motion, measured: Legs, lift: float, swap: bool
) -> dict[str, Floats]:
    """By leg (F,) metres by which a foot of the target is above where it should be, below it if negative, while the source's is on the
    ground: it should be between the target's ground and as far from that as the source's is from its own. 0 in all other frames; nothing
    of a target that does not stand at rest, whose ground is not known.

    limbs: as the target has them. lift: of the source, as `root.lift_of` gives it. swap: whether left follows right."""
    legs = [item for item in limbs if item.name.endswith("Foot")] if measured.stands[1] else []
    if not legs:
        return {}
    leads = mirror.partners(binding) if swap else range(len(binding))
    theirs = [binding.followers[leads[item.rows[3]]] for item in legs]
    own = [binding.followers[item.rows[3]].target for item in legs]
    floor = min(float(one.anchor[2]) for one in theirs) if measured.stands[0] else measured.source_floor
    heights = [source.positions[:, one.source, 2] - floor - lift for one in theirs]
    ground = min(contacts.quantile(each, contacts.LOWEST) for each in heights) + contacts.HEIGHT * measured.source
    lowest = float(binding.target.heads[own, 2].min())
    result: dict[str, Floats] = {}
    for item, bone, height in zip(legs, own, heights, strict=True):
        wanted, has = height * measured.target / measured.source, target.positions[:, bone, 2] - lowest
        away = has - has.clip(np.minimum(wanted, 0.0), np.maximum(wanted, 0.0))
        result[item.name] = np.zeros(len(away))
        for run in item.runs:
            rows = slice(run.start, run.stop)
            if contacts.quantile(height[rows], 0.5) < ground:
                result[item.name][rows] = away[rows]
    return result


def joined(every: Sequence[dict[str, Floats]]) -> dict[str, Floats]:
    """That of clips one after another."""
    return {name: np.concatenate([each[name] for each in every]) for name in every[0]}


def worst(limbs: list[feet.Limb], away: dict[str, Floats]) -> tuple[str, float]:
    """The leg that stands furthest off the ground, and its metres; of one clip."""
    legs = [item for item in limbs if item.name in away]
    every = [(item.name, feet.standing_off(run, away[item.name])) for item in legs for run in item.runs]
    return max(every, key=lambda each: abs(each[1]), default=("", 0.0))
