"""Where a loop is joined: the last frame of each of its bones is as its first one, in numbers made by hand."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.retarget.keyed import Joint


@pytest.mark.parametrize(("rows", "first", "expected"), [((0, 3), 0, [0, 1, 0]), ((2, 6), 0, [2, 3, 4, 2]), ((2, 6), 1, [2, 3, 4, 3])])
def test_the_last_row_of_a_clip_is_the_one_that_it_repeats(rows: tuple[int, int], first: int, expected: list[int]) -> None:
    """Among those of other clips, which stay; of what carries the figure on all do."""
    joint = Joint(slice(*rows), first, frozenset((7,)))
    rotations, locations = np.repeat(np.arange(8.0)[:, None], 4, axis=1), np.repeat(np.arange(8.0)[:, None], 3, axis=1)
    joint.close(7, rotations, locations)
    assert rotations[:, 0].tolist() == list(range(8))
    joint.close(3, rotations, None, locations)
    for values in (rotations, locations):
        assert values[slice(*rows)].tolist() == [[value] * values.shape[1] for value in expected]
        outside = [row for row in range(8) if not rows[0] <= row < rows[1]]
        assert values[outside, 0].tolist() == outside
