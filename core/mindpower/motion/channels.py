"""The channels of a motion <-> the curves of an action: each action has its part of the time line, from its own start."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...motion import quaternion, rotation_matrix
from ...motion.curves import Block, Channel, Curves, Placement, Timing, sample
from ...motion.root_motion import object_motion
from ...motion.rotation_matrix import Floats
from .motion import Channels, Helper, Motion
from .rig import LabRig

_FAR = np.float32(1e4)
"""No channel of any known character is larger."""

LOCATION, FULL_CIRCLE, SIZE = ("location", 3), ("rotation_quaternion", 4), ("scale", 3)


@dataclass(frozen=True)
class BoneNames:
    """What the bones are called in Blender, in the file's order, and the two helper bones of those that have some."""

    bones: tuple[str, ...]
    helpers: dict[int, tuple[str, str]] = field(default_factory=dict[int, tuple[str, str]])


def blocks_of(motion: Motion, names: BoneNames, start: int, stop: int, timing: Timing) -> list[Block]:
    """The curves of frames `start` to `stop`, which is left out. What stays as it is for the whole action has one key; scale is keyed
    where a bone has any in the whole file."""
    rows: list[tuple[tuple[Channel, ...], Channels, bool]] = []

    def add(name: str, kind: tuple[str, int], values: Channels, still: bool | np.bool_) -> None:
        rows.append((_channels(name, kind), values, bool(still)))

    now = slice(start, stop)
    places, rotations, sizes = motion.locations[:, :, now], motion.rotations[:, :, now], motion.sizes[:, :, now]
    still = [_still(values) for values in (places, rotations, sizes)]
    scaled = motion.scaled
    for bone, name in enumerate(names.bones):
        add(name, LOCATION, places[bone], still[0][bone])
        add(name, FULL_CIRCLE, rotations[bone], still[1][bone])
        if scaled[bone]:
            add(name, SIZE, sizes[bone], still[2][bone])
    for bone, helper in motion.helpers.items():
        first, second = names.helpers[bone]
        for name, kind, values in ((first, FULL_CIRCLE, helper.first), (first, SIZE, helper.size), (second, FULL_CIRCLE, helper.second)):
            add(name, kind, values[:, now], _still(values[None, :, now])[0])
    frames = timing.frames(np.arange(stop - start, dtype=np.float64)).astype(np.float32)
    blocks: list[Block] = []
    for kind, count in ((True, 1), (False, len(frames))):
        chosen = [(channels, values) for channels, values, same in rows if same == kind]
        if chosen:
            channels = [channel for some, _ in chosen for channel in some]
            values = np.concatenate([values[:, :count] for _, values in chosen])
            blocks.append(Block(channels, frames[:count], values, np.zeros(count, np.bool_)))
    return blocks


def _still(values: Channels) -> NDArray[np.bool_]:
    """(N,) which of N groups of channels (N, components, frames) stay as they are at their first frame."""
    same: NDArray[np.bool_] = (values == values[:, :, :1]).all(axis=(1, 2))
    return same


@lru_cache(maxsize=4096)
def _channels(bone: str, kind: tuple[str, int]) -> tuple[Channel, ...]:
    return tuple(Channel(bone, kind[0], index) for index in range(kind[1]))


def motion_of(curves: Curves, names: BoneNames, rig: LabRig, frames: Floats, placement: Placement | None = None) -> Motion:
    """What curves, whose rotations are quaternions, say at `frames` (F,). placement: from where keys of the object move the character,
    which counts as motion of the roots; None where they do not."""
    count = len(names.bones)
    locations, rotations, sizes = (np.zeros((count, kind[1], len(frames)), np.float32) for kind in (LOCATION, FULL_CIRCLE, SIZE))
    for bone, name in enumerate(names.bones):
        locations[bone] = _sampled(curves, name, LOCATION, frames, 0.0)
        rotations[bone] = _rotations(curves, name, frames)
        sizes[bone] = _sampled(curves, name, SIZE, frames, 1.0)
    moved = object_motion(curves, frames, placement) if placement is not None else None
    if moved is not None:
        for root in np.flatnonzero(rig.parents < 0).tolist():
            locations[root], rotations[root] = _outside(locations[root], rotations[root], rig.rest[root], *moved)
    helpers = {
        bone: Helper(
            _rotations(curves, first, frames),
            _sampled(curves, first, SIZE, frames, 1.0),
            _rotations(curves, second, frames),
        )
        for bone, (first, second) in names.helpers.items()
    }
    return Motion(rig, locations, rotations, sizes, helpers=helpers)


def _outside(locations: Channels, rotations: Channels, rest: Floats, linear: Floats, offset: Floats) -> tuple[Channels, Channels]:
    """Location (3, F) and quaternion (4, F) of a root with what the object does: rotations (F, 3, 3) and translations (F, 3)."""
    place = rest[:3, 3] + locations.T.astype(np.float64) @ rest[:3, :3].T
    place = np.einsum("fij,fj->fi", linear, place) + offset
    basis = rest[:3, :3].T @ linear @ rest[:3, :3] @ rotation_matrix.from_quaternion(rotations.T.astype(np.float64))
    rotated = quaternion.continuous(quaternion.of_matrix(basis))
    return ((place - rest[:3, 3]) @ rest[:3, :3]).T.astype(np.float32), rotated.T.astype(np.float32)


def _sampled(curves: Curves, bone: str, kind: tuple[str, int], frames: Floats, rest: float) -> Channels:
    channels = _channels(bone, kind)
    if not any(channel in curves for channel in channels):
        return np.full((len(channels), len(frames)), rest, np.float32)
    return sample(curves, channels, frames, np.full(len(channels), rest)).T.astype(np.float32)


def _rotations(curves: Curves, bone: str, frames: Floats) -> Channels:
    """(4, F) quaternions of any length."""
    channels = _channels(bone, FULL_CIRCLE)
    if not any(channel in curves for channel in channels):
        return np.repeat(np.array([[1], [0], [0], [0]], np.float32), len(frames), axis=1)
    return sample(curves, channels, frames, quaternion.IDENTITY).T.astype(np.float32)


def poses(motion: Motion) -> Floats:
    """(bones, F, 4, 4) pose matrices in armature space as Blender shows them; with what helper bones add."""
    basis = composed(motion.locations, motion.rotations, motion.sizes)
    still = np.zeros((3, motion.locations.shape[2]), np.float32)
    ones = still + 1
    helped = {
        bone: composed(still, helper.first, helper.size) @ composed(still, helper.second, ones) for bone, helper in motion.helpers.items()
    }
    return motion.rig.pose(basis, helped)


def composed(locations: Channels, rotations: Channels, sizes: Channels) -> Floats:
    """(..., F, 4, 4) of channels (..., n, F)."""
    out = np.zeros((*locations.shape[:-2], locations.shape[-1], 4, 4))
    rotation = rotation_matrix.from_quaternion(rotations.astype(np.float64).swapaxes(-1, -2))
    out[..., :3, :3] = rotation * sizes.astype(np.float64).swapaxes(-1, -2)[..., None, :]
    out[..., :3, 3] = locations.swapaxes(-1, -2)
    out[..., 3, 3] = 1
    return out


def same_channels(one: Channels, other: Channels) -> NDArray[np.bool_]:
    """(..., F) whether all of a frame's values say the same; what the last bits of another machine's arithmetic may differ by counts as
    the same."""
    size = np.abs(other).max(axis=-2, keepdims=True, initial=1)
    size = np.maximum(size, size.max(axis=-1, keepdims=True, initial=1).clip(max=_FAR))  # one absurd frame must not hide edits of others
    close: NDArray[np.bool_] = (np.abs(one - other) <= np.float32(4e-7) * size).all(axis=-2)
    return close
