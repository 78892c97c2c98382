"""Soles by numbers: feet tipped by the angles of a triangle of 3, 4 and 5, whose toes and heels follow nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Motion, Standing
from retro_anim.core.retarget.ground.soles import Bent, Sole, Soles, Toe
from retro_anim.core.retarget.ground.treads import Tread

from .. import rigs

X, ANGLE = np.array([1.0, 0.0, 0.0]), float(np.arcsin(0.6))
FOOT, TOE, HEEL = 0, 1, 2
REST = np.tile(np.eye(4), (3, 1, 1))
REST[:, :3, 3] = (0.1, 0, 0.1), (0.1, -0.2, 0.04), (0.1, 0.1, 0.02)
REST[:, :3, :3] = rigs.random_rotations(3, 3)
FIGURE = Figure(("leftFoot", "toe", "heel"), np.array([-1, 0, 0], np.int32), REST, np.full(3, 0.05))
NAN = float("nan")


def tipped(angles: list[float], heights: list[float], counts: tuple[int, ...] = (), bones: tuple[int, ...] = (FOOT,)) -> Motion:
    """Bones tipped forward from their rest, and joints so high, of frames a second apart."""
    rotations = np.tile(FIGURE.quaternions, (len(angles), 1, 1))
    for bone in bones:
        rotations[:, bone] = quat.multiply(quat.about(X, np.array(angles)), FIGURE.quaternions[bone])
    positions = np.tile(FIGURE.heads, (len(angles), 1, 1))
    positions[:, :, 2] = np.array(heights)[:, None]
    return Motion(np.arange(float(len(angles))), rotations, positions, None, Standing.still(FIGURE), counts)


def known(
    toes: tuple[Toe, ...], least: list[float], low: list[float] | None = None, tread: Tread | None = None, ground: float = 0.0
) -> Soles:
    """Of one foot."""
    lowest = np.array(least if low is None else low)
    own = Sole(FOOT, toes, tread, ground, np.array(least), lowest, lowest)
    return Soles(FIGURE, {"leftFoot": own}, np.ones(len(least), bool))


BOTH = (
    Toe(TOE, np.array([0, -0.2, -0.06]), np.array([0, -0.1, 0]), (0.04, 0.05)),
    Toe(HEEL, np.array([0, 0.1, -0.08]), np.zeros(3), (0.02, 0.02)),
)
TIPS, HIGH, LEAST = [0.0, ANGLE, -ANGLE, 0.0], [0.13, 0.1, 0.1, 0.1], [-0.01, -0.02, 0.0, NAN]
DEEP = [-0.04, 0.108 - 0.02, 0.044, -np.inf]
"""Level and 0.03 higher than at rest; toes down, which are 0.1 - 0.2 * 0.6 - 0.06 * 0.8 = -0.068 high instead of 0.04; heel down, which is
0.1 - 0.1 * 0.6 - 0.08 * 0.8 = -0.024 instead of 0.02; and on a ground that is not known."""


def test_a_sole_is_as_deep_as_the_lowest_of_what_hangs_on_it() -> None:
    """Below where it is at rest, by more than it may be; where feet are held, or anywhere."""
    motion, own = tipped(TIPS, HIGH), known(BOTH, LEAST)
    assert own.sunk(motion)["leftFoot"] == pytest.approx(DEEP)
    held = replace(own, is_held=np.array([True, False, True, True])).held(motion)
    assert held["leftFoot"] == pytest.approx([DEEP[0], -np.inf, DEEP[2], -np.inf])
    deep = own.sunk_below(FOOT, motion)
    assert deep is not None and deep == pytest.approx(DEEP) and own.sunk_below(TOE, motion) is None


def test_a_mesh_tells_more_than_joints() -> None:
    """A point 0.3 before the joint and 0.1 below it; the ground is 0.01 lower than that at rest."""
    mesh = Tread(np.array([[0.1, -0.3, 0.0]]), (FOOT, FOOT), np.zeros(1))
    own = known(BOTH, LEAST, tread=mesh, ground=-0.01)
    heights = [0.03, 0.1 - 0.3 * 0.6 - 0.1 * 0.8, 0.1 + 0.3 * 0.6 - 0.1 * 0.8]
    assert own.sunk(tipped(TIPS, HIGH))["leftFoot"] == pytest.approx(
        [low - 0.01 - high for low, high in zip(LEAST, heights, strict=False)] + [-np.inf]
    )


def test_a_sole_is_off_by_nothing_between_the_ground_and_as_far_below_it_as_it_may_be() -> None:
    """What is off is no more than what a joint is; frames in which nothing shows the ground keep that, and so do other feet."""
    heights = [0.13, 0.09, 0.05, 0.13, 0.05, 0.05]
    own = known(BOTH[1:], [-0.02] * 5 + [NAN])
    away = {"leftFoot": np.array([0.1, 0.1, 0.1, 0.01, -0.1, 0.1]), "rightFoot": np.full(6, 0.7)}
    levels = {"leftFoot": np.array([0.0, 0, 0, 0, 0, 0]), "rightFoot": np.zeros(6)}
    result = own.standing_off(away, levels, tipped([0.0] * 6, heights))
    assert result["leftFoot"] == pytest.approx([0.03, 0.0, -0.03, 0.01, -0.1, 0.1])
    assert result["rightFoot"].tolist() == [0.7] * 6 and away["leftFoot"][0] == 0.1
    levels["leftFoot"][:2] = NAN
    assert own.standing_off(away, levels, tipped([0.0] * 6, heights))["leftFoot"][:3] == pytest.approx([0.1, 0.1, -0.03])
    assert own.standing_off({}, levels, tipped([0.0] * 6, heights)) == {}


def test_ends_of_toes_below_where_the_source_s_foot_lets_them() -> None:
    """By the toes' own joint, 0.05 high, and their end, 0.1 before it and 0.05 high at rest: tipped down it is 0.06 lower. At most in each
    clip, whatever is known of the ground; what hangs on a foot without an end counts nothing."""
    motion = tipped([0.0, ANGLE, ANGLE, 0.0, 0.0], [0.05, 0.05, 0.03, 0.06, 0.05], (3, 2), (TOE, HEEL))
    for bone, name in ((FOOT, "leftFoot"), (HEEL, "")):
        toes = tuple(replace(toe, tip=toe.tip * (bone == FOOT)) for toe in BOTH)
        own = known(toes, [NAN] * 5, [-0.01, -0.01, -0.02, 0.0, 0.0])
        assert own.ends_below(motion) == [(name, pytest.approx(0.06 * (bone == FOOT))), ("", 0.0)]
        assert own.may_bend == (bone == FOOT)


def test_the_foot_whose_toes_end_deepest_is_told() -> None:
    motion = tipped([ANGLE], [0.05], (), (TOE,))
    one, other = (known(BOTH, [0.0], [low]).by_leg["leftFoot"] for low in (0.0, 0.01))
    for order, name in (({"leftFoot": one, "rightFoot": other}, "rightFoot"), ({"leftFoot": other, "rightFoot": one}, "leftFoot")):
        assert Soles(FIGURE, order, np.ones(1, bool)).ends_below(motion) == [(name, pytest.approx(0.07))]


def test_the_mesh_that_is_furthest_below_the_source_s_for_as_long_as_a_contact() -> None:
    """A point 0.3 before the joint and 0.1 below it: level on the ground, tipped down 0.26 below the joint. It may be as deep as the
    source's. Of a clip of two frames for both of them."""
    mesh = Tread(np.array([[0.1, -0.3, 0.0]]), (FOOT, FOOT), np.zeros(1))
    angles, heights = [0.0, *[ANGLE] * 3, 0.0, *[ANGLE] * 2, 0.0, 0.0, 0.0], [0.1, 0.1, 0.2, 0.15, 0.1, 0.1, 0.1, 0.0, 0.1, 0.1]
    motion = tipped(angles, heights, (8, 2))
    low = [0.0, -0.1, 0.0, -0.02, 0.0, 0.0, 0.0, -0.2, 0.0, 0.0]  # deep 0, 0.06, 0.06, 0.09, 0, 0.16, 0.16, none, and 0
    own = known(BOTH, [NAN] * 10, low, mesh)
    assert own.meshes_below(motion) == [("leftFoot", pytest.approx(0.06), 2), ("", 0.0, 8)]
    assert own.ends_below(motion) == [("", 0.0), ("", 0.0)], "of which the mesh knows more"
    both = known(BOTH, [NAN] * 10, [*low[:7], -0.05, 0.0, 0.0], mesh)  # deep 0.05 where it was none
    assert both.meshes_below(replace(motion, counts=(5, 5))) == [("leftFoot", pytest.approx(0.06), 2), ("leftFoot", pytest.approx(0.05), 6)]
    assert known(BOTH, [NAN] * 10, low).meshes_below(motion) == [("", 0.0, 0), ("", 0.0, 8)]
    short = replace(motion, counts=(2, 8))
    assert known(BOTH, [NAN] * 10, [-0.01, -0.1, *[-1.0] * 8], replace(mesh, points=mesh.points - (0, 0, 0.05))).meshes_below(short) == [
        ("leftFoot", pytest.approx(0.04), 1),
        ("", 0.0, 2),
    ]


def test_a_mesh_is_where_toes_that_bend_have_it() -> None:
    """Half a point goes with toes that are level, of a foot that is tipped down: 0.15 and 0.26 below its joint, and 0.01 below theirs."""
    points, weights = np.array([[0.1, -0.3, 0.0]]), np.array([[0.5, 0.5, 0.0]])
    figure = replace(FIGURE, sole_points=points, sole_weights=weights)
    motion = tipped([ANGLE] * 3, [0.1] * 3)
    motion.positions[:, TOE, 2] = 0.05
    rigid = Tread(points, (FOOT, FOOT), np.zeros(1))
    own = known(BOTH, [0.0] * 3, tread=rigid)
    assert own.meshes_below(motion)[0][1] == pytest.approx(0.16)
    assert replace(own, target=figure).meshes_below(motion)[0][1] == pytest.approx((0.16 - 0.01) / 2)


STEEP = Toe(TOE, np.array([0, -0.1, -0.02]), np.array([0, -0.08, -0.06]), (0.08, 0.02))
"""Toes that go down at rest, as the angle has it; tipped by that the joint is 0.1 * 0.6 + 0.02 * 0.8 = 0.076 below the foot's, and the end
0.096 below that."""


def ends(own: Soles, motion: Motion, least: float) -> Floats:
    """(F, 3) from the toes' joint to their end."""
    return quat.rotate(quat.multiply(own.bent(motion, least).rotations[TOE], quat.conjugate(FIGURE.quaternions[TOE])), STEEP.tip)


def test_toes_bend_up_to_where_their_ends_may_be() -> None:
    """Which is the ground, but no higher beside their own joint than at rest, and as much lower as the source's foot: of a joint at 0.1, at
    0.06, at 0.06 with a ground that is 0.02 lower, and with one that is not known."""
    own = known((STEEP, BOTH[1]), [0.0, 0.0, -0.02, NAN], [0.0, 0.0, -0.02, 0.0])
    bent = ends(own, tipped([ANGLE] * 4, [0.176, 0.136, 0.136, 0.136]), 0.03)
    assert bent == pytest.approx(np.array([[0, -0.06, -0.08], [0, -0.08, -0.06], [0, -0.06, -0.08], [0, -0.028, -0.096]]))


def test_toes_bend_in_clips_in_which_that_is_seen() -> None:
    """From 0.096 below their joint up to 0.08 is an angle of 0.36, of 0.1 metres; up to 0.09 one of 0.17."""
    own, motion = known((STEEP,), [-0.02] * 2 + [-0.03]), tipped([ANGLE] * 3, [0.136] * 3, (2, 1))
    assert ends(own, motion, 0.03) == pytest.approx(np.array([[0, -0.06, -0.08]] * 2 + [[0, -0.028, -0.096]]))
    assert own.bent(motion, 0.03).clips[TOE].tolist() == [True, False] and own.bent(motion, 0.015).clips[TOE].tolist() == [True, True]
    assert own.bent(motion, 0.037).rotations == {} and own.bent(motion, 0.03).rotations.keys() == {TOE}
    assert own.bent(motion, 0.03).still(2) == [set(), {TOE}] and Bent().still(2) == [set(), set()]


@pytest.mark.parametrize(("yaw", "sine"), [(0.0, 0.0), (1.2, 0.0), (0.0, 0.2)])
def test_toes_bend_about_the_axis_across_them(yaw: float, sine: float) -> None:
    """Wherever at rest they point to, of a foot that is tipped about that axis; beyond upright they bend the less, by a sine of 0.5 not at
    all: by the part of 1 - 0.2 / 0.5 of what brings them from straight down, and 0.2 further, to 0.08 below their joint."""
    about, back = quat.about(np.array([0.0, 0, 1]), np.array(yaw)), np.pi / 2 + np.arcsin(sine)
    toe = Toe(TOE, np.zeros(3), quat.rotate(about, np.array([0, -0.1, 0])), (0.0, 0.0))
    change = quat.about(quat.rotate(about, X), np.array(back))
    plain = tipped([0.0], [0.08])
    motion = replace(plain, rotations=quat.multiply(change, plain.rotations))
    angle = (back - np.arcsin(0.8)) * (1 - sine / 0.5)
    bent = known((toe,), [0.0]).bent(motion, 0.001).rotations[TOE]
    end = quat.rotate(quat.multiply(bent, quat.conjugate(FIGURE.quaternions[TOE])), toe.tip)
    wanted = 0.1 * np.array([[0, -np.cos(back - angle), -np.sin(back - angle)]])
    assert end == pytest.approx(quat.rotate(about, wanted), abs=1e-9)


def test_toes_that_cannot_reach_the_ground_bend_as_far_up_as_they_can() -> None:
    """Which rise to 0.06 at rest, on a foot that is rolled by so much about its length that they rise to 0.04 at most; tipped by a right
    angle before that."""
    toe = Toe(TOE, np.zeros(3), np.array([0, -0.08, 0.06]), (0.0, 0.06))
    roll = quat.about(np.array([0.0, 1, 0]), np.arccos(np.array(0.4)))
    plain = tipped([np.pi / 2], [0.0])
    motion = replace(plain, rotations=quat.multiply(roll, plain.rotations))
    bent = known((toe,), [0.0]).bent(motion, 0.001).rotations[TOE]
    end = quat.rotate(quat.multiply(bent, quat.conjugate(FIGURE.quaternions[TOE])), toe.tip)
    assert end[:, 2] == pytest.approx([0.04]) and np.abs(end[:, 1]).max() < 1e-9
