"""What a report measures, on motions made by hand whose measures are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.reports import measures
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer.binding import bind

from .. import rigs

SETUP = prepare(rigs.humanoid(), rigs.humanoid(), rigs.SAME, Options())


def danced(frames: int) -> Motion:
    return rigs.dance(rigs.humanoid(), frames)[1].whole()


def test_limbs_are_measured_in_the_directions_that_they_have_in_the_target_s_world() -> None:
    """There the source faces another way: what rotates with it is no error, and what does not is one."""
    source, quarter = danced(8), rigs.yawed(np.pi / 2)[:3, :3]
    target = replace(source, positions=source.positions @ quarter.T)
    rows = measures.limb_rows(SETUP.binding)
    errors = measures.limb_errors(SETUP.binding, source, target, quarter, None, rows)
    assert len(rows) > 8 and max(each.max() for each in errors.values()) < 1e-4
    assert min(each.max() for each in measures.limb_errors(SETUP.binding, source, source, quarter, None, rows).values()) > 1


def test_a_hand_that_stands_for_two_bones_is_no_end_of_a_limb() -> None:
    """Its joint has no counterpart; shins, and the other arm, have."""
    pairs = tuple(pair for pair in rigs.SAME.pairs if not pair.source.startswith(("leftHand", "leftIndex", "leftLittle")))
    chain = Chain(("leftHand", "leftIndexProximal"), ("leftHand",), "leftHand")
    figure = rigs.humanoid()
    binding = bind(BoneMap(pairs, (chain,)), figure, figure, figure.heads)
    roles = {(binding.followers[first].role, binding.followers[second].role) for first, second in measures.role_limbs(binding)}
    assert roles & {("rightLowerArm", "rightHand"), ("leftUpperArm", "leftLowerArm"), ("leftLowerArm", "leftHand")} == {
        ("rightLowerArm", "rightHand"),
        ("leftUpperArm", "leftLowerArm"),
    }


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_rotation_beyond_the_source_s_is_counted_from_two_frames_on(frames: int) -> None:
    """The target's hips rotate by 20 degrees more into the second frame."""
    source = danced(frames)
    hips, still = rigs.NAMES.index("hips"), source.rotations.copy()
    still[:] = still[:1]
    rotations = still.copy()
    rotations[1:, hips] = quat.multiply(quat.about(np.array([0.0, 0.0, 1.0]), np.radians(20.0)), rotations[1:, hips])
    source, target = replace(source, rotations=still), replace(source, rotations=rotations)
    excess = measures.rotation_excess(SETUP.binding, source, target, {hips}, {})
    assert excess == pytest.approx([20.0 if frames > 1 else 0.0], abs=1e-6)
