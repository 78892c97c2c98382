"""What the scene shows: evaluated poses, with constraints, IK and the NLA."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core import log
from ..core.rotation import Floats
from . import compat


@contextmanager
def alone(thing: bpy.types.Object, action: bpy.types.Action) -> Generator[None]:
    """The action on its armature, without the NLA, while it is sampled; the present one with its NLA, since that is how it looks.
    Afterwards the bones stand as before, also where only the other action moves them."""
    data = thing.animation_data or thing.animation_data_create()
    before, used = data.action, data.use_nla
    if before == action:
        yield
        return
    slot = data.action_slot if compat.SLOTTED else None
    pose = pose_values(thing)
    try:
        data.use_nla = False
        compat.assign(thing, action)
        yield
    finally:
        data.action = before
        if compat.SLOTTED and before is not None:
            data.action_slot = slot
        data.use_nla = used
        set_pose_values(thing, pose)


_POSE = (("location", 3), ("rotation_quaternion", 4), ("rotation_euler", 3), ("rotation_axis_angle", 4), ("scale", 3))


def pose_values(thing: bpy.types.Object) -> dict[str, NDArray[np.float32]]:
    """The bones' own channels as they are now."""
    found = {}
    for name, count in _POSE:
        found[name] = np.empty(count * len(thing.pose.bones), np.float32)
        thing.pose.bones.foreach_get(name, found[name])
    return found


def set_pose_values(thing: bpy.types.Object, values: dict[str, NDArray[np.float32]]) -> None:
    """Put them back."""
    for name, array in values.items():
        thing.pose.bones.foreach_set(name, array)


def poses(context: bpy.types.Context, thing: bpy.types.Object, names: Sequence[str], frames: Floats) -> Floats:
    """(K, bones, 4, 4) evaluated armature-space matrices of the bones called `names`. The scene's frame is put back."""
    now = context.scene.frame_current, context.scene.frame_subframe
    out = np.empty((len(frames), len(names), 4, 4))
    try:
        for row, frame in enumerate(frames.tolist()):
            context.scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
            bones = thing.evaluated_get(context.evaluated_depsgraph_get()).pose.bones
            out[row] = np.array([bones[name].matrix for name in names], np.float64)
    finally:
        context.scene.frame_set(now[0], subframe=now[1])
    return out


def warn_of_object(thing: bpy.types.Object) -> None:
    """Say what an export leaves out of an armature object's own transform."""
    size = np.array(thing.scale)
    if not np.allclose(size, size[0], rtol=1e-4):
        log.warning(f"{thing.name} is scaled differently along its axes; the scale of objects is not exported")
