"""What of a target is looked up once in a run from many sources: what its actions move, of which every clip asks for all before it, and
which of its controls carries which."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import bpy
import numpy as np

from ...core.motion.rotation_matrix import Floats
from ..blender import compat
from ..blender.arrays import values_of
from ..blender.motion import fcurves


@dataclass(frozen=True, eq=False)
class Moved:
    """channels: bones, "" for the object, and their properties. scales: (3, 2) the smallest and the largest scale of each axis, of the
    bones that have curves of all three."""

    channels: frozenset[tuple[str, str]]
    scales: dict[str, Floats]

    @cached_property
    def bones(self) -> set[str]:
        return {bone for bone, _ in self.channels if bone}


class Known:
    """Of one armature, for as long as nobody edits it or its actions. carriers: by the names of controls the one that carries each."""

    def __init__(self, obj: bpy.types.Object) -> None:
        self._obj = obj
        self._moved: dict[int, Moved] = {}
        self.carriers: dict[tuple[str, ...], dict[str, str]] = {}

    def moved(self, action: bpy.types.Action) -> Moved:
        known = self._moved.get(action.session_uid)
        if known is None:
            known = self._moved[action.session_uid] = _moved(action, self._obj)
        return known


def _moved(action: bpy.types.Action, obj: bpy.types.Object) -> Moved:
    channels: set[tuple[str, str]] = set()
    sizes: dict[str, dict[int, Any]] = {}
    for curve in compat.curves(action, obj):
        channel = fcurves.channel_of(curve)
        if channel is not None:
            channels.add((channel.bone, channel.property))
            if channel.property == "scale" and len(curve.keyframe_points):
                sizes.setdefault(channel.bone, {})[channel.component] = curve
    scales: dict[str, Floats] = {}
    for bone, curves in sizes.items():
        if len(curves) == 3:
            keys = [values_of(curves[axis].keyframe_points, "co", np.float32, 2)[:, 1] for axis in range(3)]
            scales[bone] = np.array([[each.min(), each.max()] for each in keys], np.float64)
    return Moved(frozenset(channels), scales)
