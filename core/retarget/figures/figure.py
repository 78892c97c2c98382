"""A Figure is what retargeting knows of a skeleton: hierarchy, rest pose and where it stands. World axes are Blender's, Z up."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion as quat
from ...motion.rotations import rotation_matrix
from ...motion.rotations.rotation_matrix import Floats

_AT_JOINT = 0.1
"""In lengths of its bone: a tail misses the joint that follows by less."""


@dataclass(frozen=True, eq=False)
class Figure:
    """names: of B bones. parents: (B,) index of the parent, which comes first, -1 for a root.

    rest: (B, 4, 4) rest matrices in armature space, the bone along its own Y axis. lengths: (B,) from head to tail, armature units.
    world: (4, 4) the object's matrix while it stands still. modes: rotation modes, as Blender calls them.
    hinged: (B,) bones that do not take over their parent's rotation. unturned: (B,) bones whose location counts in the armature's axes.
    fixed: (B,) bones whose location has no effect, because they are connected to their parent.
    locked: (B, 3) of the bones' own axes, those about which a game's bones cannot rotate.
    pelvis: (3,) in armature space, where the hips' joint is if that is not the head of the bone that rotates them, as in some control rigs.
    left: (3,) in armature space, towards the left of the figure where its game declares it.
    sole_points: (K, 3) in armature space, those of the mesh at rest that may be the lowest of its feet. sole_weights: (K, B) on the bones
    that carry them, 1 in sum.
    """

    names: tuple[str, ...]
    parents: NDArray[np.int32]
    rest: Floats
    lengths: Floats
    world: Floats = field(default_factory=lambda: np.eye(4))
    modes: tuple[str, ...] = ()
    hinged: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    unturned: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    fixed: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    locked: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((0, 3), bool))
    pelvis: Floats | None = None
    left: Floats | None = None
    sole_points: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    sole_weights: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    def __post_init__(self) -> None:
        count = len(self.names)
        if not self.modes:
            object.__setattr__(self, "modes", ("QUATERNION",) * count)
        for name in ("hinged", "unturned", "fixed"):
            if not len(getattr(self, name)):
                object.__setattr__(self, name, np.zeros(count, bool))
        if not len(self.locked):
            object.__setattr__(self, "locked", np.zeros((count, 3), bool))

    def __len__(self) -> int:
        return len(self.names)

    @property
    def identity(self) -> Hashable:
        """The same for figures that are the same in everything."""
        values = (getattr(self, each.name) for each in fields(self))
        return tuple(value.tobytes() if isinstance(value, np.ndarray) else value for value in values)

    @cached_property
    def index(self) -> dict[str, int]:
        """Bone name -> number."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each bone the numbers of its children."""
        result: list[list[int]] = [list[int]() for _ in range(len(self))]
        for bone in range(len(self)):
            parent = int(self.parents[bone])
            if parent >= 0:
                result[parent].append(bone)
        return tuple(tuple(bones) for bones in result)

    @cached_property
    def along_limbs(self) -> tuple[int, ...]:
        """All bones, each right behind its parent and what hangs on that before it."""
        order: list[int] = []
        waiting = [bone for bone in reversed(range(len(self))) if self.parents[bone] < 0]
        while waiting:
            bone = waiting.pop()
            order.append(bone)
            waiting += reversed(self.children[bone])
        return tuple(order)

    @cached_property
    def _parts(self) -> tuple[slice, ...]:
        """For each bone where it is in `along_limbs`, with all that hangs on it right behind it."""
        sizes = [1] * len(self)
        for bone in reversed(self.along_limbs):
            if (parent := int(self.parents[bone])) >= 0:
                sizes[parent] += sizes[bone]
        parts = [slice(0)] * len(self)
        for begin, bone in enumerate(self.along_limbs):
            parts[bone] = slice(begin, begin + sizes[bone])
        return tuple(parts)

    @cached_property
    def scale(self) -> float:
        """Metres an armature unit: the object's mean scale."""
        return float(np.abs(np.linalg.det(self.world[:3, :3])) ** (1 / 3))

    @cached_property
    def rotation(self) -> Floats:
        """(3, 3) the object's rotation."""
        return rotation_matrix.nearest(self.world[:3, :3])

    @cached_property
    def rest_rotations(self) -> Floats:
        """(B, 3, 3) rest rotations in armature space; Blender's float32 matrices made orthonormal."""
        return rotation_matrix.nearest(self.rest[:, :3, :3])

    @cached_property
    def quaternions(self) -> Floats:
        """(B, 4) rest rotations in the world."""
        return quat.of_matrix(self.rotation @ self.rest_rotations)

    @cached_property
    def links(self) -> Links:
        """Each bone's rest relative to its parent."""
        return Links.of(self)

    @cached_property
    def heads(self) -> Floats:
        """(B, 3) joints at rest, in the world."""
        return self.rest[:, :3, 3] @ self.world[:3, :3].T + self.world[:3, 3]

    def joint(self, bone: int, role: str = "") -> Floats:
        """(3,) the joint at rest that stands for a role, in the world: the bone's head, but for the hips of some."""
        if role != "hips" or self.pelvis is None:
            return self.heads[bone]
        return self.world[:3, :3] @ self.pelvis + self.world[:3, 3]

    @cached_property
    def soles(self) -> Floats:
        """(K, 3) `sole_points` in the world."""
        return self.sole_points @ self.world[:3, :3].T + self.world[:3, 3]

    @cached_property
    def tails(self) -> Floats:
        """(B, 3) ends of the bones at rest, in the world."""
        ends = self.rest[:, :3, 3] + self.rest[:, :3, 1] * self.lengths[:, None]
        return ends @ self.world[:3, :3].T + self.world[:3, 3]

    @cached_property
    def ends_at_joints(self) -> bool:
        """Whether tails show where bones end: those of most bones are where what hangs on them begins. Else they are an importer's
        invention."""
        above = [bone for bone, children in enumerate(self.children) if children]
        if not above:
            return False
        joints = np.array([self.heads[list(self.children[bone])].mean(axis=0) for bone in above])
        missed = np.linalg.norm(self.tails[above] - joints, axis=1)
        return float(np.median(missed - _AT_JOINT * np.linalg.norm((self.tails - self.heads)[above], axis=1))) < 0

    @cached_property
    def fingerprint(self) -> str:
        """The same for skeletons of the same names and hierarchy, whatever their proportions."""
        text = "\n".join(f"{name}\t{parent}" for name, parent in zip(self.names, self.parents.tolist(), strict=True))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def below(self, bone: int) -> tuple[int, ...]:
        """A bone and all that hangs on it."""
        return self.along_limbs[self._parts[bone]]

    def reach(self, bone: int) -> float:
        """Metres from a bone's joint to the furthest joint or end of what hangs on it."""
        below = list(self.below(bone))
        ends = np.concatenate([self.heads[below], self.tails[below] if self.children[bone] else self.heads[below]])
        return float(np.linalg.norm(ends - self.heads[bone], axis=1).max())

    def is_below(self, bone: int, ancestor: int) -> bool:
        """Whether `ancestor` is the bone itself or one of those above it; -1, which is no bone, is neither."""
        if bone < 0 or ancestor < 0:
            return False
        part = self._parts[ancestor]
        return part.start <= self._parts[bone].start < part.stop


@dataclass(frozen=True, eq=False)
class Links:
    """Each bone's rest relative to its parent: rotations (B, 4), positions (B, 3) in the parent's axes; rests (B, 4) in armature space."""

    rotations: Floats
    positions: Floats
    rests: Floats

    @classmethod
    def of(cls, figure: Figure) -> Links:
        rests, heads = figure.rest_rotations, figure.rest[:, :3, 3]
        parents = figure.parents
        above = np.where((parents >= 0)[:, None, None], rests[parents], np.eye(3))
        start = np.where((parents >= 0)[:, None], heads[parents], 0.0)
        back = above.transpose(0, 2, 1)
        positions = np.einsum("bij,bj->bi", back, heads - start)
        return cls(quat.of_matrix(back @ rests), positions, quat.of_matrix(rests))
