"""A Rig is the conversion between a game's skeleton and Blender's, as data: rest orientation, rotation mode, axes and signs of each bone.

Blender's pose is pose_b = pose_parent * rest_parent^-1 * rest_b * basis_b. A rest orientation that maps axes onto axes keeps every
elementary rotation of the game an elementary rotation of the basis, about a permuted and signed axis, so that the game's own angles
stand in the Euler curves and interpolate as in the game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..clip import TrackKind, Values
from ..rotations import rotation_matrix
from ..rotations.rotation_matrix import Floats
from .skeleton import Skeleton

BoneDirection = Literal["GAME", "CHILD"]

_AXES = "XYZ"


@dataclass(frozen=True)
class Convention:
    """What a game's numbers mean in Blender's axes.

    axes: (3, 3) signed permutation, game axes -> Blender axes, for points and translations.
    product: for each factor of the rotation matrix, from left to right: Blender axis, component of the game's triple, sign.
    """

    axes: NDArray[np.float64]
    product: tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]


Y_UP = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""(x, y, z) -> (x, -z, y): 90 degrees about X."""


@dataclass(frozen=True, eq=False)
class Rig:
    """rest: (bones, 3, 3) signed permutations, each bone's rest orientation in armature space. heads, tips: (bones, 3) in Blender's axes,
    game units. location_axes, location_signs: (bones, 3): basis location i is sign * game component. The same for euler_*: rotation_euler
    component i is sign * game angle, in Blender's rotation mode `modes`."""

    skeleton: Skeleton
    convention: Convention
    rest: Floats
    heads: Floats
    tips: Floats
    modes: tuple[str, ...]
    location_axes: NDArray[np.int64]
    location_signs: Floats
    euler_axes: NDArray[np.int64]
    euler_signs: Floats

    @property
    def axes(self) -> Floats:
        """(3, 3) game axes -> Blender axes, for points."""
        return self.convention.axes

    @classmethod
    def build(cls, skeleton: Skeleton, convention: Convention, direction: BoneDirection = "GAME") -> Rig:
        """GAME: every bone keeps the axes of its game. CHILD: of the 24 axis-aligned orientations the one nearest to the child."""
        heads, tips = skeleton.heads @ convention.axes.T, skeleton.tips @ convention.axes.T
        rest = np.broadcast_to(np.eye(3), (len(skeleton), 3, 3)) if direction == "GAME" else _towards(tips - heads)
        return cls._of(skeleton, convention, np.array(rest), heads, tips)

    @classmethod
    def of_rest(cls, skeleton: Skeleton, convention: Convention, rest: Floats) -> Rig:
        """From rest orientations (bones, 3, 3) read back from an armature; raises ValueError when one is not axis-aligned."""
        signed = np.round(rest)
        if not np.allclose(rest, signed, atol=1e-3) or not np.allclose(np.abs(signed).sum(axis=1), 1):
            odd = int(np.argmax(np.abs(rest - signed).max(axis=(1, 2)) + np.abs(np.abs(signed).sum(axis=1) - 1).max(axis=1)))
            raise ValueError(
                f"{skeleton.names[odd]} is not axis-aligned at rest, as the game's angles need: undo what was done to its tail or its roll "
                "in Edit Mode"
            )
        return cls._of(skeleton, convention, signed, skeleton.heads @ convention.axes.T, skeleton.tips @ convention.axes.T)

    @classmethod
    def _of(cls, skeleton: Skeleton, convention: Convention, rest: Floats, heads: Floats, tips: Floats) -> Rig:
        back = rest.transpose(0, 2, 1)
        location = back @ convention.axes
        euler_axes = np.empty((len(skeleton), 3), np.int64)
        euler_signs = np.empty((len(skeleton), 3))
        about = np.empty((len(skeleton), 3), np.int64)
        for factor, (axis, component, sign) in enumerate(convention.product):
            rotated = back[:, :, axis]
            index = np.argmax(np.abs(rotated), axis=1)
            about[:, factor] = index
            rows = np.arange(len(skeleton))
            euler_axes[rows, index] = component
            euler_signs[rows, index] = sign * rotated[rows, index]
        modes = tuple("".join(_AXES[index] for index in row[::-1]) for row in about.tolist())
        location_axes = np.argmax(np.abs(location), axis=2)
        location_signs = np.take_along_axis(location, location_axes[..., None], axis=2)[..., 0]
        return cls(skeleton, convention, rest, heads, tips, modes, location_axes, location_signs, euler_axes, euler_signs)

    def euler_to_basis(self, bones: NDArray[np.int64], values: Values) -> Floats:
        """(K, B, 3) game angles of bones (B,) -> rotation_euler, radians both."""
        return _gathered(values, self.euler_axes[bones], self.euler_signs[bones])

    def euler_from_basis(self, bones: NDArray[np.int64], values: Floats) -> Floats:
        """(K, B, 3) the inverse of `euler_to_basis`, radians."""
        return _scattered(values, self.euler_axes[bones], self.euler_signs[bones])

    def location_to_basis(self, bones: NDArray[np.int64], values: Values) -> Floats:
        """(K, B, 3) game translations of bones (B,) -> basis locations, game units both."""
        return _gathered(values, self.location_axes[bones], self.location_signs[bones])

    def location_from_basis(self, bones: NDArray[np.int64], values: Floats) -> Floats:
        """(K, B, 3) the inverse of `location_to_basis`, game units."""
        return _scattered(values, self.location_axes[bones], self.location_signs[bones])

    def to_basis(self, kind: TrackKind, bones: NDArray[np.int64], values: Values) -> Floats:
        """(K, B, components) whole tracks of bones (B,), translations in game units -> what their curves hold, in game units too."""
        if kind == "euler":
            return self.euler_to_basis(bones, values)
        if kind == "translation":
            return self.location_to_basis(bones, values)
        return self._vector_parts(kind, bones, values, _gathered)

    def from_basis(self, kind: TrackKind, bones: NDArray[np.int64], values: Floats) -> Floats:
        """(K, B, components) the inverse of `to_basis`."""
        if kind == "euler":
            return self.euler_from_basis(bones, values)
        if kind == "translation":
            return self.location_from_basis(bones, values)
        return self._vector_parts(kind, bones, values, _scattered)

    def _vector_parts(self, kind: TrackKind, bones: NDArray[np.int64], values: Values, moved: _Moved) -> Floats:
        """Scale, and quaternions, whose vector part is an axis: axes that mirror reverse it."""
        axes = self.location_axes[bones]
        if kind == "scale":
            return moved(values, axes, np.ones(axes.shape))
        handedness = np.sign(np.linalg.det(self.convention.axes))
        vector = moved(values[..., 1:], axes, self.location_signs[bones] * handedness)
        return np.concatenate([values[..., :1], vector], axis=-1, dtype=np.float64)

    def targets(self, kind: TrackKind, bones: NDArray[np.int64], components: tuple[int, ...]) -> tuple[NDArray[np.int64], Floats]:
        """(B, C) the curve's component and the sign of each of the game's components C of bones (B,)."""
        axes, signs = (self.euler_axes, self.euler_signs) if kind == "euler" else (self.location_axes, self.location_signs)
        targets = np.argsort(axes[bones], axis=1)[:, list(components)]
        return targets, np.ones(targets.shape) if kind == "scale" else np.take_along_axis(signs[bones], targets, axis=1)

    def rest_matrices(self, scale: float) -> Floats:
        """(bones, 4, 4) in armature space. scale: Blender units a game unit."""
        rest = np.zeros((len(self.skeleton), 4, 4))
        rest[:, :3, :3], rest[:, :3, 3], rest[:, 3, 3] = self.rest, self.heads * scale, 1
        return rest

    def basis_of_pose(self, pose: Floats, scale: float) -> Floats:
        """(K, bones, 4, 4) armature-space pose matrices -> basis matrices, translations in game units. scale: Blender units a game unit."""
        rest = self.rest_matrices(scale)
        inverse_rest = np.linalg.inv(rest)
        basis = np.empty_like(pose)
        for bone, parent in enumerate(self.skeleton.parents.tolist()):
            local = rest[bone] if parent < 0 else pose[:, parent] @ (inverse_rest[parent] @ rest[bone])
            basis[:, bone] = rotation_matrix.relative_to(local, pose[:, bone])
        basis[..., :3, 3] /= scale
        return basis

    def euler_of_matrix(self, bone: int, matrix: Floats) -> Floats:
        """Basis rotations (K, 3, 3) of one bone -> rotation_euler (K, 3) in the bone's own mode."""
        return rotation_matrix.to_euler(matrix, self.modes[bone])


_Moved = Callable[[Values, NDArray[np.int64], Floats], Floats]


def _gathered(values: Values, axes: NDArray[np.int64], signs: Floats) -> Floats:
    """(K, B, 3): component `axes` (B, 3) of each bone's triple, times `signs` (B, 3)."""
    index = axes + np.arange(0, 3 * len(axes), 3)[:, None]
    return (values.reshape(len(values), -1).take(index.ravel(), axis=1) * signs.ravel()).reshape(values.shape)


def _scattered(values: Values, axes: NDArray[np.int64], signs: Floats) -> Floats:
    """The inverse of `_gathered`."""
    out = np.empty(values.shape)
    np.put_along_axis(out, np.broadcast_to(axes[None], values.shape), values * signs, axis=2)
    return out


def _towards(directions: Floats) -> Floats:
    """(N, 3, 3) the axis-aligned rotations whose Y axis is nearest to each direction; the roll that keeps X nearest to world X."""
    candidates = rotation_matrix.axis_aligned()
    along = np.einsum("nj,cj->nc", directions, candidates[:, :, 1])
    size = np.linalg.norm(directions, axis=1, keepdims=True)
    roll = candidates[:, 0, 0] + 0.1 * candidates[:, 2, 2]
    return candidates[np.argmax(along + 1e-3 * np.maximum(size, 1) * roll, axis=1)]
