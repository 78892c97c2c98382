"""Whoever lies lies on the ground: the lowest joint of the body, whichever it is, by the keys that are written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

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

LEG, FRAMES, UP = 0.83, 90, np.array([0.0, 0.0, 1.0])
ARM, HEIGHT = 0.04 + 0.14 + 0.27 + 0.25, 0.02
"""Metres: from the middle of the body to a hand, and how high the hand is above the ground that it lies on."""


def falls(heights: float | Floats = 0.0, times: tuple[int, int, int, int] = (30, 45, 200, 201)) -> tuple[Figure, Motion]:
    """One who stands, falls to the left onto an outstretched arm, and stays so or gets up again. heights: metres that it
    is higher, also (FRAMES,). times: frames between which it falls and rises."""
    figure = rigs.rolled(1)
    local = Local(np.zeros((FRAMES, len(figure), 3)), np.broadcast_to(quat.IDENTITY, (FRAMES, len(figure), 4)).copy())
    plain = forward(figure, np.arange(1, FRAMES + 1, dtype=np.float64), local)
    share = np.interp(np.arange(FRAMES), times, [0, 1, 1, 0])
    lean = quat.about(np.array([0.0, 1.0, 0.0]), np.radians(90) * share)
    hips = plain.positions[:, :1]
    down = (ARM + HEIGHT - float(figure.heads[0, 2])) * share + heights
    positions = hips + quat.rotate(lean[:, None], plain.positions - hips) + down[:, None, None] * UP
    return figure, replace(plain, rotations=quat.multiply(lean[:, None], plain.rotations), positions=positions)


def with_arms(times: float) -> Figure:
    offsets = rigs.OFFSETS.copy()
    offsets[[rigs.NAMES.index(side + part) for side in ("left", "right") for part in ("UpperArm", "LowerArm", "Hand")]] *= times
    return rigs.humanoid(rigs.random_rotations(8), offsets)


def run(source: Figure, motion: Motion, target: Figure, loop: int | None = None, **options: Any) -> retarget.Result:
    setup = prepare(source, target, rigs.SAME, Options(**options), motion=motion)
    return retarget.retarget(setup, motion, 30.0, "clip", loop=loop)


@pytest.mark.parametrize(("high", "deep"), [(0.0, 0.0), (0.3, 0.34), (-0.1, 0.0)])
def test_a_hand_in_the_ground_is_reported_where_the_source_s_is_above_it(high: float, deep: float) -> None:
    """It comes down to 0.32 metres above the ground, so that nothing of the body is on it; the target's arms are longer by 0.66. Of one
    that is on the ground or in it the body is said to be off it."""
    figure, motion = falls(np.interp(np.arange(FRAMES), [30, 45], [0.0, high]))
    report = run(figure, motion, with_arms(2.0), feet=False).report
    assert report.part_below_which == "leftHand" and 40 < report.part_below_frame <= FRAMES
    said = [line for line in report.reasons() if "further in the ground" in line]
    assert bool(said) == bool(deep)
    if deep:
        assert report.part_below * LEG == pytest.approx(deep, abs=1e-3)
        frame = f"{report.part_below_frame:g}"
        remedy = "rotate it, or move the root, there"
        assert said == [f"left hand is {deep / LEG:.2f} leg lengths further in the ground than the source's at frame {frame}: {remedy}"]
    same = run(figure, motion, with_arms(1.0), feet=False).report
    assert same.part_below < 1e-6


def test_hips_in_the_ground_are_reported_where_the_source_s_are_above_it() -> None:
    """It comes down by 0.6 metres with its legs up in the air, and the target by 1.2, whose hips were 0.87 above the ground."""
    offsets, legs = rigs.OFFSETS.copy(), [rigs.NAMES.index(f"{side}UpperLeg") for side in ("left", "right")]
    offsets[0, 2], offsets[legs, 2] = 0.87, 0.05
    figure = rigs.humanoid(offsets=offsets)
    local = Local(np.zeros((FRAMES, len(figure), 3)), np.broadcast_to(quat.IDENTITY, (FRAMES, len(figure), 4)).copy())
    local.rotations[:, legs] = quat.about(np.array([1.0, 0.0, 0.0]), np.interp(np.arange(FRAMES), [10, 25], [0.0, np.pi]))[:, None]
    local.locations[:, 0, 2] = np.interp(np.arange(FRAMES), [30, 45], [0.0, -0.6])
    report = run(figure, forward(figure, np.arange(1.0, FRAMES + 1), local), figure, feet=False, floor="REST", scale=2.0).report
    assert report.part_below * LEG == pytest.approx(0.33, abs=2e-3) and report.part_below_which == "hips"
    assert 45 <= report.part_below_frame <= FRAMES


def hand(target: Figure, result: retarget.Result) -> Floats:
    """(F,) metres of the lower hand above the ground."""
    shown = forward(target, result.motion.frames, result.local)
    return shown.positions[:, [rigs.NAMES.index(side + "Hand") for side in ("left", "right")], 2].min(axis=1)


@pytest.mark.parametrize(("times", "where"), [(0.7, "above the ground"), (1.3, "in the ground")])
@pytest.mark.parametrize("floor", ["AUTO", "REST"])
def test_one_who_lies_off_the_ground_is_no_good_result(times: float, where: str, floor: str) -> None:
    """Its arm is shorter or longer than that on which the source lies."""
    figure, motion = falls()
    target = with_arms(times)
    result = run(figure, motion, target, feet=False, floor=floor)
    height = HEIGHT + (1 - times) * (ARM - 0.04)
    assert hand(target, result)[-1] == pytest.approx(height, abs=1e-4)
    away = height - (HEIGHT if times < 1 else 0.0)
    assert result.report.off_body * LEG == pytest.approx(away, abs=1e-3)
    assert result.report.lies and 40 < result.report.off_body_frame <= FRAMES
    line = f"the body lies {abs(away) / LEG:.2f} leg lengths {where} at frame {result.report.off_body_frame:g}, where the source's is on it"
    assert any(each.startswith(line) for each in result.report.reasons())
    assert not result.report.is_good


@pytest.mark.parametrize("times", [0.7, 1.3])
def test_one_who_lies_is_brought_onto_the_ground(times: float) -> None:
    figure, motion = falls()
    target = with_arms(times)
    result = run(figure, motion, target)
    assert hand(target, result)[55:] == pytest.approx(np.full(FRAMES - 55, HEIGHT if times < 1 else 0.0), abs=1e-3)
    assert result.report.is_good
    own, theirs = (moved.positions[:, 0, 2] for moved in (result.motion, motion))
    assert own[:25] == pytest.approx(theirs[:25], abs=1e-4)
    further = max(np.ptp(own) / np.ptp(theirs), 1.0)  # in the same time, so that it stops harder
    assert np.abs(np.diff(own, 2)).max() < further * np.abs(np.diff(theirs, 2)).max() + 0.01 * LEG


@pytest.mark.parametrize("times", [0.7, 1.3])
@pytest.mark.parametrize("loop", [0, 10])
def test_a_loop_that_lies_at_its_joint_closes(times: float, loop: int) -> None:
    """It lies, rises, stands and falls again, and the last pose is that where it begins."""
    figure, motion = falls(times=(-1, 0, 30, 45))
    down = falls(times=(55, 70, 200, 201))[1]
    late = np.arange(FRAMES) > 50
    joined = {name: np.where(late[:, None, None], getattr(down, name), getattr(motion, name)) for name in ("rotations", "positions")}
    target = with_arms(times)
    result = run(figure, replace(motion, **joined), target, loop=loop)
    lifted = (result.motion.positions - run(figure, replace(motion, **joined), target, loop=loop, feet=False).motion.positions)[:, 0, 2]
    assert lifted[loop] == pytest.approx((times - 1) * (ARM - 0.04) - (0.0 if times < 1 else HEIGHT), abs=2e-3)
    assert lifted[-1] == pytest.approx(lifted[loop], abs=1e-9)
    assert np.abs(np.diff(lifted)[[loop, -1]]).max() < 1e-3
    assert np.abs(lifted[48:52]).max() < 1e-6


def test_one_who_flies_level_is_left_alone() -> None:
    """Nothing of the source is on the ground while it is level."""
    figure, motion = falls(heights=0.5)
    target = with_arms(0.7)
    plain, held = (run(figure, motion, target, feet=feet, floor="AUTO") for feet in (False, True))
    assert held.motion.positions[45:] == pytest.approx(plain.motion.positions[45:], abs=1e-6)
    assert held.report.off_body == 0


def test_the_same_body_lies_as_it_does() -> None:
    """Also where it lies in the ground itself."""
    figure, motion = falls()
    for deep in (0.0, 0.1):
        lower = replace(motion, positions=motion.positions - deep * UP)
        result = run(figure, lower, rigs.rolled(3))
        assert result.motion.positions == pytest.approx(lower.positions, abs=1e-5)
        assert result.report.off_body == pytest.approx(0, abs=1e-6)
