"""LAB, the skeleton file: bones with their inverse bind matrices, dummies, and one long time line of keys, bone by bone.

Layout after the engine's lwAnimDataBone::Load. Matrices are for row vectors (v' = v * M, translation in row 4), left-handed, Z up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...files.binary import Bytes, Reader
from ...reporting import log
from ...reporting.errors import FormatError
from . import names
from .lab_check import check
from .lab_layout import (
    ANCIENT,
    BONE,
    CURRENT,
    DUMMY,
    KEY_TYPES,
    MAT43,
    MAT44,
    MOVING,
    NAME_SIZE,
    QUAT,
    TRAILER,
    VERSIONS,
    key_sizes,
    parent_indices,
    parents_first,
)

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Lab:
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

    @classmethod
    def parse(cls, data: Bytes) -> Lab:
        """Raises FormatError when the sizes do not fit, the parents form no tree, or values are not finite."""
        reader = Reader(data)
        version = reader.u32("version")
        if version not in VERSIONS:
            raise FormatError(f"not a skeleton file: version 0x{version:X}", 0)
        old_version = reader.u32("old version") if version == 0 else 0
        lab = cls.parse_body(reader, version, old_version)
        rest = reader.rest()
        if version == ANCIENT and len(rest) < TRAILER:
            size = len(reader.data)
            raise FormatError(f"{size} bytes instead of the {size - len(rest) + TRAILER} that its header gives", reader.offset - len(rest))
        if len(rest) > (TRAILER if version == ANCIENT else 0):
            log.warning(f"{len(rest)} bytes after the keys; kept")
        return replace(lab, rest=rest) if rest else lab

    @classmethod
    def parse_body(cls, reader: Reader, version: int, old_version: int = 0) -> Lab:
        """What follows the version, here or in the animation block of a mesh file. Raises FormatError as `parse`."""
        start = reader.offset
        fields = ("bone count", "frame count", "dummy count", "key type")
        bone_count, frame_count, dummy_count, key_type = map(reader.u32, fields)
        if not bone_count or not frame_count:
            raise FormatError(f"a skeleton of {bone_count} bones and {frame_count} frames", start)
        if key_type not in KEY_TYPES:
            raise FormatError(f"key type {key_type} is none of 1, 2, 3", start + 12)
        least = bone_count * (BONE.itemsize + 64) + dummy_count * DUMMY.itemsize
        if least > reader.left:
            raise FormatError(f"{bone_count} bones and {dummy_count} dummies take {least} bytes, {reader.left} left", reader.offset)
        bones = reader.array(BONE, bone_count, "bones")
        binds_at = reader.offset
        inverse_binds = reader.array("<f4", 16 * bone_count, "inverse bind matrices").reshape(-1, 4, 4)
        dummies_at = reader.offset
        dummies = reader.array(DUMMY, dummy_count, "dummies")
        keys_at = reader.offset
        numbers = int(key_sizes(version, key_type, frame_count, bones["parent"]).sum())
        if 4 * numbers > reader.left:
            size = len(reader.data)
            raise FormatError(f"{size} bytes instead of the {keys_at + 4 * numbers} that its header gives", keys_at)
        lab = cls(version, key_type, frame_count, bones, inverse_binds, dummies, reader.array("<f4", numbers, "keys"), old_version)
        check(lab, start + 16, binds_at, dummies_at, keys_at)
        return lab

    def pack(self) -> bytes:
        head = [self.version, self.old_version] if self.version == 0 else [self.version]
        return np.array(head, "<u4").tobytes() + self.pack_body() + self.rest

    def pack_body(self) -> bytes:
        """Without the version and the rest."""
        head = np.array([len(self.bones), self.frame_count, len(self.dummies), self.key_type], "<u4")
        return b"".join(part.tobytes() for part in (head, self.bones, self.inverse_binds, self.dummies, self.keys))

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

    def with_quaternions(self, positions: ArrayLike, quaternions: ArrayLike) -> Lab:
        """This skeleton with other keys, of any number of frames: positions (bones, frames, 3), quaternions (bones, frames, 4) x, y, z, w.

        Where the version stores one position for all frames (`constant_positions`), that of frame 0 is taken.
        """
        moved, rotated = np.asarray(positions, "<f4"), np.asarray(quaternions, "<f4")
        frames = rotated.shape[1]
        parts = np.concatenate([moved.reshape(self.bone_count, -1), rotated.reshape(self.bone_count, -1)], axis=1)
        keep = np.ones(parts.shape, np.bool_)
        constant = (self.parents >= 0) & (self.version < MOVING)
        keep[constant, 3 : 3 * frames] = False
        return replace(self, key_type=QUAT, frame_count=frames, keys=parts[keep])

    def with_matrices(self, matrices: ArrayLike) -> Lab:
        """This skeleton with other keys, of any number of frames: (bones, frames, 4, 3) gives MAT43, (bones, frames, 4, 4) MAT44."""
        rows = np.asarray(matrices, "<f4")
        return replace(self, key_type=MAT43 if rows.shape[-1] == 3 else MAT44, frame_count=rows.shape[1], keys=rows.reshape(-1))

    def upgraded(self) -> Lab:
        """As the current version: positions for every frame, no trailer."""
        current = replace(self, version=CURRENT, old_version=0, rest=b"")
        return current.with_quaternions(self.positions, self.quaternions) if self.constant_positions.any() else current


def new_lab(bone_names: Sequence[str], parents: ArrayLike, inverse_binds: ArrayLike, dummies: NDArray[Any] | None = None) -> Lab:
    """A skeleton of the current version without keys; `with_quaternions` or `with_matrices` gives it some.

    parents: (bones,) index of the parent, -1 for the root, parents first. inverse_binds: (bones, 4, 4). dummies: array of `DUMMY`.
    Raises ExportError for names that the file has no room for.
    """
    bones = np.zeros(len(bone_names), BONE)
    for bone, name in zip(bones, bone_names, strict=True):
        bone["name"] = np.frombuffer(names.encode(name, NAME_SIZE), "u1")
    bones["id"] = np.arange(len(bones))
    bones["parent"] = np.asarray(parents, np.int64).astype("<u4")
    matrices = np.array(inverse_binds, "<f4").reshape(-1, 4, 4)
    return Lab(CURRENT, QUAT, 0, bones, matrices, np.zeros(0, DUMMY) if dummies is None else dummies, np.zeros(0, "<f4"))
