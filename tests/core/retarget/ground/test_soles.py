"""The last bones of legs have no joint to aim at: their soles stay level where both figures stand on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.figures.motion import Local
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.ground.soles import Sole, Soles, Toe
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import retarget
from retro_anim.core.retarget.setup import prepare

from .. import rigs
from . import stances

WITHOUT_TOES = BoneMap(tuple(pair for pair in rigs.SAME.pairs if not pair.role.endswith("Toes")))
UP = np.array([0.0, 0.0, 1.0])


def bent(seed: int = 4) -> Figure:
    """A character whose knees are bent at rest, as those of Little Big Adventure are, and whose feet are level nevertheless."""
    offsets = rigs.OFFSETS.copy()
    for side in ("left", "right"):
        offsets[rigs.NAMES.index(f"{side}LowerLeg")] = [0.0, -0.18, -0.38]
        offsets[rigs.NAMES.index(f"{side}Foot")] = [0.0, 0.2, -0.36]
        offsets[rigs.NAMES.index(f"{side}Toes")] = [0.0, -0.16, -0.02]
    return rigs.humanoid(rigs.random_rotations(seed), offsets)


def tilts(source: Figure, target: Figure, bone_map: BoneMap, part: str) -> list[float]:
    """Degrees by which the left and the right sole come away from how they are at the target's rest, in the aligned pose."""
    references = prepare(source, target, bone_map, Options()).references
    changed = quat.multiply(references, quat.conjugate(target.quaternions))
    ups: Floats = quat.rotate(changed, np.broadcast_to(UP, (len(target), 3)))
    bones = [target.names.index(f"{side}{part}") for side in ("left", "right")]
    return np.degrees(np.arccos(ups[bones, 2].clip(-1, 1))).tolist()


@pytest.mark.parametrize(("bone_map", "part"), [(WITHOUT_TOES, "Foot"), (rigs.SAME, "Toes")])
@pytest.mark.parametrize("one_is_bent", [True, False])
def test_soles_stay_level(bone_map: BoneMap, part: str, one_is_bent: bool) -> None:
    source, target = (bent(), rigs.rolled(2)) if one_is_bent else (rigs.rolled(2), bent())
    assert tilts(source, target, bone_map, part) == pytest.approx([0, 0], abs=1e-3)


def test_a_foot_off_the_ground_goes_with_its_shin() -> None:
    """Of a source that lies at rest nothing shows how its soles would stand: they are as the shins take them."""
    lying = stances.standing_as(rigs.rolled(2), stances.STANCES["lying on its back"])
    assert min(tilts(lying, bent(), WITHOUT_TOES, "Foot")) > 30


def test_limbs_point_as_before() -> None:
    source, target = rigs.rolled(3), bent()
    _, motion = rigs.dance(source, 20)
    for bone_map in (WITHOUT_TOES, rigs.SAME):
        assert retarget(prepare(source, target, bone_map, Options(feet=False)), motion, 30.0).report.limb_max < 1e-3


def test_one_who_hangs_upside_down_is_reported() -> None:
    source = rigs.rolled(2)
    flip = np.diag([1.0, -1.0, -1.0, 1.0])
    over = replace(source, world=flip @ source.world)
    _, motion = rigs.dance(over, 10, most=0.1)
    report = retarget(prepare(over, rigs.rolled(5), rigs.SAME, Options()), motion, 30.0).report
    assert any(
        "stands on its head" in line and "180° about X; " in line and line.endswith("has -Y up (--up=-Y)") for line in report.lines()
    )
    assert not report.is_good


@pytest.mark.parametrize(("about", "degrees", "up"), [("X", 90, "=-Z"), ("X", -90, " Z"), ("Y", 90, "=-X"), ("Y", -90, " X")])
def test_of_one_who_lies_what_brings_it_upright_is_said(about: str, degrees: int, up: str) -> None:
    """As a file is that has another axis up than it was opened with: with Y up its X, Y and Z are Blender's X, Z and -Y."""
    source, laid = rigs.rolled(2), np.eye(4)
    one, other = ((1, 2), (2, 0))["XY".index(about)]
    sine = -np.sign(degrees)  # laid down by the opposite
    laid[[one, other], [one, other]], laid[one, other], laid[other, one] = 0.0, -sine, sine
    lying = replace(source, world=laid @ source.world)
    _, motion = rigs.dance(lying, 10, most=0.1)
    report = retarget(prepare(lying, rigs.rolled(5), rigs.SAME, Options()), motion, 30.0).report
    axis = up.lstrip("= ")
    says = f"It stands if its object is rotated by {degrees}° about {about}; a file that was opened with Y up has {axis} up (--up{up})"
    assert any(line.endswith(says) for line in report.lines())
    assert not report.is_good


def test_toes_that_follow_nothing_bend_until_their_ends_are_on_the_ground() -> None:
    """A foot of which the toes are level at rest, 0.1 m long, and their joint is 0.05 m above the ground now: tipped by 60 degrees, and
    by 100, where it is beyond upright by a sine of 0.174, of 0.5 at which they no longer bend."""
    figure = rigs.humanoid()
    foot, bone, tipped = rigs.NAMES.index("leftFoot"), rigs.NAMES.index("leftToes"), np.radians([60.0, 100.0])
    arm, tip, level = np.array([0, -0.1, -0.1]), np.array([0, -0.1, 0]), np.zeros(2)
    still = Local(np.zeros((2, len(figure), 3)), np.tile(quat.IDENTITY, (2, len(figure), 1)))
    base = forward(figure, np.arange(2.0), still)
    rotations, positions = np.array(base.rotations), np.array(base.positions)
    change = quat.about(np.array([1.0, 0, 0]), tipped)
    rotations[:, foot] = quat.multiply(change, figure.quaternions[foot])
    positions[:, foot, 2] = 0.05 + 0.1 * (np.sin(tipped) + np.cos(tipped))
    soles = Soles(figure, {"leftFoot": Sole(foot, (Toe(bone, arm, tip, (0.0, 0.0)),), None, 0.0, level, level, level)}, np.ones(2, bool))
    result = soles.bent(replace(base, rotations=rotations, positions=positions), 1e-3)
    ends = quat.rotate(quat.multiply(result.rotations[bone], quat.conjugate(figure.quaternions[bone])), tip)
    beyond = np.radians(100 - 70 * (1 - np.sin(np.radians(10)) / 0.5))
    assert ends == pytest.approx(np.array([[0, -0.1 * np.cos(np.pi / 6), -0.05], [0, -0.1 * np.cos(beyond), -0.1 * np.sin(beyond)]]))
    assert result.clips[bone].tolist() == [True]
