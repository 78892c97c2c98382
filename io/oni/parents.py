"""What moves an object besides its own channels: its parent, and delta transforms."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ...core.motion.rotations.rotation_matrix import Floats
from ..blender import compat
from ..blender.motion import evaluated
from ..pipeline.fidelity.object_transform import own_basis

_NO_DELTA = {
    "delta_location": (0.0, 0.0, 0.0),
    "delta_rotation_euler": (0.0, 0.0, 0.0),
    "delta_rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
    "delta_scale": (1.0, 1.0, 1.0),
}


def moved_by_parents(context: bpy.types.Context, obj: bpy.types.Object, frames: Floats) -> Floats | None:
    """(K, 4, 4) what leads at `frames` (K,) from where the object's own channels and deltas put it to where it is in the world, without
    its constraints; None where it has no parent."""
    if obj.parent is None:
        return None
    return _led(context, obj, frames, lambda shown: (shown.matrix_world, shown.matrix_basis))


def moved_by_deltas(context: bpy.types.Context, obj: bpy.types.Object, frames: Floats) -> Floats | None:
    """(K, 4, 4) what its delta transforms add at `frames` (K,) to the object's own channels, on its parent; None where it has none."""
    data = obj.animation_data
    curves = [*evaluated.driven(obj), *(compat.quick_curves(data.action, obj) if data is not None and data.action is not None else ())]
    is_moved = any(tuple(getattr(obj, name)) != rest for name, rest in _NO_DELTA.items())
    if not is_moved and not any(curve.data_path in _NO_DELTA for curve in curves):
        return None
    return _led(context, obj, frames, lambda shown: (shown.matrix_basis, own_basis(shown, shown.rotation_mode, {}, 1)[0]))


def _led(context: bpy.types.Context, obj: bpy.types.Object, frames: Floats, ends: Callable[[bpy.types.Object], tuple[Any, Any]]) -> Floats:
    """(K, 4, 4) what leads to the first matrix that `ends` gives from the second."""
    out = np.empty((len(frames), 4, 4))
    with ExitStack() as restored:
        for constraint in obj.constraints:
            restored.callback(setattr, constraint, "mute", constraint.mute)
            constraint.mute = True
        at = restored.enter_context(evaluated.evaluation(context, obj))
        for row, frame in enumerate(frames.tolist()):
            to, start = (np.array(matrix, np.float64) for matrix in ends(at(frame)))
            out[row] = to @ np.linalg.pinv(start)
    return out


def set_inverse(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    """Make an object's own channels its motion in the world: without deltas, and as Blender does when it gets a parent, whose place now
    counts as rest."""
    for name, rest in _NO_DELTA.items():
        setattr(obj, name, rest)
    if obj.parent is None:
        return
    frame = context.scene.frame_current + context.scene.frame_subframe
    moved = moved_by_parents(context, obj, np.array([frame]))
    if moved is not None:
        obj.matrix_parent_inverse = obj.matrix_parent_inverse @ Matrix(moved[0].tolist()).inverted_safe()
