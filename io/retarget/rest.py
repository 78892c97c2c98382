"""What other actions leave behind: channels that a new action does not mean to move, but that stand away from rest where something else
keyed them. They get one key at rest, so that the new action looks the same whatever was shown before."""

from __future__ import annotations

from collections.abc import Iterable

import bpy
import numpy as np

from ...core.motion.curves import Block, Channel, rotation_property
from ...core.motion.rotation_matrix import Floats
from ..blender import armature, compat, evaluated, fcurves

Moved = set[tuple[str, str]]
"""Bones and properties."""


def moved(obj: bpy.types.Object, bones: Iterable[str], actions: Iterable[bpy.types.Action]) -> Moved:
    """Those of the bones' channels that stand away from rest, or that one of the actions keys."""
    wanted = set(bones)
    result: Moved = set()
    for action in actions:
        for curve in compat.curves(action, obj):
            channel = fcurves.channel_of(curve)
            if channel is not None and channel.bone in wanted and channel.property in evaluated.REST:
                result.add((channel.bone, channel.property))
    names = [bone.name for bone in armature.pose_bones(obj)]
    for name, values in evaluated.pose_values(obj).items():
        rest = np.array(evaluated.REST[name], np.float32)
        away = np.abs(values - rest).max(axis=1) > 1e-6
        result |= {(names[row], name) for row in np.flatnonzero(away).tolist() if names[row] in wanted}
    modes = {bone.name: rotation_property(bone.rotation_mode)[0] for bone in armature.pose_bones(obj)}
    return {(bone, name) for bone, name in result if not name.startswith("rotation") or name == modes[bone]}


def blocks(result: Moved, written: list[Block], frames: Floats) -> list[Block]:
    """One key at rest for each of the channels that is not among those written."""
    has = {(channel.bone, channel.property) for block in written for channel in block.channels}
    return [
        Block(
            [Channel(bone, name, index) for index in range(len(evaluated.REST[name]))],
            frames[:1].astype(np.float32),
            np.array(evaluated.REST[name], np.float32)[:, None],
            np.zeros(1, bool),
        )
        for bone, name in sorted(result - has)
    ]
