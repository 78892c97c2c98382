"""A source that grows or shrinks while it plays, by keys of its object or of a bone that carries most of it: nothing of it grows along."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import bpy

from ....core.reporting import log
from ...blender import armature, compat
from ...blender.motion import fcurves
from . import keys

_CLEARLY = 1.05
"""How much larger than the smallest the largest is, from which the feet are seen off the ground."""


def tell(obj: bpy.types.Object, actions: Sequence[bpy.types.Action], followed: Collection[str]) -> None:
    """Warn of each action in which a source does so. followed: the bones of the armature that are followed."""
    bones = armature.pose_bones(obj)
    chains = [{name, *(bone.name for bone in bones[name].parent_recursive)} for name in followed if name in bones]
    for action in actions:
        curves = (curve for curve in compat.quick_curves(action, obj) if curve.data_path.endswith("scale"))
        if said := next(filter(None, (_growth(obj, curve, chains) for curve in curves)), ""):
            with log.about(action.name):
                log.warning(said)


def _growth(obj: bpy.types.Object, curve: Any, chains: Sequence[Collection[str]]) -> str:
    """What a curve of scale does to most of what is followed; "" where that is nothing. chains: of each followed bone it and all above."""
    channel = fcurves.channel_of(curve)
    if channel is None or not compat.has_values(curve) or compat.is_muted(curve):
        return ""
    if channel.bone and 2 * sum(channel.bone in chain for chain in chains) < len(chains):
        return ""
    values = abs(keys.fcurves_keys(curve)[1])
    least, most = float(values.min()), float(values.max())
    if not most > _CLEARLY * least:  # nor a key that is no number, of which somebody else tells
        return ""
    return (
        f"{channel.bone or obj.name} grows and shrinks by keys, from {least:.2f} to {most:.2f}, and the target does not, so that it may "
        "stand above the ground or below it: delete the keys of its scale"
    )
