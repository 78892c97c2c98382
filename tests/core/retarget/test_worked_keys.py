"""Where a loop is joined: the last frame of each of its bones is as its first one, in numbers made by hand."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.retarget.keyed import Joint
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import retarget
from retro_anim.core.retarget.setup import prepare

from . import rigs


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


@pytest.mark.parametrize(("loop", "joined"), [(None, False), (0, True), (3, True)])
@pytest.mark.parametrize("from_first", [True, False])
def test_a_loop_of_a_game_ends_in_the_pose_that_it_repeats(loop: int | None, joined: bool, from_first: bool) -> None:
    """Whatever its source's last frame shows, so that nothing twitches where it is joined; the hips, which carry it on, stay where that
    has them. Elsewhere all is as the source has it."""
    figure = rigs.humanoid()
    _, motion = rigs.dance(figure, 12)
    options = Options(from_first=from_first, feet=False, floor="REST")
    result = retarget(prepare(figure, figure, rigs.SAME, options), motion, 30.0, "clip", None, loop)
    rotations = {block.channels[0].bone: block.values for block in result.keys if "rotation" in block.channels[0].property}
    (hips,) = [block.values for block in result.keys if block.channels[0].bone == "hips" and block.channels[0].property == "location"]
    assert len(rotations) == len(figure)
    for bone, values in rotations.items():
        ends = np.array_equal(values[:, -1], values[:, loop or 0])
        assert ends == (joined and from_first and bone != "hips")
    assert np.linalg.norm(hips[:, -1] - hips[:, loop or 0]) > 0.05
