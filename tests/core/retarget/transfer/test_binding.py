"""A map laid on two figures: who follows whom, and below whom."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.reporting import log
from retro_anim.core.retarget.figures.bone_map import BoneMap, Pair
from retro_anim.core.retarget.transfer.binding import bind

from ..mapping.given import figure_of

HEADS = np.array([[0, 0, 1], [0, 0.1, 1.5], [0.5, 0, 1.4], [-0.5, 0, 1.4], [0.2, -0.3, 0]], float)
FIGURE = figure_of(list("abcde"), [-1, 0, 1, 1, 0], HEADS)


@pytest.mark.parametrize("pair", [("a", "missing"), ("missing", "b")])
def test_a_pair_of_which_one_bone_is_missing_is_left_out(pair: tuple[str, str]) -> None:
    with log.collect() as said:
        binding = bind(BoneMap((Pair("a", "a"), Pair(*pair))), FIGURE, FIGURE, FIGURE.heads)
    assert [follower.target for follower in binding.followers] == [0]
    assert any("missing" in message.text for message in said.messages)


def test_what_follows_above_may_be_the_first_bone() -> None:
    """a, the root, is above b; b is above c, whether or not something between them follows."""
    every = bind(BoneMap((Pair("a", "a"), Pair("b", "b"), Pair("c", "c"))), FIGURE, FIGURE, FIGURE.heads)
    assert every.above.tolist() == [-1, 0, 1]
    without = bind(BoneMap((Pair("a", "a"), Pair("c", "c"))), FIGURE, FIGURE, FIGURE.heads)
    assert without.above.tolist() == [-1, 0]
    assert bind(BoneMap((Pair("c", "c"),)), FIGURE, FIGURE, FIGURE.heads).above.tolist() == [-1]
