"""What the import would show of what an export of an action would write."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import bpy
import numpy as np

from ...core.motion.comparison import Steps
from ...core.motion.curves import Block, Timing
from ...core.motion.modes import modes_of
from ...core.motion.rotations.rotation_matrix import Floats
from ...core.motion.sampling import MERGE
from ...core.oni.field_values import has
from ...core.oni.game import ExportOptions
from ...core.oni.motion import motion
from ...core.oni.motion.key_reduction import FITTING
from ...core.oni.motion.object_motion import moved_blocks, object_blocks
from ...core.oni.posing import animation_of
from ...core.oni.records.oban import Oban
from ...core.oni.records.rotations import TooManyKeysError
from ...core.oni.records.tram import Tram
from ...core.reporting import log
from ..blender import compat, identity, source_data
from ..blender.motion import evaluated, fcurves
from ..blender.motion.nla import nla_keys
from ..pipeline.changes import Replayed
from ..pipeline.fidelity.unedited import Came
from . import with_object
from .base_record import kept_by
from .build import read_rig
from .fields import markers, properties
from .pack import Bodies, Packed, pack_action, settings_of
from .pack_object import object_settings
from .parents import moved_by_deltas, moved_by_parents

STEPS = Steps(rotation=1.5e-4, translation=1e-3, path=1e-3)
"""Angles are 16 bits of a circle, two steps of which the product of three of them may be off; velocities are floats."""

OBJECT_STEPS = Steps(rotation=1e-5, translation=1e-3, path=1e-3)
"""All numbers of an OBAN are floats."""


def blocks(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    """Keys of the bones and the object. obj: an armature. Raises RetroAnimError when the game cannot hold the action."""
    try:
        record = pack_action(context, obj, action, ExportOptions(reduction="NONE")).record
    except TooManyKeysError:  # an export leaves out what it may
        record = pack_action(context, obj, action, ExportOptions()).record
    assert isinstance(record, Tram)  # as of every armature
    rig, scale = read_rig(obj)
    return motion.blocks_of(record, rig, settings_of(context, obj, action, scale))


def came(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, bodies: Bodies) -> Came | None:
    """An action of an armature as its record has it, where none of its properties was edited."""
    kept = kept_by(action)
    original = animation_of(kept) if kept is not None else None
    rig, scale, _ = bodies.of(obj)
    if not isinstance(original, Tram) or original.rotations is None or original.bone_count != len(rig.skeleton):
        return None
    details = properties.read(action, properties.TRAM)
    if details is not None and (markers.moved(action) or markers.are_apart(action) or not has(original, details)):
        return None
    settings = settings_of(context, obj, action, scale)
    clip, placement = motion.clip_of(original, rig, settings), settings.placement
    packed = Packed(action, original, kept, source_data.kept(action))
    return Came(packed, clip, settings.timing, rig, scale, settings.root_motion, placement, STEPS, _NOISE * min(scale, 1.0))


_NOISE = 1e-7
"""Of a calculation, where a quaternion's component is nothing: less than the update takes for the same."""


def replayed(context: bpy.types.Context, obj: bpy.types.Object, packed: Packed, options: ExportOptions, bodies: Bodies) -> Replayed:
    """The clip of an armature, or of an object, as it would come back."""
    record, action = packed.record, packed.action
    with log.collect():  # what is odd was said when the action was packed
        if isinstance(record, Oban):
            original = animation_of(packed.kept) if packed.kept is not None else None
            return _of_object(context, obj, action, record, original if isinstance(original, Oban) else None, options)
        rig, scale, _ = bodies.of(obj)
        settings = settings_of(context, obj, action, scale)
    if (identity.FURTHER in action or nla_keys.PLAYED in action) and packed.begins is not None:
        # A part of another clip begins anywhere on the way of that.
        settings = replace(settings, begins=packed.begins * [1.0, 0, 1])
    blocks = motion.blocks_of(record, rig, settings)
    # Where it does not play until there, nobody has seen the last velocity: it goes on as it did, or is at its start again.
    behind = settings.timing.frame(float(record.frame_count))
    plays_on = max(action.frame_range[1] if _goes_on(obj, action) else 0.0, action.curve_frame_range[1]) > behind - MERGE
    closing = None if fcurves.IMPORTED in action and plays_on else behind
    end = record.frame_count
    if closing is None:  # looked at up to its end, also where the file ends before
        end = max(end, min(2 * end, round(float(settings.timing.times(np.array([action.frame_range[1]]))[0])) + 1))
    frames = _sampled(settings.timing, 0, end, options)
    steps, shown, carried = _steps(options.reduced(identity.RETARGETED in action)), packed.shown, with_object.carried(obj, action)
    root = rig.skeleton.names[0]

    def unheld(bone: str) -> tuple[str, ...]:
        return ("scale",) if bone == root else ("location", "scale")

    return Replayed(
        obj, action, blocks, modes_of(rig), scale, steps, lambda: shown, frames=frames, closing=closing, carried=carried, unheld=unheld
    )


def _goes_on(obj: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Whether anything but its last keys may be seen behind these."""
    lively = (len(curve.modifiers) or curve.extrapolation == "LINEAR" for curve in compat.curves(action, obj))
    return any(lively) or bool(evaluated.takes_part(obj, action))


def _sampled(timing: Timing, first: int, end: int, options: ExportOptions) -> Floats | None:
    """The frames of the scene that are sampled as it looks; None as keyed."""
    return timing.frames(np.arange(float(first), float(end))) if options.looks else None


def _steps(options: ExportOptions) -> Steps:
    """Those of the format; with fewer keys the bound that was chosen."""
    match options.reduction:
        case "ANGLE":
            return replace(STEPS, rotation=max(STEPS.rotation, options.max_angle))
        case "DISTANCE":
            return replace(STEPS, rotation=np.pi)  # it bounds where joints are, whatever each bone's own rotation
        case "FIT":
            return replace(STEPS, rotation=FITTING[-1])
        case _:
            return STEPS


def _of_object(
    context: bpy.types.Context,
    obj: bpy.types.Object,
    action: bpy.types.Action,
    record: Oban,
    original: Oban | None,
    options: ExportOptions,
) -> Replayed:
    """Compared in the object's own space, as its parent stands at the first key, and its deltas are."""
    settings = object_settings(context, action, record)
    first, last = int(record.keys["frame"][0]), int(record.keys["frame"][-1])
    at = settings.timing.frames(np.array([float(first)]))
    with evaluated.alone(obj, action):
        moved, deltas = None if settings.local else moved_by_parents(context, obj, at), moved_by_deltas(context, obj, at)
    led = [each[0] for each in (moved, deltas) if each is not None]
    inverse = np.asarray(np.linalg.pinv(reduce(np.matmul, led)), np.float64) if led else None

    def shown(oban: Oban) -> list[Block]:
        blocks = object_blocks(oban, settings)
        return blocks if inverse is None else moved_blocks(blocks, inverse)

    def before() -> list[Block] | None:
        return None if original is None else shown(original)

    frames = _sampled(settings.timing, first, last + 1, options)
    return Replayed(
        obj, action, shown(record), {"": "QUATERNION"}, settings.scale, OBJECT_STEPS, before, frames=frames, carried=settings.local
    )
