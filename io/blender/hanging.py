"""What an object hangs on: another object, or a bone of it as that is posed now."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from . import armature
from .arrays import world_of


def above(obj: bpy.types.Object) -> NDArray[np.float64]:
    """(4, 4) what the object's own channels are relative to."""
    if obj.parent is None:
        return np.eye(4)
    inverse = np.array(obj.matrix_parent_inverse, np.float64)
    return world_of(obj.parent) @ _held_at(obj) @ inverse


def _held_at(obj: bpy.types.Object) -> NDArray[np.float64]:
    """(4, 4) what of its parent an object hangs on: the end of a bone, as that is now, or the parent itself."""
    bone = armature.pose_bones(obj.parent).get(obj.parent_bone) if obj.parent_type == "BONE" and obj.parent else None
    if bone is None:
        return np.eye(4)
    if bone.bone.use_relative_parent:
        return np.array(bone.matrix_channel, np.float64)
    end = np.array(bone.matrix, np.float64)
    end[:3, 3] += end[:3, 1] * bone.bone.length
    return end
