"""Feet whose ankles are of unlike height: with Hold Feet they stand on their soles where the source does, else they point as its do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import Result, retarget
from retro_anim.core.retarget.setup import prepare

from . import rigs
from .ground.test_heels import striking
from .ground.test_toes import FRAMES, LEG

FEET = [rigs.NAMES.index(f"{side}Foot") for side in ("left", "right")]
TOES = [rigs.NAMES.index(f"{side}Toes") for side in ("left", "right")]
SHINS = [rigs.NAMES.index(f"{side}LowerLeg") for side in ("left", "right")]


def with_toes(*offsets: tuple[float, float, float], seed: int = 5) -> Figure:
    """A figure whose toes are elsewhere from its ankles, left and right."""
    own = rigs.OFFSETS.copy()
    own[TOES] = offsets
    return rigs.humanoid(rigs.random_rotations(seed), own)


STEEP = with_toes((0.0, -0.08, -0.15), (0.0, -0.08, -0.15))
"""Of heels: 62 degrees down to the toes, where those of `rigs` go down by 25."""


def run(source: Figure, motion: Motion, target: Figure, **options: Any) -> Result:
    return retarget(prepare(source, target, rigs.SAME, Options(**options)), motion, 30.0, "clip")


def tilts(figure: Figure, motion: Motion) -> Floats:
    """(F, 2) degrees by which the soles are away from how they are at rest."""
    away = quat.multiply(motion.rotations[:, FEET], quat.conjugate(figure.quaternions[FEET]))
    return np.degrees(np.arccos(quat.rotate(away, np.array([0.0, 0.0, 1.0]))[..., 2].clip(-1, 1)))


def test_a_source_that_stands_flat_has_the_target_stand_flat() -> None:
    source, motion = striking(0.0)
    pointed, held = (run(source, motion, STEEP, feet=feet) for feet in (False, True))
    assert tilts(STEEP, pointed.motion).min() > 30
    assert pointed.report.limb_max < 1e-3
    assert tilts(STEEP, held.motion).max() < 1e-3
    heights = held.motion.positions[:, [*FEET, *TOES], 2] - STEEP.heads[[*FEET, *TOES], 2]
    assert np.abs(heights).max() < 0.021 * LEG  # the whole foot is on the ground
    assert held.report.limb_max < 1e-3
    assert held.report.foot_pass > 30
    assert held.report.is_good


def test_legs_point_as_before() -> None:
    """The body is as much higher as the ankles are, so that knees do not bend for it."""
    source, motion = striking(0.0)
    theirs = quat.multiply(motion.rotations[:, SHINS], quat.conjugate(source.quaternions[SHINS]))

    def bent(target: Figure) -> float:
        """Degrees, at most, by holding feet that slide a little."""
        away = quat.multiply(run(source, motion, target).motion.rotations[:, SHINS], quat.conjugate(target.quaternions[SHINS]))
        return float(np.degrees(quat.angle(quat.multiply(quat.conjugate(theirs), away))).max())

    assert bent(STEEP) == pytest.approx(bent(rigs.humanoid(rigs.random_rotations(5))), abs=0.5)


def test_a_foot_that_tips_does_so_from_its_sole() -> None:
    """The left foot's toes are lifted by 20 degrees for a second, from a sole that is level before and behind that."""
    source, motion = striking(20.0)
    own, theirs = tilts(STEEP, run(source, motion, STEEP).motion), tilts(source, motion)
    assert theirs.max() == pytest.approx(20, abs=0.1)
    assert own == pytest.approx(theirs, abs=1e-3)


def test_mirrored() -> None:
    source, motion = striking(20.0)
    own, theirs = tilts(STEEP, run(source, motion, STEEP, mirror=True).motion), tilts(source, motion)
    assert own == pytest.approx(theirs[:, ::-1], abs=1e-3)


def on_tiptoe(source: Figure, motion: Motion) -> Motion:
    """The same with heels that never come down."""
    rotations = motion.rotations.copy()
    for bone in FEET:
        rotations[:, bone] = quat.multiply(quat.about(np.array([1.0, 0.0, 0.0]), np.full(FRAMES, 0.5)), rotations[:, bone])
    return replace(motion, rotations=rotations)


@pytest.mark.parametrize("case", ["tiptoe", "uneven", "few"])
def test_where_nothing_shows_that_soles_are_level_feet_point_as_the_source_s(case: str) -> None:
    """On tiptoe the heel is up; a target whose feet are unlike at rest stands on none; a few frames show nothing."""
    source, motion = striking(0.0)
    target = with_toes((0.0, -0.08, -0.15), (0.0, -0.12, -0.1)) if case == "uneven" else STEEP
    motion = on_tiptoe(source, motion) if case == "tiptoe" else motion
    motion = motion.at(np.arange(4)) if case == "few" else motion
    results = [run(source, motion, target, feet=feet) for feet in (False, True)]
    first, second = (result.motion.rotations[:, FEET] for result in results)
    assert np.degrees(quat.angle(quat.multiply(quat.conjugate(first), second))).max() < 1e-3
