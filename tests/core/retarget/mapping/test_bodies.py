"""Small rules of bodies and of what two of them have in common, whose answers are known: joints by hand, in axes left, forward and up."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.anatomy.structure import _surely
from retro_anim.core.retarget.anatomy.tree import tree_of
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping import mapping
from retro_anim.core.retarget.mapping.by_roles import _roots_alike
from retro_anim.core.retarget.mapping.creatures import creatures, runs
from retro_anim.core.retarget.mapping.creatures.body import Body, _faces
from retro_anim.core.retarget.mapping.creatures.doubts import DOUBTFUL, SURE, Doubts
from retro_anim.core.retarget.mapping.creatures.front import looks_ahead
from retro_anim.core.retarget.mapping.creatures.legs import stand_on_fours
from retro_anim.core.retarget.mapping.creatures.likeness import likeness
from retro_anim.core.retarget.mapping.creatures.parts import LEFT, MIDDLE, RIGHT, kinds_of
from retro_anim.core.retarget.mapping.creatures.stations import Stations
from retro_anim.core.retarget.mapping.creatures.symmetry import Halves, halves
from retro_anim.core.retarget.mapping.creatures.tree_match import TreeMatch, _hub, _Step
from retro_anim.core.retarget.mapping.humanoid.evidence import Evidence, Labels
from retro_anim.core.retarget.mapping.humanoid.hands import _has_metacarpal
from retro_anim.core.retarget.mapping.naming.names import Side, read_names
from retro_anim.core.retarget.mapping.pairing import Pairing

from .given import figure_of


def a_figure(parents: list[int], heads: Floats) -> Figure:
    return figure_of([f"bone{number}" for number in range(len(parents))], parents, heads)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_halves_are_the_same_wherever_a_figure_stands(scale: float) -> None:
    """A trunk with two arms and one leg, rotated, and seven of its sizes away."""
    parents = [-1, 0, 1, 1, 0]
    heads = np.array([[0, 0, 1], [0, 0.1, 1.5], [0.5, 0, 1.4], [-0.5, 0, 1.4], [0.2, -0.3, 0]], float)
    rotation = rotation_matrix.about(2, np.radians(np.array(30.0)))
    unnamed: list[Side] = [""] * 5
    for offset in ((0, 0, 0), (7, -3, 2)):
        two = halves(a_figure(parents, scale * (heads @ rotation.T + offset)), unnamed)
        assert two.shown and two.mates == (0, 1, 3, 2, -1)
        assert abs(float(two.left @ rotation[:, 0])) == pytest.approx(1, abs=1e-6)


def test_the_halves_of_a_pelvis_begin_at_one_joint() -> None:
    """In the middle, from where each goes to its own side; as a rig stores them, a hair to the right."""
    parents = [-1, 0, 1, 0, 3]
    aside = np.array([0.0, -1e-9, 0.4, -1e-9, -0.4])
    two = Halves((0, 3, 4, 1, 2), aside, np.array([1.0, 0, 0]), True, np.ones(5))
    assert kinds_of(two, aside, parents) == (MIDDLE, LEFT, LEFT, RIGHT, RIGHT)


def test_limbs_that_cross_are_on_the_side_where_they_begin() -> None:
    aside = np.array([0.0, 0.2, -0.5, -0.2, 0.5])
    two = Halves((0, 3, 4, 1, 2), aside, np.array([1.0, 0, 0]), True, np.ones(5))
    assert kinds_of(two, aside, [-1, 0, 1, 0, 3]) == (MIDDLE, LEFT, LEFT, RIGHT, RIGHT)


def test_each_bone_is_given_to_one_alone() -> None:
    """To both of the first two the last suits best; it is one's alone, as is better for both together: 5 + 3, not 4 + 1."""
    scores = {(0, 7): 3.0, (0, 8): 4.0, (1, 7): 1.0, (1, 8): 5.0}
    match: Any = SimpleNamespace(steps={pair: _Step(score) for pair, score in scores.items()})
    assert TreeMatch._assigned(match, [0, 1], [6, 7, 8]) == (8.0, ((0, 7), (1, 8)))


def test_what_belongs_to_none_up_to_the_first_bone_hangs_on_none() -> None:
    body: Any = SimpleNamespace(figure=a_figure([-1, 0, 1], np.zeros((3, 3))))
    assert [_hub(body, 2, known) for known in ({}, {0: 5}, {0: 5, 1: 6}, {2: 7})] == [-1, 0, 1, -1]


def test_a_crouching_beast_stands_on_fours() -> None:
    """Legs of length 2 that reach 1.6 down to the ground, 4 before each other."""
    starts, ends = np.array([[0, 2, 1.6], [0, -2, 1.6]]), np.array([[0, 2.0, 0], [0, -2, 0]])
    lengths = np.full(2, 2.0)
    assert stand_on_fours(starts, ends, lengths, 0.0).all()
    assert not stand_on_fours(starts * [1, 0.1, 1], ends, lengths, 0.0).any()
    for ground in (0.0, 3.0):
        up = np.array([0, 0, ground])
        assert not stand_on_fours(starts - [0, 0, 1.1] + up, ends + up, lengths, ground).any()


def test_a_face_and_a_tail_say_where_a_figure_looks() -> None:
    """Its first bone is the head, with ears; then a back, and a tail as far behind: each says ahead, together no more than all."""
    figure = a_figure([-1, 0, 1, 0, 0], np.array([[0, 1, 0], [0, 0, 0], [0, -1, 0], [0.1, 1, 0.1], [-0.1, 1, 0.1]], float))
    kinds = (MIDDLE, MIDDLE, MIDDLE, LEFT, RIGHT)
    mass, path, below = np.array([1, 1, 0.5, 0.05, 0.05]), np.array([2.0, 1, 0, 0, 0]), np.array([2.0, 1, 0, 0, 0])
    assert looks_ahead(figure, figure.heads, kinds, mass, path, below) == 1.0
    assert looks_ahead(figure, figure.heads * [1, -1, 1], kinds, mass, path, below) == -1.0
    bare = a_figure([-1, 0, 1], figure.heads[:3])
    assert looks_ahead(bare, bare.heads, kinds[:3], mass[:3], path[:3], below[:3]) == pytest.approx(0.8)


@pytest.mark.parametrize("forward", [1, -1])
def test_a_bird_looks_to_where_its_wings_hang(forward: int) -> None:
    """Along -Y: feathers on its tail as ears on a head, and no toes; legs on the hips, wings of two bones on the chest."""
    legs, wings, feathers = [[0.1, 0, -0.3], [0.1, 0, -0.6]], [[0.2, 0.3, 0], [1, 0.3, 0]], [[0.1, -0.5, 0], [0.2, -0.9, 0]]
    mirror = np.array([-1, 1, 1])
    heads = np.array(
        [
            [0, 0, 0],
            [0, 0.3, 0.1],
            [0, -0.4, 0],
            *legs,
            *(legs * mirror),
            *wings,
            *(wings * mirror),
            *feathers[:1],
            *(feathers[:1] * mirror),
        ]
    )
    figure = a_figure([-1, 0, 0, 0, 3, 0, 5, 1, 7, 1, 9, 2, 2], heads * [1, -forward, 1])
    unnamed: list[Side] = [""] * 13
    body = Body.of(figure, halves(figure, unnamed), np.array([1.0, 0, 0]))
    assert body.kinds[7] == body.kinds[11] == LEFT
    assert body.ahead * forward > 0.8


def test_a_limb_is_on_the_side_where_it_reaches() -> None:
    """Halves of a pelvis that begin in the middle, the left one a hair to the right, and carry legs."""
    figure = a_figure(
        [-1, 0, 1, 2, 0, 4, 5], np.array([[0, 0, 1], [-1e-6, 0, 1], [1, 0, 1], [1, 0, 0], [1e-6, 0, 1], [-1, 0, 1], [-1, 0, 0]], float)
    )
    unnamed: list[Side] = [""] * 7
    body = Body.of(figure, halves(figure, unnamed), np.array([1.0, 0, 0]))
    assert body.kinds == (MIDDLE, LEFT, LEFT, LEFT, RIGHT, RIGHT, RIGHT)


@pytest.mark.parametrize(("start", "ahead"), [(6.0, 1.0), (5.1, 0.0)])
def test_what_begins_at_the_ground_is_no_leg(start: float, ahead: float) -> None:
    """Limbs that end 5 above the origin, where the figure's ground is, with toes that point forward."""
    limb = [[0.5, 0, start], [0.5, 0, 5], [0.5, 0.2, 5]]
    heads = np.array([[0, 0, 6], *limb, *(np.array(limb) * [-1, 1, 1])], float)
    figure = a_figure([-1, 0, 1, 2, 0, 4, 5], heads)
    kinds = (MIDDLE, LEFT, LEFT, LEFT, RIGHT, RIGHT, RIGHT)
    path = np.array([0, 1.2, 0.2, 0, 1.2, 0.2, 0])
    assert looks_ahead(figure, heads, kinds, np.ones(7), path, np.zeros(7)) == pytest.approx(ahead)


def test_faces_hang_on_the_middle_alone() -> None:
    """Two ears of a head, which count for what the head hangs on; not an arm, and not its fingers."""
    figure = a_figure([-1, 0, 1, 1, 0, 4, 4], np.zeros((7, 3)))
    kinds = (MIDDLE, MIDDLE, LEFT, RIGHT, LEFT, LEFT, LEFT)
    assert _faces(figure, kinds, np.array([1, 0.5, 0.1, 0.1, 1, 0.1, 0.1])).tolist() == [1, 1, 0, 0, 0, 0, 0]


def test_limbs_follow_each_other_by_where_they_hang_more_than_by_where_they_reach() -> None:
    """Front legs that reach back below the body, hind legs that reach forward."""
    front, hind = [[0.2, -0.5, 0.9], [0.2, 0.7, 0]], [[0.2, 0.5, 0.9], [0.2, -0.7, 0]]
    mirror = [-1, 1, 1]
    limbs = [*front, *(np.array(front) * mirror), *hind, *(np.array(hind) * mirror)]
    figure = a_figure([-1, 0, 1, 2, 1, 4, 0, 6, 0, 8], np.array([[0, 0.5, 1], [0, -0.5, 1], *limbs], float))
    unnamed: list[Side] = [""] * 10
    body = Body.of(figure, halves(figure, unnamed), np.array([1.0, 0, 0]))
    assert body.kinds[2] == body.kinds[6] == LEFT
    assert body.rank[2] > 0.9 and body.rank[6] < 0.1


@pytest.mark.parametrize(("name", "part"), [("front_foot.L", "Hand"), ("front_upper_leg.L", "UpperArm"), ("back_foot.L", "Foot")])
def test_front_legs_are_arms(name: str, part: str) -> None:
    (read,) = read_names([name])
    assert max(read.parts, key=lambda each: read.parts[each]) == part


def test_roots_of_one_height_are_alike() -> None:
    """Between hips and floor: within a fifth of the figure's size, 2 here."""

    def standing(root: float) -> tuple[Any, Any]:
        figure = a_figure([-1, 0, 1], np.array([[0, 0, root], [0, 0, 1.0], [0, 0, 2]]))
        return figure, SimpleNamespace(roles={"root": 0, "hips": 1})

    def alike(first: float, second: float) -> bool:
        (source, ones), (target, twos) = standing(first), standing(second)
        pairing: Any = SimpleNamespace(source=source, target=target, source_labels=ones, target_labels=twos)
        return _roots_alike(pairing)

    assert alike(0.0, 0.0) is True and alike(0.0, 0.3) is True and alike(0.0, 0.9) is False


def test_what_is_clear_enough_is_certain() -> None:
    assert _surely(2.0, 2.0) == _surely(3.0, 2.0) == 1.0 > _surely(1.9, 2.0) > _surely(0.0, 2.0) > 0


class Alike:
    """A match of bodies that is given. scores: of pairs; 1 for others."""

    def __init__(self, scores: dict[tuple[int, int], float], kind: int = LEFT) -> None:
        self.scores = scores
        self.limbs = [0, 1], [0, 1]
        self.matched, self.backward = {0: 0, 1: 1}, {0: 0, 1: 1}
        figure = a_figure([-1, -1], np.zeros((2, 3)))
        self.one = self.two = SimpleNamespace(
            figure=figure, kinds=(kind, kind), mass=np.full(2, 0.1), rank=np.zeros(2), twins=(0, 1), along=np.eye(3)[:2]
        )
        self.one.stations = Stations(np.zeros(2), np.zeros(2), np.zeros(2, np.bool_), -1)
        self.likeness = np.ones((2, 2))

    def score(self, first: int, second: int) -> float:
        return self.scores.get((first, second), 1.0)

    def likeness_in_all(self) -> float:
        return 1.0


@pytest.mark.parametrize(("crosswise", "rivalled"), [(1.0, True), (0.1, False)])
def test_two_pairs_that_would_be_as_good_crosswise(crosswise: float, rivalled: bool) -> None:
    """What follows for the other of the two counts as well."""
    match: Any = Alike({(0, 1): crosswise, (1, 0): crosswise})
    assert Doubts(match)._rivalled(0, 0) is rivalled


def test_of_two_ends_alike_the_first_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a figure that may look either way; and figures that are too large together are not compared."""
    taken = list[tuple[str, str, bool]]()

    def result(match: Any, either: bool, *_: object) -> creatures.Kin:
        taken.append((match.one.name, match.two.name, either))
        return creatures.Kin({}, [], {}, 0.0)

    monkeypatch.setattr(creatures, "likeness", lambda *_: None)
    monkeypatch.setattr(creatures, "TreeMatch", lambda one, two, _: SimpleNamespace(gained=10.0, one=one, two=two))
    monkeypatch.setattr(creatures, "_result", result)
    figure = a_figure([-1, 0, 0], np.zeros((3, 3)))

    def body(name: str) -> Any:
        common = {"figure": figure, "kinds": (MIDDLE,) * 3, "paired": 9.0, "ahead": 0.0}
        return SimpleNamespace(name=name, front_shows=False, rotated=False, on_fours=False, **common)

    one, first, second = body("one"), body("first"), body("second")
    assert creatures.kin([one], [first, second], [], []) and creatures.kin([first, second], [one], [], [])
    assert taken == [("one", "first", True), ("first", "one", True)]
    monkeypatch.setattr(creatures, "_MOST_PAIRS", 8)
    assert creatures.kin([one], [first], [], []) is None


def test_rows_of_two_go_on_to_the_tip(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two flexible bones in each figure, one of which has a third: a chain of all, as three have; not where that is in a run of its own, as
    what hangs elsewhere in the other figure is: no bone may follow in two chains."""
    monkeypatch.setattr(runs, "_flexible", lambda *_: True)
    match: Any = SimpleNamespace(
        one=SimpleNamespace(figure=a_figure([-1, 0, 1], np.eye(3)), kinds=[MIDDLE] * 3),
        two=SimpleNamespace(figure=a_figure([-1, 0], np.eye(3)[:2])),
        matched={0: 0, 1: 1},
        backward={0: 0, 1: 1},
    )
    assert runs.together(match, [0, 1], [0, 1]) == ([], ((0, 1, 2), (0, 1)))
    match.matched[2] = 2
    assert runs.together(match, [0, 1], [0, 1]) == ([(0, 0), (1, 1)], None)
    match.one = SimpleNamespace(figure=a_figure([-1, 0, 1, 2, 3], np.diag(range(5))[:, :3]), kinds=[MIDDLE] * 5)
    match.matched = {0: 0, 1: 1, 4: 2}  # however far behind
    assert runs.together(match, [0, 1], [0, 1]) == ([(0, 0), (1, 1)], None)


def test_a_bent_neck_is_a_chain_up_to_the_head() -> None:
    """Necks of two and three bones, whose heads look across them, with jaws: the heads and the jaws are pairs."""
    one, two = [[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 2, 2]], [[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 0, 3], [0, 2, 3]]
    ones, twos = a_figure([-1, 0, 1, 2], np.array(one, float)), a_figure([-1, 0, 1, 2, 3], np.array(two, float))
    match: Any = SimpleNamespace(
        one=SimpleNamespace(figure=ones, kinds=[MIDDLE] * 4),
        two=SimpleNamespace(figure=twos),
        matched={0: 0, 1: 1, 2: 3, 3: 4},
        backward={0: 0, 1: 1, 3: 2, 4: 3},
    )
    assert runs.together(match, [0, 1, 2, 3], [0, 1, 2, 3, 4]) == ([(2, 3), (3, 4)], ((0, 1), (0, 1, 2)))


def test_a_bent_neck_of_one_bone_or_two_is_a_chain_up_to_the_head() -> None:
    ones, twos = a_figure([-1, 0], np.array([[0, 0, 0], [0, 0, 1.0]])), a_figure([-1, 0, 1], np.array([[0, 0, 0], [0, 0, 1], [0, 1, 1.0]]))
    bodies = [SimpleNamespace(figure=each, kinds=[MIDDLE] * len(each), mass=np.zeros(len(each))) for each in (ones, twos)]
    match: Any = SimpleNamespace(one=bodies[0], two=bodies[1], matched={0: 0, 1: 2}, backward={0: 0, 2: 1})
    assert runs.together(match, [0, 1], [0, 1, 2]) == ([(1, 2)], ((0,), (0, 1)))


def test_where_two_bones_go_on_a_head_begins() -> None:
    """On straight necks of two bones and of three."""
    bodies = [
        SimpleNamespace(figure=a_figure(parents, np.arange(3.0 * len(parents)).reshape(-1, 3)), kinds=[MIDDLE] * len(parents))
        for parents in ([-1, 0, 1, 2, 2], [-1, 0, 1, 2, 3, 3])
    ]
    match: Any = SimpleNamespace(one=bodies[0], two=bodies[1], matched={0: 0, 2: 3})
    assert runs.together(match, [0, 1, 2], [0, 1, 2, 3]) == ([(2, 3)], ((0, 1), (0, 1, 2)))
    few = a_figure([-1, 0, 1, 1], np.arange(12.0).reshape(4, 3))
    match.one.figure, match.matched = few, {0: 0, 1: 3}
    assert runs.together(match, [0, 1], [0, 1, 2, 3]) == ([], ((0, 1), (0, 1, 2, 3))), "not one bone for three"


def test_what_hangs_behind_one_bone_is_no_chain_of_it() -> None:
    """Of two rows of three bones and of four, their first ones alone are each other's."""
    bodies = [
        SimpleNamespace(figure=a_figure([-1, 0, 1, 2][:count], np.arange(3.0 * count).reshape(count, 3)), kinds=[MIDDLE] * count)
        for count in (3, 4)
    ]
    match: Any = SimpleNamespace(one=bodies[0], two=bodies[1], matched={0: 0})
    assert runs.together(match, [0], [0]) == ([(0, 0)], None)


def test_one_bone_for_several_is_sure_where_it_is_much_alike() -> None:
    body = SimpleNamespace(kinds=(MIDDLE, MIDDLE), stations=Stations(np.zeros(2), np.zeros(2), np.zeros(2, np.bool_), -1))
    match: Any = SimpleNamespace(
        one=body, two=body, limbs=((), ()), likeness_in_all=lambda: 1.0, likeness=[[0.8], [0.7]], matched={0: 0, 1: 0}
    )
    doubts = Doubts(match)
    assert doubts.of_chain(((0, 1), (0, 1))) == doubts.of_chain(((0,), (0, 1))) == SURE
    assert doubts.of_chain(((1,), (0, 1))) < SURE


def test_a_row_of_bones_is_one_chain() -> None:
    assert creatures._is_one_chain(a_figure([-1, *range(9)], np.zeros((10, 3))))
    assert creatures._is_one_chain(a_figure([-1, 0, 1], np.zeros((3, 3))))
    assert not creatures._is_one_chain(a_figure([-1, *range(4), 0, *range(5, 9)], np.zeros((10, 3))))


@pytest.mark.parametrize(("away", "is_in_palm"), [(0.02, True), (0.09, False)])
def test_a_finger_of_four_bones_begins_in_the_palm_or_has_a_tip(away: float, is_in_palm: bool) -> None:
    """Its first bone is 0.05 long, and called by no joint's name: in the palm it begins nearer than that to the hand's joint."""
    along = np.array([0.0, away, away + 0.05, away + 0.08, away + 0.11])
    names = ["hand_l", "finger1_m_l", "finger1_1_l", "finger1_2_l", "finger1_3_l"]
    figure = figure_of(names, [-1, 0, 1, 2, 3], along[:, None] * [1.0, 0, 0])
    evidence = Evidence(figure, tree_of(range(5), figure.parents.tolist(), figure.heads, figure.tails), read_names(names))
    assert _has_metacarpal(evidence, [1, 2, 3, 4], 0) == is_in_palm
    assert not _has_metacarpal(evidence, [1, 2, 3], 0)


@pytest.mark.parametrize(("number", "is_in_palm"), [("0", True), ("00", True), ("1", False), ("01", False)])
def test_a_finger_of_four_bones_that_are_counted_from_0_begins_in_the_palm(number: str, is_in_palm: bool) -> None:
    """However far from the hand's joint."""
    along = np.array([0.0, 0.5, 0.6, 0.7, 0.8])
    names = ["hand_l", *(f"index_{int(number) + count:0{len(number)}}_l" for count in range(4))]
    figure = figure_of(names, [-1, 0, 1, 2, 3], along[:, None] * [1.0, 0, 0])
    evidence = Evidence(figure, tree_of(range(5), figure.parents.tolist(), figure.heads, figure.tails), read_names(names))
    assert _has_metacarpal(evidence, [1, 2, 3, 4], 0) == is_in_palm


@pytest.mark.parametrize("humanoid", [False, True])
def test_a_leg_of_other_joints_follows_by_roles_where_both_have_them(humanoid: bool) -> None:
    """Thighs and feet of two birds, of which one has a bone more between them."""
    figures = a_figure([-1, 0, 1], np.eye(3)), a_figure([-1, 0], np.eye(3)[:2])
    ones, twos = (
        Labels(read_names(["0", "1", "2"]), roles={"leftUpperLeg": 0, "leftFoot": 2}, sides=("",) * 3),
        Labels(read_names(["0", "1"]), roles={"leftUpperLeg": 0, "leftFoot": 1}, sides=("",) * 2),
    )
    mapper: Any = SimpleNamespace(source=figures[0], target=figures[1], humanoid=humanoid, pairing=Pairing(*figures, ones, twos))
    mapping._Mapper._by_kin(mapper, creatures.Kin({}, [((0, 1, 2), (0, 1))], {0: 0.9, 1: 0.9}, 0.9))
    assert len(mapper.pairing.chains) == (not humanoid)
    pairs = {bone: pair.role for bone, pair in mapper.pairing.pairs.items()}
    assert pairs == ({0: "leftUpperLeg", 1: "leftFoot"} if humanoid else {})


def _stands(root: float, tailed: bool) -> Body:
    """Hips with two legs of length 1 and a back, on a root of this height, which is in its middle; or without one, with a tail."""
    legs = [[[side, 0.0, 1], [side, 0, 0]] for side in (0.2, -0.2)]
    rows = [[0, 0, 1], *legs[0], *legs[1], [0, 0.5, 1], *([[0, -0.5, 1]] if tailed else [])]
    parents = [-1, 0, 1, 0, 3, 0, *([0] if tailed else [])]
    heads = np.array(rows if tailed else [[0, 0, root], *rows], float)
    figure = a_figure(parents if tailed else [-1, *(parent + 1 for parent in parents)], heads)
    unnamed: list[Side] = [""] * len(figure)
    return Body.of(figure, halves(figure, unnamed), np.array([1.0, 0, 0]))


@pytest.mark.parametrize(("root", "may"), [(0.0, False), (1.0, True)])
def test_a_root_on_the_ground_is_no_hips(root: float, may: bool) -> None:
    rooted, bare = _stands(root, tailed=False), _stands(0.0, tailed=True)
    names = [read_names(body.figure.names) for body in (rooted, bare)]
    alike = likeness(rooted, bare, *names)
    assert bool((alike[0] > 0).any()) == may
    assert alike[1, 0] > 0
    assert np.array_equal(likeness(bare, rooted, *names[::-1]) > 0, alike.T > 0)
    assert likeness(rooted, _stands(0.0, tailed=False), names[0], names[0])[0, 0] > 0


@pytest.mark.parametrize(("in_all", "sure"), [(0.45, True), (0.38, False)])
def test_limbs_with_another_number_of_joints_are_sure_in_figures_that_are_alike_in_all(
    in_all: float, sure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large limbs that follow as chains; in others nothing that is not much alike is."""
    match: Any = Alike({(0, 1): 0.1, (1, 0): 0.1})
    match.likeness = np.full((2, 2), 0.6)
    match.one.mass = np.ones(2)
    monkeypatch.setattr(match, "likeness_in_all", lambda: in_all)
    assert Doubts(match).sure([0, 1], [0, 1], True, 1) == (SURE if sure else DOUBTFUL)


@pytest.mark.parametrize(("in_all", "sure"), [(0.45, True), (0.38, False)])
def test_small_limbs_are_sure_by_less_in_figures_that_are_alike_in_all(in_all: float, sure: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    match: Any = Alike({(0, 1): 0.1, (1, 0): 0.1})
    match.likeness = np.full((2, 2), 0.65)
    monkeypatch.setattr(match, "likeness_in_all", lambda: in_all)
    assert Doubts(match).sure([0, 1], [0, 1], False, 0) == (SURE if sure else DOUBTFUL)


@pytest.mark.parametrize(("alike", "beside", "sure"), [(0.8, 1, False), (0.9, 1, True), (0.8, 3, True)])
def test_an_ear_alone_may_be_an_eye(alike: float, beside: int, sure: bool) -> None:
    """A small bone with nothing beside it shows what it is by its likeness alone; three of both by what they are together."""
    match: Any = Alike({})
    body = match.one
    body.figure, body.kinds = a_figure([-1, *[0] * beside], np.zeros((beside + 1, 3))), (MIDDLE, *[LEFT] * beside)
    body.mass, body.twins = np.full(beside + 1, 0.1), tuple(range(beside + 1))
    body.stations = Stations(np.zeros(beside + 1), np.zeros(beside + 1), np.zeros(beside + 1, np.bool_), -1)
    match.limbs = [list(range(1, beside + 1))] * 2
    match.matched = match.backward = {bone: bone for bone in range(beside + 1)}
    match.scores = {(one, two): float(one == two) for one in range(beside + 1) for two in range(beside + 1)}
    match.likeness = np.full((beside + 1, beside + 1), alike)
    assert Doubts(match).sure([1], [1], False, 0) == (SURE if sure else DOUBTFUL)


def test_limbs_of_as_many_joints_are_paired_as_they_are_alike() -> None:
    """Not joint by joint: here either figure has one between that the other has not."""
    figure = a_figure([-1, 0, 1, 2], np.eye(4)[:, :3])
    body = SimpleNamespace(figure=figure, kinds=[LEFT] * 4, mass=np.ones(4), along=np.zeros((4, 3)))
    match: Any = SimpleNamespace(one=body, two=body, matched={0: 0, 2: 1, 3: 3}, backward={0: 0, 1: 2, 3: 3})
    assert runs.together(match, [0, 1, 2, 3], [0, 1, 2, 3]) == ([(0, 0), (2, 1), (3, 3)], None)


def test_large_limbs_in_a_row_are_doubtful_as_well_if_they_would_suit_crosswise() -> None:
    match: Any = Alike({})
    match.one.mass, match.one.rank = np.ones(2), np.array([0.0, 1.0])
    assert Doubts(match).sure([0], [0], False, 0) == DOUBTFUL
