"""What a pair's options ask for: rotations relative to the parent's, in the world or not at all, and locations, about axes of the world."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, PairOptions
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer.solve import Wanted
from retro_anim.core.retarget.wanted import deltas_of, wanted_of

from . import rigs

BODY = rigs.humanoid(rigs.random_rotations(5))
HEAD, NECK = BODY.index["head"], BODY.index["neck"]


def about_z(degrees: float) -> Floats:
    return quat.about(np.array([0.0, 0, 1]), np.radians(degrees))


def wanted(options: PairOptions, bone: str = "head", sizes: bool = False, yaw: float = 0.0, known: bool = False) -> Wanted:
    """Where the neck looks 20 degrees to the left in the second frame, the head 50 degrees, which is then 1 cm above where the neck carries
    it, and the hips 1 cm ahead. bone: whose options these are. yaw: degrees that the target looks further to the left. known: whether
    where the head shall be is known already."""
    rest = rest_motion(BODY)
    rotations, positions = np.tile(BODY.quaternions, (2, 1, 1)), np.tile(BODY.heads, (2, 1, 1))
    for rotated, degrees in ((NECK, 20), (HEAD, 50)):
        rotations[1, rotated] = quat.multiply(about_z(degrees), rotations[1, rotated])
    positions[1, HEAD] = BODY.heads[NECK] + quat.rotate(about_z(20), BODY.heads[HEAD] - BODY.heads[NECK] + [0, 0, 0.01])
    positions[1, BODY.index["hips"], 1] += 0.01
    grown = np.ones((2, len(BODY), 3)) + np.arange(2)[:, None, None] * np.arange(len(BODY))[None, :, None] if sizes else None
    motion = Motion(np.arange(1.0, 3.0), rotations, positions, grown, rest.standing)
    pairs = [replace(pair, options=options) if pair.source == bone else pair for pair in rigs.SAME]
    world = np.eye(4)
    world[:3, :3] = rotation_matrix.about(2, np.array(np.radians(yaw)))
    setup = prepare(BODY, replace(BODY, world=world), BoneMap(tuple(pairs)), Options(feet=False))
    return wanted_of(setup, motion, deltas_of(setup, motion), {HEAD: np.ones((2, 3))} if known else {})


@pytest.mark.parametrize("yaw", [0.0, 90.0])
@pytest.mark.parametrize("weight", [1.0, 0.5])
def test_a_rotation_may_be_relative_to_the_parent(yaw: float, weight: float) -> None:
    """30 degrees of 50, wherever the target looks; in the world it has none then."""
    local = wanted(PairOptions(space="LOCAL", weight=weight), yaw=yaw)
    assert set(local.locals) == {HEAD} and HEAD not in local.rotations and NECK in local.rotations
    assert local.locals[HEAD] == pytest.approx(np.stack([about_z(0), about_z(30 * weight)]), abs=1e-6)
    plain = wanted(PairOptions(weight=weight), yaw=yaw)
    assert not plain.locals and HEAD in plain.rotations
    reference = quat.multiply(about_z(yaw), BODY.quaternions[HEAD])
    away = quat.multiply(plain.rotations[HEAD], quat.conjugate(reference))
    assert np.degrees(quat.apart(away, np.stack([about_z(0), about_z(50 * weight)]))) == pytest.approx([0, 0], abs=1e-4)


@pytest.mark.parametrize("space", ["WORLD", "LOCAL"])
def test_a_bone_may_be_left_to_its_parent(space: Any) -> None:
    left = wanted(PairOptions(space=space, rotation="NONE"))
    assert HEAD not in left.rotations and not left.locals and NECK in left.rotations


@pytest.mark.parametrize("yaw", [0.0, 90.0])
def test_a_location_is_what_the_parent_does_not_carry(yaw: float) -> None:
    """A bone without a parent is away from its rest; where a bone shall be otherwise counts before."""
    assert not wanted(PairOptions(), yaw=yaw).shifts
    shifts = wanted(PairOptions(location=True), yaw=yaw).shifts
    assert set(shifts) == {HEAD} and shifts[HEAD] == pytest.approx(np.array([[0, 0, 0], [0, 0, 0.01]]), abs=1e-7)
    hips = wanted(PairOptions(location=True), "hips", yaw=yaw).shifts
    ahead = [0, 0.01, 0] if not yaw else [-0.01, 0, 0]
    assert hips[BODY.index["hips"]] == pytest.approx(np.array([[0, 0, 0], ahead]), abs=1e-7)
    known = wanted(PairOptions(location=True), known=True)
    assert not known.shifts and set(known.positions) == {HEAD}


def test_a_size_is_the_source_bone_s_if_it_is_asked_for() -> None:
    assert not wanted(PairOptions(), sizes=True).sizes and not wanted(PairOptions(scale=True)).sizes
    sizes = wanted(PairOptions(scale=True), sizes=True).sizes
    assert set(sizes) == {HEAD} and sizes[HEAD] == pytest.approx(np.array([[1.0] * 3, [1.0 + HEAD] * 3]))
