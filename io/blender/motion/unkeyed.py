"""What somebody has posed and not keyed: it is in no action, and the next frame that is shown takes it away."""

from __future__ import annotations

import bpy
import numpy as np

from ....core.motion.curves import rotation_property
from .. import armature, compat
from . import evaluated, fcurves
from .nla import nla

_SAME = 1e-4
"""Of a value, or of one unit of it: less is no pose of somebody's."""


def posed(obj: bpy.types.Object, frame: float) -> list[str]:
    """The bones of an armature that stand otherwise now than the curves of its own action have them at the frame. Nothing where strips of
    the NLA take part, or no slot of the action is chosen; what drivers move is left out, and so are curves without keys."""
    data = obj.animation_data
    if obj.type != "ARMATURE" or data is None or data.action is None or compat.has_no_slot(data):
        return []
    if data.use_nla and nla.playing(obj):
        return []
    if data.action_influence != 1 or data.action_blend_type != "REPLACE":
        return []
    values, driven = evaluated.pose_values(obj), {fcurves.channel_of(curve) for curve in evaluated.driven(obj)}
    bones = {bone.name: (row, rotation_property(bone.rotation_mode)[0]) for row, bone in enumerate(armature.pose_bones(obj))}
    apart = set[str]()
    for curve in compat.curves(data.action, obj):
        channel = fcurves.channel_of(curve)
        if channel is None or channel.bone not in bones or channel in driven or compat.is_muted(curve) or curve.is_empty:
            continue
        row, rotation = bones[channel.bone]
        if channel.property in values and channel.property in ("location", "scale", rotation):
            now, keyed = float(values[channel.property][row, channel.component]), curve.evaluate(frame)
            if not np.isclose(now, keyed, _SAME, _SAME):
                apart.add(channel.bone)
    return [name for name in bones if name in apart]
