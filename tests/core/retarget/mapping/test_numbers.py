"""Small rules of retargeting whose numbers are known: grids of keys, axes and angles, poses of a body, what is reported."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace

import numpy as np
import pytest
from retro_anim.core.motion.rotation_matrix import Floats
from retro_anim.core.reporting import log
from retro_anim.core.retarget.anatomy.structure import spine_roles
from retro_anim.core.retarget.figures.bone_map import BoneMap, Pair
from retro_anim.core.retarget.figures.clip import Grid
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.goals import reports
from retro_anim.core.retarget.mapping.body import Body, _positions, bodies
from retro_anim.core.retarget.mapping.divided_limbs import _of_one_name
from retro_anim.core.retarget.mapping.evidence import Evidence
from retro_anim.core.retarget.mapping.kinds import plain_bone
from retro_anim.core.retarget.mapping.names import Side, read_names
from retro_anim.core.retarget.mapping.parts import LEFT, MIDDLE, ODD_LEFT, RIGHT
from retro_anim.core.retarget.mapping.selection import select
from retro_anim.core.retarget.mapping.symmetry import halves
from retro_anim.core.retarget.report import Report
from retro_anim.core.retarget.report_fields import Unmapped
from retro_anim.core.retarget.transfer.binding import bind
from retro_anim.core.retarget.transfer.output import rotation_values

from .. import rigs
from .given import figure_of


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_positions_in_a_body_do_not_depend_on_its_size(scale: float) -> None:
    """Two bones apart by 2 along x and y, and alike along z: in mean extents, a third of the mean of all where there is none."""
    heads = np.array([[1.0, 1, 0], [-1, -1, 0], [5, 3, 1]])
    weights = np.array([1.0, 1, 0])
    at, ends = _positions(scale * heads, scale * heads[::-1], weights)
    np.testing.assert_allclose(at[:2, :2], [[1, 1], [-1, -1]])
    np.testing.assert_allclose(at[2], _positions(heads, heads, weights)[0][2])
    np.testing.assert_allclose(ends, at[::-1])


@pytest.mark.parametrize(
    ("name", "plain"), [("spine", True), ("upper_arm", True), ("spine_ik", False), ("tail", True), ("cape_socket", True)]
)
def test_which_bones_are_no_helpers(name: str, plain: bool) -> None:
    (read,) = read_names([name])
    assert plain_bone(read) == plain


def test_bones_of_one_name_up_to_the_first() -> None:
    """Also where that is the skeleton's own first bone."""
    figure = figure_of(["arm1.L", "arm2.L", "arm3.L", "hand.L"], [-1, 0, 1, 2], np.eye(4)[:, :3])
    names = read_names(figure.names)
    assert _of_one_name(Evidence(figure, select(figure, names, controls=False), names), 1) == [0, 1, 2]


def test_an_axis_that_is_said_to_be_across_nothing_decides_nothing() -> None:
    """The left side as a figure of a game declares it, where it does not lie along the halves: the names count."""
    (plain,) = bodies(rigs.humanoid(), sides := [name.side for name in read_names(rigs.NAMES)])
    for declared in ((0.0, 0, 1), (0.3, 0, 0.95), (-0.3, 0, 0.95)):
        (other,) = bodies(replace(rigs.humanoid(), left=np.array(declared)), sides)
        assert other.kinds == plain.kinds
    (mirrored,) = bodies(replace(rigs.humanoid(), left=-np.array(plain_left(plain))), sides)
    assert mirrored.kinds != plain.kinds


def plain_left(body: Body) -> list[float]:
    """Where the bones of the left half lie."""
    heads = rigs.humanoid().heads
    left, right = ([heads[bone] for bone, kind in enumerate(body.kinds) if kind == side] for side in (LEFT, RIGHT))
    across = np.mean(left, axis=0) - np.mean(right, axis=0)
    return (across / np.linalg.norm(across)).tolist()


def test_a_clip_ends_in_the_pose_of_its_end() -> None:
    """An end between two ticks has its pose on the one behind; a loop's is on the nearest."""
    once = Grid(1.0, 1).clip(10.0, 10.0, 13.4, loops=False)
    assert once.frames.tolist() == [10, 11, 12, 13, 14] and once.sampled.tolist() == [10, 11, 12, 13, 13.4] and once.loop is None
    for end in (13.0, 13.0009, 12.9991):
        assert Grid(1.0, 1).clip(10.0, 10.0, end, loops=False).frames.tolist() == [10, 11, 12, 13]
    assert Grid(1.0, 2).clip(10.0, 10.0, 12.5, loops=False).frames.tolist() == [10, 12, 13]
    loop = Grid(1.0, 1).clip(10.0, 10.0, 13.6, loops=True)
    assert loop.frames.tolist() == [10, 11, 12, 13, 14] and loop.sampled.tolist() == [10, 11, 12, 13, 13.6] and loop.loop == 0


@pytest.mark.parametrize(
    ("fps", "rate", "count", "ticks"),
    [
        (30.0, 1000, 6, [0, 33, 67, 100, 133, 167, 200]),
        (30000 / 1001, 1000, 5, [0, 33, 67, 100, 133, 167]),  # 166.83 ms
        (24.0, 1000, 5, [0, 42, 83, 125, 167, 209]),  # ends 0.33 of a time unit behind one
        (30.0, 50, 6, [0, 2, 3, 5, 7, 8, 10]),
        (24.0, 50, 5, [0, 2, 4, 6, 8, 10, 11]),  # 10.4: the last frame's own, and the one behind
        (24.0, 60, 4, [0, 2, 5, 8, 10]),
    ],
)
def test_keys_are_on_the_ticks_nearest_to_the_frames(fps: float, rate: int, count: int, ticks: list[int]) -> None:
    """And are looked at there, so that what moves evenly does."""
    once = Grid(fps / rate, rate / fps).clip(7.0, 7.0, 7.0 + count, loops=False)
    assert (once.frames - 7) * rate / fps == pytest.approx(ticks, abs=1e-6)
    assert once.sampled[:-1] == pytest.approx(once.frames[:-1]) and once.sampled[-1] == 7 + count


@pytest.mark.parametrize(("fps", "rate"), [(30.0, 1000), (30000 / 1001, 1000), (24.0, 50), (25.0, 30), (30.0, 50), (60.0, 30), (24.0, 60)])
def test_a_loop_that_is_closed_by_a_step_is_as_long_as_its_frames(fps: float, rate: int) -> None:
    grid = Grid(fps / rate, max(1.0, rate / fps))
    for frames in (23, 24, 50, 301):
        clip = grid.clip(3.0, 3.0, 3.0 + frames, loops=True)
        closed = (grid.behind(clip) - 3) * rate / fps
        assert closed == pytest.approx(round(closed), abs=1e-6)
        assert abs(closed - (frames + 1) * rate / fps) <= (0.5 + 1e-6 if fps <= rate else 1.0)
        assert closed > (clip.frames[-1] - 3) * rate / fps + 0.5


def test_what_leads_into_a_loop_has_its_keys_at_the_frames_before_it() -> None:
    clip = Grid(0.03, 1 / 0.03).clip(-2.5, 0.0, 3.0, loops=True)
    assert clip.frames / 0.03 == pytest.approx([-83, -67, -33, 0, 33, 67, 100], abs=1e-6)
    assert clip.loop == 3


def quaternions(degrees: list[float]) -> Floats:
    """About X, each as Blender may have it: with w above 0."""
    half = np.radians(degrees) / 2
    return np.stack([np.cos(half), np.sin(half), 0 * half, 0 * half], axis=1)


def test_an_axis_does_not_jump_where_the_rotation_goes_through_rest() -> None:
    values = rotation_values(quaternions([20, 10, -10, -20, 10]), "AXIS_ANGLE")
    assert np.degrees(values[:, 0]) == pytest.approx([20, 10, -10, -20, 10])
    assert values[:, 1:] == pytest.approx(np.tile([1.0, 0, 0], (5, 1)))


def test_an_axis_stays_where_nothing_rotates() -> None:
    values = rotation_values(quaternions([0, 30, 0, 30]), "AXIS_ANGLE")
    assert np.degrees(values[:, 0]) == pytest.approx([0, 30, 0, 30])
    assert values[:, 1:] == pytest.approx(np.array([[0.0, 1, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0]]))


HEADS = np.array([[0, 0, 1], [0, 0.1, 1.5], [0.5, 0, 1.4], [-0.5, 0, 1.4], [0.2, -0.3, 0]], float)


def a_figure(heads: Floats) -> Figure:
    return figure_of(list("abcde"), [-1, 0, 1, 1, 0], heads)


@pytest.mark.parametrize("quarter", range(4))
def test_a_body_is_the_same_wherever_it_looks(quarter: int) -> None:
    """(x, y) becomes (-y, x) with each quarter; c is the left one of two in the first of them."""
    heads, left = HEADS, np.array([1.0, 0, 0])
    for _ in range(quarter):
        heads = np.stack([-heads[:, 1], heads[:, 0], heads[:, 2]], axis=1)
        left = np.array([-left[1], left[0], 0])
    figures = a_figure(HEADS), a_figure(heads)
    unnamed: list[Side] = [""] * 5
    two = [halves(figure, unnamed) for figure in figures]
    known, rotated = Body.of(figures[0], two[0], np.array([1.0, 0, 0])), Body.of(figures[1], two[1], left)
    for name in ("reach", "mass", "position", "along", "out"):
        assert getattr(known, name) == pytest.approx(getattr(rotated, name)), name
    assert known.kinds == rotated.kinds == (MIDDLE, MIDDLE, LEFT, RIGHT, ODD_LEFT)
    assert np.linalg.norm(known.along[1:], axis=1) == pytest.approx(np.ones(4))


@pytest.mark.parametrize("pair", [("a", "missing"), ("missing", "b")])
def test_a_pair_of_which_one_bone_is_missing_is_left_out(pair: tuple[str, str]) -> None:
    figure = a_figure(HEADS)
    with log.collect() as said:
        binding = bind(BoneMap((Pair("a", "a"), Pair(*pair))), figure, figure, figure.heads)
    assert [follower.target for follower in binding.followers] == [0]
    assert any("missing" in message.text for message in said.messages)


def test_a_goal_is_missed_by_a_share_of_the_leg() -> None:
    """Of a leg of 2 m a hundredth is 2 cm; of one of half a metre, 5 mm."""
    missed = {"leftHand": np.array([0.0, 0.011, 0.021, 0.05])}
    assert [reports(missed, leg)[0].frames for leg in (2.0, 0.5)] == [2, 3]
    assert reports(missed, 2.0)[0].missed == 0.05


def test_what_follows_above_may_be_the_first_bone() -> None:
    """a, the root, is above b; b is above c, whether or not something between them follows."""
    figure = a_figure(HEADS)
    every = bind(BoneMap((Pair("a", "a"), Pair("b", "b"), Pair("c", "c"))), figure, figure, figure.heads)
    assert every.above.tolist() == [-1, 0, 1]
    without = bind(BoneMap((Pair("a", "a"), Pair("c", "c"))), figure, figure, figure.heads)
    assert without.above.tolist() == [-1, 0]
    assert bind(BoneMap((Pair("c", "c"),)), figure, figure, figure.heads).above.tolist() == [-1]


def test_bones_of_a_spine_have_the_roles_of_vrm() -> None:
    """One is the chest; two are spine and chest; of more the first is the spine, the last the upper chest, one in the middle the chest."""
    assert [spine_roles(range(10, 10 + count)) for count in range(6)] == [
        {},
        {"chest": 10},
        {"spine": 10, "chest": 11},
        {"spine": 10, "chest": 11, "upperChest": 12},
        {"spine": 10, "chest": 12, "upperChest": 13},
        {"spine": 10, "chest": 12, "upperChest": 14},
    ]


def test_the_hips_joint_may_be_beside_the_bone_that_rotates_them() -> None:
    """In the world; every other joint is the head of its bone."""
    world = np.array([[0.0, -2, 0, 10], [2, 0, 0, 20], [0, 0, 2, 30], [0, 0, 0, 1]])
    figure = replace(a_figure(HEADS), world=world, pelvis=np.array([1.0, 2, 3]))
    assert figure.joint(0, "hips").tolist() == [6, 22, 36]
    assert figure.joint(0, "root").tolist() == figure.joint(0).tolist() == [10, 20, 32]
    assert replace(figure, pelvis=None).joint(0, "hips").tolist() == [10, 20, 32]


def test_eight_bones_without_a_pair_are_named_and_the_rest_counted() -> None:
    def lines(count: int) -> list[str]:
        unmapped = tuple(Unmapped(f"bone {number}", 30.0 + number, False, 1.0, True) for number in range(count))
        numbers = dict.fromkeys((item.name for item in fields(Report) if item.default is item.default_factory is MISSING), 0)
        report = Report(**{**numbers, "name": "walk", "limb_worst": "", "joint_error": None, "unmapped": unmapped})  # pyright: ignore[reportArgumentType]
        return [line for line in report.lines() if line.startswith("not mapped")]

    assert lines(8) == [f"not mapped: bone {number} rotates {30 + number:.1f}°" for number in range(8)]
    assert lines(11)[8:] == ["not mapped: 3 more moving bones"]


def test_who_misses_a_bone_without_a_pair() -> None:
    """A person does where it rotates far, reaches far, none below takes it over, and there is one like it: each of the four counts."""
    shown = Unmapped("arm", 90.0, False, 10.0, True)
    assert shown.visible
    for changed in ({"largest": 0.0}, {"inside": True}, {"reach": 0.0}, {"matched": False}):
        assert not replace(shown, **changed).visible
