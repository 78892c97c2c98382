"""What is up for soles at rest, of persons whose shins lean and whose feet are rotated by given angles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.transfer.alignment.facing import Facing
from retro_anim.core.retarget.transfer.alignment.splay import soles, stand_alike

from .persons import NAMES, PERSON, Joints, about, bound, figure, moving, rotated, yawed

STANDS = figure()
FEET = ("leftFoot", "rightFoot")


def opened(degrees: float, sides: Sequence[str] = ("left", "right")) -> Joints:
    """With legs that are opened to the sides."""
    joints = PERSON
    for side in sides:
        aside = about(1, -degrees if side == "left" else degrees)
        below = (f"{side}LowerLeg", f"{side}Foot", f"{side}Toes")
        joints = rotated(aside, below.__contains__, joints, f"{side}UpperLeg")
    return joints


def standing(joints: Joints, rotations: Mapping[str, Sequence[Floats]], frames: int = 6) -> Motion:
    """Frames in which joints stay, and bones are rotated from rest, (4,) in each."""
    own = np.tile(quat.IDENTITY, (frames, len(NAMES), 1))
    for name, every in rotations.items():
        own[:, NAMES.index(name)] = every
    return moving([joints] * frames, own)


def rolled(degrees: float, name: str = "left", yaw: float = 0.0) -> Floats:
    """(4,) the rotation of a foot about where one looks, by so much, of a leg that was opened by that."""
    return quat.of_matrix(about(2, yaw) @ about(1, degrees if name.startswith("left") else -degrees) @ about(2, -yaw))


def ups(
    joints: Joints, motion: Motion | None, target: Joints = PERSON, without: Callable[[str], bool] = lambda name: False, looks: float = 0.0
) -> dict[str, Floats]:
    return soles(bound(figure(joints), figure(target), without), motion, Facing(np.radians(looks), 0.0))


@pytest.mark.parametrize("name", ["LowerLeg", "Foot", "Toes"])
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(("degrees", "alike"), [(2.9, True), (3.1, False)])
def test_legs_stand_alike_that_point_less_than_three_degrees_apart(name: str, side: str, degrees: float, alike: bool) -> None:
    above = {"LowerLeg": "UpperLeg", "Foot": "LowerLeg", "Toes": "Foot"}[name]
    other = rotated(about(0, degrees), (side + name).__eq__, center=side + above)
    if name != "Toes":  # what is below goes along
        moved = other[side + name] - PERSON[side + name]
        other = {each: joint + moved * (each in (f"{side}Foot", f"{side}Toes") and each != side + name) for each, joint in other.items()}
    assert stand_alike(bound(figure(other), STANDS), np.eye(3)) == alike
    assert stand_alike(bound(figure(yawed(90, other)), STANDS), about(2, -90)) == alike
    assert not stand_alike(bound(figure(yawed(90)), STANDS), np.eye(3))
    assert stand_alike(bound(figure(other), STANDS, (side + name).__eq__), np.eye(3))


def leaning(lean: float, roll: float, looks: float = 0.0, sides: Sequence[str] = ("left", "right")) -> dict[str, Floats]:
    """Of legs that are opened at rest, and feet that are rolled back by so much where they stand."""
    joints = yawed(looks, opened(lean, sides))
    motion = standing(joints, {foot: [rolled(roll, foot, looks)] * 6 for foot in FEET})
    return ups(joints, motion, looks=looks)


@pytest.mark.parametrize("looks", [0.0, 90.0, 200.0])
@pytest.mark.parametrize(
    ("lean", "roll", "up"),
    [
        (20, 20, 20),
        (20, 13, 20),
        (20, 12, 12),
        (20, 27, 20),
        (7, 7, 0),
        (9, 9, 9),
        (7, 9.9, 0),
        (7, 10.1, 10.1),
        (20, -15, -15),
        (4, 15, 15),
    ],
)
def test_soles_lean_as_shins_do_where_that_makes_them_level(lean: float, roll: float, up: float, looks: float) -> None:
    """Shins lean by 8 degrees at least; rolled back by 13 of 20 degrees, soles are off by 7 if they lean as well, and else by 13: that is
    clear by 5, which 8 and 12 are not. Other feet are rolled at rest by what they are rolled back, from 10 degrees on."""
    wanted = {side: about(2, looks) @ about(1, -up if side == "left" else up) @ [0, 0, 1] for side in ("left", "right")}
    result = leaning(lean, roll, looks)
    assert set(result) == ({side + part for side in wanted for part in ("Foot", "Toes")} if up else set())
    for role, shown in result.items():
        assert shown == pytest.approx(wanted[role.removesuffix("Foot").removesuffix("Toes")])


@pytest.mark.parametrize(("left", "right", "mirrored"), [(15, 10.5, True), (15, 9.5, False), (18, 12.5, False), (15, -15, False)])
def test_feet_are_rolled_at_rest_that_are_in_the_mirror(left: float, right: float, mirrored: bool) -> None:
    """Each by 10 degrees at least, and for 5 alike."""
    motion = standing(ASIDE, {"leftFoot": [rolled(left)] * 6, "rightFoot": [rolled(right, "right")] * 6})
    result = ups(ASIDE, motion)
    assert set(result) == ({"leftFoot", "leftToes", "rightFoot", "rightToes"} if mirrored else set())
    if mirrored:
        assert result["leftToes"] == pytest.approx(about(1, -left) @ [0, 0, 1])
        assert result["rightFoot"] == pytest.approx(about(1, right) @ [0, 0, 1])
        assert ups(ASIDE, motion, without="rightFoot".__eq__) == {}, "one foot shows nothing"


@pytest.mark.parametrize(("steep", "stand"), [(29, True), (31, False), (-29, True), (-31, False), (60, False)])
def test_feet_that_point_up_or_down_do_not_stand(steep: float, stand: bool) -> None:
    """By half of their length or more, 30 degrees, as those of one who sits with the legs stretched and the toes up: how they are rolled
    shows nothing then."""
    motion = standing(ASIDE, {foot: [quat.multiply(pitch, rolled(50, foot)) for pitch in pitched(*[steep] * 6)] for foot in FEET})
    assert len(ups(ASIDE, motion)) == (4 if stand else 0)


@pytest.mark.parametrize(
    ("foot", "shin", "rest"),
    [
        (11, 11, False),
        (25, 25, False),
        (15, 5.5, False),
        (15, 4.5, True),
        (12, 25, False),
        (15, -20, True),
        (40, 29, True),
        (9, -20, False),
    ],
)
def test_feet_that_go_along_with_their_shins_stand_astride(foot: float, shin: float, rest: bool) -> None:
    """As of a game's clip that opens the thighs and leaves the ankles as they are: only feet that are rolled by ten degrees beside the
    shins, and to the same side as they are rolled in all, are so at rest."""
    rotations = {side + part: [rolled(each, side)] * 6 for side in ("left", "right") for part, each in (("Foot", foot), ("LowerLeg", shin))}
    result = ups(ASIDE, standing(ASIDE, rotations))
    assert len(result) == (4 if rest else 0)
    for side, sign in (("left", -1), ("right", 1)) if rest else ():
        assert result[f"{side}Foot"] == pytest.approx(about(1, sign * foot) @ [0, 0, 1])


@pytest.mark.parametrize(("frames", "enough"), [(4, False), (5, True)])
def test_five_frames_show_rolled_feet(frames: int, enough: bool) -> None:
    assert len(ups(ASIDE, standing(ASIDE, {foot: [rolled(15, foot)] * frames for foot in FEET}, frames))) == (4 if enough else 0)


def test_soles_lean_that_lean_to_one_side() -> None:
    """As the middle of all frames of both feet: one that is opened by 20 degrees, and one that is not."""
    joints = opened(20, ["right"])
    result = ups(joints, standing(joints, {"rightFoot": [rolled(20, "right")] * 6}))
    assert result["leftToes"] == pytest.approx([0, 0, 1]) and result["rightToes"] == pytest.approx(about(1, 20) @ [0, 0, 1])
    both = ups(opened(20), standing(opened(20), {"leftFoot": [rolled(20)] * 6, "rightFoot": [rolled(16, "right")] * 6}))
    assert set(both) == {"leftFoot", "leftToes", "rightFoot", "rightToes"}


@pytest.mark.parametrize(("lean", "shows"), [(45, True), (46, False)])
def test_shins_that_hardly_go_down_show_nothing(lean: float, shows: bool) -> None:
    """By 0.7 of their length; what they go to the front does not count."""
    assert set(leaning(lean, lean)) == ({side + part for side in ("left", "right") for part in ("Foot", "Toes")} if shows else set())
    forwards = {name: joint - np.array([0, 3 * name.endswith(("Foot", "Toes")), 0]) for name, joint in opened(20).items()}
    result = ups(forwards, standing(forwards, {foot: [rolled(20, foot)] * 6 for foot in FEET}))
    assert result["leftFoot"] == pytest.approx(about(1, -20) @ [0, 0, 1])


def test_one_shin_is_enough() -> None:
    motion = standing(opened(20), {foot: [rolled(20, foot)] * 6 for foot in FEET})
    for lost in ("leftLowerLeg", "leftFoot"):
        assert set(ups(opened(20), motion, without=lost.__eq__)) == {"rightFoot", "rightToes"}
    assert ups(opened(20), motion, without=lambda name: name.endswith("LowerLeg")) == {}


def test_without_a_motion_or_of_legs_that_stand_alike_nothing_is_said() -> None:
    motion = standing(opened(20), {foot: [rolled(20, foot)] * 6 for foot in FEET})
    assert ups(opened(20), None) == {} and ups(opened(20), motion, opened(20)) == {} and len(ups(opened(20), motion)) == 4
    assert len(ups(opened(20), motion, rotated(about(0, 90)))) == 4, "of a target that lies, too"


@pytest.mark.filterwarnings("error")
def test_frames_in_which_one_lies_show_nothing() -> None:
    lies = rotated(about(0, 90), joints=opened(20))
    rolls = {foot: [rolled(20, foot)] * 6 for foot in FEET}
    assert ups(opened(20), standing(lies, rolls)) == {}


def test_only_what_is_down_shows_soles() -> None:
    """A fifth of the frames, in which feet are lowest."""
    frames = [
        {name: joint + np.array([0, 0, height * name.endswith("Foot")]) for name, joint in opened(20).items()} for height in range(10)
    ]
    rotations = np.tile(quat.IDENTITY, (10, len(NAMES), 1))
    for foot in FEET:
        rotations[:2, NAMES.index(foot)] = rolled(20, foot)
    assert len(ups(opened(20), moving(frames, rotations))) == 4
    assert ups(opened(20), moving(frames[::-1], rotations)) == {}


def pitched(*degrees: float) -> list[Floats]:
    return [quat.about(np.array([1.0, 0, 0]), np.radians(np.array(each))) for each in degrees]


def level(degrees: float) -> Floats:
    return np.array([0.0, -np.sin(np.radians(degrees)), np.cos(np.radians(degrees))])


ASIDE = opened(4)
"""Not as the target's legs, and too little for soles that lean."""


@pytest.mark.parametrize("role", ["leftToes", "rightToes"])
@pytest.mark.parametrize(("degrees", "bent"), [(19.5, False), (20.5, True), (-19.5, False), (-20.5, True), (90, True)])
def test_toes_are_bent_at_rest_that_are_rotated_where_they_stand(role: str, degrees: float, bent: bool) -> None:
    """By 20 degrees or more."""
    result = ups(ASIDE, standing(ASIDE, {role: pitched(*[degrees] * 6)}))
    assert set(result) == ({role} if bent else set())
    if bent:
        assert result[role] == pytest.approx(level(-degrees))
    assert ups(ASIDE, standing(ASIDE, {role: pitched(*[degrees] * 6)}), without=role.__eq__) == {}


@pytest.mark.parametrize(("apart", "agree"), [(18, True), (18.5, False)])
def test_frames_agree_on_bent_toes(apart: float, agree: bool) -> None:
    """By 0.95, the cosine of 18.2 degrees."""
    result = ups(ASIDE, standing(ASIDE, {"leftToes": pitched(*[40 - apart, 40 + apart] * 3)}))
    assert set(result) == ({"leftToes"} if agree else set())
    if agree:
        assert result["leftToes"] == pytest.approx(level(-40))


@pytest.mark.parametrize(("frames", "enough"), [(4, False), (5, True)])
def test_five_frames_show_bent_toes(frames: int, enough: bool) -> None:
    assert set(ups(ASIDE, standing(ASIDE, {"leftToes": pitched(*[40] * frames)}, frames))) == ({"leftToes"} if enough else set())
    mixed = {"leftToes": pitched(*[40] * 6), "rightToes": pitched(*[0] * 6)}
    assert set(ups(ASIDE, standing(ASIDE, mixed))) == {"leftToes"}


def test_feet_that_end_a_leg_may_be_bent_and_toes_that_lean_too() -> None:
    without = ups(ASIDE, standing(ASIDE, {"rightFoot": pitched(*[40] * 6)}), without=lambda name: name.endswith("Toes"))
    assert set(without) == {"rightFoot"} and without["rightFoot"] == pytest.approx(level(-40))
    assert ups(ASIDE, standing(ASIDE, {"rightFoot": pitched(*[40] * 6)})) == {}, "whose toes show where it points"
    assert ups(ASIDE, standing(ASIDE, {"leftToes": pitched(*[40] * 6)}), rotated(about(0, 90))) == {}, "nor of a target that lies"
    rolls = {**{foot: [rolled(20, foot)] * 6 for foot in FEET}, "leftToes": [rolled(39)] * 6, "rightToes": [rolled(41, "right")] * 6}
    both = ups(opened(20), standing(opened(20), rolls))
    assert both["leftToes"] == pytest.approx(about(1, -20) @ [0, 0, 1]), "19 degrees beside its shin"
    assert both["rightToes"] == pytest.approx(about(1, 41) @ [0, 0, 1])
