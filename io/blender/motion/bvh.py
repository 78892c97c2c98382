"""An armature's present action as BVH: what the scene shows, upright, and where the character goes."""

from __future__ import annotations

import bpy
import numpy as np

from ....core.motion.bvh import writing as bvh
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.reporting.errors import RetroAnimError
from .. import armature, scene
from . import evaluated

MOST = 1 << 22
"""Frames times joints of a file, each of which is a line's numbers: at 30 frames a second more than half an hour of 60 bones."""


def text_of(context: bpy.types.Context, obj: bpy.types.Object) -> str:
    """The file's text, a line for each frame from the action's first to its last. Raises RetroAnimError without an action or bones,
    for more frames than are written, and for what has no size or no numbers.

    The object is the root joint where it moves, or where the armature has not just one root bone."""
    action = obj.animation_data.action if obj.animation_data else None
    bones = list(armature.bones_of(obj)) if obj.type == "ARMATURE" else []
    if action is None or not bones:
        raise RetroAnimError("there is no animation of an armature to write")
    first, last = action.frame_range
    if (last - first + 1) * (len(bones) + 1) > MOST:
        raise RetroAnimError(f"{action.name} has {last - first + 1:.0f} frames, too many for a .bvh: shorten it, or write a .blend")
    frames = np.arange(first, max(last, first) + 1e-3)
    names = [bone.name for bone in bones]
    poses = np.empty((len(frames), len(bones) + 1, 4, 4))
    with evaluated.evaluation(context, obj) as at:
        for row, frame in enumerate(frames.tolist()):
            shown = at(frame)
            world, posed = np.array(shown.matrix_world, np.float64), armature.pose_bones(shown)
            poses[row, 0] = world
            poses[row, 1:] = world @ np.array([posed[name].matrix for name in names], np.float64)
    _check(obj, action, frames, [obj.name, *names], poses)
    start = poses[0, 0].copy()
    rest = np.stack([start, *(start @ np.array(bone.matrix_local, np.float64) for bone in bones)])
    parents = [-1, *(names.index(bone.parent.name) + 1 if bone.parent else 0 for bone in bones)]
    if parents.count(0) == 1 and np.abs(poses[:, 0] - start).max() < 1e-6:
        rest, poses, names = rest[1:], poses[:, 1:], names
        parents = [parent - 1 for parent in parents[1:]]
    else:
        names = [obj.name, *names]
    return bvh.write(bvh.Joints(names, parents, rest, poses), 1 / scene.fps(context.scene))


def _check(obj: bpy.types.Object, action: bpy.types.Action, frames: Floats, names: list[str], poses: Floats) -> None:
    """Raises RetroAnimError where joints have no rotation: poses (F, B, 4, 4) that are no numbers, and an object without a size."""
    bad = ~np.isfinite(poses).all(axis=(2, 3))
    if bad.any():
        frame, joint = (int(index) for index in np.argwhere(bad)[0])
        raise RetroAnimError(
            f"{action.name}: {names[joint]} stands nowhere at frame {frames[frame]:g}: delete the keys that are no finite numbers, or give "
            "them other values"
        )
    if not abs(np.linalg.det(poses[0, 0, :3, :3])) > _FLAT:
        raise RetroAnimError(f"{obj.name} has no size at frame {frames[0]:g}: scale it there")


_FLAT = 1e-30
"""The volume of what has a size."""
