"""The given capture of a dancer whose rest pose is folded together. At first the dancer stands upright on both feet, as its skull and toes
show; whatever the target is, its head and soles must be upright then, too, which no direction of a limb shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.pairs.first_frame import first_frame


@pytest.mark.thorough
@pytest.mark.parametrize("target", ["t_pose", "a_pose", "arms_down", "pirate", "twinsen"])
def test_heads_and_soles_of_one_who_stands_are_upright(game_file: Callable[[str], Path], target: str) -> None:
    first = first_frame(game_file(""), "rokoko", target)
    for role in ("head", "leftToes", "rightToes"):
        bone = first.roles.get(role) or first.roles[role.replace("Toes", "Foot")]
        assert np.degrees(np.arccos(first.away(bone)[2, 2])) < 40, role
    assert any("is folded together at rest: its frame" in line for line in first.lines)
