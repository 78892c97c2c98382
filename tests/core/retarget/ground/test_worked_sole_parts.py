"""What of a figure's feet is a sole, and how deep it may be, of a person whose ankles are 0.1 and toes 0 above the ground."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Pair
from retro_anim.core.retarget.ground import feet, root
from retro_anim.core.retarget.ground.soles import Soles, soles
from retro_anim.core.retarget.ground.source import Source
from retro_anim.core.retarget.transfer.binding import bind

from ..transfer.persons import PERSON, bound, figure, moving
from .test_worked_soles import ANGLE, NAN, X

TARGET = figure()
SIDES = {"left": 1.0, "right": -1.0}
MORE = {
    "heel": ("Foot", (0.1, 0.06, 0.03)),
    "tips": ("Foot", (0.1, -0.12, 0.04)),
    "ends": ("tips", (0.13, -0.2, 0.02)),
    "near": ("tips", (0.1, -0.202, 0.0)),
    "tongue": ("Foot", (0.1, -0.1, 0.05)),
    "top": ("tongue", (0.1, -0.13, 0.2)),
    "high": ("Foot", (0.1, -0.1, 0.1)),
    "lone": ("Foot", (0.1, -0.09, 0.06)),
    "plate": ("Foot", (0.1, 0.0, 0.02)),
    "free": ("Foot", (0.1, -0.09, 0.05)),
    "far": ("Foot", (0.1, -0.6, 0.05)),
}
"""What else hangs on a foot whose ankle is 0.1 high; bones of 0.05 that point ahead, to toes but for the heel."""


def shod(higher: float = 0.0) -> Figure:
    """A person whose right leg and foot are so much higher."""
    plain = figure()
    names, parents, rest = list(plain.names), plain.parents.tolist(), np.array(plain.rest).tolist()
    for side, sign in SIDES.items():
        for name, (above, at) in MORE.items():
            parents.append(names.index(side + above))
            names.append(side + name)
            matrix = np.diag([-1.0, -1, 1, 1])
            matrix[:3, 3] = np.multiply(at, (sign, 1, 1))
            rest.append(matrix.tolist())
    every = np.array(rest)
    every[:, 1, 3] += 4.0
    every[[name.startswith("right") and not name.endswith(("Arm", "Hand")) for name in names], 2, 3] += higher
    hinged = np.array([name.endswith("free") for name in names])
    return Figure(tuple(names), np.array(parents, np.int32), every, np.full(len(names), 0.05), hinged=hinged)


LARGE = figure({name: joint * 2 for name, joint in PERSON.items()})
LEGS = root.Legs(1.7, 0.85, 0.0, True, at_origin=True)
"""Of a source that has its heights over the ground of its object: a sole that is lower than at rest is below that."""


def toeless(name: str) -> bool:
    return name.endswith("Toes")


def soles_of(
    target: Figure,
    offsets: dict[str, list[float]],
    without: Callable[[str], bool] = toeless,
    deeper: list[float] | None = None,
    reference: float = 0.0,
    more: tuple[Pair, ...] = (),
    **values: object,
) -> Soles:
    """Of clips of four, one and one frames of a source of twice the size, of which the last alone shows no standing feet. offsets: of some
    of its joints metres that they are higher than at rest. reference: an angle by which the target's left foot is tipped in its aligned
    pose. more: pairs without a role."""
    pairs = tuple(Pair(name, name, role=name) for name in PERSON if not without(name))
    binding = bind(BoneMap((*pairs, *more)), LARGE, target, LARGE.heads)
    motion = replace(moving([{name: joint * 2 for name, joint in PERSON.items()}] * 6), counts=(4, 1, 1))
    for name, heights in offsets.items():
        motion.positions[:, LARGE.index[name], 2] += heights
    footing = feet.Footing(
        feet.limbs(binding, motion, 30.0, LEGS, True), np.array([True, False, False]), [], np.array([NAN, NAN, 0.1]), np.zeros(3)
    )
    own = Source(binding, motion, 30.0, LEGS, 0.5, "AUTO", np.array([0.05, 0.0, 0.1]), footing)
    references = np.array(target.quaternions)
    foot = target.index["leftFoot"]
    references[foot] = quat.multiply(quat.about(X, np.array(reference)), references[foot])
    return soles(replace(own, **values), None if deeper is None else np.array(deeper), references)  # pyright: ignore[reportArgumentType]


ALL = [0.2, -0.1, -0.8, 0.05, 0.0, 0.02]
HEIGHTS = {side + part: ALL for side in SIDES for part in ("Foot", "Toes")}
LOW = [0.0, -0.075, -0.5525, 0.0, 0.0, -0.04]
"""0.15 metres higher than at rest, 0.15 lower, 0.85 lower, of which 0.255 are more than 0.35 of its leg and count twice, and as high; half
of that on a target of half the size."""


def test_what_hangs_on_a_foot_is_its_sole() -> None:
    """All that is lower than its joint and near, rigid but for what goes ahead; of a foot that is higher at rest less by that."""
    target = shod(0.03)
    result = soles_of(target, HEIGHTS)
    assert result.by_leg.keys() == {"leftFoot", "rightFoot"} and result.is_held.tolist() == [True] * 4 + [False] * 2
    for side, sign in SIDES.items():
        own = result.by_leg[f"{side}Foot"]
        assert (own.bone, own.tread, own.ground) == (target.index[f"{side}Foot"], None, 0.0)
        wanted = {
            "heel": ((0, 0.06, -0.07), (0, 0, 0), (0.03, 0.03)),
            "tips": ((0, -0.12, -0.06), (sign * 0.03, -0.08, -0.02), (0.04, 0.02)),
            "tongue": ((0, -0.1, -0.05), (0, 0, 0), (0.05, 0.05)),
            "lone": ((0, -0.09, -0.04), (0, -0.05, 0), (0.06, 0.06)),
            "plate": ((0, 0, -0.08), (0, 0, 0), (0.02, 0.02)),
            "Toes": ((0, -0.15, -0.1), (0, 0, 0), (0.0, 0.0)),
        }
        toes = {target.names[toe.bone].removeprefix(side): toe for toe in own.toes}
        assert toes.keys() == wanted.keys()
        for name, (arm, tip, resting) in wanted.items():
            assert toes[name].arm == pytest.approx(np.array(arm)) and toes[name].tip == pytest.approx(np.array(tip)), name
            assert toes[name].resting == pytest.approx(resting), name


def test_a_sole_may_be_as_deep_as_the_source_s() -> None:
    """In clips that show the ground; of one who lies it may be a little deeper in any case."""
    for side in SIDES:
        own = soles_of(shod(), HEIGHTS).by_leg[f"{side}Foot"]
        assert own.low == pytest.approx(LOW) and own.least == pytest.approx([*LOW[:4], NAN, LOW[5]], nan_ok=True)
        lies = soles_of(shod(), HEIGHTS, deeper=[0.01, 0.1, 0.1, 0.0, 0.3, 0.0]).by_leg[f"{side}Foot"]
        assert lies.low == pytest.approx([-0.01, -0.1, -0.5525, 0.0, -0.3, -0.04])


def test_toes_of_the_source_that_nothing_follows_count_for_its_sole() -> None:
    """Whichever is lower than at rest by more, they or the foot; and a foot of the other side where sides are changed."""
    toes = {**HEIGHTS, "leftToes": [0.2, -0.2, 0.0, 0.05, 0.0, 0.1], "rightFoot": [0.25, 0.0, 0.1, -0.05, 0.0, 0.1]}
    left, right = [0.0, -0.125, -0.5525, 0.0, 0.0, -0.04], [0.0, -0.075, -0.5525, -0.05, 0.0, -0.04]
    plain, swapped = soles_of(shod(), toes), soles_of(shod(), toes, swap=True)
    assert plain.by_leg["leftFoot"].low == pytest.approx(left) and plain.by_leg["rightFoot"].low == pytest.approx(right)
    assert swapped.by_leg["leftFoot"].low == pytest.approx(right) and swapped.by_leg["rightFoot"].low == pytest.approx(left)


@pytest.mark.parametrize(("angle", "height"), [(0.0, 0.1), (ANGLE, 0.1), (-ANGLE, -0.01)])
def test_a_foot_with_toes_has_a_heel(angle: float, height: float) -> None:
    """As high as its joint, or where it is flatter as it is aligned: of an arm of 0.15 and 0.1 that is raised by the angle, the joint is
    0.15 * 0.6 - 0.1 * 0.8 below the toes. Its source's is the ankle alone."""
    lowered = {**HEIGHTS, "leftToes": [-0.5] * 6}
    result = soles_of(figure(), lowered, lambda name: False, reference=angle)
    (heel,) = result.by_leg["leftFoot"].toes
    assert (heel.bone, heel.arm.tolist(), heel.tip.tolist()) == (TARGET.index["leftFoot"], [0] * 3, [0] * 3)
    assert heel.resting == pytest.approx((height, height)) and result.by_leg["leftFoot"].low == pytest.approx(LOW)
    higher = soles_of(shod(0.03), HEIGHTS, lambda name: False).by_leg["rightFoot"].toes
    assert higher[0].resting == pytest.approx((0.1, 0.1)) and len(higher) == 1


def test_a_source_s_foot_that_is_higher_at_rest_counts_from_the_lower_one() -> None:
    heads = {name: joint * 2 + (0, 0, 0.04 * (name in ("rightFoot", "rightToes"))) for name, joint in PERSON.items()}
    binding = bound(figure(heads), shod(), toeless)
    motion = moving([{name: joint - (0, 0, 0.1) for name, joint in heads.items()}])
    footing = feet.Footing(feet.limbs(binding, motion, 30.0, LEGS, False), np.ones(1, bool), [], np.array([NAN]), np.zeros(1))
    result = soles(Source(binding, motion, 30.0, LEGS, 0.5, "AUTO", np.zeros(1), footing), None, shod().quaternions)
    assert result.by_leg["leftFoot"].least == pytest.approx([-0.05]) and result.by_leg["rightFoot"].least == pytest.approx([-0.03])


def test_what_follows_something_is_no_part_of_a_sole() -> None:
    """Nor what hangs on it: tips of the target, of whatever they follow, and toes of the source, whatever follows them."""
    target = shod()
    more = Pair("rightHand", "lefttips"), Pair("rightToes", "leftHand")
    result = soles_of(target, {**HEIGHTS, "rightToes": [-0.5] * 6}, lambda name: toeless(name) or name == "leftHand", more=more)
    names = [target.names[toe.bone] for toe in result.by_leg["leftFoot"].toes]
    assert sorted(names) == ["leftToes", "leftheel", "leftlone", "leftplate", "lefttongue"] and len(result.by_leg["rightFoot"].toes) == 6
    assert result.by_leg["rightFoot"].low == pytest.approx(LOW)


def test_a_foot_that_carries_nothing_has_no_sole() -> None:
    """Nor has anybody whose ground is not known."""
    names = [bone for bone, name in enumerate(TARGET.names) if not toeless(name)]
    parents = [names.index(parent) if parent >= 0 else -1 for parent in TARGET.parents[names].tolist()]
    bare = Figure(tuple(TARGET.names[bone] for bone in names), np.array(parents, np.int32), TARGET.rest[names], TARGET.lengths[names])
    assert soles_of(bare, HEIGHTS).by_leg == {} and not soles_of(bare, HEIGHTS).may_bend
    for sure in ((True, False), (False, True)):
        result = soles_of(shod(), HEIGHTS, legs=replace(LEGS, sure=sure))
        assert result.by_leg == {} and result.is_held.tolist() == [True] * 4 + [False] * 2


@pytest.mark.parametrize(("posed", "worn"), [(0.0, True), (0.1, False)])
def test_a_foot_may_be_as_deep_as_the_source_s_own_boot(posed: float, worn: bool) -> None:
    """A boot of the source's, of which the sole is 0.02 below the ground that its joints have and the tip 0.4 before the ankle: tipped by
    the angle of a triangle of 3, 4 and 5 that is 0.4 * 0.6 + 0.22 * 0.8 below the ankle, which was 0.2 high. Half of it on a target of half
    the size. Not of a source whose reference pose is another than its rest."""
    foot, other = (LARGE.index[f"{side}Foot"] for side in SIDES)
    points = np.array([LARGE.heads[foot] + (0, -0.4, -0.22), LARGE.heads[other] + (0, 0, -0.22)])
    booted = replace(LARGE, sole_points=points, sole_weights=np.eye(len(LARGE))[[foot, other]])
    target = replace(TARGET, sole_points=points / 2, sole_weights=np.eye(len(TARGET))[[TARGET.index[f"{side}Foot"] for side in SIDES]])
    pairs = tuple(Pair(name, name, role=name) for name in PERSON if not toeless(name))
    binding = bind(BoneMap(pairs), booted, target, LARGE.heads + np.array([0, 0, posed]))
    motion = moving([{name: joint * 2 for name, joint in PERSON.items()}] * 4)
    motion.positions[:, foot, 2] += (0.0, 0.0, 0.15, posed)
    motion.rotations[1:3, foot] = quat.multiply(quat.about(X, np.array(ANGLE)), motion.rotations[1:3, foot])
    footing = feet.Footing(feet.limbs(binding, motion, 30.0, LEGS, False), np.ones(1, bool), [], np.array([NAN]), np.zeros(1))
    result = soles(Source(binding, motion, 30.0, LEGS, 0.5, "AUTO", np.array([posed]), footing), None, target.quaternions)
    deep = 0.4 * 0.6 + 0.22 * 0.8 - 0.2 - 0.02
    if worn:
        assert result.by_leg["leftFoot"].theirs == pytest.approx([0, -deep / 2, -(deep - 0.15) / 2, 0])
        assert result.by_leg["leftFoot"].low == pytest.approx([0.0] * 4)
    else:
        assert result.by_leg["leftFoot"].theirs.tolist() == result.by_leg["leftFoot"].low.tolist()


def test_a_mesh_stands_on_the_lowest_of_both_treads() -> None:
    """0.02 below the ground that the joints have, under the right foot. Of a foot with toes the source's toes tell how deep it may be."""
    points = np.array([[0.1, -0.1, 0.0], [-0.1, -0.1, -0.02], [-0.1, 0.1, 0.05]])
    weights = np.eye(len(TARGET))[[TARGET.index[name] for name in ("leftToes", "rightFoot", "rightFoot")]]
    booted = replace(TARGET, sole_points=points, sole_weights=weights)
    lowered = {**HEIGHTS, "leftToes": [0.2, -0.2, 0.0, 0.05, 0.0, 0.1]}
    for without, low in ((toeless, [0.0, -0.125, -0.5525, 0.0, 0.0, -0.04]), (lambda name: False, [0.0, -0.125, -0.025, 0.0, 0.0, 0.0])):
        result = soles_of(booted, lowered, without)
        left, right = (result.by_leg[f"{side}Foot"] for side in SIDES)
        assert left.ground == right.ground == -0.02 and left.low == pytest.approx(low)
        assert left.tread is not None and left.tread.bones == (
            TARGET.index["leftFoot"],
            TARGET.index["leftFoot" if without is toeless else "leftToes"],
        )
        assert right.tread is not None and right.tread.points.tolist() == points[1:].tolist()
