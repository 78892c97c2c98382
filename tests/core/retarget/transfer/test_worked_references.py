"""What the bones of a target are aligned with, of bodies that stand upright with straight limbs, arms to the sides, looking along -Y."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations.directions import unit
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.transfer.alignment import reference
from retro_anim.core.retarget.transfer.binding import Binding, bind

from .. import rigs
from .test_worked_hinges import AT, BODY, EYE, X, Y, Z, about, ahead, body, bound, upwards


def only(binding: Binding, role: str, frame: Floats = EYE) -> reference.Goal | None:
    """The goal of the target bone of a role."""
    return reference.goals(binding, frame).get(binding.followers[binding.roles[role]].target)


def tipped(figure: Figure, name: str, direction: Floats) -> Figure:
    """With a bone that points elsewhere, of which nothing else moves."""
    rest, bone = np.array(figure.rest), figure.index[name]
    across = np.cross(direction, [0.3, 0.5, 0.7])
    across /= np.linalg.norm(across)
    rest[bone, :3, :3] = np.stack([across, direction, np.cross(across, direction)], axis=1)
    return replace(figure, rest=rest)


@pytest.mark.parametrize(("angle", "up", "across"), [(0.0, Z, X), (90.0, Z, Y)])
@pytest.mark.parametrize("side", ["source", "target"])
def test_in_a_t_pose_a_pelvis_stands_by_its_spine_and_by_the_line_through_its_thighs(
    angle: float, up: Floats, across: Floats, side: str
) -> None:
    """From the right to the left one."""
    leaning = body(spine=about(X, 20) @ Z, leftUpperLeg=about(Y, -10) @ unit(np.array([0.1, 0, -0.05])))
    binding = bound(leaning, BODY) if side == "source" else bound(BODY, leaning)
    goal = reference.canonical_goals(binding, "source" if side == "source" else "target", np.radians(angle))[0]
    line = leaning.heads[AT["leftUpperLeg"]] - leaning.heads[AT["rightUpperLeg"]]
    assert goal.own == pytest.approx(np.stack([about(X, 20) @ Z, unit(line)]), abs=1e-6)
    assert goal.wanted == pytest.approx(np.stack([up, across]), abs=1e-9)


def test_a_pelvis_without_a_spine_or_thighs_has_no_goal_in_a_t_pose() -> None:
    for missing in (("leftUpperLeg",), ("rightUpperLeg",), ("spine", "chest", "upperChest", "neck")):
        assert AT["hips"] not in reference.canonical_goals(bound(BODY, BODY, *missing), "target", 0.0)
    for missing, first in ((("spine",), "chest"), (("spine", "chest", "upperChest"), "neck")):
        binding = bound(BODY, BODY, *missing)
        goal = reference.canonical_goals(binding, "target", 0.0)[AT["hips"]]
        assert goal.own[0] == pytest.approx(unit(BODY.heads[AT[first]] - BODY.heads[0]))


def test_each_figure_s_own_bones_are_aligned_with_a_t_pose() -> None:
    """Those that lead to the next of the same side; fingers, heads and toes go along."""
    reordered = rigs.reordered(BODY)
    binding = bind(rigs.SAME, BODY, reordered, BODY.heads)
    for side, figure in (("source", BODY), ("target", reordered)):
        goals = reference.canonical_goals(binding, "source" if side == "source" else "target", 0.0)
        named = {figure.names[bone]: goal for bone, goal in goals.items()}
        limbs = {
            which + part
            for which in ("left", "right")
            for part in ("Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot")
        }
        assert named.keys() == {"hips", "spine", "chest", "upperChest", "neck"} | limbs
        assert named["rightUpperArm"].wanted.tolist() == [[-1, 0, 0]] and named["leftHand"].wanted.tolist() == [[1, 0, 0]]
        assert named["leftHand"].own == pytest.approx(
            unit(figure.heads[[figure.index["leftIndexProximal"]]] - figure.heads[figure.index["leftHand"]])
        )
        assert all(goal.normals is None for goal in goals.values())


@pytest.mark.parametrize("frame", [EYE, about(Z, 90)])
def test_hinges_decide_the_rotation_about_a_bent_limb(frame: Floats) -> None:
    """Of arms and thighs, where both figures show them."""
    binding = bound(body(leftHand=upwards(30)), body(leftHand=ahead(30)))
    goal = only(binding, "leftUpperArm", frame)
    assert goal is not None and goal.normals is not None
    assert goal.normals == pytest.approx(np.stack([-Z, frame @ -Y]), abs=1e-6)
    assert goal.own == pytest.approx(X[None], abs=1e-6) and goal.wanted == pytest.approx((frame @ X)[None], abs=1e-6)
    for role in ("leftLowerArm", "leftShoulder", "rightUpperArm"):
        other = only(binding, role, frame)
        assert other is not None and other.normals is None, role


@pytest.mark.parametrize(
    ("foot", "shin", "level"),
    [
        (-Y, -Z, True),
        (about(X, 57) @ -Y, -Z, True),  # its sine is 0.839, less than 0.85
        (about(X, 59) @ -Y, -Z, False),
        (about(X, -59) @ -Y, -Z, False),
        (-Y, about(X, 45) @ -Z, True),  # its shin goes down by 0.707, more than 0.7
        (-Y, about(X, 46) @ -Z, False),
    ],
)
@pytest.mark.parametrize("of_source", [True, False])
def test_a_foot_on_the_ground_keeps_what_is_up(foot: Floats, shin: Floats, level: bool, of_source: bool) -> None:
    """Whichever figure's it is: below a shin that goes down, and not standing on its toes."""
    stands = body(leftToes=-Y, leftFoot=-Z)
    other = body(leftToes=foot, leftFoot=shin)
    goal = only(bound(other, stands) if of_source else bound(stands, other), "leftFoot")
    assert goal is not None
    assert (goal.normals is not None) == level
    assert goal.normals is None or goal.normals.tolist() == [[0, 0, 1], [0, 0, 1]]


def test_what_is_up_for_the_source_s_foot_may_be_tilted() -> None:
    up = about(Y, 10) @ Z
    goals = reference.goals(bound(), about(Z, 90), {"leftFoot": up})
    normals = goals[AT["leftFoot"]].normals
    assert normals is not None and normals == pytest.approx(np.stack([Z, about(Z, 90) @ up]))


def without(*names: str) -> Binding:
    return bound(BODY, BODY, *names)


SOLES = ("leftToes", "rightToes")


@pytest.mark.parametrize(("degrees", "of_source"), [(0.0, False), (30.0, True), (30.0, False)])
def test_a_foot_without_toes_looks_where_it_does_beside_the_hips(degrees: float, of_source: bool) -> None:
    """Level, along the line from the right thigh to the left one, of each figure in the target's world; whichever is higher."""
    aside = about(Z, degrees) @ unit(np.array([0.1, 0, 0.03]))
    other = body(leftUpperLeg=aside, leftLowerLeg=-Z, leftFoot=-Z)
    line = other.heads[AT["leftUpperLeg"]] - other.heads[AT["rightUpperLeg"]]
    level = unit(line * [1, 1, 0])
    goal = only(bound(other, BODY, *SOLES) if of_source else bound(BODY, other, *SOLES), "rightFoot")
    assert goal is not None
    assert goal.own == pytest.approx(np.stack([Z, X if of_source else level]), abs=1e-6)
    assert goal.wanted == pytest.approx(np.stack([Z, level if of_source else X]), abs=1e-6)


@pytest.mark.parametrize("missing", ["leftUpperLeg", "rightUpperLeg"])
def test_a_foot_without_toes_or_thighs_has_what_is_up_alone(missing: str) -> None:
    goal = only(without(*SOLES, missing), "rightFoot")
    assert goal is not None and goal.own.tolist() == goal.wanted.tolist() == [[0, 0, 1]]


@pytest.mark.parametrize(("degrees", "shows"), [(59.0, True), (61.0, False)])
@pytest.mark.parametrize("of_source", [True, False])
def test_thighs_one_above_the_other_show_nothing_of_a_foot(degrees: float, shows: bool, of_source: bool) -> None:
    """Whose line rises by more than 60 degrees."""
    rest = np.array(BODY.rest)
    start = BODY.heads[AT["rightUpperLeg"]]
    rest[AT["leftUpperLeg"], :3, 3] = start + 0.2 * (about(Y, -degrees) @ X)
    other = replace(BODY, rest=rest)
    goal = only(bound(other, BODY, *SOLES) if of_source else bound(BODY, other, *SOLES), "rightFoot")
    assert goal is not None and (len(goal.own) == 2) == shows


@pytest.mark.parametrize(
    ("skull", "neck", "trunk", "level"),
    [
        (Z, Z, Z, True),
        (about(X, 29) @ Z, Z, Z, True),  # leans by less than 30 degrees
        (about(X, 31) @ Z, Z, Z, False),
        (Y, Z, Z, True),  # across the neck, as it is drawn where no joint is next: the neck is upright
        (about(X, 59) @ Z, Z, Z, False),  # within 60 degrees of the neck it says itself where it points
        (about(X, 61) @ Z, Z, Z, True),
        (Y, about(X, 31) @ Z, Z, False),
        (Z, Z, about(X, 19) @ Z, True),  # the body leans by less than 20 degrees
        (Z, Z, about(X, 21) @ Z, False),
    ],
)
@pytest.mark.parametrize("of_source", [True, False])
def test_a_head_stays_upright_where_both_are(skull: Floats, neck: Floats, trunk: Floats, level: bool, of_source: bool) -> None:
    """Whichever way their necks lean."""
    other = tipped(body(head=neck), "head", skull)
    rest, top = np.array(other.rest), other.heads[AT["head"]]
    rest[0, :3, 3] = top - 0.6 * trunk
    other = replace(other, rest=rest)
    plain = tipped(BODY, "head", Z)
    goal = only(bound(other, plain) if of_source else bound(plain, other), "head")
    assert (goal is not None) == level
    assert goal is None or goal.own.tolist() == goal.wanted.tolist() == [[0, 0, 1]]


def test_heads_of_which_nothing_shows_go_along() -> None:
    plain = tipped(BODY, "head", Z)
    assert only(bound(plain, plain, "hips"), "head") is None
    assert only(bound(plain, plain), "head", about(X, 90)) is not None


SIDES = ("leftUpperLeg", "rightUpperLeg")


def hips(binding: Binding) -> reference.Goal:
    goal = only(binding, "hips")
    assert goal is not None
    return goal


def test_hips_are_aligned_by_what_is_about_them() -> None:
    """Spine and thighs, in order, where these lie alike."""
    goal = hips(bound())
    wanted = unit(BODY.heads[[AT[name] for name in ("spine", *SIDES)]] - BODY.heads[0])
    order = {tuple(row) for row in goal.own.round(6).tolist()}
    assert order == {tuple(row) for row in wanted.round(6).tolist()} and goal.own == pytest.approx(goal.wanted)


def spread(up: float) -> Figure:
    """Thighs that begin so far above the pelvis' joint."""
    return body(**{side: unit(np.array([sign * 0.1, 0, up])) for side, sign in zip(SIDES, (1.0, -1.0), strict=True)})


def test_hips_whose_joints_lie_elsewhere_are_aligned_by_the_trunk() -> None:
    """All of it, of those whose legs go on where it comes from; and from the right thigh to the left one."""
    leaning = body(spine=about(X, 30) @ Z)
    other = spread(0.1)
    rest = np.array(other.rest)
    for name in ("spine", "chest", "upperChest", "neck", "head"):
        rest[AT[name], :3, 3] = leaning.heads[AT[name]]
    other = replace(other, rest=rest)
    goal = hips(bound(BODY, other))
    own = other.heads[AT["head"]] - other.heads[0], other.heads[AT["leftUpperLeg"]] - other.heads[AT["rightUpperLeg"]]
    assert goal.own == pytest.approx(unit(np.array(own)), abs=1e-6) and goal.wanted == pytest.approx(np.stack([Z, X]), abs=1e-6)
    back = hips(bound(other, BODY))
    assert back.own == pytest.approx(np.stack([Z, X]), abs=1e-6) and back.wanted == pytest.approx(unit(np.array(own)), abs=1e-6)


def test_hips_of_who_sits_are_aligned_by_the_next_joint_of_the_trunk() -> None:
    """Whose legs go ahead; also where one leg alone has a foot."""
    sits = body(leftLowerLeg=-Y, leftFoot=-Y, rightLowerLeg=-Y, rightFoot=-Y, spine=about(X, 30) @ Z)
    other = spread(0.1)
    for missing in ((), ("leftFoot",)):
        goal = hips(bound(sits, other, *missing))
        assert goal.wanted == pytest.approx(np.stack([about(X, 30) @ Z, X]), abs=1e-6) and goal.own == pytest.approx(
            np.stack([Z, X]), abs=1e-6
        )
    whole = hips(bound(BODY, other, "leftFoot"))
    assert whole.wanted == pytest.approx(np.stack([Z, X]), abs=1e-6)


@pytest.mark.parametrize("of_rig", [True, False])
def test_hips_of_a_control_rig_that_would_topple_are_aligned_by_their_joint_and_the_next(of_rig: bool) -> None:
    """Thighs that begin behind the pelvis instead of below it tip it by 49 degrees, more than 20. Of a trunk that goes on elsewhere the
    spine is asked."""
    behind, below = (
        {side: unit(np.array([sign * 0.05, 0.1 * back, -0.1 * (1 - back)])) for side, sign in zip(SIDES, (1.0, -1.0), strict=True)}
        for back in (1.0, 0.0)
    )
    source, plain = body(**below), body(**behind, spine=about(X, 30) @ Z)
    pelvis = plain.heads[0] + [0.0, 0.03, -0.02]
    goal = hips(bound(source, replace(plain, pelvis=pelvis) if of_rig else plain))
    top = plain.heads[AT["spine"]] - pelvis if of_rig else plain.heads[AT["head"]] - plain.heads[0]
    assert goal.own == pytest.approx(np.stack([unit(top), X]), abs=1e-6) and goal.wanted == pytest.approx(np.stack([Z, X]), abs=1e-6)


@pytest.mark.parametrize("of_rig", [True, False])
def test_hips_with_one_joint_on_them_are_aligned_by_that(of_rig: bool) -> None:
    """However far it is rotated: of a target whose thighs hang on nothing."""
    other, parents = body(spine=Y), np.array(BODY.parents)
    parents[[AT[side] for side in SIDES]] = -1
    rig = replace(other, parents=parents, pelvis=other.heads[0] if of_rig else None)
    goal = hips(bound(BODY, rig))
    assert goal.own == pytest.approx(Y[None], abs=1e-6) and goal.wanted == pytest.approx(Z[None], abs=1e-6)


def test_hips_without_thighs_or_trunk_are_aligned_by_what_there_is() -> None:
    other = spread(0.1)
    goal = hips(bound(BODY, other, "spine", "chest", "upperChest", "neck", "head"))
    assert len(goal.own) == 4, "shoulders and thighs"
    assert len(hips(bound(BODY, other, "leftUpperLeg")).own) == 3, "the trunk, a thigh and the other shin"


@pytest.mark.parametrize(
    ("degrees", "roles"), [(0.0, ()), (89.0, ()), (91.0, ("leftFoot", "rightFoot")), (180.0, ("leftFoot", "rightFoot"))]
)
def test_shoes_whose_toes_are_behind_the_other_figure_s(degrees: float, roles: tuple[str, ...]) -> None:
    """By more than a quarter turn over the ground, wherever the figures look; of feet that have toes, which one who lies at rest does not
    stand on."""
    line = unit(BODY.heads[AT["leftToes"]] - BODY.heads[AT["leftFoot"]])
    shoes = body(leftToes=about(Z, degrees) @ line, rightToes=about(Z, degrees) @ line)
    lies = body(leftFoot=-Y, rightFoot=-Y)
    for looks in (0, 135, 180):
        frame = about(Z, looks)
        for binding in (bound(shoes, BODY), bound(BODY, shoes)):
            assert reference.heels(binding, frame) == {binding.roles[role] for role in roles}
        barefoot = bound(shoes, BODY, "leftToes")
        assert reference.heels(barefoot, frame) == {barefoot.roles[role] for role in roles if role != "leftFoot"}
        assert reference.heels(bound(lies, shoes), frame) == reference.heels(bound(shoes, lies), frame) == frozenset()


@pytest.mark.parametrize(("degrees", "behind"), [(89.0, False), (91.0, True)])
def test_shoes_without_thighs_are_compared_as_the_figures_face(degrees: float, behind: bool) -> None:
    binding = without("leftUpperLeg")
    assert bool(reference.heels(binding, about(Z, degrees))) == behind


def test_shoes_of_which_one_foot_is_known_say_nothing() -> None:
    """Nor do those without toes."""
    assert reference.heels(without("leftToes", "rightToes"), about(Z, 180)) == frozenset()
    assert reference.heels(without("leftFoot"), about(Z, 180)) == frozenset()


def test_bones_with_tails_are_aligned_by_these() -> None:
    """A source's in the target's world."""
    source, target = tipped(BODY, "leftIndexProximal", -Y), tipped(BODY, "leftIndexProximal", Z)
    pairs = tuple(
        replace(pair, role="", options=replace(pair.options, tail=True)) if pair.source == "leftIndexProximal" else pair
        for pair in rigs.SAME.pairs
    )
    goal = reference.goals(bind(BoneMap(pairs), source, target, source.heads), about(Z, 90))[AT["leftIndexProximal"]]
    assert goal.own == pytest.approx(Z[None], abs=1e-6) and goal.wanted == pytest.approx(X[None], abs=1e-6)


def test_of_who_stands_all_of_a_bent_back_counts() -> None:
    """Its lower half leans by 30 degrees and its upper half back again: from hips to head it leans by less than 20, as one who stands. By
    what of the trunk is known alone it would not."""
    bent = body(spine=about(X, 30) @ Z, chest=about(X, 30) @ Z, upperChest=about(X, -40) @ Z, neck=about(X, -40) @ Z)
    other = spread(0.1)
    head, chest = bent.heads[AT["head"]] - bent.heads[0], bent.heads[AT["chest"]] - bent.heads[0]
    assert unit(head)[2] > np.cos(np.radians(20)) > unit(chest)[2]
    goal = hips(bound(bent, other))
    assert goal.wanted == pytest.approx(np.stack([unit(head), X]), abs=1e-6) and goal.own == pytest.approx(np.stack([Z, X]), abs=1e-6)
