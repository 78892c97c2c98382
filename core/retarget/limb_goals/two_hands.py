"""Two hands that hang on each other, whose goals are therefore as far apart as the hands shall be: what one of them cannot reach the other
goes for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from ...motion.rotations.directions import lengths
from ...motion.rotations.rotation_matrix import Floats
from ..draft import Draft
from ..figures.motion import Motion
from ..transfer.limbs.two_bone_ik import UNREACHED
from .goals import Goals


@dataclass(frozen=True, eq=False)
class TwoHands:
    """By hand: goals: (F, 3). missed: (F,) metres by which each misses its own. ends: (F, 3) where they are then. leg: the target's, in
    metres."""

    goals: Mapping[str, Floats]
    missed: Mapping[str, Floats]
    ends: Mapping[str, Floats]
    leg: float

    def share(self, name: str, other: str) -> Floats:
        """(F,) how much of what the other misses a hand goes for, rather than the other of what that one misses: all where it reaches its
        own goal, half where both miss by as much, so that they do not leap where they take turns."""
        own, others = self.missed[name] ** 2, self.missed[other] ** 2
        return np.asarray(others / np.maximum(own + others, 1e-30), np.float64)

    def remainders(self) -> dict[str, Floats]:
        """By hand (F, 3) where it goes for what the other misses."""
        return {name: self.goals[name] + self.ends[other] - self.goals[other] for name, other in permutations(self.goals)}

    def aims(self, missed: Mapping[str, Floats], ends: Mapping[str, Floats]) -> dict[str, Floats]:
        """By hand (F, 3) where it goes by its share for what the other misses, and else towards the other that went for its own, where that
        came short. missed, ends: as those of the hands, where each goes for what the other misses."""
        result: dict[str, Floats] = {}
        remainders = self.remainders()
        for name, other in permutations(self.goals):
            short = (missed[other] / (UNREACHED * self.leg)).clip(0, 1)  # arms that aim where they are, stretched, yield
            towards = self.goals[name] + (ends[other] - self.goals[other]) * short[:, None]
            result[name] = towards + (remainders[name] - towards) * self.share(name, other)[:, None]
        return result

    def apart(self, ends: Mapping[str, Floats]) -> dict[str, Floats]:
        """By hand (F,) metres between the two and where they are as far apart as their goals, the same of both."""
        one, other = (ends[name] - goal for name, goal in self.goals.items())
        return dict.fromkeys(self.goals, lengths(one - other))


def together(asked: Goals, draft: Draft, posed: Motion, goals: Mapping[str, Floats], missed: Mapping[str, Floats]) -> dict[str, Floats]:
    """Let each of two hands go for what the other cannot reach. draft: with each as near to its goal (F, 3) as it comes, which is changed.
    posed: without goals. missed: by hand (F,) metres. Returns what is missed then."""

    def ends() -> dict[str, Floats]:
        shown = draft.motion()
        return {name: asked.joints.end(shown, name) for name in goals}

    hands = TwoHands(goals, missed, ends(), asked.setup.legs.target)
    reached = asked.reach(hands.remainders(), posed)
    draft.change(reached.rotations)
    draft.change(asked.reach(hands.aims(reached.missed, ends()), posed).rotations)
    return hands.apart(ends())
