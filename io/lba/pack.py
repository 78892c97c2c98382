"""Little Big Adventure out of Blender: the animation that an action stands for."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from ...core.lba.fields import ACTION_FIELDS
from ...core.lba.files.anm import Anm
from ...core.lba.files.variant import LBA1, VARIANTS, Variant
from ...core.lba.motion.motion import CONVENTION
from ...core.lba.motion.update import Settings, keyframes_of, sample, update
from ...core.lba.options import ExportOptions
from ...core.motion.curves import Curves, Timing
from ...core.motion.rotation_matrix import Floats
from ...core.motion.sampling import sample_curves, sample_poses
from ...core.reporting import log
from ...core.reporting.errors import ExportError
from ..blender import actions, armature, evaluated, fcurves, fields, scene, source_data
from .build import FORMAT


@dataclass(frozen=True, eq=False)
class Packed:
    """An action as the bytes of an ANM."""

    action: bpy.types.Action
    data: bytes
    game: Variant


def pack_action(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, options: ExportOptions) -> Packed:
    """The ANM that an action on an armature stands for. Raises ExportError."""
    try:
        rig, scale = armature.read_rig(obj, CONVENTION)
    except ValueError as error:
        raise ExportError(f"{obj.name}: {error}; import a body of the game and animate that") from error
    original = _original(action, options)
    settings = settings_of(context, obj, action, scale, original, options)
    evaluated.warn_of_object(obj)
    modes = {"": "ZYX", **dict(zip(rig.skeleton.names, rig.modes, strict=True))}
    read = fcurves.read_curves(action, obj, modes, looks=options.sampling == "VISUAL")
    if options.sampling == "VISUAL":
        frames = _visual_frames(context, read.curves, settings, options.step)
        near = sample_curves(read.curves, frames, rig, scale)
        with evaluated.alone(obj, action):
            bones = sample_poses(evaluated.poses(context, obj, rig.skeleton.names, frames), rig, scale, near)
    else:
        frames = keyframes_of(read.curves, settings)
        bones = sample_curves(read.curves, frames, rig, scale)
    sampled = sample(read.curves, frames, bones, rig, settings, read.closing)
    return Packed(action, update(sampled, rig, settings, original).pack(), settings.game)


def _came_from(action: bpy.types.Action) -> Variant | None:
    return VARIANTS.get(str(action.get("lba_game", "")))


def _original(action: bpy.types.Action, options: ExportOptions) -> Anm | None:
    """The document that the action came from; none where it is written for the other game, which has other numbers for everything."""
    if options.game in VARIANTS and _came_from(action) not in (None, VARIANTS[options.game]):
        return None
    data = source_data.kept(action) if action.get(source_data.FORMAT) == FORMAT else None
    return Anm.parse(data) if data is not None else None


def settings_of(
    context: bpy.types.Context,
    obj: bpy.types.Object,
    action: bpy.types.Action,
    scale: float,
    original: Anm | None,
    options: ExportOptions,
) -> Settings:
    """What was remembered at import; for an action that never was imported, what the scene has."""
    came = options.game if options.game in VARIANTS else str(action.get("lba_game", armature.data_of(obj).get("lba_game", LBA1.name)))
    game = VARIANTS.get(came, LBA1)
    before = actions.remembered(action)
    if before is None:
        timing = Timing(game.rate, scene.fps(context.scene), float(action.frame_range[0]))
        first = round(game.rate / 5)
        root_motion = actions.root_motion_of(obj, "OBJECT")
        return Settings(game, timing, scale, root_motion, actions.start_of(obj, action), first_duration=first)
    if abs(before.scale - scale) > 1e-9 * scale:
        log.warning(f"the armature's scale is {scale:g}, the action came in at {before.scale:g}")
    other = _came_from(action) or game  # the other game has its own units of time and angles
    values = fields.read(action, ACTION_FIELDS)
    first = values.get("first_duration", int(original.durations[0]) if original is not None else round(other.rate / 5))
    first_rotation = [round(angle * game.rotation / other.rotation) for angle in values.get("first_rotation", (0, 0, 0))]
    return Settings(
        game,
        Timing(game.rate, before.fps, before.start),
        scale,
        before.root_motion,
        before.placement,
        values.get("bone_count", 0),
        values.get("loop_frame", 0),
        values.get("word3") if other is game else None,
        round(first * game.rate / other.rate),
        values.get("first_step", (0, 0, 0)),
        (first_rotation[0], first_rotation[1], first_rotation[2]),
    )


def _visual_frames(context: bpy.types.Context, curves: Curves, settings: Settings, step: float) -> Floats:
    """Where the pose is sampled: at the keys, or from the first to the last every `step` frames; the scene's frames where there is none.

    The keyframe to which the loop goes back stays, and so does the one before: the step back takes its time and its displacement."""
    if not curves:
        return np.arange(context.scene.frame_start, context.scene.frame_end + 1e-6, step if step > 0 else 1.0)
    keyed = keyframes_of(curves, settings)
    if step <= 0 or len(keyed) < 2:
        return keyed
    frames = np.append(np.arange(keyed[0], keyed[-1] - step / 2, step), keyed[-1])
    loop = settings.loop_frame
    if 0 < loop < len(keyed):
        frames = frames[(frames < keyed[loop - 1] - step / 2) | (frames > keyed[loop] + step / 2)]
        frames = np.sort(np.append(frames, keyed[loop - 1 : loop + 1]))
    return frames
