"""Oni out of Blender: the object animation that an action of an object stands for."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix

from ...core.oni.game import ExportOptions
from ...core.oni.motion.object_motion import ObjectSettings
from ...core.oni.motion.object_sampling import SampledObject, moved_by, sample_matrices, sample_object
from ...core.oni.motion.object_update import update_object
from ...core.oni.records import oban
from ...core.oni.records.oban import Oban
from ...core.reporting import log
from ..blender import scene
from ..blender.motion import actions, evaluated, fcurves
from ..pipeline.fidelity.object_transform import own_basis
from . import build
from .base_record import edited, held
from .fields import properties
from .parents import moved_by_deltas, moved_by_parents

_STILL = 1e-5
"""Blender units, and parts of axes, that a parent may move an object and still be at rest."""


def packed_object(
    context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, original: Oban | None, options: ExportOptions
) -> Oban:
    """The record that an action of an object stands for. original: what the action came from."""
    curves = fcurves.read_curves(action, obj, {"": "QUATERNION"}, looks=options.looks).curves
    there = held(options)
    wanted = original or (there if isinstance(there, Oban) else None) or Oban.new(properties.instance_name(action.name, "OBAN"))
    wanted = edited(action, wanted)
    assert isinstance(wanted, Oban)
    settings = object_settings(context, action, wanted)
    location, rotation, size = Matrix(own_basis(obj, obj.rotation_mode, {}, 1)[0].tolist()).decompose()
    rest = np.array([*location, *rotation, *size], np.float64)
    sampled = sample_object(curves, settings, rest)
    if options.looks:
        sampled = _visual_object(context, obj, action, sampled, settings)
    else:
        sampled = _in_world(context, obj, action, sampled, settings)
    return update_object(sampled, settings, wanted, original)


def object_settings(context: bpy.types.Context, action: bpy.types.Action, record: Oban) -> ObjectSettings:
    """As `settings_of`, of an object; what is local is in the record."""
    before, local = actions.remembered(action), bool(record.flags & oban.LOCAL)
    if before is None:
        return ObjectSettings(scene.fps(context.scene), float(action.frame_range[0]), build.SCALE, False, local)
    return ObjectSettings(before.fps, before.start, before.scale, bool(action.get(build.DENSE, False)), local)


def _in_world(
    context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, keyed: SampledObject, settings: ObjectSettings
) -> SampledObject:
    """The object's keys with what its deltas and its parent do; those of a local OBAN are in the space of whatever the game puts it on."""
    frames = settings.timing.frames(keyed.times.astype(np.float64))
    with evaluated.alone(obj, action):
        moved, deltas = moved_by_parents(context, obj, frames), moved_by_deltas(context, obj, frames)
    if deltas is not None:
        keyed = moved_by(deltas, keyed)
    if moved is None:
        return keyed
    if not settings.local:
        return moved_by(moved, keyed)
    if np.abs(moved - np.eye(4)).max() > _STILL:
        log.warning(
            f"{obj.name} has the flag ZAxisUp: its parent stands for what the game puts it on, and its motion relative to that is written: "
            "clear the flag to write where it is in the world"
        )
    return keyed


def _visual_object(
    context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, keyed: SampledObject, settings: ObjectSettings
) -> SampledObject:
    first, last = int(keyed.times[0]), int(keyed.times[-1])
    if first == last and fcurves.IMPORTED not in action:
        end = settings.timing.times(np.array([float(context.scene.frame_end)]))[0]
        last = max(first, round(float(end)))
    frames = settings.timing.frames(np.arange(first, last + 1, dtype=np.float64))
    keyed = _in_world(context, obj, action, keyed, settings)
    with evaluated.alone(obj, action):
        matrices = evaluated.object_matrices(context, obj, frames)
        moved = moved_by_parents(context, obj, frames) if settings.local else None
    return sample_matrices(matrices if moved is None else np.linalg.pinv(moved) @ matrices, keyed, first)
