"""A clip is turned only where that is certain. The bones of a made-up figure are attached to the same body whatever its rest pose is, so
the joints of the source itself, turned by hand where figures face differently, are the truth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.games import GAMES
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import Limb
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.ground.root import heading
from retro_anim.core.retarget.options import Align, Facing, Options
from retro_anim.core.retarget.setup import Poses, prepare
from retro_anim.core.retarget.transfer.alignment.facing import _yaw, looks
from retro_anim.core.retarget.transfer.alignment.facing import facing as facing_of
from retro_anim.core.retarget.transfer.binding import bind

from .. import invariants, rigs
from ..ground import stances
from ..limb_goals.test_goals import lengthened

HIPS = rigs.NAMES.index("hips")


def run(source: Figure, motion: Motion, target: Figure, facing: Facing = "AUTO", align: Align = "AUTO") -> retarget.Result:
    options = Options(facing=facing, align=align, feet=False, floor="REST")
    return retarget.retarget(prepare(source, target, rigs.SAME, options, motion=motion), motion, 30.0, "clip")


def posture(positions: Floats) -> Floats:
    """Joints as seen from the hips."""
    return positions - positions[:, [HIPS]]


def off(result: retarget.Result, motion: Motion, degrees: float = 0.0) -> float:
    """Metres by which joints are away from the source's, turned by so much."""
    rotation = rotation_matrix.about(2, np.radians(np.array(degrees)))
    return float(np.linalg.norm(posture(result.motion.positions) - posture(motion.positions) @ rotation.T, axis=2).max())


@pytest.mark.parametrize("align", ["AUTO", "TPOSE"])
@pytest.mark.parametrize("stance", stances.STANCES)
def test_a_rest_pose_s_stance_does_not_turn_the_clip(stance: str, align: Align) -> None:
    plain, motion = rigs.rolled(1), stances.calm()
    posed = stances.standing_as(plain, stances.STANCES[stance])
    most = 1e-5 if align == "AUTO" else 0.1  # hands and feet have no place in a T-pose
    for source, target in ((posed, plain), (plain, posed), (posed, stances.standing_as(plain, stances.STANCES["mid-stride"]))):
        result = run(source, motion, target, align=align)
        assert result.report.yaw == 0
        assert off(result, motion) < most


@pytest.mark.parametrize("degrees", [90, -90, 180])
@pytest.mark.parametrize("stance", [None, "fighting, 21.5 degrees off", "lying on its back", "fighting, hips 43 degrees off"])
def test_a_source_that_faces_another_way_is_turned_by_quarters(stance: str | None, degrees: float) -> None:
    """In files whose axes were read wrong the whole world is turned, rest pose and motion."""
    plain, motion = rigs.rolled(1), stances.about_z(stances.calm(), degrees)
    source = stances.rotated(plain if stance is None else stances.standing_as(plain, stances.STANCES[stance]), degrees)
    result = run(source, motion, plain)
    assert abs(result.report.yaw) == pytest.approx(abs(degrees), abs=1e-9)
    assert off(result, motion, -degrees) < 1e-5
    assert f"turned by {result.report.yaw:.4g}°" in "\n".join(result.report.lines())


@pytest.mark.parametrize("degrees", [90, -90, 180])
def test_a_clip_that_goes_elsewhere_than_a_stance_looks_is_not_turned(degrees: float) -> None:
    """The armatures look alike, 21.5 degrees of stance aside; where the clip goes is the clip's own."""
    plain, motion = rigs.rolled(1), stances.about_z(stances.calm(), degrees)
    stance = stances.standing_as(plain, stances.STANCES["fighting, 21.5 degrees off"])
    for source, target in ((stance, plain), (plain, stance), (stance, stance)):
        result = run(source, motion, target)
        assert result.report.yaw == 0
        assert off(result, motion) < 1e-5


def test_by_the_world_nothing_is_turned() -> None:
    motion = stances.about_z(stances.calm(), 90)
    result = run(stances.rotated(rigs.rolled(1), 90), motion, rigs.rolled(1), "WORLD")
    assert result.report.yaw == 0
    assert off(result, motion) < 1e-5
    assert "turned by" not in "\n".join(result.report.lines())


WORLDLY: dict[str, tuple[dict[str, Any], tuple[Limb, ...]]] = {
    "feet are held": ({}, ()),
    "in the mirror": ({"mirror": True}, ()),
    "feet stand further out, steps are longer": ({}, (Limb("leftFoot", stance=0.2, stride=1.2), Limb("rightFoot", stance=0.2, stride=1.2))),
    "from the T-pose": ({"align": "TPOSE", "mirror": True}, ()),
    "on the object, as in games": ({"root_motion": "OBJECT", "from_first": True}, ()),
}


@pytest.mark.parametrize("degrees", [90, 180])
@pytest.mark.parametrize("job", WORLDLY)
def test_by_the_world_all_that_the_target_does_is_turned_with_the_source(job: str, degrees: float) -> None:
    """Onto longer shins, which faces elsewhere at rest."""
    chosen, limbs = WORLDLY[job]
    source, motion = invariants.walk()
    target = rigs.humanoid(rigs.random_rotations(4), lengthened(1.3, "Foot"))

    def walked(by: float) -> retarget.Result:
        options = Options(facing="WORLD", **chosen)
        bone_map, moving = replace(rigs.SAME, limbs=limbs), stances.about_z(motion, by)
        setup = prepare(stances.rotated(source, by), target, bone_map, options, motion=moving)
        return retarget.retarget(setup, moving, 30.0, "clip", loop=29)

    plain, result = walked(0), walked(degrees)
    rotation = rotation_matrix.about(2, np.radians(np.array(degrees)))
    np.testing.assert_allclose(posture(result.motion.positions), posture(plain.motion.positions) @ rotation.T, rtol=0, atol=1e-5)
    looked = [0.0 if each.motion.standing is None else heading(each.motion.standing.rotations)[0] for each in (plain, result)]
    assert np.degrees(looked[1] - looked[0]) == pytest.approx(degrees if "from_first" in chosen else 0, abs=1e-6)
    for each, angle in zip((plain, result), looked, strict=True):
        apart = each.report.heading - np.degrees(angle)
        assert abs(apart - 360 * round(apart / 360)) < 1e-6
    said = [line for line in result.report.lines() if "in the game's file it begins looking ahead" in line]
    assert len(said) == ("from_first" in chosen) and all(f"{degrees}° about the up axis" in line for line in said)


def test_a_clip_that_turns_about_says_nothing_of_the_world() -> None:
    """A rest pose that lies, and a motion that faces every way in turn."""
    plain = rigs.rolled(1)
    frames = [stances.about_z(stances.calm(1), degrees) for degrees in range(0, 360, 10)]
    rotations, positions = (np.concatenate([getattr(frame, name) for frame in frames]) for name in ("rotations", "positions"))
    motion = Motion(np.arange(36.0), rotations, positions, None, frames[0].standing)
    result = run(stances.standing_as(plain, stances.STANCES["lying on its back"]), motion, plain)
    assert result.report.yaw == 0
    assert off(result, motion) < 1e-5


def circling(aside: float = 0.0, most: int = 360, radius: float = 1.5) -> Motion:
    """One who goes along a circle. aside: degrees by which it looks away from where it goes. most: degrees of the circle."""
    frames = [stances.about_z(stances.calm(1), degrees + aside) for degrees in range(0, most, 10)]
    around = np.radians(np.arange(0, most, 10))
    at = radius * np.stack([np.cos(around + np.pi), np.sin(around + np.pi), 0 * around], axis=1)
    rotations = np.concatenate([frame.rotations for frame in frames])
    positions = np.concatenate([frame.positions for frame in frames])
    positions = positions + (at - positions[:, HIPS] * np.array([1.0, 1.0, 0.0]))[:, None]
    return Motion(np.arange(float(len(frames))), rotations, positions, None, frames[0].standing)


def to_and_fro(axis: int) -> Motion:
    """One who goes along an axis of the world, turns on the spot and comes back, looking ahead. axis: 0 or 1."""
    there = np.arange(18) < 9
    aside = 90.0 if axis == 0 else 180.0
    frames = [stances.about_z(stances.calm(1), aside if going else aside + 180) for going in there]
    at = np.zeros((18, 3))
    at[:, axis] = 0.3 * np.minimum(np.arange(18), 17 - np.arange(18))
    positions = np.concatenate([frame.positions for frame in frames])
    positions = positions + (at - positions[:, HIPS] * np.array([1.0, 1.0, 0.0]))[:, None]
    return Motion(np.arange(18.0), np.concatenate([frame.rotations for frame in frames]), positions, None, frames[0].standing)


@pytest.mark.parametrize(
    ("motion", "asks"),
    [
        (circling(), False),
        (to_and_fro(0), False),
        (to_and_fro(1), False),
        (stances.about_z(circling(most=50), 25), True),
        (circling(aside=90), True),
        (circling(radius=0.05), True),
    ],
    ids=["in a circle", "along X and back", "along Y and back", "one way", "sideways", "on the spot"],
)
def test_who_lies_at_rest_and_walks_in_a_circle_is_no_question(motion: Motion, asks: bool) -> None:
    """However the whole of it is turned, it walks in a circle along its face."""
    plain = rigs.rolled(1)
    result = run(stances.standing_as(plain, stances.STANCES["lying on its side, its back curved"]), motion, plain)
    assert off(result, motion) < 1e-5
    assert any("it is not certain where the source faces" in line for line in result.report.lines()) == asks
    assert result.report.faces_elsewhere == asks


def test_who_goes_along_the_face_of_the_hips_may_look_back_over_the_shoulders() -> None:
    lying = stances.standing_as(rigs.rolled(1), stances.STANCES["lying on its side, its back curved"])
    arms, motion = [rigs.NAMES.index(f"{side}UpperArm") for side in ("left", "right")], circling()
    positions = motion.positions.copy()
    positions[:, arms] = positions[:, arms[::-1]]
    assert prepare(lying, rigs.rolled(1), rigs.SAME, Options(), motion=replace(motion, positions=positions)).facing.assumed == ()


@pytest.mark.parametrize("degrees", [43.0, 55.0])
@pytest.mark.parametrize("stance", stances.STANCES)
def test_a_clip_that_looks_aside_is_not_turned(stance: str, degrees: float) -> None:
    motion = stances.about_z(stances.calm(), degrees)
    result = run(stances.standing_as(rigs.rolled(1), stances.STANCES[stance]), motion, rigs.rolled(1))
    assert result.report.yaw == 0
    assert off(result, motion) < 1e-5


def declared(figure: Figure, left: tuple[float, float, float]) -> Figure:
    return replace(figure, left=np.array(left))


@pytest.mark.parametrize("stance", ["lying, heading 43 degrees off", "fighting, hips 43 degrees off", "lying on its side, its back curved"])
def test_what_a_game_declares_counts_before_the_rest_pose(stance: str) -> None:
    """A character of a game that looks along -Y, lying or turned aside at rest, gets a clip of a figure that looks along +X."""
    plain, motion = rigs.rolled(1), stances.about_z(stances.calm(), 90)
    target = declared(stances.standing_as(plain, stances.STANCES[stance]), (1, 0, 0))
    result = run(stances.rotated(plain, 90), motion, target)
    assert result.report.yaw == pytest.approx(-90, abs=1e-9)
    assert off(result, motion, -90) < 1e-5


def test_games_that_look_elsewhere_are_turned() -> None:
    plain, motion = rigs.rolled(1), stances.calm()
    source = declared(plain, (1, 0, 0))
    assert abs(run(source, motion, declared(stances.rotated(plain, 180), tuple(GAMES["oni2"].left))).report.yaw) == pytest.approx(180)
    assert {game.id: game.left.tolist() for game in GAMES.values()} == {
        "lba": [1, 0, 0],
        "oni": [1, 0, 0],
        "oni2": [-1, 0, 0],
        "mindpower": [1, 0, 0],
    }


def test_a_target_that_lies_is_asked_how_it_moves() -> None:
    """Its rest pose says nothing; its own clip looks along +X, as the source does."""
    plain = rigs.rolled(1)
    target = stances.rotated(stances.standing_as(plain, stances.STANCES["lying on its side, its back curved"]), 90)
    own = stances.about_z(stances.calm(), 90)
    setup = prepare(plain, target, rigs.SAME, Options(), own=lambda: [own])
    assert np.degrees(setup.facing.yaw) == pytest.approx(90)


def test_a_figure_of_which_nothing_is_known_looks_as_every_import_does() -> None:
    plain, motion = rigs.rolled(1), stances.about_z(stances.calm(), 90)
    target = stances.standing_as(plain, stances.STANCES["lying on its side, its back curved"])
    result = run(stances.rotated(plain, 90), motion, target)
    assert off(result, motion, -90) < 1e-5
    assert "it is not certain where the target faces: it is taken to look along -Y" in result.report.lines()
    assert not result.report.is_good


@pytest.mark.parametrize(("degrees", "good"), [(20, True), (40, False)])
def test_a_facing_that_is_not_certain_asks_for_a_look_where_the_rest_pose_says_another(degrees: float, good: bool) -> None:
    """Whoever stands 20 degrees aside looks that way; at 40 it may be another side altogether."""
    plain, motion = rigs.rolled(1), stances.calm()
    assert run(plain, motion, stances.rotated(plain, degrees)).report.is_good is good


def test_a_figure_on_its_back_shows_it_by_its_hips() -> None:
    """Standing up about the line through the hips does not turn a figure."""
    plain, motion = rigs.rolled(1), stances.calm()
    target = stances.rotated(stances.standing_as(plain, stances.STANCES["lying on its back"]), 180)
    result = run(plain, motion, target)
    assert abs(result.report.yaw) == pytest.approx(180)
    assert off(result, motion, 180) < 1e-5


@pytest.mark.parametrize("stance", ["hips tilted", "lying on its side, its back curved", "fighting, 21.5 degrees off"])
def test_a_target_in_an_odd_stance_that_faces_another_way(stance: str) -> None:
    """A tilted pelvis shows where it faces by what is level of it, and one who lies on a side by where the front is."""
    plain, motion = rigs.rolled(1), stances.calm()
    target = stances.rotated(stances.standing_as(plain, stances.STANCES[stance]), 90)
    result = run(plain, motion, target)
    assert result.report.yaw == pytest.approx(90, abs=1e-9)
    assert off(result, motion, 90) < 1e-5


@pytest.mark.parametrize("degrees", [-77.0, 30.0])
def test_quarter_turns_are_those_of_the_object(degrees: float) -> None:
    """A fighter whose object is turned stands near a quarter turn of the world by chance."""
    plain, motion = rigs.rolled(1), stances.calm()
    target = stances.standing_as(plain, stances.STANCES["fighting, 21.5 degrees off"])
    result = run(plain, motion, replace(target, world=rigs.yawed(np.radians(degrees))))
    assert result.report.yaw == pytest.approx(degrees, abs=1e-6)
    assert off(result, motion, degrees) < 1e-5


@pytest.mark.parametrize("degrees", [90, 180])
def test_one_between_quarter_turns_is_told(degrees: float) -> None:
    """Whoever stands 40 degrees aside in nothing but a rest pose may face either way: the nearest, unless that could be -Y."""
    plain, motion = rigs.rolled(1), stances.calm()
    target = stances.rotated(plain, 40 + degrees)
    report = run(plain, motion, target).report
    assert abs(report.yaw) == pytest.approx(degrees)
    assert any(line.startswith("it is not certain where the target faces") for line in report.lines())
    aside = run(plain, motion, stances.rotated(plain, 40)).report
    assert aside.yaw == 0
    assert "it is not certain where the target faces: it is taken to look along -Y" in aside.lines()


@pytest.mark.parametrize(("degrees", "where"), [(0, "-Y"), (90, "X"), (180, "Y"), (-90, "-X"), (450, "X"), (30, "30° about Z from -Y")])
def test_where_one_looks_whose_left_is_known(degrees: float, where: str) -> None:
    """Rotated by a quarter, what looked along -Y looks along X; its left is along Y."""
    assert looks(np.radians(degrees)) == where


def faces(source: Figure, target: Figure, own: Motion | None = None) -> tuple[float, tuple[str, ...]]:
    """Degrees by which the target's left is away from +X, and of whom it is only assumed."""
    facing = prepare(source, target, rigs.SAME, Options(), own=lambda: [own] if own is not None else []).facing
    return float(np.degrees(facing.target)), facing.assumed


def test_what_a_game_declares_counts_against_a_rest_pose() -> None:
    """Upright and looking along -Y for everyone to see; but the game says that its left is +Y."""
    plain = rigs.rolled(1)
    assert faces(plain, declared(plain, (0, 1, 0))) == (pytest.approx(90), ())


def test_how_one_moves_counts_before_a_rest_pose_that_lies() -> None:
    plain = rigs.rolled(1)
    target = stances.standing_as(plain, stances.STANCES["lying on its back"])
    assert faces(plain, target, stances.about_z(stances.calm(), 90)) == (pytest.approx(90), ())


@pytest.mark.parametrize("align", ["AUTO", "TPOSE"])
def test_each_clip_of_a_source_that_lies_at_rest_shows_where_it_faces(align: Align) -> None:
    plain, options = rigs.rolled(1), Options(align=align)
    lying, aside = stances.standing_as(plain, stances.STANCES["lying on its back"]), stances.about_z(stances.calm(), 90)
    first = prepare(lying, plain, rigs.SAME, options, motion=stances.calm())
    assert not first.suits(lying, Poses(), aside)
    second = prepare(lying, plain, rigs.SAME, options, motion=aside)
    assert np.degrees([first.facing.yaw, second.facing.yaw]) == pytest.approx([0, -90])
    assert second.suits(lying, Poses(), aside)


def test_clips_share_what_is_the_same_where_they_count_from_the_same_poses() -> None:
    plain, motion = rigs.rolled(1), stances.calm()
    one, again, other = (Poses(replace(rest_motion(plain), rotations=motion.rotations[row : row + 1])) for row in (0, 0, 9))
    first = prepare(plain, plain, rigs.SAME, Options(align="FRAME"), one)
    assert first.suits(plain, again, None)
    assert not first.suits(plain, other, None)
    assert not first.suits(plain, Poses(), None)
    assert not first.suits(rigs.rolled(1), one, None)


def test_one_who_is_folded_together_at_rest_shows_nothing() -> None:
    """Both legs go up along the trunk: it is taken to look as its object does, whichever way its hips are, unless it moves."""
    plain = rigs.rolled(1)
    folded = stances.rotated(stances.standing_as(plain, {"leftUpperLeg": (0, 180), "rightUpperLeg": (0, 180)}), 90)
    assert faces(plain, folded) == (pytest.approx(0), ())
    assert faces(plain, folded, stances.about_z(stances.calm(), 180)) == (pytest.approx(180), ())


def test_hips_that_stand_just_so_need_no_shoulders() -> None:
    """Turned away at the waist by more than any stance would be."""
    plain = rigs.rolled(1)
    aside = stances.rotated(stances.standing_as(plain, {"spine": (2, 75)}), 90)
    assert faces(plain, aside) == (pytest.approx(90), ())


def test_one_who_stands_just_so_in_the_world_faces_as_there() -> None:
    """The object is turned by 30 degrees, and the rest pose back."""
    plain = rigs.rolled(1)
    assert faces(plain, replace(stances.rotated(plain, -30), world=rigs.yawed(np.radians(30)))) == (pytest.approx(0, abs=1e-6), ())


@pytest.mark.parametrize("degrees", [90, -90])
def test_a_t_pose_is_taken_as_each_figure_faces(degrees: float) -> None:
    plain = rigs.rolled(1)
    result = run(stances.rotated(plain, degrees), stances.about_z(stances.calm(), degrees), plain, align="TPOSE")
    assert off(result, stances.about_z(stances.calm(), degrees), -degrees) < 0.1


@pytest.mark.parametrize("angle", [0.0, 0.5, -2.0, np.pi / 2])
def test_an_object_is_turned_by_where_its_x_axis_points_over_the_ground(angle: float) -> None:
    """Not at all where that is upright, whatever rounding leaves of it; the axes behind it say nothing."""
    assert _yaw(rotation_matrix.about(2, np.array(angle)) @ rotation_matrix.about(0, np.array(1.0))) == pytest.approx(angle)
    upright = np.array([[1e-17, 0, -1], [1e-17, 1, 0], [1, 0, 0]])
    assert _yaw(upright @ rotation_matrix.about(0, np.array(angle))) == 0


def test_by_the_world_a_mirror_is_across_its_x_axis_where_nothing_shows_another() -> None:
    """Of two who stand between quarter turns, in an object that is turned."""
    figure = stances.standing_as(replace(rigs.humanoid(), world=rigs.yawed(0.7)), stances.STANCES["fighting, hips 43 degrees off"])
    facing = facing_of(bind(rigs.SAME, figure, figure, figure.heads), "WORLD")
    assert (facing.lateral.tolist(), facing.yaw, facing.assumed) == ([1, 0, 0], 0, ())
