"""A TRAM as animation curves: quaternions of the bones, with keys where the game has keys or one a frame, and the root's way."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...motion.curves import PATH, Block, Channel, Placement, RootMotion, Timing
from ...motion.rig import Y_UP
from ...motion.rotation_matrix import Floats
from ...reporting.errors import FormatError
from ..records.tram import Tram
from .evaluate import RATE, local_rotations, root_path, rotations_of
from .rig import OniRig


@dataclass(frozen=True, eq=False)
class Settings:
    """How a TRAM stands in Blender. fps, start: of the scene, and the frame of time 0. scale: Blender units a game unit.

    dense: one key a frame, on the way of slerp; else keys where the game has them, between which Blender goes the way of nlerp.
    """

    fps: float = RATE
    start: float = 1.0
    scale: float = 0.1
    root_motion: RootMotion = "BONE"
    placement: Placement = field(default_factory=Placement.origin)
    dense: bool = False

    @property
    def timing(self) -> Timing:
        return Timing(RATE, self.fps, self.start)


def blocks_of(tram: Tram, rig: OniRig, settings: Settings) -> list[Block]:
    """What the animation looks like in Blender. Raises FormatError when it has no rotations, another number of bones than the armature, or
    numbers that are none."""
    if tram.bone_count != len(rig.skeleton):
        raise FormatError(f"{tram.bone_count} bones, the skeleton has {len(rig.skeleton)}")
    return [*_rotations(tram, rig, settings), *_root(tram, rig, settings)]


def _rotations(tram: Tram, rig: OniRig, settings: Settings) -> list[Block]:
    rotations = rotations_of(tram)
    starts, times = rotations.starts, rotations.frames
    bones = np.repeat(np.arange(rotations.bone_count), np.diff(starts))
    if settings.dense:
        every = np.arange(tram.frame_count)
        basis = rig.to_basis(local_rotations(rotations, every.astype(np.float64))).swapaxes(0, 1).reshape(-1, 4)
        times, starts = np.tile(every, rotations.bone_count), np.arange(rotations.bone_count + 1) * tram.frame_count
    else:
        basis = rig.to_basis(rotations.quaternions(), bones)
    basis, timing = nearest_signs(basis, starts), settings.timing
    return [
        _block(rotation_channels(name), times[first:last], basis[first:last], timing)
        for name, (first, last) in zip(rig.skeleton.names, pairwise(starts.tolist()), strict=True)
    ]


def nearest_signs(basis: Floats, starts: NDArray[np.int64]) -> Floats:
    """(K, 4) with the first one of every track as near to no rotation as can be, and each on the side of the one before.

    starts: (tracks + 1,) where each begins, and the end."""
    rotations = np.zeros(len(basis), np.int64)
    rotations[1:] = np.sum(basis[1:] * basis[:-1], axis=1) < 0
    rotated, first = np.cumsum(rotations), starts[:-1]
    odd = (rotated - np.repeat(rotated[first] - (basis[first, 0] < 0), np.diff(starts))) & 1
    return basis * np.where(odd, -1.0, 1.0)[:, None]


@lru_cache(maxsize=256)
def rotation_channels(name: str) -> list[Channel]:
    return [Channel(name, "rotation_quaternion", index) for index in range(4)]


def _root(tram: Tram, rig: OniRig, settings: Settings) -> list[Block]:
    """The pelvis's own way and, where it is not there, that of the object. What the record does not have is a key that no file has, so
    that nothing of the action before stays."""
    path = path_of(tram, rig)
    own, away = split(path, settings.root_motion)
    location = rig.root_to_location(own) * settings.scale
    name = rig.skeleton.names[0]
    frames, count = np.arange(tram.frame_count + 1), tram.frame_count
    moves = tram.velocities is not None and settings.root_motion == "BONE"
    blocks: list[Block] = []
    if along_axes(rig):
        # Heights have no key beyond the last frame; the way has, for the last velocity.
        parts = (([0, 2], frames if moves else frames[:1], moves), ([1], frames[:count], tram.heights is not None))
    else:
        known = moves or tram.heights is not None
        parts = (([0, 1, 2], frames if known else frames[:1], known),)
    for axes, times, known in parts:
        times = times if known else times[:1]
        channels = [Channel(name, "location", axis) for axis in axes]
        blocks.append(_block(channels, times, location[times][:, axes], settings.timing, generated=not known))
    if away is not None and tram.velocities is not None:
        channels = away_channels(name, settings.root_motion)
        blocks.append(_block(channels, frames, placed(away, settings), settings.timing))
    return blocks


def path_of(tram: Tram, rig: OniRig) -> Floats:
    """(frames + 1, 3) the root's way, at the armature's own height where the record has no heights. Raises FormatError for no numbers."""
    path = root_path(tram)
    if tram.heights is None:
        path[:, 1] = rig.rest_height
    if not np.isfinite(path).all():
        raise FormatError("heights or velocities that are no numbers")
    return path


def along_axes(rig: OniRig) -> bool:
    """Whether the pelvis's location is the game's x, y and z, as it is where its bone keeps the game's axes."""
    return bool(np.allclose(rig.matrix.rest[0], Y_UP, atol=1e-5))


def split(path: Floats, root_motion: RootMotion) -> tuple[Floats, Floats | None]:
    """The part of the root's way that the pelvis goes, and the part of whatever else moves."""
    if root_motion == "BONE":
        return path, None
    return path * [0.0, 1, 0], path * [1.0, 0, 1]


def away_channels(name: str, root_motion: RootMotion) -> list[Channel]:
    """What carries the root's way where the pelvis does not: the object's location, or a property of the pelvis."""
    bone, prop = ("", "location") if root_motion == "OBJECT" else (name, PATH)
    return [Channel(bone, prop, index) for index in range(3)]


def placed(away: Floats, settings: Settings) -> Floats:
    """The root's way (K, 3) in the game -> values of `away_channels`."""
    positions = away @ Y_UP.T * settings.scale
    if settings.root_motion != "OBJECT":
        return positions
    placement = settings.placement
    return placement.location + (positions * placement.scale) @ placement.rotation.T


def unplaced(values: Floats, settings: Settings) -> Floats:
    """The inverse of `placed`."""
    if settings.root_motion == "OBJECT":
        placement = settings.placement
        values = (values - placement.location) @ placement.rotation / np.where(placement.scale == 0, 1, placement.scale)
    return values / settings.scale @ Y_UP


def _block(channels: list[Channel], frames: NDArray[np.int64], values: Floats, timing: Timing, generated: bool = False) -> Block:
    keys = timing.frames(frames.astype(np.float64)).astype(np.float32)
    return Block(channels, keys, np.ascontiguousarray(values.T, np.float32), np.full(len(frames), generated))
