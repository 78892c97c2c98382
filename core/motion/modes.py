"""Rotation curves in any of Blender's modes, brought to the mode in which a game's bones came in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..reporting.errors import RetroAnimError
from .curves import LAST_FRAME, Curve, Curves, is_rotation, rotation_channels, rotation_property, sample
from .rigs.matrix_rig import MatrixRig
from .rigs.rig import Rig
from .rotations import euler, quaternion, rotation_matrix
from .rotations.rotation_matrix import Floats
from .sampling import key_frames

_REST = {"QUATERNION": np.array([1.0, 0, 0, 0]), "AXIS_ANGLE": np.array([0.0, 0, 1, 0])}


def modes_of(rig: Rig | MatrixRig) -> dict[str, str]:
    """The modes in which the bones of a rig come in, by name, and under "" that of the object."""
    return {"": "ZYX", **dict(zip(rig.skeleton.names, rig.modes, strict=True))}


def matrices(values: Floats, mode: str) -> Floats:
    """(..., 3, 3) rotations of values (..., 3 or 4) in one of Blender's modes, angles in radians."""
    if mode == "QUATERNION":
        return rotation_matrix.from_quaternion(values)
    return rotation_matrix.from_axis_angle(values) if mode == "AXIS_ANGLE" else rotation_matrix.from_euler(values, mode)


def quaternions(values: Floats, mode: str) -> Floats:
    """(..., 4) of length 1: rotations of values in one of Blender's modes; each of its keys (first axis) on the side of the one before,
    where they were no quaternions."""
    if mode == "QUATERNION":
        return quaternion.normalised(values)
    if mode == "AXIS_ANGLE":
        return quaternion.continuous(quaternion.of_matrix(matrices(values, mode)))
    rotations = quaternion.of_euler(values, mode)
    # The first key as a matrix would give it, whose largest component is positive.
    largest = np.take_along_axis(rotations[:1], np.abs(rotations[:1]).argmax(axis=-1)[..., None], axis=-1)
    return quaternion.continuous(rotations * np.copysign(1.0, largest))


@dataclass(frozen=True, eq=False)
class Converted:
    """curves: as asked for. idle: owners whose curves do nothing in their present mode, which were converted by the mode that they were
    made for. dropped: owners that have other curves besides, of the mode that is on. reordered: owners whose Euler curves Blender now
    shows in another order. Owners are bones, or "" for the object."""

    curves: Curves
    idle: list[str] = field(default_factory=list[str])
    dropped: list[str] = field(default_factory=list[str])
    reordered: list[str] = field(default_factory=list[str])


_KEYED_MODE = "rotation_mode"
"""A mode may be keyed, too: no angle, and nothing that a file holds."""


def in_modes(curves: Curves, present: Mapping[str, str], wanted: Mapping[str, str]) -> Converted:
    """Every rotation in the mode that its game has.

    present: rotation mode of each owner as it is now. wanted: that of its game; owners without one stay as they are. Curves of the present
    mode are what Blender shows; where there are none, those of another property are taken in the mode that they were made for.
    """
    by_owner: dict[str, dict[str, None]] = {}
    curves = {channel: curve for channel, curve in curves.items() if channel.property != _KEYED_MODE}
    for channel in curves:
        if is_rotation(channel.property):
            by_owner.setdefault(channel.bone, {})[channel.property] = None
    result = Converted(curves)
    for owner, properties in by_owner.items():
        meant = wanted.get(owner)
        if meant is None:
            continue
        now = present.get(owner, meant)
        shown = rotation_property(now)[0] in properties
        mode = now if shown else _mode_meant(properties, meant)
        if not shown:
            result.idle.append(owner)
        elif len(properties) > 1:
            result.dropped.append(owner)
        if shown and now != meant and rotation_property(now) == rotation_property(meant):
            result.reordered.append(owner)
        if mode == meant and len(properties) == 1:
            continue
        own = {
            channel: result.curves.pop(channel)
            for channel in list(result.curves)
            if channel.bone == owner and is_rotation(channel.property)
        }
        kept = {channel: curve for channel, curve in own.items() if channel.property == rotation_property(mode)[0]}
        result.curves.update(kept if mode == meant else _converted(kept, owner, mode, meant))
    return result


def _mode_meant(properties: Mapping[str, None], meant: str) -> str:
    """The mode of curves that the present one does not show: that of the game where it is theirs, else what their property implies."""
    if rotation_property(meant)[0] in properties:
        return meant
    return {"rotation_quaternion": "QUATERNION", "rotation_axis_angle": "AXIS_ANGLE"}.get(next(iter(properties)), "XYZ")


def _converted(curves: Curves, owner: str, mode: str, meant: str) -> Curves:
    """The same rotations with keys at the same frames; between them what the curves of `mode` show."""
    source = _Source(curves, owner, mode, meant)
    values = source.at(source.keys)
    frames = source.keys.astype(np.float32)
    return {
        channel: Curve(frames, values[:, component].astype(np.float32), lambda at, component=component: source.at(at)[:, component])
        for component, channel in enumerate(rotation_channels(owner, meant))
    }


class _Source:
    """One owner's rotation curves, read in another mode. Which of several equal triples or signs is meant follows from frame to frame."""

    def __init__(self, curves: Curves, owner: str, mode: str, meant: str) -> None:
        self._curves, self._mode, self._meant = curves, mode, meant
        self._channels = rotation_channels(owner, mode)
        self._latest: tuple[bytes, Floats] = b"", np.zeros((0, 0))
        self.keys = key_frames(curves)
        if len(self.keys) and self.keys[-1] - self.keys[0] > 2 * LAST_FRAME:
            there = f"keys from frame {self.keys[0]:.0f} to {self.keys[-1]:.0f}"
            raise RetroAnimError(f"{there}: Blender's time line ends at {LAST_FRAME:.0f}: move them towards 1")
        self._grid = np.union1d(self.keys, np.arange(self.keys[0], self.keys[-1], dtype=np.float64)) if len(self.keys) else self.keys

    def at(self, frames: Floats) -> Floats:
        """(K, 3 or 4) in the mode that is meant."""
        wanted = np.asarray(frames, np.float64)
        if self._latest[0] != wanted.tobytes():  # every component asks for the same frames in turn
            grid = np.union1d(self._grid, wanted)
            values = self._shown if len(grid) == len(self._grid) else self._values(grid)
            self._latest = wanted.tobytes(), values[np.searchsorted(grid, wanted)]
        return self._latest[1]

    @cached_property
    def _shown(self) -> Floats:
        return self._values(self._grid)

    def _values(self, frames: Floats) -> Floats:
        values = sample(self._curves, self._channels, frames, _REST.get(self._mode, np.zeros(3)))
        if self._meant == "QUATERNION":
            return quaternions(values, self._mode)
        angles = rotation_matrix.to_euler(matrices(values, self._mode), self._meant)
        return euler.continuous(angles[:, None], np.zeros((1, 3)), self._meant)[:, 0]
