"""Bones that are rotated at rest as no body's are, which the motion shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.directions import angle_between
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import Result, retarget
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer.alignment.unfit import unfit
from retro_anim.core.retarget.transfer.binding import bind

from .. import rigs
from ..ground.stances import about_z

FIGURE = rigs.humanoid()
OTHER = rigs.humanoid(offsets=rigs.OFFSETS * np.where([[name.endswith(("LowerArm", "Foot"))] for name in rigs.NAMES], 1.2, 1.0))
"""Of other proportions, and the same directions."""


def twisted(names: tuple[str, ...], degrees: float) -> Figure:
    """The figure with bones that are rotated about themselves at rest; all joints are where they were."""
    rest = np.array(FIGURE.rest)
    for name in names:
        bone = FIGURE.index[name]
        along = rigs.OFFSETS[np.flatnonzero(bone == rigs.PARENTS)[0]]
        rest[bone, :3, :3] = rotation_matrix.from_axis_angle(np.array([np.radians(degrees), *along])) @ rest[bone, :3, :3]
    return replace(FIGURE, rest=rest)


def calm() -> Motion:
    return rigs.dance(FIGURE, 40, most=0.3)[1]


def followed(source: Figure, target: Figure = OTHER) -> Result:
    setup = prepare(source, target, rigs.SAME, Options(feet=False, floor="REST"), motion=calm())
    return retarget(setup, calm(), 30.0, "calm")


def off(result: Result) -> dict[str, float]:
    angles = np.degrees(quat.apart(result.motion.rotations, calm().rotations)).max(axis=0)
    return dict(zip(rigs.NAMES, angles.tolist(), strict=True))


def test_a_neck_that_is_twisted_at_rest_is_not_so_on_the_target() -> None:
    angles = off(followed(twisted(("neck",), 130)))
    assert angles.pop("neck") < 25  # of the mean of the motion, which is not quite none
    assert max(angles.values()) < 0.01


def test_a_twist_that_a_body_has_stays() -> None:
    angles = off(followed(twisted(("neck",), 40)))
    assert 35 < angles["neck"] < 45


def test_where_many_are_twisted_a_frame_serves_instead() -> None:
    result = followed(twisted(("chest", "neck", "leftLowerLeg", "rightFoot", "leftShoulder"), 130))
    assert max(off(result).values()) < 60
    line = next(line for line in result.report.lines() if "serves as its reference pose" in line)
    assert line.startswith("the source is twisted (chest, neck, leftShoulder and 4 more) at rest: its frame ")
    assert not result.report.asking


def test_feet_point_to_their_toes_wherever_that_frame_looks() -> None:
    """Onto ankles that are higher, so that the foot at the target's rest points elsewhere; seen along -Y it looks backwards."""
    motion, figure = about_z(calm(), 143), twisted(("chest", "neck", "leftLowerLeg", "leftShoulder"), 130)
    target = rigs.humanoid(offsets=rigs.OFFSETS + np.where([[name.endswith("Toes")] for name in rigs.NAMES], [0.0, 0, -0.06], 0.0))
    setup = prepare(figure, target, rigs.SAME, Options(feet=False, floor="REST"), motion=motion)
    assert setup.stands is not None
    followed = retarget(setup, motion, 30.0, "calm").motion
    for side in ("left", "right"):
        foot, toes = (FIGURE.index[f"{side}{part}"] for part in ("Foot", "Toes"))
        lines = [each.positions[:, toes] - each.positions[:, foot] for each in (motion, followed)]
        assert np.degrees(angle_between(lines[0] @ setup.frame.T, lines[1])).max() < 1e-3


def test_one_figure_is_copied_as_it_is() -> None:
    figure = twisted(("neck", "chest", "leftLowerLeg"), 130)
    assert max(off(followed(figure, figure)).values()) < 0.01


def test_how_far_a_bone_is_off_is_a_rotation() -> None:
    """A head that looks 90 degrees to the side, and 20 to and fro: in the mean a quarter of a circle."""
    angles = np.radians(90.0 + np.array([20.0, -20] * 10))
    local = Local(np.zeros((20, len(FIGURE), 3)), np.tile(quat.IDENTITY, (20, len(FIGURE), 1)))
    local.rotations[:, FIGURE.index["head"]] = quat.about(np.array([0.0, 0, 1]), angles)
    local.rotations[1::3] *= -1  # the same rotations
    motion = forward(FIGURE, np.arange(1.0, 21), local)
    off = unfit(bind(rigs.SAME, FIGURE, OTHER, FIGURE.heads), motion, FIGURE.quaternions)
    assert list(off) == [FIGURE.index["head"]]
    assert off[FIGURE.index["head"]] == pytest.approx([np.sqrt(0.5), 0, 0, np.sqrt(0.5)])


@pytest.mark.parametrize(("axis", "twisted"), [((1.0, 0, 0), False), ((0.0, -0.1, 1), True)], ids=["bowed", "about itself"])
def test_a_neck_that_is_bowed_is_not_twisted(axis: tuple[float, float, float], twisted: bool) -> None:
    """By 70 degrees in all frames, across it or about the line to the head."""
    local = Local(np.zeros((20, len(FIGURE), 3)), np.tile(quat.IDENTITY, (20, len(FIGURE), 1)))
    about = np.array(axis) / np.linalg.norm(axis)
    for name, sign in (("neck", 1), ("head", -1)):
        local.rotations[:, FIGURE.index[name]] = quat.about(about, np.radians(np.full(20, sign * 70.0)))
    motion = forward(FIGURE, np.arange(1.0, 21), local)
    off = unfit(bind(rigs.SAME, FIGURE, OTHER, FIGURE.heads), motion, FIGURE.quaternions)
    assert list(off) == ([FIGURE.index["neck"]] if twisted else [])


@pytest.mark.parametrize(("degrees", "away"), [(70.0, False), (80.0, True)])
def test_a_head_of_which_nothing_shows_where_it_points_may_look_further_aside(degrees: float, away: bool) -> None:
    local = Local(np.zeros((20, len(FIGURE), 3)), np.tile(quat.IDENTITY, (20, len(FIGURE), 1)))
    local.rotations[:, FIGURE.index["head"]] = quat.about(np.array([0.0, 0, 1]), np.radians(np.full(20, degrees)))
    off = unfit(bind(rigs.SAME, FIGURE, OTHER, FIGURE.heads), forward(FIGURE, np.arange(1.0, 21), local), FIGURE.quaternions)
    assert list(off) == ([FIGURE.index["head"]] if away else [])
