"""What the scene shows: evaluated poses, with constraints, IK and the NLA."""

from __future__ import annotations

import operator
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion.comparison import REST
from ....core.motion.curves import LAST_FRAME
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.reporting.errors import ExportError, Problem, RetroAnimError
from .. import armature, compat, identity
from ..arrays import set_values, values_of
from . import fcurves, strips


@contextmanager
def alone(obj: bpy.types.Object, action: bpy.types.Action) -> Generator[None]:
    """The action on its armature, without the NLA, while it is sampled; the present one with its NLA, since that is how it looks.
    What the present one alone has posed is at rest meanwhile; afterwards everything that the other action drives is as before. Raises
    RetroAnimError in the NLA's tweak mode."""
    data = obj.animation_data or obj.animation_data_create()
    before, used = data.action, data.use_nla
    if before == action and not compat.has_no_slot(data):
        yield
        return
    if data.use_tweak_mode:
        raise RetroAnimError(f"{obj.name} is in the tweak mode of the NLA: leave it first")
    slot = data.action_slot if compat.SLOTTED else None
    pose, driven = pose_values(obj), _driven(obj, action)
    others = posed_by_others(obj, action)
    try:
        data.use_nla = False
        compat.assign(obj, action)
        for bone, name in others:
            if (posed := armature.pose_bones(obj).get(bone)) is not None:
                setattr(posed, name, REST[name])
        with identity.sampled():
            yield
    finally:
        data.action = before
        if compat.SLOTTED and before is not None:
            data.action_slot = slot
        data.use_nla = used
        set_pose_values(obj, pose)
        for restore in driven:
            restore()


def posed_by_others(obj: bpy.types.Object, action: bpy.types.Action) -> set[tuple[str, str]]:
    """The bones and their properties that have their pose from what plays now, and would keep it under an action that has no curves of
    them; none for the action that plays."""
    data = obj.animation_data
    if data is None or data.action == action:
        return set()
    # Also of muted strips: what they posed before may be there still.
    return {path for other in strips.actions_of(data) for path in _posed(other, obj)} - _posed(action, obj)


def _posed(action: bpy.types.Action, obj: bpy.types.Object) -> set[tuple[str, str]]:
    """The bones and their properties that an action has curves for on an object."""
    channels = map(fcurves.channel_of, compat.curves(action, obj))
    return {(channel.bone, channel.property) for channel in channels if channel is not None and channel.bone and channel.property in REST}


def _driven(obj: bpy.types.Object, action: bpy.types.Action) -> list[Callable[[], None]]:
    """What restores the present value of each property that an action drives."""
    restoring: list[Callable[[], None]] = []
    for path in {curve.data_path for curve in compat.curves(action, obj)}:
        try:
            value: Any = obj.path_resolve(path)
            custom = path.endswith("]")
            at, _, name = path[:-2].rpartition('["') if custom else path.rpartition(".")
            owner: Any = obj.path_resolve(at) if at else obj
        except ValueError:  # a property that is no longer there
            continue
        value = tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
        restoring.append(partial(operator.setitem if custom else setattr, owner, name, value))
    return restoring


def pose_values(obj: bpy.types.Object) -> dict[str, NDArray[np.float32]]:
    """(bones, components) the bones' own channels as they are now; nothing of an object that is no armature."""
    if obj.pose is None:
        return {}
    bones = armature.pose_bones(obj)
    return {name: values_of(bones, name, np.float32, len(rest)) for name, rest in REST.items()}


def set_pose_values(obj: bpy.types.Object, values: dict[str, NDArray[np.float32]]) -> None:
    """Give the bones the channels that `pose_values` gave."""
    for name, array in values.items():
        set_values(armature.pose_bones(obj), name, array)


@contextmanager
def evaluation(context: bpy.types.Context, obj: bpy.types.Object) -> Generator[Callable[[float], bpy.types.Object]]:
    """Gives the evaluated object at a frame, also of one that is hidden, and an armature in pose position. Everything is as before
    afterwards. Raises RetroAnimError where Blender does not evaluate it."""
    scene, restore, moved = context.scene, _restoring(context.scene, obj), False

    def at(frame: float) -> bpy.types.Object:
        nonlocal moved
        if abs(frame) > LAST_FRAME:
            raise RetroAnimError(
                f"frame {frame:.0f} is beyond {np.copysign(LAST_FRAME, frame):.0f}, where Blender's time line ends: move all keys towards 1"
            )
        moved = True
        whole = int(np.floor(frame + 1e-6))
        scene.frame_set(whole, subframe=max(0.0, float(frame - whole)))
        return obj.evaluated_get(context.evaluated_depsgraph_get())

    with ExitStack() as restored:
        restored.callback(lambda: restore() if moved else None)
        if scene.render.frame_map_old != scene.render.frame_map_new:
            _set(restored, scene.render, frame_map_old=100, frame_map_new=100)
        if isinstance(obj.data, bpy.types.Armature) and obj.data.pose_position != "POSE":
            _set(restored, obj.data, pose_position="POSE")
        _make_evaluated(context, obj, restored)
        yield at


def _set(restored: ExitStack, owner: Any, **values: Any) -> None:
    """Give the owner other values until the stack is left."""
    for name, value in values.items():
        restored.callback(setattr, owner, name, getattr(owner, name))
        setattr(owner, name, value)


def _restoring(scene: bpy.types.Scene, obj: bpy.types.Object) -> Callable[[], None]:
    """What brings back the present frame, and then the object's own channels and its bones', which are not all keyed."""
    frame, subframe = scene.frame_current, scene.frame_subframe
    pose = pose_values(obj)
    own = [(name, tuple(getattr(obj, name))) for name in REST]

    def restore() -> None:
        scene.frame_set(frame, subframe=subframe)
        set_pose_values(obj, pose)
        for name, value in own:
            setattr(obj, name, value)

    return restore


def _make_evaluated(context: bpy.types.Context, obj: bpy.types.Object, restored: ExitStack) -> None:
    """Show an object that is hidden, or in no collection of the scene that is shown, until the stack is left."""
    if _is_evaluated(context, obj):
        return
    collection = context.scene.collection
    _set(restored, obj, hide_viewport=False)
    if not _is_evaluated(context, obj) and obj.name not in collection.objects:
        collection.objects.link(obj)
        restored.callback(collection.objects.unlink, obj)
    if not _is_evaluated(context, obj):
        raise RetroAnimError(f"{obj.name} is hidden, so that nobody knows what it looks like: show it first")


def _is_evaluated(context: bpy.types.Context, obj: bpy.types.Object) -> bool:
    context.view_layer.update()
    return bool(obj.evaluated_get(context.evaluated_depsgraph_get()).is_evaluated)


def poses(context: bpy.types.Context, obj: bpy.types.Object, names: Sequence[str], frames: Floats) -> Floats:
    """(K, bones, 4, 4) evaluated armature-space matrices of the bones called `names`. Raises ExportError where one is not finite."""
    out = np.empty((len(frames), len(names), 4, 4))
    with evaluation(context, obj) as at:
        for row, frame in enumerate(frames.tolist()):
            bones = armature.pose_bones(at(frame))
            out[row] = np.array([bones[name].matrix for name in names], np.float64)
    _check_finite(out, names, frames)
    return out


def _check_finite(poses: Floats, names: Sequence[str], frames: Floats) -> None:
    """Bones may keep what is no number from another action, a driver or a constraint."""
    bad = np.asarray(~np.isfinite(poses).all(axis=(2, 3)), np.bool_)
    if bad.any():
        row, bone = (int(index) for index in np.argwhere(bad)[0])
        more = f", and {count} more" if (count := int(bad[row].sum()) - 1) else ""
        text = f"no finite pose at frame {frames[row]:g}: {names[bone]}{more}: "
        remedy = "mend what drives or constrains it, or clear the pose (Pose > Clear Transform > All)"
        raise ExportError(Problem(text + remedy, names[bone], float(frames[row])))


def object_matrices(context: bpy.types.Context, obj: bpy.types.Object, frames: Floats) -> Floats:
    """(K, 4, 4) evaluated world matrices of an object at `frames` (K,)."""
    out = np.empty((len(frames), 4, 4))
    with evaluation(context, obj) as at:
        for row, frame in enumerate(frames.tolist()):
            out[row] = np.array(at(frame).matrix_world, np.float64)
    return out


def takes_part(obj: bpy.types.Object, action: bpy.types.Action, always: str | None = None) -> str:
    """What else than its curves takes part in how an action looks on an object; "" where nothing does. always: as `always_takes_part` gives
    it, if it is known."""
    data = obj.animation_data
    always = always_takes_part(obj) if always is None else always
    if always:
        return always
    if keyed_constraints(obj, action):
        return "constraints"
    if _deltas(obj, action):
        return "delta transforms"
    if data and data.action == action and data.use_nla and any(not track.mute and len(track.strips) for track in data.nla_tracks):
        return "the NLA"
    if data and data.action == action and (data.action_blend_type != "REPLACE" or data.action_influence != 1):
        return "the NLA"
    return ""


def keyed_constraints(obj: bpy.types.Object, action: bpy.types.Action) -> frozenset[str]:
    """The paths of what an action keys of the constraints of an armature's bones, such as an influence: what they are now says nothing of
    other frames."""
    if obj.type != "ARMATURE" or not any(len(bone.constraints) for bone in armature.pose_bones(obj)):
        return frozenset()
    paths = (curve.data_path for curve in compat.curves(action, obj))
    return frozenset(path for path in paths if ".constraints[" in path)


def always_takes_part(obj: bpy.types.Object) -> str:
    """The same of all actions."""
    if carried(obj):
        return "the object has constraints or a parent that may move"
    if driven(obj):
        return "drivers"
    if obj.type != "ARMATURE":
        return ""
    if keyed_data(obj):
        return "keys of the armature's data"
    if any(constraint.influence > 0 and not constraint.mute for bone in armature.pose_bones(obj) for constraint in bone.constraints):
        return "constraints"
    if any(
        not bone.use_inherit_rotation or not bone.use_local_location or bone.inherit_scale not in ("FULL", "NONE")
        for bone in armature.bones_of(obj)
    ):
        return "bones that do not inherit"
    return ""


def carried(obj: bpy.types.Object) -> bool:
    """Whether an object has constraints, or a parent that may move."""
    return any(not constraint.mute for constraint in obj.constraints) or not parent_stands(obj)


def _deltas(obj: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Whether delta transforms change how an object moves: one that only puts it elsewhere does not."""
    still = obj.delta_rotation_quaternion if obj.rotation_mode == "QUATERNION" else obj.delta_rotation_euler.to_quaternion()
    put = abs(still.angle) < 1e-6 and all(abs(size - 1) < 1e-5 for size in obj.delta_scale)
    return not put or any(curve.data_path.startswith("delta_") and not compat.is_muted(curve) for curve in compat.quick_curves(action, obj))


def driven(obj: bpy.types.Object) -> list[bpy.types.FCurve]:
    """The drivers of an object and of its data that are on."""
    owners = (obj, armature.data_of(obj)) if obj.type == "ARMATURE" else (obj,)
    return [curve for owner in owners if owner.animation_data for curve in owner.animation_data.drivers if not curve.mute]


def keyed_data(obj: bpy.types.Object) -> list[str]:
    """The paths of what keys of an armature's data change, such as how its bones inherit: of its own action, or of its NLA."""
    return strips.keyed_paths(armature.data_of(obj).animation_data)


def parent_stands(obj: bpy.types.Object) -> bool:
    """Whether nothing moves what the object hangs on, if it hangs on anything."""
    child = obj
    while child.parent is not None:
        parent = child.parent
        moved = parent.animation_data is not None or any(not constraint.mute for constraint in parent.constraints)
        if child.parent_type != "OBJECT" or moved:
            return False
        child = parent
    return True


def moved_poses(context: bpy.types.Context, obj: bpy.types.Object, names: Sequence[str], frames: Floats, start: float) -> Floats:
    """(K, bones, 4, 4) as `poses`, each moved as the object itself has moved since frame `start`: by its own keys, constraints or parents.

    What it was like then, its scale too, is how the character is placed, and no motion. Raises ExportError where one is not finite.
    """
    out, where = np.empty((len(frames), len(names), 4, 4)), np.empty((len(frames), 4, 4))
    with evaluation(context, obj) as at:
        placed = np.array(at(start).matrix_world, np.float64)
        for row, frame in enumerate(frames.tolist()):
            shown = at(frame)
            bones = armature.pose_bones(shown)
            out[row] = np.array([bones[name].matrix for name in names], np.float64)
            where[row] = np.array(shown.matrix_world, np.float64)
    _check_finite(out, names, frames)
    _check_finite(np.concatenate([placed[None], where])[:, None], [obj.name], np.concatenate([[start], frames]))
    if np.abs(where - placed).max(initial=0) <= 1e-7 * max(1.0, float(np.abs(placed).max())) or np.linalg.det(placed[:3, :3]) == 0:
        return out
    return (np.linalg.inv(placed) @ where)[:, None] @ out
