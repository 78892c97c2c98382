"""Rotations of more than half a circle between two keyframes, which the game takes in the other direction."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...motion import finite
from ...motion.rigs.rig import Rig
from ...reporting import log
from ..files.variant import Variant
from .sampled import Sampled


def report_half_circles(sampled: Sampled, rig: Rig, game: Variant) -> None:
    """The worst of them, the loop's way back included; where a bone is translated its angles are none."""
    angles, positions, frames = sampled.bones.angles, sampled.bones.positions, sampled.frames
    if sampled.closing is not None:
        end = sampled.closing
        angles, positions = np.concatenate([angles, end.bones.angles]), np.concatenate([positions, end.bones.positions])
        frames = np.append(frames, end.frames)
    steps = finite.whole(angles * (game.rotation / (2 * np.pi)))
    shown = np.diff(steps, axis=0)
    other: NDArray[np.bool_] = np.abs(shown - game.wrap(np.diff(steps % game.rotation, axis=0))).max(axis=2) > 1
    still: NDArray[np.bool_] = np.all(np.abs(positions) < 0.5, axis=2)
    other &= still[:-1] & still[1:]
    other[:, 0] = False
    if not other.any():
        return
    sizes: NDArray[np.int64] = np.abs(shown).max(axis=2) * other
    key, bone = np.unravel_index(int(np.argmax(sizes)), sizes.shape)
    more = int(other.sum()) - 1
    others = f" (and {more} more such rotation{'s' * (more > 1)})" if more else ""
    log.warning(
        f"{rig.skeleton.names[bone]} rotates by {sizes[key, bone] * 360 / game.rotation:.4g} degrees between "
        f"frames {frames[key]:g} and {frames[key + 1]:g}{others}: the game takes the shorter direction; put a key between",
        topic="half circle",
        bone=rig.skeleton.names[bone],
        frame=float(frames[key]),
    )
