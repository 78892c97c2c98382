"""Whether a source bends between the frames at which it is looked at, as its values there tell in a moment."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import bpy
import numpy as np

from ....core.motion.curves import Channel, rotation_property
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.retarget.figures.figure import Figure
from ....core.retarget.reports import between
from ....core.retarget.reports.between import Bent
from ...blender import compat
from ...blender.motion import evaluated, fcurves
from . import keys

_EULER = 3
"""Angles of a rotation that goes another way between two frames than the shortest, however straight its curves are."""


def of_curves(
    action: bpy.types.Action, obj: bpy.types.Object, figure: Figure, frames: Floats, values: keys.Channels, straight: Container[Channel]
) -> Bent | None:
    """How an action bends a figure between some frames (F,) so that it is worth a line; most often it does not: None. values: at `frames`.
    straight: the channels that go straight from each to the next."""
    eased: dict[int, list[Channel]] = {}
    rotations: dict[int, list[Any]] = {}
    names = [rotation_property(mode) for mode in figure.modes]
    still = {name: [np.full(len(frames), rest) for rest in np.ravel(evaluated.REST[name])] for name, _ in set(names)}
    for channel, own in values.items() if len(frames) > 1 else ():
        bone = figure.index.get(channel.bone, -1)
        if bone < 0 or channel.property != names[bone][0]:
            continue
        if bone not in rotations:
            rotations[bone] = still[names[bone][0]].copy()
        rotations[bone][channel.component] = own
        if channel not in straight:
            eased.setdefault(bone, []).append(channel)
    bends = _bends(names, rotations, {bone: [values[channel] for channel in some] for bone, some in eased.items()})
    if not between.may_bend(figure.parents.tolist(), bends):
        return None
    by_mode: dict[str, list[int]] = {}
    for bone in rotations:
        if figure.modes[bone] != "QUATERNION":
            by_mode.setdefault(figure.modes[bone], []).append(bone)
    for mode, bones in by_mode.items():
        keyed_in = np.array([rotations[bone] for bone in bones], np.float64).transpose(2, 0, 1)
        off = between.astray(keyed_in, np.array([bone in eased for bone in bones]), mode)
        bends.update(zip(bones, off.T, strict=True))
    some = {channel for own in eased.values() for channel in own}
    curves = [curve for curve in compat.quick_curves(action, obj) if fcurves.channel_of(curve) in some]
    keyed = np.unique(np.concatenate([np.zeros(0), *(keys.fcurves_keys(curve)[0] for curve in curves)]))
    return Bent(keyed.astype(np.float64), bends)


def _bends(names: list[tuple[str, int]], rotations: dict[int, list[Any]], eased: dict[int, list[Any]]) -> dict[int, Floats]:
    """By bone (F - 1,) radians by which it bends, at most. names: of what each is keyed in. rotations: (F,) of all components of those that
    have curves. eased: of those that do not go straight."""
    bends = dict[int, Floats]()
    euler = {bone: own for bone, own in rotations.items() if names[bone][1] == _EULER}
    if euler:
        bends.update(zip(euler, between.twisting(np.array(list(euler.values()))), strict=True))
    for bone in rotations.keys() - euler.keys():
        if (over := between.turning_over(rotations[bone])) is not None:
            bends[bone] = over
    for bone, curves in eased.items():
        bends[bone] = bends.get(bone, 0.0) + (_eased(curves) if bone in euler else 2 * _eased(curves))
    return bends


def _eased(curves: list[Any]) -> Floats:
    """(F - 1,) how far the curves of a bone bend together, at most."""
    return np.asarray(sum(between.steep(values) for values in curves), np.float64)
