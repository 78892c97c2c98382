"""Loops: a source that ends in the pose in which it starts, or one step before, becomes a clip that does."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, islice, pairwise

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import quaternion as quat
from ..motion.rotations.angles import wrapped
from ..motion.rotations.directions import UP
from ..motion.rotations.rotation_matrix import Floats
from .figures.clip import Clip
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
    return end_as_they_start(binding, [motion], [first])[0]


def end_as_they_start(binding: Binding, motions: Sequence[Motion], firsts: Sequence[int]) -> list[bool]:
    """The same of each of several motions: what one takes by itself is mostly not its rows."""
    bones = sorted({follower.source for follower in binding.followers})
    parents = binding.source.parents[bones]
    held = parents >= 0
    if not held.any() or not motions:
        return [True] * len(motions)
    rows = [[first, *range(max(0, len(motion.frames) - 3), len(motion.frames))] for motion, first in zip(motions, firsts, strict=True)]
    above, own = (
        np.concatenate([_rotations(motion, each, some[held]) for motion, each in zip(motions, rows, strict=True)])
        for some in (parents, np.array(bones))
    )
    local = quat.relative(above, own)
    ones, others, counts = list[int](), list[int](), [len(each) for each in rows]
    for start, end in pairwise(accumulate(counts, initial=0)):  # the loop's start and the end, then each of the last rows and the next
        ones += range(start, end - 1)
        others += [end - 1, *range(start + 2, end)]
    angles: list[float] = quat.angle(quat.relative(local[ones], local[others])).max(axis=1).tolist()
    ahead = iter(angles)
    every = [list(islice(ahead, count - 1)) for count in counts]
    return [away < max(_SAME, 0.5 * max(steps, default=0.0)) for away, *steps in every]


def _rotations(motion: Motion, rows: list[int], bones: NDArray[np.int32]) -> Floats:
    """(R, B, 4)"""
    return np.stack([motion.rotations[rows, bone] for bone in bones.tolist()], axis=1)


def repeated(binding: Binding, motion: Motion, clip: Clip) -> int | None:
    """The row whose pose the last one repeats, of a loop, and of what is played again and again as the source is, if that ends as it
    starts and faces as then."""
    return all_repeated(binding, [motion], [clip])[0]


def all_repeated(binding: Binding, motions: Sequence[Motion], clips: Sequence[Clip]) -> list[int | None]:
    """The same of each of several clips."""
    result, likely = [clip.loop for clip in clips], dict[int, int]()
    source = binding.followers[binding.hips].source
    for number, (motion, clip) in enumerate(zip(motions, clips, strict=True)):
        if clip.loop is not None or clip.cycle is None:
            continue
        first = int(np.argmin(np.abs(clip.frames - clip.cycle[0])))
        if np.abs(clip.frames[[first, -1]] - clip.cycle).max() > _ON or first == len(clip.frames) - 1:
            continue
        hips = motion.rotations[:, source]
        if float(quat.apart(hips[-1], hips[first])) < _SAME:
            likely[number] = first
    same = end_as_they_start(binding, [motions[number] for number in likely], list(likely.values()))
    for (number, first), is_same in zip(likely.items(), same, strict=True):
        if is_same:
            result[number] = first
    return result


def closed(binding: Binding, motion: Motion, first: int, frame: float) -> Motion:
    """With one more frame, in which the pose of row `first` stands where the motion leads, and faces as it does."""
    row = binding.hips
    hips = binding.followers[row].source
    rotation = quat.multiply(motion.rotations[-1, hips], quat.conjugate(motion.rotations[first, hips]))
    rotated = wrapped(float(2 * np.arctan2(rotation[3], rotation[0])))
    about = quat.about(UP, np.array(rotated if abs(rotated) > _TURNS else 0.0))
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
