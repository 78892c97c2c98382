"""Sources whose legs stand apart at rest: with soles that lean as the shins do, as those of captures, or with level ones, as bodies that
are made for games. What they do in the world is known beforehand: they stand upright on level soles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import Result, retarget
from retro_anim.core.retarget.setup import Poses, Setup, prepare

from .. import rigs
from ..ground import stances

STANDING = rigs.humanoid()
SPLAY = np.radians(20)
ENDS = ("Foot", "Toes")


def splayed(leaning: bool) -> Figure:
    """The same bones with legs opened to the sides at rest. leaning: whether their feet are opened with them."""
    offsets = np.array(rigs.OFFSETS)
    for row, name in enumerate(rigs.NAMES):
        if name.endswith(("LowerLeg", *ENDS) if leaning else ("LowerLeg", "Foot")):
            offsets[row] = opened(name) @ offsets[row]
    return rigs.humanoid(offsets=offsets)


def opened(name: str) -> Floats:
    """(3, 3) the rotation that opens a leg, which is to the left at +X."""
    return rotation_matrix.about(1, np.array(-SPLAY if name.startswith("left") else SPLAY))


def standing(leaning: bool, frames: int = 20, most: float = 0.1, rolled_by: float = 0.0) -> Motion:
    """A figure whose legs are opened at rest stands with them parallel, and moves its arms and trunk a little. rolled_by: radians by which
    its feet are rolled outwards, of one whose feet do not lean."""
    local, _ = rigs.dance(STANDING, frames, seed=5, most=most)
    local.rotations[:, [name.endswith(("Leg", *ENDS)) for name in rigs.NAMES]] = quat.IDENTITY
    local.rotations[:, rigs.NAMES.index("hips")] = quat.IDENTITY
    for name in rigs.NAMES:
        row = rigs.NAMES.index(name)
        if name.endswith("UpperLeg"):
            local.rotations[:, row] = quat.of_matrix(opened(name).T)
        elif name.endswith("Foot") and not leaning:
            side = -1.0 if name.startswith("left") else 1.0
            local.rotations[:, row] = quat.of_matrix(opened(name) @ rotation_matrix.about(1, np.array(side * rolled_by)))
    return forward(splayed(leaning), np.arange(1.0, frames + 1), local)


def followed(leaning: bool, motion: Motion, poses: Poses | None = None) -> tuple[Setup, Result]:
    setup = prepare(splayed(leaning), STANDING, rigs.SAME, Options(feet=False, floor="REST"), poses, motion)
    return setup, retarget(setup, motion, 30.0, "stands")


def rolled(result: Result, part: str) -> float:
    """Degrees by which the target's soles, level at its rest, are rolled, at most."""
    rows = [rigs.NAMES.index(side + part) for side in ("left", "right")]
    up = quat.rotate(result.motion.rotations[:, rows], np.array([0.0, 0, 1]))  # the bones' axes are the world's at rest
    return float(np.degrees(np.arccos(up[..., 2].clip(-1, 1))).max())


@pytest.mark.parametrize("part", ENDS)
@pytest.mark.parametrize("yaw", [0, 90])
def test_feet_that_are_rolled_at_rest_stand_on_level_soles(yaw: int, part: str) -> None:
    """By 15 degrees, to the other side than the shins lean, as in a rest pose that was made anew: they are rolled back where they stand.
    That moves their toes a little, which the target's follow."""
    motion = standing(False, 40, rolled_by=np.radians(15))
    _, result = followed(False, stances.about_z(motion, yaw) if yaw else motion)
    assert rolled(result, part) < 1


@pytest.mark.parametrize("leaning", [False, True])
@pytest.mark.parametrize("part", ENDS)
@pytest.mark.parametrize("yaw", [0, 90])
def test_who_stands_stands_on_level_soles(leaning: bool, part: str, yaw: int) -> None:
    motion = standing(leaning)
    setup, result = followed(leaning, stances.about_z(motion, yaw) if yaw else motion)
    assert set(setup.soles) == ({side + part for side in ("left", "right") for part in ENDS} if leaning else set())
    assert rolled(result, part) < 0.01


@pytest.mark.parametrize("leaning", [False, True])
def test_a_figure_is_copied_onto_itself(leaning: bool) -> None:
    motion, figure = standing(leaning), splayed(leaning)
    result = retarget(prepare(figure, figure, rigs.SAME, Options(feet=False, floor="REST"), motion=motion), motion, 30.0, "stands")
    away = quat.multiply(result.motion.rotations, quat.conjugate(motion.rotations))
    assert np.degrees(quat.angle(away)).max() < 1e-4


@pytest.mark.parametrize("frames", [40, 20])
def test_toes_that_are_bent_in_a_step_that_serves_as_rest(frames: int) -> None:
    """They are level where they stand; a clip that is too short shows nothing, and then they are taken to be level at rest."""
    motion = standing(True, frames)
    rows = [rigs.NAMES.index(f"{side}Toes") for side in ("left", "right")]
    motion.rotations[:, rows] = quat.multiply(motion.rotations[:, rows], quat.about(np.array([1.0, 0, 0]), np.radians(-35.0)))
    assert rolled(followed(True, motion)[1], "Toes") == pytest.approx(0 if frames == 40 else 35, abs=0.01 if frames == 40 else 3)


def test_feet_without_toes_are_level_where_they_stand() -> None:
    bone_map = BoneMap(tuple(pair for pair in rigs.SAME.pairs if not pair.source.endswith("Toes")))
    motion = standing(True)
    setup = prepare(splayed(True), STANDING, bone_map, Options(feet=False, floor="REST"), None, motion)
    assert rolled(retarget(setup, motion, 30.0, "stands"), "Foot") < 0.01


def test_one_who_lies_says_nothing() -> None:
    motion = standing(True)
    onto_its_back = quat.about(np.array([1.0, 0, 0]), np.array(-np.pi / 2))
    lying = forward(splayed(True), motion.frames, Local(np.zeros_like(motion.positions), as_local(motion, onto_its_back)))
    assert not followed(True, lying)[0].soles


def as_local(motion: Motion, first: Floats) -> Floats:
    """(F, B, 4) channels of a figure whose bones have the world's axes at rest, rotated as a whole before."""
    own = np.array(motion.rotations)
    for row, above in enumerate(rigs.PARENTS):
        if above >= 0:
            own[:, row] = quat.multiply(quat.conjugate(motion.rotations[:, above]), motion.rotations[:, row])
    own[:, 0] = quat.multiply(first, own[:, 0])
    return own


def test_a_pose_that_is_given_is_taken_to_have_level_soles() -> None:
    motion = standing(True)
    setup, result = followed(True, motion, Poses(motion.at(np.array([0]))))
    assert not setup.soles and rolled(result, "Foot") < 0.01


def test_clips_of_one_source_that_show_it_differently_are_not_taken_together() -> None:
    one = standing(True)
    setup, _ = followed(True, one)
    source = setup.binding.source
    assert setup.suits(source, setup.poses, one)
    lean = np.array(one.rotations)
    for side in ("left", "right"):
        row = rigs.NAMES.index(f"{side}Foot")
        lean[:, row] = quat.multiply(quat.of_matrix(opened(side)), lean[:, row])
    assert not setup.suits(source, setup.poses, replace(one, rotations=lean))
