"""What the scene shows: evaluated poses, with constraints, IK and the NLA."""

from __future__ import annotations

import operator
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.motion.rotation_matrix import Floats
from ...core.reporting import log
from ...core.reporting.errors import RetroAnimError
from . import compat


@contextmanager
def alone(obj: bpy.types.Object, action: bpy.types.Action) -> Generator[None]:
    """The action on its armature, without the NLA, while it is sampled; the present one with its NLA, since that is how it looks.
    Afterwards everything that the other action drives is as before. Raises RetroAnimError in the NLA's tweak mode."""
    data = obj.animation_data or obj.animation_data_create()
    before, used = data.action, data.use_nla
    if before == action:
        yield
        return
    if data.use_tweak_mode:
        raise RetroAnimError(f"{obj.name} is in the tweak mode of the NLA: leave it first")
    slot = data.action_slot if compat.SLOTTED else None
    pose, driven = pose_values(obj), _driven(obj, action)
    try:
        data.use_nla = False
        compat.assign(obj, action)
        yield
    finally:
        data.action = before
        if compat.SLOTTED and before is not None:
            data.action_slot = slot
        data.use_nla = used
        set_pose_values(obj, pose)
        for put_back in driven:
            put_back()


def _driven(obj: bpy.types.Object, action: bpy.types.Action) -> list[Callable[[], None]]:
    """What puts back the present value of each property that an action drives."""
    found: list[Callable[[], None]] = []
    for path in {curve.data_path for curve in compat.curves(action, obj)}:
        try:
            value: Any = obj.path_resolve(path)
            custom = path.endswith("]")
            at, _, name = path[:-2].rpartition('["') if custom else path.rpartition(".")
            owner: Any = obj.path_resolve(at) if at else obj
        except ValueError:  # a property that is no longer there
            continue
        value = tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
        found.append(partial(operator.setitem if custom else setattr, owner, name, value))
    return found


REST: dict[str, tuple[float, ...]] = {
    "location": (0.0, 0.0, 0.0),
    "rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
    "rotation_axis_angle": (0.0, 0.0, 1.0, 0.0),
    "rotation_euler": (0.0, 0.0, 0.0),
    "scale": (1.0, 1.0, 1.0),
}
"""A bone's own channels at rest."""


def pose_values(obj: bpy.types.Object) -> dict[str, NDArray[np.float32]]:
    """The bones' own channels as they are now."""
    found = {}
    for name, rest in REST.items():
        found[name] = np.empty(len(rest) * len(obj.pose.bones), np.float32)
        obj.pose.bones.foreach_get(name, found[name])
    return found


def set_pose_values(obj: bpy.types.Object, values: dict[str, NDArray[np.float32]]) -> None:
    """Put them back."""
    for name, array in values.items():
        obj.pose.bones.foreach_set(name, array)


@contextmanager
def seen(context: bpy.types.Context, obj: bpy.types.Object) -> Generator[Callable[[float], bpy.types.Object]]:
    """Gives the evaluated object at a frame, also of one that is hidden, and an armature in pose position. Everything is put back.

    Raises RetroAnimError where Blender does not evaluate it."""
    scene, data = context.scene, obj.data if isinstance(obj.data, bpy.types.Armature) else None
    now, render = (scene.frame_current, scene.frame_subframe), scene.render
    remap, hidden = (render.frame_map_old, render.frame_map_new), obj.hide_viewport
    position = data.pose_position if data is not None else "POSE"
    pose = pose_values(obj) if obj.pose else {}
    place = [(name, tuple(getattr(obj, name))) for name in REST]
    moved = linked = False

    def at(frame: float) -> bpy.types.Object:
        nonlocal moved
        moved = True
        whole = int(np.floor(frame + 1e-6))
        scene.frame_set(whole, subframe=max(0.0, float(frame - whole)))
        return obj.evaluated_get(context.evaluated_depsgraph_get())

    try:
        if remap[0] != remap[1]:
            render.frame_map_old = render.frame_map_new = 100
        if data is not None and position != "POSE":
            data.pose_position = "POSE"
        if not _is_evaluated(context, obj):
            obj.hide_viewport = False
        if not _is_evaluated(context, obj) and obj.name not in scene.collection.objects:
            scene.collection.objects.link(obj)
            linked = True
        if not _is_evaluated(context, obj):
            raise RetroAnimError(f"{obj.name} is hidden, so that nobody knows what it looks like: show it first")
        yield at
    finally:
        if linked:
            scene.collection.objects.unlink(obj)
        if obj.hide_viewport != hidden:
            obj.hide_viewport = hidden
        if data is not None and position != "POSE":
            data.pose_position = position
        if remap[0] != remap[1]:
            render.frame_map_old, render.frame_map_new = remap
        if moved:
            scene.frame_set(now[0], subframe=now[1])
            if pose:
                set_pose_values(obj, pose)
            for name, value in place:
                setattr(obj, name, value)


def _is_evaluated(context: bpy.types.Context, obj: bpy.types.Object) -> bool:
    context.view_layer.update()
    return bool(obj.evaluated_get(context.evaluated_depsgraph_get()).is_evaluated)


def poses(context: bpy.types.Context, obj: bpy.types.Object, names: Sequence[str], frames: Floats) -> Floats:
    """(K, bones, 4, 4) evaluated armature-space matrices of the bones called `names`."""
    out = np.empty((len(frames), len(names), 4, 4))
    with seen(context, obj) as at:
        for row, frame in enumerate(frames.tolist()):
            bones = at(frame).pose.bones
            out[row] = np.array([bones[name].matrix for name in names], np.float64)
    return out


def warn_of_object(obj: bpy.types.Object) -> None:
    """Say what an export leaves out of an armature object's own transform."""
    size = np.array(obj.scale)
    if not np.allclose(size, size[0], rtol=1e-4):
        log.warning(f"{obj.name} is scaled differently along its axes; the scale of objects is not exported")
