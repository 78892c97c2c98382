"""Bones that only rotate and move: their channels are a constant product with the file's numbers, whole time lines at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion
from ...motion.rotations.rotation_matrix import Floats
from .rig import LabRig


@dataclass(frozen=True, eq=False)
class Straight:
    """From the file's numbers to the channels of bones without any scale: rest^-1 * parent's bind * local * bind^-1 * rest.

    rotations: (bones, 4, 4) the file's quaternion -> Blender's, both w, x, y, z: a rotation of four-space. locations: (bones, 3, 4) the
    file's position, and 1, -> location. scales: (bones, 3) the scale that stays: -1 for a mirrored axis.
    """

    rotations: Floats
    locations: Floats
    scales: Floats

    @classmethod
    def of(cls, rig: LabRig) -> Straight:
        roots = rig.parents < 0
        signs = np.where(roots[:, None], 1.0, rig.signs[rig.parents])
        before: Floats = np.linalg.inv(rig.rest).astype(np.float64) @ np.where(roots[:, None, None], np.eye(4), rig.binds[rig.parents])
        after = rig.clean.swapaxes(1, 2) @ rig.rest[:, :3, :3]
        left, right = quaternion.of_matrix(before[:, :3, :3] * signs[:, None]), quaternion.of_matrix(after)
        # The parent's mirrored X axis reverses rotations about Y and Z; so do the game's axes those about X and Z.
        flips = np.where(signs[:, :1] < 0, np.array([1.0, 1, -1, -1]), 1.0) * np.array([1.0, -1, 1, -1])
        rotations = _left(left) @ _right(right) * flips[:, None]
        locations = before[:, :3] * np.array([rig.scale, -rig.scale, rig.scale, 1.0])
        mirrored: NDArray[np.bool_] = np.any(signs * rig.signs < 0, axis=1)
        scales = (np.abs(np.round(after)).swapaxes(1, 2) @ (signs * rig.signs)[..., None])[..., 0]
        return cls(rotations, locations, np.where(mirrored[:, None], scales, 1.0))


def simple_bones(rig: LabRig) -> NDArray[np.bool_]:
    """(bones,) whose binds, and their parents', have no scale and a rest along their axes, and which inherit as usual."""
    clean = rig.clean_binds & np.where(rig.parents < 0, True, rig.clean_binds[rig.parents])
    return clean & rig.full & _axis_kept(rig)


def _axis_kept(rig: LabRig) -> NDArray[np.bool_]:
    """(bones,) whose rest does not mix the axis that a mirrored bind, or the parent's, negates with others."""
    rotated = rig.clean.swapaxes(1, 2) @ rig.rest[:, :3, :3]
    off = np.abs(rotated - np.round(rotated)).max(axis=(1, 2))
    unmirrored: NDArray[np.bool_] = np.all(rig.signs > 0, axis=1)
    plain = unmirrored & np.where(rig.parents < 0, True, unmirrored[rig.parents])
    return plain | (off < 1e-6)


def _left(q: Floats) -> Floats:
    """(..., 4, 4) so that matrix @ p is q * p, w first."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    return np.stack([np.stack(row, -1) for row in ((w, -x, -y, -z), (x, w, -z, y), (y, z, w, -x), (z, -y, x, w))], -2)


def _right(q: Floats) -> Floats:
    """(..., 4, 4) so that matrix @ p is p * q, w first."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    return np.stack([np.stack(row, -1) for row in ((w, -x, -y, -z), (x, w, z, -y), (y, -z, w, x), (z, y, -x, w))], -2)
