"""From what Blender holds back to keys of the file: untouched keys keep their bits, everything else is encoded anew.

The import is replayed: a key whose channels say what the import would write is the file's own. Keys are local to the parent, so that a
change of one bone is a change of its keys alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion import quaternion
from ...motion.rotation_matrix import Floats
from ..files.lab import QUAT, Lab
from . import evaluate
from .channels import poses, same_channels
from .motion import Channels, Motion
from .rig import LabRig, from_blender
from .straight import Straight, simple_bones

SKEWED = 5e-5
"""How far from a rotation a bone's own matrix may be and still be written as a quaternion."""


@dataclass(frozen=True, eq=False)
class Keys:
    """The keys of one action, K frames. places: (bones, K, 3). turns: (bones, K, 4) x, y, z, w. linear: (bones, K, 3, 3), for row vectors.

    old: (K,) the frame of the original that kept keys come from, -1 for none. kept_places, kept_turns: (bones, K) what nobody has changed;
    there the other arrays say what the original says, nearly. skewed: (bones, K) matrices that no quaternion holds.
    """

    places: Channels
    rotations: Channels
    linear: Channels
    old: NDArray[np.int64]
    kept_places: NDArray[np.bool_]
    kept_rotations: NDArray[np.bool_]
    skewed: NDArray[np.bool_]

    @property
    def changed(self) -> NDArray[np.bool_]:
        """(K,) frames at which any bone is not as it was."""
        kept: NDArray[np.bool_] = np.all(self.kept_places & self.kept_rotations, axis=0)
        return ~kept

    def at(self, frames: NDArray[np.int64]) -> Keys:
        """A part of it."""
        places, rotations, linear = self.places[:, frames], self.rotations[:, frames], self.linear[:, frames]
        kept = self.kept_places[:, frames], self.kept_rotations[:, frames]
        return Keys(places, rotations, linear, self.old[frames], *kept, self.skewed[:, frames])


def encode(
    seen: Motion,
    before: Motion | None,
    original: Lab | None,
    old: NDArray[np.int64],
    moved: NDArray[np.bool_],
    errors: dict[int, NDArray[np.float32]] | None = None,
    unkeyed: NDArray[np.bool_] | None = None,
) -> Keys:
    """Keys of what the channels say. before, original: the replayed import of the whole file and the file itself, None without one.

    old: (K,) frames of the original. moved: (bones,) whose rest is no longer that of the import, so that their channels mean another pose.
    errors: where there is no original, what bones could not show of it, as `Motion.errors`. unkeyed: (bones,) of which nothing says
    anything. Where quaternions cannot hold a bone, it has the file's own keys where its channels are those of any of the file's frames; and
    those of the frame `old`, or of the first one, where it is not keyed.
    """
    errors = before.errors if before is not None else errors or {}
    rig, (count, _, frames) = seen.rig, seen.rotations.shape
    kept_places, kept_rotations = (np.zeros((count, frames), np.bool_) for _ in range(2))
    if before is not None:
        _compare(seen, before, old, kept_places, kept_rotations)
        kept_places[moved] = kept_rotations[moved] = False
    normal = _normalised(seen.rotations, exact=before is not None)
    way, simple = Straight.of(rig), simple_bones(rig) & ~moved
    simple &= np.abs(seen.sizes - way.sizes[..., None]).max(axis=(1, 2), initial=0) < 1e-5
    rotations = (way.rotations.swapaxes(1, 2) @ normal).swapaxes(1, 2)
    back = np.linalg.inv(way.places[:, :, :3]).astype(np.float64)
    places = (back @ (seen.locations.astype(np.float64) - way.places[:, :, 3:])).swapaxes(1, 2)
    linear = evaluate.rotation_rows(rotations)
    skewed = np.zeros((count, frames), np.bool_)
    helped = sorted(seen.helpers)
    special: list[int] = helped + sorted(errors)
    exact = helped if before is not None else special
    simple &= ~np.isin(rig.parents, special) & ~np.isin(np.arange(count, dtype=np.int64), exact)
    hard = np.flatnonzero(~simple).tolist()
    if hard:
        borrowed: dict[int, NDArray[np.int64]] = {}
        kept = kept_places & kept_rotations
        if before is not None and original is not None and original.key_type == QUAT:
            still = np.zeros(count, np.bool_) if unkeyed is None else unkeyed
            for bone in hard:
                if not (kept[bone].all() or moved[bone]):
                    borrowed[bone] = np.where(kept[bone], -1, np.maximum(old, 0) if still[bone] else _alike(seen, before, bone))
        _Worlds(seen, original, old, kept, {} if before is not None else errors, borrowed).run(hard, places, linear)
        off = np.abs(linear[hard] @ linear[hard].swapaxes(-1, -2) - np.eye(3)).max(axis=(-1, -2))
        skewed[hard] = (off > SKEWED) | (np.linalg.det(linear[hard]) < 0)
        rotations[hard] = as_quaternions(linear[hard])
        for bone, source in borrowed.items():
            assert original is not None
            there = np.flatnonzero(source >= 0)
            rotations[bone, there], skewed[bone, there] = original.quaternions[bone, source[there]], False
    return _keys(places, rotations, linear, old, kept_places, kept_rotations, skewed)


def encode_poses(pose: Floats, rig: LabRig, before: Motion | None, old: NDArray[np.int64]) -> Keys:
    """Keys of evaluated poses (bones, K, 4, 4) in armature space. What looks as the import looked, but for the last digits, is kept."""
    local = _locals(pose, rig)
    kept = np.zeros(local.shape[:2], np.bool_)
    if before is not None and (old >= 0).any():
        meant = _locals(poses(before.at(np.maximum(old, 0))), before.rig)
        size = max(1.0, float(np.abs(rig.binds[:, :3, 3]).max()) / rig.scale)
        kept = (np.abs(local - meant).max(axis=(-1, -2)) < 2e-5 * size) & (old >= 0)
    linear = local[..., :3, :3]
    off = np.abs(linear @ linear.swapaxes(-1, -2) - np.eye(3)).max(axis=(-1, -2))
    skewed: NDArray[np.bool_] = (off > 1e-3) | (np.linalg.det(linear) < 0)
    return _keys(local[..., 3, :3], as_quaternions(linear), linear, old, kept, kept, skewed)


def _keys(
    places: Floats,
    rotations: Floats,
    linear: Floats,
    old: NDArray[np.int64],
    kept_places: NDArray[np.bool_],
    kept_rotations: NDArray[np.bool_],
    skewed: NDArray[np.bool_],
) -> Keys:
    return Keys(
        places.astype(np.float32), rotations.astype(np.float32), linear.astype(np.float32), old, kept_places, kept_rotations, skewed
    )


def _locals(pose: Floats, rig: LabRig) -> Floats:
    """(bones, K, 4, 4) for row vectors, in the parents' space, of poses in armature space."""
    world = from_blender(pose @ (np.linalg.inv(rig.rest) @ rig.binds)[:, None], rig.scale)
    out = world.copy()
    for bone, parent in enumerate(rig.parents.tolist()):
        if parent >= 0:
            out[bone] = _over(world[bone], world[parent])
    return out


def _compare(
    seen: Motion, before: Motion, old: NDArray[np.int64], kept_places: NDArray[np.bool_], kept_rotations: NDArray[np.bool_]
) -> None:
    """Which keys say what the import wrote; in place."""
    there, frames = old >= 0, np.maximum(old, 0)
    kept_places[:] = same_channels(seen.locations, before.locations[:, :, frames]) & there
    kept_rotations[:] = (
        same_channels(seen.rotations, before.rotations[:, :, frames]) & same_channels(seen.sizes, before.sizes[:, :, frames]) & there
    )
    for bone, helper in before.helpers.items():
        now = seen.helpers.get(bone)
        if now is None:
            kept_rotations[bone] = False
            continue
        for one, other in ((now.first, helper.first), (now.size, helper.size), (now.second, helper.second)):
            kept_rotations[bone] &= same_channels(one, other[:, frames])


def _alike(seen: Motion, before: Motion, bone: int) -> NDArray[np.int64]:
    """(K,) a frame of the original with the same channels of a bone, -1 for none."""
    now, then = (
        np.concatenate([motion.locations[bone], motion.rotations[bone], motion.sizes[bone], *_helped(motion, bone)])
        for motion in (seen, before)
    )
    found = np.zeros(now.shape[1], np.int64) - 1
    if len(now) != len(then):
        return found
    size = np.maximum(np.abs(then).max(axis=1, initial=0), 1)
    for frame, values in enumerate(now.T):
        same = (np.abs(then - values[:, None]) <= np.float32(4e-7) * size[:, None]).all(axis=0)
        if same.any():
            found[frame] = int(np.argmax(same))
    return found


def _helped(motion: Motion, bone: int) -> list[Channels]:
    helper = motion.helpers.get(bone)
    return [] if helper is None else [helper.first, helper.size, helper.second]


def _normalised(rotations: Channels, exact: bool) -> Floats:
    """(bones, 4, K) of length 1. exact: all of them; else those that are as near to it as the game's own keep their length."""
    values = rotations.astype(np.float64)
    length = np.linalg.norm(values, axis=1, keepdims=True)
    near = np.abs(length - 1) < 1e-5
    out = values / np.where((near & (not exact)) | (length < 1e-12), 1.0, length)
    none = length < 1e-12
    return np.where(none, np.array([1.0, 0, 0, 0])[:, None], out) if none.any() else out


@dataclass(eq=False)
class _Worlds:
    """Bones whose keys follow only from where they and their parents are: below or among bones that Blender cannot hold, or scaled."""

    seen: Motion
    original: Lab | None
    old: NDArray[np.int64]
    kept: NDArray[np.bool_]
    errors: dict[int, NDArray[np.float32]]
    borrowed: dict[int, NDArray[np.int64]]
    """By bone, (K,) the frame of the original whose key it has, -1 for none."""

    def run(self, hard: list[int], places: Floats, linear: Floats) -> None:
        """Fill in `places` (bones, K, 3) and `linear` (bones, K, 3, 3) of these bones; those of the others are known."""
        rig = self.seen.rig
        pose, there = poses(self.seen), np.flatnonzero(self.old >= 0)
        for bone, error in self.errors.items():
            pose[bone, there, :3] -= error[self.old[there]].astype(np.float64) @ rig.rest[bone]
        shown = from_blender(pose @ (np.linalg.inv(rig.rest) @ rig.binds)[:, None], rig.scale)
        meant = None
        if self.original is not None and self.kept.any():
            meant = evaluate.local_matrices(self.original, np.maximum(self.old, 0))
        loans = {bone: (np.flatnonzero(source >= 0), source[source >= 0]) for bone, source in self.borrowed.items()}
        world = np.empty_like(shown)
        for bone, parent in enumerate(rig.parents.tolist()):
            if bone in hard:
                local = shown[bone] if parent < 0 else _over(shown[bone], world[parent])
                places[bone], linear[bone] = local[:, 3, :3], local[:, :3, :3]
            else:
                local = np.zeros_like(shown[bone])
                local[:, :3, :3], local[:, 3, :3], local[:, 3, 3] = linear[bone], places[bone], 1
            if bone in loans and self.original is not None:
                there, source = loans[bone]
                linear[bone, there] = local[there, :3, :3] = evaluate.rotation_rows(self.original.quaternions[bone, source])
                places[bone, there] = local[there, 3, :3] = self.original.positions[bone, source]
            if meant is not None:
                local = np.where(self.kept[bone][:, None, None], meant[bone], local)
            world[bone] = local if parent < 0 else local @ world[parent]


def _over(world: Floats, parent: Floats) -> Floats:
    """world * parent^-1, where a parent without size has none."""
    flat = np.abs(np.linalg.det(parent[:, :3, :3])) < 1e-24
    if flat.any():
        return world @ np.where(
            flat[:, None, None], np.linalg.pinv(parent), np.linalg.inv(np.where(flat[:, None, None], np.eye(4), parent))
        )
    return world @ np.linalg.inv(parent)


def as_quaternions(linear: Floats) -> Floats:
    """(..., 4) x, y, z, w nearest to (..., 3, 3) for row vectors."""
    size = np.maximum(np.linalg.norm(linear, axis=-1, keepdims=True), 1e-20)
    return quaternion.of_matrix((linear / size).swapaxes(-1, -2))[..., [1, 2, 3, 0]]
