"""From wanted rotations and positions in the world to a figure's own channels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion as quat
from ...motion.rotations import rotation_matrix
from ...motion.rotations.rotation_matrix import Floats
from ..figures.columns import empty
from ..figures.figure import Figure
from ..figures.motion import Local, Standing
from ..figures.walk import Pose, Walk, frame_of


class Rotations(Mapping[int, Floats]):
    """Target bone -> (F, 4) rotations in the world, each computed when it is asked for. make: bone -> what gives them."""

    def __init__(self, make: Mapping[int, Callable[[], Floats]]) -> None:
        self._make = dict(make)

    def __getitem__(self, bone: int) -> Floats:
        return self._make[bone]()

    def __iter__(self) -> Iterator[int]:
        return iter(self._make)

    def __len__(self) -> int:
        return len(self._make)

    def __contains__(self, bone: object) -> bool:
        return bone in self._make

    def copy(self) -> Rotations:
        """With the same rotations whatever becomes of these."""
        return Rotations(self._make)

    def maker(self, bone: int) -> Callable[[], Floats]:
        """What gives the rotations of a bone."""
        return self._make[bone]

    def make(self, bone: int, make: Callable[[], Floats]) -> None:
        """Let something else give the rotations of a bone."""
        self._make[bone] = make

    def put(self, rotations: Mapping[int, Floats]) -> None:
        """Other rotations, which are there already."""
        self._make |= {bone: lambda values=values: values for bone, values in rotations.items()}

    def drop(self, bone: int) -> None:
        """Let the bone's parent carry it."""
        self._make.pop(bone, None)


@dataclass(frozen=True, eq=False)
class Wanted:
    """By bone, in the world: rotations (F, 4), positions (F, 3) of heads; shifts (F, 3): offsets from where the parent carries the head, in
    metres, in the axes of the world while the parent is in its reference pose; locals (F, 4): rotations away from the reference, relative
    to the parent's, in the axes of the world, for bones that have no rotation in the world; sizes (F, 3)."""

    rotations: Rotations
    positions: dict[int, Floats]
    shifts: dict[int, Floats]
    locals: dict[int, Floats]
    sizes: dict[int, Floats]

    def copy(self) -> Wanted:
        """The same, whatever else shall be done after all."""
        return Wanted(self.rotations.copy(), dict(self.positions), self.shifts, self.locals, self.sizes)


class Solved(Walk):
    """The channels that bring the bones there, and the motion that follows, computed for each when it is asked for. references: (B, 4)
    aligned rest rotations in the world."""

    def __init__(self, figure: Figure, frames: Floats, wanted: Wanted, references: Floats, standing: Standing) -> None:
        super().__init__(figure, frames, standing)
        self._wanted = wanted.copy()
        self._upright = quat.conjugate(standing.rotations)
        self._is_upright = bool((self._upright == quat.IDENTITY).all())
        self._locked = np.asarray(figure.locked.any(axis=1), np.bool_)
        self._start = quat.of_matrix(figure.rotation)
        self._resting = quat.multiply(quat.conjugate(self._start), references)

    def channels(self, bone: int) -> tuple[Floats | None, Floats | None]:
        """The (F, 4) rotations and (F, 3) locations of a bone's own channels; None for those that stay at rest."""
        parent = int(self.figure.parents[bone])
        above = self.pose(parent) if parent >= 0 else None
        self._poses.make_room(bone)
        rotations, locations, pose = self._of(bone, above)
        self._poses.put(bone, pose)
        return rotations, locations

    @property
    def sized(self) -> Mapping[int, Floats]:
        """By bone (F, 3) its scale, of those that are scaled."""
        return self._wanted.sizes

    def sizes(self) -> Floats | None:
        """(F, B, 3) of the bones' own scale; None where all are 1."""
        if not self._wanted.sizes:
            return None
        sizes = np.ones((len(self.frames), len(self.figure), 3))
        for bone, size in self._wanted.sizes.items():
            sizes[:, bone] = size
        return sizes

    def local(self) -> Local:
        """The channels of all bones at once."""
        rotations, locations = empty(len(self.frames), len(self.figure), 4), empty(len(self.frames), len(self.figure), 3)
        for bone in range(len(self.figure)):
            rotated, moved = self.channels(bone)
            rotations[:, bone] = quat.IDENTITY if rotated is None else rotated
            locations[:, bone] = 0.0 if moved is None else moved
        return Local(locations, rotations, self.sizes())

    def posed(self, bone: int, above: Pose | None) -> Pose:
        return self._of(bone, above)[2]

    def _of(self, bone: int, above: Pose | None) -> tuple[Floats | None, Floats | None, Pose]:
        """Rotations and locations of the channels, and the pose in armature space."""
        figure, wanted = self.figure, self._wanted
        before, carried, axes = frame_of(figure, figure.links, bone, above[0] if above else None)
        basis: Floats | None = None
        rotations = before if above else np.broadcast_to(before, (len(self.frames), 4))
        if bone in wanted.rotations:
            rotations = wanted.rotations[bone]
            rotations = rotations if self._is_upright else quat.multiply(self._upright, rotations)
        elif bone in wanted.locals:
            own = quat.multiply(quat.conjugate(self._start), quat.multiply(wanted.locals[bone], self._start))
            rotations = quat.multiply(quat.multiply(self._carrier(bone, above), own), self._resting[bone])
        if bone in wanted.rotations or bone in wanted.locals:
            basis = quat.relative(before, rotations)
            if self._locked[bone]:
                basis = _allowed(basis, figure.modes[bone], figure.locked[bone])
                rotations = quat.multiply(before, basis)
        positions = carried + above[1] if above else np.broadcast_to(carried, (len(self.frames), 3))
        goal = None if figure.fixed[bone] else self._goal(bone, above, positions)
        if goal is None:
            return basis, None, (rotations, positions)
        return basis, quat.rotate(quat.conjugate(axes), goal - positions), (rotations, goal)

    def _goal(self, bone: int, above: Pose | None, positions: Floats) -> Floats | None:
        """(F, 3) where the head shall be in armature space; None where its parent carries it."""
        wanted, standing = self._wanted, self.standing
        if bone in wanted.positions:
            return quat.rotate(self._upright, wanted.positions[bone] - standing.positions) / standing.scale
        if bone in wanted.shifts:
            shift = quat.rotate(quat.conjugate(self._start), wanted.shifts[bone]) / standing.scale
            return positions + quat.rotate(self._carrier(bone, above), shift)
        return None

    def _carrier(self, bone: int, above: Pose | None) -> Floats:
        """(F, 4) the rotation of the parent away from its reference, in armature space."""
        if above is None:
            return quat.IDENTITY
        return quat.multiply(above[0], quat.conjugate(self._resting[int(self.figure.parents[bone])]))


def _allowed(rotations: Floats, mode: str, locked: NDArray[np.bool_]) -> Floats:
    """(F, 4) the rotations without what is about locked axes: the twist about a single free one, else the Euler angles that are left."""
    free = np.flatnonzero(~locked)
    if not len(free):
        return np.tile(quat.IDENTITY, (len(rotations), 1))
    if len(free) == 1:
        axis = np.eye(3)[free[0]]
        return quat.about(axis, quat.twist_angle(rotations, axis))
    order = mode if set(mode) == set("XYZ") else "XYZ"
    angles = rotation_matrix.to_euler(rotation_matrix.from_quaternion(rotations), order)
    return quat.of_matrix(rotation_matrix.from_euler(np.where(locked, 0.0, angles), order))
