"""Where a clip is looked at between its keys, in frames counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.retarget.figures.clip import Clip, Grid
from retro_anim.core.retarget.reports.looks import Looks


def test_it_is_looked_at_at_frames_in_the_middle_of_wide_gaps_and_at_the_keys_beside() -> None:
    """Ticks of 0.4 frames, a key behind the end, and two keys that are three ticks apart. Between the first three is nothing to look at."""
    keys = 5 + 0.4 * np.array([0, 1, 2, 5, 6], np.float64)
    looks = Looks.of(Clip(keys, np.append(keys[:-1], 7.2), 5.0), Grid(0.4, 2.5, 1.0))
    assert looks.frames == pytest.approx([5.8, 6, 6.4, 7, 7.2, 7.4])
    assert looks.source == pytest.approx([5.8, 6, 6.4, 7, 7.2, 7.2])
    assert looks.keys.tolist() == [0, 3, 5] and looks.others.tolist() == [1, 2, 4]


def test_frames_are_those_of_the_clip_s_start_also_before_it() -> None:
    """A lead into a loop begins 1.6 frames before it."""
    keys = 3.5 + 0.8 * np.arange(-2, 3, dtype=np.float64)
    looks = Looks.of(Clip(keys, keys, 3.5, 2), Grid(0.8, 1.25, 1.0))
    assert looks.frames == pytest.approx([1.9, 2.5, 2.7, 4.3, 4.5, 5.1])


def test_keys_that_are_moved_onto_ticks_have_what_the_source_shows_at_its_own() -> None:
    """At frames 1, 2.1, 3.3 and 5; ticks of 0.48 frames, which the second comes after the frame beside it."""
    looks = Looks.of(Grid.of(24, 50, 1, True).at_keys(np.array([1, 2.1, 3.3, 5]), 1, False), Grid.of(24, 50, 1, True))
    assert looks.frames == pytest.approx([1, 1.48, 1.96, 2, 2.68, 3, 3.4, 4, 4.12, 4.84])
    assert looks.source == pytest.approx([1, 1.48, 2.1, 2, 2.68, 3, 3.3, 4, 4.12, 5])
    assert looks.frames[looks.keys] == pytest.approx([1, 1.96, 3.4, 4.84])


@pytest.mark.parametrize("count", [1, 2, 7])
def test_keys_on_each_frame_leave_nothing_to_look_at(count: int) -> None:
    keys = 2.0 + np.arange(count, dtype=np.float64)
    assert Looks.of(Clip(keys, keys, 2.0), Grid(1.0, 1.0, 1.0)).is_empty
    assert Looks.of(Clip(keys, keys, 2.0), None).is_empty


def test_between_keys_at_frames_it_is_looked_at_where_the_source_bends() -> None:
    """Not before the first key, nor behind the last."""
    keys = 2.0 + np.arange(6, dtype=np.float64)
    looks = Looks.of(Clip(keys, keys, 2.0), None, np.array([0.5, 3.5, 5.25, 8.5]))
    assert looks.frames == pytest.approx([3, 3.5, 4, 5, 5.25, 6])
    assert looks.frames[looks.keys] == pytest.approx([3, 4, 5, 6])


def test_keys_between_the_scene_s_frames_that_are_near_each_other_are_looked_at_where_the_source_bends_alone() -> None:
    """A quarter behind each frame; there is no game whose ticks would show."""
    keys = 2.25 + np.arange(6, dtype=np.float64)
    assert Looks.of(Clip(keys, keys, 2.0), None, np.array([3.5])).frames == pytest.approx([3.25, 3.5, 4.25])


def test_keys_that_are_several_frames_apart_are_looked_at_at_all_of_these() -> None:
    """Of a source that has keys at 1, 4 and 4.5; half way from the first to the second, too."""
    keys = np.array([1.0, 4.0, 4.5])
    assert Looks.of(Clip(keys, keys, 1.0), None).frames == pytest.approx([1, 2, 2.5, 3, 4])
