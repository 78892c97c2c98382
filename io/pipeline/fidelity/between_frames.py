"""Clips that are sampled frame by frame, as they look: where their curves bend or leap between two frames, which the game passes straight.

At the game's own rate nobody sees that; in slow motion, with motion blur and on faster screens it is seen. A smooth curve is hardly bent
within one frame.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ....core.motion.comparison import REST, SLACK, Bones, Steps
from ....core.motion.curves import Channel
from ....core.motion.rotations.rotation_matrix import Floats
from .pair import Pair

_ANGLE = math.radians(1)
"""What a bone may be off between two frames: seen by nobody, and more than fast motion of smooth curves is."""

_SIZE = 0.02
"""The same of a scale."""


def steps(pair: Pair, bones: Bones) -> Steps:
    """What may be off, as the least that counts, besides what fewer keys may: at the far end of a character as far as that angle
    brings it."""
    reach = float(np.linalg.norm(bones.rest[:, :3, 3], axis=-1).max(initial=0)) or 1.0
    far = _ANGLE * reach / pair.clip.scale / SLACK
    return Steps(_ANGLE / SLACK + pair.clip.steps.rotation, far, far, _SIZE)


def frames(pair: Pair, sampled: Floats, least: Steps) -> Floats:
    """(F,) quarters between those of the sampled frames (K,) where a curve is off its straight line by half of what counts."""
    if len(sampled) < 2:
        return np.zeros(0)
    shares = np.array([0.25, 0.5, 0.75])
    between: Floats = sampled[:-1, None] + np.diff(sampled)[:, None] * shares
    bent: NDArray[np.bool_] = np.zeros(len(between), np.bool_)
    for channel, curve in pair.curves.items():
        if channel.property not in REST or (curve.plain and np.isin(curve.keys[:, 0], sampled.astype(np.float32)).all()):
            continue
        values, there = curve.at(sampled), curve.at(between.ravel()).reshape(between.shape)
        straight = values[:-1, None] + np.diff(values)[:, None] * shares
        bent |= (np.abs(there - straight) > _enough(channel, least, pair.clip.scale)).any(axis=1)
    return np.asarray(between[bent].ravel())


def _enough(channel: Channel, least: Steps, scale: float) -> float:
    match channel.property:
        case "location":
            return least.translation * scale / 2
        case "scale":
            return least.scale / 2
        case "rotation_quaternion":
            return least.rotation / 4  # its components are of half the angle
        case _:
            return least.rotation / 2
