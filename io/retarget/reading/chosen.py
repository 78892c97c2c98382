"""Which actions of a source are retargeted."""

from __future__ import annotations

import bpy

from ....core.reporting.errors import RetroAnimError
from ...blender import armature, identity
from ..known import Known


def chosen_actions(source: bpy.types.Object, names: tuple[str, ...]) -> list[bpy.types.Action]:
    """By name, else the present one."""
    if names:
        missing = [name for name in names if name not in bpy.data.actions]
        if missing:
            raise RetroAnimError(f"there is no action {', '.join(missing)}")
        return [bpy.data.actions[name] for name in names]
    data = source.animation_data
    if not data or data.action is None:
        raise RetroAnimError(f"{source.name} has no action")
    return [data.action]


def actions_of(source: bpy.types.Object, known: Known | None = None) -> list[bpy.types.Action]:
    """The present action and all others that move bones of the armature. known: of the armature."""
    known = known or Known(source)
    names = {bone.name for bone in armature.pose_bones(source)}
    data = source.animation_data
    result = [data.action] if data and data.action else []
    figure = source.data.get(identity.RIG) if source.data else None
    for action in bpy.data.actions:
        owner = action.get(identity.RETARGETED, source.name)
        another = isinstance(owner, str) and owner != source.name and owner in bpy.data.objects  # else it was renamed
        if another or action.get(identity.RIG, figure) != figure:
            continue
        moved = known.moved(action).bones
        if action not in result and moved and len(moved & names) > 0.5 * len(moved):
            result.append(action)
    return result
