"""Whether a source bends between the frames at which it is looked at, as its values there tell in a moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any

import bpy
import numpy as np

from ....core.motion.curves import Channel, rotation_property
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.retarget.figures.figure import Figure
from ....core.retarget.reports import bending
from ....core.retarget.reports.bending import OBJECT
from ....core.retarget.reports.bent import Bent
from ...blender import compat
from ...blender.motion import evaluated, fcurves
from . import keys

_NONE = np.zeros(0), np.zeros(0)
"""Frames and values of no keys."""


def of_curves(
    action: bpy.types.Action, obj: bpy.types.Object, figure: Figure, frames: Floats, values: keys.Channels, straight: Set[Channel]
) -> Bent | None:
    """How an action bends a figure between some frames (F,) so that it is worth a line; most often it does not: None. values: at `frames`.
    straight: the channels that go straight from each to the next."""
    if len(frames) < 2:
        return None
    modes, metres = (*figure.modes, obj.rotation_mode), figure.scale
    bent = [channel for channel in values if channel not in straight]
    leg = max(float(np.ptp(figure.heads, axis=0).max()) / 2, 1e-9)
    eased: dict[tuple[int, float], list[Channel]] = {}
    for bone, channel in _rotating(figure, modes, bent):
        eased.setdefault((bone, 2.0 if modes[bone] == "QUATERNION" else 1.0), []).append(channel)
    for bone, channel in _moving(figure, bent):
        eased.setdefault((bone, (1.0 if bone == OBJECT else metres) / leg), []).append(channel)
    bends = bending.at_most(modes, _rotations(figure, modes, values, len(frames)))
    channels = {channel for own in eased.values() for channel in own}
    curves = ((fcurves.channel_of(curve), curve) for curve in compat.quick_curves(action, obj)) if channels else ()
    keyed = {channel: keys.fcurves_keys(curve) for channel, curve in curves if channel in channels}
    for (bone, size), some in eased.items():
        own = [np.maximum(bending.steep(values[each]), bending.beside(frames, values[each], *keyed.get(each, _NONE))) for each in some]
        bends[bone] = bends.get(bone, 0.0) + size * np.sum(own, axis=0)
    if not bending.may_bend(figure.parents.tolist(), bends):
        return None
    every = np.unique(np.concatenate([np.zeros(0), *(at for at, _ in keyed.values())]))
    return Bent.of(figure, bends, every.astype(np.float64))


def of_clips(
    obj: bpy.types.Object, figure: Figure, clips: Sequence[tuple[bpy.types.Action, Floats, keys.Channels, Set[Channel]]]
) -> list[Bent | None]:
    """The same of several clips, each with its action, frames, values and straight channels: of those that have the same channels, and go
    straight in all of them, at once."""
    modes = (*figure.modes, obj.rotation_mode)
    result: dict[int, Bent | None] = {}
    alike: dict[frozenset[Channel], list[int]] = {}
    for number, (action, frames, values, straight) in enumerate(clips):
        bent = values.keys() - straight
        if len(frames) < 2 or any(_rotating(figure, modes, bent)) or any(_moving(figure, bent)):
            result[number] = of_curves(action, obj, figure, frames, values, straight)
        else:
            alike.setdefault(frozenset(values), []).append(number)
    for numbers in alike.values():
        some = [clips[number][2] for number in numbers]
        ends = np.cumsum([len(clips[number][1]) for number in numbers]).tolist()
        every = {channel: np.concatenate([values[channel] for values in some]) for _, channel in _rotating(figure, modes, some[0])}
        bends = bending.at_most(modes, _rotations(figure, modes, every, ends[-1]))
        for number, start, end in zip(numbers, [0, *ends], ends, strict=False):
            own = {bone: bend[start : end - 1] for bone, bend in bends.items()}
            result[number] = Bent.of(figure, own) if bending.may_bend(figure.parents.tolist(), own) else None
    return [result[number] for number in range(len(clips))]


def _rotating(figure: Figure, modes: Sequence[str], channels: Iterable[Channel]) -> Iterator[tuple[int, Channel]]:
    """The channels of what the figure's bones and its object rotate by, each with its bone. modes: of the bones, and the object's."""
    names = [rotation_property(mode)[0] for mode in modes]
    for bone, channel in _of_bones(figure, channels):
        if channel.property == names[bone]:
            yield bone, channel


def _moving(figure: Figure, channels: Iterable[Channel]) -> Iterator[tuple[int, Channel]]:
    """The same of what they are moved by."""
    return ((bone, channel) for bone, channel in _of_bones(figure, channels) if channel.property == "location")


def _of_bones(figure: Figure, channels: Iterable[Channel]) -> Iterator[tuple[int, Channel]]:
    for channel in channels:
        bone = figure.index.get(channel.bone) if channel.bone else OBJECT
        if bone is not None:
            yield bone, channel


def _rotations(figure: Figure, modes: Sequence[str], values: keys.Channels, count: int) -> dict[int, list[Any]]:
    """What each bone rotates by, and the object, its components (count,)."""
    names = {rotation_property(mode)[0] for mode in modes}
    still = {name: [np.full(count, rest) for rest in np.ravel(evaluated.REST[name])] for name in names}
    rotations: dict[int, list[Any]] = {}
    for bone, channel in _rotating(figure, modes, values):
        if bone not in rotations:
            rotations[bone] = still[channel.property].copy()
        rotations[bone][channel.component] = values[channel]
    return rotations
