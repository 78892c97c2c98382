"""Where a character stands between its clips: one that walks leaves it where it was before that to one that keys no placement."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ....core.motion.curves import rotation_property
from .. import compat
from ..arrays import of_property
from . import actions

STOOD = "retro_anim_stood"
"""Custom property of retargeted actions that move their object: its matrix below its parent, row by row, when they were made."""


def stood_before(action: bpy.types.Action) -> NDArray[np.float64] | None:
    """(4, 4) where, below its parent, the object stood that an action of ours moves: when it came in, or was made; None for others."""
    if (moved := actions.moved_object(action)) is not None:
        own = np.eye(4)
        own[:3, :3], own[:3, 3] = moved.placement.rotation * moved.placement.scale, moved.placement.location
        return own
    numbers = of_property(action.get(STOOD))
    return numbers.reshape(4, 4) if numbers.size == 16 else None


def stand_again(obj: bpy.types.Object, action: bpy.types.Action) -> None:
    """Before `action` is shown: what the present clip, one of ours, moves of the object and the next one does not is as before that clip;
    Blender would leave it where the last frame had it. What a person has keyed is left to Blender."""
    present = obj.animation_data.action if obj.animation_data else None
    stood = stood_before(present) if present is not None and present != action else None
    if present is None or stood is None:
        return
    left = _driven(obj, present) - _driven(obj, action)
    if not left:
        return
    before = {path: list(getattr(obj, path)) for path in _own(obj)}
    obj.matrix_basis = Matrix(stood.tolist())
    for path, values in before.items():
        after = list(getattr(obj, path))
        setattr(obj, path, [after[at] if (path, at) in left else value for at, value in enumerate(values)])


def _own(obj: bpy.types.Object) -> tuple[str, str, str]:
    return "location", rotation_property(obj.rotation_mode)[0], "scale"


def _driven(obj: bpy.types.Object, action: bpy.types.Action) -> set[tuple[str, int]]:
    """The components of its own transform that an action keys."""
    return {(curve.data_path, curve.array_index) for curve in compat.curves(action, obj) if curve.data_path in _own(obj)}
