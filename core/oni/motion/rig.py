"""How Oni's skeleton stands in Blender: at rest in OniSplit's T pose, every bone along its limb (+Y).

A bone's orientation in the armature is C * Q * K: Q its world rotation in the game, C the change of axes, K the bone's own axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ...motion.rigs.matrix_rig import MatrixRig
from ...motion.rigs.rig import Y_UP, BoneDirection
from ...motion.rigs.skeleton import Skeleton
from ...motion.rotations import quaternion, rotation_matrix
from ...motion.rotations.rotation_matrix import Floats
from ..records.angles import to_quaternion
from .evaluate import Joints, chain

NAMES = (
    "pelvis",
    "left_thigh",
    "left_calf",
    "left_foot",
    "right_thigh",
    "right_calf",
    "right_foot",
    "mid",
    "chest",
    "neck",
    "head",
    "left_shoulder",
    "left_biceps",
    "left_wrist",
    "left_handfist",
    "right_shoulder",
    "right_biceps",
    "right_wrist",
    "right_handfist",
)
"""Of the 19 bones that every character has, in the order of the files."""

T_POSE_BONES = len(NAMES)

PARENTS = (-1, 0, 1, 2, 0, 4, 5, 0, 7, 8, 9, 9, 11, 12, 13, 9, 15, 16, 17)
"""Of these bones, by their numbers; the shoulders hang on the neck."""

_T_POSE = {
    0: (0, 90, 90),
    1: (0, 180, 0),
    4: (0, 180, 0),
    11: (90, 90, 90),
    14: (-90, 0, 0),
    15: (-90, -90, 90),
    18: (90, 0, 0),
}
"""Degrees about x, y, z of the bones that are rotated (OniSplit BodyDaeWriter); the others are 0."""

ALONG = quaternion.of_matrix(np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]]))
"""K: Blender's bone axes in the game's; +Y along the bone's +X, +Z where its face (+Y) is."""

_CHANGE = quaternion.of_matrix(Y_UP)

ROOT = np.zeros(1, np.int64)
"""The pelvis, as the bones of a track."""


def names_of(count: int) -> tuple[str, ...]:
    """Bone names; numbers for those beyond the 19."""
    return NAMES[:count] + tuple(f"bone_{index}" for index in range(len(NAMES), count))


def t_pose(count: int) -> Floats:
    """(count, 4) the local rotations of the T pose."""
    angles = np.zeros((count, 3))
    for bone, degrees in _T_POSE.items():
        if bone < count:
            angles[bone] = degrees
    return to_quaternion(np.radians(angles))


def t_posed(parents: NDArray[np.int32], offsets: Floats, height: float = 0.0) -> Joints:
    """The joints (1, B, ...) of the T pose, of bones with `offsets` (B, 3) from their parents; the pelvis at `height`."""
    rotations = t_pose_rotations(parents)
    positions = quaternion.rotate(rotations[parents], offsets)  # from the parent's joint
    positions[parents < 0] = (0.0, height, 0.0)
    for bone, parent in enumerate(parents.tolist()):
        if parent >= 0:
            positions[bone] += positions[parent]
    return Joints(positions[None], rotations[None])


def t_pose_rotations(parents: NDArray[np.int32]) -> Floats:
    """(B, 4) how the bones of the T pose are rotated in the world."""
    return _t_pose_rotations(tuple(parents.tolist()))


@lru_cache(maxsize=16)
def _t_pose_rotations(parents: tuple[int, ...]) -> Floats:
    """Asked several times for each body, and most have the same bones."""
    count = len(parents)
    joints = chain(np.array(parents, np.int32), np.zeros((count, 3)), t_pose(count)[None], np.zeros((1, 3)))
    rotations = joints.rotations[0]
    rotations.flags.writeable = False
    return rotations


def neutral_height(parents: NDArray[np.int32], offsets: Floats) -> float:
    """The height of the pelvis at which the lowest joint of the T pose is on the ground."""
    return max(0.0, -float(t_posed(parents, offsets).positions[0, :, 1].min()))


@dataclass(frozen=True, eq=False)
class OniRig(MatrixRig):
    """The rest pose in game units, with each bone's own axes."""

    @classmethod
    def build(
        cls,
        names: tuple[str, ...],
        parents: NDArray[np.int32],
        offsets: Floats,
        lengths: Floats,
        direction: BoneDirection = "GAME",
        height: float | None = None,
    ) -> OniRig:
        """The T pose of bones with `offsets` (B, 3) from their parents. height: of the pelvis, None for the lowest joint on the ground.

        lengths: (B,) how far each bone's limb reaches along its +X. direction: GAME, the game's +X is the bone's +Y; CHILD, the bone
        points at its first child.
        """
        count = len(parents)
        joints = t_posed(parents, offsets, neutral_height(parents, offsets) if height is None else height)
        heads, rotations = joints.positions[0], joints.rotations[0]
        aims = np.tile([1.0, 0, 0], (count, 1))
        reach = lengths.copy()
        for bone in range(count):
            children = np.flatnonzero(parents == bone)
            # The limb goes on where a child stands along the bone: the spine's next piece, not the thighs beside it.
            along = [int(child) for child in children if offsets[child, 0] > 0.5 * np.linalg.norm(offsets[child])]
            if along:
                child = max(along, key=lambda child: float(offsets[child, 0]))
                reach[bone] = np.linalg.norm(offsets[child])
                if direction == "CHILD":
                    aims[bone] = offsets[child] / reach[bone]
        own = quaternion.multiply(_aimed(aims), ALONG)
        tips = heads + quaternion.rotate(rotations, aims * reach[:, None])
        rest = rotation_matrix.from_quaternion(quaternion.multiply(_CHANGE, quaternion.multiply(rotations, own)))
        return cls(Skeleton(names, parents, heads, tips), Y_UP, rest, heads @ Y_UP.T, tips @ Y_UP.T, own)

    @classmethod
    def of_rest(cls, names: tuple[str, ...], parents: NDArray[np.int32], rest: Floats, heads: Floats) -> OniRig:
        """The rig of an armature whose bones rest (B, 3, 3) in the T pose, at heads (B, 3), both in Blender's axes and game units; how each
        bone lies along its limb follows from that."""
        upright = quaternion.of_matrix(rest)
        own = quaternion.multiply(quaternion.conjugate(quaternion.multiply(_CHANGE, t_pose_rotations(parents))), upright)
        skeleton = Skeleton(names, parents, heads @ Y_UP, heads @ Y_UP)
        return cls(skeleton, Y_UP, rotation_matrix.from_quaternion(upright), heads, heads, own)

    @cached_property
    def along_axes(self) -> bool:
        """Whether the pelvis's location is the game's x, y and z, as it is where its bone keeps the game's axes."""
        return bool(np.abs(self.rest[0] - Y_UP).max() < 1e-5)

    @cached_property
    def bone_offsets(self) -> Floats:
        """(bones, 3) from the parent's joint, in the parent's axes, as the game has them; the root's are 0."""
        assert self.own is not None
        rest, parents = quaternion.of_matrix(self.rest), self.skeleton.parents
        away = self.heads - self.heads[parents]
        local = quaternion.rotate(self.own[parents], quaternion.rotate(quaternion.conjugate(rest[parents]), away))
        return np.where((parents < 0)[:, None], 0.0, local)

    def root_of(self, location: Floats) -> Floats:
        """(K, 3) the pelvis's location in Blender, game units -> its position in the game."""
        return self.from_basis("translation", ROOT, location[:, None])[:, 0] + self.skeleton.heads[0]

    @property
    def rest_height(self) -> float:
        """The pelvis's height at rest."""
        return float(self.skeleton.heads[0, 1])


def _aimed(aims: Floats) -> Floats:
    """(N, 4) the smallest rotations of +X towards unit vectors (N, 3)."""
    half = aims + np.array([1.0, 0, 0])
    length = np.linalg.norm(half, axis=1, keepdims=True)
    half = np.where(length > 1e-6, half / np.maximum(length, 1e-6), [0.0, 1, 0])
    return np.concatenate([half[:, :1], np.cross([1.0, 0, 0], half)], axis=1)
