"""Feet whose ankles are of unlike height: with Hold Feet they stand on their soles where the source does, else they point as its do."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.flat_feet import _is_level
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


STEEPER = float(np.degrees(np.arctan2(0.15, 0.08) - np.arctan2(0.07, 0.15)))
"""Degrees by which its feet go down to the toes, further than those of `rigs`."""


def run(source: Figure, motion: Motion, target: Figure, contacts: dict[str, NDArray[np.bool_]] | None = None, **options: Any) -> Result:
    return retarget(prepare(source, target, rigs.SAME, Options(**options)), motion, 30.0, "clip", contacts)


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


def steeper(degrees: float) -> Figure:
    """Toes 0.15 before their ankles, and further down than those of `rigs` by so many degrees: it is level to them."""
    down = -0.15 * np.tan(np.arctan2(0.07, 0.15) + np.radians(degrees))
    return with_toes((0.0, -0.15, down), (0.0, -0.15, down))


@pytest.mark.parametrize(("degrees", "tilt"), [(4.0, 4.0), (6.0, 0.0)])
def test_a_foot_that_is_level_but_for_5_degrees_stays_as_it_points(degrees: float, tilt: float) -> None:
    source, motion = striking(0.0)
    result = run(source, motion, steeper(degrees))
    assert tilts(steeper(degrees), result.motion)[:, 1] == pytest.approx(tilt, abs=0.2)


def rocking(degrees: float) -> tuple[Figure, Motion]:
    """As `striking`, the left foot to either side all the time, by so many degrees at most."""
    source, motion = striking(0.0)
    rotations, positions, (foot, toes) = motion.rotations.copy(), motion.positions.copy(), (FEET[0], TOES[0])
    tipped = quat.about(np.array([1.0, 0.0, 0.0]), np.radians(degrees) * np.sin(np.arange(FRAMES)))
    rotations[:, [foot, toes]] = quat.multiply(tipped[:, None], rotations[:, [foot, toes]])
    positions[:, toes] = positions[:, foot] + quat.rotate(tipped, positions[:, toes] - positions[:, foot])
    return source, replace(motion, rotations=rotations, positions=positions)


@pytest.mark.parametrize(("degrees", "level"), [(10.0, True), (45.0, False)])
def test_a_foot_that_rocks_far_to_either_side_shows_no_sole(degrees: float, level: bool) -> None:
    """The mean of what is up is the mean cosine: J0 of 10 degrees, 0.99, or of 45, 0.85. The other foot is level."""
    source, motion = rocking(degrees)
    own = tilts(STEEP, run(source, motion, STEEP).motion)
    assert own[:, 1].max() < 1e-3
    assert own[:, 0].max() == pytest.approx(degrees if level else degrees + STEEPER, abs=1)


def test_each_clip_shows_by_itself_whether_soles_are_level() -> None:
    """One on level soles, and one of the same that never comes down from its toes."""
    source, flat = striking(0.0)
    up = on_tiptoe(source, flat)
    alone = [run(source, motion, STEEP) for motion in (flat, up)]
    assert alone[0].report.foot_pass > 30 > alone[1].report.foot_pass


def test_a_few_frames_whose_heights_differ_by_rounding_show_level_soles() -> None:
    """As a short clip of a game has them: a fifth of its frames are less than show anything."""
    source, motion = striking(0.0)
    motion = motion.at(np.arange(12))
    noise = np.random.default_rng(3).uniform(0, 1e-6, (12, len(FEET)))
    positions = motion.positions.copy()
    positions[:, FEET, 2] += noise
    assert tilts(STEEP, run(source, replace(motion, positions=positions), STEEP).motion).max() < 1e-3


@pytest.mark.parametrize("frames", [1, 4])
def test_a_foot_that_is_down_for_too_short_is_as_the_other(frames: int) -> None:
    """Else one foot would be flat and the other one tipped by 37 degrees, and the body as much too high for it."""
    source, motion = striking(0.0)
    few = np.arange(FRAMES) < frames
    held = run(source, motion, STEEP, {"leftFoot": np.ones(FRAMES, bool), "rightFoot": few})
    assert tilts(STEEP, held.motion).max() < 1e-3
    heights = held.motion.positions[:, [*FEET, *TOES], 2] - STEEP.heads[[*FEET, *TOES], 2]
    assert np.abs(heights).max() < 0.021 * LEG


def test_a_shoe_that_rotates_about_its_heel_shows_nothing_of_where_the_foot_points() -> None:
    """Its joint is behind the ankle: a foot that pointed there would stand back to front."""
    source, target = with_toes((0.0, 0.04, -0.15), (0.0, 0.04, -0.15)), rigs.rolled(3)
    motion = rest_motion(source)
    for feet in (False, True):
        result = run(source, motion, target, feet=feet, facing="WORLD")
        away = quat.multiply(result.motion.rotations[:, [*FEET, *TOES]], quat.conjugate(target.quaternions[[*FEET, *TOES]]))
        assert np.degrees(quat.angle(away)).max() < 1e-3, "both stand at rest"
        assert result.report.limb_max < 1e-3


@pytest.mark.parametrize("facing", ["WORLD", "AUTO"])
@pytest.mark.parametrize("degrees", [0, 20, 90, 180])
def test_feet_without_toes_look_where_the_hips_do(degrees: float, facing: Any) -> None:
    """Of a source that stands turned away, whether the clip as a whole is turned or not: the target stands as at rest on its own axis."""
    bones = BoneMap(tuple(pair for pair in rigs.SAME.pairs if not pair.role.endswith("Toes")))
    figure, target = rigs.humanoid(), rigs.rolled(3)
    about = np.eye(4)
    about[:2, :2] = [
        [np.cos(np.radians(degrees)), -np.sin(np.radians(degrees))],
        [np.sin(np.radians(degrees)), np.cos(np.radians(degrees))],
    ]
    source = replace(figure, rest=about @ figure.rest)
    result = retarget(prepare(source, target, bones, Options(feet=False, facing=facing)), rest_motion(source), 30.0, "clip")
    away = quat.multiply(result.motion.rotations[:, [0, *FEET]], quat.conjugate(target.quaternions[[0, *FEET]]))
    assert np.degrees(quat.angle(quat.multiply(quat.conjugate(away[:, :1]), away[:, 1:]))).max() < 1e-3
    assert float(np.degrees(quat.angle(away[0, 0]))) == pytest.approx(degrees if facing == "WORLD" or degrees < 45 else 0, abs=1e-3)


@pytest.mark.parametrize("side", [0, 1])
def test_a_knee_that_bends_aside_at_rest_does_not_rotate_the_foot(side: int) -> None:
    """Both stand with their feet ahead; one of the source's knees was modelled somewhat inwards, about an axis that is over 30 degrees off
    that of a knee. No toes follow."""
    bones = BoneMap(tuple(pair for pair in rigs.SAME.pairs if not pair.role.endswith("Toes")))
    offsets, inwards = rigs.OFFSETS.copy(), -1.0 if side == 0 else 1.0
    offsets[[SHINS[side], FEET[side]]] = (0.1 * inwards, -0.06, -0.41), (-0.08 * inwards, 0.15, -0.38)
    source, target = rigs.humanoid(rigs.random_rotations(5), offsets), rigs.rolled(3)
    hinge = np.cross(offsets[SHINS[side]], offsets[FEET[side]])
    assert abs(np.degrees(np.arctan2(hinge[1], hinge[0]))) > 30
    setup = prepare(source, target, bones, Options(feet=False, facing="WORLD"))
    result = retarget(setup, rest_motion(source), 30.0, "clip")
    away = quat.multiply(result.motion.rotations[:, FEET], quat.conjugate(target.quaternions[FEET]))
    assert np.degrees(quat.angle(away)).max() < 1e-3
    assert result.report.limb_max < 1e-3


@pytest.mark.parametrize(
    ("tipped", "level"),
    [
        ([0, 0, 0, 0, 0, 90], True),
        ([0, 0, 0, 0, 90, 0], False),  # the five lowest of six count
        ([9, 9, 9, 9, 9, 90], True),
        ([11, 11, 11, 11, 11, 0], False),
        ([28, -28, 0, 0, 0, 0], True),  # they agree by 0.953,
        ([30, -30, 0, 0, 0, 0], False),  # and by 0.946
        ([0, 0, 0, 0, 90], False),  # of five all
        ([0, 0, 0, 0], None),  # four are too few to show it
        ([], False),
    ],
)
@pytest.mark.parametrize("rest", [0.0, 40.0])
def test_whether_a_sole_is_level_while_it_is_lowest(tipped: list[float], level: bool | None, rest: float) -> None:
    """In frames in which it is down, one higher than the other; before and behind it is up, and tipped. rest: degrees it is tipped by at
    rest, which count for nothing."""

    def about_x(degrees: Floats) -> Floats:
        return quat.about(np.array([1.0, 0, 0]), np.radians(degrees))

    angles = np.array([90.0, 90, *tipped, 90])
    down = np.array([False, False, *[True] * len(tipped), False])
    positions = np.zeros((len(angles), 2, 3))
    positions[:, 1, 2] = np.arange(len(angles))
    rotations = np.tile(quat.IDENTITY, (len(angles), 2, 1))
    rotations[:, 1] = about_x(angles + rest)
    source: Any = SimpleNamespace(leads=[9, 9, 0], motion=SimpleNamespace(positions=positions, rotations=rotations))
    setup: Any = SimpleNamespace(
        binding=SimpleNamespace(followers=[SimpleNamespace(source=1, role="leftFoot")]),
        source_rotations=np.stack([quat.IDENTITY, about_x(np.array(rest))]),
        soles={},
    )
    item: Any = SimpleNamespace(rows=(0, 1, 2, 3), touching=down)
    assert _is_level(setup, source, item, slice(1, len(angles))) is level
