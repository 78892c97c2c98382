"""What an action on an armature is as a .stick."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ...core.motion.curves import Channel, Curve, Curves, Timing
from ...core.motion.rigs import matrix_rig
from ...core.motion.rigs.matrix_rig import MatrixRig
from ...core.motion.rigs.skeleton import Skeleton
from ...core.reporting.errors import ExportError
from ...core.stick.document import Stick
from ...core.stick.fields import ACTION_FIELDS
from ...core.stick.game import ExportOptions
from ...core.stick.motion import RATE, rig_of, update
from ..blender import armature, fields, scene, source_data
from ..blender.motion import actions, evaluated, fcurves
from .build import FORMAT


@dataclass(frozen=True, eq=False)
class Packed:
    """An action as a document."""

    action: bpy.types.Action
    document: Stick


def read_rig(obj: bpy.types.Object) -> tuple[MatrixRig, float]:
    """Raises ExportError for an armature whose bones carry no numbers."""
    try:
        names, parents, matrices, scale = armature.read_bones(obj)
    except ValueError as error:
        raise ExportError(f"{obj.name}: {error}") from error
    heads = matrices[:, :3, 3] / scale
    return rig_of(Skeleton(names, parents, heads, heads + np.array([0, 0, 0.2]))), scale


def timing_of(context: bpy.types.Context, action: bpy.types.Action) -> Timing:
    """As the action was imported; of a new one, as the scene is."""
    before = actions.remembered(action)
    if before is not None:
        return Timing(RATE, before.fps, before.start)
    return Timing(RATE, scene.fps(context.scene), float(action.frame_range[0]))


def pack_action(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, options: ExportOptions) -> Packed:
    """Raises ExportError for what the file cannot hold."""
    rig, scale = read_rig(obj)
    kept = source_data.kept(action) if action.get(source_data.FORMAT) == FORMAT else None
    original = Stick.parse(kept) if kept is not None else None
    skeleton = rig.skeleton
    offsets = np.where((skeleton.parents < 0)[:, None], skeleton.heads, skeleton.heads - skeleton.heads[skeleton.parents])
    new = Stick(0, "", skeleton.names, tuple(skeleton.parents.tolist()), offsets, np.zeros((1, 3)), np.zeros((1, len(skeleton), 4)))
    values = fields.read(action, ACTION_FIELDS)
    document = replace(original or new, **values)
    timing = timing_of(context, action)
    modes = dict.fromkeys(skeleton.names, "QUATERNION")
    curves = fcurves.read_curves(action, obj, modes, looks=options.looks).curves
    if options.looks:
        curves = _shown(context, obj, action, rig, scale)
    return Packed(action, update(curves, rig, timing, scale, document, original))


def _shown(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, rig: MatrixRig, scale: float) -> Curves:
    """What the evaluated pose would be as keys of every frame."""
    first, last = (int(frame) for frame in action.frame_range)
    frames = np.arange(first, last + 1, dtype=np.float64)
    with evaluated.alone(obj, action):
        pose = evaluated.poses(context, obj, rig.skeleton.names, frames)
    pose[..., :3, 3] /= scale
    location, rotation, _ = matrix_rig.decompose(rig.basis_of_pose(pose))
    curves: Curves = {}
    parts: tuple[tuple[str, Any, int], ...] = (("location", location * scale, 3), ("rotation_quaternion", rotation, 4))
    for bone, name in enumerate(rig.skeleton.names):
        for prop, values, count in parts:
            for index in range(count):
                curves[Channel(name, prop, index)] = Curve(frames.astype(np.float32), values[:, bone, index].astype(np.float32))
    return curves
