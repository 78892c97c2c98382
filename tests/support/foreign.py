"""An armature that came from no game."""

from __future__ import annotations

from typing import Any

import bpy


def foreign() -> Any:
    """An armature from elsewhere: bones along themselves with a roll, quaternions, and a scale of its own."""
    data = bpy.data.armatures.new("Rig")
    obj = bpy.data.objects.new("Rig", data)
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    bones_at = {"hips": ((0, 0, 1), (0, 0.1, 1.2)), "arm": ((0.2, 0, 1.4), (0.6, 0, 1.4)), "hand": ((0.6, 0, 1.4), (0.7, 0.1, 1.3))}
    for index, (name, (head, tail)) in enumerate(bones_at.items()):
        bone = data.edit_bones.new(name)
        bone.head, bone.tail, bone.roll = head, tail, 0.4 * index
        bone.parent = data.edit_bones[index - 1] if index else None
    bpy.ops.object.mode_set(mode="OBJECT")
    return obj
