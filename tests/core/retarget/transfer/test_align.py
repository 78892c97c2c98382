"""Rest poses that are brought together: rotations worked out by hand, T-poses, and feet that stand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.directions import unit
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.transfer import mirror
from retro_anim.core.retarget.transfer.alignment import align, reference
from retro_anim.core.retarget.transfer.binding import Binding, bind

from .. import rigs
from ..mapping.given import figure_of

X, Y, Z = np.eye(3)
BODY = rigs.humanoid()
AT = BODY.index


def about(axis: int, degrees: float) -> Floats:
    return rotation_matrix.about(axis, np.array(np.radians(degrees)))


def bound(source: Floats = BODY.heads, target: Figure = BODY, bone_map: BoneMap = rigs.SAME) -> Binding:
    return bind(bone_map, BODY, target, source)


@pytest.mark.parametrize("degrees", [0.0, 30.0, 90.0, 179.0, 180.0])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_swing_goes_the_shortest_way(degrees: float, axis: int) -> None:
    """About the axis across both; half a rotation about any axis across."""
    start = np.eye(3)[(axis + 1) % 3]
    swing = align.swing(start, about(axis, degrees) @ start)
    assert swing @ start == pytest.approx(about(axis, degrees) @ start, abs=1e-9)
    assert swing @ swing.T == pytest.approx(np.eye(3), abs=1e-9) and np.linalg.det(swing) == pytest.approx(1)
    if degrees < 180:
        assert swing == pytest.approx(about(axis, degrees), abs=1e-9)


def test_several_directions_are_fitted_together() -> None:
    """Exactly where one rotation brings all of them; of a mirror image it is still a rotation."""
    random = np.random.default_rng(3)
    own = unit(random.normal(size=(4, 3)))
    rotation = rigs.random_rotations(5, 1)[0]
    assert align.fit(own, own @ rotation.T) == pytest.approx(rotation, abs=1e-9)
    mirrored = align.fit(own, own * [-1, 1, 1])
    assert np.linalg.det(mirrored) == pytest.approx(1)


def test_directions_of_one_line_are_swung() -> None:
    """Those within three degrees of it."""
    own = unit(np.array([[0.0, 0, 1], [0.02, 0, 1]]))
    assert align.fit(own, own @ about(0, 40).T) == pytest.approx(about(0, 40), abs=0.02)
    assert align.fit(np.array([Z, -Z]), np.array([Y, -Y])) == pytest.approx(about(0, -90), abs=1e-9)


@pytest.mark.parametrize("degrees", [-170.0, -30.0, 0.0, 90.0])
def test_a_roll_is_about_its_axis(degrees: float) -> None:
    """Whatever the directions have along it; none where one is along it."""
    assert align.roll(X + 3 * Z, about(2, degrees) @ X - Z, Z) == pytest.approx(about(2, degrees), abs=1e-9)
    assert align.roll(Z, X, Z).tolist() == align.roll(X, -Z, Z).tolist() == np.eye(3).tolist()


def test_bones_are_rotated_from_the_root_on() -> None:
    """What a parent did counts before a bone's own goal; what has none goes along."""
    figure = figure_of(list("abcd"), [-1, 0, 1, 2], np.array([[0.0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 0, 3]]))
    quarter = align.Goal(Z[None], Y[None])
    back = align.Goal(Z[None], Z[None])
    rotations = align.corrections(figure, {0: quarter, 2: back})
    assert rotations == pytest.approx(np.array([about(0, -90), about(0, -90), np.eye(3), np.eye(3)]), abs=1e-9)
    heads = align.carried(figure, figure.heads, rotations)
    assert heads == pytest.approx(np.array([[0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 2, 1]]), abs=1e-9)
    rolled = align.corrections(figure, {0: quarter, 1: align.Goal(Z[None], Y[None], np.stack([X, Z]))})
    assert rolled[1] @ np.stack([Z, X], axis=1) == pytest.approx(np.stack([Y, Z], axis=1), abs=1e-9)


POINTS = {
    "UpperArm": ("LowerArm", X),
    "LowerArm": ("Hand", X),
    "Shoulder": ("UpperArm", X),
    "UpperLeg": ("LowerLeg", -Z),
    "LowerLeg": ("Foot", -Z),
    "Foot": ("Toes", -Y),
    "spine": ("chest", Z),
    "chest": ("upperChest", Z),
    "neck": ("head", Z),
}


@pytest.mark.parametrize("angle", [0.0, 90.0, -30.0])
@pytest.mark.parametrize("side", ["source", "target"])
def test_a_t_pose_points_where_vrm_has_it(angle: float, side: str) -> None:
    """Of any rest pose, looking any way."""
    figure = rigs.reposed(rigs.rolled(1), 7, 0.5)
    binding = bind(rigs.SAME, figure if side == "source" else BODY, BODY if side == "source" else figure, figure.heads)
    goals = reference.canonical_goals(binding, "source" if side == "source" else "target", np.radians(angle))
    heads = align.carried(figure, figure.heads, align.corrections(figure, goals))
    for part, (end, direction) in POINTS.items():
        for which, mirrored in (("left", 1), ("right", -1)) if part[0].isupper() else (("", 1),):
            first, second = (figure.index[which + name] for name in (part, end))
            wanted = about(2, angle) @ (direction * [mirrored, 1, 1])
            assert unit((heads[second] - heads[first])[None])[0] == pytest.approx(wanted, abs=1e-6), which + part


def elsewhere(**offsets: tuple[float, float, float]) -> Floats:
    """Joints of both sides, and what hangs on them, so far from where they are."""
    heads = np.array(BODY.heads)
    for name, offset in offsets.items():
        for bone in range(len(BODY)):
            if name in rigs.NAMES and BODY.is_below(bone, AT[name]):
                heads[bone] += offset
    return heads


@pytest.mark.parametrize(
    ("heads", "stands"),
    [
        (BODY.heads, True),
        (elsewhere(leftToes=(0, 0, 0.06)), True),  # less than 0.15 of a shin of 0.41 above the other
        (elsewhere(leftToes=(0, 0, 0.065)), False),
        (elsewhere(leftToes=(0, 0, -0.5)), True),  # the lower one stands
        (elsewhere(leftFoot=(0, -0.4, 0.2)), False),  # its shin goes ahead
    ],
)
@pytest.mark.parametrize("of_source", [True, False])
def test_toes_that_stand_are_as_low_as_the_others(heads: Floats, stands: bool, of_source: bool) -> None:
    rest = np.array(BODY.rest)
    rest[:, :3, 3] = heads
    binding = bound(heads) if of_source else bound(target=replace(BODY, rest=rest))
    assert reference.is_sole(binding, "leftToes") == stands
    assert not reference.is_sole(binding, "leftLowerLeg") and not reference.is_sole(binding, "head")
    without = BoneMap(tuple(pair for pair in rigs.SAME.pairs if pair.source != "rightToes"))
    assert not reference.is_sole(bound(bone_map=without), "leftToes"), "alone it shows nothing"


@pytest.mark.parametrize(("toes", "rotates"), [(0.1, False), (0.16, True), (0.3, True)])
def test_a_shoe_that_rotates_about_its_heel(toes: float, rotates: bool) -> None:
    """Whose toes are behind the ankle, which those of the other figure are 0.15 before."""
    binding = bound(elsewhere(leftToes=(0, toes, 0)))
    assert reference.heels(binding, np.eye(3)) == (frozenset({binding.roles["leftFoot"]}) if rotates else frozenset())
    assert reference.heels(bound(), about(2, 180)) == frozenset(), "of one who looks back the toes are before the ankles"


def test_feet_that_stand_stay_as_level_as_at_rest() -> None:
    """Without toes, of a source whose legs are apart: up stays up, and they look as they do beside the hips; toes have what is up alone."""
    spread = elsewhere(leftFoot=(0.2, 0, 0), rightFoot=(-0.2, 0, 0))
    feet = BoneMap(tuple(pair for pair in rigs.SAME.pairs if not pair.source.endswith("Toes")))
    goals = reference.goals(bound(spread, bone_map=feet), np.eye(3))
    goal = goals[AT["leftFoot"]]
    assert goal.own == pytest.approx(np.stack([Z, X])) and goal.wanted == pytest.approx(np.stack([Z, X]))
    toes = reference.goals(bound(spread), np.eye(3))[AT["leftToes"]]
    assert toes.own.tolist() == toes.wanted.tolist() == [[0, 0, 1]]
    tilted = reference.goals(bound(spread), np.eye(3), {"leftToes": about(0, 20) @ Z})[AT["leftToes"]]
    assert tilted.wanted == pytest.approx((about(0, 20) @ Z)[None]), "and those of a source that are tilted have the target's tilted so"


def test_limbs_point_where_the_source_s_do() -> None:
    """In the target's world."""
    spread, frame = elsewhere(leftFoot=(0.2, 0, 0)), about(2, 90)
    goal = reference.goals(bound(spread), frame)[AT["leftLowerLeg"]]
    assert goal.own == pytest.approx(unit(np.array([[0, 0.03, -0.41]])))
    assert goal.wanted == pytest.approx(unit(np.array([[-0.03, 0.2, -0.41]])))


def test_a_mirror_shows_rotations_about_its_normal_alone() -> None:
    """As they are; those about an axis in it the other way round."""
    normal = np.array([0.6, 0.8, 0.0])
    assert mirror.reflect_vectors(np.array([[1.0, 2, 3]]), X).tolist() == [[-1, 2, 3]]
    rotation = np.array([0.5, *(np.sqrt(0.75) * normal)])
    assert mirror.reflect_rotations(rotation, normal) == pytest.approx(rotation)
    assert mirror.reflect_rotations(np.array([0.5, 0, 0, 0.8]), normal) == pytest.approx([0.5, 0, 0, -0.8])
    vector, rotation = np.array([0.3, -0.5, 0.8]), np.array([0.8, 0.36, 0.48, 0.0])
    rotated = rotation_matrix.from_quaternion(rotation) @ vector
    reflected = rotation_matrix.from_quaternion(mirror.reflect_rotations(rotation, X)) @ mirror.reflect_vectors(vector, X)
    assert reflected == pytest.approx(mirror.reflect_vectors(rotated, X))


def test_partners_are_those_of_the_other_side() -> None:
    binding = bound()
    assert [binding.followers[row].role for row in mirror.partners(binding)] == [mirror.other_side(each.role) for each in binding.followers]
    unnamed = bound(bone_map=BoneMap(tuple(replace(pair, role="") for pair in rigs.SAME.pairs)))
    assert mirror.partners(unnamed) == mirror.partners(binding)
    one = bound(bone_map=BoneMap(tuple(pair for pair in rigs.SAME.pairs if pair.source != "rightHand")))
    assert mirror.partners(one)[one.roles["leftHand"]] == one.roles["leftHand"]
