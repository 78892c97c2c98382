"""Where clips of a game begin, of ways and headings that are given in degrees about Z from -Y: legs of two metres."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.ground.start import hips_heading, standing_at_start, start_heading
from retro_anim.core.retarget.transfer.alignment import stance
from retro_anim.core.retarget.transfer.alignment.facing import Facing
from retro_anim.core.retarget.transfer.binding import Binding

from ..transfer.persons import Joints, about, bound, figure, rotated, yawed

LEG = 2.0
PLAIN = figure()
HERE = bound(PLAIN, PLAIN)
AHEAD = Facing()


def started(
    hips: Sequence[float],
    path: Sequence[tuple[float, float]] = (),
    forward: float = 0.0,
    fps: float = 8.0,
    binding: Binding = HERE,
    bone: int = 0,
    away: float = 0.0,
    rise: float = 0.0,
) -> tuple[float, bool]:
    """Degrees, and whether the clip goes straight on. path: metres to which steps go, and directions. away: degrees by which the target
    looks elsewhere in its reference pose than at rest, where that is `forward`. rise: metres by which each step goes up."""
    faced = Facing(np.radians(forward + away), np.radians(forward), rotates=not away)
    at = [np.array([3.0, 4.0, 1.0])]
    for metres, direction in path or [(0.0, 0.0)] * (len(hips) - 1):
        at.append(at[-1] + metres * about(2, direction) @ [0, -1, 0] + np.array([0, 0, rise]))
    result = start_heading(binding, {bone: np.array(at)}, np.radians(np.array(hips)), faced, LEG, fps)
    return float(np.degrees(result.heading)), result.straight


def hips(joints: Joints, looks: Sequence[float], first: Floats, faced: Facing = AHEAD, is_mirrored: bool = False) -> list[float]:
    """Degrees from the reference pose to where hips look that are rotated by `first`, and then about Z by so many degrees."""
    return headings(joints, [about(2, each) @ first for each in looks], faced, is_mirrored)


def headings(joints: Joints, rotations: Sequence[Floats], faced: Facing = AHEAD, is_mirrored: bool = False) -> list[float]:
    """The same of hips with these rotations, (3, 3)."""
    every = np.array([quat.of_matrix(each) for each in rotations])
    return np.degrees(hips_heading(bound(figure(joints), PLAIN), every, faced, is_mirrored)).tolist()


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("onto", [-90, 90])
def test_one_who_lies_at_rest_looks_as_the_thighs_show(axis: int, onto: float) -> None:
    """On back, front or a side; the clip gets up and rotates about Z, across the back without a jump."""
    lies = rotated(about(axis, onto))
    assert hips(lies, [0, 40, 130, 200], about(axis, -onto)) == pytest.approx([0, 40, 130, 200])


def test_one_who_lies_at_rest_rolls_over_without_a_jump() -> None:
    """From the back: head at +Y, by so much about Y, from where the least rotation stands one up looking so much aside. On a side thighs
    are above each other, and what is level of the line between them is about to turn around."""
    back = rotated(about(0, -90))
    assert headings(back, [about(1, each) for each in (0, 60, 120, 180)]) == pytest.approx([0, 60, 120, 180])
    assert headings(back, [about(1, each) for each in (88, 92, 89, 91)]) == pytest.approx([88, 92, 89, 91])
    assert headings(back, [about(0, each) for each in (0, 60, 89, 91)]) == pytest.approx([0] * 4), "who sits up"
    assert headings(back, [about(1, each) for each in (88, 92)], is_mirrored=True) == pytest.approx([88, 92])


def test_thighs_that_are_tilted_at_rest_look_ahead() -> None:
    """What counts is where they look, over the ground: one stands with hips that are tilted by 40 degrees to a side, and bends."""
    tilted = rotated(about(1, 40), lambda name: name.endswith("UpperLeg"))
    assert headings(tilted, [about(0, each) for each in (0, 30, 60)]) == pytest.approx([0] * 3, abs=1e-9)


def test_thighs_show_it_of_a_pose_that_is_turned_away_too() -> None:
    """By 30 degrees or more from ahead: what is less is a fighting stance, which looks ahead; also to the other side, in the mirror."""
    still = np.eye(3)
    assert hips(yawed(50), [0, 20], still) == pytest.approx([50, 70])
    assert hips(yawed(29), [0, 20], still) == pytest.approx([0, 20])
    assert hips(yawed(50), [0, 20], still, is_mirrored=True) == pytest.approx([-50, -30])
    assert hips(yawed(140), [0, 20], still, Facing(np.radians(90), np.radians(180))) == pytest.approx([50, 70]), "from where it looks"
    assert hips(yawed(140), [0], still, Facing(np.radians(90), np.radians(180), rotates=False)) == pytest.approx([50])


def test_without_thighs_the_hips_alone_show_it() -> None:
    binding = bound(figure(yawed(50)), PLAIN, lambda name: name.endswith("UpperLeg"))
    assert hips_heading(binding, quat.IDENTITY[None], AHEAD, False) == pytest.approx(0)
    meeting = {name: joint * [0, 1, 1] if name.endswith("UpperLeg") else joint for name, joint in rotated(about(0, 90)).items()}
    assert hips(meeting, [0, 40], np.eye(3)) == pytest.approx([0, 40]), "nor where both are in one place"


@pytest.mark.parametrize(
    ("hips", "heading"), [(20, 0), (29, 0), (31, 31), (40, 40), (-40, -40), (100, 90), (-100, -90), (130, 130), (4, 0), (-4, 0), (175, 180)]
)
def test_one_who_stays_looks_as_the_hips_do_in_the_beginning(hips: float, heading: float) -> None:
    """By quarters, from which they stand aslant by less than 30 degrees."""
    angle, straight = started([hips] * 4)
    assert not straight and abs(angle - heading) % 360 == pytest.approx(0, abs=1e-9)


def test_a_target_that_looks_elsewhere_in_its_reference_pose_counts_from_there() -> None:
    assert started([-20] * 4, away=90) == (pytest.approx(90), False) and started([-50] * 4, away=90) == (pytest.approx(40), False)
    assert started([-70] * 3, [(1.5, 20), (1.5, 20)], away=90) == (pytest.approx(20), True)


def test_the_beginning_is_a_quarter_of_a_second() -> None:
    """Two frames, one at least, or three."""
    for fps, mean in ((8.0, 40.0), (1.0, 35.0), (12.0, 45.0)):
        assert started([35, 45, 55, 170], fps=fps)[0] == pytest.approx(mean)
    assert started([170, -160, 0, 0], fps=8.0)[0] == pytest.approx(180), "their mean is 185, across the back"


@pytest.mark.parametrize(
    ("hips", "direction", "heading"),
    [(10, 20, 20), (10, 3, 0), (10, 6, 6), (-70, 20, -70), (110, 20, 110), (200, 20, 200), (49, 20, 20), (-9, 20, 20), (66, 5.5, 95.5)],
)
def test_one_who_goes_straight_on_looks_along_the_way_or_a_quarter_beside_it(hips: float, direction: float, heading: float) -> None:
    """Whichever is less than 30 degrees from where the hips look in the mean."""
    angle, straight = started([hips - 5, hips, hips + 5], [(1.5, direction), (1.5, direction)])
    assert straight and (angle - heading + 180) % 360 - 180 == pytest.approx(0, abs=1e-9)
    angle, straight = started([hips - 5, hips, hips + 5], [(1.5, direction + 33), (1.5, direction + 33)], 33)
    assert straight and (angle - heading + 180) % 360 - 180 == pytest.approx(0, abs=1e-9), "from where the target looks at rest"


@pytest.mark.parametrize("hips", [-11.0, 51.0, 60.0])
def test_hips_between_quarters_of_the_way_say_where_one_looks(hips: float) -> None:
    """30 degrees or more from each."""
    angle, straight = started([hips] * 3, [(1.5, 20), (1.5, 20)])
    assert not straight and angle == pytest.approx(0 if hips == -11 else hips)


@pytest.mark.parametrize(("metres", "straight"), [(0.99, False), (1.01, True)])
def test_a_way_is_longer_than_a_leg(metres: float, straight: bool) -> None:
    """Over the ground."""
    for rise in (0.0, 1.0):
        assert started([40] * 3, [(metres, 40), (metres, 40)], rise=rise)[1] == straight


@pytest.mark.parametrize(("aside", "straight"), [(36, True), (38, False)])
def test_a_way_is_straight_whose_beeline_is_four_fifths_of_it(aside: float, straight: bool) -> None:
    """The cosine of 36.9 degrees."""
    assert started([0] * 3, [(2.0, aside), (2.0, -aside)])[1] == straight


@pytest.mark.parametrize(("sway", "straight"), [(59, True), (61, False)])
def test_hips_sway_by_less_than_sixty_degrees_on_a_straight_way(sway: float, straight: bool) -> None:
    assert started([sway, 0, -sway], [(2.0, 0), (2.0, 0)])[1] == straight
    assert started([180 + sway, 180, 180 - sway], [(2.0, 0), (2.0, 0)])[1] == straight


def test_of_figures_without_hips_the_first_bone_counts() -> None:
    """Of those that are mapped."""
    binding = bound(PLAIN, PLAIN, "hips".__eq__)
    assert started([40] * 3, [(1.5, 40), (1.5, 40)], binding=binding, bone=1) == (pytest.approx(40), True)


def placed(position: Sequence[float], degrees: float) -> Figure:
    world = np.eye(4)
    world[:3, :3], world[:3, 3] = 2 * about(2, degrees), position
    return figure(world=world)


def standing(target: Figure, hips: Floats | None, rotated: float) -> tuple[Floats, Floats, float] | None:
    """(3, 3) rotation, position and scale of the object. hips: metres where the clip begins."""
    positions = {} if hips is None else {0: np.array([hips, hips + 9.0])}
    result = standing_at_start(bound(PLAIN, target), positions, np.radians(rotated), LEG)
    if result is None:
        return None
    assert len(result.rotations) == len(result.positions) == 1
    return np.stack([quat.rotate(result.rotations[0], axis) for axis in np.eye(3)], axis=1), result.positions[0], result.scale


def test_an_object_stands_so_that_hips_are_over_it_as_at_rest() -> None:
    """They are over its origin there; heights are its own."""
    for degrees in (0.0, 90.0):
        result = standing(placed((1, 2, 3), 30), np.array([5.0, 6.0, 9.0]), degrees)
        assert result is not None
        assert result[0] == pytest.approx(about(2, 30 + degrees)) and result[1] == pytest.approx([5, 6, 3])
        assert result[2] == pytest.approx(2)


def test_hips_beside_the_origin_at_rest_go_round_with_the_object() -> None:
    moved = placed((1, 2, 3), 0)
    rest = np.array(moved.rest)
    rest[:, 0, 3] += 0.5
    beside = type(moved)(moved.names, moved.parents, rest, moved.lengths, moved.world)
    result = standing(beside, np.array([5.0, 6.0, 9.0]), 90)
    assert result is not None and result[1] == pytest.approx([5, 5, 3]), "a metre along its X, which is along Y now"
    still = standing(beside, np.array([2.0, 2.0, 9.0]), 0)
    assert still is None, "as at rest"


@pytest.mark.parametrize(("away", "moves"), [(1.9e-4, False), (2.1e-4, True)])
def test_an_object_stays_where_the_clip_begins_nearly_at_rest(away: float, moves: bool) -> None:
    """By a ten-thousandth of a leg, unless it is rotated."""
    target = placed((1, 2, 3), 30)
    assert (standing(target, np.array([1 + away, 2.0, 9.0]), 0) is not None) == moves
    assert standing(target, np.array([1 + away, 2.0, 9.0]), 10) is not None


def test_a_clip_that_moves_no_hips_begins_where_the_object_is() -> None:
    assert standing(placed((1, 2, 3), 30), None, 0) is None
    result = standing(placed((1, 2, 3), 30), None, 40)
    assert result is not None and result[0] == pytest.approx(about(2, 70)) and result[1] == pytest.approx([1, 2, 3])
    binding = bound(PLAIN, placed((1, 2, 3), 30), "hips".__eq__)
    first = standing_at_start(binding, {1: np.array([[5.0, 6.0, 9.0]])}, 0.0, LEG)
    assert first is not None and first.positions[0] == pytest.approx([5, 6, 3]), "of others the first that is mapped"


@pytest.mark.parametrize("up", [2.0, -2.0])
@pytest.mark.parametrize("axis", [1, 2])
def test_hips_one_above_the_other_show_no_front(up: float, axis: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thighs along the trunk of one who lies or stands: where hips look is where they are rotated to."""
    along = np.eye(3)[axis]
    monkeypatch.setattr(stance, "across", lambda *_: along)
    monkeypatch.setattr(stance, "trunk", lambda *_: up * along)
    monkeypatch.setattr(stance, "stands", lambda *_: False)
    every = np.array([quat.of_matrix(about(2, each)) for each in (0, 30, 100)])
    assert np.degrees(hips_heading(HERE, every, AHEAD, False)).tolist() == pytest.approx([0, 30, 100])


def test_thighs_alone_show_where_hips_look() -> None:
    """Of a map that ends there nothing is a trunk: up is up. One of them stands to the left by 100 degrees at rest."""
    every = np.array([quat.of_matrix(about(2, each)) for each in (0, 30, 100)])
    for askew in (0, 100):
        binding = bound(figure(rotated(about(2, askew))), PLAIN, lambda role: role != "hips" and not role.endswith("Leg"))
        looks = np.degrees(hips_heading(binding, every, AHEAD, False)).tolist()
        assert looks == pytest.approx([askew, askew + 30, askew + 100], abs=1e-5)
