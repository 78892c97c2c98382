"""What is measured of source and target, worked out by hand from where joints are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Pair, PairOptions
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.ground import held, root
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.reports import measures
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer.binding import Binding, bind

from .. import rigs

BODY = rigs.humanoid()
AT = BODY.index
HERE = bind(rigs.SAME, BODY, BODY, BODY.heads)
UP, AHEAD, LEFT = np.array([0.0, 0, 1]), np.array([0.0, -1, 0]), np.array([1.0, 0, 0])


def posed(positions: Floats, counts: tuple[int, ...] = ()) -> Motion:
    """positions: (F, B, 3)."""
    rest = rest_motion(BODY)
    count = len(positions)
    return Motion(np.arange(float(count)), np.tile(BODY.quaternions, (count, 1, 1)), positions, None, rest.standing, counts)


def mapped(*changes: Callable[[Pair], Pair | None], chains: tuple[Chain, ...] = ()) -> Binding:
    """The map of a body onto itself with changed pairs."""
    pairs = list(rigs.SAME.pairs)
    for change in changes:
        pairs = [new for pair in pairs if (new := change(pair)) is not None]
    return bind(BoneMap(tuple(pairs), chains), BODY, BODY, BODY.heads)


def named(binding: Binding, rows: list[int]) -> set[str]:
    return {binding.named(row) for row in rows}


def swung(*names: str) -> Callable[[Pair], Pair]:
    return lambda pair: replace(pair, options=PairOptions(rotation="SWING")) if pair.source in names else pair


def without(*names: str) -> Callable[[Pair], Pair | None]:
    return lambda pair: None if pair.source in names else pair


def test_which_limbs_are_measured() -> None:
    """Those with one mapped bone below them, which point there, and follow all that their source does."""
    trunk = {"spine", "chest", "neck"}
    limbs = {side + part for side in ("left", "right") for part in ("Shoulder", "UpperArm", "LowerArm", "UpperLeg", "LowerLeg", "Foot")}
    assert named(HERE, measures.limb_rows(HERE)) == trunk | limbs
    fewer = mapped(swung("leftFoot"), without("neck", "rightLittleProximal"))
    assert named(fewer, measures.limb_rows(fewer)) == {"spine", "chest"} | limbs - {"leftFoot"} | {"rightHand"}
    root_mapped = mapped(lambda pair: replace(pair, role="root") if pair.role == "spine" else pair)
    assert named(root_mapped, measures.limb_rows(root_mapped)) == trunk - {"spine"} | limbs
    one = Chain(("leftUpperArm", "leftLowerArm"), ("leftLowerArm",), "arm")
    chained = mapped(without("leftLowerArm", "leftUpperArm"), chains=(one,))
    assert not named(chained, measures.limb_rows(chained)) & {"leftUpperArm", "leftLowerArm"}


def test_limbs_by_their_roles() -> None:
    """One after another, whatever is between them; not feet that rotate about their heels."""

    def pairs(binding: Binding) -> set[tuple[str, str]]:
        return {(binding.followers[first].role, binding.followers[second].role) for first, second in measures.role_limbs(binding)}

    whole = {
        (side + one, side + two)
        for side in ("left", "right")
        for one, two in (("UpperArm", "LowerArm"), ("LowerArm", "Hand"), ("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot"), ("Foot", "Toes"))
    }
    assert pairs(HERE) == whole
    assert pairs(replace(HERE, heels=frozenset([HERE.roles["leftFoot"]]))) == whole - {("leftFoot", "leftToes")}
    assert pairs(mapped(without("leftLowerArm"))) == whole - {("leftUpperArm", "leftLowerArm"), ("leftLowerArm", "leftHand")} | {
        ("leftUpperArm", "leftHand")
    }
    assert pairs(mapped(swung("leftLowerLeg"))) == whole - {("leftLowerLeg", "leftFoot")}


@pytest.mark.parametrize("yaw", [0.0, 90.0])
def test_how_far_limbs_point_elsewhere(yaw: float) -> None:
    """A shin that is swung ahead by 30 and 60 degrees, in a world that is turned."""
    frame = rigs.yawed(np.radians(yaw))[:3, :3]
    knee, foot = AT["leftLowerLeg"], AT["leftFoot"]
    source = np.tile(BODY.heads, (2, 1, 1))
    source[:, foot] = source[:, knee] - 0.4 * UP
    target = source @ frame.T
    for row, degrees in enumerate((30, 60)):
        target[row, foot] = target[row, knee] + 0.4 * (frame @ AHEAD * np.sin(np.radians(degrees)) - UP * np.cos(np.radians(degrees)))
    limb = HERE.roles["leftLowerLeg"], HERE.roles["leftFoot"]
    errors = measures.limb_errors(HERE, posed(source), posed(target), frame, None, [limb[0]])
    assert errors[limb[0]] == pytest.approx([30, 60], abs=1e-4)
    apart = measures.directions_apart(HERE, posed(source), target[:, [each.target for each in HERE.followers]], frame, [limb])
    assert apart[limb] == pytest.approx([30, 60], abs=1e-4)
    other = HERE.roles["leftUpperLeg"]
    assert measures.limb_errors(HERE, posed(source), posed(target), frame, None, [other])[other] == pytest.approx([0, 0], abs=1e-4)


LIES = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""Takes what is up to -Y."""


@pytest.mark.parametrize(
    ("rotation", "said"),
    [
        (np.eye(3), ""),
        (LIES, "lies down"),
        (np.diag([1.0, -1, -1]), "stands on its head"),
        (np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]]), "lies down"),
    ],
)
def test_a_source_that_never_stands_is_doubtful(rotation: Floats, said: str) -> None:
    """Neither at rest nor in any frame; of each clip by itself."""
    heads = BODY.heads @ rotation.T
    binding = bind(rigs.SAME, BODY, BODY, heads)
    both = posed(np.stack([heads, heads, heads, BODY.heads]), (2, 2))
    first, second = measures.doubts(binding, both)
    assert (f"the source {said} at rest and all the time" in " ".join(first)) == bool(said) and bool(first) == bool(said)
    assert second == ()
    game = replace(BODY, left=np.array([1.0, 0, 0]))
    assert measures.doubts(bind(rigs.SAME, game, BODY, heads), both) == [(), ()], "a game's character lies as its files have it"
    assert measures.doubts(HERE, replace(both, counts=())) == [()]
    assert measures.doubts(bind(BoneMap(rigs.SAME.pairs[1:]), BODY, BODY, heads), both) == [(), ()], "without hips nothing is known"


def test_who_stands_on_its_feet_with_a_level_back_is_no_question() -> None:
    """As beasts do: its feet are below the hips at rest."""
    heads = np.array(BODY.heads)
    for name in ("spine", "chest", "upperChest", "neck", "head"):
        heads[AT[name]] = BODY.heads[0] + AHEAD * 0.2 * rigs.NAMES.index(name)
    assert measures.doubts(bind(rigs.SAME, BODY, BODY, heads), posed(heads[None])) == [()]


@pytest.mark.parametrize("size", [0.1, 10.0])
def test_who_is_small_or_large_stands_and_lies_as_others_do(size: float) -> None:
    """What counts is by which part of its length the trunk is up, and legs down."""
    for rotation, said in ((np.eye(3), ""), (LIES, "lies down"), (np.diag([1.0, -1, -1]), "stands on its head")):
        heads = size * BODY.heads @ rotation.T
        (doubt,) = measures.doubts(bind(rigs.SAME, BODY, BODY, heads), posed(heads[None]))
        assert (f"the source {said} at rest" in " ".join(doubt)) == bool(said) and bool(doubt) == bool(said)
    beast = size * BODY.heads
    for name in ("spine", "chest", "upperChest", "neck", "head"):
        beast[AT[name]] = beast[0] + size * 0.2 * AHEAD * rigs.NAMES.index(name)
    assert measures.doubts(bind(rigs.SAME, BODY, BODY, beast), posed(beast[None])) == [()]


def test_who_lies_at_rest_and_stands_in_a_frame_on_its_head_does_not_lie_all_the_time() -> None:
    heads = [BODY.heads @ rotation.T for rotation in (LIES, LIES, np.diag([1.0, -1, -1]))]
    first, second = measures.doubts(bind(rigs.SAME, BODY, BODY, heads[0]), posed(np.stack([*heads, *heads[:2]]), (3, 2)))
    assert first == () and len(second) == 1


@pytest.mark.parametrize(
    ("spine", "helps"),
    [
        ((1.0, 0.1, 0.1), "rotated by -90° about Y; a file that was opened with Y up has X up (--up X)"),
        ((-1.0, 0.1, 0.1), "rotated by 90° about Y; a file that was opened with Y up has -X up (--up=-X)"),
        ((0.1, 1.0, 0.1), "rotated by 90° about X; a file that was opened with Y up has -Z up (--up=-Z)"),
        ((0.1, -1.0, 0.1), "rotated by -90° about X; a file that was opened with Y up has Z up (--up Z)"),
        ((0.1, 0.1, -1.0), "rotated by 180° about X; a file that was opened with Y up has -Y up (--up=-Y)"),
        ((0.7, 0.7, 0.0), ""),
    ],
)
def test_what_brings_it_upright(spine: tuple[float, float, float], helps: str) -> None:
    heads = np.tile(BODY.heads[0], (len(rigs.NAMES), 1))
    heads[AT["head"]] += spine
    (doubt,) = measures.doubts(bind(rigs.SAME, BODY, BODY, heads), posed(heads[None]))[0]
    assert doubt.endswith(helps) and ("It stands if" in doubt) == bool(helps)


def scaled(factor: float, name: str = "", longer: float = 1.0) -> Figure:
    """A body of another size, one of whose bones is elsewhere."""
    offsets = np.array(rigs.OFFSETS)
    if name:
        offsets[rigs.NAMES.index(name)] *= longer
    return rigs.humanoid(None, offsets, factor)


def test_joints_in_proportion_are_compared_from_the_hips_on() -> None:
    """To a hundredth of each segment; what is behind one that is not counts no more."""
    every = set(rigs.NAMES) - {"hips"}
    for longer, lost in ((1.009, set[str]()), (1.011, {"leftLowerArm", "leftHand", "leftIndexProximal", "leftLittleProximal"})):
        target = scaled(2.0, "leftLowerArm", longer)
        binding = bind(rigs.SAME, BODY, target, BODY.heads)
        assert named(binding, measures.joint_rows(binding, 2.0)) == every - lost
    assert measures.joint_rows(bind(BoneMap(rigs.SAME.pairs[1:]), BODY, BODY, BODY.heads), 1.0) == []


def test_how_far_a_joint_is_from_where_the_source_has_it() -> None:
    """Seen from the hips, in the target's size and world, of each clip at most; where the whole is does not matter."""
    frame, factor = rigs.yawed(np.pi / 2)[:3, :3], 2.0
    source = posed(np.tile(BODY.heads, (4, 1, 1)), (3, 1))
    positions = factor * source.positions @ frame.T + np.array([5.0, 6.0, 7.0])
    positions[1, AT["leftHand"]] += [0.3, 0.0, 0.4]
    positions[2, AT["leftHand"]] += [0.0, 0.2, 0.0]
    row = HERE.roles["leftHand"]
    assert measures.joint_errors(HERE, source, posed(positions), frame, factor, row) == pytest.approx([0.5, 0.0], abs=1e-9)
    straight = measures.joint_errors(HERE, source, posed(factor * source.positions), np.eye(3), factor, row)
    assert straight == pytest.approx([0, 0], abs=1e-9)


def bent(angles: dict[str, list[float]], counts: tuple[int, ...] = ()) -> Motion:
    """Bones of the body that rotate about X, in degrees by frame; what hangs on them stays where it is."""
    count = len(next(iter(angles.values())))
    motion = posed(np.tile(BODY.heads, (count, 1, 1)), counts)
    rotations = np.array(motion.rotations)
    for name, degrees in angles.items():
        rotations[:, AT[name]] = quat.multiply(quat.about(LEFT, np.radians(degrees)), rotations[:, AT[name]])
    return replace(motion, rotations=rotations)


def test_bones_that_move_and_nothing_follows_are_named() -> None:
    """More than a degree away from the first frame of the clip; by how far from rest, those that rotate most first."""
    setup = prepare(BODY, BODY, mapped_of("leftHand", "rightFoot", "rightToes", "leftToes", "head"), Options())
    motion = bent({"leftHand": [0, 5, 0, 0], "rightToes": [30, 30, 30, 32], "leftToes": [2, 2.9, 0, 0.9], "head": [7, 5.9, 7, 7]}, (2, 2))
    first, second = measures.unmapped(setup, motion)
    assert [(item.bone, item.largest) for item in first] == [("head", 7), ("leftHand", 5)]
    assert [(item.bone, item.largest) for item in second] == [("rightToes", 32)]
    leg = setup.legs.source
    assert [item.reach for item in first] == pytest.approx([0, np.hypot(0.08, 0.04 + 0.1) / leg], abs=1e-3), (
        "to the end of the little finger"
    )
    assert [item.inside for item in first] == [False, True], "the fingers are mapped"
    assert all(item.matched for item in (*first, *second))


def test_what_carries_nothing_that_is_mapped_is_outside() -> None:
    """Of a foot whose toes are the last of all bones neither is mapped; those stay where they are."""
    assert rigs.NAMES[-1] == "rightToes"
    (items,) = measures.unmapped(prepare(BODY, BODY, mapped_of("rightFoot", "rightToes"), Options()), bent({"rightFoot": [0, 20]}))
    assert {item.bone: item.inside for item in items} == {"rightFoot": False, "rightToes": False}


def test_what_rotates_with_the_bone_above_does_not_move() -> None:
    """Also where that is the first of all bones."""
    assert BODY.parents[AT["leftUpperLeg"]] == 0 == AT["hips"]
    setup = prepare(BODY, BODY, mapped_of("leftUpperLeg"), Options())
    assert measures.unmapped(setup, bent({"hips": [0, 20], "leftUpperLeg": [0, 20]})) == [()]


def mapped_of(*left_out: str) -> BoneMap:
    return BoneMap(tuple(pair for pair in rigs.SAME.pairs if pair.source not in left_out))


def test_who_has_nothing_that_could_follow_is_not_matched() -> None:
    """`free` are the target's bones on which something hangs that follows nothing."""
    setup = prepare(BODY, BODY, mapped_of("leftHand", "leftIndexProximal", "leftLittleProximal"), Options())
    motion = bent({"leftIndexProximal": [0, 20]})
    for free, matched in ((None, True), (frozenset({"leftLowerArm"}), True), (frozenset({"leftFoot"}), False), (frozenset[str](), False)):
        ((item,),) = measures.unmapped(replace(setup, free=free), motion)
        assert (item.bone, item.inside, item.matched) == ("leftIndexProximal", False, matched)


@pytest.mark.parametrize("size", [0.1, 1.0, 10.0])
@pytest.mark.parametrize(
    ("away", "controlled", "matched"),
    [(0.0, True, False), (0.9e-4, True, False), (1.1e-4, True, True), (0.0, False, True), (0.1, True, True)],
)
def test_controls_in_the_joint_of_what_is_followed_are_how_a_rig_moves_it(
    away: float, controlled: bool, matched: bool, size: float
) -> None:
    """away: in leg lengths, of which a ten-thousandth is none."""
    body = scaled(size)
    rest = np.concatenate([body.rest, body.rest[[AT["leftHand"]]]])
    rest[-1, :3, 3] += away * size * float(np.linalg.norm(BODY.heads[AT["leftFoot"]] - BODY.heads[AT["leftUpperLeg"]])) * UP
    parents = np.append(body.parents, AT["leftLowerArm"]).astype(np.int32)
    figure = Figure((*rigs.NAMES, "control"), parents, rest, np.append(body.lengths, 0.1))
    setup = replace(prepare(figure, BODY, rigs.SAME, Options()), controlled=controlled)
    motion = rest_motion(figure).at(np.array([0, 0]))
    rotations = np.array(motion.rotations)
    rotations[1, -1] = quat.multiply(quat.about(UP, np.array(0.5)), rotations[1, -1])
    ((item,),) = measures.unmapped(setup, replace(motion, rotations=rotations))
    assert (item.bone, item.matched) == ("control", matched)


def test_feet_that_go_below_their_height_at_rest() -> None:
    """Of each clip the deepest of feet and toes; of a target that does not stand at rest, below its floor."""
    positions = np.tile(BODY.heads, (5, 1, 1))
    positions[1, AT["leftFoot"], 2] -= 0.2
    positions[2, AT["rightToes"], 2] -= 0.3
    positions[3, AT["rightToes"], 2] += 0.5
    positions[4, AT["head"], 2] -= 1.5
    motion = posed(positions, (2, 1, 2))
    legs = root.Legs(1.0, 1.0, 0.0, True)
    assert measures.penetration(HERE, motion, legs) == pytest.approx([0.2, 0.3, 0.0])
    lowest = float(BODY.heads[:, 2].min())
    lying = replace(legs, stands=(True, False), target_floor=lowest + 0.1)
    assert measures.penetration(HERE, motion, lying) == pytest.approx([0.1 + 0.2 - 0.07, 0.1 + 0.3, 0.1]), "ankles are 0.07 above toes"
    assert measures.penetration(mapped(without("leftFoot", "rightFoot", "leftToes", "rightToes")), motion, legs).tolist() == [0, 0, 0]


def test_rotation_beyond_the_source_s() -> None:
    """From a frame to the next, in its own clip; of bones that are swung nothing in that clip, of those that follow by parts nothing."""
    source = bent({"leftHand": [0, 10, 20, 20, 20], "head": [0] * 5}, (3, 2))
    target = bent({"leftHand": [0, 15, 20, 70, 78], "head": [0, 0, 3, 90, 90]}, (3, 2))
    hand, head = AT["leftHand"], AT["head"]
    excess = measures.rotation_excess
    assert excess(HERE, source, target, {hand}, {}) == pytest.approx([5, 8], abs=1e-6)
    assert excess(HERE, source, target, {hand, head, AT["hips"]}, {}) == pytest.approx([5, 8], abs=1e-6)
    assert excess(HERE, source, target, {head}, {}) == pytest.approx([3, 0], abs=1e-6)
    assert excess(HERE, source, target, {hand}, {hand: np.array([True, False])}) == pytest.approx([0, 8], abs=1e-6)
    assert excess(mapped(swung("leftHand")), source, target, {hand}, {}).tolist() == [0, 0]
    assert excess(HERE, target, source, {hand}, {}) == pytest.approx([5, 0], abs=1e-6), "20 degrees into the third, where it has 5"
    ahead, back = bent({"leftHand": [0, 10, 10]}), bent({"leftHand": [0, 10, -10]})
    assert excess(HERE, ahead, back, {hand}, {}) == pytest.approx([20], abs=1e-6), "each as far from the first frame as the other"
    assert measures.steps_beyond(source, target, hand) == pytest.approx([5, -5, 50, 8], abs=1e-6)


def test_goals_that_held_feet_miss() -> None:
    """By more than a hundredth of the leg, which is 2 here: of all limbs the one that misses most in each frame."""
    legs, spans = root.Legs(2.0, 2.0, 0.0, True), posed(np.tile(BODY.heads, (5, 1, 1)), (3, 2)).spans
    missed = {"leftFoot": np.array([0, 0.019, 0.03, 0.0, 0]), "rightFoot": np.array([0.05, 0, 0, 0.02, 0.0])}
    assert measures.missed(held.Locked({}, missed=missed), legs, spans) == [(2, 0.05), (0, 0.02)]
    assert measures.missed(held.Locked({}), legs, spans) == [(0, 0.0), (0, 0.0)]
