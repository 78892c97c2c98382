"""Sources that stand at rest and lie in their clips: files whose motion has another axis up than their rest pose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.reports.up_axis import laid_over
from retro_anim.core.retarget.transfer.binding import bind

from .. import rigs
from .test_worked_measures import BODY, HERE, LIES, posed

ON_ITS_FACE = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
"""Takes what is up to Y."""


def walks(rotation: Floats, moved: Floats) -> list[str]:
    """Of who goes a metre ahead, foot by foot, moved and rotated as a whole. moved: (3,) before that."""
    positions = np.tile(BODY.heads, (40, 1, 1))
    for side, first in (("left", 0), ("right", 20)):
        ahead = np.interp(np.arange(40), [first, first + 19], [0.0, 1.0])
        positions[:, [BODY.index[f"{side}{part}"] for part in ("Foot", "Toes")], 1] -= ahead[:, None]
    return laid_over(HERE, posed((positions + moved) @ rotation.T), 0.9, 30.0)


@pytest.mark.parametrize(("rotation", "axis"), [(LIES, "Z up (--up Z)"), (ON_ITS_FACE, "-Z up (--up=-Z)")])
@pytest.mark.parametrize("aside", [0.0, 2.0])
def test_who_stands_across_its_rest_is_told_how_to_open_the_file(rotation: Floats, axis: str, aside: float) -> None:
    """It walks along its own up as over a ground, wherever that is beside the world's."""
    (said,) = walks(rotation, np.array([aside, aside, 0.0]))
    assert said.startswith("the source stands at rest and lies all the time") and said.endswith(axis)


def test_who_sleeps_or_stands_as_at_rest_is_no_question() -> None:
    still = np.tile(BODY.heads @ LIES.T, (30, 1, 1)) - (0.0, 2.0, 0.9)
    assert laid_over(HERE, posed(still), 0.9, 30.0) == [""], "its feet are nowhere near the origin, and rest on any ground"
    assert walks(np.eye(3), np.zeros(3)) == [""]


def test_a_game_s_character_lies_as_its_clip_has_it() -> None:
    declared = replace(BODY, left=np.array([1.0, 0, 0]))
    binding = bind(rigs.SAME, declared, BODY, BODY.heads)
    assert laid_over(binding, posed(np.tile(BODY.heads @ LIES.T, (30, 1, 1))), 0.9, 30.0) == [""]
    lying = bind(rigs.SAME, BODY, BODY, BODY.heads @ LIES.T)
    assert laid_over(lying, posed(np.tile(BODY.heads @ LIES.T, (30, 1, 1))), 0.9, 30.0) == [""], (
        "who lies at rest, too, is reported so elsewhere"
    )
