"""From wanted rotations and positions to channels: what the channels give, multiplied out, is what was wanted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Motion, Standing
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.transfer.solve import Rotations, Solved, Wanted

from .. import rigs
from ..figures.test_motion import BONES, FRAMES, NOWHERE, figure_of, moving

TIMES = np.arange(float(FRAMES))
WORLD = np.eye(4)
WORLD[:3, :3] = rigs.random_rotations(6, 1)[0] * 0.5
WORLD[:3, 3] = (1, 2, 3)


def some_rotations(seed: int) -> Floats:
    """(F, B, 4)"""
    return quat.of_matrix(rigs.random_rotations(seed, FRAMES * BONES)).reshape(FRAMES, BONES, 4)


def wanted(rotations: dict[int, Floats], **others: dict[int, Floats]) -> Wanted:
    kinds = {kind: others.get(kind, {}) for kind in ("positions", "shifts", "locals", "sizes")}
    given = Rotations({bone: lambda values=values: values for bone, values in rotations.items()})
    return Wanted(given, kinds["positions"], kinds["shifts"], kinds["locals"], kinds["sizes"])


def shown(figure: Figure, asked: Wanted, standing: Standing, references: Floats | None = None) -> Motion:
    solved = Solved(figure, TIMES, asked, figure.quaternions if references is None else references, standing)
    return forward(figure, TIMES, solved.local(), standing)


def same(one: Floats, other: Floats) -> bool:
    return bool(quat.apart(one, other).max() < 1e-6)


STANDINGS = [NOWHERE, moving(1.0), moving(0.3), replace(NOWHERE, scale=2.0)]


@pytest.mark.parametrize("standing", STANDINGS)
@pytest.mark.parametrize(
    ("hinged", "unturned", "fixed"), [((), (), ()), ((0, 2), (), ()), ((), (0, 1, 3), ()), ((), (), (1, 3)), ((1, 3), (0, 3), (2,))]
)
def test_bones_come_to_where_they_are_wanted(
    hinged: tuple[int, ...], unturned: tuple[int, ...], fixed: tuple[int, ...], standing: Standing
) -> None:
    """All of their rotations, and the heads of those that can move."""
    figure = figure_of(hinged, unturned, fixed)
    rotations, positions = some_rotations(4), np.random.default_rng(4).normal(size=(FRAMES, BONES, 3))
    asked = wanted({bone: rotations[:, bone] for bone in range(BONES)}, positions={bone: positions[:, bone] for bone in range(BONES)})
    motion = shown(figure, asked, standing)
    assert same(motion.rotations, rotations)
    free = [bone for bone in range(BONES) if bone not in fixed]
    assert motion.positions[:, free] == pytest.approx(positions[:, free], abs=1e-9)


@pytest.mark.parametrize("standing", STANDINGS)
def test_what_is_not_wanted_goes_along(standing: Standing) -> None:
    """Bones 2 and 4 hang on 1, 3 on 2; the first stays as it is at rest."""
    figure, rotations = figure_of(), some_rotations(4)
    solved = Solved(figure, TIMES, wanted({1: rotations[:, 1]}), figure.quaternions, standing)
    channels = [solved.channels(bone) for bone in range(BONES)]
    assert [[each is None for each in both] for both in channels] == [[bone != 1, True] for bone in range(BONES)]
    assert all(solved.pose(bone)[0].shape == (FRAMES, 4) for bone in range(BONES))
    motion = forward(figure, TIMES, solved.local(), standing)
    rest = forward(figure, TIMES, Solved(figure, TIMES, wanted({}), figure.quaternions, standing).local(), standing)
    assert same(motion.rotations[:, 0], rest.rotations[:, 0]) and same(motion.rotations[:, 1], rotations[:, 1])
    assert motion.positions[:, 1] == pytest.approx(rest.positions[:, 1])
    away = quat.multiply(motion.rotations[:, 1], quat.conjugate(rest.rotations[:, 1]))
    for bone in (2, 3, 4):
        assert same(motion.rotations[:, bone], quat.multiply(away, rest.rotations[:, bone]))
        arm = rest.positions[:, bone] - rest.positions[:, 1]
        assert motion.positions[:, bone] == pytest.approx(motion.positions[:, 1] + quat.rotate(away, arm), abs=1e-9)


def test_shifts_and_local_rotations_count_from_the_parent_in_its_reference_pose() -> None:
    """In the axes of the world, where the object is turned and of half the size: the parent's rotation away from there carries both."""
    figure = replace(figure_of(), world=WORLD)
    standing, rotations = Standing.still(figure), some_rotations(7)
    references = quat.multiply(some_rotations(9)[0], figure.quaternions)
    shift, local = np.random.default_rng(1).normal(size=(FRAMES, 3)), some_rotations(8)[:, 0]
    asked = wanted({0: rotations[:, 0], 1: rotations[:, 1]}, shifts={2: shift}, locals={2: local})
    motion = shown(figure, asked, standing, references)
    away = quat.multiply(rotations[:, 1], quat.conjugate(references[1]))
    assert same(motion.rotations[:, 2], quat.multiply(quat.multiply(away, local), references[2]))
    plain = shown(figure, wanted({0: rotations[:, 0], 1: rotations[:, 1]}), standing, references)
    assert motion.positions[:, 2] - plain.positions[:, 2] == pytest.approx(quat.rotate(away, shift), abs=1e-9)
    root = shown(figure, wanted({}, shifts={0: shift}, locals={0: local}), standing, references)
    assert root.positions[:, 0] == pytest.approx(figure.heads[0] + shift, abs=1e-9)
    assert same(root.rotations[:, 0], quat.multiply(local, references[0]))


@pytest.mark.parametrize(
    "locked", [(True, True, True), (True, False, True), (False, True, True), (True, False, False), (False, False, True)]
)
@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "ZYX"])
def test_a_game_s_bones_rotate_about_their_free_axes_alone(locked: tuple[bool, bool, bool], mode: str) -> None:
    """By Euler angles in the bone's order, of which those about the others are left out; about one alone by the twist about that."""
    figure = replace(figure_of(), locked=np.tile(locked, (BONES, 1)), modes=(mode,) * BONES)
    rotations = some_rotations(4)
    solved = Solved(figure, TIMES, wanted({0: rotations[:, 0]}), figure.quaternions, NOWHERE)
    basis, _ = solved.channels(0)
    assert basis is not None
    free = quat.multiply(quat.conjugate(quat.of_matrix(figure.rest_rotations[0])), rotations[:, 0])
    order = "XYZ" if mode == "QUATERNION" else mode
    if sum(locked) == 3:
        assert same(basis, np.tile(quat.IDENTITY, (FRAMES, 1)))
    elif sum(locked) == 2:
        axis = locked.index(False)
        twist = np.zeros((FRAMES, 4))
        twist[:, 0], twist[:, 1 + axis] = free[:, 0], free[:, 1 + axis]
        assert same(basis, twist / np.linalg.norm(twist, axis=1, keepdims=True))
    else:
        angles = rotation_matrix.to_euler(rotation_matrix.from_quaternion(free), order)
        angles[:, locked.index(True)] = 0
        assert same(basis, quat.of_matrix(rotation_matrix.from_euler(angles, order)))
    motion = forward(figure, TIMES, solved.local(), NOWHERE)
    below = shown(replace(figure, locked=np.zeros((BONES, 3), bool)), wanted({0: motion.rotations[:, 0]}), NOWHERE)
    assert motion.positions == pytest.approx(below.positions, abs=1e-9), "and what hangs on them goes along with what is left"


def test_scales_are_those_that_are_wanted() -> None:
    figure, size = figure_of(), np.full((FRAMES, 3), 2.0)
    assert Solved(figure, TIMES, wanted({}), figure.quaternions, NOWHERE).sizes() is None
    solved = Solved(figure, TIMES, wanted({}, sizes={3: size}), figure.quaternions, NOWHERE)
    sizes = solved.sizes()
    assert sizes is not None and list(solved.sized) == [3]
    assert sizes[:, 3].tolist() == size.tolist() and (np.delete(sizes, 3, axis=1) == 1).all()


def test_rotations_are_computed_when_they_are_asked_for() -> None:
    asked: list[int] = []

    def give(bone: int) -> Floats:
        asked.append(bone)
        return np.full((1, 4), float(bone))

    rotations = Rotations({1: lambda: give(1), 2: lambda: give(2)})
    before = rotations.copy()
    assert (len(rotations), list(rotations), 1 in rotations, 3 in rotations, asked) == (2, [1, 2], True, False, [])
    assert rotations[2][0, 0] == 2 and asked == [2] and rotations.maker(1)()[0, 0] == 1
    rotations.put({1: np.full((1, 4), 7.0), 3: np.full((1, 4), 9.0)})
    rotations.make(2, lambda: give(5))
    assert [rotations[bone][0, 0] for bone in (1, 2, 3)] == [7, 5, 9]
    rotations.drop(1)
    rotations.drop(8)
    assert list(rotations) == [2, 3] and list(before) == [1, 2] and before[2][0, 0] == 2
