"""The frames of a new clip's keys, on the grid of a game."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.retarget.figures.clip import Grid


def grid_of(tick: float, step: float) -> Grid:
    """With a key at each step."""
    return Grid(tick, step, step)


@pytest.mark.parametrize(
    ("fps", "rate", "step", "euler", "quaternion"),
    [
        (24.0, 50, 1.0, 1.0, 1.0),  # 2.08 ticks a frame: on each
        (25.0, 50, 1.0, 1.0, 2.0),  # two ticks a frame
        (24.0, 1000, 1.0, 1000 / 48, 1000 / 48),  # two keys a frame of 41.7 ms, nearer than 20 ms or little more
        (24000 / 1001, 1000, 1.0, 1001 / 48, 1001 / 48),
        (25.0, 1000, 1.0, 20.0, 40.0),
        (60.0, 1000, 1.0, 1000 / 60, 1000 / 60),
        (24.0, 60, 1.0, 1.0, 1.0),  # 2.5 ticks a frame
        (30.0, 60, 1.0, 1.0, 2.0),
        (50.0, 60, 1.0, 1.0, 1.0),
        (24.0, 30, 1.0, 1.0, 1.0),
        (120.0, 30, 1.0, 1.0, 1.0),
        (24.0, 1000, 2.0, 2000 / 24, 2000 / 24),  # somebody wants fewer
        (24.0, 1000, 0.5, 500 / 24, 500 / 24),  # or more
        (24.0, 60, 3.0, 7.5, 7.5),
        (30.0, 30, 1.5, 1.5, 1.5),  # not fewer than 1.5
    ],
)
def test_from_key_to_key(fps: float, rate: int, step: float, euler: float, quaternion: float) -> None:
    """Ticks, on frames alone only where these are ticks and what goes from one to the next goes straight."""
    for is_straight, apart in ((False, euler), (True, quaternion)):
        grid = Grid.of(fps, rate, step, is_straight)
        assert (grid.tick, grid.step, grid.apart) == pytest.approx((fps / rate, step * rate / fps, apart))


def test_a_loop_with_keys_on_all_ticks_closes_a_frame_behind_its_last() -> None:
    """2.5 ticks at 24 frames a second of 60 ticks: the last of 5 frames is on tick 10."""
    grid = Grid.of(24.0, 60, 1.0, True)
    clip = grid.clip(1.0, 1.0, 5.0, loops=True)
    assert (clip.frames - 1) * 2.5 == pytest.approx(range(11))
    assert (grid.behind(clip) - 1) * 2.5 == pytest.approx(12)


def test_a_clip_ends_in_the_pose_of_its_end() -> None:
    """An end between two ticks has its pose on the one behind; a loop's is on the nearest."""
    once = grid_of(1.0, 1).clip(10.0, 10.0, 13.4, loops=False)
    assert once.frames.tolist() == [10, 11, 12, 13, 14] and once.sampled.tolist() == [10, 11, 12, 13, 13.4] and once.loop is None
    for end in (13.0, 13.0009, 12.9991):
        assert grid_of(1.0, 1).clip(10.0, 10.0, end, loops=False).frames.tolist() == [10, 11, 12, 13]
    assert grid_of(1.0, 2).clip(10.0, 10.0, 12.5, loops=False).frames.tolist() == [10, 12, 13]
    loop = grid_of(1.0, 1).clip(10.0, 10.0, 13.6, loops=True)
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
    once = grid_of(fps / rate, rate / fps).clip(7.0, 7.0, 7.0 + count, loops=False)
    assert (once.frames - 7) * rate / fps == pytest.approx(ticks, abs=1e-6)
    assert once.sampled[:-1] == pytest.approx(once.frames[:-1]) and once.sampled[-1] == 7 + count


@pytest.mark.parametrize(("fps", "rate"), [(30.0, 1000), (30000 / 1001, 1000), (24.0, 50), (25.0, 30), (30.0, 50), (60.0, 30), (24.0, 60)])
def test_a_loop_that_is_closed_by_a_step_is_as_long_as_its_frames(fps: float, rate: int) -> None:
    grid = grid_of(fps / rate, max(1.0, rate / fps))
    for frames in (23, 24, 50, 301):
        clip = grid.clip(3.0, 3.0, 3.0 + frames, loops=True)
        closed = (grid.behind(clip) - 3) * rate / fps
        assert closed == pytest.approx(round(closed), abs=1e-6)
        assert abs(closed - (frames + 1) * rate / fps) <= (0.5 + 1e-6 if fps <= rate else 1.0)
        assert closed > (clip.frames[-1] - 3) * rate / fps + 0.5


def test_what_leads_into_a_loop_has_its_keys_at_the_frames_before_it() -> None:
    clip = grid_of(0.03, 1 / 0.03).clip(-2.5, 0.0, 3.0, loops=True)
    assert clip.frames / 0.03 == pytest.approx([-83, -67, -33, 0, 33, 67, 100], abs=1e-6)
    assert clip.loop == 3


def test_a_lead_is_looked_at_from_its_first_frame_on() -> None:
    """Its first tick may lie before that."""
    clip = grid_of(1.0, 2.0).clip(7.4, 10.0, 14.0, loops=True)
    assert clip.frames.tolist() == [7, 8, 10, 12, 14] and clip.sampled.tolist() == [7.4, 8, 10, 12, 14]
    assert (clip.start, clip.loop) == (10.0, 2)


@pytest.mark.parametrize(
    ("step", "end", "frames"),
    [
        (10.0, 30.0, [0, 10, 20, 30]),
        (10.0, 31.0, [0, 10, 20, 31]),  # one tick from 30 to the end: an eighth of a step is more
        (10.0, 32.0, [0, 10, 20, 30, 32]),
        (16.0, 34.0, [0, 16, 32, 34]),
        (16.0, 33.0, [0, 16, 33]),
        (0.5, 3.0, [0, 1, 2, 3]),
        (5.0, 0.0, [0]),
    ],
)
def test_no_key_is_crowded_by_the_last(step: float, end: float, frames: list[int]) -> None:
    assert grid_of(1.0, step).clip(0.0, 0.0, end, loops=False).frames.tolist() == frames


def test_a_loop_of_no_length_is_none() -> None:
    assert grid_of(1.0, 1.0).clip(5.0, 5.0, 5.4, loops=True).loop is None
    assert grid_of(1.0, 1.0).clip(5.0, 5.0, 5.6, loops=True).loop == 0


def test_the_key_behind_a_loop_is_a_step_from_where_it_was_looked_at() -> None:
    """But for a tick at least from the last key: this loop's end at 7.4 ticks was put on 7."""
    for step, behind in ((3.0, 10.0), (3.2, 11.0), (0.4, 8.0)):
        grid = grid_of(0.5, step)
        clip = grid.clip(2.0, 2.0, 2.0 + 0.5 * 7.4, loops=True)
        assert clip.frames[-1] == 2 + 0.5 * 7 and grid.behind(clip) == 2 + 0.5 * behind
        longer = clip.longer(grid.behind(clip))
        assert longer.frames.tolist() == [*clip.frames.tolist(), 2 + 0.5 * behind]
        assert (longer.sampled.tolist(), longer.start, longer.loop) == (clip.sampled.tolist(), 2.0, 0)


def test_keys_of_the_source_go_to_the_nearest_ticks() -> None:
    """Of two on one tick the nearest; those before the start lead into the loop."""
    keys = np.array([7.4, 10.0, 10.9, 11.1, 14.2])
    clip = grid_of(2.0, 1.0).at_keys(keys, 10.0, loops=True)
    assert clip.frames.tolist() == [8, 10, 12, 14] and clip.sampled.tolist() == [7.4, 10.0, 11.1, 14.2]
    assert (clip.start, clip.loop) == (10.0, 1)
    assert grid_of(2.0, 1.0).at_keys(keys, 10.0, loops=False).loop is None
    assert grid_of(2.0, 1.0).at_keys(np.array([10.0, 12.4]), 10.0, loops=True).loop == 0
    assert grid_of(2.0, 1.0).at_keys(np.array([10.0, 10.4]), 10.0, loops=True).loop is None, "a single key is no loop"


def test_of_several_keys_on_a_tick_the_nearest_counts_and_at_the_end_the_last() -> None:
    """Ticks of 4 frames from frame 10 on: 14 is nearer to the second than 13 and 15, 18.5 to the third than 17. A loop that ends at 23.9
    ends in that pose, though 21.5 is nearer to the last tick."""
    keys = np.array([10.0, 11.0, 13.0, 14.0, 15.0, 17.0, 18.5, 21.5, 23.9])
    clip = grid_of(4.0, 1.0).at_keys(keys, 10.0, loops=True)
    assert clip.frames.tolist() == [10, 14, 18, 22]
    assert clip.sampled.tolist() == [10, 14, 18.5, 23.9]
    assert clip.loop == 0
    assert grid_of(4.0, 1.0).at_keys(np.array([10.0, 10.4]), 10.0, loops=False).sampled.tolist() == [10]
