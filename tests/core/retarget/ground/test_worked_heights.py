"""Heights over the ground that are worked out by hand: figures at rest, raised or lowered as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.columns import Columns
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.ground import body, contacts, feet, held, level, root
from retro_anim.core.retarget.ground.pace import Pace
from retro_anim.core.retarget.ground.source import Source
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer.binding import Binding, bind

from .. import rigs

UP = np.array([0.0, 0, 1])
STANDS = rigs.humanoid()
FLOOR = float(STANDS.heads[:, 2].min())


def bound(target: Figure = STANDS, source: Figure = STANDS) -> Binding:
    return bind(rigs.SAME, source, target, source.heads)


def posed(offsets: Floats, figure: Figure = STANDS) -> Motion:
    """At rest, but for (F, 3), by which the whole is elsewhere."""
    count, rest = len(offsets), rest_motion(figure)
    positions = figure.heads + offsets[:, None]
    return Motion(np.arange(count, dtype=float), np.tile(figure.quaternions, (count, 1, 1)), positions, None, rest.standing)


def raised(metres: float) -> Figure:
    """Bones and object."""
    rest, world = np.array(STANDS.rest), np.eye(4)
    rest[:, 2, 3] += metres
    world[2, 3] = metres
    return replace(STANDS, rest=rest, world=world)


def leg(binding: Binding, touching: Floats) -> feet.Limb:
    first, second, end, toe = (binding.roles["left" + part] for part in ("UpperLeg", "LowerLeg", "Foot", "Toes"))
    return feet.Limb("leftFoot", (first, second, end, toe), touching > 0)


def over(binding: Binding, motion: Motion, legs: root.Legs, limbs: Sequence[feet.Limb] = ()) -> Source:
    """A source of the target's size, in clips over the ground, at 30 frames a second."""
    clips = len(motion.spans)
    footing = feet.Footing(list(limbs), np.ones(clips, bool), [0.0] * clips, np.zeros(clips), np.zeros(clips))
    return Source(binding, motion, 30.0, legs, 1.0, "AUTO", np.zeros(clips), footing)


@pytest.mark.parametrize(("above", "touches"), [(0.0, 1.0), (-0.9 * root.NEAR, 0.4), (-root.NEAR, 0.0), (0.06, 0.5), (0.08, 0.0)])
@pytest.mark.parametrize("height", [0.0, 5.0])
def test_how_much_one_who_stands_bears_upon_the_ground(above: float, touches: float, height: float) -> None:
    """Of legs of 2 metres: not at all 0.08 of that above it, nor where the ground is another one. The target may be anywhere."""
    binding = bound(raised(height))
    legs = root.Legs(2.0, 2.0, FLOOR, True)
    borne = body.bearing(over(binding, posed(np.array([2 * above * UP])), legs))
    assert borne is not None
    assert borne.touches.tolist() == pytest.approx([touches]) and borne.wanted.tolist() == pytest.approx([2 * above])
    assert borne.lies.tolist() == [0.0]


def test_a_body_lies_on_what_comes_near_the_ground_in_its_clip() -> None:
    """Two clips: the hips, 0.2 above the ground, are what the first lies on; in the second they are not, however deep."""
    binding = bound()
    hips, toes = binding.roles["hips"], binding.roles["leftToes"]
    near, none, ones = np.array([[True, False], [True, True]]), np.zeros(20), np.ones(20)
    borne = body.Bearing(none, ones, none, (0.0, 0.0), (hips, toes), frozenset({toes}), near, 0.0, {})
    moved = replace(posed(np.zeros((20, 3))), counts=(10, 10))
    moved.positions[:, toes, 2] = 0.0
    moved.positions[:, hips, 2] = -0.2
    legs = root.Legs(1.0, 1.0, 0.0, True)
    down = body.lowered(borne, over(binding, moved, legs), moved, [None, None], np.zeros(20, bool), {})
    assert down == pytest.approx(np.repeat([-0.2, 0.0], 10))


def test_soles_of_a_source_that_does_not_stand_are_those_of_the_target() -> None:
    """Measured in its own metres, of which the target has two."""
    binding = bound()
    for sure, wanted in (((False, True), (FLOOR / 2, FLOOR)), ((True, False), (FLOOR, 2 * FLOOR)), ((False, False), (0.0, 0.0))):
        legs = root.Legs(2.0, 2.0, FLOOR, True, sure=sure)
        assert root.soles(binding, legs, 2.0) == pytest.approx(wanted)


@pytest.mark.parametrize("height", [0.0, 7.0])
def test_whose_object_is_on_the_ground_has_heights_over_it(height: float) -> None:
    """Wherever the object is, with the reference pose in the world."""
    source = raised(height)
    plain = replace(source, rest=STANDS.rest)
    heads = STANDS.heads + height * UP
    assert root.legs(bind(rigs.SAME, plain, STANDS, heads)).at_origin
    assert not root.legs(bind(rigs.SAME, plain, STANDS, heads + UP)).at_origin


def test_feet_of_a_source_that_lies_at_rest_stand_on_its_floor() -> None:
    """Which is 0.3 above its lowest foot there."""
    binding, offsets = bound(), np.tile(0.3 * UP, (4, 1))
    legs = root.Legs(1.0, 1.0, FLOOR + 0.3, True, stands=(False, True))
    heights = level.heights(over(binding, posed(offsets), legs, [leg(binding, np.ones(4))]), np.ones(1, bool))
    assert heights["leftFoot"] == pytest.approx(np.zeros(4))


def test_a_foot_comes_to_where_it_stands_and_leaves_it_over_time() -> None:
    """It slides by 0.1 while it should stand: it stays in the middle, 0.05 from both ends, and half of that half the time away."""
    binding, frames = bound(), np.arange(101)
    offsets = np.zeros((101, 3))
    offsets[:, 0] = np.interp(frames, [40, 60], [0.0, 0.1])
    item = leg(binding, ((frames >= 40) & (frames <= 60)).astype(float))
    moved = posed(offsets)
    rest = held.AtRest(STANDS.quaternions, np.array([1.0, 0, 0]), root.Legs(1.0, 1.0, FLOOR, True))
    goal = held.Lock(binding, moved, Pace(moved.spans, moved.frames / 100, (None,)), rest, held.Footholds(np.zeros(1)))._goal(item)
    change = (goal - moved.positions[:, binding.followers[item.rows[2]].target])[:, 0]
    away = round(100 * held.EASE)
    wanted = np.interp(frames, [40, 60], [0.05, -0.05])
    shares = np.clip(np.maximum(40 - frames, frames - 60) / away, 0, 1)
    assert change == pytest.approx(wanted * (0.5 + 0.5 * np.cos(np.pi * shares)), abs=1e-12)


def test_clips_of_what_is_computed_have_their_own_frames() -> None:
    """Two of 3 and 4."""
    whole = posed(np.arange(21.0).reshape(7, 3))
    columns = [Columns(values.shape, lambda bone, values=values: values[:, bone]) for values in (whole.rotations, whole.positions)]
    clips = Motion(whole.frames, columns[0], columns[1], None, whole.standing, (3, 4)).clips  # pyright: ignore[reportArgumentType]
    assert [clip.rotations.shape[0] for clip in clips] == [clip.positions.shape[0] for clip in clips] == [3, 4]
    assert clips[1].positions[:, 2] == pytest.approx(whole.positions[3:, 2])


def test_what_is_held_of_what_is_computed_is_the_same_and_computed_once() -> None:
    asked: list[int] = []

    def column(values: Floats, bone: int) -> Floats:
        asked.append(bone)
        return values[:, bone]

    whole = posed(np.arange(21.0).reshape(7, 3))
    columns = [Columns(values.shape, partial(column, values)) for values in (whole.rotations, whole.positions)]
    held_ = replace(whole, rotations=cast(Floats, columns[0]), positions=cast(Floats, columns[1])).holding([2])
    for known, values in ((whole.rotations, held_.rotations), (whole.positions, held_.positions)):
        assert values.shape == known.shape
        for bone in (2, 2, 3):
            assert values[:, bone].tolist() == known[:, bone].tolist()
    assert (asked.count(2), asked.count(3)) == (2, 2)


def test_feet_stand_for_three_frames_at_least_and_pause_for_as_many() -> None:
    """Gaps of two within are filled first; one of three stays, and so do those where the clip begins and ends."""
    touching = [0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0]
    settled = [0, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    assert contacts._settled(np.array(touching) > 0, Spans((19,))).astype(int).tolist() == settled


def test_whoever_lies_at_rest_would_stand_as_the_other_does() -> None:
    """The hips of the made-up body are 0.95 above its lowest toe. One of twice its size lies on its face, the hips 3 metres high and the
    ankles 2 times 0.01 below them: its floor is twice 0.95 below the hips. Where the target lies, that is where it will stand."""
    twice, down = rigs.humanoid(scale=2.0), np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
    legs = root.legs(bind(rigs.SAME, twice, STANDS, twice.heads @ down.T + 3 * UP))
    assert (legs.stands, legs.known) == ((False, True), True)
    assert (legs.source_floor, legs.rise, legs.target_floor) == pytest.approx((3 - 2 * 0.95, 2 * (0.01 - 0.95), 0.97 - 0.95))
    rest = np.array(STANDS.rest)
    rest[:, :3, 3] = STANDS.heads @ down.T + 3 * UP
    legs = root.legs(bind(rigs.SAME, twice, replace(STANDS, rest=rest), twice.heads))
    assert legs.stands == (True, False)
    assert (legs.source_floor, legs.target_floor) == pytest.approx((2 * 0.02, 3 - 0.95))


@pytest.mark.parametrize("roles", [("hips", "spine", "chest"), ("leftUpperArm", "leftLowerArm", "leftHand"), ("hips",)])
def test_without_legs_all_that_is_mapped_is_measured(roles: tuple[str, ...]) -> None:
    """The lengths between these joints together, each of a source of twice the size; of one bone alone there are none."""
    twice = rigs.humanoid(scale=2.0)
    bone_map = BoneMap(tuple(pair for pair in rigs.SAME.pairs if pair.role in roles))
    length = sum(float(np.linalg.norm(rigs.OFFSETS[rigs.NAMES.index(role)])) for role in roles[1:])
    legs = root.legs(bind(bone_map, twice, STANDS, twice.heads))
    assert (legs.source, legs.target) == (pytest.approx((2 * length, length)) if length else (1.0, 1.0))
    assert not legs.known and legs.source_floor == pytest.approx(min(float(twice.heads[rigs.NAMES.index(role), 2]) for role in roles))


def test_legs_without_feet_stand_as_the_figure_does() -> None:
    """Of a map that ends at the shins nothing shows whether the ground is the object's."""
    shins = BoneMap(tuple(pair for pair in rigs.SAME.pairs if not pair.role.endswith(("Foot", "Toes"))))
    legs = prepare(STANDS, STANDS, shins, Options()).legs
    assert legs.sure == legs.stands and not legs.at_origin


@pytest.mark.parametrize("looks", [0.0, 45.0, 100.0])
@pytest.mark.parametrize(("stride", "sure"), [(0.29, True), (0.31, False)])
def test_whoever_is_in_a_stride_at_rest_does_not_stand_for_sure(looks: float, stride: float, sure: bool) -> None:
    """One foot further ahead than the other by three tenths of a leg, whichever way the figure looks."""
    heads, about = np.array(STANDS.heads), rigs.yawed(np.radians(looks))[:3, :3]
    thigh, shin = (float(np.linalg.norm(rigs.OFFSETS[rigs.NAMES.index(f"left{part}")])) for part in ("LowerLeg", "Foot"))
    heads[STANDS.index["leftToes"], 1] -= stride * (thigh + shin)
    assert root.legs(bind(rigs.SAME, STANDS, STANDS, heads @ about.T)).sure == (sure, True)
