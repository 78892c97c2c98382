"""Whether Blender has the curves that were computed, and that the report is about: a few frames of each are read back."""

from __future__ import annotations

from typing import NamedTuple

import bpy
import numpy as np

from ...core.motion import quaternion as quat
from ...core.motion.rotation_matrix import Floats
from ...core.retarget.figures.figure import Figure
from ...core.retarget.sample import Sample
from ..blender import compat
from ..blender.motion import fcurves
from .reading import keys

_ROUNDED, _MOVED = 2e-5, 1e-6
"""Radians, and parts of a location or of an armature unit: float32 curves are nearer, also as Euler angles of several rotations."""


class Unlike(NamedTuple):
    """The bone that differs most, and at which frame. degrees: of its own rotation; units: of its own location."""

    bone: str
    frame: float
    degrees: float
    units: float

    def __str__(self) -> str:
        how = f"rotated by {self.degrees:.3g}°" if self.degrees else f"moved by {self.units:.3g} units"
        return f"{self.bone} is {how} from what was computed at frame {self.frame:g}: its curves are not those that were to be written"


def unlike(obj: bpy.types.Object, action: bpy.types.Action, figure: Figure, sample: Sample) -> Unlike | None:
    """Where the curves of an action that was written differ from what they were made of; None where they do not."""
    frames = sample.frames.astype(np.float32).tolist()
    values: keys.Channels = {}
    for curve in compat.quick_curves(action, obj):
        channel = fcurves.channel_of(curve)
        if channel is not None:
            evaluate = curve.evaluate
            values[channel] = np.array([evaluate(frame) for frame in frames])
    local = keys.local_of(figure, sample.frames, values)
    if sample.rotations:
        bones = list(sample.rotations)
        angles = quat.apart(local.rotations[:, bones], np.stack(list(sample.rotations.values()), axis=1))
        if not angles.max() < _ROUNDED:  # also what is no number
            return _worst(figure, sample, bones, np.degrees(angles), True)
    if sample.locations:
        bones, wanted = list(sample.locations), np.stack(list(sample.locations.values()), axis=1)
        off = np.linalg.norm(local.locations[:, bones] - wanted, axis=-1)
        if not (off / np.maximum(np.abs(wanted).max(), 1.0)).max() < _MOVED:
            return _worst(figure, sample, bones, off, False)
    return None


def _worst(figure: Figure, sample: Sample, bones: list[int], off: Floats, is_rotation: bool) -> Unlike:
    """off: (K, bones) by frame and bone."""
    row, column = np.unravel_index(int(np.nan_to_num(off, nan=np.inf).argmax()), off.shape)
    most = float(off[row, column])
    return Unlike(figure.names[bones[column]], float(sample.frames[row]), most if is_rotation else 0.0, 0.0 if is_rotation else most)
