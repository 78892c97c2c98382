"""An arm of two bones whose hand passes closely by its shoulder: the hand is where it shall be, and no bone snaps. All made by hand; what
is measured is computed from the rotations alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.directions import unit
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.transfer.limbs import swivel, two_bone_ik
from retro_anim.core.retarget.transfer.limbs.fast_steps import Bone, Frames

UPPER, LOWER = 0.58, 0.42
SECONDS = 1.0
DOWN = np.array([0.0, -LOWER, -UPPER])
"""Where the hand is as the arm hangs, bent to the front."""


def reaching(goal: Floats) -> two_bone_ik.Bent:
    """goal: (F, 3) from the shoulder, in reach."""
    start = np.zeros_like(goal)
    middle, hinge = start + np.array([0.0, 0.0, -UPPER]), np.tile([-1.0, 0.0, 0.0], (len(goal), 1))
    bent = two_bone_ik.bend(start, middle, start + DOWN, goal, two_bone_ik.plan(start, middle, start + DOWN, goal, hinge))
    assert bent.missed.max() < 1e-9
    return bent


def passing(fps: float, beside: float, metres: float = 4.0) -> tuple[two_bone_ik.Bent, Floats, Floats]:
    """The arm, its goal, and when: along X, by `metres` in a second, `beside` the shoulder."""
    seconds = np.arange(round(SECONDS * fps) + 1) / fps
    goal = np.stack([(seconds - SECONDS / 2) * metres, np.full(len(seconds), -beside), np.zeros(len(seconds))], axis=1)
    goal = goal * np.minimum(0.95 / np.linalg.norm(goal, axis=1, keepdims=True), 1)
    return reaching(goal), goal, seconds


def opposite(fps: float) -> tuple[two_bone_ik.Bent, Floats, Floats]:
    """The same of a goal that passes by where the arm points least: the shortest way there is now to one side, now to the other."""
    seconds = np.arange(round(SECONDS * fps) + 1) / fps
    aside = np.cross(unit(DOWN), [1.0, 0.0, 0.0]) * 0.05
    goal = -0.6 * unit(DOWN) + aside + np.stack([seconds - SECONDS / 2, 0 * seconds, 0 * seconds], axis=1) * 1.0
    return reaching(goal), goal, seconds


def swivelled(bent: two_bone_ik.Bent, seconds: Floats, spans: Spans | None = None) -> Floats:
    plain = np.tile(quat.IDENTITY, (len(seconds), 1))
    bones = [Bone(own, plain) for own in (bent.first, bent.second)]
    return swivel.least(bones, unit(bent.end), Frames(seconds, np.zeros(len(seconds), bool), spans or Spans((len(seconds),))))


def steps(bent: two_bone_ik.Bent, angles: Floats) -> Floats:
    """(F - 1,) degrees of the bone that rotates most from each frame to the next."""
    swing = quat.about(unit(bent.end), angles)
    both = [quat.multiply(swing, own) for own in (bent.first, bent.second)]
    return np.degrees(np.max([quat.apart(own[1:], own[:-1]) for own in both], axis=0))


def hand(bent: two_bone_ik.Bent, angles: Floats) -> Floats:
    swing = quat.about(unit(bent.end), angles)
    elbow = quat.rotate(quat.multiply(swing, bent.first), np.array([0.0, 0.0, -UPPER]))
    return elbow + quat.rotate(quat.multiply(swing, bent.second), np.array([0.0, -LOWER, 0.0]))


@pytest.mark.parametrize("fps", [24.0, 25.0, 30.0, 60.0])
def test_a_hand_that_passes_by_its_shoulder_does_not_snap(fps: float) -> None:
    bent, goal, seconds = passing(fps, 0.2)
    angles = swivelled(bent, seconds)
    before, behind = steps(bent, np.zeros(len(angles))).max(), steps(bent, angles).max()
    assert before > 21 * 60 / fps - 4 and behind < min(45, 0.92 * before)
    assert np.abs(hand(bent, angles) - goal).max() < 1e-9, "it is at its goal as before"


@pytest.mark.parametrize("fps", [24.0, 25.0, 30.0, 60.0])
def test_a_hand_opposite_to_where_it_hangs_does_not_snap(fps: float) -> None:
    bent, goal, seconds = opposite(fps)
    angles = swivelled(bent, seconds)
    before, behind = steps(bent, np.zeros(len(angles))).max(), steps(bent, angles).max()
    assert before > 30 * 60 / fps and behind < min(32, 0.45 * before)
    assert np.abs(hand(bent, angles) - goal).max() < 1e-9


@pytest.mark.parametrize("path", [passing, opposite])
def test_at_equal_moments_it_is_the_same_at_every_rate(path: Callable[..., tuple[two_bone_ik.Bent, Floats, Floats]]) -> None:
    beside = {"beside": 0.2} if path is passing else {}
    every = {fps: swivelled(bent, seconds) for fps in (24.0, 30.0, 60.0, 120.0) for bent, _, seconds in [path(fps, **beside)]}
    assert np.degrees(np.abs(every[30.0]).max()) > 20
    for fps in (24.0, 30.0, 60.0):
        assert np.degrees(np.abs(every[fps] - every[120.0][:: round(120 / fps)]).max()) < 1.5


def test_a_slow_hand_leaves_the_elbow_where_it_is() -> None:
    bent, _, seconds = passing(30.0, 0.3, 0.5)
    assert not swivelled(bent, seconds).any()


def test_clips_one_after_another_do_not_count_for_each_other() -> None:
    """A fast one, a slow one, and the fast one again."""
    (fast, _, seconds), (slow, _, _) = passing(30.0, 0.2), passing(30.0, 0.3, 0.5)
    every = [(each.first[:20], each.second[:20], each.end[:20], each.missed[:20]) for each in (fast, slow, fast)]
    joined = two_bone_ik.Bent(*(np.concatenate(parts) for parts in zip(*every, strict=True)))
    together = swivelled(joined, np.tile(seconds[:20], 3), Spans((20, 20, 20)))
    alone = [swivelled(two_bone_ik.Bent(*each), seconds[:20]) for each in every]
    assert alone[0].any() and np.abs(together - np.concatenate(alone)).max() < 1e-9


def test_clips_of_unlike_rates_do_not_count_for_each_other() -> None:
    """The hand waits for a second before and behind. Keys at every frame, at every fourth one and at a few, one clip after another."""
    every: list[tuple[two_bone_ik.Bent, Floats]] = []
    for fps in (120, 30, 10):
        bent, _, seconds = passing(fps, 0.2)
        rows = np.arange(-fps, len(seconds) + fps).clip(0, len(seconds) - 1)
        waits = two_bone_ik.Bent(bent.first[rows], bent.second[rows], bent.end[rows], bent.missed[rows])
        every.append((waits, np.arange(len(rows)) / fps))
    joined = two_bone_ik.Bent(
        *(np.concatenate([getattr(bent, part) for bent, _ in every]) for part in ("first", "second", "end", "missed"))
    )
    counts = tuple(len(seconds) for _, seconds in every)
    together = swivelled(joined, np.concatenate([seconds for _, seconds in every]), Spans(counts))
    alone = [swivelled(*each) for each in every]
    assert all(angles.any() for angles in alone)
    assert np.abs(together - np.concatenate(alone)).max() < 1e-9


def test_a_motion_that_leaps_by_itself_is_no_snap() -> None:
    """A pose and another one: there is nothing between them that could be smoothed."""
    seconds = np.arange(20) / 30
    plain = np.where(np.arange(20)[:, None] < 10, quat.IDENTITY, quat.about(np.array([0.0, 0.0, 1.0]), np.array(2.0)))
    beside = np.where(np.arange(20)[:, None] < 10, quat.IDENTITY, quat.about(np.array([1.0, 0.0, 0.0]), np.array(1.5)))
    bone = Bone(quat.multiply(beside, plain), plain)
    axes = np.tile([1.0, 0.0, 0.0], (20, 1))
    assert not swivel.least([bone], axes, Frames(seconds, np.zeros(20, bool), Spans((20,)))).any()
    straight = Bone(beside, np.tile(quat.IDENTITY, (20, 1)))
    shared = swivel.least([straight], axes, Frames(seconds, np.zeros(20, bool), Spans((20,)))) + np.where(np.arange(20) < 10, 0, 1.5)
    assert np.degrees(np.abs(np.diff(shared)).max()) < 12, "a leap of its own is shared by the frames nearby"


def test_a_motion_that_is_fast_by_itself_has_no_snap() -> None:
    """A strike of some frames, of which one goes as far as a motion that begins anew."""
    seconds, fast = np.arange(20) / 30, np.radians([0] * 8 + [15, 60, 130, 155] + [160] * 8)
    plain, late = quat.about(np.array([0.0, 0.0, 1.0]), fast), np.arange(20)[:, None] >= 10
    beside = np.where(late, quat.about(np.array([1.0, 0.0, 0.0]), np.array(1.5)), quat.IDENTITY)
    axes = quat.rotate(plain, np.array([1.0, 0.0, 0.0]))
    bent = quat.multiply(plain, beside)
    angles = swivel.least([Bone(bent, plain)], axes, Frames(seconds, np.zeros(20, bool), Spans((20,))))
    shown = quat.multiply(quat.about(axes, angles), bent)
    beyond = np.degrees(quat.apart(shown[1:], shown[:-1]) - quat.apart(plain[1:], plain[:-1]))
    assert beyond.max() < 15


def leaping(angle: float, at: int, count: int, seconds: Floats | None = None, spans: Spans | None = None) -> Floats:
    """The swivel about X of a bone that leaps by an angle about X into a row, at 30 frames a second."""
    beside = quat.about(np.array([1.0, 0.0, 0.0]), np.where(np.arange(count) >= at, angle, 0.0))
    bone = Bone(beside, np.tile(quat.IDENTITY, (count, 1)))
    seconds = np.arange(count) / 30 if seconds is None else seconds
    return swivel.least([bone], np.tile([1.0, 0.0, 0.0], (count, 1)), Frames(seconds, np.zeros(count, bool), spans or Spans((count,))))


@pytest.mark.parametrize("lasting", [np.full(19, 1 / 30), np.linspace(0.02, 0.04, 19)], ids=["even", "slower"])
def test_it_is_the_least_sum_of_speeds_and_of_the_swivel_s_square(lasting: Floats) -> None:
    """About one axis a step is the leap and what the swivel differs by. Its share of the sum, (0.3 / 2 + v^2 / 4) d^2 / t for speeds v in
    600 degrees a second, and the swivel's over 0.2 seconds leave nothing in any row when they are derived."""
    angle, count = 0.4, 20
    angles = leaping(angle, 10, count, np.append(0.0, np.cumsum(lasting)))
    step = np.diff(angles + angle * (np.arange(count) >= 10))
    pull = (0.3 + (step / lasting / np.radians(600)) ** 2) * step / lasting
    rest = angles * (np.append(lasting, 0.0) + np.append(0.0, lasting)) / 2 / 0.2**2
    assert np.abs(angles).max() > 0.15
    assert np.abs(np.append(0.0, pull) - np.append(pull, 0.0) + rest).max() < 1e-3 * np.abs(pull).max()


def test_it_spreads_over_four_tenths_of_a_second_to_either_side_and_no_further() -> None:
    """12 frames at 30 a second, from the rows on both sides of the leap on; the first and the last of these stay, so that nothing steps."""
    angles = leaping(0.4, 60, 120)
    assert np.flatnonzero(np.abs(angles) > 1e-6).tolist() == list(range(48, 72))
    assert not angles[:47].any() and not angles[73:].any()
    assert angles[:60] == pytest.approx(-angles[:59:-1])


def test_where_frames_are_further_apart_than_that_the_two_of_the_leap_go_towards_each_other() -> None:
    """A frame a second, and 160 degrees in one."""
    angles = leaping(np.radians(160.0), 10, 20, np.arange(20.0))
    assert np.flatnonzero(np.abs(angles) > 1e-6).tolist() == [9, 10]


@pytest.mark.parametrize(("at", "end"), [(1, 20), (19, 20), (39, 40)])
def test_a_motion_that_leaps_by_itself_where_a_clip_begins_or_ends_is_no_snap(at: int, end: int) -> None:
    """The next clip begins elsewhere, which is no leap."""
    rows = np.arange(40)
    late = (rows >= at) & (rows < end)
    plain = quat.multiply(
        quat.about(np.array([0.0, 1.0, 0.0]), np.where(rows >= 20, 3.0, 0.0)),
        quat.about(np.array([0.0, 0.0, 1.0]), np.where(late, 2.0, 0.0)),
    )
    bent = quat.multiply(quat.about(np.array([1.0, 0.0, 0.0]), np.where(late, 1.5, 0.0)), plain)
    axes = np.tile([1.0, 0.0, 0.0], (40, 1))
    assert not swivel.least([Bone(bent, plain)], axes, Frames(np.arange(40) / 30, np.zeros(40, bool), Spans((20, 20)))).any()


def test_rows_that_are_still_stay() -> None:
    """As where a joint is let go: the other rows swivel towards them. Where all are, nothing does."""
    bent, _, seconds = passing(30.0, 0.2)
    still = np.arange(len(seconds)) < 12
    plain = np.tile(quat.IDENTITY, (len(seconds), 1))
    bones = [Bone(own, plain) for own in (bent.first, bent.second)]
    spans = Spans((len(seconds),))
    angles = swivel.least(bones, unit(bent.end), Frames(seconds, still, spans))
    assert np.abs(angles[still]).max() < 1e-6 < 0.1 < np.abs(angles[~still]).max()
    assert not swivel.least(bones, unit(bent.end), Frames(seconds, np.ones(len(seconds), bool), spans)).any()


def test_what_carries_a_limb_along_changes_nothing() -> None:
    """The whole rotates by 4 degrees a frame, to more than it may leap by."""
    bent, _, seconds = passing(30.0, 0.2)
    carried = quat.about(unit(np.array([0.3, -0.5, 0.8])), np.radians(4.0) * np.arange(len(seconds)))
    bones = [Bone(quat.multiply(carried, own), carried) for own in (bent.first, bent.second)]
    angles = swivel.least(
        bones, quat.rotate(carried, unit(bent.end)), Frames(seconds, np.zeros(len(seconds), bool), Spans((len(seconds),)))
    )
    assert angles == pytest.approx(swivelled(bent, seconds), abs=1e-9)


def test_single_frames_do_not_swivel_and_count_for_no_clip() -> None:
    assert leaping(0.4, 0, 1).tolist() == [0.0]
    spans = Spans((*(1,) * 30, 20))
    assert leaping(0.4, 40, 50, None, spans)[30:] == pytest.approx(leaping(0.4, 10, 20), abs=1e-12)


def test_of_two_frames_each_goes_half_of_the_way() -> None:
    first, second = leaping(0.4, 1, 2)
    assert first == pytest.approx(-second) and 0.1 < first < 0.2


def test_a_clip_that_begins_where_another_ends_does_not_pull_it() -> None:
    """Both leap in the middle, so that rows of both are next to each other; or one in the middle, and one where it begins."""
    counts, leaps = (20, 20, 60), (10, 30, 41)
    every = [leaping(0.4, leap, 100, None, Spans(counts)) for leap in leaps]
    beside = quat.about(np.array([1.0, 0.0, 0.0]), 0.4 * np.searchsorted(np.array(leaps), np.arange(100), "right").astype(np.float64))
    bone = Bone(beside, np.tile(quat.IDENTITY, (100, 1)))
    axes = np.tile([1.0, 0.0, 0.0], (100, 1))
    together = swivel.least([bone], axes, Frames(np.arange(100) / 30, np.zeros(100, bool), Spans(counts)))
    assert together == pytest.approx(np.sum(every, axis=0), abs=1e-9)
