"""Averages over time, against the same reckoned frame by frame."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.ground.pace import Pace, around, moving_average


@pytest.mark.parametrize(
    ("loop", "rows"),
    [
        (None, [0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 4]),
        (0, [1, 2, 3, 0, 1, 2, 3, 4, 1, 2, 3]),
        (2, [0, 0, 0, 0, 1, 2, 3, 4, 3, 2, 3]),
        (3, [0, 0, 0, 0, 1, 2, 3, 4, 3, 3, 3]),
        (4, [0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 4]),
    ],
)
def test_which_rows_are_around_a_clip(loop: int | None, rows: list[int]) -> None:
    """A loop goes on where it goes back to; what leads into one has its first pose before."""
    assert around(4, loop, 3).tolist() == rows


@pytest.mark.parametrize("loop", [None, 0, 3])
@pytest.mark.parametrize(("ease", "width"), [(0.1, 2), (0.11, 2), (0.13, 3), (0.01, 1)])
def test_an_average_weighs_by_a_bell(loop: int | None, ease: float, width: int) -> None:
    """As many frames to both sides as are in the time: half a wave of a cosine, which ends one frame further."""
    values = np.random.default_rng(2).normal(size=12)
    weights = {away: 1 + np.cos(np.pi * away / (width + 1)) for away in range(-width, width + 1)}
    rows = around(11, loop, width).tolist()
    wanted = [
        sum(weight * values[rows[row + width + away]] for away, weight in weights.items()) / sum(weights.values()) for row in range(12)
    ]
    if loop is not None:
        wanted[-1] = wanted[loop]
    assert moving_average(values, 0.05 * np.arange(12.0), loop, ease) == pytest.approx(wanted)


def test_a_clip_of_two_frames_has_no_average() -> None:
    assert moving_average(np.array([1.0, 5.0]), np.array([0.0, 1.0]), None, 9.0).tolist() == [1, 5]
    assert moving_average(np.array([1.0, 5.0, 1.0]), np.zeros(3), None, 0.0) == pytest.approx([2, 3, 2])


def test_clips_are_averaged_each_by_itself() -> None:
    """Every component of them."""
    values = np.random.default_rng(4).normal(size=(9, 2))
    pace = Pace(Spans((4, 5)), 0.1 * np.arange(9.0), (None, 1))
    smooth = pace.smoothed(values, 0.2)
    for rows, loop in ((slice(0, 4), None), (slice(4, 9), 1)):
        for column in (0, 1):
            assert smooth[rows, column] == pytest.approx(moving_average(values[rows, column], pace.seconds[rows], loop, 0.2))


def test_where_loops_are_joined() -> None:
    """Not one whose last row repeats itself, or the end of a clip that does not loop."""
    assert Pace(Spans((4, 5, 3, 2)), np.zeros(14), (0, None, 2, 0)).joints().tolist() == [[0, 3], [12, 13]]
    assert Pace(Spans((4,)), np.zeros(4), (None,)).joints().shape == (0, 2)
