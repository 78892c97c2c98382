"""Which limbs stand and how high above the ground, of a body whose toes are 0.02 and ankles 0.09 above it at rest, on legs of one metre."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.ground import contacts, feet, root
from retro_anim.core.retarget.transfer.binding import Binding, bind

from .. import rigs

BODY = rigs.humanoid()
AT = BODY.index
BOUND = bind(rigs.SAME, BODY, BODY, BODY.heads)
LEGS = root.Legs(1.0, 1.0, 0.02, True)
FEET, HANDS = ["leftFoot", "rightFoot"], ["leftHand", "rightHand"]
FAST = 0.1
"""Metres a frame, at 30 frames a second."""


def moved(count: int, counts: tuple[int, ...] = (), **offsets: Floats | tuple[float, ...] | list[list[float]]) -> Motion:
    """At rest, but for some bones, or all: (F, 3) or (3,) metres by which they are elsewhere."""
    rest, positions = rest_motion(BODY), np.tile(BODY.heads, (count, 1, 1))
    for name, offset in offsets.items():
        some = slice(None) if name == "all" else [bone for bone, each in enumerate(rigs.NAMES) if each == name]
        positions[:, some] += np.broadcast_to(np.array(offset, float), (count, 3))[:, None]
    return Motion(np.arange(float(count)), np.tile(BODY.quaternions, (count, 1, 1)), positions, None, rest.standing, counts)


def without(*names: str) -> Binding:
    return bind(BoneMap(tuple(pair for pair in rigs.SAME.pairs if pair.source not in names)), BODY, BODY, BODY.heads)


def limbs(motion: Motion, binding: Binding = BOUND, hands: bool = False, fps: float = 30.0, leg: float = 1.0) -> list[feet.Limb]:
    return feet.limbs(binding, motion, fps, replace(LEGS, source=leg), hands)


def standing(*touching: str, binding: Binding = BOUND) -> list[feet.Limb]:
    """The feet, each of which stands where it has an x."""
    every = {item.name: item for item in limbs(moved(len(touching[0])), binding)}
    marks = zip(FEET, touching, strict=False)
    return [replace(every[name], touching=np.array([mark == "x" for mark in text])) for name, text in marks if name in every]


def test_limbs_are_the_legs_and_on_request_the_arms_that_both_have() -> None:
    """By thigh, shin, foot and what touches the ground: the toes if there are some, and of an arm the hand."""
    every = limbs(moved(5), hands=True)
    assert [item.name for item in every] == FEET + HANDS
    assert [item.name for item in limbs(moved(5))] == FEET
    roles = [[BOUND.followers[row].role for row in item.rows] for item in every]
    assert roles[1] == ["rightUpperLeg", "rightLowerLeg", "rightFoot", "rightToes"]
    assert roles[2] == ["leftUpperArm", "leftLowerArm", "leftHand", "leftHand"]
    barefoot = without("leftToes", "rightLowerLeg")
    (only,) = limbs(moved(5), barefoot)
    assert [barefoot.followers[row].role for row in only.rows] == ["leftUpperLeg", "leftLowerLeg", "leftFoot", "leftFoot"]
    for missing in ("leftUpperLeg", "leftLowerLeg", "leftFoot"):
        assert [item.name for item in limbs(moved(5), without(missing))] == ["rightFoot"]


@pytest.mark.parametrize(("fps", "touches"), [(10.0, True), (30.0, False)])
def test_a_foot_that_goes_on_slowly_stands(fps: float, touches: bool) -> None:
    """By 0.02 metres a frame: 0.2 a second, less than 0.35, or 0.6."""
    slow = moved(8, leftToes=np.arange(8.0)[:, None] * [0.02, 0, 0])
    first, second = limbs(slow, fps=fps)
    assert first.touching.tolist() == [touches] * 8 and second.touching.all()


def test_toes_stand_where_there_are_some_and_else_ankles() -> None:
    lifted = moved(8, leftToes=[[0, 0, 0.0]] * 4 + [[0, 0, 0.5]] * 4)
    assert limbs(lifted)[0].touching.tolist() == [True] * 4 + [False] * 4
    assert limbs(lifted, without("leftToes", "rightToes"))[0].touching.all()


@pytest.mark.parametrize(("height", "touches"), [(0.09, True), (0.11, False)])
@pytest.mark.parametrize("raised", ["leftToes", "rightToes"])
def test_hands_touch_the_ground_that_feet_are_on(height: float, touches: bool, raised: str) -> None:
    """Of both the lower one, whose toes are at 0.02, in each clip: up to 0.08 above it. Elsewhere they are still, and touch nothing."""
    down = height - BODY.heads[AT["leftHand"], 2]
    low = [[0, 0, down]] * 5 + [[0, 0, down + 1.0]] * 5
    high = [[0, 0, 0.0]] * 5 + [[0, 0, 1.0]] * 5
    motion = moved(10, (5, 5), leftHand=low, leftToes=high, rightToes=high, leftFoot=(0, 0, 2), rightFoot=(0, 0, 2))
    motion.positions[:, AT[raised], 2] += 2.0
    assert limbs(motion, hands=True)[2].touching.tolist() == [touches] * 10
    assert not limbs(moved(6), hands=True)[2].touching.any()


def test_contacts_that_are_given_count_instead_of_those_detected() -> None:
    """Of the clips and limbs for which there are some."""
    marks = np.array([True, False, False, True])
    given: list[feet.Contacts] = [{"leftFoot": marks, "leftHand": marks}]
    first, second = feet.limbs(BOUND, moved(8, (4, 4)), 30.0, LEGS, False, given)
    assert first.touching.tolist() == [*marks.tolist(), True, True, True, True] and second.touching.all()


def test_who_stands_is_over_the_ground_at_its_feet_s_height() -> None:
    """In the middle of its frames; where nobody stands nothing shows it but the lowest foot, which is no help if far away."""
    flying = np.arange(12.0)[:, None] * [FAST, 0, 0]
    for height, lowest in ((0.05, 0.05), (-0.05, -0.05), (0.09, np.nan), (-0.09, np.nan)):
        stands = feet.footing(BOUND, moved(12, all=(0, 0, height)), 30.0, LEGS, False)
        assert (stands.is_grounded.tolist(), stands.above) == ([True], [pytest.approx(height)]) and np.isnan(stands.lowest).all()
        flies = feet.footing(BOUND, moved(12, all=flying + np.array([0, 0, height])), 30.0, LEGS, False)
        assert (flies.is_grounded.tolist(), flies.above) == ([False], [None])
        assert flies.lowest == pytest.approx([lowest], nan_ok=True)


def test_a_source_s_feet_are_as_high_as_above_its_own_reference_pose() -> None:
    """Which is 0.01 higher than the target's."""
    higher, flying = bind(rigs.SAME, BODY, BODY, BODY.heads + 0.01 * UP), np.arange(12.0)[:, None] * [FAST, 0, 0]
    assert feet.footing(higher, moved(12), 30.0, LEGS, False).above == [pytest.approx(-0.01)]
    assert feet.footing(higher, moved(12, all=flying), 30.0, LEGS, False).lowest == pytest.approx([-0.01])
    long = replace(LEGS, source=2.0)
    for height, lowest in ((0.15, 0.15), (0.17, np.nan)):
        far = feet.footing(BOUND, moved(12, all=2 * flying + height * UP), 30.0, long, False)
        assert far.lowest == pytest.approx([lowest], nan_ok=True)
    nobody = feet.footing(without("leftFoot", "rightFoot"), moved(12), 30.0, LEGS, False)
    assert nobody.above == [None] and np.isnan(nobody.lowest).all(), "without feet there is none"


def test_each_clip_has_its_own_footing() -> None:
    path = np.concatenate([np.zeros((6, 3)), np.arange(6.0)[:, None] * [FAST, 0, 0] + [0, 0, 0.03]])
    both = feet.footing(BOUND, moved(12, (6, 6), all=path), 30.0, LEGS, False)
    assert both.is_grounded.tolist() == [True, False] and both.above == [pytest.approx(0), None]
    assert both.lowest == pytest.approx([np.nan, 0.03], nan_ok=True)


@pytest.mark.parametrize(("stays", "stands", "above"), [(5, 4, [0.0]), (4, 3, [None])])
def test_a_foot_shows_the_ground_that_stands_in_a_fifth_of_the_clip(stays: int, stands: int, above: list[float | None]) -> None:
    """Of 20 frames in 4, of which it goes off in the next; contacts that a person gives show it all the same, if there are any."""
    motion = moved(20, all=np.maximum(np.arange(20.0) - stays + 1, 0)[:, None] * [FAST, 0, 0])
    assert limbs(motion)[0].touching.tolist() == [True] * stands + [False] * (20 - stands)
    for given in ([], [{}]):
        alone = feet.footing(BOUND, motion, 30.0, LEGS, False, given)
        assert alone.is_grounded.all() and alone.above == pytest.approx(above)
    asked = feet.footing(BOUND, motion, 30.0, LEGS, False, [{name: np.arange(20) < 2 for name in FEET}])
    assert asked.is_grounded.all() and asked.above == [pytest.approx(0)]
    nowhere = feet.footing(BOUND, motion, 30.0, LEGS, False, [{name: np.zeros(20, bool) for name in FEET}])
    assert nowhere.is_grounded.all() and nowhere.above == [None]


@pytest.mark.parametrize(
    ("path", "leg", "elsewhere"),
    [
        ([0.3] * 20, 1.0, 0.3),
        ([-0.3] * 20, 1.0, -0.3),
        ([0.3] * 20, 2.0, 0.15),  # in leg lengths
        ([0.15] * 20, 2.0, 0.0),  # less than 0.08 of the leg
        ([0.0] * 5 + [0.5] * 15, 1.0, 0.0),  # who climbs begins below
        ([0.0] * 5 + [-0.5] * 15, 1.0, 0.0),  # who falls above
        ([0.2] * 5 + [0.5] * 15, 1.0, 0.2),
        ([-0.2] * 5 + [-0.5] * 15, 1.0, -0.2),
        ([0.05] * 5 + [0.5] * 15, 1.0, 0.0),  # hardly above it
        ([-0.3] * 99 + [0.0], 1.0, -0.3),  # but for a frame of a hundred
        ([0.3] * 99 + [0.0], 1.0, 0.3),
    ],
)
def test_a_source_that_stands_above_the_ground_of_its_object_all_the_time(path: list[float], leg: float, elsewhere: float) -> None:
    motion = moved(len(path), all=np.array(path)[:, None] * [0, 0, 1.0])
    given = [{name: np.ones(len(path), bool) for name in FEET}]
    legs = replace(LEGS, source=leg, at_origin=True)
    assert feet.footing(BOUND, motion, 30.0, legs, False, given).elsewhere == pytest.approx([elsewhere])
    away = feet.footing(BOUND, motion, 30.0, replace(legs, at_origin=False), False, given)
    assert away.elsewhere.tolist() == [0.0], "of an object that is not on the ground nothing is known"
    higher = bind(rigs.SAME, BODY, BODY, BODY.heads + 0.005 * UP)
    assert feet.footing(higher, motion, 30.0, legs, False, given).elsewhere == pytest.approx([elsewhere and elsewhere - 0.005 / leg])


def test_a_clip_that_does_not_show_the_ground_is_nowhere_else() -> None:
    """It flies as high as the other stands."""
    path = np.concatenate([np.arange(6.0)[:, None] * [FAST, 0, 0], np.zeros((6, 3))]) + 0.3 * UP
    both = feet.footing(BOUND, moved(12, (6, 6), all=path), 30.0, replace(LEGS, at_origin=True), False)
    assert both.elsewhere == pytest.approx([0.0, 0.3])


def level(hips: list[float], rise: list[float]) -> Motion:
    """One whose hips are so high above its toes, and whose head is half a metre away, in a direction that rises by this share of it."""
    motion = moved(len(hips))
    for frame, (height, share) in enumerate(zip(hips, rise, strict=True)):
        motion.positions[frame, AT["hips"]] = [0, 0, 0.02 + height]
        motion.positions[frame, AT["head"]] = [0, 0.5 * np.sqrt(1 - share**2), 0.02 + height + 0.5 * share]
    return motion


@pytest.mark.parametrize(
    ("hips", "rise", "frames", "keeps"),
    [
        (0.1, 0.0, 6, False),  # lies, and a foot is seldom still: in no more than 0.6 of the frames
        (0.1, 0.0, 7, True),
        (0.1, 0.49, 6, False),
        (0.1, 0.51, 6, True),  # a trunk that rises by half of its length is erect
        (0.39, 0.0, 6, False),
        (0.41, 0.0, 6, True),  # and whose feet are 0.4 of the leg below the hips does not lie
        (0.1, 0.0, 0, False),
        (0.9, 1.0, 0, False),  # who never stands keeps to no ground
        (0.9, 1.0, 1, True),
    ],
)
def test_who_lies_and_seldom_stands_is_not_over_the_ground(hips: float, rise: float, frames: int, keeps: bool) -> None:
    motion = level([hips] * 10, [rise] * 10)
    touching = standing("x" * frames + "-" * (10 - frames), "-" * 10)
    assert feet.keeps_ground(touching, motion, BOUND, 1.0).tolist() == [keeps]
    for missing in ("head", "hips"):
        nobody = without(missing)
        rows = standing("x" * frames + "-" * (10 - frames), "-" * 10, binding=nobody)
        assert feet.keeps_ground(rows, motion, nobody, 1.0).tolist() == [frames > 0], "of which nothing shows that it lies"


def test_who_lies_does_so_for_most_of_the_clip() -> None:
    """Of ten frames in six; and by its leg, of which the feet are a share below."""
    for erect, keeps in ((4, False), (5, True)):
        motion = level([0.1] * 10, [1.0] * erect + [0.0] * (10 - erect))
        assert feet.keeps_ground(standing("xxx-------", "-" * 10), motion, BOUND, 1.0).tolist() == [keeps]
    low = level([0.3] * 10, [0.0] * 10)
    assert [feet.keeps_ground(standing("xxx-------", "-" * 10), low, BOUND, leg).tolist() for leg in (0.7, 1.0)] == [[True], [False]]


def test_a_foot_counts_where_one_of_both_stands() -> None:
    """Each in four of ten frames, together in seven: more than seldom."""
    motion = level([0.1] * 10, [0.0] * 10)
    assert feet.keeps_ground(standing("xxxx------", "---xxxx---"), motion, BOUND, 1.0).tolist() == [True]
    assert feet.keeps_ground(standing("xxxx------", "xxxx------"), motion, BOUND, 1.0).tolist() == [False]
    assert feet.keeps_ground([], motion, BOUND, 1.0).tolist() == [False]
    clips = replace(motion, counts=(5, 5))
    assert feet.keeps_ground(standing("xx--------", "-" * 10), clips, BOUND, 1.0).tolist() == [False, False], (
        "one lies, and one never stands"
    )


def uneven() -> Binding:
    """A source whose right toes are 0.05 higher in its reference pose, and a target whose are 0.1."""
    heads, rest = np.array(BODY.heads), np.array(BODY.rest)
    heads[AT["rightToes"], 2] += 0.05
    rest[AT["rightToes"], 2, 3] += 0.1
    return bind(rigs.SAME, BODY, replace(BODY, rest=rest), heads)


UP = np.array([0.0, 0, 1])
RISES = np.array([0.1, 0.2, 0.4, 0.3, 0.7, 9.0])[:, None] * [0, 0, 1.0]


def test_heights_of_feet_that_stand() -> None:
    """The lowest that stands in each frame, in the middle of these, above the lower of them at rest: 0.1, 0.2, 0.4 and 0.7 less 0.02."""
    motion = moved(6, leftToes=RISES, rightToes=RISES + 5 * UP)
    feet_down = standing("xxx-x-", "xxx---")
    assert feet.heights(feet_down, BOUND, motion, LEGS, in_source=True) == [pytest.approx(0.3)]
    only = standing("------", "xxx---")
    assert feet.heights(only, BOUND, motion, LEGS, in_source=True) == [pytest.approx(5.2)]
    assert feet.heights(only, uneven(), motion, LEGS, in_source=True) == [pytest.approx(5.2 - 0.05)]
    assert feet.heights(only, uneven(), motion, LEGS, in_source=False) == [pytest.approx(5.2 - 0.1)]
    assert feet.heights(feet_down, uneven(), motion, LEGS, in_source=False) == [pytest.approx(0.3)]
    lies = replace(LEGS, stands=(True, False), target_floor=0.5)
    assert feet.heights(only, uneven(), motion, lies, in_source=False) == [pytest.approx(5.22 - 0.5)]
    assert feet.heights(only, uneven(), motion, lies, in_source=True) == [pytest.approx(5.2 - 0.05)]
    assert feet.heights(standing("------", "------"), BOUND, motion, LEGS, in_source=True) == [None]
    assert feet.heights(standing("---x--", "------"), BOUND, motion, LEGS, in_source=True) == [pytest.approx(0.3)], "also a single frame"
    hands = [replace(item, name=item.name.replace("Foot", "Hand")) for item in feet_down]
    assert feet.heights(hands, BOUND, motion, LEGS, in_source=True) == [None], "hands show no ground"


def test_heights_of_a_target_s_own_bones() -> None:
    """Which are in another order than the source's."""
    target = rigs.reordered(BODY)
    other, rest = bind(rigs.SAME, BODY, target, BODY.heads), rest_motion(target)
    raised = replace(rest, positions=rest.positions.copy())
    raised.positions[:, target.index["leftToes"], 2] += 0.25
    (first, _) = feet.limbs(other, moved(1), 30.0, LEGS, False)
    down = [replace(first, touching=np.ones(1, bool))]
    assert feet.heights(down, other, raised, LEGS, in_source=False) == [pytest.approx(0.25)]
    assert feet.lowest(down, other, raised, LEGS, in_source=False) == pytest.approx([0.25])


def test_heights_of_each_clip() -> None:
    motion = moved(6, (2, 2, 2), leftToes=RISES, rightToes=RISES + 5 * UP)
    assert feet.heights(standing("xx--xx", "------"), uneven(), motion, LEGS, in_source=True) == [
        pytest.approx(0.15),
        None,
        pytest.approx(4.85),
    ]
    assert feet.heights(standing("xx----", "----xx"), uneven(), motion, LEGS, in_source=True)[2] == pytest.approx(4.85 + 5 - 0.05)


def test_the_lowest_of_both_feet_above_the_lowest_at_rest() -> None:
    """But for a share of the frames, 0.02 if nothing else is said: between 0.1 and the next."""
    motion = moved(6, leftToes=RISES, rightToes=RISES + 5 * UP)
    down = standing("------", "------")
    assert feet.lowest(down, BOUND, motion, LEGS, in_source=True) == pytest.approx([0.1 + 0.1 * contacts.LOWEST * 5])
    assert feet.lowest(down, BOUND, motion, LEGS, in_source=True, share=0.5) == pytest.approx([0.35])
    assert feet.lowest(down[1:], uneven(), motion, LEGS, in_source=True, share=0.0) == pytest.approx([5.1 - 0.05])
    assert feet.lowest(down[1:], uneven(), motion, LEGS, in_source=False, share=0.0) == pytest.approx([5.1 - 0.1])
    lies = replace(LEGS, stands=(True, False), target_floor=0.5)
    assert feet.lowest(down[1:], uneven(), motion, lies, in_source=False, share=0.0) == pytest.approx([5.12 - 0.5])
    assert feet.lowest([], BOUND, moved(6, (3, 3)), LEGS, in_source=True).tolist() == [0, 0]


def off(away: list[float], *stretches: tuple[int, int]) -> list[float]:
    starts, stops = (np.array(each) for each in zip(*stretches, strict=True))
    result: NDArray[np.float64] = feet.standing_off(contacts.Runs(starts, stops), np.array(away))
    return result.tolist()


def test_how_far_a_foot_is_off_the_ground_for_as_long_as_a_contact_takes() -> None:
    """Three frames, or all of a shorter stretch; above it or in it, whichever is more."""
    assert off([0.1, 0.3, 0.2, 0.5, 0.4, 0.6, 0.0], (0, 7)) == [0.4]
    assert off([-0.1, -0.3, -0.2, -0.5, -0.4, -0.6, 0.0], (0, 7)) == [-0.4]
    assert off([0.3, 0.3, 0.3, -0.1, -0.4, -0.4, -0.4], (0, 7)) == [-0.4]
    assert off([0.4, 0.4, 0.4, 0.0, -0.3, -0.3, -0.3], (0, 7)) == [0.4]
    assert off([-0.4, -0.4, -0.4, 0.4, 0.4, 0.4], (0, 6)) == [0.4]
    assert off([9.0, 0.2, 0.3, 9.0, 0.5, 9.0], (1, 3), (4, 5)) == [0.2, 0.5]
    assert off([9.0, -0.2, -0.3, 9.0, -0.5, 9.0], (1, 3), (4, 5)) == [-0.2, -0.5]
    assert off([0.1] * 4 + [0.2] * 3 + [0.3] * 2, (0, 4), (4, 7), (7, 9)) == [0.1, 0.2, 0.3]


def test_a_foot_that_is_off_the_ground_every_other_frame_is_on_it() -> None:
    """No three frames long it is off."""
    assert off([0.0, 0.5, 0.0, 0.5, 0.0], (0, 5)) == [0.0]
    assert off([0.0, -0.5, 0.0, -0.5, 0.0], (0, 5)) == [0.0]
    assert off([0.2, 0.5, 0.1, 0.5, 0.2], (0, 5)) == [0.1]
    assert off([-0.2, 0.3, -0.2, 0.3, -0.2], (0, 5)) == [0.0]


def test_mirrored_limbs_stand_as_those_of_the_other_side() -> None:
    """One whose other side is not there as itself."""
    first, second = standing("xx--", "---x")
    swapped = feet.mirrored([first, second])
    assert [(item.name, item.rows, item.touching.tolist()) for item in swapped] == [
        ("leftFoot", first.rows, second.touching.tolist()),
        ("rightFoot", second.rows, first.touching.tolist()),
    ]
    assert feet.mirrored([first])[0].touching.tolist() == first.touching.tolist()


def test_which_limbs_are_held() -> None:
    """Feet in some clips, and hands on request."""
    every = [replace(item, touching=np.ones(4, bool)) for item in limbs(moved(4), hands=True)]
    spans = Spans((2, 2))
    held = feet.acting(every, np.array([False, True]), False, spans)
    assert [(item.name, item.touching.tolist()) for item in held] == [(name, [False, False, True, True]) for name in FEET]
    assert [item.name for item in feet.acting(every, np.array([False, False]), True, spans)] == HANDS
    assert [item.name for item in feet.acting(every, np.array([True, True]), True, spans)] == FEET + HANDS
    off_ground = [replace(item, touching=np.zeros(4, bool)) for item in every]
    assert not any(item.touching.any() for item in feet.acting(off_ground, np.array([True, True]), True, spans))


def test_a_limb_in_some_of_the_frames() -> None:
    stands, also_held = np.array([True, False, False, False]), np.array([False, False, True, False])
    limb = feet.Limb("leftFoot", (0, 1, 2, 3), stands, also_held)
    assert limb.held.tolist() == [True, False, True, False]
    part = limb.of(slice(1, 4))
    assert (part.touching.tolist(), part.held.tolist()) == ([False, False, False], [False, True, False])
    assert feet.Limb("leftFoot", (0, 1, 2, 3), stands).of(slice(0, 2)).held.tolist() == [True, False]


def test_a_foot_of_which_nothing_more_is_known_is_held_where_it_stands() -> None:
    stands = np.array([False, True, False])
    foot = feet.Limb("leftFoot", (0, 1, 2, 3), stands)
    assert feet.held([foot], []) == []
    (held,) = feet.held([foot], [foot])
    assert held.touching.tolist() == stands.tolist()


def lying(count: int, **offsets: Floats | list[list[float]]) -> Motion:
    """On its back, with level thighs: the head as high as the hips, and the feet, too."""
    rest = BODY.heads
    down = {name: np.array([0, -0.4, rest[AT["hips"], 2] - rest[AT[name], 2]]) for name in (*FEET, "leftToes", "rightToes", "head")}
    every = {name: np.broadcast_to(down[name], (count, 3)) for name in down}
    for name, offset in offsets.items():
        every[name] = every[name] + np.array(offset, float)
    return moved(count, (), **every)


@pytest.mark.parametrize(("step", "frames", "rests"), [(0.002, 12, True), (0.004, 12, False), (0.002, 9, False)])
def test_feet_of_one_who_lies_are_held_where_they_rest(step: float, frames: int, rests: bool) -> None:
    """At 30 frames a second: slower than 0.1 leg lengths a second, for 0.3 seconds at least; most of the time they are in the air."""
    clock = np.arange(4.0 * frames)
    own = np.stack([step * clock, 0 * clock, np.where(clock < frames, 0.0, 1.0)], axis=1)
    motion = lying(4 * frames, leftToes=own, rightToes=(FAST * clock)[:, None] * [1.0, 0, 0])
    footing = feet.footing(BOUND, motion, 30.0, LEGS, False)
    assert footing.is_grounded.tolist() == [False]
    left, right = footing.limbs
    assert left.touching.tolist() == [True] * frames + [False] * 3 * frames
    assert left.also_held is not None and left.also_held.tolist() == [rests] * frames + [False] * 3 * frames
    assert right.also_held is not None and not right.also_held.any()
    held = feet.held(footing.limbs, [])
    assert [(item.name, item.touching.tolist()) for item in held] == ([("leftFoot", left.also_held.tolist())] if rests else [])


def test_feet_are_held_while_one_who_falls_is_upright() -> None:
    """However fast they slide; one that goes on doing so while it lies, is not."""
    clock = np.arange(24.0)
    own = np.stack([0.01 * clock, 0 * clock, np.where(clock < 6, 0.0, 1.0)], axis=1)
    motion = lying(24, leftToes=own, rightToes=(FAST * clock)[:, None] * [1.0, 0, 0])
    for upright in (6, 5):
        motion.positions[:, AT["head"], 2] = np.where(np.arange(24) < upright, 2.0, motion.positions[0, AT["hips"], 2])
        left, _ = feet.footing(BOUND, motion, 30.0, LEGS, False).limbs
        assert left.touching[:6].all() and left.also_held is not None
        assert left.also_held.tolist() == [upright == 6] * 6 + [False] * 18


def test_feet_are_held_that_touch_the_ground_in_passing() -> None:
    """Beside those that stand, and where none does. Marks leave nothing to detect."""
    motion = moved(12, leftToes=np.where(np.arange(12) < 2, 0.0, np.arange(12))[:, None] * [0, 0, 1.0])
    footing = feet.footing(BOUND, motion, 10.0, LEGS, False)
    acting = feet.acting(footing.limbs, footing.is_grounded, False, Spans((12,)))
    stands, held = ({item.name: item.touching.tolist() for item in each} for each in (acting, feet.held(footing.limbs, acting)))
    assert stands == {"leftFoot": [False] * 12, "rightFoot": [True] * 12}
    assert held == {"leftFoot": [True] * 2 + [False] * 10, "rightFoot": [True] * 12}
    assert [item.held.tolist() for item in footing.limbs] == list(held.values())
    assert [item.held.tolist() for item in feet.mirrored(footing.limbs)] == list(held.values())[::-1]
    marked = feet.footing(BOUND, motion, 10.0, LEGS, False, [{"leftFoot": np.zeros(12, bool)}])
    assert not marked.limbs[0].held.any()


@pytest.mark.parametrize("high", [False, True])
def test_feet_of_one_who_swims_are_not_held_where_they_are_low_in_passing(high: bool) -> None:
    """Nothing is there that they touch: for three samples they are not held either. Those of one who is upright are."""
    own = np.where(np.arange(24) % 6 < 2, 0.0, 1.0)[:, None] * [0, 0, 1.0]
    motion = lying(24, leftToes=own, rightToes=(FAST * np.arange(24.0))[:, None] * [1.0, 0, 0])
    motion.positions[:, AT["head"], 2] += float(high)
    footing = feet.footing(BOUND, motion, 30.0, LEGS, False)
    assert footing.is_grounded.tolist() == [False]
    assert [item.name for item in feet.held(footing.limbs, [])] == (["leftFoot"] if high else [])
    assert footing.limbs[0].held.tolist() == [high and number % 6 < 2 for number in range(24)]


@pytest.mark.filterwarnings("error")
def test_hands_may_stand_of_one_whose_legs_are_not_known() -> None:
    """As in a dance on them: nothing is asked of its feet."""
    down = (0.0, 0.0, -float(BODY.heads[AT["leftHand"], 2]))
    footing = feet.footing(without("leftLowerLeg", "rightLowerLeg"), moved(9, leftHand=down, rightHand=down), 30.0, LEGS, True)
    assert [(item.name, item.touching.all()) for item in footing.limbs] == [(name, True) for name in HANDS]
