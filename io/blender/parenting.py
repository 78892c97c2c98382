"""What an object hangs on: another object, or a bone of it as that is posed now."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from . import armature
from .arrays import world_of

_VERTICES = ("VERTEX", "VERTEX_3")


def above(obj: bpy.types.Object) -> NDArray[np.float64]:
    """(4, 4) what the object's own channels are relative to."""
    if obj.parent is None:
        return np.eye(4)
    inverse = np.array(obj.matrix_parent_inverse, np.float64)
    return world_of(obj.parent) @ _held_at(obj) @ inverse


def stands(obj: bpy.types.Object) -> NDArray[np.float64]:
    """(4, 4) an object's space -> the scene's, of no number where it stands nowhere. Of what is disabled in viewports Blender's own matrix
    stays what it was, however that moves on which it hangs; of what constraints, vertices or a curve's path place, it is all there is."""
    graph: Any = bpy.context.view_layer.depsgraph  # as it is: whoever asks of many objects would have it evaluated each time
    placed = obj.constraints or (obj.parent is not None and (obj.parent_type in _VERTICES or obj.parent.type == "CURVE"))
    if placed or (graph is not None and obj.evaluated_get(graph).is_evaluated):
        return np.array(obj.matrix_world, np.float64)
    own = np.array(obj.matrix_basis, np.float64)
    return own if obj.parent is None else stands(obj.parent) @ _held_at(obj) @ np.array(obj.matrix_parent_inverse, np.float64) @ own


def _held_at(obj: bpy.types.Object) -> NDArray[np.float64]:
    """(4, 4) what of its parent an object hangs on: a bone as that is posed now, or the parent itself."""
    parent = obj.parent
    bone = armature.pose_bones(parent).get(obj.parent_bone) if parent is not None and obj.parent_type == "BONE" else None
    if parent is None or bone is None:
        return np.eye(4)
    return np.array(bone.matrix, np.float64) @ attached(parent, bone.name)


def attached(obj: bpy.types.Object, name: str) -> NDArray[np.float64]:
    """(4, 4) in a bone's space, what is parented to it counts from: its tail, or where it does not carry by its rest pose the armature."""
    bone = armature.bones_of(obj)[name]
    if bone.use_relative_parent:
        return np.asarray(np.linalg.inv(np.array(bone.matrix_local, np.float64)), np.float64)
    out = np.eye(4)
    out[1, 3] = bone.length
    return out
