"""Limbs that are swung until they point where the source's do: arms of two joints, whose angles about Z are given in degrees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.columns import Columns
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Pair, PairOptions
from retro_anim.core.retarget.figures.motion import Motion, Standing
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.transfer.binding import Binding, bind
from retro_anim.core.retarget.transfer.limbs import aim
from retro_anim.core.retarget.transfer.solve import Rotations

Z = np.array([0.0, 0.0, 1.0])
ARM = ("leftUpperArm", "leftLowerArm")
PLAIN = PairOptions()


def chain(*points: tuple[float, float], names: Sequence[str] = ARM) -> Figure:
    """Bones with the world's axes, each on the one before it."""
    rest = np.tile(np.eye(4), (len(points), 1, 1))
    rest[:, :2, 3] = points
    return Figure(tuple(names), np.arange(-1, len(points) - 1, dtype=np.int32), rest, np.full(len(points), 0.1))


def bound(source: Figure, target: Figure, *options: PairOptions, roles: Sequence[str] = ARM) -> Binding:
    """The last of each follow the first and the last of each; with options of the first and the second pair."""
    first, second = (*options, PLAIN, PLAIN)[:2]
    pairs = (
        Pair(source.names[0], target.names[0], roles[0], options=first),
        Pair(source.names[-1], target.names[-1], roles[1], options=second),
    )
    return bind(BoneMap(pairs), source, target, source.heads)


def about(*degrees: float) -> Floats:
    """(F, 4)"""
    return quat.about(Z, np.radians(np.array(degrees)))


def moving(figure: Figure, *degrees: float, far: float = 1.0, counts: tuple[int, ...] = (), bones: Floats | None = None) -> Motion:
    """The last joint so far away from the first, in directions from its place at rest."""
    positions = np.tile(figure.heads, (len(degrees), 1, 1))
    positions[:, -1] = positions[:, 0] + far * quat.rotate(about(*degrees), figure.heads[-1] - figure.heads[0])
    rotations = np.tile(quat.IDENTITY, (len(degrees), len(figure), 1)) if bones is None else bones
    standing = Standing(quat.IDENTITY[None], np.zeros((1, 3)), 1.0)
    return Motion(np.arange(float(len(degrees))), rotations, positions, None, standing, counts)


STRAIGHT = chain((2, 3), (3, 3))
HERE = bound(STRAIGHT, STRAIGHT)


def bend_of(motion: Motion, binding: Binding = HERE, deltas: Floats | None = None, yaw: float = 0.0, row: int = 0) -> aim.Bent | None:
    frames = len(motion.frames)
    own = np.tile(quat.IDENTITY, (frames, 2, 1)) if deltas is None else np.stack([deltas, deltas], axis=1)
    frame = rotation_matrix.about(2, np.radians(np.array(yaw)))
    return aim.bends(binding, motion, frame, own)(row)


def degrees_of(bent: aim.Bent | None) -> Floats:
    """Of rotations about Z."""
    assert bent is not None and bent.rotations.ndim == 2
    assert bent.rotations[:, 1:3] == pytest.approx(0, abs=1e-9)
    return np.degrees(2 * np.arctan2(bent.rotations[:, 3], bent.rotations[:, 0]))


def is_none(bent: aim.Bent | None) -> bool:
    """Whether it is no rotation, everywhere."""
    return bent is not None and bent.rotations.ndim == 1 and bent.left is None


def test_a_limb_bends_from_where_its_bone_takes_it_to_where_the_next_joint_is() -> None:
    assert degrees_of(bend_of(moving(STRAIGHT, 10, 50, 170))) == pytest.approx([10, 50, 170])
    assert np.abs(degrees_of(bend_of(moving(STRAIGHT, 180)))) == pytest.approx([180])
    assert degrees_of(bend_of(moving(STRAIGHT, 10, 50, -60, far=3.0), deltas=about(30, 30, -80))) == pytest.approx([-20, 20, 20])
    assert degrees_of(bend_of(moving(STRAIGHT, 10, 50), deltas=about(30, 20), yaw=90)) == pytest.approx([-20, 30])
    assert is_none(bend_of(moving(STRAIGHT, 30, 20), deltas=about(30, 20), yaw=90))
    assert bend_of(moving(STRAIGHT, 10), row=1) is None, "nothing hangs on it"


def test_what_is_less_than_a_millionth_off_stays() -> None:
    """Half of that in a part of its direction."""
    tiny = float(np.degrees(1e-6))
    for share, none in ((0.2, True), (0.45, True), (0.55, False)):
        assert is_none(bend_of(moving(STRAIGHT, 0, share * tiny))) == none
        assert is_none(bend_of(moving(STRAIGHT, 0, share * tiny, far=2))) == none
        assert is_none(bend_of(moving(STRAIGHT, 0, -share * tiny, far=0.5))) == none
    huge = chain((0, 0), (1000, 0))
    assert is_none(bend_of(moving(huge, 0.45 * tiny), bound(huge, huge))) and not is_none(bend_of(moving(huge, tiny), bound(huge, huge)))


@pytest.mark.parametrize(
    "options",
    [
        (PairOptions(space="LOCAL"),),
        (PairOptions(rotation="SWING"),),
        (PairOptions(rotation="NONE"),),
        (PairOptions(weight=0.5),),
        (PairOptions(offset=(0.0, 0.1, 0.0)),),
        (PLAIN, PairOptions(location=True)),
    ],
)
def test_a_limb_that_is_rotated_otherwise_is_not_followed(options: tuple[PairOptions, ...]) -> None:
    binding = bound(STRAIGHT, STRAIGHT, *options)
    assert bend_of(moving(STRAIGHT, 40), binding) is None
    rotations = Rotations({0: lambda: about(0)})
    assert aim.aim(binding, lambda row: aim.Bent(about(40)), rotations, Spans((1,))) == {}
    assert rotations[0] == pytest.approx(about(0))
    assert bend_of(moving(STRAIGHT, 40), bound(STRAIGHT, STRAIGHT, PLAIN, PairOptions(space="LOCAL", weight=0.5))) is not None


@pytest.mark.parametrize("roles", [("hips", ""), ("root", ""), ("", "hips"), ("", "root")])
def test_hips_and_what_carries_the_root_are_no_limbs(roles: tuple[str, str]) -> None:
    assert bend_of(moving(STRAIGHT, 40), bound(STRAIGHT, STRAIGHT, roles=roles)) is None
    assert bend_of(moving(STRAIGHT, 40), bound(STRAIGHT, STRAIGHT, roles=("", ""))) is not None


def test_joints_of_uneven_chains_do_not_correspond() -> None:
    long, short = chain((0, 0), (1, 0), (2, 0), names=("a", "b", "c")), chain((0, 0), (2, 0), names=("a", "b"))
    for source, target, follows in ((long, short, False), (short, short, True)):
        binding = bind(BoneMap((), (Chain(source.names, target.names, "tail"),)), source, target, source.heads)
        deltas = np.tile(quat.IDENTITY, (1, len(binding), 1))
        bent = aim.bends(binding, moving(source, 40), np.eye(3), deltas)(0)
        assert (bent is not None) == follows
    below = bind(BoneMap((Pair("a", "a"),), (Chain(("b", "c"), ("b",), "tail"),)), long, short, long.heads)
    assert aim.bends(below, moving(long, 40), np.eye(3), np.tile(quat.IDENTITY, (1, 2, 1)))(0) is None


def sized(length: float) -> Figure:
    """An arm in a figure of two metres, far away, of which its length is a part."""
    rest = np.tile(np.eye(4), (3, 1, 1))
    rest[:, :3, 3] = [[50, 0, 0], [50 + 2 * length, 0, 0], [50, 0, 2]]
    return Figure((*ARM, "far"), np.array([-1, 0, -1], np.int32), rest, np.full(3, 0.1))


def short_bend(length: float, *radians: float, counts: tuple[int, ...] = ()) -> aim.Bent | None:
    figure = sized(length)
    binding = bind(BoneMap(tuple(Pair(name, name, name) for name in ARM)), figure, figure, figure.heads)
    positions = np.tile(figure.heads, (len(radians), 1, 1))
    positions[:, 1] = figure.heads[0] + quat.rotate(about(*np.degrees(radians)), figure.heads[1] - figure.heads[0])
    motion = replace(moving(figure, *[0.0] * len(radians), counts=counts), positions=positions)
    return aim.bends(binding, motion, np.eye(3), np.tile(quat.IDENTITY, (len(radians), 2, 1)))(0)


def test_short_offsets_that_bend_are_left_alone() -> None:
    """From two hundredths of the figure on they are followed; what rounding makes of short ones is nothing. Those of no length have no
    direction."""
    assert short_bend(0.9e-4, 0.5) is None and short_bend(0.9e-4, 0.0) is None
    assert short_bend(1.1e-4, 0.5) is None and is_none(short_bend(1.1e-4, 0.0))
    assert short_bend(0.019, 0.0, 0.0011) is None and is_none(short_bend(0.019, 0.0, 0.0009))
    assert np.radians(degrees_of(short_bend(0.021, 0.0, 0.0011))) == pytest.approx([0, 0.0011])
    assert np.radians(degrees_of(short_bend(0.021, 0.0, 0.0009))) == pytest.approx([0, 0.0009])


def test_of_short_offsets_each_clip_is_left_alone_by_itself() -> None:
    bent = short_bend(0.019, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0005, counts=(2, 2, 2))
    assert bent is not None and np.array_equal(bent.rotations, quat.IDENTITY)
    assert bent.left is not None and bent.left.tolist() == [False, False, True, True, False, False]
    assert short_bend(0.019, 0.5, 0.0, 0.0, 0.5, counts=(2, 2)) is None


@pytest.mark.parametrize(("far", "share"), [(0.1, 0.0), (0.15, 0.25), (0.2, 0.5), (0.25, 0.75), (0.3, 1.0), (0.05, 0.0), (0.7, 1.0)])
def test_a_limb_that_folds_up_is_followed_in_part(far: float, share: float) -> None:
    """From a tenth of its length on, from three tenths on in full."""
    long = chain((0, 0), (5, 0))
    assert degrees_of(bend_of(moving(long, 80, -40, far=far), bound(long, long))) == pytest.approx([80 * share, -40 * share], abs=1e-6)


def test_a_clip_in_which_nothing_is_off_has_no_rotation() -> None:
    bent = bend_of(moving(STRAIGHT, 0, 1e-7, 0, 40, 1e-7, 0, counts=(2, 2, 2)))
    assert degrees_of(bent) == pytest.approx([0, 0, 0, 40, 0, 0], abs=1e-12)
    assert bent is not None and np.array_equal(bent.rotations[[0, 1, 4, 5]], np.tile(quat.IDENTITY, (4, 1)))
    both = bend_of(moving(STRAIGHT, 0, 20, 0, 40, counts=(2, 2)))
    assert degrees_of(both) == pytest.approx([0, 20, 0, 40])


def test_a_clip_is_off_by_half_a_millionth() -> None:
    tiny = float(np.degrees(1e-6))
    bent = bend_of(moving(STRAIGHT, 40, 40, 0, 0.45 * tiny, 0, 0.55 * tiny, counts=(2, 2, 2)))
    assert bent is not None and np.array_equal(bent.rotations[2:4], np.tile(quat.IDENTITY, (2, 1)))
    assert 2 * bent.rotations[5, 3] == pytest.approx(0.55e-6, rel=1e-6)


def test_stiff_limbs_are_not_looked_at() -> None:
    bend = aim.bends(HERE, moving(STRAIGHT, 40), np.eye(3), np.tile(quat.IDENTITY, (1, 2, 1)), {0})
    assert is_none(bend(0))


def carried(figure: Figure, degrees: Sequence[float], off: float = 0.0) -> Motion:
    """The first bone rotated, the second where it takes it, but for an angle in the last frame."""
    rotations = np.tile(quat.IDENTITY, (len(degrees), len(figure), 1))
    rotations[:, 0] = about(*degrees)
    return moving(figure, *degrees[:-1], degrees[-1] + off, bones=rotations)


@pytest.mark.parametrize(("off", "is_stiff"), [(0.0, True), (0.12e-6, True), (0.13e-6, False), (0.5, False)])
def test_a_joint_that_hangs_on_its_bone_as_in_the_reference_pose_is_stiff(off: float, is_stiff: bool) -> None:
    """By an eighth of a millionth of its length."""
    motion = carried(STRAIGHT, [10, 90], float(np.degrees(off)))
    reference = np.tile(quat.IDENTITY, (2, 1))
    assert aim.stiff(HERE, motion, reference) == ({0} if is_stiff else set())
    assert aim.stiff(HERE, motion, np.concatenate([about(5), about(0)])) == set(), "its reference pose is another"
    twice = bound(chain((2, 3), (12, 3)), STRAIGHT)
    assert aim.stiff(twice, carried(chain((2, 3), (12, 3)), [10, 90], float(np.degrees(off))), reference) == ({0} if is_stiff else set())


def test_joints_that_hang_on_another_bone_are_not_stiff() -> None:
    between = chain((2, 3), (2.5, 3), (3, 3), names=("leftUpperArm", "between", "leftLowerArm"))
    rotations = np.tile(quat.IDENTITY, (2, 3, 1))
    assert aim.stiff(bound(between, STRAIGHT), moving(between, 0, 0, bones=rotations), np.tile(quat.IDENTITY, (3, 1))) == set()
    assert aim.stiff(bound(STRAIGHT, between), moving(STRAIGHT, 0, 0), np.tile(quat.IDENTITY, (2, 1))) == {0}
    binding = bind(BoneMap((), (Chain(ARM, ARM, "tail"),)), STRAIGHT, STRAIGHT, STRAIGHT.heads)
    assert aim.stiff(binding, moving(STRAIGHT, 0, 0), np.tile(quat.IDENTITY, (2, 1))) == set()


def test_so_many_joints_are_not_looked_at_together() -> None:
    """16384 rows times frames are."""
    for frames, looked in ((16384, True), (16385, False)):
        assert aim.stiff(HERE, moving(STRAIGHT, *[0.0] * frames), np.tile(quat.IDENTITY, (2, 1))) == ({0} if looked else set())


def test_what_is_computed_bone_by_bone_is_asked_which_joints_move() -> None:
    """At the scale of its object; nothing is known of what does not say it."""
    half = replace(STRAIGHT, world=np.diag([2.0, 2, 2, 1]))
    binding = bound(half, STRAIGHT)
    for moved, scale, is_stiff in (
        (set[int](), 2.0, True),
        ({1}, 2.0, False),
        ({0}, 2.0, True),
        (None, 2.0, False),
        (set[int](), 1.0, False),
    ):
        motion = moving(half, 0, 0)
        positions = Columns((2, 2, 3), lambda bone: half.heads[bone] + np.zeros((2, 1)), moved)
        known = replace(motion, positions=cast(Floats, positions), standing=replace(motion.standing, scale=scale))
        assert aim.stiff(binding, known, np.tile(quat.IDENTITY, (2, 1))) == ({0} if is_stiff else set())


def test_the_other_side_s_bend_is_reflected() -> None:
    normal = np.array([1.0, 0.0, 0.0])
    bends: dict[int, aim.Bent | None] = {0: aim.Bent(about(40), np.array([True])), 1: None}
    mirrored = aim.mirrored(lambda row: bends[row], [1, 0], normal)
    assert mirrored(0) is None
    other = mirrored(1)
    assert other is not None and other.rotations == pytest.approx(about(-40)) and other.left is not None and other.left.tolist() == [True]


def aimed(
    target: Figure, bend: aim.Bent | None, own: dict[int, Floats], spans: Spans, stiff: set[int] | None = None
) -> tuple[dict[int, list[float]], aim.Swung]:
    """Degrees about Z of target bones, and in which clips they are swung. own: (F, 4) what they are rotated by before."""
    rotations = Rotations({bone: cast(Callable[[], Floats], lambda values=values: values) for bone, values in own.items()})
    swung = aim.aim(bound(STRAIGHT, target), lambda row: bend, rotations, spans, stiff or set())
    after = {bone: np.degrees(2 * np.arctan2(rotations[bone][:, 3], rotations[bone][:, 0])).tolist() for bone in own}
    return after, swung


BENT = chain((1, 1), (2, 1), (2, 2), names=("leftUpperArm", "between", "leftLowerArm"))
"""A limb with a bone between, at a right angle: from end to end it is at 45 degrees."""


def test_a_target_s_bone_is_swung_by_what_its_limb_is_off() -> None:
    after, swung = aimed(STRAIGHT, aim.Bent(about(30, -20)), {0: about(10, 10), 1: about(5, 5)}, Spans((2,)))
    assert after == {0: pytest.approx([40, -10]), 1: pytest.approx([5, 5])}
    assert {bone: clips.tolist() for bone, clips in swung.items()} == {0: [True]}


def test_bones_between_are_swung_along() -> None:
    """The upper bone is rotated by 20 degrees, the one between by 80: its end is at the middle, 50 degrees on, of where it was; it should
    be where the first bone takes it, and 30 degrees further. Lengths are alike, so that angles have their mean."""
    after, swung = aimed(BENT, aim.Bent(about(30)), {0: about(20), 1: about(80)}, Spans((1,)))
    assert after == {0: pytest.approx([20]), 1: pytest.approx([80])} and swung == {}, "which it is: 20 and 30 are 50"
    after, swung = aimed(BENT, aim.Bent(about(0)), {0: about(20), 1: about(80)}, Spans((1,)))
    assert after == {0: pytest.approx([-10]), 1: pytest.approx([50])} and set(swung) == {0, 1}
    after, swung = aimed(BENT, aim.Bent(quat.IDENTITY), {0: about(20), 1: about(80)}, Spans((1,)))
    assert after == {0: pytest.approx([-10]), 1: pytest.approx([50])}, "as where the source's bends nowhere"
    after, _ = aimed(BENT, aim.Bent(about(10)), {0: about(20)}, Spans((1,)))
    assert after == {0: pytest.approx([30])}, "what has no rotation of its own is carried"


def test_bones_of_any_rest_axes_are_swung_alike() -> None:
    rest = np.array(BENT.rest)
    rest[0, :3, :3] = rotation_matrix.about(2, np.radians(np.array(35.0)))
    rest[1, :3, :3] = rotation_matrix.about(2, np.radians(np.array(-65.0)))
    after, _ = aimed(replace(BENT, rest=rest), aim.Bent(about(0)), {0: about(20 + 35), 1: about(80 - 65)}, Spans((1,)))
    assert after == {0: pytest.approx([-10 + 35]), 1: pytest.approx([50 - 65])}


def test_limbs_that_are_left_alone_are_not_swung() -> None:
    """As a whole, in some frames, or by less than a millionth."""
    own = {0: about(10, 10, 10, 10)}
    assert aimed(STRAIGHT, None, own, Spans((4,)))[1] == {}
    assert aimed(STRAIGHT, aim.Bent(quat.IDENTITY), own, Spans((4,)))[1] == {}
    assert aimed(STRAIGHT, aim.Bent(about(*[0.9e-6 * 180 / np.pi] * 4)), own, Spans((4,)))[1] == {}
    after, swung = aimed(STRAIGHT, aim.Bent(about(*[1.1e-6 * 180 / np.pi] * 4)), own, Spans((4,)))
    assert set(swung) == {0} and after[0][0] > 10
    bent = aim.Bent(about(30, 30, 30, 0), np.array([True, False, False, True]))
    after, swung = aimed(STRAIGHT, bent, own, Spans((1, 2, 1)))
    assert after[0] == pytest.approx([10, 40, 40, 10]) and swung[0].tolist() == [False, True, False]


def test_stiff_rows_are_swung_only_where_bones_between_rotate() -> None:
    """Then what they are taken for counts as everywhere."""
    assert aimed(STRAIGHT, aim.Bent(about(30)), {0: about(10)}, Spans((1,)), {0}) == ({0: pytest.approx([10])}, {})
    after, swung = aimed(BENT, aim.Bent(quat.IDENTITY), {0: about(20), 1: about(80)}, Spans((1,)), {0})
    assert after == {0: pytest.approx([-10]), 1: pytest.approx([50])} and set(swung) == {0, 1}


def test_a_limb_of_which_nothing_is_rotated_stays() -> None:
    assert aimed(BENT, aim.Bent(about(30)), {1: about(20)}, Spans((1,))) == ({1: pytest.approx([20])}, {})


def test_a_bone_of_two_limbs_is_swung_in_the_clips_of_both() -> None:
    """Two bones at one joint, each of which goes on to the next: one limb is off in the first clip, the other in the second."""
    twin = chain((0, 0), (0, 0), (1, 0), names=("upper", "twin", "lower"))
    binding = bind(BoneMap(tuple(Pair(name, name) for name in twin.names)), twin, twin, twin.heads)
    assert binding.steering[:2] == ((2,), (2,))
    bends = {0: aim.Bent(about(30, 0, 0)), 1: aim.Bent(about(0, 20, 0))}
    rotations = Rotations({0: lambda: about(0, 0, 0), 1: lambda: about(0, 0, 0)})
    swung = aim.aim(binding, bends.__getitem__, rotations, Spans((1, 1, 1)))
    assert rotations[1] == pytest.approx(about(30, 20, 0)) and swung[1].tolist() == [True, True, False]
    assert rotations[0] == pytest.approx(about(30, 0, 0)) and swung[0].tolist() == [True, False, False]
