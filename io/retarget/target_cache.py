"""What of a target is looked up once in a run from many sources: what its actions move, of which every clip asks for all before it, and
which of its controls carries which."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import bpy
import numpy as np

from ...core.motion.curves import Block
from ...core.motion.rotations.rotation_matrix import Floats
from ..blender import compat
from ..blender.arrays import values_of
from ..blender.motion import fcurves
from ..blender.paths import Switch


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
    """Of one armature, for as long as nobody edits it or its actions. carriers: by the names of controls the one that
    carries each, and what the motion needs switched."""

    def __init__(self, obj: bpy.types.Object) -> None:
        self._obj = obj
        self._moved: dict[int, Moved] = {}
        self._new: set[int] = set()
        self.carriers: dict[tuple[str, ...], tuple[dict[str, str], tuple[Switch, ...]]] = {}

    def moved(self, action: bpy.types.Action) -> Moved:
        known = self._moved.get(action.session_uid)
        if known is None:
            known = self._moved[action.session_uid] = _moved(action, self._obj)
        return known

    def is_new(self, action: bpy.types.Action) -> bool:
        """Whether this run has written it."""
        return action.session_uid in self._new

    def add(self, action: bpy.types.Action, channels: Iterable[tuple[str, str]]) -> None:
        """An action has more of them now."""
        before = self.moved(action)
        self._moved[action.session_uid] = replace(before, channels=before.channels | set(channels))

    def written(self, action: bpy.types.Action, blocks: Iterable[Block]) -> None:
        """An action was written by this run, of these keys."""
        self._new.add(action.session_uid)
        channels: set[tuple[str, str]] = set()
        scales: dict[str, Floats] = {}
        for block in blocks:
            channels |= {(channel.bone, channel.property) for channel in block.channels}
            if len(block.channels) == 3 and all(channel.property == "scale" for channel in block.channels):
                values = block.values.astype(np.float64)
                scales[block.channels[0].bone] = np.stack([values.min(axis=1), values.max(axis=1)], axis=1)
        self._moved[action.session_uid] = Moved(frozenset(channels), scales)


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
