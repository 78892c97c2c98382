"""What is the same for all clips of a source, of persons whose limbs are rotated by given angles at rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.reporting.errors import RetroAnimError
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Pair
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import Poses, Setup, prepare

from .transfer.persons import NAMES, PERSON, Joints, about, figure, moving, rotated, yawed

PLAIN = figure()
AUTO, REST, TPOSE, POSE = Options(), Options(align="REST"), Options(align="TPOSE"), Options(align="POSE")
ARMS = ("LowerArm", "Hand")


def mapped(without: Callable[[str], bool] = lambda name: False) -> BoneMap:
    return BoneMap(tuple(Pair(name, name, role=name) for name in NAMES if not without(name)))


SAME = mapped()


def hanging(degrees: float, joints: Joints = PERSON) -> Joints:
    """With both arms down by so much from straight out."""
    for side, sign in (("left", 1), ("right", -1)):
        names = [side + part for part in ARMS]
        joints = rotated(about(1, sign * degrees), names.__contains__, joints, f"{side}UpperArm")
    return joints


def opened(degrees: float, joints: Joints = PERSON) -> Joints:
    """With both legs to the sides, and all that is on them."""
    for side, sign in (("left", -1), ("right", 1)):
        names = [side + part for part in ("LowerLeg", "Foot", "Toes")]
        joints = rotated(about(1, sign * degrees), names.__contains__, joints, f"{side}UpperLeg")
    return joints


FOLDED = rotated(about(0, 180), lambda name: name.endswith(("LowerLeg", "Foot", "Toes")), center="leftUpperLeg")


def scaled(joints: Joints, size: float) -> Joints:
    return {name: size * joint for name, joint in joints.items()}


def posed_bone(name: str, axis: int, degrees: float, frames: int = 1, joints: Joints = PERSON) -> Motion:
    """Frames of a person one of whose bones is rotated, with joints where they are."""
    rotations = np.tile(quat.IDENTITY, (frames, len(NAMES), 1))
    rotations[:, NAMES.index(name)] = quat.of_matrix(about(axis, degrees))
    return moving([joints] * frames, rotations)


def matrix_of(setup: Setup, name: str) -> Floats:
    """(3, 3) of a target bone in the reference pose."""
    return np.stack([quat.rotate(setup.references[NAMES.index(name)], axis) for axis in np.eye(3)], axis=1)


def test_metres_of_the_target_a_metre_of_the_source() -> None:
    """As the legs are long, unless it is given."""
    large = figure(scaled(PERSON, 3.0))
    assert prepare(PLAIN, large, SAME, AUTO).factor == pytest.approx(3)
    assert prepare(large, PLAIN, SAME, AUTO).factor == pytest.approx(1 / 3)
    assert prepare(PLAIN, large, SAME, Options(scale=0.7)).factor == 0.7


def test_a_map_of_which_nothing_is_there_is_refused() -> None:
    with pytest.raises(RetroAnimError, match="no bone pair"):
        prepare(PLAIN, PLAIN, BoneMap((Pair("a", "b"),)), AUTO)


def test_hips_that_a_bone_above_carries_are_held_fast() -> None:
    """Where both follow one bone of the source; no other bone is, but those that were."""
    below = figure(below="root")
    below = replace(below, fixed=np.array([name == "head" for name in below.names]))
    both = BoneMap((Pair("hips", "root", role="root"), *SAME.pairs))
    fixed = prepare(PLAIN, below, both, AUTO).binding.target.fixed
    assert [name for name, each in zip(below.names, fixed.tolist(), strict=True) if each] == ["hips", "head"]
    assert not prepare(PLAIN, PLAIN, SAME, AUTO).binding.target.fixed.any()


def test_a_target_is_rotated_to_where_the_source_points() -> None:
    """Arms hang by 50 degrees in the source, by 20 in the target; each in its own world."""
    setup = prepare(figure(hanging(50)), figure(hanging(20)), SAME, AUTO)
    assert matrix_of(setup, "leftUpperArm") @ about(1, 20) @ [1, 0, 0] == pytest.approx(about(1, 50) @ [1, 0, 0])
    assert matrix_of(setup, "rightLowerArm") @ about(1, -20) @ [-1, 0, 0] == pytest.approx(about(1, -50) @ [-1, 0, 0])
    yaw = prepare(figure(yawed(90, hanging(50))), figure(hanging(20)), SAME, AUTO)
    assert np.degrees(yaw.facing.yaw) == pytest.approx(-90) and yaw.frame == pytest.approx(about(2, -90))
    assert yaw.references == pytest.approx(setup.references)
    assert setup.source_rotations == pytest.approx(np.tile(quat.IDENTITY, (len(NAMES), 1))) and setup.poses.source is None


def test_poses_that_stand_alike_are_taken_as_they_are() -> None:
    """At rest, as the object stands; or a pose of the target's, if poses are asked for."""
    world = np.eye(4)
    world[:3, :3] = about(2, 90)
    target = figure(hanging(20), world)
    plain = np.tile(quat.of_matrix(about(2, 90)), (len(NAMES), 1))
    pose = posed_bone("leftUpperArm", 1, 33)
    for options, poses in ((REST, Poses()), (REST, Poses(None, pose)), (POSE, Poses())):
        assert prepare(figure(hanging(50)), target, SAME, options, poses).references == pytest.approx(plain)
    posed = prepare(figure(hanging(50)), target, SAME, POSE, Poses(None, pose))
    assert posed.references == pytest.approx(pose.rotations[0])


def test_a_pose_of_the_source_is_what_its_rotations_count_from() -> None:
    """Its joints and the ends of its bones."""
    pose = posed_bone("leftHand", 0, 90, joints=hanging(30))
    setup = prepare(PLAIN, figure(hanging(20)), SAME, AUTO, Poses(pose))
    assert np.array_equal(setup.source_rotations, pose.rotations[0]) and np.array_equal(setup.source_positions, pose.positions[0])
    assert matrix_of(setup, "leftUpperArm") @ about(1, 20) @ [1, 0, 0] == pytest.approx(about(1, 30) @ [1, 0, 0])
    hand = NAMES.index("leftHand")
    assert setup.binding.tails[hand] == pytest.approx(pose.positions[0, hand] + np.array([0, 0, 0.1]))
    assert setup.binding.tails[0] == pytest.approx(PERSON["hips"] + np.array([0, 0.1, 0]))


@pytest.mark.parametrize("faces", [0.0, 90.0])
def test_of_a_t_pose_both_have_their_arms_straight_out(faces: float) -> None:
    """The source's joints and the ends of its bones go along."""
    setup = prepare(figure(yawed(faces, hanging(50))), figure(hanging(20)), SAME, TPOSE)
    left, upper = NAMES.index("leftUpperArm"), np.array(yawed(faces)["leftUpperArm"])
    for part, length in (("LowerArm", 0.3), ("Hand", 0.55)):
        out = about(2, faces) @ [length, 0, 0]
        assert setup.source_positions[NAMES.index(f"left{part}")] == pytest.approx(upper + out)
        assert setup.binding.followers[setup.binding.roles[f"left{part}"]].anchor == pytest.approx(upper + out)
    back = about(2, faces) @ about(1, -50) @ about(2, -faces)
    assert quat.rotate(setup.source_rotations[left], np.eye(3)) == pytest.approx(back.T)
    assert setup.binding.tails[left] == pytest.approx(upper + back @ [0, 0.1, 0])
    assert matrix_of(setup, "leftUpperArm") @ about(1, 20) @ [1, 0, 0] == pytest.approx([1, 0, 0])


@pytest.mark.parametrize("degrees", [30.0, 50.0])
@pytest.mark.parametrize("size", [1.0, 2.0])
def test_alignment_raises_the_target_over_its_lowest_foot(degrees: float, size: float) -> None:
    """Legs that are opened at its rest reach 0.95 metres times what the cosine takes off further down when they are straight; on the way
    back the source's reach as much less. Where that way is not aligned, as where a pose is given, it is taken to agree."""
    lower = -0.95 * (1 - np.cos(np.radians(degrees))) * size
    target = figure(scaled(opened(degrees), size))
    straight = prepare(PLAIN, target, SAME, AUTO)
    assert straight.legs.aligned == pytest.approx(lower)
    posed = prepare(PLAIN, target, SAME, AUTO, Poses(moving([PERSON])))
    assert posed.legs.aligned == pytest.approx(lower)
    assert prepare(PLAIN, target, SAME, REST).legs.aligned == pytest.approx(0)
    back = prepare(target, PLAIN, SAME, AUTO)
    assert back.legs.aligned == pytest.approx(-lower / size)
    assert prepare(PLAIN, target, mapped("hips".__eq__), AUTO).legs.aligned == 0
    assert prepare(PLAIN, target, mapped(lambda name: name.endswith("Foot")), AUTO).legs.aligned == 0


@pytest.mark.parametrize("degrees", [30.0, 50.0])
def test_how_far_a_target_is_raised_is_the_mean_of_both_directions(degrees: float) -> None:
    """A foot that is twice as long in the source reaches 1.05 metres down, instead of 0.95. Where a pose is given it is the target's."""
    share = 1 - np.cos(np.radians(degrees))
    toes = {f"{side}Toes": PERSON[f"{side}Foot"] + np.array([0, -0.3, -0.2]) for side in ("left", "right")}
    source = {**PERSON, **toes}
    assert prepare(figure(source), figure(opened(degrees)), SAME, AUTO).legs.aligned == pytest.approx(-share * (1.05 + 0.95) / 2)
    given = prepare(figure(source), figure(opened(degrees)), SAME, AUTO, Poses(moving([source])))
    assert given.legs.aligned == pytest.approx(-share * 0.95)


def test_the_reverse_direction_is_aligned_by_one_bone_of_two_that_follow_the_same() -> None:
    """The one with a role, whichever comes first; the left leg is the longer one."""
    longer = {f"left{part}": PERSON[f"left{part}"] - np.array([0, 0, 0.02]) for part in ("LowerLeg", "Foot", "Toes")}
    target = figure(opened(30, {**PERSON, **longer}), below="root")
    extra = Pair("leftUpperLeg", "root")
    for pairs in ((extra, *SAME.pairs), (*SAME.pairs, extra)):
        setup = prepare(figure({**PERSON, **longer}), target, BoneMap(pairs), AUTO)
        assert setup.legs.aligned == pytest.approx(-0.97 * (1 - np.cos(np.radians(30))), abs=1e-6)


def clip(*frames: Joints, at: tuple[float, float, float] = (5.0, 7.0, 0.5)) -> Motion:
    """Each of them elsewhere."""
    return moving([{name: joint + at for name, joint in joints.items()} for joints in frames])


def test_where_one_is_folded_at_rest_a_frame_of_its_motion_serves() -> None:
    """The one that is nearest to the target's rest pose, over where it is at rest itself."""
    motion = clip(hanging(60), hanging(10), PERSON, hanging(80))
    motion = replace(motion, frames=motion.frames + 20)
    for options in (AUTO, TPOSE):
        setup = prepare(figure(FOLDED), PLAIN, SAME, options, None, motion)
        assert setup.stands == (22.0, "folded together")
    setup = prepare(figure(FOLDED), PLAIN, SAME, AUTO, None, motion)
    wanted = np.array([PERSON[name] for name in NAMES]) + np.array([0, 0, 0.5])
    assert setup.source_positions == pytest.approx(wanted) and setup.binding.heads == pytest.approx(wanted)
    assert setup.binding.tails == pytest.approx(wanted + np.array([0, 0.1, 0]))
    without = prepare(figure(FOLDED), PLAIN, mapped("hips".__eq__), AUTO, None, motion)
    assert without.stands is None, "which the trunk alone shows"


def test_arms_alone_stay_where_they_are_at_rest() -> None:
    """With their first joint, of arms that go through the body at rest."""
    through = rotated(about(2, 180), lambda name: name in ("leftLowerArm", "leftHand"), center="leftUpperArm")
    arms = mapped(lambda name: not name.endswith(("Arm", "Hand")))
    setup = prepare(figure(through), PLAIN, arms, AUTO, None, clip(PERSON))
    assert setup.stands is not None
    assert setup.source_positions[NAMES.index("leftUpperArm")] == pytest.approx(PERSON["leftUpperArm"] + np.array([0, 0, 0.5]))


def test_soles_of_a_frame_that_serves_are_not_asked_for() -> None:
    """Of legs that are opened in all frames, and feet that are rolled back."""
    setup = prepare(figure(FOLDED), PLAIN, SAME, AUTO, None, leaning(20))
    assert setup.stands is not None and setup.soles == {} and suits(setup, leaning(20)) and suits(setup, leaning(0))


def test_a_frame_serves_only_where_the_rest_pose_is_asked() -> None:
    motion = clip(hanging(60), PERSON)
    assert prepare(PLAIN, PLAIN, SAME, AUTO, None, motion).stands is None
    assert prepare(figure(FOLDED), PLAIN, SAME, AUTO).stands is None
    assert prepare(figure(FOLDED), PLAIN, SAME, AUTO, Poses(motion.at(slice(1))), motion).stands is None
    for options in (REST, POSE, Options(align="FRAME")):
        assert prepare(figure(FOLDED), PLAIN, SAME, options, None, motion).stands is None


def test_poses_are_the_same_to_the_bit() -> None:
    first, other = moving([PERSON]), moving([hanging(1e-9)])
    again = moving([PERSON])
    assert Poses(first).are(Poses(again)) and Poses(first, other).are(Poses(again, moving([hanging(1e-9)]))) and Poses().are(Poses())
    assert not Poses(first).are(Poses(other)) and not Poses(first, first).are(Poses(first, other))
    assert not Poses(first).are(Poses()) and not Poses(None, first).are(Poses()) and not Poses().are(Poses(first))
    assert not Poses(first).are(Poses(posed_bone("head", 0, 1e-3)))


def suits(setup: Setup, motion: Motion | None = None, source: Figure | None = None, poses: Poses | None = None) -> bool:
    return setup.suits(source or setup.binding.source, poses or setup.poses, motion)


def test_what_serves_another_clip_too() -> None:
    """Of the same source and poses."""
    pose = moving([hanging(3)])
    setup = prepare(PLAIN, figure(hanging(20)), SAME, AUTO, Poses(pose))
    assert suits(setup) and suits(setup, clip(PERSON, hanging(40)))
    assert suits(setup, None, None, Poses(moving([hanging(3)])))
    assert not suits(setup, None, figure()) and not suits(setup, None, None, Poses())


def test_clips_that_show_another_facing_have_a_setup_of_their_own() -> None:
    """Of a source that lies at rest, and looks along X in one clip and along -Y in another."""
    lying = figure(rotated(about(0, 90), joints=yawed(43)))
    along_x, along_y = clip(yawed(90), yawed(90)), clip(PERSON, PERSON)
    setup = prepare(lying, PLAIN, SAME, AUTO, None, along_x)
    assert np.degrees(setup.facing.source) == pytest.approx(90) and setup.facing.by_motion
    assert suits(setup, clip(yawed(80), yawed(85))) and not suits(setup, along_y) and not suits(setup)


def leaning(degrees: float) -> Motion:
    """Legs that are opened by 20 degrees at rest, with feet that are rolled back where they stand."""
    rotations = np.tile(quat.IDENTITY, (6, len(NAMES), 1))
    for side, sign in (("left", 1), ("right", -1)):
        rotations[:, NAMES.index(f"{side}Foot")] = quat.of_matrix(about(1, sign * degrees))
    return moving([opened(20)] * 6, rotations)


def test_clips_that_show_other_soles_have_a_setup_of_their_own() -> None:
    source = figure(opened(20))
    setup = prepare(source, PLAIN, SAME, AUTO, None, leaning(20))
    assert set(setup.soles) == {"leftFoot", "leftToes", "rightFoot", "rightToes"} and not setup.stand_alike
    assert suits(setup, leaning(18)) and not suits(setup, leaning(0)) and not suits(setup)
    toes = leaning(20).rotations
    toes[:, NAMES.index("leftToes")] = quat.of_matrix(about(0, 40))
    assert not suits(setup, replace(leaning(20), rotations=toes)), "of other directions"
    level = prepare(source, PLAIN, SAME, AUTO, None, leaning(0))
    assert level.soles == {} and suits(level) and suits(level, leaning(0)) and not suits(level, leaning(20))
    alike = prepare(source, figure(opened(20)), SAME, AUTO, None, leaning(20))
    assert alike.stand_alike and alike.soles == {} and suits(alike, leaning(0))
    for options, poses in ((REST, None), (TPOSE, None), (AUTO, Poses(moving([opened(20)])))):
        other = prepare(source, PLAIN, SAME, options, poses, leaning(20))
        assert other.soles == {} and suits(other, leaning(0))


LONG_ARMS = figure(
    {**PERSON, "leftHand": PERSON["leftHand"] + np.array([0.3, 0, 0]), "rightHand": PERSON["rightHand"] - np.array([0.3, 0, 0])}
)
"""Of other proportions than the source."""


def twisted(frames: int, *sides: str, head: float = 0.0) -> Motion:
    """Shins and feet of some sides that are rotated by 70 degrees about the shins, and a head by so much, while all joints stay."""
    rotations = np.tile(quat.IDENTITY, (frames, len(NAMES), 1))
    for name in (side + part for side in sides for part in ("LowerLeg", "Foot", "Toes")):
        rotations[:, NAMES.index(name)] = quat.of_matrix(about(2, 70))
    rotations[:, NAMES.index("head")] = quat.of_matrix(about(2, head))
    return moving([PERSON] * frames, rotations)


def test_where_three_bones_are_twisted_at_rest_a_frame_serves() -> None:
    """As twelve frames of a motion show it; fewer are twisted as they are."""
    both = ("left", "right")
    three = prepare(PLAIN, LONG_ARMS, SAME, AUTO, None, twisted(12, *both, head=80))
    assert three.stands == (0.0, "twisted (head, leftLowerLeg, rightLowerLeg)") and three.judged
    two = prepare(PLAIN, LONG_ARMS, SAME, AUTO, None, twisted(12, *both, head=70))
    assert two.stands is None and two.judged
    none = prepare(PLAIN, LONG_ARMS, SAME, AUTO, None, twisted(12, head=70))
    assert none.stands is None and not none.judged
    for frames, target, options in ((11, LONG_ARMS, AUTO), (12, PLAIN, AUTO), (12, LONG_ARMS, TPOSE), (12, LONG_ARMS, REST)):
        other = prepare(PLAIN, target, SAME, options, None, twisted(frames, *both, head=80))
        assert other.stands is None and not other.judged


def test_a_clip_that_shows_bones_to_be_twisted_has_a_setup_of_its_own() -> None:
    """And so has every other one, if the first showed it."""
    plain, off = twisted(12), twisted(12, "left")
    setup = prepare(PLAIN, LONG_ARMS, SAME, AUTO, None, plain)
    assert suits(setup, plain) and suits(setup, twisted(11, "left")) and not suits(setup, off)
    judged = prepare(PLAIN, LONG_ARMS, SAME, AUTO, None, off)
    assert judged.judged and not suits(judged, plain) and not suits(judged, off)
    assert suits(prepare(PLAIN, LONG_ARMS, SAME, TPOSE, None, plain), off)
    served = prepare(figure(FOLDED), LONG_ARMS, SAME, AUTO, None, twisted(12))
    assert served.stands is not None and suits(served, off)


def test_a_clip_that_bends_elbows_about_their_hinges_shows_nothing_new() -> None:
    """From straight to 80 degrees, each to the front, as bodies do."""
    frames, rotations = [PERSON], np.tile(quat.IDENTITY, (16, len(NAMES), 1))
    for number in range(1, 16):
        joints = PERSON
        for side, sign in (("left", -1), ("right", 1)):
            bend = about(2, sign * 80 * number / 15)
            joints = rotated(bend, f"{side}Hand".__eq__, joints, f"{side}LowerArm")
            rotations[number, [NAMES.index(side + part) for part in ARMS]] = quat.of_matrix(bend)
        frames.append(joints)
    setup = prepare(PLAIN, LONG_ARMS, SAME, AUTO)
    assert suits(setup, moving(frames, rotations))
