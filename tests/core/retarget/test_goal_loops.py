"""Loops whose hands have goals: which of its frames is the first does not count. Figures and motions by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.maps.bone_map import Limb, Reach
from retro_anim.core.retarget.figures.motion import Local
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare

from . import rigs

SOURCE = rigs.rolled(3)
TARGET = rigs.humanoid(
    rigs.random_rotations(4), rigs.OFFSETS * [[0.8 if name.endswith(("LowerArm", "Hand")) else 0.6] for name in rigs.NAMES]
)


def going_round(seed: int, count: int = 24) -> Floats:
    """(F, B, 4) rotations of all bones, once round about random axes."""
    waves = np.random.default_rng(seed).normal(size=(2, len(SOURCE), 3)) * 0.5
    phase = 2 * np.pi * np.arange(count)[:, None, None] / count
    vectors = waves[0] * np.sin(phase) + waves[1] * np.cos(phase)
    size = np.linalg.norm(vectors, axis=2)
    return quat.about(vectors / size[..., None], size)


@pytest.mark.parametrize("seed", [1, 5])
@pytest.mark.parametrize("reach", ["HAND", "SELF"])
def test_a_loop_with_goals_is_the_same_wherever_it_starts(reach: Reach, seed: int) -> None:
    rotations, frames = going_round(seed), np.arange(25.0)
    bone_map = replace(rigs.SAME, limbs=(Limb("leftHand", reach=reach),))
    setup = prepare(SOURCE, TARGET, bone_map, Options(feet=False))
    bones = [TARGET.index[name] for name in ("leftUpperArm", "leftLowerArm")]
    every: list[Floats] = []
    for first in (0, 5, 12, 21):
        rows = (first + np.arange(25)) % 24
        motion = forward(SOURCE, frames, Local(np.zeros((25, len(SOURCE), 3)), rotations[rows]))
        shown = retarget.retarget(setup, motion, 24.0, "loop", loop=0).motion.rotations[:, bones]
        assert quat.apart(shown[0], shown[-1]).max() < 1e-6
        every.append(np.roll(shown[:-1], first, axis=0))
    assert max(float(quat.apart(each, every[0]).max()) for each in every) < 1e-6
