"""Fewer keyframes within a stated bound, where a keyframe holds the whole pose and all between two of them goes straight on.

As with single tracks (`reduction`) the fewest keyframes are the shortest path through those that can follow one another, and in the end the
whole is measured, as the game combines it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..rotations.rotation_matrix import Floats, angle
from .reduction import Bounds, Chain
from .shortest_path import Near, Segments, shortest

_TRIES = 4
"""What is off is measured by how it begins to be; where the whole is off by more in the end, a smaller bound is tried."""

_SMALL = 1e-5
"""Radians."""

_BATCH = 4096
"""Frames between keyframes that are measured together."""

_TURN = 0.98 * np.pi
"""Radians from keyframe to keyframe of one component, at most: a game takes the shorter way."""


Rotation = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class Poses:
    """N frames. times: (N,) when they are. angles: (N, B, 3) of the bones, radians, without jumps. moves: (N, B, 3) translations. path: (N,
    3) of the character. heading: (N, 3) its angles. What lies between keyframes is straight in all of them."""

    times: Floats
    angles: Floats
    moves: Floats
    path: Floats
    heading: Floats

    def between(self, kept: NDArray[np.int64]) -> Poses:
        """What is shown at every frame where only `kept` (K,), the first and the last among them, are keyframes."""
        every, times = np.arange(len(self.path)), self.times
        after = np.searchsorted(kept, every).clip(min(1, len(kept) - 1), len(kept) - 1)
        before = np.maximum(after - 1, 0)
        start, end = times[kept[before]], times[kept[after]]
        share = (times - start) / np.maximum(end - start, 1e-9)

        def mixed(values: Floats) -> Floats:
            part = share.reshape(-1, *[1] * (values.ndim - 1))
            return values[kept[before]] * (1 - part) + values[kept[after]] * part

        return Poses(times, *map(mixed, (self.angles, self.moves, self.path, self.heading)))


@dataclass(frozen=True, eq=False)
class Fewer:
    """kept: (K,) the frames that stay keyframes. distance: the largest that any joint, any point of the shells or the character itself is
    off at any frame, game units. angle: the largest of a bone's rotation in the world, radians."""

    kept: NDArray[np.int64]
    before: int
    distance: float
    angle: float

    def line(self) -> str:
        """For the user."""
        return (
            f"{self.before} keyframes became {len(self.kept)}; nothing is farther off than {self.distance:.3g} units and "
            f"{np.degrees(self.angle):.3g} degrees"
        )


def fewer(chain: Chain, poses: Poses, stored: Poses, bounds: Bounds, rotations: Rotation, stay: Iterable[int] = ()) -> Fewer:
    """The fewest keyframes. stored: what a keyframe at each frame says once it is rounded. rotations: (..., 3) angles of a bone to (..., 3,
    3) in its parent's axes. stay: frames that are keyframes in any case. Bounds that rounding alone breaks are held as it allows."""
    count = len(poses.path)
    last = count - 1
    fixed = np.unique(np.clip([0, last, *stay], 0, last))
    rounded = _off(chain, poses, stored, bounds.shell, rotations)
    within = max(bounds.distance, 1.05 * rounded[0]) if bounds.distance else 0.0
    limits = Bounds(within, max(bounds.angle, rounded[2]) if bounds.angle else 0.0)
    measure = _Measure(chain, poses, stored, bounds.shell, rotations)
    factor = 1.0
    for _ in range(_TRIES):
        near = measure.within(limits.distance * factor, limits.angle * factor)
        parts = [np.zeros(1, np.int64)]
        for start, end in zip(fixed[:-1].tolist(), fixed[1:].tolist(), strict=True):
            parts.append(start + shortest(Segments(end - start + 1, bounds.longest, _shifted(near, start)))[1:])
        kept = np.concatenate(parts)
        distance, world, own = _off(chain, poses, stored.between(kept), bounds.shell, rotations)
        if (not limits.distance or distance <= limits.distance) and (not limits.angle or own <= limits.angle * (1 + 1e-9)):
            return Fewer(kept, count, distance, world)
        over = max(distance / limits.distance if limits.distance else 0.0, own / limits.angle if limits.angle else 0.0)
        factor *= 0.97 / over
    return Fewer(np.arange(count), count, rounded[0], rounded[1])


def _shifted(near: Near, start: int) -> Near:
    """For frames that count from `start`."""
    return lambda first, last, between: near(first + start, last + start, between + start)


class _Measure:
    """How far joints and the spheres around them are off where components are by a little: by the axes about which components rotate."""

    def __init__(self, chain: Chain, poses: Poses, stored: Poses, shell: float, rotations: Rotation) -> None:
        self._chain, self._poses, self._stored, self._shell = chain, poses, stored, shell
        positions, self._world = _world(chain, poses, rotations)
        parents = chain.parents
        held, root = np.maximum(parents, 0), (parents < 0)[:, None]
        self._arms = positions - np.where(root, 0.0, positions[:, held])
        above = np.where(root[..., None], np.eye(3), self._world[:, held])
        local = rotations(poses.angles).swapaxes(-1, -2)
        self._axes = np.empty_like(self._world)  # its columns
        for component in range(3):
            step = rotations(poses.angles + _SMALL * np.eye(3)[component]) @ local
            axis = np.stack([step[..., 2, 1] - step[..., 1, 2], step[..., 0, 2] - step[..., 2, 0], step[..., 1, 0] - step[..., 0, 1]], -1)
            self._axes[..., component] = np.einsum("nbij,nbj->nbi", above, axis / (2 * _SMALL))
        self._reach = np.linalg.norm(positions, axis=-1).max(axis=1) + shell
        self._angles = np.concatenate([stored.angles, stored.heading[:, None]], axis=1).reshape(len(poses.path), -1)
        every = np.arange(len(poses.path))
        self._own = self._off(every, every, every)

    def within(self, distance: float, angle: float) -> Near:
        """Frames between two keyframes are near enough there; where rounding alone is more than that, no farther off than it."""
        most, widest = np.maximum(distance, self._own[0]), np.maximum(angle, self._own[1])

        def near(first: NDArray[np.int64], last: NDArray[np.int64], between: NDArray[np.int64]) -> NDArray[np.bool_]:
            good: NDArray[np.bool_] = np.abs(self._angles[last] - self._angles[first]).max(axis=1, initial=0.0) < _TURN
            rows = np.flatnonzero(good)
            for part in np.array_split(rows, len(rows) // _BATCH + 1):
                off, own = self._off(first[part], last[part], between[part])
                good[part] = ((off <= most[between[part]]) | (not distance)) & ((own <= widest[between[part]]) | (not angle))
            return good

        return near

    def _off(self, first: NDArray[np.int64], last: NDArray[np.int64], at: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """(K,) the largest distance, and the largest angle of a bone's own rotation, at frames between keyframes."""
        times = self._poses.times
        length = times[last] - times[first]
        share = (times[at] - times[first]) / np.maximum(length, 1e-9)

        def away(stored: Floats, wanted: Floats) -> Floats:
            part = share.reshape(-1, *[1] * (stored.ndim - 1))
            return stored[first] * (1 - part) + stored[last] * part - wanted[at]

        stored, wanted = self._stored, self._poses
        total = np.einsum("kbij,kbj->kbi", self._axes[at], away(stored.angles, wanted.angles))
        joints = np.einsum("kbij,kbj->kbi", self._world[at], away(stored.moves, wanted.moves))
        own, arms = np.linalg.norm(total, axis=-1).max(axis=1), self._arms[at]
        for bone, parent in enumerate(self._chain.parents.tolist()):
            if parent >= 0:
                joints[:, bone] += joints[:, parent] + np.cross(total[:, parent], arms[:, bone])
                total[:, bone] += total[:, parent]
        whole = (np.linalg.norm(joints, axis=-1) + self._shell * np.linalg.norm(total, axis=-1)).max(axis=1)
        heading = np.abs(stored.heading[last] - stored.heading[first]).max(axis=1)
        arc = np.linalg.norm(stored.path[last] - stored.path[first], axis=1) * heading * share * (1 - share)
        path = np.linalg.norm(away(stored.path, wanted.path), axis=1) + arc
        around = np.linalg.norm(away(stored.heading, wanted.heading), axis=1)
        return whole + path + around * self._reach[at], np.maximum(own, around)


def _off(chain: Chain, wanted: Poses, shown: Poses, shell: float, rotations: Rotation) -> tuple[float, float, float]:
    """The largest distance of joints, shells and path together, and the largest angles of bones in the world and of their own."""
    exact, reduced = (_world(chain, each, rotations) for each in (wanted, shown))
    joints = np.linalg.norm(exact[0] - reduced[0], axis=-1)
    angles = angle(exact[1].swapaxes(-1, -2) @ reduced[1])
    own = angle(rotations(wanted.angles).swapaxes(-1, -2) @ rotations(shown.angles))
    reach = np.linalg.norm(exact[0], axis=-1).max(axis=1) + shell
    heading = angle(rotations(wanted.heading).swapaxes(-1, -2) @ rotations(shown.heading))
    path = np.linalg.norm(wanted.path - shown.path, axis=1) + heading * reach
    whole = (joints + 2 * shell * np.sin(angles / 2)).max(axis=1) + path
    return float(whole.max()), float((angles.max(axis=1) + heading).max()), float(max(own.max(), heading.max()))


def _world(chain: Chain, poses: Poses, rotations: Rotation) -> tuple[Floats, Floats]:
    """(N, B, 3) joints, the first one's without the path, and (N, B, 3, 3) rotations in the character's axes."""
    local = rotations(poses.angles)
    positions, world = np.zeros_like(poses.moves), np.zeros_like(local)
    for bone, parent in enumerate(chain.parents.tolist()):
        world[:, bone] = local[:, bone] if parent < 0 else world[:, parent] @ local[:, bone]
        positions[:, bone] = np.einsum("nij,nj->ni", world[:, bone], poses.moves[:, bone])
        if parent >= 0:
            positions[:, bone] += positions[:, parent] + world[:, parent] @ chain.offsets[bone]
    return positions, world
