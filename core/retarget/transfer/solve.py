"""From wanted rotations and positions in the world to a figure's own channels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion import quaternion as quat
from ...motion import rotation_matrix
from ...motion.rotation_matrix import Floats
from ..figures.figure import Figure
from ..figures.motion import Local, Motion, Standing, empty, frame_of, to_world


@dataclass(frozen=True, eq=False)
class Wanted:
    """By bone, in the world: rotations (F, 4), positions (F, 3) of heads; shifts (F, 3): offsets from where the parent carries the head, in
    metres, in the axes of the world while the parent is in its reference pose; locals (F, 4): rotations away from the reference, relative
    to the parent's, in the axes of the world, for bones that have no rotation in the world; sizes (F, 3)."""

    rotations: dict[int, Floats]
    positions: dict[int, Floats]
    shifts: dict[int, Floats]
    locals: dict[int, Floats]
    sizes: dict[int, Floats]


def solve(figure: Figure, frames: Floats, wanted: Wanted, references: Floats, standing: Standing) -> tuple[Local, Motion]:
    """The channels that bring the bones there, and the motion that follows. references: (B, 4) aligned rest rotations in the world."""
    count, links = len(frames), figure.links
    upright = quat.conjugate(standing.rotations)
    resting = quat.multiply(quat.conjugate(quat.of_matrix(figure.rotation)), references)
    rotations, positions = empty(count, len(figure), 4), empty(count, len(figure), 3)
    basis, locations = np.empty_like(rotations), np.zeros_like(positions)
    for bone, parent in enumerate(figure.parents.tolist()):
        above, carried, axes = frame_of(figure, links, bone, rotations[:, parent] if parent >= 0 else None)
        rotations[:, bone] = above
        basis[:, bone] = quat.IDENTITY
        if bone in wanted.rotations:
            rotations[:, bone] = quat.multiply(upright, wanted.rotations[bone])
        elif bone in wanted.locals:
            carrier = _delta(rotations, resting, parent)
            start = quat.of_matrix(figure.rotation)
            own = quat.multiply(quat.conjugate(start), quat.multiply(wanted.locals[bone], start))
            rotations[:, bone] = quat.multiply(quat.multiply(carrier, own), resting[bone])
        if bone in wanted.rotations or bone in wanted.locals:
            basis[:, bone] = quat.multiply(quat.conjugate(above), rotations[:, bone])
            if figure.locked[bone].any():
                basis[:, bone] = _allowed(basis[:, bone], figure.modes[bone], figure.locked[bone])
                rotations[:, bone] = quat.multiply(above, basis[:, bone])
        positions[:, bone] = carried if parent < 0 else carried + positions[:, parent]
        if figure.fixed[bone]:
            continue
        if bone in wanted.positions:
            goal = quat.rotate(upright, wanted.positions[bone] - standing.positions) / standing.scale
        elif bone in wanted.shifts:
            start = quat.conjugate(quat.of_matrix(figure.rotation))
            shift = quat.rotate(start, wanted.shifts[bone]) / standing.scale
            goal = positions[:, bone] + quat.rotate(_delta(rotations, resting, parent), shift)
        else:
            continue
        locations[:, bone] = quat.rotate(quat.conjugate(axes), goal - positions[:, bone])
        positions[:, bone] = goal
    sizes: Floats | None = None
    if wanted.sizes:
        sizes = np.ones((count, len(figure), 3))
        for bone, size in wanted.sizes.items():
            sizes[:, bone] = size
    return Local(locations, basis, sizes), to_world(frames, rotations, positions, sizes, standing)


def _allowed(rotations: Floats, mode: str, locked: NDArray[np.bool_]) -> Floats:
    """(F, 4) the rotations without what is about locked axes: the twist about a single free one, else the Euler angles that are left."""
    free = np.flatnonzero(~locked)
    if not len(free):
        return np.broadcast_to(quat.IDENTITY, rotations.shape)
    if len(free) == 1:
        axis = np.eye(3)[free[0]]
        return quat.about(axis, quat.twist_angle(rotations, axis))
    order = mode if set(mode) == set("XYZ") else "XYZ"
    angles = rotation_matrix.to_euler(rotation_matrix.from_quaternion(rotations), order)
    return quat.of_matrix(rotation_matrix.from_euler(np.where(locked, 0.0, angles), order))


def _delta(rotations: Floats, resting: Floats, parent: int) -> Floats:
    """(F, 4) the rotation of the parent away from its reference, in armature space."""
    if parent < 0:
        return quat.IDENTITY
    return quat.multiply(rotations[:, parent], quat.conjugate(resting[parent]))
