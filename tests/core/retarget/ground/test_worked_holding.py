"""Feet that are held, by one body whose legs are all but straight at rest, hips 0.88 and ankles 0.09 above the ground, and one whose knees
are bent; a hundred frames a second, on legs of one metre. Where a leg ends is computed from the rotations that are given."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.ground import feet, held, root
from retro_anim.core.retarget.ground.pace import Pace
from retro_anim.core.retarget.transfer.binding import Binding, bind

from .. import rigs

STRAIGHT = rigs.humanoid()
OFFSETS = np.array(rigs.OFFSETS)
for _side in ("left", "right"):
    OFFSETS[rigs.NAMES.index(_side + "LowerLeg")], OFFSETS[rigs.NAMES.index(_side + "Foot")] = (0, -0.2, -0.4), (0, 0.2, -0.4)
    OFFSETS[rigs.NAMES.index(_side + "LowerArm")], OFFSETS[rigs.NAMES.index(_side + "Hand")] = (0, 0.1, -0.2), (0, -0.1, -0.2)
BENT = rigs.humanoid(offsets=OFFSETS)
"""Its ankles are 0.8 below where its legs begin, which reach 0.894, and its hands hang."""

Touching = Floats | NDArray[np.bool_] | list[bool]
"""(F,) when a limb stands."""

LEGS = root.Legs(1.0, 1.0, 0.02, True)
X, Y, Z = np.eye(3)
LIMBS = {"Foot": ("UpperLeg", "LowerLeg", "Foot", "Toes"), "Hand": ("UpperArm", "LowerArm", "Hand", "Hand")}


def moved(path: Floats, figure: Figure = BENT, counts: tuple[int, ...] = ()) -> Motion:
    """At rest, all of it elsewhere by (F, 3) metres."""
    rest, positions = rest_motion(figure), figure.heads + path[:, None]
    return Motion(np.arange(float(len(path))), np.tile(figure.quaternions, (len(path), 1, 1)), positions, None, rest.standing, counts)


def bound(figure: Figure, *missing: str) -> Binding:
    return bind(BoneMap(tuple(pair for pair in rigs.SAME.pairs if pair.source not in missing)), figure, figure, figure.heads)


def limb(binding: Binding, name: str, touching: Touching) -> feet.Limb:
    side, part = name[:-4], name[-4:]
    first, second, end, toe = (binding.roles[side + each] for each in LIMBS[part])
    return feet.Limb(name, (first, second, end, toe), np.asarray(touching) > 0)


class Held:
    """What holding some limbs of a figure gives. touching: (F,) when they stand."""

    def __init__(
        self,
        path: Floats,
        touching: Touching | None = None,
        names: tuple[str, ...] = ("leftFoot",),
        figure: Figure = BENT,
        counts: tuple[int, ...] = (),
        loop: int | None = None,
        missing: tuple[str, ...] = (),
        leg: float = 1.0,
        **footholds: object,
    ) -> None:
        self.motion, self.figure = moved(path, figure, counts), figure
        binding, spans = bound(figure, *missing), self.motion.spans
        rest = held.AtRest(figure.quaternions, X, replace(LEGS, target=leg))
        values = {"least": np.full(len(spans), 9.0), "sunk": np.full(len(spans), 0.02 * leg), **footholds}
        pace = Pace(spans, self.motion.frames / 100, [loop] * len(spans))
        lock = held.Lock(binding, self.motion, pace, rest, held.Footholds(**values))  # pyright: ignore[reportArgumentType]
        stands = np.ones(len(path)) if touching is None else touching
        self.locked = lock.locked([limb(binding, name, stands) for name in names])

    def end(self, name: str = "leftFoot") -> Floats:
        """(F, 3) metres by which a limb ends elsewhere than it does without being held."""
        side, (first, second, end, _) = name[:-4], LIMBS[name[-4:]]
        upper, lower, tip = (self.figure.index[side + each] for each in (first, second, end))
        heads, rotations = self.figure.heads, self.locked.rotations
        bones = quat.rotate(rotations[upper], heads[lower] - heads[upper]) + quat.rotate(rotations[lower], heads[tip] - heads[lower])
        return bones - (heads[tip] - heads[upper]) - self.locked.hips[:, None] * Z


def sliding(frames: int = 101) -> Floats:
    """Along X by 0.1 metres, from frame 40 to 60."""
    return np.interp(np.arange(frames), [40, 60], [0.0, 0.1])[:, None] * X


STANDS = (np.arange(101) >= 40) & (np.arange(101) <= 60)
FADE = np.clip(np.maximum(40 - np.arange(101), np.arange(101) - 60) / 12, 0, 1)
"""Over 0.12 seconds before and after it stands."""


def test_a_foot_stays_where_it_stands_in_the_mean() -> None:
    """0.05 from both ends, and half of that half the time away; its own rotation, and that of its toes, are as before."""
    result = Held(sliding(), STANDS, hips_down=False)
    wanted = np.interp(np.arange(101), [40, 60], [0.05, -0.05]) * (0.5 + 0.5 * np.cos(np.pi * FADE))
    assert result.end()[:, 0] == pytest.approx(wanted, abs=1e-9) and np.abs(result.end()[:, 1:]).max() < 1e-9
    for name in ("leftFoot", "leftToes"):
        assert result.locked.rotations[BENT.index[name]].tolist() == result.motion.rotations[:, BENT.index[name]].tolist()
    assert result.locked.rotations.keys() == {BENT.index["left" + part] for part in LIMBS["Foot"]}
    assert result.locked.missed["leftFoot"].max() < 1e-9 and result.locked.hips.tolist() == [0] * 101


def test_by_how_much_a_limb_bends_for_that_is_told_of_each_clip() -> None:
    result = Held(np.concatenate([sliding(), np.zeros((10, 3))]), [*STANDS, *[True] * 10], counts=(101, 10), hips_down=False)
    away = [quat.angle(result.locked.rotations[BENT.index[name]]) for name in ("leftUpperLeg", "leftLowerLeg")]
    assert result.locked.added == pytest.approx([np.max(away), 0]) and result.locked.added[0] > 0.05


def test_feet_that_never_stand_are_left_alone() -> None:
    result = Held(sliding(), np.zeros(101))
    assert np.abs(result.end()).max() < 1e-12 and result.locked.added.tolist() == [0]
    nothing = Held(sliding(), names=()).locked
    assert (nothing.rotations, nothing.missed, nothing.added.tolist(), nothing.hips.tolist()) == ({}, {}, [0], [0] * 101)


def test_contacts_of_one_clip_do_not_reach_into_another() -> None:
    """Of two clips of ten frames, in the second of which a foot stands."""
    path = np.concatenate([np.zeros((10, 3)), np.linspace(0, 0.1, 10)[:, None] * X])
    result = Held(path, [False] * 10 + [True] * 10, counts=(10, 10), hips_down=False)
    assert np.abs(result.end()[:10]).max() == 0
    assert result.end()[10:, 0] == pytest.approx(0.05 - path[10:, 0], abs=1e-9)


@pytest.mark.parametrize(("name", "back"), [("leftFoot", -1), ("rightFoot", -1), ("leftHand", 1), ("rightHand", 1)])
def test_straight_limbs_bend_as_knees_and_elbows_do(name: str, back: int) -> None:
    """Straight down at rest, of a body that comes down by 0.1: knees to the front, along -Y, elbows to the back."""
    hanging = OFFSETS.copy()
    for side, part in product(("left", "right"), ("LowerLeg", "Foot", "LowerArm", "Hand")):
        hanging[rigs.NAMES.index(side + part)] = (0, 0, -0.4)
    figure = rigs.humanoid(offsets=hanging)
    result = Held(np.linspace(0, -0.1, 11)[:, None] * Z, names=(name,), figure=figure, hips_down=False)
    upper, lower = (figure.index[name[:-4] + part] for part in LIMBS[name[-4:]][:2])
    (along,) = quat.rotate(result.locked.rotations[upper][-1:], figure.heads[lower] - figure.heads[upper])
    assert back * along[1] > 0.1 and result.end(name)[-1] == pytest.approx([0, 0, 0.05], abs=1e-9)


def test_hands_are_held_as_feet_are() -> None:
    """And no hips come down for them."""
    result = Held(sliding(), STANDS, ("rightHand",))
    assert result.end("rightHand")[STANDS, 0] == pytest.approx(np.linspace(0.05, -0.05, 21), abs=1e-9)
    assert result.locked.hips.tolist() == [0] * 101


APART = np.where(np.arange(100) < 50, -0.1, 0.1)[:, None] * X
"""A step of 0.2 in the middle, so that a foot that stands all the time is 0.1 away from where it should be."""
DOWN = np.hypot(0.01, 0.83) ** 2
"""Of the straight leg, whose ankle is 0.83 below and 0.01 behind where it begins, the square of its length."""
NEEDED = 0.83 - np.sqrt(DOWN - 0.1**2 - 0.01**2)


def test_hips_come_down_so_that_a_straight_leg_reaches() -> None:
    result = Held(APART, figure=STRAIGHT)
    assert result.locked.hips == pytest.approx(np.full(100, NEEDED))
    assert result.end()[:, 0] == pytest.approx(-APART[:, 0], abs=1e-6)
    assert result.locked.missed["leftFoot"] == pytest.approx(np.zeros(100), abs=1e-6)


@pytest.mark.parametrize(("missing", "hips_down"), [(("hips",), True), ((), False)])
def test_where_hips_cannot_come_down_the_goal_is_missed(missing: tuple[str, ...], hips_down: bool) -> None:
    """While the foot stands; by no more than what the leg is too short, which reaches 0.8316 from 0.8361 away."""
    long = np.linalg.norm([0.02, 0.42]) + np.linalg.norm([0.03, 0.41])
    result = Held(APART, np.arange(100) < 99, figure=STRAIGHT, missing=missing, hips_down=hips_down)
    missed, least = result.locked.missed["leftFoot"], np.hypot(np.sqrt(DOWN), 0.099) - long
    assert result.locked.hips.tolist() == [0] * 100 and missed[99] == 0
    assert (missed[:99] > least - 1e-9).all() and (missed[:99] < np.hypot(np.sqrt(DOWN), 0.102) - np.sqrt(DOWN)).all()


def test_hips_come_down_by_no_more_than_a_fifth_of_the_leg() -> None:
    assert Held(6 * APART, figure=STRAIGHT).locked.hips == pytest.approx(np.full(100, 0.2))


def test_hips_come_down_for_the_leg_that_needs_it_most() -> None:
    """Both go to the same side, one of them twice."""
    both = Held(APART, names=("leftFoot", "rightFoot"), figure=STRAIGHT)
    assert both.locked.hips == pytest.approx(np.full(100, NEEDED))
    assert both.end("rightFoot")[:, 0] == pytest.approx(-APART[:, 0], abs=1e-6)


def test_hips_come_down_smoothly() -> None:
    """By all that is needed where it is; nothing 0.24 seconds before and after the foot is moved, and ever more in between."""
    frames = np.arange(201)
    stands = (frames >= 80) & (frames <= 120)
    path = np.where(frames < 100, -0.1, np.where(frames == 100, 0.0, 0.1))[:, None] * X
    hips = Held(path, stands, figure=STRAIGHT).locked.hips
    assert hips[80:121] == pytest.approx(np.full(41, NEEDED), abs=2e-4) and (hips[80:121] >= NEEDED - 1e-12)[np.arange(41) != 20].all()
    assert np.abs(hips[: 80 - 36]).max() < 1e-12 and np.abs(hips[120 + 37 :]).max() < 1e-12
    assert (np.diff(hips[46:78]) > 0).all() and np.abs(np.diff(hips)).max() < NEEDED / 10


def test_short_clips_come_down_as_they_need() -> None:
    """Of two frames there is nothing to smooth."""
    result = Held(APART[[0, 99]], figure=STRAIGHT)
    assert result.locked.hips == pytest.approx([NEEDED, NEEDED])
    two = Held(np.concatenate([APART, np.zeros((50, 3))]), figure=STRAIGHT, counts=(100, 50))
    assert two.locked.hips[:100] == pytest.approx(np.full(100, NEEDED)) and two.locked.hips[100:].tolist() == [0] * 50


def test_two_frames_come_down_each_as_it_needs() -> None:
    """Feet 0.1 behind and before where they are held, of an ankle that is 0.01 behind where its leg begins."""
    result = Held(np.array([[0.0, -0.1, 0], [0, 0.1, 0]]), figure=STRAIGHT)
    assert result.locked.hips == pytest.approx([0.83 - np.sqrt(DOWN - 0.11**2), 0.83 - np.sqrt(DOWN - 0.09**2)])


def test_three_frames_in_less_time_than_hips_need_come_down_alike() -> None:
    """As the one of them that needs most, though nothing is needed in the middle; but for what a tenth of a second away counts."""
    result = Held(np.array([[0.0, -0.1, 0], [0, 0, 0], [0, 0.1, 0]]), figure=STRAIGHT)
    assert result.locked.hips == pytest.approx([0.83 - np.sqrt(DOWN - 0.11**2)] * 3, rel=2e-3)


@pytest.mark.parametrize(("least", "held"), [(0.021, True), (0.019, False)])
def test_a_foot_that_comes_down_while_it_stands_is_not_held_above_the_ground(least: float, held: bool) -> None:
    """By 0.05 in 20 frames: in the middle of that it would be 0.02 off the ground for three of them, on which it is by itself. Hands that
    touch something are not asked."""
    path = np.interp(np.arange(101), [40, 60], [0.025, -0.025])[:, None] * Z
    asked: list[str] = []

    def raised(name: str, up: Floats) -> Floats:
        asked.append(name)
        assert up == pytest.approx(np.where(STANDS, -path[:, 2], 0.0))
        return up

    for name in ("leftFoot", "leftHand"):
        result = Held(path, STANDS, (name,), hips_down=False, away={name: np.zeros(101)}, raised=raised, least=np.array([least]))
        stays = held or name == "leftHand"
        assert result.end(name)[STANDS, 2] == pytest.approx(-path[STANDS, 2] * stays, abs=1e-9)
    assert asked == ["leftFoot"]


@pytest.mark.parametrize(("least", "off", "goes"), [(0.04, 0.05, -0.05), (0.06, 0.05, 0.0), (0.04, -0.05, 0.05), (0.06, -0.05, 0.0)])
def test_a_foot_off_the_ground_is_put_onto_it(least: float, off: float, goes: float) -> None:
    """If it is off it by more than so much, in that clip."""
    result = Held(np.zeros((20, 3)), away={"leftFoot": np.full(20, off)}, least=np.array([least]))
    assert result.end()[:, 2] == pytest.approx(np.full(20, goes), abs=1e-9)
    other = Held(np.zeros((20, 3)), away={"rightFoot": np.full(20, off)}, least=np.array([least]))
    assert np.abs(other.end()).max() == 0
    clips = Held(np.zeros((20, 3)), away={"leftFoot": np.full(20, off)}, least=np.array([least, 9.0]), counts=(10, 10))
    assert clips.end()[:, 2] == pytest.approx(np.repeat([goes, 0.0], 10), abs=1e-9)


def test_a_foot_comes_onto_the_ground_as_far_as_it_is_off_it_in_each_frame() -> None:
    """Beside where it stands as far as at its ends, less and less."""
    off = np.interp(np.arange(101), [0, 40, 60, 100], [0.5, 0.03, 0.05, 0.5])
    result = Held(np.zeros((101, 3)), STANDS, away={"leftFoot": off}, least=np.zeros(1))
    wanted = np.interp(np.arange(101), [40, 60], [0.03, 0.05]) * (0.5 + 0.5 * np.cos(np.pi * FADE))
    assert -result.end()[:, 2] == pytest.approx(wanted, abs=1e-9)


def test_a_sole_that_is_too_deep_rises() -> None:
    """In clips in which that is seen, by more than 0.02 of the leg somewhere; less by what the foot is put higher anyway."""
    deep = np.r_[np.full(10, 0.019), np.linspace(0.0, 0.021, 10)]
    result = Held(np.zeros((20, 3)), np.zeros(20), counts=(10, 10), deep={"leftFoot": deep}, least=np.full(2, 9.0))
    assert result.end()[:, 2] == pytest.approx(np.where(np.arange(20) < 10, 0.0, deep), abs=1e-9)
    assert np.abs(result.end()[:, :2]).max() < 1e-9
    put = Held(
        np.zeros((20, 3)),
        away={"leftFoot": np.full(20, -0.02)},
        least=np.zeros(1),
        deep={"leftFoot": np.r_[np.zeros(10), np.full(10, 0.05)]},
    )
    assert put.end()[:, 2] == pytest.approx(np.repeat([0.02, 0.05], 10), abs=1e-9)


def test_hips_come_down_by_no_more_than_a_fifth_of_a_long_leg() -> None:
    assert Held(6 * APART, figure=STRAIGHT, leg=0.5).locked.hips == pytest.approx(np.full(100, 0.1))


def test_a_foot_of_a_figure_that_is_turned_bends_its_knee_the_same_way() -> None:
    """Knees of straight legs go ahead, whatever the axes of their bones; elbows of straight arms back."""
    legs = Held(np.zeros((9, 3)), figure=STRAIGHT, away={"leftFoot": np.full(9, -0.3)}, least=np.zeros(1))
    knee = quat.rotate(legs.locked.rotations[STRAIGHT.index["leftUpperLeg"]], np.array([0, 0, -1.0]))
    assert (knee[:, 1] < -0.3).all() and np.abs(knee[:, 0]).max() < 1e-6
    rolled = rigs.humanoid(rigs.random_rotations(3))
    same = Held(np.zeros((9, 3)), figure=rolled, away={"leftFoot": np.full(9, -0.3)}, least=np.zeros(1))
    bone = rolled.index["leftUpperLeg"]
    carried = quat.multiply(same.locked.rotations[bone], quat.conjugate(rolled.quaternions[bone]))
    assert quat.apart(carried, legs.locked.rotations[STRAIGHT.index["leftUpperLeg"]]).max() < 1e-5


def test_footholds_without_more_are_those_that_need_none() -> None:
    plain = held.Footholds(np.zeros(1))
    assert (dict(plain.away), dict(plain.deep), plain.source, plain.hips_down) == ({}, {}, None, True)
