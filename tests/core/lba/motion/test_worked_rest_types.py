"""Types of one bone at rest, by hand: 0 rotates and 1 moves, and what is posed before rest is taken as of the type of the rest."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.lba.files.anm import Anm, frame_dtype
from retro_anim.core.lba.files.variant import LBA1, LBA2, Variant
from retro_anim.core.lba.motion.rest_types import at_rest, come_to_rest

R, T, ZOOM = 0, 1, 2
NO_LOOP = 9


def an_anm(loop_frame: int, types: list[int], first_values: list[int]) -> Anm:
    """Of a root and one bone."""
    frames = np.zeros(len(types), frame_dtype(2))
    frames["bones"]["type"][:, 1] = types
    frames["bones"]["value"][:, 1, 0] = first_values
    return Anm(loop_frame, 0, frames)


def rested(
    types: list[int], posed: str, loop_frame: int, match: list[int] | None = None, original: Anm | None = None, game: Variant = LBA1
) -> list[int]:
    """The types after. posed: x for each keyframe that poses the bone. A bone whose type is another one now has no values any more, and
    the others keep theirs."""
    count = len(types)
    before = np.stack([np.zeros(count, np.int64), np.array(types)], axis=1)
    after, values = before.copy(), np.full((count, 2, 3), 7, np.int64)
    shown = np.stack([np.zeros(count, bool), np.array([each == "x" for each in posed])], axis=1)
    come_to_rest(after, values, shown, np.full(count, -1) if match is None else np.array(match), original, game, loop_frame)
    assert (values == np.where(after == before, 7, 0)[..., None]).all() and not after[:, 0].any()
    return after[:, 1].tolist()


@pytest.mark.parametrize(
    ("types", "posed", "loop_frame", "expected"),
    [
        ([R, T, T, R], "x-xx", NO_LOOP, [R, R, T, R]),
        ([T, R, R, T], "x-xx", NO_LOOP, [T, T, R, T]),
        ([R, T, T, T], "x--x", NO_LOOP, [R, R, T, T]),  # behind the first at rest nothing is left to cut off
        ([R, T, R, T], "xxxx", NO_LOOP, [R, T, R, T]),
        ([T, R, R, R], "-xx-", NO_LOOP, [T, R, R, R]),
        ([T, R, R, R], "--xx", 4, [T, R, R, R]),  # a loop frame that is just behind the end is none
        ([T, R, R, R], "--xx", 0, [R, R, R, R]),
        ([T, T, R, R], "--xx", 1, [T, R, R, R]),  # the way back alone poses it before
        ([T, R, R, R], "x-xx", 1, [T, R, R, R]),  # the way back is played time and again, the one from keyframe 0 once
        ([T, R, T, R], "x-xx", 2, [T, T, T, R]),
        ([R, R, R, T], "xxx-", 3, [R, R, R, R]),  # it loops on itself
    ],
)
def test_a_bone_at_rest_is_of_the_type_before(types: list[int], posed: str, loop_frame: int, expected: list[int]) -> None:
    assert rested(types, posed, loop_frame) == expected


CUT = [R, T, T]
"""Of a file: 5 at keyframe 0, and at 1 it is at rest, and of the other type."""


@pytest.mark.parametrize(
    ("types", "match", "loop_frame", "numbers", "expected"),
    [
        (CUT, [0, 1, 2], NO_LOOP, [5, 0, 0], CUT),
        (CUT, [0, -1, 1], NO_LOOP, [5, 0, 0], [R, R, T]),  # it comes to rest in a new keyframe
        (CUT, [-1, 1, 2], NO_LOOP, [5, 0, 0], [R, R, T]),  # it is posed in a new one
        (CUT, [0, 2, 1], NO_LOOP, [5, 0, 0], [R, R, T]),  # it comes to rest in another
        (CUT, [0, 1, 2], NO_LOOP, [0, 0, 0], [R, R, T]),  # there was nothing to cut off
        (CUT, [0, 1, 2], NO_LOOP, [5, 6, 0], [R, R, T]),  # it did not come to rest
        ([T, R, R], [0, 1, 2], NO_LOOP, [5, 0, 0], [T, T, R]),  # what is cut off is of the other type now
        (CUT, [1, 0, 2], 0, [5, 6, 0], [R, R, T]),  # not a way that the file goes
        ([T, R, R], [-1, 0, 1], 0, [0, 0, 5], [T, T, R]),  # nor from a new one, as if that were the file's last
    ],
)
def test_what_a_file_cuts_off_stays_so(
    types: list[int], match: list[int], loop_frame: int, numbers: list[int], expected: list[int]
) -> None:
    assert rested(types, "x--", NO_LOOP, match, an_anm(loop_frame, CUT, numbers)) == expected


def test_what_a_file_cuts_off_on_the_way_back() -> None:
    """From keyframe 2 to 0, in the file and now; without the loop of the file that is no way of its own."""
    numbers, types = [0, 0, 5], [T, R, R]
    assert rested(types, "--x", 0, [0, 1, 2], an_anm(0, types, numbers)) == [T, R, R]
    assert rested(types, "--x", 0, [0, 1, 2], an_anm(NO_LOOP, types, numbers)) == [R, R, R]


def test_what_a_file_does_not_cut_off() -> None:
    """There it comes to rest in the type that it has; where somebody has made another of the rest, that is not the file's."""
    assert rested(CUT, "x--", NO_LOOP, [0, 1, 2], an_anm(NO_LOOP, [R, R, T], [5, 0, 0])) == [R, R, T]


def test_bones_that_a_file_or_an_armature_does_not_have() -> None:
    original = Anm(NO_LOOP, 0, np.zeros(3, frame_dtype(1)))
    assert rested(CUT, "x--", NO_LOOP, [0, 1, 2], original) == [R, R, T]
    more = np.zeros(3, frame_dtype(4))
    more["bones"][:, :2] = an_anm(NO_LOOP, CUT, [5, 0, 0]).frames["bones"]
    assert rested(CUT, "x--", NO_LOOP, [0, 1, 2], Anm(NO_LOOP, 0, more)) == CUT


@pytest.mark.parametrize(("game", "full"), [(LBA1, 1024), (LBA2, 4096)])
def test_what_poses_no_bone(game: Variant, full: int) -> None:
    """A full circle does not, nor does a zoom in the first game; the second knows the lowest bit of a type alone."""
    numbers = [0, full, -full, full // 2, 1, 0, 1, 3]
    types = [R, R, R, R, T, T, ZOOM, ZOOM + T]
    expected = [True, True, True, False, False, True, game is LBA1, game is LBA1]
    assert at_rest(an_anm(0, types, numbers), game)[:, 1].tolist() == expected
    assert not at_rest(an_anm(0, [T], [full]), game)[:, 1].any(), "as units it moves the bone"
