"""Loops that are closed, clips that begin at the origin, reference poses, parts of a figure: each with numbers that are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.reporting.errors import RetroAnimError
from retro_anim.core.retarget import loops
from retro_anim.core.retarget.figures import parts
from retro_anim.core.retarget.figures.clip import Clip
from retro_anim.core.retarget.figures.maps import reference_pose
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Pair, ReferencePose
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.ground.pace import Pace
from retro_anim.core.retarget.ground.start import start_heading
from retro_anim.core.retarget.sample import Sampled
from retro_anim.core.retarget.transfer.alignment.facing import Facing
from retro_anim.core.retarget.transfer.binding import Binding, bind

from . import rigs

FIGURE = rigs.humanoid()
BOUND: Binding = bind(rigs.SAME, FIGURE, FIGURE, FIGURE.heads)
UP = np.array([0.0, 0.0, 1.0])


def walk(frames: int, degrees: float, forwards: float, yaw: float = 0.0) -> Motion:
    """Legs that swing once to and fro in so many frames, on a way of so many metres a frame, which turns by so many degrees a frame."""
    own = np.tile(quat.IDENTITY, (frames, len(FIGURE), 1))
    swing = np.sin(2 * np.pi * np.arange(frames) / frames) * np.radians(degrees)
    for name, sign in (("leftUpperLeg", 1), ("rightUpperLeg", -1)):
        own[:, FIGURE.index[name]] = quat.about(np.array([1.0, 0, 0]), sign * swing)
    hips = FIGURE.index["hips"]
    heading = np.radians(yaw) * np.arange(frames)
    own[:, hips] = quat.about(UP, heading)
    locations = np.zeros((frames, len(FIGURE), 3))
    steps = np.stack([np.sin(heading), -np.cos(heading), 0 * heading], axis=1) * forwards
    locations[:, hips] = np.cumsum(steps, axis=0) - steps[0]
    return forward(FIGURE, np.arange(frames, dtype=float), Local(locations, own))


def test_a_step_before_the_start_is_the_end_of_a_loop() -> None:
    """The last of 20 poses is one before the first again; of half of them it is not, nor of one that goes on swinging."""
    whole = walk(20, 30, 0.05)
    again = whole.at(np.arange(21) % 20)
    assert loops.ends_as_it_starts(BOUND, again, 0)
    assert not loops.ends_as_it_starts(BOUND, whole.at(slice(0, 6)), 0)
    assert loops.ends_as_it_starts(BOUND, whole.at(np.array([0, 3, 5, 8, 3])), 1)


@pytest.mark.parametrize(
    ("degrees", "ends"),
    [
        ([0, 5, 14, 4, 3], True),  # 3 off, where the last two steps are 10 and 1: half of the larger one
        ([0, 5, 10, 8, 6], False),  # 6 off, in steps of 2
        ([0, 5, 4, 3, 1.9], True),  # 1.9 off, which is the same pose whatever the steps are
        ([0, 5, 4, 3, 2.1], False),
        ([0, 30, 2, 3, 4], False),  # a step before those two says nothing
    ],
)
def test_how_far_off_the_end_of_a_loop_may_be(degrees: list[float], ends: bool) -> None:
    own = np.tile(quat.IDENTITY, (5, len(FIGURE), 1))
    own[:, FIGURE.index["leftUpperLeg"]] = quat.about(np.array([1.0, 0, 0]), np.radians(degrees))
    assert loops.ends_as_it_starts(BOUND, forward(FIGURE, np.arange(5.0), Local(np.zeros((5, len(FIGURE), 3)), own)), 0) == ends


@pytest.mark.parametrize(
    ("cycle", "yaw", "row"),
    [
        ((0.0, 20.0), 0.0, 0),
        (None, 0.0, None),
        ((0.0, 20.0), 5.0, None),  # it ends looking elsewhere
        ((0.0, 15.0), 0.0, None),  # what is behind the cycle is played once
        ((0.5, 20.0), 0.0, None),  # it begins between two keys
        ((5.0, 20.0), 0.0, None),  # it ends otherwise
        ((20.0, 20.0), 0.0, None),  # it is the last key alone
    ],
)
def test_what_is_played_again_and_again_repeats_its_first_pose(cycle: tuple[float, float] | None, yaw: float, row: int | None) -> None:
    motion = walk(20, 30, 0.05, yaw).at(np.arange(21) % 20)
    hips = motion.rotations.copy()
    hips[-1] = quat.multiply(quat.about(UP, np.array(np.radians(20 * yaw))), hips[0])
    motion = replace(motion, frames=np.arange(21.0), rotations=hips)
    assert loops.repeated(BOUND, motion, Clip(motion.frames, motion.frames, 0.0, None, cycle)) == row
    assert loops.repeated(BOUND, motion, Clip(motion.frames, motion.frames, 0.0, 3, None)) == 3


def test_a_cycle_whose_last_key_alone_looks_elsewhere_repeats_nothing() -> None:
    motion = walk(20, 30, 0.05).at(np.arange(21) % 20)
    aside = quat.about(UP, np.radians(np.where(np.arange(21) == 20, 30.0, 0.0)))[:, None]
    aslant = replace(
        motion, frames=np.arange(21.0), rotations=quat.multiply(aside, motion.rotations), positions=quat.rotate(aside, motion.positions)
    )
    for each, row in ((aslant, None), (replace(motion, frames=np.arange(21.0)), 0)):
        assert loops.repeated(BOUND, each, Clip(each.frames, each.frames, 0.0, None, (0.0, 20.0))) == row


def test_a_closed_loop_is_as_high_as_at_its_start() -> None:
    motion = walk(20, 30, 0.05)
    rising = replace(motion, positions=motion.positions + np.linspace(0, 0.4, 20)[:, None, None] * UP)
    assert loops.closed(BOUND, rising, 0, 20.0).positions[-1] == pytest.approx(motion.positions[0] + [0, -20 * 0.05, 0])


def test_a_closed_loop_goes_on() -> None:
    """One pose more, that of the start, a step further on, at the height of the start, looking as it did."""
    motion = walk(20, 30, 0.05)
    closed = loops.closed(BOUND, motion, 0, 20.0)
    hips = FIGURE.index["hips"]
    assert closed.frames.tolist() == list(range(21))
    assert closed.positions[:-1] == pytest.approx(motion.positions) and closed.rotations[:-1] == pytest.approx(motion.rotations)
    assert closed.positions[-1, hips] == pytest.approx(motion.positions[0, hips] + [0, -20 * 0.05, 0])
    assert closed.positions[-1] - closed.positions[-1, hips] == pytest.approx(motion.positions[0] - motion.positions[0, hips])
    assert np.abs(quat.angle(quat.multiply(quat.conjugate(closed.rotations[-1]), motion.rotations[0]))).max() < 1e-6


@pytest.mark.parametrize(("yaw", "kept"), [(0.5, False), (4.0, True), (-4.0, True), (10.0, True)])
def test_a_loop_that_turns_goes_on_turned(yaw: float, kept: bool) -> None:
    """By what the hips turn from the first pose to the last, if that is more than a sway of 20 degrees."""
    motion = walk(20, 30, 0.05, yaw)
    closed = loops.closed(BOUND, motion, 0, 20.0)
    hips = FIGURE.index["hips"]
    about = quat.about(UP, np.array(np.radians(19 * yaw) if kept else 0.0))
    assert closed.positions[-1] - closed.positions[-1, hips] == pytest.approx(
        quat.rotate(about, motion.positions[0] - motion.positions[0, hips])
    )
    wanted = quat.multiply(about, motion.rotations[0])
    assert np.abs(quat.angle(quat.multiply(quat.conjugate(closed.rotations[-1]), wanted))).max() < 1e-6


def heading_of(path: Floats, hips: Floats) -> float:
    """Degrees. path: (F, 2). hips: (F,) degrees by which they look away from rest."""
    positions = {BOUND.followers[BOUND.roles["hips"]].target: np.concatenate([path, np.zeros((len(path), 1))], axis=1)}
    return float(np.degrees(start_heading(BOUND, positions, np.radians(hips), Facing(), 0.8, 30.0).heading))


LINE = np.linspace(0, 3, 30)[:, None]


@pytest.mark.parametrize("degrees", [-170, -60, -20, 20, 45, 100, 170])
def test_a_clip_that_goes_straight_on_looks_along_its_way(degrees: float) -> None:
    """At rest it looks along -Y. The hips sway by a few degrees, which does not count."""
    path = LINE * [np.sin(np.radians(degrees)), -np.cos(np.radians(degrees))]
    sway = degrees + 8 * np.sin(np.arange(30))
    assert heading_of(path, sway) == pytest.approx(degrees, abs=1e-6)
    for aside in (-90, 90):  # a step to the side looks as the hips do
        assert heading_of(path, sway + aside) == pytest.approx((degrees + aside + 180) % 360 - 180, abs=1e-6)


def test_a_clip_that_goes_round_looks_as_its_hips_do() -> None:
    """Half a circle, whose ends lie in a direction of 20 degrees; as a line of the same ends it would look there."""
    angles = np.linspace(0, np.pi, 30)
    ahead, aside = np.array([np.sin(np.radians(20)), -np.cos(np.radians(20))]), np.array([np.cos(np.radians(20)), np.sin(np.radians(20))])
    path = 1.5 * (1 - np.cos(angles))[:, None] * ahead + 1.5 * np.sin(angles)[:, None] * aside
    assert heading_of(path, np.zeros(30)) == 0
    assert heading_of(LINE * ahead, np.zeros(30)) == pytest.approx(20)
    assert heading_of(LINE[:8] * ahead, np.zeros(8)) == 0  # 0.7 m, less than a leg


def test_a_clip_that_stays_looks_as_its_hips_do_in_the_beginning() -> None:
    still = np.zeros((30, 2))
    assert heading_of(still, np.r_[np.full(8, 90.0), np.full(22, 0.0)]) == pytest.approx(90)
    assert heading_of(still, np.full(30, 20.0)) == 0  # a fighting stance looks ahead
    assert heading_of(still, np.full(30, 70.0)) == pytest.approx(90)
    assert heading_of(still, np.full(30, 45.0)) == pytest.approx(45)
    assert heading_of(LINE * [0.0, -1.0], np.full(30, 3.0)) == 0  # less than a turn


def test_reference_poses() -> None:
    pose = ReferencePose("T", {"head": (0.0, 1.0, 0.0, 0.0)}, {})
    bone_map = replace(rigs.SAME, poses=(pose,))
    assert reference_pose.named(bone_map, "T") is pose
    with pytest.raises(RetroAnimError, match="no reference pose A"):
        reference_pose.named(bone_map, "A")
    half = (float(np.sqrt(0.5)), 0.0, 0.0, float(np.sqrt(0.5)))
    motion = reference_pose.motion_of(FIGURE, {"leftUpperArm": half, "missing": half})
    arm, hand = (motion.positions[0, FIGURE.index[name]] for name in ("leftUpperArm", "leftHand"))
    before = FIGURE.heads[FIGURE.index["leftHand"]] - FIGURE.heads[FIGURE.index["leftUpperArm"]]
    assert hand - arm == pytest.approx([-before[1], before[0], before[2]], abs=1e-6)
    own = np.tile(quat.IDENTITY, (3, 1))
    own[1] = half
    assert reference_pose.rotations_of(("a", "b", "c"), own) == {"b": half}


def test_parts_of_a_figure() -> None:
    """What is named and what is above it is held; what hangs on a followed bone and follows nothing is free, if it is long."""
    arms = BoneMap((Pair("hips", "hips"), Pair("leftUpperArm", "leftUpperArm")), (Chain(("spine",), ("spine", "chest"), "spine"),))
    assert parts.held(FIGURE, arms) == [
        name for name in FIGURE.names if name in ("hips", "spine", "chest", "upperChest", "leftShoulder", "leftUpperArm")
    ]
    assert parts.free_parts(FIGURE, arms, 0.2) == {"hips", "chest", "leftUpperArm"}  # legs; neck and right arm; the lower arm
    assert parts.free_parts(FIGURE, arms, 0.7) == {"hips"} | ({"chest"} if FIGURE.reach(FIGURE.index["rightShoulder"]) > 0.7 else set())
    assert parts.free_parts(FIGURE, arms, 10.0) == frozenset()
    small = parts.reduced(FIGURE, arms)
    assert {"hips", "spine", "chest", "upperChest", "leftShoulder", "leftUpperArm", "leftLowerArm"} <= set(small.names)
    assert "leftHand" not in small.names and "leftFoot" not in small.names
    for bone, parent in zip(small.names, small.parents.tolist(), strict=True):
        above = int(FIGURE.parents[FIGURE.index[bone]])
        assert (small.names[parent] if parent >= 0 else None) == (FIGURE.names[above] if above >= 0 else None)
    moved = parts.reduced_motion(walk(4, 20, 0.1), FIGURE, arms)
    assert moved.positions.shape == (4, len(small), 3)
    assert moved.positions[:, small.index["leftLowerArm"]] == pytest.approx(walk(4, 20, 0.1).positions[:, FIGURE.index["leftLowerArm"]])


def test_a_loop_is_joined_at_the_row_that_its_last_repeats() -> None:
    """Of the second clip, whose last row is as its third; the first is no loop."""
    pace = Pace(Spans((5, 6)), np.arange(11) / 30.0, (None, 2))
    assert pace.joints().tolist() == [[7, 10]]


def test_what_is_compared_of_a_few_frames() -> None:
    """The last of each clip, and three more of the longer one as far from each other as they can be: of each bone what it rotates by."""
    sampled = Sampled(np.arange(100.0, 113.0), Spans((3, 10)))
    rotations = np.arange(13.0)[:, None] * np.ones(4)
    sampled.rotate(7, rotations)
    sampled.rotate(2, -rotations)
    sampled.move(7, rotations[:, :3] + 50)
    for clip, rows in enumerate(([0, 1, 2], [4, 7, 9, 12])):
        sample = sampled.of(clip, frozenset((7,)))
        assert sample.frames.tolist() == [100 + row for row in rows]
        assert (sample.rotated, sample.moved) == ((2,), (7,))
        assert sample.rotations[0, :, 0].tolist() == [-row for row in rows]
        assert sample.locations[0, :, 2].tolist() == [50 + row for row in rows]
        assert sampled.of(clip, frozenset()).rotated == (7, 2)
