"""Where limbs bend, of a body that stands upright with straight arms to the sides and straight legs, looking along -Y: its left elbow bends
ahead about -Z, its right one about Z, and its knees bend back about X, from its right to its left."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.transfer.alignment import hinges
from retro_anim.core.retarget.transfer.alignment.align import Goal
from retro_anim.core.retarget.transfer.binding import Binding, bind

from .. import rigs

X, Y, Z = EYE = np.eye(3)
OFFSETS = np.array(rigs.OFFSETS)
for _bone, _name in enumerate(rigs.NAMES):
    if not _name.endswith(("Proximal", "Toes")):
        OFFSETS[_bone, 1] = 0.0


def about(axis: Floats, degrees: float) -> Floats:
    return rotation_matrix.from_quaternion(quat.about(axis, np.radians(np.array(degrees))))


def body(**directions: Floats) -> Figure:
    """With some bones of other directions than those at rest, by the name of the joint in which each ends."""
    offsets = np.array(OFFSETS)
    for name, direction in directions.items():
        bone = rigs.NAMES.index(name)
        offsets[bone] = np.linalg.norm(offsets[bone]) * np.asarray(direction)
    return rigs.humanoid(offsets=offsets)


BODY = body()
AT = BODY.index


def bound(source: Figure = BODY, target: Figure = BODY, *missing: str) -> Binding:
    return bind(BoneMap(tuple(pair for pair in rigs.SAME.pairs if pair.source not in missing)), source, target, source.heads)


def ahead(degrees: float) -> Floats:
    """A left forearm that bends ahead."""
    return about(-Z, degrees) @ X


def upwards(degrees: float) -> Floats:
    return about(-Y, degrees) @ X


def axes(source: Figure, target: Figure, name: str = "leftUpperArm", frame: Floats = EYE) -> list[list[float]] | None:
    binding = bound(source, target)
    result = hinges.at_rest(binding, binding.roles[name], frame)
    return None if result is None else result.round(6).tolist()


@pytest.mark.parametrize(
    ("of_source", "of_target", "expected"),
    [
        (upwards(10), ahead(9), (-Z, -Y)),  # both are bent a little
        (upwards(30), ahead(9), (-Z, -Y)),
        (ahead(9), upwards(30), (-Y, -Z)),
        (upwards(21), ahead(0), (-Z, -Y)),  # one is bent beyond doubt: the other's is its body's
        (upwards(21), upwards(7), (-Z, -Y)),
        (upwards(21), upwards(9), (-Y, -Y)),
        (ahead(0), upwards(21), (-Y, -Z)),
        (upwards(19), ahead(7), None),
        (ahead(7), upwards(19), None),
        (ahead(0), ahead(0), None),
    ],
)
def test_where_a_limb_bends_at_rest(of_source: Floats, of_target: Floats, expected: tuple[Floats, Floats] | None) -> None:
    """From 8 degrees on; beside one that is bent by 20 at least, a straight one's as its body has it."""
    shown = axes(body(leftHand=of_source), body(leftHand=of_target))
    assert shown == (None if expected is None else [axis.tolist() for axis in expected])


def test_the_source_s_hinge_is_taken_to_the_target_s_world() -> None:
    """By a quarter about Z, -Y becomes X."""
    assert axes(body(leftHand=upwards(30)), BODY, frame=about(Z, 90)) == [[0, 0, -1], [1, 0, 0]]


@pytest.mark.parametrize(
    ("name", "middle", "end", "upper", "axis"),
    [
        ("leftUpperArm", "leftLowerArm", "leftHand", X, -Z),
        ("rightUpperArm", "rightLowerArm", "rightHand", -X, Z),
        ("leftUpperArm", "leftLowerArm", "leftHand", -Z, -X),  # hanging down
        ("rightUpperArm", "rightLowerArm", "rightHand", -Z, -X),
        ("leftUpperArm", "leftLowerArm", "leftHand", -Y, -Z),  # stretched ahead
        ("leftUpperArm", "leftLowerArm", "leftHand", -X, None),  # to the other side: it may bend any way
        ("leftUpperLeg", "leftLowerLeg", "leftFoot", -Z, X),
        ("rightUpperLeg", "rightLowerLeg", "rightFoot", -Z, X),
        ("leftUpperLeg", "leftLowerLeg", "leftFoot", -Y, X),
        ("leftUpperLeg", "leftLowerLeg", "leftFoot", X, Z),  # raised to the side
        ("leftUpperLeg", "leftLowerLeg", "leftFoot", Z, None),
    ],
)
def test_where_a_straight_limb_would_bend(name: str, middle: str, end: str, upper: Floats, axis: Floats | None) -> None:
    """An elbow ahead, a knee back, wherever the limb points: as it is carried there from where it hangs or is stretched out."""
    straight = body(**{middle: upper, end: upper})
    aside = np.cross(upper, [0.3, 0.5, 0.7])
    bent = body(**{middle: upper, end: about(aside / np.linalg.norm(aside), 40) @ upper})
    shown = axes(bent, straight, name)
    assert (None if shown is None else shown[0]) == (None if axis is None else pytest.approx(axis.tolist(), abs=1e-6))


@pytest.mark.parametrize(("degrees", "known"), [(153, True), (155, False)])
def test_a_limb_that_is_raised_too_far_may_bend_any_way(degrees: float, known: bool) -> None:
    """Whose cosine from where it hangs is less than -0.9, 154.2 degrees."""
    leg = about(X, degrees) @ -Z
    assert (
        axes(body(leftLowerLeg=leg, leftFoot=about(X, 40) @ leg), body(leftLowerLeg=leg, leftFoot=leg), "leftUpperLeg") is None
    ) != known


@pytest.mark.parametrize("missing", ["hips", "rightUpperArm"])
def test_without_a_body_nothing_shows_where_a_straight_limb_would_bend(missing: str) -> None:
    binding = bound(body(leftHand=ahead(40)), BODY, missing)
    assert hinges.at_rest(binding, binding.roles["leftUpperArm"], np.eye(3)) is None


def test_what_is_up_is_the_neck_or_what_there_is_of_the_trunk_beside_what_is_left() -> None:
    """The neck leans aside, which does not count, and ahead by 30 degrees, which does."""
    leaning = body(neck=(0.5 * X - np.sin(np.radians(30)) * Y + np.cos(np.radians(30)) * Z))
    source = body(leftHand=ahead(40))
    whole, fewer = bound(source, leaning), bound(source, leaning, "neck")
    neck = leaning.heads[AT["neck"]] - leaning.heads[0]
    shown = hinges.at_rest(whole, whole.roles["leftUpperArm"], np.eye(3))
    assert shown is not None and shown[0] == pytest.approx(-np.array([0, *neck[1:]]) / np.linalg.norm(neck[1:]))
    head = leaning.heads[AT["head"]] - leaning.heads[0]
    shown = hinges.at_rest(fewer, fewer.roles["leftUpperArm"], np.eye(3))
    assert shown is not None and shown[0] == pytest.approx(-np.array([0, *head[1:]]) / np.linalg.norm(head[1:]))


def test_what_is_up_is_across_what_is_left() -> None:
    """Of shoulders of which the left one is higher: an arm along them bends about what is up beside them, one that is level about Z."""
    slanted = body(leftUpperArm=np.array([0.8, 0, 0.6]))
    line = slanted.heads[AT["leftUpperArm"]] - slanted.heads[AT["rightUpperArm"]]
    line /= np.linalg.norm(line)
    for direction, axis in ((X, -Z), (line, -np.array([-line[2], 0, line[0]]))):
        target = body(leftUpperArm=np.array([0.8, 0, 0.6]), leftLowerArm=direction, leftHand=direction)
        binding = bound(body(leftHand=ahead(40)), target)
        known = hinges.at_rest(binding, binding.roles["leftUpperArm"], EYE)
        assert known is not None and known[0] == pytest.approx(axis, abs=1e-6)


def hinge(degrees: float, bone: int = 0, free: float = 20.0) -> hinges.Hinge:
    """Of a bone along X that bends about Z, and should about an axis that is so far from it, and aslant."""
    return hinges.Hinge(bone, Z, X, about(X, degrees) @ Z + 0.7 * X, np.radians(free))


@pytest.mark.parametrize("degrees", [0.0, 30.0, -30.0, 120.0])
def test_how_far_a_bone_is_rotated_about_itself_beside_its_hinge(degrees: float) -> None:
    """However the whole of it is rotated."""
    corrections = np.stack([np.eye(3), about(X, 30), about(Y, 50) @ about(X, 20)])
    assert np.degrees(hinge(degrees).off(corrections)) == pytest.approx(abs(degrees), abs=1e-9)
    assert np.degrees(hinge(degrees, 1).off(corrections)) == pytest.approx(abs(degrees - 30), abs=1e-9)
    swung = hinges.Hinge(2, Z, X, about(Y, 50) @ about(X, degrees) @ Z, 1.0)
    assert np.degrees(swung.off(corrections)) == pytest.approx(abs(degrees - 20), abs=1e-9)


def test_both_bones_of_a_limb_that_is_off_are_mended() -> None:
    """Those that have a goal of one direction; no limb that is no further off than it may be."""
    limb, other = [hinge(25, 0), hinge(0, 1), hinge(5, 2), hinge(9, 3)], [hinge(19, 4)]
    goals = {bone: Goal(X[None], X[None]) for bone in (0, 1, 4)} | {2: Goal(np.stack([X, Y]), np.stack([X, Y]))}
    mended = hinges.mended([limb, other], goals, np.tile(np.eye(3), (5, 1, 1)))
    assert mended.keys() == {0, 1}
    for bone, each in ((0, limb[0]), (1, limb[1])):
        normals = mended[bone].normals
        assert normals is not None and normals.tolist() == [each.own.tolist(), each.wanted.tolist()]
        assert mended[bone].own is goals[bone].own


def test_what_is_off_is_named() -> None:
    names = ["upper", "lower", "thigh"]
    limbs = [[hinge(25, 0), hinge(19, 1)], [hinge(-40, 2)]]
    assert hinges.twisted(limbs, names, np.tile(np.eye(3), (3, 1, 1))) == {"upper": pytest.approx(25), "thigh": pytest.approx(40)}


def bending(degrees: Floats, axis: Floats | list[Floats] = -Z, carried: Floats | None = None, upper: str = "leftUpperArm") -> Motion:
    """A limb, straight at rest, that bends by so many degrees about one axis, or about another in each frame; all of it rotated by
    `carried` (F, 3, 3) about the joint in which it begins."""
    middle, end = (upper.replace("Upper", "Lower"), upper.replace("UpperArm", "Hand").replace("UpperLeg", "Foot"))
    count, rest = len(degrees), rest_motion(BODY)
    every = axis if isinstance(axis, list) else [axis] * count
    whole = np.tile(np.eye(3), (count, 1, 1)) if carried is None else carried
    own = whole @ np.stack([about(each, angle) for each, angle in zip(every, degrees.tolist(), strict=True)])
    rotations, positions = np.tile(BODY.quaternions, (count, 1, 1)), np.tile(BODY.heads, (count, 1, 1))
    rotations[:, AT[upper]], rotations[:, AT[middle]] = quat.of_matrix(whole), quat.of_matrix(own)
    positions[:, AT[middle]] = positions[:, AT[upper]] + whole @ (BODY.heads[AT[middle]] - BODY.heads[AT[upper]])
    positions[:, AT[end]] = positions[:, AT[middle]] + np.einsum("fij,j->fi", own, BODY.heads[AT[end]] - BODY.heads[AT[middle]])
    return Motion(np.arange(float(count)), rotations, positions, None, rest.standing)


SWEEP = np.linspace(0, 60, 41)


def shown(motion: Motion, target: Figure = BODY, frame: Floats = EYE, reference: Floats | None = None) -> list[list[hinges.Hinge]]:
    return hinges.shown(bound(BODY, target), motion, BODY.quaternions if reference is None else reference, frame)


@pytest.mark.parametrize(
    ("upper", "axis", "own", "along", "free"),
    [
        ("leftUpperArm", -Z, -Z, X, 60),
        ("leftUpperArm", -Y, -Z, X, 60),
        ("rightUpperArm", Z, Z, -X, 60),
        ("leftUpperLeg", X, X, -Z, 35),
        ("rightUpperLeg", Y, X, -Z, 35),
    ],
)
def test_a_motion_shows_where_a_limb_bends(upper: str, axis: Floats, own: Floats, along: Floats, free: float) -> None:
    """For both of its bones; the target's own is its body's, as it is straight."""
    (limb,) = shown(bending(SWEEP, axis, upper=upper))
    assert [each.bone for each in limb] == [AT[upper], AT[upper.replace("Upper", "Lower")]]
    for each in limb:
        assert each.wanted == pytest.approx(axis, abs=1e-6) and each.own == pytest.approx(own, abs=1e-6)
        assert each.along == pytest.approx(along, abs=1e-6) and np.degrees(each.free) == pytest.approx(free)


def test_what_carries_the_limb_does_not_change_where_it_bends() -> None:
    """It is counted from the reference pose, in the target's world."""
    carried = np.stack([about(np.array([0.6, 0, 0.8]), angle) for angle in np.linspace(0, 100, 41).tolist()])
    (limb,) = shown(bending(SWEEP, -Y, carried))
    assert [each.wanted for each in limb] == [pytest.approx(-Y, abs=1e-5)] * 2
    (quarter,) = shown(bending(SWEEP, -Y, carried), frame=about(Z, 90))
    assert [each.wanted for each in quarter] == [pytest.approx(X, abs=1e-5)] * 2
    reference = quat.multiply(quat.about(X, np.radians(np.array(90.0))), BODY.quaternions)
    (rolled,) = shown(bending(SWEEP, -Y), reference=reference)
    assert [each.wanted for each in rolled] == [pytest.approx(-Z, abs=1e-6)] * 2, "which is rolled by a quarter: -Y comes from -Z"


@pytest.mark.parametrize(
    ("degrees", "shows"),
    [
        (np.linspace(0, 24, 41), False),  # 25 at least
        (np.full(41, 60.0), False),  # as much all the time
        (np.linspace(30, 62, 41), False),  # from the 5th to the 95th of a hundred frames by 28.8
        (np.linspace(30, 64, 41), True),  # by 30.6
        (np.linspace(0, 34, 41), True),
        (np.r_[np.zeros(39), 60, 60], False),  # a few frames
    ],
)
def test_a_limb_shows_it_that_bends_enough_and_more_and_less(degrees: Floats, shows: bool) -> None:
    assert bool(shown(bending(degrees))) == shows


@pytest.mark.parametrize(("apart", "shows"), [(50.0, True), (54.0, False)])
def test_a_limb_shows_it_that_bends_about_one_axis(apart: float, shows: bool) -> None:
    """Of two axes so far apart the mean is 0.9 long if they are 2 * 25.8 degrees apart; it is what the limb bends about."""
    both = [about(X, apart / 2) @ -Z, about(X, -apart / 2) @ -Z]
    limbs = shown(bending(np.repeat(SWEEP, 2), both * 41))
    assert bool(limbs) == shows
    assert not limbs or limbs[0][0].wanted == pytest.approx(-Z, abs=1e-6)


def test_frames_that_hardly_bend_say_nothing_of_the_axis() -> None:
    """Half of them, about another one."""
    both = [-Y if angle < 24 else -Z for angle in SWEEP.tolist()]
    assert shown(bending(SWEEP, both))[0][0].wanted == pytest.approx(-Z, abs=1e-6)


@pytest.mark.parametrize(
    ("bent", "own", "of_lower"),
    [
        (ahead(9), -Z, -Z),
        (about(about(X, 55) @ -Z, 9) @ X, about(X, 55) @ -Z, None),  # within 60 degrees of where the body has it
        (about(about(X, 65) @ -Z, 9) @ X, -Z, None),
        (upwards(9), -Z, about(-Y, 9) @ -Z),  # carried on to where the forearm points
        (upwards(19), -Z, about(-Y, 19) @ -Z),
        (upwards(21), -Y, -Y),
        (ahead(5), -Z, -Z),
    ],
)
def test_a_target_that_is_bent_at_rest_shows_its_own_hinge(bent: Floats, own: Floats, of_lower: Floats | None) -> None:
    """By 20 degrees, or by 8 about where its body has it."""
    (limb,) = shown(bending(SWEEP), body(leftHand=bent))
    assert limb[0].own == pytest.approx(own, abs=1e-6) and limb[0].along == pytest.approx(X, abs=1e-6)
    assert limb[1].along == pytest.approx(bent, abs=1e-6)
    assert of_lower is None or limb[1].own == pytest.approx(of_lower, abs=1e-6)


def test_limbs_of_which_the_map_has_a_part_show_nothing() -> None:
    motion = bending(SWEEP)
    for missing in ("leftUpperArm", "leftLowerArm", "leftHand", "hips"):
        assert not hinges.shown(bound(BODY, BODY, missing), motion, BODY.quaternions, np.eye(3))
    raised = body(leftLowerArm=-X, leftHand=-X)
    assert not shown(motion, raised), "nor does one that points where it may bend any way"
