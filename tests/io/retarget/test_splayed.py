"""Given captures whose rest pose has the legs opened by twenty degrees, and the feet with them. Both people stand upright on both feet at
first, so whatever the target is, the soles that it has at rest must be as level from side to side then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.pairs.first_frame import first_frame
from support.pairs.pair_targets import TARGETS


@pytest.mark.thorough
@pytest.mark.parametrize("source", ["cmu", "jacks"])
@pytest.mark.parametrize("target", ["t_pose", "a_pose", "mixamo", "twinsen"])
def test_who_stands_does_not_stand_on_the_edges_of_its_soles(game_file: Callable[[str], Path], source: str, target: str) -> None:
    first = first_frame(game_file(""), source, target)
    yaw = np.radians(TARGETS[target].yaw)
    left = np.array([np.cos(yaw), np.sin(yaw), 0])
    for role in ("leftFoot", "rightFoot"):
        away = first.away(TARGETS[target].roles[role])
        assert abs(np.degrees(np.arcsin(away[:, 2] @ left))) < 7, role
