"""Bones are compared, and curves read, in pieces of any length, as if all frames had been there at once."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion import comparison
from retro_anim.core.motion.comparison import Bones, Comparison, Difference, Steps
from retro_anim.core.motion.curves import interpolated
from retro_anim.core.motion.pieces import pieces
from retro_anim.core.motion.rotations.rotation_matrix import Floats, from_euler

RANDOM = np.random.default_rng(5)
FRAMES = np.arange(200.0) / 4
STEPS = Steps(rotation=1e-3, translation=1e-3, path=1e-3)


def bones() -> Bones:
    """Two roots, the first with a chain of three."""
    rest = np.tile(np.eye(4), (5, 1, 1))
    rest[:, 1, 3] = np.arange(5)
    parents = np.array([-1, 0, 1, 2, -1])
    return Bones(tuple("abcde"), parents, rest, np.ones(5, np.bool_), np.zeros(5, np.bool_))


def basis(angles: Floats) -> Floats:
    out = np.tile(np.eye(4), (*angles.shape[:2], 1, 1))
    out[..., :3, :3] = from_euler(angles, "XYZ")
    return out


def compared(shown: Floats, written: Floats, lengths: list[int]) -> list[Difference]:
    gathered, still = Comparison(bones(), STEPS, 1.0), np.tile(np.eye(4), (len(FRAMES), 1, 1))
    for part in np.split(np.arange(len(FRAMES)), np.cumsum(lengths)):
        gathered.add(FRAMES[part], (shown[part], still[part]), (written[part], still[part]))
    return gathered.differences()


@pytest.mark.parametrize("lengths", [[1], [40, 60], [99, 1, 1], [0, 150, 0]])
def test_pieces_tell_what_the_whole_does(lengths: list[int]) -> None:
    angles = RANDOM.normal(size=(len(FRAMES), 5, 3))
    shown, moved = comparison.poses(bones(), basis(angles)), angles.copy()
    moved[:, 2:] += RANDOM.normal(size=(len(FRAMES), 3, 3)) * 0.1
    written = comparison.poses(bones(), basis(moved))
    assert compared(shown, written, lengths) == compared(shown, written, [])


def test_the_first_of_frames_that_are_equally_far_off_is_told() -> None:
    angles = np.zeros((len(FRAMES), 5, 3))
    moved = angles.copy()
    moved[[30, 130], 4] = 0.5, 0, 0
    shown, written = (comparison.poses(bones(), basis(each)) for each in (angles, moved))
    (only,) = compared(shown, written, [100])
    assert (only.bone, only.frame) == ("e", FRAMES[30])
    assert only.size == pytest.approx(np.degrees(0.5), rel=1e-6)


@pytest.mark.parametrize("below", [False, True])
def test_a_root_is_carried_only_if_no_frame_of_any_piece_has_a_bone_below_elsewhere(below: bool) -> None:
    shown = comparison.poses(bones(), basis(np.zeros((len(FRAMES), 5, 3))))
    written = shown.copy()
    written[20, 0, 0, 3] += 1
    if below:
        written[170, 1, 0, 3] += 1
    carried = {each.bone: each.carried for each in compared(shown, written, [100])}
    assert carried["a"] is not below


@pytest.mark.parametrize("count", [1, 2, 7, 500])
def test_pieces_of_a_line_are_those_of_the_whole(count: int) -> None:
    frames = np.sort(RANDOM.uniform(-50, 50, 400)).astype(np.float32)
    frames[100:103] = frames[100]
    values = RANDOM.normal(size=400).astype(np.float32)
    at = np.unique(np.concatenate([frames.astype(np.float64), RANDOM.uniform(-60, 60, 300), np.nextafter(frames.astype(np.float64), 99)]))
    parts = [interpolated(at[first : first + count], frames, values) for first in range(0, len(at), count)]
    assert np.array_equal(np.concatenate(parts), np.interp(at, frames.astype(np.float64), values.astype(np.float64)))


@pytest.mark.parametrize("bones", [0, 1, 17, 1000])
def test_pieces_are_all_frames_once(bones: int) -> None:
    parts = list(pieces(50_000, bones))
    assert np.array_equal(np.concatenate([np.arange(50_000)[part] for part in parts]), np.arange(50_000))
    assert max(part.stop - part.start for part in parts) * bones <= max(1 << 14, 64 * bones)
    assert not list(pieces(0, bones))
