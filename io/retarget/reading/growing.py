"""A source that grows or shrinks while it plays, by keys of its object or of a bone that carries most of it: nothing of it grows along."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import bpy

from ....core.reporting import log
from ...blender import armature, compat
from ...blender.motion import fcurves
from . import keys

_CLEARLY = 1.05
"""How much larger than the smallest the largest is, from which the feet are seen off the ground."""


def tell(obj: bpy.types.Object, actions: Sequence[bpy.types.Action], followed: Collection[str]) -> None:
    """followed: the bones of the armature that are followed."""
    bones = armature.pose_bones(obj)
    chains = [{name, *(bone.name for bone in bones[name].parent_recursive)} for name in followed if name in bones]
    for action in actions:
        for curve in compat.quick_curves(action, obj):
            if not curve.data_path.endswith("scale") or not compat.has_values(curve):
                continue
            channel, values = fcurves.channel_of(curve), abs(keys.fcurves_keys(curve)[1])
            carried = sum(channel.bone in chain for chain in chains) if channel is not None and channel.bone else len(chains)
            if channel is None or 2 * carried < len(chains) or values.max() <= _CLEARLY * values.min():
                continue
            with log.about(action.name):
                log.warning(
                    f"{channel.bone or obj.name} grows and shrinks by keys, from {values.min():.2f} to {values.max():.2f}, and the target "
                    "does not, so that it may stand above the ground or below it: delete the keys of its scale"
                )
            break
