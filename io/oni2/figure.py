"""A skeleton of Oni 2 as an armature, and back: every bone keeps its channels, so that the text can be written again without the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...core.motion.rig import BoneDirection, Rig
from ...core.motion.skeleton import Skeleton
from ...core.oni2.files.interpretation import Facing
from ...core.oni2.files.skel import KINDS, Bone, Declared, Skel, channels_of, text_of, write
from ...core.oni2.motion.evaluate import MODE
from ...core.oni2.motion.motion import CONVENTIONS, rig_of
from ...core.reporting import labels, log
from ...core.reporting.errors import ExportError, FormatError
from ..blender import armature, compat, fcurves, source_data

FORMAT = "SKEL"
FACING, VERSION = "oni2_facing", "oni2_version"
"""Custom properties of the armature."""

CHANNELS, NAME, LOW, HIGH = "oni2_channels", "oni2_name", "oni2_rotmin", "oni2_rotmax"
"""Custom properties of bones: what the skeleton declares, as its own words; the name in the file; rotmin and rotmax."""

_AXES = "xyz"


@dataclass(frozen=True, eq=False)
class Figure:
    """skel: as the armature stands now. scale: Blender units a metre. source: the file it came from, None where that is lost."""

    obj: bpy.types.Object
    skel: Skel
    rig: Rig
    scale: float
    facing: Facing
    source: Skel | None


def build(
    context: bpy.types.Context, name: str, skel: Skel, facing: Facing, direction: BoneDirection, scale: float, limits: bool
) -> bpy.types.Object:
    """A new armature. Axes that the skeleton cannot move are locked; limits: rotation limits become constraints."""
    rig = rig_of(skel, facing, direction)
    obj = armature.build(context, name, rig, scale)
    data = data_of(obj)
    data[FACING], data[VERSION] = facing, skel.version
    for index, (bone, name) in enumerate(zip(skel.bones, rig.skeleton.names, strict=True)):
        rest, pose = data.bones[name], obj.pose.bones[name]
        declared = skel.declared(index)
        rest[NAME] = bone.name if bone.name.isprintable() else name
        rest[CHANNELS] = text_of(bone.channels)
        for key, triple in ((LOW, bone.low), (HIGH, bone.high)):
            if triple is not None:
                rest[key] = list(triple)
        _lock(pose, declared, rig, index)
        if limits:
            _limit(pose, bone, rig, index)
    return obj


def _lock(pose: Any, declared: tuple[Declared, ...], rig: Rig, index: int) -> None:
    free = {(channel.kind, channel.axis) for channel in declared if not channel.locked}
    pose.lock_location = [("trans", axis) not in free for axis in rig.location_axes[index].tolist()]
    pose.lock_rotation = [("rot", axis) not in free for axis in rig.euler_axes[index].tolist()]
    pose.lock_scale = [("scale", axis) not in free for axis in rig.location_axes[index].tolist()]


def _limit(pose: bpy.types.PoseBone, bone: Bone, rig: Rig, index: int) -> None:
    """Limit Rotation by the channels' own limits, else by rotmin and rotmax."""
    low, high = bone.low or (0.0,) * 3, bone.high or (0.0,) * 3
    bounds = {axis: (low[axis], high[axis]) for axis in range(3) if bone.low is not None and bone.high is not None}
    bounds |= {channel.axis: channel.limit for channel in bone.channels if channel.kind == "rot" and channel.limit is not None}
    if not bounds:
        return
    made: Any = pose.constraints.new("LIMIT_ROTATION")
    made.owner_space, made.euler_order = "LOCAL", rig.modes[index]
    for place, (axis, sign) in enumerate(zip(rig.euler_axes[index].tolist(), rig.euler_signs[index].tolist(), strict=True)):
        if axis in bounds:
            first, last = sorted(sign * bound for bound in bounds[axis])
            letter = _AXES[place]
            setattr(made, f"use_limit_{letter}", True)
            setattr(made, f"min_{letter}", first)
            setattr(made, f"max_{letter}", last)


def data_of(obj: bpy.types.Object) -> bpy.types.Armature:
    assert isinstance(obj.data, bpy.types.Armature)
    return obj.data


def is_figure(obj: bpy.types.Object | None) -> bool:
    return armature.is_game_armature(obj) and obj is not None and FACING in data_of(obj)


def read(obj: bpy.types.Object) -> Figure:
    """An armature that came from a skeleton. Raises ExportError when it can no longer be read as one."""
    data = data_of(obj)
    facing: Facing = "+Z" if data.get(FACING) == "+Z" else "-Z"
    try:
        rig, scale = armature.read_rig(obj, CONVENTIONS[facing])
    except ValueError as error:
        raise ExportError(f"{obj.name}: {error}") from error
    kept = source_data.kept(data) if data.get(source_data.FORMAT) == FORMAT else None
    source = Skel.parse(kept) if kept is not None else None
    return Figure(obj, _skel(obj, rig, source), rig, scale, facing, source)


def _skel(obj: bpy.types.Object, rig: Rig, source: Skel | None) -> Skel:
    """The text that the armature stands for: the source's own where that says the same."""
    data = data_of(obj)
    heads, parents = rig.skeleton.heads, rig.skeleton.parents
    offsets = heads - np.where(parents[:, None] >= 0, heads[parents], 0)
    bones: list[Bone] = []
    known = labels.unique(bone.name for bone in source.bones) if source is not None else ()
    for index, (name, parent) in enumerate(zip(rig.skeleton.names, parents.tolist(), strict=True)):
        rest = data.bones[name]
        if source is not None and index < len(known) and known[index] == name:
            written = source.bones[index].name
        else:
            written = str(rest.get(NAME, name)) if _is_numbered(name, str(rest.get(NAME, ""))) else name
        try:
            channels = channels_of(str(rest.get(CHANNELS, "")))
        except FormatError as error:
            raise ExportError(f"{name}: its property {CHANNELS} is none: {error.problem}") from error
        low, high = (tuple(rest[key]) if key in rest else None for key in (LOW, HIGH))
        bones.append(Bone(written, parent, tuple(offsets[index].tolist()), channels, low, high))
    if source is None or not _same_shape(bones, source):
        return _new(bones, str(data.get(VERSION, "101")))
    near = 2e-6 * max(float(np.abs(heads).max(initial=0)), 1.0)
    kept = np.abs(offsets - source.offsets) <= near
    return source.with_offsets(np.where(kept, source.offsets, offsets)).with_names([bone.name for bone in bones])


def _is_numbered(name: str, written: str) -> bool:
    """Whether a bone has the name that `unique` made of one that is there twice."""
    base, dot, number = name.rpartition(".")
    return name == written or bool(dot and number.isdigit() and base == written)


def _same_shape(bones: list[Bone], source: Skel) -> bool:
    def shape(bone: Bone) -> object:
        triples = [None if triple is None else np.array(triple, np.float32).tobytes() for triple in (bone.low, bone.high)]
        return bone.parent, bone.channels, triples

    return len(bones) == len(source.bones) and all(shape(one) == shape(two) for one, two in zip(bones, source.bones, strict=True))


def _new(bones: list[Bone], version: str) -> Skel:
    """A clean text; of version 1.00, which names no channels, only where no bone has some."""
    named = any(bone.channels for bone in bones)
    return write(bones, (version or "101") if named else "")


def skel_of(obj: bpy.types.Object, facing: Facing = "-Z") -> Skel:
    """The skeleton text of any armature. facing: of one that came from no skeleton. Raises ExportError when it cannot be one."""
    if is_figure(obj):
        others = sum(armature.INDEX not in bone for bone in armature.bones_of(obj))
        if others:
            log.warning(f"{obj.name}: {others} bones that did not come from the skeleton are left out")
        return read(obj).skel
    names, parents, heads = plain(obj, facing)
    moving = _moving(obj)
    bones: list[Bone] = []
    for index, (name, parent) in enumerate(zip(names, parents, strict=True)):
        pose = obj.pose.bones[name]
        kinds = [kind for kind in KINDS if kind == "rot" or (kind, name) in moving or (kind == "trans" and not index)]
        offset = heads[index] - (heads[parent] if parent >= 0 else 0)
        channels = tuple(Declared(kind, axis) for kind in KINDS if kind in kinds for axis in range(3))
        bones.append(Bone(pose.name, parent, tuple(offset.tolist()), channels))
    try:
        return write(bones)
    except FormatError as error:
        raise ExportError(f"{obj.name}: {error.problem}") from error


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
    found: set[tuple[str, str]] = set()
    for curve in compat.curves(action, obj) if action is not None else []:
        channel = fcurves.channel_of(curve)
        if channel is not None and channel.property in kinds:
            keys = np.array([point.co[1] for point in curve.keyframe_points])
            if np.abs(keys - (channel.property == "scale")).max(initial=0) > 1e-4:
                found.add((kinds[channel.property], channel.bone))
    return found


def plain_rig(skel: Skel, names: list[str], facing: Facing) -> Rig:
    """The rig of an armature that came from elsewhere: only its numbers count, not its rest orientations."""
    skeleton = skel.skeleton()
    convention = CONVENTIONS[facing]
    named = Skeleton(tuple(names), skeleton.parents, skeleton.heads, skeleton.tips)
    rig = Rig.of_rest(named, convention, np.broadcast_to(convention.axes, (len(names), 3, 3)))
    assert set(rig.modes) == {MODE}
    return rig
