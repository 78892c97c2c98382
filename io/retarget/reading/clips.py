"""What of an action becomes a clip: from where to where, on which grid, and whether it loops."""

from __future__ import annotations

import bpy
import numpy as np

from ....core.motion.rotations.rotation_matrix import Floats
from ....core.reporting.errors import RetroAnimError
from ....core.retarget.figures.clip import Clip, Grid
from ....core.retarget.options import RetargetOptions
from ...blender import compat
from ...blender.arrays import set_values, values_of
from ...blender.motion import pose_markers
from ...blender.motion.nla import nla
from . import read


def clip_of(action: bpy.types.Action, obj: bpy.types.Object, options: RetargetOptions, grid: Grid | None, intros: bool) -> Clip:
    """grid: of the target's game, None where it is no game's. intros: whether what comes before a loop belongs to the clip, too.

    Raises RetroAnimError for an action without keys."""
    at_keys = options.keys == "SOURCE"
    loops = options.loop == "YES" or (options.loop == "AUTO" and is_loop(action, obj))
    keys = read.frames_of(action, obj, options.step, at_keys=at_keys)
    ranged = action.use_frame_range and action.frame_end > action.frame_start
    start, end = (action.frame_start, action.frame_end) if ranged else (float(keys[0]), float(keys[-1]))
    if grid is None and options.loop == "YES":
        frames = _with_end(keys[keys < end + 1e-3], start, end, loops)  # what is behind would be where the loop is closed
        loop = int(np.argmin(np.abs(frames - start)))
        return Clip(frames, frames, float(frames[0]), loop if loop < len(frames) - 1 else None)
    if grid is None:
        cycle = (start, end) if loops else None
        played = (start, end) if ranged and not loops else None
        return Clip(keys, keys, float(keys[0]), None, cycle, played)
    leads = intros and loops and keys[0] < start
    if at_keys:
        inside = keys[((keys > start - 1e-3) | leads) & (keys < end + 1e-3)]
        return grid.at_keys(_with_end(inside, start, end, loops), start, loops)
    first = float(keys[0]) if leads else start
    read.check_span(action, first, end, grid.tick * grid.apart)
    return grid.clip(first, start, end, loops)


def of_nla(obj: bpy.types.Object, options: RetargetOptions, grid: Grid | None) -> Clip:
    """All strips of an armature's NLA, from the start of the first to the end of the last, as one clip.

    Raises RetroAnimError for an NLA that shows nothing."""
    strips = nla.playing(obj)
    if not strips:
        raise RetroAnimError(f"{obj.name} has no strips in its NLA that are shown")
    start, end = nla.span(obj, strips, options.step if grid is None else grid.tick * grid.apart)
    if grid is not None:
        return grid.clip(start, start, end, options.loop == "YES")
    frames = np.arange(start, end + 1e-4, options.step)
    frames = frames if end - frames[-1] < 1e-3 else np.append(frames, end)
    return Clip(frames, frames, start, 0 if options.loop == "YES" and len(frames) > 1 else None)


def _with_end(keys: Floats, start: float, end: float, loops: bool) -> Floats:
    """The start has a key in any case, and the end of a loop."""
    more = [frame for frame in (start, *([end] if loops else [])) if not (np.abs(keys - frame) < 1e-3).any()]
    return np.sort(np.append(keys, more))


def is_loop(action: bpy.types.Action, obj: bpy.types.Object) -> bool:
    """Whether an action is cyclic, or all its curves that change are."""
    if action.use_frame_range and action.use_cyclic:
        return True
    moves = False
    for curve in compat.quick_curves(action, obj):
        if len(curve.keyframe_points) > 1:
            moves = True
            if not any(modifier.type == "CYCLES" and not modifier.mute for modifier in curve.modifiers):
                return False
    return moves


def finish(created: bpy.types.Action, action: bpy.types.Action | None, clip: Clip) -> None:
    """Fake user, frame range, cycle and markers, as the source's action has them, if it is one."""
    created.use_fake_user = created.use_frame_range = True
    frames = clip.frames
    first = frames[clip.loop] if clip.loop is not None else clip.start
    created.frame_start, created.frame_end = float(first), float(frames[-1])
    created.use_cyclic = clip.loop is not None or clip.cycle is not None
    if between := clip.cycle or clip.played:
        created.frame_start, created.frame_end = between
    for marker in action.pose_markers if action is not None else ():
        pose_markers.add(created, marker.name, marker.frame)


def retime(action: bpy.types.Action, factor: float) -> None:
    """Stretch a new action, all that it moves, about frame 1, so that it lasts as long in a scene of `factor` times as many frames a
    second."""
    if abs(factor - 1) < 1e-6:
        return
    for curve in compat.every_curve(action):
        for name in ("co", "handle_left", "handle_right"):
            points = values_of(curve.keyframe_points, name, np.float32, 2)
            points[:, 0] = 1 + (points[:, 0].astype(np.float64) - 1) * factor
            set_values(curve.keyframe_points, name, points)
        curve.update()
    action.frame_start, action.frame_end = (1 + (frame - 1) * factor for frame in (action.frame_start, action.frame_end))
    for marker in action.pose_markers:
        marker.frame = round(1 + (marker.frame - 1) * factor)
