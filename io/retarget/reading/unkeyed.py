"""What stands away from rest in the pose that an armature has now, which actions without a curve of it leave as it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import bpy
import numpy as np

from ....core.motion.curves import Channel, is_rotation, rotation_property
from ...blender import armature, compat
from ...blender.arrays import world_of
from ...blender.motion import evaluated, fcurves
from . import keys


@dataclass(frozen=True, eq=False)
class Posed:
    """What stands away from rest in the pose of an armature. present: the action that plays. away: values by channel. always: what else
    than curves takes part in how any action looks."""

    obj: bpy.types.Object
    present: bpy.types.Action | None
    away: dict[Channel, float]
    always: str

    @cached_property
    def moving(self) -> set[tuple[str, str]]:
        """Bones and their properties that the present action moves."""
        curves = compat.curves(self.present, self.obj) if self.present is not None else []
        return {(channel.bone, channel.property) for curve in curves if (channel := fcurves.channel_of(curve)) is not None}


def posed_of(obj: bpy.types.Object) -> Posed:
    """The same for all actions of an armature."""
    present = obj.animation_data.action if obj.animation_data else None
    away: dict[Channel, float] = {}
    for name, rows in evaluated.pose_values(obj).items():
        moved = np.abs(rows - np.array(evaluated.REST[name], np.float32)).max(axis=1) > 1e-6
        for row in np.flatnonzero(moved).tolist():
            bone = armature.pose_bones(obj)[row]
            if not is_rotation(name) or name == rotation_property(bone.rotation_mode)[0]:
                away |= {Channel(bone.name, name, component): float(value) for component, value in enumerate(rows[row])}
    return Posed(obj, present, away, "another scale along each axis" if is_stretched(obj) else evaluated.always_takes_part(obj))


def is_stretched(obj: bpy.types.Object) -> bool:
    """Whether an object, or what it hangs from, is scaled differently along its axes, which bends what it does."""
    size = np.linalg.norm(world_of(obj)[:3, :3], axis=0)
    return not np.abs(size - size[0]).max() <= 1e-4 * size[0]


def held(posed: Posed, action: bpy.types.Action | None, count: int, values: keys.Channels) -> keys.Channels:
    """What no curve moves, where it is away from rest; what only the present action moves is taken to be at rest in any other one."""
    others = posed.moving if posed.away and action != posed.present else set[tuple[str, str]]()
    return {
        channel: np.full(count, value, np.float64)
        for channel, value in posed.away.items()
        if channel not in values and (channel.bone, channel.property) not in others
    }
