"""Bones that a negative scale mirrors, with all that hangs on them, which no rotation follows."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

import bpy

from ....core.retarget.figures.figure import Figure
from ...blender import compat
from ...blender.motion import fcurves
from . import keys
from .unkeyed import Posed, held

Axes = set[tuple[str, int]]
"""Bones, and the axes along which their scale is negative."""


def shown(obj: bpy.types.Object, actions: Sequence[bpy.types.Action], posed: Posed) -> Axes:
    """Those of an armature's pose, and of keys of the actions that play."""
    alone = actions[0] if len(actions) == 1 else None
    still = {channel: values[0] for channel, values in held(posed, alone, 1, {}).items() if channel.property == "scale"}
    result = {(channel.bone, channel.component) for channel, value in still.items() if value < 0}
    for action in actions:
        for curve in compat.quick_curves(action, obj):
            if curve.data_path.endswith("].scale") and compat.has_values(curve) and keys.fcurves_keys(curve)[1].min() < 0:
                channel = fcurves.channel_of(curve)
                result |= {(channel.bone, channel.component)} if channel is not None else set()
    return result


def carrying(name: str, figure: Figure, negative: Iterable[tuple[str, int]], used: Container[str]) -> str:
    """What is to be said about those that mirror any of the `used` bones, which hang on them; "" where none does: an end that is
    mirrored itself, as games have them, stays as it is. name: of the armature."""
    mirroring: dict[str, bool] = {}
    for bone, _ in negative:
        mirroring[bone] = not mirroring.get(bone, False)
    if not any(mirroring.values()):
        return ""
    above: list[set[str]] = []
    names = set[str]()
    for row, bone in enumerate(figure.names):
        parent = int(figure.parents[row])
        odd = above[parent] if parent >= 0 else set[str]()
        if bone in used and len(odd) % 2:
            names |= odd
        above.append(odd | {bone} if mirroring.get(bone) else odd)
    return (
        f"{', '.join(sorted(names))} of {name}: mirrored by a negative scale, which no rotation follows; make it positive" if names else ""
    )
