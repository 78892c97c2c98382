"""What Blender shows of a clip, beside what a file would bring back of it: poses at the same frames, from curves where curves are all there
is, else evaluated."""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion import comparison
from ....core.motion.comparison import Bones, Difference
from ....core.motion.curves import PATH_PROPERTY, PATHS, Channel, rotation_property
from ....core.motion.rotation_matrix import Floats
from ...blender import armature
from ...blender.arrays import values_of
from ...blender.motion import evaluated
from ..changes import Foreign
from .pair import Pair, moves_object, placement_of


def differences(context: bpy.types.Context, pair: Pair) -> list[Difference]:
    """Where a clip is not written as it is shown, the worst first; nothing to do where curves are all there is, and are the same."""
    if not pair.suspects and not pair.evaluated:
        return []
    clip, obj = pair.clip, pair.clip.obj
    bones = bones_of(obj)
    if clip.foreign is not None:
        return _foreign_differences(context, pair, bones, clip.foreign)
    if not pair.evaluated and _hardly_different(pair):
        return []
    known = np.array([name in clip.modes for name in bones.names])
    if pair.evaluated:
        frames = pair.frames(bones.names)
        with evaluated.alone(obj, clip.action):
            shown = _evaluated(context, pair, bones, frames)
        shown = shown[0], shown[1] @ _path(pair, pair.shown_at(frames, set(bones.names)), len(frames))
    else:
        everything = "" in pair.suspects
        roots = bones.parents < 0
        wanted = np.array([name in pair.suspects for name in bones.names]) | (roots & everything)
        wanted |= (bones.parents >= 0) & (wanted & roots)[bones.parents]
        bones, index = bones.part(wanted)
        known = known[index]
        frames = pair.frames(bones.names)
        names = {*bones.names, ""}
        modes = {name: pair.mode(name) for name in (bones.names if obj.type == "ARMATURE" else ()) if name}
        values = pair.shown_at(frames, names)
        basis = comparison.basis_of(values, bones.names, modes, len(frames))
        shown = comparison.poses(bones, basis), _standing(pair, values, frames) @ _path(pair, values, len(frames))
    values = pair.written_at(frames, {*bones.names, ""})
    written = (
        comparison.poses(bones, comparison.basis_of(values, bones.names, clip.modes, len(frames))),
        _written_standing(pair, values, len(frames)) @ _path(pair, values, len(frames)),
    )
    if obj.type != "ARMATURE":  # the object's channels are where it stands, and nothing inside of it
        shown, written = ((np.ones((len(frames), 1, 1, 1)) * np.eye(4), standing) for _, standing in (shown, written))
    kept, index = _only(bones, known)
    poses = (shown[0][:, index], shown[1]), (written[0][:, index], written[1])
    apart = comparison.differences(kept, frames, *poses, clip.steps, clip.scale)
    return [each for each in apart if not (each.carried and each.bone in clip.unseen)]


def _hardly_different(pair: Pair) -> bool:
    """Whether the channels alone say that no bone differs by more than a step, so that nobody has to put them together to poses."""
    clip = pair.clip
    if "" in pair.suspects or any(pair.mode(bone) != clip.modes.get(bone) for bone in pair.suspects):
        return False
    frames, groups = pair.frames(tuple(pair.suspects)), dict[tuple[str, str], list[Floats]]()
    for channel in pair.different:
        away = pair.shown_value(channel, frames) - pair.written_value(channel, frames)
        groups.setdefault((channel.bone, channel.property), []).append(away)
    return all(
        comparison.least(name, np.stack(rows), clip.steps, clip.scale)
        for (_, name), rows in groups.items()
        if name != "rotation_quaternion"
    ) and all(_quaternions_hardly(pair, bone, frames) for bone, name in groups if name == "rotation_quaternion")


def _quaternions_hardly(pair: Pair, bone: str, frames: Floats) -> bool:
    channels = [Channel(bone, "rotation_quaternion", index) for index in range(4)]
    shown, written = (np.stack([of(channel, frames) for channel in channels]) for of in (pair.shown_value, pair.written_value))
    lengths = [np.maximum(np.linalg.norm(each, axis=0), 1e-9) for each in (shown, written)]
    chord = np.linalg.norm(shown / lengths[0] - written / lengths[1], axis=0)
    return bool(chord.max(initial=0) * 2 <= pair.clip.steps.rotation)


def _foreign_differences(context: bpy.types.Context, pair: Pair, bones: Bones, foreign: Foreign) -> list[Difference]:
    """Of an armature from elsewhere: what the file's own bones show is brought to where those of the armature stand."""
    clip, frames = pair.clip, pair.frames(bones.names)
    with evaluated.alone(clip.obj, clip.action):
        poses, worlds = _evaluated(context, pair, bones, frames)
    kept, index = _only(bones, np.array([name in foreign.bones.names for name in bones.names]))
    values = pair.written_at(frames, set(foreign.bones.names))
    basis = comparison.basis_of(values, foreign.bones.names, clip.modes, len(frames))
    written = foreign.posed(comparison.poses(foreign.bones, basis), kept.names, kept.rest)
    # The file's root carries what the object does.
    still = np.tile(np.eye(4), (len(frames), 1, 1))
    return comparison.differences(kept, frames, (worlds[:, None] @ poses[:, index], still), (written, still), clip.steps, clip.scale)


def bones_of(obj: bpy.types.Object) -> Bones:
    """All bones of an armature, parents first; of another object itself, as one bone."""
    if obj.type != "ARMATURE":
        return Bones.none("")
    bones = sorted(armature.bones_of(obj), key=lambda bone: len(bone.parent_recursive))
    number = {bone.name: index for index, bone in enumerate(bones)}
    return Bones(
        tuple(number),
        np.array([number[bone.parent.name] if bone.parent else -1 for bone in bones], np.int64),
        np.array([bone.matrix_local for bone in bones], np.float64),
        np.array([bone.inherit_scale == "FULL" for bone in bones], np.bool_),
        np.array([bone.use_connect for bone in bones], np.bool_),
    )


def _only(bones: Bones, known: NDArray[np.bool_]) -> tuple[Bones, NDArray[np.int64]]:
    """The bones that the game has, each below the nearest such one above it."""
    if known.all():
        return bones, np.arange(len(known))
    index = np.flatnonzero(known)
    new = np.full(len(known) + 1, -1)
    new[index] = np.arange(len(index))
    parents: list[int] = []
    for bone in index.tolist():
        above = int(bones.parents[bone])
        while above >= 0 and not known[above]:
            above = int(bones.parents[above])
        parents.append(int(new[above]) if above >= 0 else -1)
    names = tuple(bones.names[bone] for bone in index.tolist())
    return Bones(names, np.array(parents, np.int64), bones.rest[index], bones.scaled[index], bones.connected[index]), index


def _path(pair: Pair, values: Mapping[Channel, Floats], count: int) -> Floats:
    """(K, 4, 4) the root motion that properties hold, inside of the object."""
    own = {
        Channel("", "location" if channel.property == PATH_PROPERTY else "rotation_euler", channel.component): row
        for channel, row in values.items()
        if pair.in_place and channel.property in PATHS
    }
    return comparison.basis_of(own, ("",), {"": "ZYX"}, count)[:, 0]


def _matrix(linear: Floats, location: Floats) -> Floats:
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = linear, location
    return out


def _standing(pair: Pair, values: Mapping[Channel, Floats], frames: Floats) -> Floats:
    """(K, 4, 4) where the object's curves put it, from where the clip came in; there where no curve moves it."""
    obj = pair.clip.obj
    if not moves_object(pair.curves):
        return np.tile(np.eye(4), (len(frames), 1, 1))
    mode = pair.mode("")
    own = {channel: row for channel, row in values.items() if not channel.bone}
    basis = _basis(obj, mode, own, len(frames))
    return np.asarray(_start(pair, _size(basis[0])) @ basis)


def _basis(obj: bpy.types.Object, mode: str, keyed: Mapping[Channel, Floats], count: int) -> Floats:
    """(K, 4, 4) the object's own transform, where it is now but for what is keyed; without its deltas, by which a user has put it."""
    parts = ("location", rotation_property(mode)[0], "scale")
    held = {Channel("", part, index): np.full(count, float(value)) for part in parts for index, value in enumerate(getattr(obj, part))}
    return comparison.basis_of({**held, **keyed}, ("",), {"": mode}, count)[:, 0]


def _size(matrix: Floats) -> Floats:
    """(3,) scale of a matrix (4, 4)."""
    return np.asarray(np.sqrt((matrix[:3, :3] ** 2).sum(axis=0)), np.float64)


def _start(pair: Pair, size: Floats) -> Floats:
    """(4, 4) the inverse of where the clip's motion starts, for an object of this size. What is no armature starts nowhere."""
    if pair.clip.obj.type != "ARMATURE":
        return np.eye(4)
    placement = placement_of(pair)
    return _inverse(_matrix(placement.rotation * np.where(size == 0, 1, size), placement.location))


def _inverse(matrix: Floats) -> Floats:
    """(4, 4), also of an object that is scaled to nothing."""
    return np.asarray(np.linalg.pinv(matrix), np.float64)


def _written_standing(pair: Pair, values: Mapping[Channel, Floats], count: int) -> Floats:
    """(K, 4, 4) where the file's curves put the object."""
    if not moves_object(pair.written):
        return np.tile(np.eye(4), (count, 1, 1))
    placement = placement_of(pair)
    held = {Channel("", "scale", index): np.full(count, size) for index, size in enumerate(placement.scale.tolist())}
    own = {channel: row for channel, row in values.items() if not channel.bone}
    basis = comparison.basis_of(held | own, ("",), {"": pair.clip.modes[""]}, count)[:, 0]
    return np.asarray(_start(pair, placement.scale) @ basis)


def _evaluated(context: bpy.types.Context, pair: Pair, bones: Bones, frames: Floats) -> tuple[Floats, Floats]:
    """Poses (K, B, 4, 4) and where the object is (K, 4, 4), as the scene shows them."""
    obj, count = pair.clip.obj, len(frames)
    poses: Floats = np.tile(np.eye(4), (count, len(bones.names), 1, 1))
    worlds, first = np.empty((count, 4, 4)), np.eye(4)
    order = [armature.pose_bones(obj).find(name) for name in bones.names] if obj.type == "ARMATURE" else []
    with evaluated.evaluation(context, obj) as at:
        for row, frame in enumerate(frames.tolist()):
            posed = at(frame)
            if order:
                poses[row] = values_of(armature.pose_bones(posed), "matrix", np.float32, 4, 4)[order].swapaxes(1, 2)
            worlds[row] = np.array(posed.matrix_world)
            if pair.clip.carried and posed.parent is not None:
                worlds[row] = _inverse(np.array(posed.parent.matrix_world)) @ worlds[row]
            if not row:
                first = _basis(posed, posed.rotation_mode, {}, 1)[0]
    start = _start(pair, _size(first)) @ first if moves_object(pair.curves) and pair.clip.foreign is None else np.eye(4)
    return poses, np.asarray(start @ _inverse(worlds[0]) @ worlds)
