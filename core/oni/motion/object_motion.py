"""An OBAN as an object's curves, and back: untouched keys keep their bits, everything else is encoded anew.

A point v of the object is at q * (B v) * q^-1 + T, with B the base transform and q, T those of a key. Base = r_B * diag(s), where s is the
object's scale, so that a key is: location C * (T + q * b), rotation c * q * r_B.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...motion.curves import Block, Channel, Timing
from ...motion.rigs.matrix_rig import compose, decompose
from ...motion.rigs.rig import Y_UP
from ...motion.rotations import quaternion, rotation_matrix
from ...motion.rotations.rotation_matrix import Floats
from ...reporting import log
from ...reporting.errors import FormatError
from ..records.angles import from_disk
from ..records.oban import Array, Oban
from .evaluate import RATE, Interpolation

MOST_FRAMES = 0xFFFF
"""The length of an OBAN is 16 bits."""

LOCATION = [Channel("", "location", axis) for axis in range(3)]
SCALE = [Channel("", "scale", axis) for axis in range(3)]


@dataclass(frozen=True, eq=False)
class ObjectSettings:
    """How an OBAN stands in Blender. fps, start: of the scene, and the frame of time 0. scale: Blender units a game unit.

    dense: one key a frame, by slerp; else keys where the game has them. local: in the object's own space, Z up there too.
    """

    fps: float = RATE
    start: float = 1.0
    scale: float = 0.1
    dense: bool = False
    local: bool = False

    @property
    def timing(self) -> Timing:
        return Timing(RATE, self.fps, self.start)

    @property
    def axes(self) -> Floats:
        """(3, 3) the game's axes -> Blender's."""
        return np.eye(3) if self.local else Y_UP

    @property
    def rotation(self) -> Floats:
        """The same as a quaternion."""
        return quaternion.of_matrix(self.axes)


@dataclass(frozen=True, eq=False)
class Base:
    """The base transform taken apart: rotation (4,) r_B, size (3,) s, translation (3,) b."""

    rotation: Floats
    size: Floats
    translation: Floats

    @classmethod
    def of(cls, base: Array) -> Base:
        """Of (4, 3) images of the axes and translation; what it shears is lost. Raises FormatError for no numbers."""
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = base[:3].astype(np.float64).T, base[3]
        if not np.isfinite(matrix).all():
            raise FormatError("the base transform has values that are no numbers")
        translation, rotation, size = decompose(matrix)
        return cls(rotation, size, translation)

    @cached_property
    def table(self) -> Array:
        """(4, 3) float32 as the file has it."""
        linear = rotation_matrix.from_quaternion(self.rotation) * self.size
        return np.concatenate([linear.T, self.translation[None]]).astype(np.float32)


def say_sheared(base: Array) -> None:
    """A warning where a base transform (4, 3) does to an object what Blender's objects cannot do."""
    known = Base.of(base)
    if np.abs(known.table[:3] - base[:3]).max() > 1e-4 * max(1.0, float(np.abs(known.size).max())):
        log.warning("the base transform shears the object, which Blender's objects cannot do; it is kept in the file")


def evaluate(oban: Oban, frames: Floats, interpolation: Interpolation = "slerp") -> tuple[Floats, Floats]:
    """Rotations q (T, 4) and translations (T, 3) at frames (T,); before the first key and after the last they hold."""
    keys = oban.keys
    times, rotations = keys["frame"].astype(np.float64), from_disk(keys["rotation"])
    translations = keys["translation"].astype(np.float64)
    after = np.searchsorted(times, frames, side="left").clip(min(1, len(times) - 1), len(times) - 1)
    before = np.maximum(after - 1, 0)
    share = ((frames - times[before]) / np.maximum(times[after] - times[before], 1)).clip(0, 1)
    mix = quaternion.slerp if interpolation == "slerp" else quaternion.nlerp
    return mix(rotations[before], rotations[after], share), translations[before] + (translations[after] - translations[before]) * share[
        :, None
    ]


def matrix_at(oban: Oban, frame: float, interpolation: Interpolation = "slerp") -> Floats:
    """(4, 4) the object's matrix in the game's own space, column vectors, base transform and scale included."""
    rotation, translation = evaluate(oban, np.array([frame]), interpolation)
    base, out = np.eye(4), np.eye(4)
    base[:3, :3], base[:3, 3] = oban.base[:3].astype(np.float64).T, oban.base[3]
    out[:3, :3], out[:3, 3] = rotation_matrix.from_quaternion(rotation[0]), translation[0]
    return out @ base


def object_blocks(oban: Oban, settings: ObjectSettings) -> list[Block]:
    """Location, rotation_quaternion and, where it is not 1, scale. Raises FormatError for numbers that Blender cannot show."""
    last = int(oban.keys["frame"][-1])
    if last > MOST_FRAMES:
        raise FormatError(f"a key at frame {last}; animations have {MOST_FRAMES} frames at most")
    if not np.isfinite(oban.keys["translation"]).all():
        raise FormatError("translations that are no numbers")
    times = oban.keys["frame"].astype(np.float64)
    if settings.dense:
        times = np.arange(int(times[0]), last + 1, dtype=np.float64)
    rotation, translation = evaluate(oban, times)
    base = Base.of(oban.base)
    location = (translation + quaternion.rotate(rotation, base.translation)) @ settings.axes.T * settings.scale
    rotation = quaternion.continuous(quaternion.multiply(quaternion.multiply(settings.rotation, rotation), base.rotation))
    blocks = [
        _block(LOCATION, times, location, settings),
        _block([Channel("", "rotation_quaternion", part) for part in range(4)], times, rotation, settings),
    ]
    return [*blocks, _block(SCALE, times[:1], base.size[None], settings)]


def _block(channels: list[Channel], times: Floats, values: Floats, settings: ObjectSettings) -> Block:
    frames = settings.timing.frames(times).astype(np.float32)
    return Block(channels, frames, np.ascontiguousarray(values.T, np.float32), np.zeros(len(times), bool))


def moved_blocks(blocks: list[Block], outside: Floats) -> list[Block]:
    """The blocks of `object_blocks` with one more matrix (4, 4) outside of the object, Blender's axes and units."""
    location, rotation, scale = (block.values.astype(np.float64).T for block in blocks)
    size = np.broadcast_to(scale, location.shape)
    location, rotation, size = decompose(outside @ compose(location, rotation, size))
    values = location, quaternion.continuous(rotation), size[:1]
    return [replace(block, values=np.ascontiguousarray(each.T, np.float32)) for block, each in zip(blocks, values, strict=True)]
