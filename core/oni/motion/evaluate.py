"""Where the joints are at any frame: tracks of rotations, the root's path, and the chain of bones (OniSplit BodyDaeWriter)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion
from ...motion.rotations.rotation_matrix import Floats, from_quaternion
from ...reporting.errors import FormatError
from ..records.rotations import Rotations, of_block
from ..records.tram import Tram

Interpolation = Literal["slerp", "nlerp"]

RATE = 60.0
"""Frames a second, whatever the record has: OniSplit always writes 60."""


@dataclass(frozen=True, eq=False)
class Joints:
    """positions: (T, bones, 3) in character space. rotations: (T, bones, 4) in the world, w, x, y, z."""

    positions: Floats
    rotations: Floats

    @property
    def matrices(self) -> Floats:
        """(T, bones, 4, 4) world matrices."""
        out = np.zeros((*self.rotations.shape[:-1], 4, 4))
        out[..., :3, :3], out[..., :3, 3], out[..., 3, 3] = from_quaternion(self.rotations), self.positions, 1
        return out


def local_rotations(rotations: Rotations, frames: Floats, interpolation: Interpolation = "slerp") -> Floats:
    """(T, bones, 4) each bone's rotation relative to its parent at frames (T,), the shorter arc between keys; the last one holds.

    Raises FormatError for a key that is no rotation.
    """
    keys = rotations.quaternions()
    mix = quaternion.slerp if interpolation == "slerp" else quaternion.nlerp
    at = np.clip(frames, 0, rotations.frame_count - 1)
    shape = rotations.bone_count, len(at)
    before, after, share = np.empty(shape, np.int64), np.empty(shape, np.int64), np.empty(shape)
    for bone, (first, last) in enumerate(pairwise(rotations.starts.tolist())):
        own_before, own_after, share[bone] = _between(rotations.frames[first:last], at)
        before[bone], after[bone] = own_before + first, own_after + first
    mixed = mix(keys[before.ravel()], keys[after.ravel()], share.ravel())  # of all bones at once
    return np.ascontiguousarray(mixed.reshape(*shape, 4).swapaxes(0, 1))


def along(times: NDArray[np.integer], keys: Floats, frames: Floats, mix: Callable[[Floats, Floats, Floats], Floats]) -> Floats:
    """(T, 4) between keys (K, 4) at `times` (K,), which hold before the first and after the last one."""
    before, after, share = _between(times, frames)
    return mix(keys[before], keys[after], share)


def _between(times: NDArray[np.integer], frames: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """(T,) each: the keys at `times` (K,) before and after each of `frames`, and how far it is from the one to the other, 0 to 1."""
    after = np.searchsorted(times, frames, side="left").clip(min(1, len(times) - 1), len(times) - 1)
    before = np.maximum(after - 1, 0)
    return before, after, (frames - times[before]) / np.maximum(times[after] - times[before], 1)


def root_path(tram: Tram) -> Floats:
    """(frames + 1, 3) where the pelvis is: the sums of the velocities and the height of each frame, the last height twice.

    0 where the record has none of them.
    """
    path = np.zeros((tram.frame_count + 1, 3))
    with np.errstate(invalid="ignore", over="ignore"):  # numbers that are none stay so
        if tram.velocities is not None:
            path[1:, 0] = np.cumsum(tram.velocities["x"].astype(np.float64))
            path[1:, 2] = np.cumsum(tram.velocities["z"].astype(np.float64))
        if tram.heights is not None:
            path[:-1, 1] = tram.heights
            path[-1, 1] = tram.heights[-1]
    return path


def summed_path(velocities: NDArray[Any] | None, start: NDArray[np.float32], frames: int) -> NDArray[np.float32]:
    """(frames, 2) x and z where velocities (of tram.VELOCITY) lead from `start`, one after the other in single precision as OniSplit sums
    them (AnimationXmlReader): what is stored of the path must be that to the bit."""
    steps = np.zeros((frames, 2), np.float32)
    if velocities is not None and len(velocities):
        steps[1:, 0], steps[1:, 1] = velocities["x"][: frames - 1], velocities["z"][: frames - 1]
    steps[0] = start
    with np.errstate(over="ignore", invalid="ignore"):
        return np.cumsum(steps, axis=0, dtype=np.float32)


def root_at(tram: Tram, frames: Floats) -> Floats:
    """(T, 3) the root at frames (T,), straight between whole ones; before the first and after the last it holds."""
    path, whole = root_path(tram)[:-1], np.arange(tram.frame_count)
    return np.stack([np.interp(frames, whole, path[:, axis]) for axis in range(3)], axis=1)


def rotations_of(tram: Tram) -> Rotations:
    """Raises FormatError when the record has no rotations, or they are not as its counts have them."""
    if tram.rotations is None:
        raise FormatError("no rotations: nothing moves in it")
    return of_block(tram.rotations, tram.bone_count, tram.frame_count, tram.compression)


def chain(parents: NDArray[np.int32], offsets: Floats, local: Floats, root: Floats) -> Joints:
    """The joints of bones whose parents (B,) come first (-1 for the root) and stand offsets (B, 3) from them, in the parent's axes.

    local: (T, B, 4) rotations. root: (T, 3) where bone 0 is. P_b = P_p + Q_p * o_b, Q_b = Q_p * q_b, on column vectors.
    """
    positions, rotations = np.empty((*local.shape[:-1], 3)), np.empty(local.shape)
    for bone, parent in enumerate(parents.tolist()):
        if parent < 0:
            positions[:, bone], rotations[:, bone] = root, local[:, bone]
            continue
        positions[:, bone] = positions[:, parent] + quaternion.rotate(rotations[:, parent], offsets[bone])
        rotations[:, bone] = quaternion.multiply(rotations[:, parent], local[:, bone])
    return Joints(positions, rotations)
