"""Hands that are on the source's ground: how far those of the target are from it, as arms of another length let them be."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from ..figures.spans import Worst
from . import contacts, feet
from .source import Source


@dataclass(frozen=True, eq=False)
class Palms:
    """wanted: by hand of the target its bone, and (F,) the height in metres at which it should be; no number where the source's is not on
    the ground."""

    wanted: dict[str, tuple[int, Floats]] = field(default_factory=dict[str, tuple[int, Floats]])

    def away(self, target: Motion) -> dict[str, Floats]:
        """By hand (F,) metres by which it is above where it should be, below it if negative; 0 where the source's is not on the ground."""
        return {name: np.nan_to_num(target.positions[:, bone, 2] - height) for name, (bone, height) in self.wanted.items()}

    def above(self, target: Motion) -> list[tuple[str, float]]:
        """Of each clip the hand that is furthest above the ground, and its metres; "" and 0 where none is."""
        result = Worst(target.spans)
        for name, metres in self.away(target).items():
            runs = contacts.runs(~np.isnan(self.wanted[name][1]), target.spans)
            off = feet.standing_off(runs, metres.clip(0))
            result.add(name, runs.starts[off > 0], off[off > 0])
        return result.by_clip


def palms(source: Source) -> Palms:
    """Of clips over the ground."""
    result, binding, measured, footing, motion = Palms(), source.binding, source.legs, source.footing, source.motion
    hands = {name: binding.roles[name] for name in ("leftHand", "rightHand") if name in binding.roles}
    legs = {row for item in footing.limbs if item.name.endswith("Foot") for row in item.rows[3:]}
    if not hands or not legs or not all(measured.sure) or not footing.is_grounded.any():
        return result
    spans = motion.spans
    own = min(float(binding.target.heads[binding.followers[row].target, 2]) for row in legs)
    floor = min(float(binding.followers[row].anchor[2]) for row in legs) + source.lifts
    ground = np.where(footing.is_grounded, floor, -np.inf)
    for name, row in hands.items():
        at = motion.positions[:, binding.followers[source.leads[row]].source]
        touching = contacts.standing(at, motion.frames / source.fps, measured.source, ground, spans)
        if touching.any():
            height = own + (at[:, 2] - spans.spread(floor)) * measured.target / measured.source
            result.wanted[name] = binding.followers[row].target, np.where(touching, height, np.nan)
    return result
