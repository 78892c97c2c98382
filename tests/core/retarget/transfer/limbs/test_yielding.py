"""An arm whose hand shall fly through its own shoulder, where every exact pose leaps: it gives up reach, and no more than that takes. All
is made by hand; what is measured is computed from the rotations alone."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.directions import unit
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.transfer.limbs import swivel, two_bone_ik, yielding
from retro_anim.core.retarget.transfer.limbs.fast_steps import OPEN, Bone, Frames

UPPER, LOWER = 0.52, 0.48
ELBOW, HAND = np.array([0.0, 0.0, -UPPER]), np.array([0.0, -LOWER, 0.0])
"""From shoulder to elbow and from there to the hand, as the arm hangs."""


def frames_of(seconds: Floats, joints: Floats | None = None) -> Frames:
    count = len(seconds)
    return Frames(seconds, np.zeros(count, bool), Spans((count,)), OPEN if joints is None else joints.astype(np.int64))


def reaching(goal: Floats, frames: Frames, carried: Floats | None = None) -> tuple[list[Bone], Floats]:
    """The arm's bones, swivelled, and where its hand is from the shoulder. carried: (F, 4) what its body rotates by."""
    zero, hinge = np.zeros_like(goal), np.tile([-1.0, 0.0, 0.0], (len(goal), 1))
    joints = zero, zero + ELBOW, zero + ELBOW + HAND, goal
    bent = two_bone_ik.bend(*joints, two_bone_ik.plan(*joints, hinge))
    plain = np.tile(quat.IDENTITY, (len(goal), 1)) if carried is None else carried
    bones = [Bone(quat.multiply(plain, own), plain) for own in (bent.first, bent.second)]
    end = quat.rotate(plain, bent.end)
    swing = quat.about(unit(end), swivel.least(bones, unit(end), frames))
    return [Bone(quat.multiply(swing, bone.bent), bone.plain) for bone in bones], end


def through(fps: float, speed: float, beside: float = 0.0) -> tuple[Floats, Frames]:
    """Straight through the shoulder, or beside it, by `speed` metres a second; two seconds."""
    seconds = np.arange(round(2 * fps) + 1) / fps
    goal = np.stack([(seconds - 1) * speed, 0 * seconds + beside, 0.3 * (seconds - 1) * speed], axis=1)
    return goal * np.minimum(0.95 / np.maximum(np.linalg.norm(goal, axis=1, keepdims=True), 1e-9), 1), frames_of(seconds)


def steps(bones: list[Bone], more: Floats) -> Floats:
    """(F - 1,) degrees of the bone that rotates most from each frame to the next."""
    every = [quat.multiply(more, bone.bent) for bone in bones]
    return np.degrees(np.max([quat.apart(own[1:], own[:-1]) for own in every], axis=0))


def hand(bones: list[Bone], more: Floats) -> Floats:
    first, second = (quat.multiply(more, bone.bent) for bone in bones)
    return quat.rotate(first, ELBOW) + quat.rotate(second, HAND)


def nothing(bones: list[Bone]) -> Floats:
    return np.tile(quat.IDENTITY, (len(bones[0].bent), 1))


@pytest.mark.parametrize("beside", [0.0, 0.01, 0.05])
@pytest.mark.parametrize("speed", [1.0, 3.0])
@pytest.mark.parametrize("fps", [24.0, 25.0, 30.0, 60.0, 120.0])
def test_a_hand_that_flies_through_its_shoulder_does_not_leap(fps: float, speed: float, beside: float) -> None:
    goal, frames = through(fps, speed, beside)
    bones, end = reaching(goal, frames)
    yielded = yielding.least(bones, end, frames)
    assert steps(bones, yielded).max() < min(45, 45 * 30 / fps)
    if not beside:
        assert steps(bones, nothing(bones)).max() > 75
    missed = np.linalg.norm(hand(bones, yielded) - end, axis=1)
    away = np.abs(frames.seconds - 1) > 0.45
    assert missed[away].max() < 1e-9, "elsewhere it is at its goal"
    assert missed.max() < 0.1 * speed
    assert np.linalg.norm(hand(bones, yielded), axis=1) == pytest.approx(np.linalg.norm(end, axis=1)), "and as far from its shoulder"


def test_at_equal_moments_it_is_the_same_at_every_rate() -> None:
    every: dict[float, Floats] = {}
    for fps in (60.0, 120.0):
        goal, frames = through(fps, 2.0, 0.05)
        bones, end = reaching(goal, frames)
        every[fps] = hand(bones, yielding.least(bones, end, frames))
    assert np.linalg.norm(every[60.0] - every[120.0][::2], axis=1).max() < 0.02


def test_what_is_not_too_fast_reaches_its_goal() -> None:
    """Beside the shoulder, and in circles before the body once a second."""
    goal, frames = through(30.0, 2.0, 0.3)
    phase = 2 * np.pi * np.arange(61) / 30
    for path in (goal, np.stack([0.4 * np.cos(phase), 0 * phase - 0.5, 0.4 * np.sin(phase)], axis=1)):
        bones, end = reaching(path, frames)
        assert np.array_equal(yielding.least(bones, end, frames), nothing(bones))


def round_trip(count: int) -> Floats:
    """Through the shoulder and back beside it, in a second."""
    phase = 2 * np.pi * np.arange(count) / count
    return np.stack([0.8 * np.sin(phase), 0.25 - 0.25 * np.cos(phase), 0 * phase], axis=1)


def test_a_loop_yields_alike_wherever_it_starts() -> None:
    count, goal = 24, round_trip(24)
    every: list[Floats] = []
    for first in range(0, count, 5):
        rows = (first + np.arange(count + 1)) % count
        frames = frames_of(np.arange(count + 1) / 24, np.array([[0, count]]))
        bones, end = reaching(goal[rows], frames)
        yielded = yielding.least(bones, end, frames)
        assert steps(bones, yielded).max() < 45 < 60 < steps(bones, nothing(bones)).max()
        assert np.array_equal(yielded[0], yielded[-1])
        every.append(np.roll(hand(bones, yielded)[:-1], first, axis=0))
    assert max(float(np.abs(each - every[0]).max()) for each in every) < 0.02


def test_what_carries_the_limb_along_changes_nothing() -> None:
    goal, frames = through(30.0, 2.0)
    carried = quat.about(unit(np.array([0.3, -0.5, 0.8])), np.radians(4.0) * np.arange(len(goal)))
    bones, end = reaching(goal, frames)
    along, far = reaching(goal, frames, carried)
    still = hand(bones, yielding.least(bones, end, frames))
    assert quat.rotate(quat.conjugate(carried), hand(along, yielding.least(along, far, frames))) == pytest.approx(still, abs=1e-6)


def test_rows_that_are_still_stay() -> None:
    goal, frames = through(30.0, 2.0)
    bones, end = reaching(goal, frames)
    still = np.arange(len(goal)) < 28
    yielded = yielding.least(bones, end, Frames(frames.seconds, still, frames.spans))
    assert np.degrees(quat.angle(yielded[still])).max() < 1e-3 < 10 < np.degrees(quat.angle(yielded[~still])).max()
    every = np.ones(len(goal), bool)
    assert np.array_equal(yielding.least(bones, end, Frames(frames.seconds, every, frames.spans)), nothing(bones))


def test_bones_that_leap_by_half_a_rotation_take_the_same_way() -> None:
    """To both sides it is as far; each by its own, the limb would not know where to go."""
    count = 40
    late = np.arange(count)[:, None] >= 20
    plain = np.tile(quat.IDENTITY, (count, 1))
    up = np.array([0.0, 0.0, 1.0])
    bones = [Bone(np.where(late, quat.about(up, np.array(angle)), plain), plain) for angle in (3.1, -3.1)]
    yielded = yielding.least(bones, np.zeros((count, 3)), frames_of(np.arange(count) / 30))
    assert steps(bones, yielded).max() < 45
