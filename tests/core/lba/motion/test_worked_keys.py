"""Keys of bones that are worked out by hand: types at rest in new keyframes, and bones that nothing shows."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from retro_anim.core.lba.files.anm import Anm, frame_dtype
from retro_anim.core.lba.files.variant import LBA1, LBA2, Variant
from retro_anim.core.lba.motion.bones import _resting, restore_extra
from retro_anim.core.lba.motion.sampled import Settings, keyframes_of
from retro_anim.core.motion.curves import Channel, Curve, Timing

R, T = 0, 1


def an_anm(types: list[list[int]]) -> Anm:
    """Three values for each bone that are found again: 100 times the keyframe, and the bone's number."""
    frames = np.zeros(len(types), frame_dtype(len(types[0])))
    frames["bones"]["type"] = types
    frames["bones"]["value"] = (100 * np.arange(len(types))[:, None] + np.arange(len(types[0])))[..., None]
    return Anm(0, 0, frames)


@pytest.mark.parametrize("game", [LBA1, LBA2])
def test_a_new_keyframe_is_at_rest_as_the_next_of_the_file(game: Variant) -> None:
    """Before both of them, between them and behind the last. Keyframes of the file, and bones that it has not, are as their curves say."""
    original = an_anm([[R, R, T], [R, T, R]])
    match = np.array([-1, 0, -1, 1, -1])
    own = np.array([False, True, False, True])
    wanted = [[R, R, T, T], [R, T, R, T], [R, T, R, T], [R, T, R, T], [R, T, R, T]]
    assert _resting(own, match, original, game).astype(int).tolist() == wanted


@pytest.mark.parametrize(("sizes", "expected"), [([1, 1], [1, 6]), ([1, 1.2], [1, 3.5, 6, 8.5])])
def test_keys_of_a_scale_that_is_none_are_no_keyframes(sizes: list[float], expected: list[float]) -> None:
    """Blender keys it with all the rest; it may stand elsewhere after an edit in time."""
    curves = {
        Channel("arm", name, 0): Curve(np.array(frames, np.float32), np.array(numbers, np.float32))
        for name, frames, numbers in (("rotation_euler", [1, 6], [0, 1]), ("scale", [3.5, 8.5], sizes))
    }
    settings = Settings(LBA1, Timing(50, 50, 1), 0.001, "NONE")
    assert keyframes_of(curves, settings).tolist() == expected
    assert keyframes_of({}, settings).tolist() == [1]


def values(frames: NDArray[np.void], bone: int) -> list[int]:
    return frames["bones"]["value"][:, bone, 0].tolist()


def test_bones_that_the_armature_does_not_show_keep_the_values_of_the_file() -> None:
    """Of a new keyframe those of the one before, of the first where none is; bones that the action holds, or the body shows, stay."""
    original = an_anm([[R] * 4, [R] * 4])
    frames = np.zeros(4, frame_dtype(4))
    restore_extra(frames, np.array([-1, 0, -1, 1]), original, 2, {3: np.zeros((4, 3))})
    assert [values(frames, bone) for bone in range(4)] == [[0] * 4, [0] * 4, [2, 2, 2, 102], [0] * 4]
    fewer = np.zeros(4, frame_dtype(3))
    restore_extra(fewer, np.array([-1, 0, -1, 1]), original, 0, {})
    assert [values(fewer, bone) for bone in range(3)] == [[bone, bone, bone, 100 + bone] for bone in range(3)]
