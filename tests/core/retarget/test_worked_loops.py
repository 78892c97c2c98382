"""Loops that are closed and poses that are repeated, of a body that stands, all or some of which rotates by so many degrees a frame."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import loops
from retro_anim.core.retarget.figures.clip import Clip
from retro_anim.core.retarget.figures.columns import Columns
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.figures.motion import Motion, Standing, rest_motion
from retro_anim.core.retarget.transfer.binding import bind

from . import rigs

BODY = rigs.humanoid()
AT = BODY.index
BOUND = bind(rigs.SAME, BODY, BODY, BODY.heads)
X, Y, Z = np.eye(3)


def motion(frames: int, path: Floats | None = None, **degrees: list[float]) -> Motion:
    """Bones that rotate about X by so many degrees in each frame; the whole goes along a path (F, 3)."""
    rest = rest_motion(BODY)
    rotations, positions = np.tile(BODY.quaternions, (frames, 1, 1)), np.tile(BODY.heads, (frames, 1, 1))
    for name, angles in degrees.items():
        rotations[:, AT[name]] = quat.multiply(quat.about(X, np.radians(angles)), rotations[:, AT[name]])
    if path is not None:
        positions += path[:, None]
    return Motion(np.arange(float(frames)), rotations, positions, None, rest.standing)


def computed(plain: Motion) -> Motion:
    """The same, each bone when it is asked for."""
    rotations = Columns(plain.rotations.shape, lambda bone: plain.rotations[:, bone])
    return replace(plain, rotations=cast(Floats, rotations))


@pytest.mark.parametrize(
    ("degrees", "first", "ends"),
    [
        ([0.0, 10, 20, 10, 5.1], 0, False),  # 5.1 off, in steps of 10 and 4.9: no less than half of the larger one
        ([0.0, 10, 20, 10, 4.9], 0, True),
        ([0.0, 10, 20, 12, 3], 0, True),  # 3 off, in steps of 8 and 9
        ([0.0, 10, 20, 18, 7], 0, False),  # 7 off, in steps of 2 and 11
        ([0.0, 10, 20, 9, 5], 0, True),  # 5 off, in steps of 11 and 4
        ([90.0, 10, 20, 25, 13], 1, True),  # counted from another row
        ([0.0, 1.9], 0, True),
        ([0.0, 2.1], 0, False),  # by the only step there is
        ([5.0], 0, True),
    ],
)
def test_a_loop_ends_within_half_a_step_of_its_start(degrees: list[float], first: int, ends: bool) -> None:
    """Of the last two; whether or not what moves is computed when it is asked for, and whatever stands beside it."""
    whole = motion(len(degrees), leftUpperArm=degrees)
    assert loops.ends_as_it_starts(BOUND, whole, first) == ends
    assert loops.ends_as_it_starts(BOUND, computed(whole), first) == ends
    other = motion(4, rightFoot=[0.0, 30, 60, 90])
    assert loops.end_as_they_start(BOUND, [other, whole, other], [0, first, 0]) == [False, ends, False]


def test_what_nothing_hangs_on_ends_as_it_starts() -> None:
    """Only how bones stand beside their parents counts: not where hips look."""
    turning = motion(4, None, **{name: [0.0, 30, 60, 90] for name in rigs.NAMES})
    assert loops.ends_as_it_starts(BOUND, turning, 0)
    assert loops.end_as_they_start(BOUND, [], []) == []
    alone = bind(BoneMap(rigs.SAME.pairs[:1]), BODY, BODY, BODY.heads)
    assert loops.end_as_they_start(alone, [motion(4, leftFoot=[0.0, 30, 60, 90])], [0]) == [True]
    assert not loops.ends_as_it_starts(bind(BoneMap(rigs.SAME.pairs[:2]), BODY, BODY, BODY.heads), motion(4, spine=[0.0, 9, 18, 27]), 0)


def repeated(clip: Clip, hips: list[float], arm: list[float] | None = None) -> int | None:
    return loops.repeated(BOUND, motion(len(hips), hips=hips, leftUpperArm=arm or hips, spine=hips), clip)


FRAMES = np.arange(10.0, 16.0)


@pytest.mark.parametrize(
    ("cycle", "row"),
    [
        ((10.0, 15.0), 0),
        ((12.0, 15.0), 2),
        ((12.0009, 15.0), 2),
        ((12.002, 15.0), None),
        ((12.0, 14.998), None),
        ((15.0, 15.0), None),
        ((11.0, 15.0), None),  # it stands otherwise there
    ],
)
def test_which_row_the_last_one_repeats(cycle: tuple[float, float], row: int | None) -> None:
    """Rows 0, 2 and 5 are alike."""
    shown = repeated(Clip(FRAMES, FRAMES, 10.0, None, cycle), [0.0, 40, 0, 40, 20, 0])
    assert shown == row


def test_who_looks_elsewhere_at_the_end_repeats_nothing() -> None:
    """By 2 degrees, whatever the steps are."""
    for degrees, row in ((1.9, 0), (2.1, None)):
        angles = [0.0, 40, 0, 40, 20, degrees]
        assert repeated(Clip(FRAMES, FRAMES, 10.0, None, (10.0, 15.0)), angles) == row


def test_of_several_clips_each_has_its_own_row() -> None:
    plain, looping = Clip(FRAMES, FRAMES, 10.0), Clip(FRAMES, FRAMES, 10.0, 4)
    cycle = replace(plain, cycle=(12.0, 15.0))
    whole, off = motion(6, spine=[0.0, 40, 0, 40, 20, 0]), motion(6, spine=[0.0, 1, 2, 3, 4, 40])
    clips = [plain, cycle, looping, cycle, cycle]
    assert loops.all_repeated(BOUND, [whole, off, whole, whole, off], clips) == [None, None, 4, 2, None]


def test_the_row_that_closes_a_loop() -> None:
    """A step of (1, 2) further on, at the height of the first; its own frame."""
    path = np.array([[0.0, 0, 0], [1, 2, 0.5], [2, 4, 0.25]])
    closed = loops.closed(BOUND, motion(3, path, leftUpperArm=[10.0, 20, 30]), 1, 7.5)
    assert closed.frames.tolist() == [0, 1, 2, 7.5]
    assert closed.positions[3] == pytest.approx(BODY.heads + np.array([3, 6, 0.5])) and closed.rotations[3] == pytest.approx(
        closed.rotations[1]
    )
    assert closed.sizes is None and closed.standing.positions.shape == (1, 3)
    single = loops.closed(BOUND, motion(1, path[1:2]), 0, 1.0)
    assert single.positions[1] == pytest.approx(single.positions[0]), "of one frame there is no step"


def test_sizes_are_those_of_the_row_that_is_repeated() -> None:
    sizes = np.arange(9.0).reshape(3, 1, 3) * np.ones((1, len(BODY), 1))
    closed = loops.closed(BOUND, replace(motion(3), sizes=sizes), 1, 3.0)
    assert closed.sizes is not None and closed.sizes[:, 0].tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [3, 4, 5]]


@pytest.mark.parametrize("still", ["rotations", "positions", ""])
def test_an_object_that_moves_goes_on_with_the_body(still: str) -> None:
    """By as much, and turned as much: 30 degrees from the first row to the last."""
    about = quat.about(Z, np.radians([0.0, 15.0, 30.0]))
    path = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]])
    whole = motion(3, path)
    turning = replace(whole, rotations=quat.multiply(about[:, None], whole.rotations))
    standing = Standing(about, path + 5 * Y, 2.0)
    standing = replace(standing, **{still: getattr(standing, still)[:1]}) if still else standing
    closed = loops.closed(BOUND, replace(turning, standing=standing), 0, 3.0).standing
    hips = BODY.heads[0]
    wanted = quat.rotate(about[2], standing.positions[0] - hips) + hips + 3 * X
    assert closed.scale == 2 and closed.rotations.shape == (4, 4) and closed.positions.shape == (4, 3)
    assert closed.positions[:3] == pytest.approx(np.broadcast_to(standing.positions, (3, 3)))
    assert closed.positions[3] == pytest.approx(wanted) and closed.rotations[3] == pytest.approx(quat.multiply(about[2], about[0]))
    assert closed.rotations[:3] == pytest.approx(np.broadcast_to(standing.rotations, (3, 4)))


def test_two_frames_go_on_by_their_only_step() -> None:
    """The body, and the object under it."""
    path = np.array([[0.0, 0, 0], [1, 2, 0]])
    for standing in (Standing(np.tile(quat.IDENTITY, (2, 1)), path[:1], 1.0), Standing(quat.IDENTITY[None], path, 1.0)):
        closed = loops.closed(BOUND, replace(motion(2, path), standing=standing), 0, 2.0)
        assert closed.positions[2] == pytest.approx(BODY.heads + 2 * path[1])
        assert closed.standing.positions[2] == pytest.approx(2 * path[1]) and closed.standing.rotations.shape == (3, 4)


def test_without_hips_the_first_bone_that_follows_leads() -> None:
    """The spine, which looks elsewhere at the end, or goes on alone."""
    spine = bind(BoneMap(rigs.SAME.pairs[1:]), BODY, BODY, BODY.heads)
    aside = motion(6, spine=[0.0, 40, 0, 40, 20, 30], chest=[0.0, 0, 0, 0, 0, 0], upperChest=[0.0] * 6)
    clip = Clip(FRAMES, FRAMES, 10.0, None, (10.0, 15.0))
    assert loops.repeated(spine, aside, clip) is None
    carried = motion(2)
    carried.positions[1, AT["spine"]] += X
    assert loops.closed(spine, carried, 0, 2.0).positions[2] == pytest.approx(BODY.heads + 2 * X)
