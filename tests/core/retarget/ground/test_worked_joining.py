"""By what a foot is moved at each frame where loops are joined and contacts are close to each other, a hundred frames a second."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats

from .test_worked_holding import STANDS, STRAIGHT, Held, X, sliding


def test_a_loop_ends_as_it_begins_whether_or_not_a_foot_stands_there() -> None:
    """It stands in the beginning, slides by 0.02 there, and is moved by the other half of that at the end; by half of the difference where
    it stands at neither."""
    frames = np.arange(101)
    path = np.interp(frames, [0, 10, 100], [0.0, 0.02, 1.0])[:, None] * X
    change = Held(path, frames <= 10, loop=0, hips_down=False).end()[:, 0]
    assert change[0] == pytest.approx(0.01) and change[100] == pytest.approx(0.01)
    assert change[:11] == pytest.approx(0.01 - path[:11, 0], abs=1e-9)
    near = Held(path, (frames > 5) & (frames <= 10), loop=0, hips_down=False).end()[:, 0]
    mean = path[6:11, 0].mean()
    plain = (mean - path[6, 0]) * (0.5 + 0.5 * np.cos(np.pi * 6 / 12))
    assert near[0] == pytest.approx(plain / 2) and near[100] == pytest.approx(plain / 2)


def test_loops_of_several_clips_end_each_as_it_begins() -> None:
    """As one by itself; and what of the loop begins later."""
    frames = np.arange(101)
    path = np.interp(frames, [0, 10, 100], [0.0, 0.02, 1.0])[:, None] * X
    for loop in (0, 3):
        alone, twice = (
            Held(np.tile(path, (n, 1)), np.tile(frames <= 10, n), loop=loop, hips_down=False, counts=(101,) * n) for n in (1, 2)
        )
        assert alone.end()[100, 0] == pytest.approx(0.01 - path[loop, 0])
        assert twice.end() == pytest.approx(np.tile(alone.end(), (2, 1)), abs=1e-12)


def test_a_short_loop_is_joined_within_half_of_it() -> None:
    """Of 0.16 seconds in 0.08, by the 0.002 that a foot, which stands in its beginning alone, is moved there."""
    frames = np.arange(17.0)
    change = Held((0.002 * frames)[:, None] * X, frames <= 2, loop=0, hips_down=False).end()[:, 0]
    stands = (0.002 - 0.002 * np.minimum(frames, 2)) * (0.5 + 0.5 * np.cos(np.pi * np.clip((frames - 2) / 12, 0, 1)))
    joined = 0.002 * (0.5 + 0.5 * np.cos(np.pi * np.clip((16 - frames) / 8, 0, 1)))
    assert change == pytest.approx(stands + joined, abs=1e-9)


def test_between_two_contacts_both_count() -> None:
    """Each the less the further it is away, and none where the other one stands: of one that ends 0.05 ahead of where it is held, and one
    that begins 0.1 behind. Between them are 0.07 seconds, less than it takes to ease."""
    frames = np.arange(80.0)
    path = np.interp(frames, [10, 30, 37, 61], [0.0, 0.1, 0.1, 0.3])
    result = Held(path[:, None] * X, ((frames >= 10) & (frames <= 30)) | ((frames >= 37) & (frames <= 61)), hips_down=False)
    goals, weights = list[Floats](), list[Floats]()
    for first, last, mean in ((10, 30, 0.05), (37, 61, 0.2)):
        before, behind = (12, 7) if first == 10 else (7, 12)
        beside = np.clip(np.maximum((first - frames) / before, (frames - last) / behind), 0, 1)
        weights.append(0.5 + 0.5 * np.cos(np.pi * beside))
        goals.append(mean - path[np.clip(frames, first, last).astype(int)])
    assert (weights[0] + weights[1]).max() < 1 + 1e-9
    assert result.end()[:, 0] == pytest.approx(weights[0] * goals[0] + weights[1] * goals[1], abs=1e-9)
    held = path + result.end()[:, 0]
    assert held[10:31] == pytest.approx(0.05, abs=1e-9) and held[37:62] == pytest.approx(0.2, abs=1e-9)


def test_a_clip_that_stays_in_its_last_pose_is_held_as_one_that_ends_there() -> None:
    """As the games have it: its loop is the last frame alone, and nothing is to be joined. Hips come down for legs that are all but
    straight."""
    plain, stays = (Held(0.4 * sliding() / 0.1, STANDS, figure=STRAIGHT, loop=loop) for loop in (None, 100))
    assert plain.locked.hips.max() > 0.01
    assert stays.locked.hips == pytest.approx(plain.locked.hips, abs=1e-12)
    assert stays.end() == pytest.approx(plain.end(), abs=1e-12)
