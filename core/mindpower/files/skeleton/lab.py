"""LAB, the skeleton file: bones with their inverse bind matrices, dummies, and one long time line of keys, bone by bone.

Layout after the engine's lwAnimDataBone::Load. Matrices are for row vectors (v' = v * M, translation in row 4), left-handed, Z up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....files.binary import Bytes, Reader, joined
from ....reporting import log
from ....reporting.errors import FormatError
from ....reporting.labels import counted
from .. import names
from .lab_check import check, check_keys
from .lab_fields import LabFields
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
)

Floats = NDArray[np.float32]


class Lab(LabFields):
    """A skeleton file."""

    @classmethod
    def parse(cls, data: Bytes) -> Lab:
        """Raises FormatError when the sizes do not fit, the parents form no tree, or values are not finite."""
        reader = Reader(data)
        version = reader.u32("version")
        if version not in VERSIONS:
            names.refuse_packed(data)
            raise FormatError(f"not a skeleton file: version 0x{version:X}", 0)
        old_version = reader.u32("old version") if version == 0 else 0
        lab = cls.parse_body(reader, version, old_version)
        rest = reader.rest()
        if version == ANCIENT and len(rest) < TRAILER:
            size = len(reader.data)
            raise FormatError(f"{size} bytes instead of the {size - len(rest) + TRAILER} that its header gives", reader.offset - len(rest))
        if len(rest) > (TRAILER if version == ANCIENT else 0):
            log.warning(f"{counted(len(rest), 'byte')} after the keys; kept")
        return replace(lab, rest=rest) if rest else lab

    @classmethod
    def parse_body(cls, reader: Reader, version: int, old_version: int) -> Lab:
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
        """Raises FormatError when a key is not finite: such a file could not be read again."""
        check_keys(self)
        head = [self.version, self.old_version] if self.version == 0 else [self.version]
        return joined([np.array(head, "<u4"), *self._body(), self.rest])

    def pack_body(self) -> bytes:
        """Without the version and the rest."""
        return joined(self._body())

    def _body(self) -> tuple[NDArray[Any], ...]:
        head = np.array([len(self.bones), self.frame_count, len(self.dummies), self.key_type], "<u4")
        return head, self.bones, self.inverse_binds, self.dummies, self.keys

    def with_quaternions(self, positions: ArrayLike, quaternions: ArrayLike) -> Lab:
        """This skeleton with other keys, of any number of frames: positions (bones, frames, 3), quaternions (bones, frames, 4) x, y, z, w.

        Where the version stores one position for all frames (`constant_positions`), that of frame 0 is taken.
        """
        moved, rotated = np.asarray(positions, "<f4"), np.asarray(quaternions, "<f4")
        frames = rotated.shape[1]
        parts = np.concatenate([moved.reshape(self.bone_count, -1), rotated.reshape(self.bone_count, -1)], axis=1)
        constant = (self.parents >= 0) & (self.version < MOVING)
        if constant.any():
            keep = np.ones(parts.shape, np.bool_)
            keep[constant, 3 : 3 * frames] = False
            parts = parts[keep]
        return replace(self, key_type=QUAT, frame_count=frames, keys=parts.reshape(-1))

    def with_matrices(self, matrices: ArrayLike) -> Lab:
        """This skeleton with other keys, of any number of frames: (bones, frames, 4, 3) gives MAT43, (bones, frames, 4, 4) MAT44."""
        rows = np.asarray(matrices, "<f4")
        return replace(self, key_type=MAT43 if rows.shape[-1] == 3 else MAT44, frame_count=rows.shape[1], keys=rows.reshape(-1))


def differing_frames(lab: Lab, other: Lab) -> NDArray[np.bool_]:
    """(frames of `lab`,) for which `other` has none, or other keys; all where its keys are of other bones, or of another kind."""
    result = np.ones(lab.frame_count, np.bool_)
    if (lab.version, lab.key_type, lab.bone_count) != (other.version, other.key_type, other.bone_count) or (
        lab.parents != other.parents
    ).any():
        return result
    shared = min(lab.frame_count, other.frame_count)
    result[:shared] = False
    for kind in ("positions", "quaternions") if lab.key_type == QUAT else ("matrices",):
        differs: NDArray[np.bool_] = getattr(lab, kind)[:, :shared] != getattr(other, kind)[:, :shared]
        result[:shared] |= differs.any(axis=(0, *range(2, differs.ndim)))
    return result


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
