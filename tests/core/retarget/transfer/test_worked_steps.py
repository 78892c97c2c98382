"""Equations over frames beside each other against numpy's, which frames are near a fast step, and limbs as triangles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.transfer.limbs.extension import Limb, least
from retro_anim.core.retarget.transfer.limbs.fast_steps import Bone, Frames, Near, vectors

Z = np.array([0.0, 0.0, 1.0])
OPEN = np.zeros((0, 2), np.int64)


def near_of(rows: int, ties: Sequence[tuple[int, int]] = ()) -> Near:
    pairs = np.array(ties, np.int64).reshape(-1, 2)
    return Near(np.arange(rows), np.ones(rows - 1), np.ones(rows), np.zeros(rows, bool), pairs)


def system(rows: int, seed: int, apart: Sequence[int] = ()) -> tuple[Floats, Floats, Floats, Floats]:
    """(rows, rows) a symmetric matrix with three diagonals, and these; (3, rows) right sides. apart: rows that do not hang on the next."""
    random = np.random.default_rng(seed)
    beside = -random.uniform(0.1, 1.0, rows - 1)
    beside[list(apart)] = 0.0
    middle = random.uniform(0.2, 1.0, rows) - np.append(beside, 0.0) - np.append(0.0, beside)
    matrix = np.diag(middle) + np.diag(beside, 1) + np.diag(beside, -1)
    return matrix, middle, beside, random.normal(size=(3, rows))


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 8, 17, 50])
def test_three_diagonals_are_solved_as_by_numpy(rows: int) -> None:
    """Several right sides, or one."""
    matrix, middle, beside, right = system(rows, rows)
    assert near_of(rows).least(middle, beside, right) == pytest.approx(np.linalg.solve(matrix, right.T).T)
    assert near_of(rows).least(middle, beside, right[0]) == pytest.approx(np.linalg.solve(matrix, right[0]))


@pytest.mark.parametrize(
    ("ties", "apart"),
    [([(0, 6)], []), ([(2, 5)], []), ([(0, 6), (9, 11)], [6]), ([(1, 3), (7, 11)], [3, 5]), ([(0, 3), (6, 8)], [3, 5, 8])],
)
def test_tied_rows_are_the_least_sum_in_which_they_are_one(ties: list[tuple[int, int]], apart: list[int]) -> None:
    """By a multiplier for each pair (Lagrange), in clips that do not hang on each other."""
    matrix, middle, beside, right = system(12, 7, apart)
    bound = np.zeros((len(ties), 12))
    for number, (first, last) in enumerate(ties):
        bound[number, first], bound[number, last] = 1.0, -1.0
    whole = np.block([[matrix, bound.T], [bound, np.zeros((len(ties), len(ties)))]])
    wanted = np.linalg.solve(whole, np.concatenate([right, np.zeros((3, len(ties)))], axis=1).T).T[:, :12]
    result = near_of(12, ties).least(middle, beside, right)
    assert result == pytest.approx(wanted)
    for first, last in ties:
        assert result[:, first] == pytest.approx(result[:, last])
    assert near_of(12, ties).least(middle, beside, right[1]) == pytest.approx(wanted[1])


@pytest.mark.parametrize("degrees", [0.0, 1e-6, 30.0, 179.0, -90.0, 200.0, 340.0])
def test_rotation_vectors_go_the_shorter_way(degrees: float) -> None:
    axis = np.array([0.6, 0.0, -0.8])
    shorter = np.radians((degrees + 180) % 360 - 180)
    assert vectors(quat.about(axis, np.radians(np.array([degrees])))) == pytest.approx(np.array([shorter * axis]), abs=1e-12)


def frames_of(count: int, fps: float = 10.0, counts: tuple[int, ...] = (), joints: Sequence[tuple[int, int]] = ()) -> Frames:
    seconds = np.concatenate([np.arange(each) / fps for each in counts or (count,)])
    pairs = np.array(joints, np.int64).reshape(-1, 2)
    return Frames(seconds, np.zeros(count, bool), Spans(counts or (count,)), pairs)


def plain(*degrees: float) -> list[Bone]:
    """A bone that is rotated to these angles, and one that rotates half as far."""
    angles = np.radians(np.array(degrees))
    return [Bone(quat.about(Z, 7 * angles), quat.about(Z, share * angles)) for share in (0.5, 1.0)]


@pytest.mark.parametrize(
    ("degrees", "new"),
    [
        ((0, 0, 61, 61), [1]),
        ((0, 0, 59, 59), []),
        ((0, 15, 77, 92), [1]),
        ((0, 16, 77, 77), []),
        ((0, 0, 61, 77), []),
        ((61, 0, 0, 0), [0]),
        ((0, 0, 0, -61), [2]),
        ((0, 61, 122, 183), []),
    ],
)
def test_a_motion_begins_anew_where_it_leaps_by_itself(degrees: tuple[float, ...], new: list[int]) -> None:
    """By more than 60 degrees, and by four times what it does before and behind; the bone that goes furthest counts. Else a frame lasts
    as long as it does."""
    lasting = frames_of(4).lasting(plain(*degrees))
    assert np.flatnonzero(np.isinf(lasting)).tolist() == new
    assert lasting[np.isfinite(lasting)] == pytest.approx(0.1)


def test_between_clips_no_motion_goes_on() -> None:
    """Nor is a step from one to the other beside any: each is a leap by itself."""
    lasting = frames_of(6, counts=(3, 3)).lasting(plain(0, 0, 61, 150, 150, 211))
    assert np.isinf(lasting).tolist() == [False, True, True, False, True]


def test_over_the_joint_of_a_loop_the_motion_goes_on() -> None:
    """The first step is behind the last one."""
    open_, closed = frames_of(4), frames_of(4, joints=[(0, 3)])
    ends = plain(0, 20, 20, 82)
    assert np.isinf(open_.lasting(ends)).tolist() == [False, False, True]
    assert np.isinf(closed.lasting(ends)).tolist() == [False, False, False]
    begins = plain(0, 62, 62, 82)
    assert np.isinf(open_.lasting(begins)).tolist() == [True, False, False]
    assert np.isinf(closed.lasting(begins)).tolist() == [False, False, False]
    lead = frames_of(6, joints=[(2, 5)])
    assert np.isinf(lead.lasting(plain(0, 0, 0, 20, 20, 82))).tolist() == [False] * 5
    assert np.isinf(lead.lasting(plain(0, 16, 16, 77, 77, 77))).tolist() == [False, False, True, False, False], "of a lead it is none"


def near(frames: Frames, *fast: int) -> Near:
    count = len(frames.seconds)
    lasting = np.where(frames.spans.inside, np.diff(frames.seconds), np.inf)
    assert len(lasting) == count - 1
    return frames.near(np.array(fast, np.int64), lasting)


def test_rows_are_near_a_fast_step_by_four_tenths_of_a_second() -> None:
    """Before its first row, and behind its second; those beside other rows stay, but not the ends of a clip. A row counts for a tenth of a
    second, over the square of a fifth, where one begins or ends for half of that."""
    result = near(frames_of(40), 20)
    assert result.rows.tolist() == list(range(16, 26))
    assert result.stay.tolist() == [True, *[False] * 8, True]
    assert result.steps == pytest.approx(np.full(9, 0.1)) and result.rest == pytest.approx(np.full(10, 0.1 / 0.04))
    first = near(frames_of(40), 1)
    assert first.rows.tolist() == list(range(7)) and first.stay.tolist() == [False] * 6 + [True]
    assert first.rest == pytest.approx([1.25, *[2.5] * 6])
    last = near(frames_of(40), 37)
    assert last.rows.tolist() == list(range(33, 40)) and last.stay.tolist() == [True, *[False] * 6]
    assert last.rest == pytest.approx([*[2.5] * 6, 1.25])


def test_rows_count_for_as_long_as_they_last() -> None:
    """Half of the time from the frame before to the one behind; steps between them for as long as they are said to."""
    seconds = np.cumsum(np.array([0.0, 0.3, 0.1, 0.2, 0.3, 0.1, 0.5, 0.2]))
    frames = Frames(seconds, np.zeros(8, bool), Spans((8,)))
    lasting = np.array([1.0, 2.0, 3.0, 4.0, np.inf, 6.0, 7.0])
    result = frames.near(np.array([4]), lasting)
    assert result.rows.tolist() == [3, 4, 5, 6]
    assert result.steps.tolist() == [4.0, np.inf, 6.0] and result.stay.tolist() == [True, False, False, True]
    assert result.rest == pytest.approx(np.array([0.5, 0.4, 0.6, 0.7]) / 2 / 0.04)


def test_rows_near_several_steps() -> None:
    """Apart, or together; between both parts is no step."""
    result = near(frames_of(60), 10, 40)
    assert result.rows.tolist() == [*range(6, 16), *range(36, 46)]
    assert np.flatnonzero(np.isinf(result.steps)).tolist() == [9] and np.flatnonzero(result.stay).tolist() == [0, 9, 10, 19]
    assert near(frames_of(60), 10, 15).rows.tolist() == list(range(6, 21))


def test_where_frames_are_further_apart_those_beside_the_step_are_near() -> None:
    assert near(frames_of(9, fps=1.0), 4).rows.tolist() == [3, 4, 5, 6]
    assert near(frames_of(9, fps=1.0), 0).rows.tolist() == [0, 1, 2] and near(frames_of(9, fps=1.0), 7).rows.tolist() == [6, 7, 8]


def test_rows_of_other_clips_are_not_near() -> None:
    result = near(frames_of(20, counts=(5, 10, 5)), 6)
    assert result.rows.tolist() == list(range(5, 12)) and result.stay.tolist() == [*[False] * 6, True]
    assert result.rest == pytest.approx([1.25, *[2.5] * 6])
    assert near(frames_of(20, counts=(5, 10, 5)), 5).rows.tolist() == list(range(5, 11)), "nor those before its first step"
    still = Frames(np.arange(20) / 10, np.arange(20) == 3, Spans((20,)))
    assert near(still, 3).stay.tolist() == [False, False, False, True, *[False] * 4, True]


@pytest.mark.parametrize(
    ("fast", "rows"),
    [
        (1, [*range(7), *range(17, 21)]),
        (18, [*range(4), *range(14, 21)]),
        (3, [*range(9), 19, 20]),
        (4, [*range(10), 20]),
        (5, range(1, 11)),
        (10, range(6, 16)),
    ],
)
def test_a_loop_goes_on_where_it_is_joined(fast: int, rows: Sequence[int]) -> None:
    """By as much as is left of four tenths of a second; both ends are near, and alike."""
    result = near(frames_of(21, joints=[(0, 20)]), fast)
    assert result.rows.tolist() == list(rows)
    assert result.ties.tolist() == ([[0, len(result.rows) - 1]] if 0 in rows else [])


@pytest.mark.parametrize(
    ("fast", "rows"),
    [(0, [0, 1, 2, 19, 20]), (1, [0, 1, 2, 3, 20]), (2, [1, 2, 3, 4]), (18, [0, 17, 18, 19, 20]), (19, [0, 1, 18, 19, 20])],
)
def test_rows_beside_a_step_are_near_over_the_joint_of_a_loop(fast: int, rows: list[int]) -> None:
    """Of frames that are a second apart."""
    assert near(frames_of(21, fps=1.0, joints=[(0, 20)]), fast).rows.tolist() == rows
    behind = near(frames_of(25, fps=1.0, counts=(4, 21), joints=[(4, 24)]), fast + 4)
    assert behind.rows.tolist() == [row + 4 for row in rows], "behind another clip, too"


def test_a_lead_goes_on_into_its_loop() -> None:
    """From its last step to both ends of the loop."""
    result = near(frames_of(31, joints=[(10, 30)]), 8)
    assert result.rows.tolist() == [*range(4, 14), 27, 28, 29, 30]
    assert [result.rows[each].tolist() for each in result.ties] == [[10, 30]]


def test_a_limb_is_a_triangle() -> None:
    """Straight at 0, at a right angle by Pythagoras, folded up at half a rotation."""
    limb = Limb(np.array([3.0, 3.0, 3.0, 3.0]), np.array([4.0, 4.0, 4.0, 1.0]))
    angles = np.array([0.0, np.pi / 2, np.pi, np.pi / 3])
    far = np.array([7.0, 5.0, 1.0, np.sqrt(13)])
    assert limb.distances(angles) == pytest.approx(far) and limb.angles(far) == pytest.approx(angles)
    assert limb.angles(np.array([8.0, 5.0, 0.5, 4.1])) == pytest.approx([0, np.pi / 2, np.pi, 0])
    some = limb.at(np.array([3, 1]))
    assert (some.first.tolist(), some.second.tolist()) == ([3.0, 3.0], [1.0, 4.0])
    equal = Limb(np.full(50, 0.3), np.full(50, 0.3))
    assert equal.distances(np.full(50, np.pi)) == pytest.approx(np.zeros(50), abs=1e-7)
    assert Limb(np.zeros(1), np.ones(1)).angles(np.ones(1)) == pytest.approx([np.pi / 2]), "of a bone without length"


def opening(
    bends: Sequence[float], without: Sequence[float], joints: Sequence[tuple[int, int]] = (), equal: float = 0.5
) -> tuple[Floats, Floats]:
    """(F,) by how much a limb is bent about Z that should be bent so, beside its plain motion, at 30 frames a second; and how far that is
    from what it should be."""
    count = len(bends)
    frames = Frames(np.arange(count) / 30, np.zeros(count, bool), Spans((count,)), np.array(joints, np.int64).reshape(-1, 2))
    wanted, plain_ = (np.array(each)[:, None] * Z for each in (bends, without))
    result = least(Limb(np.full(count, equal), np.full(count, equal)), wanted, plain_, np.full(count - 1, 1 / 30), frames)
    return result[:, 2], np.abs(result[:, 2] - bends)


def test_what_leaps_beside_its_plain_motion_is_smoothed() -> None:
    """Which leaps as far the other way: twice as far it is beside that, and no more than 40 degrees a frame in the end."""
    leaping = np.where(np.arange(40) < 20, 1.5, 0.5)
    result, off = opening(leaping.tolist(), (2 - leaping).tolist())
    assert off.max() > 0.3 and np.degrees(np.abs(np.diff(result - (2 - leaping)))).max() < 40.5
    assert off[[0, 39]].max() < 1e-12


def test_a_limb_is_bent_by_no_more_than_it_folds() -> None:
    """Its plain motion leaps from beside it, so that it would go beyond half a rotation."""
    result, off = opening([3.0] * 40, [1.5] * 20 + [-1.0] * 20)
    assert off.max() > 0.1 and np.abs(result).max() <= np.pi + 1e-12
    assert result.max() > 3.1


def test_both_ends_of_a_loop_are_bent_alike() -> None:
    """To the bit, where the leap is at its joint."""
    bends = [0.3, *[1.9] * 20, 0.3]
    result, off = opening(bends, [1.0] * 22, [(0, 21)])
    assert off.max() > 0.05 and result[0] == result[-1]
