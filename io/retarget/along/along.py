"""Curves that belong to a motion without moving bones: custom properties, and shape keys of the meshes that hang on an armature."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ....core.motion.curves import PATHS, Block, Channel
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.reporting import log
from ....core.reporting.labels import first_few
from ....core.retarget.figures.clip import Clip
from ....core.retarget.setup import Setup
from ...blender import armature, compat
from ...blender.arrays import KIND, values_of
from ...blender.motion import fcurves, shape_key_actions, strips
from ..reading import keys as keys_of


@dataclass(frozen=True, eq=False)
class Course:
    """values: (F,) of a number at the clip's frames. stepped: whether it stays as it is from key to key."""

    values: Floats
    stepped: bool = False


def properties_of(action: bpy.types.Action, source: bpy.types.Object, clip: Clip) -> dict[Channel, Course]:
    """The custom properties of bones and of the object that an action moves."""
    return {channel: _course(curve, clip) for channel, curve in property_curves(action, source)}


def property_curves(action: bpy.types.Action, source: bpy.types.Object) -> Iterator[tuple[Channel, Any]]:
    """The curves of custom properties."""
    for curve in compat.quick_curves(action, source):
        channel = fcurves.channel_of(curve)
        custom = channel is not None and channel.property.startswith("[") and channel.property not in PATHS
        if channel is not None and custom and not compat.is_muted(curve) and compat.has_values(curve):
            yield channel, curve


def properties(moving: Mapping[Channel, Course], target: bpy.types.Object, setup: Setup, clip: Clip, written: set[Channel]) -> list[Block]:
    """Keys of custom properties, for what of the target has properties of these names: the bones that follow, else one of the same name,
    and the object. written: channels that have their keys already."""
    blocks: list[Block] = []
    missing: list[str] = []
    for channel, course in moving.items():
        owners = [name for name in _following(channel.bone, target, setup) if _has(target, name, channel.property)]
        if not owners:
            missing.append(f"{channel.bone}{channel.property}")
        for owner in owners:
            own = Channel(owner, channel.property, channel.component)
            if own not in written:
                written.add(own)
                blocks.append(_block(own, course, clip))
    if missing:
        names = sorted(set(missing))
        log.warning(f"{target.name} has no custom properties for {first_few(names, 6)}")
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


def _block(channel: Channel, course: Course, clip: Clip) -> Block:
    """A number's values at the clip's frames; steps stay steps."""
    values = course.values[None].astype(np.float32)
    return Block([channel], clip.frames.astype(np.float32), values, np.zeros(len(clip.frames), bool), stepped=course.stepped)


def _course(curve: Any, clip: Clip) -> Course:
    return Course(closed(keys_of.values_at(curve, clip.sampled), clip), _steps(curve))


def closed(values: Floats, clip: Clip) -> Floats:
    """(F,) with the first value again where the clip was made longer to close a loop."""
    return values if len(values) == len(clip.frames) else np.append(values, values[clip.loop or 0])


def _steps(curve: Any) -> bool:
    points = curve.keyframe_points
    return len(points) > 0 and bool((values_of(points, "interpolation", KIND) == compat.CONSTANT).all())


def shape_keys_of(action: bpy.types.Action, source: bpy.types.Object, clip: Clip) -> dict[str, Course]:
    """The shape keys of the source's meshes that move with an action, by their names; the first mesh's count."""
    return {name: _course(curve, clip) for name, curve in _moving(action, source)}


def shape_keys(moving: Mapping[str, Course], target: bpy.types.Object, clip: Clip, created: bpy.types.Action) -> list[bpy.types.Action]:
    """Keys of the target's shape keys of these names. They are in slots of `created`, before there were slots in actions of their own.
    Returns the latter. The meshes show them at once where the target shows `created`."""
    there = [(keys, {block.name for block in keys.key_blocks}) for keys in shapes(target)]
    if moving and (missing := sorted(set(moving) - {name for _, names in there for name in names})):
        log.warning(f"no mesh of {target.name} has the shape keys {first_few(missing, 6)}")
    beside: list[bpy.types.Action] = []
    for keys, names in there:
        fitting = [name for name in moving if name in names]
        if not fitting:
            continue
        owner, curves = shape_key_actions.new_curves(created, keys)
        for name in fitting:
            values = np.empty((len(clip.frames), 2), np.float32)
            values[:, 0], values[:, 1] = clip.frames, moving[name].values
            curve = curves.new(path_of(name), 0, "Shape Keys")
            curve.keyframe_points.add(len(values))
            kind = compat.CONSTANT if moving[name].stepped else compat.LINEAR
            curve.keyframe_points.foreach_set("interpolation", np.full(len(values), kind, KIND))
            curve.keyframe_points.foreach_set("co", values.ravel())
            curve.update()
        owner.use_fake_user = True
        if owner != created:
            beside.append(owner)
    return beside


def show_shape_keys(target: bpy.types.Object, created: bpy.types.Action) -> None:
    """The target's meshes show the shape keys of a new action, if it has any."""
    for keys in shapes(target):
        shape_key_actions.assign(keys, created)


def path_of(name: str) -> str:
    return f'key_blocks["{bpy.utils.escape_identifier(name)}"].value'


def shapes(obj: bpy.types.Object) -> list[Any]:
    """The shape keys of the meshes that an armature deforms or that are its children."""
    return list({keys.name: keys for mesh in meshes(obj) if (keys := getattr(mesh.data, "shape_keys", None)) is not None}.values())


def meshes(obj: bpy.types.Object) -> list[Any]:
    """Those that an armature deforms or that are its children."""
    objects: Any = bpy.data.objects
    return [
        mesh
        for mesh in objects
        if mesh.type == "MESH"
        and mesh.data is not None
        and (mesh.parent == obj or any(modifier.type == "ARMATURE" and modifier.object == obj for modifier in mesh.modifiers))
    ]


def _moving(action: bpy.types.Action, source: bpy.types.Object) -> Iterator[tuple[str, Any]]:
    """The curves of the source's shape keys that belong to an action, by the names of the keys; the first mesh's last."""
    for keys in reversed(shapes(source)):
        paths: Mapping[str, str] = {path_of(block.name): block.name for block in keys.key_blocks}
        for curve in _curves(action, source, keys):
            if curve.data_path in paths and not compat.is_muted(curve) and compat.has_values(curve):
                yield paths[curve.data_path], curve


def _curves(action: bpy.types.Action, source: bpy.types.Object, keys: Any) -> list[Any]:
    """Of the action itself where it has a slot for them; else of the action that the keys have while the source has this one, at present or
    in tracks of the NLA that are called alike."""
    if own := shape_key_actions.curves(action, keys):
        return own
    data, theirs = source.animation_data, keys.animation_data
    if data is None or theirs is None:
        return []
    if data.action == action and theirs.action is not None:
        return shape_key_actions.curves(theirs.action, keys)
    tracks = {track.name for track in data.nla_tracks if action in strips.actions_in(track.strips)}
    named = [own for track in theirs.nla_tracks if track.name in tracks for own in strips.actions_in(track.strips)]
    return shape_key_actions.curves(named[0], keys) if named else []
