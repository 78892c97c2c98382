"""A rig for skeletons whose rest orientation is any rotation, and whose curves are locations, quaternions and scales.

Blender's pose is pose_b = pose_parent * rest_parent^-1 * rest_b * basis_b; here it is solved for the basis, whole clips at once. Games with
Euler numbers that should stand in the curves as they are have the axis-aligned `Rig`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from . import quaternion, rotation_matrix
from .rotation_matrix import Floats
from .skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class MatrixRig:
    """axes: (3, 3) game axes -> Blender axes, for points; it may mirror. rest: (bones, 3, 3) proper rotations, each bone's rest orientation
    in armature space. heads, tips: (bones, 3) in Blender's axes, game units: where each bone starts, and what it points at."""

    skeleton: Skeleton
    axes: Floats
    rest: Floats
    heads: Floats
    tips: Floats

    @property
    def modes(self) -> tuple[str, ...]:
        """Blender's rotation mode of each bone."""
        return ("QUATERNION",) * len(self.skeleton)

    @cached_property
    def matrices(self) -> Floats:
        """(bones, 4, 4) rest in armature space, game units."""
        out = np.zeros((len(self.skeleton), 4, 4))
        out[:, :3, :3], out[:, :3, 3], out[:, 3, 3] = self.rest, self.heads, 1
        return out

    @cached_property
    def offsets(self) -> Floats:
        """(bones, 4, 4) rest relative to the parent's rest."""
        return np.stack(
            [
                self.matrices[bone] if parent < 0 else np.linalg.inv(self.matrices[parent]) @ self.matrices[bone]
                for bone, parent in enumerate(self.skeleton.parents.tolist())
            ]
        )

    def basis_of_pose(self, pose: Floats) -> Floats:
        """(K, bones, 4, 4) pose matrices in armature space, game units -> what the bones' own channels must hold."""
        parents: NDArray[np.int32] = self.skeleton.parents
        above = np.where((parents < 0)[:, None, None], np.eye(4), pose[:, parents]) @ self.offsets
        return np.linalg.inv(above) @ pose

    def pose_of_basis(self, basis: Floats) -> Floats:
        """(K, bones, 4, 4) the inverse of `basis_of_pose`, bone after bone, all keys at once."""
        pose = np.empty_like(basis)
        for bone, parent in enumerate(self.skeleton.parents.tolist()):
            above = self.offsets[bone] if parent < 0 else pose[:, parent] @ self.offsets[bone]
            pose[:, bone] = above @ basis[:, bone]
        return pose


def compose(location: Floats, rotation: Floats, size: Floats) -> Floats:
    """(..., 4, 4) of location (..., 3), quaternion (..., 4) as Blender takes it (normalised) and scale (..., 3)."""
    out = np.zeros((*location.shape[:-1], 4, 4))
    out[..., :3, :3] = rotation_matrix.from_quaternion(rotation) * size[..., None, :]
    out[..., :3, 3], out[..., 3, 3] = location, 1
    return out


def decompose(matrix: Floats) -> tuple[Floats, Floats, Floats]:
    """Location (..., 3), quaternion (..., 4) and scale (..., 3) nearest to matrices (..., 4, 4); a mirrored one is scaled by negative
    numbers in all three. What is left, `compose` of them against the matrix, is shear."""
    linear = matrix[..., :3, :3]
    mirrored = np.where(np.linalg.det(linear) < 0, -1.0, 1.0)
    size = np.linalg.norm(linear, axis=-2)
    rotation = rotation_matrix.nearest(linear * mirrored[..., None, None] / np.maximum(size, 1e-12)[..., None, :])
    size = np.einsum("...ij,...ij->...j", rotation, linear)  # the scale that is best along the axes found
    return matrix[..., :3, 3], quaternion.of_matrix(rotation), size
