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

from .. import log
from ..binary import Bytes, Reader
from ..errors import FormatError
from . import names

MAT43, MAT44, QUAT = 1, 2, 3
KEY_TYPES = {MAT43: "MAT43", MAT44: "MAT44", QUAT: "QUAT"}

CURRENT = 0x1005
"""The version that the game's own writers write."""
ANCIENT = 1
"""The version of a few old files, which end with a saved pose table that the engine refuses."""
MOVING = 0x1003
"""From this version on every QUAT bone has a position for each frame, not the root alone."""
VERSIONS = (0, ANCIENT, *range(0x1000, CURRENT + 1))

NO_PARENT = 0xFFFFFFFF
TRAILER = 32
NAME_SIZE = 64
WORDS = {MAT43: 12, MAT44: 16, QUAT: 7}
"""float32 values in a key."""

BONE = np.dtype([("name", "u1", NAME_SIZE), ("id", "<u4"), ("parent", "<u4")])
DUMMY = np.dtype([("id", "<u4"), ("parent", "<u4"), ("matrix", "<f4", (4, 4))])

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
        words = int(key_words(version, key_type, frame_count, bones["parent"]).sum())
        if 4 * words > reader.left:
            size = len(reader.data)
            raise FormatError(f"{size} bytes instead of the {keys_at + 4 * words} that its header gives", keys_at)
        lab = cls(version, key_type, frame_count, bones, inverse_binds, dummies, reader.array("<f4", words, "keys"), old_version)
        lab._check_bones(start + 16)
        lab._check_binds(binds_at)
        lab._check_dummies(dummies_at)
        lab._check_keys(keys_at)
        lab._check_rest()
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
        ends = np.cumsum(key_words(self.version, self.key_type, self.frame_count, self.bones["parent"]))
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
        moved, turned = np.asarray(positions, "<f4"), np.asarray(quaternions, "<f4")
        frames = turned.shape[1]
        parts = np.concatenate([moved.reshape(self.bone_count, -1), turned.reshape(self.bone_count, -1)], axis=1)
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

    def _check_bones(self, at: int) -> None:
        """Parents: in range and without cycles. What the engine does not like but can be put right on export is only said."""
        raw, count = self.bones["parent"], self.bone_count
        beyond = (raw != NO_PARENT) & (raw >= count)
        if beyond.any():
            bone = int(np.argmax(beyond))
            raise FormatError(f"bone {bone} {self.names[bone]!r}: parent {raw[bone]} of {count} bones", at + bone * BONE.itemsize + 68)
        in_order = bool((self.parents < np.arange(count)).all())
        if not in_order and len(self.order) < count:
            bone = int(np.setdiff1d(np.arange(count), self.order)[0])
            raise FormatError(f"bone {bone} {self.names[bone]!r}: its parents form a circle", at + bone * BONE.itemsize + 68)
        if not in_order:
            log.warning("children before their parents: the game cannot show such a file; an export puts them in order")
        if (roots := int((self.parents < 0).sum())) != 1:
            log.warning(f"{roots} root bones; the game expects one")
        if (self.bones["id"] != np.arange(count)).any():
            log.warning("bone ids that are not the bones' places; the game goes by the places")

    def _check_binds(self, at: int) -> None:
        finite = np.atleast_1d(np.isfinite(self.inverse_binds).all(axis=(1, 2)))
        matrices = np.where(finite[:, None, None], self.inverse_binds, 0).astype(np.float64)
        lengths = np.linalg.norm(matrices[:, :3, :3], axis=2).prod(axis=1)
        # Relative to the rows' lengths, so that a tiny scale is no reason.
        bad = ~(np.abs(np.linalg.det(matrices)) > 1e-9 * lengths)
        if bad.any():
            bone = int(np.argmax(bad))
            problem = "cannot be inverted" if finite[bone] else "has values that are not finite"
            raise FormatError(f"bone {bone} {self.names[bone]!r}: its inverse bind matrix {problem}", at + 64 * bone)

    def _check_dummies(self, at: int) -> None:
        bad = ~np.isfinite(self.dummies["matrix"]).all(axis=(1, 2))
        if bad.any():
            dummy = int(np.argmax(bad))
            raise FormatError(f"dummy {dummy}: values that are not finite", at + dummy * DUMMY.itemsize)
        if (lost := int((self.dummies["parent"] >= self.bone_count).sum())) > 0:
            log.warning(f"{lost} dummies on bones that do not exist; kept, not shown")

    def _check_rest(self) -> None:
        """What is odd but has a meaning."""
        if len(set(self.names)) < self.bone_count:
            log.warning("several bones have the same name")
        if len(np.unique(self.dummies["id"])) < len(self.dummies):
            log.warning("several dummies have the same id")
        if self.key_type == QUAT and (zero := int((~self.quaternions.any(axis=2)).sum())):
            log.warning(f"{zero} quaternions are zero; the game takes them as no rotation")

    def _check_keys(self, at: int) -> None:
        finite = np.isfinite(self.keys)
        if finite.all():
            return
        word = int(np.argmin(finite))
        sizes = key_words(self.version, self.key_type, self.frame_count, self.bones["parent"])
        bone = int(np.searchsorted(np.cumsum(sizes), word, "right"))
        place = word - int(sizes[:bone].sum())
        if self.key_type != QUAT:
            frame = place // WORDS[self.key_type]
        else:
            moves = int(sizes[bone]) - 4 * self.frame_count
            frame = place // 3 if place < moves else (place - moves) // 4
        raise FormatError(f"bone {bone} {self.names[bone]!r}, frame {frame}: a value that is not finite", at + 4 * word)


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


def key_words(version: int, key_type: int, frame_count: int, parents: NDArray[np.uint32]) -> NDArray[np.int64]:
    """(bones,) how many float32 values the keys of each bone take. parents: as the file has them."""
    words = np.full(len(parents), WORDS[key_type] * frame_count, np.int64)
    if key_type == QUAT and version < MOVING:
        words[parents != NO_PARENT] = 3 + 4 * frame_count
    return words


def parent_indices(raw: NDArray[np.uint32]) -> NDArray[np.int32]:
    """(bones,) -1 for 0xFFFFFFFF, else as they are."""
    return raw.astype(np.int32)


def parents_first(parents: NDArray[np.int32]) -> NDArray[np.int64]:
    """The indices of all bones that hang on a root, every parent before its children; as they are where that is so."""
    count = len(parents)
    if (parents < np.arange(count)).all():
        return np.arange(count)
    children: list[list[int]] = [[] for _ in range(count)]
    for bone, parent in enumerate(parents.tolist()):
        if parent >= 0:
            children[parent] += [bone]
    found: list[int] = [bone for bone, parent in enumerate(parents.tolist()) if parent < 0]
    for bone in found:  # grows while it is walked through
        found += children[bone]
    return np.array(found, np.int64)


def recognise(head: bytes, size: int) -> bool:
    """Whether a file of `size` bytes that starts with `head` can be a skeleton: version, key type and a size that fits."""
    if len(head) < 24 or (version := int.from_bytes(head[:4], "little")) not in VERSIONS:
        return False
    start = 8 if version == 0 else 4
    bones, frames, dummies, key_type = np.frombuffer(head, "<u4", 4, start).tolist()
    if not bones or not frames or key_type not in KEY_TYPES:
        return False
    fixed = start + 16 + bones * 136 + dummies * DUMMY.itemsize
    if key_type == QUAT and version < MOVING:
        least = fixed + bones * (12 + 16 * frames)
        return least <= size <= least + bones * 12 * frames + TRAILER
    return size == fixed + 4 * WORDS[key_type] * bones * frames
