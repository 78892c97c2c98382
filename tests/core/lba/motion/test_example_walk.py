"""The hero's walk, with numbers worked out by hand from his files."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm
from retro_anim.core.lba.files.variant import LBA1
from retro_anim.core.lba.motion.evaluate import evaluate
from retro_anim.core.lba.motion.playback import root_at_keys, rotations_of, state_at
from support.lba.lba_walk import KEYFRAME_1

from .. import engine

Twinsen = tuple[Body, Anm]

FRAME_1 = {0: (0, 0, 0), 1: (0, -12, 0), 2: (1004, 0, 0), 3: (16, 984, 0), 4: (954, 0, 0), 5: (956, 0, 0)}
LOCALS = {
    0: (0, 0, 0),
    1: (0, 33, 0),
    2: (0, 533, 33),
    3: (0, 33, 0),
    12: (0, 0, -133),
    32: (133, 300, 0),
    39: (0, -200, -120),
    46: (66, -233, 0),
    51: (33, -200, 0),
}
PIVOTS = {1: (0, 33, 0), 2: (0, 554, 33), 3: (0, 586.752, 28.960), 4: (129.014, 887.455, 53.905), 5: (169.460, 678.386, 169.227)}
WHOLE = {0: (0, 0, 0), 2: (0, 554, 33), 3: (0, 586, 28), 12: (32, 582, -101), 39: (135, 653, 32), 51: (164, 547, 323)}
BETWEEN = {3: (0, 598, 29), 12: (18, 592, -103), 39: (140, 672, -25), 51: (207, 500, 209)}


def test_the_files_are_the_ones_meant(twinsen: Twinsen) -> None:
    body, anm = twinsen
    assert {point: tuple(body.points[point].tolist()) for point in LOCALS} == LOCALS
    assert {bone: tuple(anm.values[1, bone].tolist()) for bone in FRAME_1} == FRAME_1
    assert anm.types[1, :6].tolist() == [0, 1, 0, 0, 0, 0]
    assert body.parents[:6].tolist() == [-1, 0, 1, 2, 3, 4]


def test_keyframe_1_in_floating_point(twinsen: Twinsen) -> None:
    body, anm = twinsen
    posed = evaluate(body, state_at(anm, LBA1, np.array([9.0])), LBA1)
    for point, position in {0: (0, 0, 0), **KEYFRAME_1}.items():
        assert posed.points[0, point] == pytest.approx(position, abs=1e-3), point
    for group, position in PIVOTS.items():
        assert posed.pivots[0, group] == pytest.approx(position, abs=1e-3), group
        assert posed.matrices[0, group, :3, 3] - (0, -12 * (group == 1), 0) == pytest.approx(position, abs=1e-3), group
    rows = [(0.97003, 0, -0.24298), (0.00596, 0.99970, 0.02381), (0.24291, -0.02454, 0.96974)]
    assert posed.matrices[0, 3, :3, :3] == pytest.approx(np.array(rows), abs=1e-5)


def test_keyframe_1_in_whole_numbers(twinsen: Twinsen) -> None:
    body, anm = twinsen
    points = engine.vertices(body, state_at(anm, LBA1, np.array([9.0])))
    assert {point: tuple(points[point].tolist()) for point in WHOLE} == WHOLE


def test_the_whole_matrices() -> None:
    matrix = engine.rotate((16384 * np.eye(3)).astype(np.int64), np.array([1004, 0, 0]))
    assert matrix.tolist() == [[16384, 0, 0], [0, 16261, 2006], [0, -2006, 16261]]
    matrix = engine.rotate(matrix, np.array([16, 984, 0]))
    assert matrix.tolist() == [[15893, 0, -3981], [97, 16379, 389], [3979, -403, 15888]]


def test_four_ticks_into_keyframe_2(twinsen: Twinsen) -> None:
    body, anm = twinsen
    state = engine.whole(state_at(anm, LBA1, np.array([9.0 + 4])), anm.values[1])
    assert state.values[0, 1].tolist() == [0, 0, 0]
    assert state.values[0, 2, 0] == 1008
    assert state.values[0, 3, :2].tolist() == [9, 1001]
    points = engine.vertices(body, state)
    assert {point: tuple(points[point].tolist()) for point in BETWEEN} == BETWEEN


def test_times_and_root_motion(twinsen: Twinsen, anims: dict[int, bytes]) -> None:
    _, walk = twinsen
    assert walk.loop_frame == 1
    assert walk.times.tolist() == [0, 9, 18, 27, 36]
    assert walk.steps[1:, 2].tolist() == [240] * 4
    root = root_at_keys(walk.steps.astype(np.int64), rotations_of(walk, LBA1), LBA1)
    assert root.positions[-1].tolist() == [0, 0, 960]
    rotation = Anm.parse(anims[3])
    root = root_at_keys(rotation.steps.astype(np.int64), rotations_of(rotation, LBA1), LBA1)
    assert root.angles[-1].tolist() == [0, 204, 0]
    assert rotation.durations.tolist() == [15, 15, 10, 15]
    assert rotation.types[:, 0].tolist() == [1, 1, 1, 1]


def test_the_box_of_the_body_fits_the_standing_pose(twinsen: Twinsen, anims: dict[int, bytes]) -> None:
    points = evaluate(twinsen[0], state_at(Anm.parse(anims[0]), LBA1, np.zeros(1)), LBA1).points[0]
    assert np.round(points.min(axis=0)).tolist() == [-277, 0, -167]
    assert np.round(points.max(axis=0)).tolist() == [277, 1238, 198]
