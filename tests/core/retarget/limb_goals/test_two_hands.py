"""Two hands that hang on each other, of which one or both cannot reach their goals: positions by hand, and arms that are too short."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.retarget.figures.maps.bone_map import Limb
from retro_anim.core.retarget.figures.motion import Local
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.limb_goals.two_hands import TwoHands

from .. import rigs
from ..test_results import run

LEG = 2.0
"""Metres, a hundredth of which a goal may be missed by."""

LEFT, RIGHT = "leftHand", "rightHand"
AHEAD, UP = np.array([0.0, -1, 0]), np.array([0.0, 0, 1])


def hands(left: Sequence[float], right: Sequence[float]) -> TwoHands:
    """left, right: metres by which they miss their goals, the left upwards and the right to the front."""
    missed = {LEFT: np.array(left), RIGHT: np.array(right)}
    goals = {LEFT: np.tile([1.0, 0, 0], (len(left), 1)), RIGHT: np.tile([-1.0, 0, 0], (len(left), 1))}
    ends = {LEFT: goals[LEFT] + missed[LEFT][:, None] * UP, RIGHT: goals[RIGHT] + missed[RIGHT][:, None] * AHEAD}
    return TwoHands(goals, missed, ends, LEG)


def test_each_hand_may_go_for_what_the_other_misses() -> None:
    aims = hands([0.0, 0.3], [0.4, 0.2]).remainders()
    assert aims[LEFT].tolist() == [[1, -0.4, 0], [1, -0.2, 0]]
    assert aims[RIGHT].tolist() == [[-1, 0, 0], [-1, 0, 0.3]]


def test_the_one_goes_that_is_nearer_to_its_goal_and_the_other_comes_towards_it_if_in_vain() -> None:
    """All of the way where it reaches its own goal, half where both miss by as much, nine tenths where the other misses three times as
    much. They end 0.25 to the front and 0.5 higher. Where only 10 mm are missing, half of that counts."""
    pair = hands([0.0, 0.0, 0.0, 0.5, 0.3, 0.3, 0.0], [0.4, 0.4, 0.4, 0.0, 0.3, 0.1, 0.0])
    missed = {LEFT: np.array([0.0, 0.01, 0.15, 0, 0.6, 0.6, 0.0]), RIGHT: np.array([0.0, 0, 0, 0.7, 0.6, 0.6, 0.0])}
    ends = {LEFT: pair.goals[LEFT] + 0.25 * AHEAD, RIGHT: pair.goals[RIGHT] + 0.5 * UP}
    aims = pair.aims(missed, ends)
    left, right = (aims[name] - pair.goals[name] for name in (LEFT, RIGHT))
    assert left @ AHEAD == pytest.approx([0.4, 0.4, 0.4, 0, 0.15, 0.01, 0])
    assert left @ UP == pytest.approx([0, 0, 0, 0.5, 0.25, 0.45, 0])
    assert right @ UP == pytest.approx([0, 0, 0, 0.5, 0.15, 0.27, 0])
    assert right @ AHEAD == pytest.approx([0, 0.125, 0.25, 0, 0.125, 0.025, 0])


def test_what_both_miss_together_is_between_them() -> None:
    pair = hands([0.3], [0.4])
    assert {name: metres.tolist() for name, metres in pair.apart(pair.ends).items()} == {LEFT: [0.5], RIGHT: [0.5]}


@pytest.mark.parametrize("lean", [6.0, 20.0])
@pytest.mark.parametrize("factor", [0.6, 0.8])
def test_hands_together_overhead_do_not_leap_on_arms_that_are_too_short(factor: float, lean: float) -> None:
    """Both by the same but for rounding, while they swing from one side to the other. lean: degrees in 40 frames."""
    source, frames = rigs.humanoid(), 40
    local = Local(np.zeros((frames, len(source), 3)), np.tile(quat.IDENTITY, (frames, len(source), 1)))
    across = np.radians(np.linspace(-lean / 2, lean / 2, frames))
    for side, sign in (("left", -1.0), ("right", 1.0)):
        local.rotations[:, source.index[f"{side}UpperArm"]] = quat.about(np.array([0.0, 1, 0]), sign * np.radians(110) + across)
    motion = forward(source, np.arange(frames, dtype=np.float64), local)
    short = np.array([[factor if name.endswith(("LowerArm", "Hand")) else 1.0] for name in rigs.NAMES])
    both = replace(rigs.SAME, limbs=(Limb("leftHand", "HAND"), Limb("rightHand", "HAND")))
    result = run(source, motion, rigs.humanoid(offsets=rigs.OFFSETS * short), bone_map=both, feet=False)
    at = {name: [each.positions[:, source.index[name]] for each in (motion, result.motion)] for name in (LEFT, RIGHT)}
    for theirs, ours in at.values():
        steps = [np.linalg.norm(np.diff(each, axis=0), axis=1).max() for each in (theirs, ours)]
        assert steps[1] < 1.1 * steps[0]
    off = np.linalg.norm(at[LEFT][1] - at[RIGHT][1] - (at[LEFT][0] - at[RIGHT][0]), axis=1)
    assert max(reach.missed for reach in result.report.goals) == pytest.approx(off.max(), abs=1e-6)
    assert off.max() < 0.015
