"""What a body bears upon, of one whose toes are 0.02 and ankles 0.09 above the ground at rest, on legs of one metre."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.figures.roles import BODY as BODY_ROLES
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.ground import body, feet, root
from retro_anim.core.retarget.ground.source import Source
from retro_anim.core.retarget.transfer.binding import Binding, bind

from .. import rigs
from .test_worked_feet import AT, BODY, BOUND, LEGS, moved

GROUND, TOES, ANKLES = 0.0, 0.02, 0.09
NOBODY = frozenset[int]()


def source(motion: Motion, legs: root.Legs = LEGS, binding: Binding = BOUND, **values: object) -> Source:
    """Clips over the ground, of a source of the target's size."""
    clips = len(motion.spans)
    footing = feet.Footing([], np.ones(clips, bool), [0.0] * clips, np.zeros(clips), np.zeros(clips))
    return replace(Source(binding, motion, 100.0, legs, 1.0, "AUTO", np.zeros(clips), footing), **values)  # pyright: ignore[reportArgumentType]


def borne(motion: Motion, legs: root.Legs = LEGS, binding: Binding = BOUND, **values: object) -> body.Bearing:
    result = body.bearing(source(motion, legs, binding, **values))
    assert result is not None
    return result


def bearing(frames: int = 1, **values: object) -> body.Bearing:
    """Of joints that are all near: their ground 0, that of feet 0.3 above it."""
    zeros = np.zeros(frames)
    plain = body.Bearing(zeros, np.ones(frames), zeros, (0.3, GROUND), (), NOBODY, np.zeros((0, 1), bool), 1.0, {})
    return replace(plain, **values)  # pyright: ignore[reportArgumentType]


def test_joints_are_as_high_as_above_the_ground_and_feet_as_above_where_they_stand() -> None:
    """The more the body lies, the more feet are joints as any others."""
    known = bearing(3, lies=np.array([0.0, 0.5, 1.0]), levels=(0.5, 0.1), feet=frozenset({7}), sole=0.3)
    assert known.height(3, np.full(3, 2.0)) == pytest.approx([1.9, 1.9, 1.9])
    assert known.height(7, np.full(3, 2.0)) == pytest.approx([1.5, 1.7, 1.9])
    assert known.deeper == pytest.approx([0, 0.15, 0.3]), "no more than the source's sole"
    assert replace(known, sole=0.9).deeper == pytest.approx([0, 0.2, 0.4]), "nor its own"


def test_a_body_is_off_the_ground_that_is_neither_on_it_nor_as_far_from_it_as_the_source() -> None:
    above = bearing(3, wanted=np.full(3, 0.2))
    assert above.off(np.array([0.5, 0.1, -0.1])) == pytest.approx([0.3, 0, -0.1])
    below = bearing(3, wanted=np.full(3, -0.2))
    assert below.off(np.array([0.1, -0.1, -0.5])) == pytest.approx([0.1, 0, -0.3])
    assert bearing(2, wanted=np.array([0.2, -0.2])).of_sole(np.full(2, 0.05)) == pytest.approx([-0.05, -0.25])


def test_who_stands_bears_upon_its_toes() -> None:
    """Its soles are 0.02 thick; all parts of the body count, and no finger."""
    known = borne(moved(2, all=[[0, 0, 0.0], [0, 0, 0.3]]), factor=2.0)
    assert known.wanted == pytest.approx([0, 0.6]) and known.lies.tolist() == [0, 0]
    assert known.levels == pytest.approx((TOES, GROUND)) and known.sole == pytest.approx(2 * TOES)
    assert {BOUND.followers[row].role for row in known.rows} == BODY_ROLES & set(rigs.NAMES)
    assert {BOUND.followers[row].role for row in known.feet} == {"leftToes", "rightToes"}


def test_without_toes_ankles_bear() -> None:
    barefoot = bind(BoneMap(tuple(pair for pair in rigs.SAME.pairs if pair.source != "leftToes")), BODY, BODY, BODY.heads)
    known = borne(moved(1), binding=barefoot)
    assert {barefoot.followers[row].role for row in known.feet} == {"leftFoot", "rightToes"}
    toes = BoneMap(tuple(pair for pair in rigs.SAME.pairs if pair.source == "leftToes"))
    assert borne(moved(1), binding=bind(toes, BODY, BODY, BODY.heads)).feet == {0}, "also where there is nothing else"
    nothing = bind(BoneMap(rigs.SAME.pairs[:8]), BODY, BODY, BODY.heads)
    assert body.bearing(source(moved(1), binding=nothing)) is None


def test_the_target_has_its_own_ground() -> None:
    """One of twice the size, whose toes are 0.04 above it, and one that stands 5 metres higher."""
    twice = bind(rigs.SAME, BODY, rigs.humanoid(scale=2.0), BODY.heads)
    known = borne(moved(1, all=(0, 0, 0.1)), replace(LEGS, target=2.0), twice, factor=2.0)
    assert known.levels == pytest.approx((0.04, 0.0)) and known.wanted == pytest.approx([0.2]) and known.sole == pytest.approx(0.04)
    rest, world = np.array(BODY.rest), np.eye(4)
    rest[:, 2, 3] += 5.03
    world[2, 3] = 5.0
    higher = bind(rigs.SAME, BODY, replace(BODY, rest=rest, world=world), BODY.heads)
    lying = borne(moved(1, leftHand=(0, 0, 0.1 - BODY.heads[AT["leftHand"], 2]), all=(0, 0, 0.0)), binding=higher)
    assert lying.wanted == pytest.approx([0]) and lying.sole == pytest.approx(0.02)
    near = {BOUND.followers[row].role for row, is_near in zip(lying.rows, lying.near[:, 0].tolist(), strict=True) if is_near}
    assert near == {f"{side}{part}" for side in ("left", "right") for part in ("Foot", "Toes")} | {"leftHand"}, "of the source's own"


@pytest.mark.parametrize(("above", "touches"), [(0.04, 1.0), (0.06, 0.5), (0.08, 0.0), (-0.2, 1.0), (-0.315, 0.4), (-0.35, 0.0)])
def test_how_much_it_is_on_the_ground(above: float, touches: float) -> None:
    """Half of 0.08 leg lengths above it fully; not at all where the ground is another one, 0.35 deeper."""
    assert borne(moved(1, all=(0, 0, 2 * above)), replace(LEGS, source=2.0)).touches == pytest.approx([touches], abs=1e-9)


def test_where_the_ground_is_not_known_nothing_bears() -> None:
    """That of the target, or of every clip of the source: by its rest pose, by what is asked for, or by feet that stand in it."""
    both = moved(4, (2, 2))
    for sure, floor, above, touches in (
        ((True, True), "AUTO", [None, None], [1, 1, 1, 1]),
        ((True, False), "AUTO", [0.0, 0.0], None),
        ((False, True), "AUTO", [None, None], None),
        ((False, True), "REST", [None, None], [1, 1, 1, 1]),
        ((False, True), "AUTO", [None, 0.0], [0, 0, 1, 1]),
        ((False, True), "AUTO", [0.0, None], [1, 1, 0, 0]),
    ):
        legs = replace(LEGS, sure=sure)
        footing = replace(source(both).footing, above=above)
        known = body.bearing(source(both, legs, footing=footing, floor=floor))
        assert (None if known is None else known.touches.tolist()) == touches, (sure, floor, above)


@pytest.mark.parametrize(("lower", "lies"), [(0.0, 0.0), (0.03, 0.5), (0.06, 1.0), (0.3, 1.0), (-0.1, 0.0)])
@pytest.mark.parametrize("leg", [1.0, 2.0])
def test_who_has_another_joint_lower_than_the_feet_lies_on_that(lower: float, lies: float, leg: float) -> None:
    """All the more up to 0.06 of the leg. Its hand is where it bears: above the ground itself, not above the height of toes."""
    down = TOES - lower * leg - BODY.heads[AT["leftHand"], 2]
    known = borne(moved(1, leftHand=(0, 0, down)), replace(LEGS, source=leg))
    assert known.lies == pytest.approx([lies])
    hand, toes = TOES - lower * leg, TOES - ((1 - lies) * TOES + lies * GROUND)
    assert known.wanted == pytest.approx([min(hand, toes)])


@pytest.mark.parametrize(("rise", "flesh"), [(1.0, 0.0), (0.5, 0.0), (0.25, 0.075), (0.0, 0.15), (-0.5, 0.15)])
@pytest.mark.parametrize("side", ["left", "right"])
def test_who_has_level_shins_lies_on_what_is_as_low_as_its_flesh(rise: float, flesh: float, side: str) -> None:
    """Of a shin of one metre that rises by this share, on the lower foot: half is a foot on its sole. A hand is 0.1 above the toes."""
    motion = moved(1)
    for each, low in (("left", side == "left"), ("right", side == "right")):
        ankle = np.array([0.1, 0.5, 0.11 if low else 0.5])
        motion.positions[0, AT[each + "Foot"]] = ankle
        motion.positions[0, AT[each + "LowerLeg"]] = ankle + ([np.sqrt(1 - rise**2), 0, rise] if low else [0, 0, 1])
    motion.positions[0, AT["leftHand"], 2] = TOES + 0.1
    assert borne(motion).lies == pytest.approx([np.clip((flesh - 0.09) / 0.06, 0, 1)])  # the ankle is 0.09 above the toes
    motion.positions[0, AT[side + "Foot"], 2] -= 0.07
    motion.positions[0, AT[side + "LowerLeg"], 2] -= 0.07
    assert borne(motion).lies == pytest.approx([np.clip((flesh - 0.02) / 0.06, 0, 1)])


def test_the_shin_of_the_lower_foot_counts() -> None:
    """Of two as low the left one's; a knee below its ankle is no more than a level shin, and a leg without one does not count."""
    motion = moved(1)
    for side, knee in (("left", [0.5, 0, 0]), ("right", [0, 0, 1.0])):
        motion.positions[0, AT[side + "Foot"]] = [0.1, 0.5, 0.11]
        motion.positions[0, AT[side + "LowerLeg"]] = motion.positions[0, AT[side + "Foot"]] + knee
    motion.positions[0, AT["leftHand"], 2] = TOES + 0.1
    assert borne(motion).lies == pytest.approx([1.0])
    one = bind(BoneMap(tuple(pair for pair in rigs.SAME.pairs if pair.source != "leftLowerLeg")), BODY, BODY, BODY.heads)
    assert borne(motion, binding=one).lies == pytest.approx([0.0])
    motion.positions[0, AT["leftLowerLeg"], 2] += 0.15
    motion.positions[0, [AT["leftFoot"], AT["rightFoot"]], 2] += [0.2, 0.3]
    motion.positions[0, AT["leftHand"], 2] = TOES + 0.16
    assert borne(motion).lies == pytest.approx([0.0])


def test_who_lies_is_on_the_ground_with_twice_the_flesh() -> None:
    """Fully up to half of 0.3 of the leg above it, no more at all at that height; of one who stands 0.08."""
    heights = np.array([0.0, 0.15, 0.225, 0.3, 0.4])
    motion = moved(5, leftHand=np.stack([0 * heights, 0 * heights, heights - BODY.heads[AT["leftHand"], 2]], axis=1), leftToes=(0, 0, 1))
    motion.positions[:, [AT[name] for name in ("rightToes", "leftFoot", "rightFoot")], 2] += 1.0
    known = borne(motion)
    assert known.lies.tolist() == [1] * 5
    assert known.touches == pytest.approx([1, 1, 0.5, 0, 0])
    assert known.wanted == pytest.approx(heights)


def test_which_joints_ever_come_near_the_ground() -> None:
    """Nearer than 0.35 of the leg, in each clip by itself; wherever the clip stands above its reference pose."""
    hand = BODY.heads[AT["leftHand"], 2]
    path = [[0, 0, 0.34 - hand], [0, 0, 0.0], [0, 0, 0.36 - hand], [0, 0, 0.0]]
    known = borne(moved(4, (2, 2), leftHand=path))
    row = known.rows.index(BOUND.roles["leftHand"])
    assert known.near[row].tolist() == [True, False]
    assert known.near[known.rows.index(BOUND.roles["head"])].tolist() == [False, False]
    assert known.near[known.rows.index(BOUND.roles["leftToes"])].tolist() == [True, True]
    higher = moved(4, (2, 2), leftHand=path, all=[[0, 0, 0.5]] * 2 + [[0, 0, 0.7]] * 2)
    lifted = borne(higher, lifts=np.array([0.5, 0.7]))
    assert lifted.near[row].tolist() == [True, False] and lifted.wanted == pytest.approx(np.zeros(4), abs=1e-9)
    assert borne(moved(2, leftHand=path[:2]), replace(LEGS, source=0.9)).near[row].tolist() == [False]


def test_a_source_that_lies_at_rest_bears_above_its_floor() -> None:
    legs = replace(LEGS, stands=(False, True), source_floor=0.4)
    known = borne(moved(1, all=(0, 0, 0.5)), legs)
    assert known.wanted == pytest.approx([0.5 + TOES - 0.4])


def lowered(
    off: list[float], loops: list[int | None] | None = None, counts: tuple[int, ...] = (), leg: float = 1.0, **values: object
) -> list[float]:
    """Of a target whose hips are so high above where they should be, at 100 frames a second."""
    motion = moved(len(off), counts)
    motion.positions[:, AT["hips"], 2] = off
    row = BOUND.roles["hips"]
    near = np.ones((1, len(motion.spans)), bool)
    known = bearing(len(off), rows=(row,), near=near, **values)
    held = np.zeros(len(off), bool)
    legs = replace(LEGS, target=leg)
    return body.lowered(known, source(motion, legs), motion, loops or [None] * len(motion.spans), held, {}).tolist()


def test_the_whole_body_goes_down_by_what_it_is_off_the_ground() -> None:
    """Where that can be seen: by more than 0.02 of the leg somewhere in the clip."""
    assert lowered([0.3] * 30) == pytest.approx([0.3] * 30)
    assert lowered([-0.3] * 30) == pytest.approx([-0.3] * 30)
    assert lowered([0.019] * 5 + [0.021] * 5, counts=(5, 5)) == pytest.approx([0.0] * 5 + [0.021] * 5)
    assert lowered([0.039] * 5 + [0.041] * 5, counts=(5, 5), leg=2.0) == pytest.approx([0.0] * 5 + [0.041] * 5)
    assert lowered([0.3] * 30, touches=np.full(30, 0.5)) == pytest.approx([0.15] * 30)
    assert lowered([0.3] * 30, touches=np.zeros(30)) == [0.0] * 30
    assert lowered([0.5] * 30, wanted=np.full(30, 0.1)) == pytest.approx([0.4] * 30)


@pytest.mark.parametrize(("far", "frames"), [(0.1, 6), (0.2, 6), (0.22, 8), (0.224, 10), (0.23, 10), (0.9, 10)])
def test_the_further_it_moves_the_earlier_it_begins(far: float, frames: int) -> None:
    """0.06 seconds before, and 4 for each leg length more than 0.2, up to 0.1."""
    path = lowered([0.0] * 40 + [far] * 40)
    assert path[: 40 - frames] == pytest.approx([0.0] * (40 - frames), abs=1e-12) and path[40 - frames] > 1e-9
    assert path[40 + frames :] == pytest.approx([far] * (40 - frames)) and path[39 + frames - 1] < far


def test_a_loop_goes_down_over_its_joint() -> None:
    """What begins with its first row ends before it: with its last rows."""
    path = [0.3] * 20 + [0.0] * 40 + [0.3]
    plain, loop = lowered(path), lowered(path, [0])
    assert plain[0] == pytest.approx(0.3) and plain[40] == pytest.approx(0)
    assert loop[-1] == loop[0] and 0.14 < loop[0] < 0.16 + 0.3 / 10, "half of it, since half of what is about it is"
    assert loop[30] == pytest.approx(0) and loop[58] > 0.1


def test_feet_that_are_held_need_no_lowering() -> None:
    """But as far as the body lies; and what moves a foot down by itself counts as done."""
    motion, row = moved(10), BOUND.roles["leftToes"]
    motion.positions[:, AT["leftToes"], 2] = 0.8
    known = bearing(10, rows=(row,), near=np.ones((1, 1), bool), feet=frozenset({row}), lies=np.full(10, 0.25), levels=(0.2, 0.2))
    free, held = np.zeros(10, bool), np.ones(10, bool)
    down = [body.lowered(known, source(motion), motion, [None], each, {}) for each in (free, held)]
    assert down[0] == pytest.approx([0.6] * 10) and down[1] == pytest.approx([0.15] * 10)
    moving = body.lowered(known, source(motion), motion, [None], free, {row: np.full(10, 0.2)})
    assert moving == pytest.approx([0.4] * 10)


def test_joints_that_never_come_near_the_ground_do_not_count() -> None:
    """The head is 0.1 above it, the hips 0.4: the head is what the body does not lie on."""
    motion, rows = moved(6), (BOUND.roles["hips"], BOUND.roles["head"])
    motion.positions[:, AT["hips"], 2], motion.positions[:, AT["head"], 2] = 0.4, 0.1
    held = np.zeros(6, bool)
    for near, down in (([[True], [False]], 0.4), ([[True], [True]], 0.1), ([[False], [True]], 0.1)):
        known = bearing(6, rows=rows, near=np.array(near))
        assert body.lowered(known, source(motion), motion, [None], held, {}) == pytest.approx([down] * 6)
    clips, each = replace(motion, counts=(3, 3)), bearing(6, rows=rows, near=np.array([[True, True], [False, True]]))
    assert body.lowered(each, source(clips), clips, [None, None], held, {}) == pytest.approx([0.4] * 3 + [0.1] * 3)
    flying = bearing(6, rows=rows, near=np.array([[True, False], [False, False]]), touches=np.repeat([1.0, 0.0], 3))
    with np.errstate(all="raise"):
        assert body.lowered(flying, source(clips), clips, [None, None], held, {}) == pytest.approx([0.4] * 3 + [0.0] * 3)


def test_the_lowest_joint_so_far() -> None:
    lowest = body.Lowest.none(3)
    assert (lowest.lowest.tolist(), lowest.rows.tolist()) == ([np.inf] * 3, [-1] * 3)
    lowest.add(4, np.array([1.0, 2.0, 3.0]))
    lowest.add(7, np.array([2.0, 2.0, 1.0]))
    assert (lowest.lowest.tolist(), lowest.rows.tolist()) == ([1, 2, 1], [4, 4, 7])


def worst(heights: list[float], counts: tuple[int, ...] = (), **values: object) -> list[tuple[float, int, bool]]:
    joints = body.Lowest(np.array(heights), np.zeros(len(heights), np.int64))
    return body.worst(bearing(len(heights), **values), joints, Spans(counts or (len(heights),)))


def test_how_far_the_body_is_off_the_ground_for_three_frames() -> None:
    """In the middle one of these, of each clip; of frames that differ by rounding alone the first. Shorter clips as a whole."""
    assert worst([0.0, 0.5, 0.4, 0.6, 0.0, 0.9, 0.0]) == [(0.4, 2, False)]
    assert worst([0.0, -0.5, -0.4, -0.6, 0.0, -0.9, 0.0]) == [(-0.4, 2, False)]
    assert worst([0.2, 0.2, 0.2, -0.3, -0.3, -0.3]) == [(-0.3, 4, False)]
    assert worst([0.2, 0.2, 0.2, 0.0, 0.2 + 1e-12, 0.2 + 1e-12, 0.2 + 1e-12]) == [(0.2, 1, False)]
    assert worst([0.4, 0.3, 0.1, 0.2, 0.2, 0.5], (2, 1, 3)) == [(0.3, 1, False), (0.1, 2, False), (0.2, 4, False)]
    assert worst([0.5, -0.5, 0.5, -0.5]) == [(0.0, 1, False)]


def test_how_deep_a_part_of_the_body_is_in_the_ground_for_three_frames() -> None:
    """In the middle one of these, and of that one which part; nothing above the ground is. Of each clip."""
    depths = [0.5, -0.2, -0.4, -0.3, -0.1, 0.0, 0.5, 0.7, -0.1, -0.6, -0.5, 0.3, 0.2, 0.1]
    parts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
    deepest = body.Lowest(np.array(depths), np.array(parts))
    assert body.sunk(deepest, Spans((7, 4, 3))) == [(0.2, 3, 2), (0.1, 10, 9), (0.0, -1, 12)]


def test_only_where_the_source_is_on_its_ground_by_more_than_half() -> None:
    assert worst([0.4] * 3, touches=np.full(3, 0.5)) == [(0.0, 1, False)]
    assert worst([0.4] * 3, touches=np.full(3, 0.51)) == [(0.4, 1, False)]
    assert worst([np.inf] * 3) == [(0.0, 1, False)], "of a body of which no joint is known"
    assert worst([0.4] * 3, lies=np.full(3, 0.5)) == [(0.4, 1, False)]
    assert worst([0.4] * 3, lies=np.array([0, 0.51, 0])) == [(0.4, 1, True)]


def test_so_deep_in_the_ground_as_the_source_s_a_joint_may_be() -> None:
    """And as much deeper as that is below any ground that is meant, 0.35 leg lengths. Joints of feet are not asked."""
    high = float(BODY.heads[AT["hips"], 2])
    known = borne(moved(3, hips=[[0, 0, 0], [0, 0, -0.2 - high], [0, 0, -0.5 - high]]))
    hips = BOUND.roles["hips"]
    assert known.under[hips] == pytest.approx([0, -0.2, -0.65])
    assert known.beyond(hips, np.array([-0.1, -0.25, -0.6])) == pytest.approx([-0.1, -0.05, 0.05])
    assert not {BOUND.roles[role] for role in ("leftFoot", "leftToes")} & known.under.keys()


def test_a_joint_may_be_anywhere_in_a_clip_whose_ground_is_not_known() -> None:
    """Of two clips in which the hips are 0.2 in the ground feet show it in the first alone."""
    motion = moved(2, (1, 1), hips=(0, 0, -0.2 - float(BODY.heads[AT["hips"], 2])))
    footing = feet.Footing([], np.ones(2, bool), [0.0, None], np.zeros(2), np.zeros(2))
    known = borne(motion, replace(LEGS, sure=(False, True)), footing=footing)
    assert known.under[BOUND.roles["hips"]].tolist() == pytest.approx([-0.2, -np.inf])
    assert known.beyond(BOUND.roles["hips"], np.full(2, -0.3)).tolist() == pytest.approx([-0.1, np.inf])
