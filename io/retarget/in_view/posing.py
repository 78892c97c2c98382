"""Both figures as they are aligned, so that a person sees the reference pose, changes it on the target and keeps it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ....core.motion.curves import Block
from ....core.motion.rotations import quaternion as quat
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.retarget.figures.figure import Figure
from ....core.retarget.figures.maps import reference_pose
from ....core.retarget.figures.maps.bone_map import BoneMap, Quaternion, ReferencePose
from ....core.retarget.figures.motion import Standing
from ....core.retarget.options import RetargetOptions
from ....core.retarget.setup import Poses, Setup, prepare
from ....core.retarget.transfer import output
from ....core.retarget.transfer.solve import Rotations, Solved, Wanted
from ...blender import armature, identity, temporary_state
from ...blender.motion import evaluated
from ..prepared import Prepared
from ..reading import read
from ..reading.source_actions import chosen_actions
from .table import Table


class _Posed(Prepared):
    """Both as a person poses them."""

    by_bones = False


def begin(
    context: bpy.types.Context, source: bpy.types.Object, target: bpy.types.Object, bone_map: BoneMap, options: RetargetOptions
) -> None:
    """Pose both as the options align them: the source in its reference pose, the target as it stands to it. Raises RetroAnimError."""
    job = _Posed(context, source, target, bone_map, options)
    data: Any = source.animation_data
    action = chosen_actions(source, ())[0] if data and data.action else None
    setup = job.setup(action, job.read(action, read.frames_of(action, source, 1.0, at_keys=False)) if action is not None else None)
    _show(job, _solved(setup.binding.source, dict(enumerate(setup.source_rotations)), setup.source_rotations), _aligned(setup))
    context.view_layer.update()  # drivers may have set more
    for obj in (source, target):
        temporary_state.note(obj)


def as_source(
    context: bpy.types.Context,
    source: bpy.types.Object,
    target: bpy.types.Object,
    bone_map: BoneMap,
    options: RetargetOptions,
    only: frozenset[str] = frozenset(),
) -> None:
    """Pose the target as the source stands now. only: bones of the target; the others stay as they are posed. Both are staged."""
    with temporary_state.kept_on_failure():
        _as_source(context, source, target, bone_map, options, only)


def _as_source(
    context: bpy.types.Context,
    source: bpy.types.Object,
    target: bpy.types.Object,
    bone_map: BoneMap,
    options: RetargetOptions,
    only: frozenset[str],
) -> None:
    posed, before = pose_of(source), pose_of(target)
    job = _Posed(context, source, target, bone_map, replace(options, core=replace(options.core, align="AUTO")))
    figure = read.figure_of(source)
    setup = prepare(figure, job.part, job.bone_map, job.core, Poses(reference_pose.motion_of(figure, posed)))
    there = _aligned(setup)
    chosen = {name: there.get(name) for name in job.part.names if not only or name in only}
    after = {name: rotation for name, rotation in (before | chosen).items() if rotation is not None}
    _show(job, posed, after)


def pose_of(obj: bpy.types.Object) -> dict[str, Quaternion]:
    """By bone the rotation away from rest, in whatever rotation mode it has."""
    bones: Any = armature.pose_bones(obj)
    own = np.array([bone.matrix_basis.to_quaternion() for bone in bones], np.float64).reshape(-1, 4)
    return reference_pose.rotations_of(tuple(bone.name for bone in bones), own)


def kept(source: bpy.types.Object, target: bpy.types.Object, name: str) -> ReferencePose:
    """The poses in which both stand now."""
    return ReferencePose(name, pose_of(source), pose_of(target))


def rest(obj: bpy.types.Object) -> None:
    """Pose a staged armature as it is at rest."""
    values = evaluated.pose_values(obj)
    for name, rows in values.items():
        rows[:] = evaluated.REST[name]
    evaluated.set_pose_values(obj, values)
    obj.update_tag(refresh={"DATA"})


def _show(job: Prepared, posed: dict[str, Quaternion], after: dict[str, Quaternion]) -> None:
    """Pose the source and the target by bones' own rotations."""
    job.check_posed()
    switches = job.rig.blocks(0.0) if job.rig else []
    for obj in (job.source, job.target):  # before either has lost its action
        temporary_state.check(obj)
    for obj, rotations, more in ((job.source, posed, []), (job.target, after, switches)):
        temporary_state.take(obj, identity.POSE)
        rest(obj)
        figure = read.figure_of(obj)
        Table.of(obj, np.zeros(1), [*_blocks(figure, rotations), *more]).show(obj, 0.0)


def _blocks(figure: Figure, rotations: dict[str, Quaternion]) -> list[Block]:
    own = [quat.continuous(np.array([rotations.get(name, quat.IDENTITY)]), positive=True) for name in figure.names]
    return [output.rotation_block(figure, bone, np.zeros(1), rotation) for bone, rotation in enumerate(own)]


def _aligned(setup: Setup) -> dict[str, Quaternion]:
    """The target's reference pose. What follows without rotating, as a bone that moves for the hips, stays at rest."""
    bones = [follower.target for follower in setup.binding.followers if follower.options.rotation != "NONE"]
    return _solved(setup.binding.target, {bone: setup.references[bone] for bone in bones}, setup.references)


def _solved(figure: Figure, rotations: dict[int, Floats], references: Floats) -> dict[str, Quaternion]:
    """The bones' own rotations that give some of them rotations (4,) in the world."""
    wanted = Wanted(Rotations({bone: lambda rotation=rotation: rotation[None] for bone, rotation in rotations.items()}), {}, {}, {}, {})
    local = Solved(figure, np.zeros(1), wanted, references, Standing.still(figure)).local()
    return reference_pose.rotations_of(figure.names, local.rotations[0])
