"""From curves or from evaluated poses back to a game's own numbers, at given frames, all bones at once."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .curves import Channel, Curves, rotation_channels, sample
from .pieces import pieces
from .rigs.rig import Rig
from .rotations import rotation_matrix
from .rotations.rotation_matrix import Floats

MERGE = 0.01
"""Keys of different curves closer than this, in frames, are one keyframe."""

ON_FRAME = 0.02
"""Frames of a game that a key may be off one and still be on it: Blender keeps times in 32 bits."""

LONGEST = 1 << 16
"""Frames of a clip that are looked at, at most: what was pushed far away would take hours and all memory, and no game has such a clip."""


@dataclass(frozen=True, eq=False)
class BoneSamples:
    """angles: (K, B, 3) game triples in radians. positions: (K, B, 3) translations from rest in game units. sizes: (K, B, 3) scale."""

    angles: Floats
    positions: Floats
    sizes: Floats


def key_frames(curves: Curves, channels: Iterable[Channel] | None = None) -> Floats:
    """(K,) all frames at which one of the channels has a key, ascending, each once."""
    chosen = curves.values() if channels is None else [curves[channel] for channel in channels if channel in curves]
    arrays = {curve.frames.tobytes(): curve.frames for curve in chosen}  # most curves of a bone have their keys at the same frames
    if not arrays:
        return np.zeros(0)
    if len(arrays) == 1:
        frames = next(iter(arrays.values())).astype(np.float64)
        if (frames[1:] - frames[:-1] >= MERGE).all():
            return frames
    frames = np.unique(np.concatenate(list(arrays.values()))).astype(np.float64)
    if not len(frames):
        return frames
    return frames[np.concatenate([[True], np.diff(frames) >= MERGE])]


def frame_of_last(time: float) -> int:
    """The frame of a game at or just behind the time of a last key, in its frames: that shows what the key holds."""
    return math.ceil(time - ON_FRAME)


def one_a_unit(times: Floats, stay: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(K,) which keys at `times` (K,), in units of a game's time that has one keyframe in each, become that: of several in one unit those
    that `stay` (K,), else the nearest to it, of two alike the earlier."""
    units = np.rint(times)
    order = np.lexsort((np.where(stay, -1.0, np.abs(times - units)), units))
    kept = stay.copy()
    kept[order[np.unique(units[order], return_index=True)[1]]] = True
    return kept


def sample_curves(curves: Curves, frames: Floats, rig: Rig, scale: float) -> BoneSamples:
    """What the curves, rotations in the rig's own modes, say at `frames` (K,). scale: Blender units a game unit."""
    count = len(rig.skeleton)
    angles, positions, sizes = np.zeros((len(frames), count, 3)), np.zeros((len(frames), count, 3)), np.ones((len(frames), count, 3))
    for bone, name in enumerate(rig.skeleton.names):
        for table, channels, rest in (
            (angles, rotation_channels(name, rig.modes[bone]), np.zeros(3)),
            (positions, _channels(name, "location", 3), np.zeros(3)),
            (sizes, _channels(name, "scale", 3), np.ones(3)),
        ):
            if any(channel in curves for channel in channels):
                table[:, bone] = sample(curves, channels, frames, rest)
    bones = np.arange(count)
    return BoneSamples(rig.euler_from_basis(bones, angles), rig.location_from_basis(bones, positions) / scale, sizes)


def sample_poses(pose: Floats, rig: Rig, scale: float, near: BoneSamples | None) -> BoneSamples:
    """From armature-space pose matrices (K, bones, 4, 4). Where a rotation is that of `near` (to 1e-4), its triple is kept, because a
    rotation alone does not determine which of its triples was meant."""
    out = BoneSamples(*(np.empty((*pose.shape[:2], 3)) for _ in range(3)))
    for part in pieces(len(pose), len(rig.skeleton)):
        angles, positions, sizes = _of_poses(pose[part], rig, scale, None if near is None else near.angles[part])
        out.angles[part], out.positions[part], out.sizes[part] = angles, positions, sizes
    return out


def _of_poses(pose: Floats, rig: Rig, scale: float, near: Floats | None) -> tuple[Floats, Floats, Floats]:
    """Angles, positions and sizes of so many poses as `sample_poses`; near: the angles (K, B, 3)."""
    basis = rig.basis_of_pose(pose, scale)
    sizes = np.linalg.norm(basis[..., :3, :3], axis=-2)
    rotated = rotation_matrix.nearest(basis[..., :3, :3])
    angles = np.stack([rig.euler_of_matrix(bone, rotated[:, bone]) for bone in range(len(rig.skeleton))], axis=1)
    bones = np.arange(len(rig.skeleton))
    triples = rig.euler_from_basis(bones, angles)
    if near is not None:
        meant = rig.euler_to_basis(bones, near)
        matrices = np.stack([rotation_matrix.from_euler(meant[:, bone], rig.modes[bone]) for bone in bones.tolist()], axis=1)
        same = np.abs(matrices - rotated).max(axis=(-1, -2)) < 1e-4
        triples = np.where(same[..., None], near, triples)
    return triples, rig.location_from_basis(bones, basis[..., :3, 3]), sizes


def stepped(curves: Curves, bone: str, name: str, frames: Floats, count: int) -> NDArray[np.float64] | None:
    """(K, count) a stepped custom property: at each frame the value of the key that is being approached; None where it is not keyed. Where
    some of its components alone are not, these are 0."""
    keyed = [curves.get(Channel(bone, f'["{name}"]', component)) for component in range(count)]
    if not any(curve is not None and len(curve.frames) for curve in keyed):
        return None
    values = np.zeros((len(frames), count))
    for component, curve in enumerate(keyed):
        if curve is not None and len(curve.frames):
            index = np.searchsorted(curve.frames, frames - MERGE).clip(0, len(curve.frames) - 1)
            values[:, component] = curve.values[index]
    return values


def _channels(bone: str, name: str, count: int) -> list[Channel]:
    return [Channel(bone, name, index) for index in range(count)]
