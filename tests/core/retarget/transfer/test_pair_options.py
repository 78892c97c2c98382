"""What a pair's options let through of a rotation: a swing after a twist about the bone's own Y axis, in numbers made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, PairOptions, RotationMode
from retro_anim.core.retarget.figures.motion import Local, Motion, rest_motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import retarget
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer.transfer import with_options

from .. import rigs

X, Y, Z = np.eye(3)


def about(axis: Floats, degrees: float) -> Floats:
    return quat.about(axis, np.radians(degrees))


@pytest.mark.parametrize(
    ("rotation", "weight", "swung", "twisted"),
    [("ALL", 1, 40, 30), ("SWING", 1, 40, 0), ("TWIST", 1, 0, 30), ("SWING", 0, 0, 0), ("TWIST", 0, 0, 0)],
)
@pytest.mark.parametrize(
    ("reference", "along", "beside"), [(quat.IDENTITY, Y, X), (about(Z, 90), -X, Z), (about(X, 90), Z, Y), (about(X, -90), -Z, X)]
)
def test_parts_of_a_rotation(
    rotation: RotationMode, weight: float, swung: float, twisted: float, reference: Floats, along: Floats, beside: Floats
) -> None:
    """reference: how the bone stands. along: where its Y axis points then. beside: across it. 40 degrees of swing after 30 of twist."""
    delta = quat.multiply(about(beside, 40), about(along, 30))[None]
    result = with_options(PairOptions(rotation=rotation, weight=weight), delta, reference)
    wanted = quat.multiply(quat.multiply(about(beside, swung), about(along, twisted)), reference)
    assert np.degrees(quat.apart(result, wanted)) == pytest.approx([0], abs=1e-5)


def test_less_of_a_rotation_goes_on_over_half_a_turn() -> None:
    """By 300 degrees and back in one clip, by 100 in the next one: half of them, where the shorter direction would jump."""
    degrees = np.concatenate([np.linspace(0, 300, 60), np.linspace(300, 0, 60), np.linspace(100, 0, 9)])
    result = with_options(PairOptions(weight=0.5), quat.about(Y, np.radians(degrees)), about(X, 90), (0, 120))
    wanted = quat.multiply(quat.about(Y, np.radians(degrees / 2)), about(X, 90))
    assert np.degrees(quat.apart(result, wanted)).max() < 1e-5


@pytest.mark.parametrize(("rotation", "rotates"), [("ALL", True), ("SWING", False), ("TWIST", True)])
def test_a_bone_that_is_twisted_follows_as_its_pair_says(rotation: RotationMode, rotates: bool) -> None:
    """A head that rotates by 30 degrees about its own Y axis."""
    body = rigs.humanoid(rigs.random_rotations(5))
    head = body.index["head"]
    rest = rest_motion(body)
    rotations = np.tile(body.quaternions, (2, 1, 1))
    rotations[1, head] = quat.multiply(rotations[1, head], about(Y, 30))
    motion = Motion(np.arange(1.0, 3.0), rotations, np.tile(body.heads, (2, 1, 1)), None, rest.standing)
    pairs = [replace(pair, options=PairOptions(rotation=rotation)) if pair.source == "head" else pair for pair in rigs.SAME]
    after = retarget(prepare(body, body, BoneMap(tuple(pairs)), Options(feet=False)), motion, 24.0).motion.rotations
    assert np.degrees(quat.apart(after[:, head], body.quaternions[head])) == pytest.approx([0, 30 * rotates], abs=1e-4)


def test_in_the_mirror_a_line_follows_the_bone_of_the_other_side() -> None:
    """All that its options take over: the rotation against the parent, the location and the scale. Of bones whose axes are the world's."""
    body = rigs.humanoid()
    left, right = body.index["leftHand"], body.index["rightHand"]
    rotation = quat.multiply(about(Z, 50), about(X, 20))
    own = Local(np.zeros((2, len(body), 3)), np.tile(quat.IDENTITY, (2, len(body), 1)), np.ones((2, len(body), 3)))
    own.rotations[1, right], own.locations[1, right] = rotation, (0.1, 0.2, 0.3)
    assert own.sizes is not None
    own.sizes[1, right] = 1, 2, 1
    options = PairOptions(space="LOCAL", location=True, scale=True)
    pairs = tuple(replace(pair, options=options) if pair.target in ("leftHand", "rightHand") else pair for pair in rigs.SAME.pairs)
    setup = prepare(body, body, replace(rigs.SAME, pairs=pairs), Options(feet=False, floor="REST", mirror=True))
    local = retarget(setup, forward(body, np.arange(2.0), own), 30.0, "clip").local
    assert local.sizes is not None
    assert local.rotations[1, left] == pytest.approx(rotation * [1, 1, -1, -1], abs=1e-6)
    assert local.locations[1, left] == pytest.approx([-0.1, 0.2, 0.3], abs=1e-6)
    assert local.sizes[1, left] == pytest.approx([1, 2, 1])
    assert local.rotations[1, right] == pytest.approx(quat.IDENTITY, abs=1e-6)
    assert local.locations[1, right] == pytest.approx([0, 0, 0], abs=1e-6)
    assert local.sizes[1, right] == pytest.approx([1, 1, 1])
