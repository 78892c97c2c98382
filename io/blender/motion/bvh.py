"""An armature's present action as BVH: what the scene shows, upright, and where the character goes."""

from __future__ import annotations

import bpy
import numpy as np

from ....core.motion.bvh import writing as bvh
from ....core.reporting.errors import RetroAnimError
from .. import armature, scene
from . import evaluated


def text_of(context: bpy.types.Context, obj: bpy.types.Object) -> str:
    """The file's text, a line for each frame from the action's first to its last. Raises RetroAnimError without an action or bones.

    The object is the root joint where it moves, or where the armature has not just one root bone."""
    action = obj.animation_data.action if obj.animation_data else None
    bones = list(armature.bones_of(obj)) if obj.type == "ARMATURE" else []
    if action is None or not bones:
        raise RetroAnimError("there is no animation of an armature to write")
    first, last = action.frame_range
    frames = np.arange(first, max(last, first) + 1e-3)
    names = [bone.name for bone in bones]
    poses = np.empty((len(frames), len(bones) + 1, 4, 4))
    with evaluated.evaluation(context, obj) as at:
        for row, frame in enumerate(frames.tolist()):
            shown = at(frame)
            world, posed = np.array(shown.matrix_world, np.float64), armature.pose_bones(shown)
            poses[row, 0] = world
            poses[row, 1:] = world @ np.array([posed[name].matrix for name in names], np.float64)
    start = poses[0, 0].copy()
    rest = np.stack([start, *(start @ np.array(bone.matrix_local, np.float64) for bone in bones)])
    parents = [-1, *(names.index(bone.parent.name) + 1 if bone.parent else 0 for bone in bones)]
    if parents.count(0) == 1 and np.abs(poses[:, 0] - start).max() < 1e-6:
        rest, poses, names = rest[1:], poses[:, 1:], names
        parents = [parent - 1 for parent in parents[1:]]
    else:
        names = [obj.name, *names]
    return bvh.write(bvh.Joints(names, parents, rest, poses), 1 / scene.fps(context.scene))
