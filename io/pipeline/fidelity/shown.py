"""What Blender shows of a clip, beside what a file would bring back of it: poses at the same frames, from curves where curves are all there
is, else evaluated. Long clips are put together piece by piece, so that they take no more memory than short ones."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import closing
from functools import partial
from typing import NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion import comparison
from ....core.motion.comparison import Bones, Comparison, Difference, Steps, Stretches
from ....core.motion.curves import Channel
from ....core.motion.pieces import pieces
from ....core.motion.rotations.rotation_matrix import Floats
from ...blender import armature, parenting
from ...blender.arrays import values_of
from ...blender.motion import evaluated
from . import between_frames
from .object_transform import Standing, inverse, path
from .pair import Pair


class _Piece(NamedTuple):
    """poses: (K, B, 4, 4) of bones in the armature. standing: (K, 4, 4) where the object is, from where the clip came in."""

    frames: Floats
    poses: Floats
    standing: Floats


def differences(context: bpy.types.Context, pair: Pair, stretches: Stretches | None = None) -> list[Difference]:
    """Where a clip is not written as it is shown, the worst first; nothing to do where curves are all there is, and are the same.
    stretches: those of the file's frames alone, None for the whole clip and what lies between its frames."""
    if not pair.suspects and not pair.evaluated:
        return []
    clip, bones = pair.clip, bones_of(pair.clip.obj)
    look: between_frames.Look = partial(_at if clip.foreign is None else _foreign_at, context, pair, bones)
    alike = not pair.evaluated and _hardly_different(pair)
    apart = [] if alike else look(pair.frames(bones.names), clip.steps, stretches)
    if clip.frames is None or stretches is not None:
        return apart
    return apart + between_frames.differences(pair, bones, look, {each.bone for each in apart})


def _at(
    context: bpy.types.Context, pair: Pair, bones: Bones, frames: Floats, steps: Steps, stretches: Stretches | None = None
) -> list[Difference]:
    """At these frames, by more than these steps."""
    clip, obj = pair.clip, pair.clip.obj
    known = np.array([name in clip.modes for name in bones.names])
    if not pair.evaluated:
        everything = "" in pair.suspects
        roots = bones.parents < 0
        wanted = np.array([name in pair.suspects for name in bones.names]) | (roots & everything)
        wanted |= (bones.parents >= 0) & (wanted & roots)[bones.parents]
        bones, index = bones.part(wanted)
        known = known[index]
    kept, index = _only(bones, known)
    compared, names = Comparison(kept, steps, clip.scale, stretches), {*bones.names, ""}
    stands = Standing(pair, frames)
    with closing(_evaluated(context, pair, bones, frames, stands) if pair.evaluated else _keyed(pair, bones, frames, stands)) as shown:
        for at, poses, standing in shown:
            count, values = len(at), pair.written_at(at, names.union(*clip.helpers.values()))
            written = _written(pair, bones, values, count)
            if obj.type != "ARMATURE":  # the object's channels are where it stands, and nothing inside of it
                poses = written = np.tile(np.eye(4), (count, 1, 1, 1))
            there = stands.written(values, count) @ path(pair, values, count)
            compared.add(at, (poses[:, index], standing), (written[:, index], there))
    return [each for each in compared.differences() if not (each.carried and each.bone in clip.unseen)]


def _written(pair: Pair, bones: Bones, values: Mapping[Channel, Floats], count: int) -> Floats:
    """(K, B, 4, 4) what the file's channels, with values (K,), make of bones in the armature."""
    poses = comparison.poses(bones, comparison.basis_of(values, bones.names, pair.clip.modes, count))
    for bone, helpers in pair.clip.helpers.items():
        if bone in bones.names:
            first, second = comparison.basis_of(values, helpers, pair.clip.modes, count).swapaxes(0, 1)
            poses[:, bones.names.index(bone)] @= first @ second
    return poses


def _keyed(pair: Pair, bones: Bones, frames: Floats, stands: Standing) -> Generator[_Piece]:
    """What the curves show, where they are all there is."""
    names, obj = {*bones.names, ""}, pair.clip.obj
    modes = {name: pair.mode(name) for name in (bones.names if obj.type == "ARMATURE" else ()) if name}
    for at in (frames[part] for part in pieces(len(frames), len(bones.names))):
        values = pair.shown_at(at, names)
        basis = comparison.basis_of(values, bones.names, modes, len(at))
        yield _Piece(at, comparison.poses(bones, basis), stands.keyed(values, len(at)) @ path(pair, values, len(at)))


def _evaluated(context: bpy.types.Context, pair: Pair, bones: Bones, frames: Floats, stands: Standing) -> Generator[_Piece]:
    """What the scene shows."""
    obj = pair.clip.obj
    order = [armature.pose_bones(obj).find(name) for name in bones.names] if obj.type == "ARMATURE" else []
    start: Floats | None = None
    with evaluated.alone(obj, pair.clip.action), evaluated.evaluation(context, obj) as at:
        for piece in (frames[part] for part in pieces(len(frames), len(bones.names))):
            poses: Floats = np.tile(np.eye(4), (len(piece), len(bones.names), 1, 1))
            worlds = np.empty((len(piece), 4, 4))
            for row, frame in enumerate(piece.tolist()):
                posed = at(frame)
                if order:
                    poses[row] = values_of(armature.pose_bones(posed), "matrix", np.float32, 4, 4)[order].swapaxes(1, 2)
                worlds[row] = np.array(posed.matrix_world)
                if pair.clip.carried and posed.parent is not None:
                    worlds[row] = inverse(parenting.above(posed)) @ worlds[row]
                if start is None:
                    start = np.asarray(stands.evaluated(posed) @ inverse(worlds[0]))
            assert start is not None
            yield _Piece(piece, poses, start @ worlds @ path(pair, pair.paths_at(piece), len(piece)))


def _hardly_different(pair: Pair) -> bool:
    """Whether the channels alone say that no bone differs by more than a step, so that nobody has to put them together to poses."""
    if "" in pair.suspects or any(pair.mode(bone) != pair.clip.modes.get(bone) for bone in pair.suspects):
        return False
    frames = pair.frames(tuple(pair.suspects))
    return all(_hardly(pair, frames[piece]) for piece in pieces(len(frames), len(pair.suspects)))


def _hardly(pair: Pair, frames: Floats) -> bool:
    """The same at these frames."""
    clip, groups = pair.clip, dict[tuple[str, str], list[Floats]]()
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


def _foreign_at(
    context: bpy.types.Context, pair: Pair, bones: Bones, frames: Floats, steps: Steps, stretches: Stretches | None = None
) -> list[Difference]:
    """Of an armature from elsewhere: what the file's own bones show is brought to where those of the armature stand."""
    clip, foreign = pair.clip, pair.clip.foreign
    assert foreign is not None
    kept, index = _only(bones, np.array([name in foreign.bones.names for name in bones.names]))
    compared = Comparison(kept, steps, clip.scale, stretches)
    with closing(_evaluated(context, pair, bones, frames, Standing(pair, frames))) as shown:
        for at, poses, standing in shown:
            values = pair.written_at(at, {*foreign.bones.names}.union(*clip.helpers.values()))
            written = foreign.posed(_written(pair, foreign.bones, values, len(at)), kept.names, kept.rest)
            # The file's root carries what the object does.
            still = np.tile(np.eye(4), (len(at), 1, 1))
            compared.add(at, (standing[:, None] @ poses[:, index], still), (written, still))
    return compared.differences()


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
    return Bones(names, np.array(parents, np.int64), bones.rest[index], bones.scaled[index]), index
