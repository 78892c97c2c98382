"""What differs between the games: the frames a second on which keyframes lie, and the shorter way between two angles."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.lba.files.variant import LBA1, LBA2, Variant


@pytest.mark.parametrize(
    ("times", "rate"),
    [
        ([0], 30),
        ([0, 100, 300], 30),
        ([0, 40, 200], 25),
        ([0, 125, 250], 24),
        ([0, 20, 60], 50),
        ([0, 50, 150], 60),
        ([0, 25], 40),
        ([0, 10], 100),
        ([0, 100, 107], 30),
        ([0, 65500], 30),
    ],
)
def test_keyframes_of_the_second_game_lie_on_whole_frames_of_a_rate(times: list[int], rate: int) -> None:
    """Of milliseconds: the first of 30, 25, 24, 50, 60, 40 and 100 a second of which each time is a whole number of frames."""
    assert LBA2.frame_rate(np.array(times, np.uint16)) == rate


def test_keyframes_of_the_first_game_lie_on_its_ticks() -> None:
    assert (LBA1.frame_rate(np.array([0, 7])), LBA1.frame_rate(np.array([0, 5]))) == (50, 50)


@pytest.mark.parametrize(
    ("game", "differences"),
    [
        (LBA1, {0: 0, 511: 511, 512: 512, 513: -511, 1023: -1, -511: -511, -512: -512, -513: 511, -1023: 1}),
        (LBA2, {0: 0, 2047: 2047, 2048: -2048, 2049: -2047, 4095: -1, -2047: -2047, -2048: -2048, -2049: 2047, -4095: 1}),
    ],
)
def test_the_shorter_of_two_ways(game: Variant, differences: dict[int, int]) -> None:
    """Exactly half a circle stays as it is in LBA1; LBA2 has 12 bits with a sign."""
    assert game.wrap(np.array(list(differences))).tolist() == list(differences.values())
