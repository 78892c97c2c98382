"""The frames of a new clip's keys, on the grid of a game."""

from __future__ import annotations

import pytest
from retro_anim.core.retarget.figures.clip import Grid


def test_a_clip_ends_in_the_pose_of_its_end() -> None:
    """An end between two ticks has its pose on the one behind; a loop's is on the nearest."""
    once = Grid(1.0, 1).clip(10.0, 10.0, 13.4, loops=False)
    assert once.frames.tolist() == [10, 11, 12, 13, 14] and once.sampled.tolist() == [10, 11, 12, 13, 13.4] and once.loop is None
    for end in (13.0, 13.0009, 12.9991):
        assert Grid(1.0, 1).clip(10.0, 10.0, end, loops=False).frames.tolist() == [10, 11, 12, 13]
    assert Grid(1.0, 2).clip(10.0, 10.0, 12.5, loops=False).frames.tolist() == [10, 12, 13]
    loop = Grid(1.0, 1).clip(10.0, 10.0, 13.6, loops=True)
    assert loop.frames.tolist() == [10, 11, 12, 13, 14] and loop.sampled.tolist() == [10, 11, 12, 13, 13.6] and loop.loop == 0


@pytest.mark.parametrize(
    ("fps", "rate", "count", "ticks"),
    [
        (30.0, 1000, 6, [0, 33, 67, 100, 133, 167, 200]),
        (30000 / 1001, 1000, 5, [0, 33, 67, 100, 133, 167]),  # 166.83 ms
        (24.0, 1000, 5, [0, 42, 83, 125, 167, 209]),  # ends 0.33 of a time unit behind one
        (30.0, 50, 6, [0, 2, 3, 5, 7, 8, 10]),
        (24.0, 50, 5, [0, 2, 4, 6, 8, 10, 11]),  # 10.4: the last frame's own, and the one behind
        (24.0, 60, 4, [0, 2, 5, 8, 10]),
    ],
)
def test_keys_are_on_the_ticks_nearest_to_the_frames(fps: float, rate: int, count: int, ticks: list[int]) -> None:
    """And are looked at there, so that what moves evenly does."""
    once = Grid(fps / rate, rate / fps).clip(7.0, 7.0, 7.0 + count, loops=False)
    assert (once.frames - 7) * rate / fps == pytest.approx(ticks, abs=1e-6)
    assert once.sampled[:-1] == pytest.approx(once.frames[:-1]) and once.sampled[-1] == 7 + count


@pytest.mark.parametrize(("fps", "rate"), [(30.0, 1000), (30000 / 1001, 1000), (24.0, 50), (25.0, 30), (30.0, 50), (60.0, 30), (24.0, 60)])
def test_a_loop_that_is_closed_by_a_step_is_as_long_as_its_frames(fps: float, rate: int) -> None:
    grid = Grid(fps / rate, max(1.0, rate / fps))
    for frames in (23, 24, 50, 301):
        clip = grid.clip(3.0, 3.0, 3.0 + frames, loops=True)
        closed = (grid.behind(clip) - 3) * rate / fps
        assert closed == pytest.approx(round(closed), abs=1e-6)
        assert abs(closed - (frames + 1) * rate / fps) <= (0.5 + 1e-6 if fps <= rate else 1.0)
        assert closed > (clip.frames[-1] - 3) * rate / fps + 0.5


def test_what_leads_into_a_loop_has_its_keys_at_the_frames_before_it() -> None:
    clip = Grid(0.03, 1 / 0.03).clip(-2.5, 0.0, 3.0, loops=True)
    assert clip.frames / 0.03 == pytest.approx([-83, -67, -33, 0, 33, 67, 100], abs=1e-6)
    assert clip.loop == 3
