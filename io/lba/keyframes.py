"""Which frames of an action become keyframes, and which keyframe its loop goes back to."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np

from ...core.lba.files.anm import Anm
from ...core.lba.game import ExportOptions
from ...core.lba.motion import times
from ...core.lba.motion.key_reduction import fewer_keyframes, keyframes_by_room, keyframes_that_fit, room_for
from ...core.lba.motion.loop import closing_frame, is_closed
from ...core.lba.motion.sampled import Before, Sampled, Settings, replay, sample
from ...core.motion.curves import Curves
from ...core.motion.reduction.reduction import Bounds
from ...core.motion.rigs.rig import Rig
from ...core.motion.rotations.rotation_matrix import Floats
from ...core.motion.sampling import MERGE, sample_curves
from ...core.reporting import log
from ..blender import identity
from ..blender.motion import fcurves
from ..blender.motion.nla import nla_keys
from ..pipeline.out_of_blender import fewer_keys


def without_closing(
    frames: Floats, action: bpy.types.Action, read: fcurves.ReadCurves, rig: Rig, settings: Settings, original: Anm | None
) -> tuple[Floats, float | None]:
    """Of the frames that have keys those that become keyframes, and that of the closing key, which is none of them: where generated keys
    say so, or where a cyclic action ends in the pose to which it goes back, since baked and copied keys are of the common type."""
    if not read.curves:
        return frames, None
    closing = closing_frame(read.curves, nla_keys.closing_keys(action, read.generated), rig)
    if closing is None and action.use_cyclic and action.use_frame_range and abs(action.frame_end - frames[-1]) < MERGE:
        closing = float(frames[-1]) if _ends_as_it_loops(frames, read.curves, rig, settings, original) else None
    if closing is None:
        return frames, None
    kept = frames[frames < closing - MERGE]
    return (kept, closing) if len(kept) else (frames, None)


def _ends_as_it_loops(frames: Floats, curves: Curves, rig: Rig, settings: Settings, original: Anm | None) -> bool:
    """Whether the last key stands where the closing key stood, or shows what it would."""
    was = None if original is None else replay(original, rig, settings).closing
    if was is not None and abs(was.frames[0] - frames[-1]) < MERGE:
        return True
    if settings.loop_frame >= len(frames) - 1:
        return False
    last, loop = (
        sample(curves, when, sample_curves(curves, when, rig, settings.scale), rig, settings)
        for when in (frames[-1:], frames[settings.loop_frame : settings.loop_frame + 1])
    )
    return is_closed(last, loop, settings.game)


def as_it_looks(context: bpy.types.Context, curves: Curves, keyed: Floats, loop: int, step: float) -> Floats:
    """Where the pose is sampled: at the keys `keyed` (K,), or from the first to the last every `step` frames; without keys at the scene's
    frames. loop: which of the keys the loop goes back to.

    The first and the last stay, the keyframe to which the loop goes back, and the one before: the step back takes its time and its
    displacement."""
    if not curves:
        return np.arange(context.scene.frame_start, context.scene.frame_end + 1e-6, step if step > 0 else 1.0)
    if step <= 0 or len(keyed) < 2:
        return keyed
    frames = np.append(np.arange(keyed[0], keyed[-1] - step / 2, step), keyed[-1])
    if 0 < loop < len(keyed):
        frames = frames[(frames < keyed[loop - 1] - step / 2) | (frames > keyed[loop] + step / 2)]
        frames = np.unique(np.concatenate([keyed[[0, -1]], keyed[loop - 1 : loop + 1], frames]))
    return frames


def one_a_unit(frames: Floats, closing: float | None, rig: Rig, settings: Settings, original: Anm | None) -> tuple[Floats, Settings]:
    """Of the frames (K,) that have keys those that become keyframes, since the game has one in each unit of its time. A loop whose start
    was set by its number goes back to the same one."""
    kept = times.one_a_unit(frames, closing, original, rig, settings)
    times.report_units(frames, kept)
    if original is None or settings.loop_frame != original.loop_frame:
        settings = replace(settings, loop_frame=settings.loop_frame - int((~kept[: settings.loop_frame]).sum()))
    return frames[kept], settings


def behind(frames: Floats, start: float) -> int:
    """The keyframe after `start`: a new loop comes in its last step to the pose that it has there, as the game's own walks do, so that no
    time is lost on the way back."""
    return int(np.searchsorted(frames, start + MERGE).clip(0, len(frames) - 1))


def fewer(
    action: bpy.types.Action, sampled: Sampled, rig: Rig, settings: Settings, original: Anm | None, options: ExportOptions
) -> tuple[Sampled, Settings]:
    """The keyframes that hold the bound of the options, or that the game's largest animations have room for. Where the loop goes back to,
    where it comes from and where markers are stays."""
    automatic, options = options.reduction == "AUTO", options.reduced(identity.RETARGETED in action)
    room = room_for(max(len(rig.skeleton), original.bone_count if original is not None else 0), settings.game)
    if options.reduction == "NONE" or (options.reduction == "FIT" and len(sampled.frames) <= room):
        return sampled, settings
    marks = [marker.frame for marker in action.pose_markers]
    near = np.abs(sampled.frames[:, None] - np.array([action.frame_range[0], *marks])).argmin(axis=0).tolist()
    before = None if original is None else Before.of(original, rig, settings)
    loop = times.loop_now(sampled.frames, None if sampled.closing is None else float(sampled.closing.frames[0]), before, settings)
    fresh = fcurves.IMPORTED not in action
    stay = [*near, *([] if fresh else [loop, loop - 1])]
    by_angle, most = options.reduction == "ANGLE", (options.max_distance, options.max_angle, options.shell)
    bounds = Bounds.of(by_angle, *most, longest=len(sampled.frames))
    if options.reduction == "FIT":
        less, result = keyframes_that_fit(sampled, rig, settings, options.shell, room, stay)
    elif automatic:
        less, result = keyframes_by_room(sampled, rig, settings, bounds, room, stay)
    else:
        less, result = fewer_keyframes(sampled, rig, settings, bounds, stay)
    if result is None:
        log.warning("a bone both rotates and moves in it, so that all keyframes stay: choose Keep All as Fewer Keys")
        return sampled, settings
    fewer_keys.tell(result.line(), result.angle, options)
    settings = replace(settings, allowed=result.distance)
    if fresh and loop:
        settings = replace(settings, loop_frame=behind(less.frames, action.frame_start))
    return less, settings
