"""Fewer keys within a stated bound: the fewest that hold it, and the proof on joints and on a shell around the bones.

The budget, a distance, is split into one angle for each track such that all errors of a chain together stay within it (a small rotation at
the shoulder moves the hand far). Each track then takes the fewest keys that hold its angle at every frame: a shortest path from the
first frame to the last, where two frames are neighbours if the interpolation between them holds everywhere in between. In the end the
whole is measured, as the game combines it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..rotations import quaternion
from ..rotations.rotation_matrix import Floats
from .shortest_path import Near, Segments, shortest

SMALLEST = 1e-7
"""Radians, below which two rotations are the same."""

_TRIES = 4
"""The split budget is for the worst case, in which all errors of a chain add up: larger ones are tried, and measured."""


@dataclass(frozen=True)
class Bounds:
    """distance: of joints and of the shell, in game units, 0 for none. angle: of each track's own rotation, in radians, 0 for none.
    shell: radius around each bone. longest: frames from one key to the next, at most. spherical: slerp, else nlerp."""

    distance: float = 0.0
    angle: float = 0.0
    shell: float = 0.0
    longest: int = 255
    spherical: bool = True

    @classmethod
    def of(cls, by_angle: bool, distance: float, angle: float, shell: float, longest: int = 255) -> Bounds:
        """Of two limits the one that the reduction goes by."""
        return cls(0.0 if by_angle else distance, angle if by_angle else 0.0, shell, longest)


@dataclass(frozen=True, eq=False)
class Chain:
    """names, parents (B,), which come first, and offsets (B, 3) of each bone from its parent, in the parent's axes."""

    names: tuple[str, ...]
    parents: NDArray[np.int32]
    offsets: Floats


@dataclass(frozen=True, eq=False)
class Report:
    """Of each bone: keys before and after, and the largest error at any frame. joints: how far its joint is off, shells: how far any point
    of the sphere around it is off at the most, game units; angles: its world rotation, radians."""

    names: tuple[str, ...]
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    joints: Floats
    shells: Floats
    angles: Floats

    def lines(self) -> list[str]:
        """A line for all bones together, then one for each whose keys became fewer."""
        head = (
            f"{int(self.before.sum())} keys became {int(self.after.sum())}; the largest error is {self.joints.max():.4g} at a joint, "
            f"{self.shells.max():.4g} around a bone, {np.degrees(self.angles.max()):.3g} degrees"
        )
        rows = zip(self.names, self.before, self.after, self.joints, self.shells, np.degrees(self.angles), strict=True)
        return [
            head,
            *(
                f"{name}: {before} keys became {after}; joint {joint:.4g}, around {shell:.4g}, {angle:.3g} degrees"
                for name, before, after, joint, shell, angle in rows
                if before != after
            ),
        ]


@dataclass(frozen=True, eq=False)
class Reduced:
    """kept: of each bone the frames that stay keys, the first and the last among them."""

    kept: list[NDArray[np.int64]]
    report: Report


def reduce_keys(chain: Chain, wanted: Floats, keys: Floats, before: NDArray[np.int64], bounds: Bounds) -> Reduced:
    """The fewest keys of rotation tracks.

    wanted: (N, B, 4) local rotations at every frame. keys: (N, B, 4) what a key at each frame says once it is stored. before: (B,) keys
    that there are now. Bounds that rounding alone breaks are held as well as rounding allows.
    """
    budget = budgets(chain, bounds)
    factor, best = 1.0, _once(chain, wanted, keys, before, bounds, budget)
    tried = best
    for _ in range(_TRIES - 1 if bounds.distance else 0):
        error = float(tried.report.shells.max())
        factor = factor * 0.97 * bounds.distance / error if error > 0 else np.inf
        if not 1.05 < factor < 1e6:
            break
        tried = _once(chain, wanted, keys, before, bounds, budget * factor)
        if tried.report.shells.max() <= bounds.distance and tried.report.after.sum() <= best.report.after.sum():
            best = tried
    return best


def _once(chain: Chain, wanted: Floats, keys: Floats, before: NDArray[np.int64], bounds: Bounds, budget: Floats) -> Reduced:
    """With an angle for each track, none larger than asked for."""
    allowed = np.minimum(budget, bounds.angle or np.inf)
    kept = [fewest_keys(keys[:, bone], wanted[:, bone], float(allowed[bone]), bounds) for bone in range(len(chain.names))]
    reduced = np.stack([between_keys(keys[:, bone], frames, bounds) for bone, frames in enumerate(kept)], axis=1)
    after = np.array([len(frames) for frames in kept])
    return Reduced(kept, Report(chain.names, before, after, *differences(chain, wanted, reduced, bounds.shell)))


def budgets(chain: Chain, bounds: Bounds) -> Floats:
    """(B,) radians for each track, such that no joint or shell can be farther off than `bounds.distance`, whatever the pose.

    A rotation by e at a bone moves what hangs on it by at most e * reach; a chain of n bones may spend 1/n of the distance each.
    """
    count = len(chain.names)
    if not bounds.distance:
        return np.full(count, np.inf)
    reach, below = np.full(count, max(bounds.shell, 1e-9)), np.ones(count)
    depth = np.ones(count)
    for bone, parent in enumerate(chain.parents.tolist()):
        if parent >= 0:
            depth[bone] = depth[parent] + 1
    for bone in range(count - 1, 0, -1):
        parent = int(chain.parents[bone])
        if parent >= 0:
            reach[parent] = max(reach[parent], reach[bone] + float(np.linalg.norm(chain.offsets[bone])))
            below[parent] = max(below[parent], below[bone] + 1)
    return bounds.distance / ((depth + below - 1) * reach)


def fewest_keys(keys: Floats, wanted: Floats, bound: float, bounds: Bounds) -> NDArray[np.int64]:
    """The frames of one track that stay keys: as few as can be such that what lies between them is nowhere more than `bound` off.

    keys, wanted: (N, 4), see `reduce_keys`."""
    count = len(keys)
    if count < 3:
        return np.arange(count)
    # Where rounding alone is more than the bound, that is what can be held.
    own = float(np.abs(np.einsum("ij,ij->i", keys, wanted)).min())
    cosine = min(float(np.cos(min(max(bound, SMALLEST), np.pi) / 2)), own)
    return shortest(Segments(count, bounds.longest, _near(keys, wanted, cosine, bounds.spherical)))


def between_keys(keys: Floats, frames: NDArray[np.int64], bounds: Bounds) -> Floats:
    """(N, 4) what the track says at every frame where only `frames` are keys."""
    every = np.arange(len(keys))
    after = np.searchsorted(frames, every).clip(min(1, len(frames) - 1), len(frames) - 1)
    before = np.maximum(after - 1, 0)
    length = np.maximum(frames[after] - frames[before], 1)
    mix = quaternion.slerp if bounds.spherical else quaternion.nlerp
    return mix(keys[frames[before]], keys[frames[after]], (every - frames[before]) / length)


def differences(chain: Chain, wanted: Floats, reduced: Floats, shell: float) -> tuple[Floats, Floats, Floats]:
    """The largest error of each bone over all frames, (B,) each: its joint, any point within `shell` of it, both in game units, and its
    world rotation in radians. wanted, reduced: (N, B, 4) quaternions in the parent's axes."""
    count = len(chain.names)
    exact, shown = _world(chain, wanted), _world(chain, reduced)
    apart = np.linalg.norm(exact[0] - shown[0], axis=-1)
    difference = quaternion.multiply(quaternion.conjugate(exact[1]), shown[1])
    half = np.linalg.norm(difference[..., 1:], axis=-1)
    angle = 2 * np.arctan2(half, np.abs(difference[..., 0]))
    assert apart.shape[1] == count
    return apart.max(axis=0), (apart + 2 * shell * half).max(axis=0), angle.max(axis=0)


def _world(chain: Chain, local: Floats) -> tuple[Floats, Floats]:
    """Positions (N, B, 3), the root's always 0, and rotations (N, B, 4)."""
    positions, rotations = np.zeros((*local.shape[:-1], 3)), local.copy()
    for bone, parent in enumerate(chain.parents.tolist()):
        if parent >= 0:
            above = rotations[:, parent]
            twice = 2 * np.cross(above[:, 1:], chain.offsets[bone])
            positions[:, bone] = positions[:, parent] + chain.offsets[bone] + above[:, :1] * twice + np.cross(above[:, 1:], twice)
            rotations[:, bone] = quaternion.multiply(above, local[:, bone])
    return positions, rotations


def _near(keys: Floats, wanted: Floats, cosine: float, spherical: bool) -> Near:
    """By the cosine of half the angle, from dot products alone."""

    def near(first: NDArray[np.int64], last: NDArray[np.int64], at: NDArray[np.int64]) -> NDArray[np.bool_]:
        one, other, there = keys[first], keys[last], wanted[at]
        across = np.einsum("ij,ij->i", one, other)
        share = (at - first) / (last - first)
        start, end = 1 - share, share
        if spherical:
            start, end, size = _slerp_weights(np.abs(across), share)
        else:
            size = np.sqrt(start * start + end * end + 2 * start * end * np.abs(across))
        end = np.where(across < 0, -end, end)
        shown = start * np.einsum("ij,ij->i", one, there) + end * np.einsum("ij,ij->i", other, there)
        return np.abs(shown) >= cosine * size

    return near


def _slerp_weights(cosine: Floats, share: Floats) -> tuple[Floats, Floats, Floats]:
    """Weights of both ends, and what they have to be divided by; where the ends are the same, those of lerp."""
    angle = np.arccos(np.minimum(cosine, 1.0))
    sine = np.sin(angle)
    close = sine < 1e-6
    first = np.where(close, 1 - share, np.sin((1 - share) * angle))
    second = np.where(close, share, np.sin(share * angle))
    return first, second, np.where(close, 1.0, sine)
