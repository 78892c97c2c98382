"""How a skeleton of the game stands in Blender: the axes, the rest pose out of the inverse bind matrices, and what its bones can hold.

The game is left-handed with Z up; Blender's Y is the game's -Y. Here matrices are Blender's: column vectors, in Blender's units. The
rest orientation is the clean part of the bind; whatever the bind has beyond that, scale or a mirrored axis, goes into the curves, so that
P = skin * rest is the pose matrix for which a mesh deforms as in the game.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...motion.rigs.matrix_rig import MatrixRig
from ...motion.rigs.rig import BoneDirection
from ...motion.rigs.skeleton import ONWARDS, Skeleton
from ...motion.rotations import rotation_matrix
from ...motion.rotations.rotation_matrix import Floats
from ..files.skeleton.lab import Lab

AXES = np.diag([1.0, -1.0, 1.0])
"""Game axes -> Blender axes, for points: a reflection, so that the winding of faces is reversed."""

_SIGNS = np.outer([1.0, -1, 1, 1], [1.0, -1, 1, 1])

_BACKWARDS = 7e-3
"""Blender does not keep the roll of a bone exactly whose Y axis is nearer to the world's -Y than this, as 1 + y."""

_SERIES = 6.1e-3
"""Up to this 1 + y Blender builds a bone by a series."""

_ROUNDED = 7e-5
"""What rounding of a bone's rest may come to over the whole size of the skeleton, in game units."""


def to_blender(rows: ArrayLike, scale: float) -> Floats:
    """(..., 4, 4) for row vectors in the game's axes and units -> for column vectors in Blender's. scale: Blender units a game unit."""
    out = np.asarray(rows, np.float64).swapaxes(-1, -2) * _SIGNS
    out[..., :3, 3] *= scale
    return out


def from_blender(matrices: Floats, scale: float) -> Floats:
    """The inverse of `to_blender`."""
    out = (matrices * _SIGNS).swapaxes(-1, -2)
    out[..., 3, :3] /= scale
    return out


@dataclass(frozen=True, eq=False)
class LabRig:
    """parents: (bones,) parents first, -1 for a root. binds: (bones, 4, 4) the file's bind matrices in Blender's axes and units.
    rest: (bones, 4, 4) the bones' matrices in Blender. full: (bones,) which bones inherit their parent's whole scale, the others
    nothing of it. scale: Blender units a game unit."""

    parents: NDArray[np.int32]
    binds: Floats
    rest: Floats
    full: NDArray[np.bool_]
    scale: float = 1.0

    @classmethod
    def of(cls, lab: Lab, scale: float = 1.0, direction: BoneDirection = "GAME") -> LabRig:
        """As it is to be built. GAME: bones keep the axes of the file. CHILD: of these axes the one nearest to the child becomes Y, if
        Blender then holds the bone exactly enough; else it keeps them, too."""
        return cls.of_binds(lab.parents, to_blender(np.linalg.inv(lab.inverse_binds.astype(np.float64)), scale), scale, direction)

    @classmethod
    def of_binds(cls, parents: NDArray[np.int32], binds: Floats, scale: float, direction: BoneDirection = "GAME") -> LabRig:
        clean, signs = _clean(binds)
        rest = np.zeros_like(binds)
        rest[:, :3, :3], rest[:, :, 3] = clean, binds[:, :, 3]
        uneven: NDArray[np.bool_] = (signs < 0).any(axis=1) | (np.ptp(np.linalg.norm(binds[:, :3, :3], axis=1), axis=1) > 1e-6)
        if direction == "CHILD":
            heads = binds[:, :3, 3] / scale
            rest[:, :3, :3] = _towards(parents, clean, _directions(parents, heads), float(np.ptp(heads, axis=0).max(initial=0)))
        back = uneven & (rest[:, 1, 1] < _BACKWARDS - 1)
        rest[back, :3, :3] = rest[back, :3, :3][:, :, [2, 0, 1]]
        return cls(parents, binds, rest, np.ones(len(binds), np.bool_), scale)

    def with_rest(self, rest: ArrayLike) -> LabRig:
        """As it really stands in Blender, which rounds."""
        return replace(self, rest=np.asarray(rest, np.float64))

    def as_built(self, names: tuple[str, ...]) -> MatrixRig:
        """What the armature is built from."""
        heads = self.rest[:, :3, 3] / self.scale
        game = Skeleton(names, self.parents, heads @ AXES.T, heads @ AXES.T)
        return MatrixRig(game, AXES, self.rest[:, :3, :3], heads, heads + _directions(self.parents, heads))

    @cached_property
    def clean(self) -> Floats:
        """(bones, 3, 3) the proper rotations in the binds."""
        return _clean(self.binds)[0]

    @cached_property
    def signs(self) -> Floats:
        """(bones, 3) of the axes of each bind: a mirrored one has its X axis negated."""
        return _clean(self.binds)[1]

    @cached_property
    def offsets(self) -> Floats:
        """(bones, 4, 4) rest relative to the parent's rest."""
        above = np.where((self.parents < 0)[:, None, None], np.eye(4), np.linalg.inv(self.rest)[self.parents])
        return above @ self.rest

    @cached_property
    def clean_binds(self) -> NDArray[np.bool_]:
        """(bones,) whose bind is a rotation, maybe mirrored, and a position."""
        return np.abs(self.binds[:, :3, :3] - self.clean * self.signs[:, None]).max(axis=(1, 2)) < 3e-6

    def pose(self, basis: Floats, helped: dict[int, Floats] | None = None) -> Floats:
        """(K, bones, 4, 4) pose matrices of the bones' own channels (K, bones, 4, 4).

        helped: (K, 4, 4) for bones with helper bones: what these add. In the result it is in, for children it is not.
        """
        pose = np.empty_like(basis)
        for bone, parent in enumerate(self.parents.tolist()):
            above = self.above(bone, None if parent < 0 else pose[:, parent])
            pose[:, bone] = above[1] @ basis[:, bone]
            pose[:, bone, :3, 3:] = above[0][..., :3, :3] @ basis[:, bone, :3, 3:] + above[0][..., :3, 3:]
        for bone, more in (helped or {}).items():
            pose[:, bone] = pose[:, bone] @ more
        return pose

    def above(self, bone: int, parent: Floats | None) -> tuple[Floats, Floats]:
        """What a bone's channels are multiplied to, for its location and for its rotation and scale. parent: the parent's pose matrices."""
        if parent is None:
            return self.offsets[bone], self.offsets[bone]
        whole = parent @ self.offsets[bone]
        if self.full[bone]:
            return whole, whole
        linear = parent.copy()
        linear[..., :3, :3] = rotation_matrix.unscaled(parent[..., :3, :3])
        return whole, linear @ self.offsets[bone]


def _clean(binds: Floats) -> tuple[Floats, Floats]:
    """The nearest rotations (bones, 3, 3) to the binds' axes, and the axes' signs (bones, 3)."""
    linear = binds[:, :3, :3] / np.linalg.norm(binds[:, :3, :3], axis=1, keepdims=True)
    u, _, vt = np.linalg.svd(linear)
    near = u @ vt
    signs = np.ones((len(binds), 3))
    signs[np.linalg.det(near) < 0, 0] = -1
    return near * signs[:, None], signs


def _directions(parents: NDArray[np.int32], heads: Floats) -> Floats:
    """(bones, 3) from each bone to the middle of its children, or on from its parent where it has none."""
    count = np.bincount(parents[parents >= 0], minlength=len(parents))[:, None]
    total = np.zeros_like(heads)
    np.add.at(total, parents[parents >= 0], heads[parents >= 0])
    onwards = np.where((parents < 0)[:, None], [[0.0, 0.0, 0.1]], ONWARDS * (heads - heads[parents]))
    return np.where(count > 0, total / np.maximum(count, 1) - heads, onwards)


def _towards(parents: NDArray[np.int32], clean: Floats, directions: Floats, size: float) -> Floats:
    """The orientations (bones, 3, 3), of the 24 that exchange each one's axes, whose Y is nearest to `directions`, the least rotated.

    size: of the skeleton, in game units. Where Blender rounded such a bone too much, it is as little rotated as it can be: mostly not at
    all.
    """
    rotations = rotation_matrix.axis_aligned()
    least = np.trace(rotations, axis1=1, axis2=2)
    along = np.einsum("bi,bij,cj->bc", directions, clean, rotations[:, :, 1])
    lengths = np.linalg.norm(directions, axis=1, keepdims=True)
    rest = clean @ rotations[np.argmax(along + 1e-3 * np.maximum(lengths, 1e-3) * least, axis=1)]
    for bone, parent in enumerate(parents.tolist()):
        above = rest[parent, :, 1] if parent >= 0 else np.array([0.0, 1.0, 0.0])
        if _rounding(rest[bone, :, 1] @ above) * size > _ROUNDED:
            others = clean[bone] @ rotations
            held = _rounding(above @ others[:, :, 1].T) * size <= _ROUNDED
            rest[bone] = others[np.argmax(np.where(held, least, -np.inf))]
    return rest


def _rounding(cosine: ArrayLike) -> Floats:
    """By how much Blender rounds the rest of a bone, whose Y axis has that cosine to its parent's: much where they are nearly opposite,
    as it divides by 1 + y, or has a series instead."""
    opposite = np.maximum(1 + np.asarray(cosine, np.float64), 1e-12)
    return np.where(opposite < _SERIES, 2 * opposite**2, 3e-7 / opposite)
