"""Where a hand is that touches the own body, on a body of another build: as far from the part that it touches as the source's is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from ..figures.roles import SIDES, TRUNK
from ..ground.pace import Pace
from .limb_joints import LimbJoints

_ACROSS = (("leftUpperArm", "rightUpperArm"), ("leftUpperLeg", "rightUpperLeg"))
_LEGS = tuple((side + part, side + below) for side in SIDES for part, below in (("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot")))

_CLOSE = 0.03
"""In leg lengths: an end so close to a part of the body is on it."""

_NEAREST = 8
"""How much more the nearer part counts: the power of its distance squared."""

_SWITCHING = 0.12
"""Seconds before and after it in which an end goes over from one part to another."""


@dataclass(frozen=True, eq=False)
class OwnBody:
    """The parts of the body that both figures have, as lines from joint to joint: an end slides along them."""

    joints: LimbJoints
    pace: Pace

    def beside(self, limb: str, target: Motion) -> tuple[Floats, Floats]:
        """(F, 3) where a limb's end shall be, and (F,) source metres from the source's to the nearest joint but its own."""
        tip, leg = self.joints.tip(limb), self.joints.setup.legs.source
        own = self.joints.rows(limb)
        lines = [line for line in self._lines() if not {*line} <= {*own}]  # a foot's own shin is always the nearest
        here, there = self._joints_of(target, {row for line in lines for row in line})
        if not lines:
            return self.joints.end(target, limb), np.full(len(tip), np.inf)
        distances = [np.linalg.norm(tip - joint, axis=1) for row, joint in here.items() if row not in own]
        weights, goals = np.zeros((len(tip), len(lines))), np.zeros((len(lines), len(tip), 3))
        for number, (start, end) in enumerate(lines):
            along = here[end] - here[start]
            share = np.einsum("fi,fi->f", tip - here[start], along) / np.maximum(np.einsum("fi,fi->f", along, along), 1e-30)
            share = share.clip(0, 1)[:, None]
            apart = tip - here[start] - along * share
            weights[:, number] = (np.einsum("fi,fi->f", apart, apart) / leg**2 + _CLOSE**2) ** -_NEAREST
            goals[number] = there[start] + (there[end] - there[start]) * share + apart * self.joints.factor
        weights = self.pace.smoothed(weights / weights.sum(axis=1, keepdims=True), _SWITCHING)
        return np.einsum("fl,lfi->fi", weights, goals), np.min(distances, axis=0)

    def _lines(self) -> list[tuple[int, int]]:
        rows_of = self.joints.setup.binding.rows_of
        trunk = rows_of(*TRUNK)
        pairs = [(rows[0], rows[-1]) for rows in (rows_of(*roles) for roles in (*_ACROSS, *_LEGS)) if rows]
        return [*(pairwise(trunk) if len(trunk) > 1 else zip(trunk, trunk, strict=True)), *pairs]

    def _joints_of(self, target: Motion, rows: set[int]) -> tuple[dict[int, Floats], dict[int, Floats]]:
        """By row (F, 3) of the source and of the target."""
        binding = self.joints.setup.binding
        hips = binding.roles.get("hips")
        return (
            {row: self.joints.joint(row) for row in rows},
            {row: self.joints.hips(target) if row == hips else target.positions[:, binding.followers[row].target] for row in rows},
        )
