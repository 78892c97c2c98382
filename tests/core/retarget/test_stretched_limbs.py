"""An arm whose goal flies out of its reach, or back into it: the elbow would leap open or shut. All is made by hand, and measured on the
joints that the rotations give."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.directions import lengths, unit
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.ground.pace import Pace
from retro_anim.core.retarget.limb_goals.goals import Goals
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer.limbs import extension
from retro_anim.core.retarget.transfer.limbs.fast_steps import Frames

from . import rigs

FIGURE = rigs.humanoid()
SETUP = prepare(FIGURE, FIGURE, rigs.SAME, Options(feet=False))
SHOULDER, ELBOW, HAND = (FIGURE.index[name] for name in ("leftUpperArm", "leftLowerArm", "leftHand"))
UPPER, LOWER = (rigs.OFFSETS[bone] for bone in (ELBOW, HAND))
FIRST, SECOND = (float(np.linalg.norm(offset)) for offset in (UPPER, LOWER))


STRAIGHT = float(np.arctan2(UPPER[1], UPPER[0]) - np.arctan2(LOWER[1], LOWER[0]))
"""Radians by which the elbow is bent at rest."""


DOWN = np.array([0.0, 0.0, -1.0])


def posed(bend: Floats, rolled: Floats | float = 0.0) -> Motion:
    """The arm as it hangs, its elbow bent by (F,) radians about Z, backwards if negative, or about what is `rolled` (F,) radians from that
    about the upper arm."""
    local = Local(np.zeros((len(bend), len(FIGURE), 3)), np.tile(quat.IDENTITY, (len(bend), len(FIGURE), 1)))
    axes = quat.rotate(quat.about(unit(UPPER), np.broadcast_to(rolled, bend.shape)), DOWN)
    local.rotations[:, ELBOW] = quat.multiply(quat.about(axes, bend), quat.about(DOWN, np.array(-STRAIGHT))[None])
    return forward(FIGURE, np.arange(float(len(bend))), local)


class Reached:
    """What becomes of goals in front of the shoulder, (F,) arm lengths away. side: (F,) 1 where the elbow bends forwards, -1 backwards."""

    def __init__(
        self,
        distances: Floats,
        fps: float,
        loop: int | None = None,
        counts: tuple[int, ...] = (),
        bend: Floats | None = None,
        rolled: Floats | float = 0.0,
    ) -> None:
        motion, spans = posed(np.full(len(distances), np.pi / 4) if bend is None else bend, rolled), Spans(counts or (len(distances),))
        self.seconds = np.concatenate([np.arange(count) / fps for count in spans.counts])
        pace = Pace(spans, self.seconds, (loop,) * len(spans))
        deltas = np.tile(quat.IDENTITY, (len(distances), len(rigs.NAMES), 1))
        source = Motion(motion.frames, motion.rotations, motion.positions, None, motion.standing, counts)
        self.goal = np.array([0.3, -0.9, -0.2]) / np.linalg.norm([0.3, -0.9, -0.2]) * distances[:, None] * (FIRST + SECOND)
        shoulder = source.positions[:, SHOULDER]
        reached = Goals(SETUP, source, deltas, pace).reach({"leftHand": shoulder + self.goal}, source)
        first, second = reached.rotations[SHOULDER], reached.rotations[ELBOW]
        self.hand = quat.rotate(first, UPPER) + quat.rotate(second, LOWER)
        self.bend = quat.multiply(quat.conjugate(first), second)
        normals = np.cross(quat.rotate(first, UPPER), quat.rotate(second, LOWER))
        self.side = -quat.rotate(quat.conjugate(first), unit(normals))[:, 2]
        self.reported = reached.missed["leftHand"]

    @property
    def missed(self) -> Floats:
        """(F,) arm lengths."""
        return lengths(self.goal - self.hand) / (FIRST + SECOND)

    @property
    def leap(self) -> float:
        """Degrees that the elbow bends into a frame at most."""
        return float(np.degrees(quat.apart(self.bend[1:], self.bend[:-1])).max())


def flying(fps: float, near: float = 0.65, far: float = 1.05, lasting: float = 0.03) -> Floats:
    """From `near` to `far` in `lasting` seconds, after a second, and so back after another."""
    seconds = np.arange(round(3 * fps) + 1) / fps
    return near + (far - near) * (((seconds - 1) / lasting).clip(0, 1) - ((seconds - 2) / lasting).clip(0, 1))


def closed_form(distances: Floats) -> float:
    """Degrees that an elbow leaps which follows such goals at once: the law of cosines."""
    far = (distances * (FIRST + SECOND)).clip(abs(FIRST - SECOND), FIRST + SECOND)
    angles = np.arccos(((far**2 - FIRST**2 - SECOND**2) / (2 * FIRST * SECOND)).clip(-1, 1))
    return float(np.degrees(np.abs(np.diff(angles)).max()))


@pytest.mark.parametrize("fps", [24.0, 25.0, 30.0, 50.0, 60.0])
def test_an_elbow_does_not_leap_open_and_misses_for_some_frames_instead(fps: float) -> None:
    reached = Reached(flying(fps), fps)
    assert closed_form(flying(fps)) > 70 * min(1.0, 50 / fps)
    assert 0.75 * min(45, 45 * 30 / fps) < reached.leap < min(45, 45 * 30 / fps)
    assert reached.reported == pytest.approx(reached.missed * (FIRST + SECOND), abs=1e-9), "as it is reported"
    assert np.abs(np.cross(unit(reached.goal), unit(reached.hand))).max() < 1e-6, "on the line to the goal"
    away = (np.abs(reached.seconds - 1.015) > 0.45) & (np.abs(reached.seconds - 2.015) > 0.45)
    inside = away & (lengths(reached.goal) < FIRST + SECOND)
    assert reached.missed[inside].max() < 1e-9, "elsewhere it is at its goal"
    beyond = (lengths(reached.goal) / (FIRST + SECOND) - 1).clip(0)
    assert 0.005 < (reached.missed - beyond).max() < 0.15, "of 0.4 that its goal leaps"


def test_at_equal_moments_it_is_the_same_at_every_rate() -> None:
    hands = {fps: Reached(flying(fps, lasting=0.1), fps).hand for fps in (60.0, 120.0)}
    assert lengths(hands[60.0] - hands[120.0][::2]).max() < 0.02 * (FIRST + SECOND)


def test_an_elbow_that_is_not_too_fast_reaches_its_goal() -> None:
    reached = Reached(flying(30.0, 0.5, 0.95, 0.3), 30.0)
    assert 10 < reached.leap < 30 and reached.missed.max() < 1e-9


def test_a_loop_stretches_alike_wherever_it_starts() -> None:
    """Out of reach where it is joined, and elsewhere."""
    count, phase = 30, 2 * np.pi * np.arange(30) / 30
    distances = 0.8 + 0.45 * np.tanh(6 * np.sin(phase))
    hands: list[Floats] = []
    for first in (0, 7, 15, 29):
        rows = (first + np.arange(count + 1)) % count
        reached = Reached(distances[rows], 30.0, loop=0)
        assert closed_form(distances[rows]) > 60 and reached.leap < 45
        assert np.array_equal(reached.bend[0], reached.bend[-1])
        hands.append(np.roll(reached.hand[:-1], first, axis=0))
    assert max(float(np.abs(each - hands[0]).max()) for each in hands) < 1e-6


def test_clips_one_after_another_do_not_count_for_each_other() -> None:
    fast, slow = flying(30.0)[20:45], flying(30.0, 0.5, 0.95, 0.3)[20:60]
    together = Reached(np.concatenate([fast, slow, fast]), 30.0, counts=(25, 40, 25)).hand
    alone = [Reached(each, 30.0).hand for each in (fast, slow, fast)]
    assert np.abs(together - np.concatenate(alone)).max() < 1e-9


def least(limb: extension.Limb, angles: Floats, without: Floats, lasting: Floats, frames: Frames) -> Floats:
    """(F,) of a limb that bends about one axis."""
    axis = np.array([0.6, 0.0, 0.8])
    result = extension.least(limb, angles[:, None] * axis, without[:, None] * axis, lasting, frames)
    assert np.abs(np.cross(result, axis)).max() < 1e-9
    return np.asarray(np.where(frames.still.all() | (result == angles[:, None] * axis).all(axis=1), angles, result @ axis))


def test_no_step_is_too_far_and_no_more_is_missed_than_that_takes() -> None:
    """Against an elbow that opens as fast as it may, from any frame on: 40 degrees a frame, or 1200 a second. What counts are angles over
    0.2 seconds, and 200 times the squares of distances in leg lengths."""
    count, limb = 25, extension.Limb(np.full(25, 0.6), np.full(25, 0.5))
    lasting = np.linspace(0.03, 0.04, count - 1)
    seconds, angles = np.append(0.0, np.cumsum(lasting)), np.where(np.arange(count) < 12, 1.6, 0.2)
    without, furthest = 0.3 * np.sin(seconds) + 0.5, np.radians(np.minimum(40, 1200 * lasting))
    result = least(limb, angles, without, lasting, Frames(seconds, np.zeros(count, bool), Spans((count,))))

    def distances(bent: Floats) -> Floats:
        return np.sqrt(0.36 + 0.25 + 0.6 * np.cos(bent))

    def cost(bent: Floats) -> float:
        rest = (np.append(lasting, 0) + np.append(0, lasting)) / 2 / 0.2**2
        return float((rest * ((bent - angles) ** 2 + 200 * (distances(bent) - distances(angles)) ** 2)).sum())

    def opening(first: float) -> Floats:
        """From a time on, in frames, beside its plain motion."""
        opened = np.cumsum(np.append(0.0, furthest * (np.arange(1, count) - first).clip(0, 1)))
        return np.maximum(np.minimum(angles[0] - opened, angles[0]), angles[-1])

    assert (np.abs(np.diff(result - without)) / furthest).max() < 1.01
    assert cost(result) < 1.05 * min(cost(opening(first)) for first in np.linspace(7, 12, 101))
    assert np.degrees(np.abs(result - angles).max()) > 15


def test_rows_that_are_still_stay() -> None:
    limb = extension.Limb(np.full(40, 0.5), np.full(40, 0.5))
    angles, without = np.where(np.arange(40) < 20, 1.5, 0.1), np.full(40, 1.0)
    seconds, still_rows = np.arange(40) / 30, np.arange(40) < 18
    result = least(limb, angles, without, np.diff(seconds), Frames(seconds, still_rows, Spans((40,))))
    assert np.abs(result - angles)[still_rows].max() < 1e-6 < 0.1 < np.abs(result - angles)[~still_rows].max()
    every = Frames(seconds, np.ones(40, bool), Spans((40,)))
    assert np.array_equal(least(limb, angles, without, np.diff(seconds), every), angles)


def test_a_motion_that_bends_as_fast_by_itself_has_no_leap() -> None:
    limb = extension.Limb(np.full(40, 0.5), np.full(40, 0.5))
    angles = np.where(np.arange(40) < 20, 1.5, 0.1)
    frames = Frames(np.arange(40) / 30, np.zeros(40, bool), Spans((40,)))
    assert np.array_equal(least(limb, angles, angles, np.full(39, 1 / 30), frames), angles)


@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0])
def test_an_elbow_that_is_bent_backwards_by_some_degrees_bends_forwards_all_along(fps: float) -> None:
    """By 4 to 20 degrees, now more, now less, as captures have it; before and after it shows which side is its own. Its goal is so near
    that it bends by 80, slowly nearer and further away."""
    seconds = np.arange(round(6 * fps) + 1) / fps
    back = np.minimum((seconds - 1).clip(0, 1), (5 - seconds).clip(0, 1)) * np.radians(-12 - 8 * np.sin(9 * seconds))
    degrees = np.where(seconds < 1, (1 - seconds) * np.radians(70), np.where(seconds > 5, (seconds - 5) * np.radians(70), back))
    reached = Reached(0.76 + 0.05 * np.sin(5 * seconds), fps, bend=degrees)
    assert reached.leap < 4 * 30 / fps + 2
    assert reached.missed.max() < 1e-9
    assert reached.side.min() > 0.9


@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0])
def test_an_elbow_that_goes_on_backwards_is_straight_for_a_moment_instead_of_leaping(fps: float) -> None:
    """From 70 degrees to one side in a second to 50 to the other. Its goal is so near that it bends by 85 on both."""
    seconds = np.arange(round(3 * fps) + 1) / fps
    reached = Reached(np.full(len(seconds), 0.74), fps, bend=np.radians(10 + 60 * (3 - 2 * seconds).clip(-1, 1)))
    assert reached.leap < min(40, 40 * 30 / fps) + 120 / fps + 1, "beside its own 120 a second"
    assert reached.side[seconds < 1].min() > 0.9 and reached.side[seconds > 2].max() < -0.9
    assert reached.missed[(seconds < 1) | (seconds > 2)].max() < 1e-9
    assert 0.1 < reached.missed.max() < 0.27


@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0])
@pytest.mark.parametrize("degrees", [22.0, 26.0])
@pytest.mark.parametrize("round_", [150.0, 180.0])
def test_an_elbow_that_soon_bends_to_another_side_does_not_swing_the_lower_arm_round(fps: float, degrees: float, round_: float) -> None:
    """It straightens from 60 degrees to some, and goes round about the upper arm in a tenth of a second. Its goal is so near that it bends
    by 85 before and after."""
    seconds = np.arange(round(4 * fps) + 1) / fps
    bend = np.radians(np.interp(seconds, [0, 1, 1.4], [60, 60, degrees]))
    rolled = np.radians(round_) * ((seconds - 1.8) / 0.1).clip(0, 1)
    plain = posed(bend, rolled)
    own = quat.multiply(quat.conjugate(plain.rotations[:, SHOULDER]), plain.rotations[:, ELBOW])
    reached = Reached(np.full(len(seconds), 0.74), fps, bend=bend, rolled=rolled)
    beyond = np.degrees(quat.apart(reached.bend[1:], reached.bend[:-1]) - quat.apart(own[1:], own[:-1]))
    assert beyond.max() < min(45, 45 * 30 / fps)
    assert reached.reported == pytest.approx(reached.missed * (FIRST + SECOND), abs=1e-9), "as it is reported"
    assert reached.missed[np.abs(seconds - 1.8) > 0.6].max() < 1e-9 and reached.missed.max() < 0.12


def test_how_the_target_s_bones_are_rolled_changes_nothing() -> None:
    """An arm whose bones have other axes bends, and misses, as one whose axes are the world's."""
    rolled = rigs.rolled(3)
    motion = posed(np.full(91, np.pi / 4))
    pace = Pace(Spans((91,)), motion.frames / 30.0, (None,))
    deltas = np.tile(quat.IDENTITY, (91, len(rigs.NAMES), 1))
    goals = {"leftHand": motion.positions[:, SHOULDER] + np.array([0.3, -0.9, -0.2]) * (FIRST + SECOND) * flying(30.0)[:, None]}
    own = replace(motion, rotations=quat.multiply(motion.rotations, rolled.quaternions))
    plain = Goals(SETUP, motion, deltas, pace).reach(goals, motion)
    other = Goals(prepare(FIGURE, rolled, rigs.SAME, Options(feet=False)), motion, deltas, pace).reach(goals, own)
    for bone in (SHOULDER, ELBOW, HAND):
        away = quat.multiply(other.rotations[bone], quat.conjugate(rolled.quaternions[bone]))
        assert np.degrees(quat.apart(away, plain.rotations[bone]).max()) < 1e-3
    assert other.missed["leftHand"] == pytest.approx(plain.missed["leftHand"], abs=1e-6)
    assert plain.missed["leftHand"].max() > 0.01
