"""From what Blender holds back to keys of the file: untouched keys keep their bits, everything else is encoded anew.

The import is replayed: a key whose channels say what the import would write is the file's own. Keys are local to the parent, so that a
change of one bone is a change of its keys alone.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion.pieces import pieces
from ...motion.rotations import quaternion
from ...motion.rotations.rotation_matrix import Floats
from ..files.skeleton.lab import QUAT, Lab
from . import evaluate
from .channels import poses, same_channels
from .continuity import Channels
from .motion import Motion
from .rig import LabRig, from_blender
from .straight import Straight, simple_bones

_DECOMPOSED = 3e-6
"""How far what helper bones add may be off and count as unchanged: it is a product of four rounded channels."""

_VISIBLE = 2e-5
"""How far matrices of poses of single precision may be off and count as unchanged; positions by that share of the bones' size."""

SKEWED = 5e-5
"""How far from a rotation a bone's own matrix may be and still be written as a quaternion."""


@dataclass(frozen=True, eq=False)
class Keys:
    """The keys of one action, K frames. positions: (K, bones, 3). rotations: (K, bones, 4) w, x, y, z. linear: (K, bones, 3, 3), for row
    vectors.

    old: (K,) the frame of the original that kept keys come from, -1 for none. kept_positions, kept_rotations: (K, bones) what nobody has
    changed; there the other arrays need hold nothing. skewed: (K, bones) matrices that no quaternion holds.
    """

    positions: Channels
    rotations: Channels
    linear: Channels
    old: NDArray[np.int64]
    kept_positions: NDArray[np.bool_]
    kept_rotations: NDArray[np.bool_]
    skewed: NDArray[np.bool_]

    @property
    def changed(self) -> NDArray[np.bool_]:
        """(K,) frames at which any bone is not as it was."""
        kept: NDArray[np.bool_] = np.all(self.kept_positions & self.kept_rotations, axis=1)
        return ~kept

    def at(self, frames: NDArray[np.int64]) -> Keys:
        """A part of it."""
        values = self.positions[frames], self.rotations[frames], self.linear[frames]
        return Keys(*values, self.old[frames], self.kept_positions[frames], self.kept_rotations[frames], self.skewed[frames])


@dataclass(frozen=True, eq=False)
class Before:
    """A skeleton file as it came in. lab: the file. shown: what the import of it shows at all its frames."""

    lab: Lab
    shown: Motion


def encode(
    shown: Motion,
    before: Before | None,
    old: NDArray[np.int64],
    moved: NDArray[np.bool_],
    errors: dict[int, NDArray[np.float32]] | None = None,
    unkeyed: NDArray[np.bool_] | None = None,
) -> Keys:
    """Keys for what the channels show. before: None without the file.

    old: (K,) frames of the original. moved: (bones,) whose rest is no longer that of the import, so that their channels mean another pose.
    errors: where there is no file, what bones could not show of it, as `Motion.errors`. unkeyed: (bones,) that no curve drives. Where
    quaternions cannot hold a bone, it has the file's own keys where its channels are those of any of the file's frames; and those of the
    frame `old`, or of the first one, where it is not keyed.
    """
    errors = before.shown.errors if before is not None else errors or {}
    rig, shape = shown.rig, shown.rotations.shape[:2]
    kept_positions, kept_rotations = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
    if before is not None:
        kept_positions, kept_rotations = _kept(shown, before.shown, old, moved)
        if kept_positions.all() and kept_rotations.all():
            positions, rotations, linear = (np.zeros((*shape, *each), np.float32) for each in ((3,), (4,), (3, 3)))
            return Keys(positions, rotations, linear, old, kept_positions, kept_rotations, np.zeros(shape, np.bool_))
    straight, simple = Straight.of(rig), simple_bones(rig) & ~moved
    simple &= np.abs(shown.scales - straight.scales).max(axis=(0, 2), initial=0) < 1e-5
    helped = sorted(shown.helpers)
    special: list[int] = helped + sorted(errors)
    exact = helped if before is not None else special
    simple &= ~np.isin(rig.parents, special) & ~np.isin(np.arange(shape[1], dtype=np.int64), exact)
    # A bone's rotation of four-space is orthogonal, and its transpose the inverse.
    rotations = np.einsum("bij,fbi->fbj", straight.rotations, _normalised(shown.rotations, exact=before is not None), optimize=True)
    back = np.linalg.inv(straight.locations[:, :, :3]).astype(np.float64)
    positions = np.einsum("bij,fbj->fbi", back, shown.locations.astype(np.float64) - straight.locations[:, :, 3], optimize=True)
    linear = evaluate.rotation_rows(rotations)
    skewed = np.zeros(shape, np.bool_)
    hard = np.flatnonzero(~simple).tolist()
    if hard:
        kept = kept_positions & kept_rotations
        borrowed = _borrowed(shown, before, old, [bone for bone in hard if not moved[bone]], kept, unkeyed)
        original = before.lab if before is not None else None
        _Worlds(shown, original, old, kept, {} if before is not None else errors, borrowed).run(hard, positions, linear)
        skewed[:, hard] = _skewed(linear[:, hard], SKEWED)
        rotations[:, hard] = as_quaternions(linear[:, hard])
        for bone, source in borrowed.items():
            assert original is not None
            there = np.flatnonzero(source >= 0)
            rotations[there, bone], skewed[there, bone] = original.quaternions[bone, source[there]][:, [3, 0, 1, 2]], False
    return Keys(*_single(positions, rotations, linear), old, kept_positions, kept_rotations, skewed)


def _borrowed(
    shown: Motion,
    before: Before | None,
    old: NDArray[np.int64],
    bones: list[int],
    kept: NDArray[np.bool_],
    unkeyed: NDArray[np.bool_] | None,
) -> dict[int, NDArray[np.int64]]:
    """By bone, (K,) the frame of the original whose key it has, -1 for none: of bones that quaternions cannot hold."""
    if before is None or before.lab.key_type != QUAT:
        return {}
    still = np.zeros(shown.rotations.shape[1], np.bool_) if unkeyed is None else unkeyed
    return {
        bone: np.where(kept[:, bone], -1, np.maximum(old, 0) if still[bone] else _alike(shown, before.shown, bone))
        for bone in bones
        if not kept[:, bone].all()
    }


def encode_poses(pose: Floats, rig: LabRig, before: Motion | None, old: NDArray[np.int64]) -> Keys:
    """Keys of evaluated poses (K, bones, 4, 4) in armature space. What looks as the import looked, but for the last digits, is kept."""
    some = list(pieces(len(pose), pose.shape[1]))
    if len(some) < 2:
        return _of_poses(pose, rig, before, old)
    parts = [_of_poses(pose[part], rig, before, old[part]) for part in some]

    def joined(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(part, name) for part in parts])

    return Keys(*(joined(each.name) for each in fields(Keys)))


def _of_poses(pose: Floats, rig: LabRig, before: Motion | None, old: NDArray[np.int64]) -> Keys:
    """The keys of so many poses."""
    local = _locals(pose, rig)
    kept = np.zeros(local.shape[:2], np.bool_)
    if before is not None and (old >= 0).any():
        meant = _locals(poses(before.at(np.maximum(old, 0))), before.rig)
        size = max(1.0, float(np.abs(rig.binds[:, :3, 3]).max()) / rig.scale)
        off = np.abs(local - meant)
        near = (off[..., :3, :3].max(axis=(2, 3)) < _VISIBLE) & (off[..., 3, :3].max(axis=2) < _VISIBLE * size)
        kept = near & (old >= 0)[:, None]
    positions, linear = local[..., 3, :3], local[..., :3, :3]
    return Keys(*_single(positions, as_quaternions(linear), linear), old, kept, kept, _skewed(linear, 1e-3))


def _skewed(linear: Floats, least: float) -> NDArray[np.bool_]:
    """(K, bones) whose matrices (K, bones, 3, 3) are farther from a rotation than that, or mirror."""
    off = np.abs(np.einsum("fbij,fbkj->fbik", linear, linear) - np.eye(3)).max(axis=(2, 3))
    result: NDArray[np.bool_] = (off > least) | (np.linalg.det(linear) < 0)
    return result


def _single(positions: Floats, rotations: Floats, linear: Floats) -> tuple[Channels, Channels, Channels]:
    """In the file's precision."""
    return positions.astype(np.float32), rotations.astype(np.float32), linear.astype(np.float32)


def _locals(pose: Floats, rig: LabRig) -> Floats:
    """(K, bones, 4, 4) for row vectors, in the parents' space, of poses in armature space."""
    world = from_blender(pose @ (np.linalg.inv(rig.rest) @ rig.binds), rig.scale)
    out = world.copy()
    for bone, parent in enumerate(rig.parents.tolist()):
        if parent >= 0:
            out[:, bone] = _over(world[:, bone], world[:, parent])
    return out


def _kept(shown: Motion, before: Motion, old: NDArray[np.int64], moved: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(K, bones) the positions, and the rotations, that are as the import wrote them."""
    then, there = before.at(np.maximum(old, 0)), (old >= 0)[:, None] & ~moved
    positions = same_channels(shown.locations, then.locations) & there
    rotations = same_channels(shown.rotations, then.rotations) & same_channels(shown.scales, then.scales) & there
    for bone, helper in then.helpers.items():
        now = shown.helpers.get(bone)
        if now is None:
            rotations[:, bone] = False
            continue
        rotations[:, bone] &= same_channels(_flat(now.linear), _flat(helper.linear), _DECOMPOSED)
    return positions, rotations


def _alike(shown: Motion, before: Motion, bone: int) -> NDArray[np.int64]:
    """(K,) a frame of the original with the same channels of a bone, -1 for none."""
    now, then = (
        np.concatenate([motion.locations[:, bone], motion.rotations[:, bone], motion.scales[:, bone], *_helped(motion, bone)], axis=1)
        for motion in (shown, before)
    )
    frames = np.full(len(now), -1, np.int64)
    if now.shape[1] != then.shape[1]:
        return frames
    size = np.maximum(np.abs(then).max(axis=0, initial=0), 1)
    for frame, values in enumerate(now):
        same = (np.abs(then - values) <= np.float32(4e-7) * size).all(axis=1)
        if same.any():
            frames[frame] = int(np.argmax(same))
    return frames


def _helped(motion: Motion, bone: int) -> list[Channels]:
    helper = motion.helpers.get(bone)
    return [] if helper is None else [_flat(helper.linear)]


def _flat(matrices: Floats) -> Channels:
    """(F, 9) of (F, 3, 3)."""
    return matrices.reshape(len(matrices), 9).astype(np.float32)


def _normalised(rotations: Channels, exact: bool) -> Floats:
    """(K, bones, 4) of length 1. exact: all of them; else those that are as near to it as the game's own keep their length."""
    values = rotations.astype(np.float64)
    length = np.linalg.norm(values, axis=-1, keepdims=True)
    near = np.abs(length - 1) < 1e-5
    none = length < 1e-12
    out = values / np.where((near & (not exact)) | none, 1.0, length)
    return np.where(none, quaternion.IDENTITY, out) if none.any() else out


@dataclass(eq=False)
class _Worlds:
    """Bones whose keys follow only from where they and their parents are: below or among bones that Blender cannot hold, or scaled."""

    shown: Motion
    original: Lab | None
    old: NDArray[np.int64]
    kept: NDArray[np.bool_]
    errors: dict[int, NDArray[np.float32]]
    borrowed: dict[int, NDArray[np.int64]]

    def run(self, hard: list[int], positions: Floats, linear: Floats) -> None:
        """Fill in `positions` (K, bones, 3) and `linear` (K, bones, 3, 3) of these bones; those of the others are known."""
        rig = self.shown.rig
        world = self._shown_worlds()
        original = (
            evaluate.local_matrices(self.original, np.maximum(self.old, 0)) if self.original is not None and self.kept.any() else None
        )
        for bone, parent in enumerate(rig.parents.tolist()):
            if bone in hard:
                local = world[:, bone] if parent < 0 else _over(world[:, bone], world[:, parent])
                positions[:, bone], linear[:, bone] = local[:, 3, :3], local[:, :3, :3]
            else:
                local = np.zeros_like(world[:, bone])
                local[:, :3, :3], local[:, 3, :3], local[:, 3, 3] = linear[:, bone], positions[:, bone], 1
            if bone in self.borrowed:
                self._borrow(bone, local, positions, linear)
            if original is not None:
                local = np.where(self.kept[:, bone, None, None], original[:, bone], local)
            world[:, bone] = local if parent < 0 else local @ world[:, parent]  # children have what the file will hold above them

    def _shown_worlds(self) -> Floats:
        """(K, bones, 4, 4) for row vectors, in model space, of what Blender shows and what it could not show of the file."""
        rig, there = self.shown.rig, np.flatnonzero(self.old >= 0)
        pose = poses(self.shown)
        for bone, error in self.errors.items():
            pose[there, bone, :3] -= error[self.old[there]].astype(np.float64) @ rig.rest[bone]
        return from_blender(pose @ (np.linalg.inv(rig.rest) @ rig.binds), rig.scale)

    def _borrow(self, bone: int, local: Floats, positions: Floats, linear: Floats) -> None:
        """The original's keys where the bone has one of them; in place."""
        assert self.original is not None
        there = np.flatnonzero(self.borrowed[bone] >= 0)
        frames = self.borrowed[bone][there]
        local[there, :3, :3] = linear[there, bone] = evaluate.rotation_rows(self.original.quaternions[bone, frames][:, [3, 0, 1, 2]])
        local[there, 3, :3] = positions[there, bone] = self.original.positions[bone, frames]


def _over(world: Floats, parent: Floats) -> Floats:
    """world * parent^-1, where a parent without size, or of the file's own fourth column, may have none."""
    flat = np.abs(np.linalg.det(parent)) < 1e-24
    if flat.any():
        return world @ np.where(
            flat[:, None, None], np.linalg.pinv(parent), np.linalg.inv(np.where(flat[:, None, None], np.eye(4), parent))
        )
    return world @ np.linalg.inv(parent)


def as_quaternions(linear: Floats) -> Floats:
    """(..., 4) w, x, y, z nearest to (..., 3, 3) for row vectors."""
    size = np.maximum(np.linalg.norm(linear, axis=-1, keepdims=True), 1e-20)
    return quaternion.of_matrix((linear / size).swapaxes(-1, -2))
