"""By how much a boot tips back whose tip would be in the ground: of two points, 0.3 m before its ankle and 0.1 m behind, 0.1 m below it."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Motion, Standing
from retro_anim.core.retarget.ground.soles import Sole, Soles
from retro_anim.core.retarget.ground.tips import lifted
from retro_anim.core.retarget.ground.treads import tread

ANKLE = 0.1
REST = np.eye(4)[None].copy()
REST[0, 2, 3] = ANKLE
FIGURE = Figure(
    ("leftFoot",),
    np.array([-1], np.int32),
    REST,
    np.full(1, 0.05),
    sole_points=np.array([(0.0, -0.3, 0.0), (0.0, 0.1, 0.0)]),
    sole_weights=np.ones((2, 1)),
)


def test_a_boot_tips_back_until_its_tip_is_on_the_ground() -> None:
    """Tipped by 30 degrees, on an ankle at 0.15 m: its tip would be in the ground. Where the body lies instead, and where the ground is not
    known, it stays as it is."""
    frames, tipped = np.arange(3.0), np.radians(30)
    rotations = np.tile(quat.about(np.array([1.0, 0, 0]), np.array(tipped)), (3, 1, 1))
    motion = Motion(frames, rotations, np.tile([0.0, 0, 0.15], (3, 1, 1)), None, Standing.still(FIGURE))
    least = np.array([0.0, 0.0, np.nan])
    sole = Sole(0, (), tread(FIGURE, 0, 0), 0.0, least, least, least)
    result = lifted(Soles(FIGURE, {"leftFoot": sole}, np.ones(3, bool)), motion, 0.02, np.array([0.0, 1.0, 1.0]))
    # -0.3 and -0.1 m, tipped by an angle, come to 0.15 m below the ankle: cos * 0.1 + sin * 0.3 = 0.15.
    rest = np.arcsin(0.15 / np.hypot(0.1, 0.3)) - np.arctan2(0.1, 0.3)
    assert quat.angle(result.rotations[0]) == pytest.approx([rest, tipped, tipped], abs=1e-9)
    assert result.added == pytest.approx([tipped - rest])
