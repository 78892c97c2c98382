"""Actions of a skeleton of Tales of Pirates as parts of its time line, and the file that they are parts of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import bpy
import numpy as np

from ....core.declare.shared import Sampling
from ....core.mindpower.files import names as file_names
from ....core.mindpower.files.ranges import Range
from ....core.mindpower.files.skeleton.lab import QUAT, Lab
from ....core.mindpower.motion import timeline_keys
from ....core.mindpower.motion.channels import motion_of
from ....core.mindpower.motion.evaluate import local_matrices
from ....core.mindpower.motion.timeline import Part
from ....core.mindpower.motion.update import Keys, as_quaternions, encode, encode_poses
from ....core.reporting.errors import ExportError
from ...blender import armature
from ...blender.motion import actions, evaluated, fcurves
from ..figure import dummies as mindpower_dummies
from ..figure.figure import Figure
from . import actions as mindpower_actions


def part_of(context: bpy.types.Context, figure: Figure, action: bpy.types.Action, sampling: Sampling, numbers: Sequence[int] = ()) -> Part:
    """An action as keys of the file, one for each of the game's frames. numbers: in the action table, of one that was made in Blender."""
    origin = mindpower_actions.origin(action)
    if origin is not None and origin.range.end >= figure.frame_count:
        raise ExportError(f"stands for frames up to {origin.range.end} of a file of {figure.frame_count}")
    timing = origin.timing if origin is not None else mindpower_actions.new_timing(action, context, figure.obj, sampling)
    length = len(origin.range) if origin is not None else 0
    start, end = mindpower_actions.span(action, timing, length, figure.obj, sampling)
    end = max(start, end - mindpower_actions.repeats(action, figure.obj))
    positions = np.arange(start, end + 1)
    frames = timing.start + positions * (timing.fps / timing.rate)
    if origin is None:
        rows = mindpower_actions.new_rows(action, timing, len(positions), numbers)
        return Part(action.name, _keys(context, figure, action, sampling, frames, np.full(len(positions), -1)), None, rows)
    inside = (positions >= 0) & (positions < length)
    old = origin.range.start + np.clip(positions, 0, length - 1)  # before and behind its keys a curve stays as it is
    frames[inside] = timing.frames(np.arange(length, dtype=np.float64))[positions[inside]]
    return Part(action.name, _keys(context, figure, action, sampling, frames, old), origin.range, (), start)


def _keys(
    context: bpy.types.Context, figure: Figure, action: bpy.types.Action, sampling: Sampling, frames: np.ndarray, old: np.ndarray
) -> Keys:
    """frames: (K,) of the scene. old: (K,) of the file, -1 for none."""
    before = figure.before
    if sampling == "VISUAL":
        with evaluated.alone(figure.obj, action):
            shown = evaluated.moved_poses(context, figure.obj, figure.shown, frames, float(action.frame_range[0]))
        return encode_poses(shown, figure.rig, None if before is None else before.shown, old)
    curves = fcurves.read_curves(action, figure.obj, {"": "ZYX", **dict.fromkeys(figure.names.every, "QUATERNION")}).curves
    shown = motion_of(curves, figure.names, figure.rig, frames, actions.start_of(figure.obj, action))
    keyed = {channel.bone for channel in curves}
    carriers = (figure.names.helpers.get(bone, ()) for bone in range(len(figure.names.bones)))
    unkeyed = np.array([not keyed & {name, *more} for name, more in zip(figure.names.bones, carriers, strict=True)])
    if "" in keyed:  # the root bone takes what the object does
        unkeyed &= figure.rig.parents >= 0
    return encode(shown, before, old, figure.moved, figure.errors, unkeyed)


def template_of(figure: Figure) -> Lab:
    """Everything but the keys, with names and dummies as they are now."""
    template = figure.template if figure.original is None else figure.original
    bones = template.bones.copy()
    now = _renamed(figure)
    for index, name in now.items():
        bones["name"][index] = np.frombuffer(file_names.encode(name, bones["name"].shape[1], bones["name"][index].tobytes()), "u1")
    return replace(template, bones=bones, dummies=mindpower_dummies.read(figure), frame_count=figure.frame_count)


def _renamed(figure: Figure) -> dict[int, str]:
    """The bones that were renamed, by number."""
    bones = armature.bones_of(figure.obj)
    return {index: name for index, name in enumerate(figure.names.bones) if bones[name].get(armature.NAME, name) != name}


def base_of(figure: Figure, template: Lab, parts: list[Part]) -> tuple[Lab | None, list[Part]]:
    """The old time line: the file itself, or what its actions and the frames that none of them shows still have of it."""
    if figure.original is not None:
        return figure.original, parts
    spare = [_spare_part(figure, run) for run in _runs(figure.spare)]
    base, marked = timeline_keys.rebuilt(template, [*parts, *spare], figure.frame_count)
    return base, marked


def _runs(frames: np.ndarray) -> list[np.ndarray]:
    """Frames, ascending, in runs without gaps."""
    return [run for run in np.split(np.arange(len(frames)), np.flatnonzero(np.diff(frames) != 1) + 1) if len(run)]


def _spare_part(figure: Figure, indices: np.ndarray) -> Part:
    """Frames that no action shows, as the armature keeps them. indices: of them in the template."""
    lab, old = figure.template, figure.spare[indices]
    local = local_matrices(lab, indices)
    if lab.key_type == QUAT:
        rotations = lab.quaternions[:, indices].swapaxes(0, 1)[..., [3, 0, 1, 2]]
    else:
        rotations = as_quaternions(local[..., :3, :3]).astype(np.float32)
    none = np.zeros(rotations.shape[:2], np.bool_)
    linear, moved = local[..., :3, :3].astype(np.float32), local[..., 3, :3].astype(np.float32)
    return Part("", Keys(moved, rotations, linear, old, none, none, none), Range(int(old[0]), int(old[-1])))
