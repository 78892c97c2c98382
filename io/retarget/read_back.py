"""Whether Blender has the curves that were computed, and that the report is about: a few frames of each are read back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.motion.curves import rotation_property
from ...core.motion.modes import quaternions
from ...core.motion.rotations import quaternion as quat
from ...core.motion.rotations.rotation_matrix import Floats
from ...core.retarget.figures.figure import Figure
from ...core.retarget.sample import Sample
from ..blender import compat
from ..blender.paths import data_path

_ROUNDED, _MOVED = 2e-5, 1e-6
"""Radians, and parts of a location or of an armature unit: float32 curves are nearer."""

_LARGE = 2e-7
"""Radians for each radian of Euler angles, which grow with every rotation of a bone: as far as float32 may put the three of them off."""


class Unlike(NamedTuple):
    """The bone that differs most, and at which frame. degrees: of its own rotation; units: of its own location."""

    bone: str
    frame: float
    degrees: float
    units: float

    def __str__(self) -> str:
        how = f"rotated by {self.degrees:.3g}°" if self.degrees else f"moved by {self.units:.3g} units"
        return f"{self.bone} is {how} from what was computed at frame {self.frame:g}: its curves are not those that were to be written"


@dataclass(frozen=True, eq=False)
class _Layout:
    """Which of the curves are whose. rotations: by mode the rows of a sample's rotated bones, and of each of these (R, components) the
    curves; locations: (M, 3) the same of the moved bones."""

    rotations: list[tuple[str, list[int], NDArray[np.int64]]]
    locations: NDArray[np.int64]


class Written:
    """Actions of one armature that were just written, most of them with the same curves in the same order."""

    def __init__(self, obj: bpy.types.Object, figure: Figure) -> None:
        self._obj, self._figure = obj, figure
        self._layouts: dict[tuple[int, tuple[int, ...], tuple[int, ...]], _Layout] = {}

    def unlike(self, actions: Sequence[bpy.types.Action], samples: Sequence[Sample]) -> list[Unlike | None]:
        """Where the curves of each action differ from what they were made of; None where they do not. A step of numpy takes as long for
        one as for all of them, so they are compared together first."""
        curves: list[list[Any]] = [compat.quick_curves(action, self._obj) for action in actions]
        values = [_values(own, sample) for own, sample in zip(curves, samples, strict=True)]
        kinds = {(len(own), sample.rotated, sample.moved) for own, sample in zip(curves, samples, strict=True)}
        if len(actions) > 1 and len(kinds) == 1:
            known = self._layouts.get(kind := kinds.pop()) or self._layout(curves[0], samples[0])
            if self._compared(known, np.concatenate(values, axis=1), _joined(samples)) is None:
                self._layouts[kind] = known
                return [None] * len(actions)
        return [self._of_one(*each) for each in zip(curves, values, samples, strict=True)]

    def _of_one(self, curves: Sequence[Any], values: Floats, sample: Sample) -> Unlike | None:
        """values: as of `_compared`."""
        kind = len(curves), sample.rotated, sample.moved
        known = self._layouts.get(kind)
        if known is not None and self._compared(known, values, sample) is None:
            return None
        self._layouts[kind] = self._layout(curves, sample)
        return self._compared(self._layouts[kind], values, sample)

    def _layout(self, curves: Sequence[Any], sample: Sample) -> _Layout:
        positions = {(curve.data_path, curve.array_index): at for at, curve in enumerate(curves)}

        def curves_of(bone: int, name: str, count: int) -> list[int]:
            path = data_path(self._figure.names[bone], name)
            return [positions.get((path, component), len(curves)) for component in range(count)]

        by_mode: dict[str, list[int]] = {}
        for row, bone in enumerate(sample.rotated):
            by_mode.setdefault(self._figure.modes[bone], []).append(row)
        rotations = [
            (mode, rows, np.array([curves_of(sample.rotated[row], *rotation_property(mode)) for row in rows]))
            for mode, rows in by_mode.items()
        ]
        return _Layout(rotations, np.array([curves_of(bone, "location", 3) for bone in sample.moved], np.int64).reshape(-1, 3))

    def _compared(self, layout: _Layout, values: Floats, sample: Sample) -> Unlike | None:
        """values: (curves + 1, K), the last row for curves that are not there."""
        for mode, rows, curves in layout.rotations:
            own = values[curves].transpose(2, 0, 1)
            angles = quat.apart(quaternions(own, mode), sample.rotations[rows].transpose(1, 0, 2))
            allowed = _ROUNDED + _LARGE * np.abs(own).max(axis=-1)
            if not (angles < allowed).all():  # also what is no number
                row, column = _worst(angles / allowed)
                bone = self._figure.names[sample.rotated[rows[column]]]
                return Unlike(bone, float(sample.frames[row]), float(np.degrees(angles[row, column])), 0.0)
        if sample.moved:
            off = np.linalg.norm(values[layout.locations].transpose(2, 0, 1) - sample.locations.transpose(1, 0, 2), axis=-1)
            allowed = _MOVED * np.abs(sample.locations).max(axis=(0, 2), initial=1.0)[:, None]
            if not (off < allowed).all():
                row, column = _worst(off / allowed)
                return Unlike(self._figure.names[sample.moved[column]], float(sample.frames[row]), 0.0, float(off[row, column]))
        return None


def _values(curves: Sequence[Any], sample: Sample) -> Floats:
    """(curves + 1, K) at the frames of a sample; the last row is none."""
    frames = sample.frames.astype(np.float32).tolist()
    flat = [evaluate(frame) for evaluate in [curve.evaluate for curve in curves] for frame in frames]
    return np.array([*flat, *[np.nan] * len(frames)]).reshape(-1, len(frames))


def _joined(samples: Sequence[Sample]) -> Sample:
    """Of the same bones."""
    first = samples[0]
    frames = np.concatenate([sample.frames for sample in samples])
    rotations, locations = (
        np.concatenate(rows, axis=1) for rows in zip(*((each.rotations, each.locations) for each in samples), strict=True)
    )
    return Sample(frames, first.rotated, rotations, first.moved, locations)


def _worst(off: Floats) -> tuple[int, int]:
    """The row and the column of what is largest, or no number."""
    row, column = np.unravel_index(int(np.nan_to_num(off, nan=np.inf).argmax()), off.shape)
    return int(row), int(column)
