"""Animation curves as plain arrays, between a Clip and Blender's F-curves, in both directions.

Import converts a Clip into blocks: channels that share their key times, one array of values for all of them. The same blocks, made again
at export, show which keys are unedited.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..record import numerous
from .clip import TrackKind
from .rigs.matrix_rig import MatrixRig
from .rigs.rig import Rig
from .rotations.rotation_matrix import Floats

CurveT = TypeVar("CurveT")
RootMotion = Literal["OBJECT", "BONE", "NONE"]

CLOSEST = 0.02
"""Frames between two keys, at least: Blender merges keys less than 0.01 apart."""

LAST_FRAME = 1048574.0
"""Of Blender's time line, which starts at minus that."""


class Channel(NamedTuple):
    """What a curve drives: a component of a property of a pose bone, or of the object itself where `bone` is empty."""

    bone: str
    property: str
    component: int


def rotation_property(mode: str) -> tuple[str, int]:
    """The property that holds a rotation in one of Blender's modes, and its number of components."""
    return {"QUATERNION": ("rotation_quaternion", 4), "AXIS_ANGLE": ("rotation_axis_angle", 4)}.get(mode, ("rotation_euler", 3))


def is_rotation(name: str) -> bool:
    """Whether a property holds a rotation, in any of Blender's modes. The mode itself, which may be keyed, too, is none."""
    return name in ("rotation_euler", "rotation_quaternion", "rotation_axis_angle")


@lru_cache(maxsize=256)
def rotation_channels(bone: str, mode: str) -> list[Channel]:
    """The rotation of a bone, or of the object where `bone` is empty, in one of Blender's modes."""
    name, count = rotation_property(mode)
    return [Channel(bone, name, index) for index in range(count)]


@dataclass(frozen=True)
class Timing:
    """rate: the clip's time units a second. fps: the scene's frames a second. start: the frame of time 0."""

    rate: float
    fps: float
    start: float = 1.0

    def frames(self, times: Floats) -> Floats:
        """(K,) times -> frames; keys at one and the same time, or nearly, are spread just so far that Blender keeps them apart."""
        frames = self.start + times * (self.fps / self.rate)
        if (frames[1:] - frames[:-1] < CLOSEST).any():
            steps = CLOSEST * np.arange(len(frames))
            spread = np.maximum.accumulate(frames - steps) + steps
            frames = np.where(spread > frames + 1e-9, spread, frames)
        return frames

    def frames_of_all(self, several: Sequence[Floats]) -> list[NDArray[np.float32]]:
        """`frames` of each of many arrays, as the time line holds them."""
        lengths = [len(times) for times in several]
        if 0 in lengths or len(several) < 2:
            return [self.frames(times).astype(np.float32) for times in several]
        ends = list(accumulate(lengths))
        frames = self.start + np.concatenate(several) * (self.fps / self.rate)
        gaps = np.diff(frames, append=np.inf)
        gaps[np.array(ends) - 1] = np.inf
        close = set(np.searchsorted(ends, np.flatnonzero(gaps < CLOSEST), "right").tolist())
        joined = frames.astype(np.float32)
        rows = [joined[end - length : end] for end, length in zip(ends, lengths, strict=True)]
        return [self.frames(several[index]).astype(np.float32) if index in close else row for index, row in enumerate(rows)]

    def frame(self, time: float) -> float:
        """Where one time lies."""
        return self.start + time * (self.fps / self.rate)

    def times(self, frames: Floats) -> Floats:
        """(K,) frames -> times, in the game's unit."""
        return (frames - self.start) * (self.rate / self.fps)


@dataclass(frozen=True, eq=False)
class Placement:
    """Where the character stood when the clip came in: object motion starts there. location (3,), the object's `rotation` (3, 3), its
    `angles` (3,) in rotation mode ZYX, and `scale` (3,)."""

    location: Floats
    rotation: Floats
    angles: Floats
    scale: Floats

    @classmethod
    def origin(cls) -> Placement:
        return cls(np.zeros(3), np.eye(3), np.zeros(3), np.ones(3))


@numerous
class Block:
    """channels: C of them. frames: (K,) float32. values: (C, K) float32. generated: (K,) keys that no file has. stepped: no in-betweens."""

    channels: list[Channel]
    frames: NDArray[np.float32]
    values: NDArray[np.float32]
    generated: NDArray[np.bool_]
    stepped: bool = False


@numerous
class Curve:
    """The keys of one channel as they are in Blender, without generated ones; `at` gives the value at any frame."""

    frames: NDArray[np.float32]
    values: NDArray[np.float32]
    evaluate: Callable[[Floats], Floats] | None = None

    def at(self, frames: Floats) -> NDArray[np.float32]:
        """(K,) the key's own value where there is a key within 0.01 frame, else what the curve shows there."""
        if len(frames) == len(self.frames) and (np.abs(frames - self.frames) < 0.01).all():
            return self.values.copy()
        if len(self.frames) == 1 and self.evaluate is None:
            return np.full(len(frames), self.values[0])
        between = self.evaluate(frames) if self.evaluate else np.interp(frames, self.frames, self.values)
        values = between.astype(np.float32)
        if len(self.frames):
            index = np.searchsorted(self.frames, frames).clip(0, len(self.frames) - 1)
            before = np.maximum(index - 1, 0)
            nearest = np.where(np.abs(self.frames[before] - frames) < np.abs(self.frames[index] - frames), before, index)
            hit = np.abs(self.frames[nearest] - frames) < 0.01
            values[hit] = self.values[nearest[hit]]
        return values


Curves = dict[Channel, Curve]

PATH_PROPERTY, ROTATION_PROPERTY = '["root_motion"]', '["root_turn"]'
"""Custom properties of the root bone that hold the root motion where it is neither the object's nor the bone's."""

PATHS = (PATH_PROPERTY, ROTATION_PROPERTY)


PROPERTIES: dict[TrackKind, tuple[str, int]] = {
    "euler": ("rotation_euler", 3),
    "quaternion": ("rotation_quaternion", 4),
    "translation": ("location", 3),
    "scale": ("scale", 3),
}
"""What each kind of track is in Blender, and its number of components."""


def of_clip(curves: Mapping[Channel, CurveT], bones: Collection[str], *properties: str) -> dict[Channel, CurveT]:
    """The curves that a game's clip is made of: of what moves its bones and the object, and of these custom properties. Those of controls,
    and of properties that somebody added, are no keyframes of it, and make it no longer."""
    own = {"rotation_axis_angle", *(name for name, _ in PROPERTIES.values()), *PATHS} | {*(f'["{name}"]' for name in properties)}
    owners = {"", *bones}
    return {channel: curve for channel, curve in curves.items() if channel.bone in owners and channel.property in own}


def path_channels(rig: Rig | MatrixRig, root_motion: RootMotion) -> tuple[list[Channel], list[Channel]]:
    """The location and the rotation channels of the root motion, three each."""
    root = "" if root_motion == "OBJECT" else rig.skeleton.names[0]
    where, rotation = (PATH_PROPERTY, ROTATION_PROPERTY) if root_motion == "NONE" else ("location", "rotation_euler")
    return [Channel(root, where, index) for index in range(3)], [Channel(root, rotation, index) for index in range(3)]


def sample(curves: Curves, channels: Sequence[Channel], frames: Floats, rest: Floats) -> Floats:
    """(K, C) the channels' values at `frames`; `rest` (C,) where a channel has no curve."""
    out = np.empty((len(frames), len(channels)))
    for column, channel in enumerate(channels):
        curve = curves.get(channel)
        out[:, column] = rest[column] if curve is None else curve.at(frames)
    return out


def values_of(blocks: Sequence[Block]) -> dict[Channel, NDArray[np.float32]]:
    """The values of each channel's keys."""
    return {channel: row for block in blocks for channel, row in zip(block.channels, block.values, strict=True)}


def curves_of(blocks: Sequence[Block]) -> Curves:
    """The blocks as if read back from Blender."""
    curves: Curves = {}
    for block in blocks:
        kept = ~block.generated
        if not kept.any():
            continue
        frames, values = block.frames[kept], block.values[:, kept]
        for row, channel in enumerate(block.channels):
            curves[channel] = Curve(frames, values[row], None if kept.all() else straight(block.frames, block.values[row]))
    return curves


def straight(frames: NDArray[np.float32], values: NDArray[np.float32]) -> Callable[[Floats], Floats]:
    """What a curve of straight lines shows whose keys (K,) are not all kept: generated ones are seen, too."""
    return lambda at: np.interp(at, frames, values)


def interpolated(at: Floats, frames: NDArray[np.float32], values: NDArray[np.float32]) -> Floats:
    """(F,) what straight lines between keys (K,) show at ascending frames; of many keys only those around these are looked at."""
    if len(frames) > len(at) > 0:
        # In the keys' own precision, which puts no key between a frame and what it is rounded to.
        first, last = np.float32(at[0]), np.float32(at[-1])
        start, end = max(int(np.searchsorted(frames, first)) - 1, 0), int(np.searchsorted(frames, last, "right")) + 1
        frames, values = frames[start:end], values[start:end]
    return np.interp(at, frames.astype(np.float64), values.astype(np.float64))
