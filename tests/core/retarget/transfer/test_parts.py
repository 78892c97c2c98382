"""What the steps of retargeting answer by themselves, for figures whose numbers are known by hand."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace
from math import inf

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.anatomy.hierarchy import Hierarchy
from retro_anim.core.retarget.anatomy.structure import analyse
from retro_anim.core.retarget.anatomy.tree import Tree
from retro_anim.core.retarget.figures import spans
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps import map_fields
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Pair
from retro_anim.core.retarget.ground import contacts
from retro_anim.core.retarget.mapping.chain_mapping import branches, match
from retro_anim.core.retarget.mapping.creatures.body import Body
from retro_anim.core.retarget.mapping.creatures.symmetry import halves
from retro_anim.core.retarget.mapping.humanoid.assignment import best_states
from retro_anim.core.retarget.mapping.known_names import known_names
from retro_anim.core.retarget.mapping.mapping import labels_of
from retro_anim.core.retarget.mapping.naming.names import Side, read_names
from retro_anim.core.retarget.mapping.naming.selection import select
from retro_anim.core.retarget.reports.report import Report
from retro_anim.core.retarget.transfer import chains
from retro_anim.core.retarget.transfer.alignment.align import Goal, roll, rotation_to
from retro_anim.core.retarget.transfer.alignment.reference import canonical_goals
from retro_anim.core.retarget.transfer.binding import bind
from retro_anim.core.retarget.transfer.limbs import two_bone_ik
from retro_anim.core.retarget.transfer.output import rotation_values, unrolled
from retro_anim.core.retarget.transfer.twist import twist_bones

from .. import rigs
from ..mapping.given import figure_of
from ..mapping.zoo import build
from ..mapping.zoo_changes import numbered
from ..mapping.zoo_rigs import COMMON

HUMAN = build(COMMON[0])


def line_of(parents: list[int], heads: Floats) -> Figure:
    return figure_of([f"b{bone}" for bone in range(len(parents))], parents, heads)


def moved(figure: Figure, by: Floats) -> Figure:
    rest = np.array(figure.rest)
    rest[:, :3, 3] += by
    return replace(figure, rest=rest)


def test_who_is_below_whom() -> None:
    """Two roots: 0 above 2 and 3, 2 above 5; 1 above 4."""
    parents = [-1, -1, 0, 0, 1, 2]
    hierarchy = Hierarchy(line_of(parents, np.arange(18.0).reshape(6, 3)))
    below = {0: {0, 2, 3, 5}, 1: {1, 4}, 2: {2, 5}, 3: {3}, 4: {4}, 5: {5}}
    assert {bone: {other for other in range(6) if hierarchy.below(other, bone)} for bone in range(6)} == below
    assert list(hierarchy.above(5)) == [2, 0] and list(hierarchy.above(1)) == []
    points = np.arange(18.0).reshape(6, 3)
    tree = Tree(tuple(range(6)), tuple(parents), points, points)
    assert tree.children == ((2, 3), (4,), (5,), (), (), ())
    assert tree.depths == (0, 0, 1, 1, 1, 2)
    assert (tree.common([5, 3]), tree.common([5, 4]), tree.common([])) == (0, -1, -1)


def test_joints_at_one_point_are_no_humanoid() -> None:
    points = np.zeros((8, 3))
    assert analyse(Tree(tuple(range(8)), (-1, 0, 1, 2, 0, 4, 0, 6), points, points)) is None


def test_two_halves_of_a_body_that_nothing_joins_are_no_humanoid() -> None:
    figure = numbered(HUMAN, 3).figure
    hips, spine = (figure.names.index(numbered(HUMAN, 3).truth[role][0]) for role in ("hips", "spine"))
    apart = np.array(figure.parents)
    apart[spine] = -1
    assert labels_of(figure).humanoid
    assert apart[hips] != spine
    assert not labels_of(replace(figure, parents=apart)).humanoid


def test_what_carries_the_hips_is_not_the_hips() -> None:
    """A bone at the ground, whose name says nothing."""
    built = numbered(HUMAN, 3)
    plain = built.figure
    parents = np.concatenate([[-1], plain.parents + 1]).astype(np.int32)
    rest = np.concatenate([np.eye(4)[None], plain.rest])
    result = labels_of(Figure(("bone_90", *plain.names), parents, rest, np.concatenate([[0.1], plain.lengths])))
    for role in ("hips", "spine"):
        assert plain.names[result.roles[role] - 1] == built.truth[role][0]
    assert result.roles["root"] == 0


def test_structure_alone_is_never_certain() -> None:
    """Of limbs: by 0.95 at most, the less the more they are unlike a person's."""
    for rig in COMMON:
        figure = build(rig).figure
        points = figure.heads
        tree = Tree(tuple(range(len(figure))), tuple(figure.parents.tolist()), points, figure.tails)
        structure = analyse(tree)
        assert structure is not None
        limbs = {role: sure for role, sure in structure.confidence.items() if role.startswith(("left", "right"))}
        assert limbs and min(limbs.values()) >= 0.05 and max(limbs.values()) <= 0.95


def test_where_a_bone_ends() -> None:
    """Along its own Y axis; locks that are given stay."""
    rest = np.eye(4)[None].repeat(1, axis=0)
    rest[0, :3, :3], rest[0, :3, 3] = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]]), (1, 2, 3)
    figure = Figure(("a",), np.array([-1], np.int32), rest, np.array([5.0]), locked=np.array([[True, False, True]]))
    assert figure.tails.tolist() == [[1, 2, 8]]
    assert figure.locked.tolist() == [[True, False, True]]
    assert Figure(("a",), np.array([-1], np.int32), rest, np.array([5.0])).locked.tolist() == [[False] * 3]


def test_numbers_of_a_bone_map() -> None:
    assert [map_fields.number(value) for value in (1e6, -1e6, 0)] == [1e6, -1e6, 0]
    for wrong in (1e6 + 0.5, -1e6 - 0.5, inf, True, "1"):
        with pytest.raises(ValueError, match="is no number"):
            map_fields.number(wrong)
    assert map_fields.rotations({"a": [0.6, 0, 0, 0]}) == {"a": (1, 0, 0, 0)}
    for size in (0.5, 2.0):
        with pytest.raises(ValueError, match="no quaternion"):
            map_fields.rotations({"a": [size, 0, 0, 0]})


def test_names_without_their_sides_and_numbers() -> None:
    left, right, middle, copied = read_names(["Hand.L", "RightHand", "Spine_02", "Prop.001"])
    assert [(name.tokens, name.side, name.numbers, name.copy) for name in (left, right, middle, copied)] == [
        (("hand",), "left", (), -1),
        (("hand",), "right", (), -1),
        (("spine",), "", ("02",), -1),
        (("prop",), "", (), 1),
    ]
    assert left.plain == right.plain


def test_what_is_in_the_middle_has_no_side() -> None:
    result = labels_of(HUMAN.figure)
    assert result.roles.keys() >= {"hips", "head", "leftHand", "rightFoot"}
    for role, bone in result.roles.items():
        assert result.sides[bone] == next((side for side in ("left", "right") if role.startswith(side)), ""), role


@pytest.mark.parametrize(("controls", "prefix"), [(False, "DEF-"), (True, "")])
def test_of_a_rig_with_layers_one_is_looked_at(controls: bool, prefix: str) -> None:
    """Those that deform, or those that a person moves; nothing of what drives one from the other."""
    plain = HUMAN.figure
    bones = [name.removeprefix("mixamorig:") for name in plain.names]
    names = [layer + name for layer in ("", "DEF-", "MCH-") for name in bones]
    parents = np.concatenate([plain.parents + np.where(plain.parents >= 0, shift * len(plain), 0) for shift in range(3)])
    figure = Figure(tuple(names), parents.astype(np.int32), np.tile(plain.rest, (3, 1, 1)), np.tile(plain.lengths, 3))
    chosen = {figure.names[bone] for bone in select(figure, read_names(names), controls).bones}
    assert chosen and all(name.startswith(prefix) and name.removeprefix(prefix) in bones for name in chosen)


def test_no_bones_have_no_states() -> None:
    assert best_states([], [True, False], [0.0, 0.0]) == []


def test_chains_of_one_figure_are_those_of_the_same_elsewhere() -> None:
    """A chain and itself are alike in everything; where the figure stands does not count."""
    heads = np.array([[0, 0, 1], [0, 0.1, 1], [0, 0.3, 0.9], [0, 0.6, 0.8], [0, 0, 5], [0, 0, 4]])
    figure = figure_of(["hips", "tail_1", "tail_2", "tail_3", "top", "neck"], [-1, 0, 1, 2, 0, 0], heads)
    known, away = (branches(each, labels_of(each), {0, 4, 5}) for each in (figure, moved(figure, np.array([7.0, -5, 30]))))
    assert [branch.bones for branch in known] == [(1, 2, 3)]
    for one, other in zip(known, away, strict=True):
        assert one.start == pytest.approx(other.start) and one.end == pytest.approx(other.end)
    ((_, _, sure),) = match(known, away, {0: 0}, everything=False)
    assert sure == 0.9
    half = [replace(known[0], part=known[0].part / 4)]
    ((_, _, less),) = match(known, half, {}, everything=True)
    ((_, _, same),) = match(known, known, {}, everything=True)
    assert less < same
    single = [replace(known[0], bones=known[0].bones[:1])]
    ((_, _, fewer),) = match(known, single, {}, everything=True)
    assert same - fewer == pytest.approx(0.05 * 2 / 3, abs=2e-3)


def chain(mode: str) -> Chain:
    return Chain(("b1", "b2", "b3"), ("b1", "b2"), mode=mode, name="tail")  # pyright: ignore[reportArgumentType]


def test_chains_bone_by_bone() -> None:
    """From the first bone on, or from the last; else spread over the length. The bone above that is mapped carries all of it."""
    heads = np.array([[0.0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 0, 3], [0, 0, 4]])
    figure = line_of([-1, 0, 1, 2, 3], heads)
    joints = chains.Joints(heads, figure.tails)
    plans = {mode: chains.plan(chain(mode), figure, figure, joints, {0}, {0}) for mode in ("ONE_TO_ONE", "REVERSED", "INTERPOLATED")}
    assert [(plan.sources, plan.targets) for plan in plans.values()] == [((1, 2), (1, 2)), ((2, 3), (1, 2)), ((1, 2, 3), (1, 2))]
    assert {plan.carrier for plan in plans.values()} == {0}
    unmapped = chains.plan(Chain(("b2", "b3"), ("b2", "b3"), name="tail"), figure, figure, joints, {0}, {0})
    assert unmapped.carrier == 0
    assert chains.plan(chain("INTERPOLATED"), figure, figure, joints, set(), set()).carrier == -1


def test_a_chain_s_last_bone_does_not_end_at_itself() -> None:
    """Also where it has a pair of its own: the chain ends where the next bone begins that has one."""
    heads = np.array([[0.0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 7]])
    figure = line_of([-1, 0, 1, 2, 3], heads)
    joints, own = chains.Joints(heads, figure.tails), Chain(("b1", "b2", "b3"), ("b1", "b2", "b3"), name="tail")
    for mapped in ({0, 4}, {0, 3, 4}):
        plan = chains.plan(own, figure, figure, joints, mapped, {0, 4})
        assert plan.known == pytest.approx([0, 1 / 12, 4 / 12, 9 / 12]), "the middles of bones of 1, 2 and 3 m"


def test_a_chain_ends_with_its_last_tail() -> None:
    """One bone from 1 to 3 metres up, beside two from 1 to 2 and from 2 to 3: the second one begins in the middle of it."""
    up = np.outer(np.arange(4.0), (0, 0, 1))
    one = figure_of(["a", "b"], [-1, 0], up[:2], up[[1, 3]])
    two = figure_of(["a", "c", "d"], [-1, 0, 1], up[:3], up[1:])
    plan = chains.plan(Chain(("b",), ("c", "d"), name="tail"), one, two, chains.Joints(one.heads, one.tails), {0}, {0})
    assert plan.anchors == pytest.approx(np.array([[0.0, 0, 1], [0, 0, 2]]))


def test_opposite_directions_are_half_a_rotation_apart() -> None:
    for start in np.concatenate([np.eye(3), np.sqrt(0.5) * np.array([[1.0, 0, 1], [1, 1, 0], [0, 1, 1]])]):
        rotation = two_bone_ik.between(start[None], -start[None])
        assert quat.rotate(rotation, start[None])[0] == pytest.approx(-start, abs=1e-7)
        assert quat.angle(rotation)[0] == pytest.approx(np.pi)


def test_a_limb_reaches_softly_and_never_beyond_its_length() -> None:
    length, present = np.ones(6), np.full(6, 0.1)
    wanted = np.array([0.1, 0.5, two_bone_ik.SOFT, (1 + two_bone_ik.SOFT) / 2, 1.0, 5.0])
    taken = two_bone_ik.reach(length, wanted, present)
    assert taken[:3] == pytest.approx(wanted[:3])
    assert two_bone_ik.SOFT < taken[3] < wanted[3] and taken[3] < taken[4] < taken[5] <= 1
    assert two_bone_ik.reach(length[:1], np.ones(1), np.ones(1)) == pytest.approx([1.0]), "a straight leg stays straight"


def test_directions_along_one_line_are_swung() -> None:
    """Two that point apart, up and down, onto two that point to both sides."""
    up, across = np.array([[0.0, 0, 1], [0, 0, -1]]), np.array([[1.0, 0, 0], [-1, 0, 0]])
    assert rotation_to(up, Goal(up, across), np.eye(3)) @ up.T == pytest.approx(across.T)


def test_what_lies_along_an_axis_shows_no_rotation_about_it() -> None:
    x, y, z = np.eye(3)
    assert roll(x, y, x).tolist() == roll(y, x, x).tolist() == np.eye(3).tolist()
    assert roll(y, z, x) @ y == pytest.approx(z)


def test_the_hips_of_a_t_pose() -> None:
    """Up along the spine, and from the right thigh to the left one along X."""
    binding = bind(rigs.SAME, rigs.rolled(1), rigs.rolled(1), rigs.rolled(1).heads)
    for side in ("source", "target"):
        goal = canonical_goals(binding, side, 0.0)[rigs.NAMES.index("hips")]
        assert goal.wanted == pytest.approx(np.array([[0.0, 0, 1], [1, 0, 0]]))


def test_only_the_next_joint_steers_a_limb() -> None:
    """A hand that hangs on the upper arm, beside the lower one, shows nothing of where that points."""
    names = ["leftUpperArm", "leftLowerArm", "leftHand", "sleeve"]
    figure = figure_of(names, [-1, 0, 0, 0], np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0]]))
    binding = bind(BoneMap(tuple(Pair(name, name, "" if name == "sleeve" else name) for name in names)), figure, figure, figure.heads)
    assert binding.steering[0] == (1,)
    far = moved(figure, np.array([0.0, 0, 1e6]))
    assert bind(BoneMap((Pair("leftUpperArm", "leftUpperArm"), Pair("leftHand", "leftHand"))), far, figure, far.heads).below[0] == (1,)


@pytest.mark.parametrize("more", [(), ("leftIndexProximal",)])
def test_a_thumb_alone_does_not_steer_a_hand(more: tuple[str, ...]) -> None:
    """It goes off to the side, and with one joint not even that is known; beside other fingers it shows how the hand is rotated."""
    names = ["leftLowerArm", "leftHand", "leftThumbProximal", *more]
    figure = figure_of(names, [-1, 0, 1, 1][: len(names)], np.array([[0.0, 0, 0], [1, 0, 0], [1.3, -0.5, 0], [2, 0, 0]])[: len(names)])
    pairs = tuple(Pair(name, name, name) for name in names)
    binding = bind(BoneMap(pairs), figure, figure, figure.heads)
    assert binding.steering[1] == ((2, 3) if more else ())


@pytest.mark.parametrize("along", [True, False])
def test_the_tail_of_a_single_bone_shows_where_it_points_if_tails_show_it_at_all(along: bool) -> None:
    """Importers that keep a file's axes draw bones across the limbs."""
    names, heads = ("arm", "hand", "thumb"), np.array([[0.0, 0, 0], [1, 0, 0], [1.2, 0, 0]])
    rest = np.tile(np.eye(4), (3, 1, 1))
    rest[:, :3, 3] = heads
    rest[:, :3, :3] = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]).T if along else np.eye(3)
    source = Figure(names, np.array([-1, 0, 1], np.int32), rest, np.array([1, 0.2, 0.3]))
    target = figure_of([*names, "tip"], [-1, 0, 1, 2], np.array([[0.0, 0, 0], [1, 0, 0], [1.2, 0, 0], [1.3, 0, 0.1]]))
    bone_map = BoneMap((Pair("arm", "arm"), Pair("hand", "hand")), (Chain(("thumb",), ("thumb", "tip")),))
    binding = bind(bone_map, source, target, source.heads)
    assert len(binding.steering[2]) == (1 if along else 0)


def test_rotations_begin_on_the_side_of_rest() -> None:
    """Of the two quaternions of a rotation the one with w above 0, and no jump from there on."""
    angles = np.radians([20.0, 100, 190, 250])
    half = np.stack([np.cos(angles / 2), np.sin(angles / 2), 0 * angles, 0 * angles], axis=1)
    assert rotation_values(-half, "QUATERNION") == pytest.approx(half)
    assert rotation_values(half * np.array([1.0, -1, -1, 1])[:, None], "QUATERNION") == pytest.approx(half)


def test_angles_begin_as_they_are() -> None:
    """Of the two triples of a rotation the one that is given first, and from then on the nearest."""
    first = np.radians([[10.0, 20, 30], [12, 22, 32]])
    other = np.stack([first[1] + np.pi, first[1] + np.pi])
    other[:, 1] = np.pi - first[1, 1]
    assert unrolled(first, "XYZ") == pytest.approx(first)
    assert unrolled(np.stack([first[0], other[0]]), "XYZ") == pytest.approx(first)
    assert unrolled(np.stack([other[0], first[1]]), "XYZ") == pytest.approx(other)


def test_what_hangs_on_a_bone() -> None:
    """Steps of 1 and 2 upwards: all of the body hangs on the first and the second joint, two thirds are the last step."""
    figure = line_of([-1, 0, 1], np.array([[0.0, 0, 0], [0, 0, 1], [0, 0, 3]]))
    unnamed: list[Side] = [""] * 3
    body = Body.of(figure, halves(figure, unnamed), np.array([1.0, 0, 0]))
    assert body.mass == pytest.approx(np.array([1, 1, 2 / 3]))
    assert body.reach == pytest.approx(np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]]))
    assert body.below.tolist() == [2, 1, 0] and body.tips.tolist() == [1, 1, 1]


def test_a_trunk_goes_from_hind_legs_to_fore_legs() -> None:
    """Rigs begin at the hips: here the very first bone, on which the hind legs hang."""
    legs = [(x, y, z) for y in (0.0, 1.0) for x in (0.2, -0.2) for z in (0.9, 0.0)]
    figure = figure_of(list("abcdefghij"), [-1, 0, 0, 2, 0, 4, 1, 6, 1, 8], np.array([(0.0, 0, 1), (0, 1, 1), *legs]))
    sides: list[Side] = ["", "", "left", "left", "right", "right", "left", "left", "right", "right"]
    for left in (1.0, -1.0):  # the fore legs are where one looks whose left is at -X
        assert Body.of(figure, halves(figure, sides), np.array([left, 0.0, 0])).ahead == pytest.approx(-left)


def test_a_twist_bone_as_long_as_its_limb_stands_for_the_middle() -> None:
    names = ["leftLowerArm", "leftHand", "twist"]
    heads, tails = np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, 0]]), np.array([[1.0, 0, 0], [1.2, 0, 0], [1, 0, 0]])
    figure = figure_of(names, [-1, 0, 0], heads, tails)
    binding = bind(BoneMap(tuple(Pair(name, name, name) for name in names[:2])), figure, figure, figure.heads)
    assert twist_bones(binding) == {2: (0, pytest.approx(0.5))}
    quarter = figure_of([*names, "twist_2"], [-1, 0, 0, 0], np.concatenate([heads, [[0.25, 0, 0]]]), np.concatenate([tails, [[0.5, 0, 0]]]))
    binding = bind(BoneMap(tuple(Pair(name, name, name) for name in names[:2])), quarter, quarter, quarter.heads)
    assert twist_bones(binding) == {2: (0, pytest.approx(0.0)), 3: (0, pytest.approx(0.25))}


def test_a_gap_in_a_stand_is_closed_wherever_both_sides_are_known() -> None:
    """One sample in the air; at the ends nobody knows what goes on."""

    def stands(air: int) -> list[bool]:
        positions = np.zeros((9, 3))
        positions[air, 2] = 1.0
        return contacts.standing(positions, np.arange(9.0), 1.0, np.zeros(1), spans.Spans((9,))).tolist()

    assert all(all(stands(air)) for air in range(1, 8))
    assert stands(0) == [False, *[True] * 8] and stands(8) == [*[True] * 8, False]


def test_feet_skate_in_their_own_clip_only() -> None:
    """One that slides a metre a second, and one that stands still a hundred metres away: half a leg a second, and none."""
    positions, seconds = np.zeros((6, 3)), np.array([0.0, 1.0, 2.0, 0.0, 1.0, 2.0])
    positions[:, 0] = [0, 1, 2, 100, 100, 100]
    assert contacts.skate(positions, seconds, np.ones(6, bool), 2.0, spans.Spans((3, 3))).tolist() == [0.5, 0.0]


def test_names_that_people_know() -> None:
    figure = HUMAN.figure
    named = {figure.names[bone]: name for bone, name in known_names(figure).items()}
    for role, name in {
        "hips": "hips",
        "leftUpperArm": "upper_arm.L",
        "rightLowerArm": "forearm.R",
        "leftUpperLeg": "thigh.L",
        "rightLowerLeg": "shin.R",
        "leftToes": "toe.L",
        "rightHand": "hand.R",
        "upperChest": "upper_chest",
    }.items():
        assert named[HUMAN.truth[role][-1]] == name


@pytest.mark.parametrize("name", ["lEFThAND", "lefthand", "LEFTHAND", "LeftHand", "left_hand", "handl", "lhand"])
def test_a_hand_however_it_is_written(name: str) -> None:
    (read,) = read_names([name])
    assert (read.tokens, read.side) == (("hand",), "left")


def test_a_turn_is_told_from_a_twentieth_of_a_degree_on() -> None:
    numbers = dict.fromkeys((item.name for item in fields(Report) if item.default is item.default_factory is MISSING), 0)

    def is_in_report(yaw: float) -> bool:
        report = Report(**{**numbers, "name": "walk", "limb_worst": "", "joint_error": None, "unmapped": (), "yaw": yaw})  # pyright: ignore[reportArgumentType]
        return any("turned by" in line for line in report.lines())

    assert [is_in_report(yaw) for yaw in (0.0, 0.04, -0.04, 0.05, -0.05, 90)] == [False, False, False, True, True, True]
