"""Sources whose rest pose is folded together, as public captures have it: all bones along one axis, legs beside the trunk. What they do in
the world is known beforehand, and so is what a target must do that stands in a T-pose at rest."""

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
from retro_anim.core.retarget.options import Align, Options
from retro_anim.core.retarget.retarget import Result, retarget
from retro_anim.core.retarget.setup import Poses, prepare
from retro_anim.core.retarget.transfer.alignment import stance
from retro_anim.core.retarget.transfer.binding import Binding, bind

from .. import rigs
from ..ground import stances

STANDING = rigs.humanoid()
AXES = {"x": 0, "y": 1, "z": 2}


def folded(axis: int) -> tuple[Figure, Floats]:
    """The same joints with all bones along an axis at rest, and (B, 3, 3) the rotations from there to where they are in the T-pose."""
    along = np.eye(3)[axis]
    tips = [rigs.OFFSETS[np.flatnonzero(bone == rigs.PARENTS)] for bone in range(len(rigs.NAMES))]
    directions = [each[0] if len(each) else rigs.OFFSETS[bone] for bone, each in enumerate(tips)]
    unfolding = np.array([_onto(along, each) for each in directions])
    parents = rigs.PARENTS
    offsets = np.array(
        [(unfolding[above].T if above >= 0 else np.eye(3)) @ offset for offset, above in zip(rigs.OFFSETS, parents, strict=True)]
    )
    return rigs.humanoid(offsets=offsets), unfolding


def _onto(start: Floats, end: Floats) -> Floats:
    """The rotation from one direction to another, and some way about that."""
    end = end / np.linalg.norm(end)
    across = np.cross(start, end)
    if np.linalg.norm(across) < 1e-6:
        across = np.eye(3)[(int(np.abs(start).argmax()) + 1) % 3]
    angle = np.arctan2(np.linalg.norm(np.cross(start, end)), start @ end)
    rotation = rotation_matrix.from_axis_angle(np.array([angle, *across]))
    return rotation_matrix.from_axis_angle(np.array([0.4, *end])) @ rotation


def walk(frames: int = 30) -> Motion:
    """The T-posed figure dances with arms and legs. At first its legs stand as at rest, and in the tenth frame its arms, too."""
    local, _ = rigs.dance(STANDING, frames, seed=3, most=0.5)
    local.rotations[9] = quat.IDENTITY
    local.rotations[:10, [name.endswith(("Leg", "Foot", "Toes")) for name in rigs.NAMES]] = quat.IDENTITY
    local.rotations[:, [not name.startswith(("left", "right")) for name in rigs.NAMES]] = quat.IDENTITY
    local.locations[10:, 0, 2] += 0.3
    return forward(STANDING, np.arange(1.0, frames + 1), local)


def of_folded(motion: Motion, unfolding: Floats) -> Motion:
    """The same motion of the figure that is folded at rest."""
    rotations = quat.multiply(motion.rotations, quat.of_matrix(unfolding))
    return replace(motion, rotations=rotations)


def followed(source: Figure, motion: Motion, align: Align = "AUTO", poses: Poses | None = None, target: Figure = STANDING) -> Result:
    setup = prepare(source, target, rigs.SAME, Options(align=align, feet=False, floor="REST"), poses, motion)
    return retarget(setup, motion, 30.0, "walk")


def apart(result: Result, motion: Motion) -> float:
    """Degrees by which the target's bones are rotated otherwise than they should be, at most."""
    return float(np.degrees(quat.angle(quat.multiply(result.motion.rotations, quat.conjugate(motion.rotations)))).max())


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("align", ["AUTO", "TPOSE"])
def test_a_frame_in_which_it_stands_serves_instead_of_a_folded_rest_pose(axis: str, align: Align) -> None:
    figure, unfolding = folded(AXES[axis])
    motion = walk()
    result = followed(figure, of_folded(motion, unfolding), align)
    assert apart(result, motion) < (0.01 if align == "AUTO" else 15)  # the T-pose of the option is not that of the figure
    assert any("its frame 10 serves as its reference pose" in line for line in result.report.lines())
    assert not any("folded" in line for line in result.report.asking)


def test_what_is_folded_says_nothing_of_where_one_faces() -> None:
    """At rest the hips are exactly a quarter turn from where the target's are."""
    figure, unfolding = folded(0)
    line = figure.heads[figure.index["leftUpperLeg"]] - figure.heads[figure.index["rightUpperLeg"]]
    assert abs(line[0]) < 0.5 * np.linalg.norm(line)
    motion = stances.about_z(walk(), 30)
    result = followed(figure, of_folded(motion, unfolding))
    assert result.report.yaw == 0
    assert apart(result, motion) < 0.01


def test_the_path_stays_where_it_is() -> None:
    figure, unfolding = folded(1)
    motion = walk()
    result, same = followed(figure, of_folded(motion, unfolding)), followed(STANDING, motion)
    path, wanted = (each.motion.positions[:, rigs.NAMES.index("hips"), :2] for each in (result, same))
    np.testing.assert_allclose(path, wanted, atol=1e-6)


def test_a_pose_that_is_given_is_asked_before_the_motion() -> None:
    figure, unfolding = folded(0)
    motion = of_folded(walk(), unfolding)
    result = followed(figure, motion, poses=Poses(motion.at(np.array([20]))))
    assert not any("folded" in line for line in result.report.lines())


def test_a_target_that_is_folded_asks_for_a_pose() -> None:
    figure, _ = folded(0)
    result = followed(STANDING, walk(), target=figure)
    assert any(line.startswith("the target is folded together at rest") for line in result.report.asking)


def test_of_two_that_are_folded_the_target_asks_for_a_pose_all_the_same() -> None:
    figure, unfolding = folded(0)
    result = followed(figure, of_folded(walk(), unfolding), target=figure)
    assert any("serves as its reference pose" in line for line in result.report.lines())
    assert any(line.startswith("the target is folded together at rest") for line in result.report.asking)


def test_arms_alone_need_no_hips() -> None:
    """A map of the arms of a body, one of which goes through it at rest."""
    figure = rigs.humanoid(offsets=through_the_body())
    arms = replace(rigs.SAME, pairs=tuple(pair for pair in rigs.SAME.pairs if pair.target.endswith(("Arm", "Hand"))))
    setup = prepare(figure, STANDING, arms, Options(), motion=walk())
    assert setup.stands is not None


def test_one_arm_through_the_body_is_no_rest_pose() -> None:
    assert stance.is_folded(bound(rigs.humanoid(offsets=through_the_body())), "source")


def through_the_body() -> Floats:
    offsets = np.array(rigs.OFFSETS)
    for part in ("LowerArm", "Hand"):
        offsets[rigs.NAMES.index(f"right{part}")] *= (-1, 1, 1)
    return offsets


@pytest.mark.parametrize("name", stances.STANCES)
def test_whoever_stands_sits_or_lies_is_not_folded(name: str) -> None:
    assert not stance.is_folded(bound(stances.standing_as(STANDING, stances.STANCES[name])), "source")


def bound(figure: Figure) -> Binding:
    return bind(rigs.SAME, figure, STANDING, figure.heads)


def shortened(names: tuple[str, ...]) -> BoneMap:
    return replace(rigs.SAME, pairs=tuple(pair for pair in rigs.SAME.pairs if not pair.target.endswith(names)))


@pytest.mark.parametrize("without", [("Hand", "Proximal"), ("Toes",)])
def test_the_last_bone_of_a_limb_is_not_bent_as_in_the_frame_that_serves(without: tuple[str, ...]) -> None:
    """In no frame elbows are straight, and one foot is tipped in the frame that is nearest to the T-pose; each is down in others."""
    bone_map = shortened(without)
    figure, unfolding = folded(0)
    local = Local(np.zeros((30, len(rigs.NAMES), 3)), np.tile(quat.IDENTITY, (30, len(rigs.NAMES), 1)))
    tipped = quat.about(np.array([1.0, 0, 0]), np.array(0.5))
    for side, lifted in (("left", slice(0, 15)), ("right", slice(15, 30))):
        bent = rotation_matrix.from_axis_angle(np.array([0.6, 0, 0, 1.0 if side == "left" else -1.0]))
        local.rotations[:, rigs.NAMES.index(f"{side}LowerArm")] = quat.of_matrix(bent)
        for part in ("UpperLeg", "Foot"):
            local.rotations[lifted, rigs.NAMES.index(side + part)] = tipped
    motion = forward(STANDING, np.arange(1.0, 31), local)
    setup = prepare(figure, STANDING, bone_map, Options(feet=False, floor="REST"), motion=(source := of_folded(motion, unfolding)))
    result = retarget(setup, source, 30.0, "walk")
    ends = [rigs.NAMES.index(side + ("LowerArm" if "Hand" in without else "Foot")) for side in ("left", "right")]
    off = quat.multiply(result.motion.rotations[:, ends], quat.conjugate(motion.rotations[:, ends]))
    assert np.degrees(quat.angle(off)).max() < (9 if "Hand" in without else 0.01)  # the elbow of the T-pose is bent by 8.8
