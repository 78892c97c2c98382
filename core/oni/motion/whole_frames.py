"""Keys anywhere in Blender's time, at the whole frames that the game has."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...motion.curves import Timing
from ...motion.rotations.rotation_matrix import Floats
from ...motion.sampling import ON_FRAME


def whole_frames(frames: Floats, timing: Timing) -> NDArray[np.int64]:
    """(K,) ascending, each once, may be below 0: of keys at `frames` of the scene. A key between two frames of the game becomes one on
    either, so that all frames around it are as they were."""
    exact = timing.times(frames)
    nearest = np.rint(exact)
    on_frame = np.abs(exact - nearest) <= ON_FRAME
    if on_frame.all() and (np.diff(nearest) > 0).all():
        return nearest.astype(np.int64)
    both = np.concatenate([np.where(on_frame, nearest, np.floor(exact)), np.where(on_frame, nearest, np.ceil(exact))])
    return np.unique(both.astype(np.int64))


def last_whole(frames: Floats, timing: Timing) -> int:
    """The game's frame at or just behind the last of keys at ascending `frames`; -1 without keys."""
    return int(whole_frames(frames[-1:], timing)[-1]) if len(frames) else -1


def keys_on_frames(frames: Floats, timing: Timing) -> NDArray[np.int64]:
    """(K,) those frames of the game that keys at `frames` of the scene stand on, and not between."""
    exact = timing.times(frames)
    nearest = np.rint(exact)
    return nearest[np.abs(exact - nearest) <= ON_FRAME].astype(np.int64)
