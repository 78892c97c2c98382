"""Curves that belong to a motion without moving bones: custom properties, and shape keys of the meshes that hang on an armature."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import bpy
import numpy as np

from ...core.motion.curves import PATHS, Block, Channel
from ...core.motion.rotation_matrix import Floats
from ...core.reporting import log
from ...core.retarget.figures.clip import Clip
from ...core.retarget.setup import Setup
from ..blender import armature, compat, fcurves
from ..blender.arrays import values_of
from . import keys as keys_of


def properties(
    action: bpy.types.Action, source: bpy.types.Object, target: bpy.types.Object, setup: Setup, clip: Clip, written: set[Channel]
) -> list[Block]:
    """Keys of the custom properties that the action moves, for what of the target has properties of these names: the bones that follow,
    else one of the same name, and the object. written: channels that have their keys already."""
    blocks: list[Block] = []
    missing: list[str] = []
    for curve in compat.quick_curves(action, source):
        channel = fcurves.channel_of(curve)
        if (
            channel is None
            or not channel.property.startswith("[")
            or channel.property in PATHS
            or curve.mute
            or not keys_of.has_values(curve)
        ):
            continue
        owners = [name for name in _following(channel.bone, target, setup) if _has(target, name, channel.property)]
        if not owners:
            missing.append(f"{channel.bone}{channel.property}")
        for owner in owners:
            own = Channel(owner, channel.property, channel.component)
            if own not in written:
                written.add(own)
                blocks.append(_block(own, curve, clip))
    if missing:
        names = sorted(set(missing))
        log.warning(f"{target.name} has no custom properties for {', '.join(names[:6])}{' …' if len(names) > 6 else ''}")
    return blocks


def _following(bone: str, target: bpy.types.Object, setup: Setup) -> list[str]:
    """The target's bones that take over what the source's has; the object itself for the object's."""
    if not bone:
        return [""]
    binding = setup.binding
    names = [binding.named(row) for row, each in enumerate(binding.followers) if binding.source.names[each.source] == bone]
    return names or [name for name in (bone,) if name in armature.pose_bones(target)]


def _has(target: bpy.types.Object, bone: str, path: str) -> bool:
    owner: Any = armature.pose_bones(target)[bone] if bone else target
    try:
        return isinstance(owner.path_resolve(path), int | float)
    except (ValueError, TypeError):
        return owner.get(path[2:-2]) is not None  # of several numbers, of which a curve has one


def _block(channel: Channel, curve: Any, clip: Clip) -> Block:
    """A curve's values at the clip's frames; steps stay steps."""
    return Block(
        [channel],
        clip.frames.astype(np.float32),
        _at(curve, clip)[None].astype(np.float32),
        np.zeros(len(clip.frames), bool),
        stepped=_steps(curve),
    )


def _at(curve: Any, clip: Clip) -> Floats:
    """(F,) with the first value again where the clip was beside longer to close a loop."""
    values = keys_of.values_at(curve, clip.sampled)
    return values if len(values) == len(clip.frames) else np.append(values, values[clip.loop or 0])


def _steps(curve: Any) -> bool:
    points = curve.keyframe_points
    return len(points) > 0 and bool((values_of(points, "interpolation", np.int32) == compat.CONSTANT).all())


def shape_keys(
    action: bpy.types.Action, source: bpy.types.Object, target: bpy.types.Object, clip: Clip, created: bpy.types.Action
) -> list[bpy.types.Action]:
    """Keys of the target's shape keys that are called as those that move with the source's action. They are in slots of `created`, before
    there were slots in actions of their own. Returns the latter. The meshes show them at once where the target shows `created`."""
    moving = dict(_moving(action, source))
    there = [(keys, {block.name for block in keys.key_blocks}) for keys in _shape_keys(target)]
    if moving and (missing := sorted(set(moving) - {name for _, names in there for name in names})):
        log.warning(f"no mesh of {target.name} has the shape keys {', '.join(missing[:6])}{' …' if len(missing) > 6 else ''}")
    beside: list[bpy.types.Action] = []
    for keys, names in there:
        fitting = [name for name in moving if name in names]
        if not fitting:
            continue
        owner, curves = compat.key_curves(created, keys)
        for name in fitting:
            values = np.empty((len(clip.frames), 2), np.float32)
            values[:, 0], values[:, 1] = clip.frames, _at(moving[name], clip)
            curve = curves.new(_path(name), 0, "Shape Keys")
            curve.keyframe_points.add(len(values))
            kind = compat.CONSTANT if _steps(moving[name]) else compat.LINEAR
            curve.keyframe_points.foreach_set("interpolation", np.full(len(values), kind, np.int32))
            curve.keyframe_points.foreach_set("co", values.ravel())
            curve.update()
        owner.use_fake_user = True
        if owner != created:
            beside.append(owner)
    return beside


def show_shape_keys(target: bpy.types.Object, created: bpy.types.Action) -> None:
    """The target's meshes show the shape keys of a new action, if it has any."""
    for keys in _shape_keys(target):
        compat.assign_keys(keys, created)


def _path(name: str) -> str:
    return f'key_blocks["{bpy.utils.escape_identifier(name)}"].value'


def _shape_keys(obj: bpy.types.Object) -> list[Any]:
    """Those of the meshes that an armature deforms or that are its children."""
    keys_by_name: dict[str, Any] = {}
    objects: Any = bpy.data.objects
    for mesh in objects:
        if mesh.type != "MESH" or mesh.data is None:
            continue
        deformed = any(modifier.type == "ARMATURE" and modifier.object == obj for modifier in mesh.modifiers)
        keys = getattr(mesh.data, "shape_keys", None)
        if keys is not None and (deformed or mesh.parent == obj):
            keys_by_name[keys.name] = keys
    return list(keys_by_name.values())


def _moving(action: bpy.types.Action, source: bpy.types.Object) -> Iterator[tuple[str, Any]]:
    """The curves of the source's shape keys that belong to an action, by the names of the keys; the first mesh's last."""
    for keys in reversed(_shape_keys(source)):
        paths: Mapping[str, str] = {_path(block.name): block.name for block in keys.key_blocks}
        for curve in _curves(action, source, keys):
            if curve.data_path in paths and not curve.mute and keys_of.has_values(curve):
                yield paths[curve.data_path], curve


def _curves(action: bpy.types.Action, source: bpy.types.Object, keys: Any) -> list[Any]:
    """Of the action itself where it has a slot for them; else of the action that the keys have while the source has this one, at present or
    in tracks of the NLA that are called alike."""
    if own := compat.curves_of_keys(action, keys):
        return own
    data, theirs = source.animation_data, keys.animation_data
    if data is None or theirs is None:
        return []
    if data.action == action and theirs.action is not None:
        return compat.curves_of_keys(theirs.action, keys)
    tracks = {track.name for track in data.nla_tracks if any(strip.action == action for strip in track.strips)}
    named = [strip.action for track in theirs.nla_tracks if track.name in tracks for strip in track.strips if strip.action is not None]
    return compat.curves_of_keys(named[0], keys) if named else []
