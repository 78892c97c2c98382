"""Clips one after another are reckoned with as each by itself."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.spans import Spans, Worst

COUNTS = [(5,), (1,), (3, 4), (1, 5, 2), (4, 1, 1, 3), (2, 2)]


@pytest.mark.parametrize("counts", COUNTS)
def test_rows_of_clips(counts: tuple[int, ...]) -> None:
    spans, clip_of = Spans(counts), [clip for clip, count in enumerate(counts) for _ in range(count)]
    assert len(spans) == len(counts)
    assert spans.starts.tolist() == [clip_of.index(clip) for clip in range(len(counts))]
    assert [list(range(len(clip_of)))[rows] for rows in spans.rows] == [
        [row for row, each in enumerate(clip_of) if each == clip] for clip in range(len(counts))
    ]
    assert spans.inside.tolist() == [one == other for one, other in pairwise(clip_of)]
    assert spans.clips(np.arange(len(clip_of))).tolist() == clip_of
    assert spans.spread(np.arange(len(counts)) * 2.0).tolist() == [2.0 * clip for clip in clip_of]
    assert spans.spread(float(clip) for clip in range(len(counts))).tolist() == clip_of
    pairs = np.arange(2.0 * len(counts)).reshape(-1, 2)
    assert spans.spread(pairs).tolist() == [pairs[clip].tolist() for clip in clip_of]


@pytest.mark.parametrize("counts", COUNTS)
def test_what_is_reckoned_of_each_clip(counts: tuple[int, ...]) -> None:
    spans, total = Spans(counts), sum(counts)
    values = np.random.default_rng(total).normal(size=(2, total)).round(3) - 5.0  # none of them above 0
    steps = np.diff(values)

    def each(function: Callable[[Floats], float], given: Floats) -> list[list[float]]:
        return [[function(row[rows]) for rows in spans.rows] for row in given]

    assert spans.largest(values).tolist() == each(lambda own: max(own.tolist()), values)
    assert spans.mean(values) == pytest.approx(np.array(each(lambda own: sum(own.tolist()) / len(own), values)))
    assert spans.largest(values[0]).shape == spans.mean(values[0]).shape == (len(counts),)
    inner = [[max(np.diff(row[rows]).tolist(), default=-np.inf) for rows in spans.rows] for row in values]
    assert spans.largest_step(steps).tolist() == inner
    assert spans.largest_step(steps[0]).tolist() == inner[0]
    high = values[0] > -5.0
    assert spans.any(high).tolist() == [any(high[rows].tolist()) for rows in spans.rows]
    assert spans.count(high).tolist() == [sum(high[rows].tolist()) for rows in spans.rows]
    assert spans.each(lambda own: own - own[0], values[0]).tolist() == [
        value - values[0][rows][0] for rows in spans.rows for value in values[0][rows]
    ]


def test_the_furthest_off_of_each_clip_has_a_name() -> None:
    """Above or below; of two as far off but for rounding the first."""
    worst = Worst(Spans((2, 3, 1)))
    worst.add("left", np.array([0, 3]), np.array([0.1, 0.0]))
    worst.add("right", np.array([1, 4]), np.array([-0.2, 0.0]))
    worst.add("other", np.array([0, 1]), np.array([0.2 + 5e-10, 0.15]))
    assert worst.by_clip == [("right", -0.2), ("left", 0.0), ("", 0.0)]
    worst.add("other", np.array([1, 2]), np.array([-0.2 - 5e-9, 1e-8]))
    assert worst.by_clip == [("other", -0.2 - 5e-9), ("other", 1e-8), ("", 0.0)]
