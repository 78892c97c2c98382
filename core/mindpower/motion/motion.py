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
"""(F, bones, C) the components of the bones at all frames. In memory the frames of a component lie together, as its curve wants them."""


def channels(frames: int, bones: int, components: int, value: float = 0.0) -> Channels:
    """(F, bones, C) of one value."""
    return np.full((bones, components, frames), value, np.float32).transpose(2, 0, 1)


def at_frames(values: Channels, frames: NDArray[np.int64]) -> Channels:
    """(K, ..., C) some frames of (F, ..., C), the frames of a component still together."""
    return np.moveaxis(np.moveaxis(values, 0, -1)[..., frames], -1, 0)


@dataclass(frozen=True, eq=False)
class Helper:
    """Two bones below one, both as it at rest, that add what it cannot hold: rotation (F, 4) w, x, y, z and scale (F, 3) of the first,
    rotation (F, 4) of the second."""

    first: Channels
    scale: Channels
    second: Channels


@dataclass(frozen=True, eq=False)
class Motion:
    """locations: (F, bones, 3), rotations: (F, bones, 4) w, x, y, z, scales: (F, bones, 3).

    errors: for bones that are not exact, how far the skin matrix in Blender is from the game's, (F, 3, 4). helpers: by bone.
    """

    rig: LabRig
    locations: Channels
    rotations: Channels
    scales: Channels
    errors: dict[int, NDArray[np.float32]] = field(default_factory=dict[int, NDArray[np.float32]])
    helpers: dict[int, Helper] = field(default_factory=dict[int, Helper])

    def __len__(self) -> int:
        """How many frames."""
        return len(self.locations)

    @cached_property
    def scaled(self) -> NDArray[np.bool_]:
        """(bones,) that have a scale at any frame."""
        any_of: NDArray[np.bool_] = (self.scales != 1).any(axis=(0, 2))
        return any_of

    def at(self, frames: NDArray[np.int64]) -> Motion:
        """Some frames, without the errors."""
        helpers = {bone: Helper(helper.first[frames], helper.scale[frames], helper.second[frames]) for bone, helper in self.helpers.items()}
        locations, rotations, scales = (at_frames(values, frames) for values in (self.locations, self.rotations, self.scales))
        return Motion(self.rig, locations, rotations, scales, helpers=helpers)

    def farthest(self, bone: int, points: Floats) -> float:
        """The largest distance of any of the points (N, 3), at rest in Blender's units, that a bone carries from where the game has it, at
        the worst frame."""
        error = self.errors.get(bone)
        if error is None or not len(points):
            return 0.0
        at = np.column_stack([points, np.ones(len(points))]).T.astype(np.float32)
        step = max(1, 1_000_000 // len(points))
        return max(float(np.linalg.norm(error[first : first + step] @ at, axis=1).max()) for first in range(0, len(error), step))


def continuous(rotations: Channels) -> None:
    """Signs of (F, bones, 4) such that no frame is on the other side of the one before; in place."""
    dots = np.einsum("fbi,fbi->fb", rotations[1:], rotations[:-1])
    over = dots < 0
    if over.any():
        flipped: NDArray[np.bool_] = np.logical_xor.accumulate(over, axis=0)
        rotations[1:] *= np.where(flipped, np.float32(-1), np.float32(1))[..., None]


def rotations_of(matrices: Floats) -> Channels:
    """(F, 4) of rotations (F, 3, 3)."""
    rotations = quaternion.of_matrix(matrices).astype(np.float32)
    continuous(rotations[:, None])
    return rotations
