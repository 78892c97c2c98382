"""Every number of the made-up chain: poses, points and the way it goes, at keyframes and between."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.variant import LBA1
from retro_anim.core.lba.motion.evaluate import evaluate
from retro_anim.core.lba.motion.playback import root_at, root_at_keys, rotations_of, state_at
from support.lba import lba1_chain as chain
from support.poses import loop_state

from .. import engine

BODY = Body.from_lm1(Lm1.parse(chain.LM1))
ANM = Anm.parse(chain.ANM)

Row = tuple[float, float, float]

REST: list[Row] = [
    (0, 0, 0),
    (0, 100, 0),
    (0, 100, 0),
    (50, 300, 0),
    (-50, 300, 0),
    (50, 300, 0),
    (50, 300, 300),
    (-50, 300, 0),
    (-150, 300, 0),
    (50, 300, 300),
    (50, 220, 340),
]
HIPS_1: list[Row] = [(0, 0, 0), (0, 100, 0), (0, 112, -8), (50, 312, -8), (-50, 312, -8), (50, 312, -8)]
HIPS_2: list[Row] = [(0, 0, 0), (0, 100, 0), (0, 88, 8), (50, 288, 8), (-50, 288, 8), (50, 288, 8)]
FLOATS: dict[int, list[Row]] = {
    0: REST,
    15: [
        *HIPS_1,
        (122.89405, 354.69994, 279.85964),
        (-50, 312, -8),
        (-131.75848, 255.04241, -16.44886),
        (122.89405, 354.69994, 279.85964),
        (116.02154, 266.73974, 265.17047),
    ],
    25: [
        *HIPS_2,
        (69.44177, 175.8069, 285.5513),
        (-50, 288, 8),
        (-131.75848, 344.95759, -0.44886),
        (69.44177, 175.8069, 285.5513),
        (153.05387, 187.61561, 315.0398),
    ],
    30: REST,
}
WHOLE: dict[int, list[Row]] = {
    0: REST,
    15: [*HIPS_1, (122, 354, 279), (-50, 312, -8), (-132, 255, -17), (122, 354, 279), (115, 266, 264)],
    25: [*HIPS_2, (69, 175, 285), (-50, 288, 8), (-132, 344, -1), (69, 175, 285), (152, 186, 314)],
    30: REST,
}


def between(x: tuple[int, int], tip: Row, arm: Row, end: Row) -> list[Row]:
    """All points at a time when bone 1 stands at (0, x, y)."""
    up, along = 100 + x[0], x[1]
    return [
        (0, 0, 0),
        (0, 100, 0),
        (0, up, along),
        (50, up + 200, along),
        (-50, up + 200, along),
        (50, up + 200, along),
        tip,
        (-50, up + 200, along),
        arm,
        tip,
        end,
    ]


Pose = list[tuple[int, int, int]]
BETWEEN: dict[int, tuple[Pose, list[Row]]] = {
    7: (
        [(0, 5, -3), (1013, 18, 0), (11, 0, 46), (59, 0, 0)],
        between((5, -3), (83, 325, 294), (-147, 277, -5), (84, 236, 308)),
    ),
    15 + 3: (
        [(0, 5, -4), (1014, 16, 90), (10, 0, 40), (52, 153, 0)],
        between((5, -4), (75, 338, 293), (-148, 280, -6), (145, 283, 290)),
    ),
    15 + 9: (
        [(0, -9, 6), (19, 992, 270), (1005, 0, 944), (922, 460, 0)],
        between((-9, 6), (55, 198, 291), (-139, 337, 0), (140, 212, 311)),
    ),
    25 + 2: (
        [(0, -8, 5), (15, 1000, 180), (1009, 0, 964), (947, 308, 0)],
        between((-8, 5), (30, 225, 296), (-144, 327, 1), (113, 217, 326)),
    ),
}
ON_THE_STEP_BACK: tuple[Pose, list[Row]] = (
    [(0, 4, -2), (1016, 13, 0), (8, 0, 33), (42, 0, 0)],
    between((4, -2), (73, 318, 296), (-148, 283, -3), (74, 231, 318)),
)


@pytest.mark.parametrize("time", FLOATS)
def test_points_at_keyframes_in_floating_point(time: int) -> None:
    points = evaluate(BODY, state_at(ANM, LBA1, np.array([float(time)])), LBA1).points[0]
    assert points == pytest.approx(np.array(FLOATS[time]), abs=1e-5)


@pytest.mark.parametrize("time", WHOLE)
def test_points_at_keyframes_in_whole_numbers(time: int) -> None:
    points = engine.vertices(BODY, state_at(ANM, LBA1, np.array([float(time)])))
    assert points.tolist() == [list(row) for row in WHOLE[time]]


@pytest.mark.parametrize("time", BETWEEN)
def test_between_keyframes(time: int) -> None:
    pose, points = BETWEEN[time]
    between = state_at(ANM, LBA1, np.array([float(time)]))
    state = engine.whole(between, ANM.values[np.searchsorted(ANM.times, time) - 1])
    assert state.values[0].tolist() == [[0, 0, 0], *map(list, pose)]
    assert state.kinds[0].tolist() == [0, 1, 0, 0, 0]
    assert engine.vertices(BODY, state).tolist() == [list(row) for row in points]
    assert evaluate(BODY, between, LBA1).points[0] == pytest.approx(np.array(points), abs=4)


def test_on_the_way_back_to_the_loop_frame() -> None:
    pose, points = ON_THE_STEP_BACK
    state = engine.whole(loop_state(ANM, LBA1, 5), ANM.values[-1])
    assert state.values[0].tolist() == [[0, 0, 0], *map(list, pose)]
    assert engine.vertices(BODY, state).tolist() == [list(row) for row in points]


def test_the_way_back_ends_at_the_loop_frame() -> None:
    state = loop_state(ANM, LBA1, 15)
    assert state.values[0, 2].tolist() == [1000, 40, 0]


def test_root_motion() -> None:
    root = root_at_keys(ANM.steps.astype(np.int64), rotations_of(ANM, LBA1), LBA1)
    assert root.angles[:, 1].tolist() == [0, 0, 64, 0]
    sine = float(np.sin(np.pi / 8))
    assert root.positions[1] == pytest.approx((0, 0, 240))
    assert root.positions[2] == pytest.approx((240 * sine, 0, 240 + 240 * np.cos(np.pi / 8)))  # turned first, then moved
    assert root.positions[3] == pytest.approx((101.84402, -20, 491.73109), abs=1e-5)
    at_keys = root_at(ANM, LBA1, ANM.times.astype(float))
    assert at_keys.positions == pytest.approx(root.positions)
    assert at_keys.angles.tolist() == root.angles.tolist()
