"""Where the engine puts bones and dummies, at whole frames and between them; all frames at once.

Matrices are for row vectors, as in the files: v' = v * M, translation in row 4 (the engine's lwAnimCtrlBone).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...motion.clip import Values
from ...motion.rotations import quaternion as quaternions
from ...motion.rotations import rotation_matrix
from ...motion.rotations.rotation_matrix import Floats
from ..files.skeleton.lab import QUAT, Lab

Between = Literal["slerp", "nlerp"]


def rotation_rows(quaternion: ArrayLike) -> Floats:
    """(..., 3, 3) of quaternions (..., 4) w, x, y, z by the engine's formula, which does not normalise: others than of length 1 scale
    and shear, and zero is the identity."""
    w, x, y, z = np.moveaxis(np.asarray(quaternion, np.float64), -1, 0)
    return _rows(x, y, z, w)


def _rows(x: Floats, y: Floats, z: Floats, w: Floats) -> Floats:
    out = np.empty((*x.shape, 3, 3))
    out[..., 0, 0], out[..., 0, 1], out[..., 0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)
    out[..., 1, 0], out[..., 1, 1], out[..., 1, 2] = 2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)
    out[..., 2, 0], out[..., 2, 1], out[..., 2, 2] = 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)
    return out


def local_matrices(lab: Lab, frames: slice | NDArray[np.int64] = slice(None)) -> Floats:
    """(F, bones, 4, 4) every bone in its parent's space, at all frames or at the given ones."""
    if lab.key_type == QUAT:
        x, y, z, w = np.moveaxis(lab.quaternions[:, frames].astype(np.float64), -1, 0)
        positions, linear = lab.positions[:, frames], _rows(x, y, z, w)
    else:
        keys = lab.matrices[:, frames]
        if keys.shape[-1] == 4:
            return keys.astype(np.float64).swapaxes(0, 1)
        positions, linear = keys[:, :, 3], keys[:, :, :3]
    out = np.zeros((*positions.shape[:2], 4, 4))  # bone by bone in memory, as the hierarchy is walked through
    out[:, :, :3, :3], out[:, :, 3, :3], out[:, :, 3, 3] = linear, positions, 1
    return out.swapaxes(0, 1)


def world_of_local(lab: Lab, local: Floats) -> Floats:
    """(F, bones, 4, 4) in model space of matrices in the parents' space."""
    world = np.empty_like(local)
    for bone in lab.order.tolist():
        parent = int(lab.parents[bone])
        world[:, bone] = local[:, bone] if parent < 0 else local[:, bone] @ world[:, parent]
    return world


def world_matrices(lab: Lab, frames: slice | NDArray[np.int64] = slice(None)) -> Floats:
    """(F, bones, 4, 4) every bone in model space."""
    return world_of_local(lab, local_matrices(lab, frames))


def local_at(lab: Lab, frame: float, between: Between) -> Floats:
    """(bones, 4, 4) in the parents' space at a frame that need not be whole; before the first and after the last one keys hold."""
    return local_matrices(at_frames(lab, np.array([frame]), between))[0]


def at_frames(lab: Lab, frames: Floats, between: Between = "slerp") -> Lab:
    """The skeleton with keys at frames (K,) of its own, which need not be whole; before the first and after the last one keys hold.

    Positions go straight, quaternions along the shortest arc and their lengths straight; matrices are taken apart into a rotation and a
    stretch.
    """
    frames = np.clip(frames, 0, lab.frame_count - 1)
    first = frames.astype(np.int64)
    part = frames - first
    inner = np.flatnonzero(part)
    ends = np.stack([first[inner], first[inner] + 1])
    if lab.key_type == QUAT:
        positions, keys = (
            lab.positions.take(first, axis=1),
            lab.quaternions.take(first, axis=1),
        )  # bone by bone in memory, unlike [:, first]
        positions[:, inner] = _straight(lab.positions.take(ends, axis=1), part[inner])
        keys[:, inner] = _arc(lab.quaternions.take(ends, axis=1)[..., [3, 0, 1, 2]], part[inner], between)[..., [1, 2, 3, 0]]
        return lab.with_quaternions(positions, keys)
    matrices, rows = lab.matrices[:, first], lab.matrices[:, ends].astype(np.float64)
    mixed = _straight(rows, part[inner][:, None])
    mixed[..., :3, :3] = _between(rows[..., :3, :3], part[inner], between)
    matrices[:, inner] = mixed
    return lab.with_matrices(matrices)


def _straight(ends: Values, part: Floats) -> Floats:
    """(bones, K, ...) between (bones, 2, K, ...)."""
    return ends[:, 0] + part[:, None] * (ends[:, 1].astype(np.float64) - ends[:, 0])


def _arc(ends: Values, part: Floats, between: Between) -> Floats:
    """(bones, K, 4) between quaternions (bones, 2, K, 4) w, x, y, z; what has not length 1 keeps its length in between."""
    ends = ends.astype(np.float64)
    lengths = np.linalg.norm(ends, axis=-1, keepdims=True)
    mix = quaternions.nlerp if between == "nlerp" else quaternions.slerp
    units = quaternions.normalised(ends)
    return mix(units[:, 0], units[:, 1], np.broadcast_to(part, units.shape[:1] + part.shape)) * _straight(lengths, part)


def _between(ends: Floats, part: Floats, between: Between) -> Floats:
    """(bones, K, 3, 3) between linear parts (bones, 2, K, 3, 3) for row vectors: a stretch, which goes straight, then a rotation."""
    mirrored = np.where(np.linalg.det(ends) < 0, -1.0, 1.0)[..., None, None]
    rotations = rotation_matrix.nearest(ends * mirrored)
    stretch = _straight(ends @ rotations.swapaxes(-1, -2), part[:, None])
    mixed = _arc(quaternions.of_matrix(rotations.swapaxes(-1, -2)), part, between)
    return stretch @ rotation_matrix.from_quaternion(mixed).swapaxes(-1, -2)
