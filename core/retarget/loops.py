"""Loops: a source that ends in the pose in which it starts, or one step before, becomes a clip that does."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import quaternion as quat
from ..motion.rotations.angles import wrapped
from ..motion.rotations.rotation_matrix import Floats
from .figures.clip import Clip
from .figures.columns import Columns
from .figures.motion import Motion, Standing
from .transfer.binding import Binding

_SAME = np.radians(2)
"""Between bones and their parents: poses that differ by less are one, whatever the steps beside."""

_ON = 1e-3
"""Frames: what is nearer to one is on it."""

_TURNS = np.radians(20)
"""From the start of a loop to its end: less is how the hips sway."""


def ends_as_it_starts(binding: Binding, motion: Motion, first: int) -> bool:
    """Whether the last pose is that of row `first`, but for where the figure stands and faces; no farther off than a step of the motion."""
    bones = sorted({follower.source for follower in binding.followers})
    parents = binding.source.parents[bones]
    held = parents >= 0
    if not held.any():
        return True
    count = len(motion.frames)
    rows = [first, *range(max(0, count - 3), count)]
    above, own = (_rotations(motion, rows, some[held]) for some in (parents, np.array(bones)))
    local = quat.relative(above, own)
    away, *steps = quat.angle(quat.relative(local[:-1], np.concatenate([local[-1:], local[2:]]))).max(axis=1).tolist()
    return away < max(_SAME, 0.5 * max(steps, default=0.0))


def _rotations(motion: Motion, rows: list[int], bones: NDArray[np.int32]) -> Floats:
    """(R, B, 4)"""
    if isinstance(motion.rotations, Columns):
        return np.stack([motion.rotations[rows, bone] for bone in bones.tolist()], axis=1)
    return np.ascontiguousarray(motion.rotations[rows][:, bones])


def repeated(binding: Binding, motion: Motion, clip: Clip) -> int | None:
    """The row whose pose the last one repeats, of a loop, and of what is played again and again as the source is, if that ends as it
    starts and faces as then."""
    if clip.loop is not None or clip.cycle is None:
        return clip.loop
    first = int(np.argmin(np.abs(clip.frames - clip.cycle[0])))
    if np.abs(clip.frames[[first, -1]] - clip.cycle).max() > _ON or first == len(clip.frames) - 1:
        return None
    hips = motion.rotations[:, binding.followers[binding.roles.get("hips", 0)].source]
    same = float(quat.apart(hips[-1], hips[first])) < _SAME and ends_as_it_starts(binding, motion, first)
    return first if same else None


def closed(binding: Binding, motion: Motion, first: int, frame: float) -> Motion:
    """With one more frame, in which the pose of row `first` stands where the motion leads, and faces as it does."""
    row = binding.roles.get("hips", 0)
    hips = binding.followers[row].source
    rotation = quat.multiply(motion.rotations[-1, hips], quat.conjugate(motion.rotations[first, hips]))
    rotated = wrapped(float(2 * np.arctan2(rotation[3], rotation[0])))
    about = quat.about(np.array([0.0, 0.0, 1.0]), np.array(rotated if abs(rotated) > _TURNS else 0.0))
    path = motion.positions[:, hips]
    onwards = path[-1] + (path[-1] - path[-2] if len(path) > 1 else 0.0)
    onwards[2] = path[first, 2]

    def carried(positions: Floats) -> Floats:
        return quat.rotate(about, positions - path[first]) + onwards

    standing = motion.standing
    if len(standing.rotations) > 1 or len(standing.positions) > 1:
        rotations, positions = (np.broadcast_to(rows, (len(path), rows.shape[1])) for rows in (standing.rotations, standing.positions))
        standing = Standing(
            np.concatenate([rotations, quat.multiply(about, rotations[first])[None]]),
            np.concatenate([positions, carried(positions[first])[None]]),
            standing.scale,
        )
    return Motion(
        np.append(motion.frames, frame),
        np.concatenate([motion.rotations, quat.multiply(about, motion.rotations[first])[None]]),
        np.concatenate([motion.positions, carried(motion.positions[first])[None]]),
        None if motion.sizes is None else np.concatenate([motion.sizes, motion.sizes[first : first + 1]]),
        standing,
    )
