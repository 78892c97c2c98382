"""A skeleton of Oni 2 as an armature, and back: every bone keeps its channels, so that the text can be written again without the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...core.motion.rigs.rig import Rig
from ...core.motion.rigs.skeleton import Skeleton
from ...core.oni2.fields import ARMATURE_FIELDS, BONE_FIELDS
from ...core.oni2.files.interpretation import Facing
from ...core.oni2.files.skeleton.skel import Skel, channels_of, write
from ...core.oni2.files.skeleton.skel_bones import KINDS, Bone, Declared, text_of
from ...core.oni2.game import GAME, ImportOptions
from ...core.oni2.motion.evaluate import MODE
from ...core.oni2.motion.motion import CONVENTIONS, rig_of
from ...core.reporting import labels, log
from ...core.reporting.errors import ExportError, FormatError
from ...core.reporting.labels import counted
from ..blender import armature, compat, fields, source_data
from ..blender.motion import fcurves
from ..pipeline.into_blender import bone_names

FORMAT = "SKEL"
"""The kind of the source data of the game's armatures."""

_AXES = "xyz"
_NEAR = 1e-5
"""Radians between two limits that are the same in 32 bits."""

_FACING = ARMATURE_FIELDS[0].property
"""What only armatures of the game have."""

_WRITTEN, _CHANNELS = BONE_FIELDS[0].property, BONE_FIELDS[1].property


@dataclass(frozen=True, eq=False)
class Figure:
    """skel: as the armature stands now. scale: Blender units a metre. source: the file it came from, None where that is lost."""

    obj: bpy.types.Object
    skel: Skel
    rig: Rig
    scale: float
    facing: Facing
    source: Skel | None


def build(context: bpy.types.Context, name: str, skel: Skel, options: ImportOptions) -> bpy.types.Object:
    """A new armature. Axes that the skeleton cannot move are locked; with the option `limits` rotation limits become constraints."""
    rig = bone_names.named(rig_of(skel, options.facing, options.bone_direction), GAME, options.bone_names)
    obj = armature.build(context, name, rig, options.scale, [bone.name for bone in skel.bones])
    data = armature.data_of(obj)
    fields.fill(data, ARMATURE_FIELDS, {"facing": options.facing, "version": skel.version})
    for index, (bone, name) in enumerate(zip(skel.bones, rig.skeleton.names, strict=True)):
        pose = armature.pose_bones(obj)[name]
        values = {"written_name": bone.name if bone.name.isprintable() else name, "channels": text_of(bone.channels)}
        limits = {key: list(limit) for key, limit in (("low", bone.low), ("high", bone.high)) if limit is not None}
        fields.fill(data.bones[name], BONE_FIELDS, values | limits)
        for property_, locks in _locks(skel, rig, index).items():
            setattr(pose, property_, locks)
        bounds = _limits(skel, rig, index) if options.limits else {}
        if bounds:
            constraint: Any = pose.constraints.new("LIMIT_ROTATION")
            constraint.owner_space, constraint.euler_order = "LOCAL", rig.modes[index]
            for property_, value in bounds.items():
                setattr(constraint, property_, value)
    return obj


def _locks(skel: Skel, rig: Rig, index: int) -> dict[str, list[bool]]:
    """By property of a pose bone, which of its axes the skeleton cannot move."""
    free = {(channel.kind, channel.axis) for channel in skel.declared(index) if not channel.locked}
    located, rotated = rig.location_axes[index].tolist(), rig.euler_axes[index].tolist()
    axes = {"lock_location": ("trans", located), "lock_rotation": ("rot", rotated), "lock_scale": ("scale", located)}
    return {name: [(kind, axis) not in free for axis in own] for name, (kind, own) in axes.items()}


def _limits(skel: Skel, rig: Rig, index: int) -> dict[str, float]:
    """What Limit Rotation has by the channels' own limits, else by rotmin and rotmax: by property; nothing without limits."""
    bone = skel.bones[index]
    low, high = bone.low or (0.0,) * 3, bone.high or (0.0,) * 3
    bounds = {axis: (low[axis], high[axis]) for axis in range(3) if bone.low is not None and bone.high is not None}
    bounds |= {channel.axis: channel.limit for channel in bone.channels if channel.kind == "rot" and channel.limit is not None}
    result: dict[str, float] = {}
    for component, (axis, sign) in enumerate(zip(rig.euler_axes[index].tolist(), rig.euler_signs[index].tolist(), strict=True)):
        if axis in bounds:
            first, last = sorted(sign * bound for bound in bounds[axis])
            letter = _AXES[component]
            result |= {f"use_limit_{letter}": True, f"min_{letter}": first, f"max_{letter}": last}
    return result


def is_figure(obj: bpy.types.Object | None) -> bool:
    return armature.is_game_armature(obj) and obj is not None and _FACING in armature.data_of(obj)


def read(obj: bpy.types.Object) -> Figure:
    """An armature that came from a skeleton. Raises ExportError when it can no longer be read as one."""
    data = armature.data_of(obj)
    values = fields.read(data, ARMATURE_FIELDS)
    facing: Facing = values.get("facing", "-Z")
    try:
        rig, scale = armature.read_rig(obj, CONVENTIONS[facing])
    except ValueError as error:
        raise ExportError(f"{obj.name}: {error}") from error
    kept = source_data.kept(data, FORMAT)
    source = Skel.parse(kept) if kept is not None else None
    try:
        skel = _skel(data, rig, source, values.get("version", "101"))
    except FormatError as error:
        changed = [pair for pair in armature.hung_elsewhere(obj) if pair[1]]
        hung = f"{changed[0][0]} hung on {changed[0][1]} when it came in, and now the " if changed else ""
        raise ExportError(f"{obj.name}: {hung}{error.problem}") from error
    return Figure(obj, skel, rig, scale, facing, source)


def _skel(data: bpy.types.Armature, rig: Rig, source: Skel | None, version: str) -> Skel:
    """The text that the armature stands for: the source's own where that has the same bones."""
    heads, parents = rig.skeleton.heads, rig.skeleton.parents
    offsets = heads - np.where(parents[:, None] >= 0, heads[parents], 0)
    bones: list[Bone] = []
    problems: list[str] = []
    for name, written, parent, offset in zip(
        rig.skeleton.names, _names(data, rig, source), parents.tolist(), offsets.tolist(), strict=True
    ):
        try:
            bones.append(_bone(data.bones[name], written, parent, offset))
        except ExportError as error:
            problems += error.problems
    if problems:
        raise ExportError(problems)
    if source is None or not _same_shape(bones, source):
        return _new(bones, version)
    near = 2e-6 * max(float(np.abs(heads).max(initial=0)), 1.0)
    kept = np.abs(offsets - source.offsets) <= near
    return source.with_offsets(np.where(kept, source.offsets, offsets)).with_names([bone.name for bone in bones])


def _names(data: bpy.types.Armature, rig: Rig, source: Skel | None) -> list[str]:
    """The bones' names in the file: the source's own, or the one that they had there, where nobody renamed them since they came in."""
    original = labels.unique(bone.name for bone in source.bones) if source is not None else ()
    names: list[str] = []
    for index, name in enumerate(rig.skeleton.names):
        written = str(data.bones[name].get(_WRITTEN, ""))
        came_in = data.bones[name].get(armature.NAME) == name
        if source is not None and index < len(original) and (original[index] == name or (came_in and source.bones[index].name == written)):
            names.append(source.bones[index].name)
        else:
            names.append(written if written and (came_in or _is_numbered(name, written)) else name)
    return names


def _bone(bone: bpy.types.Bone, name: str, parent: int, offset: list[float]) -> Bone:
    """Raises ExportError, naming bone and property, for a property that the skeleton cannot hold."""
    values = fields.read(bone, BONE_FIELDS)
    try:
        channels = channels_of(values.get("channels", ""))
    except FormatError as error:
        raise ExportError(f"{bone.name}: {_CHANNELS} (Channels) is wrong: {error.problem}") from error
    return Bone(name, parent, (offset[0], offset[1], offset[2]), channels, values.get("low"), values.get("high"))


def _is_numbered(name: str, written: str) -> bool:
    """Whether `unique` gave a bone its name, since another bone is called the same in the file."""
    base, dot, number = name.rpartition(".")
    return name == written or bool(dot and number.isdigit() and base == written)


def _same_shape(bones: list[Bone], source: Skel) -> bool:
    def shape(bone: Bone) -> object:
        triples = [None if triple is None else np.array(triple, np.float32).tobytes() for triple in (bone.low, bone.high)]
        return bone.parent, bone.channels, triples

    return len(bones) == len(source.bones) and all(shape(bone) == shape(before) for bone, before in zip(bones, source.bones, strict=True))


def _new(bones: list[Bone], version: str) -> Skel:
    """A clean text; of version 1.00, which names no channels, only where no bone has some. Raises FormatError when they are no tree."""
    named = any(bone.channels for bone in bones)
    return write(bones, (version or "101") if named else "")


def skel_of(obj: bpy.types.Object, facing: Facing) -> Skel:
    """The skeleton text of any armature. facing: of one that came from no skeleton. Raises ExportError when it cannot be one."""
    if is_figure(obj):
        report_others([bone.name for bone in armature.bones_of(obj) if armature.INDEX not in bone])
        known = read(obj)
        _report_bounds(known)
        return known.skel
    names, parents, heads = plain(obj, facing)
    moving = _moving(obj)
    bones: list[Bone] = []
    for index, (name, parent) in enumerate(zip(names, parents, strict=True)):
        pose = armature.pose_bones(obj)[name]
        kinds = [kind for kind in KINDS if kind == "rot" or (kind, name) in moving or (kind == "trans" and not index)]
        offset = heads[index] - (heads[parent] if parent >= 0 else 0)
        channels = tuple(Declared(kind, axis) for kind in KINDS if kind in kinds for axis in range(3))
        bones.append(Bone(pose.name, parent, tuple(offset.tolist()), channels))
    try:
        return write(bones)
    except FormatError as error:
        raise ExportError(f"{obj.name}: {error.problem}") from error


def _report_bounds(known: Figure) -> None:
    """Say of which bones the locks, or the limits of a constraint, are others than the skeleton's, which come from the bones' channels, and
    than those with which they came in."""
    skels = [known.skel, *([known.source] if known.source is not None and len(known.source.bones) == len(known.skel.bones) else [])]
    others: list[str] = []
    for index, name in enumerate(known.rig.skeleton.names):
        pose = armature.pose_bones(known.obj)[name]
        limiting: list[Any] = [each for each in pose.constraints if each.type == "LIMIT_ROTATION" and not each.mute]
        locks, limits = [_locks(skel, known.rig, index) for skel in skels], [_limits(skel, known.rig, index) for skel in skels]
        is_locked = {property_: list(getattr(pose, property_)) for property_ in locks[0]} in locks
        if not (is_locked and all(any(_is_limit(each, own) for own in limits) for each in limiting)):
            others.append(name)
    if others:
        count = f"{counted(len(others), 'bone')} ({labels.first_few(others)})"
        remedy = "change them there, where the side panel shows a bone"
        log.warning(f"locks or rotation limits of {count} are others than the file has, from Channels: {remedy}", bone=others[0])


def _is_limit(constraint: Any, bounds: dict[str, float]) -> bool:
    """Whether a constraint has just these limits."""
    for letter in _AXES:
        limits = bool(getattr(constraint, f"use_limit_{letter}"))
        if limits != bool(bounds.get(f"use_limit_{letter}")):
            return False
        ends = (f"min_{letter}", f"max_{letter}") if limits else ()
        if any(abs(getattr(constraint, end) - bounds[end]) > _NEAR for end in ends):
            return False
    return True


def report_others(others: Sequence[str]) -> None:
    """Say of bones that somebody added that the skeleton is without them."""
    if others:
        left = f"{counted(len(others), 'bone')} left out that did not come from the skeleton ({labels.first_few(others)})"
        log.warning(f"{left}: {armature.WITHOUT_OTHERS}", bone=others[0])


def standing(obj: bpy.types.Object, facing: Facing = "-Z") -> Figure:
    """Any armature as it stands, with the skeleton that it is written as. Raises ExportError."""
    if is_figure(obj):
        return read(obj)
    skel = skel_of(obj, facing)
    return Figure(obj, skel, plain_rig(skel, plain(obj, facing)[0], facing), 1.0, facing, None)


def plain(obj: bpy.types.Object, facing: Facing) -> tuple[list[str], list[int], np.ndarray]:
    """Names, parents and heads (B, 3) in the game's axes of an armature that came from elsewhere, in the file's order: depth first."""
    roots = [bone for bone in armature.bones_of(obj) if bone.parent is None]
    if len(roots) != 1:
        raise ExportError(f"{obj.name} has {len(roots)} bones without a parent; a skeleton has one root")
    ordered, waiting = list[bpy.types.Bone](), [roots[0]]
    while waiting:
        bone = waiting.pop()
        ordered.append(bone)
        waiting += reversed(bone.children)
    number = {bone.name: index for index, bone in enumerate(ordered)}
    parents = [number[bone.parent.name] if bone.parent else -1 for bone in ordered]
    heads = np.array([bone.head_local for bone in ordered], np.float64) @ CONVENTIONS[facing].axes
    return [bone.name for bone in ordered], parents, heads


def _moving(obj: bpy.types.Object) -> set[tuple[str, str]]:
    """Which bones the present action moves ("trans") or scales ("scale")."""
    action = obj.animation_data.action if obj.animation_data else None
    kinds = {"location": "trans", "scale": "scale"}
    moving: set[tuple[str, str]] = set()
    for curve in compat.curves(action, obj) if action is not None else []:
        channel = fcurves.channel_of(curve)
        if channel is not None and channel.property in kinds:
            keys = np.array([point.co[1] for point in curve.keyframe_points])
            if np.abs(keys - (channel.property == "scale")).max(initial=0) > 1e-4:
                moving.add((kinds[channel.property], channel.bone))
    return moving


def plain_rig(skel: Skel, names: list[str], facing: Facing) -> Rig:
    """The rig of an armature that came from elsewhere: only its numbers count, not its rest orientations."""
    skeleton = skel.skeleton()
    convention = CONVENTIONS[facing]
    named = Skeleton(tuple(names), skeleton.parents, skeleton.heads, skeleton.tips)
    rig = Rig.of_rest(named, convention, np.broadcast_to(convention.axes, (len(names), 3, 3)))
    assert set(rig.modes) == {MODE}
    return rig
