"""A skeleton file's fields, and the names, parents and keys that follow from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import names
from .lab_layout import ANCIENT, MOVING, QUAT, TRAILER, key_sizes, parent_indices, parents_first

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class LabFields:
    """Every field of the file.

    bones: array of `BONE`; the raw names have garbage behind their NUL. inverse_binds: (bones, 4, 4). dummies: array of `DUMMY`; a
    dummy's matrix is in model space at bind. keys: all keys as the file has them, flat; see `positions`, `quaternions` and `matrices`.
    old_version: the second word of a version 0 file. rest: what follows the keys; in version 1 the saved pose table of 32 bytes.
    """

    version: int
    key_type: int
    frame_count: int
    bones: NDArray[Any]
    inverse_binds: Floats
    dummies: NDArray[Any]
    keys: Floats
    old_version: int = 0
    rest: bytes = b""

    @property
    def bone_count(self) -> int:
        return len(self.bones)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """One a bone; not always unique."""
        return tuple(map(names.decode, self.bones["name"]))

    @cached_property
    def parents(self) -> NDArray[np.int32]:
        """(bones,) index of the parent, -1 for a root. Nearly always the parent comes first; see `order`."""
        return parent_indices(self.bones["parent"])

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """(bones,) the bones' indices so that parents come before their children; as they are where they do already."""
        return parents_first(self.parents)

    @cached_property
    def constant_positions(self) -> NDArray[np.bool_]:
        """(bones,) whose position is stored once for all frames: all but roots, in QUAT files of the older versions."""
        older = self.key_type == QUAT and self.version < MOVING
        return (self.parents >= 0) & older

    @cached_property
    def positions(self) -> Floats:
        """(bones, frames, 3) translations in the parent's space; a view on the keys unless positions are constant."""
        if self.key_type != QUAT:
            return self.matrices[:, :, 3, :3]
        if not self.constant_positions.any():
            return self.keys.reshape(self.bone_count, -1)[:, : 3 * self.frame_count].reshape(self.bone_count, -1, 3)
        positions = np.empty((self.bone_count, self.frame_count, 3), "<f4")
        for bone, (row, constant) in enumerate(zip(self._rows, self.constant_positions.tolist(), strict=True)):
            positions[bone] = row[: 3 if constant else 3 * self.frame_count].reshape(-1, 3)
        return positions

    @cached_property
    def quaternions(self) -> Floats:
        """(bones, frames, 4) x, y, z, w in QUAT files, as they are: not always of length 1. A view where only bone 0 is a root.

        Raises ValueError in files with matrices.
        """
        if self.key_type != QUAT:
            raise ValueError("keys are matrices")
        frames = self.frame_count
        if not self.constant_positions.any():
            return self.keys.reshape(self.bone_count, -1)[:, 3 * frames :].reshape(self.bone_count, -1, 4)
        if self.parents[0] < 0 and self.constant_positions[1:].all():
            # Bone 0's last position stands where every other bone has its only one.
            return self.keys[3 * frames - 3 :].reshape(self.bone_count, -1)[:, 3:].reshape(self.bone_count, -1, 4)
        return np.stack([row[-4 * frames :].reshape(-1, 4) for row in self._rows])

    @cached_property
    def matrices(self) -> Floats:
        """(bones, frames, 4, 3) in MAT43 files, (bones, frames, 4, 4) in MAT44 files; a view on the keys.

        Raises ValueError in QUAT files.
        """
        if self.key_type == QUAT:
            raise ValueError("keys are quaternions")
        return self.keys.reshape(self.bone_count, self.frame_count, 4, -1)

    @property
    def _rows(self) -> list[Floats]:
        """The keys of each bone."""
        ends = np.cumsum(key_sizes(self.version, self.key_type, self.frame_count, self.bones["parent"]))
        return np.split(self.keys, ends[:-1])

    @property
    def saved_range(self) -> tuple[int, int] | None:
        """First and last frame as the trailer of a version 1 file gives them."""
        if self.version != ANCIENT or len(self.rest) < TRAILER:
            return None
        start, end = np.frombuffer(self.rest, "<u4", 2, 4).tolist()
        return start, end
