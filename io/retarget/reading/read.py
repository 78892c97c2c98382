"""A figure and its motion out of Blender: from the arrays of keys where they suffice, else from evaluated poses."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion import finite, sampling
from ....core.motion.curves import Channel, rotation_property
from ....core.motion.modes import matrices
from ....core.motion.rotations import quaternion as quat
from ....core.motion.rotations import rotation_matrix
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.reporting.errors import RetroAnimError
from ....core.retarget.figures.figure import Figure
from ....core.retarget.figures.maps.bone_map import BoneMap
from ....core.retarget.figures.motion import Motion, Standing
from ....core.retarget.figures.walk import forward, walked
from ...blender import armature, compat, identity, parenting
from ...blender.arrays import values_of, world_of
from ...blender.motion import evaluated, fcurves, standing
from . import keys
from .unkeyed import Posed, held, posed_of

_AT_HAND = 2048
"""Frames of bones that are converted together: short clips at once, long ones bone by bone when they are asked for, which takes less
memory."""


def figure_of(obj: bpy.types.Object, world: Floats | None = None) -> Figure:
    """All bones of an armature object, in Blender's order. world: (4, 4) where it stands, unless where it is now."""
    bones = armature.bones_of(obj)
    if not len(bones):
        raise RetroAnimError(f"{obj.name} has no bones")
    names = [bone.name for bone in bones]
    modes = {bone.name: bone.rotation_mode for bone in armature.pose_bones(obj)}
    if not modes.keys() >= set(names):
        raise RetroAnimError(f"{obj.name} has bones that Blender does not pose yet: leave edit mode first")
    number = {name: index for index, name in enumerate(names)}
    game = identity.game_of(obj) if armature.is_game_armature(obj) else None
    rest = values_of(bones, "matrix_local", np.float32, 4, 4).transpose(0, 2, 1)  # Blender gives columns
    flags = {name: values_of(bones, name, np.bool_) for name in ("use_inherit_rotation", "use_local_location", "use_connect")}
    parents = np.array([number[bone.parent.name] if bone.parent else -1 for bone in bones], np.int32)
    lengths = values_of(bones, "length", np.float32).astype(np.float64)
    return Figure(
        tuple(names),
        parents,
        rest.astype(np.float64),
        lengths if game is None or not game.onwards else _reaching(rest.astype(np.float64), parents, lengths),
        world_of(obj) if world is None else world,
        tuple(modes[name] for name in names),
        ~flags["use_inherit_rotation"],
        ~flags["use_local_location"],
        flags["use_connect"],
        left=None if game is None else game.left,
    )


def _reaching(rest: Floats, parents: NDArray[np.int32], lengths: Floats) -> Floats:
    """The lengths of bones, of which those go on from their parent for half of its length on which nothing hangs: what hands, feet and
    heads have beyond their joint counts, though it is not drawn that far. Helpers that shear a bone, at its joint, are as long as it."""
    heads = rest[:, :3, 3]
    steps = np.where((parents >= 0)[:, None], heads - heads[parents], 0.0)
    helps = (parents >= 0) & (np.abs(steps).max(axis=1) < 1e-5)
    is_end = np.ones(len(parents), bool)
    is_end[parents[(parents >= 0) & ~helps]] = False
    for bone in np.flatnonzero(helps)[::-1].tolist():
        is_end[parents[bone]] &= is_end[bone]
    along = np.minimum(0.5 * np.einsum("bi,bi->b", steps, rest[:, :3, 1]), 0.4 * float(np.ptp(heads, axis=0).max()))
    result = np.where(is_end, np.maximum(lengths, along), lengths)
    for bone in np.flatnonzero(helps & is_end).tolist():
        result[bone] = max(result[bone], result[parents[bone]]) if is_end[parents[bone]] else result[bone]
    return result


def frames_of(action: bpy.types.Action, obj: bpy.types.Object, step: float, *, at_keys: bool) -> Floats:
    """Where an action is sampled: every `step` frames from its first key to its last, or where it has keys."""
    curves = [curve for curve in compat.quick_curves(action, obj) if compat.has_values(curve)]
    if not curves:
        raise RetroAnimError(f"{action.name} has no keys for {obj.name}")
    if at_keys:
        frames = np.unique(np.concatenate([keys.fcurves_keys(curve)[0] for curve in curves])).astype(np.float64)
        return frames[np.concatenate([[True], np.diff(frames) >= 0.01])]
    firsts, lasts = zip(*(curve.range() for curve in curves), strict=True)
    first, last = min(firsts), max(lasts)
    longer = action.use_frame_range and (action.frame_start < first or last < action.frame_end)
    if longer and any(modifier.type == "CYCLES" for curve in curves for modifier in curve.modifiers):
        first, last = min(first, action.frame_start), max(last, action.frame_end)
    check_span(action, first, last, step)
    frames = np.arange(first, last + 1e-4, step)
    return frames if last - frames[-1] < 1e-3 else np.append(frames, last)


def check_span(action: bpy.types.Action, first: float, last: float, step: float) -> None:
    """Raises RetroAnimError where there are more frames to look at than any clip has. step: from one to the next."""
    if not last - first <= sampling.LONGEST * step:
        raise RetroAnimError(
            f"{action.name} goes from frame {first:.0f} to {last:.0f}, which is longer than any clip: move its keys or its frame range "
            "back, or choose a larger step"
        )


def sizes_that_count(obj: bpy.types.Object, bone_map: BoneMap) -> set[str]:
    """The bones of a source whose scale changes where followed ones are, and those whose scale is copied."""
    bones, result = armature.pose_bones(obj), {pair.source for pair in bone_map.pairs if pair.options.scale}
    for name in bone_map.sources():
        if name in bones:
            result |= {bone.name for bone in bones[name].parent_recursive}
    return result


def needs_evaluation(
    obj: bpy.types.Object, action: bpy.types.Action, sized: Container[str] | None = None, posed: Posed | None = None
) -> str:
    """Why key arrays do not suffice for an action on an armature; "" where they do. sized: the bones whose scale counts; None: all. posed:
    as `posed_of` gives it, if it is known."""
    posed = posed or posed_of(obj)
    more = evaluated.takes_part(obj, action, posed.always)
    if more:
        return more
    scaled = {channel.bone for channel, value in posed.away.items() if channel.property == "scale" and abs(value - 1) > 1e-5}
    for curve in compat.quick_curves(action, obj):
        if curve.data_path.endswith(fcurves.MODE) and _is_of_other_mode(curve, obj):
            return "keyed rotation modes"
        if curve.data_path.endswith("scale") and _values_move(curve):
            channel = fcurves.channel_of(curve)
            scaled.add(channel.bone if channel is not None else "")
    return "scaled bones" if any(not name or sized is None or name in sized for name in scaled) else ""


def _is_of_other_mode(curve: Any, obj: bpy.types.Object) -> bool:
    """Whether the rotation mode that a curve keys is another one than now, at any time."""
    channel = fcurves.channel_of(curve)
    owner = None if channel is None else armature.pose_bones(obj).get(channel.bone) if channel.bone else obj
    if owner is None or compat.is_muted(curve):
        return False
    return any(fcurves.mode_of(number) != owner.rotation_mode for number in keys.fcurves_keys(curve)[1].tolist())


def _values_move(curve: Any) -> bool:
    return len(curve.modifiers) > 0 or bool((np.abs(keys.fcurves_keys(curve)[1] - 1) > 1e-5).any())


def still_world(obj: bpy.types.Object, action: bpy.types.Action | None) -> Floats:
    """(4, 4) where an object stands while it stands still: for one of our own clips as it stood when that came in, for a retargeted one
    when that was made, each under its present parent, for an action that moves the object where its first key puts it."""
    if action is not None and (stood := standing.stood_before(action)) is not None:
        return parenting.above(obj) @ stood
    curves = _object_curves(action, obj) if action is not None else {}
    if not curves:
        return world_of(obj)
    first = min(float(keys.fcurves_keys(curve)[0][0]) for curve in curves.values())
    values = {channel: keys.values_at(curve, np.array([first])) for channel, curve in curves.items()}
    return _object_matrices(obj, values, 1, obj.rotation_mode)[0]


def read_motion(
    context: bpy.types.Context,
    obj: bpy.types.Object,
    action: bpy.types.Action,
    figure: Figure,
    frames: Floats,
    sized: Container[str] | None = None,
) -> Motion:
    """What an action makes of an armature at `frames`. sized: the bones whose scale counts, where the others' may be left out."""
    if needs_evaluation(obj, action, sized):
        with evaluated.alone(obj, action):
            return shown(context, obj, figure, frames)
    return keyed(obj, action, figure, frames)


def keyed(obj: bpy.types.Object, action: bpy.types.Action, figure: Figure, frames: Floats) -> Motion:
    """From the curves alone; channels without a curve stay as they are posed."""
    return keyed_together(obj, figure, [frames], [channels(obj, action, frames)])[0]


def channels(
    obj: bpy.types.Object, action: bpy.types.Action, frames: Floats, posed: Posed | None = None, straight: set[Channel] | None = None
) -> keys.Channels:
    """What an action's curves have at `frames`, and what stays as it is posed. posed: as `posed_of` gives it, if it is known.

    straight: gets the channels that go straight from one of the frames to the next."""
    values = keys.channels_at(action, obj, frames, straight)
    still = held(posed or posed_of(obj), action, len(frames), values)
    if straight is not None:
        straight.update(still)
    return values | still


def keyed_together(obj: bpy.types.Object, figure: Figure, frames: Sequence[Floats], values: Sequence[keys.Channels]) -> list[Motion]:
    """What channels make of an armature, in several clips at once. frames, values: of each clip."""
    if len(frames) > 1 and not _alike(values):
        return [keyed_together(obj, figure, [at], [own])[0] for at, own in zip(frames, values, strict=True)]
    counts = tuple(len(at) for at in frames)
    every, at = _joined(values), np.concatenate(frames) if len(frames) > 1 else frames[0]
    standing = object_at(obj, at, every)
    if len(at) * len(figure) <= _AT_HAND:
        motion = forward(figure, at, keys.local_of(figure, at, every), standing)
    else:

        def few(rows: NDArray[np.int64]) -> Motion:
            some = {channel: own[rows] for channel, own in every.items()}
            return walked(figure, at[rows], keys.channels_of(figure, len(rows), some), standing.at(rows) if standing else None)

        motion = walked(figure, at, keys.channels_of(figure, len(at), every), standing, keys.moved_by(figure, every), few)
    return [motion] if len(frames) == 1 else replace(motion.whole(), counts=counts).clips


def _alike(values: Sequence[keys.Channels]) -> bool:
    """Whether clips have the same channels, and the object one scale in all of them."""
    first = values[0]
    sizes = [Channel("", "scale", axis) for axis in range(3)]
    return all(
        own.keys() == first.keys() and all(axis not in own or own[axis][0] == first[axis][0] for axis in sizes) for own in values[1:]
    )


def _joined(values: Sequence[keys.Channels]) -> keys.Channels:
    return values[0] if len(values) == 1 else {channel: np.concatenate([own[channel] for own in values]) for channel in values[0]}


def object_at(obj: bpy.types.Object, frames: Floats, values: keys.Channels, mode: str = "") -> Standing | None:
    """Where the object is; None where nothing of `values` moves it. mode: of its rotation, unless as it is."""
    mode = mode or obj.rotation_mode
    if not any(Channel("", name, index) in values for name in object_names(mode) for index in range(4)):
        return None
    return standing_of(_object_matrices(obj, values, len(frames), mode))


def object_names(mode: str) -> tuple[str, str, str]:
    """The properties that move an object whose rotation mode is `mode`."""
    return "location", rotation_property(mode)[0], "scale"


def _object_curves(action: bpy.types.Action, obj: bpy.types.Object) -> dict[Channel, Any]:
    """The curves that move the object itself."""
    names = object_names(obj.rotation_mode)
    result: dict[Channel, Any] = {}
    for curve in compat.curves(action, obj):
        if curve.data_path in names and compat.has_values(curve) and not compat.is_muted(curve):
            result[Channel("", curve.data_path, curve.array_index)] = curve
    return result


def _object_matrices(obj: bpy.types.Object, values: keys.Channels, count: int, mode: str) -> Floats:
    """(F, 4, 4) of an object without constraints, whose parent, if it has one, stands still."""

    def columns(name: str, now: Any) -> Floats:
        return np.stack([values.get(Channel("", name, index), np.full(count, now[index])) for index in range(len(now))], axis=1)

    name, _ = rotation_property(mode)
    rotations = matrices(columns(name, getattr(obj, name)), mode)
    out = np.zeros((count, 4, 4))
    out[:, :3, :3] = rotations * columns("scale", obj.scale)[:, None, :]
    out[:, :3, 3] = columns("location", obj.location)
    out[:, 3, 3] = 1
    return parenting.above(obj) @ out


def standing_of(matrices: Floats) -> Standing:
    """Where an object is, from its matrices (F, 4, 4); its scale is taken as the same all the time."""
    scale = float(np.abs(np.linalg.det(matrices[0, :3, :3])) ** (1 / 3))
    return Standing(quat.of_matrix(orthonormal(matrices[:, :3, :3])), matrices[:, :3, 3], scale)


def orthonormal(matrices: Floats) -> Floats:
    """Rotations of matrices (..., 3, 3) that may be scaled, sheared and mirrored; of those that are not they are only normalized, which is
    much faster. As in Blender a mirrored one is that of its negative: several are equally near to it, so that rounding would choose."""
    sizes = np.linalg.norm(matrices, axis=-2, keepdims=True)
    out = matrices / np.maximum(sizes, 1e-30)
    x, y, z = out[..., 0], out[..., 1], out[..., 2]
    apart = [np.abs(np.einsum("...i,...i->...", *pair)) for pair in ((x, y), (x, z), (y, z))]
    volume = np.einsum("...i,...i->...", np.cross(x, y), z)
    bent = (np.maximum.reduce(apart) > 1e-5) | (volume < 0.5)  # or of no size, or mirrored
    if bent.any():
        out[bent] = rotation_matrix.nearest(np.where(volume < 0, -1.0, 1.0)[bent, None, None] * matrices[bent])
    return out


def shown(context: bpy.types.Context, obj: bpy.types.Object, figure: Figure, frames: Floats) -> Motion:
    """From the poses as they are shown."""
    poses, worlds = np.empty((len(frames), len(figure), 16), np.float32), np.empty((len(frames), 4, 4))
    order = [armature.pose_bones(obj).find(name) for name in figure.names]
    with evaluated.evaluation(context, obj) as at:
        for row, frame in enumerate(frames.tolist()):
            posed = at(frame)
            poses[row] = values_of(armature.pose_bones(posed), "matrix", np.float32, 16)[order]
            worlds[row] = np.array(posed.matrix_world)
    return _of_matrices(frames, poses, worlds)


def present(posed: bpy.types.Object, figure: Figure, frame: float) -> Motion:
    """The pose that an evaluated armature has now, as a motion of one frame."""
    order = [armature.pose_bones(posed).find(name) for name in figure.names]
    poses = values_of(armature.pose_bones(posed), "matrix", np.float32, 16)[order]
    return _of_matrices(np.array([frame]), poses[None], np.array(posed.matrix_world, np.float64)[None])


def _of_matrices(frames: Floats, poses: NDArray[np.float32], worlds: Floats) -> Motion:
    """poses: (F, B, 16) in armature space, as Blender stores them. worlds: (F, 4, 4)."""
    if not (finite.are(poses) and finite.are(worlds)):
        poses, worlds = (finite.kept(each.reshape(len(each), -1)).reshape(each.shape) for each in (poses, worlds))
    matrices = poses.reshape(*poses.shape[:2], 4, 4).transpose(0, 1, 3, 2).astype(np.float64)
    standing = standing_of(worlds)
    linear = worlds[:, None, :3, :3] @ matrices[..., :3, :3]
    sizes = np.linalg.norm(matrices[..., :3, :3], axis=-2)
    positions = np.einsum("fij,fbj->fbi", worlds[:, :3, :3], matrices[..., :3, 3]) + worlds[:, None, :3, 3]
    scaled = bool((np.abs(sizes - 1) > 1e-4).any())
    return Motion(frames, quat.of_matrix(orthonormal(linear)), positions, sizes if scaled else None, standing)
