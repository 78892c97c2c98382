"""Lines of chains of another number of bones, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Pair
from retro_anim.core.retarget.figures.motion import Local
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import Asked, retarget_clips
from retro_anim.core.retarget.setup import prepare

from ..mapping.given import figure_of


def tail(*heights: float) -> Figure:
    """Hips half a metre up, and on them bones from these heights on; the last one ends three metres up."""
    heads = np.outer([0.5, *heights], (0, 0, 1.0))
    tails = np.vstack([heads[1:], [[0, 0, 3.0]]])
    return figure_of(["hips", *"abcd"[: len(heights)]], list(range(-1, len(heights))), heads, tails)


@pytest.mark.parametrize("weight", [1.0, 0.5])
def test_one_bone_that_follows_two_is_beside_where_they_bend(weight: float) -> None:
    """The second of two, a metre each, bends by 90 degrees: a single one of two metres points where that does, and its end is a metre
    short of the first one's and a metre beyond the second's. In a clip that bends by nothing it is on the line, and with less influence
    nobody expects it there."""
    source, target = tail(1.0, 2.0), tail(1.0)
    bone_map = BoneMap((Pair("hips", "hips", "hips"),), (Chain(("a", "b"), ("a",), "tail", weight=weight),))
    rotations = np.tile(quat.IDENTITY, (3, 3, 1))
    rotations[2, 2] = quat.about(np.array([1.0, 0, 0]), np.array(np.pi / 2))
    motion = forward(source, np.arange(3.0), Local(np.zeros((3, 3, 3)), rotations))
    setup = prepare(source, target, bone_map, Options(feet=False))
    still, bent = retarget_clips(setup, [Asked(motion.at(slice(0, 2)), "still"), Asked(motion, "bent")], 30.0)
    assert (still.report.chain_off, still.report.chain_off_which) == (pytest.approx(0, abs=1e-6), "")
    if weight == 1:
        assert bent.report.chain_off == pytest.approx(np.sqrt(2) / 2)
        assert (bent.report.chain_off_which, bent.report.chain_off_frame) == ("a", 2)
    else:
        assert bent.report.chain_off == 0
