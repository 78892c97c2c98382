"""Rules of mapping whose numbers are known: positions in a body, its halves, which bones are helpers."""

from __future__ import annotations

import copy
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.chain_mapping import branches
from retro_anim.core.retarget.mapping.creatures.body import Body, _positions, bodies
from retro_anim.core.retarget.mapping.creatures.creatures import kin
from retro_anim.core.retarget.mapping.creatures.doubts import DOUBTFUL, SURE, Doubts
from retro_anim.core.retarget.mapping.creatures.parts import LEFT, MIDDLE, ODD_LEFT, RIGHT
from retro_anim.core.retarget.mapping.creatures.stations import Stations
from retro_anim.core.retarget.mapping.creatures.symmetry import halves
from retro_anim.core.retarget.mapping.creatures.tree_match import TreeMatch
from retro_anim.core.retarget.mapping.humanoid.divided_limbs import _of_one_name, label_divided
from retro_anim.core.retarget.mapping.humanoid.evidence import Evidence, Labels
from retro_anim.core.retarget.mapping.humanoid.labels import label, named_sides
from retro_anim.core.retarget.mapping.kinds import plain_bone
from retro_anim.core.retarget.mapping.naming.names import Side, read_names
from retro_anim.core.retarget.mapping.naming.selection import select

from .. import rigs
from .given import figure_of


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_positions_in_a_body_do_not_depend_on_its_size(scale: float) -> None:
    """Two bones apart by 2 along x and y, and alike along z: in mean extents, a third of the mean of all where there is none."""
    heads = np.array([[1.0, 1, 0], [-1, -1, 0], [5, 3, 1]])
    weights = np.array([1.0, 1, 0])
    at, ends = _positions(scale * heads, scale * heads[::-1], weights)
    np.testing.assert_allclose(at[:2, :2], [[1, 1], [-1, -1]])
    np.testing.assert_allclose(at[2], _positions(heads, heads, weights)[0][2])
    np.testing.assert_allclose(ends, at[::-1])


@pytest.mark.parametrize(
    ("name", "plain"), [("spine", True), ("upper_arm", True), ("spine_ik", False), ("tail", True), ("cape_socket", True)]
)
def test_which_bones_are_no_helpers(name: str, plain: bool) -> None:
    (read,) = read_names([name])
    assert plain_bone(read) == plain


@pytest.mark.parametrize("name", ["chip", "crib", "bear", "pear", "fear"])
def test_what_begins_with_a_letter_and_ends_as_a_part_of_the_body_is_none(name: str) -> None:
    """A hip, a rib and ears: only a side may be one letter."""
    (read,), (sided,) = read_names([name]), read_names([f"l{name[1:]}"])
    assert read.tokens == (name,) and not read.parts
    assert sided.side == "left" and sided.tokens == (name[1:],)


@pytest.mark.parametrize(("count", "cut"), [(4, False), (5, True)])
def test_what_five_names_begin_with_is_no_part_of_them(count: int, cut: bool) -> None:
    names = read_names([f"xyz_{part}" for part in ("hand", "foot", "head", "neck", "spine")[:count]])
    assert names[0].tokens == (("hand",) if cut else ("xyz", "hand"))


@pytest.mark.parametrize(("end", "count"), [("hand", 12), ("spine", 1)])
def test_a_run_of_letters_is_read_up_to_48_of_them(end: str, count: int) -> None:
    (read,) = read_names([11 * "hand" + end])
    assert len(read.tokens) == count


@pytest.mark.parametrize(("numbered", "numbers"), [(2, ()), (3, ("01",))])
def test_digits_that_more_than_a_quarter_of_the_names_go_on_from_are_theirs(numbered: int, numbers: tuple[str, ...]) -> None:
    """Of eight names: `Bip010` and so on are ten and more, so that 01 is no part of what all begin with."""
    names = ["Bip01_Hand", "Bip01-Foot", "Bip01_Head", "Bip01-Neck", "Bip01_Spine", "Bip01-Tail"][: 8 - numbered]
    assert read_names([*names, *(f"Bip01{number}" for number in range(numbered))])[0].numbers == numbers


@pytest.mark.parametrize(("name", "part"), [("hand_thumb.L", "Thumb"), ("hand_index_1.L", "Index"), ("hand_finger_1.L", "Finger")])
def test_a_finger_of_the_hand_is_no_hand(name: str, part: str) -> None:
    (read,) = read_names([name])
    assert max(read.parts, key=lambda each: read.parts[each]) == part and "Hand" not in read.parts


@pytest.mark.parametrize("phrase", ["hip_joint", "toe_base", "hand_fist", "toe_ball", "index_finger", "ring_finger"])
def test_a_phrase_means_the_same_in_one(phrase: str) -> None:
    (apart,), (joined,) = (read_names([f"{text}.L"]) for text in (phrase, phrase.replace("_", "")))
    assert apart.parts and apart.parts == joined.parts


def test_bones_of_one_name_up_to_the_first() -> None:
    """Also where that is the skeleton's own first bone."""
    figure = figure_of(["arm1.L", "arm2.L", "arm3.L", "hand.L"], [-1, 0, 1, 2], np.eye(4)[:, :3])
    names = read_names(figure.names)
    assert _of_one_name(Evidence(figure, select(figure, names, controls=False), names), 1) == [0, 1, 2]


def test_a_bone_without_a_side_has_that_of_what_it_hangs_on() -> None:
    """Also where that is the first bone of all."""
    figure = figure_of(["x_hand.L", "bone", "part", "x_foot.R", "other"], [-1, 0, 1, -1, 3], np.eye(5)[:, :3])
    assert named_sides(figure, Labels(read_names(figure.names))) == ("left", "left", "left", "right", "right")
    assert named_sides(figure_of(["a", "b.L"], [-1, 0], np.eye(2, 3)), Labels(read_names(["a", "b.L"]))) == ("", "left")


@pytest.mark.parametrize("degrees", [0, 180])
def test_names_say_which_half_is_the_left_one(degrees: float) -> None:
    """Wherever the figure faces."""
    body = rigs.humanoid()
    about_z = rotation_matrix.about(2, np.radians(degrees))
    figure = figure_of(list(body.names), body.parents.tolist(), body.heads @ about_z.T)
    (result,) = bodies(figure, [name.side for name in read_names(body.names)])
    kinds = {"left": LEFT, "right": RIGHT}
    assert list(result.kinds) == [next((kinds[side] for side in kinds if name.startswith(side)), MIDDLE) for name in body.names]


def test_an_axis_that_is_said_to_be_across_nothing_decides_nothing() -> None:
    """The left side as a figure of a game declares it, where it does not lie along the halves: the names count."""
    (plain,) = bodies(rigs.humanoid(), sides := [name.side for name in read_names(rigs.NAMES)])
    for declared in ((0.0, 0, 1), (0.3, 0, 0.95), (-0.3, 0, 0.95)):
        (other,) = bodies(replace(rigs.humanoid(), left=np.array(declared)), sides)
        assert other.kinds == plain.kinds
    (mirrored,) = bodies(replace(rigs.humanoid(), left=-np.array(plain_left(plain))), sides)
    assert mirrored.kinds != plain.kinds


def plain_left(body: Body) -> list[float]:
    """Where the bones of the left half lie."""
    heads = rigs.humanoid().heads
    left, right = ([heads[bone] for bone, kind in enumerate(body.kinds) if kind == side] for side in (LEFT, RIGHT))
    across = np.mean(left, axis=0) - np.mean(right, axis=0)
    return (across / np.linalg.norm(across)).tolist()


HEADS = np.array([[0, 0, 1], [0, 0.1, 1.5], [0.5, 0, 1.4], [-0.5, 0, 1.4], [0.2, -0.3, 0]], float)


def a_figure(heads: Floats) -> Figure:
    return figure_of(list("abcde"), [-1, 0, 1, 1, 0], heads)


@pytest.mark.parametrize("quarter", range(4))
def test_a_body_is_the_same_wherever_it_looks(quarter: int) -> None:
    """(x, y) becomes (-y, x) with each quarter; c is the left one of two in the first of them."""
    heads, left = HEADS, np.array([1.0, 0, 0])
    for _ in range(quarter):
        heads = np.stack([-heads[:, 1], heads[:, 0], heads[:, 2]], axis=1)
        left = np.array([-left[1], left[0], 0])
    figures = a_figure(HEADS), a_figure(heads)
    unnamed: list[Side] = [""] * 5
    two = [halves(figure, unnamed) for figure in figures]
    known, rotated = Body.of(figures[0], two[0], np.array([1.0, 0, 0])), Body.of(figures[1], two[1], left)
    for name in ("reach", "mass", "position", "along", "out"):
        assert getattr(known, name) == pytest.approx(getattr(rotated, name)), name
    assert known.kinds == rotated.kinds == (MIDDLE, MIDDLE, LEFT, RIGHT, ODD_LEFT)
    assert np.linalg.norm(known.along[1:], axis=1) == pytest.approx(np.ones(4))


def test_a_divided_limb_may_begin_with_the_figure_s_first_bone() -> None:
    """Two parts of 1 and two of 1.1: its middle joint is the third bone, not the first, which was taken for it."""
    names = [*(f"leg_L0_{number}_jnt" for number in range(4)), "leg_L0_end_jnt"]
    figure = figure_of(names, [-1, 0, 1, 2, 3], np.array([0.0, 1.0, 2.0, 3.1, 4.2])[:, None] * [0.0, 0.0, -1.0])
    read = read_names(names)
    evidence = Evidence(figure, select(figure, read, controls=False), read)
    evidence.result.roles.update(leftUpperLeg=1, leftLowerLeg=0, leftFoot=4)
    label_divided(evidence, "left", ("UpperLeg", "LowerLeg", "Foot"))
    assert evidence.result.roles == {"leftUpperLeg": 0, "leftLowerLeg": 2, "leftFoot": 4}


@pytest.mark.parametrize(("parts", "clear"), [(6, True), (7, False), (8, True)])
def test_a_limb_of_an_odd_number_of_like_parts_may_bend_at_two_joints(parts: int, clear: bool) -> None:
    """Of seven of one length the third joint is as good as the fourth."""
    names = [*(f"leg_L0_{number}_jnt" for number in range(parts)), "leg_L0_end_jnt"]
    figure = figure_of(names, list(range(-1, parts)), np.arange(parts + 1.0)[:, None] * [0.0, 0.0, -1.0])
    read = read_names(names)
    evidence = Evidence(figure, select(figure, read, controls=False), read)
    evidence.result.roles.update(leftUpperLeg=0, leftLowerLeg=1, leftFoot=parts)
    label_divided(evidence, "left", ("UpperLeg", "LowerLeg", "Foot"))
    assert evidence.result.roles["leftLowerLeg"] in (parts // 2, (parts + 1) // 2)
    doubtful = [role for role, note in evidence.result.notes.items() if "divide this limb" in note]
    assert len(doubtful) == (0 if clear else 3) and all(evidence.result.confidence[role] <= 0.5 for role in doubtful)


def test_where_a_bone_hangs_speaks_for_its_role_or_not() -> None:
    """The same name where nothing else is known is less sure than where the skeleton says so, and surer than where it says another."""
    figure = figure_of(["palm.L", "b", "c"], [-1, 0, 1], np.eye(3))
    read = read_names(figure.names)

    def sure(positions: dict[str, tuple[int, float]], name: float) -> float:
        evidence = Evidence(figure, select(figure, read, controls=False), read)
        evidence.structure, evidence.positions = None, positions
        evidence.give("leftHand", 0, name)
        return evidence.result.confidence["leftHand"]

    for name in (0.3, 0.6, 0.9):
        there, unknown, elsewhere = (sure(positions, name) for positions in ({"leftHand": (0, 0.8)}, {}, {"leftHand": (1, 0.8)}))
        assert 1 > there > unknown > elsewhere > 0


def test_a_pelvis_that_carries_the_legs_alone_is_the_hips() -> None:
    """Beside the spine, on a bone of which nothing says what it is; between it and the legs is another one without a name."""
    body = rigs.humanoid()
    others = [name for name in rigs.NAMES if name != "hips"]
    names = ["node", "pelvis", "bone", *others]

    def above(name: str) -> str:
        parent = rigs.NAMES[rigs.PARENTS[rigs.NAMES.index(name)]]
        return parent if parent != "hips" else "bone" if "Leg" in name else "node"

    parents = [names.index(above(name)) for name in others]
    heads = np.concatenate([[[0, 0, 1.02], [0, 0, 0.97], [0, 0, 0.95]], [body.heads[rigs.NAMES.index(name)] for name in others]])
    roles = label(figure_of(names, [-1, 0, 1, *parents], heads)).roles
    assert {role: names[roles[role]] for role in ("hips", "root", "spine")} == {"hips": "pelvis", "root": "node", "spine": "spine"}


def test_a_bust_has_no_hips() -> None:
    """Its lowest bone is called spine, and no legs say that it is more."""
    kept = [bone for bone, name in enumerate(rigs.NAMES) if name != "hips" and not name.endswith(("Leg", "Foot", "Toes"))]
    names = [rigs.NAMES[bone] for bone in kept]
    above = [kept.index(parent) if parent in kept else -1 for parent in rigs.PARENTS[kept].tolist()]
    figure = figure_of(names, above, rigs.humanoid().heads[kept])
    roles = label(figure).roles
    assert "hips" not in roles and names[roles["spine"]] == "spine" and names[roles["head"]] == "head"


@pytest.mark.parametrize("names", [("spine", "chest"), ("Spine1", "Spine2"), ("abdomen", "thorax")])
def test_a_trunk_without_head_and_arms_ends_at_the_last_bone_that_is_called_so(names: tuple[str, str]) -> None:
    """Legs, and two bones above the hips."""
    kept = [bone for bone, name in enumerate(rigs.NAMES) if name in ("hips", "spine", "chest") or name.endswith(("Leg", "Foot", "Toes"))]
    new = {"spine": names[0], "chest": names[1]}
    called = [new.get(rigs.NAMES[bone], rigs.NAMES[bone]) for bone in kept]
    above = [kept.index(parent) if parent in kept else -1 for parent in rigs.PARENTS[kept].tolist()]
    roles = label(figure_of(called, above, rigs.humanoid().heads[kept])).roles
    assert [called[roles[role]] for role in ("hips", "spine", "chest")] == ["hips", *names]


@pytest.mark.parametrize(("limb", "roles"), [(["hand.L"], set[str]()), (["forearm.L", "hand.L"], {"leftLowerArm", "leftHand"})])
def test_one_bone_alone_is_no_limb(limb: list[str], roles: set[str]) -> None:
    names = ["hips", "spine", "chest", "head", *limb]
    heads = np.array([[0, 0, 1], [0, 0, 1.2], [0, 0, 1.4], [0, 0, 1.7], [0.3, 0, 1.4], [0.6, 0, 1.4]])[: len(names)]
    labels = label(figure_of(names, [-1, 0, 1, 2, 2, 4][: len(names)], heads))
    assert {role for role in labels.roles if role.startswith("left")} == roles


@pytest.mark.parametrize("legs", [20, 30])
def test_a_centipede_s_legs_all_have_their_mates(legs: int) -> None:
    """Pairs of another length each, on one joint, in any order: also where there are more than are compared each with each."""
    order = np.random.default_rng(5).permutation(2 * legs)
    feet = np.array([[(1 + 0.1 * leg) * side, 0.3 * leg, 0.0] for leg in range(legs) for side in (1, -1)])[order]
    heads = np.concatenate(
        [[[0, 0, 1.0]], np.array([[0.5, 0.3, 1]]) * np.sign(feet[:, :1]) * [1, 0, 0] + [0, 0, 1.0] + feet * [0, 1, 0], feet]
    )
    parents = [-1, *[0] * 2 * legs, *range(1, 2 * legs + 1)]
    names = [f"bone{bone}" for bone in range(len(parents))]
    unnamed: list[Side] = [""] * len(parents)
    two = halves(figure_of(names, parents, heads), unnamed)
    mate = {int(first): int(second) for first, second in zip(np.argsort(order)[::2], np.argsort(order)[1::2], strict=True)}
    assert [two.mates[1 + first] for first in mate] == [1 + second for second in mate.values()]


def a_match(scores: dict[tuple[int, int], float], mates: dict[int, int], kind: int, parents: list[int]) -> Any:
    """Bodies of bones of one kind that are alike in all; scores of pairs that are not given are 0."""
    count = len(parents)
    figure = figure_of([f"bone{bone}" for bone in range(count)], parents, np.arange(3.0 * count).reshape(count, 3))
    body = SimpleNamespace(
        figure=figure,
        kinds=[kind] * count,
        mass=np.full(count, 0.1),
        twins=(-1,) * count,
        stations=Stations(np.zeros(count), np.zeros(count), np.zeros(count, np.bool_), -1),
    )
    return SimpleNamespace(
        one=body,
        two=body,
        limbs=[list(range(count))] * 2,
        matched=mates,
        backward={second: first for first, second in mates.items()},
        likeness=np.ones((count, count)),
        score=lambda first, second: scores.get((first, second), 0.0),
        likeness_in_all=lambda: 1.0,
        joint=lambda first, second: None,
    )


@pytest.mark.parametrize(("crosswise", "sure"), [(1.0, DOUBTFUL), (0.1, SURE)])
def test_two_tails_on_the_first_bone_may_be_each_other_s(crosswise: float, sure: float) -> None:
    """Alike in all, they are sure only where crosswise they would suit less."""
    scores = {(1, 1): 1.0, (2, 2): 1.0, (1, 2): crosswise, (2, 1): crosswise}
    assert Doubts(a_match(scores, {0: 0, 1: 1, 2: 2}, MIDDLE, [-1, 0, 0])).sure([1], [1], False, 0) == sure


@pytest.mark.parametrize(("other", "sure"), [({0: 0, 1: 1}, SURE), ({0: 1, 1: 0}, DOUBTFUL), ({0: 0}, DOUBTFUL)])
def test_what_belongs_elsewhere_by_other_weights_is_doubtful(other: dict[int, int], sure: float) -> None:
    """Two bones that follow as a chain are sure where they only change with each other, or one of them belongs to none."""
    doubts = Doubts(a_match({(0, 0): 1.0, (1, 1): 1.0}, {0: 0, 1: 1}, LEFT, [-1, 0]), [{0: 0, 1: 1}, other])
    assert doubts.sure([0, 1], [0, 1], True, 0) == SURE
    assert doubts.sure([0, 1], [0, 1], False, 0) == sure
    assert [doubts.sure([1], [1], chained, 0) for chained in (True, False)] == [sure, sure]


@pytest.mark.parametrize(("suits", "sure"), [(0.5, SURE), (0.7, DOUBTFUL)])
def test_a_limb_that_nothing_belongs_to_is_a_rival_by_what_it_gains_alone(suits: float, sure: float) -> None:
    """The third limb of the second figure; that the first's second would suit the first of the other well is no matter beside it."""
    scores = {(0, 0): 1.0, (1, 1): 1.0, (1, 0): 0.9, (0, 2): suits}
    assert Doubts(a_match(scores, {0: 0, 1: 1}, LEFT, [-1, -1, -1])).sure([0], [0], False, 0) == sure


@pytest.mark.parametrize(("alike", "in_all", "sure"), [(0.6, 0.5, SURE), (0.45, 0.5, DOUBTFUL), (0.6, 0.3, DOUBTFUL)])
def test_large_limbs_are_sure_that_are_alike_in_figures_that_are(alike: float, in_all: float, sure: float) -> None:
    """Whatever joints but one of them has: these belong to none."""
    match = a_match({(0, 0): 1.0}, {0: 0, 1: 1}, LEFT, [-1, 0, 1, 2])
    match.one.mass[:], match.likeness[:], match.likeness_in_all = 1.0, alike, lambda: in_all
    assert Doubts(match).sure([0, 1, 2, 3], [0, 1], False, 2) == sure


@pytest.mark.parametrize(("beside", "doubtful"), [(0.95, True), (0.85, False)])
def test_a_joint_that_suits_the_next_one_nearly_as_well_is_doubtful(beside: float, doubtful: bool) -> None:
    """Two of three joints that belong together by 1; without the second pair the best that is left gains less by .1 at least, or does not:
    the second joint with the third, then."""
    match = a_match({}, {0: 0, 1: 1}, LEFT, [-1, 0, 1])
    match.likeness = [[1.0, 0.0, 0.0], [0.0, 1.0, beside], [0.0, 0.0, 0.0]]
    assert Doubts(match).is_shifted(1, 1) is doubtful
    assert Doubts(match).is_shifted(0, 0) is False
    assert Doubts(match).is_shifted(2, 2) is True, "nothing belongs to it"


def test_a_joint_against_an_end_is_doubtful() -> None:
    match = a_match({}, {0: 0, 1: 2}, LEFT, [-1, 0, 1])
    match.likeness = np.diag([1.0, 0.0, 0.0]) + np.eye(3, k=1)
    assert Doubts(match).is_shifted(1, 2) is True


@pytest.mark.parametrize(("alike", "others", "doubtful"), [(0.7, {1: 1}, False), (0.55, {1: 1}, True), (0.7, {1: 0}, True)])
def test_a_bone_of_the_spine_is_sure_by_itself(alike: float, others: dict[int, int], doubtful: bool) -> None:
    """One that is on the way from tail to head, as all are here, is alike by .6, whatever counts less."""
    match = a_match({}, {0: 0, 1: 1}, MIDDLE, [-1, 0])
    match.likeness = np.full((2, 2), alike)
    assert Doubts(match, [others]).is_elsewhere(1, 1) is doubtful


@pytest.mark.parametrize(
    ("along", "off", "doubtful"),
    [
        ((-0.3, -0.9), (0, 0), False),
        ((-0.3, 0.0), (0, 0), True),
        ((0.1, -0.9), (0, 0), True),
        ((-0.3, -0.9), (1, 0), False),
        ((1.5, 1.5), (0, 0), True),
    ],
)
def test_what_is_behind_all_legs_in_both_is_of_the_tail(along: tuple[float, float], off: tuple[float, float], doubtful: bool) -> None:
    """However little alike: nothing else is there. What hangs beside the way to its end is no part of that."""
    match = a_match({}, {0: 0, 1: 1}, MIDDLE, [-1, 0])
    match.likeness = np.full((2, 2), 0.4)
    match.two = copy.deepcopy(match.one)
    for body, station, aside in zip((match.one, match.two), along, off, strict=True):
        body.stations.along[1], body.stations.off[1] = station, aside
    doubts = Doubts(match, [{1: 0}])
    assert doubts.is_elsewhere(1, 1) is doubtful
    assert doubts.of_pair(1, 1) == (DOUBTFUL if doubtful or any(off) else SURE)


@pytest.mark.parametrize(("joints", "beside", "sure"), [(3, 0.55, DOUBTFUL), (3, 0.5, SURE), (2, 0.55, SURE)])
def test_of_three_joints_each_may_as_well_be_the_next_one_s(joints: int, beside: float, sure: float) -> None:
    """Large limbs whose joints are alike by 0.6, and as much as is given with any other one: 0.9 of that is 0.54."""
    match = a_match({(0, 0): 1.0}, {bone: bone for bone in range(joints)}, LEFT, [-1, 0, 1])
    match.one.figure = figure_of(list("abc"), [-1, 0, 1], np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0.0]]))
    match.one.mass[:], match.likeness = 1.0, np.full((3, 3), beside)
    np.fill_diagonal(match.likeness, 0.6)
    assert Doubts(match).sure(list(range(joints)), list(range(joints)), False, 0) == sure


@pytest.mark.parametrize(("last", "joints", "sure"), [(4, 5, SURE), (6, 5, DOUBTFUL), (6, 4, SURE)])
def test_which_joints_a_limb_has_more_shows_in_a_row_of_bones_alike(last: int, joints: int, sure: float) -> None:
    """Beside a limb of three joints, two more are sure where no step is 2.5 times as long as another one; one more anyway."""
    match = a_match({}, {}, LEFT, [-1, 0, 1, 2, 3])
    heads = np.array([0.0, 1, 2, 3, last])[5 - joints :, None] * [1.0, 0, 0]
    match.two = SimpleNamespace(**{**vars(match.two), "figure": figure_of(list("abcde")[:joints], [-1, 0, 1, 2, 3][:joints], heads)})
    assert Doubts(match).of_chain(((0, 1, 2), tuple(range(joints)))) == sure


@pytest.mark.parametrize(
    ("kind", "off", "alike", "unlike"),
    [(MIDDLE, 1.0, 0.4, True), (MIDDLE, 1.0, 0.6, False), (MIDDLE, 0.0, 0.4, False), (LEFT, 1.0, 0.4, False)],
)
def test_what_hangs_on_the_trunk_is_no_match_if_little_alike(kind: int, off: float, alike: float, unlike: bool) -> None:
    """By less than 0.5, unless it is on the way from tail to head, or a limb."""
    match = a_match({}, {0: 0, 1: 1}, kind, [-1, 0])
    match.one.stations.off[:], match.likeness[:] = off, alike
    assert Doubts(match).unlike([1], [1]) == unlike


def test_tails_that_an_importer_made_up_are_no_part_of_a_body() -> None:
    """All point up, wherever the next joint is: limbs are as long as without them."""
    names, parents = list("abcde"), [-1, 0, 1, 1, 0]
    unnamed: list[Side] = [""] * 5
    plain, invented = figure_of(names, parents, HEADS), figure_of(names, parents, HEADS, HEADS + np.array([0, 0, 0.4]))
    (one,), (two,) = ([Body.of(figure, halves(figure, unnamed), np.array([1.0, 0, 0]))] for figure in (plain, invented))
    assert two.mass == pytest.approx(one.mass) and two.reach == pytest.approx(one.reach)


def test_the_plane_between_all_images_is_nearer_than_that_of_any_two() -> None:
    """Six pairs of legs, each aslant by 6 to 16 degrees to either side, and a head: across what is even all are mirror images. The best
    planes between two siblings are made better by all, not the worst, which are those between one leg and the next of its own side."""
    aslant = np.radians([6.0, -6.0, 11.0, -11.0, 16.0, -16.0])
    legs = [[side, 3 * row + side * np.tan(angle), 0.5] for row, angle in enumerate(aslant) for side in (1, -1)]
    heads = np.array([[0, 0, 0.5], *legs, *([2 * x, y, 0.0] for x, y, _ in legs), [0, 20, 0.5]])
    parents = [-1, *[0] * 12, *range(1, 13), 0]
    unnamed: list[Side] = [""] * 26
    two = halves(figure_of([f"bone{bone}" for bone in range(26)], parents, heads), unnamed)
    assert np.degrees(np.arccos(abs(two.left[0]))) < 3


def test_three_pairs_of_legs_are_in_a_row() -> None:
    """The first of them begins in front of the two others of its side, the middle one in front of half of these, the last of none."""
    legs = [[side, ahead, 1.0] for ahead in (-3, 0, 3) for side in (1, -1)]
    heads = np.array([[0, 0, 1], *legs, *([2.0 * x, y, 0] for x, y, _ in legs), [0, -6, 1]], float)
    unnamed: list[Side] = [""] * 14
    figure = figure_of([f"bone{bone}" for bone in range(14)], [-1, *[0] * 6, *range(1, 7), 0], heads)
    body = Body.of(figure, halves(figure, unnamed), np.array([1.0, 0, 0]))
    assert body.kinds[1] == body.kinds[3] == body.kinds[5] == LEFT
    assert body.rank[[1, 3, 5]] == pytest.approx([1, 0.5, 0], abs=0.01)


def test_a_snake_is_no_kin_of_what_is_no_snake() -> None:
    """Neither has pairs: a row of ten bones, and three rows of three that go on from one."""
    row, fork = [-1, *range(9)], [-1, 0, 1, 2, 0, 4, 5, 0, 7, 8]
    along = np.array([0.0, 1.0, 0.0])
    branches = np.array([[0, 1.0, 0], [0, 0.2, 1.0], [0, -0.7, 0.6]])
    figures = [
        figure_of([f"bone{bone}" for bone in range(10)], row, np.arange(10.0)[:, None] * along),
        figure_of(
            [f"bone{bone}" for bone in range(10)],
            fork,
            np.array([np.zeros(3), *(step * branch for branch in branches for step in (1, 2, 3))]),
        ),
    ]
    unnamed: list[Side] = [""] * 10
    each = [bodies(figure, unnamed) for figure in figures]
    names = read_names(figures[0].names)
    assert max(body.paired for two in each for body in two) == 0
    assert kin(each[0], each[0], names, names) is not None
    assert kin(each[0], each[1], names, names) is None and kin(each[1], each[0], names, names) is None


def test_of_two_branches_that_are_quite_alike_the_first_is_taken() -> None:
    """A single bone, and a fork that it is not like."""
    one: Any = SimpleNamespace(figure=figure_of(["a"], [-1], np.zeros((1, 3))), kinds=[MIDDLE], hangs=(-1,))
    two: Any = SimpleNamespace(figure=figure_of(list("abc"), [-1, 0, 0], np.eye(3)), kinds=[MIDDLE] * 3, hangs=(-1, 0, 0))
    assert TreeMatch(one, two, np.array([[-1.0, 0.9, 0.9]])).matched == {0: 1}
    assert TreeMatch(two, one, np.array([[-1.0], [0.9], [0.9]])).matched == {1: 0}


def test_branches_without_names_are_on_the_side_where_their_middle_is() -> None:
    """One goes from the middle to the left, one to the right; the trunk is on neither."""
    heads = np.array([[0, 0, 0], [0, 0, 2], [0.1, 0, 2], [0.9, 0, 2], [-0.1, 0, 2], [-0.9, 0, 2]], float)
    figure = figure_of([f"bone{bone}" for bone in range(6)], [-1, 0, 1, 2, 1, 4], heads)
    labels = Labels(read_names(figure.names), sides=("",) * 6)
    assert {branch.bones: branch.side for branch in branches(figure, labels, set())} == {(0, 1): "", (2, 3): "left", (4, 5): "right"}


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4], [0, 1, 3, 2, 4]])
def test_of_two_bodies_the_first_has_its_left_along_the_first_axis(order: list[int]) -> None:
    """Where nothing shows which half is the left one, in whatever order the bones are."""
    unnamed: list[Side] = [""] * 5
    first, second = bodies(a_figure(HEADS[order]), unnamed)
    expected = [LEFT if x > 0 else RIGHT for x in HEADS[order][2:4, 0]]
    assert [first.kinds[bone] for bone in (2, 3)] == expected == [second.kinds[bone] for bone in (3, 2)]
