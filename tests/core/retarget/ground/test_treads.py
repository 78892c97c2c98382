"""Boots of a mesh: what stands on level soles at rest does so wherever its joints are, and what is in the ground is reported."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import Limb
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.ground.treads import Tread, tread
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import Asked, Result, retarget, retarget_clips
from retro_anim.core.retarget.setup import prepare

from .. import rigs
from .test_heels import striking
from .test_sitting import BENDS, goes_down
from .test_toes import FRAMES, LEG, WITHOUT_TOES, sinking, tipping

SIDES = "left", "right"
FEET, TOES = ([rigs.NAMES.index(side + part) for side in SIDES] for part in ("Foot", "Toes"))


def booted(heel: float = 0.0, tip: float = 0.22) -> Figure:
    """Feet that stand aslant, each in its own way, on ankles 0.15 m above their toes, in boots from 0.08 m behind these to so far before
    them, whose soles are level but for heels that are so much higher. The left boot is rigid, the tip of the right one bends with its
    toes."""
    own = rigs.OFFSETS.copy()
    own[TOES] = (0.04, -0.08, -0.15), (0.02, -0.12, -0.15)
    figure = rigs.humanoid(rigs.random_rotations(5), own)
    points, weights = list[Floats](), list[Floats]()
    for side, (foot, toes) in enumerate(zip(FEET, TOES, strict=True)):
        ahead = figure.heads[toes] - figure.heads[foot]
        ahead = ahead * (1, 1, 0) / np.linalg.norm(ahead[:2])
        across = np.cross(ahead, (0, 0, 1))
        for along, high, share in ((-0.08, heel, 0.0), (0.1, 0.0, 0.0), (tip, 0.0, 1.0 * side)):
            for aside in (-0.04, 0.04):
                points.append(figure.heads[foot] * (1, 1, 0) + along * ahead + aside * across + (0, 0, figure.heads[toes, 2] - 0.02 + high))
                weights.append(np.eye(len(figure))[toes] * share + np.eye(len(figure))[foot] * (1 - share))
    return replace(figure, sole_points=np.array(points), sole_weights=np.array(weights))


def rotated(rotation: Floats, vector: Floats) -> Floats:
    """The vector by unit quaternions (F, 4)."""
    real, axis = rotation[:, :1], rotation[:, 1:]
    once = np.cross(axis, vector)
    return vector + 2 * (real * once + np.cross(axis, once))


def lowest(figure: Figure, motion: Motion) -> Floats:
    """(F, 2) metres of the lowest point of each boot above the ground on which both stand at rest."""
    result = np.full((len(motion.frames), 2), np.inf)
    for point, weights in zip(figure.sole_points, figure.sole_weights, strict=True):
        bone = int(weights.argmax())
        change = quat.multiply(motion.rotations[:, bone], quat.conjugate(figure.quaternions[bone]))
        height = (motion.positions[:, bone] + rotated(change, point - figure.heads[bone]))[:, 2]
        side = int(bone in (FEET[1], TOES[1]))
        result[:, side] = np.minimum(result[:, side], height)
    return result - figure.sole_points[:, 2].min()


def run(source: Figure, motion: Motion, target: Figure, **options: Any) -> Result:
    return retarget(prepare(source, target, rigs.SAME, Options(**options)), motion, 30.0, "clip")


def test_boots_on_level_soles_stand_on_them() -> None:
    """Their joints are not alike, by which nothing would show that: the heels would be deep in the ground."""
    target = booted()
    source, motion = striking(0.0)
    bare = run(source, motion, replace(target, sole_points=np.zeros((0, 3)), sole_weights=np.zeros((0, 0))))
    assert lowest(target, bare.motion).min() < -0.08 * LEG
    held = run(source, motion, target)
    assert np.abs(lowest(target, held.motion)).max() < 0.021 * LEG
    assert held.report.limb_max < 1e-3
    assert held.report.is_good


def test_a_boot_whose_tip_goes_down_rises() -> None:
    """The source's left foot tips by 20 degrees, toes down, which go so far into its ground: a rigid tip, further ahead, goes no deeper."""
    target = booted()
    source, motion = striking(-20.0)
    free, held = (lowest(target, run(source, motion, target, feet=feet).motion)[:, 0].min() for feet in (False, True))
    assert free < -sinking(20.0) - 0.04 * LEG
    assert held > -sinking(20.0) - 0.021 * LEG


def bends(figure: Figure, motion: Motion) -> Floats:
    """(F, 2) degrees by which the knees are bent."""
    joints = [[motion.positions[:, rigs.NAMES.index(side + part)] for part in ("UpperLeg", "LowerLeg", "Foot")] for side in SIDES]
    bones = [[(second - first) / np.linalg.norm(second - first, axis=1)[:, None] for first, second in pairwise(leg)] for leg in joints]
    return np.degrees(np.stack([np.arccos((upper * lower).sum(axis=1).clip(-1, 1)) for upper, lower in bones], axis=1))


def running_on_tips() -> tuple[Figure, Motion]:
    """Runs off on the tips of its toes, feet tipped by 40 degrees, without a foot that stands for half a second."""
    figure, motion = rigs.rolled(1), tipping(rigs.rolled(1), 0.0)
    share = np.interp(np.arange(FRAMES), [30, 34, 46, 50], [0, 1, 1, 0])
    rotations, positions = motion.rotations.copy(), motion.positions.copy()
    for side in FEET:
        tipped = quat.about(np.array([1.0, 0, 0]), np.radians(40) * share)
        for bone in (bone for bone in range(len(figure)) if figure.is_below(bone, side)):
            rotations[:, bone] = quat.multiply(tipped, motion.rotations[:, bone])
            positions[:, bone] = motion.positions[:, side] + quat.rotate(tipped, motion.positions[:, bone] - motion.positions[:, side])
    positions[:, :, 2] += np.array([sinking(40 * each) for each in share])[:, None]
    positions[:, :, 1] -= np.interp(np.arange(FRAMES), [29, 51], [0, 2 * LEG])[:, None]
    return figure, replace(motion, rotations=rotations, positions=positions)


def test_who_is_on_the_tips_of_long_boots_tips_less() -> None:
    """The target's boots reach 0.6 m before the ankle, four times as far as the source's toes, and would be 0.2 m in the ground. Hips and
    knees go as the source's."""
    target = booted(tip=0.6)
    figure, moving = running_on_tips()
    result = run(figure, moving, target)
    assert not any(result.contacts[f"{side}Foot"][34:46].any() for side in SIDES)
    assert (bends(target, result.motion)[36:44] - bends(figure, moving)[36:44]).max() < 15
    assert lowest(target, result.motion)[36:44].min() > -0.021 * LEG
    off = (result.motion.positions - result.report.factor * moving.positions)[:, figure.index["hips"], 2]
    assert np.ptp(off) < 0.03 * LEG


def test_without_hold_feet_boots_tip_as_the_source_s_feet() -> None:
    """However deep their tips are then, which the report tells; and while a hand has a goal, for which the pose is computed anew."""
    target = booted(tip=0.6)
    figure, moving = running_on_tips()
    reaching = replace(rigs.SAME, limbs=(Limb("leftHand", reach="BODY"),))
    result = retarget(prepare(figure, target, reaching, Options(feet=False)), moving, 30.0, "clip")
    lines = (each.positions[:, TOES] - each.positions[:, FEET] for each in (moving, result.motion))
    source, own = (each / np.linalg.norm(each, axis=2)[..., None] for each in lines)
    assert np.degrees(np.linalg.norm(own - source, axis=2)).max() < 1e-3
    assert lowest(target, result.motion).min() < -0.1 * LEG
    assert any("in the ground" in line for line in result.report.reasons())


def test_who_kneels_down_stays_on_the_knees_whatever_boots_are_below() -> None:
    """Feet that go on from level shins point down, and boots reach 0.6 m before their ankles. They stand until it goes down."""
    source, target = rigs.without_toes(0.0), booted(tip=0.6)
    motion, bare = goes_down(source, BENDS["kneels"], still=False), replace(target, sole_points=np.zeros((0, 3)))
    stands = {f"{side}Foot": np.arange(len(motion.frames)) < 10 for side in SIDES}
    knees = list[Floats]()
    for each in (target, replace(bare, sole_weights=np.zeros((0, 0)))):
        setup = prepare(source, each, WITHOUT_TOES, Options(), motion=motion)
        (result,) = retarget_clips(setup, [Asked(motion, "clip", stands)], 30.0)
        knees.append(result.motion.positions[40:, target.index["leftLowerLeg"], 2])
    assert knees[0] == pytest.approx(knees[1], abs=0.02 * LEG)


def test_boots_in_the_ground_are_reported() -> None:
    """By as much as they are, in a clip that is as the source has it."""
    target = booted()
    source, motion = striking(0.0)
    result = run(source, motion, target, feet=False)
    deepest = -lowest(target, result.motion).min()
    assert deepest > 0.08 * LEG
    assert -result.report.off_ground * LEG == pytest.approx(deepest, abs=1e-3 * LEG)
    assert any("in the ground, where the source's stands on it" in line for line in result.report.reasons())


@pytest.mark.parametrize(("heel", "level"), [(0.0, True), (0.01, True), (0.1, False)])
def test_a_boot_is_level_that_stands_on_more_than_its_tip(heel: float, level: bool) -> None:
    """0.12 of its 0.3 m are before the heel."""
    own = tread(booted(heel), FEET[0], TOES[0])
    assert own is not None
    assert own.is_level(0.02 * LEG) is level


def test_what_foot_and_toes_share_is_between_both() -> None:
    """A point 0.1 m before either joint: a foot that is tipped down by 30 degrees lowers it by 0.05 m, toes that are level do not."""
    figure = rigs.humanoid()
    foot, toes = FEET[0], TOES[0]
    still = forward(figure, np.arange(1.0), Local(np.zeros((1, len(figure), 3)), np.tile(quat.IDENTITY, (1, len(figure), 1))))
    rotations, positions = np.array(still.rotations), np.array(still.positions)
    rotations[:, foot] = quat.multiply(quat.about(np.array([1.0, 0, 0]), np.radians([30.0])), figure.quaternions[foot])
    positions[:, toes] = positions[:, foot]
    point = figure.heads[foot] + (0.0, -0.1, 0.0)
    moved = replace(still, rotations=rotations, positions=positions)
    toes_at_foot = replace(figure, rest=figure.rest.copy())
    toes_at_foot.rest[toes, :3, 3] = figure.rest[foot, :3, 3]
    for share, down in ((0.0, 0.05), (0.5, 0.025), (1.0, 0.0)):
        height = Tread(point[None], (foot, toes), np.array([share])).lowest(toes_at_foot, moved)
        assert height == pytest.approx(figure.heads[foot, 2] - down, abs=1e-6)


@pytest.mark.parametrize("tipped", [8.0, 12.0])
def test_feet_that_always_stand_aslant_are_on_the_ground_not_in_it(tipped: float) -> None:
    """A capture, a metre lower at rest than where it moves, stands all the time on feet that are tipped by so much more than at rest: what
    its toes are lower by is no depth to which the target's boots may be in the ground."""
    target, figure = booted(), rigs.rolled(1)
    at_rest = replace(figure, rest=figure.rest.copy())
    at_rest.rest[:, 2, 3] -= 1.0
    motion = tipping(figure, 0.0)
    rotations, positions = motion.rotations.copy(), motion.positions.copy()
    for foot in FEET:
        tip = quat.about(np.array([1.0, 0, 0]), np.radians([tipped]))
        for bone in (bone for bone in range(len(figure)) if figure.is_below(bone, foot)):
            rotations[:, bone] = quat.multiply(tip, motion.rotations[:, bone])
            positions[:, bone] = motion.positions[:, foot] + quat.rotate(tip, motion.positions[:, bone] - motion.positions[:, foot])
    moving = replace(motion, rotations=rotations, positions=positions)
    result = retarget(prepare(at_rest, target, WITHOUT_TOES, Options(feet=True), motion=moving), moving, 30.0, "clip")
    assert sinking(tipped) > 0.02 * LEG
    assert lowest(target, result.motion)[:, 0] == pytest.approx(np.zeros(FRAMES), abs=0.005 * LEG)
    assert result.report.is_good
