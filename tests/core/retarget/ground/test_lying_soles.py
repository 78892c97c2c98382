"""One who lies on its back with a knee up, both soles on the ground now and then: legs of other proportions leave one of them above it,
which Hold Feet does not mend, and the report tells."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare

from .. import rigs

FRAMES, LEG, X = 90, 0.83, np.array([1.0, 0.0, 0.0])
KNEES = {"left": (105.0, 55.97), "right": (2.0, 3.75)}
"""Degrees by which the knee and, below which a sole is as low as the hands, the hip are bent."""

SOLE = 0.02
"""Metres of the joint of toes above the ground."""


def on_its_back() -> tuple[Figure, Motion]:
    """For half of the clip both soles are on the ground, then both legs are up."""
    figure = rigs.humanoid()
    phase = np.arange(FRAMES) / FRAMES
    up = 40 * np.sin(np.clip(2 * phase - 1, 0, 1) * np.pi)
    rotations = np.broadcast_to(quat.IDENTITY, (FRAMES, len(figure), 4)).copy()

    def put(name: str, degrees: float | Floats) -> None:
        rotations[:, rigs.NAMES.index(name)] = quat.about(X, np.radians(np.broadcast_to(degrees, FRAMES)))

    put("hips", -90.0)
    for side, (knee, hip) in KNEES.items():
        put(f"{side}UpperLeg", -hip - up)
        put(f"{side}LowerLeg", knee)
        put(f"{side}Foot", 90 - knee + hip + up)
    locations = np.zeros((FRAMES, len(figure), 3))
    still = forward(figure, np.arange(1.0, FRAMES + 1), Local(locations, rotations))
    locations[:, 0, 2] = SOLE - still.positions[0, rigs.NAMES.index("leftToes"), 2]
    return figure, forward(figure, still.frames, Local(locations, rotations))


def with_legs(thighs: float, shins: float) -> Figure:
    """Legs of the same length."""
    offsets = rigs.OFFSETS.copy()
    for side in ("left", "right"):
        offsets[rigs.NAMES.index(f"{side}LowerLeg")] *= thighs
        offsets[rigs.NAMES.index(f"{side}Foot")] *= shins
    legs = [rigs.NAMES.index("leftLowerLeg"), rigs.NAMES.index("leftFoot")]
    offsets[0, 2] += float((rigs.OFFSETS - offsets)[legs, 2].sum())
    return rigs.humanoid(rigs.random_rotations(3), offsets)


def higher(motion: Motion, shown: Floats, side: str) -> float:
    """Leg lengths by which a foot of the target is above where the source's is on the ground, at most."""
    toes = rigs.NAMES.index(f"{side}Toes")
    own = motion.positions[:, toes, 2]
    return float((shown[:, toes, 2] - own)[own < SOLE + 0.01].max()) / LEG


def run(thighs: float, shins: float) -> tuple[retarget.Result, dict[str, float]]:
    figure, motion = on_its_back()
    target = with_legs(thighs, shins)
    result = retarget.retarget(prepare(figure, target, rigs.SAME, Options(), motion=motion), motion, 30.0, "clip")
    shown = forward(target, motion.frames, result.local).positions
    return result, {f"{side}Foot": higher(motion, shown, side) for side in KNEES}


def test_the_source_s_soles_and_hands_are_on_the_ground() -> None:
    positions = on_its_back()[1].positions[:40]
    for name in ("Toes", "Hand"):
        for side in KNEES:
            assert positions[:, rigs.NAMES.index(side + name), 2] == pytest.approx(np.full(40, SOLE), abs=0.005)


@pytest.mark.parametrize(("thighs", "shins", "which"), [(1.2, 0.8, "leftFoot"), (0.8, 1.2, "rightFoot")])
def test_a_foot_above_the_ground_of_one_who_lies_is_told(thighs: float, shins: float, which: str) -> None:
    result, away = run(thighs, shins)
    assert max(away, key=lambda name: away[name]) == which and away[which] > 0.12
    assert result.report.foot_above_which == which
    assert result.report.foot_above == pytest.approx(away[which], abs=0.015)
    assert any("leg lengths above the ground, where the source's is on it" in line for line in result.report.reasons())


@pytest.mark.parametrize(("thighs", "shins"), [(1.0, 1.0), (1.04, 0.96), (1.2, 1.2)])
def test_nothing_is_said_of_feet_that_are_near_the_ground(thighs: float, shins: float) -> None:
    result, away = run(thighs, shins)
    assert max(away.values()) < 0.05
    assert result.report.is_good, result.report.reasons()
