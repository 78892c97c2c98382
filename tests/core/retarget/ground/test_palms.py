"""Hands on the ground: that those of shorter arms are above it is reported, and Hold Hands brings them down as far as they reach."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import Result, retarget
from retro_anim.core.retarget.setup import prepare

from .. import rigs
from .test_toes import FRAMES, LEG

X, Z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
HANDS = [rigs.NAMES.index(f"{side}Hand") for side in ("left", "right")]


def bowing(elbow: float, up: float = 0.0) -> tuple[Figure, Motion]:
    """One who stands on straight legs, bent so far forward that the hands below the shoulders are on the ground. elbow: degrees by which
    the arms are bent; up: metres by which hips, and so hands, are higher."""
    figure = rigs.humanoid()
    rotations = np.broadcast_to(quat.IDENTITY, (FRAMES, len(figure), 4)).copy()
    lean = np.radians(150.0)

    def put(name: str, axis: Floats, angle: float) -> None:
        rotations[:, rigs.NAMES.index(name)] = quat.about(axis, np.array(angle))

    put("hips", X, lean)
    down = np.array([0.0, np.cos(lean), -np.sin(lean)])  # the world's Y as seen from the trunk
    for side, sign in (("left", 1.0), ("right", -1.0)):
        put(f"{side}UpperLeg", X, -lean)
        put(f"{side}UpperArm", down, sign * (np.pi / 2 - np.radians(elbow)))
        put(f"{side}LowerArm", down, sign * np.radians(2 * elbow))
    locations = np.zeros((FRAMES, len(figure), 3))
    still = forward(figure, np.arange(1.0, FRAMES + 1), Local(locations, rotations))
    hips = still.positions[0, 0] + [0.0, 0.0, up - float(still.positions[0, rigs.NAMES.index("leftToes"), 2] - 0.02)]
    locations[:, 0] = hips - figure.heads[0]
    return figure, forward(figure, still.frames, Local(locations, rotations))


def run(elbow: float, arms: float, hands: bool = False) -> tuple[Motion, Figure, Result]:
    """arms: how long the target's are."""
    figure, motion = bowing(elbow)
    parts = [name.endswith(("LowerArm", "Hand")) for name in rigs.NAMES]
    offsets = rigs.OFFSETS * np.where(parts, arms, 1.0)[:, None]
    target = rigs.humanoid(rigs.random_rotations(3), offsets)
    return motion, target, retarget(prepare(figure, target, rigs.SAME, Options(hands=hands)), motion, 30.0, "clip")


def higher(motion: Motion, result: Result) -> float:
    """Leg lengths by which the target's hands are above where the source's are, on legs of one length."""
    return float((result.motion.positions[:, HANDS, 2] - motion.positions[:, HANDS, 2]).max()) / LEG


def test_the_source_s_hands_are_on_the_ground() -> None:
    assert np.abs(bowing(20.0)[1].positions[:, HANDS, 2]).max() < 0.06 * LEG


@pytest.mark.parametrize("arms", [0.7, 0.85])
def test_hands_of_short_arms_above_the_ground_are_told(arms: float) -> None:
    motion, _, result = run(20.0, arms)
    assert result.report.hand_above == pytest.approx(higher(motion, result), abs=2e-3)
    assert result.report.hand_above > 0.05
    assert not result.report.is_good
    assert any("above the ground" in line and "Hold Hands" in line for line in result.report.reasons())


def test_nothing_is_said_of_hands_on_the_ground() -> None:
    motion, _, result = run(20.0, 1.0)
    assert higher(motion, result) < 1e-3
    assert result.report.hand_above < 1e-3
    assert result.report.is_good


@pytest.mark.parametrize(("elbow", "arms"), [(25.0, 0.94), (20.0, 1.0)])
def test_held_hands_come_down_to_the_ground(elbow: float, arms: float) -> None:
    """Arms that are bent reach it."""
    motion, _, plain = run(elbow, arms)
    _, _, held = run(elbow, arms, hands=True)
    assert higher(motion, plain) > 0.02 or arms == 1
    assert higher(motion, held) < 0.01
    assert held.report.hand_above < 0.01
    assert held.report.unreached == 0
