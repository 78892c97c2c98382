"""Where the engine puts bones and dummies, at whole frames and between them; all frames at once.

Matrices are for row vectors, as in the files: v' = v * M, translation in row 4 (the engine's lwAnimCtrlBone).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...motion import quaternion as quaternions
from ...motion import rotation_matrix
from ...motion.rotation_matrix import Floats
from ..files.lab import QUAT, Lab

RATE = 30.0
"""Frames a second."""

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


def local_at(lab: Lab, frame: float, between: Between = "slerp") -> Floats:
    """(bones, 4, 4) in the parents' space at a frame that need not be whole; before the first and after the last one keys hold.

    Positions go straight, quaternions along the shortest arc; matrices are taken apart into translation, rotation and scale first.
    """
    frame = min(max(frame, 0.0), float(lab.frame_count - 1))
    first = int(frame)
    part = frame - first
    if part == 0:
        return local_matrices(lab, slice(first, first + 1))[0]
    ends = local_matrices(lab, slice(first, first + 2))
    out = ends[0].copy()
    out[:, 3, :3] += part * (ends[1, :, 3, :3] - ends[0, :, 3, :3])
    mix = quaternions.nlerp if between == "nlerp" else quaternions.slerp
    share = np.full(lab.bone_count, part)
    if lab.key_type == QUAT:
        # What has not length 1 keeps its length in between.
        keys = lab.quaternions[:, first : first + 2].astype(np.float64)[..., [3, 0, 1, 2]].swapaxes(0, 1)
        lengths = np.linalg.norm(keys, axis=-1)
        mixed = mix(quaternions.normalised(keys[0]), quaternions.normalised(keys[1]), share)
        mixed *= (lengths[0] + part * (lengths[1] - lengths[0]))[:, None]
        out[:, :3, :3] = rotation_rows(mixed)
        return out
    rotations, scales = _decomposed(ends[..., :3, :3])
    mixed = mix(rotations[0], rotations[1], share)
    scale = scales[0] + part * (scales[1] - scales[0])
    out[:, :3, :3] = scale[..., None] * rotation_matrix.from_quaternion(mixed).swapaxes(-1, -2)
    return out


def _decomposed(rows: Floats) -> tuple[Floats, Floats]:
    """Quaternions (..., 4) w, x, y, z and scales (..., 3) nearest to linear parts (..., 3, 3) for row vectors: scale, then rotation."""
    mirrored = np.where(np.linalg.det(rows) < 0, -1.0, 1.0)
    scale = np.linalg.norm(rows, axis=-1)
    rotation = rotation_matrix.nearest((rows * (mirrored[..., None] / np.maximum(scale, 1e-12))[..., None]).swapaxes(-1, -2))
    return quaternions.of_matrix(rotation), scale * mirrored[..., None]
