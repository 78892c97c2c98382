"""What Blender's bones hold of a skeleton file: location, quaternion and scale of every bone at every frame."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from .continuity import Channels
from .helper_bones import Helper, helper_of
from .rig import LabRig


def channels(frames: int, bones: int, components: int, value: float = 0.0) -> Channels:
    """(F, bones, C) of one value."""
    return np.full((bones, components, frames), value, np.float32).transpose(2, 0, 1)


def at_frames(values: Channels, frames: NDArray[np.int64]) -> Channels:
    """(K, ..., C) some frames of (F, ..., C), the frames of a component still together."""
    return np.moveaxis(np.moveaxis(values, 0, -1).take(frames, axis=-1), -1, 0)  # indexing would lay the frames apart


@dataclass(frozen=True, eq=False)
class Motion:
    """locations: (F, bones, 3), rotations: (F, bones, 4) w, x, y, z, scales: (F, bones, 3).

    errors: for bones that are not exact, how far the skin matrix in Blender is from the game's, (F, 3, 4). missing: for the same bones,
    (F, 3, 3) what helper bones would have to add. helpers: of the bones that have some, which are exact then. dense: the same at more
    times, None where straight lines from frame to frame are as the game moves.
    """

    rig: LabRig
    locations: Channels
    rotations: Channels
    scales: Channels
    errors: dict[int, NDArray[np.float32]] = field(default_factory=dict[int, NDArray[np.float32]])
    missing: dict[int, Floats] = field(default_factory=dict[int, Floats])
    helpers: dict[int, Helper] = field(default_factory=dict[int, Helper])
    dense: Dense | None = None

    def __len__(self) -> int:
        """How many frames."""
        return len(self.locations)

    @cached_property
    def scaled(self) -> NDArray[np.bool_]:
        """(bones,) that have a scale at any frame."""
        any_of: NDArray[np.bool_] = (self.scales != 1).any(axis=(0, 2))
        return any_of

    def at(self, frames: NDArray[np.int64]) -> Motion:
        """Some frames, without the errors and what is between."""
        helpers = {bone: helper.at(frames) for bone, helper in self.helpers.items()}
        locations, rotations, scales = (at_frames(values, frames) for values in (self.locations, self.rotations, self.scales))
        return Motion(self.rig, locations, rotations, scales, helpers=helpers)

    def with_times(self, times: Floats) -> Motion:
        """This as what is there at `times` (F,) in frames: the motion of the whole frames among them, and this between them."""
        frames = np.flatnonzero(times % 1 == 0)
        errors, missing = ({bone: values[frames] for bone, values in of.items()} for of in (self.errors, self.missing))
        return replace(self.at(frames), errors=errors, missing=missing, dense=Dense(times, self))

    def helped(self, bones: NDArray[np.int64]) -> Motion:
        """With helper bones for those of `bones` that are not exact."""
        wanted = [bone for bone in self.missing if bone in bones]
        if not wanted:
            return self
        if self.dense is not None:
            return self.dense.motion.helped(bones).with_times(self.dense.times)
        helpers = self.helpers | {bone: helper_of(self.missing[bone]) for bone in wanted}
        errors, missing = ({bone: values for bone, values in of.items() if bone not in helpers} for of in (self.errors, self.missing))
        return replace(self, errors=errors, missing=missing, helpers=helpers)

    def farthest(self, bone: int, points: Floats) -> float:
        """The largest distance of any of the points (N, 3), at rest in Blender's units, that a bone carries from where the game has it, at
        the worst frame."""
        error = self.errors.get(bone)
        if error is None or not len(points):
            return 0.0
        at = np.column_stack([points, np.ones(len(points))]).T.astype(np.float32)
        step = max(1, 1_000_000 // len(points))
        return max(float(np.linalg.norm(error[first : first + step] @ at, axis=1).max()) for first in range(0, len(error), step))


@dataclass(frozen=True, eq=False)
class Dense:
    """A motion at `times` (T,) in frames: all whole ones, and some between."""

    times: Floats
    motion: Motion
