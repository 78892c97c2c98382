"""An armature that came from no game."""

from __future__ import annotations

from typing import Any

import bpy
import mathutils
import numpy as np


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


def moving(share: float = 1.0) -> Any:
    """`foreign`, its bones rotated at random from frame 1 to 5, the first one elsewhere, too; at 30 frames a second. share: of the way
    from rest; all of it is up to 82 degrees from one frame to the next, and up to 9 off the straight way between two."""
    bpy.context.scene.render.fps = 30
    obj = foreign()
    draw = np.random.default_rng(1)
    for frame in range(1, 6):
        for bone in obj.pose.bones:
            bone.rotation_quaternion = mathutils.Euler((share * draw.uniform(-0.6, 0.6, 3)).tolist()).to_quaternion()
            bone.keyframe_insert("rotation_quaternion", frame=frame)
        obj.pose.bones["hips"].location = share * draw.uniform(-1, 1, 3)
        obj.pose.bones["hips"].keyframe_insert("location", frame=frame)
    return obj
