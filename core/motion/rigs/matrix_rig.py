"""A rig for skeletons whose rest orientation is any rotation, and whose curves are locations, quaternions and scales.

Blender's pose is pose_b = pose_parent * rest_parent^-1 * rest_b * basis_b; here it is solved for the basis, whole clips at once. Games with
Euler numbers that should stand in the curves as they are have the axis-aligned `Rig`. Both take the tracks of a Clip.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..clip import TrackKind, Values
from ..rotations import quaternion, rotation_matrix
from ..rotations.rotation_matrix import Floats
from .skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class MatrixRig:
    """axes: (3, 3) game axes -> Blender axes, for points; it may mirror. rest: (bones, 3, 3) proper rotations, each bone's rest orientation
    in armature space. heads, tips: (bones, 3) in Blender's axes, game units: where each bone starts, and what it points at.

    own: (bones, 4) the bone's Blender axes in its axes of the game, for tracks as a game has them: rotations from the parent's axes to
    the bone's own, translations in the parent's axes; `axes` must not mirror then. None: tracks are in the bone's Blender axes at rest.
    """

    skeleton: Skeleton
    axes: Floats
    rest: Floats
    heads: Floats
    tips: Floats
    own: Floats | None = None

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

    @cached_property
    def before(self) -> Floats:
        """(bones, 4) what the game's local rotations are multiplied with from the left: rest_b^-1 * rest_parent * own_parent^-1."""
        if self.own is None:
            return np.broadcast_to(quaternion.IDENTITY, (len(self.skeleton), 4))
        rest, parents = quaternion.of_matrix(self.rest), self.skeleton.parents
        above = quaternion.multiply(rest[parents], quaternion.conjugate(self.own[parents]))
        roots = quaternion.of_matrix(self.axes)
        return quaternion.multiply(quaternion.conjugate(rest), np.where((parents < 0)[:, None], roots, above))

    @property
    def resting(self) -> Floats:
        """(bones, 4) the game's local rotations at rest."""
        if self.own is None:
            return self.before
        return quaternion.conjugate(quaternion.multiply(self.own, self.before))

    def to_basis(self, kind: TrackKind, bones: NDArray[np.int64], values: Values) -> Floats:
        """(..., B, components) whole tracks of bones (B,), translations in game units -> what their curves hold, in game units too."""
        values = np.asarray(values, np.float64)
        if self.own is None or kind in ("scale", "euler"):
            return values
        if kind == "translation":
            return quaternion.rotate(self.before[bones], values)
        return quaternion.multiply(quaternion.multiply(self.before[bones], values), self.own[bones])

    def from_basis(self, kind: TrackKind, bones: NDArray[np.int64], values: Floats) -> Floats:
        """(..., B, components) the inverse of `to_basis`."""
        if self.own is None or kind in ("scale", "euler"):
            return values
        back = quaternion.conjugate(self.before[bones])
        if kind == "translation":
            return quaternion.rotate(back, values)
        return quaternion.multiply(quaternion.multiply(back, values), quaternion.conjugate(self.own[bones]))

    def targets(self, kind: TrackKind, bones: NDArray[np.int64], components: tuple[int, ...]) -> tuple[NDArray[np.int64], Floats]:
        """(B, C) the curve's component and the sign of each of the game's components C of bones (B,). Raises ValueError where a component
        of a translation is not one component of the curves."""
        linear = np.broadcast_to(np.eye(3), (len(bones), 3, 3))
        if kind == "translation":
            linear = rotation_matrix.from_quaternion(self.before[bones])
        columns = linear[:, :, list(components)].swapaxes(1, 2)
        targets = np.abs(columns).argmax(axis=2)
        signs = np.take_along_axis(columns, targets[..., None], axis=2)[..., 0]
        if (np.abs(signs) < 1 - 1e-4).any():
            raise ValueError("a bone's rest orientation is not along the game's axes, so its translation has no components of its own")
        return targets, np.sign(signs)

    def basis_of_pose(self, pose: Floats) -> Floats:
        """(K, bones, 4, 4) pose matrices in armature space, game units -> what the bones' own channels must hold."""
        parents: NDArray[np.int32] = self.skeleton.parents
        above = np.where((parents < 0)[:, None, None], np.eye(4), pose[:, parents]) @ self.offsets
        return rotation_matrix.relative_to(above, pose)


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
    lengths = np.maximum(np.linalg.norm(linear, axis=-2), 1e-12)
    mirrored: NDArray[np.bool_] = np.linalg.det(linear) < 0
    signed = np.asarray(np.where(mirrored[..., None], -lengths, lengths), np.float64)
    rotation = rotation_matrix.nearest(linear / signed[..., None, :])
    size = np.einsum("...ij,...ij->...j", rotation, linear)  # the scale that is best along the axes found
    return matrix[..., :3, 3], quaternion.of_matrix(rotation), size
