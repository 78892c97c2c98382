"""Fewer keyframes of whole poses, by hand: what lies on straight lines goes, and what is off by more than a bound stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.reduction import keyframes
from retro_anim.core.motion.reduction.keyframes import Fewer, Poses, fewer
from retro_anim.core.motion.reduction.reduction import Bounds, Chain
from retro_anim.core.motion.rotations.rotation_matrix import Floats, from_euler

ARM = Chain(("root", "upper", "lower"), np.array([-1, 0, 1], np.int32), np.array([[0.0, 0, 0], [10, 0, 0], [0, 20, 0]]))
COUNT = 9
MIDDLE = COUNT // 2
HEIGHT = np.arange(COUNT) / (COUNT - 1)
"""From 0 to 1 in even steps."""


def rotations(angles: Floats) -> Floats:
    return from_euler(angles, "XYZ")


def poses(**changed: Floats) -> Poses:
    still: dict[str, Any] = {
        "times": np.arange(COUNT) * 10.0,
        "angles": np.zeros((COUNT, 3, 3)),
        "moves": np.zeros((COUNT, 3, 3)),
        "path": np.zeros((COUNT, 3)),
        "heading": np.zeros((COUNT, 3)),
    }
    return Poses(**(still | changed))


def reduced(given: Poses, bounds: Bounds, stay: tuple[int, ...] = (), stored: Poses | None = None) -> Fewer:
    result = fewer(ARM, given, stored or given, bounds, rotations, stay)
    assert result.before == COUNT
    return result


def bump(part: str, index: tuple[int, ...], size: float, **changed: Floats) -> Poses:
    """Still, but for one number that rises to `size` in the middle frame alone."""
    given = poses(**changed)
    getattr(given, part)[(MIDDLE, *index)] += size
    return given


def test_straight_lines_need_their_ends_alone() -> None:
    line = HEIGHT[:, None, None] * np.ones((1, 3, 3))
    given = poses(angles=line * 0.001, moves=line * 9, path=line[:, 0] * 100)
    result = reduced(given, Bounds(distance=1e-3, angle=1e-6))
    assert result.kept.tolist() == [0, COUNT - 1] and result.distance < 1e-9 and result.angle < 1e-6
    assert (
        result.line()
        == f"{COUNT} keyframes became 2; nothing is farther off than {result.distance:.3g} units and {np.degrees(result.angle):.3g} degrees"
    )
    assert reduced(given, Bounds(distance=1e-3, angle=1e-6, longest=5)).kept.tolist() in ([0, 3, 8], [0, 4, 8], [0, 5, 8])
    assert reduced(given, Bounds(distance=1e-3, angle=1e-6), (5, 99, -9)).kept.tolist() == [0, 5, COUNT - 1]


def test_times_that_are_uneven_count() -> None:
    """What goes straight from frame to frame does not by these times."""
    uneven = np.array([0.0, 1, 2, 3, 4, 5, 6, 7, 16])
    path = HEIGHT[:, None] * np.array([16.0, 0, 0])
    for times in (uneven, uneven / 1000):
        assert reduced(poses(path=path, times=times), Bounds(distance=0.01)).kept.tolist() == [0, 7, 8]
        assert reduced(poses(path=uneven[:, None] * np.ones(3), times=times), Bounds(distance=0.01)).kept.tolist() == [0, 8]


@pytest.mark.parametrize("count", [1, 2])
def test_of_one_or_two_all_stay(count: int) -> None:
    given = Poses(
        np.arange(count, dtype=np.float64), np.zeros((count, 3, 3)), np.zeros((count, 3, 3)), np.zeros((count, 3)), np.zeros((count, 3))
    )
    result = fewer(ARM, given, given, Bounds(distance=1.0), rotations)
    assert result.kept.tolist() == list(range(count)) and (result.distance, result.angle) == (0, 0), "nothing is off"
    rounded = fewer(ARM, given, replace(given, path=given.path + np.array([0.25, 0, 0])), Bounds(distance=0.1), rotations)
    assert rounded.kept.tolist() == list(range(count)) and (rounded.distance, rounded.angle) == (0.25, 0), "but by rounding"


@pytest.mark.parametrize(
    ("part", "index", "size", "off"),
    [
        ("path", (0,), 0.5, 0.5),
        ("moves", (0, 1), 0.5, 0.5),
        ("moves", (2, 1), 0.5, 0.5),
        ("angles", (2, 0), 0.1, 0.1 * 4),  # the last joint's sphere alone
        ("angles", (1, 2), 0.1, 0.1 * (20 + 4)),  # and the joint that is 20 away
        ("angles", (0, 1), 0.1, 0.1 * (10 + 4)),  # about Y, along which the last joint is farther away
        ("heading", (2,), 0.1, 0.1 * (np.hypot(10, 20) + 4)),  # about Z with all that there is
    ],
)
def test_a_frame_stays_that_is_off_by_more_than_the_distance(part: str, index: tuple[int, ...], size: float, off: float) -> None:
    """Spheres of radius 4 around each joint; small angles, so that arcs are as long as their chords, to a hundredth."""
    given = bump(part, index, size)
    assert reduced(given, Bounds(distance=off * 0.97, shell=4.0)).kept.tolist() in ([0, MIDDLE, COUNT - 1], [0, 3, MIDDLE, COUNT - 1])
    result = reduced(given, Bounds(distance=off * 1.03, shell=4.0))
    assert result.kept.tolist() == [0, COUNT - 1]
    assert result.distance == pytest.approx(off, rel=0.02)
    assert result.angle == pytest.approx(size if part in ("angles", "heading") else 0, abs=1e-6)


@pytest.mark.parametrize(("part", "index"), [("angles", (2, 0)), ("angles", (0, 2)), ("heading", (1,))])
def test_a_frame_stays_that_is_off_by_more_than_the_angle(part: str, index: tuple[int, ...]) -> None:
    """Of each bone by itself, however many rotate."""
    given = bump(part, index, 0.1)
    assert MIDDLE in reduced(given, Bounds(angle=0.099)).kept
    assert reduced(given, Bounds(angle=0.101)).kept.tolist() == [0, COUNT - 1]
    given.angles[MIDDLE, 1, 2] = -0.1
    given.path[MIDDLE, 0] = 9.0  # which is no angle
    assert reduced(given, Bounds(angle=0.101)).kept.tolist() == [0, COUNT - 1]


@pytest.mark.parametrize("tries", [0, 1, 4])
def test_a_distance_that_is_found_to_be_broken_in_the_end_is_tried_with_a_smaller_one(tries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last bone's three angles by 0.8: 1.0 of its sphere of 4 by what they begin with, in truth a chord of 1.084 of it. Where nothing
    holds it, all keyframes stay."""
    given = poses()
    given.angles[MIDDLE, 2] = 0.8
    assert reduced(given, Bounds(distance=1.09 * 4, shell=4.0)).kept.tolist() == [0, COUNT - 1]
    monkeypatch.setattr(keyframes, "_TRIES", tries)
    result = reduced(given, Bounds(distance=1.04 * 4, shell=4.0))
    assert MIDDLE in result.kept and len(result.kept) == (5 if tries == 4 else COUNT)
    assert result.distance <= 1.04 * 4 if tries == 4 else result.distance == pytest.approx(0, abs=1e-6)


def test_by_a_distance_alone_no_angle_counts() -> None:
    """The last bone rotates by 2 radians, its sphere of 4 by a chord of less than 6.8, which begins as an arc of 8."""
    given = bump("angles", (2, 0), 2.0)
    assert reduced(given, Bounds(distance=8.1, shell=4.0)).kept.tolist() == [0, COUNT - 1]


def test_by_how_much_angles_are_off_together_is_measured_in_the_end() -> None:
    """All three of a bone by 0.8: by what they begin with it is 1.0, in truth 1.145."""
    given = poses()
    given.angles[MIDDLE, 1] = 0.8
    assert MIDDLE in reduced(given, Bounds(angle=1.1)).kept
    assert reduced(given, Bounds(angle=1.15)).kept.tolist() == [0, COUNT - 1]


def test_rotations_of_joints_add_up_or_make_up_for_each_other() -> None:
    """Root and upper arm rotate about Z by as much, in the same sense or against each other: the last sphere is off by twice 20
    and by 10, and rotates twice, or by the 10 alone."""
    for sign, off in ((1, np.hypot(40, 10) + 2 * 4), (-1, 10)):
        given = bump("angles", (0, 2), 0.02)
        given.angles[MIDDLE, 1, 2] = 0.02 * sign
        result = reduced(given, Bounds(distance=2.0, shell=4.0))
        assert result.kept.tolist() == [0, COUNT - 1] and result.distance == pytest.approx(0.02 * off, rel=0.02)
        assert MIDDLE in reduced(given, Bounds(distance=0.02 * off * 0.97, shell=4.0)).kept


def test_a_whole_circle_is_never_left_to_one_step() -> None:
    """A game takes the shorter way: of a circle in 8 steps no two keyframes are half of it apart."""
    angles = np.zeros((COUNT, 3, 3))
    angles[:, 0, 2] = HEIGHT * 2 * np.pi
    kept = reduced(poses(angles=angles), Bounds(distance=1.0)).kept
    assert len(kept) == 4 and np.diff(kept).max() <= 3
    heading = np.zeros((COUNT, 3))
    heading[:, 1] = HEIGHT * 2 * np.pi
    assert len(reduced(poses(heading=heading), Bounds(distance=1.0)).kept) == 4


def test_what_rounding_alone_breaks_is_held_as_it_allows() -> None:
    """What a keyframe says is up to 0.3 off: a bound of 0.1 cannot be held, one of a frame that rises by 5 can."""
    given = bump("path", (0,), 5.0)
    rounded = bump("path", (0,), 5.0)
    rounded.path[:, 1] += np.where(np.arange(COUNT) % 2, 0.3, -0.3)
    result = reduced(given, Bounds(distance=0.1), stored=rounded)
    assert MIDDLE in result.kept and len(result.kept) < COUNT and result.distance <= 1.05 * 0.3 + 1e-9
    for each in (given, rounded):
        each.path[MIDDLE, 0] = 0.5  # with the rounding of its neighbours 0.58, less than twice that
    assert MIDDLE in reduced(given, Bounds(distance=0.1), stored=rounded).kept


def test_an_angle_that_rounding_alone_breaks_is_held_as_it_allows() -> None:
    """A hundredth to and fro, where a thousandth is asked for: both ends are enough."""
    rounded = poses()
    rounded.angles[:, 1, 2] += np.where(np.arange(COUNT) % 2, 0.01, -0.01)
    result = reduced(poses(), Bounds(angle=0.001), stored=rounded)
    assert result.kept.tolist() == [0, COUNT - 1] and result.angle == pytest.approx(0.01, rel=1e-4)


def test_what_is_moved_back_as_far_as_it_is_rotated_away_stays() -> None:
    """The last joint, 20 along Y from one that rotates by 0.02 about Z, goes by 0.4 along -X; and as far along X by itself, or farther."""
    for aside, kept in ((0.4, [0, COUNT - 1]), (-0.4, [0, 3, MIDDLE, 5, COUNT - 1])):
        given = bump("angles", (1, 2), 0.02)
        given.moves[MIDDLE, 2, 0] = aside
        result = reduced(given, Bounds(distance=0.1)).kept.tolist()
        assert result == kept if aside > 0 else MIDDLE in result


def test_a_chain_of_two() -> None:
    """The first rotates by 0.1 at the middle frame, which takes the second, 10 away, and its sphere along."""
    chain, none = Chain(("a", "b"), np.array([-1, 0], np.int32), np.array([[0.0, 0, 0], [10, 0, 0]])), np.zeros((COUNT, 3))
    angles = np.zeros((COUNT, 2, 3))
    angles[MIDDLE, 0, 2] = 0.1
    given = Poses(np.arange(COUNT, dtype=np.float64), angles, np.zeros((COUNT, 2, 3)), none, none)
    for distance, kept in ((1.45, [0, COUNT - 1]), (1.35, [0, MIDDLE, COUNT - 1])):
        assert fewer(chain, given, given, Bounds(distance=distance, shell=4.0), rotations).kept.tolist() == kept


def test_where_a_path_begins_changes_nothing() -> None:
    """Of one that goes straight while the character looks elsewhere: a game goes an arc between keyframes, whose height is a quarter of the
    angle times the length, 0.087 of the whole and 0.022 of each half."""
    heading = HEIGHT[:, None] * np.array([0.0, 0, 0.2])
    near, far = (reduced(poses(path=HEIGHT[:, None] * np.ones(3) + start, heading=heading), Bounds(distance=0.05)) for start in (0.0, 1e4))
    assert near.kept.tolist() == far.kept.tolist() and len(near.kept) == 3


def test_behind_a_frame_that_stays_its_own_frames_count() -> None:
    """Still up to that, and along a line from there on: both need their ends alone. A corner behind it needs its key."""
    path = np.maximum(np.arange(COUNT) - MIDDLE, 0)[:, None] * np.array([5.0, 0, 0])
    bounds = Bounds(distance=0.01)
    assert reduced(poses(path=path), bounds, (MIDDLE,)).kept.tolist() == [0, MIDDLE, COUNT - 1]
    path[MIDDLE + 2 :] = path[MIDDLE + 2]
    assert reduced(poses(path=path), bounds, (MIDDLE,)).kept.tolist() == [0, MIDDLE, MIDDLE + 2, COUNT - 1]
    rises = np.maximum(np.arange(COUNT) - 3, 0)[:, None] * np.array([0.0, 1, 0])
    assert reduced(poses(path=rises), Bounds(distance=0.1), (3,)).kept.tolist() == [0, 3, 8]
    single = poses()
    single.path[5, 1] = 1
    assert reduced(single, Bounds(distance=0.41), (2,)).kept.tolist() == [0, 2, 4, 5, 6, 8]
