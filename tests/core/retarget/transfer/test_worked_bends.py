"""Two-bone IK by trigonometry: how far a limb reaches, to which side it bends, how its bones rotate, how it passes by its own joint."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.transfer.limbs import two_bone_ik

X, Y, Z = np.eye(3)


def row(*values: float) -> Floats:
    return np.array([values])


@pytest.mark.parametrize(
    ("wanted", "present", "taken"),
    [
        (1.5, 1.0, 1.5),
        (1.96, 0.0, 1.96),
        (2.0, 0.0, 1.96 + 0.04 * (1 - np.exp(-1))),
        (1.98, 1.0, 1.96 + 0.04 * (1 - np.exp(-0.5))),
        (5.0, 0.0, 2.0),
        (1.98, 1.978, 1.978),
        (1.98, 1.999, 1.98),
        (1.2, 1.9, 1.2),
        (3.0, 2.5, 2.0),
    ],
)
def test_a_limb_of_two_metres_yields_from_98_percent_on(wanted: float, present: float, taken: float) -> None:
    """By an exponential that ends at its full length; what it has at present it keeps."""
    assert two_bone_ik.reach(row(2.0)[0], row(wanted)[0], row(present)[0])[0] == pytest.approx(taken, abs=1e-12)


def test_a_limb_without_length_reaches_nothing() -> None:
    assert two_bone_ik.reach(row(0.0)[0], row(1.0)[0], row(0.0)[0]).tolist() == [0.0]


def planned(sine: float, further: float, hinge: Floats, scale: float = 1.0) -> Floats:
    """(3,) the axis of the bend of a limb along -Z, whose first bone of `scale` metres is off its line towards Y by an angle of this sine,
    and by one whose sine is `further` more where its goal is."""
    cosine, after = np.sqrt(1 - sine**2), np.sqrt(1 - (sine + further) ** 2)
    middle, end, goal = np.array([[0, sine, -cosine]]), row(0, 0, -2 * cosine), row(0, 0, -2 * after)
    plan = two_bone_ik.plan(row(0, 0, 0), scale * middle, scale * end, scale * goal, hinge[None])
    assert plan.distances[0] == pytest.approx(scale * 2 * after, abs=1e-9)
    return plan.normals[0]


def towards(degrees: float) -> Floats:
    """Across the limb, so far from the axis about which it bends, -X, towards Y."""
    return -np.cos(np.radians(degrees)) * X + np.sin(np.radians(degrees)) * Y


@pytest.mark.parametrize(
    ("sine", "further", "own", "hinge"),
    [
        (0.0, 0.1, 0.0, 1.0),
        (0.01, 0.3, 0.01, 0.01 + 0.3 * 0.95),
        (0.1, 0.4, 0.1, 0.4 / 2),
        (0.15, 0.2, 0.15, 0.2 / 4),
        (0.2, 0.5, 1.0, 0.0),
        (0.3, 0.5, 1.0, 0.0),
        (0.1, 0.0, 1.0, 0.0),
    ],
)
@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_a_limb_that_is_nearly_straight_is_helped_by_its_hinge(sine: float, further: float, own: float, hinge: float, scale: float) -> None:
    """At right angles to its own axis; the more the further it bends, and not at all from a sine of 0.2 on."""
    wanted = own * towards(0) + hinge * towards(90)
    assert planned(sine, further, towards(90), scale) == pytest.approx(wanted / np.linalg.norm(wanted), abs=1e-6)


@pytest.mark.parametrize(("sine", "further", "hinge"), [(0.1, 0.05, 0.025 + 0.05), (0.1, 0.3, 0.15 + 0.1), (0.05, 0.05, 0.0375 + 0.05)])
def test_a_limb_on_the_wrong_side_of_its_hinge_changes_sides(sine: float, further: float, hinge: float) -> None:
    """By 120 degrees: as soon as it bends twice as far it is as far on the right side as it was on the wrong one."""
    wanted = sine * towards(0) + hinge * towards(120)
    assert planned(sine, further, towards(120)) == pytest.approx(wanted / np.linalg.norm(wanted), abs=1e-9)


def test_a_limb_that_is_stretched_further_keeps_its_axis() -> None:
    middle, end = row(0, 0.1, -np.sqrt(0.99)), row(0, 0, -2 * np.sqrt(0.99))
    plan = two_bone_ik.plan(row(0, 0, 0), middle, end, row(0, 0, -1.9999), Y[None])
    assert plan.normals[0] == pytest.approx(towards(0))


def test_a_limb_that_is_bent_clearly_stays_on_its_side() -> None:
    assert planned(0.2, 0.4, towards(180)) == pytest.approx(towards(0), abs=1e-9)
    assert planned(0.19, 0.19, towards(180)) == pytest.approx(towards(180), abs=1e-9)


def test_of_a_hinge_counts_what_is_across_the_limb() -> None:
    """Of an axis of length 1 that leans along the limb 0.6 are left: it helps by so much less, and turns the limb round as well."""
    wanted = 0.1 * towards(0) + 0.6 * 0.2 * towards(90)
    assert planned(0.1, 0.4, 0.6 * towards(90) + 0.8 * Z) == pytest.approx(wanted / np.linalg.norm(wanted), abs=1e-9)
    wanted = 0.1 * towards(0) + (0.6 * 0.15 + 0.1) * towards(120)
    assert planned(0.1, 0.3, 0.6 * towards(120) - 0.8 * Z) == pytest.approx(wanted / np.linalg.norm(wanted), abs=1e-9)


@pytest.mark.parametrize(("far", "taken"), [(0.1, 0.5), (0.5, 0.5), (1.0, 1.0), (9.0, 2.5)])
def test_bones_of_unequal_lengths_neither_fold_up_nor_stretch_further_than_they_can(far: float, taken: float) -> None:
    """1.5 and 1 metres."""
    at = two_bone_ik.plan(row(0, 0, 0), row(0, 0, -1.5), row(0, 1, -1.5), row(far, 0, 0), -X[None])
    assert at.distances[0] == pytest.approx(taken, abs=1e-8) and at.normals[0] == pytest.approx(X)


def test_a_limb_that_folds_up_is_of_some_length_still() -> None:
    at = two_bone_ik.plan(row(0, 0, 0), row(0, 0, -1), row(0, 1, -1), row(0, 0, 0), X[None])
    assert 0 < at.distances[0] < 1e-8


def test_a_limb_that_ends_where_it_begins_lies_along_its_first_bone() -> None:
    at = two_bone_ik.plan(row(0, 0, 0), row(0, 0, -1), row(0, 0, 0), row(0, 1, 0), (0.6 * X + 0.8 * Z)[None])
    assert at.normals[0] == pytest.approx(X)


def bent(middle: Floats, end: Floats, goal: Floats, distance: float, normal: Floats) -> two_bone_ik.Bent:
    plan = two_bone_ik.Plan(np.array([distance]), normal[None])
    return two_bone_ik.bend(row(0, 0, 0), middle[None], end[None], goal[None], plan)


def test_bones_rotate_to_the_sides_of_a_triangle() -> None:
    """Of 3, 4 and 5 metres, with the right angle at the knee, about an axis of its own; its end is where the plan says, on the line to the
    goal, of which 2 metres are missed."""
    middle, end, ahead = -3 * Z, -3 * Z + 4 * Y, (X + 2 * Y + 2 * Z) / 3
    normal = np.cross(middle, end) / 12
    result = bent(middle, end, 8 * ahead, 6.0, normal)
    cosine = (9 + 36 - 16) / (2 * 3 * 6)
    first, second = quat.rotate(result.first[0], middle), quat.rotate(result.second[0], end - middle)
    assert first @ ahead == pytest.approx(3 * cosine) and np.linalg.norm(first) == pytest.approx(3)
    assert first + second == pytest.approx(6 * ahead) and result.end[0] == pytest.approx(6 * ahead)
    assert result.missed == pytest.approx([2.0])
    carried = quat.rotate(two_bone_ik.between((end / 5)[None], ahead[None])[0], normal)
    assert np.cross(first, ahead) / np.linalg.norm(np.cross(first, ahead)) == pytest.approx(carried)
    assert quat.rotate(np.concatenate([result.first, result.second]), normal) == pytest.approx(np.array([carried, carried]))


def test_a_bone_that_was_beside_the_plane_of_the_bend_comes_into_it() -> None:
    """And is rotated about itself until what is across it of the axis is the axis."""
    middle, end = np.array([0.1, 0.3, -1.0]), np.array([0.0, 0.0, -2.0])
    result = bent(middle, end, np.array([0.0, 0.0, -1.2]), 1.2, -X)
    first, second = quat.rotate(result.first[0], middle), quat.rotate(result.second[0], end - middle)
    for bone, before, rotation in ((first, middle, result.first[0]), (second, end - middle, result.second[0])):
        along = before / np.linalg.norm(before)
        across = along * (along @ X) - X
        assert bone[0] == pytest.approx(0, abs=1e-12)
        assert quat.rotate(rotation, across) == pytest.approx(-X * np.linalg.norm(across))
    assert first[1] > 0 and first + second == pytest.approx([0, 0, -1.2])


@pytest.mark.parametrize(("second", "distance", "to_goal"), [(2.0, 3.5, 1.0), (3.0, 1.5, -1.0)])
def test_a_plan_that_no_triangle_has_straightens_or_folds_the_limb(second: float, distance: float, to_goal: float) -> None:
    """Of a first bone of a metre: it points to the goal, or away from it."""
    result = bent(-Z, second * Y - Z, 5 * Y, distance, -X)
    assert quat.rotate(result.first[0], -Z) == pytest.approx(to_goal * Y)


def test_a_goal_at_the_joint_itself_is_looked_for_where_the_limb_was() -> None:
    result = bent(-Z, Y - Z, np.zeros(3), 0.5, -X)
    assert result.end[0] == pytest.approx(0.5 * (Y - Z) / np.sqrt(2)) and result.missed == pytest.approx([0.5])


def test_a_limb_at_its_goal_stays() -> None:
    """Beside one that moves by a ten-millionth."""
    start, middle, end = np.zeros((2, 3)), np.tile(-Z, (2, 1)), np.tile(Y - Z, (2, 1))
    goal = end + np.array([[0.0], [1e-7]]) * Y
    result = two_bone_ik.bend(start, middle, end, goal, two_bone_ik.Plan(np.sqrt((goal**2).sum(axis=1)), np.tile(-X, (2, 1))))
    assert two_bone_ik.moves(end, goal).tolist() == [False, True]
    assert np.array_equal(result.first[0], quat.IDENTITY) and np.array_equal(result.second[0], quat.IDENTITY)
    assert np.array_equal(result.end[0], end[0]) and result.missed[0] == 0
    assert not np.array_equal(result.first[1], quat.IDENTITY) and result.end[1] == pytest.approx(goal[1], abs=1e-12)
    alone = bent(-Z, Y - Z, Y - Z, 1.0, -X)
    assert np.array_equal(alone.first, quat.IDENTITY[None]) and np.array_equal(alone.end, (Y - Z)[None]) and alone.missed == [0]


ROOM, LEAST = 0.1, 0.5


@pytest.mark.parametrize(
    ("depth", "away"),
    [
        (-3.0, LEAST + 3 * ROOM),
        (-1.0, LEAST + ROOM),
        (-0.5, LEAST + ROOM * np.exp(-0.5)),
        (0.0, LEAST + ROOM * np.exp(-1)),
        (1.0, LEAST - ROOM + ROOM),
        (2.0, LEAST + ROOM * np.exp(-3)),
        (4.0, LEAST + ROOM * np.exp(-5)),
    ],
)
def test_a_goal_near_the_joint_is_further_away(depth: float, away: float) -> None:
    """By what it is nearer than the folded limb reaches, in rooms: from one room before that on, softly."""
    offset = row(0, LEAST - depth * ROOM, 0)
    result = two_bone_ik.around(offset, Y[None], np.array([LEAST]), ROOM, np.array([np.inf]))
    assert result[0] == pytest.approx(away * Y, abs=1e-12)


@pytest.mark.parametrize(("depth", "most", "off"), [(-2, 1.0, np.exp(-3)), (0, 1.0, np.exp(-1)), (0, 0.01, 0.1), (-3, 1.0, np.exp(-4))])
def test_a_goal_yields_towards_the_heading_by_no_more_than_is_allowed(depth: float, most: float, off: float) -> None:
    """off: rooms. Its heading, smoothed over time, is elsewhere than itself."""
    offset, heading = row(0, LEAST - depth * ROOM, 0), (0.6 * X + 0.8 * Y)
    shift = (two_bone_ik.around(offset, heading[None], np.array([LEAST]), ROOM, np.array([most])) - offset)[0]
    away = LEAST - depth * ROOM if depth < -1 else LEAST + ROOM * np.exp(-1 - depth)
    wanted = away * heading - offset[0]
    assert np.linalg.norm(shift) == pytest.approx(off * ROOM) and np.cross(shift, wanted) == pytest.approx(np.zeros(3), abs=1e-12)
    assert shift @ wanted > 0


@pytest.mark.parametrize("start", [X, Y, Z, (X + Y + Z) / np.sqrt(3), np.array([0.9975, 0.07, np.sqrt(1 - 0.9975**2 - 0.07**2)])])
def test_opposite_directions_are_half_a_rotation_apart(start: Floats) -> None:
    rotation = two_bone_ik.between(np.stack([start, start]), np.stack([-start, start]))
    assert quat.rotate(rotation[0], start) == pytest.approx(-start, abs=1e-9) and np.linalg.norm(rotation[0]) == pytest.approx(1)
    assert abs(rotation[0, 0]) < 1e-9 and rotation[1] == pytest.approx(quat.IDENTITY)


@pytest.mark.parametrize("degrees", [1.0, 90.0, 120.0, 179.9])
def test_between_two_directions_is_the_least_rotation(degrees: float) -> None:
    angle = np.radians(degrees)
    rotation = two_bone_ik.between(Y[None], (np.cos(angle) * Y + np.sin(angle) * Z)[None])
    assert rotation[0] == pytest.approx([np.cos(angle / 2), np.sin(angle / 2), 0, 0])


def test_a_hinge_is_the_mean_of_where_a_limb_bends_by_the_third_power() -> None:
    """In each clip for itself, and whatever the bone is rotated by: bent by half as much, the axis counts an eighth."""
    upper = np.array([2 * Z, 2 * Z, 2 * Z, 2 * Z, 2 * Z])
    whole = np.array([3 * Z - 2 * Y, 3 * Z + X, 3 * Z, 3 * Z, 3 * Z + 0.25 * X])  # crossed: 4 X, 2 Y, nothing; nothing, Y / 2
    carried = quat.about(Z, np.radians(np.array([0.0, 40.0, 90.0, 10.0, -70.0])))
    size = 2 * np.sqrt(13)
    assert np.linalg.norm(upper[0]) * np.linalg.norm(whole[0]) == pytest.approx(size)
    axes = two_bone_ik.hinge_axis(quat.rotate(carried, upper), quat.rotate(carried, whole), carried, Z, Spans((3, 2)))
    first = (8 * X + Y) / np.sqrt(65)
    assert axes == pytest.approx(quat.rotate(carried, np.array([first, first, first, Y, Y])))


def test_a_limb_that_never_bends_has_the_hinge_that_is_given() -> None:
    """Of any size, and by a thousandth of it still; not by a ten-thousandth."""
    upper = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1e-4], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]])
    whole = np.array([[0.0, 0.0, 2.0], [0.002 * 1e-4, 0.0, 1e-4], [0.002, 0.0, 1.0], [0.0001, 0.0, 1.0]])
    carried = quat.about(Z, np.radians(np.array([30.0, 30.0, 30.0, 30.0])))
    axes = two_bone_ik.hinge_axis(quat.rotate(carried, upper), quat.rotate(carried, whole), carried, X, Spans((1, 1, 1, 1)))
    assert axes == pytest.approx(quat.rotate(carried, np.array([X, Y, Y, X])))
