"""Which way persons face whose hips and shoulders stand at given angles, in degrees about Z from where one looks along -Y."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.transfer.alignment.facing import Facing, facing, looks
from retro_anim.core.retarget.transfer.binding import Binding

from .persons import PERSON, Joints, about, bound, figure, moving, rotated, yawed

UPPER = ("chest", "head", "leftUpperArm", "leftLowerArm", "leftHand", "rightUpperArm", "rightLowerArm", "rightHand")
PLAIN = figure()


def posed(hips: float, shoulders: float) -> Joints:
    """A person who stands, twisted in the waist."""
    return rotated(about(2, shoulders - hips), UPPER.__contains__, yawed(hips)) if shoulders != hips else yawed(hips)


def lying(joints: Joints, axis: int = 0, degrees: float = 90) -> Joints:
    """On the back, the head towards -Y, or elsewhere."""
    return rotated(about(axis, degrees), joints=joints)


def world(degrees: float) -> Floats:
    """The matrix of an object that is turned about Z."""
    result = np.eye(4)
    result[:3, :3] = about(2, degrees)
    return result


def source_of(source: Figure, motion: Motion | None = None) -> tuple[float, tuple[str, ...], bool]:
    """How a source faces, beside a target that looks along -Y: degrees, of which sides that is assumed, whether it is doubtful."""
    result = facing(bound(source, PLAIN), motion=motion)
    assert result.target == 0
    return float(np.degrees(result.source)), result.assumed, result.is_doubtful


def known(degrees: float) -> tuple[object, ...]:
    return pytest.approx(degrees, abs=1e-9), (), False


def supposed(degrees: float) -> tuple[object, ...]:
    return pytest.approx(degrees, abs=1e-9), ("source",), True


def test_what_follows_from_two_angles() -> None:
    """A source's world is turned until it looks as the target does, by 5 degrees at least, the shorter way round."""
    first = Facing(np.radians(30), np.radians(90))
    assert first.yaw == pytest.approx(np.radians(60))
    assert first.ahead == pytest.approx([0.5, -np.sqrt(0.75), 0]) and first.lateral == pytest.approx([0, 1, 0])
    assert first.frame @ first.ahead == pytest.approx([1, 0, 0])
    assert Facing(np.radians(-170), np.radians(170)).yaw == pytest.approx(np.radians(-20))
    for degrees, yaw in ((4.9, 0.0), (-4.9, 0.0), (5.1, 5.1), (-5.1, -5.1)):
        assert np.degrees(Facing(0.0, np.radians(degrees)).yaw) == pytest.approx(yaw)
    assert np.array_equal(Facing(0.0, 0.01).frame, np.eye(3))


@pytest.mark.parametrize(
    ("degrees", "label"),
    [
        (0, "-Y"),
        (90, "X"),
        (180, "Y"),
        (-90, "-X"),
        (-180, "Y"),
        (360.4, "-Y"),
        (37.4, "37° about Z from -Y"),
        (-1, "359° about Z from -Y"),
    ],
)
def test_where_one_looks_in_words(degrees: float, label: str) -> None:
    assert looks(np.radians(degrees)) == label


@pytest.mark.parametrize(
    ("left", "degrees"),
    [((0, 1, 0), 90), ((1, 1, 0), 45), ((0.6, 0, 0.8), 0), ((-0.6, 0, 0.8), 180), ((0, -0.51, 0.86), -90)],
)
def test_what_a_game_declares_counts_before_all_joints(left: tuple[float, float, float], degrees: float) -> None:
    """As its object stands."""
    assert source_of(figure(yawed(180), left=np.array(left))) == known(degrees)
    assert source_of(figure(yawed(180), world(-30), np.array(left))) == known(degrees - 30)


def test_what_a_game_declares_upright_is_no_direction() -> None:
    assert source_of(figure(yawed(90), left=np.array([0.2, -0.44, 0.87]))) == known(90)
    assert source_of(figure(yawed(90), left=np.array([0.0, 0, 1]))) == known(90)


def test_one_who_is_folded_together_shows_nothing() -> None:
    folded = rotated(about(0, 180), lambda name: name.endswith(("Leg", "Foot", "Toes")), yawed(90))
    assert source_of(figure(folded)) == known(0)
    other = facing(bound(figure(folded), figure(left=np.array([0.0, 1, 0]))))
    assert (other.source, other.assumed, other.is_doubtful) == (0, ("source",), False)


@pytest.mark.parametrize(
    ("hips", "shoulders", "degrees"),
    [
        (0, 0, 0),
        (2, 2, 0),
        (29, 29, 0),
        (61, 61, 90),
        (-61, -61, -90),
        (151, 151, 180),
        (20, 44, 0),
        (35, 10, 0),
        (-35, -10, 0),
        (88, 30, 90),
    ],
)
def test_hips_and_shoulders_that_say_the_same_show_a_quarter(hips: float, shoulders: float, degrees: float) -> None:
    """Where hips or the mean of both are less than 30 degrees from it; hips within 2.5 degrees need no shoulders."""
    assert source_of(figure(posed(hips, shoulders))) == known(degrees)


@pytest.mark.parametrize(
    ("hips", "shoulders", "degrees"),
    [
        (31, 31, 0),
        (44, 44, 0),
        (50, 50, 0),
        (59, 59, 0),
        (-59, -59, 0),
        (20, 70, 0),
        (87, 30, 90),
        (40, 22, 0),
        (-140, -140, 180),
        (130, 130, 90),
    ],
)
def test_others_look_along_y_or_where_they_nearly_look(hips: float, shoulders: float, degrees: float) -> None:
    """Along -Y, as importers have it, if their hips are less than 60 degrees from that; else by the nearest quarter."""
    angle, *rest = source_of(figure(posed(hips, shoulders)))
    assert abs(angle) == pytest.approx(abs(degrees)) and rest == [("source",), True]


def test_quarters_are_those_of_the_object() -> None:
    """Turned by 20 degrees; but where hips and shoulders are exactly at a quarter of the world, that is it."""
    assert source_of(figure(yawed(0), world(20))) == known(20)
    assert source_of(figure(yawed(115), world(20))) == known(110)
    assert source_of(figure(posed(121, 95))) == known(90), "hips that are 31 degrees off it, and with the shoulders 18"
    assert source_of(figure(yawed(70), world(20))) == known(90)
    assert source_of(figure(yawed(72), world(20))) == known(90)
    assert source_of(figure(posed(70, 73), world(20))) == known(110), "of which shoulders are 3 degrees off"
    assert source_of(figure(yawed(50), world(20))) == supposed(20)
    assert source_of(figure(yawed(50), world(180))) == supposed(180)
    assert source_of(figure(yawed(62), world(70))) == (pytest.approx(160), (), False)
    assert source_of(figure(yawed(130), world(20))) == supposed(110)
    upside_down = np.eye(4)
    upside_down[:3, :3] = about(1, 90)  # whose X axis points down, which says nothing of how it is turned
    assert source_of(figure({name: about(1, -90) @ joint for name, joint in yawed(20).items()}, upside_down)) == known(0)


@pytest.mark.parametrize(("tilt", "degrees"), [(72, 90), (73, 0)])
def test_hips_that_are_tilted_too_much_say_nothing(tilt: float, degrees: float) -> None:
    """Of what they have across and to the front 0.6 has to be level, of 2: twice the cosine. The shoulders are not turned."""
    legs = rotated(about(2, 90) @ about(1, -tilt), lambda name: name not in UPPER)
    assert source_of(figure(legs))[0] == pytest.approx(degrees)


@pytest.mark.parametrize(("axis", "degrees", "faces"), [(0, 90, 0), (0, -90, 0), (1, 90, 0), (1, -90, 0)])
def test_who_lies_faces_where_hips_say_it_exactly(axis: int, degrees: float, faces: float) -> None:
    """On the back, the front, or a side; by 2.5 degrees. Else nothing is certain, also if it is within 30."""
    assert source_of(figure(lying(PERSON, axis, degrees))) == known(faces)
    for quarter in (0, 90, 180):
        plain = yawed(quarter, lying(PERSON, axis, degrees))
        assert abs(source_of(figure(yawed(2.4, plain)))[0]) == pytest.approx(quarter)
        assert source_of(figure(yawed(2.4, plain)))[1:] == ((), False)
        assert source_of(figure(yawed(2.6, plain)))[1:] == (("source",), True)


def test_nothing_shows_without_hips_and_shoulders() -> None:
    """Both are taken to look along -Y; if the other figure looks elsewhere, that is said."""
    spared = ("leftUpperArm", "rightUpperArm", "leftUpperLeg", "rightUpperLeg")
    nothing = facing(bound(figure(yawed(90)), PLAIN, spared.__contains__))
    assert (nothing.source, nothing.target, nothing.assumed, nothing.is_doubtful) == (0, 0, (), False)
    declared = bound(figure(left=np.array([0.0, 1, 0])), PLAIN, spared.__contains__)
    result = facing(declared)
    assert (np.degrees(result.source), result.target, result.assumed, result.is_doubtful) == (90, 0, ("target",), False)
    other = facing(bound(PLAIN, figure(left=np.array([0.0, 1, 0])), spared.__contains__))
    assert (other.source, np.degrees(other.target), other.assumed, other.is_doubtful) == (0, 90, ("source",), False)
    same = facing(bound(PLAIN, figure(left=np.array([1.0, 0.05, 0])), spared.__contains__))
    assert same.assumed == (), "it looks there, too"
    aside = facing(bound(figure(world=world(90)), figure(left=np.array([1.0, 0, 0])), spared.__contains__))
    assert np.degrees(aside.source) == pytest.approx(90), "as its object stands"
    over = facing(bound(figure(left=np.array([1.0, 0, 0])), figure(world=world(90)), spared.__contains__))
    assert np.degrees(over.target) == pytest.approx(90)


def test_one_line_is_enough() -> None:
    for spared in ("UpperArm", "UpperLeg"):
        binding = bound(figure(yawed(90)), PLAIN, lambda name, spared=spared: name.endswith(spared))
        assert np.degrees(facing(binding).source) == pytest.approx(90)


def test_by_the_world_nobody_is_turned() -> None:
    """The target stands as the source does: it looks elsewhere than at rest."""
    for source, target, away in ((90, 0, 90), (0, 90, -90), (180, -90, -90)):
        result = facing(bound(figure(yawed(source)), figure(yawed(target))), "WORLD")
        assert np.degrees([result.source, result.target, result.aligned, result.away]) == pytest.approx([source, target, source, away])
        assert result.yaw == 0 and np.array_equal(result.frame, np.eye(3)) and result.assumed == ()
        assert result.lateral == pytest.approx(about(2, source) @ [1, 0, 0])
        assert result.lateral_at_rest == pytest.approx(about(2, target) @ [1, 0, 0])
    plain = facing(bound(figure(yawed(90)), PLAIN))
    assert (plain.aligned, plain.away) == (0, 0) and plain.lateral == pytest.approx([1, 0, 0])
    for source, target in ((90, 50), (50, 90)):
        unknown = facing(bound(figure(yawed(source)), figure(yawed(target))), "WORLD")
        assert np.degrees([unknown.source, unknown.target]) == pytest.approx([90, 90]), "as the one of whom it is known"
    neither = facing(bound(figure(yawed(50)), figure(yawed(50))), "WORLD")
    assert (neither.source, neither.target) == (0, 0)


def test_doubts_of_a_target() -> None:
    result = facing(bound(PLAIN, figure(yawed(50))))
    assert (result.source, result.target, result.assumed, result.is_doubtful) == (0, 0, ("target",), True)
    both = facing(bound(figure(yawed(50)), figure(yawed(-140))))
    assert (both.source, abs(both.target), both.assumed) == (0, pytest.approx(np.pi), ("source", "target"))


UNKNOWN = lying(yawed(43))


def moved(angles: Sequence[float], down: int = 0, source: Joints = UNKNOWN) -> Facing:
    """A source that lies at rest, and stands at angles in its motion. down: so many frames more in which it lies."""
    frames = [*map(yawed, angles), *[lying(yawed(-90))] * down]
    return facing(bound(figure(source), PLAIN), motion=moving(frames))


@pytest.mark.parametrize(
    ("angles", "degrees"),
    [
        ((80, 100), 90),
        ((61, 61), 90),
        ((59, 59), None),
        ((-119, -119), -90),
        ((90 - 25, 90 + 25), 90),
        ((90 - 27, 90 + 27), None),
        ((0, 0, 0, 40), 0),
        ((0, 90, 180, 270), None),
    ],
)
def test_the_mean_of_a_motion_shows_a_quarter(angles: Sequence[float], degrees: float | None) -> None:
    """Within 30 degrees, and where the frames agree by 0.9: the cosine of 25 degrees is 0.906, of 27 it is 0.891."""
    result = moved(angles)
    assert result.by_motion and result.assumed == (("source",) if degrees is None else ())
    assert np.degrees(result.source) == pytest.approx(degrees or 0)


def test_a_motion_shows_what_a_rest_pose_that_stands_does_not() -> None:
    assert np.degrees(moved((88, 92), source=yawed(40)).source) == pytest.approx(90)
    resting = moved((90, 90), source=PERSON)
    assert resting.source == 0 and not resting.by_motion, "one that shows it is asked first"
    lies = moved((90, 90), source=lying(PERSON))
    assert np.degrees(lies.source) == pytest.approx(90) and lies.by_motion, "but not one who lies"
    assert moved((0, 90, 180, 270), source=lying(yawed(180))).source == pytest.approx(np.pi), "who is asked then"


@pytest.mark.parametrize(("down", "degrees"), [(4, 90), (5, 0)])
def test_half_of_the_frames_are_upright_or_more(down: int, degrees: float) -> None:
    assert np.degrees(moved([90] * 4, down).source) == pytest.approx(degrees)


def test_quarters_of_a_motion_are_those_of_the_object() -> None:
    matrix = world(30)
    source = figure(rotated(about(0, 90), joints=yawed(13)), matrix)
    result = facing(bound(source, PLAIN), motion=moving([yawed(115)] * 2))
    assert np.degrees(result.source) == pytest.approx(120)


def test_a_motion_without_hips_or_with_upright_ones_shows_nothing() -> None:
    binding = bound(figure(UNKNOWN), PLAIN, lambda name: name == "leftUpperLeg")
    assert facing(binding, motion=moving([yawed(90)] * 2)).source == 0
    upright = {**yawed(90), "leftUpperLeg": PERSON["hips"], "rightUpperLeg": PERSON["hips"]}
    assert facing(bound(figure(UNKNOWN), PLAIN), motion=moving([yawed(90)] * 3 + [upright])).source == 0


@pytest.mark.parametrize(
    ("hips", "shoulders", "degrees"),
    [(68, 90, 90), (50, 100, 90), (50, 71, 90), (50, 69, 0), (65, 69, 90), (40, 80, 0), (71, 30, 90), (-68, -90, -90)],
)
def test_hips_and_shoulders_of_a_motion_show_a_quarter_together(hips: float, shoulders: float, degrees: float) -> None:
    """Who aims twists the one against the other: their mean counts, within 30 degrees, where both are nearest to the same quarter."""
    result = facing(bound(figure(UNKNOWN), PLAIN), motion=moving([posed(hips, shoulders)] * 2))
    assert np.degrees(result.source) == pytest.approx(degrees)
    assert result.assumed == (() if degrees else ("source",))


def test_a_target_is_asked_for_motions_of_its_own() -> None:
    """First for that of its present clip."""
    binding = bound(PLAIN, figure(UNKNOWN))
    unclear, right, behind = (moving([yawed(degrees)] * 2) for degrees in (40, 90, 180))
    own = facing(binding, own=lambda: [right, behind])
    assert np.degrees(own.target) == pytest.approx(90) and not own.by_motion
    assert np.degrees(facing(binding, own=lambda: [unclear, right, unclear, right]).target) == pytest.approx(90)
    assert facing(binding, own=list).target == 0


@pytest.mark.parametrize(
    ("first", "others", "degrees"),
    [(40, (90, 40, 90), 90), (90, (180,), 90), (40, (90, 180), 0), (40, (40,), 0), (None, (40, 90), 90), (None, (), 0)],
)
def test_a_clip_that_does_not_show_where_its_figure_faces_goes_by_the_figure_s_others(
    first: float | None, others: tuple[float, ...], degrees: float
) -> None:
    """If all that show it say the same: else one who faces elsewhere in one clip would face so in all."""
    clips = [moving([yawed(angle)] * 2) for angle in others]
    motion = None if first is None else moving([yawed(first)] * 2)
    result = facing(bound(figure(UNKNOWN), PLAIN), motion=motion, others=lambda: clips)
    assert np.degrees(result.source) == pytest.approx(degrees) and result.by_motion
    assert result.assumed == (() if degrees else ("source",))


def test_clips_of_others_are_not_asked_for_where_the_rest_pose_is_enough() -> None:
    def never() -> list[Motion]:
        raise AssertionError

    assert facing(bound(PLAIN, PLAIN), motion=moving([yawed(90)] * 2), own=never, others=never).yaw == 0


def test_one_figure_in_one_stance_keeps_its_clip_as_it_is() -> None:
    """Whose own clip shows where it faces: the other one, which has none, faces there, too."""
    figures = figure(UNKNOWN), figure(UNKNOWN)
    result = facing(bound(*figures), motion=moving([yawed(90)] * 2))
    assert np.degrees([result.source, result.target]) == pytest.approx([90, 90])
    assert (result.yaw, result.assumed, result.is_doubtful) == (0, (), False)
    back = facing(bound(*figures), own=lambda: [moving([yawed(90)] * 2)])
    assert (np.degrees(back.source), back.yaw, back.assumed) == (pytest.approx(90), 0, ())
    aside = facing(bound(figure(yawed(46)), figures[1]), motion=moving([yawed(90)] * 2))
    assert aside.target == 0 and aside.assumed == ("target",), "6 degrees aside it may be another"


def walked(steps: Sequence[tuple[float, float, float]]) -> Motion:
    """Steps one after another: a direction in degrees about Z from -Y, metres, and where one looks."""
    at, frames = np.zeros(3), [yawed(steps[0][2])]
    for direction, metres, look in steps:
        at = at + metres * about(2, direction) @ [0.0, -1.0, 0.0]
        frames.append({name: joint + at for name, joint in yawed(look).items()})
    return moving(frames)


def is_doubted(motion: Motion) -> bool:
    binding: Binding = bound(figure(UNKNOWN), PLAIN)
    result = facing(binding, motion=motion)
    assert result.source == 0
    return result.assumed == ("source",)


SQUARE = [(direction, 1.0, direction) for direction in (0.0, 90.0, 180.0, 270.0)]


def test_where_one_faces_who_goes_about_does_not_matter() -> None:
    """In a square of a metre; not who goes sideways, nor who goes too little: twice the trunk of 0.6 metres; nor who stands."""
    assert not is_doubted(walked(SQUARE))
    assert is_doubted(walked([(direction + 90, metres, look) for direction, metres, look in SQUARE]))
    assert is_doubted(walked([(direction + 180, metres, look) for direction, metres, look in SQUARE]))
    assert not is_doubted(walked([(direction, 0.31, look) for direction, _, look in SQUARE]))
    assert is_doubted(walked([(direction, 0.29, look) for direction, _, look in SQUARE]))
    assert is_doubted(moving([UNKNOWN]))


def test_one_goes_along_the_face_of_the_hips_whatever_shoulders_do() -> None:
    """In a square, looking aside."""
    at, frames = np.zeros(3), [posed(0, 90)]
    for direction, metres, look in SQUARE:
        at = at + metres * about(2, direction) @ [0.0, -1.0, 0.0]
        frames.append({name: joint + at for name, joint in posed(look, look + 90).items()})
    assert not is_doubted(moving(frames))


@pytest.mark.parametrize(("off", "doubted"), [(25, False), (27, True)])
def test_one_goes_ahead_whose_path_is_along_the_face(off: float, doubted: bool) -> None:
    """By nine tenths: the cosine of 25 degrees, but not of 27."""
    assert is_doubted(walked([(direction + off, metres, look) for direction, metres, look in SQUARE])) == doubted


@pytest.mark.parametrize(("spread", "doubted"), [(25, True), (27, False)])
def test_one_goes_about_whose_steps_and_faces_go_apart(spread: float, doubted: bool) -> None:
    """Less than nine tenths of the way are left between both ends; 44 degrees beside a quarter, so that no mean shows one."""
    steps = [(44 + sign * spread, 2.0, 44 + sign * spread) for sign in (1, -1, -1, 1)]
    assert is_doubted(walked(steps)) == doubted
