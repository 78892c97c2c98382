"""Clips that would be a single pose: they have lost their keys since they came in, or move other bones than there are."""

from __future__ import annotations

import bpy

from .....core.declare.shared import Sampling
from .....core.reporting.errors import ExportError
from .....core.reporting.labels import first_few
from ....blender import armature, compat, identity, source_data
from ....blender.motion import fcurves


def check(obj: bpy.types.Object, action: bpy.types.Action, sampling: Sampling) -> None:
    """Raises ExportError where a clip of many keys would become a single pose, which nobody means; what constraints show may be meant."""
    if sampling != "KEYS":
        return
    if strange := _of_others(obj, action):
        raise ExportError(
            f"none of its bones is on {obj.name} ({first_few(strange)}), and what they do would be lost: give {obj.name} a clip of its "
            "own, or retarget this one onto it"
        )
    if action.get(source_data.SOURCE) is None:
        return
    if not any(map(compat.has_values, compat.curves(action, obj))):
        raise ExportError("it has no keys any more, and a single pose would replace the clip: undo that, or import it again")
    if (given := _given_to_copies(obj, action)) is not None:
        raise ExportError(
            f"{given}, a copy of a bone of the game, has the keys that were that bone's, as after joining a character with its own copy, "
            "and they would be lost: undo that, or import the clip again"
        )


def _of_others(obj: bpy.types.Object, action: bpy.types.Action) -> list[str]:
    """The bones that an action moves, where the armature has none of them, whatever they were called before."""
    if obj.type != "ARMATURE":
        return []
    own, strange = {*armature.pose_bones(obj).keys(), *identity.renamed(obj)}, set[str]()
    for channel in map(fcurves.channel_of, compat.curves(action, obj)):
        if channel is not None and channel.bone in own:
            return []
        if channel is not None and channel.bone:
            strange.add(channel.bone)
    return sorted(strange)


def _given_to_copies(obj: bpy.types.Object, action: bpy.types.Action) -> str | None:
    """A copy that is keyed instead of its bone, in an armature that has all bones of the game twice; none where constraints lead the
    game's bones after their copies."""
    copies = armature.copies(obj)
    if not copies or len(set(copies.values())) < len(armature.by_number(obj)):
        return None
    keyed = {channel.bone for channel in map(fcurves.channel_of, compat.curves(action, obj)) if channel is not None}
    instead = sorted(copy for copy in keyed & copies.keys() if copies[copy] not in keyed)
    poses = armature.pose_bones(obj)
    return None if any(len(poses[copies[copy]].constraints) for copy in instead) else next(iter(instead), None)
