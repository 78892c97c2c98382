"""Rest axes that are not at right angles: limbs point as the source's in what Blender makes of the keys, pose_b = pose_parent *
rest_parent^-1 * rest_b * basis_b with the matrices as they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer import shear

from .. import rigs

_DOWN = (("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot"), ("UpperArm", "LowerArm"))
LIMBS = [(side + one, side + other) for side in ("left", "right") for one, other in _DOWN] + [("neck", "head")]


def sheared(*bones: str, most: float = 6e-5) -> Figure:
    figure = rigs.humanoid(rigs.random_rotations(8))
    rest = np.array(figure.rest)
    for bone in bones:
        rest[rigs.NAMES.index(bone), :3, :3] @= np.eye(3) + most * np.array([[0.0, 1, -1], [0, 0, 1], [0, 0, 0]])
    return replace(figure, rest=rest)


def shown(figure: Figure, result: retarget.Result) -> Floats:
    """(F, B, 3) heads by the keys."""
    count = len(result.motion.frames)
    basis = np.tile(np.eye(4), (count, len(figure), 1, 1))
    for block in result.keys:
        bone = figure.index[block.channels[0].bone]
        if block.channels[0].property == "location":
            basis[:, bone, :3, 3] = block.values.T
        else:
            basis[:, bone, :3, :3] = rotation_matrix.from_quaternion(block.values.T / np.linalg.norm(block.values, axis=0)[:, None])
    poses = np.empty_like(basis)
    for bone, parent in enumerate(figure.parents.tolist()):
        above = poses[:, parent] @ np.linalg.inv(figure.rest[parent]) if parent >= 0 else np.eye(4)
        poses[:, bone] = above @ figure.rest[bone] @ basis[:, bone]
    return poses[..., :3, 3]


def run(figure: Figure, source: Figure, motion: Motion) -> retarget.Result:
    setup = prepare(source, figure, rigs.SAME, Options(feet=False, floor="REST"), motion=motion)
    return retarget.retarget(setup, motion, 30.0)


def off(figure: Figure, source: Figure, motion: Motion) -> float:
    """Degrees at most between limbs of both."""
    result = run(figure, source, motion)
    heads, worst = shown(figure, result), 0.0
    for start, end in LIMBS:
        lines = [positions[:, rigs.NAMES.index(end)] - positions[:, rigs.NAMES.index(start)] for positions in (heads, motion.positions)]
        one, other = (line / np.linalg.norm(line, axis=1, keepdims=True) for line in lines)
        worst = max(worst, float(np.degrees(np.linalg.norm(one - other, axis=1)).max()))
    return worst


@pytest.mark.parametrize("bones", [("hips",), ("leftUpperLeg", "rightLowerLeg"), ("upperChest", "neck", "leftShoulder")])
def test_limbs_point_as_the_source_s(monkeypatch: pytest.MonkeyPatch, bones: tuple[str, ...]) -> None:
    source = rigs.rolled(1)
    _, motion = rigs.dance(source)
    figure = sheared(*bones)
    assert shear.is_sheared(figure)
    assert off(figure, source, motion) < 1e-4
    monkeypatch.setattr(shear, "unbent", lambda *given: None)
    assert off(figure, source, motion) > 5e-4


def test_straight_axes_are_left_alone() -> None:
    assert not shear.is_sheared(sheared("hips", most=1e-6))
    assert not shear.is_sheared(sheared("head"))  # which carries nothing


def test_bones_that_do_not_inherit_rotations_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    source = rigs.rolled(1)
    _, motion = rigs.dance(source)
    loose = replace(sheared("leftUpperLeg"), hinged=np.array([name == "neck" for name in rigs.NAMES]))
    keys = run(loose, source, motion).keys
    monkeypatch.setattr(shear, "unbent", lambda *given: None)
    for one, other in zip(keys, run(loose, source, motion).keys, strict=True):
        np.testing.assert_array_equal(one.values, other.values)


def test_axes_that_are_none_are_left_alone() -> None:
    """Of a bone without a length, between others that are bent."""
    figure = sheared("spine")
    assert shear.is_sheared(figure)
    rest = np.array(figure.rest)
    rest[rigs.NAMES.index("hips"), :3, 1] = 0
    assert not shear.is_sheared(replace(figure, rest=rest))
