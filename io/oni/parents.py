"""What moves an object besides its own channels: its parent, and delta transforms."""

from __future__ import annotations

from contextlib import ExitStack

import bpy
import numpy as np
from mathutils import Matrix

from ...core.motion.rotations.rotation_matrix import Floats
from ..blender.motion import evaluated

_NO_DELTA = {
    "delta_location": (0.0, 0.0, 0.0),
    "delta_rotation_euler": (0.0, 0.0, 0.0),
    "delta_rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
    "delta_scale": (1.0, 1.0, 1.0),
}


def moved_by_parents(context: bpy.types.Context, obj: bpy.types.Object, frames: Floats) -> Floats | None:
    """(K, 4, 4) what leads at `frames` (K,) from where the object's own channels put it to where it is in the world, without its
    constraints; None where nothing does."""
    if obj.parent is None and all(tuple(getattr(obj, name)) == rest for name, rest in _NO_DELTA.items()):
        return None
    out = np.empty((len(frames), 4, 4))
    with ExitStack() as restored:
        for constraint in obj.constraints:
            restored.callback(setattr, constraint, "mute", constraint.mute)
            constraint.mute = True
        at = restored.enter_context(evaluated.evaluation(context, obj))
        for row, frame in enumerate(frames.tolist()):
            shown = at(frame)
            out[row] = np.array(shown.matrix_world, np.float64) @ np.linalg.pinv(np.array(shown.matrix_basis, np.float64))
    return out


def set_inverse(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    """Make an object's own channels its motion in the world, as Blender does when it gets a parent: where that is now counts as rest."""
    if obj.parent is None:
        return
    frame = context.scene.frame_current + context.scene.frame_subframe
    moved = moved_by_parents(context, obj, np.array([frame]))
    if moved is not None:
        obj.matrix_parent_inverse = obj.matrix_parent_inverse @ Matrix(moved[0].tolist()).inverted_safe()
