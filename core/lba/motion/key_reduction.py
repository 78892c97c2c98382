"""Fewer keyframes for an animation that has more than it needs, within a stated bound."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...motion.reduction.keyframes import Fewer, Poses, fewer
from ...motion.reduction.reduction import Bounds, Chain
from ...motion.rigs.rig import Rig
from ...motion.rotations.rotation_matrix import Floats
from ...motion.sampling import BoneSamples
from ...reporting.errors import ExportError
from ..files.anm import HEADER, frame_dtype
from ..files.variant import Variant
from .playback import rotation_matrix_of
from .sampled import Sampled, Settings

LARGEST = {"lba1": 7900, "lba2": 8208}
"""By game, bytes of an animation: about what its largest have. How much room the engines have is not known."""

FITTING = tuple(np.geomspace(1.0, 400.0, 36).tolist())
"""Distances that are tried, game units, up to a third of a character's height, each a sixth or so more than the one before."""

_LEAST = 0.2
"""Of a distance that is allowed the part that is tried first."""


def room_for(bones: int, game: Variant) -> int:
    """How many keyframes an animation of so many bones has that is no larger than the game's own."""
    return (LARGEST[game.name] - HEADER) // frame_dtype(bones).itemsize


def keyframes_that_fit(
    sampled: Sampled, rig: Rig, settings: Settings, shell: float, room: int, stay: Iterable[int]
) -> tuple[Sampled, Fewer | None]:
    """As `fewer_keyframes` within the smallest of `FITTING` that leaves no more than `room`. Raises ExportError where none does."""
    less, result = _within_smallest(FITTING, sampled, rig, settings, shell, room, stay)
    if result is not None and len(less.frames) > room:
        raise ExportError(
            f"{len(less.frames)} keyframes are left within {FITTING[-1]:.0f} units, and {room} would fit: split the animation"
        )
    return less, result


def keyframes_by_room(
    sampled: Sampled, rig: Rig, settings: Settings, most: Bounds, room: int, stay: Iterable[int]
) -> tuple[Sampled, Fewer | None]:
    """As `fewer_keyframes` within the smallest part of the distance of `most`, from `_LEAST` on, that leaves no more than `room`, and
    within all of it where none does."""
    distances = np.geomspace(_LEAST * most.distance, most.distance, 8).tolist()
    return _within_smallest(distances, sampled, rig, settings, most.shell, room, stay)


def _within_smallest(
    distances: Sequence[float], sampled: Sampled, rig: Rig, settings: Settings, shell: float, room: int, stay: Iterable[int]
) -> tuple[Sampled, Fewer | None]:
    """Within the smallest of the distances, which ascend, that leaves no more than `room`, else within the last."""
    fixed = list(stay)

    def within(distance: float) -> tuple[Sampled, Fewer | None]:
        return fewer_keyframes(sampled, rig, settings, Bounds(distance, shell=shell, longest=len(sampled.frames)), fixed)

    def fits(tried: tuple[Sampled, Fewer | None]) -> bool:
        return tried[1] is None or len(tried[0].frames) <= room

    least = within(distances[0])
    if fits(least):  # as of most clips
        return least
    best = within(distances[-1])
    if not fits(best):  # as of most that are long
        return best
    low, high = 1, len(distances) - 1
    while low < high:
        middle = (low + high) // 2
        tried = within(distances[middle])
        best, low, high = (tried, low, middle) if fits(tried) else (best, middle + 1, high)
    return best


def fewer_keyframes(sampled: Sampled, rig: Rig, settings: Settings, bounds: Bounds, stay: Iterable[int]) -> tuple[Sampled, Fewer | None]:
    """The keyframes that hold the bounds, and what that cost; None where a bone changes between rotation and translation, since then every
    keyframe counts. stay: rows of keyframes that stay in any case, beside those at which a property changes."""
    bones = sampled.bones
    rotated, moved = np.abs(bones.angles[:, 1:]).max(axis=(0, 2)) > 0, np.abs(bones.positions[:, 1:]).max(axis=(0, 2)) > 0
    if (rotated & moved).any():
        return sampled, None
    quantum = 2 * np.pi / settings.game.rotation
    angles, moves = np.unwrap(bones.angles, axis=0), bones.positions.copy()
    angles[:, 0] = moves[:, 0] = 0
    times = settings.timing.times(sampled.frames)
    heading = np.unwrap(sampled.angles, axis=0)
    poses = Poses(times, angles, moves, sampled.positions, heading)
    stored = Poses(times, np.rint(angles / quantum) * quantum, np.rint(moves), sampled.positions, np.rint(heading / quantum) * quantum)
    parents, heads = rig.skeleton.parents, rig.skeleton.heads
    offsets = heads - np.where((parents >= 0)[:, None], heads[parents], 0.0)
    chain = Chain(rig.skeleton.names, parents, offsets)
    result = fewer(chain, poses, stored, bounds, rotation_matrix_of, [*stay, *_changes(sampled)])
    return _at(sampled, result.kept), result


def _changes(sampled: Sampled) -> list[int]:
    """Rows at which a stepped property is another than before, and those before."""
    rows: set[int] = set()
    for values in (sampled.master, sampled.unused, *sampled.extra.values()):
        if values is not None:
            changed = (np.flatnonzero((np.diff(values, axis=0) != 0).any(axis=1)) + 1).tolist()
            rows |= {*changed, *(row - 1 for row in changed)}
    return sorted(rows)


def _at(sampled: Sampled, kept: NDArray[np.int64]) -> Sampled:
    def part(values: Floats | None) -> Floats | None:
        return None if values is None else values[kept]

    bones = sampled.bones
    return replace(
        sampled,
        frames=sampled.frames[kept],
        bones=BoneSamples(bones.angles[kept], bones.positions[kept], bones.sizes[kept]),
        positions=sampled.positions[kept],
        angles=sampled.angles[kept],
        master=part(sampled.master),
        unused=part(sampled.unused),
        extra={bone: values[kept] for bone, values in sampled.extra.items()},
    )
