"""Feet that have toes strike the ground with their heels: holding them by the toes does not press the heels into it, and what nobody holds
and is deep is reported."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import Result, retarget
from retro_anim.core.retarget.setup import prepare

from .. import rigs
from .test_toes import FRAMES, LEG, tipping

LEFT = rigs.NAMES.index("leftFoot")


def striking(degrees: float) -> tuple[Figure, Motion]:
    """One who stands and slowly slides, so that feet are to be held, and lifts the left foot's toes for a second; its heel stays."""
    figure = rigs.rolled(1)
    motion = tipping(figure, -degrees)
    slide = 0.05 * LEG / 30 * np.arange(float(FRAMES))[:, None, None] * np.array([0.0, 1.0, 0.0])
    return figure, replace(motion, positions=motion.positions + slide)


def run(source: Figure, motion: Motion, target: Figure, feet: bool = True) -> Result:
    return retarget(prepare(source, target, rigs.SAME, Options(feet=feet)), motion, 30.0, "clip")


def height(target: Figure, result: Result, bone: int = LEFT) -> Floats:
    """(F,) of a joint above where it is at rest, in metres."""
    return result.motion.positions[:, bone, 2] - target.heads[bone, 2]


@pytest.mark.parametrize("size", [1.0, 0.6])
@pytest.mark.parametrize("degrees", [15.0, 25.0])
def test_a_heel_that_strikes_first_is_not_pressed_into_the_ground(degrees: float, size: float) -> None:
    figure, motion = striking(degrees)
    target = rigs.humanoid(rigs.random_rotations(5), scale=size)
    result = run(figure, motion, target)
    assert height(target, result).min() > -0.021 * LEG * size
    assert result.report.off_ground > -0.021
    assert result.report.is_good


def test_a_flat_foot_stays_flat() -> None:
    """Ankles at another height than the source's, of feet that point from ankle to toes as the source's do: toes are on the ground."""
    figure, motion = striking(0.0)
    offsets = rigs.OFFSETS.copy()
    offsets[[name.endswith("Toes") for name in rigs.NAMES]] = [0.0, -0.15, -0.13]
    target = rigs.humanoid(rigs.random_rotations(5), offsets)
    result = run(figure, motion, target)
    toes = [rigs.NAMES.index(f"{side}Toes") for side in ("left", "right")]
    assert np.abs([height(target, result, bone) for bone in toes]).max() < 0.021 * LEG
