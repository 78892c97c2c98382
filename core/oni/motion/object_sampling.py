"""What Blender shows of an object at the game's whole frames: from its curves, or from evaluated matrices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.curves import Curves, rotation_channels, sample
from ...motion.rigs.matrix_rig import compose, decompose
from ...motion.rotations import quaternion
from ...motion.rotations.rotation_matrix import Floats
from ...motion.sampling import key_frames
from ...reporting import log
from ...reporting.errors import ExportError
from .object_motion import LOCATION, SCALE, ObjectSettings
from .whole_frames import whole_frames

STEADY = 1e-3
"""Shares of its size that a scale may change before it counts as animated."""

_FLAT = 1e-6
"""Of the longest axis that the shortest is, at most, of what becomes nothing."""

_SAME = 3e-6
"""Shares of its distance, and parts of its axes, by which a parent may move an object and still be of 32 bits."""


@dataclass(frozen=True, eq=False)
class SampledObject:
    """What Blender shows of an object at whole frames of the game. times: (K,). location (K, 3), rotation (K, 4): as the object has them.
    size: (3,) its constant scale."""

    times: NDArray[np.int64]
    location: Floats
    rotation: Floats
    size: Floats


def sample_object(curves: Curves, settings: ObjectSettings, rest: Floats) -> SampledObject:
    """From the curves of an object, its rotation a quaternion. rest: (10,) its location, rotation as quaternion and scale where it has no
    curves. Raises ExportError for a scale that changes."""
    rotations = rotation_channels("", "QUATERNION")
    keyed = key_frames(curves, [*LOCATION, *rotations])
    times = _whole(keyed, settings) if len(keyed) else np.zeros(1, np.int64)
    frames = settings.timing.frames(times.astype(np.float64))
    location = sample(curves, LOCATION, frames, rest[:3])
    if any(channel in curves for channel in rotations):
        rotation = quaternion.normalised(sample(curves, rotations, frames, quaternion.IDENTITY))
    else:
        rotation = np.tile(rest[3:7], (len(frames), 1))
    return SampledObject(times, location, rotation, _steady_scale(curves, rest[7:]))


def moved_by(outside: Floats, keyed: SampledObject) -> SampledObject:
    """With matrices (K, 4, 4) outside of the object at its keys; the same where they change nothing. Raises ExportError for a scale that
    changes, or is nothing: no rotation is seen then."""
    axes = np.linalg.svd(outside[:, :3, :3], compute_uv=False)
    if (axes[:, 2] <= _FLAT * axes[:, 0]).any():
        raise ExportError("it is scaled to nothing, by itself, its delta transform or what it hangs on: scale that back")
    world = outside @ compose(keyed.location, keyed.rotation, np.broadcast_to(keyed.size, keyed.location.shape))
    location, rotation, size = decompose(world)
    reach = np.abs(outside[:, :3, 3]).max(initial=0.0) + np.abs(keyed.location).max(initial=1.0)
    if np.abs(location - keyed.location).max() <= _SAME * reach and np.abs(outside[:, :3, :3] - np.eye(3)).max() <= _SAME:
        return keyed
    return SampledObject(keyed.times, location, quaternion.continuous(rotation), _steady(size))


def _steady(size: Floats) -> Floats:
    """(3,) of (K, 3). Raises ExportError for a scale that changes."""
    if np.abs(size - size[0]).max() > STEADY * max(1e-6, float(np.abs(size[0]).max())):
        raise ExportError("its scale changes: an OBAN can only have the same scale all the time")
    return size[0]


def sample_matrices(matrices: Floats, keyed: SampledObject, first: int) -> SampledObject:
    """From an object's evaluated world matrices (F, 4, 4), one a frame of the game from `first` on. Where everything looks as keyed, the
    keys are those. Raises ExportError for a scale that changes."""
    location, rotation, size = decompose(matrices)
    steady = _steady(size)
    times = first + np.arange(len(matrices))
    rows = keyed.times - first
    if len(rows) and rows[0] >= 0 and rows[-1] < len(times):
        shown_at = np.stack([np.interp(times, keyed.times, keyed.location[:, axis]) for axis in range(3)], axis=1)
        along = np.stack([np.interp(times, keyed.times, keyed.rotation[:, part]) for part in range(4)], axis=1)
        apart = 1 - np.abs(np.einsum("ij,ij->i", quaternion.normalised(along), rotation))
        near = np.abs(shown_at - location).max() <= 1e-4 * max(1.0, float(np.abs(location).max()))
        if near and apart.max() < 1e-7 and np.abs(steady - keyed.size).max() <= STEADY:
            return keyed
    return SampledObject(times, location, quaternion.continuous(rotation), steady)


def _whole(frames: Floats, settings: ObjectSettings) -> NDArray[np.int64]:
    """The game's frames of keys. Where some lie before the start, what they show there is a key at the start."""
    times = whole_frames(frames, settings.timing)
    if times[0] >= 0:
        return times
    log.warning(
        f"keys before frame {settings.start:g}, where the animation starts, are left out, and it begins as it stands there: move them "
        "behind it",
        frame=float(frames[0]),
    )
    return np.unique(np.append(times[times >= 0], 0))


def _steady_scale(curves: Curves, rest: Floats) -> Floats:
    size = rest.astype(np.float64).copy()
    for axis, channel in enumerate(SCALE):
        curve = curves.get(channel)
        if curve is None or not len(curve.values):
            continue
        values = curve.values.astype(np.float64)
        if float(np.ptp(values)) > STEADY * max(1e-6, float(np.abs(values).max())):
            raise ExportError("its scale is animated: an OBAN can only have the same scale all the time")
        size[axis] = values[0]
    return size
