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
    bends = between.at_most(figure.modes, rotations)
    for bone, some in eased.items():
        bend = _eased([values[channel] for channel in some])
        bends[bone] = bends.get(bone, 0.0) + (2 * bend if figure.modes[bone] == "QUATERNION" else bend)
    if not between.may_bend(figure.parents.tolist(), bends):
        return None
    channels = {channel for own in eased.values() for channel in own}
    curves = [curve for curve in compat.quick_curves(action, obj) if fcurves.channel_of(curve) in channels]
    keyed = np.unique(np.concatenate([np.zeros(0), *(keys.fcurves_keys(curve)[0] for curve in curves)]))
    return Bent.of(figure, bends, keyed.astype(np.float64))


def _eased(curves: list[Any]) -> Floats:
    """(F - 1,) how far the curves of a bone bend together, at most."""
    return np.asarray(sum(between.steep(values) for values in curves), np.float64)
