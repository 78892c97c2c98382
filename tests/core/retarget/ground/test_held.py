"""What holding feet takes is in proportion to what it mends; and what is the same for both directions of a map."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Pair
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare

from .. import rigs
from .test_floor import LEG, low_ankles, run, walk


def shifted(per_frame: Floats) -> tuple[Figure, Motion]:
    """The walk, all of it moved by so many metres (F, 3)."""
    figure, motion = walk()
    return figure, replace(motion, positions=motion.positions + per_frame[: len(motion.frames), None])


def bobbing() -> tuple[Figure, Motion]:
    """Feet go up and down by two hundredths of a leg, less than is seen, on legs that are straight; over the ground they stand still."""
    wave: Floats = 0.019 * LEG * np.sin(np.arange(200, dtype=np.float64) * 0.9)
    return shifted(wave[:, None] * np.array([0.0, 0.0, 1.0]))


def sliding() -> tuple[Figure, Motion]:
    """Feet slide by a twentieth of a leg a second, which bending the knees by a few degrees holds."""
    return shifted(0.05 * LEG / 30 * np.arange(200.0)[:, None] * np.array([0.0, -1.0, 0.0]))


def test_hips_do_not_come_down_further_than_a_foot_slides_in_the_source_too() -> None:
    figure, motion = bobbing()
    target = rigs.humanoid(rigs.random_rotations(8))
    held, plain = (run(figure, motion, target, feet=feet) for feet in (True, False))
    assert held.report.foot_pass == pytest.approx(0, abs=1e-3)
    assert held.report.hips_down == pytest.approx(0, abs=1e-6)
    assert held.motion.positions == pytest.approx(plain.motion.positions, abs=1e-6)
    assert held.report.is_good


def test_a_foot_that_slides_more_than_the_source_s_is_held_whatever_it_takes() -> None:
    """On shins that are longer, on the same thighs."""
    figure, motion = bobbing()
    offsets = rigs.OFFSETS.copy()
    offsets[[rigs.NAMES.index(side + "Foot") for side in ("left", "right")]] *= 1.4
    offsets[[rigs.NAMES.index(side + "UpperLeg") for side in ("left", "right")]] *= 2.5
    report = run(figure, motion, rigs.humanoid(rigs.random_rotations(8), offsets)).report
    assert report.skate <= report.skate_source + 0.005


def test_a_foot_that_slides_faster_than_the_source_s_is_held_however_little_further() -> None:
    """By a twentieth of its way, which the source goes to and fro in a few frames."""
    wave = 0.01 * LEG * np.sin(np.arange(200) * 0.9)
    figure, motion = shifted(wave[:, None] * np.array([0.0, 1.0, 1.9]))
    target = rigs.humanoid(rigs.random_rotations(8))
    report = run(figure, motion, target, scale=1.06).report
    assert report.skate_source > 0.1
    assert report.skate < 0.005


def test_a_foot_that_comes_down_while_it_stands_is_not_held_above_the_ground() -> None:
    """By six hundredths of a leg, while it slides: one that is still in the middle of that stays above the ground that the source is on."""
    figure = rigs.humanoid()
    down = 0.06 * LEG * (0.5 + 0.5 * np.cos(np.pi * (np.arange(90) / 60).clip(0, 1)))
    still = forward(figure, np.arange(90.0), Local(np.zeros((90, len(figure), 3)), np.tile(quat.IDENTITY, (90, len(figure), 1))))
    moved = np.stack([np.zeros(90), 0.1 * LEG * np.arange(90) / 90, down], axis=1)
    motion = replace(still, positions=still.positions + moved[:, None])
    toes = rigs.NAMES.index("leftToes")
    result = run(figure, motion, rigs.humanoid(rigs.random_rotations(8)))
    assert result.contacts["leftFoot"].all()
    assert result.motion.positions[60:, toes, 2] == pytest.approx(figure.heads[toes, 2], abs=0.005 * LEG)


def test_a_foot_is_held_where_that_takes_little() -> None:
    figure, motion = sliding()
    report = run(figure, motion, rigs.humanoid(rigs.random_rotations(8))).report
    assert report.skate_source > 0.04
    assert report.skate < 0.005
    assert report.foot_pass < 5


def test_of_two_that_follow_the_hips_the_one_with_the_role_shows_their_height() -> None:
    """Also where the other one is named first."""
    source, target = walk()[0], low_ankles()
    rest = np.concatenate([target.rest, target.rest[[rigs.NAMES.index("head")]]])
    more = Figure(
        (*rigs.NAMES, "beside"), np.append(rigs.PARENTS, np.int32(rigs.NAMES.index("head"))).astype(np.int32), rest, np.full(len(rest), 0.1)
    )
    both = BoneMap((Pair("hips", "beside"), *rigs.SAME.pairs))
    alone, beside = (prepare(source, figure, pairs, Options()).legs for figure, pairs in ((target, rigs.SAME), (more, both)))
    assert abs(alone.aligned) > 0.03 * LEG
    assert beside.aligned == pytest.approx(alone.aligned, abs=1e-9)


def test_how_far_held_feet_bring_the_hips_down_is_said() -> None:
    """Feet slide visibly, on legs that are straight."""
    figure, motion = shifted(0.3 * LEG / 30 * np.arange(200.0)[:, None] * np.array([0.0, -1.0, 0.0]))
    result = run(figure, motion, rigs.humanoid(rigs.random_rotations(8)))
    plain = run(figure, motion, rigs.humanoid(rigs.random_rotations(8)), feet=False)
    lower = float((plain.motion.positions - result.motion.positions)[:, rigs.NAMES.index("hips"), 2].max())
    assert lower > 0.005
    assert f"held feet bring the hips down: by {lower:.3f} m at most" in result.report.lines()
    assert not any("hips down" in line for line in plain.report.lines())
