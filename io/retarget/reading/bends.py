"""Where a source bends between the frames at which it is looked at, as its values there tell in a moment."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion.curves import Channel, rotation_property
from ....core.motion.rotations import quaternion as quat
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.retarget.figures.figure import Figure
from ....core.retarget.figures.motion import Motion
from ....core.retarget.reports import between
from ...blender import compat
from ...blender.motion import fcurves
from . import keys

_AT = 1e-3
"""Frames: what is nearer to one that is looked at is at it."""

_EULER = 3
"""Angles of a rotation that goes another way between two frames than the shortest, however straight its curves are."""


def of_curves(
    action: bpy.types.Action, obj: bpy.types.Object, figure: Figure, frames: Floats, values: keys.Channels, straight: Container[Channel]
) -> Floats:
    """Frames between some (F,) of which an action bends a figure there so that it is worth a line; most often none. values: at `frames`.
    straight: the channels that go straight from each to the next."""
    eased: dict[int, list[Channel]] = {}
    rotations: dict[int, list[Any]] = {}
    names, still = [rotation_property(mode) for mode in figure.modes], np.zeros(len(frames))
    for channel, own in values.items() if len(frames) > 1 else ():
        bone = figure.index.get(channel.bone, -1)
        if bone < 0 or channel.property != names[bone][0]:
            continue
        if figure.modes[bone] != "AXIS_ANGLE":
            rotations.setdefault(bone, [still] * names[bone][1])[channel.component] = own
        if channel not in straight:
            eased.setdefault(bone, []).append(channel)
    bends = dict[int, Floats]()
    euler = {bone: own for bone, own in rotations.items() if len(own) == _EULER}
    if euler:
        bends.update(zip(euler, between.twisting(np.array(list(euler.values()))), strict=True))
    for bone in rotations.keys() - euler.keys():
        if (over := between.turning_over(rotations[bone])) is not None:
            bends[bone] = over
    for bone, some in eased.items():
        bend = _eased([values[channel] for channel in some])
        bends[bone] = bends.get(bone, 0.0) + (bend if bone in euler else 2 * bend)
    gaps = between.bending(figure.parents.tolist(), bends)
    return _middles(frames, gaps, _inside(action, obj, [channel for some in eased.values() for channel in some]) if len(gaps) else [])


def of_motion(figure: Figure, motion: Motion) -> Floats:
    """The same of poses as they are shown, of which nothing else is known."""
    if len(motion.frames) < 2:
        return np.zeros(0)
    still, bends = [-1] * len(figure), dict[int, Floats]()  # what bones hang on is in their rotation
    for bone in range(len(figure)):
        bends[bone] = 2 * _eased(list(quat.continuous(motion.rotations[:, bone]).T))
    return _middles(motion.frames, between.bending(still, bends), [])


def _eased(curves: list[Any]) -> Floats:
    """(F - 1,) how far the curves of a bone bend together, at most."""
    return np.asarray(sum(between.steep(values) for values in curves), np.float64)


def _inside(action: bpy.types.Action, obj: bpy.types.Object, channels: Container[Channel | None]) -> list[Floats]:
    """The frames of the keys of some of an action's curves."""
    curves = [curve for curve in compat.quick_curves(action, obj) if fcurves.channel_of(curve) in channels]
    return [keys.fcurves_keys(curve)[0].astype(np.float64) for curve in curves]


def _middles(frames: Floats, gaps: NDArray[np.int64], keyed: list[Floats]) -> Floats:
    """Of some gaps between frames the middles, and where there are keys in them. keyed: the frames of keys."""
    if not len(gaps):
        return np.zeros(0)
    there = np.unique(np.concatenate([np.zeros(0), *keyed]))
    behind = np.searchsorted(frames, there).clip(1, len(frames) - 1)
    inside = np.isin(behind - 1, gaps) & (np.minimum(there - frames[behind - 1], frames[behind] - there) > _AT)
    return np.unique(np.concatenate([(frames[gaps] + frames[gaps + 1]) / 2, there[inside]]))
