"""What Blender's bones hold of a skeleton file: location, quaternion and scale of every bone at every frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...motion import quaternion
from ...motion.rotation_matrix import Floats
from .rig import LabRig

Channels = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Helper:
    """Two bones below one, both as it at rest, that add what it cannot hold: turn (4, F) and scale (3, F) of the first, turn of the
    second."""

    first: Channels
    size: Channels
    second: Channels


@dataclass(frozen=True, eq=False)
class Motion:
    """locations: (bones, 3, F), turns: (bones, 4, F) w, x, y, z, sizes: (bones, 3, F).

    errors: for bones that are not exact, how far the skin matrix in Blender is from the game's, (F, 3, 4). helpers: by bone.
    """

    rig: LabRig
    locations: Channels
    rotations: Channels
    sizes: Channels
    errors: dict[int, NDArray[np.float32]] = field(default_factory=dict[int, NDArray[np.float32]])
    helpers: dict[int, Helper] = field(default_factory=dict[int, Helper])

    @cached_property
    def scaled(self) -> NDArray[np.bool_]:
        """(bones,) that have a scale at any frame."""
        any_of: NDArray[np.bool_] = (self.sizes != 1).any(axis=(1, 2))
        return any_of

    def at(self, frames: NDArray[np.int64]) -> Motion:
        """Some frames, without the errors."""
        helpers = {
            bone: Helper(helper.first[:, frames], helper.size[:, frames], helper.second[:, frames]) for bone, helper in self.helpers.items()
        }
        return Motion(self.rig, self.locations[:, :, frames], self.rotations[:, :, frames], self.sizes[:, :, frames], helpers=helpers)

    def farthest(self, bone: int, points: Floats) -> float:
        """How far any of the points (N, 3), at rest in Blender's units, that a bone carries is from its place, at the worst frame."""
        error = self.errors.get(bone)
        if error is None or not len(points):
            return 0.0
        at = np.column_stack([points, np.ones(len(points))]).T.astype(np.float32)
        step = max(1, 1_000_000 // len(points))
        return max(float(np.linalg.norm(error[first : first + step] @ at, axis=1).max()) for first in range(0, len(error), step))


def continuous(rotations: NDArray[np.float32]) -> None:
    """Signs of (bones, 4, F) such that no frame is on the other side of the one before; in place."""
    dots = np.einsum("bif,bif->bf", rotations[:, :, 1:], rotations[:, :, :-1])
    over = dots < 0
    if over.any():
        flipped: NDArray[np.bool_] = np.logical_xor.accumulate(over, axis=1)
        rotations[:, :, 1:] *= np.where(flipped, np.float32(-1), np.float32(1))[:, None]


def rotations_of(matrices: Floats) -> Channels:
    """(4, F) of rotations (F, 3, 3)."""
    rotations = quaternion.of_matrix(matrices).T.astype(np.float32)[None]
    continuous(rotations)
    return rotations[0]
