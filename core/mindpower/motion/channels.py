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
from .motion import channels as empty
from .rig import LabRig

_FAR = np.float32(1e4)
"""No channel of any known character is larger."""

LOCATION, ROTATION, SCALE = ("location", 3), ("rotation_quaternion", 4), ("scale", 3)


@dataclass(frozen=True)
class BoneNames:
    """What the bones are called in Blender, in the file's order, and the two helper bones of those that have some."""

    bones: tuple[str, ...]
    helpers: dict[int, tuple[str, str]] = field(default_factory=dict[int, tuple[str, str]])


def blocks_of(motion: Motion, names: BoneNames, start: int, stop: int, timing: Timing) -> list[Block]:
    """The curves of frames `start` to `stop`, which is left out. What stays as it is for the whole action has one key; scale is keyed
    where a bone has any in the whole file."""
    rows: list[tuple[tuple[Channel, ...], Channels, bool]] = []  # channels, their values (C, F), whether these stay

    def add(name: str, kind: tuple[str, int], values: Channels, still: bool | np.bool_) -> None:
        rows.append((_channels(name, kind), values.T, bool(still)))

    locations, rotations, scales = motion.locations[start:stop], motion.rotations[start:stop], motion.scales[start:stop]
    still = [_still(values) for values in (locations, rotations, scales)]
    scaled = motion.scaled
    for bone, name in enumerate(names.bones):
        add(name, LOCATION, locations[:, bone], still[0][bone])
        add(name, ROTATION, rotations[:, bone], still[1][bone])
        if scaled[bone]:
            add(name, SCALE, scales[:, bone], still[2][bone])
    for bone, helper in motion.helpers.items():
        first, second = names.helpers[bone]
        for name, kind, values in ((first, ROTATION, helper.first), (first, SCALE, helper.scale), (second, ROTATION, helper.second)):
            add(name, kind, values[start:stop], _still(values[start:stop, None])[0])
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
    """(N,) which of N groups of channels (F, N, components) stay as they are at their first frame."""
    same: NDArray[np.bool_] = (values == values[:1]).all(axis=(0, 2))
    return same


@lru_cache(maxsize=4096)
def _channels(bone: str, kind: tuple[str, int]) -> tuple[Channel, ...]:
    return tuple(Channel(bone, kind[0], index) for index in range(kind[1]))


def motion_of(curves: Curves, names: BoneNames, rig: LabRig, frames: Floats, placement: Placement | None = None) -> Motion:
    """The values of curves, whose rotations are quaternions, at `frames` (F,). placement: from where keys of the object move the character,
    which counts as motion of the roots; None where they do not."""
    count = len(names.bones)
    locations, rotations, scales = (empty(len(frames), count, kind[1]) for kind in (LOCATION, ROTATION, SCALE))
    for bone, name in enumerate(names.bones):
        locations[:, bone] = _sampled(curves, name, LOCATION, frames, 0.0)
        rotations[:, bone] = _rotations(curves, name, frames)
        scales[:, bone] = _sampled(curves, name, SCALE, frames, 1.0)
    moved = object_motion(curves, frames, placement) if placement is not None else None
    if moved is not None:
        for root in np.flatnonzero(rig.parents < 0).tolist():
            locations[:, root], rotations[:, root] = _outside(locations[:, root], rotations[:, root], rig.rest[root], *moved)
    helpers = {
        bone: Helper(
            _rotations(curves, first, frames),
            _sampled(curves, first, SCALE, frames, 1.0),
            _rotations(curves, second, frames),
        )
        for bone, (first, second) in names.helpers.items()
    }
    return Motion(rig, locations, rotations, scales, helpers=helpers)


def _outside(locations: Channels, rotations: Channels, rest: Floats, linear: Floats, offset: Floats) -> tuple[Channels, Channels]:
    """Location (F, 3) and quaternion (F, 4) of a root with what the object does: rotations (F, 3, 3) and translations (F, 3)."""
    position = rest[:3, 3] + locations.astype(np.float64) @ rest[:3, :3].T
    position = np.einsum("fij,fj->fi", linear, position) + offset
    basis = rest[:3, :3].T @ linear @ rest[:3, :3] @ rotation_matrix.from_quaternion(rotations.astype(np.float64))
    rotated = quaternion.continuous(quaternion.of_matrix(basis))
    return ((position - rest[:3, 3]) @ rest[:3, :3]).astype(np.float32), rotated.astype(np.float32)


def _sampled(curves: Curves, bone: str, kind: tuple[str, int], frames: Floats, rest: float) -> Channels:
    """(F, C)"""
    channels = _channels(bone, kind)
    if not any(channel in curves for channel in channels):
        return np.full((len(frames), len(channels)), rest, np.float32)
    return sample(curves, channels, frames, np.full(len(channels), rest)).astype(np.float32)


def _rotations(curves: Curves, bone: str, frames: Floats) -> Channels:
    """(F, 4) quaternions of any length."""
    channels = _channels(bone, ROTATION)
    if not any(channel in curves for channel in channels):
        return np.tile(quaternion.IDENTITY.astype(np.float32), (len(frames), 1))
    return sample(curves, channels, frames, quaternion.IDENTITY).astype(np.float32)


def poses(motion: Motion) -> Floats:
    """(F, bones, 4, 4) pose matrices in armature space as Blender shows them; with what helper bones add."""
    basis = composed(motion.locations, motion.rotations, motion.scales)
    still = np.zeros((len(motion), 3), np.float32)
    ones = still + 1
    helped = {
        bone: composed(still, helper.first, helper.scale) @ composed(still, helper.second, ones) for bone, helper in motion.helpers.items()
    }
    return motion.rig.pose(basis, helped)


def composed(locations: Channels, rotations: Channels, scales: Channels) -> Floats:
    """(..., 4, 4) of channels (..., C)."""
    out = np.zeros((*locations.shape[:-1], 4, 4))
    out[..., :3, :3] = rotation_matrix.from_quaternion(rotations.astype(np.float64)) * scales.astype(np.float64)[..., None, :]
    out[..., :3, 3] = locations
    out[..., 3, 3] = 1
    return out


def same_channels(first: Channels, second: Channels) -> NDArray[np.bool_]:
    """(F, ...) whether all of a frame's values, of (F, ..., C), are the same; what the last bits of another machine's arithmetic may differ
    by counts as the same."""
    size = np.abs(second).max(axis=-1, keepdims=True, initial=1)
    size = np.maximum(size, size.max(axis=0, keepdims=True, initial=1).clip(max=_FAR))  # one absurd frame must not hide edits of others
    close: NDArray[np.bool_] = (np.abs(first - second) <= np.float32(4e-7) * size).all(axis=-1)
    return close
