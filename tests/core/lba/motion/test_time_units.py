"""Of several keys in one unit of the game's time one becomes a keyframe."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.variant import LBA1, LBA2
from retro_anim.core.lba.motion.motion import CONVENTION
from retro_anim.core.lba.motion.sampled import Settings
from retro_anim.core.lba.motion.times import one_a_unit
from retro_anim.core.motion.curves import Timing
from retro_anim.core.motion.rigs.rig import Rig

RIG = Rig.build(Body.plain(2).skeleton(), CONVENTION)


@pytest.mark.parametrize(
    ("times", "closing", "loop", "kept"),
    [
        ([0, 1, 2, 3], None, 0, [0, 1, 2, 3]),
        ([0, 0.3, 0.8, 1.1, 1.4, 2.6], None, 0, [0, 3, 5]),
        ([0, 0.75, 1.25, 2], None, 0, [0, 1, 3]),  # of two alike the earlier
        ([0, 1, 2, 2.4], None, 0, [0, 1, 3]),
        ([0, 0.6, 1, 2], None, 1, [0, 1, 3]),  # the loop goes back to it
        ([0, 1, 2, 3.6], 4.3, 0, [0, 1, 2]),  # else the way back to the first would take no time
        ([0, 1, 2, 3.6], 4.3, 1, [0, 1, 2, 3]),  # here it takes that of keyframe 1
        ([0, 1, 2, 3.4], 4.3, 0, [0, 1, 2, 3]),
        ([0, 0.4], None, 0, [0, 1]),  # nothing to choose from
    ],
)
def test_which_key_of_a_unit_stays(times: list[float], closing: float | None, loop: int, kept: list[int]) -> None:
    """At 100 frames a second, two for each of LBA1's fiftieths."""
    settings = Settings(LBA1, Timing(50, 100.0), 0.001, "OBJECT", loop_frame=loop)
    frames = 1 + 2 * np.array(times)
    assert np.flatnonzero(one_a_unit(frames, closing and 1 + 2 * closing, None, RIG, settings)).tolist() == kept


def test_a_leap_of_the_second_game_stays() -> None:
    """A fiftieth of a frame behind the one before is at the same time; in the first game that is a key too many."""
    frames = np.array([1, 11, 11.02, 11.03, 21])
    for game, kept in ((LBA2, [0, 1, 2, 4]), (LBA1, [0, 1, 4])):
        settings = Settings(game, Timing(50, 50.0), 0.001, "OBJECT")
        assert np.flatnonzero(one_a_unit(frames, None, None, RIG, settings)).tolist() == kept
