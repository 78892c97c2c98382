"""What a clip is between its keys, in numbers made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.retarget.figures.clip import Clip, Grid
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.options import Options, RetargetOptions
from retro_anim.core.retarget.reports.between import (
    Bent,
    Between,
    Looks,
    Parted,
    Peak,
    _rate,
    _steps,
    astray,
    bent_limbs,
    may_bend,
    steep,
    turning_over,
    twisting,
    upon,
)
from retro_anim.core.retarget.reports.fields import Reach
from retro_anim.core.retarget.retarget import retarget
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer.output import rotation_block

from .. import rigs
from .test_report import report as report_of

SETUP = prepare(rigs.humanoid(), rigs.humanoid(), rigs.SAME, Options())


def test_it_is_looked_at_at_frames_in_the_middle_of_wide_gaps_and_at_the_keys_beside() -> None:
    """Ticks of 0.4 frames, a key behind the end, and two keys that are three ticks apart. Between the first three is nothing to look at."""
    keys = 5 + 0.4 * np.array([0, 1, 2, 5, 6], np.float64)
    looks = Looks.of(Clip(keys, np.append(keys[:-1], 7.2), 5.0), Grid(0.4, 2.5, 1.0))
    assert looks.frames == pytest.approx([5.8, 6, 6.4, 7, 7.2, 7.4])
    assert looks.source == pytest.approx([5.8, 6, 6.4, 7, 7.2, 7.2])
    assert looks.keys.tolist() == [0, 3, 5]


def test_frames_are_those_of_the_clip_s_start_also_before_it() -> None:
    """A lead into a loop begins 1.6 frames before it."""
    keys = 3.5 + 0.8 * np.arange(-2, 3, dtype=np.float64)
    looks = Looks.of(Clip(keys, keys, 3.5, 2), Grid(0.8, 1.25, 1.0))
    assert looks.frames == pytest.approx([1.9, 2.5, 2.7, 4.3, 4.5, 5.1])


def test_keys_that_are_moved_onto_ticks_have_what_the_source_shows_at_its_own() -> None:
    """At frames 1, 2.1, 3.3 and 5; ticks of 0.48 frames, which the second comes after the frame beside it."""
    looks = Looks.of(Grid.of(24, 50, 1, True).at_keys(np.array([1, 2.1, 3.3, 5]), 1, False), Grid.of(24, 50, 1, True))
    assert looks.frames == pytest.approx([1, 1.48, 1.96, 2, 2.68, 3, 3.4, 4, 4.12, 4.84])
    assert looks.source == pytest.approx([1, 1.48, 2.1, 2, 2.68, 3, 3.3, 4, 4.12, 5])
    assert looks.frames[looks.keys] == pytest.approx([1, 1.96, 3.4, 4.84])


@pytest.mark.parametrize("count", [1, 2, 7])
def test_keys_on_each_frame_leave_nothing_to_look_at(count: int) -> None:
    keys = 2.0 + np.arange(count, dtype=np.float64)
    assert Looks.of(Clip(keys, keys, 2.0), Grid(1.0, 1.0, 1.0)).is_empty
    assert Looks.of(Clip(keys, keys, 2.0), None).is_empty


def test_between_keys_at_frames_it_is_looked_at_where_the_source_bends() -> None:
    """Not before the first key, nor behind the last."""
    keys = 2.0 + np.arange(6, dtype=np.float64)
    looks = Looks.of(Clip(keys, keys, 2.0), None, np.array([0.5, 3.5, 5.25, 8.5]))
    assert looks.frames == pytest.approx([3, 3.5, 4, 5, 5.25, 6])
    assert looks.frames[looks.keys] == pytest.approx([3, 4, 5, 6])


def test_keys_that_are_several_frames_apart_are_looked_at_at_all_of_these() -> None:
    """Of a source that has keys at 1, 4 and 4.5; half way from the first to the second, too."""
    keys = np.array([1.0, 4.0, 4.5])
    assert Looks.of(Clip(keys, keys, 1.0), None).frames == pytest.approx([1, 2, 2.5, 3, 4])


def test_a_smooth_curve_is_off_the_line_in_the_middle_by_an_eighth_of_its_bend() -> None:
    """A sine against what it is there; at its ends only what is known there."""
    bends = steep(np.sin(np.arange(40.0) / 5))
    middles = np.sin((np.arange(39) + 0.5) / 5)
    off = np.abs(middles - (np.sin(np.arange(39) / 5) + np.sin(np.arange(1, 40) / 5)) / 2)
    assert (bends[1:-1] > 0.99 * off[1:-1]).all() and (bends[1:-1] < 1.3 * off[1:-1] + 2e-3).all()
    assert steep(3 * np.arange(4.0))[1] == 0
    assert steep(np.array([0.0, 1.0])) > 0.1


def test_a_curve_that_jumps_bends_most_where_it_does() -> None:
    """Not as much beside that, where it stays."""
    bends = steep(np.repeat([0.0, 1, 3, 2], 3))
    assert bends[5] > bends[[4, 6]].max() and bends[8] > bends[[7, 9]].max()


def test_euler_angles_that_go_straight_do_not_rotate_straight() -> None:
    """By 0.2 and 0.3 about two axes: against what quaternions have in the middle."""
    angles = np.array([[[0.0, 0.2], [0.0, 0.3], [0.0, 0.0]], [[0.1, 0.7], [0.0, 0.0], [0.0, 0.0]]])
    bound = twisting(angles)
    ends = quat.of_matrix(rotation_matrix.from_euler(angles[0].T, "XYZ"))
    straight = quat.slerp(ends[0], ends[1], np.array(0.5))
    real = quat.angle(
        quat.multiply(quat.conjugate(straight), quat.of_matrix(rotation_matrix.from_euler(angles[0].mean(-1)[None], "XYZ"))[0])
    )
    assert bound.shape == (2, 1) and bound[1, 0] == 0
    assert bound[0, 0] == pytest.approx(0.2 * 0.3 / 8)
    assert 0.5 * bound[0, 0] < float(real) <= 1.1 * bound[0, 0]


def test_how_far_it_is_from_frame_to_frame() -> None:
    """Of quaternions the angle between two, whichever sign they have; of Euler angles that about all axes together."""
    half = np.array([0.0, 0.15, 0.35, 0.3])
    components = np.stack([np.cos(half), 0 * half, np.sin(half), 0 * half]) * [1, 1, -1, 1]
    angles = np.array([[0.0, 0.3, 0.1], [0.0, -0.2, -0.2], [1.0, 1.0, 1.5]])
    steps = _steps({7: components, 3: angles, 5: -components})
    assert steps[7] == pytest.approx([0.3, 0.4, 0.1]) and steps[5] == pytest.approx([0.3, 0.4, 0.1])
    assert steps[3] == pytest.approx([0.5, 0.7])
    assert not _steps({})


def test_rotations_that_go_the_longer_way_round_are_on_the_other_side() -> None:
    """By 200 degrees instead of 160, half a circle being no longer way; and a quaternion that is the same with the other sign."""
    half = np.array([[[0.0, np.pi, 0.0], [0.0] * 3, [0.0] * 3]])
    assert twisting(half)[0] == pytest.approx([0.0, 0.0])
    angles = np.radians([[[0.0, 100.0, -100.0], [0.0] * 3, [0.0] * 3]])
    assert twisting(angles)[0] == pytest.approx([0.0, np.pi])
    components = np.array([[0.8, 0.6, 0, 0], [0.6, 0.8, 0, 0], [-0.6, -0.8, 0, 0], [-0.5, -0.8, 0.3, 0]]).T
    assert turning_over(list(components)) == pytest.approx([0.0, np.pi, 0.0])
    assert turning_over(list(components[:, :2])) is None


@pytest.mark.parametrize(
    ("rate", "fps", "better"), [(60.0, 24.0, 30.0), (60.0, 30.0, 30.0), (60.0, 31.0, 60.0), (30.0, 60.0, 30.0), (20.0, 7.0, 10.0)]
)
def test_frames_that_are_all_on_ticks(rate: float, fps: float, better: float) -> None:
    """The lowest rate that divides that of the ticks and is not below the scene's; without one the ticks' own."""
    assert _rate(rate, fps) == better


def test_what_goes_straight_upon_another_is_beside_the_straight_way() -> None:
    """By 0.4 and 0.6 about two axes across each other: against what both together have in the middle; upon an object as upon a bone."""
    under, own = (quat.about(np.eye(3)[axis], np.array([0.0, size / 2, size])) for axis, size in ((0, 0.4), (1, 0.6)))
    both = quat.multiply(under, own)
    real = float(quat.apart(both[1], quat.slerp(both[0], both[2], np.array(0.5))))
    steps = [np.array([0.4]), np.array([0.6])]
    for parents, bones in (([-1, 0], [0, 1]), ([-1, 0], [-1, 1]), ([-1], [-1, 0])):
        bound = upon(parents, dict(zip(bones, steps, strict=True)))
        assert list(bound) == bones[1:] and bound[bones[1]] == pytest.approx([0.4 * 0.6 / 8])
        assert 0.8 * bound[bones[1]] < real <= 1.05 * bound[bones[1]]
    assert upon([-1, -1], {0: np.ones(1), 1: np.ones(1)}) == {}


@pytest.mark.parametrize("count", [4, 9000])
def test_bones_that_rotate_in_other_parts_bend_upon_each_other(count: int) -> None:
    """Steps of 40, 30 and 20 degrees in one gap of a clip, be it short or long: an eighth of each with what is below it, all together."""
    figure, gap = rigs.humanoid(), count // 2
    bones = {figure.index[name]: degrees for name, degrees in (("upperChest", 40.0), ("neck", 30.0), ("head", 20.0))}
    later = np.arange(count) > gap
    rotations = {bone: quat.about(np.eye(3)[0], np.radians(np.where(later, degrees, 0.0))) for bone, degrees in bones.items()}
    blocks = [rotation_block(figure, bone, np.arange(count), values) for bone, values in rotations.items()]
    result = Bent.of_keys(figure, blocks, count, frozenset(bones))
    assert result is not None
    together = np.max(result.bends, axis=0)
    assert np.flatnonzero(together > 1e-3).tolist() == [gap]
    chest, neck, head = np.radians([40, 30, 20])
    assert together[gap] == pytest.approx((chest * neck + (chest + neck) * head) / 8, rel=1e-3)


@pytest.mark.parametrize("count", [3, 9000])
def test_a_bone_that_hangs_on_another_than_its_source_does_goes_in_two_parts(count: int) -> None:
    """The source's bone rotates by 5 degrees a frame upon its own, that by 20 upon what the target's follows, or by 30 upon nothing: an
    eighth of the product. What rests upon the other bends by nothing, in short clips and long ones."""
    figure = rigs.humanoid()
    under, carrier, lead = (figure.index[name] for name in ("chest", "neck", "head"))
    degrees = np.arange(count, dtype=np.float64)
    motion = Motion(
        degrees + 1.0, np.tile(figure.quaternions, (count, 1, 1)), np.zeros((count, len(figure), 3)), None, rest_motion(figure).standing
    )
    for bone, step in ((under, 10.0), (carrier, 30.0), (lead, 35.0)):
        motion.rotations[:, bone] = quat.about(np.eye(3)[0], np.radians(step * degrees))
    parted = Parted(frozenset(), ((7, lead, carrier, under), (8, lead, under, under), (9, lead, carrier, -1)))
    result = parted.bends(motion, count)
    own, upon_other, alone = np.radians([5.0, 20.0, 30.0])
    assert sorted(result) == [7, 9]
    assert result[7] == pytest.approx(np.full(count - 1, own * upon_other / 8))
    assert result[9] == pytest.approx(np.full(count - 1, own * alone / 8))
    assert parted.bends(motion, 1) == {}


def test_a_source_may_bend_where_a_bone_does_with_what_it_hangs_on() -> None:
    """A leg hangs on the hips; a quarter of a degree is 0.0044."""
    assert not may_bend([-1, 0, -1], {0: np.array([0.003, 0]), 1: np.array([0, 0.003]), 2: np.array([0.003, 0])})
    assert may_bend([-1, 0, -1], {0: np.array([0.003, 0]), 1: np.array([0.003, 0])})
    assert not may_bend([-1], {})


def test_of_many_gaps_those_are_looked_at_in_which_each_bone_bends_most() -> None:
    """The hips in one, the left leg with them in another; keys count in these, but not at frames."""
    figure = SETUP.binding.source
    frames = np.arange(201.0)
    still = rest_motion(figure).at(np.zeros(201, np.int64))
    hips, leg = np.zeros(200), np.zeros(200)
    hips[[30, 150]], leg[[70, 150]] = [0.04, 0.02], [0.05, 0.04]
    bones = {figure.index["hips"]: hips, figure.index["leftUpperLeg"]: leg}
    looks = Bent.of(figure, bones, np.array([30.25, 31.0, 100.25])).frames(SETUP, still, Clip(frames, frames, 0.0))
    assert {30.25, 30.5, 70.5, 150.5} <= set(looks.tolist()) and 100.25 not in looks
    assert len(looks) < 50
    few = np.arange(9.0)
    some = Bent(np.array([2.25, 3.0, 3.9995, 4.0005]), ()).frames(SETUP, still.at(slice(0, 9)), Clip(few, few, 0.0))
    assert some.tolist() == [0.5, 1.5, 2.25, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5], "so few are all looked at"


@pytest.mark.parametrize(("degrees", "hands", "sides"), [(0.0, True, ()), (5.0, False, ("Leg",)), (5.0, True, ("Leg", "Arm"))])
def test_limbs_bend_by_themselves_that_are_held_or_go_for_a_goal(degrees: float, hands: bool, sides: tuple[str, ...]) -> None:
    """Feet that are held change something, or nothing; a hand goes for a goal."""
    figure = SETUP.binding.target
    for goals, arms in (((), ()), ((Reach("leftHand", 0, 0.0),), ("left",))):
        report = report_of(foot_pass=degrees, holds_hands=hands, goals=goals)
        names = {figure.names[bone] for bone in bent_limbs(SETUP, report)}
        limbs = {side + part for side in ("left", "right") for part in ("UpperLeg", "UpperArm")}
        expected = {name for name in limbs if name.endswith(sides)} | {f"{side}UpperArm" for side in arms}
        assert names & limbs == expected


def test_angles_that_go_straight_are_off_the_rotation_in_the_middle() -> None:
    """Against what they are there, about two axes at once."""
    clock = np.arange(30.0)[:, None, None]
    angles = np.concatenate([np.sin(clock / 4), 0.5 * np.cos(clock / 5), 0 * clock], axis=2)
    first, last, middle = (
        quat.of_matrix(rotation_matrix.from_euler(each[:, 0], "XYZ")) for each in (angles[:-1], angles[1:], (angles[1:] + angles[:-1]) / 2)
    )
    assert astray(angles, "XYZ")[:, 0] == pytest.approx(quat.apart(middle, quat.slerp(first, last, np.array(0.5))))


FIGURE = rigs.humanoid()
THIGH, SHIN = (
    float(np.linalg.norm(FIGURE.heads[rigs.NAMES.index(end)] - FIGURE.heads[rigs.NAMES.index(start)])) / SETUP.legs.target
    for start, end in (("leftUpperLeg", "leftLowerLeg"), ("leftLowerLeg", "leftFoot"))
)
"""In leg lengths."""


def between(looks: Looks, source: Motion, positions: Any) -> Between:
    """positions: of the target."""
    (worst,) = Between.of(SETUP, [looks], [source], [replace(source, positions=positions)])
    return worst


def bent(degrees: list[float]) -> Between:
    """Of a dance at frames 1, 1.5, 2: the left shin of the target is off by `degrees` there."""
    source = rigs.dance(rigs.humanoid(), 3)[1].whole()
    keys = np.array([1.0, 2.0])
    return between(Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0)), source, rotated_shin(source, degrees))


def rotated_shin(source: Motion, degrees: list[float]) -> Any:
    """Positions with the left shin rotated so far at each frame."""
    foot, knee = rigs.NAMES.index("leftFoot"), rigs.NAMES.index("leftLowerLeg")
    positions = source.positions.copy()
    shin = positions[:, foot] - positions[:, knee]
    beside = np.cross(shin, [0.3, 0.2, 0.9])
    axes = beside / np.linalg.norm(beside, axis=1, keepdims=True)
    rotations = np.stack([quat.about(axis, np.radians(angle)) for axis, angle in zip(axes, degrees, strict=True)])
    for bone in (foot, rigs.NAMES.index("leftToes")):
        positions[:, bone] += quat.rotate(rotations, shin) - shin
    return positions


@pytest.mark.parametrize(("degrees", "more"), [([0, 7, 0], 7.0), ([3, 7, 1], 4.0), ([0, 0, 5], 0.0), ([8, 7, 1], 0.0)])
def test_what_is_off_at_a_key_beside_does_not_count(degrees: list[float], more: float) -> None:
    worst = bent(degrees)
    assert worst.rotated.more == pytest.approx(more, abs=1e-4)
    if more:
        assert worst.rotated == Peak(worst.rotated.more, "leftLowerLeg", 1.5, 1.0)
    moved = 2 * SHIN * np.sin(np.radians(degrees) / 2)
    assert worst.moved.more == pytest.approx(max(0.0, moved[1] - max(moved[0], moved[2])), abs=1e-6), "toes come along"


def test_without_hips_nothing_is_said_of_their_path() -> None:
    source = rigs.dance(rigs.humanoid(), 3)[1].whole()
    pairs = tuple(pair for pair in rigs.SAME.pairs if pair.source != "hips")
    setup, keys = prepare(rigs.humanoid(), rigs.humanoid(), BoneMap(pairs), Options()), np.array([1.0, 2.0])
    moved = replace(source, positions=rotated_shin(source, [0, 7, 0]) + np.array([0.0, 0.1, 0.0])[:, None, None])
    (worst,) = Between.of(setup, [Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0))], [source], [moved])
    assert (worst.rotated.limb, worst.carried) == ("leftLowerLeg", Peak())


def test_a_joint_is_as_far_off_as_all_limbs_above_it_take_it() -> None:
    """Half way between the keys the whole leg is shifted by 0.03 and 0.05 leg lengths below hip and knee, along the side."""
    source = rigs.dance(rigs.humanoid(), 3)[1].whole()
    positions = source.positions.copy()
    for parts, metres in ((("leftLowerLeg", "leftFoot", "leftToes"), 0.03), (("leftFoot", "leftToes"), 0.05)):
        positions[1, [rigs.NAMES.index(part) for part in parts], 0] += metres * SETUP.legs.target
    keys = np.array([1.0, 2.0])
    looks = Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0))
    worst = between(looks, source, positions)
    assert worst.moved.more == pytest.approx(0.08, abs=0.006), "but for what that makes limbs longer"


def test_what_asks_for_a_look_names_what_is_furthest_from_its_place() -> None:
    """At frame 1.5 the left foot points 6 degrees elsewhere, at 2.5 the right thigh 2.5 degrees with the whole leg below it."""
    source = rigs.dance(rigs.humanoid(), 5)[1].whole()
    positions = source.positions.copy()
    leg = "rightUpperLeg", "rightLowerLeg", "rightFoot", "rightToes"
    for frame, degrees, (joint, *below) in ((1, 6.0, ("leftFoot", "leftToes")), (3, 2.5, leg)):
        start, *ends = positions[frame, [rigs.NAMES.index(name) for name in (joint, *below)]]
        axis = np.cross(ends[-1] - start, [0.3, 0.2, 0.9])
        rotated = quat.rotate(quat.about(axis / np.linalg.norm(axis), np.radians(np.array(degrees))), np.array(ends) - start)
        positions[frame, [rigs.NAMES.index(name) for name in below]] = start + rotated
    hip, toes = (source.positions[3, rigs.NAMES.index(name)] for name in (leg[0], leg[-1]))
    moved = 2 * np.sin(np.radians(2.5) / 2) * np.linalg.norm(toes - hip) / SETUP.legs.target
    keys = np.array([1.0, 2.0, 3.0])
    looks = Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0))
    worst = between(looks, source, positions)
    assert (worst.rotated.more, worst.moved.more) == (pytest.approx(6.0, abs=1e-4), pytest.approx(moved, abs=1e-6))
    assert worst.rotated == Peak(worst.rotated.more, "leftFoot", 1.5, 1.0)
    assert worst.moved == Peak(worst.moved.more, "rightFoot", 2.5, 1.0)
    report = retarget(SETUP, rigs.dance(rigs.humanoid(), 8)[1], 24.0).report
    (line,) = worst.reported(report, Grid(0.8, 1.25, 1.0), 24, RetargetOptions()).reasons()[len(report.reasons()) :]
    said = f"between keys the end of rightFoot is up to {moved:.3g} leg lengths further from the source's, at frame 2.5: the game's time"
    assert line.startswith(said)


def test_of_limbs_that_are_off_alike_the_first_is_named() -> None:
    """By a degree half way between keys without any; and where none is off by anything, none is."""
    keys = np.array([1.0, 2.0])
    looks = Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0))
    off, nothing = np.array([-1.0, 1, -1]), np.array([0.0, 0, 0])
    assert Peak.of(np.stack([nothing, nothing]), looks, ["arm", "leg"]) == Peak()
    assert Peak.of(np.stack([nothing, off, off]), looks, ["head", "arm", "leg"]) == Peak(1.0, "arm", 1.5, 1.0)
    assert Peak.of(np.stack([off, 1.01 * off]), looks, ["arm", "leg"]) == Peak(1.01, "leg", 1.5, 1.0)


def test_of_several_clips_each_has_its_own() -> None:
    """The second is off by 7 degrees, the others by nothing."""
    source = rigs.dance(rigs.humanoid(), 3)[1].whole()
    keys = np.array([1.0, 2.0])
    looks = Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0))
    off = rotated_shin(source, [0, 7, 0])
    every = Between.of(
        SETUP, [looks] * 3, [source] * 3, [replace(source, positions=each) for each in (source.positions, off, source.positions)]
    )
    assert [each.rotated.more > 1e-4 for each in every] == [False, True, False]
    assert every[1] == bent([0, 7, 0])


TIMES = "the game's time units, 60 a second, are between the source's frames: open it in a scene of 60 frames/s"
FINEST = "it is faster than the game's time units"


@pytest.mark.parametrize(
    ("off", "apart", "grid", "fps", "keys", "said", "asks"),
    [
        (0.0, 0.8, Grid(0.8, 1.25, 1.0), 24, "FRAMES", "", False),
        (0.019, 0.8, Grid(0.8, 1.25, 1.0), 24, "FRAMES", "in a scene of 30 frames/s", False),
        (0.021, 0.8, Grid(0.8, 1.25, 1.0), 24, "FRAMES", TIMES.replace("60", "30"), True),
        (0.021, 25 / 60, Grid(25 / 60, 2.4, 1.0), 25, "FRAMES", "in a scene of 30 frames/s", True),
        (0.021, 0.8, Grid(0.8, 60 / 48, 1.0), 48, "FRAMES", TIMES, True),
        (0.021, 50 / 30, Grid(50 / 30, 0.6, 1.0), 50, "FRAMES", "in a scene of 30 frames/s", True),
        (0.021, 0.48, Grid(0.48, 2.0833, 1.0), 24, "FRAMES", "in a scene of 25 frames/s", True),
        (0.021, 4.0, Grid(4.0, 0.25, 1.0), 120, "FRAMES", FINEST, False),
        (0.021, 0.504, Grid(0.024, 1000 / 24, 1000 / 48), 24, "FRAMES", ": Step: 0.25 has twice as many", True),
        (0.021, 0.024, Grid(0.024, 1000 / 24, 1000 / 48), 24, "FRAMES", TIMES.replace("60", "1000", 1).replace("60", "25"), True),
        (0.021, 1.6, Grid(0.8, 1.25, 1.0), 24, "FRAMES", TIMES.replace("60", "30"), True),
        (0.021, 240.0, Grid(0.024, 10000.0, 10000.0), 24, "FRAMES", ": Step: 120 has twice as many", True),
        (0.021, 1.6, Grid(1.0, 1.5, 1.5), 24, "FRAMES", ": Step: 0.75 has twice as many", True),
        (0.021, 0.8, Grid(0.024, 1000 / 24, 1000 / 48), 24, "SOURCE", "Keys: Every Frame has more of them", True),
        (0.021, 0.504, Grid(0.024, 1000 / 24, 1000 / 48), 24, "SOURCE", "Keys: Every Frame, and Step: 0.25 has twice as many", True),
        (0.021, 1.6, Grid(0.8, 1.25, 1.0), 24, "SOURCE", "Keys: Every Frame has more of them", True),
        (0.021, 5.0, Grid(1 / 64, 64.0, 319.5), 64, "SOURCE", "Keys: Every Frame, and Step: 2.496 has twice as many", True),
        (0.021, 321 / 64, Grid(1 / 64, 64.0, 319.5), 64, "SOURCE", "Keys: Every Frame has more of them", True),
        (0.021, 0.8, Grid(0.8, 1.25, 1.0), 24, "SOURCE", TIMES.replace("60", "30"), True),
        (0.021, 8.0, Grid(4.0, 0.25, 1.0), 120, "SOURCE", "Keys: Every Frame has more of them", True),
        (0.021, 4.0, Grid(4.0, 0.25, 1.0), 120, "SOURCE", FINEST, False),
    ],
)
def test_the_line_says_what_helps(off: float, apart: float, grid: Grid, fps: float, keys: Any, said: str, asks: bool) -> None:
    """off: leg lengths of the foot, with 100 times as many degrees of the shin. apart: frames between the keys, of which the source may
    have as many as there are time units."""
    degrees = 100 * off
    report = retarget(SETUP, rigs.dance(rigs.humanoid(), 8)[1], 24.0).report
    worst = Between(Peak(degrees, "shin", 17.25, apart), Peak(off, "foot", 18.75, apart))
    after = worst.reported(report, grid, fps, RetargetOptions(keys=keys))
    more = after.lines()[len(report.lines()) :]
    assert after.between == degrees and after.document()["between"] == degrees
    shin, foot = f"shin is up to {degrees:.3g}°", f"the end of foot is up to {off:.3g} leg lengths"
    limb, frame = (foot, 18.75) if asks else (shin, 17.25)
    assert [f"between keys {limb} further from the source's, at frame {frame:g}: " in line for line in more] == [True] * bool(said)
    assert not said or more[0].endswith(said)
    assert after.reasons() == report.reasons() + more * asks


@pytest.mark.parametrize(("off", "asks"), [(0.0049, False), (0.019, False), (0.021, True)])
def test_the_hips_path_has_a_line_of_its_own(off: float, asks: bool) -> None:
    """Beside that of limbs."""
    report = retarget(SETUP, rigs.dance(rigs.humanoid(), 8)[1], 24.0).report
    worst = Between(Peak(2.0, "shin", 17.25, 0.8), Peak(0.01, "foot", 18.75, 0.8), Peak(off, "hips", 5.25, 0.8))
    after = worst.reported(report, Grid(0.8, 1.25, 1.0), 24, RetargetOptions())
    limb, *path = after.lines()[len(report.lines()) :]
    assert limb.startswith("between keys shin is up to 2° further") and (after.between, after.between_path) == (2.0, off)
    assert len(path) == (off > 0.005) and after.reasons() == report.reasons() + path * asks
    said = f"between keys the hips are up to {off:.3g} leg lengths beside the source's path, at frame 5.25: the game's time units"
    assert all(line.startswith(said) for line in path)


def test_hips_are_measured_from_the_line_between_the_keys_beside() -> None:
    """Half way they are 0.03 leg lengths ahead of that, a quarter of the way just on it, whatever they are off at the keys."""
    source = rigs.dance(rigs.humanoid(), 5)[1].whole()
    keys = np.array([1.0, 3.0])
    looks = Looks.of(Clip(keys, keys, 1.0), Grid(0.5, 2.0, 2.0), np.array([1.5]))
    assert looks.frames.tolist() == [1.0, 1.5, 2.0, 3.0]
    source = replace(source.at(np.arange(4)), frames=looks.frames)
    shifts = np.array([0.0, 0.025, 0.08, 0.1])[:, None, None] * np.array([0.6, 0, 0.8]) * SETUP.legs.target
    worst = between(looks, source, source.positions + shifts)
    assert worst.carried.more == pytest.approx(0.03)
    assert worst.carried == Peak(worst.carried.more, "hips", 2.0, 2.0)


WHOLE = "between whole frames, where only motion blur and other frame rates show it (Step: {} has twice as many keys)"


@pytest.mark.parametrize(
    ("off", "apart", "asked", "said", "asks"),
    [
        (0.0, 1.0, RetargetOptions(), "", False),
        (0.03, 1.0, RetargetOptions(), WHOLE.format("0.5"), False),
        (0.03, 0.5, RetargetOptions(step=0.5), WHOLE.format("0.25"), False),
        (0.03, 4.0, RetargetOptions(step=4), ": Step: 2 has twice as many", True),
        (0.01, 4.0, RetargetOptions(step=4), ": Step: 2 has twice as many", False),
        (0.03, 10.0, RetargetOptions(keys="SOURCE"), ": Keys: Every Frame has more of them", True),
        (0.03, 1.0, RetargetOptions(keys="SOURCE"), WHOLE.format("0.5"), False),
        (0.03, 2.0, RetargetOptions(keys="SOURCE", step=3), ": Keys: Every Frame, and Step: 1.5 has twice as many", True),
    ],
)
def test_the_line_of_a_rig_of_no_game_says_what_helps(off: float, apart: float, asked: RetargetOptions, said: str, asks: bool) -> None:
    """apart: frames between the keys. What shows between whole frames alone asks for nothing."""
    report = retarget(SETUP, rigs.dance(rigs.humanoid(), 8)[1], 24.0).report
    after = Between(Peak(100 * off, "shin", 17.5, apart), Peak(off, "foot", 17.5, apart)).reported(report, None, 24, asked)
    more = after.lines()[len(report.lines()) :]
    assert len(more) == bool(said) and all(line.endswith(said) for line in more)
    assert after.reasons() == report.reasons() + more * asks
