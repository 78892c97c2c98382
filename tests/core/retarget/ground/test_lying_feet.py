"""Feet of one who lies may be lower than of one who stands on their soles: the sides and the backs of feet are no sole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare

from .. import rigs

ELBOWS = 0.06
"""Metres by which the made-up humanoid's elbows are behind its hips; its heels are 0.05 before them."""


def on_its_back(figure: Figure) -> Motion:
    """A single pose, in which no foot stands. The elbows are on the ground."""
    plain = forward(figure, np.zeros(1), Local(np.zeros((1, len(figure), 3)), np.tile(quat.IDENTITY, (1, len(figure), 1))))
    lean = np.broadcast_to(quat.about(np.array([1.0, 0.0, 0.0]), np.array([-np.pi / 2])), plain.rotations.shape)
    hips = plain.positions[:, :1]
    down = np.array([0.0, 0.0, ELBOWS - float(figure.heads[0, 2])])
    positions = hips + quat.rotate(lean, plain.positions - hips) + down
    return replace(plain, rotations=quat.multiply(lean, plain.rotations), positions=positions)


@pytest.mark.parametrize("higher", [0.0, 0.05])
def test_the_feet_of_a_single_pose_that_lies_are_no_fault(higher: float) -> None:
    source, target = rigs.without_toes(0.0), rigs.without_toes(higher)
    pose = on_its_back(source)
    result = retarget.retarget(prepare(source, target, rigs.SAME, Options()), pose, 30.0, "clip")
    shown = forward(target, pose.frames, result.local)
    assert shown.positions[0, target.names.index("leftLowerArm"), 2] == pytest.approx(0, abs=1e-3)
    foot = target.names.index("leftFoot")
    assert shown.positions[0, foot, 2] - target.heads[foot, 2] == pytest.approx(-0.04 - higher, abs=1e-3)
    assert result.report.off_ground == pytest.approx(0, abs=1e-9) and result.report.is_good, result.report.reasons()


def test_heels_of_one_who_lies_stay_on_the_ground_where_feet_are_held() -> None:
    """They are lower than under one who stands. Onto the same body the pose is the same."""
    figure = rigs.humanoid()
    pose = on_its_back(figure)
    rows = np.zeros(40, np.int64)
    motion = replace(pose, frames=np.arange(40.0), rotations=pose.rotations[rows], positions=pose.positions[rows], standing=None)
    result = retarget.retarget(prepare(figure, figure, rigs.SAME, Options()), motion, 30.0, "clip")
    assert any(touching.any() for touching in result.contacts.values())
    shown = forward(figure, motion.frames, result.local)
    assert shown.positions == pytest.approx(motion.positions, abs=1e-3)
